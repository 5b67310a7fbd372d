#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* Impacts. Stops that are met within the step, and free-wheels whose slip has jumped the wrong way, change the speeds
 * by the impulses of the adaptive solver (impulse.c), so both solvers have the same rebound. When a stop is met follows
 * from its gap, its approach s and the acceleration a of the last step,
 *
 *     gap - s t - a t^2/2 = 0        0 <= t <= h, or before 0 where no acceleration has indicated it
 *
 * and the impulse takes the speeds of that instant, v + a t. The rest of the step goes on from speeds v + dv and from
 * positions q - t G dv: what the step makes of them is where the machine is at its end, to second order, without a step
 * of another size. Impacts of one step follow each other in time. */

enum { MOST_IMPACTS = 8 };

static int is_stop(const sb_model *m, int lock)
{
    return m->lock_gap[lock] >= 0 && m->lock_free[lock];
}

/* Time from `now` on after which a stop is met, or INFINITY; `back`: as much before, where it has been passed already.
 */
static double time_to_meet(const sb_model *m, const sb_data *d, const sb_fixed *f, int lock, double now, double back)
{
    const int k = m->lock_friction[lock];
    const double slip = f->slip_start[SB_FRICTION_BRANCH(m, k)];
    const double accel = m->lock_unlimited[lock] * (slip - f->el_before[k]) / f->h;
    const double approach = m->lock_unlimited[lock] * slip + accel * now;
    const double gap = d->jet[SB_JET * m->lock_gap[lock]] - now * (approach - 0.5 * accel * now);
    const double square = approach * approach + 2.0 * accel * gap;
    if (gap <= 0.0 && approach > 0.0) {
        return sb_max(gap / approach, -back);
    }
    if (square <= 0.0) {
        return INFINITY;
    }
    const double root = sqrt(square); // the approach when it is met
    if (gap > 0.0) {
        return approach + root > 0.0 ? 2.0 * gap / (approach + root) : INFINITY;
    }
    return accel > 0.0 ? (root - approach) / accel : INFINITY; // it comes back
}

/* The next impact after `now`, whose stops are in d->fired; or INFINITY. */
static double next_impact(const sb_model *m, sb_data *d, const sb_fixed *f, double now, double back)
{
    double first = INFINITY;
    for (int round = 0; round < 2; ++round) {
        for (int lock = 0; lock < m->n_lock; ++lock) {
            if (is_stop(m, lock) && d->mode[lock] != SB_STUCK) {
                const double wait = time_to_meet(m, d, f, lock, now, back);
                d->fired[2 * lock] = round > 0 && wait <= first + SB_AT_BREAK * f->h;
                first = round == 0 ? sb_min(first, wait) : first;
            }
        }
        if (now + first > f->h) {
            return INFINITY;
        }
    }
    return now + first;
}

/* Unknowns after a time, with the accelerations of the last step. */
static void extrapolate_unknowns(const sb_model *m, const sb_data *d, const sb_fixed *f, double time, double *x)
{
    sb_copy(x, d->x, SB_N_X(m));
    for (int i = 0; i < m->n_v; ++i) {
        x[i] += 0.5 * time * f->change[i] / f->h;
    }
    for (int i = 0; i < m->n_q; ++i) {
        x[m->n_v + i] += time * sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, x, d->rate0[i]);
    }
    for (int i = 0; i < m->n_v; ++i) {
        x[i] += 0.5 * time * f->change[i] / f->h;
    }
}

/* The mode of a contact behind an impulse: what is thrown slides, or leaves its stop. */
static int mode_behind(const sb_model *m, const sb_data *d, int lock, double slip)
{
    const int blocks = m->lock_unlimited[lock];
    const int rests = fabs(slip) <= sb_least_slip(m, lock);
    if (is_stop(m, lock)) {
        const int touched = d->fired[2 * lock] || d->mode[lock] == SB_STUCK;
        return touched && blocks * slip >= -sb_least_slip(m, lock) ? SB_STUCK : SB_FREE;
    }
    if (d->mode[lock] == SB_FREE || (rests && !blocks)) {
        return d->mode[lock];
    }
    const double held = d->mode[lock] == SB_STUCK ? sb_manner_of(m, d, lock).window + sb_jumped_slip(m, lock) : 0.0;
    return rests || (!blocks && fabs(slip) <= held) ? SB_STUCK : sb_sign_of(slip);
}

static void set_modes_behind(const sb_model *m, sb_data *d, sb_fixed *f, const double *gain)
{
    for (int lock = 0; lock < m->n_lock; ++lock) {
        const int k = m->lock_friction[lock];
        const int b = SB_FRICTION_BRANCH(m, k);
        const double jump = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, gain, 0.0);
        const int thrown = d->fired[2 * lock] || fabs(jump) > sb_least_slip(m, lock);
        const int mode = thrown && m->lock_loss[lock] < 0 ? mode_behind(m, d, lock, f->slip_start[b]) : d->mode[lock];
        sb_change_states(m, d, k, d->mode[lock], mode, f->slip_start[b], d->x);
        f->stats.mode_changes += mode != d->mode[lock];
        d->mode[lock] = mode;
    }
}

/* Impulses that cannot be found (gears that lock themselves in a circle, contacts that block each other): stops that
 * are met hold from now on, and the step takes the speeds away without a rebound. */
static void leave_to_step(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int lock = 0; lock < m->n_lock; ++lock) {
        d->mode[lock] = d->fired[2 * lock] ? SB_STUCK : d->mode[lock];
    }
    for (int l = 0; l < m->n_loss; ++l) {
        d->locked[m->loss_lock[l]] = d->lean[l] = 0;
    }
    sb_copy(d->ledger, f->ledger_kept, SB_N_LEDGER(m));
    d->culprit = (sb_culprit){SB_NOTHING, 0};
    ++f->stats.impacts;
    ++f->stats.unsolved;
}

/* The impulses after a time of the step, and the start of the step that leads to what is behind them. */
static void pass_impact(const sb_model *m, sb_data *d, sb_fixed *f, double time)
{
    double *x = f->x_start;
    double *gain = f->x_impact;
    extrapolate_unknowns(m, d, f, time, x);
    for (int i = 0; i < m->n_v; ++i) {
        gain[i] = -x[i];
    }
    sb_copy(f->ledger_kept, d->ledger, SB_N_LEDGER(m));
    if (sb_impulses(m, d, sb_max(d->t, d->t + time), x) != SB_OK) {
        leave_to_step(m, d, f);
        return;
    }
    for (int i = 0; i < m->n_v; ++i) {
        gain[i] += x[i];
        d->x[i] += gain[i];
    }
    for (int i = 0; i < m->n_q; ++i) {
        d->x[m->n_v + i] -= time * sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, gain, 0.0);
    }
    sb_copy(d->x + m->n_v + m->n_q, x + m->n_v + m->n_q, m->n_z); // heat of the impact, laws that it has turned round
    for (int b = 0; b < SB_N_BRANCH(m); ++b) {
        const double jump = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, gain, 0.0);
        f->slip_start[b] += jump;
        if (b >= SB_FRICTION_BRANCH(m, 0)) {
            f->el_before[b - SB_FRICTION_BRANCH(m, 0)] += jump; // no acceleration
        }
    }
    set_modes_behind(m, d, f, gain);
    ++f->stats.impacts;
}

static void clear_fired(const sb_model *m, sb_data *d)
{
    for (int lock = 0; lock < m->n_lock; ++lock) {
        d->fired[2 * lock] = 0;
    }
}

/* Whether something that blocks is driven the wrong way: a speed that is prescribed has jumped. */
static int is_driven_back(const sb_model *m, const sb_data *d, const sb_fixed *f)
{
    int any = 0;
    for (int lock = 0; lock < m->n_lock; ++lock) {
        const int closed = !is_stop(m, lock) || d->mode[lock] == SB_STUCK;
        const double approach = m->lock_unlimited[lock] * f->slip_start[sb_lock_branch(m, lock)];
        any |= closed && m->lock_free[lock] && approach > sb_least_slip(m, lock);
    }
    return any;
}

/* Energies from the shifted positions on: what the shift has changed is an error of the step. */
static void restart_ledger(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    if (f->opt.ledger) {
        sb_energy(m, d, d->t, d->x, d->energy_now);
    }
    sb_evaluate_slips(m, d, d->t, d->x, 0);
}

void sb_step_impacts(const sb_model *m, sb_data *d, sb_fixed *f, int jumped)
{
    const int64_t before = f->stats.impacts;
    if (jumped && is_driven_back(m, d, f)) {
        sb_evaluate_slips(m, d, d->t, d->x, 0);
        pass_impact(m, d, f, 0.0);
    }
    double now = 0.0;
    for (int i = 0; i < MOST_IMPACTS && f->stops; ++i) {
        sb_evaluate_slips(m, d, d->t, d->x, 0);
        now = next_impact(m, d, f, now, i == 0 ? f->h : 0.0);
        if (isinf(now)) {
            break;
        }
        pass_impact(m, d, f, now);
        clear_fired(m, d);
        now = sb_max(now, 0.0);
    }
    if (f->stats.impacts > before) {
        restart_ledger(m, d, f);
    }
}
