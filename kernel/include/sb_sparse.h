#ifndef SB_SPARSE_H
#define SB_SPARSE_H

#include "sb_data.h"

/* start + row i of compressed rows times x */
static inline double sb_row_dot(const int *ptr, const int *col, const double *val, int i, const double *x, double start)
{
    double sum = start;
    for (int p = ptr[i]; p < ptr[i + 1]; ++p) {
        sum += val[p] * x[col[p]];
    }
    return sum;
}

/* LU factors in place, without pivoting: the order was chosen at compile time. inv receives 1/pivot.
 * SB_SINGULAR when a pivot is not finite or nothing but cancellation is left of it. */
sb_status sb_lu_factor(const sb_model *m, double *a, double *inv);

/* The same of Mass, where holding torques may depend on others: those are marked in `redundant`. */
sb_status sb_lu_rank(const sb_model *m, double *a, double *inv, int *redundant);

/* Solves with the factors; b and x are in the order of the unknowns and may be the same array. tmp has n_x entries. */
void sb_lu_solve(const sb_model *m, const double *a, const double *inv, const double *b, double *x, double *tmp);

/* Its second half: from the result of the way down (in the order of elimination, overwritten) to x. */
void sb_lu_back(const sb_model *m, const double *a, const double *inv, double *down, double *x);

/* Slot of an entry that the pattern has; row and column are positions in the order of elimination. */
int sb_lu_slot(const sb_model *m, int row, int column);

/* Entries of the inverse from the factors, in the slots of the pattern. */
void sb_lu_inverse(const sb_model *m, const double *a, const double *inv, double *z);

#endif
