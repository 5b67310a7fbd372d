#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* The agreement of friction elements in machines that are too large for dense matrices, see couple.c. Speeds and
 * torques are found together: every element is held at its slip or on a line tau = a + b s. With the matrix S of the
 * free motion, the columns W_h of the held elements and W_l of those on a line,
 *
 *     [ S + h W_l b W_l'   W_h ] [ dx     ]   [ h F - h W_l (a + b slip)        ]
 *     [                        ] [        ] = [                                 ]
 *     [ W_h'               -e  ] [ Lambda ]   [ target - slip - e Lambda_before ]
 *
 * where Lambda = h tau is the impulse of a held element. That is the pattern of the adaptive solver, so a round costs
 * as much as one of its factorisations, and that grows with the length of a chain, not with its cube. A small e makes
 * the matrix regular where elements hold one motion together, and gives each the same share of its limit; repeating
 * with Lambda_before takes it away again.
 *
 * All elements that are in the wrong place change at once. When that does not end, only every other one does, then one
 * at a time. When the rounds are used up, torques are cut to their limits, and speeds follow from them exactly. */

enum { MOST_ROUNDS = 90, MOST_RELEASES = 12, MOST_REPEATS = 40, PATIENCE = 8, LAST_ROUNDS = 40 };

static int is_held(const sb_fixed *f, int k)
{
    return f->el_kind[k] == SB_EL_LOCK && f->el_side[k] == 0;
}

/* A loss of a gear has separate rows, see step_loss.c. */
static int is_loss(const sb_model *m, int k)
{
    return m->fr_lock[k] >= 0 && m->lock_loss[m->fr_lock[k]] >= 0;
}

static int takes_part(const sb_fixed *f, int k)
{
    return f->el_kind[k] == SB_EL_LOCK || f->el_kind[k] == SB_EL_CURVE;
}

/* Slips of the end for a change of the unknowns. */
static double slip_after(const sb_model *m, const sb_data *d, const double *change, int k)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, change, d->slip[b]);
}

/* right + scale * (generalised force of the torque of element k) */
static void add_element(const sb_model *m, int k, double scale, double *right)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        right[m->w_col[p]] -= scale * m->w_val[p];
    }
}

/* How the slip of each element answers to its own torque: entries of the inverse, which the pattern has. */
void sb_sparse_yields(const sb_model *m, sb_data *d, sb_fixed *f)
{
    double *inverse = d->jac;
    sb_lu_inverse(m, f->step_lu, f->step_inv, inverse);
    for (int k = 0; k < m->n_friction; ++k) {
        const int b = SB_FRICTION_BRANCH(m, k);
        double sum = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
                const int slot = sb_lu_slot(m, m->lu_place[m->w_col[p]], m->lu_place[m->w_col[q]]);
                sum += m->w_val[p] * m->w_val[q] * inverse[slot];
            }
        }
        f->el_yield[k] = f->h * sum;
        f->el_fall[k] = SB_STEEPEST_FALL / f->el_yield[k];
    }
}

/* Change of the unknowns for given torques of all elements; d->force is that of the free motion. */
static void move_by_torques(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_copy(d->stick_b, d->force, SB_N_X(m));
    for (int k = 0; k < m->n_friction; ++k) {
        add_element(m, k, f->h * f->el_tau[k], d->stick_b);
    }
    sb_lu_solve(m, f->step_lu, f->step_inv, d->stick_b, f->change, d->solve_tmp);
}

void sb_sparse_free(const sb_model *m, sb_data *d, sb_fixed *f)
{
    move_by_torques(m, d, f);
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_free[k] = slip_after(m, d, f->change, k) + f->el_yield[k] * f->el_tau[k];
    }
}

/* Weights of those that may share a motion: the same share of their limits. */
static void set_weights(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    double yields = 0.0;
    double shares = 0.0;
    for (int lock = 0; lock < m->n_lock; ++lock) {
        const int k = m->lock_friction[lock];
        const double width = 0.5 * (f->el_high[k] - f->el_low[k]);
        d->held[lock] = is_held(f, k);
        d->weight[lock] = d->held[lock] && isfinite(width) && width > 0.0 ? d->lock_reach[lock] / width : 0.0;
        yields += d->weight[lock] > 0.0 ? f->el_yield[k] : 0.0;
        shares += d->weight[lock];
    }
    for (int lock = 0; lock < m->n_lock; ++lock) {
        const double own = SB_SHARE_WEIGHT * f->el_yield[m->lock_friction[lock]];
        const double wanted = shares > 0.0 ? SB_SHARE_WEIGHT * yields * d->weight[lock] / shares : 0.0;
        d->weight[lock] = sb_min(sb_max(wanted, own / SB_WIDEST_SPARSE_SHARE), own * SB_WIDEST_SPARSE_SHARE) / f->h;
    }
}

/* Every element that is not held on the line that its graph has here: its slope among the local derivatives, its torque
 * at the slip of the board. */
static void set_tangents(const sb_model *m, sb_data *d, sb_fixed *f, int round)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const int b = SB_FRICTION_BRANCH(m, k);
        const int side = f->el_side[k];
        double slope = 0.0;
        double at = f->el_tau[k];
        if (f->el_kind[k] == SB_EL_CURVE) {
            sb_resolvent_tangent(m, f, k, round, 1, &at, &slope);
            slope = sb_max(slope, f->el_fall[k]); // a steeper fall would lead away from the answer
            at += slope * (d->slip[b] - f->el_slip[k]);
        } else if (is_loss(m, k)) {
            at = 0.0;
        } else if (f->el_kind[k] == SB_EL_LOCK) {
            slope = side != 0 ? f->el_rise[2 * k + (side < 0)] : 0.0;
            at = side * f->el_cut[2 * k + (side < 0)] + slope * d->slip[b];
        }
        d->local[m->fr_local[k]] = slope;
        d->tau[b] = is_held(f, k) ? 0.0 : at;
    }
    sb_step_loss_place(m, d, f);
}

static sb_status factor(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_fill_mass(m, d, d->held, d->lu);
    for (int p = 0; p < m->n_jac; ++p) {
        const int slot = m->jac_slot[p];
        const int local = m->jac_local[p];
        d->lu[slot] -= f->h * sb_step_share(f, slot, local) * m->jac_coef[p] * d->local[local];
    }
    sb_step_loss_matrix(m, d, f, d->lu);
    for (int lock = 0; lock < m->n_lock; ++lock) {
        d->lu[d->lock_slot[lock]] -= d->held[lock] ? d->weight[lock] : 0.0;
    }
    ++f->stats.factorisations;
    return sb_lu_status(sb_lu_factor(m, d->lu, d->lu_inv));
}

/* Change of the unknowns and impulses of the held elements. */
static void solve(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int n_y = SB_N_Y(m);
    double *right = d->stick_b;
    sb_copy(right, d->force, SB_N_X(m));
    for (int k = 0; k < m->n_friction; ++k) {
        add_element(m, k, f->h * d->tau[SB_FRICTION_BRANCH(m, k)], right);
    }
    for (int lock = 0; lock < m->n_lock; ++lock) {
        d->grip[lock] = 0.0; // from there the shares are those of the weights
    }
    for (int repeat = 0; repeat < MOST_REPEATS; ++repeat) {
        double change = 0.0;
        double largest = 0.0;
        for (int lock = 0; lock < m->n_lock; ++lock) {
            const int k = m->lock_friction[lock];
            const double wanted = f->el_target[k] - d->slip[sb_lock_branch(m, lock)] - d->weight[lock] * d->grip[lock];
            right[n_y + lock] = d->held[lock] ? wanted : 0.0;
        }
        sb_step_loss_right(m, d, f, right);
        sb_lu_solve(m, d->lu, d->lu_inv, right, f->change, d->solve_tmp);
        for (int lock = 0; lock < m->n_lock; ++lock) {
            if (d->held[lock]) {
                change = sb_max(change, fabs(f->change[n_y + lock] - d->grip[lock]));
                largest = sb_max(largest, fabs(f->change[n_y + lock]));
                d->grip[lock] = f->change[n_y + lock];
            }
        }
        if (change <= SB_ROUNDED * largest) {
            break;
        }
    }
}

/* Torques of this round, and what the speeds are added up from. */
static void set_torques(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int j = 0; j < m->n_v; ++j) {
        d->v_size[j] = fabs(d->force[j]);
    }
    if (m->n_loss > 0) {
        sb_step_loss_torques(m, d, f);
    }
    for (int k = 0; k < m->n_friction; ++k) {
        const int b = SB_FRICTION_BRANCH(m, k);
        if (is_held(f, k)) {
            f->el_tau[k] = d->grip[m->fr_lock[k]] / f->h;
        } else if (takes_part(f, k) && !is_loss(m, k)) {
            f->el_tau[k] = d->tau[b] + d->local[m->fr_local[k]] * (slip_after(m, d, f->change, k) - d->slip[b]);
        }
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            d->v_size[m->w_col[p]] += fabs(f->h * m->w_val[p] * f->el_tau[k]);
        }
    }
    d->v_size_most = 0.0;
    for (int j = 0; j < m->n_v; ++j) {
        d->v_size[j] = d->v_size[j] / d->v_inertia[j] + fabs(d->x[j]);
        d->v_size_most = sb_max(d->v_size_most, d->v_size[j]);
    }
}

/* Rounding of a slip: the size of what it is added up from. */
static double size_of(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    double size = fabs(d->slip[b]) + fabs(f->el_start[k]);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        size += fabs(m->w_val[p]) * sb_max(d->v_size[m->w_col[p]], SB_STEP_SPREAD * d->v_size_most);
    }
    return size;
}

/* The place of a lock after this round. */
static int side_after(const sb_fixed *f, int k, double slip, double size)
{
    const int side = f->el_side[k];
    const double tau = f->el_tau[k];
    if (side != 0) {
        return side * (slip - f->el_target[k]) < -SB_AGREED * size ? 0 : side;
    }
    return tau > f->el_high[k] + SB_AGREED * fabs(f->el_high[k]) ? SB_FORWARD
           : tau < f->el_low[k] - SB_AGREED * fabs(f->el_low[k]) ? SB_BACKWARD
                                                                 : 0;
}

/* Where an element should be after this round; whether that is another place than before. An element that has to wait
 * stays, or goes half the way. */
static int update_side(const sb_model *m, sb_data *d, sb_fixed *f, int k, int waits)
{
    const double size = size_of(m, d, f, k);
    const double slip = slip_after(m, d, f->change, k);
    const double old = f->el_slip[k];
    if (is_loss(m, k)) {
        return sb_step_loss_review(m, d, f, k, slip, SB_AGREED * size, waits);
    }
    if (f->el_kind[k] == SB_EL_CURVE) {
        const double next = slip * old < 0.0 ? 0.0 : slip; // one side after the other: laws have a kink at 0
        f->el_slip[k] = waits ? 0.5 * (old + next) : next;
        return fabs(slip - old) > SB_AGREED * size || sb_resolvent_turn(m, f, k, slip, 1);
    }
    const int next = side_after(f, k, slip, size);
    const int changes = next != f->el_side[k];
    const int rests = is_held(f, k) || fabs(slip - f->el_target[k]) <= SB_MOVED * SB_AGREED * size;
    f->el_slip[k] = rests ? f->el_target[k] : slip;
    f->el_side[k] = waits ? f->el_side[k] : next;
    return changes;
}

/* Rounds until no element changes its place. */
static int iterate_sides(const sb_model *m, sb_data *d, sb_fixed *f, int *rounds)
{
    int fewest = m->n_friction + 1;
    int patience = PATIENCE;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        ++*rounds;
        set_weights(m, d, f);
        set_tangents(m, d, f, round);
        if (factor(m, d, f) != SB_OK) {
            return 0;
        }
        solve(m, d, f);
        set_torques(m, d, f);
        int changes = 0;
        for (int k = 0; k < m->n_friction; ++k) {
            const int waits = round >= LAST_ROUNDS ? changes > 0 : patience <= 0 && ((k + round) & 1);
            changes += takes_part(f, k) && update_side(m, d, f, k, waits);
        }
        if (changes == 0) {
            return 1;
        }
        patience = changes < fewest ? PATIENCE : patience - 1;
        fewest = changes < fewest ? changes : fewest;
    }
    return 0;
}

/* Elements that move in spite of their static torque break away; Karnopp's keep it within their window. Laws jump. */
static int release(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    int any = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        const int slides = f->el_kind[k] == SB_EL_LOCK && !f->el_released[k] && f->el_side[k] != 0;
        any |= sb_resolvent_jump(m, f, k);
        if (slides && !(f->el_facts[k] & SB_FACT_KARNOPP) && !is_loss(m, k)) {
            const double moved = f->el_side[k] * (slip_after(m, d, f->change, k) - f->el_target[k]);
            if (moved > SB_MOVED * SB_AGREED * size_of(m, d, f, k)) {
                sb_resolvent_release(m, d, f, k, 1);
                any = 1;
            }
        }
    }
    return any;
}

/* The rounds are used up: torques within their limits, and the motion that belongs to them. */
static void cut_torques(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        if (f->el_kind[k] == SB_EL_LOCK && !is_loss(m, k)) {
            f->el_tau[k] = sb_min(sb_max(f->el_tau[k], f->el_low[k]), f->el_high[k]);
        }
    }
    sb_step_loss_cut(m, f);
    move_by_torques(m, d, f);
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_slip[k] = slip_after(m, d, f->change, k);
    }
}

static int solve_with_release(const sb_model *m, sb_data *d, sb_fixed *f, int *rounds)
{
    int found = 0;
    for (int again = 0; again < MOST_RELEASES; ++again) {
        found = iterate_sides(m, d, f, rounds);
        if (!release(m, d, f)) {
            return found;
        }
    }
    return 0;
}

void sb_couple_sparse(const sb_model *m, sb_data *d, sb_fixed *f)
{
    int rounds = 0;
    sb_step_loss_begin(m, d, f);
    int found = solve_with_release(m, d, f, &rounds);
    if (sb_stop_find(m, d, f, m->n_friction, NULL)) {
        sb_stop_begin(m, d, f, m->n_friction, NULL);
        (void)solve_with_release(m, d, f, &rounds);
        sb_stop_end(m, d, f, m->n_friction, NULL);
        found = solve_with_release(m, d, f, &rounds);
        sb_stop_keep(f, m->n_friction, NULL);
    }
    for (int k = 0; k < m->n_friction; ++k) {
        d->local[m->fr_local[k]] = 0.0; // the free motion is that without friction
        if (f->el_kind[k] == SB_EL_IDLE) {
            f->el_slip[k] = slip_after(m, d, f->change, k);
        }
    }
    if (!found) {
        cut_torques(m, d, f);
    }
    sb_step_loss_end(m, d, f);
    f->stats.rounds += rounds;
    f->stats.most_rounds = rounds > f->stats.most_rounds ? rounds : f->stats.most_rounds;
    f->stats.capped += !found;
}
