#include <math.h>
#include <string.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* Impulses. A free-wheel whose slip has the wrong sign (at the start, or because a prescribed speed jumps) and a stop
 * that is met change the speeds at once, in two phases after Poisson. First all that block one way stop what comes at
 * them: M dv + W p = 0, slip >= 0 (away from the stop), p >= 0, one of them 0, the problem of sb_stick_solve with
 * speeds in place of accelerations. Then every stop gives back its restitution times this impulse, and the others may
 * have to pass it on. Friction with finite limits transmits nothing. A gear with losses loses of an impulse what it
 * loses of a torque: the share that its efficiency says, of which the constant part vanishes. A gear that jams, because
 * neither side can drive it, is stopped by an impulse. */

/* Contacts that may pass an impulse now: those that block and touch. One that overruns may be driven back by the
 * impulse of another. */
static int find_touching(const sb_model *m, sb_data *d, int *wrong)
{
    int n = 0;
    *wrong = SB_NOBODY;
    for (int k = 0; k < m->n_lock; ++k) {
        const int side = m->lock_unlimited[k];
        const int open = m->lock_gap[k] >= 0 && d->mode[k] == SB_FREE && !d->fired[2 * k];
        const int apart = open && d->jet[SB_JET * m->lock_gap[k]] > sb_gap_band(m, d, k);
        const double approach = side * d->slip[sb_lock_branch(m, k)];
        const double least = sb_least_slip(m, k);
        if (side != 0 && !apart && m->lock_free[k]) {
            d->candidate[n++] = k;
            *wrong = approach > least ? k : *wrong;
        }
    }
    for (int l = 0; l < m->n_loss; ++l) {
        *wrong = d->loss_jams[l] ? m->loss_lock[l] : *wrong;
    }
    return n;
}

/* The slips as they are are to end; forces: the impulses that are given back. */
static void set_problem(const sb_model *m, sb_data *d, int n)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->force[i] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        const int k = d->candidate[i];
        const int side = m->lock_unlimited[k];
        d->need[k] = d->slip[sb_lock_branch(m, k)];
        d->low[k] = side > 0 ? 0.0 : -INFINITY;
        d->high[k] = side > 0 ? INFINITY : 0.0;
        d->pin[k] = side * d->need[k] > 0.0 ? 0 : -side;
        sb_add_torque(m, sb_lock_branch(m, k), -d->give_back[k], d->force);
    }
}

/* --- gears with losses ------------------------------------------------------------------------------------------ */

static double change_of(const sb_model *m, const sb_data *d, int b)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->stick_x, 0.0);
}

/* Impulse that a gear transmits, from those of the contacts and of its loss. */
static double transmitted_impulse(const sb_model *m, const sb_data *d, int l)
{
    double sum = sb_row_dot(m->lv_ptr, m->lv_col, m->lv_val, l, d->stick_x, 0.0);
    for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1]; ++p) {
        const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
        const int k = f >= 0 ? m->fr_lock[f] : -1;
        sum += k >= 0 ? m->lb_val[p] * d->impulse[k] : 0.0;
    }
    return sum;
}

/* Puts the state of the gears aside, or takes it back: those at rest may be moved by the impulse. */
static void keep_gears(const sb_model *m, sb_data *d, int back)
{
    for (int l = 0; l < m->n_loss; ++l) {
        int *state[4] = {d->mode + m->loss_lock[l], d->locked + m->loss_lock[l], d->lean + l, d->driver + l};
        for (int i = 0; i < 4; ++i) {
            *(back ? state[i] : d->loss_kept + 4 * l + i) = *(back ? d->loss_kept + 4 * l + i : state[i]);
        }
    }
}

/* Before the first round gears lose nothing. */
static void release_gears(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        d->mode[k] = SB_STUCK;
        d->locked[k] = d->loss_jams[l];
        d->lean[l] = 0;
    }
    sb_loss_idle(m, d);
}

/* The line of every gear by its mean slip during the impulse, against which it loses, and by the side that drives. A
 * gear at rest that its own loss would turn back stays at rest; one that others keep at rest keeps its line, at first
 * none. Returns whether something changes. */
static int review_gears(const sb_model *m, sb_data *d, int round)
{
    int changed = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        const int b = sb_lock_branch(m, k);
        const double mean = d->slip[b] + 0.5 * change_of(m, d, b);
        const double torque = transmitted_impulse(m, d, l);
        const double least = sb_least_slip(m, k);
        const int moves = fabs(mean) > sb_max(least, SB_LEFT_OVER * fabs(d->slip[b])) ? sb_sign_of(mean) : d->lean[l];
        const int held = d->locked[k] || (d->lean[l] != 0 && moves == -d->lean[l] && fabs(d->slip[b]) <= least);
        const int direction = held ? 0 : moves;
        const int driver = direction * torque < 0.0 ? SB_B_DRIVES : SB_A_DRIVES;
        changed |= held != d->locked[k] || direction != d->lean[l] || (direction != 0 && driver != d->driver[l]);
        d->locked[k] = held;
        d->lean[l] = direction;
        d->driver[l] = driver;
        d->loss_slope[l] =
            direction != 0 ? sb_loss_present(m, l, driver, d->segment[l], fabs(d->slip[b]), 0).slope : 0.0;
    }
    return changed && round < 4 + 4 * m->n_loss;
}

/* Rows of the gears that lose: of the impulses that are given back. */
static void set_gears(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        double sum = 0.0;
        for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1]; ++p) {
            const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
            const int k = f >= 0 ? m->fr_lock[f] : -1;
            sum += k >= 0 && m->lock_unlimited[k] != 0 ? m->lb_val[p] * d->give_back[k] : 0.0;
        }
        d->force[SB_N_Y(m) + m->loss_lock[l]] = d->loss_slope[l] * sum;
    }
}

/* Gears that are held follow after the n contacts, without limits. Returns the number of all. */
static int gather_held(const sb_model *m, sb_data *d, int n)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        if (d->locked[k]) {
            d->candidate[n++] = k;
            d->need[k] = d->slip[sb_lock_branch(m, k)];
            d->low[k] = -INFINITY;
            d->high[k] = INFINITY;
            d->pin[k] = 0;
            d->give_back[k] = 0.0;
        }
    }
    return n;
}

/* All impulses of a round: of contacts, with what they give back, and of gears. */
static void collect(const sb_model *m, sb_data *d, int n)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->impulse[k] = sb_loss_slides(m, d, k) ? d->stick_x[SB_N_Y(m) + k] : 0.0;
    }
    for (int i = 0; i < n; ++i) {
        const int k = d->candidate[i];
        d->impulse[k] = d->grip[k] + d->give_back[k];
    }
}

/* --- energy ----------------------------------------------------------------------------------------------------- */

/* The energy that the impulses take: lost in the contacts, given by the prescribed motions. */
static void add_to_ledger(const sb_model *m, sb_data *d, const double *x)
{
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        d->impact_loss[k] += d->impulse[k] * (d->slip[b] + 0.5 * change_of(m, d, b));
        for (int p = 0; p < m->n_wp && d->impulse[k] != 0.0; ++p) {
            if (m->wp_row[p] == b) {
                const int motion = m->wp_motion[p];
                d->ledger[SB_LEDGER_MOTION(m) + motion] += m->wp_val[p] * d->impulse[k] * d->motion_w[motion];
            }
        }
    }
    for (int k = 0; k < m->n_body; ++k) {
        const double w = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
        const double change = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->stick_x, 0.0);
        d->ledger[SB_LEDGER_STORE(m) + SB_N_BRANCH(m) + k] += m->body_inertia[k] * change * (w + 0.5 * change);
    }
    for (int p = 0; p < m->n_bp; ++p) {
        const int k = m->bp_row[p];
        const double change = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->stick_x, 0.0);
        d->ledger[SB_LEDGER_MOTION(m) + m->bp_motion[p]] +=
            m->bp_val[p] * m->body_inertia[k] * change * d->motion_w[m->bp_motion[p]];
    }
}

/* Where several contacts share an impact only the sum of their losses is known: none gains energy. */
static void book_losses(const sb_model *m, sb_data *d, double *x, int n)
{
    double sum = 0.0;
    double positive = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += d->impact_loss[d->candidate[i]];
        positive += sb_max(d->impact_loss[d->candidate[i]], 0.0);
    }
    for (int i = 0; i < n; ++i) {
        const int k = d->candidate[i];
        const double own = d->impact_loss[k];
        const double loss = sum > 0.0 ? sb_max(own, 0.0) * sum / positive : own;
        d->ledger[SB_LEDGER_LOSS(m) + sb_lock_branch(m, k)] += loss;
        sb_heat_jump(m, x, m->lock_friction[k], loss);
    }
}

/* The contact that is still driven against the direction that it blocks, because nothing can give way. */
static int find_blocked(const sb_model *m, const sb_data *d, int n)
{
    for (int i = 0; i < n; ++i) {
        const int k = d->candidate[i];
        const int b = sb_lock_branch(m, k);
        const double slip = d->slip[b] + change_of(m, d, b);
        if (m->lock_unlimited[k] * slip >
            sb_max(SB_NOT_STOPPED * sb_least_slip(m, k), SB_NOT_STOPPED_SHARE * fabs(d->slip[b]))) {
            return k;
        }
    }
    return SB_NOBODY;
}

/* One phase: impulses d->grip, the energy that they take, and the speeds after them. */
static sb_status pass_on(const sb_model *m, sb_data *d, double *x, int n)
{
    keep_gears(m, d, 0);
    release_gears(m, d);
    for (int round = 0, again = 1; again; ++round) {
        set_problem(m, d, n);
        set_gears(m, d);
        const int all = gather_held(m, d, n);
        SB_TRY(sb_stick_solve(m, d, all, d->candidate, d->force, d->need, NULL));
        collect(m, d, all);
        again = m->n_loss > 0 && review_gears(m, d, round);
    }
    keep_gears(m, d, 1);
    const int blocked = find_blocked(m, d, n);
    if (blocked != SB_NOBODY) {
        d->culprit = (sb_culprit){SB_EVENT, 2 * blocked};
        return SB_BLOCKED;
    }
    add_to_ledger(m, d, x);
    for (int i = 0; i < m->n_v; ++i) {
        x[i] += d->stick_x[i];
    }
    return SB_OK;
}

/* What the stops give back; whether there is any. */
static int set_rebound(const sb_model *m, sb_data *d, int n)
{
    int any = 0;
    for (int i = 0; i < n; ++i) {
        const int k = d->candidate[i];
        const double approach = m->lock_unlimited[k] * d->slip_before[sb_lock_branch(m, k)];
        d->give_back[k] = approach > m->lock_bounce_min[k] ? m->lock_bounce[k] * d->impulse[k] : 0.0;
        d->bounced[k] |= m->lock_gap[k] >= 0 && d->impulse[k] != 0.0;
        any |= d->give_back[k] != 0.0;
    }
    return any;
}

sb_status sb_impulses(const sb_model *m, sb_data *d, double t, double *x)
{
    sb_evaluate_slips(m, d, t, x, 1);
    int wrong;
    const int n = find_touching(m, d, &wrong);
    if (wrong == SB_NOBODY) {
        return SB_OK;
    }
    d->culprit = (sb_culprit){SB_EVENT, 2 * wrong};
    sb_copy(d->slip_before, d->slip, SB_N_BRANCH(m));
    for (int k = 0; k < m->n_lock; ++k) {
        d->give_back[k] = d->impact_loss[k] = 0.0;
    }
    SB_TRY(pass_on(m, d, x, n));
    if (set_rebound(m, d, n)) {
        sb_evaluate_slips(m, d, t, x, 0);
        SB_TRY(pass_on(m, d, x, n));
    }
    book_losses(m, d, x, n);
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        d->ledger[SB_LEDGER_LOSS(m) + sb_lock_branch(m, k)] += d->impact_loss[k];
        sb_heat_jump(m, x, m->lock_friction[k], d->impact_loss[k]);
    }
    for (int b = 0; b < SB_N_BRANCH(m); ++b) {
        d->slip[b] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, x, d->slip0[b]);
    }
    sb_friction_after_impulse(m, d, x, d->slip_before, d->slip);
    sb_signals_pass_kinks(m, d, t, x);
    memset(d->loss_jams, 0, (size_t)m->n_loss * sizeof *d->loss_jams);
    return SB_OK;
}
