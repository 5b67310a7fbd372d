#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

/* Signals in a fixed step: they are looked at in its middle, prescribed speeds at its end too. Breaks and branches up
 * to the middle count as passed at the start. Prescribed speeds that jump there begin the step with their new values,
 * which may be an impact of what they drive; those that kink do not jump. */

/* Breaks that are passed one by one in a step. */
enum { MOST_BREAKS = 8 };

/* What has been crossed. */
typedef enum crossed { NOTHING, KINKS, JUMPS } crossed;

/* Event functions of signals that have become negative, in d->fired; what they are. */
static crossed find_fired(const sb_model *m, sb_data *d)
{
    double *guard = d->event_value;
    crossed found = NOTHING;
    sb_signal_events(m, d, guard);
    for (int i = 0; i < m->n_signal_guard; ++i) {
        d->fired[i] = guard[i] < 0.0;
        found = d->fired[i] ? KINKS : found;
    }
    if (found == NOTHING) {
        return NOTHING;
    }
    sb_signal_bands(m, d, d->x, d->rate, d->event_band, d->kink);
    for (int i = 0; i < m->n_signal_guard; ++i) {
        found = d->fired[i] && d->kink[i] == SB_JUMP ? JUMPS : found;
    }
    return found;
}

/* Signals that jump stay on the branches that they had. */
static void take_back_jumps(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int i = 0; i < m->n_signal; ++i) {
        for (int g = 0; g < sb_signal_operation(m, i)->n_guard; ++g) {
            const int jumps = d->kink[m->signal_guard[i] + g] == SB_JUMP;
            d->signal_branch[i] = jumps ? f->branch_kept[i] : d->signal_branch[i];
        }
    }
}

/* Branches of signals that the unknowns do not fit any more at time t, at which they were looked at; with `kinks` only
 * of those that do not jump. Returns what has been crossed; the slips on the board are those before. */
static crossed follow_branches(const sb_model *m, sb_data *d, sb_fixed *f, double t, int kinks)
{
    const crossed found = find_fired(m, d);
    if (found != NOTHING) {
        memcpy(f->branch_kept, d->signal_branch, (size_t)m->n_signal * sizeof *d->signal_branch);
        sb_signal_cross(m, d, t, d->x, d->fired);
        if (kinks && found == JUMPS) {
            take_back_jumps(m, d, f);
        }
        memset(d->fired, 0, (size_t)m->n_signal_guard * sizeof *d->fired);
    }
    return found;
}

/* Signals at a time, and what the forces of the free motion come from. */
static void evaluate_signals(const sb_model *m, sb_data *d, const sb_fixed *f, double t, int order)
{
    if (!f->plain) {
        sb_evaluate_slips(m, d, t, d->x, order);
    } else if (d->n_active) {
        sb_signals_value(m, d, t, d->x);
    }
}

/* Prescribed speeds on the board that are others than `before` it at the same instant have jumped: the step begins with
 * as much more. Returns whether one has. */
static int jump_motions(const sb_model *m, const sb_data *d, sb_fixed *f, const double *before)
{
    int any = 0;
    for (int p = 0; p < m->n_wp; ++p) {
        const int k = m->wp_motion[p];
        const double jump = d->motion_w[k] - before[k];
        if (fabs(jump) > SB_SOLVED * (fabs(d->motion_w[k]) + fabs(before[k]))) {
            f->slip_start[m->wp_row[p]] += m->wp_val[p] * jump;
            any = 1;
        }
    }
    for (int k = 0; k < m->n_motion; ++k) {
        const double jump = d->motion_w[k] - before[k];
        f->motion_begin[k] += fabs(jump) > SB_SOLVED * (fabs(d->motion_w[k]) + fabs(before[k])) ? jump : 0.0;
    }
    return any;
}

/* Inputs that were set since the last step, and breaks of signals up to its middle; `jumped`: prescribed speeds with
 * them. */
sb_status sb_step_breaks(const sb_model *m, sb_data *d, sb_fixed *f, double t_mid, int *jumped)
{
    double *before = f->motion_end;
    if (f->stale) {
        sb_begin_segment(m, d, d->t, d->x);
        *jumped |= jump_motions(m, d, f, f->motion_start);
        SB_TRY(sb_signals_remember(m, d, d->t, d->x, d->rate, SB_AFTER_EVENT));
        f->stale = 0;
    }
    for (int i = 0; i < MOST_BREAKS && d->t_break <= t_mid; ++i) {
        const double at = d->t_break;
        SB_TRY(sb_signals_remember(m, d, at, d->x, d->rate, SB_BEFORE_EVENT));
        if (m->n_motion > 0) {
            sb_evaluate_slips(m, d, at, d->x, 0);
            sb_copy(before, d->motion_w, m->n_motion);
        }
        sb_begin_segment(m, d, at, d->x);
        *jumped |= jump_motions(m, d, f, before);
        SB_TRY(sb_signals_remember(m, d, at, d->x, d->rate, SB_AFTER_EVENT));
    }
    return SB_OK;
}

/* Branches at the middle of the step, along which prescribed speeds may jump. */
static int pass_branches(const sb_model *m, sb_data *d, sb_fixed *f, double t_mid)
{
    double *before = f->motion_end;
    sb_evaluate_slips(m, d, t_mid, d->x, 0);
    sb_copy(before, d->motion_w, m->n_motion);
    if (follow_branches(m, d, f, t_mid, 0) != JUMPS) {
        return 0;
    }
    sb_evaluate_slips(m, d, t_mid, d->x, 0);
    return jump_motions(m, d, f, before);
}

/* The board at the end of the step with the present unknowns; signals that kink up to there are behind the kink. */
void sb_step_signals_end(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const double t_end = d->t + f->h;
    sb_evaluate_slips(m, d, t_end, d->x, 0);
    if (m->n_signal_guard > 0) {
        if (follow_branches(m, d, f, t_end, 1) != NOTHING) {
            sb_evaluate_slips(m, d, t_end, d->x, 0);
        }
    }
}

static void predict_motions(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_step_signals_end(m, d, f);
    sb_copy(f->slip0_end, d->slip0, SB_N_BRANCH(m));
    sb_copy(f->motion_end, d->motion_w, m->n_motion);
}

/* Laws that prescribed speeds have thrown. */
static void update_laws_after_jump(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    sb_friction_after_impulse(m, d, d->x, d->slip_before, f->slip_start);
    if (f->opt.ledger) {
        sb_energy(m, d, d->t, d->x, d->energy_now); // what the laws have lost is booked
    }
}

/* Signals for this step; what is prescribed also at its end. */
sb_status sb_step_signals(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int order = f->varies ? 1 : 0;
    const int slow = f->opt.hold_signals;
    const double t_mid = slow ? sb_fixed_time(f) + 0.5 * f->opt.h : d->t + 0.5 * f->h;
    int jumped = 0;
    sb_copy(d->slip_before, f->slip_start, m->n_motion > 0 ? SB_N_BRANCH(m) : 0);
    SB_TRY(sb_step_breaks(m, d, f, t_mid, &jumped));
    if (m->n_motion > 0 && m->n_signal_guard > 0) {
        jumped |= pass_branches(m, d, f, t_mid);
    }
    if (jumped && m->n_law_guard > 0) {
        update_laws_after_jump(m, d, f);
    }
    if (f->stops || (jumped && m->n_unlimited > 0)) {
        sb_step_impacts(m, d, f, jumped);
    }
    if (m->n_motion > 0) {
        predict_motions(m, d, f);
    }
    if (!(slow && f->inner > 0) || m->n_motion > 0 || f->stops) {
        evaluate_signals(m, d, f, t_mid, order);
        if (m->n_signal_guard > 0 && follow_branches(m, d, f, t_mid, 0) != NOTHING && m->n_motion > 0) {
            evaluate_signals(m, d, f, t_mid, order);
        }
    } else { // signals of time stay, those of the machine go on
        const int active = d->n_active;
        d->n_active = 0;
        evaluate_signals(m, d, f, t_mid, 0);
        d->n_active = active;
        sb_signals_follow(m, d, t_mid, d->x, order);
    }
    return SB_OK;
}
