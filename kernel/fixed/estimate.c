#include <math.h>
#include <string.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* The local error of a task: what it makes of the speeds, and what a twin of the machine makes of them in twice as many
 * steps of half the size. The twin has separate factors and takes over everything else before each task. */

void sb_twin_options(const sb_fixed_options *opt, sb_fixed_options *half)
{
    *half = *opt;
    half->substeps *= 2;
    half->ledger = 0;
    half->bound = 0.0;
}

/* What a step starts from, beside sb_data; accelerations are changes within a step. */
static void take_over(const sb_model *m, sb_fixed *half, const sb_fixed *f)
{
    half->count = f->count;
    half->t0 = f->t0;
    half->stale = f->stale;
    half->hidden = 0;
    sb_copy(half->slip_start, f->slip_start, SB_N_BRANCH(m));
    sb_copy(half->motion_start, f->motion_start, m->n_motion);
    sb_copy(half->motion_begin, f->motion_begin, m->n_motion);
    sb_copy(half->load_end, f->load_end, m->n_friction);
    sb_copy(half->vary_end, f->vary_end, m->n_vary);
    sb_copy(half->el_tau, f->el_tau, m->n_friction);
    for (int i = 0; i < SB_N_X(m); ++i) {
        half->change[i] = 0.5 * f->change[i];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        const double slip = f->slip_start[SB_FRICTION_BRANCH(m, k)];
        half->el_before[k] = slip - 0.5 * (slip - f->el_before[k]);
    }
}

static void follow(const sb_model *m, sb_data *twin, sb_fixed *half, const sb_data *d, const sb_fixed *f)
{
    void *block = twin->board; // the first array
    *twin = *d;
    memcpy(block, d->board, sb_data_size(m));
    sb_data_place(m, twin, block);
    for (int k = 0; k < m->n_spring; ++k) { // the one local derivative that depends on the step
        twin->local[SB_SPRING_LOCAL(k) + 1] = half->spring_late[k];
    }
    take_over(m, half, f);
}

/* The largest difference of two speeds, by the largest speed so far. */
static double difference(const sb_model *m, sb_fixed *f, const double *x, const double *other)
{
    double apart = 0.0;
    for (int i = 0; i < m->n_v; ++i) {
        f->fastest = sb_max(f->fastest, sb_max(fabs(other[i]), SB_NO_SPEED * m->x_nominal[i]));
        apart = sb_max(apart, fabs(x[i] - other[i]));
    }
    return f->fastest > 0.0 ? apart / f->fastest : 0.0;
}

sb_status sb_fixed_step_checked(const sb_model *m, sb_data *d, sb_fixed *f, sb_data *twin, sb_fixed *half)
{
    follow(m, twin, half, d, f);
    SB_TRY(sb_fixed_step(m, d, f));
    if (sb_fixed_step(m, twin, half) == SB_OK) {
        const double error = difference(m, f, d->x, twin->x);
        f->largest_error = sb_max(f->largest_error, error);
        f->stats.imprecise += error > f->opt.bound;
    }
    return SB_OK;
}
