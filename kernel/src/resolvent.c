#include <math.h>

#include "sb_element.h"
#include "sb_friction.h"
#include "sb_lock.h"
#include "sb_math.h"
#include "sb_signal.h"
#include "sb_step.h"

/* What one friction element answers at the end of a step. Its slip s and its torque tau fulfil
 *
 *     s + yield tau = slip_free        tau on the graph of the law, at the end of the step
 *
 * Locking laws have a vertical piece at the slip that they hold, between the limits of what they can hold: static ones
 * while they are stuck, those of the beginning of their curve while they slide. Beside it friction is a line through
 * the curve at the last slip, with half of its slope, or of its mean slope over the step where it falls: then there is
 * one answer, and who is stuck stays stuck if the limits allow, else it goes where it is pushed. Bristles go with an
 * implicit rule, their Stribeck curves held; for a given slip that is a linear equation in most laws. Bristles and
 * curves are met between the middle of the step and its end:
 *
 *     z_met = z + share h z'(s_met, z_met)    s_met = s + share (s_end - s)    z_end = z + (z_met - z)/share
 *
 * with a share of 1/2 where they are soft, so that what swings on them neither gains nor loses energy, and of 1, the
 * implicit Euler rule, where a step would swing through what they stop. Stribeck curves are held as far before the
 * middle of the step as s_met is behind it, at the slip that follows from the last step: so the whole is of second
 * order where bristles are soft. */

/* Rounds for the states of a law at a given slip, and for the slip. */
enum { MOST_BENDS = 20, QUICK_ROUNDS = 6, MOST_ROUNDS = 60 };
#define BENT 1e-13
#define FOUND 1e-13
#define ON_EDGE 1e-9 /* share of a window that is rounding */

static const double *param_of(const sb_model *m, int k)
{
    return m->fr_param + m->fr_param_ptr[k];
}

static int sliding_mode(const sb_data *d, int lock)
{
    return d->mode[lock] == SB_FORWARD || d->mode[lock] == SB_BACKWARD;
}

/* Share of the step after which something is met that changes by `stiff` within the step. */
static double share_of(double stiff)
{
    return (0.5 + stiff) / (1.0 + stiff);
}

/* Slope of a line of sliding friction: half of the curve's, for the mean over the step, and all of it where it is steep
 * (a step must not swing through what a damper stops). Where the curve falls the line falls less than the slip. */
static double slope_of(double slope, double yield)
{
    return slope > 0.0 ? slope * share_of(slope * yield) : sb_max(0.5 * slope, yield > 0.0 ? -0.5 / yield : 0.0);
}

/* Slip at the end without its own torque, with the torques that the others had last. */
static double last_free(const sb_model *m, const sb_fixed *f, int k)
{
    const int first = f->island_ptr[f->island_of[k]];
    const int n = f->island_ptr[f->island_of[k] + 1] - first;
    const double *row = f->coupling + k * SB_COUPLED(m);
    double slip = f->el_free[k];
    for (int b = 0; b < n && !f->sparse; ++b) {
        const int j = f->island_el[first + b];
        slip -= j == k ? 0.0 : row[b] * f->el_tau[j];
    }
    return slip;
}

/* And the torque that would keep the slip of the start. */
static double last_hold(const sb_model *m, const sb_fixed *f, int k)
{
    return f->el_yield[k] > 0.0 ? (last_free(m, f, k) - f->el_start[k]) / f->el_yield[k] : 0.0;
}

/* Slope of a curve that falls from speed v on, up to the speed that the element will have about: a tangent would go on
 * below the curve. */
static double mean_slope(const sb_model *m, const sb_data *d, const sb_fixed *f, int k, double v, const double *out,
                         double slope)
{
    double end[SB_LAW_MAX];
    if (!isfinite(m->fr_peak[k])) {
        return slope;
    }
    const double slip = last_free(m, f, k);
    const double gain = fabs(slip) - f->el_yield[k] * f->el_load[2 * k + (slip < 0.0)] * out[0] - v;
    if (gain <= 1e-6 * v) {
        return slope;
    }
    const double *z = d->x + m->n_v + m->n_q + m->fr_state[k];
    sb_laws[m->fr_law[k]].flow(param_of(m, k), v + gain, z, end);
    return end[0] < out[0] ? (end[0] - out[0]) / gain : sb_max(slope, 0.0);
}

/* Lines of sliding friction from the curve at speed v, on both sides. */
static void set_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k, double v)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_MAX];
    const sb_law *law = &sb_laws[m->fr_law[k]];
    law->flow_jac(param_of(m, k), v, d->x + m->n_v + m->n_q + m->fr_state[k], out, jac);
    const double slope = mean_slope(m, d, f, k, v, out, jac[0]);
    for (int side = 0; side < 2; ++side) {
        const double load = f->el_load[2 * k + side];
        const double rise = slope_of(load * slope, f->el_yield[k]);
        f->el_rise[2 * k + side] = rise;
        f->el_cut[2 * k + side] = load * out[0] - rise * v;
    }
}

/* What it holds against slip to each side, per unit load. */
static void set_box(const sb_model *m, sb_fixed *f, int k, double limit)
{
    const int blocks = m->lock_unlimited[m->fr_lock[k]];
    f->el_high[k] = blocks == SB_FORWARD ? INFINITY : f->el_load[2 * k] * limit;
    f->el_low[k] = blocks == SB_BACKWARD ? -INFINITY : -f->el_load[2 * k + 1] * limit;
}

static double find_beginning(const sb_model *m, const double *z, int k)
{
    double out[SB_LAW_MAX];
    const sb_manner way = sb_manner_of(m, m->fr_lock[k]);
    sb_laws[m->fr_law[k]].flow(param_of(m, k), way.kind == SB_LOCK_KARNOPP ? way.window : 0.0, z, out);
    return out[0];
}

static double curve_begins(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    const int constant = sb_laws[m->fr_law[k]].n_state == 0;
    return constant ? f->el_begin[k] : find_beginning(m, d->x + m->n_v + m->n_q + m->fr_state[k], k);
}

void sb_resolvent_start_laws(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *law = &sb_laws[m->fr_law[k]];
        const double *z = d->x + m->n_v + m->n_q + m->fr_state[k];
        f->el_limit[k] = law->breakaway ? law->breakaway(param_of(m, k)) : 0.0;
        f->el_begin[k] = m->fr_lock[k] >= 0 ? find_beginning(m, z, k) : 0.0;
        f->el_window[k] = m->fr_lock[k] >= 0 ? sb_manner_of(m, m->fr_lock[k]).window : 0.0;
        f->el_changes[k] = law->n_state > 0 || law->n_guard > 0 || m->fr_side[k] >= 0;
    }
}

/* Lines on the static limits: an element that moves in spite of them will let go. */
static void set_static_lines(sb_fixed *f, int k)
{
    f->el_cut[2 * k] = f->el_high[k];
    f->el_cut[2 * k + 1] = -f->el_low[k];
    f->el_rise[2 * k] = f->el_rise[2 * k + 1] = 0.0;
}

void sb_resolvent_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    if (f->el_released[k]) {
        set_lines(m, d, f, k, fabs(f->el_start[k]));
    } else {
        set_static_lines(f, k);
    }
}

void sb_resolvent_release(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    f->el_released[k] = 1;
    if (sb_laws[m->fr_law[k]].lock != SB_LOCK_HYBRID) { // which begins from the slip that is left
        f->el_target[k] = 0.0;
    }
    set_box(m, f, k, curve_begins(m, d, f, k));
    sb_resolvent_lines(m, d, f, k);
}

/* A hybrid contact that is stuck lets its slip decay, implicitly, so that no step is too long for that; the limits are
 * those of the torque without what makes it decay. */
static void hold_decaying(const sb_model *m, sb_fixed *f, int k)
{
    const sb_manner way = sb_manner_of(m, m->fr_lock[k]);
    const double slip = f->el_start[k];
    f->el_target[k] = slip / (1.0 + f->h * way.decay);
    set_box(m, f, k, f->el_limit[k]);
    if (fabs(slip) >= way.release) {
        f->el_high[k] = INFINITY;
        f->el_low[k] = -INFINITY;
    } else if (f->el_yield[k] > 0.0) {
        const double relaxing = (slip - f->el_target[k]) / f->el_yield[k];
        f->el_high[k] += relaxing;
        f->el_low[k] += relaxing;
    }
}

/* A hybrid contact that slides. Having broken away it does so where it was pushed, also while what was left of its slip
 * still goes the other way. If less than its capture pushes it on, it is caught in its window and held by all means
 * while its slip decays; from above it does not get below the window within a step. */
static void slide_or_capture(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const sb_manner way = sb_manner_of(m, lock);
    const double start = f->el_start[k];
    const int side = fabs(start) < way.release ? d->mode[lock] : f->el_side[k];
    const int back = side == SB_BACKWARD;
    f->el_side[k] = side;
    f->el_target[k] = side * start < 0.0 ? start : 0.0;
    if (side * last_hold(m, f, k) >= f->el_load[2 * k + back] * way.capture) {
        return;
    }
    const int inside = fabs(start) < way.window;
    sb_resolvent_lines(m, d, f, k);
    f->el_target[k] = (inside ? start : side * way.window) / (1.0 + f->h * way.decay);
    const double line = f->el_cut[2 * k + back] + f->el_rise[2 * k + back] * fabs(f->el_target[k]);
    f->el_high[k] = inside || back ? INFINITY : line;
    f->el_low[k] = inside || !back ? -INFINITY : -line;
    f->el_side[k] = inside ? 0 : side;
}

/* A stop that is open has no graph; one that is met bounces: in the step to whose middle the way that is left would not
 * last, so that it is late as often as early. One that holds goes on to do so until it is left. */
static int stop_is_open(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    if (m->lock_gap[lock] < 0) {
        return 0;
    }
    const double approach = m->lock_unlimited[lock] * f->el_start[k];
    const double way = d->jet[SB_JET * m->lock_gap[lock]] - 0.5 * f->h * approach;
    if (d->mode[lock] != SB_STUCK && way > 0.0) {
        return 1;
    }
    f->el_target[k] = approach > m->lock_bounce_min[lock] ? -m->lock_bounce[lock] * f->el_start[k] : 0.0;
    return 0;
}

/* One that comes to rest within the step sticks if its static limits would hold what pulls it on, which is the torque
 * that stops it less what takes its slip away. */
static void let_rest(sb_fixed *f, int k, double limit)
{
    const double start = f->el_start[k];
    const double stopping = f->el_yield[k] > 0.0 ? start / f->el_yield[k] : 0.0;
    if (start > 0.0) {
        f->el_low[k] = sb_min(f->el_low[k], stopping - f->el_load[2 * k + 1] * limit);
    } else if (start < 0.0) {
        f->el_high[k] = sb_max(f->el_high[k], stopping + f->el_load[2 * k] * limit);
    }
}

/* Inside of its window a contact of Karnopp's keeps its slip. The curve begins outside: one that friction would bring
 * inside within the step stays on the edge. */
static void keep_inside(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const double start = f->el_start[k];
    const double window = f->el_window[k];
    const int was_inside = d->mode[m->fr_lock[k]] == SB_STUCK && fabs(start) <= (1.0 + ON_EDGE) * window;
    if (fabs(start) < window || was_inside) {
        f->el_target[k] = start;
        f->el_released[k] = f->el_side[k] = 0;
        set_box(m, f, k, f->el_limit[k]);
        return;
    }
    f->el_released[k] = 1;
    f->el_side[k] = sb_sign_of(start);
    f->el_target[k] = f->el_side[k] * window;
    set_box(m, f, k, curve_begins(m, d, f, k));
}

/* Box, target and side; lines are set where an element leaves its box, or where others have to know them. */
static void prepare_lock(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const sb_lock_kind kind = sb_laws[m->fr_law[k]].lock;
    const double start = f->el_start[k];
    const int slides = sliding_mode(d, lock);
    f->el_kind[k] = SB_EL_LOCK;
    f->el_target[k] = 0.0;
    f->el_released[k] = slides;
    f->el_side[k] = !slides ? 0 : start != 0.0 ? sb_sign_of(start) : d->mode[lock];
    if (stop_is_open(m, d, f, k)) {
        f->el_kind[k] = SB_EL_IDLE;
        return;
    }
    if (m->lock_loss[lock] >= 0) { // its limits follow from what the gear transmits
        f->el_released[k] = 0;
        f->el_high[k] = INFINITY;
        f->el_low[k] = -INFINITY;
        return;
    }
    if (kind == SB_LOCK_HYBRID && d->mode[lock] == SB_STUCK) {
        hold_decaying(m, f, k);
    } else if (kind == SB_LOCK_KARNOPP) {
        keep_inside(m, d, f, k);
    } else if (slides) {
        set_box(m, f, k, curve_begins(m, d, f, k));
        if (kind == SB_LOCK_HYBRID) {
            slide_or_capture(m, d, f, k);
        } else {
            let_rest(f, k, f->el_limit[k]);
        }
    } else {
        const int moves = d->mode[lock] == SB_FREE && start != 0.0; // closes under slip
        set_box(m, f, k, moves ? curve_begins(m, d, f, k) : f->el_limit[k]);
        f->el_released[k] = moves;
        f->el_side[k] = moves ? sb_sign_of(start) : 0;
    }
    if (!f->el_alone[k]) {
        sb_resolvent_lines(m, d, f, k);
    }
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
    const double push = f->el_load[2 * k] * f->el_yield[k];
    law->held_jac(param_of(m, k), 0.0, 0.0, z, out, rest);
    law->held_jac(param_of(m, k), f->el_start[k], f->el_start[k], z, out, jac);
    double stiff = push * sb_max(fabs(jac[0]), fabs(rest[0]));
    for (int i = 0; i < n; ++i) {
        stiff += f->h * (push * sb_max(fabs(jac[1 + i]), fabs(rest[1 + i])) + fabs(jac[(1 + i) * (1 + n) + 1 + i]));
    }
    return stiff;
}

static void prepare_one(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const int blocks = lock >= 0 && m->lock_unlimited[lock] != 0;
    double *load = f->el_load + 2 * k;
    load[0] = sb_max(d->jet[SB_JET * m->fr_load[k]], 0.0);
    load[1] = sb_max(d->jet[SB_JET * m->fr_back[k]], 0.0);
    f->el_released[k] = f->el_side[k] = 0;
    const int bends = lock < 0 && m->fr_open[k] < 0; // also without load: its bristles rest only where it can open
    if ((load[0] <= 0.0 && load[1] <= 0.0 && !blocks && !bends) || (m->fr_open[k] >= 0 && d->open[k])) {
        f->el_kind[k] = SB_EL_IDLE;
    } else if (f->island_of[k] == SB_NOBODY || (lock >= 0 && !m->lock_free[lock])) {
        f->el_kind[k] = SB_EL_GIVEN;
    } else if (lock >= 0) {
        prepare_lock(m, d, f, k);
        if (blocks && f->el_side[k] == m->lock_unlimited[lock]) {
            f->el_side[k] = 0; // it does not slide that way
        }
    } else {
        f->el_kind[k] = SB_EL_CURVE;
        const int back = m->fr_side[k] >= 0 && d->side[k] == SB_BACKWARD;
        load[0] = load[back]; // bristles have the load of the sign that their friction has had
        f->el_share[k] = share_of(stiffness(m, f, k));
        f->el_held[k] = f->el_start[k] + (1.0 - f->el_share[k]) * (f->el_start[k] - f->el_before[k]);
    }
}

void sb_resolvent_prepare(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_copy(f->z_try, d->x + m->n_v + m->n_q, m->n_z);
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_slip[k] = f->el_start[k];
        f->el_share[k] = 1.0;
        f->el_held[k] = f->el_start[k];
        prepare_one(m, d, f, k);
        f->el_before[k] = f->el_start[k];
        f->el_tau[k] = f->el_kind[k] == SB_EL_IDLE ? 0.0 : f->el_tau[k];
    }
}

/* Solves a x = b with n unknowns, two right-hand sides in b; a and b are overwritten. */
static void solve_small(int n, double *a, double *b)
{
    for (int i = 0; i < n; ++i) {
        const double inv = 1.0 / a[i * n + i];
        for (int j = i + 1; j < n; ++j) {
            const double factor = a[j * n + i] * inv;
            for (int c = i; c < n && factor != 0.0; ++c) {
                a[j * n + c] -= factor * a[i * n + c];
            }
            b[2 * j] -= factor * b[2 * i];
            b[2 * j + 1] -= factor * b[2 * i + 1];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int c = i + 1; c < n; ++c) {
            b[2 * i] -= a[i * n + c] * b[2 * c];
            b[2 * i + 1] -= a[i * n + c] * b[2 * c + 1];
        }
        b[2 * i] /= a[i * n + i];
        b[2 * i + 1] /= a[i * n + i];
    }
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
    for (int i = 0; i < n; ++i) {
        const double *row = jac + (1 + i) * (1 + n);
        for (int j = 0; j < n; ++j) {
            a[i * n + j] = (i == j) - h * row[1 + j];
        }
        b[2 * i] = z0[i] + h * out[1 + i] - z[i];
        b[2 * i + 1] = h * row[0];
    }
    solve_small(n, a, b);
}

/* The first state stays where its equation can have its solution: between 0 and where it would go without relaxing. */
static void keep_within(double *bracket, double change, double *z)
{
    bracket[change < 0.0] = z[0];
    const double next = z[0] + change;
    z[0] = next >= bracket[0] && next <= bracket[1] ? next : 0.5 * (bracket[0] + bracket[1]);
}

/* The same of a law without states, or with one that is linear. */
static void curve_of_one(const sb_model *m, sb_fixed *f, int k, double s, double *tau, double *slope)
{
    double out[2];
    double jac[4];
    double b[2] = {0.0, 0.0};
    const sb_law *law = &sb_laws[m->fr_law[k]];
    const double share = f->el_share[k];
    const double met = f->el_start[k] + share * (s - f->el_start[k]);
    double *z = f->z_try + m->fr_state[k];
    law->held_jac(param_of(m, k), met, f->el_held[k], z, out, jac);
    if (law->n_state == 1) {
        bend(1, share * f->h, z, f->x_start + m->n_v + m->n_q + m->fr_state[k], out, jac, b);
        out[0] += jac[1] * b[0];
        jac[0] += jac[1] * b[1];
        z[0] += b[0];
    }
    *tau = f->el_load[2 * k] * out[0];
    *slope = share * f->el_load[2 * k] * jac[0];
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
    const double load = f->el_load[2 * k];
    const double *z0 = f->x_start + m->n_v + m->n_q + m->fr_state[k];
    double *z = f->z_try + m->fr_state[k];
    const double share = f->el_share[k];
    const double h = share * f->h;
    const double met = f->el_start[k] + share * (s - f->el_start[k]);
    const double goal = z0[0] + h * met;
    double bracket[2] = {sb_min(goal, 0.0), sb_max(goal, 0.0)};
    for (int round = 0; round < MOST_BENDS; ++round) {
        law->held_jac(param_of(m, k), met, f->el_held[k], z, out, jac);
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
        if (fabs(b[0]) <= BENT * (fabs(before) + fabs(goal))) {
            break;
        }
    }
    *tau = load * out[0];
    *slope = share * load * jac[0];
}

void sb_resolvent_states(const sb_model *m, const sb_fixed *f, int k, double *z)
{
    for (int i = m->fr_state[k]; i < m->fr_state[k] + sb_laws[m->fr_law[k]].n_state; ++i) {
        const double start = f->x_start[m->n_v + m->n_q + i];
        z[i] = start + (f->z_try[i] - start) / f->el_share[k];
    }
}

static void solve_lock(sb_fixed *f, int k, double slip_free)
{
    const double yield = f->el_yield[k];
    const double target = f->el_target[k];
    const double hold = (slip_free - target) / yield;
    f->el_side[k] = hold > f->el_high[k] ? SB_FORWARD : hold < f->el_low[k] ? SB_BACKWARD : 0;
    f->el_slip[k] = target;
    f->el_tau[k] = hold;
    if (f->el_side[k] == 0) {
        return;
    }
    const int back = f->el_side[k] == SB_BACKWARD;
    const double cut = back ? -f->el_cut[2 * k + 1] : f->el_cut[2 * k];
    const double rise = f->el_rise[2 * k + back];
    const double slip = (slip_free - yield * cut) / (1.0 + yield * rise);
    if (f->el_side[k] * (slip - target) > 0.0) {
        f->el_slip[k] = slip;
        f->el_tau[k] = cut + rise * slip;
    } else {
        f->el_tau[k] = back ? f->el_low[k] : f->el_high[k];
    }
}

/* Newton's method from the last slip, then between bounds: the answer rises with the slip. */
static void solve_curve(const sb_model *m, sb_fixed *f, int k, double slip_free)
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
        if (fabs(next - slip) <= FOUND * (fabs(slip) + fabs(slip_free))) {
            break;
        }
        slip = next;
    }
    f->el_slip[k] = slip;
    f->el_tau[k] = (slip_free - slip) / yield;
}

static void solve_given(const sb_model *m, sb_fixed *f, int k, double slip)
{
    double out[SB_LAW_MAX];
    const sb_law *law = &sb_laws[m->fr_law[k]];
    const int side = sb_sign_of(slip);
    f->el_slip[k] = slip;
    f->el_side[k] = side;
    f->el_tau[k] = 0.0;
    if (m->fr_lock[k] < 0) {
        double slope;
        sb_resolvent_curve(m, f, k, slip, f->el_tau + k, &slope);
    } else if (side != 0) {
        law->flow(param_of(m, k), fabs(slip), f->x_start + m->n_v + m->n_q + m->fr_state[k], out);
        f->el_tau[k] = side * f->el_load[2 * k + (side < 0)] * out[0];
    }
}

void sb_resolvent_solve(const sb_model *m, sb_fixed *f, int k, double slip_free)
{
    switch (f->el_kind[k]) {
    case SB_EL_IDLE:
        f->el_slip[k] = slip_free;
        f->el_tau[k] = 0.0;
        break;
    case SB_EL_LOCK:
        solve_lock(f, k, slip_free);
        break;
    case SB_EL_CURVE:
        solve_curve(m, f, k, slip_free);
        break;
    case SB_EL_GIVEN:
        solve_given(m, f, k, slip_free);
        break;
    }
}
