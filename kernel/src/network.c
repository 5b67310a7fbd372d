#include "sb_element.h"
#include "sb_heat.h"
#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_loss.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

/* sum += val * jet[order] of the motions, for a list of prescribed parts; order counts from the speed */
static void add_prescribed(const sb_model *m, const sb_data *d, int entries, const int *row, const int *motion,
                           const double *val, int order, int rows, double *sum)
{
    for (int i = 0; i < rows; ++i) {
        sum[i] = 0.0;
    }
    for (int p = 0; p < entries; ++p) {
        const int k = motion[p];
        const int speed = m->motion_order[k] == 0 ? 1 : 0;
        const double added = order < 2 ? d->nudge[3 * k + order + 1] : 0.0;
        sum[row[p]] += val[p] * (d->jet[SB_JET * m->motion_signal[k] + speed + order] + added);
    }
}

void sb_place_motions(const sb_model *m, sb_data *d)
{
    if (m->n_motion == 0) {
        return;
    }
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < m->n_motion; ++k) {
        d->motion_w[k] = d->jet[SB_JET * m->motion_signal[k] + (m->motion_order[k] == 0 ? 1 : 0)] + d->nudge[3 * k + 1];
    }
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 0, n_branch, d->slip0);
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 1, n_branch, d->slip_t);
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 2, n_branch, d->slip_tt);
    add_prescribed(m, d, m->n_ep, m->ep_row, m->ep_motion, m->ep_val, -1, m->n_spring, d->disp0);
    add_prescribed(m, d, m->n_ep, m->ep_row, m->ep_motion, m->ep_val, 0, m->n_spring, d->disp_t);
    add_prescribed(m, d, m->n_gp, m->gp_row, m->gp_motion, m->gp_val, 0, m->n_q, d->rate0);
    add_prescribed(m, d, m->n_gp, m->gp_row, m->gp_motion, m->gp_val, 1, m->n_q, d->rate_t);
    add_prescribed(m, d, m->n_bp, m->bp_row, m->bp_motion, m->bp_val, 0, m->n_body, d->body_w0);
    add_prescribed(m, d, m->n_bp, m->bp_row, m->bp_motion, m->bp_val, 1, m->n_body, d->body_a0);
    add_prescribed(m, d, m->n_pp, m->pp_row, m->pp_motion, m->pp_val, -1, m->n_position, d->position0);
    add_prescribed(m, d, m->n_sp, m->sp_row, m->sp_motion, m->sp_val, 0, m->n_speed, d->speed0);
    if (m->n_lp > 0) {
        add_prescribed(m, d, m->n_lp, m->lp_row, m->lp_motion, m->lp_val, 1, m->n_loss, d->loss_p0);
        add_prescribed(m, d, m->n_lp, m->lp_row, m->lp_motion, m->lp_val, 2, m->n_loss, d->loss_pt);
    }
    if (m->n_mp > 0) {
        add_prescribed(m, d, m->n_mp, m->mp_row, m->mp_motion, m->mp_val, 1, m->n_v, d->inertia0);
        add_prescribed(m, d, m->n_mp, m->mp_row, m->mp_motion, m->mp_val, 2, m->n_v, d->inertia_t);
    }
}

void sb_look(const sb_model *m, sb_data *d, double t, const double *x, int order)
{
    d->t_look = t;
    if (d->n_active) {
        sb_signals_eval(m, d, t, x, order);
        sb_place_motions(m, d);
    }
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < n_branch; ++k) {
        d->slip[k] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, x, d->slip0[k]);
    }
    for (int k = 0; k < m->n_spring; ++k) {
        d->disp[k] = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, x, d->disp0[k]);
    }
}

void sb_gather_torques(const sb_model *m, const double *tau, const double *inertia, double *force)
{
    for (int i = 0; i < m->n_v; ++i) {
        force[i] = -sb_row_dot(m->wt_ptr, m->wt_row, m->wt_val, i, tau, 0.0);
    }
    if (m->n_mp > 0) {
        for (int i = 0; i < m->n_v; ++i) {
            force[i] -= inertia[i];
        }
    }
}

void sb_forces(const sb_model *m, sb_data *d, double t, const double *x, double *force)
{
    ++d->stats.rhs_evaluations;
    sb_look(m, d, t, x, 0);
#define X(kind) sb_##kind##_torque(m, d, x, force);
    SB_ELEMENT_KINDS(X)
#undef X
    sb_gather_torques(m, d->tau, d->inertia0, force);
    for (int i = 0; i < m->n_q; ++i) {
        force[m->n_v + i] = sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, x, d->rate0[i]);
    }

    for (int i = 0; i < m->n_u; ++i) {
        force[SB_N_Y(m) - m->n_u + i] = d->jet[SB_JET * m->u_rate[i]];
    }
    if (m->n_heat > 0) {
        sb_heat_flow(m, d, x, force);
    }

    // a locked contact keeps its slip, or lets it decay: W' v' = -(prescribed part of the slip acceleration) - p0 slip
    double *multiplier = force + SB_N_Y(m);
    for (int k = 0; k < m->n_lock; ++k) {
        multiplier[k] = d->locked[k] ? -d->slip_t[SB_FRICTION_BRANCH(m, m->lock_friction[k])] : 0.0;
    }
    if (d->n_decaying) {
        sb_lock_decay(m, d, multiplier);
    }
    if (m->n_loss > 0) {
        sb_loss_forces(m, d, force);
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
    if (d->n_stuck) {
        sb_lock_torques(m, d, rate);
    }
    if (m->n_loss > 0) {
        sb_loss_torques(m, d, rate);
    }
    sb_heat_held(m, d, rate);
    for (int k = 0; k < m->n_watch; ++k) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[k]);
        d->accel[m->watch[k]] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, rate, d->slip_t[b]);
    }
    return SB_OK;
}

void sb_jacobian(const sb_model *m, sb_data *d, double t, const double *x)
{
    ++d->stats.jacobian_evaluations;
    if (m->n_warm > 0) { // for the holding torques
        (void)sb_rates(m, d, t, x, d->rate);
    }
    sb_look(m, d, t, x, 1);
    d->local[0] = 1.0;
#define X(kind) sb_##kind##_partials(m, d, x);
    SB_ELEMENT_KINDS(X)
#undef X

    sb_lock_partials(m, d);
    sb_loss_partials(m, d);
    if (m->n_heat > 0) {
        sb_heat_partials(m, d, x);
    }

    // every local derivative goes to its slots, with the coefficients of the rows that lead there
    for (int s = 0; s < m->n_lu; ++s) {
        d->jac[s] = 0.0;
    }
    for (int p = 0; p < m->n_jac; ++p) {
        d->jac[m->jac_slot[p]] += m->jac_coef[p] * d->local[m->jac_local[p]];
    }

    // explicit dependence on time: torques, prescribed speeds in the position rates, prescribed jerk
    sb_gather_torques(m, d->tau_t, d->inertia_t, d->force_t);
    sb_copy(d->force_t + m->n_v, d->rate_t, m->n_q);
    for (int i = 0; i < m->n_u; ++i) {
        d->force_t[SB_N_Y(m) - m->n_u + i] = d->jet[SB_JET * m->u_rate[i] + 1];
    }
    sb_heat_time(m, d);
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = SB_FRICTION_BRANCH(m, m->lock_friction[k]);
        const double decay = m->lock_local[k] > 0 ? d->local[m->lock_local[k]] * d->slip_t[b] : 0.0;
        d->force_t[SB_N_Y(m) + k] = d->locked[k] ? decay - d->slip_tt[b] : 0.0;
    }
    sb_loss_jacobian(m, d);
}

void sb_fill_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots)
{
    for (int s = 0; s < m->n_lu; ++s) {
        slots[s] = 0.0;
    }
    for (int p = 0; p < m->n_mass; ++p) {
        const int lock = m->mass_lock[p];
        const int on = lock == -1 || (lock >= 0 ? locked[lock] : !locked[-2 - lock]);
        slots[m->mass_slot[p]] += on ? m->mass_val[p] : 0.0;
    }
    if (m->n_loss > 0) {
        sb_loss_mass(m, d, locked, slots);
    }
}

sb_status sb_assemble_mass(const sb_model *m, sb_data *d, const int *locked, double *lu, double *inv)
{
    sb_loss_slopes(m, d);
    sb_fill_mass(m, d, locked, d->mass);
    sb_copy(lu, d->mass, m->n_lu);
    d->mass_diagonal = 1;
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            d->mass_diagonal = d->mass_diagonal && (d->mass[p] == 0.0 || p == m->lu_diag[i]);
        }
    }
    ++d->stats.factorisations;
    return sb_lu_factor(m, lu, inv);
}

/* A prescribed motion delivers what balances the branch torques on it and accelerates the bodies that it carries. */
static void find_reactions(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_motion; ++k) {
        d->reaction[k] = 0.0;
    }
    for (int p = 0; p < m->n_wp; ++p) {
        d->reaction[m->wp_motion[p]] += m->wp_val[p] * d->tau[m->wp_row[p]];
    }
    for (int p = 0; p < m->n_bp; ++p) {
        const int body = m->bp_row[p];
        d->reaction[m->bp_motion[p]] += m->bp_val[p] * m->body_inertia[body] * d->body_a[body];
    }
}

/* Torques of the rigid couplings: the balance of the nodes that they carry. */
static void find_couplings(const sb_model *m, sb_data *d)
{
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < m->n_coupling; ++k) {
        double sum = 0.0;
        for (int p = m->c_ptr[k]; p < m->c_ptr[k + 1]; ++p) {
            const int body = m->c_col[p] - n_branch;
            const int before = body - m->n_body;
            sum += m->c_val[p] * (body < 0     ? d->tau[m->c_col[p]]
                                  : before < 0 ? m->body_inertia[body] * d->body_a[body]
                                               : d->coupling[before]);
        }
        d->coupling[k] = sum;
    }
}

void sb_complete_board(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    for (int k = 0; k < m->n_body; ++k) {
        d->body_w[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
        d->body_a[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, rate, d->body_a0[k]);
    }
    find_reactions(m, d);
    find_couplings(m, d);
    sb_loss_board(m, d);
    if (m->n_pooled > 0) {
        sb_heat_pools(m, d);
    }
}

void sb_outputs(const sb_model *m, sb_data *d, const double *x, double *output, size_t stride)
{
    sb_copy(d->state, x, SB_N_Y(m));
    for (int k = 0; k < m->n_position; ++k) {
        const double base = m->p_base[k] >= 0 ? d->position[m->p_base[k]] + d->position0[k] : d->position0[k];
        d->position[k] = sb_row_dot(m->p_ptr, m->p_col, m->p_val, k, x, base);
    }
    for (int k = 0; k < m->n_speed; ++k) {
        d->speed[k] = sb_row_dot(m->s_ptr, m->s_col, m->s_val, k, x, d->speed0[k]);
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode_shown[k] = d->mode[k];
    }
    for (int k = 0; k < m->n_signal; ++k) {
        d->signal[k] = d->jet[SB_JET * k];
    }
    for (int i = 0; i < m->n_output; ++i, output += stride) {
        *output = m->out_scale[i] * d->board[m->out_index[i]];
    }
}

void sb_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    if (m->n_grad > 0) { // loads that depend on states need their rates
        sb_signals_eval(m, d, d->t_look, x, 1);
    }
#define X(kind) sb_##kind##_power(m, d, x, rate);
    SB_ELEMENT_KINDS(X)
#undef X
    double *store = d->power + SB_LEDGER_STORE(m) + SB_N_BRANCH(m);
    for (int k = 0; k < m->n_body; ++k) {
        store[k] = m->body_inertia[k] * d->body_w[k] * d->body_a[k];
    }
    for (int k = 0; k < m->n_motion; ++k) {
        d->power[SB_LEDGER_MOTION(m) + k] = d->reaction[k] * d->motion_w[k];
    }
}

void sb_energy(const sb_model *m, sb_data *d, double t, const double *x, double *energy)
{
    sb_look(m, d, t, x, 0);
#define X(kind) sb_##kind##_energy(m, d, x, energy);
    SB_ELEMENT_KINDS(X)
#undef X
    for (int k = 0; k < m->n_body; ++k) {
        const double w = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
        energy[SB_N_BRANCH(m) + k] = 0.5 * m->body_inertia[k] * w * w;
    }
}
