#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* Bristles whose discrete states jump within a step. Friction may drop at a jump, or a spring begin: at the end of the
 * step it would come up to a whole step late. So the step of such an element is made in parts, from one jump to the
 * next. The others have constant torques meanwhile, so without friction its slip would grow evenly, and a part is a
 * step of its own:
 *
 *     s + share yield tau = s_begin + share (slip_free - s_start)      share: of the step, up to the guard that is 0
 *
 * The torque of the whole step is the mean of those of its parts. What an element answers in parts is used only where a
 * guard is negative at the end of the step, when all elements agree. */

/* Jumps of an element in a step; parts that are tried to find one. */
enum { MOST_JUMPS = 4, MOST_TRIALS = 8 };

/* A step in parts: slip at its start and what it yields, what pulls it on, by load the friction that would keep it. */
typedef struct whole {
    double start, yield, pull, hold;
} whole;

double sb_friction_to_hold(const sb_fixed *f, int k, int direction, int back)
{
    const double load = f->el_load[2 * k + back];
    const double gained = f->el_yield[k] > 0.0 ? (f->el_slip[k] - f->el_start[k]) / f->el_yield[k] : 0.0;
    const double beyond = sb_sign_of(direction * f->el_slip[k]) * SB_BEYOND_LIMITS; // without load nothing is held
    return load > 0.0 ? direction * (f->el_tau[k] + gained) / load : beyond;
}

/* Guards of element k with the slip and the states z. */
static void guards_of(const sb_model *m, int k, double slip, const double *z, double hold, double *guard)
{
    const sb_law *law = sb_law_of(m, k);
    law->guard(law, sb_param_of(m, k), slip, z, hold, guard);
}

/* States of element k alone at the end of what was solved last. */
static void states_of(const sb_model *m, const sb_fixed *f, int k, double *z)
{
    const double *from = f->z_from + m->fr_state[k];
    const double *met = f->z_try + m->fr_state[k];
    for (int i = 0; i < sb_law_of(m, k)->n_state; ++i) {
        z[i] = from[i] + (met[i] - from[i]) / f->el_bend[k];
    }
}

int sb_resolvent_jumps(const sb_model *m, sb_fixed *f, int k)
{
    double z[SB_LAW_MAX];
    double guard[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    if (f->el_kind[k] != SB_EL_CURVE || f->el_released[k] || law->n_guard == 0 || law->advance) {
        return 0;
    }
    states_of(m, f, k, z);
    guards_of(m, k, f->el_slip[k], z, sb_friction_to_hold(f, k, 1, f->el_side[k] < 0), guard);
    for (int i = 0; i < law->n_guard; ++i) {
        f->el_released[k] |= guard[i] < 0.0;
    }
    return f->el_released[k];
}

/* Slip and states after a part of the step that begins with the slip `from` and the states z. */
static void solve_part(const sb_model *m, sb_fixed *f, int k, const whole *w, double from, const double *z,
                       double share)
{
    const int n = sb_law_of(m, k)->n_state;
    f->el_start[k] = from;
    f->el_yield[k] = share * w->yield;
    f->el_span[k] = share * f->h;
    sb_copy(f->z_from + m->fr_state[k], z, n);
    sb_copy(f->z_try + m->fr_state[k], z, n);
    sb_resolvent_prepare_curve(m, f, k);
    sb_resolvent_solve_alone(m, f, k, from + share * w->pull);
}

/* The guard that is negative first, if all change evenly, or -1. */
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

/* Share of the step up to where a guard is 0, at most that of the part that has just been solved; regula falsi, with
 * half of a value that stays (Illinois). The last part tried is the one that is solved then. */
static double find_jump(const sb_model *m, sb_fixed *f, int k, const whole *w, double from, const double *z, int which,
                        double begin, double end, double share)
{
    double z_new[SB_LAW_MAX];
    double guard[SB_LAW_MAX];
    const double size = begin - end;
    double at[2] = {0.0, share};
    double value[2] = {begin, end};
    int side = -1;
    double tried = share;
    for (int trial = 0; trial < MOST_TRIALS; ++trial) {
        tried = at[0] + (at[1] - at[0]) * value[0] / (value[0] - value[1]);
        solve_part(m, f, k, w, from, z, tried);
        states_of(m, f, k, z_new);
        guards_of(m, k, f->el_slip[k], z_new, w->hold, guard);
        const int beyond = guard[which] < 0.0;
        if (fabs(guard[which]) <= SB_JUMP_FOUND * size) {
            break;
        }
        at[beyond] = tried;
        value[beyond] = guard[which];
        value[!beyond] *= side == beyond ? 0.5 : 1.0;
        side = beyond;
    }
    return tried;
}

/* How its slip at the end of a part grows with the free one: by that at its beginning, and by the pull in the part. */
static double grown(const sb_model *m, sb_fixed *f, int k, double before, double share)
{
    double tau;
    double slope;
    sb_resolvent_curve(m, f, k, f->el_slip[k], &tau, &slope);
    return (before + share) / (1.0 + f->el_yield[k] * sb_max(slope, 0.0));
}

double sb_resolvent_solve_parts(const sb_model *m, sb_fixed *f, int k, double slip_free)
{
    double z[SB_LAW_MAX];
    double z_new[SB_LAW_MAX];
    double begin[SB_LAW_MAX];
    double end[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    whole w = {f->el_start[k], f->el_yield[k], slip_free - f->el_start[k], 0.0};
    f->el_slip[k] = slip_free; // with no torque: what pulls it on
    f->el_tau[k] = 0.0;
    w.hold = sb_friction_to_hold(f, k, 1, f->el_side[k] < 0);
    double slip = w.start;
    double left = 1.0;
    double growth = 0.0;
    sb_copy(z, f->x_start + m->n_v + m->n_q + m->fr_state[k], law->n_state);
    for (int jumps = 0; left > SB_JUMP_FOUND; ++jumps) {
        solve_part(m, f, k, &w, slip, z, left);
        states_of(m, f, k, z_new);
        guards_of(m, k, slip, z, w.hold, begin);
        guards_of(m, k, f->el_slip[k], z_new, w.hold, end);
        const int which = jumps < MOST_JUMPS ? first_fired(law->n_guard, begin, end) : -1;
        if (which < 0) {
            growth = grown(m, f, k, growth, left);
            break;
        }
        if (begin[which] > 0.0) {
            const double share = find_jump(m, f, k, &w, slip, z, which, begin[which], end[which], left);
            growth = grown(m, f, k, growth, share);
            states_of(m, f, k, z);
            slip = f->el_slip[k];
            left -= share;
        }
        law->jump(law, sb_param_of(m, k), slip, z, w.hold, which, z_new);
        sb_copy(z, z_new, law->n_state);
        sb_copy(f->z_from + m->fr_state[k], z, law->n_state); // those of the end, if nothing is left of the step
        sb_copy(f->z_try + m->fr_state[k], z, law->n_state);
        f->el_slip[k] = slip;
    }
    f->el_start[k] = w.start;
    f->el_yield[k] = w.yield;
    f->el_span[k] = f->h;
    f->el_tau[k] = (slip_free - f->el_slip[k]) / w.yield;
    return (1.0 / growth - 1.0) / w.yield;
}
