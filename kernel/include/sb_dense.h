#ifndef SB_DENSE_H
#define SB_DENSE_H

#include <math.h>

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
