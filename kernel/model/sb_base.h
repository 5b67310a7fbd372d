#ifndef SB_BASE_H
#define SB_BASE_H

#include "sb_model.h"
#include "sb_real.h"

/* The internal header of model/: what every folder uses, and what parts of the model that other folders know owe it. */

/* Parts whose arrays sb_model_check leaves to the code that reads them: 1 if they are consistent. */
#define SB_CHECKED_PARTS(X) X(signals)
#define X(part) int sb_##part##_ok(const sb_model *m);
SB_CHECKED_PARTS(X)
#undef X

static inline int sb_sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

static inline void sb_copy(double *to, const double *from, int n)
{
    for (int i = 0; i < n; ++i) {
        to[i] = from[i];
    }
}

/* out = base + factor * sum_j coef_j u_j over `count` vectors of padded length n, four entries at a time;
 * base may be a null pointer for 0. */
static inline void sb_combine(int n, const double *base, const double *stage, const double *coef, int count,
                              double factor, double *out)
{
    for (int i = 0; i < n; i += 4) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        const double *u = stage + i;
        for (int j = 0; j < count; ++j, u += n) {
            sum[0] += coef[j] * u[0];
            sum[1] += coef[j] * u[1];
            sum[2] += coef[j] * u[2];
            sum[3] += coef[j] * u[3];
        }
        for (int k = 0; k < 4; ++k) {
            out[i + k] = factor * sum[k] + (base ? base[i + k] : 0.0);
        }
    }
}

#endif
