#include <float.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* The error of a step. */

#define BOUND_ERROR 30.0 /* such a step is repeated with about half its size */

/* A bristle bent further than its equations allow: the step has jumped over its break-away, however small the error
 * estimate. (Slips of very stiff bristles are preceded by speeds far below any tolerance.) */
static sb_real judge_bounds(const sb_model *m, sb_data *d, sb_real error)
{
    const int first = m->n_v + m->n_q;
    for (int i = 0; i < m->n_z; ++i) {
        const sb_real most = SB_BOUND_SLACK * sb_max(m->z_bound[i], sb_abs(d->x[first + i]));
        const sb_flag beyond = sb_and(error <= 1.0, sb_abs(d->x_new[first + i]) > most);
        if (sb_any(beyond)) {
            d->worst = sb_pick_count(beyond, first + i, d->worst);
            error = sb_pick(beyond, SB_R(BOUND_ERROR), error);
        }
    }
    return error;
}

SB_HOT sb_real sb_error_root(sb_real error)
{
    return sb_fifth_root(sb_min(sb_max(error, SB_R(SB_LEAST_ERROR)), SB_R(DBL_MAX)));
}

/* Largest error of a state against tolerance * (nominal + size). The largest, not a mean: idle states must not hide it.
 * A nominal size that is a guess shrinks to the largest value that the state has had, but not below x_least. */
SB_HOT sb_real sb_step_error(const sb_model *m, sb_data *d, double tolerance)
{
    const int n = SB_N_Y(m);
    sb_real worst = SB_R(0.0);
    sb_real worst_size = SB_R(1.0);
    sb_flag finite = sb_not(SB_NEVER);
    const double rounding = SB_SIZE_ROUNDING / tolerance;
    d->worst = SB_NEVER - 1;
    for (int i = 0; i < n; ++i) {
        const sb_real now = sb_max(sb_abs(d->x[i]), sb_abs(d->x_new[i]));
        const sb_real least = sb_max(m->x_least[i], rounding * m->x_nominal[i]);
        const sb_real size = sb_min(m->x_nominal[i], least + sb_max(d->x_peak[i], now)) + now;
        const sb_real error = sb_abs(d->error[i]);
        const sb_flag overflows = sb_and(finite, sb_not(error <= DBL_MAX));
        const sb_flag worse = sb_and(finite, sb_or(overflows, error * worst_size > worst * size));
        worst = sb_pick(worse, error, worst);
        worst_size = sb_pick(worse, size, worst_size);
        d->worst = sb_pick_count(worse, i, d->worst);
        finite = sb_and(finite, sb_not(overflows));
    }
    const sb_real norm = sb_pick(finite, worst / (worst_size * tolerance), SB_R((double)INFINITY));
    return judge_bounds(m, d, norm);
}
