#include "sb_lock.h"

#include <math.h>
#include <string.h>

#include "sb_element.h"
#include "sb_kernel.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_sparse.h"

/* True stick. Locked contacts keep slip 0 by holding torques l, which follow from the network: with the slip
 * accelerations b without holding torques and A = W' M^-1 W, the accelerations are b - A l. At an event the
 * torques of all contacts that may stick solve the box problem of sb_box_solve with their static limits;
 * contacts that would move get their kinetic limit and the problem is solved again. Limits only shrink, so
 * this ends after at most one round per contact, and every answer fulfils complementarity. */

/* Slips below this share of the nominal speed are taken as zero when nothing else decides. */
#define SLIP_ZERO 1e-12

/* Accelerations below this share of their terms are rounding: the contact is held. */
#define LEFT_OVER 1e-12

/* A holding torque this close to its limit, relatively, is on it. */
#define ON_LIMIT 1e-9

static int branch_of(const sb_model *m, int lock)
{
    return SB_FRICTION_BRANCH(m, m->lock_friction[lock]);
}

static double raw_load(const sb_model *m, const sb_data *d, int lock)
{
    return d->jet[SB_JET * m->fr_load[m->lock_friction[lock]]];
}

/* No load now and none coming: at a load of 0 its trend decides. */
static int is_open(const sb_model *m, const sb_data *d, int lock)
{
    const double *jet = d->jet + SB_JET * m->fr_load[m->lock_friction[lock]];
    return jet[0] < 0.0 || (jet[0] == 0.0 && jet[1] <= 0.0);
}

static const sb_law *law_of(const sb_model *m, int lock, const double **param)
{
    const int f = m->lock_friction[lock];
    *param = m->fr_param + m->fr_param_ptr[f];
    return &sb_laws[m->fr_law[f]];
}

double sb_lock_limit(const sb_model *m, const sb_data *d, int lock)
{
    const double *param;
    const sb_law *law = law_of(m, lock, &param);
    return sb_max(raw_load(m, d, lock), 0.0) * law->breakaway(param);
}

static double kinetic_limit(const sb_model *m, const sb_data *d, int lock)
{
    const double *param;
    const sb_law *law = law_of(m, lock, &param);
    double friction;
    law->flow(param, 0.0, NULL, &friction);
    return sb_max(raw_load(m, d, lock), 0.0) * friction;
}

static double nominal_slip(const sb_model *m, int lock)
{
    double nominal = 0.0;
    const int b = branch_of(m, lock);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

/* Two contacts that hold one and the same motion. */
static int are_parallel(const double *a, int n, int i, int j)
{
    return a[i * n + j] * a[i * n + j] >= (1.0 - 1e-9) * a[i * n + i] * a[j * n + j];
}

static int sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

void sb_lock_torques(const sb_model *m, sb_data *d, const double *multiplier)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->lambda[k] = d->locked[k] ? multiplier[k] : 0.0;
    }
    if (d->n_redundant) {
        sb_share_redundant(m, d);
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->tau[branch_of(m, k)] = d->lambda[k];
    }
}

/* What stuck contact i and those beside it, which hold the same motion, can carry and do carry: they let go together.
 * Beside it are those whose slip row is a multiple c of its own. */
static void add_up(const sb_model *m, const sb_data *d, int i, double *limit, double *lambda)
{
    const int n = d->n_stuck;
    const double *a = d->lock_a;
    *limit = *lambda = 0.0;
    for (int j = 0; j < n; ++j) {
        if (i == j || are_parallel(a, n, i, j)) {
            const double c = a[i * n + j] / a[i * n + i];
            *limit += fabs(c) * sb_lock_limit(m, d, d->lock_set[j]);
            *lambda += c * d->lambda[d->lock_set[j]];
        }
    }
}

void sb_event_values(const sb_model *m, sb_data *d, double *value)
{
    ++d->stats.event_evaluations;
    for (int k = 0; k < m->n_lock; ++k) {
        const double slip = d->slip[branch_of(m, k)];
        const double limit = sb_lock_limit(m, d, k);
        double *g = value + 2 * k;
        switch (d->mode[k]) {
        case SB_FORWARD:
        case SB_BACKWARD:
            g[0] = d->mode[k] * slip;
            g[1] = raw_load(m, d, k);
            break;
        case SB_STUCK:
            g[0] = m->lock_free[k] ? limit - d->lambda[k] : SLIP_ZERO - fabs(slip);
            g[1] = m->lock_free[k] ? limit + d->lambda[k] : 1.0;
            break;
        case SB_FREE:
            g[0] = -raw_load(m, d, k);
            g[1] = 1.0;
            break;
        }
    }

    // contacts side by side share their limits
    for (int i = 0; i < d->n_stuck && d->n_redundant; ++i) {
        double limit;
        double lambda;
        add_up(m, d, i, &limit, &lambda);
        value[2 * d->lock_set[i]] = limit - lambda;
        value[2 * d->lock_set[i] + 1] = limit + lambda;
    }
}

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
static int find_candidates(const sb_model *m, sb_data *d, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const double slip = d->slip[branch_of(m, k)];
        const int fired = d->fired[2 * k] || d->fired[2 * k + 1];
        const int moving = fabs(slip) > SLIP_ZERO * nominal_slip(m, k);
        const int mode = d->mode[k];
        if (is_open(m, d, k)) {
            d->mode[k] = SB_FREE;
        } else if (!m->lock_free[k]) {
            const double trend = moving && !fired ? slip : d->slip_t[branch_of(m, k)];
            d->mode[k] = sign_of(trend);
        } else if ((mode == SB_FORWARD || mode == SB_BACKWARD) && mode * slip > 0.0 && !fired) {
            continue;
        } else if ((mode == SB_FREE || mode == SB_STUCK) && moving) {
            d->mode[k] = sign_of(slip);
        } else {
            candidate[n++] = k;
        }
    }
    return n;
}

/* Slip row times free speeds or accelerations, plus the prescribed part. */
static double slip_dot(const sb_model *m, int lock, const double *speeds, double prescribed)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, branch_of(m, lock), speeds, prescribed);
}

/* M^-1 W_k: how the speeds answer to a torque in the contact. */
static void response(const sb_model *m, sb_data *d, int lock, double *speeds)
{
    const int n = SB_N_X(m);
    const int b = branch_of(m, lock);
    for (int i = 0; i < n; ++i) {
        d->force[i] = 0.0;
    }
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        d->force[m->w_col[p]] = m->w_val[p];
    }
    sb_lu_solve(m, d->free_lu, d->free_inv, d->force, speeds, d->solve_tmp);
}

/* A of the candidates, and their slip accelerations b while they transmit nothing. */
static void reduce(const sb_model *m, sb_data *d, double t, const double *x, int n, const int *candidate)
{
    for (int i = 0; i < n; ++i) {
        d->mode[candidate[i]] = SB_STUCK;
        d->locked[candidate[i]] = 0;
    }
    sb_forces(m, d, t, x, d->force);
    sb_lu_solve(m, d->free_lu, d->free_inv, d->force, d->rate, d->solve_tmp);
    for (int i = 0; i < n; ++i) {
        d->lock_b[i] = slip_dot(m, candidate[i], d->rate, d->slip_t[branch_of(m, candidate[i])]);
    }
    for (int j = 0; j < n; ++j) {
        response(m, d, candidate[j], d->rate);
        for (int i = 0; i < n; ++i) {
            d->lock_a[i * n + j] = slip_dot(m, candidate[i], d->rate, 0.0);
        }
    }
}

/* Slip acceleration that the holding torques l leave over; 0 where it is rounding. */
static double left_over(const sb_data *d, int n, const double *l, int i)
{
    double sum = d->lock_b[i];
    double size = fabs(sum);
    for (int j = 0; j < n; ++j) {
        sum -= d->lock_a[i * n + j] * l[j];
        size += fabs(d->lock_a[i * n + j] * l[j]);
    }
    return fabs(sum) > LEFT_OVER * size ? sum : 0.0;
}

/* Contacts side by side, which hold one and the same motion, reach their limits together. */
static void release_together(const sb_data *d, int n, const int *candidate, int *released)
{
    const double *a = d->lock_a;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const int leads = released[i] == 1 && i != j && are_parallel(a, n, i, j);
            released[j] = leads && d->mode_old[candidate[j]] == SB_STUCK ? 1 : released[j];
        }
    }
}

/* Box problem with static limits, again with kinetic ones for those that let go; modes of the candidates.
 * A contact whose limit was reached by a located event lets go at once: rounding must not hold it back. */
static sb_status decide(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int *released = d->lock_set + m->n_lock;
    int *state = d->lock_set + 2 * m->n_lock;
    double *l = d->lock_tmp;
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        released[i] = d->mode_old[k] == SB_STUCK && (d->fired[2 * k] || d->fired[2 * k + 1]);
    }
    release_together(d, n, candidate, released);
    for (int i = 0; i < n; ++i) {
        d->limit[i] = released[i] ? kinetic_limit(m, d, candidate[i]) : sb_lock_limit(m, d, candidate[i]);
    }
    for (int again = 1; again;) {
        d->culprit = n > 0 ? candidate[0] : 0;
        SB_TRY(sb_box_solve(n, d->lock_a, d->lock_b, d->limit, l, d->lock_chol, d->lock_tmp + m->n_lock, state));
        again = 0;
        for (int i = 0; i < n; ++i) {
            if (!released[i] && state[i] != 0 && state[i] * left_over(d, n, l, i) > 0.0) {
                released[i] = 1;
                d->limit[i] = kinetic_limit(m, d, candidate[i]);
                again = 1;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const int on_limit = fabs(l[i]) >= d->limit[i] * (1.0 - ON_LIMIT);
        const int side = l[i] != 0.0 ? sign_of(l[i]) : state[i];
        d->mode[candidate[i]] = released[i] && on_limit ? side : SB_STUCK;
    }
    return SB_OK;
}

/* The stuck contacts in d->lock_set, A reduced to them, and those of them whose motion the others hold already:
 * nothing is left of their diagonal when A is factorised in order. */
static void find_redundant(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int *kept = d->lock_set + m->n_lock;
    int stuck = 0;
    for (int i = 0; i < n; ++i) {
        if (d->mode[candidate[i]] == SB_STUCK) {
            kept[stuck] = i;
            d->lock_set[stuck++] = candidate[i];
        }
    }
    for (int i = 0; i < stuck; ++i) {
        for (int j = 0; j < stuck; ++j) {
            d->lock_a[i * stuck + j] = d->lock_a[kept[i] * n + kept[j]];
        }
    }
    d->n_stuck = stuck;
    d->n_redundant = 0;
    double *chol = d->lock_chol;
    for (int i = 0; i < stuck; ++i) {
        double pivot = d->lock_a[i * stuck + i];
        for (int j = 0; j < i; ++j) {
            double sum = d->lock_a[i * stuck + j];
            for (int k = 0; k < j; ++k) {
                sum -= chol[i * stuck + k] * chol[j * stuck + k];
            }
            chol[i * stuck + j] = d->redundant[d->lock_set[j]] ? 0.0 : sum / chol[j * stuck + j];
            pivot -= chol[i * stuck + j] * chol[i * stuck + j];
        }
        const int k = d->lock_set[i];
        d->redundant[k] = pivot <= 1e-10 * d->lock_a[i * stuck + i];
        d->redundant_ever[k] |= d->redundant[k];
        d->locked[k] = !d->redundant[k];
        d->n_redundant += d->redundant[k];
        chol[i * stuck + i] = d->redundant[k] ? 1.0 : sqrt(pivot);
    }
}

/* Speeds with slip exactly 0 in the stuck contacts: the smallest change dv in the sense of M, that is
 * M dv + W l = 0 and W' dv = -slip, which is Mass with another right-hand side. */
void sb_project_stuck(const sb_model *m, sb_data *d, double *x)
{
    const int n = SB_N_X(m);
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        d->force[i] = 0.0;
    }
    for (int k = 0; k < m->n_lock; ++k) {
        if (d->locked[k]) {
            const double slip = slip_dot(m, k, x, d->slip0[branch_of(m, k)]);
            d->force[SB_N_Y(m) + k] = -slip;
            largest = sb_max(largest, fabs(slip));
        }
    }
    if (largest > 0.0) {
        sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, d->rate, d->solve_tmp);
        for (int i = 0; i < m->n_v; ++i) {
            x[i] += d->rate[i];
        }
    }
}

sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    if (m->n_lock == 0) {
        return SB_OK;
    }
    int *candidate = d->lock_set + 3 * m->n_lock;
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    sb_forces(m, d, t, x, d->force);
    const int n = find_candidates(m, d, candidate);
    reduce(m, d, t, x, n, candidate);
    SB_TRY(decide(m, d, n, candidate));
    find_redundant(m, d, n, candidate);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    sb_project_stuck(m, d, x);
    return SB_OK;
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->free_lu, d->free_inv));
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode[k] = SB_FREE;
    }
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return sb_update_modes(m, d, t, x);
}
