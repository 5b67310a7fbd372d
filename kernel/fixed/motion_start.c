#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* What stays the same of the free motion, see free_motion.c: islands, shares of the step, numerical dampers. */

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
        f->spring_late[k] = m->spring_d[k] * sb_share_of(damped) + f->spring_extra[k];
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
