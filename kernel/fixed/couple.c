#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* The agreement of friction elements that act on each other. Every element is either held at its slip or on a line
 * tau = a + b s (the tangent of its graph). Their slips are s = s_free - Y tau with the coupling Y of the island;
 * without s, the torques of held elements (h) and of those on a line (l) are one small linear system:
 *
 *     [ Y_hh     Y_hl       ] [ tau_h ]   [ s_free - target ]
 *     [                     ] [       ] = [                 ]
 *     [ b Y_lh   1 + b Y_ll ] [ tau_l ]   [ a + b s_free    ]
 *
 * Elements whose torque leaves its box begin to slide, those whose slip turns round are held, tangents move, until
 * nothing changes: from the sets of the last step on, mostly at once. Should that go on for too long, the elements
 * answer one after the other (Gauss-Seidel), which always gets closer because all graphs rise. Static limits give way
 * to those of sliding once all agree: an element that moves in spite of its static torque breaks away, and they agree
 * again.
 *
 * When the rounds are used up the torques are those of the last sweep. Each is within the limits of its law, and speeds
 * follow from them exactly: what is left is that an element may see a slip that belongs to another value of its torque.
 */

enum { MOST_SWEEPS = 60, MOST_RELEASES = 10, MOST_SHARES = 40 };

/* The elements of an island that act in this step. Torques are scaled by roots of their yields. */
typedef struct island {
    int n;
    int el[SB_MOST_COUPLED];
    int column[SB_MOST_COUPLED]; /* in the rows of f->coupling */
    int held[SB_MOST_COUPLED];
    double scale[SB_MOST_COUPLED];
    double intercept[SB_MOST_COUPLED], slope[SB_MOST_COUPLED]; /* lines of those that are not held */
    double weight[SB_MOST_COUPLED];
    double matrix[SB_MOST_COUPLED][SB_MOST_COUPLED];
    double right[SB_MOST_COUPLED], x[SB_MOST_COUPLED];
    int pivot[SB_MOST_COUPLED];
    double largest; /* slip around: rounding of it is met everywhere */
} island;

static double coupling_of(const sb_model *m, const sb_fixed *f, const island *is, int i, int j)
{
    return f->coupling[is->el[i] * SB_COUPLED(m) + is->column[j]];
}

/* Slip of an element from the torques of all, and what of it is nothing, by the size of what it is added up from. */
static double slip_of(const sb_model *m, const sb_fixed *f, island *is, int i, double *nothing)
{
    double slip = f->el_free[is->el[i]];
    double size = fabs(slip) + fabs(f->el_start[is->el[i]]);
    for (int j = 0; j < is->n; ++j) {
        const double part = coupling_of(m, f, is, i, j) * f->el_tau[is->el[j]];
        slip -= part;
        size += fabs(part);
    }
    is->largest = sb_max(is->largest, size);
    *nothing = SB_AGREED * size + SB_ROUNDED * is->largest;
    return slip;
}

/* Every element held or on the line that its graph has here. */
static void set_tangents(const sb_model *m, sb_fixed *f, island *is, int round)
{
    for (int i = 0; i < is->n; ++i) {
        const int k = is->el[i];
        const int side = f->el_side[k];
        is->held[i] = f->el_kind[k] == SB_EL_LOCK && side == 0;
        if (f->el_kind[k] == SB_EL_CURVE) {
            double tau;
            sb_resolvent_tangent(m, f, k, round, 1, &tau, is->slope + i);
            is->intercept[i] = tau - is->slope[i] * f->el_slip[k];
        } else if (side != 0) {
            is->slope[i] = f->el_rise[2 * k + (side < 0)];
            is->intercept[i] = side * f->el_cut[2 * k + (side < 0)];
        }
    }
}

static void set_system(const sb_model *m, const sb_fixed *f, island *is)
{
    for (int i = 0; i < is->n; ++i) {
        const int k = is->el[i];
        const double yield = f->el_yield[k];
        const double steep = is->held[i] ? 0.0 : is->slope[i] * yield;
        const double scale = 1.0 / (1.0 + fabs(steep));
        const double share = is->held[i] ? 1.0 : steep * scale;
        for (int j = 0; j < is->n; ++j) {
            is->matrix[i][j] = share * coupling_of(m, f, is, i, j) / (is->scale[i] * is->scale[j]);
        }
        if (is->held[i]) {
            is->right[i] = (f->el_free[k] - f->el_target[k]) / is->scale[i];
        } else {
            is->matrix[i][i] += scale;
            is->right[i] = is->scale[i] * (is->intercept[i] + is->slope[i] * f->el_free[k]) * scale;
        }
    }
}

/* Weights of those that share a motion: the same share of their limits. */
static void set_weights(const sb_model *m, const sb_data *d, const sb_fixed *f, island *is)
{
    double largest = 0.0;
    for (int i = 0; i < is->n; ++i) {
        const int k = is->el[i];
        const double width = 0.5 * (f->el_high[k] - f->el_low[k]);
        const int counts = is->held[i] && isfinite(width) && width > 0.0;
        is->weight[i] = counts ? d->lock_reach[m->fr_lock[k]] / (width * f->el_yield[k]) : 0.0;
        largest = sb_max(largest, is->weight[i]);
    }
    for (int i = 0; i < is->n; ++i) {
        const double share = largest > 0.0 ? is->weight[i] / largest : 1.0;
        is->weight[i] = is->held[i] ? SB_SHARE_WEIGHT * sb_max(share, SB_LEAST_SHARE) : 0.0;
    }
}

/* Torques of elements of which some hold one motion together. */
static void solve_shared(const sb_model *m, const sb_data *d, const sb_fixed *f, island *is)
{
    set_weights(m, d, f, is);
    set_system(m, f, is);
    for (int i = 0; i < is->n; ++i) {
        is->matrix[i][i] += is->weight[i];
        is->x[i] = 0.0;
    }
    if (!sb_dense_factor(is->n, SB_MOST_COUPLED, is->matrix[0], is->pivot, SB_DENSE_SINGULAR)) {
        return;
    }
    for (int round = 0; round < MOST_SHARES; ++round) {
        double change = 0.0;
        double largest = 0.0;
        double next[SB_MOST_COUPLED];
        for (int i = 0; i < is->n; ++i) {
            next[i] = is->right[i] + is->weight[i] * is->x[i];
        }
        sb_dense_solve(is->n, SB_MOST_COUPLED, is->matrix[0], is->pivot, next);
        for (int i = 0; i < is->n; ++i) {
            change = sb_max(change, fabs(next[i] - is->x[i]));
            largest = sb_max(largest, fabs(next[i]));
            is->x[i] = next[i];
        }
        if (change <= SB_ROUNDED * largest) {
            break;
        }
    }
}

static void solve_torques(const sb_model *m, const sb_data *d, sb_fixed *f, island *is)
{
    set_system(m, f, is);
    if (sb_dense_factor(is->n, SB_MOST_COUPLED, is->matrix[0], is->pivot, SB_DENSE_SINGULAR)) {
        for (int i = 0; i < is->n; ++i) {
            is->x[i] = is->right[i];
        }
        sb_dense_solve(is->n, SB_MOST_COUPLED, is->matrix[0], is->pivot, is->x);
    } else {
        solve_shared(m, d, f, is);
    }
    for (int i = 0; i < is->n; ++i) {
        f->el_tau[is->el[i]] = is->x[i] / is->scale[i];
    }
}

/* Where an element should be after the torques of a round; whether that is another place than before. */
static int update_side(const sb_model *m, sb_fixed *f, island *is, int i)
{
    const int k = is->el[i];
    double nothing;
    const double slip = slip_of(m, f, is, i, &nothing);
    const double old = f->el_slip[k];
    if (f->el_kind[k] == SB_EL_CURVE) {
        f->el_slip[k] = slip * old < 0.0 ? 0.0 : slip; // one side after the other: laws have a kink at 0
        return fabs(slip - old) > nothing || sb_resolvent_turn(m, f, k, slip, 1);
    }
    const int rests = is->held[i] || fabs(slip - f->el_target[k]) <= SB_MOVED * nothing;
    f->el_slip[k] = rests ? f->el_target[k] : slip;
    const int side = f->el_side[k];
    if (is->held[i]) {
        const double tau = f->el_tau[k];
        f->el_side[k] = tau > f->el_high[k] + SB_AGREED * fabs(f->el_high[k]) ? SB_FORWARD
                        : tau < f->el_low[k] - SB_AGREED * fabs(f->el_low[k]) ? SB_BACKWARD
                                                                              : 0;
    } else if (side * (slip - f->el_target[k]) < -nothing) {
        f->el_side[k] = 0;
    }
    return f->el_side[k] != side;
}

/* Rounds until no element changes its place; Stribeck curves move in the first ones. */
static int iterate_sides(const sb_model *m, const sb_data *d, sb_fixed *f, island *is, int first, int most, int *rounds)
{
    for (int round = first; round < first + most; ++round) {
        ++*rounds;
        set_tangents(m, f, is, round);
        solve_torques(m, d, f, is);
        int changes = 0;
        for (int i = 0; i < is->n; ++i) {
            changes += update_side(m, f, is, i);
        }
        if (changes == 0) {
            return 1;
        }
    }
    return 0;
}

/* One element after the other, until the slips stay. */
static int gauss_seidel(const sb_model *m, sb_fixed *f, island *is, int *rounds)
{
    for (int round = 0; round < MOST_SWEEPS; ++round) {
        ++*rounds;
        int changes = 0;
        for (int i = 0; i < is->n; ++i) {
            const int k = is->el[i];
            const double before = f->el_tau[k];
            double nothing;
            const double slip = slip_of(m, f, is, i, &nothing);
            sb_resolvent_solve(m, f, k, slip + f->el_yield[k] * before);
            changes += fabs(f->el_tau[k] - before) * f->el_yield[k] > nothing;
        }
        if (changes == 0) {
            return 1;
        }
    }
    return 0;
}

/* Torques of the held elements to which the others, with their torques as they are, leave no slip. */
static void solve_held_torques(const sb_model *m, const sb_data *d, sb_fixed *f, island *is)
{
    for (int i = 0; i < is->n; ++i) {
        const int k = is->el[i];
        is->held[i] = f->el_kind[k] == SB_EL_LOCK && f->el_side[k] == 0;
        is->intercept[i] = f->el_tau[k];
        is->slope[i] = 0.0;
    }
    solve_torques(m, d, f, is);
}

/* Sweeps end with slips that are off by what they have left: one more round of all together makes them exact, or at
 * least of those that are held. */
static int sweep_and_polish(const sb_model *m, const sb_data *d, sb_fixed *f, island *is, int *rounds)
{
    double tau[SB_MOST_COUPLED];
    double slip[SB_MOST_COUPLED];
    int side[SB_MOST_COUPLED];
    const int found = gauss_seidel(m, f, is, rounds);
    for (int i = 0; i < is->n; ++i) {
        tau[i] = f->el_tau[is->el[i]];
        slip[i] = f->el_slip[is->el[i]];
        side[i] = f->el_side[is->el[i]];
    }
    if (iterate_sides(m, d, f, is, SB_MOST_MOVES, 2, rounds)) {
        return 1;
    }
    for (int i = 0; i < is->n; ++i) {
        f->el_tau[is->el[i]] = tau[i];
        f->el_slip[is->el[i]] = slip[i];
        f->el_side[is->el[i]] = side[i];
    }
    solve_held_torques(m, d, f, is);
    return found;
}

/* Elements that move in spite of their static torque break away; Karnopp's keep it within their window. Laws jump. */
static int release(const sb_model *m, const sb_data *d, sb_fixed *f, island *is)
{
    int any = 0;
    for (int i = 0; i < is->n; ++i) {
        const int k = is->el[i];
        const int slides = f->el_kind[k] == SB_EL_LOCK && !f->el_released[k] && f->el_side[k] != 0;
        double nothing;
        any |= sb_resolvent_jump(m, f, k);
        if (slides && !(f->el_facts[k] & SB_FACT_KARNOPP)) {
            const double moved = f->el_side[k] * (slip_of(m, f, is, i, &nothing) - f->el_target[k]);
            if (moved > SB_MOVED * nothing) {
                sb_resolvent_release(m, d, f, k, 1);
                any = 1;
            }
        }
    }
    return any;
}

/* Static limits give way to those of sliding once all agree. */
static int solve_with_release(const sb_model *m, const sb_data *d, sb_fixed *f, island *is, int *rounds)
{
    int found = 0;
    for (int again = 0; again < MOST_RELEASES; ++again) {
        found = iterate_sides(m, d, f, is, 0, SB_MOST_MOVES + 8 + 2 * is->n, rounds) ||
                sweep_and_polish(m, d, f, is, rounds);
        if (!release(m, d, f, is)) {
            return found;
        }
    }
    return 0;
}

static void solve_many(const sb_model *m, const sb_data *d, sb_fixed *f, island *is)
{
    int rounds = 0;
    is->largest = 0.0;
    for (int i = 0; i < is->n; ++i) {
        is->scale[i] = sqrt(f->el_yield[is->el[i]]);
        is->largest = sb_max(is->largest, f->el_yield[is->el[i]] * fabs(f->el_tau[is->el[i]]));
    }
    int found = solve_with_release(m, d, f, is, &rounds);
    if (sb_stop_find(m, d, f, is->n, is->el)) {
        sb_stop_begin(m, d, f, is->n, is->el);
        (void)solve_with_release(m, d, f, is, &rounds);
        sb_stop_end(m, d, f, is->n, is->el);
        found = solve_with_release(m, d, f, is, &rounds);
        sb_stop_keep(f, is->n, is->el);
    }
    f->stats.rounds += rounds;
    f->stats.most_rounds = rounds > f->stats.most_rounds ? rounds : f->stats.most_rounds;
    f->stats.capped += !found;
}

/* The elements of an island that act. */
static void gather(const sb_fixed *f, int number, island *is)
{
    const int first = f->island_ptr[number];
    is->n = 0;
    for (int j = first; j < f->island_ptr[number + 1]; ++j) {
        const int k = f->island_el[j];
        if (f->el_kind[k] == SB_EL_LOCK || f->el_kind[k] == SB_EL_CURVE) {
            is->column[is->n] = j - first;
            is->el[is->n++] = k;
        }
    }
}

void sb_couple(const sb_model *m, sb_data *d, sb_fixed *f)
{
    island is;
    for (int k = 0; k < m->n_friction; ++k) {
        if (f->el_alone[k] || f->el_kind[k] == SB_EL_IDLE || f->el_kind[k] == SB_EL_GIVEN) {
            sb_couple_one(m, d, f, k);
        }
    }
    if (f->sparse) {
        sb_couple_sparse(m, d, f);
        return;
    }
    for (int i = 0; i < f->n_shared; ++i) {
        gather(f, f->shared[i], &is);
        if (is.n == 1) {
            sb_couple_one(m, d, f, is.el[0]);
        } else if (is.n > 1) {
            solve_many(m, d, f, &is);
        }
    }
}
