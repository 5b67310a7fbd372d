#include "network/sb_network.h"

/* Linear spring-damper between two flanges: tau = c (e - e0) + d e', where e is the displacement of b against a. */

SB_HOT void sb_spring_torque(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    (void)x;
    (void)force;
    for (int k = 0; k < m->n_spring; ++k) {
        d->tau[k] =
            m->spring_c[k] * (sb_fresh(d->disp + k) - m->spring_rel0[k]) + m->spring_d[k] * sb_fresh(d->slip + k);
    }
}

SB_HOT void sb_spring_partials(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    if (force) {
        sb_spring_torque(m, d, x, force);
    }
    for (int k = 0; k < m->n_spring; ++k) {
        sb_real *local = d->local + SB_SPRING_LOCAL(k);
        local[0] = m->spring_c[k];
        local[1] = m->spring_d[k];
        d->tau_t[k] = local[0] * d->disp_t[k] + local[1] * d->slip_t[k];
    }
}

SB_HOT void sb_spring_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    (void)x;
    (void)rate;
    for (int k = 0; k < m->n_spring; ++k) {
        const sb_real elastic = m->spring_c[k] * (d->disp[k] - m->spring_rel0[k]);
        d->power[SB_LEDGER_IN(m) + k] = SB_R(0.0);
        d->power[SB_LEDGER_LOSS(m) + k] = m->spring_d[k] * d->slip[k] * d->slip[k];
        d->power[SB_LEDGER_STORE(m) + k] = elastic * d->slip[k];
    }
}
