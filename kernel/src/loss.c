#include "sb_loss.h"

#include <math.h>

#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_math.h"
#include "sb_network.h"

/* Losses of gears, as in C. Pelchen, C. Schweiger, M. Otter: Modeling and Simulating the Efficiency of Gearboxes and of
 * Planetary Gearboxes (2nd International Modelica Conference, 2002), solved for the torque T of the gear without loss.
 *
 * The gear takes tau_a = T + Q at flange a and gives ratio T at flange b; the loss Q is friction of a against the
 * support. In forward motion tau_a (1 - eta1) + tbf1 is lost where a drives and tau_a (1 - 1/eta2) + tbf2 where b does.
 * Put in terms of T these are two straight lines,
 *     L1(T) = ((1 - eta1) T + tbf1) / eta1        L2(T) = (eta2 - 1) T + eta2 tbf2
 * of which the higher one holds: Q = L(T) = max(L1, L2); backwards Q = -L(-T); at rest -L(-T) <= Q <= L(T). The lines
 * cross where the driving side changes, so Q is continuous there. Nothing is divided by eta2: with eta2 = 0 the gear
 * locks itself.
 *
 * T is a row R over the torques of branches and the accelerations. Which line holds is frozen between events, so
 *     Q - slope T(x', Q) = +-offset
 * is a row of Mass x' = F. If efficiencies depend on the speed, the slope in Mass is that of the start of the step, and
 * F has (slope - slope of Mass) T more, for which it is solved. */

enum { A_DRIVES, B_DRIVES };
enum { COLUMNS = 5 }; /* of the table: speed, eta1, eta2, tbf1, tbf2 */

/* Share of the terms of a torque below which it is rounding. */
#define ROUNDING 1e-12

/* Share of a torque within which the stick problem decides nothing: what is beyond by less becomes an event. */
#define SETTLED 1e-9

/* Share of its own compliance below which others hold the motion of a gear. */
#define HELD 1e-9

/* Extrapolation of a table ends here. */
#define LEAST_ETA1 1e-3

enum { ROUNDS = 30 };

typedef struct line {
    double slope, offset;
    double slope_v, offset_v; /* by speed */
} line;

static int n_rows(const sb_model *m, int loss)
{
    return m->loss_ptr[loss + 1] - m->loss_ptr[loss];
}

/* Speed of a row of the table. */
static double knot(const sb_model *m, int loss, int row)
{
    return m->loss_table[COLUMNS * (m->loss_ptr[loss] + row)];
}

/* The row from which the table is read at a speed. */
static int find_segment(const sb_model *m, int loss, double v)
{
    int i = 0;
    while (i + 2 < n_rows(m, loss) && v >= knot(m, loss, i + 1)) {
        ++i;
    }
    return i;
}

/* eta1, eta2, tbf1, tbf2 at a speed, and their slopes: a straight line from a row on. The last one goes on as far as it
 * makes sense. */
static void read_table(const sb_model *m, int loss, int segment, double v, double *value, double *by_v)
{
    const double *row = m->loss_table + COLUMNS * (m->loss_ptr[loss] + segment);
    const int n = n_rows(m, loss);
    for (int c = 0; c < COLUMNS - 1; ++c) {
        const double least = c == 0 ? LEAST_ETA1 : 0.0;
        const double most = c < 2 ? 1.0 : INFINITY;
        by_v[c] = n > 1 ? (row[COLUMNS + 1 + c] - row[1 + c]) / (row[COLUMNS] - row[0]) : 0.0;
        value[c] = row[1 + c] + by_v[c] * (v - row[0]);
        if (value[c] < least || value[c] > most) {
            value[c] = sb_min(sb_max(value[c], least), most);
            by_v[c] = 0.0;
        }
    }
}

static line get_line(const sb_model *m, int loss, int driver, int segment, double v)
{
    double p[COLUMNS - 1];
    double p_v[COLUMNS - 1];
    read_table(m, loss, segment, v, p, p_v);
    if (driver == A_DRIVES) {
        const double eta = p[0];
        const double tbf = p[2];
        return (line){(1.0 - eta) / eta, tbf / eta, -p_v[0] / (eta * eta), (p_v[2] - tbf * p_v[0] / eta) / eta};
    }
    return (line){p[1] - 1.0, p[1] * p[3], p_v[1], p_v[1] * p[3] + p[1] * p_v[3]};
}

/* Direction of the line that holds: it slides, or leans on others that hold its motion; 0: it is held. */
static int direction_of(const sb_model *m, const sb_data *d, int lock)
{
    const int slides = d->mode[lock] == SB_FORWARD || d->mode[lock] == SB_BACKWARD;
    return slides ? d->mode[lock] : d->lean[m->lock_loss[lock]];
}

/* Whether its torque follows from the transmitted one. */
static int slides(const sb_model *m, const sb_data *d, int loss)
{
    const int lock = m->loss_lock[loss];
    return !d->locked[lock] && direction_of(m, d, lock) != 0;
}

int sb_loss_slides(const sb_model *m, const sb_data *d, int lock)
{
    return m->lock_loss[lock] >= 0 && slides(m, d, m->lock_loss[lock]);
}

/* The line that holds while it slides, at the present slip. */
static line present_line(const sb_model *m, const sb_data *d, int loss)
{
    const int lock = m->loss_lock[loss];
    return get_line(m, loss, d->driver[loss], d->segment[loss],
                    direction_of(m, d, lock) * d->slip[sb_lock_branch(m, lock)]);
}

void sb_loss_slopes(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_slope[l] = slides(m, d, l) ? present_line(m, d, l).slope : 0.0;
    }
}

void sb_loss_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots)
{
    for (int p = 0; p < m->n_lm; ++p) {
        const int loss = m->lm_loss[p];
        if (!locked[m->loss_lock[loss]] && slides(m, d, loss)) {
            slots[m->lm_slot[p]] += m->lm_val[p] * (m->lm_reaction[p] ? -d->loss_slope[loss] : 1.0);
        }
    }
}

void sb_loss_idle(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_slope[l] = 0.0;
    }
}

/* The transmitted torque T for accelerations and holding torques `rate`; `held`: those are on the board already. */
static double transmitted(const sb_model *m, const sb_data *d, int loss, const double *rate, int held)
{
    const int first = SB_FRICTION_BRANCH(m, 0);
    double sum = sb_row_dot(m->lv_ptr, m->lv_col, m->lv_val, loss, rate, d->loss_p0[loss]);
    for (int p = m->lb_ptr[loss]; p < m->lb_ptr[loss + 1]; ++p) {
        const int b = m->lb_col[p];
        const int lock = b >= first ? m->fr_lock[b - first] : -1;
        sum += m->lb_val[p] * (d->tau[b] + (lock >= 0 && !held ? rate[SB_N_Y(m) + lock] : 0.0));
    }
    return sum;
}

/* What T is added up from, for the size of its rounding. */
static double size_of(const sb_model *m, const sb_data *d, int loss, const double *rate)
{
    double sum = d->loss_floor[loss] + fabs(d->loss_p0[loss]) + fabs(d->tau[sb_lock_branch(m, m->loss_lock[loss])]);
    for (int p = m->lv_ptr[loss]; p < m->lv_ptr[loss + 1]; ++p) {
        sum += fabs(m->lv_val[p] * rate[m->lv_col[p]]);
    }
    for (int p = m->lb_ptr[loss]; p < m->lb_ptr[loss + 1]; ++p) {
        sum += fabs(m->lb_val[p] * d->tau[m->lb_col[p]]);
    }
    return sum;
}

static int varies(const sb_model *m, const sb_data *d, int loss)
{
    return m->loss_varies[loss] && slides(m, d, loss);
}

/* How T answers to a change of the row of its own loss, for those that need it. */
static void find_gains(const sb_model *m, sb_data *d)
{
    const int n = SB_N_X(m);
    d->n_varying = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        if (!varies(m, d, l)) {
            continue;
        }
        ++d->n_varying;
        for (int i = 0; i < n; ++i) {
            d->x_loss[i] = 0.0;
        }
        d->x_loss[SB_N_Y(m) + m->loss_lock[l]] = 1.0;
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->x_loss, d->x_loss, d->solve_tmp);
        double sum = sb_row_dot(m->lv_ptr, m->lv_col, m->lv_val, l, d->x_loss, 0.0);
        for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1]; ++p) {
            const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
            const int lock = f >= 0 ? m->fr_lock[f] : -1;
            sum += lock >= 0 ? m->lb_val[p] * d->x_loss[SB_N_Y(m) + lock] : 0.0;
        }
        d->loss_gain[l] = sum;
    }
}

sb_status sb_loss_refresh(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int l = 0; l < m->n_loss; ++l) {
        any |= varies(m, d, l);
    }
    d->n_varying = 0;
    if (any) {
        SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
        find_gains(m, d);
    }
    return SB_OK;
}

void sb_loss_prepare(const sb_model *m, sb_data *d)
{
    if (d->n_varying > 0 && sb_rates(m, d, d->t, d->x, d->rate_start) == SB_OK && sb_loss_refresh(m, d) == SB_OK) {
        (void)sb_rates(m, d, d->t, d->x, d->rate_start);
        sb_copy(d->force_start, d->force, SB_N_X(m));
    }
}

/* F of the rows whose slope is not that of Mass: (slope - slope of Mass) T, where T follows from F. For one gear the
 * first round finds it. */
static void correct(const sb_model *m, sb_data *d, double *force)
{
    double worst = 1.0;
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_push[l] = 0.0;
    }
    for (int round = 0; round < ROUNDS && worst > 0.0; ++round) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, force, d->x_loss, d->solve_tmp);
        worst = 0.0;
        for (int l = 0; l < m->n_loss; ++l) {
            const double excess = varies(m, d, l) ? present_line(m, d, l).slope - d->loss_slope[l] : 0.0;
            if (excess == 0.0) {
                continue;
            }
            const double torque = transmitted(m, d, l, d->x_loss, 0);
            const double before = d->loss_push[l];
            const double change = (excess * torque - before) / (1.0 - excess * d->loss_gain[l]);
            if (fabs(change) > 1e-15 * (fabs(torque) + fabs(before))) {
                d->loss_push[l] += change;
                force[SB_N_Y(m) + m->loss_lock[l]] += change;
                worst = 1.0;
            }
        }
    }
}

void sb_loss_forces(const sb_model *m, sb_data *d, double *force)
{
    for (int l = 0; l < m->n_loss; ++l) {
        if (slides(m, d, l)) {
            const int lock = m->loss_lock[l];
            const double rest = sb_row_dot(m->lb_ptr, m->lb_col, m->lb_val, l, d->tau, d->loss_p0[l]);
            force[SB_N_Y(m) + lock] = direction_of(m, d, lock) * present_line(m, d, l).offset + d->loss_slope[l] * rest;
        }
    }
    if (d->n_varying > 0) {
        correct(m, d, force);
    }
}

/* local: dF/dslip of its row, where the transmitted torque is that of the board */
void sb_loss_partials(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const line at = present_line(m, d, l);
        const double by_slip = at.offset_v + direction_of(m, d, m->loss_lock[l]) * at.slope_v * d->loss_torque[l];
        d->local[m->loss_local[l]] = slides(m, d, l) ? by_slip : 0.0;
    }
}

void sb_loss_jacobian(const sb_model *m, sb_data *d)
{
    for (int p = 0; p < m->n_lj; ++p) {
        d->jac[m->lj_slot[p]] += m->lj_val[p] * d->loss_slope[m->lj_loss[p]] * d->local[m->lj_local[p]];
    }
    for (int l = 0; l < m->n_loss; ++l) {
        if (slides(m, d, l)) {
            const int lock = m->loss_lock[l];
            const double rest = sb_row_dot(m->lb_ptr, m->lb_col, m->lb_val, l, d->tau_t, d->loss_pt[l]);
            d->force_t[SB_N_Y(m) + lock] =
                d->loss_slope[l] * rest + d->local[m->loss_local[l]] * d->slip_t[sb_lock_branch(m, lock)];
        }
    }
}

void sb_loss_estimate(const sb_model *m, sb_data *d, const double *rate)
{
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_torque[l] = transmitted(m, d, l, rate, 0);
    }
}

void sb_loss_torques(const sb_model *m, sb_data *d, const double *rate)
{
    // where redundant contacts share a torque, that of a gear which leans on them follows their shares
    const double *torque = (d->n_redundant && d->shared ? d->stick_x : rate) + SB_N_Y(m);
    for (int l = 0; l < m->n_loss; ++l) {
        const int lock = m->loss_lock[l];
        if (slides(m, d, l)) {
            d->tau[sb_lock_branch(m, lock)] = torque[lock];
        }
    }
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_torque[l] = transmitted(m, d, l, rate, 1);
        d->loss_size[l] = size_of(m, d, l, rate);
    }
}

void sb_loss_board(const sb_model *m, sb_data *d)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const double lost = d->tau[sb_lock_branch(m, m->loss_lock[l])];
        d->loss_a[l] = d->loss_torque[l] + lost;
        d->loss_support[l] = m->loss_ratio[l] * d->loss_torque[l] - lost;
    }
}

/* L1 - L2 for motion in a direction: positive where a drives. */
static double lead(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    const line a = get_line(m, loss, A_DRIVES, d->segment[loss], v);
    const line b = get_line(m, loss, B_DRIVES, d->segment[loss], v);
    return (a.slope - b.slope) * side * d->loss_torque[loss] + a.offset - b.offset;
}

/* Negative when the wrong side drives. */
static double side_change(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    const double sign = d->driver[loss] == A_DRIVES ? 1.0 : -1.0;
    return sign * lead(m, d, loss, side, v) + ROUNDING * d->loss_size[loss];
}

double sb_loss_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    const int loss = m->lock_loss[lock];
    const double torque = side * d->loss_torque[loss];
    const line a = get_line(m, loss, A_DRIVES, 0, 0.0);
    const line b = get_line(m, loss, B_DRIVES, 0, 0.0);
    return sb_max(sb_max(a.slope * torque + a.offset, b.slope * torque + b.offset), 0.0);
}

/* How far a speed is inside of the present line of the table; at a knot rounding is no way. */
static double inside(const sb_model *m, const sb_data *d, int loss, double v)
{
    const int i = d->segment[loss];
    const double below = i > 0 ? v - (1.0 - ROUNDING) * knot(m, loss, i) : INFINITY;
    const double above = i + 2 < n_rows(m, loss) ? (1.0 + ROUNDING) * knot(m, loss, i + 1) - v : INFINITY;
    return sb_min(below, above);
}

double sb_loss_rounding(const sb_model *m, const sb_data *d, int lock)
{
    return ROUNDING * d->loss_size[m->lock_loss[lock]];
}

/* Sliding: the motion ends; the other side begins to drive, or another line of the table begins. Where it leans on
 * others there is no motion. */
void sb_loss_events(const sb_model *m, const sb_data *d, int lock, double *g)
{
    const int loss = m->lock_loss[lock];
    const int direction = direction_of(m, d, lock);
    const double v = direction * d->slip[sb_lock_branch(m, lock)];
    const double turn = side_change(m, d, loss, direction, v);
    g[0] = d->lean[loss] ? 1.0 : v;
    g[1] = d->lean[loss] ? turn + SETTLED * d->loss_size[loss] : sb_min(turn, inside(m, d, loss, v));
}

/* The side that drives in a direction, at the torque on the board. */
static int find_driver(const sb_model *m, const sb_data *d, int loss, int side, double v)
{
    return lead(m, d, loss, side, v) >= 0.0 ? A_DRIVES : B_DRIVES;
}

static int other_side(int driver)
{
    return driver == A_DRIVES ? B_DRIVES : A_DRIVES;
}

/* Sliding on after an event: what was located, a change of the driving side or a knot of the table, is not undone by
 * rounding. */
static void slide_on(const sb_model *m, sb_data *d, int loss, double v)
{
    const int fired = d->fired[2 * m->loss_lock[loss] + 1];
    const double way = inside(m, d, loss, v);
    const int i = d->segment[loss];
    if (fired && fabs(way) <= SB_ON_LIMIT * fabs(v)) {
        d->segment[loss] = i > 0 && v <= (1.0 + SB_ON_LIMIT) * knot(m, loss, i) ? i - 1 : i + 1;
    } else if (fired) {
        d->driver[loss] = other_side(d->driver[loss]);
    } else if (way < -SB_ON_LIMIT * fabs(v)) {
        d->segment[loss] = find_segment(m, loss, v);
    }
}

/* Its slip is 0: held, unless it has reached a limit; one that leans goes on to do so, on its other line if that was
 * located. */
static void begin_at_rest(const sb_model *m, sb_data *d, int lock)
{
    const int loss = m->lock_loss[lock];
    const int was_stuck = d->mode[lock] == SB_STUCK;
    const int leant = was_stuck ? d->lean[loss] : 0;
    const int fired = d->fired[2 * lock] ? SB_FORWARD : d->fired[2 * lock + 1] ? SB_BACKWARD : 0;
    const int together = d->released[lock] ? sb_sign_of(d->hold[lock]) : 0;
    d->loss_fired[loss] = !was_stuck || leant ? 0 : fired != 0 ? fired : together;
    d->loss_rests[loss] = 1;
    d->segment[loss] = 0;
    d->mode[lock] = SB_STUCK;
    if (leant == 0) {
        d->lean[loss] = d->loss_fired[loss];
        d->driver[loss] = find_driver(m, d, loss, d->lean[loss], 0.0);
    } else if (d->fired[2 * lock + 1]) {
        d->driver[loss] = other_side(d->driver[loss]);
    }
}

/* Slip beyond 0, by the least one, that only an impulse or a jump of a prescribed speed explains. */
#define JUMPED 1e6

void sb_loss_begin(const sb_model *m, sb_data *d, int lock)
{
    const int loss = m->lock_loss[lock];
    const int b = sb_lock_branch(m, lock);
    const double slip = d->slip[b];
    const int mode = d->mode[lock];
    const int slid = mode == SB_FORWARD || mode == SB_BACKWARD;
    d->loss_fired[loss] = d->loss_rests[loss] = 0;
    if (slid && !d->fired[2 * lock] && mode * slip > sb_least_slip(m, lock)) { // others may have stopped it
        slide_on(m, d, loss, mode * slip);
    } else if ((!slid && fabs(slip) > sb_least_slip(m, lock)) || mode * slip < -JUMPED * sb_least_slip(m, lock)) {
        d->mode[lock] = sb_sign_of(slip);
        d->lean[loss] = 0;
        d->driver[loss] = A_DRIVES;
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
        torque[set[i]] = d->pin[set[i]] != 0 ? d->grip[set[i]] : 0.0;
    }
    for (int l = 0; l < m->n_loss; ++l) {
        double sum = 0.0;
        for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1] && slides(m, d, l); ++p) {
            const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
            sum += f >= 0 && m->fr_lock[f] >= 0 ? m->lb_val[p] * torque[m->fr_lock[f]] : 0.0;
        }
        const int row = SB_N_Y(m) + m->loss_lock[l];
        b[row] = slides(m, d, l) ? force[row] + d->loss_slope[l] * sum : b[row];
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

/* A gear that is held beyond its limits takes the line of that side. */
static int review_held(const sb_model *m, sb_data *d, int l)
{
    const int k = m->loss_lock[l];
    const double slack = SETTLED * d->loss_size[l];
    const double above = d->grip[k] - sb_loss_limit(m, d, k, SB_FORWARD);
    const double below = -d->grip[k] - sb_loss_limit(m, d, k, SB_BACKWARD);
    if (above <= slack && below <= slack) {
        return 0;
    }
    d->lean[l] = above > below ? SB_FORWARD : SB_BACKWARD;
    d->driver[l] = find_driver(m, d, l, d->lean[l], 0.0);
    return 1;
}

/* The other line holds, or a gear at rest that would turn back is held. One that does not move leans on others. */
static int review_line(const sb_model *m, sb_data *d, int l, int may_turn)
{
    const int k = m->loss_lock[l];
    const int b = sb_lock_branch(m, k);
    const int direction = direction_of(m, d, k);
    const double turn = side_change(m, d, l, direction, direction * d->slip[b]);
    if (turn < -SETTLED * d->loss_size[l] && may_turn) {
        d->driver[l] = other_side(d->driver[l]);
        return 1;
    }
    d->need[k] = d->slip_t[b];
    if (d->loss_rests[l] && d->loss_fired[l] != direction && direction * sb_stick_left(m, d, k, d->need) < 0.0) {
        d->lean[l] = 0;
        return 1;
    }
    return 0;
}

sb_status sb_loss_review(const sb_model *m, sb_data *d, int n, const int *set, int round, int *changed)
{
    const int patience = 4 + 2 * m->n_loss;
    for (int i = 0; i < n; ++i) {
        d->stick_x[SB_N_Y(m) + set[i]] = d->grip[set[i]];
    }
    sb_loss_estimate(m, d, d->stick_x);
    *changed = 0;
    for (int l = 0; l < m->n_loss && !(*changed && round > patience); ++l) {
        const int k = m->loss_lock[l];
        set_floor(m, d, l);
        d->loss_size[l] = size_of(m, d, l, d->stick_x) + fabs(d->stick_x[SB_N_Y(m) + k]);
        if (direction_of(m, d, k) != 0) {
            *changed |= review_line(m, d, l, round < 3 * patience);
        } else if (d->loss_rests[l]) {
            *changed |= review_held(m, d, l);
        }
        d->culprit = *changed ? 2 * k : d->culprit;
    }
    if (*changed && round > 10 * patience) {
        return SB_NO_STICK_SOLUTION;
    }
    sb_loss_slopes(m, d);
    sb_loss_forces(m, d, d->force);
    return SB_OK;
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
        const double slack = SETTLED * d->loss_size[l];
        const int beyond = lost > sb_loss_limit(m, d, k, SB_FORWARD) + slack     ? SB_FORWARD
                           : lost < -sb_loss_limit(m, d, k, SB_BACKWARD) - slack ? SB_BACKWARD
                                                                                 : 0;
        if (d->loss_rests[l] && d->lean[l] == 0 && d->group[k] >= 0 && beyond != 0) {
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
    SB_TRY(sb_lu_factor(m, d->stick_lu, d->stick_inv));
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = m->loss_lock[l];
        if (d->lean[l] != 0 && compliance_of(m, d, sb_lock_branch(m, k)) > HELD * d->lock_scale[k]) {
            d->mode[k] = d->lean[l];
            d->lean[l] = 0;
        }
    }
    sb_loss_slopes(m, d);
    return SB_OK;
}
