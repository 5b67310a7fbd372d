#include "check.h"
#include "linear/sb_linear.h"
#include "models.h"

/* The sparse factors against Gaussian elimination with pivots on the same matrix, made dense. */

enum { MAX = 16 };

/* Random entries in the slots, with a heavy diagonal; the same in a dense matrix over the unknowns. */
static void fill(const sb_model *m, double *slots, double dense[MAX][MAX])
{
    memset(dense, 0, sizeof(double[MAX][MAX]));
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            slots[p] = check_random() + (p == m->lu_diag[i] ? 5.0 : 0.0);
            dense[m->lu_perm[i]][m->lu_perm[m->lu_col[p]]] = slots[p];
        }
    }
}

static void swap_rows(double a[MAX][MAX], double *b, int i, int j)
{
    for (int k = 0; k < MAX; ++k) {
        const double entry = a[i][k];
        a[i][k] = a[j][k];
        a[j][k] = entry;
    }
    const double right = b[i];
    b[i] = b[j];
    b[j] = right;
}

/* Solution of a x = b, left in b. */
static void solve_dense(int n, double a[MAX][MAX], double *b)
{
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        swap_rows(a, b, k, pivot);
        for (int i = k + 1; i < n; ++i) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            b[i] -= a[i][j] * b[j];
        }
        b[i] /= a[i][i];
    }
}

/* Full rows of a small system in place of the pattern: the same numbers. */
static void compare_small(const sb_model *m, const sb_data *d, const double *right, const double *expected)
{
    const int n = SB_N_X(m);
    double inv[SB_MOST_SMALL];
    double x[SB_MOST_SMALL];
    CHECK(n <= SB_MOST_SMALL);
    sb_small_pattern pattern = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = right[m->lu_perm[i]];
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            d->small[n * i + m->lu_col[p]] = d->jac[p];
            pattern |= sb_small_bit(i, m->lu_col[p]);
        }
    }
    CHECK(!sb_small_factor(n, pattern, d->small, inv));
    sb_small_solve(n, pattern, d->small, inv, x);
    for (int i = 0; i < n; ++i) {
        CHECK(x[i] == expected[m->lu_perm[i]]);
    }
}

static void compare(const sb_model *m, sb_data *d)
{
    const int n = SB_N_X(m);
    double dense[MAX][MAX];
    double right[MAX];
    double expected[MAX];
    CHECK(n <= MAX);
    fill(m, d->lu, dense);
    for (int i = 0; i < n; ++i) {
        right[i] = expected[i] = check_random();
    }
    solve_dense(n, dense, expected);
    memcpy(d->jac, d->lu, (size_t)m->n_lu * sizeof *d->lu);
    CHECK(!sb_lu_factor(m, d->lu, d->lu_inv));
    sb_lu_solve(m, d->lu, d->lu_inv, right, d->sum, d->solve_tmp);
    compare_small(m, d, right, d->sum);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(d->sum[i], expected[i], 1e-13); // condition below 100
    }

    // the inverse, column by column, where the pattern has it
    sb_lu_inverse(m, d->lu, d->lu_inv, d->jac);
    for (int j = 0; j < n; ++j) {
        double column[MAX] = {0.0};
        column[m->lu_perm[j]] = 1.0;
        sb_lu_solve(m, d->lu, d->lu_inv, column, column, d->solve_tmp);
        CHECK(m->lu_place[m->lu_perm[j]] == j);
        for (int p = m->lu_ptr[j]; p < m->lu_ptr[j + 1]; ++p) {
            const int i = m->lu_col[p];                                            // patterns are symmetric
            CHECK_NEAR(d->jac[sb_lu_slot(m, i, j)], column[m->lu_perm[i]], 1e-14); // entries below 1
        }
    }

    // right-hand side and solution may share their place
    sb_lu_solve(m, d->lu, d->lu_inv, right, right, d->solve_tmp);
    CHECK(memcmp(right, d->sum, (size_t)n * sizeof *right) == 0);
}

/* Position of (row, column) among the slots, in the order of elimination. */
static int slot(const sb_model *m, int row, int column)
{
    int p = m->lu_ptr[row];
    while (m->lu_col[p] != column) {
        ++p;
    }
    return p;
}

/* The unit matrix with equal rows for the last unknown and a neighbour of it. */
static void fill_singular(const sb_model *m, double *slots)
{
    const int last = SB_N_X(m) - 1;
    const int near = m->lu_col[m->lu_ptr[last]];
    memset(slots, 0, (size_t)m->n_lu * sizeof *slots);
    for (int i = 0; i <= last; ++i) {
        slots[m->lu_diag[i]] = 1.0;
    }
    slots[slot(m, near, last)] = 0.7;
    slots[slot(m, last, near)] = 1.0;
    slots[slot(m, last, last)] = 0.7;
}

static void refuse(const sb_model *m, sb_data *d)
{
    memset(d->lu, 0, (size_t)m->n_lu * sizeof *d->lu);
    CHECK(sb_lu_factor(m, d->lu, d->lu_inv));
    for (int s = 0; s < m->n_lu; ++s) {
        d->lu[s] = NAN;
    }
    CHECK(sb_lu_factor(m, d->lu, d->lu_inv));
    fill_singular(m, d->lu);
    CHECK(sb_lu_factor(m, d->lu, d->lu_inv));
}

int main(void)
{
    const sb_model *const models[] = {&stick_slip, &stick_slip_switch, &two_bearings};
    for (int i = 0; i < 3; ++i) {
        check_machine machine = check_new_machine(models[i]);
        for (int round = 0; round < 100; ++round) {
            compare(models[i], &machine.data);
        }
        refuse(models[i], &machine.data);
        free(machine.block);
    }
    return check_result();
}
