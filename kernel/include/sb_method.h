#ifndef SB_METHOD_H
#define SB_METHOD_H

#include "sb_data.h"

/* What a one-step method owes the driver:
 * 1. prepare: once per new (d->t, d->x): whatever does not depend on the step size.
 * 2. step: from (d->t, d->x) over h to d->x_new with the error estimate d->error; may be repeated with other h.
 *    On entry d->force_start and d->rate_start hold F and x' at (d->t, d->x).
 * 3. dense: the solution at t + theta h of the last step, theta in [0, 1].
 * 4. stretch: the dense output of the last step goes on to factor * h, factor near 1; the driver then moves d->x_new.
 * 5. rate_at_end: 1 if step leaves x' at its end in d->rate_new and the board evaluated there. */
typedef struct sb_method {
    const char *name;
    int order; /* of the solution; the error estimate is of order - 1 */
    int rate_at_end;
    void (*prepare)(const sb_model *m, sb_data *d);
    sb_status (*step)(const sb_model *m, sb_data *d, double h);
    void (*dense)(const sb_model *m, const sb_data *d, double theta, double *x);
    void (*stretch)(const sb_model *m, sb_data *d, double factor);
} sb_method;

/* Estimate of the largest |eigenvalue| of the machine at the point of d->jac. */
double sb_fastest_rate(const sb_model *m, sb_data *d);

/* Nodes and coefficients of Dormand and Prince; the last row are the weights of the solution. */
enum { SB_DOPRI5_STAGES = 7 };
extern const double sb_dopri5_node[SB_DOPRI5_STAGES];
extern const double sb_dopri5_a[SB_DOPRI5_STAGES][SB_DOPRI5_STAGES - 1];

extern const sb_method sb_rodas5p;
extern const sb_method sb_dopri5;

#endif
