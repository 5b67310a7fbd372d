#include <math.h>

#include "sb_cubic.h"
#include "sb_math.h"
#include "sb_network.h"
#include "sb_observe.h"

/* Extremes of every output over the whole run, also between the points of the grid. A step is judged by the cubic
 * through its four node values; only where that promises a new extreme, the solution itself is searched. */

enum { SEARCH_ROUNDS = 4 };

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

static sb_status value_at(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, double theta,
                          double *value)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_complete_board(m, d, d->x_tmp, d->rate);
    sb_outputs(m, d, d->x_tmp, d->output, 1);
    *value = sign * d->output[i];
    record(d, i, d->t + theta * d->h_step, d->output[i]);
    return SB_OK;
}

/* Peak of sign * output i near theta: vertices of narrowing parabolas, until the next gain would be rounding. */
static sb_status search(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, double theta,
                        double spread)
{
    double width = 0.04;
    double middle;
    SB_TRY(value_at(m, d, method, i, sign, theta, &middle));
    for (int round = 0; round < SEARCH_ROUNDS; ++round, width *= 0.1) {
        const double centre = sb_min(sb_max(theta, width), 1.0 - width);
        double left;
        double right;
        SB_TRY(value_at(m, d, method, i, sign, centre - width, &left));
        SB_TRY(value_at(m, d, method, i, sign, centre + width, &right));
        if (centre != theta) {
            SB_TRY(value_at(m, d, method, i, sign, centre, &middle));
        }
        const double slope = 0.5 * (right - left);
        const double curvature = left - 2.0 * middle + right;
        const double vertex = centre - width * slope / curvature;
        const double gain = -0.5 * slope * slope / curvature;
        if (!(curvature < 0.0) || !(vertex > 0.0 && vertex < 1.0) || gain < 1e-9 * spread) {
            break;
        }
        theta = vertex;
        SB_TRY(value_at(m, d, method, i, sign, theta, &middle));
    }
    return SB_OK;
}

/* One side: is there an interior peak of sign * f above the best so far? */
static sb_status follow(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, const double *f)
{
    const double spread = fabs(f[1] - f[0]) + fabs(f[2] - f[1]) + fabs(f[3] - f[2]);
    const double best = sign > 0.0 ? d->ext_max[i] : -d->ext_min[i];
    const double g[SB_NODES] = {sign * f[0], sign * f[1], sign * f[2], sign * f[3]};
    double height = 0.0;
    const double theta = sb_cubic_peak(g, &height);
    return theta > 0.0 && height > best - SB_CUBIC_ERROR * spread ? search(m, d, method, i, sign, theta, spread)
                                                                  : SB_OK;
}

/* Outputs that could reach a new extreme in this step: a cubic exceeds its node values by less than their spread. */
static int find_near(const sb_model *m, sb_data *d)
{
    const int n = m->n_output;
    const double *f0 = d->node_output;
    const double *f1 = f0 + n;
    const double *f2 = f1 + n;
    const double *f3 = f2 + n;
    int count = 0;
    for (int i = 0; i < n; ++i) {
        const double high = sb_max(sb_max(f0[i], f1[i]), sb_max(f2[i], f3[i]));
        const double low = sb_min(sb_min(f0[i], f1[i]), sb_min(f2[i], f3[i]));
        const double spread = high - low;
        d->near[count] = i;
        count += (high + spread > d->ext_max[i]) | (low - spread < d->ext_min[i]);
    }
    return count;
}

sb_status sb_extremes_follow(const sb_model *m, sb_data *d, const sb_method *method)
{
    const int count = find_near(m, d);
    for (int k = 0; k < count; ++k) {
        const int i = d->near[k];
        const double *g = d->node_output + i;
        const double f[SB_NODES] = {g[0], g[m->n_output], g[2 * m->n_output], g[3 * m->n_output]};
        for (int node = 0; node < SB_NODES; ++node) {
            record(d, i, d->t + sb_node[node] * d->h_step, f[node]);
        }
        const int turn = sb_cubic_turn(f);
        if (turn != 0) {
            SB_TRY(follow(m, d, method, i, turn, f));
        }
    }
    return SB_OK;
}
