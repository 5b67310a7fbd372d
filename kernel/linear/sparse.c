#include <math.h>
#include <stddef.h>

#include "linear/sb_linear.h"
#include "model/sb_tolerance.h"

/* Row by row (Doolittle): subtract multiples of the rows above, in the fixed pattern. elim_dst lists the
 * destination of every update in the order in which the loops meet them. With `redundant`, holding torques that depend
 * on those before them are left out (1/pivot = 0) and marked there. */
static sb_status factor(const sb_model *m, double *a, double *inv, int *redundant)
{
    const int n = SB_N_X(m);
    const int *dst = m->elim_dst;
    for (int i = 0; i < n; ++i) {
        const int diag = m->lu_diag[i];
        double scale = fabs(a[diag]);
        for (int p = m->lu_ptr[i]; p < diag; ++p) {
            const int k = m->lu_col[p];
            const double factor = a[p] * inv[k];
            a[p] = factor;
            for (int q = m->lu_diag[k] + 1; q < m->lu_ptr[k + 1]; ++q, ++dst) {
                const double update = factor * a[q];
                a[*dst] -= update;
                scale += *dst == diag ? fabs(update) : 0.0;
            }
        }
        const int lock = m->lu_perm[i] - SB_N_Y(m);
        if (redundant && lock >= 0 && fabs(a[diag]) <= SB_RANK_FLOOR * scale) {
            redundant[lock] = 1;
            inv[i] = 0.0;
            continue;
        }
        if (!(fabs(a[diag]) > SB_PIVOT_FLOOR * scale) || !isfinite(a[diag])) {
            return SB_SINGULAR;
        }
        inv[i] = 1.0 / a[diag];
    }
    return SB_OK;
}

sb_status sb_lu_factor(const sb_model *m, double *a, double *inv)
{
    return factor(m, a, inv, NULL);
}

sb_status sb_lu_rank(const sb_model *m, double *a, double *inv, int *redundant)
{
    return factor(m, a, inv, redundant);
}

void sb_lu_solve(const sb_model *m, const double *a, const double *inv, const double *b, double *x, double *tmp)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        double sum = b[m->lu_perm[i]];
        for (int p = m->lu_ptr[i]; p < m->lu_diag[i]; ++p) {
            sum -= a[p] * tmp[m->lu_col[p]];
        }
        tmp[i] = sum;
    }
    sb_lu_back(m, a, inv, tmp, x);
}

void sb_lu_back(const sb_model *m, const double *a, const double *inv, double *down, double *x)
{
    for (int i = SB_N_X(m) - 1; i >= 0; --i) {
        double sum = down[i];
        for (int p = m->lu_diag[i] + 1; p < m->lu_ptr[i + 1]; ++p) {
            sum -= a[p] * down[m->lu_col[p]];
        }
        down[i] = sum * inv[i];
        x[m->lu_perm[i]] = down[i];
    }
}
