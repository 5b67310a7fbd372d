#include "linear/sb_linear.h"

/* Entries of the inverse Z of a matrix with factors L U, within their pattern, after K. Takahashi, J. Fagan, M. Chin:
 * Formation of a sparse bus impedance matrix and its application to short circuit study (PICA 1973). From U Z = L^-1
 * and Z L = U^-1, row by row from the last one up, with sums over the columns k > i of row i of U:
 *
 *     Z_ij = -1/U_ii sum_k U_ik Z_kj,   Z_ji = -sum_k Z_jk L_ki   (j > i),   Z_ii = 1/U_ii (1 - sum_k U_ik Z_ki)
 *
 * All entries that these sums need lie in the pattern, because eliminating i has joined its neighbours. So they cost as
 * much as the factors, where one solve for each column would cost a square of it. */

int sb_lu_slot(const sb_model *m, int row, int column)
{
    int low = m->lu_ptr[row];
    int high = m->lu_ptr[row + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (m->lu_col[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void sb_lu_inverse(const sb_model *m, const double *a, const double *inv, double *z)
{
    for (int i = SB_N_X(m) - 1; i >= 0; --i) {
        const int first = m->lu_diag[i] + 1;
        const int end = m->lu_ptr[i + 1];
        for (int p = first; p < end; ++p) {
            const int j = m->lu_col[p];
            double right = 0.0;
            double left = 0.0;
            for (int q = first; q < end; ++q) {
                const int k = m->lu_col[q];
                right += a[q] * z[sb_lu_slot(m, k, j)];
                left += z[sb_lu_slot(m, j, k)] * a[sb_lu_slot(m, k, i)];
            }
            z[p] = -inv[i] * right;
            z[sb_lu_slot(m, j, i)] = -left;
        }
        double rest = 1.0;
        for (int q = first; q < end; ++q) {
            rest -= a[q] * z[sb_lu_slot(m, m->lu_col[q], i)];
        }
        z[first - 1] = inv[i] * rest;
    }
}
