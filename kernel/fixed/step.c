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
        if (law->n_state > 0 && m->fr_lock[k] >= 0) {
            advance_lock_states(m, d, f, k);
        } else {
            sb_step_states(m, d, f, k);
        }
        if (law->n_guard > 0 && !law->advance) {
            jump(m, d, f, k);
        }
        sb_step_side(m, d, f, k);
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
    SB_TRY(sb_lu_status(sb_motion_free(m, d, f)));
    sb_resolvent_prepare(m, d, f);
    sb_couple(m, d, f);
    sb_step_unknowns(m, d, f);
    sb_copy(d->tau + SB_FRICTION_BRANCH(m, 0), f->el_tau, m->n_friction);
    sb_step_modes(m, d, f);
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
