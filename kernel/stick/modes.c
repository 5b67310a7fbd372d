#include <math.h>
#include <string.h>

#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* True stick. Locked contacts keep slip 0 by holding torques, which follow from the network. At an event the torques of
 * all contacts that may stick are found together, see decide.c. */

/* Slips that stuck contacts keep, states of laws that stick or begin to slide. */
static void settle_contacts(const sb_model *m, sb_data *d, double *x)
{
    d->n_decaying = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int mode = d->mode[k];
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fresh = d->mode_old[k] != SB_STUCK || mode != SB_STUCK;
        const int karnopp = sb_manner_of(m, k).kind == SB_LOCK_KARNOPP;
        const int moved = fabs(slip - d->slip_kept[k]) > SB_JUMPED * sb_manner_of(m, k).window; // others took it along
        d->slip_kept[k] = !karnopp || mode != SB_STUCK ? 0.0 : fresh || moved ? slip : d->slip_kept[k];
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;
        d->decays[k] = mode == SB_STUCK && sb_is_hybrid(m, k) && sb_has_slip(m, d, k);

        const double *param;
        const sb_law *law = sb_lock_law(m, k, &param);
        if (law->steady && mode != d->mode_old[k]) {
            const double speed = mode == SB_STUCK ? 0.0 : fabs(slip);
            law->steady(param, speed, x + m->n_v + m->n_q + m->fr_state[m->lock_friction[k]]);
        }
    }
}

static sb_status update_locks(const sb_model *m, sb_data *d, double t, double *x)
{
    if (d->n_redundant) { // who shares a limit; the board may show another instant
        SB_TRY(sb_rates(m, d, t, x, d->rate));
    }
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    sb_release_fired(m, d);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_decaying = d->n_varying = 0;
    sb_forces(m, d, t, x, d->force);
    d->culprit = SB_NOBODY;
    int n = sb_find_candidates(m, d, x, d->candidate);
    if (d->culprit != SB_NOBODY) { // a prescribed slip in the direction that is blocked
        return SB_BLOCKED;
    }
    SB_TRY(sb_decide_modes(m, d, t, x, &n, d->candidate));
    SB_TRY(sb_lock_stuck(m, d));
    SB_TRY(sb_keep_sharing(m, d, n, d->candidate));
    for (int round = 0; round < m->n_loss && d->n_redundant; ++round) { // the split is another one than that of decide
        SB_TRY(sb_rates(m, d, t, x, d->rate));
        if (!sb_loss_yield(m, d)) {
            break;
        }
        SB_TRY(sb_lock_stuck(m, d));
    }
    SB_TRY(sb_loss_settle(m, d));
    SB_TRY(sb_loss_refresh(m, d));
    settle_contacts(m, d, x);
    sb_project_stuck(m, d, t, x);
    return SB_OK;
}

/* New branches of signals, bristles that open or close, sides of contacts: loads that jump bring energy with them. */
static void pass_events(const sb_model *m, sb_data *d, double t, double *x)
{
    const int n = SB_N_STORE(m);
    sb_energy(m, d, t, x, d->energy_now);
    sb_signal_cross(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m));
    sb_friction_open(m, d, x, d->fired);
    sb_friction_sides(m, d, x, d->fired);
    sb_energy(m, d, t, x, d->energy_tmp);
    for (int i = 0; i < n; ++i) {
        d->energy_jump[i] += d->energy_tmp[i] - d->energy_now[i];
    }
}

sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->corner_age = d->fired[i] ? 0 : d->corner_age;
    }
    for (int i = 0; i < m->n_shown; ++i) {
        d->shown_old[i] = (int)x[m->shown_state[i]];
    }
    if (m->n_law_guard > 0) {
        SB_TRY(sb_rates(m, d, t, x, d->rate)); // the board may show another instant of the step
        sb_friction_jump(m, d, x, d->fired);
    }
    if (m->n_signal_guard + m->n_side + m->n_open > 0) {
        pass_events(m, d, t, x);
    }
    if (m->n_unlimited > 0) {
        memset(d->bounced, 0, (size_t)m->n_lock * sizeof *d->bounced);
        SB_TRY(sb_impulses(m, d, t, x));
    }
    if (m->n_lock > 0) {
        SB_TRY(update_locks(m, d, t, x));
    }
    sb_find_compliances(m, d);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return SB_OK;
}

/* Diagonal of M, its place for every lock, and the size of A. */
static void scale_locks(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        const int unknown = m->lu_perm[i];
        if (unknown < m->n_v) {
            d->v_inertia[unknown] = d->mass[m->lu_diag[i]];
        } else if (unknown >= SB_N_Y(m)) {
            d->lock_slot[unknown - SB_N_Y(m)] = m->lu_diag[i];
        }
    }
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        d->lock_scale[k] = d->lock_reach[k] = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            d->lock_scale[k] += m->w_val[p] * m->w_val[p] / d->v_inertia[m->w_col[p]];
            d->lock_reach[k] += m->w_val[p] * m->w_val[p];
        }
        d->lock_reach[k] = sqrt(d->lock_reach[k]);
    }
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    memset(d->within, 0, (size_t)m->n_lock * sizeof *d->within);
    memset(d->fresh, 0, (size_t)m->n_lock * sizeof *d->fresh);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    scale_locks(m, d);
    for (int k = 0; k < m->n_lock; ++k) {
        d->group[k] = SB_NOBODY;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode[k] = SB_FREE;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        d->side[k] = SB_FORWARD;
    }
    sb_friction_open(m, d, x, NULL);
    sb_friction_sides(m, d, x, NULL);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    for (int k = 0; k < m->n_lock; ++k) {
        d->fired[2 * k] = m->lock_gap[k] >= 0 && d->jet[SB_JET * m->lock_gap[k]] <= 0.0; // a stop that is closed
    }
    sb_energy(m, d, t, x, d->energy_start); // before impulses
    return sb_update_modes(m, d, t, x);
}
