#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* True stick. Locked contacts keep slip 0 by holding torques, which follow from the network. At an event the torques of
 * all contacts that may stick are found together, see resolve.c. */

/* Slips that stuck contacts keep, states of laws that stick or begin to slide. */
static void reset_contact_states(const sb_model *m, sb_data *d, double *x)
{
    d->n_decaying = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int mode = d->mode[k];
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fresh = d->mode_before[k] != SB_STUCK || mode != SB_STUCK;
        const int karnopp = sb_manner_of(m, d, k).kind == SB_LOCK_KARNOPP;
        const int moved =
            fabs(slip - d->slip_kept[k]) > SB_JUMPED * sb_manner_of(m, d, k).window; // others took it along
        d->slip_kept[k] = !karnopp || mode != SB_STUCK ? 0.0 : fresh || moved ? slip : d->slip_kept[k];
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;
        d->phase[k] = mode == SB_STUCK && sb_is_hybrid(m, d, k) && sb_has_slip(m, d, k) ? SB_DECAYING : d->phase[k];
        sb_change_states(m, d, m->lock_friction[k], d->mode_before[k], mode, slip, x);
    }
}

static sb_status update_locks(const sb_model *m, sb_data *d, double t, double *x)
{
    if (d->n_redundant) { // contacts that share a limit; the board may show another instant
        SB_TRY(sb_rates(m, d, t, x, d->rate));
    }
    memcpy(d->mode_before, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    SB_TRY(sb_release_fired(m, d, t, x));
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_decaying = d->n_varying = d->n_ambiguous = 0;
    if (m->n_loss > 0) { // gears look at torques, contacts at slips
        sb_forces(m, d, t, x, d->force);
    } else {
        sb_evaluate_slips(m, d, t, x, 0);
    }
    d->culprit = (sb_culprit){SB_NOTHING, 0};
    int n = sb_find_candidates(m, d, x, d->candidate);
    if (d->culprit.kind != SB_NOTHING) { // a prescribed slip in the direction that is blocked
        return SB_BLOCKED;
    }
    SB_TRY(sb_decide_modes(m, d, x, &n, d->candidate));
    SB_TRY(sb_lock_stuck(m, d));
    SB_TRY(sb_keep_sharing(m, d, n, d->candidate));
    for (int round = 0; round < m->n_loss && d->n_redundant; ++round) { // the split is another one than that of decide
        SB_TRY(sb_rates(m, d, t, x, d->rate));
        if (!sb_loss_yield(m, d)) {
            break;
        }
        SB_TRY(sb_lock_stuck(m, d));
    }
    SB_TRY(sb_loss_settle(m, d));
    SB_TRY(sb_loss_refresh(m, d));
    reset_contact_states(m, d, x);
    sb_project_stuck(m, d, t, x);
    return SB_OK;
}

/* New branches of signals, bristles that open or close, sides of contacts: loads that jump bring energy with them. */
static void pass_events(const sb_model *m, sb_data *d, double t, double *x)
{
    const int n = SB_N_STORE(m);
    const int throws = m->n_motion > 0 && m->n_law_guard > 0; // prescribed speeds may jump
    sb_energy(m, d, t, x, d->energy_now);
    if (throws) {
        sb_evaluate_slips(m, d, t, x, 0);
        sb_copy(d->slip_before, d->slip, SB_N_BRANCH(m));
    }
    sb_signal_cross(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m));
    sb_friction_open(m, d, x, d->fired);
    sb_friction_sides(m, d, x, d->fired);
    sb_energy(m, d, t, x, d->energy_tmp);
    for (int i = 0; i < n; ++i) {
        d->energy_jump[i] += d->energy_tmp[i] - d->energy_now[i];
    }
    if (throws) {
        sb_evaluate_slips(m, d, t, x, 0);
        sb_friction_after_impulse(m, d, x, d->slip_before, d->slip);
    }
}

/* Whether something has happened, and nothing of it jumps: no mode may change by that. */
static int only_kinks(const sb_model *m, const sb_data *d, double t)
{
    int any = 0;
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        if (d->fired[i] && !d->kink[i]) {
            return 0;
        }
        any |= d->fired[i];
    }
    return any && d->t_segment < t;
}

/* One round of changes at the events d->fired. */
static sb_status change(const sb_model *m, sb_data *d, double t, double *x)
{
    const int kinks = only_kinks(m, d, t);
    if (m->n_law_guard > 0 && !kinks) {
        SB_TRY(sb_rates(m, d, t, x, d->rate)); // the board may show another instant of the step
        sb_friction_jump(m, d, x, d->fired);
    }
    if (m->n_signal_guard + m->n_side + m->n_open > 0) {
        pass_events(m, d, t, x);
    }
    if (kinks) {
        return SB_OK;
    }
    if (m->n_unlimited + m->n_loss > 0) {
        SB_TRY(sb_impulses(m, d, t, x));
    }
    if (m->n_lock > 0) {
        SB_TRY(update_locks(m, d, t, x));
    }
    sb_find_compliances(m, d);
    return SB_OK;
}

/* Which event functions rest: those that are zero within their bands fire only below them. Returns whether some are
 * below already: these are in d->fired, for another round. */
static int review_guards(const sb_model *m, sb_data *d, const double *x)
{
    int any = 0;
    sb_event_bands(m, d, x);
    sb_event_margins(m, d, x, d->event_value);
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->resting[i] = d->kink[i] == SB_SOFT_KINK || d->event_value[i] <= d->event_band[i];
        const int falls = i < SB_SIGNAL_EVENT(m) && i % 2 == 0 && d->resting[i] && sb_lock_falls(m, d, i / 2, x);
        d->fired[i] = falls || d->event_value[i] < -d->event_band[i];
        any |= d->fired[i];
    }
    return any;
}

/* Everything discrete, as one number (FNV-1a). */
static unsigned long discrete_state(const sb_model *m, const sb_data *d, const double *x)
{
    unsigned long hash = 2166136261u;
#define MIX(value) hash = ((hash ^ (unsigned long)(value)) * 16777619u) & 0xffffffffu
    for (int k = 0; k < m->n_lock; ++k) {
        MIX(d->mode[k] + 8 * d->phase[k] + 64);
    }
    for (int l = 0; l < m->n_loss; ++l) {
        MIX(d->driver[l] + 2 * (d->lean[l] + 1) + 8 * d->segment[l]);
    }
    for (int k = 0; k < m->n_friction; ++k) {
        MIX(d->side[k] + 2 + 4 * d->open[k]);
    }
    for (int i = 0; i < m->n_signal; ++i) {
        MIX(d->signal_branch[i] + 2);
        MIX(m->signal_op[i] == SB_SIGNAL_QUANTISE ? (long)d->signal_memory[m->signal_memory_ptr[i]] : 0);
    }
    for (int k = 0; k < m->n_friction; ++k) { // of laws with discrete states: all states, some of which are discrete
        const sb_law *law = sb_law_of(m, k);
        for (int i = 0; i < law->n_state && law->n_guard > 0; ++i) {
            uint64_t bits;
            memcpy(&bits, x + m->n_v + m->n_q + m->fr_state[k] + i, sizeof bits);
            MIX(bits & 0xffffffffu);
            MIX(bits >> 32);
        }
    }
#undef MIX
    return hash;
}

/* Gears that slide and change their driving side without end are stopped, since neither side can drive them; or all
 * that slide, where no motion follows from their lines. Whether there are such. */
static int jam(const sb_model *m, sb_data *d, int all)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        const int slides = d->mode[k] == SB_FORWARD || d->mode[k] == SB_BACKWARD;
        if (slides && (all || d->fired[2 * k + 1])) {
            d->loss_jams[l] = d->fired[2 * k] = any = 1;
            d->fired[2 * k + 1] = 0;
        }
    }
    return any;
}

/* Gears that lean while modes come back to where they were: the split of the torques contradicts their lines. A jam at
 * rest is rest. Whether there are such. */
static int hold_leaning(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        const int leans = d->lean[l] != 0 && !d->loss_holds[l];
        d->loss_holds[l] |= leans;
        any |= leans;
    }
    return any;
}

/* The modes come back to where they were without an end: what fires now is passed over for a moment. */
static void bridge(const sb_model *m, sb_data *d, double t)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->event_band[i] = d->fired[i] ? INFINITY : d->event_band[i];
        d->resting[i] |= d->fired[i];
        if (d->fired[i]) {
            d->culprit = (sb_culprit){SB_EVENT, i};
        }
        d->fired[i] = 0;
    }
    d->t_bridge = t + d->dwell;
    ++d->stats.bridged;
}

/* Rounds of changes at one instant; how often an event may fire within a crowd, which lasts so many dwells: then a
 * signal slides along its jump, and a contact is bridged. What keeps a signal jumping may be a position, which takes
 * longer to come back than a speed. */
enum { MOST_ROUNDS = 64, MOST_JUMPS = 8, MOST_FLIPS = 60, CROWD_DWELLS = 100, JUMPING_DWELLS = 10000 };

static int is_signal(const sb_model *m, int event)
{
    return event >= SB_SIGNAL_EVENT(m) && event < SB_LAW_EVENT(m);
}

/* Forgets the counts of signals, or of all others, when their crowd is over. */
static void end_crowd(const sb_model *m, sb_data *d, double t, int signals, double dwells, double *since)
{
    if (t - *since > dwells * d->dwell || t < *since) {
        for (int i = 0; i < SB_N_EVENT(m); ++i) {
            d->flips[i] = is_signal(m, i) == signals ? 0 : d->flips[i];
        }
        *since = t;
    }
}

/* Counts the events of a crowd. Signals that jump back and forth slide from now on; whether something else does. */
static int count_flips(const sb_model *m, sb_data *d, double t, const double *x)
{
    int crowded = 0;
    end_crowd(m, d, t, 0, CROWD_DWELLS, &d->t_crowd);
    end_crowd(m, d, t, 1, JUMPING_DWELLS, &d->t_jumping);
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->flips[i] += d->fired[i];
        if (is_signal(m, i) && d->fired[i] && !d->kink[i] && d->flips[i] > MOST_JUMPS) {
            sb_signal_slide(m, d, t, x, i - SB_SIGNAL_EVENT(m));
            d->fired[i] = 0;
            d->flips[i] = 0;
        }
        crowded |= d->fired[i] && d->flips[i] > MOST_FLIPS;
    }
    return crowded;
}

sb_status sb_leave_jumps(const sb_model *m, sb_data *d, double t, const double *x, int *fired, int *left)
{
    *left = 0;
    if (sb_signals_slide(m, d)) {
        sb_evaluate_slips(m, d, t, x, 1);
        if (sb_signals_try_leave(m, d, t, x, fired)) {
            SB_TRY(sb_rates(m, d, t, x, d->rate));
            *left = sb_signals_leave(m, d, t, x, d->rate);
        }
    }
    return SB_OK;
}

sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    unsigned long seen[MOST_ROUNDS];
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->corner_age = d->fired[i] ? 0 : d->corner_age;
    }
    for (int i = 0; i < m->n_shown; ++i) {
        d->shown_old[i] = (int)x[m->shown_state[i]];
    }
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    memset(d->bounced, 0, (size_t)m->n_lock * sizeof *d->bounced);
    memset(d->loss_holds, 0, (size_t)m->n_loss * sizeof *d->loss_holds);
    d->t_bridge = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        int left;
        SB_TRY(sb_leave_jumps(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m), &left));
        const int crowded = count_flips(m, d, t, x);
        sb_status status = change(m, d, t, x);
        if ((status == SB_SINGULAR || status == SB_NO_STICK_SOLUTION) && jam(m, d, 1)) {
            status = change(m, d, t, x);
        }
        SB_TRY(status);
        SB_TRY(sb_rates(m, d, t, x, d->rate));
        const int more = review_guards(m, d, x);
        if (!more) {
            return SB_OK;
        }
        if (crowded) {
            break;
        }
        seen[round] = discrete_state(m, d, x);
        int recurs = 0;
        for (int i = 0; i < round; ++i) {
            recurs |= seen[i] == seen[round];
        }
        if (recurs && !jam(m, d, 0) && !hold_leaning(m, d)) {
            break;
        }
    }
    bridge(m, d, t);
    return SB_OK;
}

/* Diagonal of M, its place for every lock, the size of W, and how each slip answers to its
 * torque while nothing is locked (d->locked) and gears lose nothing. */
static sb_status scale_locks(const sb_model *m, sb_data *d)
{
    double *free_lu = d->stick_lu;
    sb_fill_bare_mass(m, d->locked, free_lu);
    for (int i = 0; i < SB_N_X(m); ++i) {
        const int unknown = m->lu_perm[i];
        if (unknown < m->n_v) {
            d->v_inertia[unknown] = free_lu[m->lu_diag[i]];
        } else if (unknown >= SB_N_Y(m)) {
            d->lock_slot[unknown - SB_N_Y(m)] = m->lu_diag[i];
        }
    }
    SB_TRY(sb_lu_status(sb_lu_factor(m, free_lu, d->stick_inv)));
    double *inverse = d->lu; // no step is under way
    sb_lu_inverse(m, free_lu, d->stick_inv, inverse);
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        double reach = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            reach += m->w_val[p] * m->w_val[p];
        }
        d->lock_reach[k] = sqrt(reach);
        d->lock_scale[k] = sb_branch_compliance(m, b, inverse);
    }
    return SB_OK;
}

sb_status sb_restore_modes(const sb_model *m, sb_data *d, int decided)
{
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    memset(d->loss_jams, 0, (size_t)m->n_loss * sizeof *d->loss_jams);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_stuck = d->n_redundant = d->n_decaying = d->n_varying = d->n_ambiguous = 0;
    sb_evaluate_slips(m, d, d->t, d->x, 0);
    SB_TRY(sb_assemble_mass(m, d));
    SB_TRY(scale_locks(m, d));
    if (m->n_lock > 0) {
        SB_TRY(decided ? sb_relock(m, d) : sb_lock_stuck(m, d));
        SB_TRY(sb_loss_refresh(m, d));
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;
    }
    sb_find_compliances(m, d);
    return sb_rates(m, d, d->t, d->x, d->rate);
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    memset(d->phase, 0, (size_t)m->n_lock * sizeof *d->phase);
    SB_TRY(sb_assemble_mass(m, d));
    SB_TRY(scale_locks(m, d));
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
