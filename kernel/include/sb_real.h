#ifndef SB_REAL_H
#define SB_REAL_H

#include <math.h>
#include <string.h>

/* The numbers of a machine. The files of the equations are compiled twice: with a double for every number, and with
 * SB_LANES of them, of as many machines that differ in their values only. So they work on sb_real, decide by sb_flag
 * (which selects, with sb_pick) and have modes and branches as sb_count; sb_any and sb_all are for what may be left out.
 * Every lane gets the bits that it would get alone: the operations are those of IEEE 754, in the same order, and what
 * the C library adds to them is called lane by lane or written here. */

#ifndef SB_LANES
#define SB_LANES 1
#define SB_HOT /* a function of the equations; in lanes it belongs to one file */
#define SB_HOT_DATA extern
#define SB_ALONE(...) __VA_ARGS__ /* what is there for single machines only */
#endif

/* Before a loop of at most eight rounds whose number the compiler knows: it is written out. */
#if defined(__clang__)
#define SB_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define SB_UNROLL _Pragma("GCC unroll 8")
#else
#define SB_UNROLL
#endif

/* A function that is called with numbers for sizes, so that its loops are written out for each: never shared by them. */
#if defined(__GNUC__)
#define SB_WRITTEN_OUT inline __attribute__((always_inline))
#else
#define SB_WRITTEN_OUT inline
#endif

#if SB_LANES == 1

typedef double sb_real;
typedef int sb_flag;
typedef int sb_count;
typedef long long sb_bits;

#define SB_R(number) (number)     /* a number for all lanes */
#define SB_COUNT(number) (number) /* likewise */
#define sb_pick(flag, a, b) ((flag) ? (a) : (b))
#define sb_pick_count(flag, a, b) ((flag) ? (a) : (b))
#define sb_any(flag) (flag)
#define sb_all(flag) (flag)
#define sb_not(flag) (!(flag))
#define sb_and(a, b) ((a) && (b))
#define sb_or(a, b) ((a) || (b))
#define sb_fresh(p) (*(p))
#define SB_LANE(x, k) (x) /* number k of x */
#define SB_RARE
#define SB_NEVER 0 /* a flag */

static inline double sb_abs(double x)
{
    return fabs(x);
}

static inline double sb_number(int count)
{
    return count;
}

static inline double sb_with_sign_of(double size, double x)
{
    return copysign(size, x);
}

/* f(x) of the C library */
#define SB_EACH(f, x) f(x)
#define SB_EACH_PAIR(f, x, y) f(x, y)

#else

typedef double sb_real __attribute__((vector_size(8 * SB_LANES)));
typedef long long sb_bits __attribute__((vector_size(8 * SB_LANES)));
typedef sb_bits sb_flag; /* all bits, or none */
typedef sb_bits sb_count;

#ifdef __has_builtin
#define SB_HAS(function) __has_builtin(function)
#else
#define SB_HAS(function) 0
#endif

#define SB_R(number) ((number) - (sb_real){0.0})
#define SB_COUNT(number) ((number) + (sb_count){0})
#define SB_LANE(x, k) (x)[k]
#define SB_NEVER ((sb_flag){0})
#define sb_not(flag) (~(flag))
#define sb_and(a, b) ((a) & (b))
#define sb_or(a, b) ((a) | (b))

/* A function that is called rarely, in places where it would cost others their registers. */
#define SB_RARE __attribute__((noinline, cold))

/* A number that was stored a moment ago. Loads of 64 bytes wait until such a store has left the queue (AMD Zen 4), those
 * of 32 bytes read it there. */
static inline sb_real sb_fresh(const sb_real *p)
{
#if SB_LANES == 8 && defined(__AVX512F__) && SB_HAS(__builtin_ia32_insertf64x4_mask) && \
    SB_HAS(__builtin_ia32_pd512_256pd)
    typedef double half __attribute__((vector_size(32)));
    const half *halves = (const half *)p;
    const sb_real low = __builtin_ia32_pd512_256pd(halves[0]);
    return __builtin_ia32_insertf64x4_mask(low, halves[1], 1, low, 255);
#else
    return *p;
#endif
}

static inline sb_real sb_pick(sb_flag flag, sb_real a, sb_real b)
{
#if SB_LANES == 4 && defined(__AVX__) && SB_HAS(__builtin_ia32_blendvpd256)
    return __builtin_ia32_blendvpd256(b, a, (sb_real)flag);
#else
    return (sb_real)((flag & (sb_bits)a) | (~flag & (sb_bits)b));
#endif
}

static inline sb_count sb_pick_counts(sb_flag flag, sb_count a, sb_count b)
{
    return (sb_count)sb_pick(flag, (sb_real)a, (sb_real)b);
}

#define sb_pick_count(flag, a, b) sb_pick_counts(flag, SB_COUNT(a), SB_COUNT(b))

static inline int sb_any(sb_flag flag)
{
#if SB_LANES == 8 && defined(__AVX512DQ__) && SB_HAS(__builtin_ia32_cvtq2mask512)
    return __builtin_ia32_cvtq2mask512(flag) != 0;
#elif SB_LANES == 4 && defined(__AVX__) && SB_HAS(__builtin_ia32_movmskpd256)
    return __builtin_ia32_movmskpd256((sb_real)flag) != 0;
#else
    long long any = 0;
    for (int k = 0; k < SB_LANES; ++k) {
        any |= flag[k];
    }
    return any != 0;
#endif
}

static inline int sb_all(sb_flag flag)
{
    return !sb_any(~flag);
}

static inline sb_real sb_abs(sb_real x)
{
    return (sb_real)((sb_bits)x & 0x7fffffffffffffffLL);
}

static inline sb_real sb_number(sb_count count)
{
    return __builtin_convertvector(count, sb_real);
}

static inline sb_real sb_with_sign_of(double size, sb_real x)
{
    return (sb_real)((sb_bits)SB_R(size) | ((sb_bits)x & (-0x7fffffffffffffffLL - 1)));
}

typedef double sb_function(double);
typedef double sb_function_of_two(double, double);

static inline sb_real sb_each(sb_function *f, sb_real x)
{
    for (int k = 0; k < SB_LANES; ++k) {
        x[k] = f(x[k]);
    }
    return x;
}

static inline sb_real sb_each_pair(sb_function_of_two *f, sb_real x, sb_real y)
{
    for (int k = 0; k < SB_LANES; ++k) {
        x[k] = f(x[k], y[k]);
    }
    return x;
}

#define SB_EACH(f, x) sb_each(f, x)
#define SB_EACH_PAIR(f, x, y) sb_each_pair(f, x, y)

#endif

/* fmax and fmin are calls that respect NaN; these compile to one instruction. */
static inline sb_real sb_max(sb_real a, sb_real b)
{
    return sb_pick(a > b, a, b);
}

static inline sb_real sb_min(sb_real a, sb_real b)
{
    return sb_pick(a < b, a, b);
}

/* A value that is 0 where it does not count. */
static inline sb_real sb_where(sb_flag flag, sb_real x)
{
    return sb_pick(flag, x, SB_R(0.0));
}

static inline sb_real sb_sqrt(sb_real x)
{
#if SB_LANES == 1
    return sqrt(x);
#else
    for (int k = 0; k < SB_LANES; ++k) {
        x[k] = sqrt(x[k]);
    }
    return x;
#endif
}

/* sign of x; 0 for both zeros. There is no branch on the sign, which changes too often to be foreseen. */
static inline sb_real sb_sign(sb_real x)
{
    return sb_pick(sb_abs(x) > 0.0, sb_with_sign_of(1.0, x), x * 0.0);
}

/* e^x with an error below one unit of the last place; 0 below e^-700, so that nothing underflows, infinite above
 * 709.78. With x = k ln 2 + r, |r| <= ln 2/2, the sum of r^i/i! to i = 13 is exact to 2^-58; 2^k goes into the
 * exponent. */
static inline sb_real sb_exp(sb_real x)
{
    const sb_real lowest = SB_R(-700.0);
    const sb_real highest = SB_R(709.78);
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: the last bits of x/ln 2 + shift are a whole number */
    const sb_real shifted = x * 1.4426950408889634 + shift;
    const sb_real k = shifted - shift;
    const sb_real r = (x - k * 0.6931471803691238) - k * 0x1.a39ef35793c76p-33; /* ln 2 in two parts */
    const sb_real r2 = r * r;
    const sb_real r4 = r2 * r2;
    const sb_real a = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    const sb_real b = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
    const sb_real c = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) + r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    const sb_real p = 1.0 + (r + r2 * (a + r4 * (b + r4 * c)));
#if SB_LANES == 1
    sb_bits bits;
    sb_bits power;
    double e;
    memcpy(&bits, &p, sizeof bits);
    memcpy(&power, &shifted, sizeof power);
    bits = (sb_bits)((unsigned long long)bits + ((unsigned long long)power << 52));
    memcpy(&e, &bits, sizeof e);
#else
    const sb_real e = (sb_real)((sb_bits)p + ((sb_bits)shifted << 52));
#endif
    const sb_real most = sb_pick(x > highest, SB_R(INFINITY), e);
    return sb_pick(x < lowest, SB_R(0.0), sb_pick(x == x, most, x));
}

/* The fifth root of a normal x > 0, to 1e-8. With half of its bits as a number, the logarithm is nearly a straight line:
 * this gives x^(-1/5) to 3 %, and each round of Newton's method squares that. */
static inline sb_real sb_fifth_root(sb_real x)
{
    const double whole = 4503599627370496.0;       /* 2^52 */
    const double shift = 6755399441055744.0;       /* 1.5 * 2^52 */
    const long long exponent = 0x4330000000000000; /* of 2^52 */
#if SB_LANES == 1
    sb_bits bits;
    double y;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 32) | exponent;
    memcpy(&y, &bits, sizeof y);
    y = (1287170000.0 - 0.2 * (y - whole)) + shift;
    memcpy(&bits, &y, sizeof bits);
    bits = (sb_bits)((unsigned long long)bits << 32);
    memcpy(&y, &bits, sizeof y);
#else
    const sb_real half = (sb_real)(((sb_bits)x >> 32) | exponent) - whole;
    sb_real y = (sb_real)((sb_bits)((1287170000.0 - 0.2 * half) + shift) << 32);
#endif
    for (int i = 0; i < 3; ++i) {
        const sb_real square = y * y;
        y = y * (1.2 - 0.2 * ((x * y) * square) * square);
    }
    const sb_real square = y * y;
    return x * square * square;
}

/* Both with an error of at most three units of the last place. With x = k pi/2 + r, |r| <= pi/4, the series of r are
 * exact to 2^-56; pi/2 is in three parts, which serve while |k| < 2^20; beyond that the C library is asked. */
static inline void sb_sincos(sb_real x, sb_real *sine, sb_real *cosine)
{
    const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
    const sb_real shifted = x * 0.6366197723675814 + shift;
    const sb_real k = shifted - shift;
    const sb_real r = ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
    const sb_real r2 = r * r;
    const sb_real r4 = r2 * r2;
    const sb_real s_low = (-1.0 / 6.0 + r2 * (1.0 / 120.0)) + r4 * (-1.0 / 5040.0 + r2 * (1.0 / 362880.0));
    const sb_real s_high = (-1.0 / 39916800.0 + r2 * (1.0 / 6227020800.0)) + r4 * (-1.0 / 1307674368000.0);
    const sb_real c_low = (1.0 / 24.0 + r2 * (-1.0 / 720.0)) + r4 * (1.0 / 40320.0 + r2 * (-1.0 / 3628800.0));
    const sb_real c_high = (1.0 / 479001600.0 + r2 * (-1.0 / 87178291200.0)) + r4 * (1.0 / 20922789888000.0);
    const sb_real s = r + (r * r2) * (s_low + (r4 * r4) * s_high);
    const sb_real half = 0.5 * r2;
    const sb_real rest = 1.0 - half;
    const sb_real c = rest + (((1.0 - rest) - half) + r4 * (c_low + (r4 * r4) * c_high));
#if SB_LANES == 1
    sb_bits quarter;
    memcpy(&quarter, &shifted, sizeof quarter);
#else
    const sb_bits quarter = (sb_bits)shifted;
#endif
    const sb_flag odd = (quarter & 1) != 0;
    const sb_real a = sb_pick(odd, c, s);
    const sb_real b = sb_pick(odd, s, c);
    *sine = sb_pick((quarter & 2) != 0, -a, a);
    *cosine = sb_pick(((quarter + 1) & 2) != 0, -b, b);
    const sb_flag far = sb_not(sb_abs(x) < 1600000.0);
    if (sb_any(far)) {
        *sine = sb_pick(far, SB_EACH(sin, x), *sine);
        *cosine = sb_pick(far, SB_EACH(cos, x), *cosine);
    }
}

#endif
