#include <math.h>

#include "adaptive/sb_adaptive.h"

int sb_cubic_turn(const double *f)
{
    const double first = sb_cubic_slope(f[0], f[1], f[2], f[3]);
    const double last = -sb_cubic_slope(f[3], f[2], f[1], f[0]);
    return (first > 0.0) - (last > 0.0);
}

double sb_cubic_value(const double *f, double theta)
{
    // Lagrange polynomials of the nodes
    const double *x = sb_node;
    double sum = 0.0;
    for (int i = 0; i < SB_NODES; ++i) {
        double weight = f[i];
        for (int j = 0; j < SB_NODES; ++j) {
            weight *= i == j ? 1.0 : (theta - x[j]) / (x[i] - x[j]);
        }
        sum += weight;
    }
    return sum;
}

double sb_cubic_peak(const double *f, double *height)
{
    // Newton's divided differences, then the roots of the derivative qa s^2 + qb s + qc
    const double *x = sb_node;
    double c[SB_NODES] = {f[0], f[1], f[2], f[3]};
    for (int k = 1; k < SB_NODES; ++k) {
        for (int i = SB_NODES - 1; i >= k; --i) {
            c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - k]);
        }
    }
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
    *height = c[0] + root * (c[1] + (root - x[1]) * (c[2] + (root - x[2]) * c[3]));
    return root;
}
