#include "onset/sb_give_way.h"

#include <math.h>
#include <string.h>

#include "model/sb_tolerance.h"

enum { N = SB_ONSET_PARAMETERS, NEWTON = 8 };
#define LEAST_FRICTION 0.02 /* of F: what is left of it at high speed */

sb_slopes sb_limit_at(const double *p, const sb_slopes *speed)
{
    const double level = p[SB_ONSET_LEVEL];
    const double drop = p[SB_ONSET_FALL];
    const double v = speed->value;
    sb_slopes g;
    memset(&g, 0, sizeof g);
    g.value = level;
    g.slope[SB_ONSET_LEVEL] = 1.0;
    if (v <= 0.0) {
        return g;
    }
    const double logarithm = log(v / p[SB_ONSET_SPEED]);
    const double power = exp(p[SB_ONSET_EXPONENT] * logarithm);
    const double left = exp(-power);
    const double share = 1.0 - drop * (1.0 - left);
    if (share < LEAST_FRICTION) {
        g.value *= LEAST_FRICTION;
        g.slope[SB_ONSET_LEVEL] = LEAST_FRICTION;
        return g;
    }
    const double by_logarithm = -level * drop * left * power; // by that of the power
    const double by_speed = by_logarithm * p[SB_ONSET_EXPONENT] / v;
    for (int k = 0; k < N; ++k) {
        g.slope[k] = by_speed * speed->slope[k];
    }
    g.value = level * share;
    g.slope[SB_ONSET_LEVEL] += share;
    g.slope[SB_ONSET_FALL] -= level * drop * (1.0 - left);
    g.slope[SB_ONSET_SPEED] -= by_logarithm * p[SB_ONSET_EXPONENT];
    g.slope[SB_ONSET_EXPONENT] += by_logarithm * p[SB_ONSET_EXPONENT] * logarithm;
    return g;
}

/* The share of the limit that is not carried after a displacement, (1 - x/end)^p, and its derivative. */
static double not_carried(const sb_creep *c, double x, double *slope)
{
    const double left = 1.0 - x / c->end;
    if (left <= 0.0) {
        *slope = 0.0;
        return 0.0;
    }
    const double power = exp((c->p - 1.0) * log(left));
    *slope = -c->p * power / c->end;
    return power * left;
}

/* The left side rises with v, ever more slowly, so Newton's method from below does not overshoot. */
double sb_speed_of(const sb_balance *e, const sb_creep *c, double g, double *q, double *by_x)
{
    double v = e->B > g ? (e->B - g) / e->A : 0.0;
    *q = not_carried(c, e->base + e->reach * v, by_x);
    for (int i = 0; i < NEWTON; ++i) {
        const double off = e->A * v - e->B + g * (1.0 - *q);
        const double next = v - off / (e->A - g * *by_x * e->reach);
        const double change = next > 0.0 ? next - v : -v;
        v += change;
        *q = not_carried(c, e->base + e->reach * v, by_x);
        if (fabs(change) <= SB_ONSET_CLOSE * v) {
            break;
        }
    }
    return v;
}
