#include <float.h>

#include "linear/sb_linear.h"
#include "model/sb_tolerance.h"

/* Row by row (Doolittle): subtract multiples of the rows above, in the fixed pattern. elim_dst lists the
 * destination of every update in the order in which the loops meet them. */
SB_HOT sb_flag sb_lu_factor(const sb_model *m, sb_real *a, sb_real *inv)
{
    const int n = SB_N_X(m);
    const int *dst = m->elim_dst;
    sb_flag singular = SB_NEVER;
    for (int i = 0; i < n; ++i) {
        const int diag = m->lu_diag[i];
        sb_real scale = sb_abs(sb_fresh(a + diag));
        for (int p = m->lu_ptr[i]; p < diag; ++p) {
            const int k = m->lu_col[p];
            const sb_real factor = sb_fresh(a + p) * sb_fresh(inv + k);
            a[p] = factor;
            for (int q = m->lu_diag[k] + 1; q < m->lu_ptr[k + 1]; ++q, ++dst) {
                const sb_real update = factor * sb_fresh(a + q);
                a[*dst] = sb_fresh(a + *dst) - update;
                if (*dst == diag) {
                    scale += sb_abs(update);
                }
            }
        }
        const sb_real pivot = sb_fresh(a + diag);
        const sb_real size = sb_abs(pivot);
        singular |= sb_not(sb_and(size > SB_PIVOT_FLOOR * scale, size <= DBL_MAX));
        if (sb_all(singular)) {
            return singular;
        }
        inv[i] = 1.0 / pivot;
    }
    return singular;
}

SB_HOT void sb_lu_solve(const sb_model *m, const sb_real *a, const sb_real *inv, const sb_real *b, sb_real *x,
                        sb_real *tmp)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        sb_real sum = b[m->lu_perm[i]];
        for (int p = m->lu_ptr[i]; p < m->lu_diag[i]; ++p) {
            sum -= a[p] * sb_fresh(tmp + m->lu_col[p]);
        }
        tmp[i] = sum;
    }
    sb_lu_back(m, a, inv, tmp, x);
}

SB_HOT void sb_lu_back(const sb_model *m, const sb_real *a, const sb_real *inv, sb_real *down, sb_real *x)
{
    for (int i = SB_N_X(m) - 1; i >= 0; --i) {
        sb_real sum = sb_fresh(down + i);
        for (int p = m->lu_diag[i] + 1; p < m->lu_ptr[i + 1]; ++p) {
            sum -= a[p] * sb_fresh(down + m->lu_col[p]);
        }
        const sb_real solved = sum * inv[i];
        down[i] = solved;
        x[m->lu_perm[i]] = solved;
    }
}
