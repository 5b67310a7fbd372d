#include <math.h>

#include "linear/sb_linear.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Redundant locks share what the others carry: the same accelerations, equal utilisation, none beyond its limit while
 * another one has room. */

/* Torques d->grip for the slip accelerations that are demanded; whether there are such. What makes a slip decay has no
 * limit: those apply to the torques that would hold it. */
static int share_torques(const sb_model *m, sb_data *d, double *force, int holding)
{
    const int *set = d->lock_set;
    double *row = force + SB_N_Y(m);
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = set[i];
        sb_set_box(m, d, k, 0);
        // what shares nothing has the torque that it has, which is tested against its limit elsewhere
        if (d->group[k] < 0 || (!holding && d->phase[k] == SB_DECAYING)) {
            d->low[k] = -INFINITY;
            d->high[k] = INFINITY;
        }
        d->pin[k] = 0; // from the even split: on a bound a redundant contact has no reason to leave it
    }
    for (int l = 0; l < m->n_loss; ++l) {
        row[m->loss_lock[l]] -= d->loss_shift[l]; // the torques of the split have it
    }
    const sb_status status = sb_stick_solve(m, d, d->n_stuck, set, force, d->need, d->tau);
    for (int l = 0; l < m->n_loss; ++l) {
        row[m->loss_lock[l]] += d->loss_shift[l];
    }
    return status == SB_OK;
}

/* Slip accelerations of the stuck contacts as they are. */
static void demand_present(const sb_model *m, sb_data *d, const double *rate)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->need[k] = -sb_lock_slip(m, k, rate, 0.0);
    }
}

/* Mass knows the independent contacts alone. A gear that loses a share of what it transmits follows the split: its row
 * gets slope times the torque that the split adds to that of Mass. */
void sb_share_forces(const sb_model *m, sb_data *d, double *force)
{
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_shift[l] = 0.0;
    }
    sb_lu_solve(m, d->mass_lu, d->mass_inv, force, d->x_loss, d->solve_tmp);
    demand_present(m, d, d->x_loss);
    if (!share_torques(m, d, force, 0)) {
        return;
    }
    for (int l = 0; l < m->n_loss; ++l) {
        double more = 0.0;
        for (int k = 0; k < m->n_lock; ++k) {
            more += d->redundant[k] ? d->loss_share[l * m->n_lock + k] * d->grip[k] : 0.0;
        }
        d->loss_shift[l] = d->loss_slope[l] * more;
        force[SB_N_Y(m) + m->loss_lock[l]] += d->loss_shift[l];
    }
}

static void accept_share(const sb_model *m, sb_data *d, int k)
{
    d->hold[k] = d->grip[k];
    d->excess[k] = d->pin[k] != 0 ? d->pin[k] * sb_stick_left(m, d, k, d->need) / d->lock_scale[k] : 0.0;
}

/* Contacts that share a motion and let their slips decay are asked for the torques that would hold these. */
static int hold_decaying(const sb_model *m, sb_data *d, const double *rate)
{
    const int *set = d->lock_set;
    int any = 0;
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = set[i];
        const int held = d->group[k] >= 0 && d->phase[k] == SB_DECAYING;
        d->need[k] = held ? d->slip_t[sb_lock_branch(m, k)] : -sb_lock_slip(m, k, rate, 0.0);
        any |= held;
    }
    if (!any || !share_torques(m, d, d->force, 1)) {
        return 0;
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        accept_share(m, d, set[i]);
        d->pin_hold[set[i]] = d->pin[set[i]];
    }
    return 1;
}

/* An event may be located slightly late: contacts are then beyond their limits, and the excess is carried by none.
 * The independent ones take it, so that torques and accelerations belong together:  M dv + W l = 0,  W' dv = -left. */
static void assign_remainder(const sb_model *m, sb_data *d)
{
    const int n_y = SB_N_Y(m);
    int any = 0;
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->stick_b[i] = 0.0;
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        any |= d->excess[k] != 0.0;
        d->stick_b[n_y + k] = d->locked[k] ? -d->need[k] - sb_lock_slip(m, k, d->stick_x, 0.0) : 0.0;
    }
    if (any) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->stick_b, d->stick_x, d->solve_tmp);
        for (int i = 0; i < d->n_stuck; ++i) {
            const int k = d->lock_set[i];
            d->lambda[k] += d->locked[k] ? d->stick_x[n_y + k] : 0.0;
        }
    }
}

void sb_share_redundant(const sb_model *m, sb_data *d, const double *rate)
{
    const int *set = d->lock_set;
    const int held = d->n_decaying && hold_decaying(m, d, rate);
    demand_present(m, d, rate);
    d->shared = share_torques(m, d, d->force, 0);
    if (!d->shared) {
        return; // what the independent ones carry stays a valid answer
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = set[i];
        d->lambda[k] = d->grip[k];
        if (held && d->phase[k] == SB_DECAYING) {
            d->pin[k] = d->pin_hold[k];
        } else {
            accept_share(m, d, k);
        }
    }
    assign_remainder(m, d);
}
