#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* The end of a step: unknowns, modes and states with the torques that were found, and what the board shows of them. */

/* What the torques of elements change that share an island. */
static void apply_island_torques(const sb_model *m, sb_fixed *f, int island)
{
    const int end = f->plain ? f->row_speeds[island] : f->row_ptr[island + 1];
    for (int j = f->island_ptr[island]; j < f->island_ptr[island + 1]; ++j) {
        const sb_real tau = f->el_tau[f->island_el[j]];
        const sb_flag acts = tau != 0.0;
        const sb_real *restrict answer = sb_step_answer(m, f, f->island_el[j]);
        sb_real *restrict change = f->change;
        for (int i = f->row_ptr[island]; i < end && sb_any(acts); ++i) {
            const sb_real less = change[f->row[i]] - answer[f->row[i]] * tau;
            change[f->row[i]] = sb_pick(acts, less, change[f->row[i]]);
        }
    }
}

/* The unknowns, with the torques of elements that are alone. */
static void move_unknowns(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int n = SB_N_Y(m);
    const int n_alone = f->sparse ? 0 : n;
    const int *restrict el = f->own_el;
    const sb_real *restrict answer = f->own_push;
    const sb_real *restrict tau = f->el_tau;
    sb_real *restrict change = f->change;
    sb_real *restrict x = d->x;
    for (int i = 0; i < n_alone; ++i) {
        change[i] -= answer[i] * tau[el[i]];
    }
    for (int i = 0; i < n; ++i) {
        x[i] += change[i];
    }
}

SB_HOT void sb_step_unknowns(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int i = 0; i < f->n_shared; ++i) {
        apply_island_torques(m, f, f->shared[i]);
    }
    if (f->plain) {
        sb_propagate_unknowns(m, d, f);
    } else {
        move_unknowns(m, d, f);
    }
    const sb_real *slip0 = m->n_motion > 0 ? f->slip0_end : d->slip0;
    const int first = SB_FRICTION_BRANCH(m, 0);
    sb_slices_multiply(&f->slips, d->x, slip0 + first, d->slip + first);
}

/* One that has broken away slides, unless it blocks one way and is back where it does. */
static sb_count mode_of(const sb_fixed *f, int k)
{
    const int facts = f->el_facts[k];
    const sb_count side = f->el_side[k];
    const sb_flag idle = f->el_kind[k] == SB_EL_IDLE;
    if (facts & SB_FACT_GIVEN) {
        return sb_pick_count(idle, SB_FREE, side);
    }
    const sb_flag moved = f->el_slip[k] != f->el_target[k];
    const sb_flag slides = facts & SB_FACT_BLOCKS ? moved : sb_or(moved, f->el_released[k]);
    const sb_count sliding = facts & SB_FACT_STOPS ? SB_COUNT(SB_FREE) : side;
    return sb_pick_count(idle, SB_FREE, sb_pick_count(sb_and(slides, side != 0), sliding, SB_STUCK));
}

#if SB_LANES == 1

/* A hybrid contact that has broken away is fresh until it has been fast, as in the adaptive solver. */
static int phase_of(const sb_model *m, const sb_data *d, const sb_fixed *f, int lock, int mode)
{
    const int moves = mode == SB_FORWARD || mode == SB_BACKWARD;
    const int k = m->lock_friction[lock];
    const double forward = mode * f->el_slip[k];
    if (!moves || fabs(forward) > f->el_fast[k]) {
        return SB_PLAIN;
    }
    return d->mode[lock] == SB_STUCK ? (forward < 0.0 ? SB_FRESH_AGAINST : SB_FRESH_ALONG) : d->phase[lock];
}

#endif

SB_HOT void sb_step_modes(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int i = 0; i < m->n_lock; ++i) {
        const int k = m->lock_friction[i];
        const sb_count mode = mode_of(f, k);
#if SB_LANES == 1
        if (f->el_facts[k] & SB_FACT_HYBRID) {
            d->phase[i] = phase_of(m, d, f, i, mode);
        }
        f->stats.mode_changes += mode != d->mode[i];
#endif
        d->mode_old[i] = d->mode[i];
        d->mode[i] = mode;
    }
}

SB_HOT void sb_step_states(const sb_model *m, sb_data *d, const sb_fixed *f, int k)
{
    const sb_flag acts = f->el_kind[k] != SB_EL_IDLE;
    if (sb_law_of(m, k)->n_state > 0 && sb_any(acts)) {
        sb_resolvent_states(m, f, k, acts, d->x + m->n_v + m->n_q + m->fr_state[k]);
    }
}

SB_HOT void sb_step_side(const sb_model *m, sb_data *d, const sb_fixed *f, int k)
{
    if (m->fr_side[k] >= 0) {
        d->side[k] = sb_pick_count(f->el_side[k] != 0, f->el_side[k], d->side[k]);
    }
}

/* Torques as they have acted: springs at mid-step, dampers at the end. */
static void show_torques(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const sb_real way = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, f->change, SB_R(0.0));
        const sb_real turn = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, f->change, SB_R(0.0));
        d->tau[k] += 0.5 * m->spring_c[k] * way + f->spring_late[k] * turn;
    }
    for (int k = 0; k < m->n_source && f->varies; ++k) {
        const int s = m->source_signal[k];
        const sb_real *grad = d->local + m->signal_local + m->grad_ptr[s];
        sb_real more = SB_R(0.0);
        for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
            const int col = m->grad_col[p];
            const sb_real given = f->local_share[m->signal_local + p];
            const int position = col >= m->n_v && col < m->n_v + m->n_q;
            const sb_real share = sb_pick(given > 0.0, given, SB_R(position ? 0.5 : 1.0));
            more += grad[p - m->grad_ptr[s]] * share * f->change[col];
        }
        d->tau[SB_SOURCE_BRANCH(m, k)] -= more;
    }
}

SB_HOT void sb_step_show(const sb_model *m, sb_data *d, sb_fixed *f)
{
    if (!f->hidden) {
        return;
    }
    f->hidden = 0;
    const double rate = 1.0 / f->h;
    for (int i = 0; i < SB_N_Y(m); ++i) {
        d->rate[i] = rate * f->change[i];
    }
    if (f->plain) {
        sb_propagated_from(m, d, f, f->x_start, 1.0);
    }
    show_torques(m, d, f);
    const sb_real *slip0 = m->n_motion > 0 ? f->slip0_end : d->slip0;
    for (int k = 0; k < SB_N_BRANCH(m) - m->n_friction; ++k) {
        d->slip[k] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, d->x, slip0[k]);
    }
}

SB_HOT void sb_step_carry(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int p = 0; p < m->n_bp; ++p) {
        d->body_a0[m->bp_row[p]] = SB_R(0.0);
    }
    for (int p = 0; p < m->n_bp; ++p) {
        d->body_a0[m->bp_row[p]] += m->bp_val[p] * f->motion_gain[m->bp_motion[p]] / f->h;
    }
}
