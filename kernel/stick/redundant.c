#include <math.h>
#include <string.h>

#include "linear/sb_linear.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Stuck contacts whose motion others hold already: they stay out of Mass and share the holding torques. */

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

/* Contacts that a redundant one depends on get its number as their group; part: what they take over of its torque. */
static void find_group(const sb_model *m, sb_data *d, int redundant, const double *part)
{
    d->group[redundant] = redundant;
    for (int k = 0; k < m->n_lock; ++k) {
        const int old = d->group[k];
        if (!d->locked[k] || fabs(part[k]) <= SB_HAS_PART || old == redundant) {
            continue;
        }
        d->group[k] = redundant;
        for (int j = 0; j < m->n_lock && old >= 0; ++j) {
            d->group[j] = d->group[j] == old ? redundant : d->group[j];
        }
    }
}

/* How the torques that gears transmit depend on that of a redundant contact, while those that share take it over. */
static void find_shares(const sb_model *m, sb_data *d, int redundant, const double *part)
{
    for (int l = 0; l < m->n_loss; ++l) {
        double sum = 0.0;
        double size = 0.0;
        for (int p = m->lb_ptr[l]; p < m->lb_ptr[l + 1]; ++p) {
            const int f = m->lb_col[p] - SB_FRICTION_BRANCH(m, 0);
            const int k = f >= 0 ? m->fr_lock[f] : -1;
            const double less = k < 0 ? 0.0 : k == redundant ? 1.0 : d->locked[k] ? -part[k] : 0.0;
            sum += less * m->lb_val[p];
            size += fabs(less * m->lb_val[p]);
        }
        const int depends = !d->locked[m->loss_lock[l]] && fabs(sum) > SB_HAS_PART * size;
        d->loss_share[l * m->n_lock + redundant] = depends ? sum : 0.0;
        d->n_ambiguous += depends;
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Torques that move nothing: that of a redundant contact against those that take it over. Made orthogonal to the ones
 * before (twice, for rounding), so that what a contact has in all of them does not depend on which ones were left out
 * of Mass. */
static void add_null_vector(const sb_model *m, sb_data *d, int redundant, const double *part, int count)
{
    const int n = m->n_lock;
    double *own = d->null_space + (count < SB_N_NULL(m) ? count : SB_N_NULL(m) - 1) * n;
    for (int k = 0; k < n; ++k) {
        own[k] = k == redundant ? 1.0 : d->locked[k] && fabs(part[k]) > SB_HAS_PART ? -part[k] : 0.0;
    }
    for (int i = 0; i < 2 * count && count < SB_N_NULL(m); ++i) {
        const double *other = d->null_space + (i % count) * n;
        const double along = dot(n, own, other);
        for (int k = 0; k < n; ++k) {
            own[k] -= along * other[k];
        }
    }
    const double size = sqrt(dot(n, own, own));
    for (int k = 0; k < n; ++k) {
        own[k] /= size;
        d->share_reach[k] += own[k] * own[k];
    }
}

/* The share that a contact has of the null space, as the reach of its torque: behind a gear of ratio 2, half a torque
 * does as much as a whole one before it. */
static void find_reaches(const sb_model *m, sb_data *d)
{
    for (int k = 0; k < m->n_lock; ++k) {
        d->share_reach[k] = d->group[k] >= 0 && d->share_reach[k] > 0.0 ? 1.0 / sqrt(d->share_reach[k]) : 1.0;
    }
}

/* The sharing contacts, by Mass while gears lose nothing. */
static sb_status find_groups(const sb_model *m, sb_data *d)
{
    int count = 0;
    memset(d->share_reach, 0, (size_t)m->n_lock * sizeof *d->share_reach);
    sb_loss_idle(m, d);
    sb_fill_mass(m, d, d->locked, d->stick_lu);
    SB_TRY(sb_lu_status(sb_lu_factor(m, d->stick_lu, d->stick_inv)));
    for (int k = 0; k < m->n_lock; ++k) {
        if (d->redundant[k]) {
            response(m, d, sb_lock_branch(m, k), d->stick_lu, d->stick_inv, d->rate);
            find_group(m, d, k, d->rate + SB_N_Y(m));
            find_shares(m, d, k, d->rate + SB_N_Y(m));
            add_null_vector(m, d, k, d->rate + SB_N_Y(m), count++);
        }
    }
    find_reaches(m, d);
    sb_loss_slopes(m, d);
    return SB_OK;
}

/* Marks the contacts of d->locked whose motion the others of them hold already. */
static sb_status find_redundant(const sb_model *m, sb_data *d, int *redundant)
{
    memset(redundant, 0, (size_t)m->n_lock * sizeof *redundant);
    sb_begin_mass(m, d);
    return sb_lu_rank(m, d->mass_lu, d->mass_inv, redundant);
}

/* Adds the stuck contacts of a kind to d->locked, one after the other, if those before leave their motion open. */
static sb_status lock_kind(const sb_model *m, sb_data *d, sb_lock_kind kind)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        if (sb_manner_of(m, d, k).kind == kind) {
            d->locked[k] = 1;
            SB_TRY(find_redundant(m, d, d->held));
            for (int j = 0; j < m->n_lock; ++j) {
                d->redundant[k] |= d->held[j];
            }
            d->locked[k] = !d->redundant[k];
        }
    }
    return SB_OK;
}

/* The same where slips decay: contacts that keep theirs at 0 come first, then those whose slip decays, and last those
 * that others may take along. */
static sb_status find_redundant_in_order(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        d->locked[d->lock_set[i]] = sb_manner_of(m, d, d->lock_set[i]).kind == SB_LOCK_SWITCH;
    }
    SB_TRY(find_redundant(m, d, d->redundant));
    for (int k = 0; k < m->n_lock; ++k) {
        d->locked[k] = d->locked[k] && !d->redundant[k];
    }
    SB_TRY(lock_kind(m, d, SB_LOCK_HYBRID));
    return lock_kind(m, d, SB_LOCK_KARNOPP);
}

/* The stuck contacts, all of them locked; whether the slip of one may decay. */
static int gather_stuck(const sb_model *m, sb_data *d)
{
    int decaying = 0;
    d->n_stuck = d->n_redundant = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        d->locked[k] = d->mode[k] == SB_STUCK && m->lock_free[k] && !sb_loss_leans(m, d, k);
        d->group[k] = SB_NOBODY;
        d->excess[k] = 0.0;
        decaying |= d->locked[k] && sb_is_hybrid(m, d, k);
        if (d->locked[k]) {
            d->lock_set[d->n_stuck++] = k;
        }
    }
    sb_loss_slopes(m, d);
    return decaying;
}

/* Whether Mass has the contacts of d->locked, and nothing else that may have changed. */
static int has_mass(const sb_model *m, const sb_data *d)
{
    return m->n_loss == 0 && memcmp(d->locked, d->mass_locked, (size_t)m->n_lock * sizeof *d->locked) == 0;
}

/* Mass with those of them that d->redundant does not mark. */
static sb_status lock_independent(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = d->lock_set[i];
        d->n_redundant += d->redundant[k];
        d->redundant_ever[k] |= d->redundant[k];
        d->locked[k] = !d->redundant[k];
    }
    if (!has_mass(m, d)) { // the search for redundant ones leaves it if there are none
        SB_TRY(sb_assemble_mass(m, d));
    }
    d->n_ambiguous = 0;
    memset(d->loss_shift, 0, (size_t)m->n_loss * sizeof *d->loss_shift);
    return d->n_redundant ? find_groups(m, d) : SB_OK;
}

sb_status sb_lock_stuck(const sb_model *m, sb_data *d)
{
    int left_out = 0;
    int leans = 0;
    const int decaying = gather_stuck(m, d);
    if (has_mass(m, d)) { // so none is redundant
        memset(d->redundant, 0, (size_t)m->n_lock * sizeof *d->redundant);
        return lock_independent(m, d);
    }
    SB_TRY(find_redundant(m, d, d->redundant));
    for (int k = 0; k < m->n_lock; ++k) {
        left_out |= d->redundant[k];
        leans |= sb_loss_leans(m, d, k);
    }
    if (left_out && leans) {
        if (sb_loss_sit(m, d, d->locked)) {
            return sb_lock_stuck(m, d); // one gear less leans
        }
        SB_TRY(find_redundant(m, d, d->redundant));
    }
    if (decaying && left_out) {
        SB_TRY(find_redundant_in_order(m, d));
    }
    return lock_independent(m, d);
}

sb_status sb_relock(const sb_model *m, sb_data *d)
{
    gather_stuck(m, d);
    return lock_independent(m, d);
}

/* A contact that slides is stuck if the stuck ones hold its motion. */
static int share(const sb_model *m, sb_data *d, int k)
{
    const int slides = d->mode[k] == SB_FORWARD || d->mode[k] == SB_BACKWARD;
    const int b = sb_lock_branch(m, k);
    if (!slides) {
        return 0;
    }
    response(m, d, b, d->mass_lu, d->mass_inv, d->rate);
    const double yields = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->rate, 0.0);
    const int held = fabs(yields) <= SB_HELD_BY_OTHERS * d->lock_scale[k];
    d->mode[k] = held ? SB_STUCK : d->mode[k];
    d->phase[k] = held ? SB_PLAIN : d->phase[k];
    return held;
}

sb_status sb_keep_sharing(const sb_model *m, sb_data *d, int n, const int *candidate)
{
    int kept = 0;
    memset(d->held, 0, (size_t)m->n_lock * sizeof *d->held);
    for (int i = 0; i < n && d->n_stuck > 0; ++i) {
        const int k = candidate[i];
        const int lets_go = d->released[k] && d->phase[k] != SB_LETTING_GO && sb_stick_left(m, d, k, d->need) == 0.0;
        kept |= lets_go && share(m, d, k);
        d->held[k] = 1; // decided: the others are asked below
    }
    for (int k = 0; k < m->n_lock && d->n_stuck > 0; ++k) {
        const int fresh = d->phase[k] == SB_FRESH_ALONG || d->phase[k] == SB_FRESH_AGAINST;
        kept |= !d->held[k] && fresh && !sb_has_slip(m, d, k) && share(m, d, k);
    }
    return kept ? sb_lock_stuck(m, d) : SB_OK;
}

double sb_branch_compliance(const sb_model *m, int b, const double *inverse)
{
    double sum = 0.0;
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        for (int q = m->w_ptr[b]; q < m->w_ptr[b + 1]; ++q) {
            const int slot = sb_lu_slot(m, m->lu_place[m->w_col[p]], m->lu_place[m->w_col[q]]);
            sum += m->w_val[p] * m->w_val[q] * inverse[slot];
        }
    }
    return sum;
}

void sb_find_compliances(const sb_model *m, sb_data *d)
{
    if (m->n_watch == 0) {
        return;
    }
    double *inverse = d->lu; // no step is under way
    sb_lu_inverse(m, d->mass_lu, d->mass_inv, inverse);
    for (int i = 0; i < m->n_watch; ++i) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[i]);
        const int lock = m->fr_lock[m->watch[i]];
        double alone = 0.0;
        for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
            alone += m->w_val[p] * m->w_val[p] / d->v_inertia[m->w_col[p]];
        }
        const int locked = lock >= 0 && d->locked[lock];
        const double sum = locked ? -1.0 / inverse[d->lock_slot[lock]] : sb_branch_compliance(m, b, inverse);
        d->compliance[m->watch[i]] = sum > SB_HELD_BY_OTHERS * alone ? sum : 0.0;
    }
}
