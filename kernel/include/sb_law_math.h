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

/* sign of x; 0 for both zeros */
static inline double sb_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x * 0.0;
}

/* x^n for a small positive n */
static inline double sb_powi(double x, int n)
{
    double y = x;
    for (int i = 1; i < n; i++) {
        y *= x;
    }
    return y;
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

/* e^-|v/v_s|^a */
static inline double sb_stribeck(double v, double v_s, double a)
{
    return sb_exp(-sb_power(v / v_s, a));
}

/* the usual exponents without pow(), and far from v = 0 without the division */
static inline double sb_stribeck1(double v, double v_s)
{
    return fabs(v) > 700.0 * v_s ? 0.0 : exp(-fabs(v / v_s));
}

static inline double sb_stribeck2(double v, double v_s)
{
    const double r = v / v_s;
    return fabs(v) > 26.0 * v_s ? 0.0 : exp(-(r * r));
}

#endif
