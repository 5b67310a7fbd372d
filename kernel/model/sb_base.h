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

static inline sb_count sb_sign_of(sb_real value)
{
#if SB_LANES == 1
    return (value > 0.0) - (value < 0.0);
#else
    return (value < 0.0) - (value > 0.0); /* flags are -1 */
#endif
}

static inline void sb_copy(sb_real *to, const sb_real *from, int n)
{
    for (int i = 0; i < n; ++i) {
        to[i] = from[i];
    }
}

/* out = base + factor * sum_j coef_j u_j over `count` vectors of padded length n, four entries at a time;
 * base may be a null pointer for 0. */
static inline void sb_combine(int n, const sb_real *base, const sb_real *stage, const double *coef, int count,
                              sb_real factor, sb_real *out)
{
    for (int i = 0; i < n; i += 4) {
        sb_real sum[4] = {SB_R(0.0), SB_R(0.0), SB_R(0.0), SB_R(0.0)};
        const sb_real *u = stage + i;
        for (int j = 0; j < count; ++j, u += n) {
            sum[0] += coef[j] * u[0];
            sum[1] += coef[j] * u[1];
            sum[2] += coef[j] * u[2];
            sum[3] += coef[j] * u[3];
        }
        for (int k = 0; k < 4; ++k) {
            out[i + k] = factor * sum[k] + (base ? base[i + k] : SB_R(0.0));
        }
    }
}

#endif
