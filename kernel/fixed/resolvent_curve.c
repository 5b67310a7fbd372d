#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* What bristles and curves answer at the end of a step, see resolvent.c. */

/* Rounds for the states of a law at a given slip, and for the slip. */
enum { MOST_BENDS = 20, QUICK_ROUNDS = 6, MOST_ROUNDS = 60 };

/* Torque and slope of a curve whose friction per unit load, and its slope by the slip where it is met, are known. The
 * load may differ with the sign of the friction: the torque has a kink at 0 there, and goes on rising. */
static inline void load_curve(sb_fixed *f, int k, double friction, double by_slip, double *tau, double *slope)
{
    const double forward = f->el_load[2 * k];
    const double back = f->el_load[2 * k + 1];
    const double load = friction < 0.0 ? back : forward;
    f->el_side[k] = (friction > 0.0) - (friction < 0.0);
    *tau = load * friction;
    *slope = f->el_share[k] * load * by_slip;
}

/* By how much a curve or its bristles answer within a step to what they change themselves: at the slip of the start or
 * at none, where they are stiffest. */
static double stiffness(const sb_model *m, const sb_fixed *f, int k)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_MAX];
    double rest[SB_LAW_MAX];
    const sb_law *law = &sb_laws[m->fr_law[k]];
    const int n = law->n_state;
    const double *z = f->x_start + m->n_v + m->n_q + m->fr_state[k];
    const double push = sb_max(f->el_load[2 * k], f->el_load[2 * k + 1]) * f->el_yield[k];
    law->held_jac(sb_param_of(m, k), 0.0, 0.0, z, out, rest);
    law->held_jac(sb_param_of(m, k), f->el_start[k], f->el_start[k], z, out, jac);
    double stiff = push * sb_max(fabs(jac[0]), fabs(rest[0]));
    for (int i = 0; i < n; ++i) {
        stiff += f->h * (push * sb_max(fabs(jac[1 + i]), fabs(rest[1 + i])) + fabs(jac[(1 + i) * (1 + n) + 1 + i]));
    }
    return stiff;
}

void sb_resolvent_prepare_curve(const sb_model *m, sb_fixed *f, int k)
{
    f->el_slip[k] = f->el_start[k];
    f->el_share[k] = sb_share_of(stiffness(m, f, k));
    f->el_held[k] = f->el_start[k] + (1.0 - f->el_share[k]) * (f->el_start[k] - f->el_before[k]);
}

/* What the states have to fulfil, z - z0 - h z'(s, z) = 0, in one round of Newton's method: b gets their change and
 * their derivative by s. */
static void bend(int n, double h, const double *z, const double *z0, const double *out, const double *jac, double *b)
{
    if (n == 1) {
        const double inv = 1.0 / (1.0 - h * jac[3]);
        b[0] = (z0[0] + h * out[1] - z[0]) * inv;
        b[1] = h * jac[2] * inv;
        return;
    }
    double a[SB_LAW_MAX];
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
    for (int i = 0; i < n; ++i) { // a step that cannot be made is found by what comes of it
        b[2 * i] = regular ? change[i] : NAN;
        b[2 * i + 1] = regular ? by_slip[i] : NAN;
    }
}

/* The first state stays where its equation can have its solution: between 0 and where it would go without relaxing. */
static void keep_within(double *bracket, double change, double *z)
{
    bracket[change < 0.0] = z[0];
    const double next = z[0] + change;
    z[0] = next >= bracket[0] && next <= bracket[1] ? next : 0.5 * (bracket[0] + bracket[1]);
}

/* Torque and slope of a law without states, or with one that is linear. */
static void curve_of_one(const sb_model *m, sb_fixed *f, int k, double s, double *tau, double *slope)
{
    double out[2];
    double jac[4];
    double b[2] = {0.0, 0.0};
    const sb_law *law = &sb_laws[m->fr_law[k]];
    const double share = f->el_share[k];
    const double met = f->el_start[k] + share * (s - f->el_start[k]);
    double *z = f->z_try + m->fr_state[k];
    law->held_jac(sb_param_of(m, k), met, f->el_held[k], z, out, jac);
    if (law->n_state == 1) {
        bend(1, share * f->h, z, f->x_start + m->n_v + m->n_q + m->fr_state[k], out, jac, b);
        out[0] += jac[1] * b[0];
        jac[0] += jac[1] * b[1];
        z[0] += b[0];
    }
    load_curve(f, k, out[0], jac[0], tau, slope);
}

void sb_resolvent_curve(const sb_model *m, sb_fixed *f, int k, double s, double *tau, double *slope)
{
    if (sb_laws[m->fr_law[k]].n_state < 1 + sb_laws[m->fr_law[k]].linear) {
        curve_of_one(m, f, k, s, tau, slope);
        return;
    }
    double out[SB_LAW_MAX];
    double jac[SB_LAW_MAX];
    double b[SB_LAW_MAX];
    const sb_law *law = &sb_laws[m->fr_law[k]];
    const int n = law->n_state;
    const double *z0 = f->x_start + m->n_v + m->n_q + m->fr_state[k];
    double *z = f->z_try + m->fr_state[k];
    const double share = f->el_share[k];
    const double h = share * f->h;
    const double met = f->el_start[k] + share * (s - f->el_start[k]);
    const double goal = z0[0] + h * met;
    double bracket[2] = {sb_min(goal, 0.0), sb_max(goal, 0.0)};
    for (int round = 0; round < MOST_BENDS; ++round) {
        law->held_jac(sb_param_of(m, k), met, f->el_held[k], z, out, jac);
        bend(n, h, z, z0, out, jac, b);
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
    load_curve(f, k, out[0], jac[0], tau, slope);
}

void sb_resolvent_states(const sb_model *m, const sb_fixed *f, int k, double *z)
{
    for (int i = m->fr_state[k]; i < m->fr_state[k] + sb_laws[m->fr_law[k]].n_state; ++i) {
        const double start = f->x_start[m->n_v + m->n_q + i];
        z[i] = start + (f->z_try[i] - start) / f->el_share[k];
    }
}

/* Newton's method from the last slip, then between bounds: the answer rises with the slip. */
void sb_resolvent_solve_curve(const sb_model *m, sb_fixed *f, int k, double slip_free)
{
    const double yield = f->el_yield[k];
    double slip = f->el_slip[k];
    double tau;
    double slope;
    double bracket[2] = {-INFINITY, INFINITY};
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        sb_resolvent_curve(m, f, k, slip, &tau, &slope);
        const double left = slip + yield * tau - slip_free;
        bracket[left > 0.0] = slip;
        double next = slip - left / (1.0 + yield * slope);
        next = next * slip < 0.0 ? 0.0 : next; // one side after the other: laws have a kink at 0
        if (round >= QUICK_ROUNDS && !(next > bracket[0] && next < bracket[1])) {
            const int open = !isfinite(bracket[0]) || !isfinite(bracket[1]);
            next = open ? slip - left : 0.5 * (bracket[0] + bracket[1]);
        }
        if (fabs(next - slip) <= SB_SLIP_FOUND * (fabs(slip) + fabs(slip_free))) {
            break;
        }
        slip = next;
    }
    f->el_slip[k] = slip;
    f->el_tau[k] = (slip_free - slip) / yield;
}
