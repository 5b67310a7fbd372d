#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "stick/sb_stick.h"

/* Stuck contacts: their holding torques, and the slips that they keep or let decay. Slips that decay, and contacts that
 * share a motion, are met alone, not in lanes. */

#if SB_LANES == 1

/* A stuck contact of the hybrid law lets its slip decay with the rate p0. */
static double decay_of(const sb_model *m, const sb_data *d, int lock)
{
    return d->locked[lock] && m->lock_local[lock] > 0 ? sb_manner_of(m, d, lock).decay : 0.0;
}

/* Slip acceleration that it demands. */
static double decay_need(const sb_model *m, const sb_data *d, int lock)
{
    return decay_of(m, d, lock) * d->slip[sb_lock_branch(m, lock)];
}

static void demand_decay(const sb_model *m, const sb_data *d, double *multiplier)
{
    for (int k = 0; k < m->n_lock && d->n_decaying; ++k) {
        multiplier[k] -= decay_need(m, d, k);
    }
}

/* Holding torques alone: that of a contact whose slip decays without what makes it decay, while the others go on as
 * they do. So it is the same before and after it is caught or breaks away. */
static void find_holds(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        if (!d->shared || (decay_of(m, d, k) > 0.0 && d->group[k] < 0)) {
            const double compliance = d->compliance[m->lock_friction[k]];
            d->hold[k] = d->lambda[k] - (d->n_decaying && compliance > 0.0 ? decay_need(m, d, k) / compliance : 0.0);
        }
    }
}

/* Redundant locks get their share. */
static void share_holds(const sb_model *m, sb_data *d, double *rate)
{
    d->shared = 0;
    if (d->n_redundant) {
        sb_share_redundant(m, d, rate);
    }
    find_holds(m, d);
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->tau[sb_lock_branch(m, k)] = d->lambda[k];
    }
}

#else

static sb_real decay_of(const sb_model *m, const sb_data *d, int lock)
{
    (void)m;
    (void)d;
    (void)lock;
    return SB_R(0.0);
}

static void demand_decay(const sb_model *m, const sb_data *d, sb_real *multiplier)
{
    (void)m;
    (void)d;
    (void)multiplier;
}

static void share_holds(const sb_model *m, sb_data *d, sb_real *rate)
{
    (void)rate;
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        const sb_flag locked = d->locked[k] != 0;
        d->hold[k] = sb_pick(locked, d->lambda[k], d->hold[k]);
        d->tau[b] = sb_pick(locked, d->lambda[k], d->tau[b]);
    }
}

#endif

/* A locked contact keeps its slip, or lets it decay: W' v' = -(prescribed part of the slip acceleration) - p0 slip. */
SB_HOT void sb_lock_forces(const sb_model *m, sb_data *d, sb_real *force)
{
    sb_real *multiplier = force + SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        multiplier[k] = sb_where(d->locked[k] != 0, -d->slip_t[sb_lock_branch(m, k)]);
    }
    demand_decay(m, d, multiplier);
}

SB_HOT void sb_lock_partials(const sb_model *m, sb_data *d, const sb_real *x)
{
    (void)x;
    for (int k = 0; k < m->n_lock; ++k) {
        if (m->lock_local[k] > 0) {
            d->local[m->lock_local[k]] = -decay_of(m, d, k);
        }
    }
}

SB_HOT void sb_lock_jacobian(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        const sb_real decay = m->lock_local[k] > 0 ? d->local[m->lock_local[k]] * d->slip_t[b] : SB_R(0.0);
        d->force_t[SB_N_Y(m) + k] = sb_where(d->locked[k] != 0, decay - d->slip_tt[b]);
    }
}

/* Holding torques from the solved multipliers, onto the board. */
SB_HOT void sb_lock_solved(const sb_model *m, sb_data *d, sb_real *rate)
{
    const sb_real *multiplier = rate + SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        d->lambda[k] = sb_where(d->locked[k] != 0, multiplier[k]);
    }
    share_holds(m, d, rate);
}

/* Speeds with the slip that stuck contacts keep (0, but with Karnopp's law, and unless it decays): the smallest change
 * dv in the sense of M, that is M dv + W l = 0 and W' dv = kept - slip, which is Mass with another right-hand side. */
SB_HOT void sb_project_stuck(const sb_model *m, sb_data *d, sb_real t, sb_real *x)
{
    const int n = SB_N_X(m);
    if (m->n_motion > 0) {
        sb_evaluate_slips(m, d, t, x, 0); // the board may show another instant
    }
    sb_real largest = SB_R(0.0);
    for (int i = 0; i < n; ++i) {
        d->force[i] = SB_R(0.0);
    }
    for (int k = 0; k < m->n_lock; ++k) {
        const sb_flag keeps = sb_and(d->locked[k] != 0, d->phase[k] != SB_DECAYING);
        const sb_real slip = sb_lock_slip(m, k, x, d->slip0[sb_lock_branch(m, k)]) - d->slip_kept[k];
        d->force[SB_N_Y(m) + k] = sb_where(keeps, -slip);
        largest = sb_max(largest, sb_where(keeps, sb_abs(slip)));
    }
    if (sb_any(largest > 0.0)) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, d->rate, d->solve_tmp);
        for (int i = 0; i < m->n_v; ++i) {
            x[i] = sb_pick(largest > 0.0, x[i] + d->rate[i], x[i]);
        }
    }
}
