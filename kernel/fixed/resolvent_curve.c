#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* What bristles and curves answer at the end of a step, see resolvent.c. */

/* Rounds for the states of a law at a given slip, and for the slip. */
enum { MOST_BENDS = 20, QUICK_ROUNDS = SB_MOST_MOVES + 6, MOST_ROUNDS = QUICK_ROUNDS + 60 };

/* Length of the step, or of what is left of it behind a jump. */
static inline sb_real span_of(const sb_fixed *f, int k)
{
    return f->el_left[k] * f->h;
}

/* Torque and slope of a curve whose friction per unit load, and its slope by the slip where it is met, are known. The
 * load may differ with the sign of the friction: the torque has a kink at 0 there, and goes on rising. */
static inline void load_curve(sb_fixed *f, int k, sb_real friction, sb_real by_slip, sb_flag some, sb_real *tau,
                              sb_real *slope)
{
    const sb_real load = sb_pick(friction < 0.0, f->el_load[2 * k + 1], f->el_load[2 * k]);
    f->el_side[k] = sb_pick_count(some, sb_sign_of(friction), f->el_side[k]);
    *tau = f->el_spent[k] + f->el_left[k] * load * friction;
    *slope = f->el_left[k] * f->el_share[k] * load * by_slip;
}

/* Share of the step after which a state has its mean over the step, if it relaxes by x within it: with
 * 1/(1 - e^-x) - 1/x the rule is exact at a constant slip, and this rational function is within 0.025 of it. */
static inline sb_real share_of_relaxing(sb_real x)
{
    return 0.5 + 0.5 * x * (x + 4.0) / (x * x + 6.0 * x + 24.0);
}

/* Slip at which an element is met, if s is that of the end. */
static inline sb_real slip_met(const sb_fixed *f, int k, sb_real s)
{
    return f->el_from[k] + f->el_share[k] * (s - f->el_from[k]);
}

/* Friction of a law at the slip s, whose curve is held there, with its damping: the slope by the slip. Its spring is
 * what slip adds to it within the step by the states, which relax by as much. */
typedef struct response {
    sb_real friction, damping, spring, relaxing;
} response;

static response response_of(const sb_model *m, const sb_fixed *f, int k, sb_real s)
{
    sb_real out[SB_STEP_OUT];
    sb_real jac[SB_STEP_JAC];
    const sb_law *law = sb_law_of(m, k);
    const int n = law->n_moving;
    const sb_real *z = f->z_from + m->fr_state[k];
#if SB_LANES == 1
    if (law->separate) {
        law->advance(law, sb_param_of(m, f, k), span_of(f, k), 1.0, s, s, s, z, jac, out);
        return (response){out[0], out[1], out[2], 0.0};
    }
#endif
    law->held_jac(law, sb_param_of(m, f, k), s, s, z, out, jac);
    response r = {out[0], jac[0], SB_R(0.0), SB_R(0.0)};
    for (int i = 1; i <= n; ++i) {
        r.spring += span_of(f, k) * jac[i] * jac[i * (1 + n)];
        r.relaxing = sb_max(r.relaxing, -span_of(f, k) * jac[i * (1 + n) + i]);
    }
    return r;
}

/* Shares of the step after which an element with the slip s is met: that of the slip by how much friction answers to it
 * within the step; that of the states by how fast they relax themselves (known at each slip) and by the recoil, what
 * slip takes away of their load: sigma0/sigma1 times the step where slip is nothing but their damped motion. */
static void set_shares(const sb_model *m, sb_fixed *f, int k, sb_real s, sb_flag some)
{
    const sb_real *load = f->el_load + 2 * k;
    const response r = response_of(m, f, k, s);
    const sb_real bent = sb_law_of(m, k)->n_state > 0 ? r.friction - r.damping * s : r.friction; // without its damper
    const sb_real most = sb_max(load[0], load[1]); // it may change its sign
    const sb_real acting = sb_pick(bent * s > 0.0, sb_pick(s < 0.0, load[1], load[0]), most);
    const sb_real push = acting * f->el_left[k] * f->el_yield[k];
    const sb_real share = sb_share_of(push * sb_abs(r.damping + r.spring / (1.0 + r.relaxing)));
    const sb_real recoil = sb_max(push * r.spring / (1.0 + push * sb_max(r.damping, SB_R(0.0))), SB_R(0.0));
    f->el_share[k] = sb_pick(some, share, f->el_share[k]);
    f->el_recoil[k] = sb_pick(some, recoil, f->el_recoil[k]);
}

SB_HOT void sb_resolvent_prepare_curve(const sb_model *m, sb_fixed *f, int k)
{
    f->el_slip[k] = f->el_from[k];
    f->el_turned[k] = SB_NEVER;
    const sb_real gain =
        sb_pick(f->el_left[k] < 1.0, SB_R(0.0), f->el_from[k] - f->el_before[k]); // as in the step before
    f->el_held[k] = f->el_foreseen[k] = f->el_from[k] + 0.5 * gain;
    set_shares(m, f, k, f->el_from[k], sb_not(SB_NEVER));
}

SB_HOT sb_flag sb_resolvent_turn(const sb_model *m, sb_fixed *f, int k, sb_real slip, sb_flag some)
{
    const sb_flag turns = sb_and(some, sb_and(sb_not(f->el_turned[k]), sb_not(slip * f->el_from[k] >= 0.0)));
    if (sb_any(turns)) {
        f->el_turned[k] = sb_or(f->el_turned[k], turns);
        f->el_held[k] = sb_pick(turns, SB_R(0.0), f->el_held[k]);
        set_shares(m, f, k, SB_R(0.0), turns);
    }
    return turns;
}

/* Newton's change of the one state of a law, and its derivative by the slip. */
static inline void newton_of_one(sb_real h, sb_real z, sb_real z0, const sb_real *out, const sb_real *jac, sb_real *b)
{
    const sb_real inv = 1.0 / (1.0 - h * jac[3]);
    b[0] = (z0 + h * out[1] - z) * inv;
    b[1] = h * jac[2] * inv;
}

/* Torque and slope of a law without states, or with one that is linear. */
static void curve_of_one(const sb_model *m, sb_fixed *f, int k, sb_real s, sb_flag some, sb_real *tau, sb_real *slope)
{
    sb_real out[2];
    sb_real jac[4];
    sb_real b[2];
    const sb_law *law = sb_law_of(m, k);
    sb_real *z = f->z_try + m->fr_state[k];
    law->held_jac(law, sb_param_of(m, f, k), slip_met(f, k, s), f->el_held[k], z, out, jac);
    if (law->n_state == 1) {
        const sb_real bend = share_of_relaxing(f->el_recoil[k] - span_of(f, k) * jac[3]);
        newton_of_one(bend * span_of(f, k), z[0], f->z_from[m->fr_state[k]], out, jac, b);
        out[0] += jac[1] * b[0];
        jac[0] += jac[1] * b[1];
        f->el_bend[k] = sb_pick(some, bend, f->el_bend[k]);
        z[0] = sb_pick(some, z[0] + b[0], z[0]);
    }
    load_curve(f, k, out[0], jac[0], some, tau, slope);
}

#if SB_LANES == 1

void sb_newton_of_states(int n, double h, const double *z, const double *z0, const double *out, const double *jac,
                         double *b)
{
    if (n == 1) {
        newton_of_one(h, z[0], z0[0], out, jac, b);
        return;
    }
    double a[SB_LAW_LOCALS];
    double change[SB_LAW_MAX];
    double by_slip[SB_LAW_MAX];
    int pivot[SB_LAW_MAX];
    for (int i = 0; i < n; ++i) {
        const double *row = jac + (1 + i) * (1 + n);
        for (int j = 0; j < n; ++j) {
            a[i * n + j] = (i == j) - h * row[1 + j];
        }
        change[i] = z0[i] + h * out[1 + i] - z[i];
        by_slip[i] = h * row[0];
    }
    const int regular = sb_dense_factor(n, n, a, pivot, 0.0);
    if (regular) {
        sb_dense_solve(n, n, a, pivot, change);
        sb_dense_solve(n, n, a, pivot, by_slip);
    }
    for (int i = 0; i < n; ++i) { // NaN marks a step that cannot be made
        b[2 * i] = regular ? change[i] : NAN;
        b[2 * i + 1] = regular ? by_slip[i] : NAN;
    }
}

/* A counted law whose slip is met as s after a share of the step, and out as that of the function advance. Elements
 * that are separate are exact: their states are those at the end. Others are those where they are met. */
static void advance(const sb_model *m, const sb_fixed *f, int k, double share, double s, double *z, double *out)
{
    const sb_law *law = sb_law_of(m, k);
    const double *z0 = f->z_from + m->fr_state[k];
    const double h = span_of(f, k) * (law->separate ? 1.0 : share);
    const double met = law->separate ? share : 1.0;
    law->advance(law, sb_param_of(m, f, k), h, met, s, f->el_foreseen[k], f->el_held[k], z0, z, out);
}

/* The first state stays where its equation can have its solution: between 0 and where it would go without relaxing. */
static void keep_within(double *bracket, double change, double *z)
{
    bracket[change < 0.0] = z[0];
    const double next = z[0] + change;
    z[0] = next >= bracket[0] && next <= bracket[1] ? next : 0.5 * (bracket[0] + bracket[1]);
}

/* Relaxation within the step of the states of a law, the fastest: where it slides steadily. */
static double relaxing(const sb_model *m, const sb_fixed *f, int k, double met)
{
    double z[SB_LAW_MAX];
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    double most = 0.0;
    const sb_law *law = sb_law_of(m, k);
    const int n = law->n_moving;
    law->steady(law, sb_param_of(m, f, k), met, z);
    law->held_jac(law, sb_param_of(m, f, k), met, met, z, out, jac);
    for (int i = 0; i < n; ++i) {
        most = sb_max(most, -span_of(f, k) * jac[(1 + i) * (1 + n) + 1 + i]);
    }
    return most;
}

/* Torque and slope of a counted law. Separate elements relax exactly, so the recoil alone decides when they are met. */
static void curve_of_elements(const sb_model *m, sb_fixed *f, int k, double s, double *tau, double *slope)
{
    double out[3];
    const double met = slip_met(f, k, s);
    const double own = sb_law_of(m, k)->separate ? 0.0 : relaxing(m, f, k, met);
    f->el_bend[k] = share_of_relaxing(f->el_recoil[k] + own);
    advance(m, f, k, f->el_bend[k], met, f->z_try + m->fr_state[k], out);
    load_curve(f, k, out[0], out[1] + out[2], 1, tau, slope);
}

/* The same of a law with several states, or with one that is not linear. */
static void curve_of_many(const sb_model *m, sb_fixed *f, int k, double s, double *tau, double *slope)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    double b[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const int n = law->n_state;
    const double *z0 = f->z_from + m->fr_state[k];
    double *z = f->z_try + m->fr_state[k];
    const double met = slip_met(f, k, s);
    f->el_bend[k] = share_of_relaxing(f->el_recoil[k] + relaxing(m, f, k, met));
    const double h = f->el_bend[k] * span_of(f, k);
    const double goal = z0[0] + h * met;
    double bracket[2] = {sb_min(goal, 0.0), sb_max(goal, 0.0)};
    for (int round = 0; round < MOST_BENDS; ++round) {
        law->held_jac(law, sb_param_of(m, f, k), met, f->el_held[k], z, out, jac);
        sb_newton_of_states(n, h, z, z0, out, jac, b);
        double friction = out[0];
        double by_slip = jac[0];
        for (int i = 0; i < n; ++i) {
            friction += jac[1 + i] * b[2 * i];
            by_slip += jac[1 + i] * b[2 * i + 1];
        }
        out[0] = friction;
        jac[0] = by_slip;
        const double before = z[0];
        if (law->linear) {
            for (int i = 0; i < n; ++i) {
                z[i] += b[2 * i];
            }
            break;
        }
        for (int i = 1; i < n; ++i) {
            z[i] += b[2 * i];
        }
        keep_within(bracket, b[0], z);
        if (fabs(b[0]) <= SB_BENT * (fabs(before) + fabs(goal))) {
            break;
        }
    }
    load_curve(f, k, out[0], jac[0], 1, tau, slope);
}

#endif

SB_HOT void sb_resolvent_curve(const sb_model *m, sb_fixed *f, int k, sb_real s, sb_flag some, sb_real *tau,
                               sb_real *slope)
{
#if SB_LANES == 1
    const sb_law *law = sb_law_of(m, k);
    if (law->advance) {
        curve_of_elements(m, f, k, s, tau, slope);
        return;
    }
    if (law->n_state >= 1 + law->linear) {
        curve_of_many(m, f, k, s, tau, slope);
        return;
    }
#endif
    curve_of_one(m, f, k, s, some, tau, slope);
}

SB_HOT void sb_resolvent_states(const sb_model *m, const sb_fixed *f, int k, sb_flag some, sb_real *z)
{
    const sb_law *law = sb_law_of(m, k);
    const sb_real *from = f->z_from + m->fr_state[k];
    const sb_real *met = f->z_try + m->fr_state[k];
#if SB_LANES == 1
    if (law->separate) {
        double out[3];
        advance(m, f, k, 1.0, slip_met(f, k, f->el_slip[k]), z, out);
        return;
    }
#endif
    for (int i = 0; i < law->n_moving; ++i) {
        z[i] = sb_pick(some, from[i] + (met[i] - from[i]) / f->el_bend[k], z[i]);
    }
    sb_copy(z + law->n_moving, met + law->n_moving, law->n_state - law->n_moving);
}

/* Moves the Stribeck curve to the slip that a round has found. */
static void move_curve(sb_fixed *f, int k, sb_flag some)
{
    const sb_real share = sb_pick(f->el_turned[k], SB_R(1.0), SB_R(0.5));
    const sb_real met = f->el_from[k] + share * (f->el_slip[k] - f->el_from[k]);
    const sb_flag moved = sb_and(some, sb_abs(met - f->el_held[k]) > SB_CURVE_MOVED * sb_abs(met));
    f->el_held[k] = sb_pick(moved, met, f->el_held[k]);
}

SB_HOT void sb_resolvent_tangent(const sb_model *m, sb_fixed *f, int k, sb_count round, sb_flag some, sb_real *tau,
                                 sb_real *slope)
{
    const sb_flag moves = round < SB_MOST_MOVES;
    move_curve(f, k, sb_and(some, sb_and(moves, round > 0)));
    sb_resolvent_curve(m, f, k, f->el_slip[k], some, tau, slope);
    *slope = sb_pick(moves, sb_max(*slope, f->el_fall[k]), *slope);
}

/* A round of Newton's method for the slip of an element: whether it has been found. Behind the quick rounds it stays
 * between bounds. */
static sb_flag newton_round(const sb_model *m, sb_fixed *f, int k, sb_real slip_free, sb_count round, sb_flag some,
                            sb_real *bracket)
{
    sb_real tau;
    sb_real slope;
    const sb_real yield = f->el_yield[k];
    const sb_real slip = f->el_slip[k];
    sb_resolvent_tangent(m, f, k, round, some, &tau, &slope);
    const sb_real left = slip + yield * tau - slip_free;
    const sb_flag fixed = round >= SB_MOST_MOVES;
    if (sb_any(fixed)) {
        bracket[0] = sb_pick(sb_and(fixed, sb_not(left > 0.0)), slip, bracket[0]);
        bracket[1] = sb_pick(sb_and(fixed, left > 0.0), slip, bracket[1]);
    }
    sb_real next = slip - left / (1.0 + yield * slope);
    const sb_flag turns = next * slip < 0.0;
    next = sb_pick(turns, SB_R(0.0), next); // one side after the other: laws have a kink at 0
    const sb_flag within = sb_and(next > bracket[0], next < bracket[1]);
    const sb_flag leaves = sb_and(round >= QUICK_ROUNDS, sb_not(within));
    if (sb_any(leaves)) {
        const sb_flag closed = sb_and(sb_abs(bracket[0]) < (double)INFINITY, sb_abs(bracket[1]) < (double)INFINITY);
        next = sb_pick(leaves, sb_pick(closed, 0.5 * (bracket[0] + bracket[1]), slip - left), next);
    }
    f->el_slip[k] = sb_pick(some, next, f->el_slip[k]);
    const sb_flag stays = sb_abs(next - slip) <= SB_SLIP_FOUND * (sb_abs(slip) + sb_abs(slip_free));
    const sb_flag found = sb_and(some, sb_and(sb_not(turns), stays));
    const sb_flag again = sb_any(found) ? sb_resolvent_turn(m, f, k, slip, found) : SB_NEVER;
    bracket[0] = sb_pick(again, SB_R(-(double)INFINITY), bracket[0]);
    bracket[1] = sb_pick(again, SB_R((double)INFINITY), bracket[1]);
    return sb_and(found, sb_not(again));
}

/* Newton's method from the last slip, of some; rounds begin again where the slip turns round. */
static void solve_curve(const sb_model *m, sb_fixed *f, int k, sb_real slip_free, int first, sb_flag some)
{
    sb_flag open = some;
    sb_count round = SB_COUNT(first);
    sb_real bracket[2] = {SB_R(-(double)INFINITY), SB_R((double)INFINITY)};
    while (sb_any(open)) {
        const sb_flag turned = f->el_turned[k];
        const sb_flag found = newton_round(m, f, k, slip_free, round, open, bracket);
        const sb_flag again = sb_and(sb_not(turned), f->el_turned[k]);
        round = sb_pick_count(again, SB_COUNT(first + 1), round + 1);
        open = sb_and(open, sb_and(sb_not(found), round < MOST_ROUNDS));
    }
    const sb_real tau = (slip_free - f->el_slip[k]) / f->el_yield[k];
    f->el_tau[k] = sb_pick(some, tau, f->el_tau[k]);
}

SB_HOT void sb_resolvent_solve_curve(const sb_model *m, sb_fixed *f, int k, sb_real slip_free)
{
    solve_curve(m, f, k, slip_free, SB_MOST_MOVES, sb_not(SB_NEVER));
}

SB_HOT void sb_resolvent_solve_alone(const sb_model *m, sb_fixed *f, int k, sb_real slip_free, sb_flag some)
{
    solve_curve(m, f, k, slip_free, 0, some);
}
