#include <math.h>
#include <string.h>

#include "sb_element.h"
#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

static const sb_element_kind *const kinds[] = {
#define X(kind) &sb_kind_##kind,
    SB_ELEMENT_KINDS(X)
#undef X
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Positions, speeds, accelerations and jerks of the prescribed motions behind the free ones. */
static void place_motions(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_motion; ++k) {
        const double *jet = d->jet + SB_JET * m->motion_signal[k];
        const double *speed = jet + (m->motion_order[k] == 0 ? 1 : 0);
        d->qx[m->n_q + k] = m->motion_order[k] == 0 ? jet[0] : 0.0;
        d->vx[m->n_v + k] = speed[0];
        d->ax[m->n_v + k] = speed[1];
        d->jerk[m->n_v + k] = speed[2];
    }
}

/* Signals, prescribed motions, slips and displacements at (t, x). */
static void look(const sb_model *m, sb_data *d, double t, const double *x)
{
    sb_signals_eval(m, d, t);
    place_motions(m, d);
    memcpy(d->vx, x, (size_t)m->n_v * sizeof *x);
    memcpy(d->qx, x + m->n_v, (size_t)m->n_q * sizeof *x);
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < n_branch; ++k) {
        d->slip[k] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, d->vx);
    }
    for (int k = 0; k < m->n_spring; ++k) {
        d->disp[k] = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, d->qx);
    }
}

/* Part of a row over vx that multiplies the prescribed motions. */
static double prescribed_part(const sb_model *m, int branch, const double *values)
{
    double sum = 0.0;
    for (int p = m->w_ptr[branch]; p < m->w_ptr[branch + 1]; ++p) {
        sum += m->w_col[p] >= m->n_v ? m->w_val[p] * values[m->w_col[p]] : 0.0;
    }
    return sum;
}

double sb_slip_t(const sb_model *m, const sb_data *d, int branch)
{
    return prescribed_part(m, branch, d->ax);
}

double sb_disp_t(const sb_model *m, const sb_data *d, int spring)
{
    double sum = 0.0;
    for (int p = m->e_ptr[spring]; p < m->e_ptr[spring + 1]; ++p) {
        const int k = m->e_col[p] - m->n_q;
        sum += k >= 0 ? m->e_val[p] * d->vx[m->n_v + k] : 0.0;
    }
    return sum;
}

/* forces -= W' tau on the free speeds */
static void add_torques(const sb_model *m, const double *tau, double *force)
{
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < n_branch; ++k) {
        for (int p = m->w_ptr[k]; p < m->w_ptr[k + 1]; ++p) {
            if (m->w_col[p] < m->n_v) {
                force[m->w_col[p]] -= m->w_val[p] * tau[k];
            }
        }
    }
}

void sb_forces(const sb_model *m, sb_data *d, double t, const double *x, double *force)
{
    ++d->stats.rhs_evaluations;
    look(m, d, t, x);
    for (int i = 0; i < m->n_v; ++i) {
        force[i] = 0.0;
    }
    for (int i = 0; i < m->n_q; ++i) {
        force[m->n_v + i] = sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, d->vx);
    }
    for (int k = 0; k < N_KINDS; ++k) {
        kinds[k]->torque(m, d, x, force);
    }
    add_torques(m, d->tau, force);

    // a locked contact keeps its slip: W' v' = -(prescribed part of the slip acceleration)
    const int first = SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        force[first + k] =
            d->locked[k] ? -prescribed_part(m, SB_FRICTION_BRANCH(m, m->lock_friction[k]), d->ax) : 0.0;
    }
}

sb_status sb_rates(const sb_model *m, sb_data *d, double t, const double *x, double *rate)
{
    sb_forces(m, d, t, x, d->force);
    sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, rate, d->solve_tmp);
    memcpy(d->ax, rate, (size_t)m->n_v * sizeof *rate);
    if (d->n_stuck) {
        sb_lock_torques(m, d, rate + SB_N_Y(m));
    }
    return SB_OK;
}

void sb_jacobian(const sb_model *m, sb_data *d, double t, const double *x)
{
    ++d->stats.jacobian_evaluations;
    look(m, d, t, x);
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->force_t[i] = 0.0;
    }
    d->local[0] = 1.0;
    for (int k = 0; k < N_KINDS; ++k) {
        kinds[k]->partials(m, d, x);
    }

    // every local derivative goes to its slots, with the coefficients of the rows that lead there
    for (int s = 0; s < m->n_lu; ++s) {
        d->jac[s] = 0.0;
    }
    for (int p = 0; p < m->n_jac; ++p) {
        d->jac[m->jac_slot[p]] += m->jac_coef[p] * d->local[m->jac_local[p]];
    }

    // explicit dependence on time: torques, prescribed speeds in the position rates, prescribed jerk
    add_torques(m, d->tau_t, d->force_t);
    for (int i = 0; i < m->n_q; ++i) {
        for (int p = m->g_ptr[i]; p < m->g_ptr[i + 1]; ++p) {
            d->force_t[m->n_v + i] += m->g_col[p] >= m->n_v ? m->g_val[p] * d->ax[m->g_col[p]] : 0.0;
        }
    }
    for (int k = 0; k < m->n_lock; ++k) {
        if (d->locked[k]) {
            d->force_t[SB_N_Y(m) + k] = -prescribed_part(m, SB_FRICTION_BRANCH(m, m->lock_friction[k]), d->jerk);
        }
    }
}

/* Mass in the present modes: values of its entries, and its factors. */
sb_status sb_assemble_mass(const sb_model *m, sb_data *d, const int *locked, double *lu, double *inv)
{
    for (int s = 0; s < m->n_lu; ++s) {
        lu[s] = 0.0;
    }
    for (int p = 0; p < m->n_mass; ++p) {
        const int lock = m->mass_lock[p];
        const int on = lock == -1 || (lock >= 0 ? locked[lock] : !locked[-2 - lock]);
        d->mass_val[p] = on ? m->mass_val[p] : 0.0;
        lu[m->mass_slot[p]] += d->mass_val[p];
    }
    ++d->stats.factorisations;
    return sb_lu_factor(m, lu, inv);
}

void sb_mass_add_product(const sb_model *m, const sb_data *d, const double *x, double *y)
{
    for (int p = 0; p < m->n_mass; ++p) {
        y[m->mass_row[p]] += d->mass_val[p] * x[m->mass_col[p]];
    }
}

/* What a prescribed motion must deliver: the branch torques on it and the inertia of what it carries. */
static void find_reactions(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_motion; ++k) {
        d->reaction[k] = 0.0;
    }
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < n_branch; ++k) {
        for (int p = m->w_ptr[k]; p < m->w_ptr[k + 1]; ++p) {
            if (m->w_col[p] >= m->n_v) {
                d->reaction[m->w_col[p] - m->n_v] += m->w_val[p] * d->tau[k];
            }
        }
    }
    for (int k = 0; k < m->n_body; ++k) {
        for (int p = m->b_ptr[k]; p < m->b_ptr[k + 1]; ++p) {
            if (m->b_col[p] >= m->n_v) {
                d->reaction[m->b_col[p] - m->n_v] += m->b_val[p] * m->body_inertia[k] * d->body_a[k];
            }
        }
    }
}

void sb_complete_board(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_body; ++k) {
        d->body_w[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->vx);
        d->body_a[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->ax);
    }
    if (m->n_motion) {
        find_reactions(m, d);
    }
}

void sb_outputs(const sb_model *m, sb_data *d, const double *x, double *output)
{
    memcpy(d->state, x, (size_t)SB_N_Y(m) * sizeof *x);
    sb_complete_board(m, d);
    for (int k = 0; k < m->n_position; ++k) {
        d->position[k] = sb_row_dot(m->p_ptr, m->p_col, m->p_val, k, d->qx);
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode_shown[k] = d->mode[k];
    }
    for (int i = 0; i < m->n_output; ++i) {
        output[i] = m->out_scale[i] * d->board[m->out_index[i]];
    }
}

void sb_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    sb_complete_board(m, d);
    for (int k = 0; k < N_KINDS; ++k) {
        kinds[k]->power(m, d, x, rate);
    }
    for (int k = 0; k < m->n_body; ++k) {
        d->power[SB_LEDGER_STORE(m) + SB_N_BRANCH(m) + k] = m->body_inertia[k] * d->body_w[k] * d->body_a[k];
    }
    for (int k = 0; k < m->n_motion; ++k) {
        d->power[SB_LEDGER_MOTION(m) + k] = d->reaction[k] * d->vx[m->n_v + k];
    }
}

void sb_energy(const sb_model *m, sb_data *d, double t, const double *x, double *energy)
{
    look(m, d, t, x);
    for (int k = 0; k < N_KINDS; ++k) {
        kinds[k]->energy(m, d, x, energy);
    }
    for (int k = 0; k < m->n_body; ++k) {
        const double w = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->vx);
        energy[SB_N_BRANCH(m) + k] = 0.5 * m->body_inertia[k] * w * w;
    }
}
