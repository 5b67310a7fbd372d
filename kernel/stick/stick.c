#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Holding torques l of a set of contacts within their boxes, without ever forming A:
 *
 *     min  1/2 l'A l - b'l        low <= l <= high        A = W' M^-1 W
 *
 * Some contacts are held, the others pinned to a bound. With the columns W_h of the held ones and W_p of the pinned
 * ones, accelerations and holding torques follow from one sparse bordered matrix:
 *
 *     [ M     W_h ] [ v'  ]   [ forces - W_p l_p      ]
 *     [           ] [     ] = [                       ]
 *     [ W_h'  -e  ] [ l_h ]   [ -need - e l_h(before) ]
 *
 * where need is the slip acceleration that prescribed motions demand. A small e (larger for smaller limits) makes every
 * such matrix regular, also when contacts hold one motion together, and chooses the split of equal utilisation;
 * repeating with l_h(before) brings the slip accelerations back to rounding. All contacts that are wrong change sides
 * at once; when that does not help any more, one at a time does, which ends because A + e is positive definite. */

enum { FEWEST_ROUNDS = 3, SPLIT_ROUNDS = 20, MOST_ROUNDS = 400, PATIENCE = 6 };

static double box_width(const sb_data *d, int lock)
{
    return 0.5 * (d->high[lock] - d->low[lock]);
}

/* Within a group of contacts that depend on each other by their limits and by the reach of their torques: those that
 * hold one motion, through gears too, are used equally. */
static void set_weights(const sb_model *m, sb_data *d, int n, const int *set)
{
    double largest = 0.0;
    double reach = 0.0;
    for (int i = 0; i < n; ++i) {
        d->group_scale[set[i]] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        const int group = d->group[set[i]];
        if (group >= 0) {
            d->group_scale[group] = sb_max(d->group_scale[group], d->lock_scale[set[i]]);
            reach = sb_max(reach, d->share_reach[set[i]]);
        }
    }
    for (int i = 0; i < n; ++i) {
        const double width = box_width(d, set[i]);
        largest = isfinite(width) ? sb_max(largest, width) : largest;
    }
    for (int i = 0; i < n; ++i) {
        const int k = set[i];
        const double width = box_width(d, k);
        const int plain = isfinite(width) || m->lock_loss[k] < 0; // gears share evenly until their limits are known
        const double share = width > 0.0 && plain && largest > 0.0 ? largest / width : 1.0;
        const double shared = d->group[k] >= 0 ? d->group_scale[d->group[k]] * d->share_reach[k] / reach : 0.0;
        const double scale = d->group[k] >= 0 ? shared : d->lock_scale[k];
        d->weight[k] = SB_SHARE_WEIGHT * scale * sb_min(sb_max(share, 1.0 / SB_WIDEST_SHARE), SB_WIDEST_SHARE);
    }
}

static double bound_of(const sb_data *d, int lock)
{
    return d->pin[lock] > 0 ? d->high[lock] : d->low[lock];
}

/* What is not held has a torque of 0, and no position or state takes part: without them the problem is mostly a small
 * one, with the same bits. Gears have more in Mass. */
static void gather_small(const sb_model *m, sb_data *d)
{
    const int n_x = SB_N_X(m);
    int n = 0;
    for (int i = 0; i < n_x; ++i) {
        const int lock = m->lu_perm[i] - SB_N_Y(m);
        const int part = m->lu_perm[i] < m->n_v || (lock >= 0 && d->held[lock]);
        d->stick_place[i] = part ? n : -1;
        n += part;
    }
    d->n_stick = SB_N_STICK(m) && m->n_loss == 0 && n <= SB_MOST_SMALL ? n : 0;
    for (int i = 0; i < d->n_stick * d->n_stick; ++i) {
        d->stick_small[i] = 0.0;
    }
    for (int i = 0; i < n_x && d->n_stick > 0; ++i) {
        double *row = d->stick_small + d->n_stick * d->stick_place[i];
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1] && d->stick_place[i] >= 0; ++p) {
            const int place = d->stick_place[m->lu_col[p]];
            if (place >= 0) {
                row[place] = d->stick_lu[p];
            }
        }
    }
}

/* d->stick_x from d->stick_b */
static void solve(const sb_model *m, sb_data *d)
{
    double x[SB_MOST_SMALL];
    const int n_x = SB_N_X(m);
    if (d->n_stick == 0) {
        sb_lu_solve(m, d->stick_lu, d->stick_inv, d->stick_b, d->stick_x, d->solve_tmp);
        return;
    }
    for (int i = 0; i < n_x; ++i) {
        if (d->stick_place[i] >= 0) {
            x[d->stick_place[i]] = d->stick_b[m->lu_perm[i]];
        }
    }
    sb_small_solve_of(d->n_stick, d->stick_small, d->stick_inv, x);
    for (int i = 0; i < n_x; ++i) {
        d->stick_x[m->lu_perm[i]] = d->stick_place[i] >= 0 ? x[d->stick_place[i]] : 0.0;
    }
}

static sb_status factor(const sb_model *m, sb_data *d, int n, const int *set, double larger)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->held[k] = 0;
    }
    for (int i = 0; i < n; ++i) {
        d->held[set[i]] = d->pin[set[i]] == 0;
    }
    sb_fill_mass(m, d, d->held, d->stick_lu);
    for (int i = 0; i < n; ++i) {
        if (d->held[set[i]]) {
            d->stick_lu[d->lock_slot[set[i]]] -= larger * d->weight[set[i]];
        }
    }
    ++d->stats.factorisations;
    gather_small(m, d);
    return sb_lu_status(d->n_stick > 0 ? sb_small_factor_of(d->n_stick, d->stick_small, d->stick_inv)
                                       : sb_lu_factor(m, d->stick_lu, d->stick_inv));
}

/* Forces with the torques as they are: what is left for the held contacts to change. */
static void set_right(const sb_model *m, sb_data *d, int n, const int *set, const double *force, const double *need)
{
    double *b = d->stick_b;
    sb_copy(b, force, m->n_v);
    for (int i = m->n_v; i < SB_N_X(m); ++i) {
        b[i] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        const int k = set[i];
        sb_add_torque(m, sb_lock_branch(m, k), -d->grip[k], b);
        b[SB_N_Y(m) + k] = d->held[k] ? -need[k] : 0.0;
    }
    sb_loss_pinned(m, d, n, set, force, b);
}

/* Torques of the held contacts, the others on their bounds; leaves the accelerations in d->stick_x. Every round solves
 * for what the torques lack, so that its rounding is that of a small change. Whether nothing is left to change. */
static int solve_held_torques(const sb_model *m, sb_data *d, int n, const int *set, const double *force,
                              const double *need, int fewest, int most)
{
    const int n_y = SB_N_Y(m);
    for (int round = 0; round < most; ++round) {
        double largest = 0.0;
        double change = 0.0;
        int any = 0;
        set_right(m, d, n, set, force, need);
        solve(m, d);
        for (int i = 0; i < n; ++i) {
            const int k = set[i];
            if (d->held[k]) {
                any = 1;
                change = sb_max(change, fabs(d->stick_x[n_y + k]));
                d->grip[k] += d->stick_x[n_y + k];
                largest = sb_max(largest, fabs(d->grip[k]));
            }
        }
        if (!any || (round + 1 >= fewest && change <= SB_ROUNDED * largest)) { // the next round would be this one
            return 1;
        }
    }
    return 0;
}

/* From 0. Contacts that hold one motion together are split first, by larger weights, which mostly bring the
 * accelerations to rounding, too. If not, other rounds do, which keep the split but for their rounding. */
static sb_status solve_all_held(const sb_model *m, sb_data *d, int n, const int *set, const double *force,
                                const double *need, int shares)
{
    for (int i = 0; i < n; ++i) {
        d->grip[set[i]] = d->pin[set[i]] == 0 ? 0.0 : bound_of(d, set[i]);
    }
    if (shares) {
        SB_TRY(factor(m, d, n, set, SB_SPLIT_WEIGHT));
        if (solve_held_torques(m, d, n, set, force, need, FEWEST_ROUNDS, SPLIT_ROUNDS)) {
            return SB_OK;
        }
    }
    SB_TRY(factor(m, d, n, set, 1.0));
    (void)solve_held_torques(m, d, n, set, force, need, FEWEST_ROUNDS, MOST_ROUNDS);
    return SB_OK;
}

/* What rounding may leave of the speeds' accelerations: the terms that they are added up from. */
static void size_accelerations(const sb_model *m, sb_data *d, int n, const int *set, const double *force,
                               const double *tau)
{
    d->v_size_most = 0.0;
    for (int j = 0; j < m->n_v; ++j) {
        double size = fabs(force[j]);
        for (int p = m->wt_ptr[j]; p < m->wt_ptr[j + 1] && tau; ++p) {
            size += fabs(m->wt_val[p] * tau[m->wt_row[p]]);
        }
        d->v_size[j] = size;
    }
    for (int i = 0; i < n; ++i) {
        const int b = sb_lock_branch(m, set[i]);
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            d->v_size[m->w_col[p]] += fabs(m->w_val[p] * d->grip[set[i]]);
        }
    }
    for (int j = 0; j < m->n_v; ++j) {
        d->v_size[j] /= d->v_inertia[j];
        d->v_size_most = sb_max(d->v_size_most, d->v_size[j]);
    }
}

double sb_stick_left(const sb_model *m, const sb_data *d, int lock, const double *need)
{
    const int b = sb_lock_branch(m, lock);
    double sum = need[lock];
    double size = fabs(sum);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        sum += m->w_val[p] * d->stick_x[m->w_col[p]];
        size += fabs(m->w_val[p]) * sb_max(d->v_size[m->w_col[p]], SB_LEFT_SPREAD * d->v_size_most);
    }
    return fabs(sum) > SB_LEFT_OVER * size ? sum : 0.0;
}

/* Where a contact should be instead of where it is: beyond a bound it goes onto it, held back the wrong way it leaves.
 */
static int better_pin(const sb_model *m, const sb_data *d, int k, const double *need)
{
    if (d->pin[k] != 0) {
        const int room = d->high[k] > d->low[k]; // without any it changes sides
        return d->pin[k] * sb_stick_left(m, d, k, need) >= 0.0 ? d->pin[k] : room ? 0 : -d->pin[k];
    }
    return d->grip[k] > d->high[k] + SB_BEYOND_BOX * fabs(d->high[k]) ? 1
           : d->grip[k] < d->low[k] - SB_BEYOND_BOX * fabs(d->low[k]) ? -1
                                                                      : 0;
}

sb_status sb_stick_solve(const sb_model *m, sb_data *d, int n, const int *set, const double *force, const double *need,
                         const double *tau)
{
    set_weights(m, d, n, set);
    int fewest = n + 1;
    int patience = PATIENCE;
    const int most = 20 + 10 * n;
    int shares = 0;
    for (int i = 0; i < n; ++i) {
        shares |= d->group[set[i]] >= 0;
    }
    for (int round = 0; round < most; ++round) {
        SB_TRY(solve_all_held(m, d, n, set, force, need, shares));
        size_accelerations(m, d, n, set, force, tau);
        int wrong = 0;
        int last = -1;
        for (int i = 0; i < n; ++i) {
            const int better = better_pin(m, d, set[i], need);
            wrong += better != d->pin[set[i]];
            last = better != d->pin[set[i]] ? i : last;
        }
        if (wrong == 0) {
            return SB_OK;
        }
        patience = wrong < fewest ? PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        for (int i = patience > 0 ? 0 : last; i <= last; ++i) {
            d->next_pin[i] = better_pin(m, d, set[i], need);
        }
        for (int i = patience > 0 ? 0 : last; i <= last; ++i) {
            d->pin[set[i]] = d->next_pin[i];
        }
    }
    return SB_NO_STICK_SOLUTION;
}
