#include "sb_element.h"
#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

static const sb_element_kind *const kinds[] = {
#define X(kind) &sb_kind_##kind,
    SB_ELEMENT_KINDS(X)
#undef X
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

void sb_place_motions(const sb_model *m, sb_data *d)
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
    if (d->n_active) {
        sb_signals_eval(m, d, t);
        sb_place_motions(m, d);
    }
    sb_copy(d->vx, x, m->n_v);
    sb_copy(d->qx, x + m->n_v, m->n_q);
    sb_product(m->n_w, m->w_row, m->w_col, m->w_val, d->vx, SB_N_BRANCH(m), d->slip);
    sb_product(m->n_e, m->e_row, m->e_col, m->e_val, d->qx, m->n_spring, d->disp);
}

/* Part of a slip row that multiplies the prescribed motions. */
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

/* Generalised forces of the branches, -W' tau, on the free and the prescribed speeds. */
static void gather_torques(const sb_model *m, const double *tau, double *force)
{
    const int n = m->n_v + m->n_motion;
    for (int i = 0; i < n; ++i) {
        force[i] = 0.0;
    }
    for (int p = 0; p < m->n_w; ++p) {
        force[m->w_col[p]] -= m->w_val[p] * tau[m->w_row[p]];
    }
}

void sb_forces(const sb_model *m, sb_data *d, double t, const double *x, double *force)
{
    ++d->stats.rhs_evaluations;
    look(m, d, t, x);
    for (int k = 0; k < N_KINDS; ++k) {
        kinds[k]->torque(m, d, x, force);
    }
    gather_torques(m, d->tau, d->fx);
    sb_copy(force, d->fx, m->n_v);
    sb_product(m->n_g, m->g_row, m->g_col, m->g_val, d->vx, m->n_q, force + m->n_v);

    // a locked contact keeps its slip: W' v' = -(prescribed part of the slip acceleration)
    double *multiplier = force + SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        multiplier[k] = d->locked[k] ? -sb_slip_t(m, d, SB_FRICTION_BRANCH(m, m->lock_friction[k])) : 0.0;
    }
}

sb_status sb_rates(const sb_model *m, sb_data *d, double t, const double *x, double *rate)
{
    sb_forces(m, d, t, x, d->force);
    if (d->mass_diagonal) {
        const int n = SB_N_X(m);
        for (int i = 0; i < n; ++i) {
            rate[m->lu_perm[i]] = d->force[m->lu_perm[i]] * d->mass_inv[i];
        }
    } else {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, rate, d->solve_tmp);
    }
    sb_copy(d->ax, rate, m->n_v);
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
    for (int k = 0; k < m->n_spring; ++k) {
        d->disp_t[k] = 0.0;
    }
    for (int p = 0; p < m->n_e; ++p) {
        const int motion = m->e_col[p] - m->n_q;
        d->disp_t[m->e_row[p]] += motion >= 0 ? m->e_val[p] * d->vx[m->n_v + motion] : 0.0;
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
    gather_torques(m, d->tau_t, d->fx);
    sb_copy(d->force_t, d->fx, m->n_v);
    for (int p = 0; p < m->n_g; ++p) {
        d->force_t[m->n_v + m->g_row[p]] += m->g_col[p] >= m->n_v ? m->g_val[p] * d->ax[m->g_col[p]] : 0.0;
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
    d->mass_diagonal = 1;
    for (int p = 0; p < m->n_mass; ++p) {
        const int lock = m->mass_lock[p];
        const int on = lock == -1 || (lock >= 0 ? locked[lock] : !locked[-2 - lock]);
        d->mass_val[p] = on ? m->mass_val[p] : 0.0;
        d->mass_diagonal = d->mass_diagonal && (!on || m->mass_row[p] == m->mass_col[p]);
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

/* A prescribed motion delivers what balances the branch torques on it and accelerates the bodies that it carries. */
void sb_complete_board(const sb_model *m, sb_data *d)
{
    sb_product(m->n_b, m->b_row, m->b_col, m->b_val, d->vx, m->n_body, d->body_w);
    sb_product(m->n_b, m->b_row, m->b_col, m->b_val, d->ax, m->n_body, d->body_a);
    if (m->n_motion == 0) {
        return;
    }
    gather_torques(m, d->tau, d->fx);
    for (int p = 0; p < m->n_b; ++p) {
        d->fx[m->b_col[p]] -= m->b_val[p] * m->body_inertia[m->b_row[p]] * d->body_a[m->b_row[p]];
    }
    for (int k = 0; k < m->n_motion; ++k) {
        d->reaction[k] = -d->fx[m->n_v + k];
    }
}

void sb_outputs(const sb_model *m, sb_data *d, const double *x, double *output)
{
    sb_copy(d->state, x, SB_N_Y(m));
    sb_product(m->n_p, m->p_row, m->p_col, m->p_val, d->qx, m->n_position, d->position);
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode_shown[k] = d->mode[k];
    }
    for (int i = 0; i < m->n_output; ++i) {
        output[i] = m->out_scale[i] * d->board[m->out_index[i]];
    }
}

void sb_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
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
    sb_product(m->n_b, m->b_row, m->b_col, m->b_val, d->vx, m->n_body, d->body_w);
    for (int k = 0; k < m->n_body; ++k) {
        energy[SB_N_BRANCH(m) + k] = 0.5 * m->body_inertia[k] * d->body_w[k] * d->body_w[k];
    }
}
