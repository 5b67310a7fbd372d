#ifndef SB_BASE_H
#define SB_BASE_H

#include "sb_model.h"

/* The internal header of model/: what every folder uses, and what parts of the model that other folders know owe it. */

/* Parts whose arrays sb_model_check leaves to those who read them: 1 if they are consistent. */
#define SB_CHECKED_PARTS(X) X(signals)
#define X(part) int sb_##part##_ok(const sb_model *m);
SB_CHECKED_PARTS(X)
#undef X

/* Slips below this share of the nominal speed are taken as zero when nothing else decides; also the share of the
 * nominal sizes behind an operand within which a signal that jumps does not change its branch. */
#define SB_SLIP_ZERO 1e-12

/* Share of the run's tolerance to which the operand of a kink is known. */
#define SB_KINK_SHARE 1e-2

/* Time in which a torque that counts makes a slip that counts. */
#define SB_SECOND 1.0

/* Share of the run's tolerance to which what slides along a jump is held on it. */
#define SB_LAYER_SHARE 1.0

/* The same of the widest layer: it grows while errors of the run bring something out of it that is driven back. */
#define SB_WIDEST_LAYER 100.0

/* How many bands above the lower edge of its band an event function has left it. */
#define SB_ARMED 3.0

/* Guards of laws are made dimensionless by the laws: this is rounding. */
#define SB_GUARD_ZERO 1e-12

/* Share of the torques around a contact that is rounding in its holding torque. */
#define SB_TORQUE_ROUNDING 1e-11

/* Accuracy in time of a located event, by whatever integrator. */
#define SB_LOCATED 1e-12

/* Of a machine that is driven from outside, with a tolerance that is not known here. */
#define SB_DEFAULT_TOLERANCE 1e-7
#define SB_DEFAULT_DWELL 1e-9

/* Rounding of a sum, by the size of its terms. */
#define SB_ROUNDED 1e-14

/* fmax and fmin are calls that respect NaN; these compile to one instruction. */
static inline double sb_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double sb_min(double a, double b)
{
    return a < b ? a : b;
}

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
