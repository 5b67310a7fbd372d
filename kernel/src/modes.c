#include <math.h>
#include <string.h>

#include "sb_friction.h"
#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_loss.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

/* True stick. Locked contacts keep slip 0 by holding torques, which follow from the network. At an event the torques of
 * all contacts that may stick solve the box problem of sb_stick_solve with their static limits; contacts that would
 * move get their kinetic limit and the problem is solved again. Limits only shrink, so this ends after at most one
 * round per contact, and every answer fulfils complementarity. */

/* Accuracy in time of a located event, by whatever integrator. */
#define LOCATED 1e-12

/* Share of its limit at which a contact lets go together with those that share its motion. */
#define TOGETHER (1.0 - 1e-7)

/* Share of a demanded slip acceleration that cannot be met when contacts without limit block each other. */
#define BLOCKED 1e-6

/* Share of its own compliance below which a contact is held by others. */
#define HELD 1e-10

/* No load now and none coming: at a load of 0 its trend decides. */
static int is_open(const sb_model *m, const sb_data *d, int lock)
{
    if (m->lock_unlimited[lock] != 0) {
        return 0;
    }
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double load = d->jet[SB_JET * signal];
        if (load > 0.0 || (load == 0.0 && sb_signal_rate(m, d, signal, d->rate) > 0.0)) {
            return 0;
        }
    }
    return 1;
}

/* Whether a load that was located at 0 ends there: what is left of it goes within the resolution of time. */
static int loses_load(const sb_model *m, const sb_data *d, int lock)
{
    double left = -INFINITY;
    for (int side = SB_BACKWARD; side <= SB_FORWARD && m->lock_unlimited[lock] == 0; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double fall = sb_min(sb_signal_rate(m, d, signal, d->rate), 0.0);
        left = sb_max(left, d->jet[SB_JET * signal] + fall * LOCATED * sb_max(fabs(d->t_look), 1.0));
    }
    return m->lock_unlimited[lock] == 0 && left <= 0.0;
}

static double nominal_slip(const sb_model *m, int lock)
{
    double nominal = 0.0;
    const int b = sb_lock_branch(m, lock);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

double sb_least_slip(const sb_model *m, int lock)
{
    return SB_SLIP_ZERO * nominal_slip(m, lock);
}

double sb_jumped_slip(const sb_model *m, int lock)
{
    return SB_JUMPED * nominal_slip(m, lock);
}

/* A stop that is open stays open until it is met, and opens when it moves away. */
static int stop_is_open(const sb_model *m, const sb_data *d, int lock, double slip)
{
    const int met = d->mode[lock] == SB_FREE ? d->fired[2 * lock] : 1;
    return m->lock_gap[lock] >= 0 && (!met || -m->lock_unlimited[lock] * slip > sb_least_slip(m, lock));
}

static int is_hybrid(const sb_model *m, int lock)
{
    return sb_manner_of(m, lock).kind == SB_LOCK_HYBRID;
}

/* Whether a hybrid contact has a slip to let decay. */
static int has_slip(const sb_model *m, const sb_data *d, int lock)
{
    return fabs(d->slip[sb_lock_branch(m, lock)]) > sb_least_slip(m, lock);
}

/* A hybrid contact that has a slip is caught and lets go by its own events, whatever happens beside it. Returns whether
 * it may stick. */
static int review_hybrid(const sb_model *m, sb_data *d, int k)
{
    const sb_manner way = sb_manner_of(m, k);
    const double slip = d->slip[sb_lock_branch(m, k)];
    const double jumped = sb_jumped_slip(m, k);
    const int mode = d->mode[k];
    const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
    const int fresh = d->fresh[k];
    d->fresh[k] = 0;
    if (!has_slip(m, d, k)) {
        d->fresh[k] = slides && !d->fired[2 * k] ? fresh : 0;
        return !slides || d->fired[2 * k];
    }
    if (mode == SB_FREE || (mode == SB_STUCK && fabs(slip) > way.window + jumped)) {
        d->mode[k] = sb_sign_of(slip);
    } else if (mode == SB_STUCK && d->released[k]) {
        d->mode[k] = d->fired[2 * k] ? SB_FORWARD : d->fired[2 * k + 1] ? SB_BACKWARD : sb_sign_of(d->hold[k]);
        d->fresh[k] = d->mode[k] * slip < 0.0 ? SB_AGAINST : SB_ALONG;
    } else if (slides && !d->fired[2 * k]) {
        const int turned = mode * slip < -sb_max(jumped, 2.5 * way.release);
        d->mode[k] = turned ? sb_sign_of(slip) : mode;
        d->fresh[k] = turned ? 0 : fresh;
    } else if (!(slides && fresh && mode * slip > way.release)) { // faster than that, it may be caught from now on
        return 1;
    }
    return 0;
}

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
static int find_candidates(const sb_model *m, sb_data *d, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        if (m->lock_loss[k] >= 0) {
            sb_loss_begin(m, d, k);
            continue;
        }
        const sb_manner way = sb_manner_of(m, k);
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fired = d->fired[2 * k] || d->fired[2 * k + 1];
        const int mode = d->mode[k];
        const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
        const double least = sb_max(sb_least_slip(m, k), way.window * (1.0 + SB_ON_LIMIT));
        const int moving = fabs(slip) > least;
        const int within = d->within[k];
        d->within[k] = 0;
        const int closes = mode == SB_FREE && d->fired[2 * k]; // what was located is not undone by rounding
        const int opens = (slides || mode == SB_STUCK) && d->fired[2 * k + 1] && loses_load(m, d, k);

        // a speed has jumped to the other side
        const double back = sb_max(sb_jumped_slip(m, k), least);
        const int missed = way.kind != SB_LOCK_SWITCH && mode * slip < -sb_max(back, way.window); // its window
        const int stops = slides && d->fired[2 * k] && !missed;
        const int turned = slides && !stops && mode * slip < -back && m->lock_unlimited[k] != sb_sign_of(slip);
        if ((is_open(m, d, k) && !closes) || opens || stop_is_open(m, d, k, slip)) {
            d->mode[k] = SB_FREE;
        } else if (sb_is_literal(m, d, k)) {
            d->mode[k] = slip < 0.0 ? SB_BACKWARD : SB_FORWARD;
        } else if (!m->lock_free[k]) {
            const double trend = moving && !stops ? slip : d->slip_t[sb_lock_branch(m, k)];
            d->mode[k] = sb_sign_of(trend);
            d->culprit = d->mode[k] != 0 && d->mode[k] == m->lock_unlimited[k] ? 2 * k : d->culprit;
        } else if (way.kind == SB_LOCK_HYBRID) {
            candidate[n] = k;
            n += review_hybrid(m, d, k);
        } else if (turned) {
            d->mode[k] = sb_sign_of(slip);
        } else if (within && (!fired || mode * slip >= way.window * (1.0 - SB_ON_LIMIT))) {
            d->within[k] = !fired;
        } else if (slides && !within && !stops && (way.kind != SB_LOCK_SWITCH || mode * slip > 0.0)) {
            continue; // also where its load is about to go: that stops nothing
        } else if ((mode == SB_FREE || mode == SB_STUCK) && moving) {
            d->mode[k] = sb_sign_of(slip);
        } else {
            candidate[n++] = k;
        }
    }
    return n;
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

/* Contacts that share one motion and have reached their limits let go together. A contact whose limit was reached by a
 * located event lets go at once: rounding must not hold it back. */
static void release_fired(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->released[k] = d->mode_old[k] == SB_STUCK && (d->fired[2 * k] || d->fired[2 * k + 1]);
    }
    for (int i = 0; i < d->n_stuck && d->n_redundant; ++i) {
        const int lead = d->lock_set[i];
        for (int j = 0; j < d->n_stuck && d->group[lead] >= 0; ++j) {
            const int k = d->lock_set[j];
            const int side = sb_sign_of(d->hold[k]);
            const int together = d->group[k] == d->group[lead] && d->mode_old[k] == SB_STUCK &&
                                 fabs(d->hold[k]) >= TOGETHER * sb_lock_limit(m, d, k, side);
            d->released[k] |= together && (d->fired[2 * lead] || d->fired[2 * lead + 1]);
        }
    }
}

/* The mode of a candidate by its torque: it slides if it lets go and sits on a bound. */
static int decided_mode(const sb_model *m, const sb_data *d, int k)
{
    const double grip = d->grip[k];
    const int on_high = d->pin[k] > 0 || grip >= d->high[k] - SB_ON_LIMIT * fabs(d->high[k]);
    const int on_low = d->pin[k] < 0 || grip <= d->low[k] + SB_ON_LIMIT * fabs(d->low[k]);
    const int side = d->pin[k] != 0 ? d->pin[k] : on_high ? SB_FORWARD : on_low ? SB_BACKWARD : SB_STUCK;
    const int mode = d->released[k] ? side : SB_STUCK;
    return mode != SB_STUCK && m->lock_gap[k] >= 0 ? SB_FREE : mode; // a stop that lets go is open
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
        if (m->lock_unlimited[k] != 0 && d->pin[k] == 0 && fabs(left) > BLOCKED * demand) {
            return k;
        }
    }
    return SB_NOBODY;
}

/* Contacts that move in spite of their full static torque let go: their box is the kinetic one. */
static int release_moving(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int any = 0;
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        if (!d->released[k] && d->pin[k] * sb_stick_left(m, d, k, d->need) > 0.0) {
            d->released[k] = any = 1;
            sb_set_box(m, d, k, 1);
        }
    }
    return any;
}

/* Box problem with static limits, again with kinetic ones for those that let go. Gears with losses that may stick come
 * behind the n contacts; their modes settle before a contact lets go. */
static sb_status settle(const sb_model *m, sb_data *d, int n, int *candidate)
{
    int all = sb_loss_gather(m, d, n, candidate);
    int round = 0;
    for (int again = n + m->n_loss > 0; again;) {
        d->culprit = all > 0 ? 2 * candidate[0] : SB_NOBODY;
        SB_TRY(sb_stick_solve(m, d, all, candidate, d->force, d->need, d->tau));
        again = 0;
        if (m->n_loss > 0) {
            SB_TRY(sb_loss_review(m, d, all, candidate, round++, &again));
            all = again ? sb_loss_gather(m, d, n, candidate) : all;
        }
        again = again || release_moving(m, d, n, candidate);
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
        if (is_hybrid(m, k) && has_slip(m, d, k)) {
            d->held[k] = 1;
            d->released[k] = 0;
            d->need[k] += sb_manner_of(m, k).decay * d->slip[sb_lock_branch(m, k)];
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

/* Modes of the candidates. */
static sb_status decide(const sb_model *m, sb_data *d, double t, const double *x, int *count, int *candidate)
{
    int n = *count;
    for (int i = 0; i < n; ++i) {
        d->mode[candidate[i]] = SB_STUCK;
    }
    sb_loss_slopes(m, d);
    sb_forces(m, d, t, x, d->force);
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        d->need[k] = d->slip_t[sb_lock_branch(m, k)];
        d->pin[k] = 0;
        sb_set_box(m, d, k, d->released[k]);
    }
    SB_TRY(demand_decays(m, d, n, candidate, count));
    n = *count;
    SB_TRY(settle(m, d, n, candidate));
    const int blocked = find_blocked(m, d, n, candidate);
    if (blocked != SB_NOBODY) {
        d->culprit = 2 * blocked;
        return SB_BLOCKED;
    }
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        d->mode[k] = decided_mode(m, d, k);
        const sb_manner way = sb_manner_of(m, k);
        d->within[k] = way.kind == SB_LOCK_KARNOPP && d->mode[k] != SB_STUCK &&
                       d->mode[k] * d->slip[sb_lock_branch(m, k)] < way.window * (1.0 - SB_ON_LIMIT);
        d->fresh[k] = way.kind == SB_LOCK_HYBRID && d->mode[k] != SB_STUCK ? SB_ALONG : 0;
    }
    return SB_OK;
}

/* Contacts that a redundant one depends on get its number as their group. */
static void find_group(const sb_model *m, sb_data *d, int redundant)
{
    response(m, d, sb_lock_branch(m, redundant), d->mass_lu, d->mass_inv, d->rate);
    const double *part = d->rate + SB_N_Y(m);
    d->group[redundant] = redundant;
    for (int k = 0; k < m->n_lock; ++k) {
        const int old = d->group[k];
        if (!d->locked[k] || fabs(part[k]) <= 1e-9 || old == redundant) {
            continue;
        }
        d->group[k] = redundant;
        for (int j = 0; j < m->n_lock && old >= 0; ++j) {
            d->group[j] = d->group[j] == old ? redundant : d->group[j];
        }
    }
}

/* Marks the contacts of d->locked whose motion the others of them hold already. */
static sb_status find_redundant(const sb_model *m, sb_data *d, int *redundant)
{
    memset(redundant, 0, (size_t)m->n_lock * sizeof *redundant);
    sb_fill_mass(m, d, d->locked, d->mass_lu);
    return sb_lu_rank(m, d->mass_lu, d->mass_inv, redundant);
}

/* Adds the stuck contacts of a kind to d->locked, one after the other, if those before leave their motion open. */
static sb_status lock_kind(const sb_model *m, sb_data *d, sb_lock_kind kind)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        if (sb_manner_of(m, k).kind == kind) {
            d->locked[k] = 1;
            SB_TRY(find_redundant(m, d, d->held));
            for (int j = 0; j < m->n_lock; ++j) {
                d->redundant[k] |= d->held[j];
            }
            d->locked[k] = !d->redundant[k];
        }
    }
    return SB_OK;
}

/* The same where slips decay: contacts that keep theirs at 0 come first, then those whose slip decays, and last those
 * that others may take along. */
static sb_status find_redundant_in_order(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        d->locked[d->lock_set[i]] = sb_manner_of(m, d->lock_set[i]).kind == SB_LOCK_SWITCH;
    }
    SB_TRY(find_redundant(m, d, d->redundant));
    for (int k = 0; k < m->n_lock; ++k) {
        d->locked[k] = d->locked[k] && !d->redundant[k];
    }
    SB_TRY(lock_kind(m, d, SB_LOCK_HYBRID));
    return lock_kind(m, d, SB_LOCK_KARNOPP);
}

/* Mass with the stuck contacts in d->lock_set, without those of them whose motion the others hold already. */
static sb_status lock_stuck(const sb_model *m, sb_data *d)
{
    int decaying = 0;
    int left_out = 0;
    d->n_stuck = d->n_redundant = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        d->locked[k] = d->mode[k] == SB_STUCK && m->lock_free[k] && !sb_loss_leans(m, d, k);
        d->group[k] = SB_NOBODY;
        d->excess[k] = 0.0;
        decaying += d->locked[k] && is_hybrid(m, k);
        if (d->locked[k]) {
            d->lock_set[d->n_stuck++] = k;
        }
    }
    SB_TRY(find_redundant(m, d, d->redundant));
    for (int k = 0; k < m->n_lock; ++k) {
        left_out |= d->redundant[k];
    }
    if (decaying && left_out) {
        SB_TRY(find_redundant_in_order(m, d));
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->n_redundant += d->redundant[k];
        d->redundant_ever[k] |= d->redundant[k];
        d->locked[k] = !d->redundant[k];
    }
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    for (int k = 0; k < m->n_lock && d->n_redundant; ++k) {
        if (d->redundant[k]) {
            find_group(m, d, k);
        }
    }
    return SB_OK;
}

/* A contact that slides is stuck if the stuck ones hold its motion. */
static int share(const sb_model *m, sb_data *d, int k)
{
    const int slides = d->mode[k] == SB_FORWARD || d->mode[k] == SB_BACKWARD;
    const int b = sb_lock_branch(m, k);
    if (!slides) {
        return 0;
    }
    response(m, d, b, d->mass_lu, d->mass_inv, d->rate);
    const double yields = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->rate, 0.0);
    const int held = fabs(yields) <= HELD * d->lock_scale[k];
    d->mode[k] = held ? SB_STUCK : d->mode[k];
    d->fresh[k] = held ? 0 : d->fresh[k];
    return held;
}

/* A contact that lets go on its limit while others hold its motion does not slide: it goes on sharing with them. So
 * does a hybrid contact that slides and is stopped by others. */
static sb_status keep_sharing(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int kept = 0;
    memset(d->held, 0, (size_t)m->n_lock * sizeof *d->held);
    for (int i = 0; i < n && d->n_stuck > 0; ++i) {
        const int k = candidate[i];
        const int lets_go = d->released[k] && !d->within[k] && sb_stick_left(m, d, k, d->need) == 0.0;
        kept |= lets_go && share(m, d, k);
        d->held[k] = 1; // decided: the others are asked below
    }
    for (int k = 0; k < m->n_lock && d->n_stuck > 0; ++k) {
        kept |= !d->held[k] && is_hybrid(m, k) && d->fresh[k] && !has_slip(m, d, k) && share(m, d, k);
    }
    return kept ? lock_stuck(m, d) : SB_OK;
}

/* Slips that stuck contacts keep, states of laws that stick or begin to slide. */
static void settle_contacts(const sb_model *m, sb_data *d, double *x)
{
    d->n_decaying = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int mode = d->mode[k];
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fresh = d->mode_old[k] != SB_STUCK || mode != SB_STUCK;
        const int karnopp = sb_manner_of(m, k).kind == SB_LOCK_KARNOPP;
        const int moved = fabs(slip - d->slip_kept[k]) > SB_JUMPED * sb_manner_of(m, k).window; // others took it along
        d->slip_kept[k] = !karnopp || mode != SB_STUCK ? 0.0 : fresh || moved ? slip : d->slip_kept[k];
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;
        d->decays[k] = mode == SB_STUCK && is_hybrid(m, k) && has_slip(m, d, k);

        const double *param;
        const sb_law *law = sb_lock_law(m, k, &param);
        if (law->steady && mode != d->mode_old[k]) {
            const double speed = mode == SB_STUCK ? 0.0 : fabs(slip);
            law->steady(param, speed, x + m->n_v + m->n_q + m->fr_state[m->lock_friction[k]]);
        }
    }
}

/* How the slips of the watched contacts answer to their torques in the present modes of the others. */
static void find_compliances(const sb_model *m, sb_data *d)
{
    if (m->n_watch == 0) {
        return;
    }
    double *inverse = d->lu; // no step is under way
    sb_lu_inverse(m, d->mass_lu, d->mass_inv, inverse);
    for (int i = 0; i < m->n_watch; ++i) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[i]);
        const int lock = m->fr_lock[m->watch[i]];
        double sum = 0.0;
        double alone = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            alone += m->w_val[p] * m->w_val[p] / d->v_inertia[m->w_col[p]];
            for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
                const int slot = sb_lu_slot(m, m->lu_place[m->w_col[p]], m->lu_place[m->w_col[q]]);
                sum += m->w_val[p] * m->w_val[q] * inverse[slot];
            }
        }
        sum = lock >= 0 && d->locked[lock] ? -1.0 / inverse[d->lock_slot[lock]] : sum;
        d->compliance[m->watch[i]] = sum > HELD * alone ? sum : 0.0;
    }
}

static sb_status update_locks(const sb_model *m, sb_data *d, double t, double *x)
{
    if (d->n_redundant) { // who shares a limit; the board may show another instant
        SB_TRY(sb_rates(m, d, t, x, d->rate));
    }
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    release_fired(m, d);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_decaying = d->n_varying = 0;
    sb_forces(m, d, t, x, d->force);
    d->culprit = SB_NOBODY;
    int n = find_candidates(m, d, d->candidate);
    if (d->culprit != SB_NOBODY) { // a prescribed slip in the direction that is blocked
        return SB_BLOCKED;
    }
    SB_TRY(decide(m, d, t, x, &n, d->candidate));
    SB_TRY(lock_stuck(m, d));
    SB_TRY(keep_sharing(m, d, n, d->candidate));
    for (int round = 0; round < m->n_loss && d->n_redundant; ++round) { // the split is another one than that of decide
        SB_TRY(sb_rates(m, d, t, x, d->rate));
        if (!sb_loss_yield(m, d)) {
            break;
        }
        SB_TRY(lock_stuck(m, d));
    }
    SB_TRY(sb_loss_settle(m, d));
    SB_TRY(sb_loss_refresh(m, d));
    settle_contacts(m, d, x);
    sb_project_stuck(m, d, t, x);
    return SB_OK;
}

/* New branches of signals, bristles that open or close, sides of contacts: loads that jump bring energy with them. */
static void pass_events(const sb_model *m, sb_data *d, double t, double *x)
{
    const int n = SB_N_STORE(m);
    sb_energy(m, d, t, x, d->energy_now);
    sb_signal_cross(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m));
    sb_friction_open(m, d, x, d->fired);
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
        SB_TRY(sb_rates(m, d, t, x, d->rate)); // the board may show another instant of the step
        sb_friction_jump(m, d, x, d->fired);
    }
    if (m->n_signal_guard + m->n_side + m->n_open > 0) {
        pass_events(m, d, t, x);
    }
    if (m->n_unlimited > 0) {
        memset(d->bounced, 0, (size_t)m->n_lock * sizeof *d->bounced);
        SB_TRY(sb_impulses(m, d, t, x));
    }
    if (m->n_lock > 0) {
        SB_TRY(update_locks(m, d, t, x));
    }
    find_compliances(m, d);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return SB_OK;
}

/* Diagonal of M, its place for every lock, and the size of A. */
static void scale_locks(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        const int unknown = m->lu_perm[i];
        if (unknown < m->n_v) {
            d->v_inertia[unknown] = d->mass[m->lu_diag[i]];
        } else if (unknown >= SB_N_Y(m)) {
            d->lock_slot[unknown - SB_N_Y(m)] = m->lu_diag[i];
        }
    }
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        d->lock_scale[k] = d->lock_reach[k] = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            d->lock_scale[k] += m->w_val[p] * m->w_val[p] / d->v_inertia[m->w_col[p]];
            d->lock_reach[k] += m->w_val[p] * m->w_val[p];
        }
        d->lock_reach[k] = sqrt(d->lock_reach[k]);
    }
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    memset(d->within, 0, (size_t)m->n_lock * sizeof *d->within);
    memset(d->fresh, 0, (size_t)m->n_lock * sizeof *d->fresh);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    scale_locks(m, d);
    for (int k = 0; k < m->n_lock; ++k) {
        d->group[k] = SB_NOBODY;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode[k] = SB_FREE;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        d->side[k] = SB_FORWARD;
    }
    sb_friction_open(m, d, x, NULL);
    sb_friction_sides(m, d, x, NULL);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    for (int k = 0; k < m->n_lock; ++k) {
        d->fired[2 * k] = m->lock_gap[k] >= 0 && d->jet[SB_JET * m->lock_gap[k]] <= 0.0; // a stop that is closed
    }
    sb_energy(m, d, t, x, d->energy_start); // before impulses
    return sb_update_modes(m, d, t, x);
}
