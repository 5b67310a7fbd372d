#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* The free motion of one step: all forces but friction, linearly implicit. Positions move with the mean of the speeds
 * at both ends, springs act at mid-step, so do dampers, and sources that depend on speeds, unless they are stiff;
 * controllers with states act at the end:
 *
 *     (M - h dF/dv) dv - h/2 dF/dq dq = h F          dq - h/2 G dv = h (G v + prescribed part)
 *
 * So a shaft neither gains nor loses energy by the step. Of a spring that is too stiff for that (its own frequency w
 * beyond 1/h, so that the step would show it as an oscillation of period 2h) a damper STIFFEST c h takes the motion
 * away; it fades with (w h)^2, far below the numerical damping of an implicit Euler step. */

/* Shares of a source that depends on speeds, as of a damper. */
static void share_source(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int s = m->source_signal[k];
    const int b = SB_SOURCE_BRANCH(m, k);
    sb_real *share = f->local_share + m->signal_local;
    const sb_real *grad = d->local + m->signal_local;
    sb_real stiff = SB_R(0.0);
    for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
        if (m->grad_col[p] >= SB_N_Y(m) - m->n_u) {
            return; // it is late
        }
        for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
            const int own = m->w_col[q] == m->grad_col[p];
            stiff += own ? f->h * sb_abs(grad[p] * m->w_val[q]) / d->v_inertia[m->w_col[q]] : SB_R(0.0);
        }
    }
    for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
        share[p] = m->grad_col[p] < m->n_v ? sb_share_of(stiff) : SB_R(0.0);
    }
}

/* The matrix of the step at the present local derivatives. */
static void fill_step_matrix(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    sb_copy(f->step_lu, f->step_mass, m->n_lu);
    for (int p = 0; p < m->n_jac; ++p) {
        const int slot = m->jac_slot[p];
        const int local = m->jac_local[p];
        f->step_lu[slot] -= f->h * sb_step_share(f, slot, local) * m->jac_coef[p] * d->local[local];
    }
}

/* How the unknowns answer to the torque of an element. */
static void find_response(const sb_model *m, sb_data *d, sb_fixed *f, int k)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->sum[i] = SB_R(0.0);
    }
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        d->sum[m->w_col[p]] = f->h * m->w_val[p];
    }
    sb_lu_solve(m, f->step_lu, f->step_inv, d->sum, sb_step_answer(m, f, k), d->solve_tmp);
}

/* And the slips of its island. */
static void find_coupling(const sb_model *m, sb_fixed *f, int island)
{
    const int first = f->island_ptr[island];
    const int n = f->island_ptr[island + 1] - first;
    for (int a = 0; a < n; ++a) {
        const int k = f->island_el[first + a];
        sb_real *row = f->coupling + k * SB_COUPLED(m);
        for (int b = 0; b < n; ++b) {
            const sb_real *answer = sb_step_answer(m, f, f->island_el[first + b]);
            row[b] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, SB_FRICTION_BRANCH(m, k), answer, SB_R(0.0));
        }
        f->el_yield[k] = row[a];
        f->el_fall[k] = SB_STEEPEST_FALL / row[a];
    }
}

/* Answers to elements that are alone in their islands, by unknown. */
static void find_lone_responses(const sb_model *m, sb_fixed *f)
{
    for (int i = 0; i < f->n_island && !f->sparse; ++i) {
        const int k = f->island_el[f->island_ptr[i]];
        for (int j = f->row_ptr[i]; j < f->row_ptr[i + 1] && f->el_alone[k]; ++j) {
            f->own_el[f->row[j]] = k;
            f->own_push[f->row[j]] = sb_step_answer(m, f, k)[f->row[j]];
        }
    }
}

/* New factors where the local derivatives have changed; where the matrix is singular. */
static sb_flag find_factors(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const size_t size = (size_t)m->n_local * sizeof *d->local;
    if (f->factored && (!f->varies || memcmp(d->local, f->local_used, size) == 0)) {
        return SB_NEVER;
    }
    memcpy(f->local_used, d->local, size);
    for (int k = 0; k < m->n_source; ++k) {
        share_source(m, d, f, k);
    }
    fill_step_matrix(m, d, f);
    ++f->stats.factorisations;
    const sb_flag singular = sb_lu_factor(m, f->step_lu, f->step_inv);
    if (sb_all(singular)) {
        return singular;
    }
    for (int k = 0; k < m->n_friction && !f->sparse; ++k) {
        if (f->island_of[k] != SB_NOBODY) {
            find_response(m, d, f, k);
        }
    }
    for (int i = 0; i < f->n_island && !f->sparse; ++i) {
        find_coupling(m, f, i);
    }
    find_lone_responses(m, f);
#if SB_LANES == 1
    if (f->sparse) {
        sb_sparse_yields(m, d, f);
    }
    if (!f->factored) {
        sb_propagate_start(m, d, f);
    }
#endif
    f->factored = 1;
    return singular;
}

/* Torques of springs and sources, the slips with the prescribed speeds of the end. */
static void free_torques(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const sb_real damping = m->spring_d[k] + f->spring_extra[k];
        d->tau[k] = m->spring_c[k] * (d->disp[k] - m->spring_rel0[k]) + damping * d->slip[k];
    }
    sb_source_torque(m, d, d->x, d->force);
    for (int k = 0; k < m->n_friction; ++k) {
        d->tau[SB_FRICTION_BRANCH(m, k)] = SB_R(0.0);
    }
}

/* Inertia forces of the prescribed motions, whose speeds may jump. */
static void prescribed_inertia(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int i = 0; i < m->n_v; ++i) {
        d->inertia0[i] = SB_R(0.0);
    }
    for (int p = 0; p < m->n_mp; ++p) {
        const int motion = m->mp_motion[p];
        d->inertia0[m->mp_row[p]] += m->mp_val[p] * (f->motion_end[motion] - f->motion_start[motion]) / f->h;
    }
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_p0[l] = SB_R(0.0);
    }
    for (int p = 0; p < m->n_lp; ++p) {
        const int motion = m->lp_motion[p];
        d->loss_p0[m->lp_row[p]] += m->lp_val[p] * (f->motion_end[motion] - f->motion_start[motion]) / f->h;
    }
}

#if SB_LANES == 1

void sb_motion_factors(const sb_model *m, sb_data *d, sb_fixed *f)
{
    if (!f->varies && m->n_loss == 0) {
        (void)find_factors(m, d, f); // if it fails, the first step reports it
    }
}

#endif

SB_HOT void sb_motion_solve(const sb_model *m, sb_data *d, sb_fixed *f, const sb_real *x)
{
    sb_gather_torques(m, d->tau, d->inertia0, d->force);
    for (int i = 0; i < m->n_q; ++i) {
        d->force[m->n_v + i] = sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, x, d->rate0[i]);
    }
    const int first_u = SB_N_Y(m) - m->n_u;
    for (int i = m->n_v + m->n_q; i < first_u; ++i) {
        d->force[i] = SB_R(0.0);
    }
    for (int i = 0; i < m->n_u; ++i) {
        d->force[first_u + i] = d->jet[SB_JET * m->u_rate[i]];
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->force[SB_N_Y(m) + k] = SB_R(0.0);
    }
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->force[i] *= f->h;
    }
    sb_lu_solve(m, f->step_lu, f->step_inv, d->force, f->change, d->solve_tmp);
}

static void move_freely(const sb_model *m, sb_data *d, sb_fixed *f)
{
    if (m->n_motion > 0) {
        for (int k = 0; k < SB_N_BRANCH(m); ++k) {
            d->slip[k] += f->slip0_end[k] - d->slip0[k];
        }
        prescribed_inertia(m, d, f);
    }
    free_torques(m, d, f);
    sb_motion_solve(m, d, f, d->x);
}

SB_HOT sb_flag sb_motion_free(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const sb_flag singular = find_factors(m, d, f);
    if (sb_all(singular)) {
        return singular;
    }
    if (f->plain) {
        sb_propagate(m, d, f);
    } else {
        move_freely(m, d, f);
    }
    sb_slices_multiply(&f->slips, f->change, d->slip + SB_FRICTION_BRANCH(m, 0), f->el_free);
    SB_ALONE(if (f->sparse) { sb_sparse_free(m, d, f); })
    return singular;
}
