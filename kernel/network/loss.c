#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"

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
 * F has (slope - slope of Mass) T more, for which it is solved.
 *
 * A joint has these lines without a table, by their slopes and offsets, times the friction f(v) of a law that locks:
 *     Q = f(v) (tau_0 + max(k_forward T, -k_backward T)),   at rest up to its break-away level times the same. */

enum { ROUNDS = 30 };

/* eta1, eta2, tbf1, tbf2 at a speed, and their slopes: a straight line from a row on. The last one goes on as far as it
 * makes sense. */
static void read_table(const sb_model *m, int loss, int segment, double v, double *value, double *by_v)
{
    const double *row = m->loss_table + SB_LOSS_COLUMNS * (m->loss_ptr[loss] + segment);
    const int n = sb_loss_rows(m, loss);
    for (int c = 0; c < SB_LOSS_COLUMNS - 1; ++c) {
        const double least = c == 0 ? SB_LEAST_EFFICIENCY : 0.0;
        const double most = c < 2 ? 1.0 : INFINITY;
        by_v[c] = n > 1 ? (row[SB_LOSS_COLUMNS + 1 + c] - row[1 + c]) / (row[SB_LOSS_COLUMNS] - row[0]) : 0.0;
        value[c] = row[1 + c] + by_v[c] * (v - row[0]);
        if (value[c] < least || value[c] > most) {
            value[c] = sb_min(sb_max(value[c], least), most);
            by_v[c] = 0.0;
        }
    }
}

sb_loss_law sb_loss_line(const sb_model *m, int loss, int driver, int segment, double v)
{
    if (m->loss_lines[loss]) {
        const double *row = m->loss_table + SB_LOSS_COLUMNS * m->loss_ptr[loss];
        const int side = driver == SB_A_DRIVES ? 0 : 1;
        return (sb_loss_law){row[1 + side], row[3 + side], 0.0, 0.0};
    }
    double p[SB_LOSS_COLUMNS - 1];
    double p_v[SB_LOSS_COLUMNS - 1];
    read_table(m, loss, segment, v, p, p_v);
    if (driver == SB_A_DRIVES) {
        const double eta = p[0];
        const double tbf = p[2];
        return (sb_loss_law){(1.0 - eta) / eta, tbf / eta, -p_v[0] / (eta * eta), (p_v[2] - tbf * p_v[0] / eta) / eta};
    }
    return (sb_loss_law){p[1] - 1.0, p[1] * p[3], p_v[1], p_v[1] * p[3] + p[1] * p_v[3]};
}

/* Friction of the law of a joint, and its derivative by the speed; that of a table is 1. */
static double factor_of(const sb_model *m, int loss, double v, int rests, double *by_v)
{
    const int k = m->lock_friction[m->loss_lock[loss]];
    const sb_law *law = sb_law_of(m, k);
    *by_v = 0.0;
    if (!m->loss_lines[loss]) {
        return 1.0;
    }
    return rests ? law->breakaway(law, m->fr_param + m->fr_param_ptr[k], NULL) : sb_friction_curve(m, k, v, by_v);
}

sb_loss_law sb_loss_present(const sb_model *m, int loss, int driver, int segment, double v, int rests)
{
    double by_v;
    const double factor = factor_of(m, loss, v, rests, &by_v);
    const sb_loss_law at = sb_loss_line(m, loss, driver, segment, v);
    return (sb_loss_law){factor * at.slope, factor * at.offset, factor * at.slope_v + by_v * at.slope,
                         factor * at.offset_v + by_v * at.offset};
}

/* Whether its torque follows from the transmitted one. */
static int slides(const sb_model *m, const sb_data *d, int loss)
{
    const int lock = m->loss_lock[loss];
    return !d->locked[lock] && sb_loss_direction(m, d, lock) != 0;
}

int sb_loss_slides(const sb_model *m, const sb_data *d, int lock)
{
    return m->lock_loss[lock] >= 0 && slides(m, d, m->lock_loss[lock]);
}

/* The line that holds while it slides, at the present slip. */
static sb_loss_law present_line(const sb_model *m, const sb_data *d, int loss)
{
    const int lock = m->loss_lock[loss];
    const double v = sb_loss_direction(m, d, lock) * d->slip[sb_lock_branch(m, lock)];
    return sb_loss_present(m, loss, d->driver[loss], d->segment[loss], v, d->mode[lock] == SB_STUCK);
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

double sb_loss_terms(const sb_model *m, const sb_data *d, int loss, const double *rate)
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

/* How T answers to a change of the row of its loss, for those that need it. */
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
        SB_TRY(sb_assemble_mass(m, d));
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
            if (fabs(change) > SB_LOSS_CORRECTED * (fabs(torque) + fabs(before))) {
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
            force[SB_N_Y(m) + lock] =
                sb_loss_direction(m, d, lock) * present_line(m, d, l).offset + d->loss_slope[l] * rest;
        }
    }
    if (d->n_varying > 0) {
        correct(m, d, force);
    }
}

/* local: dF/dslip of its row, where the transmitted torque is that of the board */
void sb_loss_partials(const sb_model *m, sb_data *d, const double *x)
{
    (void)x;
    for (int l = 0; l < m->n_loss; ++l) {
        const sb_loss_law at = present_line(m, d, l);
        const double by_slip = at.offset_v + sb_loss_direction(m, d, m->loss_lock[l]) * at.slope_v * d->loss_torque[l];
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

void sb_loss_solved(const sb_model *m, sb_data *d, double *rate)
{
    const double *torque = rate + SB_N_Y(m);
    for (int l = 0; l < m->n_loss; ++l) {
        const int lock = m->loss_lock[l];
        if (slides(m, d, l)) {
            d->tau[sb_lock_branch(m, lock)] = torque[lock];
        }
    }
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_torque[l] = transmitted(m, d, l, rate, 1);
        d->loss_size[l] = sb_loss_terms(m, d, l, rate);
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
