#ifndef SB_LINEAR_H
#define SB_LINEAR_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "model/sb_tolerance.h"
#include "sb_data.h"
#include "sb_model.h"

/* The internal header of linear/: sparse systems in the pattern of the model, and small dense ones. */

/* start + row i of compressed rows times x */
static inline sb_real sb_row_dot(const int *ptr, const int *col, const sb_real *val, int i, const sb_real *x,
                                 sb_real start)
{
    sb_real sum = start;
    for (int p = ptr[i]; p < ptr[i + 1]; ++p) {
        sum += val[p] * sb_fresh(x + col[p]);
    }
    return sum;
}

/* out = start + the rows from the first on, times x */
static inline void sb_rows_times(int n, const int *ptr, const int *col, const sb_real *val, const sb_real *x,
                                 const sb_real *start, sb_real *out)
{
    ptrdiff_t p = ptr[0];
    for (int i = 0; i < n; ++i) {
        sb_real sum = start[i];
        for (const ptrdiff_t end = ptr[i + 1]; p < end; ++p) {
            sum += val[p] * sb_fresh(x + col[p]);
        }
        out[i] = sum;
    }
}

/* LU factors in place, without pivoting: the order was chosen at compile time. inv receives 1/pivot.
 * Singular when a pivot is not finite or nothing but cancellation is left of it. */
SB_HOT sb_flag sb_lu_factor(const sb_model *m, sb_real *a, sb_real *inv);

static inline sb_status sb_lu_status(int singular)
{
    return singular ? SB_SINGULAR : SB_OK;
}

/* The same of Mass, where holding torques may depend on others: those are marked in `redundant`. */
sb_status sb_lu_rank(const sb_model *m, double *a, double *inv, int *redundant);

/* Solves with the factors; b and x are in the order of the unknowns and may be the same array. tmp has n_x entries. */
SB_HOT void sb_lu_solve(const sb_model *m, const sb_real *a, const sb_real *inv, const sb_real *b, sb_real *x,
                        sb_real *tmp);

/* Its second half: from the result of the way down (in the order of elimination, overwritten) to x. */
SB_HOT void sb_lu_back(const sb_model *m, const sb_real *a, const sb_real *inv, sb_real *down, sb_real *x);

/* Slot of an entry that the pattern has; row and column are positions in the order of elimination. */
int sb_lu_slot(const sb_model *m, int row, int column);

/* Entries of the inverse from the factors, in the slots of the pattern. */
void sb_lu_inverse(const sb_model *m, const double *a, const double *inv, double *z);

/* Small systems, of at most SB_MOST_SMALL unknowns: entries in full rows, of which the pattern has some: a bit for each.
 * With every number in a register and without the search for entries this costs less than the pattern in general, and
 * unknowns do not wait for others behind a zero; the results are the same. Called with numbers for n, so that the
 * compiler writes the loops out. */
typedef unsigned long long sb_small_pattern;
#define SB_ALL_ENTRIES (~0ULL)

static inline sb_small_pattern sb_small_bit(int row, int column)
{
    return 1ULL << (SB_MOST_SMALL * row + column);
}

static SB_WRITTEN_OUT sb_flag sb_small_factor(int n, sb_small_pattern pattern, sb_real *a, sb_real *inv)
{
    sb_flag singular = SB_NEVER;
    SB_UNROLL
    for (int i = 0; i < n; ++i) {
        sb_real *row = a + n * i;
        sb_real scale = sb_abs(row[i]);
        SB_UNROLL
        for (int k = 0; k < i; ++k) {
            if (!(pattern & sb_small_bit(i, k))) {
                continue;
            }
            const sb_real factor = row[k] * inv[k];
            row[k] = factor;
            SB_UNROLL
            for (int j = k + 1; j < n; ++j) {
                if (!(pattern & sb_small_bit(k, j))) {
                    continue;
                }
                const sb_real update = factor * a[n * k + j];
                row[j] -= update;
                if (j == i) {
                    scale += sb_abs(update);
                }
            }
        }
        const sb_real size = sb_abs(row[i]);
        singular |= sb_not(sb_and(size > SB_PIVOT_FLOOR * scale, size <= DBL_MAX));
        inv[i] = 1.0 / row[i];
    }
    return singular;
}

/* b and x are in the order of elimination, and the same array. */
static SB_WRITTEN_OUT void sb_small_solve(int n, sb_small_pattern pattern, const sb_real *a, const sb_real *inv,
                                          sb_real *x)
{
    SB_UNROLL
    for (int i = 1; i < n; ++i) {
        SB_UNROLL
        for (int j = 0; j < i; ++j) {
            if (pattern & sb_small_bit(i, j)) {
                x[i] -= a[n * i + j] * x[j];
            }
        }
    }
    SB_UNROLL
    for (int i = n - 1; i >= 0; --i) {
        SB_UNROLL
        for (int j = i + 1; j < n; ++j) {
            if (pattern & sb_small_bit(i, j)) {
                x[i] -= a[n * i + j] * x[j];
            }
        }
        x[i] *= inv[i];
    }
}

/* The same for a size that the compiler does not know (small.c). */
int sb_small_factor_of(int n, double *a, double *inv);
void sb_small_solve_of(int n, const double *a, const double *inv, double *x);

/* Small dense systems: Gauss elimination with exchange of rows. Element (i, j) of a matrix is a[i * stride + j]. */

static inline void sb_swap(double *x, double *y)
{
    const double keep = *x;
    *x = *y;
    *y = keep;
}

/* Factors in place of a; 0 if a pivot is not larger than `least`. */
static inline int sb_dense_factor(int n, int stride, double *a, int *pivot, double least)
{
    for (int i = 0; i < n; ++i) {
        int best = i;
        for (int r = i + 1; r < n; ++r) {
            best = fabs(a[r * stride + i]) > fabs(a[best * stride + i]) ? r : best;
        }
        pivot[i] = best;
        for (int c = 0; c < n && best != i; ++c) {
            sb_swap(a + i * stride + c, a + best * stride + c);
        }
        const double *top = a + i * stride;
        if (!(fabs(top[i]) > least)) {
            return 0;
        }
        for (int r = i + 1; r < n; ++r) {
            double *row = a + r * stride;
            const double share = row[i] / top[i];
            row[i] = share;
            for (int c = i + 1; c < n && share != 0.0; ++c) {
                row[c] -= share * top[c];
            }
        }
    }
    return 1;
}

/* The right-hand side in x becomes the solution. */
static inline void sb_dense_solve(int n, int stride, const double *a, const int *pivot, double *x)
{
    for (int i = 0; i < n; ++i) {
        sb_swap(x + i, x + pivot[i]);
    }
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < i; ++c) {
            x[i] -= a[i * stride + c] * x[c];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int c = i + 1; c < n; ++c) {
            x[i] -= a[i * stride + c] * x[c];
        }
        x[i] /= a[i * stride + i];
    }
}

#endif
