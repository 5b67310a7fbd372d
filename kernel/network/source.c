#include "network/sb_network.h"
#include "signals/sb_signals.h"

/* Torque or force from a signal: it drives flange b, so it is the negative of a torque that opposes the slip. A drive
 * brings its power into the machine; a passive one (drag, a nonlinear spring) takes it, into its store or as heat. */

SB_HOT void sb_source_torque(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    (void)x;
    (void)force;
    for (int k = 0; k < m->n_source; ++k) {
        d->tau[SB_SOURCE_BRANCH(m, k)] = -(d->jet[SB_JET * m->source_signal[k]] + d->torque_offset[k]);
    }
}

SB_HOT void sb_source_partials(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    if (force) {
        sb_source_torque(m, d, x, force);
    }
    for (int k = 0; k < m->n_source; ++k) {
        d->tau_t[SB_SOURCE_BRANCH(m, k)] = -d->jet[SB_JET * m->source_signal[k] + 1];
    }
}

static int is_passive(const sb_model *m, int k)
{
    return m->source_energy[k] != SB_SOURCE_DRIVES;
}

SB_HOT void sb_source_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    (void)x;
    for (int k = 0; k < m->n_source; ++k) {
        const int b = SB_SOURCE_BRANCH(m, k);
        const sb_real taken = d->tau[b] * d->slip[b];
        const sb_real stored = m->source_energy[k] >= 0 ? sb_signal_rate(m, d, m->source_energy[k], rate) : SB_R(0.0);
        d->power[SB_LEDGER_IN(m) + b] = is_passive(m, k) ? SB_R(0.0) : -taken;
        d->power[SB_LEDGER_LOSS(m) + b] = is_passive(m, k) ? taken - stored : SB_R(0.0);
        d->power[SB_LEDGER_STORE(m) + b] = stored;
    }
}
