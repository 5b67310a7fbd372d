#include "linear/sb_linear.h"
#include "sb_data.h"

/* Small systems of a size that is known at run time: one function for each, written out, of which all
 * entries count. */

int sb_small_factor_of(int n, double *a, double *inv)
{
    switch (n) {
#define X(size) \
    case size:  \
        return sb_small_factor(size, SB_ALL_ENTRIES, a, inv);
        SB_SMALL_SIZES(X)
#undef X
    }
    return 0;
}

void sb_small_solve_of(int n, const double *a, const double *inv, double *x)
{
    switch (n) {
#define X(size)                                          \
    case size:                                           \
        sb_small_solve(size, SB_ALL_ENTRIES, a, inv, x); \
        return;
        SB_SMALL_SIZES(X)
#undef X
    }
}
