#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* Bristles by the implicit Euler method, and elements of counted laws exactly, at a given slip, z1 = z + h z'(v, z1):
 * the fast states of mixed-mode integration (A. Aberger, M. Otter 2002). Newton's method; for laws that are linear in z
 * its first round is exact. */

enum { ROUNDS = 8 };

/* One correction of z1 towards z1 - z - h z'(v, z1) = 0; its size relative to z1. */
static double correct(const sb_law *law, const double *param, double v, double h, const double *z, double *z1)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    double a[SB_LAW_LOCALS];
    double b[SB_LAW_MAX];
    int pivot[SB_LAW_MAX];
    const int n = law->n_state;
    law->flow_jac(law, param, v, z1, out, jac);
    for (int i = 0; i < n; ++i) {
        b[i] = z[i] + h * out[1 + i] - z1[i];
        for (int j = 0; j < n; ++j) {
            a[i * n + j] = (i == j) - h * jac[(1 + i) * (1 + n) + 1 + j];
        }
    }
    double change = 0.0;
    if (!sb_dense_factor(n, n, a, pivot, 0.0)) {
        z1[0] = NAN; // as any other step that cannot be made
        return change;
    }
    sb_dense_solve(n, n, a, pivot, b);
    for (int i = 0; i < n; ++i) {
        z1[i] += b[i];
        change = sb_max(change, fabs(b[i]) / (fabs(z1[i]) + fabs(z[i]) + SB_NOT_ZERO));
    }
    return change;
}

void sb_bristles_implicit(const sb_model *m, const sb_data *d, double h, double *x)
{
    double z[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *law = sb_law_of(m, k);
        const int rests = m->fr_open[k] >= 0 && d->open[k];
        if (law->family != SB_BRISTLE || rests) {
            continue;
        }
        const double *param = d->param + m->fr_param_ptr[k];
        const double slip = d->slip[SB_FRICTION_BRANCH(m, k)];
        double *z1 = x + m->n_v + m->n_q + m->fr_state[k];
        sb_copy(z, z1, law->n_state);
        if (law->advance) {
            double out[3];
            law->advance(law, param, h, 1.0, slip, slip, slip, z, z1, out);
            continue;
        }
        for (int round = 0; round < ROUNDS; ++round) {
            if (correct(law, param, slip, h, z, z1) < SB_BRISTLES_SETTLED) {
                break;
            }
        }
    }
}
