#include "sb_element.h"

/* Torque or force from a signal: it drives flange b, so it is the negative of a torque that opposes the slip. */

void sb_source_torque(const sb_model *m, sb_data *d, const double *x, double *force)
{
    (void)x;
    (void)force;
    for (int k = 0; k < m->n_source; ++k) {
        d->tau[SB_SOURCE_BRANCH(m, k)] = -d->jet[SB_JET * m->source_signal[k]];
    }
}

void sb_source_partials(const sb_model *m, sb_data *d, const double *x)
{
    (void)x;
    for (int k = 0; k < m->n_source; ++k) {
        d->tau_t[SB_SOURCE_BRANCH(m, k)] = -d->jet[SB_JET * m->source_signal[k] + 1];
    }
}

void sb_source_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    (void)x;
    (void)rate;
    for (int k = 0; k < m->n_source; ++k) {
        const int b = SB_SOURCE_BRANCH(m, k);
        d->power[SB_LEDGER_IN(m) + b] = -d->tau[b] * d->slip[b];
        d->power[SB_LEDGER_LOSS(m) + b] = 0.0;
        d->power[SB_LEDGER_STORE(m) + b] = 0.0;
    }
}

void sb_source_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    (void)d;
    (void)x;
    for (int k = 0; k < m->n_source; ++k) {
        energy[SB_SOURCE_BRANCH(m, k)] = 0.0;
    }
}
