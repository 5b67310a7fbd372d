#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

/* The resolvent step. Signals are looked at in the middle of the step; all speeds move without friction; then every
 * friction element answers which slip and torque fulfil its law at the end of the step, and all of them agree. Torques
 * are means over the step. Nothing is searched for: modes change from one step to the next. */

/* Jumps of the discrete states of a law in one step. */
enum { MOST_JUMPS = 4 };

/* Bristles whose load has begun or ended. */
static void open_and_close(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    int any = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        if (m->fr_open[k] >= 0) {
            const double load = sb_max(d->jet[SB_JET * m->fr_load[k]], d->jet[SB_JET * m->fr_back[k]]);
            const int changes = d->open[k] ? load > 0.0 : load <= 0.0;
            d->fired[SB_OPEN_EVENT(m) + m->fr_open[k]] = changes;
            any |= changes;
        }
    }
    if (any) {
        for (int k = 0; k < m->n_friction; ++k) { // bent by the slip of the start
            d->slip[SB_FRICTION_BRANCH(m, k)] = f->el_start[k];
        }
        sb_friction_open(m, d, d->x, d->fired);
        for (int k = 0; k < m->n_friction; ++k) { // prescribed speeds have moved on since
            const int b = SB_FRICTION_BRANCH(m, k);
            d->slip[b] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x, d->slip0[b]);
        }
    }
    for (int i = 0; i < m->n_open; ++i) {
        d->fired[SB_OPEN_EVENT(m) + i] = 0;
    }
}

/* What the torques of elements change that share an island. */
static void apply_island_torques(const sb_model *m, sb_fixed *f, int island)
{
    const int end = f->plain ? f->row_speeds[island] : f->row_ptr[island + 1];
    for (int j = f->island_ptr[island]; j < f->island_ptr[island + 1]; ++j) {
        const double tau = f->el_tau[f->island_el[j]];
        const double *restrict answer = sb_step_answer(m, f, f->island_el[j]);
        double *restrict change = f->change;
        for (int i = f->row_ptr[island]; i < end && tau != 0.0; ++i) {
            change[f->row[i]] -= answer[f->row[i]] * tau;
        }
    }
}

/* What the torques of the friction elements change; of a plain machine the speeds alone. */
static void apply_torques(const sb_model *m, sb_fixed *f)
{
    const int n = f->sparse ? 0 : f->plain ? m->n_v : SB_N_Y(m);
    const int *restrict el = f->own_el;
    const double *restrict answer = f->own_push;
    const double *restrict tau = f->el_tau;
    double *restrict change = f->change;
    for (int i = 0; i < n; ++i) {
        change[i] -= answer[i] * tau[el[i]];
    }
    for (int i = 0; i < f->n_shared; ++i) {
        apply_island_torques(m, f, f->shared[i]);
    }
}

/* Unknowns and slips of friction elements at the end of the step. */
static void update_unknowns(const sb_model *m, sb_data *d, sb_fixed *f)
{
    apply_torques(m, f);
    if (f->plain) {
        sb_propagate_positions(m, d, f);
    }
    const double *restrict change = f->change;
    double *restrict x = d->x;
    for (int i = 0; i < SB_N_Y(m); ++i) {
        x[i] += change[i];
    }
    const double *slip0 = m->n_motion > 0 ? f->slip0_end : d->slip0;
    const int first = SB_FRICTION_BRANCH(m, 0);
    sb_slices_multiply(&f->slips, d->x, slip0 + first, d->slip + first);
    sb_copy(d->tau + first, f->el_tau, m->n_friction);
}

/* Torques as they have acted: springs at mid-step, dampers at the end. */
static void show_torques(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const double way = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, f->change, 0.0);
        const double turn = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, f->change, 0.0);
        d->tau[k] += 0.5 * m->spring_c[k] * way + f->spring_late[k] * turn;
    }
    for (int k = 0; k < m->n_source && f->varies; ++k) {
        const int s = m->source_signal[k];
        const double *grad = d->local + m->signal_local + m->grad_ptr[s];
        double more = 0.0;
        for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
            const int col = m->grad_col[p];
            const double given = f->local_share[m->signal_local + p];
            const int position = col >= m->n_v && col < m->n_v + m->n_q;
            const double share = given > 0.0 ? given : position ? 0.5 : 1.0;
            more += grad[p - m->grad_ptr[s]] * share * f->change[col];
        }
        d->tau[SB_SOURCE_BRANCH(m, k)] -= more;
    }
}

void sb_step_show(const sb_model *m, sb_data *d, sb_fixed *f)
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
        sb_propagated_torques(m, d, f);
    }
    show_torques(m, d, f);
    const double *slip0 = m->n_motion > 0 ? f->slip0_end : d->slip0;
    for (int k = 0; k < SB_N_BRANCH(m) - m->n_friction; ++k) {
        d->slip[k] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, d->x, slip0[k]);
    }
}

void sb_step_carry(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int p = 0; p < m->n_bp; ++p) {
        d->body_a0[m->bp_row[p]] = 0.0;
    }
    for (int p = 0; p < m->n_bp; ++p) {
        d->body_a0[m->bp_row[p]] += m->bp_val[p] * f->motion_gain[m->bp_motion[p]] / f->h;
    }
}

/* One that has broken away slides, unless it blocks one way and is back where it does. */
static int mode_of(const sb_fixed *f, int k)
{
    const int facts = f->el_facts[k];
    if (f->el_kind[k] == SB_EL_IDLE) {
        return SB_FREE;
    }
    if (f->el_kind[k] == SB_EL_GIVEN || f->el_side[k] == 0) {
        return f->el_side[k];
    }
    const int slides = f->el_slip[k] != f->el_target[k] || (f->el_released[k] && !(facts & SB_FACT_BLOCKS));
    return !slides ? SB_STUCK : (facts & SB_FACT_STOPS) ? SB_FREE : f->el_side[k];
}

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

static void set_modes(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int i = 0; i < m->n_lock; ++i) {
        const int k = m->lock_friction[i];
        const int mode = mode_of(f, k);
        if (f->el_facts[k] & SB_FACT_HYBRID) {
            d->phase[i] = phase_of(m, d, f, i, mode);
        }
        f->stats.mode_changes += mode != d->mode[i];
        d->mode_old[i] = d->mode[i];
        d->mode[i] = mode;
    }
}

/* States of a locking law: as they begin in a new mode, else by the implicit Euler rule with its speed. */
static void advance_lock_states(const sb_model *m, sb_data *d, const sb_fixed *f, int k)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    double b[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const int lock = m->fr_lock[k];
    double *z = d->x + m->n_v + m->n_q + m->fr_state[k];
    if (d->mode[lock] != d->mode_old[lock]) {
        sb_change_states(m, d, k, d->mode_old[lock], d->mode[lock], f->el_slip[k], d->x);
    } else if (d->mode[lock] != SB_FREE) {
        const double speed = d->mode[lock] == SB_STUCK ? 0.0 : fabs(f->el_slip[k]);
        law->flow_jac(law, sb_param_of(m, f, k), speed, z, out, jac);
        sb_newton_of_states(law->n_state, f->h, z, z, out, jac, b);
        for (int i = 0; i < law->n_state; ++i) {
            z[i] += b[2 * i];
        }
    }
}

/* Discrete states: guards at the end of the step, with the torque that would keep the slip acceleration 0. */
static void jump(const sb_model *m, sb_data *d, const sb_fixed *f, int k)
{
    double guard[SB_LAW_MAX];
    double z_new[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const double *param = sb_param_of(m, f, k);
    double *z = d->x + m->n_v + m->n_q + m->fr_state[k];
    const int lock = m->fr_lock[k];
    const int direction = lock < 0 ? 1 : d->mode[lock] == SB_FREE ? 0 : d->mode[lock];
    if (direction == 0 || f->el_kind[k] == SB_EL_IDLE) {
        return;
    }
    const double hold = sb_friction_to_hold(f, k, direction, (lock < 0 ? f->el_side[k] : direction) < 0);
    for (int round = 0; round < MOST_JUMPS; ++round) {
        int which = -1;
        law->guard(law, param, direction * f->el_slip[k], z, hold, guard);
        for (int i = law->n_guard - 1; i >= 0; --i) {
            which = guard[i] < 0.0 ? i : which;
        }
        if (which < 0) {
            return;
        }
        law->jump(law, param, direction * f->el_slip[k], z, hold, which, z_new);
        sb_copy(z, z_new, law->n_state);
    }
}

/* States of the laws at the end of the step. */
static void set_states(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *law = sb_law_of(m, k);
        if (!(f->el_facts[k] & SB_FACT_CHANGES)) {
            continue;
        }
        if (law->n_state > 0) {
            if (m->fr_lock[k] >= 0) {
                advance_lock_states(m, d, f, k);
            } else if (f->el_kind[k] != SB_EL_IDLE) {
                sb_resolvent_states(m, f, k, d->x + m->n_v + m->n_q + m->fr_state[k]);
            }
        }
        if (law->n_guard > 0 && !law->advance) {
            jump(m, d, f, k);
        }
        if (m->fr_side[k] >= 0 && f->el_side[k] != 0) {
            d->side[k] = f->el_side[k];
        }
    }
}

void sb_resolvent_start(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_motion_start(m, d, f);
    sb_copy(f->el_param, d->param, m->n_fr_param);
    sb_resolvent_start_laws(m, d, f);
    sb_copy(f->slip_start, d->slip, SB_N_BRANCH(m));
    sb_copy(f->motion_start, d->motion_w, m->n_motion);
    sb_copy(f->motion_begin, d->motion_w, m->n_motion);
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_tau[k] = d->tau[SB_FRICTION_BRANCH(m, k)];
        f->el_before[k] = d->slip[SB_FRICTION_BRANCH(m, k)];
        const int back = m->fr_side[k] >= 0 && d->side[k] == SB_BACKWARD;
        f->load_end[k] = sb_max(d->jet[SB_JET * (back ? m->fr_back[k] : m->fr_load[k])], 0.0);
    }
    for (int i = 0; i < m->n_vary; ++i) {
        f->vary_end[i] = d->param[m->vary_param[i]];
    }
    sb_motion_factors(m, d, f);
    f->stops = 0;
    for (int lock = 0; lock < m->n_lock; ++lock) {
        f->stops += m->lock_gap[lock] >= 0 && m->lock_free[lock];
    }
    for (int i = 0; i < SB_N_X(m); ++i) {
        f->change[i] = 0.0;
    }
}

sb_status sb_resolvent_step(const sb_model *m, sb_data *d, sb_fixed *f)
{
    SB_TRY(sb_step_signals(m, d, f));
    if (m->n_open > 0) {
        open_and_close(m, d, f);
    }
    memcpy(f->x_start, d->x, (size_t)SB_N_X(m) * sizeof *d->x);
    SB_TRY(sb_motion_free(m, d, f));
    sb_resolvent_prepare(m, d, f);
    sb_couple(m, d, f);
    update_unknowns(m, d, f);
    set_modes(m, d, f);
    set_states(m, d, f);
    f->hidden = 1;
    const int kinks = m->n_motion > 0 && m->n_signal_guard > 0;
    if (f->opt.ledger || m->n_delay > 0 || m->n_heat > 0 || kinks) {
        sb_step_show(m, d, f);
    }
    if (kinks) { // what is prescribed has the branches that it was foreseen to have
        sb_step_signals_end(m, d, f);
    }
    if (m->n_heat > 0) {
        sb_step_heat(m, d, f);
    }
    if (f->opt.ledger) {
        sb_step_energy(m, d, f);
    }
    for (int k = 0; k < m->n_motion; ++k) {
        f->motion_gain[k] = f->motion_end[k] - f->motion_start[k];
        f->motion_start[k] = f->motion_begin[k] = f->motion_end[k];
    }
    const int first = f->opt.ledger ? 0 : SB_N_BRANCH(m) - m->n_friction;
    sb_copy(f->slip_start + first, d->slip + first, SB_N_BRANCH(m) - first);
    return sb_signals_remember(m, d, d->t + f->h, d->x, d->rate, SB_WITHIN);
}
