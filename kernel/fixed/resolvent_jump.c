#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* Bristles whose discrete states jump within a step. At a jump friction may drop, or a spring begin; at the end of the
 * step that would come up to a whole step late. So the step of such an element is cut where its guard is 0, once all
 * elements agree, and they agree again. Up to the jump nothing knows of it: all torques are those that were agreed on,
 * and they are constant, so the part of the step before it is a separate step,
 *
 *     s + part yield tau = s_from + part (slip_free - s_from)
 *
 * with `part` of the step (or of what is left of it behind a jump before). It is over then: its torque is spent. The
 * element goes on from the slip and the states behind the jump, and its torque of the step is the mean,
 *
 *     tau = spent + left tau_left        left: share of the step behind the jump
 */

/* Jumps of an element in a step; parts that are tried to find one. */
enum { MOST_JUMPS = 4, MOST_TRIALS = 8 };

/* What is left of the step: slip without the torque in it, beyond that at its beginning. */
static double pull_of(const sb_fixed *f, int k)
{
    return f->el_slip[k] + f->el_yield[k] * (f->el_tau[k] - f->el_spent[k]) - f->el_from[k];
}

double sb_friction_to_hold(const sb_fixed *f, int k, int direction, int back)
{
    const double load = f->el_load[2 * k + back];
    const double yield = f->el_yield[k] * f->el_left[k];
    const double torque = yield > 0.0 ? pull_of(f, k) / yield : f->el_tau[k];
    const double beyond = sb_sign_of(direction * f->el_slip[k]) * SB_BEYOND_LIMITS; // without load nothing is held
    return load > 0.0 ? direction * torque / load : beyond;
}

/* Number of its guards, and their values at a slip with the states z. Elements of a counted law begin and end to slip
 * by themselves, at constant speed: it has the one guard that its slip keeps its direction. */
static int number_of_guards(const sb_model *m, int k)
{
    return sb_law_of(m, k)->advance ? 1 : sb_law_of(m, k)->n_guard;
}

static void guards_of(const sb_model *m, const sb_fixed *f, int k, double slip, const double *z, double hold,
                      double *guard)
{
    const sb_law *law = sb_law_of(m, k);
    if (law->advance) {
        guard[0] = slip * sb_sign_of(f->el_from[k]);
    } else {
        law->guard(law, sb_param_of(m, f, k), slip, z, hold, guard);
    }
}

/* States z behind the jump of a guard. Behind a turn the slip may go either way. */
static void jump_of(const sb_model *m, sb_fixed *f, int k, double hold, int which, double *z)
{
    double z_new[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    if (law->advance) {
        f->el_slip[k] = 0.0;
    } else {
        law->jump(law, sb_param_of(m, f, k), f->el_slip[k], z, hold, which, z_new);
        sb_copy(z, z_new, law->n_state);
    }
}

/* States and guards at the end of what was solved last. */
static void look_at_end(const sb_model *m, const sb_fixed *f, int k, double hold, double *z, double *guard)
{
    sb_resolvent_states(m, f, k, 1, z);
    guards_of(m, f, k, f->el_slip[k], z, hold, guard);
}

/* The guard that becomes negative first, if all change evenly, or -1. */
static int first_fired(int n, const double *begin, const double *end)
{
    int which = -1;
    double soonest = INFINITY;
    for (int i = 0; i < n; ++i) {
        const double when = begin[i] > 0.0 ? begin[i] / (begin[i] - end[i]) : 0.0;
        if (end[i] < 0.0 && when < soonest) {
            which = i;
            soonest = when;
        }
    }
    return which;
}

/* Begins what is left of the step from a slip and from the states z. */
static void begin_at(const sb_model *m, sb_fixed *f, int k, double left, double slip, const double *z)
{
    const int n = sb_law_of(m, k)->n_state;
    f->el_left[k] = left;
    f->el_from[k] = slip;
    sb_copy(f->z_from + m->fr_state[k], z, n);
    sb_copy(f->z_try + m->fr_state[k], z, n);
    sb_resolvent_prepare_curve(m, f, k);
}

/* Solves what is left of the step up to where a guard is 0: its share of the step. Regula falsi, where a value that
 * stays is halved (Illinois). z gets the states there. */
static double solve_up_to(const sb_model *m, sb_fixed *f, int k, int which, double hold, const double *ends, double *z)
{
    double from[SB_LAW_MAX];
    double guard[SB_LAW_MAX];
    const double pull = pull_of(f, k);
    const double left = f->el_left[k];
    const double start = f->el_from[k];
    double at[2] = {0.0, 1.0};
    double value[2] = {ends[0], ends[1]};
    int side = -1;
    double part = 1.0;
    sb_copy(from, f->z_from + m->fr_state[k], sb_law_of(m, k)->n_state);
    for (int trial = 0; trial < MOST_TRIALS; ++trial) {
        part = at[0] + (at[1] - at[0]) * value[0] / (value[0] - value[1]);
        begin_at(m, f, k, part * left, start, from);
        sb_resolvent_solve_alone(m, f, k, start + part * pull + f->el_yield[k] * f->el_spent[k], 1);
        look_at_end(m, f, k, hold, z, guard);
        if (fabs(guard[which]) <= SB_JUMP_FOUND * (ends[0] - ends[1])) {
            break;
        }
        const int beyond = guard[which] < 0.0;
        at[beyond] = part;
        value[beyond] = guard[which];
        value[!beyond] *= side == beyond ? 0.5 : 1.0;
        side = beyond;
    }
    return part * left;
}

int sb_resolvent_jump(const sb_model *m, sb_fixed *f, int k)
{
    double z[SB_LAW_MAX];
    double begin[SB_LAW_MAX];
    double end[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const double *from = f->z_from + m->fr_state[k];
    const int n = number_of_guards(m, k);
    const int keeps_direction = law->advance && f->el_slip[k] * f->el_from[k] >= 0.0;
    if (f->el_kind[k] != SB_EL_CURVE || n == 0 || f->el_jumps[k] >= MOST_JUMPS || keeps_direction) {
        return 0;
    }
    const double hold = sb_friction_to_hold(f, k, 1, f->el_side[k] < 0);
    const double left = f->el_left[k];
    guards_of(m, f, k, f->el_from[k], from, hold, begin);
    look_at_end(m, f, k, hold, z, end);
    const int which = first_fired(n, begin, end);
    if (which < 0) {
        return 0;
    }
    double done = 0.0;
    if (begin[which] > 0.0) {
        const double ends[2] = {begin[which], end[which]};
        done = solve_up_to(m, f, k, which, hold, ends, z);
        f->el_spent[k] = f->el_tau[k];
    } else {
        sb_copy(z, from, law->n_state);
        f->el_slip[k] = f->el_from[k];
    }
    jump_of(m, f, k, hold, which, z);
    begin_at(m, f, k, sb_max(left - done, SB_ROUNDED), f->el_slip[k], z); // rates are means over it
    ++f->el_jumps[k];
    return 1;
}
