#ifndef SB_LAW_MATH_H
#define SB_LAW_MATH_H

#include <math.h>

/* Functions of the generated laws. All are finite at 0, pass NaN on, and never let exp() underflow,
 * which costs more than exp() itself: beyond 700 its value is 0. */

/* e^x; 0 below the smallest normal number */
static inline double sb_exp(double x)
{
    return x < -700.0 ? 0.0 : exp(x);
}

/* sign of x; 0 for both zeros. There is no branch on the sign, which changes too often to be foreseen. */
static inline double sb_sign(double x)
{
    return fabs(x) > 0.0 ? copysign(1.0, x) : x * 0.0;
}

/* |x|^a; 0 at x = 0 for every a, so that slopes of |x|^a stay finite there */
static inline double sb_power(double x, double a)
{
    return x == 0.0 ? 0.0 : pow(fabs(x), a);
}

/* ln|x|; 0 at x = 0, where it only occurs times a power of x */
static inline double sb_log(double x)
{
    return x == 0.0 ? 0.0 : log(fabs(x));
}

/* s * x where s decays faster than x grows: 0 once s has vanished */
static inline double sb_fading(double s, double x)
{
    return s == 0.0 ? 0.0 : s * x;
}

/* e^-|v/v_s|^a for the usual exponents, without pow(), and far from v = 0 without the division */
static inline double sb_stribeck1(double v, double v_s)
{
    return fabs(v) > 700.0 * v_s ? 0.0 : exp(-fabs(v / v_s));
}

static inline double sb_stribeck2(double v, double v_s)
{
    const double r = v / v_s;
    return fabs(v) > 26.0 * v_s ? 0.0 : exp(-(r * r));
}

/* e^-|v/v_s|^a */
static inline double sb_stribeck(double v, double v_s, double a)
{
    if (a != 2.0) {
        return a == 1.0 ? sb_stribeck1(v, v_s) : sb_exp(-sb_power(v / v_s, a));
    }
    return sb_stribeck2(v, v_s);
}

/* slope of s = e^-|v/v_s|^a by v; 0 at v = 0, and where s has vanished */
static inline double sb_stribeck_slope(double s, double v, double v_s, double a)
{
    if (s == 0.0) {
        return 0.0;
    }
    if (a != 2.0) {
        return -s * (a * (a == 1.0 ? 1.0 : sb_power(v / v_s, a - 1.0)) * sb_sign(v) / v_s);
    }
    return -s * (2.0 * v / (v_s * v_s));
}

/* (1 + sin(pi (x - 1/2)))/2 = sin(pi x/2)^2 for x from 0 to 1, 0 and 1 outside */
static inline double sb_smooth_step(double x)
{
    const double s = x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : sin(1.5707963267948966 * x);
    return s * s;
}

static inline double sb_smooth_step_slope(double x)
{
    return x <= 0.0 || x >= 1.0 ? 0.0 : 1.5707963267948966 * sin(3.141592653589793 * x);
}

/* x/(1 + s x) */
static inline double sb_saturate(double x, double s)
{
    return x / (1.0 + s * x);
}

/* A curve is {n, n abscissae, n ordinates}. Index i of the line from point i to i + 1 on which x lies, n > 1. */
static inline int sb_line_of(const double *curve, double x)
{
    const double *at = curve + 1;
    int low = 0;
    int high = (int)curve[0] - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x >= at[middle]) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Straight lines between points; the first and the last one go on. */
static inline double sb_lines(const double *curve, double x)
{
    const int n = (int)curve[0];
    const double *at = curve + 1;
    const double *value = at + n;
    if (n == 1) {
        return x == x ? value[0] : x;
    }
    const int i = sb_line_of(curve, x);
    return value[i] + (value[i + 1] - value[i]) * ((x - at[i]) / (at[i + 1] - at[i]));
}

static inline double sb_lines_slope(const double *curve, double x)
{
    const int n = (int)curve[0];
    const double *at = curve + 1;
    const double *value = at + n;
    if (n == 1) {
        return 0.0;
    }
    const int i = sb_line_of(curve, x);
    return (value[i + 1] - value[i]) / (at[i + 1] - at[i]);
}

/* Straight lines between points, held outside. */
static inline double sb_held(const double *curve, double x)
{
    const int n = (int)curve[0];
    const double *at = curve + 1;
    return x <= at[0] ? at[n] : x >= at[n - 1] ? at[2 * n - 1] : sb_lines(curve, x);
}

static inline double sb_held_slope(const double *curve, double x)
{
    const int n = (int)curve[0];
    const double *at = curve + 1;
    return x < at[0] || x >= at[n - 1] ? 0.0 : sb_lines_slope(curve, x);
}

#endif
