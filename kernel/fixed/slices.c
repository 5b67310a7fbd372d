#include "fixed/sb_step.h"

/* Sparse matrices of short rows, see sb_fixed.h. Rows are sorted by length, so that those of a slice are about equally
 * long: the zeros that fill them up are at most SB_SLICE times the longest row. */

/* Rows by length, the longest first. */
static void sort_rows(sb_slices *s, const int *length)
{
    int longest = 0;
    int place = 0;
    for (int i = 0; i < s->n; ++i) {
        longest = length[i] > longest ? length[i] : longest;
    }
    for (int wanted = longest; wanted >= 0; --wanted) {
        for (int i = 0; i < s->n; ++i) {
            if (length[i] == wanted) {
                s->row[place++] = i;
            }
        }
    }
}

void sb_slices_begin(sb_slices *s, int n, int *next)
{
    s->n = n;
    sort_rows(s, next);
    for (int i = 0, first = 0; i < n; i += SB_SLICE) {
        const int end = first + SB_SLICE * next[s->row[i]];
        s->end[i / SB_SLICE] = end;
        for (int lane = 0; lane < SB_SLICE && i + lane < n; ++lane) {
            next[s->row[i + lane]] = first + lane;
        }
        for (; first < end; ++first) {
            s->col[first] = 0;
            s->val[first] = 0.0;
        }
    }
}

void sb_slices_put(sb_slices *s, int *next, int row, int col, double val)
{
    s->col[next[row]] = col;
    s->val[next[row]] = val;
    next[row] += SB_SLICE;
}

/* A last slice that is not full has its first row several times. */
void sb_slices_end(sb_slices *s)
{
    const int first = s->n / SB_SLICE * SB_SLICE;
    for (int i = s->n; i % SB_SLICE != 0; ++i) {
        s->row[i] = s->row[first];
        for (int p = first > 0 ? s->end[first / SB_SLICE - 1] : 0; p < s->end[first / SB_SLICE]; p += SB_SLICE) {
            s->col[p + i - first] = s->col[p];
            s->val[p + i - first] = s->val[p];
        }
    }
}

/* The entry with the least column behind one, or -1. */
static int next_column(int begin, int end, const int *col, int behind)
{
    int found = -1;
    for (int p = begin; p < end; ++p) {
        if (col[p] > behind && (found < 0 || col[p] < col[found])) {
            found = p;
        }
    }
    return found;
}

void sb_slices_from_rows(sb_slices *s, int n, const int *ptr, const int *col, const double *val, int *next)
{
    for (int i = 0; i < n; ++i) {
        next[i] = ptr[i + 1] - ptr[i];
    }
    sb_slices_begin(s, n, next);
    for (int i = 0; i < n; ++i) {
        for (int p = next_column(ptr[i], ptr[i + 1], col, -1); p >= 0;
             p = next_column(ptr[i], ptr[i + 1], col, col[p])) {
            sb_slices_put(s, next, i, col[p], val[p]);
        }
    }
    sb_slices_end(s);
}
