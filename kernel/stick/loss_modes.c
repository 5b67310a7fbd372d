#include <math.h>
#include <string.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Modes of gears with losses: which side drives, which row of the table holds, and whether a gear at rest is held,
 * leans on others or begins to slide. The equations are in loss.c. */

/* The row from which the table is read at a speed. */
static int find_segment(const sb_model *m, int loss, double v)
{
    int i = 0;
    while (i + 2 < sb_loss_rows(m, loss) && v >= sb_loss_knot(m, loss, i + 1)) {
        ++i;
    }
    return i;
}

/* L1 - L2 for motion in a direction: positive where a drives. */
static double lead(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    const sb_loss_law a = sb_loss_line(m, loss, SB_A_DRIVES, d->segment[loss], v);
    const sb_loss_law b = sb_loss_line(m, loss, SB_B_DRIVES, d->segment[loss], v);
    return (a.slope - b.slope) * side * d->loss_torque[loss] + a.offset - b.offset;
}

/* Negative when the wrong side drives. */
static double side_change(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    const double sign = d->driver[loss] == SB_A_DRIVES ? 1.0 : -1.0;
    return sign * lead(m, d, loss, side, v) + SB_LOSS_ROUNDING * d->loss_size[loss];
}

double sb_loss_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    const int loss = m->lock_loss[lock];
    const double torque = side * d->loss_torque[loss];
    const sb_loss_law a = sb_loss_present(m, loss, SB_A_DRIVES, 0, 0.0, 1);
    const sb_loss_law b = sb_loss_present(m, loss, SB_B_DRIVES, 0, 0.0, 1);
    return sb_max(sb_max(a.slope * torque + a.offset, b.slope * torque + b.offset), 0.0);
}

/* How far a speed is inside of the present line of the table; at a knot rounding is no way. */
static double inside(const sb_model *m, const sb_data *d, int loss, double v)
{
    const int i = d->segment[loss];
    const double below = i > 0 ? v - (1.0 - SB_LOSS_ROUNDING) * sb_loss_knot(m, loss, i) : INFINITY;
    const double above =
        i + 2 < sb_loss_rows(m, loss) ? (1.0 + SB_LOSS_ROUNDING) * sb_loss_knot(m, loss, i + 1) - v : INFINITY;
    return sb_min(below, above);
}

/* A gear that sits may be beyond its limits: it is asked again when that has doubled, or is over. */
double sb_loss_rounding(const sb_model *m, const sb_data *d, int lock)
{
    const int loss = m->lock_loss[lock];
    const double hold = d->hold[lock];
    const double beyond =
        sb_max(hold - sb_loss_limit(m, d, lock, SB_FORWARD), -hold - sb_loss_limit(m, d, lock, SB_BACKWARD));
    return d->loss_sits[loss] ? SB_LOSS_SETTLED * d->loss_size[loss] + 2.0 * sb_max(beyond, 0.0)
                              : SB_LOSS_ROUNDING * d->loss_size[loss];
}

/* Sliding: the motion ends; the other side begins to drive, or another line of the table begins. Where it leans on
 * others there is no motion. */
void sb_loss_events(const sb_model *m, const sb_data *d, int lock, double *g)
{
    const int loss = m->lock_loss[lock];
    const int direction = sb_loss_direction(m, d, lock);
    const double v = direction * d->slip[sb_lock_branch(m, lock)];
    const double turn = side_change(m, d, loss, direction, v);
    g[0] = d->lean[loss] ? 1.0 : v;
    g[1] = d->lean[loss] ? turn + SB_LOSS_SETTLED * d->loss_size[loss] : sb_min(turn, inside(m, d, loss, v));
}

/* The side that drives in a direction, at the torque on the board. */
static int find_driver(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    return lead(m, d, loss, side, v) >= 0.0 ? SB_A_DRIVES : SB_B_DRIVES;
}

static int other_side(int driver)
{
    return driver == SB_A_DRIVES ? SB_B_DRIVES : SB_A_DRIVES;
}

/* Sliding on after an event: what was located, a change of the driving side or a knot of the table, is not undone by
 * rounding. */
static void slide_on(const sb_model *m, sb_data *d, int loss, double v)
{
    const int fired = d->fired[2 * m->loss_lock[loss] + 1];
    const double way = inside(m, d, loss, v);
    const int i = d->segment[loss];
    if (fired && fabs(way) <= SB_ON_LIMIT * fabs(v)) {
        d->segment[loss] = i > 0 && v <= (1.0 + SB_ON_LIMIT) * sb_loss_knot(m, loss, i) ? i - 1 : i + 1;
    } else if (way < -SB_ON_LIMIT * fabs(v)) { // the speed has jumped, or the instant is not located
        d->segment[loss] = find_segment(m, loss, v);
    } else if (fired) {
        d->driver[loss] = other_side(d->driver[loss]);
    }
}

/* How often a gear may change its driving side within a crowd of events before it sits where it comes to rest. */
enum { MOST_TURNS = 8 };

/* Its slip is 0: held, unless it has reached a limit; one that leans goes on to do so, on its other line if that was
 * located. One that jams again and again is held by all means. */
static void begin_at_rest(const sb_model *m, sb_data *d, int lock)
{
    const int loss = m->lock_loss[lock];
    const int was_stuck = d->mode[lock] == SB_STUCK;
    const int leant = was_stuck ? d->lean[loss] : 0;
    const int fired = d->fired[2 * lock] ? SB_FORWARD : d->fired[2 * lock + 1] ? SB_BACKWARD : 0;
    const int together = d->released[lock];
    d->loss_fired[loss] = !was_stuck || leant ? 0 : fired != 0 ? fired : together;
    d->loss_rests[loss] = 1;
    d->segment[loss] = 0;
    d->mode[lock] = SB_STUCK;
    if (d->loss_holds[loss] || d->flips[2 * lock + 1] > MOST_TURNS) {
        d->loss_sits[loss] = 1;
        d->loss_fired[loss] = d->lean[loss] = 0;
    } else if (leant == 0) {
        d->lean[loss] = d->loss_fired[loss];
        d->driver[loss] = find_driver(m, d, loss, d->lean[loss], 0.0);
    } else if (d->fired[2 * lock + 1]) {
        d->driver[loss] = other_side(d->driver[loss]);
    }
}

/* Whether nothing has happened but that gears which slide change their driving side or line: nothing has stopped them,
 * however slow they are yet. */
static int only_turns(const sb_model *m, const sb_data *d)
{
    int turns = 0;
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        const int lock = i / 2;
        const int of_gear = i < 2 * m->n_lock && m->lock_loss[lock] >= 0;
        const int slid = of_gear && (d->mode_before[lock] == SB_FORWARD || d->mode_before[lock] == SB_BACKWARD);
        if (d->fired[i] && !(slid && i % 2 == 1)) {
            return 0;
        }
        turns |= d->fired[i];
    }
    return turns;
}

void sb_loss_begin(const sb_model *m, sb_data *d, int lock)
{
    const int loss = m->lock_loss[lock];
    const int b = sb_lock_branch(m, lock);
    const double slip = d->slip[b];
    const int mode = d->mode[lock];
    const int slid = mode == SB_FORWARD || mode == SB_BACKWARD;
    d->loss_fired[loss] = d->loss_rests[loss] = d->loss_sits[loss] = 0;
    const double least = slid && only_turns(m, d) ? 0.0 : sb_least_slip(m, lock); // others may have stopped it
    if (slid && !d->fired[2 * lock] && mode * slip > least) {
        slide_on(m, d, loss, mode * slip);
    } else if ((!slid && fabs(slip) > sb_least_slip(m, lock)) ||
               (!d->fired[2 * lock] && mode * slip < -sb_jumped_slip(m, lock))) {
        d->mode[lock] = sb_sign_of(slip);
        d->lean[loss] = 0;
        d->driver[loss] = SB_A_DRIVES;
        d->segment[loss] = find_segment(m, loss, fabs(slip));
    } else if (!m->lock_free[lock]) { // nothing can hold a prescribed slip: it goes on as it does
        d->mode[lock] = sb_sign_of(d->slip_t[b]);
        d->lean[loss] = d->segment[loss] = 0;
    } else {
        begin_at_rest(m, d, lock);
    }
}

int sb_loss_leans(const sb_model *m, const sb_data *d, int lock)
{
    return m->lock_loss[lock] >= 0 && d->lean[m->lock_loss[lock]] != 0;
}

int sb_loss_gather(const sb_model *m, sb_data *d, int n, int *candidate)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        if (d->loss_rests[l] && d->lean[l] == 0) {
            candidate[n++] = k;
            d->need[k] = d->slip_t[sb_lock_branch(m, k)];
            d->pin[k] = 0;
            sb_set_box(m, d, k, 0);
        }
    }
    return n;
}

void sb_loss_pinned(const sb_model *m, sb_data *d, int n, const int *set, const double *force, double *b)
{
    if (m->n_loss == 0) {
        return;
    }
    double *torque = d->x_loss + SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        torque[k] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        torque[set[i]] = d->grip[set[i]];
    }
    for (int l = 0; l < m->n_loss; ++l) {
        double sum = 0.0;
        for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1] && sb_loss_slides(m, d, m->loss_lock[l]); ++p) {
            const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
            sum += f >= 0 && m->fr_lock[f] >= 0 ? m->lb_val[p] * torque[m->fr_lock[f]] : 0.0;
        }
        const int row = SB_N_Y(m) + m->loss_lock[l];
        b[row] = sb_loss_slides(m, d, m->loss_lock[l]) ? force[row] + d->loss_slope[l] * sum : b[row];
    }
}

/* What accelerations that cancel to rounding are added up from. */
static void set_floor(const sb_model *m, sb_data *d, int loss)
{
    d->loss_floor[loss] = 0.0;
    for (int p = m->lv_ptr[loss]; p < m->lv_ptr[loss + 1]; ++p) {
        d->loss_floor[loss] += fabs(m->lv_val[p]) * d->v_size[m->lv_col[p]];
    }
}

/* Marks in d->redundant what depends on others in Mass, with the lines of the gears as they are; their number. */
static int count_dependent(const sb_model *m, sb_data *d, const int *locked)
{
    int count = 0;
    memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
    sb_fill_mass(m, d, locked, d->stick_lu);
    if (sb_lu_rank(m, d->stick_lu, d->stick_inv, d->redundant) != SB_OK) {
        return 0;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        count += d->redundant[k];
    }
    return count;
}

/* Holds the gears that lean; whether there are such. */
static int hold_leaning(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        any |= d->lean[l];
        d->loss_sits[l] |= d->lean[l] != 0;
        d->lean[l] = 0;
    }
    return any != 0;
}

int sb_loss_sit(const sb_model *m, sb_data *d, const int *locked)
{
    int any = 0;
    sb_loss_slopes(m, d);
    const int with_lines = count_dependent(m, d, locked);
    for (int l = 0; l < m->n_loss; ++l) {
        if (d->lean[l] != 0 && d->redundant[m->loss_lock[l]]) {
            any = 1;
            d->loss_sits[l] = d->driver[l] == SB_A_DRIVES;
            d->lean[l] = d->loss_sits[l] ? 0 : d->lean[l];
            d->driver[l] = SB_A_DRIVES;
        }
    }
    if (!any) { // a line may also leave the torque of a contact open
        sb_loss_idle(m, d);
        any = with_lines > count_dependent(m, d, locked) && hold_leaning(m, d);
    }
    sb_loss_slopes(m, d);
    return any;
}

/* --- which states of the gears agree with the torques --------------------------------------------------------------
 */

void sb_loss_observe(const sb_model *m, sb_data *d, int n, const int *set)
{
    for (int i = 0; i < n; ++i) {
        d->stick_x[SB_N_Y(m) + set[i]] = d->grip[set[i]];
    }
    sb_loss_estimate(m, d, d->stick_x);
    for (int l = 0; l < m->n_loss; ++l) {
        set_floor(m, d, l);
        d->loss_size[l] = sb_loss_terms(m, d, l, d->stick_x) + fabs(d->stick_x[SB_N_Y(m) + m->loss_lock[l]]);
    }
}

/* The side of a gear that is held beyond its limit there; 0: it is within its limits. */
static int beyond_limit(const sb_model *m, const sb_data *d, int l)
{
    const int k = m->loss_lock[l];
    const double slack = SB_LOSS_SETTLED * d->loss_size[l];
    const double above = d->grip[k] - sb_loss_limit(m, d, k, SB_FORWARD);
    const double below = -d->grip[k] - sb_loss_limit(m, d, k, SB_BACKWARD);
    return above <= slack && below <= slack ? 0 : above > below ? SB_FORWARD : SB_BACKWARD;
}

/* Whether the other side drives. */
static int drives_wrong(const sb_model *m, const sb_data *d, int l)
{
    const int k = m->loss_lock[l];
    const int direction = sb_loss_direction(m, d, k);
    const double turn = side_change(m, d, l, direction, direction * d->slip[sb_lock_branch(m, k)]);
    return turn < -SB_LOSS_SETTLED * d->loss_size[l];
}

/* Whether a gear at rest would be turned back by the loss of its line. */
static int turns_back(const sb_model *m, sb_data *d, int l)
{
    const int k = m->loss_lock[l];
    const int direction = sb_loss_direction(m, d, k);
    d->need[k] = d->slip_t[sb_lock_branch(m, k)];
    return d->loss_rests[l] && d->loss_fired[l] != direction && direction * sb_stick_left(m, d, k, d->need) < 0.0;
}

/* Gives a gear the state that the answer asks for; whether it is another one. */
static int review(const sb_model *m, sb_data *d, int l)
{
    if (sb_loss_direction(m, d, m->loss_lock[l]) != 0) {
        if (drives_wrong(m, d, l)) {
            d->driver[l] = other_side(d->driver[l]);
            return 1;
        }
        d->lean[l] = turns_back(m, d, l) ? 0 : d->lean[l];
        return d->loss_rests[l] && d->lean[l] == 0;
    }
    const int side = d->loss_rests[l] && !d->loss_sits[l] ? beyond_limit(m, d, l) : 0;
    if (side != 0) {
        d->lean[l] = side;
        d->driver[l] = find_driver(m, d, l, side, 0.0);
    }
    return side != 0;
}

int sb_loss_review(const sb_model *m, sb_data *d, int one)
{
    int changed = 0;
    for (int l = 0; l < m->n_loss && !(changed && one); ++l) {
        changed |= review(m, d, l);
    }
    return changed;
}

int sb_loss_agrees(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int slides = sb_loss_direction(m, d, m->loss_lock[l]) != 0;
        const int wrong = slides ? drives_wrong(m, d, l) || turns_back(m, d, l)
                                 : d->loss_rests[l] && !d->loss_sits[l] && beyond_limit(m, d, l) != 0;
        if (wrong) {
            d->culprit = (sb_culprit){SB_EVENT, 2 * m->loss_lock[l]};
            return 0;
        }
    }
    return 1;
}

/* Gears at rest: held, or on one of two lines in one of two directions. Gears that slide: on one of two lines. */
int sb_loss_combine(const sb_model *m, sb_data *d, int number)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int rests = d->loss_rests[l];
        const int states = rests && d->loss_sits[l] ? 1 : rests ? 5 : 2;
        const int state = number % states;
        number /= states;
        if (rests) {
            d->lean[l] = state == 0 ? 0 : state <= 2 ? SB_FORWARD : SB_BACKWARD;
        }
        d->driver[l] = state == (rests ? 2 : 1) || state == 4 ? SB_B_DRIVES : SB_A_DRIVES;
    }
    return number == 0;
}

int sb_loss_hold(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        any |= d->loss_rests[l] && !d->loss_sits[l];
        d->loss_sits[l] = d->loss_rests[l];
        d->lean[l] = d->loss_rests[l] ? 0 : d->lean[l];
    }
    return any;
}

/* How the slip of a branch answers to its torque, while the locks hold and gears lose nothing more. */
static double compliance_of(const sb_model *m, sb_data *d, int b)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->x_loss[i] = 0.0;
    }
    sb_add_torque(m, b, 1.0, d->x_loss);
    sb_lu_solve(m, d->stick_lu, d->stick_inv, d->x_loss, d->x_loss, d->solve_tmp);
    return fabs(sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x_loss, 0.0));
}

int sb_loss_yield(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        const double lost = d->tau[sb_lock_branch(m, k)];
        const double slack = SB_LOSS_SETTLED * d->loss_size[l];
        const int beyond = lost > sb_loss_limit(m, d, k, SB_FORWARD) + slack     ? SB_FORWARD
                           : lost < -sb_loss_limit(m, d, k, SB_BACKWARD) - slack ? SB_BACKWARD
                                                                                 : 0;
        if (d->loss_rests[l] && !d->loss_sits[l] && d->lean[l] == 0 && d->group[k] >= 0 && beyond != 0) {
            d->lean[l] = beyond;
            d->driver[l] = find_driver(m, d, l, beyond, 0.0);
            any = 1;
        }
    }
    return any;
}

sb_status sb_loss_settle(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        any |= d->lean[l];
    }
    if (!any) {
        return SB_OK;
    }
    sb_loss_idle(m, d);
    sb_fill_mass(m, d, d->locked, d->stick_lu);
    SB_TRY(sb_lu_status(sb_lu_factor(m, d->stick_lu, d->stick_inv)));
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        if (d->lean[l] != 0 && compliance_of(m, d, sb_lock_branch(m, k)) > SB_LOSS_HELD * d->lock_scale[k]) {
            d->mode[k] = d->lean[l];
            d->lean[l] = 0;
        }
    }
    sb_loss_slopes(m, d);
    return SB_OK;
}
