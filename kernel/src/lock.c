#include "sb_lock.h"

#include <math.h>
#include <string.h>

#include "sb_element.h"
#include "sb_friction.h"
#include "sb_kernel.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

/* True stick. Locked contacts keep slip 0 by holding torques l, which follow from the network: with the slip
 * accelerations b without holding torques and A = W' M^-1 W, the accelerations are b - A l. At an event the
 * torques of all contacts that may stick solve the box problem of sb_box_solve with their static limits;
 * contacts that would move get their kinetic limit and the problem is solved again. Limits only shrink, so
 * this ends after at most one round per contact, and every answer fulfils complementarity. */

/* Slips below this share of the nominal speed are taken as zero when nothing else decides. */
#define SLIP_ZERO 1e-12

/* Accelerations below this share of their terms are rounding: the contact is held. */
#define LEFT_OVER 1e-12

/* A holding torque this close to its limit, relatively, is on it. */
#define ON_LIMIT 1e-9

/* A step from beyond PEAK_FAR of the Stribeck speed must end above PEAK_NEAR of it, so that the next one sees the peak.
 */
#define PEAK_FAR 4.0
#define PEAK_NEAR 1.0

static int branch_of(const sb_model *m, int lock)
{
    return SB_FRICTION_BRANCH(m, m->lock_friction[lock]);
}

static const sb_law *law_of(const sb_model *m, int lock, const double **param)
{
    const int f = m->lock_friction[lock];
    *param = m->fr_param + m->fr_param_ptr[f];
    return &sb_laws[m->fr_law[f]];
}

/* How a law sticks: within which slip it may be caught, below which slip it may let go, how its slip decays while it is
 * stuck, and the holding friction below which it is caught (infinite: its static friction decides). */
typedef struct manner {
    sb_lock_kind kind;
    double window, release, decay, capture;
} manner;

static manner manner_of(const sb_model *m, int lock)
{
    const double *param;
    const sb_law *law = law_of(m, lock, &param);
    double stick[4] = {0.0, INFINITY, 0.0, INFINITY};
    if (law->stick) {
        law->stick(param, stick);
    }
    manner way = {law->lock, stick[0], stick[1], stick[2], stick[3]};
    if (!m->lock_free[lock]) { // a prescribed slip slides along the curve, whatever the law
        way = (manner){SB_LOCK_SWITCH, 0.0, INFINITY, 0.0, INFINITY};
    }
    return way;
}

/* Signal of the load against slip in a direction. */
static int load_signal(const sb_model *m, int lock, int side)
{
    const int f = m->lock_friction[lock];
    return side == SB_BACKWARD ? m->fr_back[f] : m->fr_load[f];
}

static double side_load(const sb_model *m, const sb_data *d, int lock, int side)
{
    return d->jet[SB_JET * load_signal(m, lock, side)];
}

/* The larger load of the pair: while it is positive the contact is closed. */
static double raw_load(const sb_model *m, const sb_data *d, int lock)
{
    return sb_max(side_load(m, d, lock, SB_FORWARD), side_load(m, d, lock, SB_BACKWARD));
}

/* No load now and none coming: at a load of 0 its trend decides. */
static int is_open(const sb_model *m, const sb_data *d, int lock)
{
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        const int signal = load_signal(m, lock, side);
        const double load = d->jet[SB_JET * signal];
        if (load > 0.0 || (load == 0.0 && sb_signal_rate(m, d, signal, d->rate) > 0.0)) {
            return 0;
        }
    }
    return 1;
}

double sb_lock_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    const double *param;
    const sb_law *law = law_of(m, lock, &param);
    const manner way = manner_of(m, lock);
    double limit = law->breakaway(param);
    if (way.kind == SB_LOCK_KARNOPP && side * d->slip[branch_of(m, lock)] >= way.window * (1.0 - ON_LIMIT)) {
        // on the edge of its window it is also held by the curve that begins there
        double friction[SB_LAW_MAX];
        law->flow(param, way.window, NULL, friction);
        limit = sb_max(limit, friction[0]);
    }
    return sb_max(side_load(m, d, lock, side), 0.0) * limit;
}

/* Limit of a contact that lets go: where its curve begins, or still its static friction inside of Karnopp's window. */
static double kinetic_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    const double *param;
    const sb_law *law = law_of(m, lock, &param);
    if (manner_of(m, lock).kind == SB_LOCK_KARNOPP) {
        return sb_lock_limit(m, d, lock, side);
    }
    double friction[SB_LAW_MAX];
    double rest[SB_LAW_MAX] = {0.0};
    law->flow(param, 0.0, rest, friction);
    return sb_max(side_load(m, d, lock, side), 0.0) * friction[0];
}

static double nominal_slip(const sb_model *m, int lock)
{
    double nominal = 0.0;
    const int b = branch_of(m, lock);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

/* Two contacts that hold one and the same motion. */
static int are_parallel(const double *a, int n, int i, int j)
{
    return a[i * n + j] * a[i * n + j] >= (1.0 - 1e-9) * a[i * n + i] * a[j * n + j];
}

static int sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

/* A stuck contact of the hybrid law lets its slip decay with the rate p0. */
static double decay_of(const sb_model *m, const sb_data *d, int lock)
{
    return d->locked[lock] && m->lock_local[lock] > 0 ? manner_of(m, lock).decay : 0.0;
}

void sb_lock_decay(const sb_model *m, const sb_data *d, double *multiplier)
{
    for (int k = 0; k < m->n_lock; ++k) {
        multiplier[k] -= decay_of(m, d, k) * d->slip[branch_of(m, k)];
    }
}

void sb_lock_partials(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_lock; ++k) {
        if (m->lock_local[k] > 0) {
            d->local[m->lock_local[k]] = -decay_of(m, d, k);
        }
    }
}

/* Holding torques alone: those of the board without what makes the slips decay. */
static void find_holds(const sb_model *m, sb_data *d)
{
    sb_copy(d->hold, d->lambda, m->n_lock);
    if (d->n_decaying == 0) {
        return;
    }
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->x_hold[i] = 0.0;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->x_hold[SB_N_Y(m) + k] = decay_of(m, d, k) * d->slip[branch_of(m, k)];
    }
    sb_lu_solve(m, d->mass_lu, d->mass_inv, d->x_hold, d->x_hold, d->solve_tmp);
    for (int k = 0; k < m->n_lock; ++k) {
        d->hold[k] += d->locked[k] ? d->x_hold[SB_N_Y(m) + k] : 0.0;
    }
}

void sb_lock_torques(const sb_model *m, sb_data *d, const double *multiplier)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->lambda[k] = d->locked[k] ? multiplier[k] : 0.0;
    }
    if (d->n_redundant) {
        sb_share_redundant(m, d);
    }
    find_holds(m, d);
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->tau[branch_of(m, k)] = d->lambda[k];
    }
}

/* What stuck contact i and those beside it, which hold the same motion, can carry in a direction and do carry: they let
 * go together. Beside it are those whose slip row is a multiple c of its own. */
static void add_up(const sb_model *m, const sb_data *d, int i, int side, double *limit, double *lambda)
{
    const int n = d->n_stuck;
    const double *a = d->lock_a;
    *limit = *lambda = 0.0;
    for (int j = 0; j < n; ++j) {
        if (i == j || are_parallel(a, n, i, j)) {
            const double c = a[i * n + j] / a[i * n + i];
            *limit += fabs(c) * sb_lock_limit(m, d, d->lock_set[j], c > 0.0 ? side : -side);
            *lambda += c * d->hold[d->lock_set[j]];
        }
    }
}

/* Sliding: the slip comes back to where the contact may be caught, or the load goes. Inside of Karnopp's window: the
 * slip leaves it, or stops to accelerate. */
static void sliding_events(const sb_model *m, const sb_data *d, int k, double *g)
{
    const manner way = manner_of(m, k);
    const int friction = m->lock_friction[k];
    const double forward = d->mode[k] * d->slip[branch_of(m, k)];
    g[1] = raw_load(m, d, k);
    if (d->within[k]) {
        // a contact that has just let go accelerates from zero: rounding must not catch it again
        const double slack = ON_LIMIT * sb_lock_limit(m, d, k, d->mode[k]) * d->compliance[friction];
        g[0] = sb_min(way.window - forward, d->mode[k] * d->accel[friction] + slack);
    } else if (way.kind == SB_LOCK_HYBRID) {
        const double load = sb_max(side_load(m, d, k, d->mode[k]), 0.0);
        const double hold = d->mode[k] * sb_friction_hold(m, d, friction);
        // a contact may let go against the slip that is left of it, up to `release`
        g[0] = sb_min(forward + 2.0 * way.release, sb_max(forward - way.window, hold - load * way.capture));
    } else {
        // where the curve begins at the static friction, a contact lets go without any acceleration: rounding is no
        // slip
        const double peak = m->fr_peak[m->lock_friction[k]];
        g[0] = forward - way.window + (isfinite(peak) ? SLIP_ZERO * peak : 0.0);
    }
}

static void stuck_events(const sb_model *m, const sb_data *d, int k, double *g)
{
    const double slip = fabs(d->slip[branch_of(m, k)]);
    if (!m->lock_free[k]) {
        g[0] = SLIP_ZERO - slip;
        g[1] = 1.0;
        return;
    }
    const manner way = manner_of(m, k);
    const double beyond = way.kind == SB_LOCK_HYBRID ? slip - way.release : -INFINITY;
    g[0] = sb_max(sb_lock_limit(m, d, k, SB_FORWARD) - d->hold[k], beyond);
    g[1] = sb_max(sb_lock_limit(m, d, k, SB_BACKWARD) + d->hold[k], beyond);
}

static void lock_events(const sb_model *m, const sb_data *d, double *value)
{
    for (int k = 0; k < m->n_lock; ++k) {
        double *g = value + 2 * k;
        switch (d->mode[k]) {
        case SB_FORWARD:
        case SB_BACKWARD:
            sliding_events(m, d, k, g);
            break;
        case SB_STUCK:
            stuck_events(m, d, k, g);
            break;
        case SB_FREE:
            g[0] = -raw_load(m, d, k);
            g[1] = 1.0;
            break;
        }
    }

    // contacts side by side share their limits
    for (int i = 0; i < d->n_stuck && d->n_redundant; ++i) {
        double limit;
        double lambda;
        add_up(m, d, i, SB_FORWARD, &limit, &lambda);
        value[2 * d->lock_set[i]] = limit - lambda;
        add_up(m, d, i, SB_BACKWARD, &limit, &lambda);
        value[2 * d->lock_set[i] + 1] = limit + lambda;
    }
}

void sb_event_values(const sb_model *m, sb_data *d, const double *x, double *value)
{
    ++d->stats.event_evaluations;
    lock_events(m, d, value);
    sb_signal_events(m, d, value + SB_SIGNAL_EVENT(m));
    if (m->n_law_guard + m->n_side > 0) {
        sb_friction_events(m, d, x, value);
    }
}

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
static int find_candidates(const sb_model *m, sb_data *d, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const manner way = manner_of(m, k);
        const double slip = d->slip[branch_of(m, k)];
        const int fired = d->fired[2 * k] || d->fired[2 * k + 1];
        const int mode = d->mode[k];
        const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
        const double least = sb_max(SLIP_ZERO * nominal_slip(m, k), way.window * (1.0 + ON_LIMIT));
        const int moving = fabs(slip) > least && !(way.kind == SB_LOCK_HYBRID && mode == SB_STUCK);
        const int within = d->within[k];
        d->within[k] = 0;
        if (is_open(m, d, k) || (slides && d->fired[2 * k + 1] && raw_load(m, d, k) <= 0.0)) {
            d->mode[k] = SB_FREE;
        } else if (!m->lock_free[k]) {
            const double trend = moving && !fired ? slip : d->slip_t[branch_of(m, k)];
            d->mode[k] = sign_of(trend);
        } else if (within && (!fired || mode * slip >= way.window * (1.0 - ON_LIMIT))) {
            d->within[k] = !fired;
        } else if (slides && !within && !fired && (way.kind != SB_LOCK_SWITCH || mode * slip > 0.0)) {
            continue;
        } else if ((mode == SB_FREE || mode == SB_STUCK) && moving) {
            d->mode[k] = sign_of(slip);
        } else {
            candidate[n++] = k;
        }
    }
    return n;
}

/* Slip row times free speeds or accelerations, plus the prescribed part. */
static double slip_dot(const sb_model *m, int lock, const double *speeds, double prescribed)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, branch_of(m, lock), speeds, prescribed);
}

/* Mass^-1 W_b: how the speeds answer to a torque in a branch. */
static void response(const sb_model *m, sb_data *d, int b, const double *lu, const double *inv, double *speeds)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->force[i] = 0.0;
    }
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        d->force[m->w_col[p]] = m->w_val[p];
    }
    sb_lu_solve(m, lu, inv, d->force, speeds, d->solve_tmp);
}

/* A of the candidates, and their slip accelerations b while they transmit nothing. */
static void reduce(const sb_model *m, sb_data *d, double t, const double *x, int n, const int *candidate)
{
    for (int i = 0; i < n; ++i) {
        d->mode[candidate[i]] = SB_STUCK;
        d->locked[candidate[i]] = 0;
    }
    sb_forces(m, d, t, x, d->force);
    sb_lu_solve(m, d->free_lu, d->free_inv, d->force, d->rate, d->solve_tmp);
    for (int i = 0; i < n; ++i) {
        d->lock_b[i] = slip_dot(m, candidate[i], d->rate, d->slip_t[branch_of(m, candidate[i])]);
    }
    for (int j = 0; j < n; ++j) {
        response(m, d, branch_of(m, candidate[j]), d->free_lu, d->free_inv, d->rate);
        for (int i = 0; i < n; ++i) {
            d->lock_a[i * n + j] = slip_dot(m, candidate[i], d->rate, 0.0);
        }
    }
}

/* Slip acceleration that the holding torques l leave over; 0 where it is rounding. */
static double left_over(const sb_data *d, int n, const double *l, int i)
{
    double sum = d->lock_b[i];
    double size = fabs(sum);
    for (int j = 0; j < n; ++j) {
        sum -= d->lock_a[i * n + j] * l[j];
        size += fabs(d->lock_a[i * n + j] * l[j]);
    }
    return fabs(sum) > LEFT_OVER * size ? sum : 0.0;
}

/* Contacts side by side, which hold one and the same motion, reach their limits together. */
static void release_together(const sb_data *d, int n, const int *candidate, int *released)
{
    const double *a = d->lock_a;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const int leads = released[i] == 1 && i != j && are_parallel(a, n, i, j);
            released[j] = leads && d->mode_old[candidate[j]] == SB_STUCK ? 1 : released[j];
        }
    }
}

/* The box of a candidate as its middle and half its width: static, or kinetic once it lets go. The slip of a hybrid
 * contact that has not decayed yet is held by all means. */
static void set_box(const sb_model *m, sb_data *d, int i, int lock, int released)
{
    double (*limit)(const sb_model *, const sb_data *, int, int) = released ? kinetic_limit : sb_lock_limit;
    const double forward = limit(m, d, lock, SB_FORWARD);
    const double backward = limit(m, d, lock, SB_BACKWARD);
    const manner way = manner_of(m, lock);
    const int decays = way.kind == SB_LOCK_HYBRID && !released && fabs(d->slip[branch_of(m, lock)]) >= way.release;
    d->centre[i] = 0.5 * (forward - backward);
    d->limit[i] = 0.5 * (forward + backward) * (decays ? 1e9 : 1.0);
}

/* Holding torques l of the candidates within their boxes, and the bounds that they sit on. */
static sb_status solve_box(const sb_model *m, sb_data *d, int n, double *l, int *state)
{
    double *b = d->lock_tmp + m->n_lock;
    for (int i = 0; i < n; ++i) {
        b[i] = d->lock_b[i];
        for (int j = 0; j < n; ++j) {
            b[i] -= d->lock_a[i * n + j] * d->centre[j];
        }
    }
    SB_TRY(sb_box_solve(n, d->lock_a, b, d->limit, l, d->lock_chol, d->lock_tmp + 2 * m->n_lock, state));
    for (int i = 0; i < n; ++i) {
        l[i] += d->centre[i];
    }
    return SB_OK;
}

/* Box problem with static limits, again with kinetic ones for those that let go; modes of the candidates.
 * A contact whose limit was reached by a located event lets go at once: rounding must not hold it back. */
static sb_status decide(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int *released = d->lock_set + m->n_lock;
    int *state = d->lock_set + 2 * m->n_lock;
    double *l = d->lock_tmp;
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        released[i] = d->mode_old[k] == SB_STUCK && (d->fired[2 * k] || d->fired[2 * k + 1]);
    }
    release_together(d, n, candidate, released);
    for (int i = 0; i < n; ++i) {
        set_box(m, d, i, candidate[i], released[i]);
    }
    for (int again = 1; again;) {
        d->culprit = n > 0 ? 2 * candidate[0] : 0;
        SB_TRY(solve_box(m, d, n, l, state));
        again = 0;
        for (int i = 0; i < n; ++i) {
            if (!released[i] && state[i] != 0 && state[i] * left_over(d, n, l, i) > 0.0) {
                released[i] = 1;
                set_box(m, d, i, candidate[i], 1);
                again = 1;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        const double excess = l[i] - d->centre[i];
        const int on_limit = fabs(excess) >= d->limit[i] * (1.0 - ON_LIMIT);
        const int side = excess != 0.0 ? sign_of(excess) : state[i];
        d->mode[k] = released[i] && on_limit ? side : SB_STUCK;
        const manner way = manner_of(m, k);
        d->within[k] = way.kind == SB_LOCK_KARNOPP && d->mode[k] != SB_STUCK &&
                       d->mode[k] * d->slip[branch_of(m, k)] < way.window * (1.0 - ON_LIMIT);
    }
    return SB_OK;
}

/* The stuck contacts in d->lock_set, A reduced to them, and those of them whose motion the others hold already:
 * nothing is left of their diagonal when A is factorised in order. */
static void find_redundant(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int *kept = d->lock_set + m->n_lock;
    int stuck = 0;
    for (int i = 0; i < n; ++i) {
        if (d->mode[candidate[i]] == SB_STUCK) {
            kept[stuck] = i;
            d->lock_set[stuck++] = candidate[i];
        }
    }
    for (int i = 0; i < stuck; ++i) {
        for (int j = 0; j < stuck; ++j) {
            d->lock_a[i * stuck + j] = d->lock_a[kept[i] * n + kept[j]];
        }
    }
    d->n_stuck = stuck;
    d->n_redundant = 0;
    double *chol = d->lock_chol;
    for (int i = 0; i < stuck; ++i) {
        double pivot = d->lock_a[i * stuck + i];
        for (int j = 0; j < i; ++j) {
            double sum = d->lock_a[i * stuck + j];
            for (int k = 0; k < j; ++k) {
                sum -= chol[i * stuck + k] * chol[j * stuck + k];
            }
            chol[i * stuck + j] = d->redundant[d->lock_set[j]] ? 0.0 : sum / chol[j * stuck + j];
            pivot -= chol[i * stuck + j] * chol[i * stuck + j];
        }
        const int k = d->lock_set[i];
        d->redundant[k] = pivot <= 1e-10 * d->lock_a[i * stuck + i];
        d->redundant_ever[k] |= d->redundant[k];
        d->locked[k] = !d->redundant[k];
        d->n_redundant += d->redundant[k];
        chol[i * stuck + i] = d->redundant[k] ? 1.0 : sqrt(pivot);
    }
}

/* Speeds with the slip that stuck contacts keep (0, but with Karnopp's law): the smallest change dv in the sense of M,
 * that is M dv + W l = 0 and W' dv = kept - slip, which is Mass with another right-hand side. */
void sb_project_stuck(const sb_model *m, sb_data *d, double *x)
{
    const int n = SB_N_X(m);
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        d->force[i] = 0.0;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        if (d->locked[k] && m->lock_local[k] == 0) {
            const double slip = slip_dot(m, k, x, d->slip0[branch_of(m, k)]) - d->slip_kept[k];
            d->force[SB_N_Y(m) + k] = -slip;
            largest = sb_max(largest, fabs(slip));
        }
    }
    if (largest > 0.0) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, d->rate, d->solve_tmp);
        for (int i = 0; i < m->n_v; ++i) {
            x[i] += d->rate[i];
        }
    }
}

/* Slips that stuck contacts keep, states of laws that stick or begin to slide. */
static void settle_contacts(const sb_model *m, sb_data *d, double *x)
{
    d->n_decaying = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int mode = d->mode[k];
        const double slip = d->slip[branch_of(m, k)];
        const int fresh = d->mode_old[k] != SB_STUCK || mode != SB_STUCK;
        const int karnopp = manner_of(m, k).kind == SB_LOCK_KARNOPP;
        d->slip_kept[k] = !karnopp || mode != SB_STUCK ? 0.0 : fresh ? slip : d->slip_kept[k];
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;

        const double *param;
        const sb_law *law = law_of(m, k, &param);
        if (law->steady && mode != d->mode_old[k]) {
            const double speed = mode == SB_STUCK ? 0.0 : fabs(slip);
            law->steady(param, speed, x + m->n_v + m->n_q + m->fr_state[m->lock_friction[k]]);
        }
    }
}

/* Direction in which a contact slides: that of its mode, or of its slip if its law does not lock; 0 if it does not. */
static int sliding_direction(const sb_model *m, const sb_data *d, int friction, double slip)
{
    const int lock = m->fr_lock[friction];
    const int mode = lock >= 0 ? d->mode[lock] : sign_of(slip);
    return mode == SB_FORWARD || mode == SB_BACKWARD ? mode : 0;
}

int sb_steps_over_peak(const sb_model *m, const sb_data *d, double *share)
{
    *share = 1.0;
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        const int b = SB_FRICTION_BRANCH(m, k);
        const double peak = m->fr_peak[k];
        if (!isfinite(peak)) {
            continue;
        }
        const double start = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x, d->slip0[b]);
        const double end = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x_new, d->slip0[b]);
        const int direction = sliding_direction(m, d, k, start);
        const double before = direction * start;
        const double after = direction * end;
        if (before > PEAK_FAR * peak && after < PEAK_NEAR * peak) {
            *share = sb_min(*share, (before - 0.5 * (PEAK_FAR + PEAK_NEAR) * peak) / (before - after));
        }
    }
    return *share < 1.0;
}

double sb_unstable_rate(const sb_model *m, const sb_data *d)
{
    double fastest = 0.0;
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        fastest = isfinite(m->fr_peak[k]) ? sb_max(fastest, -d->local[m->fr_local[k]] * d->compliance[k]) : fastest;
    }
    return fastest;
}

/* How the slips of the watched contacts answer to their torques in the present modes. */
static void find_compliances(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        const int b = SB_FRICTION_BRANCH(m, k);
        response(m, d, b, d->mass_lu, d->mass_inv, d->rate);
        d->compliance[k] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->rate, 0.0);
    }
}

static sb_status update_locks(const sb_model *m, sb_data *d, double t, double *x)
{
    int *candidate = d->lock_set + 3 * m->n_lock;
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_decaying = 0;
    sb_forces(m, d, t, x, d->force);
    const int n = find_candidates(m, d, candidate);
    reduce(m, d, t, x, n, candidate);
    SB_TRY(decide(m, d, n, candidate));
    find_redundant(m, d, n, candidate);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    settle_contacts(m, d, x);
    sb_project_stuck(m, d, x);
    return SB_OK;
}

/* New branches of signals and sides of contacts: loads that jump bring energy with them. */
static void pass_events(const sb_model *m, sb_data *d, double t, double *x)
{
    const int n = SB_N_STORE(m);
    sb_energy(m, d, t, x, d->energy_now);
    sb_signal_cross(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m));
    sb_friction_sides(m, d, x, d->fired);
    sb_energy(m, d, t, x, d->energy_tmp);
    for (int i = 0; i < n; ++i) {
        d->energy_jump[i] += d->energy_tmp[i] - d->energy_now[i];
    }
}

sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->corner_age = d->fired[i] ? 0 : d->corner_age;
    }
    for (int i = 0; i < m->n_shown; ++i) {
        d->shown_old[i] = (int)x[m->shown_state[i]];
    }
    if (m->n_law_guard > 0) {
        sb_friction_jump(m, d, x, d->fired);
    }
    if (m->n_signal_guard + m->n_side > 0) {
        pass_events(m, d, t, x);
    }
    if (m->n_lock > 0) {
        SB_TRY(update_locks(m, d, t, x));
    }
    find_compliances(m, d);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return SB_OK;
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    memset(d->within, 0, (size_t)m->n_lock * sizeof *d->within);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->free_lu, d->free_inv));
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode[k] = SB_FREE;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        d->side[k] = SB_FORWARD;
    }
    sb_friction_sides(m, d, x, NULL);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return sb_update_modes(m, d, t, x);
}
