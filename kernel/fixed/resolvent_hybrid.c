#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "stick/sb_stick.h"

/* What a hybrid contact answers at the end of a step, see resolvent_lock.c: while it is stuck its slip decays. */

/* Contacts of an island that hold in this step: those that are stuck, those that have just been caught, and
 * element `with`. Returns their number; in `set` their places in the island. */
static int gather_holding(const sb_model *m, const sb_data *d, const sb_fixed *f, int island, int with, int *set)
{
    const int first = f->island_ptr[island];
    int n = 0;
    for (int a = 0; a < f->island_ptr[island + 1] - first; ++a) {
        const int k = f->island_el[first + a];
        const int lock = m->fr_lock[k];
        if (k == with || f->el_caught[k] || (lock >= 0 && d->mode[lock] == SB_STUCK)) {
            set[n++] = a;
        }
    }
    return n;
}

/* Coupling of the elements at n places of an island, scaled to a diagonal of 1. */
static void scaled_coupling(const sb_model *m, const sb_fixed *f, int island, int n, const int *set, double *matrix)
{
    const int *element = f->island_el + f->island_ptr[island];
    for (int i = 0; i < n; ++i) {
        const double *row = f->coupling + element[set[i]] * SB_COUPLED(m);
        for (int j = 0; j < n; ++j) {
            const double scale = sqrt(f->el_yield[element[set[i]]] * f->el_yield[element[set[j]]]);
            matrix[i * n + j] = row[set[j]] / scale;
        }
    }
}

/* Whether contacts with a slip that would decay by different shares hold something. */
static int decays_differ(const sb_fixed *f, const int *element, int n, const int *set)
{
    double least = 1.0;
    double most = 0.0;
    for (int i = 0; i < n; ++i) {
        const int k = element[set[i]];
        if (f->el_start[k] != 0.0) {
            least = sb_min(least, f->el_keep[k]);
            most = sb_max(most, f->el_keep[k]);
        }
    }
    return least < most;
}

/* Contacts that depend on each other (side by side, or in a circle) decay alike, as the fastest of them. Their slips of
 * the start fulfil this dependence, so those of the end do; else they would pull against each other without limit. With
 * the scaled coupling A,  e (A + e)^-1  is 0 but for the torques that move nothing: contacts that depend on each other
 * have entries there. */
static void share_decays(const sb_model *m, const sb_data *d, sb_fixed *f, int island)
{
    double matrix[SB_MOST_COUPLED * SB_MOST_COUPLED], depends[SB_MOST_COUPLED][SB_MOST_COUPLED];
    int set[SB_MOST_COUPLED], pivot[SB_MOST_COUPLED];
    const int *element = f->island_el + f->island_ptr[island];
    const int n = gather_holding(m, d, f, island, SB_NOBODY, set);
    if (!decays_differ(f, element, n, set)) {
        return;
    }
    scaled_coupling(m, f, island, n, set, matrix);
    for (int i = 0; i < n; ++i) {
        matrix[i * n + i] += SB_SHARE_WEIGHT;
        for (int j = 0; j < n; ++j) {
            depends[i][j] = i == j ? SB_SHARE_WEIGHT : 0.0;
        }
    }
    if (!sb_dense_factor(n, n, matrix, pivot, SB_DENSE_SINGULAR)) {
        return;
    }
    for (int i = 0; i < n; ++i) {
        sb_dense_solve(n, n, matrix, pivot, depends[i]);
    }
    for (int changes = 1; changes;) {
        changes = 0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                const double keep = f->el_kept[element[set[j]]];
                if (fabs(depends[i][j]) > SB_DEPENDS && keep < f->el_kept[element[set[i]]]) {
                    f->el_kept[element[set[i]]] = keep;
                    changes = 1;
                }
            }
        }
    }
}

static void share_all(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_kept[k] = f->el_keep[k];
    }
    for (int i = 0; i < f->n_island && !f->sparse; ++i) {
        if (f->island_ptr[i + 1] - f->island_ptr[i] > 1) {
            share_decays(m, d, f, i);
        }
    }
}

void sb_hybrid_begin(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_caught[k] = 0;
    }
    share_all(m, d, f);
}

void sb_hybrid_end(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    int any = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        any |= f->el_caught[k];
    }
    if (!any) {
        return;
    }
    share_all(m, d, f);
    for (int k = 0; k < m->n_friction; ++k) {
        if (f->el_caught[k]) {
            f->el_target[k] = f->el_start[k] * f->el_kept[k];
        } else if (f->el_kind[k] == SB_EL_LOCK && sb_hybrid_decays(m, d, f, k)) {
            sb_hybrid_hold(m, d, f, k);
        }
    }
}

/* Slip that a stuck contact keeps or lets decay to. */
static double kept_slip(const sb_model *m, const sb_fixed *f, int k)
{
    const int rests = sb_law_of(m, k)->lock == SB_LOCK_SWITCH;
    return rests ? 0.0 : f->el_start[k] * f->el_kept[k];
}

/* The torque that would keep the slip of a contact while all others go on as they do, and how its slip yields to its
 * torque then: those that are stuck hold on, the others have their last torques. Held together, their torques solve one
 * linear system; where others hold the motion of the contact itself, the last torques of all others count. */
typedef struct keeping {
    double torque, yield;
} keeping;

static keeping keep_with_others(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    double matrix[SB_MOST_COUPLED * SB_MOST_COUPLED], right[SB_MOST_COUPLED], unit[SB_MOST_COUPLED];
    int set[SB_MOST_COUPLED], pivot[SB_MOST_COUPLED];
    const double yield = f->el_yield[k];
    keeping alone = {yield > 0.0 ? (sb_resolvent_last_free(m, f, k) - f->el_start[k]) / yield : 0.0, yield};
    if (f->el_alone[k] || f->sparse) {
        return alone;
    }
    const int first = f->island_ptr[f->island_of[k]];
    const int all = f->island_ptr[f->island_of[k] + 1] - first;
    const int n = gather_holding(m, d, f, f->island_of[k], k, set);
    scaled_coupling(m, f, f->island_of[k], n, set, matrix);
    for (int i = 0; i < n; ++i) {
        const int e = f->island_el[first + set[i]];
        const double *row = f->coupling + e * SB_COUPLED(m);
        right[i] = f->el_free[e] - (e == k ? f->el_start[e] : kept_slip(m, f, e));
        for (int a = 0; a < all; ++a) {
            right[i] -= row[a] * f->el_tau[f->island_el[first + a]];
        }
        for (int j = 0; j < n; ++j) {
            right[i] += row[set[j]] * f->el_tau[f->island_el[first + set[j]]];
        }
        matrix[i * n + i] += e == k ? 0.0 : SB_SHARE_WEIGHT; // some of them may hold one motion together
        right[i] /= sqrt(f->el_yield[e]);
        unit[i] = (e == k) / sqrt(f->el_yield[e]);
    }
    if (n < 2 || !sb_dense_factor(n, n, matrix, pivot, SB_DENSE_SINGULAR)) {
        return alone;
    }
    sb_dense_solve(n, n, matrix, pivot, right);
    sb_dense_solve(n, n, matrix, pivot, unit);
    for (int i = 0; i < n; ++i) {
        if (f->island_el[first + set[i]] == k && unit[i] * sqrt(yield) * SB_SHARED_MOTION < 1.0) {
            alone = (keeping){right[i] / sqrt(yield), sqrt(yield) / unit[i]};
        }
    }
    return alone;
}

/* A hybrid contact that is stuck lets its slip decay, as far as it does within the step, however long; the limits are
 * those of the torque without what makes it decay. */
void sb_hybrid_hold(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const sb_manner way = sb_manner_of(m, d, m->fr_lock[k]);
    const double slip = f->el_start[k];
    f->el_target[k] = kept_slip(m, f, k);
    sb_resolvent_box(m, f, k, f->el_limit[k], 1);
    if (fabs(slip) >= way.release) {
        f->el_high[k] = INFINITY;
        f->el_low[k] = -INFINITY;
    } else if (f->el_yield[k] > 0.0) {
        const double relaxing = (slip - f->el_target[k]) / keep_with_others(m, d, f, k).yield;
        f->el_high[k] += relaxing;
        f->el_low[k] += relaxing;
    }
}

/* Unless a prescribed speed has jumped beyond its window. */
int sb_hybrid_decays(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const int stuck = (f->el_facts[k] & SB_FACT_HYBRID) && d->mode[lock] == SB_STUCK;
    return stuck && fabs(f->el_start[k]) <= f->el_window[k] + sb_jumped_slip(m, lock);
}

/* It is caught within its window, when it is held by all means while its slip decays; from above it does not get below
 * the window within a step. */
static void capture(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const double window = f->el_window[k];
    const int side = f->el_side[k];
    const int back = side == SB_BACKWARD;
    const int inside = side * f->el_start[k] < window;
    sb_resolvent_lines(m, d, f, k, 1);
    f->el_target[k] = (inside ? f->el_start[k] : side * window) * f->el_kept[k];
    const double line = f->el_cut[2 * k + back] + f->el_rise[2 * k + back] * fabs(f->el_target[k]);
    f->el_high[k] = inside || back ? INFINITY : line;
    f->el_low[k] = inside || !back ? -INFINITY : -line;
    f->el_side[k] = inside ? 0 : side;
    f->el_caught[k] = inside;
}

/* It slides on, also through slip 0, up to where it has been fast the other way: there it is caught. */
static void slide_on(sb_fixed *f, int k)
{
    const int back = f->el_side[k] == SB_BACKWARD;
    f->el_target[k] = back ? f->el_fast[k] : -f->el_fast[k];
    f->el_high[k] = back ? INFINITY : f->el_high[k];
    f->el_low[k] = back ? f->el_low[k] : -INFINITY;
}

/* A hybrid contact that slides keeps its direction until it is caught, by the conditions of the adaptive solver: that
 * less than its capture would hold it, and that it has stopped or been fast since it has broken away, if it did along
 * its slip; or that it has been fast, if it did against what was left of its slip. */
void sb_hybrid_slide(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const sb_phase phase = d->phase[lock];
    const int side = d->mode[lock] * f->el_start[k] > -f->el_fast[k] ? d->mode[lock] : f->el_side[k];
    const double least = f->el_load[2 * k + (side == SB_BACKWARD)] * sb_manner_of(m, d, lock).capture;
    f->el_side[k] = side;
    if (phase == SB_FRESH_AGAINST || side * keep_with_others(m, d, f, k).torque >= least) {
        slide_on(f, k);
    } else if (phase == SB_FRESH_ALONG && side * f->el_start[k] > 0.0) {
        f->el_target[k] = 0.0;
    } else {
        capture(m, d, f, k);
    }
}
