#include "check.h"
#include "fixed/sb_step.h"

/* Sparse matrices in slices against the compressed rows that they come from: rows of any length, some without entries,
 * and last slices that are full or not. */

enum { MOST = 13, COLUMNS = 9 };

typedef struct rows {
    int ptr[MOST + 1];
    int col[MOST * COLUMNS];
    double val[MOST * COLUMNS];
    int longest;
} rows;

static rows random_rows(int n)
{
    rows a = {.longest = 0};
    for (int i = 0; i < n; ++i) {
        int p = a.ptr[i];
        for (int j = 0; j < COLUMNS; ++j) {
            if (check_random() > (double)(i % 3) - 0.5) { // full, sparse and empty ones
                a.col[p] = j;
                a.val[p++] = check_random();
            }
        }
        a.ptr[i + 1] = p;
        a.longest = p - a.ptr[i] > a.longest ? p - a.ptr[i] : a.longest;
    }
    return a;
}

static void multiply(int n)
{
    int end[SB_N_SLICES(MOST)], row[SB_PADDED(MOST)], next[MOST];
    int col[(MOST + SB_SLICE) * COLUMNS];
    double val[(MOST + SB_SLICE) * COLUMNS];
    double x[COLUMNS], from[MOST], sum[MOST], alone[MOST];
    const rows a = random_rows(n);
    sb_slices s = {.end = end, .row = row, .col = col, .val = val};
    sb_slices_from_rows(&s, n, a.ptr, a.col, a.val, next);
    CHECK(n == 0 || end[SB_N_SLICES(n) - 1] <= a.ptr[n] + SB_SLICE * a.longest); // the memory that sb_fixed has for it
    for (int j = 0; j < COLUMNS; ++j) {
        x[j] = check_random();
    }
    for (int i = 0; i < n; ++i) {
        from[i] = check_random();
    }
    sb_slices_multiply(&s, x, from, sum);
    sb_slices_multiply(&s, x, NULL, alone);
    for (int i = 0; i < n; ++i) {
        double expected = from[i];
        double less = 0.0;
        for (int p = a.ptr[i]; p < a.ptr[i + 1]; ++p) {
            expected += a.val[p] * x[a.col[p]];
            less += a.val[p] * x[a.col[p]];
        }
        CHECK(sum[i] == expected && alone[i] == less); // terms are added in the same order: the same bits
    }
}

int main(void)
{
    for (int n = 0; n <= MOST; ++n) {
        for (int again = 0; again < 20; ++again) {
            multiply(n);
        }
    }
    return check_result();
}
