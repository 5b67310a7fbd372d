#include <math.h>

#include "sb_math.h"
#include "sb_network.h"
#include "sb_observe.h"

/* Extremes of every output over the whole run, also between the points of the grid. A step is judged by the cubic
 * through its four node values; only where that promises a new extreme, the solution itself is searched. */

enum { SEARCH_ROUNDS = 6 };

/* A cubic is trusted to tell peaks within this share of the spread of its node values. */
#define CUBIC_ERROR 0.01

static void record(sb_data *d, int i, double t, double value)
{
    if (value > d->ext_max[i]) {
        d->ext_max[i] = value;
        d->ext_tmax[i] = t;
    }
    if (value < d->ext_min[i]) {
        d->ext_min[i] = value;
        d->ext_tmin[i] = t;
    }
}

void sb_extremes_touch(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_output; ++i) {
        record(d, i, d->t, d->node_output[i]);
    }
}

void sb_extremes_start(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_output; ++i) {
        d->ext_min[i] = INFINITY;
        d->ext_max[i] = -INFINITY;
    }
    sb_extremes_touch(m, d);
}

/* Interior maximum of the cubic through the node values: its place in (0, 1), or -1, and its height. */
static double cubic_peak(const double *f, double *height)
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

static sb_status value_at(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, double theta,
                          double *value)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_complete_board(m, d, d->x_tmp, d->rate);
    sb_outputs(m, d, d->x_tmp, d->output);
    *value = sign * d->output[i];
    record(d, i, d->t + theta * d->h_step, d->output[i]);
    return SB_OK;
}

/* Peak of sign * output i near theta: vertices of parabolas through the best point and its neighbours. */
static sb_status search(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, double theta)
{
    double a = sb_max(theta - 0.05, 0.0);
    double b = theta;
    double c = sb_min(theta + 0.05, 1.0);
    double fa;
    double fb;
    double fc;
    SB_TRY(value_at(m, d, method, i, sign, a, &fa));
    SB_TRY(value_at(m, d, method, i, sign, b, &fb));
    SB_TRY(value_at(m, d, method, i, sign, c, &fc));
    for (int round = 0; round < SEARCH_ROUNDS; ++round) {
        const double left = (b - a) * (fb - fc);
        const double right = (b - c) * (fb - fa);
        const double vertex = b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right);
        if (!(vertex > 0.0 && vertex < 1.0) || fabs(vertex - b) < 1e-9) {
            break;
        }
        const double width = sb_max(fabs(vertex - b), 1e-4);
        a = sb_max(vertex - width, 0.0);
        b = vertex;
        c = sb_min(vertex + width, 1.0);
        SB_TRY(value_at(m, d, method, i, sign, a, &fa));
        SB_TRY(value_at(m, d, method, i, sign, b, &fb));
        SB_TRY(value_at(m, d, method, i, sign, c, &fc));
    }
    return SB_OK;
}

/* +1 if the cubic through the node values rises first and falls last, -1 for the reverse, 0 if it does not turn. */
static int turning(const double *f)
{
    // derivatives of the Lagrange polynomials at 0; mirrored at 1
    static const double SLOPE[SB_NODES] = {-6.0, 8.090169943749475, -3.090169943749474, 1.0};
    const double first = SLOPE[0] * f[0] + SLOPE[1] * f[1] + SLOPE[2] * f[2] + SLOPE[3] * f[3];
    const double last = -SLOPE[3] * f[0] - SLOPE[2] * f[1] - SLOPE[1] * f[2] - SLOPE[0] * f[3];
    return (first > 0.0) - (last > 0.0);
}

/* One side: is there an interior peak of sign * f above the best so far? */
static sb_status follow(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, const double *f,
                        double spread)
{
    const double best = sign > 0.0 ? d->ext_max[i] : -d->ext_min[i];
    const double g[SB_NODES] = {sign * f[0], sign * f[1], sign * f[2], sign * f[3]};
    double height = 0.0;
    const double theta = cubic_peak(g, &height);
    return theta > 0.0 && height > best - CUBIC_ERROR * spread ? search(m, d, method, i, sign, theta) : SB_OK;
}

sb_status sb_extremes_follow(const sb_model *m, sb_data *d, const sb_method *method)
{
    const int n = m->n_output;
    const double *f0 = d->node_output;
    const double *f1 = f0 + n;
    const double *f2 = f1 + n;
    const double *f3 = f2 + n;
    for (int i = 0; i < n; ++i) {
        const double high = sb_max(sb_max(f0[i], f1[i]), sb_max(f2[i], f3[i]));
        const double low = sb_min(sb_min(f0[i], f1[i]), sb_min(f2[i], f3[i]));

        // a cubic exceeds its node values by less than their spread; constant outputs have none
        const double spread = high - low;
        if (spread <= 1e-14 * (fabs(high) + fabs(low)) ||
            (high + spread <= d->ext_max[i] && low - spread >= d->ext_min[i])) {
            continue;
        }
        const double f[SB_NODES] = {f0[i], f1[i], f2[i], f3[i]};
        for (int k = 0; k < SB_NODES; ++k) {
            record(d, i, d->t + sb_node[k] * d->h_step, f[k]);
        }
        const int turn = turning(f);
        if (turn != 0) {
            SB_TRY(follow(m, d, method, i, turn, f, spread));
        }
    }
    return SB_OK;
}
