#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"

enum { ROUNDS = 6 };

/* y = Mass^-1 J x, with J in the matrix slots */
static void apply(const sb_model *m, sb_data *d, const double *x, double *y)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            sum += d->jac[p] * x[m->lu_perm[m->lu_col[p]]];
        }
        d->force[m->lu_perm[i]] = sum;
    }
    sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, y, d->solve_tmp);
}

/* Power iteration in nominal units. Two steps at a time, because oscillators come in pairs. */
double sb_fastest_rate(const sb_model *m, sb_data *d)
{
    const int n = SB_N_Y(m);
    double *x = d->x_tmp;
    double *y = d->sum;
    double gain = 0.0;
    double gain_old;
    for (int i = 0; i < n; ++i) {
        x[i] = m->x_nominal[i];
    }
    for (int round = 0; round < ROUNDS; ++round) {
        apply(m, d, x, y);
        double norm = 0.0;
        for (int i = 0; i < n; ++i) {
            norm = sb_max(norm, fabs(y[i]) / m->x_nominal[i]);
        }
        if (norm == 0.0) {
            return 0.0;
        }
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] / norm;
        }
        gain_old = gain;
        gain = norm;
        if (round == ROUNDS - 1) {
            gain = sqrt(gain * gain_old);
        }
    }
    return gain;
}
