#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"

enum { ROOT_ROUNDS = 6 }; /* of a guess of a root: each leaves a quarter of the bracket */

int sb_cubic_turn(const double *f)
{
    const double first = sb_cubic_slope(f[0], f[1], f[2], f[3]);
    const double last = -sb_cubic_slope(f[3], f[2], f[1], f[0]);
    return (first > 0.0) - (last > 0.0);
}

/* Newton's divided differences. */
static void divide_differences(const double *f, double *c)
{
    const double *x = sb_node;
    sb_copy(c, f, SB_NODES);
    for (int k = 1; k < SB_NODES; ++k) {
        for (int i = SB_NODES - 1; i >= k; --i) {
            c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - k]);
        }
    }
}

static double value_at(const double *c, double theta)
{
    const double *x = sb_node;
    return c[0] + theta * (c[1] + (theta - x[1]) * (c[2] + (theta - x[2]) * c[3]));
}

double sb_cubic_root(const double *f, double low, double high)
{
    double c[SB_NODES];
    divide_differences(f, c);
    double place[5] = {low, 0.0, 0.0, 0.0, high};
    for (int round = 0; round < ROOT_ROUNDS; ++round) {
        place[2] = 0.5 * (place[0] + place[4]);
        place[1] = 0.5 * (place[0] + place[2]);
        place[3] = 0.5 * (place[2] + place[4]);
        const int middle = value_at(c, place[2]) > 0.0;
        const int left = value_at(c, place[1]) > 0.0;
        const int right = value_at(c, place[3]) > 0.0;
        const int first = middle ? 2 + right : left; // as a number: no branch can be predicted here
        place[0] = place[first];
        place[4] = place[first + 1];
    }
    return 0.5 * (place[0] + place[4]);
}

double sb_cubic_peak(const double *f, double *height)
{
    // the roots of the derivative qa s^2 + qb s + qc
    const double *x = sb_node;
    double c[SB_NODES];
    divide_differences(f, c);
    const double qa = 3.0 * c[3];
    const double qb = 2.0 * (c[2] - c[3] * (x[1] + x[2]));
    const double qc = c[1] - c[2] * x[1] + c[3] * x[1] * x[2];
    const double disc = qb * qb - 4.0 * qa * qc;
    if (!(disc > 0.0)) {
        return -1.0;
    }
    // of the two stationary points the one with falling slope, in the form without cancellation
    const double root = qb > 0.0 ? (-qb - sqrt(disc)) / (2.0 * qa) : 2.0 * qc / (-qb + sqrt(disc));
    if (!(root > 0.0 && root < 1.0)) {
        return -1.0;
    }
    *height = value_at(c, root);
    return root;
}
