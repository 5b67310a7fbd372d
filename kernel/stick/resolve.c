#include <math.h>
#include <string.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "stick/sb_stick.h"

/* Which of the contacts that may stick do. Their torques solve the box problem of sb_stick_solve with static limits;
 * contacts that would move get their kinetic limit and the problem is solved again. Limits only shrink, so this ends
 * after at most one round per contact, and every answer fulfils complementarity. */

/* Contacts that are within the band of their limits when another one breaks away do so with it: equal contacts stay
 * equal, and what rounding has decided is decided once. */
static sb_status release_beside(const sb_model *m, sb_data *d, double t, const double *x)
{
    SB_TRY(sb_rates(m, d, t, x, d->rate));
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        double margin[2];
        double band[2];
        sb_lock_margins(m, d, k, margin);
        sb_lock_bands(m, d, k, x, band);
        const int side = margin[0] <= band[0] ? SB_FORWARD : margin[1] <= band[1] ? SB_BACKWARD : 0;
        d->released[k] = d->released[k] != 0 || !m->lock_free[k] ? d->released[k] : side;
    }
    return SB_OK;
}

/* Contacts that share one motion and have reached their limits break away together. A contact whose limit was reached
 * by a located event breaks away at once: rounding must not hold it back. */
sb_status sb_release_fired(const sb_model *m, sb_data *d, double t, const double *x)
{
    int any = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int stuck = d->mode_before[k] == SB_STUCK;
        d->released[k] = !stuck ? 0 : d->fired[2 * k] ? SB_FORWARD : d->fired[2 * k + 1] ? SB_BACKWARD : 0;
        any |= d->released[k];
    }
    if (any && d->n_stuck > 1) {
        SB_TRY(release_beside(m, d, t, x));
    }
    for (int i = 0; i < d->n_stuck && d->n_redundant; ++i) {
        const int lead = d->lock_set[i];
        for (int j = 0; j < d->n_stuck && d->group[lead] >= 0; ++j) {
            const int k = d->lock_set[j];
            const int side = sb_sign_of(d->hold[k]);
            const int together = d->group[k] == d->group[lead] && d->mode_before[k] == SB_STUCK &&
                                 fabs(d->hold[k]) >= SB_LETS_GO_TOGETHER * sb_lock_limit(m, d, k, side);
            if (together && d->released[k] == 0 && (d->fired[2 * lead] || d->fired[2 * lead + 1])) {
                d->released[k] = side;
            }
        }
    }
    return SB_OK;
}

/* The mode of a candidate by its torque: it slides if it breaks away and sits on a bound. One that slid already, and
 * has not stopped, is held only by what is more than rounding. */
static int decided_mode(const sb_model *m, const sb_data *d, int k)
{
    const double grip = d->grip[k];
    const int slid = d->mode_before[k] == SB_FORWARD || d->mode_before[k] == SB_BACKWARD;
    const double share = slid ? SB_TORQUE_ROUNDING : SB_ON_LIMIT;
    const double band = sb_torque_band(m, d, k);
    const int on_high = d->pin[k] > 0 || grip >= d->high[k] - sb_max(share * fabs(d->high[k]), band);
    const int on_low = d->pin[k] < 0 || grip <= d->low[k] + sb_max(share * fabs(d->low[k]), band);
    const int side = d->pin[k] != 0 ? d->pin[k] : on_high ? SB_FORWARD : on_low ? SB_BACKWARD : SB_STUCK;
    const int mode = d->released[k] ? side : SB_STUCK;
    return mode != SB_STUCK && m->lock_gap[k] >= 0 ? SB_FREE : mode; // a stop that breaks away is open
}

/* The contact that nothing can yield to: it is held without a limit, against what its free speeds cannot follow. Where
 * prescribed motions demand nothing, rest is always possible. */
static int find_blocked(const sb_model *m, const sb_data *d, int n, const int *candidate)
{
    double demand = 0.0;
    for (int i = 0; i < n; ++i) {
        demand = sb_max(demand, fabs(d->need[candidate[i]]));
    }
    for (int i = 0; i < n && demand > 0.0; ++i) {
        const int k = candidate[i];
        const double left = sb_stick_left(m, d, k, d->need);
        if (m->lock_unlimited[k] != 0 && d->pin[k] == 0 && fabs(left) > SB_LEFT_DEMAND * demand) {
            return k;
        }
    }
    return SB_NOBODY;
}

/* Contacts that move in spite of their full static torque break away: their box is the kinetic one. Whether that makes
 * another problem: what gears lose may depend on that, else it is the boxes. */
static int release_moving(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int any = 0;
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        if (!d->released[k] && d->pin[k] * sb_stick_left(m, d, k, d->need) > 0.0) {
            const double high = d->high[k];
            const double low = d->low[k];
            d->released[k] = 1;
            sb_set_box(m, d, k, 1);
            any |= m->n_loss > 0 || d->high[k] != high || d->low[k] != low;
        }
    }
    return any;
}

/* The box problem of n contacts with gears in the states that they have; those that are held come behind them. */
static sb_status solve_box(const sb_model *m, sb_data *d, int n, int *candidate)
{
    sb_loss_slopes(m, d);
    sb_loss_forces(m, d, d->force);
    const int all = sb_loss_gather(m, d, n, candidate);
    d->culprit = all > 0 ? (sb_culprit){SB_EVENT, 2 * candidate[0]} : (sb_culprit){SB_NOTHING, 0};
    SB_TRY(sb_stick_solve(m, d, all, candidate, d->force, d->need, d->tau));
    sb_loss_observe(m, d, all, candidate);
    return SB_OK;
}

/* Rounds in which gears take the states that the last answer asks for, and combinations that are tried where that does
 * not end: all of four gears at rest (5^4), or of ten that slide. */
enum { GEAR_ROUNDS = 8, MOST_COMBINATIONS = 2000 };

/* The losses of gears are no convex problem: changing what contradicts the answer may not end, and there may be no
 * answer. Then all combinations are tried. */
static sb_status try_combinations(const sb_model *m, sb_data *d, int n, int *candidate)
{
    for (int number = 0; number < MOST_COMBINATIONS && sb_loss_combine(m, d, number); ++number) {
        for (int i = 0; i < n; ++i) {
            d->pin[candidate[i]] = 0;
        }
        if (solve_box(m, d, n, candidate) == SB_OK && sb_loss_agrees(m, d)) {
            return SB_OK;
        }
    }
    return SB_NO_STICK_SOLUTION;
}

/* The box problem with gears in states that agree with it. */
static sb_status solve_with_gears(const sb_model *m, sb_data *d, int n, int *candidate)
{
    sb_status status = SB_OK;
    const int most = GEAR_ROUNDS + 4 * m->n_loss;
    for (int round = 0; round < most && status == SB_OK; ++round) {
        status = solve_box(m, d, n, candidate);
        if (status == SB_SINGULAR && sb_loss_sit(m, d, d->held)) {
            status = SB_OK;
        } else if (status == SB_OK && !sb_loss_review(m, d, round > most / 2)) {
            return SB_OK;
        }
    }
    if (m->n_loss == 0) {
        return status;
    }
    status = try_combinations(m, d, n, candidate);
    return status == SB_NO_STICK_SOLUTION && sb_loss_hold(m, d) ? try_combinations(m, d, n, candidate) : status;
}

/* Box problem with static limits, again with kinetic ones for those that break away. The gears agree before a contact
 * breaks away. */
static sb_status solve_with_release(const sb_model *m, sb_data *d, int n, int *candidate)
{
    int again = n + m->n_loss > 0;
    while (again) {
        SB_TRY(solve_with_gears(m, d, n, candidate));
        again = release_moving(m, d, n, candidate);
    }
    return SB_OK;
}

/* Hybrid contacts whose slip decays: they are held by all means. Of those that demand it of one motion the first ones
 * do; the others are taken out of the candidates. Returns the number that is left. */
static sb_status demand_decays(const sb_model *m, sb_data *d, int n, int *candidate, int *left)
{
    int decaying = 0;
    memset(d->held, 0, (size_t)m->n_lock * sizeof *d->held);
    memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        if (sb_is_hybrid(m, d, k) && sb_has_slip(m, d, k)) {
            d->held[k] = 1;
            d->released[k] = 0;
            d->need[k] += sb_manner_of(m, d, k).decay * d->slip[sb_lock_branch(m, k)];
            d->high[k] = INFINITY;
            d->low[k] = -INFINITY;
            ++decaying;
        }
    }
    if (decaying > 1) {
        sb_fill_mass(m, d, d->held, d->stick_lu);
        SB_TRY(sb_lu_rank(m, d->stick_lu, d->stick_inv, d->redundant));
    }
    *left = 0;
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        candidate[*left] = k;
        *left += !d->redundant[k];
    }
    return SB_OK;
}

int sb_find_candidates(const sb_model *m, sb_data *d, const double *x, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        if (m->lock_loss[k] >= 0) {
            sb_loss_begin(m, d, k);
            continue;
        }
        const sb_facts facts = sb_facts_of(m, d, k, x);
        const sb_verdict verdict = sb_classify(&facts);
        d->mode[k] = verdict.mode;
        d->phase[k] = verdict.phase;
        d->released[k] = verdict.favours;
        if (verdict.outcome == SB_BLOCKS) {
            d->culprit = (sb_culprit){SB_EVENT, 2 * k};
        }
        if (verdict.outcome == SB_MAY_STICK) {
            candidate[n++] = k;
        }
    }
    return n;
}

/* Contacts without limit that block each other only because slips are to decay come before these: such a slip goes on
 * as the others let it. Takes them out of the candidates; whether there were some. */
static int overrule_decays(const sb_model *m, sb_data *d, int *n, int *candidate)
{
    int left = 0;
    for (int i = 0; i < *n; ++i) {
        const int k = candidate[i];
        if (sb_is_hybrid(m, d, k) && sb_has_slip(m, d, k)) {
            d->mode[k] = sb_sign_of(d->slip[sb_lock_branch(m, k)]);
            d->phase[k] = SB_OVERRULED;
        } else {
            candidate[left++] = k;
        }
    }
    const int any = left < *n;
    *n = left;
    return any;
}

/* The box problem of the candidates, from the beginning. */
static sb_status decide(const sb_model *m, sb_data *d, const double *x, int *count, int *candidate)
{
    for (int i = 0; i < *count; ++i) {
        d->mode[candidate[i]] = SB_STUCK;
    }
    sb_loss_slopes(m, d);
    sb_forces_again(m, d, x, d->force);
    for (int i = 0; i < *count; ++i) {
        const int k = candidate[i];
        d->need[k] = d->slip_t[sb_lock_branch(m, k)];
        d->pin[k] = 0;
        sb_set_box(m, d, k, d->released[k]);
    }
    SB_TRY(demand_decays(m, d, *count, candidate, count));
    return solve_with_release(m, d, *count, candidate);
}

static void set_mode(const sb_model *m, sb_data *d, int k)
{
    const sb_manner way = sb_manner_of(m, d, k);
    d->mode[k] = decided_mode(m, d, k);
    const int moves = d->mode[k] == SB_FORWARD || d->mode[k] == SB_BACKWARD;
    const int inside = d->mode[k] * d->slip[sb_lock_branch(m, k)] < way.window * (1.0 - SB_ON_LIMIT);
    d->phase[k] = !moves                                  ? SB_PLAIN
                  : way.kind == SB_LOCK_KARNOPP && inside ? SB_LETTING_GO
                  : way.kind == SB_LOCK_HYBRID            ? SB_FRESH_ALONG
                                                          : SB_PLAIN;
}

sb_status sb_decide_modes(const sb_model *m, sb_data *d, const double *x, int *count, int *candidate)
{
    int blocked;
    do {
        SB_TRY(decide(m, d, x, count, candidate));
        blocked = find_blocked(m, d, *count, candidate);
    } while (blocked != SB_NOBODY && overrule_decays(m, d, count, candidate));
    if (blocked != SB_NOBODY) {
        d->culprit = (sb_culprit){SB_EVENT, 2 * blocked};
        return SB_BLOCKED;
    }
    for (int i = 0; i < *count; ++i) {
        set_mode(m, d, candidate[i]);
    }
    return SB_OK;
}
