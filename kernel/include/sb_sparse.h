#ifndef SB_SPARSE_H
#define SB_SPARSE_H

#include "sb_data.h"

/* y = A x for a list of entries. */
static inline void sb_product(int entries, const int *row, const int *col, const double *val, const double *x, int rows,
                              double *y)
{
    for (int i = 0; i < rows; ++i) {
        y[i] = 0.0;
    }
    for (int p = 0; p < entries; ++p) {
        y[row[p]] += val[p] * x[col[p]];
    }
}

/* LU factors in place, without pivoting: the order was chosen at compile time. inv receives 1/pivot.
 * SB_SINGULAR when a pivot is not finite or nothing but cancellation is left of it. */
sb_status sb_lu_factor(const sb_model *m, double *a, double *inv);

/* Solves with the factors; b and x are in the order of the unknowns and may be the same array. tmp has n_x entries. */
void sb_lu_solve(const sb_model *m, const double *a, const double *inv, const double *b, double *x, double *tmp);

#endif
