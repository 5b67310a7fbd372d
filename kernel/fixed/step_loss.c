#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Gears with losses in the resolvent step, see loss.c. The loss Q is a friction element whose limits follow from the
 * transmitted torque T. While it slides it has the row
 *
 *     Q - slope T(dx/h, Q) = direction * offset
 *
 * in the matrix of couple_sparse.c, as in that of the adaptive solver: T has the torques of the step, with springs and
 * dampers as they act in it. The line, by the speed at the start of the step; which of two lines holds, by the torque
 * of the round before. */

static int friction_of(const sb_model *m, int loss)
{
    return m->lock_friction[m->loss_lock[loss]];
}

static int find_segment(const sb_model *m, int loss, double v)
{
    int i = 0;
    while (i + 2 < sb_loss_rows(m, loss) && v >= sb_loss_knot(m, loss, i + 1)) {
        ++i;
    }
    return i;
}

static sb_loss_law line_of(const sb_model *m, const sb_data *d, const sb_fixed *f, int loss)
{
    return sb_loss_present(m, loss, d->driver[loss], d->segment[loss], fabs(f->el_start[friction_of(m, loss)]), 0);
}

void sb_step_loss_begin(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int l = 0; l < m->n_loss; ++l) {
        f->loss_mode[l] = d->mode[m->loss_lock[l]];
        f->loss_before[l] = f->el_tau[friction_of(m, l)];
        d->lean[l] = 0;
        d->segment[l] = find_segment(m, l, fabs(f->el_start[friction_of(m, l)]));
    }
}

void sb_step_loss_end(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int l = 0; l < m->n_loss; ++l) {
        d->mode[m->loss_lock[l]] = f->loss_mode[l];
    }
    sb_loss_idle(m, d);
}

void sb_step_loss_place(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int side = f->el_side[friction_of(m, l)];
        d->mode[m->loss_lock[l]] = side;
        d->loss_slope[l] = side != 0 ? line_of(m, d, f, l).slope : 0.0;
    }
}

void sb_step_loss_matrix(const sb_model *m, const sb_data *d, const sb_fixed *f, double *slots)
{
    for (int p = 0; p < m->n_lj; ++p) {
        const int slot = m->lj_slot[p];
        const double slope = d->loss_slope[m->lj_loss[p]] * d->local[m->lj_local[p]];
        slots[slot] -= f->h * sb_step_share(f, slot, m->lj_local[p]) * m->lj_val[p] * slope;
    }
}

void sb_step_loss_right(const sb_model *m, const sb_data *d, const sb_fixed *f, double *right)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int side = f->el_side[friction_of(m, l)];
        if (side != 0) {
            const double rest = sb_row_dot(m->lb_ptr, m->lb_col, m->lb_val, l, d->tau, d->loss_p0[l]);
            right[SB_N_Y(m) + m->loss_lock[l]] = f->h * (side * line_of(m, d, f, l).offset + d->loss_slope[l] * rest);
        }
    }
}

void sb_step_loss_torques(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->rate[i] = f->change[i] / f->h;
    }
    sb_loss_estimate(m, d, d->rate);
    for (int p = 0; p < m->n_lj; ++p) { // what the torques of springs and curves gain within the step
        const int slot = m->lj_slot[p];
        const int column = m->lu_perm[m->lu_col[slot]];
        const double slope = sb_step_share(f, slot, m->lj_local[p]) * m->lj_val[p] * d->local[m->lj_local[p]];
        d->loss_torque[m->lj_loss[p]] += slope * f->change[column];
    }
    for (int l = 0; l < m->n_loss; ++l) {
        const int lock = m->loss_lock[l];
        d->loss_size[l] = sb_loss_terms(m, d, l, d->rate) + fabs(d->loss_torque[l]);
        f->el_tau[friction_of(m, l)] = f->change[SB_N_Y(m) + lock] / f->h;
        d->loss_size[l] += fabs(f->el_tau[friction_of(m, l)]);
    }
}

/* What rounding may leave of the torque of a gear: of its terms, and of the speeds that accelerate what is behind
 * it, which are found together with all others. */
static double rounding_of(const sb_model *m, const sb_data *d, const sb_fixed *f, int loss)
{
    double behind = 0.0;
    for (int p = m->lv_ptr[loss]; p < m->lv_ptr[loss + 1]; ++p) {
        behind += fabs(m->lv_val[p]) * sb_max(d->v_size[m->lv_col[p]], SB_STEP_SPREAD * d->v_size_most);
    }
    return SB_LOSS_ROUNDING * (d->loss_size[loss] + SB_STEP_SPREAD * behind / f->h);
}

/* The higher line for motion in a direction, that of the last round unless the other one is clearly higher. */
static int driver_for(const sb_model *m, const sb_data *d, const sb_fixed *f, int loss, int side)
{
    const double v = fabs(f->el_start[friction_of(m, loss)]);
    const double torque = side * d->loss_torque[loss];
    const sb_loss_law a = sb_loss_line(m, loss, SB_A_DRIVES, d->segment[loss], v);
    const sb_loss_law b = sb_loss_line(m, loss, SB_B_DRIVES, d->segment[loss], v);
    const double lead = (a.slope - b.slope) * torque + a.offset - b.offset;
    if (fabs(lead) <= rounding_of(m, d, f, loss)) {
        return d->driver[loss];
    }
    return lead > 0.0 ? SB_A_DRIVES : SB_B_DRIVES;
}

int sb_step_loss_review(const sb_model *m, sb_data *d, sb_fixed *f, int k, double slip, double rounding, int waits)
{
    const int lock = m->fr_lock[k];
    const int loss = m->lock_loss[lock];
    const int side = f->el_side[k];
    int next = side;
    if (side == 0) {
        const double slack = rounding_of(m, d, f, loss);
        const double tau = f->el_tau[k];
        next = tau > sb_loss_limit(m, d, lock, SB_FORWARD) + slack     ? SB_FORWARD
               : tau < -sb_loss_limit(m, d, lock, SB_BACKWARD) - slack ? SB_BACKWARD
                                                                       : 0;
    } else if (side * slip < -rounding) {
        next = 0;
    }
    f->el_slip[k] = side == 0 || fabs(slip) <= rounding ? 0.0 : slip;
    const int driver = next != 0 ? driver_for(m, d, f, loss, next) : d->driver[loss];
    const int changes = next != side || driver != d->driver[loss];
    if (!waits) {
        f->el_side[k] = next;
        d->driver[loss] = driver;
    }
    return changes;
}

/* What was lost in the step before, as far as it does not drive. */
void sb_step_loss_cut(const sb_model *m, sb_fixed *f)
{
    for (int l = 0; l < m->n_loss; ++l) {
        const int k = friction_of(m, l);
        f->el_tau[k] = f->loss_before[l] * f->el_start[k] > 0.0 ? f->loss_before[l] : 0.0;
    }
}
