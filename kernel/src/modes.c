#include <math.h>
#include <string.h>

#include "sb_friction.h"
#include "sb_kernel.h"
#include "sb_lock.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_signal.h"
#include "sb_sparse.h"

/* True stick. Locked contacts keep slip 0 by holding torques l, which follow from the network: with the slip
 * accelerations b without holding torques and A = W' M^-1 W, the accelerations are b - A l. At an event the
 * torques of all contacts that may stick solve the box problem of sb_box_solve with their static limits;
 * contacts that would move get their kinetic limit and the problem is solved again. Limits only shrink, so
 * this ends after at most one round per contact, and every answer fulfils complementarity. */

/* Accelerations below this share of their terms are rounding: the contact is held. */
#define LEFT_OVER 1e-12

/* No load now and none coming: at a load of 0 its trend decides. */
static int is_open(const sb_model *m, const sb_data *d, int lock)
{
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double load = d->jet[SB_JET * signal];
        if (load > 0.0 || (load == 0.0 && sb_signal_rate(m, d, signal, d->rate) > 0.0)) {
            return 0;
        }
    }
    return 1;
}

static double nominal_slip(const sb_model *m, int lock)
{
    double nominal = 0.0;
    const int b = sb_lock_branch(m, lock);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
static int find_candidates(const sb_model *m, sb_data *d, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const sb_manner way = sb_manner_of(m, k);
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fired = d->fired[2 * k] || d->fired[2 * k + 1];
        const int mode = d->mode[k];
        const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
        const double window =
            way.kind == SB_LOCK_HYBRID ? way.release : way.window; // faster ones are caught by an event
        const double least = sb_max(SB_SLIP_ZERO * nominal_slip(m, k), window * (1.0 + SB_ON_LIMIT));
        const int moving = fabs(slip) > least && !(way.kind == SB_LOCK_HYBRID && mode == SB_STUCK);
        const int within = d->within[k];
        d->within[k] = 0;
        const int closes = mode == SB_FREE && d->fired[2 * k]; // what was located is not undone by rounding
        const int opens = slides && d->fired[2 * k + 1] && sb_closing_load(m, d, k) <= 0.0;
        if ((is_open(m, d, k) && !closes) || opens) {
            d->mode[k] = SB_FREE;
        } else if (!m->lock_free[k]) {
            const double trend = moving && !fired ? slip : d->slip_t[sb_lock_branch(m, k)];
            d->mode[k] = sb_sign_of(trend);
        } else if (within && (!fired || mode * slip >= way.window * (1.0 - SB_ON_LIMIT))) {
            d->within[k] = !fired;
        } else if (slides && !within && !fired && (way.kind != SB_LOCK_SWITCH || mode * slip > 0.0)) {
            continue;
        } else if ((mode == SB_FREE || mode == SB_STUCK) && moving) {
            d->mode[k] = sb_sign_of(slip);
        } else {
            candidate[n++] = k;
        }
    }
    return n;
}

/* Mass^-1 W_b: how the speeds answer to a torque in a branch. */
static void response(const sb_model *m, sb_data *d, int b, const double *lu, const double *inv, double *speeds)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->force[i] = 0.0;
    }
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        d->force[m->w_col[p]] = m->w_val[p];
    }
    sb_lu_solve(m, lu, inv, d->force, speeds, d->solve_tmp);
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
        d->lock_b[i] = sb_lock_slip(m, candidate[i], d->rate, d->slip_t[sb_lock_branch(m, candidate[i])]);
    }
    for (int j = 0; j < n; ++j) {
        response(m, d, sb_lock_branch(m, candidate[j]), d->free_lu, d->free_inv, d->rate);
        for (int i = 0; i < n; ++i) {
            d->lock_a[i * n + j] = sb_lock_slip(m, candidate[i], d->rate, 0.0);
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
            const int leads = released[i] == 1 && i != j && sb_are_parallel(a, n, i, j);
            released[j] = leads && d->mode_old[candidate[j]] == SB_STUCK ? 1 : released[j];
        }
    }
}

/* The box of a candidate as its middle and half its width: static, or kinetic once it lets go. The slip of a hybrid
 * contact that has not decayed yet is held by all means. */
static void set_box(const sb_model *m, sb_data *d, int n, int i, int lock, int released)
{
    double (*limit)(const sb_model *, const sb_data *, int, int) = released ? sb_kinetic_limit : sb_lock_limit;
    const double forward = limit(m, d, lock, SB_FORWARD);
    const double backward = limit(m, d, lock, SB_BACKWARD);
    const sb_manner way = sb_manner_of(m, lock);
    const int decays = way.kind == SB_LOCK_HYBRID && !released && fabs(d->slip[sb_lock_branch(m, lock)]) >= way.release;
    d->centre[i] = 0.5 * (forward - backward);
    d->limit[i] = 0.5 * (forward + backward);
    if (decays) {
        d->limit[i] = 1e9 * (d->limit[i] + fabs(d->lock_b[i]) / d->lock_a[i * n + i]);
    }
}

/* Holding torques l of the candidates within their boxes, and the bounds that they sit on. */
static sb_status solve_box(const sb_model *m, sb_data *d, int n, double *l, int *state)
{
    double *b = d->lock_tmp + m->n_lock;
    for (int i = 0; i < n; ++i) {
        b[i] = d->lock_b[i];
        for (int j = 0; j < n; ++j) {
            b[i] -= d->lock_a[i * n + j] * d->centre[j];
        }
    }
    SB_TRY(sb_box_solve(n, d->lock_a, b, d->limit, l, d->lock_chol, d->lock_tmp + 2 * m->n_lock, state));
    for (int i = 0; i < n; ++i) {
        l[i] += d->centre[i];
    }
    return SB_OK;
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
        set_box(m, d, n, i, candidate[i], released[i]);
    }
    for (int again = 1; again;) {
        d->culprit = n > 0 ? 2 * candidate[0] : 0;
        SB_TRY(solve_box(m, d, n, l, state));
        again = 0;
        for (int i = 0; i < n; ++i) {
            if (!released[i] && state[i] != 0 && state[i] * left_over(d, n, l, i) > 0.0) {
                released[i] = 1;
                set_box(m, d, n, i, candidate[i], 1);
                again = 1;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const int k = candidate[i];
        const double excess = l[i] - d->centre[i];
        const int on_limit = fabs(excess) >= d->limit[i] * (1.0 - SB_ON_LIMIT);
        const int side = excess != 0.0 ? sb_sign_of(excess) : state[i];
        d->mode[k] = released[i] && on_limit ? side : SB_STUCK;
        const sb_manner way = sb_manner_of(m, k);
        d->within[k] = way.kind == SB_LOCK_KARNOPP && d->mode[k] != SB_STUCK &&
                       d->mode[k] * d->slip[sb_lock_branch(m, k)] < way.window * (1.0 - SB_ON_LIMIT);
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

/* Slips that stuck contacts keep, states of laws that stick or begin to slide. */
static void settle_contacts(const sb_model *m, sb_data *d, double *x)
{
    d->n_decaying = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        const int mode = d->mode[k];
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fresh = d->mode_old[k] != SB_STUCK || mode != SB_STUCK;
        const int karnopp = sb_manner_of(m, k).kind == SB_LOCK_KARNOPP;
        d->slip_kept[k] = !karnopp || mode != SB_STUCK ? 0.0 : fresh ? slip : d->slip_kept[k];
        d->n_decaying += d->locked[k] && m->lock_local[k] > 0;

        const double *param;
        const sb_law *law = sb_lock_law(m, k, &param);
        if (law->steady && mode != d->mode_old[k]) {
            const double speed = mode == SB_STUCK ? 0.0 : fabs(slip);
            law->steady(param, speed, x + m->n_v + m->n_q + m->fr_state[m->lock_friction[k]]);
        }
    }
}

/* How the slips of the watched contacts answer to their torques in the present modes. */
static void find_compliances(const sb_model *m, sb_data *d)
{
    if (m->n_watch == 0) {
        return;
    }
    double *inverse = d->lu; // no step is under way
    sb_lu_inverse(m, d->mass_lu, d->mass_inv, inverse);
    for (int i = 0; i < m->n_watch; ++i) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[i]);
        double sum = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
                const int slot = sb_lu_slot(m, m->lu_place[m->w_col[p]], m->lu_place[m->w_col[q]]);
                sum += m->w_val[p] * m->w_val[q] * inverse[slot];
            }
        }
        d->compliance[m->watch[i]] = sum;
    }
}

static sb_status update_locks(const sb_model *m, sb_data *d, double t, double *x)
{
    int *candidate = d->lock_set + 3 * m->n_lock;
    memcpy(d->mode_old, d->mode, (size_t)m->n_lock * sizeof *d->mode);
    memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    d->n_decaying = 0;
    sb_forces(m, d, t, x, d->force);
    const int n = find_candidates(m, d, candidate);
    reduce(m, d, t, x, n, candidate);
    SB_TRY(decide(m, d, n, candidate));
    find_redundant(m, d, n, candidate);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    settle_contacts(m, d, x);
    sb_project_stuck(m, d, x);
    return SB_OK;
}

/* New branches of signals, bristles that open or close, sides of contacts: loads that jump bring energy with them. */
static void pass_events(const sb_model *m, sb_data *d, double t, double *x)
{
    const int n = SB_N_STORE(m);
    sb_energy(m, d, t, x, d->energy_now);
    sb_signal_cross(m, d, t, x, d->fired + SB_SIGNAL_EVENT(m));
    sb_friction_open(m, d, x, d->fired);
    sb_friction_sides(m, d, x, d->fired);
    sb_energy(m, d, t, x, d->energy_tmp);
    for (int i = 0; i < n; ++i) {
        d->energy_jump[i] += d->energy_tmp[i] - d->energy_now[i];
    }
}

sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->corner_age = d->fired[i] ? 0 : d->corner_age;
    }
    for (int i = 0; i < m->n_shown; ++i) {
        d->shown_old[i] = (int)x[m->shown_state[i]];
    }
    if (m->n_law_guard > 0) {
        SB_TRY(sb_rates(m, d, t, x, d->rate)); // the board may show another instant of the step
        sb_friction_jump(m, d, x, d->fired);
    }
    if (m->n_signal_guard + m->n_side + m->n_open > 0) {
        pass_events(m, d, t, x);
    }
    if (m->n_lock > 0) {
        SB_TRY(update_locks(m, d, t, x));
    }
    find_compliances(m, d);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return SB_OK;
}

sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x)
{
    // nothing locked at first; contacts that slide keep their direction, those at rest are decided together
    memset(d->locked, 0, (size_t)m->n_lock * sizeof *d->locked);
    memset(d->within, 0, (size_t)m->n_lock * sizeof *d->within);
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->free_lu, d->free_inv));
    SB_TRY(sb_assemble_mass(m, d, d->locked, d->mass_lu, d->mass_inv));
    for (int k = 0; k < m->n_lock; ++k) {
        d->mode[k] = SB_FREE;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        d->side[k] = SB_FORWARD;
    }
    sb_friction_open(m, d, x, NULL);
    sb_friction_sides(m, d, x, NULL);
    memset(d->fired, 0, (size_t)SB_N_EVENT(m) * sizeof *d->fired);
    return sb_update_modes(m, d, t, x);
}
