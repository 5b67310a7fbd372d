#include "lanes/sb_lanes.h"

/* The equations in lanes that this build has: CMakeLists.txt compiles wide.c for sets of instructions, and names them
 * here. */

#ifdef SB_WIDE_AVX512
extern const sb_wide sb_wide_avx512;
#endif
#ifdef SB_WIDE_AVX2
extern const sb_wide sb_wide_avx2;
#endif
#ifdef SB_WIDE_BASE
extern const sb_wide sb_wide_base;
#endif

const sb_wide *const sb_wides[] = {
#ifdef SB_WIDE_AVX512
    &sb_wide_avx512,
#endif
#ifdef SB_WIDE_AVX2
    &sb_wide_avx2,
#endif
#ifdef SB_WIDE_BASE
    &sb_wide_base,
#endif
    0};
