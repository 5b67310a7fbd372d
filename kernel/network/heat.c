#include <math.h>

#include "linear/sb_linear.h"
#include "network/sb_network.h"

/* Lumped heat. Temperatures are states of signals: conduction and given heat flows reach them as signals, the heat of a
 * port k comes on top,
 *     C T' = (signals) + heat_k,   heat_k = (signal: springs and sources) + sum over its contacts of tau slip - stored.
 *
 * A stuck contact of Karnopp or of the hybrid law keeps some slip, and its holding torque lambda is an unknown, as that
 * of a gear with losses that slides: the row of the temperature has the product slip * Lambda' in it. Mass takes it
 * with the slip s0 of the start of the step, and F what is left, (slip - s0) lambda(x), which Karnopp's law never
 * needs. So the Jacobian is exact at the start. */

static int is_held(const sb_model *m, const sb_data *d, int i)
{
    return d->locked[m->warm_lock[i]] || sb_loss_slides(m, d, m->warm_lock[i]);
}

static int port_of(const sb_model *m, int i)
{
    return m->fr_heat[m->lock_friction[m->warm_lock[i]]];
}

/* Heat (or its derivative) into the rate (or its derivative) of the temperature behind port k; a fixed
 * temperature has none. */
static void warm(const sb_model *m, int k, double heat, double *rate)
{
    if (m->heat_state[k] >= 0) {
        rate[m->heat_state[k]] += m->heat_gain[k] * heat;
    }
}

void sb_heat_flow(const sb_model *m, sb_data *d, const double *x, double *force)
{
    for (int k = 0; k < m->n_heat; ++k) {
        d->heat[k] = m->heat_signal[k] >= 0 ? d->jet[SB_JET * m->heat_signal[k]] : 0.0;
    }
    for (int f = 0; f < m->n_friction; ++f) {
        if (m->fr_heat[f] >= 0) {
            d->heat[m->fr_heat[f]] += sb_friction_loss(m, d, x, force, f);
        }
    }
    for (int k = 0; k < m->n_heat; ++k) {
        warm(m, k, d->heat[k], force);
    }
}

/* Contacts that hold a slip, now that the board has their torques. */
void sb_heat_solved(const sb_model *m, sb_data *d, double *rate)
{
    for (int i = 0; i < m->n_warm; ++i) {
        const int k = port_of(m, i);
        if (is_held(m, d, i)) {
            const double heat = rate[SB_N_Y(m) + m->warm_lock[i]] * d->slip[sb_lock_branch(m, m->warm_lock[i])];
            d->heat[k] += heat;
            warm(m, k, heat, rate);
        }
    }
}

/* Temperatures and flows that follow from the heat at once, where there is no capacity. */
void sb_heat_board(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_pool; ++k) {
        d->pool[k] = 0.0;
    }
    for (int k = 0; k < m->n_heat; ++k) {
        if (m->heat_pool[k] >= 0) {
            d->pool[m->heat_pool[k]] += d->heat[k];
        }
    }
    for (int i = 0; i < m->n_pooled; ++i) {
        d->pooled[i] =
            d->jet[SB_JET * m->pooled_base[i]] + d->jet[SB_JET * m->pooled_ratio[i]] * d->pool[m->pooled_pool[i]];
    }
}

/* Heat by holding torque is the slip. */
void sb_heat_chain(const sb_model *m, const sb_data *d, double *derivative)
{
    for (int i = 0; i < m->n_warm; ++i) {
        const int k = port_of(m, i);
        if (is_held(m, d, i)) {
            const double slip = d->slip[sb_lock_branch(m, m->warm_lock[i])];
            warm(m, k, slip * derivative[SB_N_Y(m) + m->warm_lock[i]], derivative);
        }
    }
}

/* Mass with the present slips, and heat by slip; after sb_rates into d->rate. Contacts that hold one and the same slip
 * together count as the one of them that has the multiplier. */
static void held_partials(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_warm; ++i) {
        const int k = port_of(m, i);
        const int lock = m->warm_lock[i];
        const int b = sb_lock_branch(m, lock);
        const double lambda = is_held(m, d, i) ? d->rate[SB_N_Y(m) + lock] : 0.0;
        d->warm_slip[i] = is_held(m, d, i) ? d->slip[b] : 0.0;
        if (m->warm_slot[i] >= 0) {
            d->mass[m->warm_slot[i]] = -m->heat_gain[k] * d->warm_slip[i];
        }
        d->local[m->warm_local[i]] = lambda;
        d->heat_t[k] += lambda * d->slip_t[b];
    }
}

void sb_heat_partials(const sb_model *m, sb_data *d, const double *x)
{
    for (int k = 0; k < m->n_heat; ++k) {
        d->heat_t[k] = m->heat_signal[k] >= 0 ? d->jet[SB_JET * m->heat_signal[k] + 1] : 0.0;
    }
    for (int f = 0; f < m->n_friction; ++f) {
        if (m->fr_heat[f] >= 0) {
            d->heat_t[m->fr_heat[f]] += sb_friction_loss_partials(m, d, x, f, d->local + m->fr_heat_local[f]);
        }
    }
    held_partials(m, d);
}

void sb_heat_jacobian(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_heat; ++k) {
        warm(m, k, d->heat_t[k], d->force_t);
    }
}

void sb_heat_correct(const sb_model *m, sb_data *d, double *force)
{
    double left = 0.0;
    for (int i = 0; i < m->n_warm; ++i) {
        left += is_held(m, d, i) ? fabs(d->slip[sb_lock_branch(m, m->warm_lock[i])] - d->warm_slip[i]) : 0.0;
    }
    if (left == 0.0) {
        return;
    }
    sb_lu_solve(m, d->mass_lu, d->mass_inv, force, d->x_hold, d->solve_tmp);
    for (int i = 0; i < m->n_warm; ++i) {
        const int k = port_of(m, i);
        const int lock = m->warm_lock[i];
        if (is_held(m, d, i)) {
            const double beyond = d->slip[sb_lock_branch(m, lock)] - d->warm_slip[i];
            warm(m, k, beyond * d->x_hold[SB_N_Y(m) + lock], force);
        }
    }
}

void sb_heat_jump(const sb_model *m, double *x, int friction, double energy)
{
    if (m->fr_heat[friction] >= 0) {
        warm(m, m->fr_heat[friction], energy, x);
    }
}
