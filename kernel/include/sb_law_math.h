#ifndef SB_LAW_MATH_H
#define SB_LAW_MATH_H

#include <math.h>

#include "sb_real.h"

/* Functions of the generated laws, with those of sb_real.h. All are finite at 0 and pass NaN on. */

/* |x|^a; 0 at x = 0 for every a, so that slopes of |x|^a stay finite there */
static inline sb_real sb_pow(sb_real x, sb_real a)
{
    return sb_pick(x == 0.0, SB_R(0.0), SB_EACH_PAIR(pow, sb_abs(x), a));
}

/* ln|x|; 0 at x = 0, where it only occurs times a power of x */
static inline sb_real sb_log(sb_real x)
{
    return sb_pick(x == 0.0, SB_R(0.0), SB_EACH(log, sb_abs(x)));
}

/* s * x where s decays faster than x grows: 0 once s has vanished */
static inline sb_real sb_fading(sb_real s, sb_real x)
{
    return sb_pick(s == 0.0, SB_R(0.0), s * x);
}

/* e^-|v/v_s|^a for the usual exponents, without pow(), and far from v = 0 without the division */
static inline sb_real sb_stribeck1(sb_real v, sb_real v_s)
{
    const sb_flag far = sb_abs(v) > 700.0 * v_s;
    return sb_all(far) ? SB_R(0.0) : sb_pick(far, SB_R(0.0), sb_exp(-sb_abs(v / v_s)));
}

static inline sb_real sb_stribeck2(sb_real v, sb_real v_s)
{
    const sb_flag far = sb_abs(v) > 26.0 * v_s;
    if (sb_all(far)) {
        return SB_R(0.0);
    }
    const sb_real r = v / v_s;
    return sb_pick(far, SB_R(0.0), sb_exp(-(r * r)));
}

/* e^-|v/v_s|^a */
static inline sb_real sb_stribeck(sb_real v, sb_real v_s, sb_real a)
{
    if (sb_all(a == 2.0)) {
        return sb_stribeck2(v, v_s);
    }
    if (sb_all(a == 1.0)) {
        return sb_stribeck1(v, v_s);
    }
    const sb_real any = sb_exp(-sb_pow(v / v_s, a));
    return sb_pick(a == 2.0, sb_stribeck2(v, v_s), sb_pick(a == 1.0, sb_stribeck1(v, v_s), any));
}

/* slope of s = e^-|v/v_s|^a by v; 0 at v = 0, and where s has vanished */
static inline sb_real sb_stribeck_slope(sb_real s, sb_real v, sb_real v_s, sb_real a)
{
    if (sb_all(s == 0.0)) {
        return SB_R(0.0);
    }
    const sb_real of_two = -s * (2.0 * v / (v_s * v_s));
    if (sb_all(a == 2.0)) {
        return sb_pick(s == 0.0, SB_R(0.0), of_two);
    }
    const sb_real rise = sb_pick(a == 1.0, SB_R(1.0), sb_pow(v / v_s, a - 1.0));
    const sb_real any = -s * (a * rise * sb_sign(v) / v_s);
    return sb_pick(s == 0.0, SB_R(0.0), sb_pick(a == 2.0, of_two, any));
}

/* (1 + sin(pi (x - 1/2)))/2 = sin(pi x/2)^2 for x from 0 to 1, 0 and 1 outside */
static inline sb_real sb_smooth_step(sb_real x)
{
    const sb_real inside = SB_EACH(sin, 1.5707963267948966 * x);
    const sb_real s = sb_pick(x <= 0.0, SB_R(0.0), sb_pick(x >= 1.0, SB_R(1.0), inside));
    return s * s;
}

static inline sb_real sb_smooth_step_slope(sb_real x)
{
    const sb_real inside = 1.5707963267948966 * SB_EACH(sin, 3.141592653589793 * x);
    return sb_pick((x <= 0.0) | (x >= 1.0), SB_R(0.0), inside);
}

/* x/(1 + s x) */
static inline sb_real sb_saturate(sb_real x, sb_real s)
{
    return x / (1.0 + s * x);
}

/* A curve is {n, n abscissae, n ordinates}. Index i of the line from point i to i + 1 on which x lies, n > 1, of one
 * lane. */
static inline int sb_line_of(const sb_real *curve, double x, int lane)
{
    const sb_real *at = curve + 1;
    int low = 0;
    int high = (int)SB_LANE(curve[0], lane) - 1;
    (void)lane;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x >= SB_LANE(at[middle], lane)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Straight lines between points; the first and the last one go on. */
static inline sb_real sb_lines(const sb_real *curve, sb_real x)
{
    const int n = (int)SB_LANE(curve[0], 0);
    const sb_real *at = curve + 1;
    const sb_real *value = at + n;
    sb_real y = SB_R(0.0);
    if (n == 1) {
        return sb_pick(x == x, value[0], x);
    }
    for (int k = 0; k < SB_LANES; ++k) {
        const int i = sb_line_of(curve, SB_LANE(x, k), k);
        const double x0 = SB_LANE(at[i], k);
        const double y0 = SB_LANE(value[i], k);
        const double rise = SB_LANE(value[i + 1], k) - y0;
        SB_LANE(y, k) = y0 + rise * ((SB_LANE(x, k) - x0) / (SB_LANE(at[i + 1], k) - x0));
    }
    return y;
}

static inline sb_real sb_lines_slope(const sb_real *curve, sb_real x)
{
    const int n = (int)SB_LANE(curve[0], 0);
    const sb_real *at = curve + 1;
    const sb_real *value = at + n;
    sb_real slope = SB_R(0.0);
    for (int k = 0; k < SB_LANES && n > 1; ++k) {
        const int i = sb_line_of(curve, SB_LANE(x, k), k);
        const double rise = SB_LANE(value[i + 1], k) - SB_LANE(value[i], k);
        SB_LANE(slope, k) = rise / (SB_LANE(at[i + 1], k) - SB_LANE(at[i], k));
    }
    return slope;
}

/* Straight lines between points, held outside. */
static inline sb_real sb_held(const sb_real *curve, sb_real x)
{
    const int n = (int)SB_LANE(curve[0], 0);
    const sb_real *at = curve + 1;
    return sb_pick(x <= at[0], at[n], sb_pick(x >= at[n - 1], at[2 * n - 1], sb_lines(curve, x)));
}

static inline sb_real sb_held_slope(const sb_real *curve, sb_real x)
{
    const int n = (int)SB_LANE(curve[0], 0);
    const sb_real *at = curve + 1;
    return sb_pick((x < at[0]) | (x >= at[n - 1]), SB_R(0.0), sb_lines_slope(curve, x));
}

#endif
