#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_tolerance.h"

/* The elimination of sparse.c for matrices that may be singular: holding torques that depend on those before them are
 * left out (1/pivot = 0) and marked. */
sb_status sb_lu_rank(const sb_model *m, double *a, double *inv, int *redundant)
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
        if (lock >= 0 && fabs(a[diag]) <= SB_RANK_FLOOR * scale) {
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
