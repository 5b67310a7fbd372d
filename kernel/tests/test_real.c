#include <float.h>
#include <math.h>

#include "check.h"
#include "sb_real.h"

/* The functions of sb_real.h against the C library, whose errors are about half a unit of the last place. */

static double units(double value, double exact)
{
    int exponent;
    (void)frexp(exact, &exponent);
    return fabs(value - exact) / ldexp(DBL_EPSILON / 2.0, exponent);
}

static void test_exp(void)
{
    double worst = 0.0;
    for (int i = -69000; i <= 70900; ++i) {
        const double x = i * 0.01 + 1e-3 * sin(i);
        worst = fmax(worst, units(sb_exp(x), exp(x)));
    }
    CHECK(worst <= 1.5); // ours below 1, the library's half
    CHECK(sb_exp(0.0) == 1.0 && sb_exp(-0.0) == 1.0);
    CHECK(sb_exp(-701.0) == 0.0 && sb_exp(-INFINITY) == 0.0 && sb_exp(-1e300) == 0.0);
    CHECK(isinf(sb_exp(710.0)) && isinf(sb_exp(INFINITY)) && isinf(sb_exp(1e300)));
    CHECK(isnan(sb_exp(NAN)));
}

static void test_sincos(void)
{
    double worst = 0.0;
    for (int i = -40000; i <= 40000; ++i) {
        const double x = (i % 3 ? 1e-3 : i % 2 ? 0.37 : 39.0) * i;
        double sine;
        double cosine;
        sb_sincos(x, &sine, &cosine);
        worst = fmax(worst, i != 0 ? units(sine, sin(x)) : fabs(sine));
        worst = fmax(worst, units(cosine, cos(x)));
    }
    CHECK(worst <= 3.5); // ours up to 3, the library's half
    double sine;
    double cosine;
    sb_sincos(1e22, &sine, &cosine);
    CHECK(sine == sin(1e22) && cosine == cos(1e22));
    sb_sincos(NAN, &sine, &cosine);
    CHECK(isnan(sine) && isnan(cosine));
}

int main(void)
{
    test_exp();
    test_sincos();
    return check_result();
}
