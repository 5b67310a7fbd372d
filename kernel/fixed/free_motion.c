#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
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

#define STIFFEST 0.75

static int is_speed(const sb_model *m, int unknown)
{
    return unknown < m->n_v;
}

static int is_position(const sb_model *m, int unknown)
{
    return unknown >= m->n_v && unknown < m->n_v + m->n_q;
}

/* Share of the step over which the slope of row i by column j acts. */
static double share_of(const sb_model *m, int i, int j)
{
    const int torque = is_speed(m, i) || i >= SB_N_Y(m);
    const int half = (torque && is_position(m, j)) || (is_position(m, i) && is_speed(m, j));
    return half ? 0.5 : 1.0;
}

static void find_shares(const sb_model *m, sb_fixed *f)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            f->step_share[p] = share_of(m, m->lu_perm[i], m->lu_perm[m->lu_col[p]]);
        }
    }
}

static int root_of(const int *root, int i)
{
    while (root[i] != i) {
        i = root[i];
    }
    return i;
}

/* Unknowns that the machine connects have one root. */
static void find_roots(const sb_model *m, int *root)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        root[i] = i;
    }
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            const int a = root_of(root, m->lu_perm[i]);
            const int b = root_of(root, m->lu_perm[m->lu_col[p]]);
            root[a > b ? a : b] = a > b ? b : a;
        }
    }
}

/* Root of the island of an element; one between prescribed motions moves nothing. */
static int root_of_element(const sb_model *m, const int *root, int k)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    return m->w_ptr[b] < m->w_ptr[b + 1] ? root_of(root, m->w_col[m->w_ptr[b]]) : SB_NOBODY;
}

/* Islands of friction elements, their elements and the unknowns that these move. */
static void find_islands(const sb_model *m, sb_fixed *f)
{
    find_roots(m, f->root);
    f->n_island = f->n_shared = 0;
    f->island_ptr[0] = f->row_ptr[0] = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        f->island_of[k] = SB_NOBODY;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        const int root = root_of_element(m, f->root, k);
        if (f->island_of[k] != SB_NOBODY || root == SB_NOBODY) {
            continue;
        }
        const int island = f->n_island++;
        int next = f->island_ptr[island];
        for (int j = k; j < m->n_friction; ++j) {
            if (root_of_element(m, f->root, j) == root) {
                f->island_of[j] = island;
                f->island_el[next++] = j;
            }
        }
        f->island_ptr[island + 1] = next;
        int row = f->row_ptr[island];
        f->row_speeds[island] = row;
        for (int i = 0; i < SB_N_Y(m); ++i) {
            const int law_state = i >= m->n_v + m->n_q && i < SB_N_Y(m) - m->n_u;
            if (!law_state && root_of(f->root, i) == root) {
                f->row[row++] = i;
                f->row_speeds[island] = is_speed(m, i) ? row : f->row_speeds[island];
            }
        }
        f->row_ptr[island + 1] = row;
        const int alone = next == f->island_ptr[island] + 1;
        for (int j = f->island_ptr[island]; j < next; ++j) {
            f->el_alone[f->island_el[j]] = alone;
        }
        f->shared[f->n_shared] = island;
        f->n_shared += !alone;
    }
}

static int largest_island(const sb_fixed *f)
{
    int most = 0;
    for (int i = 0; i < f->n_island; ++i) {
        const int n = f->island_ptr[i + 1] - f->island_ptr[i];
        most = n > most ? n : most;
    }
    return most;
}

/* Share of the step after which a damper is met: the middle, the end where it stops what it acts on within the step. */
static double damper_share(double stiff)
{
    return (0.5 + stiff) / (1.0 + stiff);
}

/* Numerical dampers by the frequency of each spring between what moves directly at its ends. */
static void find_dampers(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        double mobility = 0.0;
        for (int p = m->w_ptr[k]; p < m->w_ptr[k + 1]; ++p) {
            mobility += m->w_val[p] * m->w_val[p] / d->v_inertia[m->w_col[p]];
        }
        const double square = m->spring_c[k] * mobility * f->h * f->h;
        const double damped = m->spring_d[k] * mobility * f->h;
        f->spring_angle[k] = sqrt(square);
        f->spring_extra[k] = STIFFEST * m->spring_c[k] * f->h * square / (1.0 + square);
        f->spring_late[k] = m->spring_d[k] * damper_share(damped) + f->spring_extra[k];
    }
}

/* A signal that depends on states of signals is met at the end of the step, as these are: also where it depends on
 * positions, or what a controller has filtered would be ahead of what it has measured. */
static void find_late(const sb_model *m, sb_fixed *f)
{
    memset(f->local_share, 0, (size_t)m->n_local * sizeof *f->local_share);
    for (int s = 0; s < m->n_signal; ++s) {
        int late = 0;
        for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
            late |= m->grad_col[p] >= SB_N_Y(m) - m->n_u;
        }
        for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
            f->local_share[m->signal_local + p] = late ? 1.0 : 0.0;
        }
    }
}

/* Shares of a source that depends on speeds, as of a damper. */
static void share_source(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int s = m->source_signal[k];
    const int b = SB_SOURCE_BRANCH(m, k);
    double *share = f->local_share + m->signal_local;
    const double *grad = d->local + m->signal_local;
    double stiff = 0.0;
    for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
        if (m->grad_col[p] >= SB_N_Y(m) - m->n_u) {
            return; // it is late
        }
        for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
            const int own = m->w_col[q] == m->grad_col[p];
            stiff += own ? f->h * fabs(grad[p] * m->w_val[q]) / d->v_inertia[m->w_col[q]] : 0.0;
        }
    }
    for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
        share[p] = is_speed(m, m->grad_col[p]) ? damper_share(stiff) : 0.0;
    }
}

/* Whether a signal that a force or a rate comes from depends on unknowns. */
static int find_varies(const sb_model *m)
{
    int varies = 0;
    for (int k = 0; k < m->n_source; ++k) {
        const int s = m->source_signal[k];
        varies |= m->grad_ptr[s + 1] > m->grad_ptr[s];
    }
    for (int i = 0; i < m->n_u; ++i) {
        const int s = m->u_rate[i];
        varies |= m->grad_ptr[s + 1] > m->grad_ptr[s];
    }
    return varies;
}

void sb_motion_start(const sb_model *m, sb_data *d, sb_fixed *f)
{
    find_shares(m, f);
    find_late(m, f);
    find_islands(m, f);
    find_dampers(m, d, f);
    f->factored = f->plain = f->hidden = 0;
    f->varies = find_varies(m);
    sb_slices_from_rows(&f->slips, m->n_friction, m->w_ptr + SB_FRICTION_BRANCH(m, 0), m->w_col, m->w_val, f->row_next);
    f->sparse = m->n_loss > 0 || largest_island(f) > SB_MOST_COUPLED || (m->n_friction > 0 && SB_RESPONSE_SIZE(m) == 0);
    for (int k = 0; k < m->n_friction && f->sparse; ++k) {
        f->el_alone[k] = 0;
    }
    f->n_shared = f->sparse ? 0 : f->n_shared;
    for (int i = 0; i < SB_N_X(m); ++i) {
        f->own_el[i] = m->n_friction;
        f->own_push[i] = 0.0;
    }
    memset(d->local, 0, (size_t)m->n_local * sizeof *d->local);
    d->local[0] = 1.0;
    for (int k = 0; k < m->n_spring; ++k) {
        d->local[SB_SPRING_LOCAL(k)] = m->spring_c[k];
        d->local[SB_SPRING_LOCAL(k) + 1] = f->spring_late[k];
    }
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    sb_loss_idle(m, d);
    sb_fill_mass(m, d, d->locked, f->step_mass);
}

/* The matrix of the step at the present local derivatives. */
static void fill_matrix(const sb_model *m, const sb_data *d, sb_fixed *f)
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
        d->sum[i] = 0.0;
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
        double *row = f->coupling + k * SB_COUPLED(m);
        for (int b = 0; b < n; ++b) {
            const double *answer = sb_step_answer(m, f, f->island_el[first + b]);
            row[b] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, SB_FRICTION_BRANCH(m, k), answer, 0.0);
        }
        f->el_yield[k] = row[a];
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

/* New factors where the local derivatives have changed. */
static sb_status factorise(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const size_t size = (size_t)m->n_local * sizeof *d->local;
    if (f->factored && (!f->varies || memcmp(d->local, f->local_used, size) == 0)) {
        return SB_OK;
    }
    memcpy(f->local_used, d->local, size);
    for (int k = 0; k < m->n_source; ++k) {
        share_source(m, d, f, k);
    }
    fill_matrix(m, d, f);
    ++f->stats.factorisations;
    SB_TRY(sb_lu_status(sb_lu_factor(m, f->step_lu, f->step_inv)));
    for (int k = 0; k < m->n_friction && !f->sparse; ++k) {
        if (f->island_of[k] != SB_NOBODY) {
            find_response(m, d, f, k);
        }
    }
    for (int i = 0; i < f->n_island && !f->sparse; ++i) {
        find_coupling(m, f, i);
    }
    find_lone_responses(m, f);
    if (f->sparse) {
        sb_sparse_yields(m, d, f);
    }
    if (!f->factored) {
        sb_propagate_start(m, d, f);
    }
    f->factored = 1;
    return SB_OK;
}

/* Torques of springs and sources, the slips with the prescribed speeds of the end. */
static void free_torques(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const double damping = m->spring_d[k] + f->spring_extra[k];
        d->tau[k] = m->spring_c[k] * (d->disp[k] - m->spring_rel0[k]) + damping * d->slip[k];
    }
    sb_source_torque(m, d, d->x, d->force);
    for (int k = 0; k < m->n_friction; ++k) {
        d->tau[SB_FRICTION_BRANCH(m, k)] = 0.0;
    }
}

/* Inertia forces of the prescribed motions, whose speeds may jump. */
static void prescribed_inertia(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int i = 0; i < m->n_v; ++i) {
        d->inertia0[i] = 0.0;
    }
    for (int p = 0; p < m->n_mp; ++p) {
        const int motion = m->mp_motion[p];
        d->inertia0[m->mp_row[p]] += m->mp_val[p] * (f->motion_end[motion] - f->motion_start[motion]) / f->h;
    }
    for (int l = 0; l < m->n_loss; ++l) {
        d->loss_p0[l] = 0.0;
    }
    for (int p = 0; p < m->n_lp; ++p) {
        const int motion = m->lp_motion[p];
        d->loss_p0[m->lp_row[p]] += m->lp_val[p] * (f->motion_end[motion] - f->motion_start[motion]) / f->h;
    }
}

void sb_motion_factors(const sb_model *m, sb_data *d, sb_fixed *f)
{
    if (!f->varies && m->n_loss == 0) {
        (void)factorise(m, d, f); // if it fails, the first step reports it
    }
}

void sb_motion_solve(const sb_model *m, sb_data *d, sb_fixed *f, const double *x)
{
    sb_gather_torques(m, d->tau, d->inertia0, d->force);
    for (int i = 0; i < m->n_q; ++i) {
        d->force[m->n_v + i] = sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, x, d->rate0[i]);
    }
    const int first_u = SB_N_Y(m) - m->n_u;
    for (int i = m->n_v + m->n_q; i < first_u; ++i) {
        d->force[i] = 0.0;
    }
    for (int i = 0; i < m->n_u; ++i) {
        d->force[first_u + i] = d->jet[SB_JET * m->u_rate[i]];
    }
    for (int k = 0; k < m->n_lock; ++k) {
        d->force[SB_N_Y(m) + k] = 0.0;
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

sb_status sb_motion_free(const sb_model *m, sb_data *d, sb_fixed *f)
{
    SB_TRY(factorise(m, d, f));
    if (f->plain) {
        sb_propagate(m, d, f);
    } else {
        move_freely(m, d, f);
    }
    sb_slices_multiply(&f->slips, f->change, d->slip + SB_FRICTION_BRANCH(m, 0), f->el_free);
    if (f->sparse) {
        sb_sparse_free(m, d, f);
    }
    return SB_OK;
}
