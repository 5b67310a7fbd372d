#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

static inline void evaluate_slips(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, int order)
{
    d->t_slips = t;
    d->has_slopes = 0;
    if (d->n_active) {
        sb_signals_eval(m, d, t, x, order);
        sb_place_motions(m, d);
    }
    sb_rows_times(SB_N_BRANCH(m), m->w_ptr, m->w_col, m->w_val, x, d->slip0, d->slip);
    sb_rows_times(m->n_spring, m->e_ptr, m->e_col, m->e_val, x, d->disp0, d->disp);
}

SB_HOT void sb_evaluate_slips(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, int order)
{
    evaluate_slips(m, d, t, x, order);
}

static inline void gather_torques(const sb_model *m, const sb_real *tau, const sb_real *inertia, sb_real *force)
{
    ptrdiff_t p = 0;
    for (int i = 0; i < m->n_v; ++i) {
        sb_real sum = SB_R(0.0);
        for (const ptrdiff_t end = m->wt_ptr[i + 1]; p < end; ++p) {
            sum += m->wt_val[p] * sb_fresh(tau + m->wt_row[p]);
        }
        force[i] = -sum;
    }
    if (m->n_mp > 0) {
        for (int i = 0; i < m->n_v; ++i) {
            force[i] -= inertia[i];
        }
    }
}

SB_HOT void sb_gather_torques(const sb_model *m, const sb_real *tau, const sb_real *inertia, sb_real *force)
{
    gather_torques(m, tau, inertia, force);
}

/* The rest of F, after the torques of the branches. */
static inline void complete_forces(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    gather_torques(m, d->tau, d->inertia0, force);
    sb_rows_times(m->n_q, m->g_ptr, m->g_col, m->g_val, x, d->rate0, force + m->n_v);
    for (int i = 0; i < m->n_u; ++i) {
        force[SB_N_Y(m) - m->n_u + i] = d->jet[SB_JET * m->u_rate[i]];
    }
#define X(kind, there)                    \
    if (there) {                          \
        sb_##kind##_flow(m, d, x, force); \
    }
    SB_FLOW_KINDS(X)
#undef X
#define X(kind, there)                   \
    if (there) {                         \
        sb_##kind##_forces(m, d, force); \
    }
    SB_FORCES_KINDS(X)
#undef X
}

static inline void find_forces(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    ++d->stats.rhs_evaluations;
#define X(kind, there)                      \
    if (there) {                            \
        sb_##kind##_torque(m, d, x, force); \
    }
    SB_BRANCH_KINDS(X)
#undef X
    complete_forces(m, d, x, force);
}

SB_HOT void sb_forces(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *force)
{
    evaluate_slips(m, d, t, x, 0);
    find_forces(m, d, x, force);
}

SB_HOT void sb_forces_again(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    find_forces(m, d, x, force);
}

enum { WORK_BETWEEN_ASKS = 100000 }; /* operations: below 1 ms, and far more than asking costs */

/* Whether the caller wants the run to end; its answer is kept. */
static sb_status poll_interrupt(const sb_model *m, sb_watch *watch)
{
    watch->work += SB_N_BRANCH(m) + m->n_lu + m->n_signal;
    if (watch->work >= WORK_BETWEEN_ASKS && watch->answer == SB_OK) {
        watch->work = 0;
        watch->answer = watch->ask(watch->context);
    }
    return watch->answer;
}

/* x' from d->force. */
static void solve_rates(const sb_model *m, sb_data *d, sb_real *rate)
{
    if (!sb_all(d->mass_diagonal)) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, rate, d->solve_tmp);
    }
    if (sb_any(d->mass_diagonal)) {
        const int n = SB_N_X(m);
        for (int i = 0; i < n; ++i) {
            const int unknown = m->lu_perm[i];
            rate[unknown] = sb_pick(d->mass_diagonal, sb_fresh(d->force + unknown) * d->mass_inv[i], rate[unknown]);
        }
    }
#define X(kind, there)                  \
    if (there) {                        \
        sb_##kind##_solved(m, d, rate); \
    }
    SB_SOLVED_KINDS(X)
#undef X
}

SB_HOT sb_status sb_rates(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *rate)
{
    if (d->watch.ask) {
        SB_TRY(poll_interrupt(m, &d->watch));
    }
    sb_forces(m, d, t, x, d->force);
    solve_rates(m, d, rate);
    return SB_OK;
}

/* Local derivatives at (t, x), and with them the torques unless force is NULL. */
static void evaluate_slopes(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *force)
{
    sb_evaluate_slips(m, d, t, x, 1);
    d->local[0] = SB_R(1.0);
#define X(kind, there)                        \
    if (there) {                              \
        sb_##kind##_partials(m, d, x, force); \
    }
    SB_BRANCH_KINDS(X)
#undef X
}

/* Events are located by steps from the start, whose derivatives have to stay; elements that look at others take part in
 * the Jacobian in other ways. */
SB_HOT int sb_shares_pass(const sb_model *m)
{
    return SB_N_EVENT(m) == 0 && m->n_heat == 0 && m->n_warm == 0 && m->n_loss == 0 && m->n_vary == 0;
}

SB_HOT sb_status sb_rates_before_jacobian(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *rate)
{
    if (!sb_shares_pass(m)) {
        return sb_rates(m, d, t, x, rate);
    }
    if (d->watch.ask) {
        SB_TRY(poll_interrupt(m, &d->watch));
    }
    ++d->stats.rhs_evaluations;
    evaluate_slopes(m, d, t, x, d->force);
    complete_forces(m, d, x, d->force);
    solve_rates(m, d, rate);
    d->has_slopes = 1;
    return SB_OK;
}

SB_HOT void sb_jacobian(const sb_model *m, sb_data *d, sb_real t, const sb_real *x)
{
    ++d->stats.jacobian_evaluations;
#define X(kind, there)                         \
    if (there) { /* for the holding torques */ \
        (void)sb_rates(m, d, t, x, d->rate);   \
    }
    SB_CHAIN_KINDS(X)
#undef X
    if (!d->has_slopes || !sb_all(d->t_slips == t)) {
        evaluate_slopes(m, d, t, x, NULL);
    }
    d->has_slopes = 0;
#define X(kind, there)                 \
    if (there) {                       \
        sb_##kind##_partials(m, d, x); \
    }
    SB_PARTIALS_KINDS(X)
#undef X

    // every local derivative goes to its slots, with the coefficients of the rows that lead there
    for (int s = 0; s < m->n_lu; ++s) {
        d->jac[s] = SB_R(0.0);
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
#define X(kind, there)              \
    if (there) {                    \
        sb_##kind##_jacobian(m, d); \
    }
    SB_JACOBIAN_KINDS(X)
#undef X
}

/* A prescribed motion delivers what balances the branch torques on it and accelerates the bodies that it carries. */
static void find_reactions(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_motion; ++k) {
        d->reaction[k] = SB_R(0.0);
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
        sb_real sum = SB_R(0.0);
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

/* Heat of the elements that show it, all their branches together. */
static void find_dissipated(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    sb_power(m, d, x, rate);
    for (int k = 0; k < m->n_power; ++k) {
        d->dissipated[k] = SB_R(0.0);
    }
    for (int i = 0; i < m->n_lossy; ++i) {
        d->dissipated[m->power_slot[i]] += d->power[SB_LEDGER_LOSS(m) + m->power_branch[i]];
    }
}

SB_HOT void sb_complete_board(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    for (int k = 0; k < m->n_body; ++k) {
        d->body_w[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
        d->body_a[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, rate, d->body_a0[k]);
    }
    find_reactions(m, d);
    find_couplings(m, d);
#define X(kind, there)           \
    if (there) {                 \
        sb_##kind##_board(m, d); \
    }
    SB_BOARD_KINDS(X)
#undef X
    if (m->n_power > 0) {
        find_dissipated(m, d, x, rate);
    }
    for (int k = 0; k < m->n_jerk; ++k) {
        d->body_j[k] = SB_R((double)NAN); // until sb_jerk: it is not followed between the points of the grid
    }
}

SB_HOT void sb_show_on_board(const sb_model *m, sb_data *d, const sb_real *x)
{
    sb_copy(d->state, x, SB_N_Y(m));
    for (int k = 0; k < m->n_position; ++k) {
        const sb_real base = m->p_base[k] >= 0 ? d->position[m->p_base[k]] + d->position0[k] : d->position0[k];
        d->position[k] = sb_row_dot(m->p_ptr, m->p_col, m->p_val, k, x, base);
    }
    for (int k = 0; k < m->n_speed; ++k) {
        d->speed[k] = sb_row_dot(m->s_ptr, m->s_col, m->s_val, k, x, d->speed0[k]);
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode_shown[k] = sb_number(d->mode[k]);
    }
    for (int k = 0; k < m->n_signal; ++k) {
        d->signal[k] = d->jet[SB_JET * k];
    }
}

SB_HOT void sb_outputs(const sb_model *m, sb_data *d, const sb_real *x, sb_real *output, size_t stride)
{
    sb_show_on_board(m, d, x);
    for (int i = 0; i < m->n_output; ++i, output += stride) {
        *output = m->out_scale[i] * d->board[m->out_index[i]];
    }
}

SB_HOT void sb_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    if (m->n_grad > 0) { // loads that depend on states need their rates
        sb_signals_eval(m, d, d->t_slips, x, 1);
    }
#define X(kind, there)                    \
    if (there) {                          \
        sb_##kind##_power(m, d, x, rate); \
    }
    SB_BRANCH_KINDS(X)
#undef X
    sb_real *store = d->power + SB_LEDGER_STORE(m) + SB_N_BRANCH(m);
    for (int k = 0; k < m->n_body; ++k) {
        store[k] = m->body_inertia[k] * d->body_w[k] * d->body_a[k];
    }
    for (int k = 0; k < m->n_motion; ++k) {
        d->power[SB_LEDGER_MOTION(m) + k] = d->reaction[k] * d->motion_w[k];
    }
}
