#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

/* Extremes of every output over the whole run, also between the points of the grid. A step is judged by the cubic
 * through its four node values. Where that promises a new extreme for any output, the solution is looked at in five
 * more points, and the polynomial through all nine (nearly Chebyshev points) gives the extremes of all outputs: so the
 * cost of a step does not depend on how many of them turn, but for corners. */

enum { ALL = SB_NODES + SB_FINE_NODES - 1, NEWTON_ROUNDS = 8, SEARCH_ROUNDS = 24 };
#define GOLDEN 0.6180339887498949 /* (sqrt(5) - 1)/2 */

/* All nine in order: place, and where its outputs are kept (a node of the step, or SB_NODES and more for the fine
 * ones). */
static const double PLACE[ALL] = {0.0, 0.0381, 0.1464, SB_INNER_NODE, 0.5, 1.0 - SB_INNER_NODE, 0.8536, 0.9619, 1.0};
static const int KEPT[ALL] = {0, 4, 5, 1, 6, 2, 7, 8, 3};
enum { FINE = ALL - SB_NODES };
static const int FINE_NODE[FINE] = {1, 2, 4, 6, 7}; /* the fine ones among them */

void sb_extremes_touch(const sb_model *m, sb_data *d, double t, const double *output, size_t stride)
{
    for (int i = 0; i < m->n_output; ++i) {
        sb_extremes_record(d, i, 1, t, output[(size_t)i * stride]);
    }
}

void sb_extremes_start(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_output; ++i) {
        d->ext_min[i] = INFINITY;
        d->ext_max[i] = -INFINITY;
    }
    sb_extremes_touch(m, d, d->t, d->node_output, 1);
}

/* Variations of output i that are rounding: what is solved for is not known better. */
static double rounding_of(const sb_data *d, int i)
{
    return SB_SOLVED * sb_max(fabs(d->ext_min[i]), fabs(d->ext_max[i]));
}

/* Does the cubic through the node values of output i promise an interior extreme beyond the best so far? */
static int may_exceed(const sb_model *m, const sb_data *d, int i)
{
    const double *g = d->node_output + i;
    const double f[SB_NODES] = {g[0], g[m->n_output], g[2 * m->n_output], g[3 * m->n_output]};
    const int sign = sb_cubic_turn(f);
    if (sign == 0) {
        return 0;
    }
    const double turned[SB_NODES] = {sign * f[0], sign * f[1], sign * f[2], sign * f[3]};
    const double spread = fabs(f[1] - f[0]) + fabs(f[2] - f[1]) + fabs(f[3] - f[2]);
    const double best = sign > 0 ? d->ext_max[i] : -d->ext_min[i];
    double height = 0.0;
    return spread > rounding_of(d, i) && sb_cubic_peak(turned, &height) > 0.0 &&
           height > best - SB_CUBIC_ERROR * spread;
}

/* Takes in the nodes of the outputs that come near an extreme, and lists those that may have one between the nodes.
 * A cubic exceeds its node values by less than their spread. */
static int find_turning(const sb_model *m, sb_data *d)
{
    const int n = m->n_output;
    const double *f0 = d->node_output;
    const double *f1 = f0 + n;
    const double *f2 = f1 + n;
    const double *f3 = f2 + n;
    const double *ext_min = d->ext_min;
    const double *ext_max = d->ext_max;
    int *list = d->near;
    int near = 0;
    for (int i = 0; i < n; ++i) {
        const double high = sb_max(sb_max(f0[i], f1[i]), sb_max(f2[i], f3[i]));
        const double low = sb_min(sb_min(f0[i], f1[i]), sb_min(f2[i], f3[i]));
        const double spread = high - low;
        list[near] = i;
        near += (high + spread > ext_max[i]) | (low - spread < ext_min[i]);
    }
    int turning = 0;
    for (int k = 0; k < near; ++k) {
        const int i = d->near[k];
        if (may_exceed(m, d, i)) {
            d->near[turning++] = i;
        }
        for (int node = 1; node < SB_NODES; ++node) {
            sb_extremes_record(d, i, 1, d->t + sb_node[node] * d->h_step, d->node_output[node * n + i]);
        }
    }
    return turning;
}

sb_status sb_outputs_within(const sb_model *m, sb_data *d, const sb_method *method, double theta, double *output)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_complete_board(m, d, d->x_tmp, d->rate);
    sb_outputs(m, d, d->x_tmp, output, 1);
    return SB_OK;
}

/* Value and first two derivatives of the polynomial with Newton coefficients c over PLACE. */
static void polynomial(const double *c, double theta, double *p)
{
    p[0] = c[ALL - 1];
    p[1] = p[2] = 0.0;
    for (int k = ALL - 2; k >= 0; --k) {
        const double step = theta - PLACE[k];
        p[2] = step * p[2] + 2.0 * p[1];
        p[1] = step * p[1] + p[0];
        p[0] = step * p[0] + c[k];
    }
}

/* Size of the last two terms of the polynomial, about its error. */
static double last_terms(const double *c, double theta)
{
    double product = 1.0;
    for (int k = 0; k < ALL - 2; ++k) {
        product *= theta - PLACE[k];
    }
    return fabs(product) * (fabs(c[ALL - 2]) + fabs(c[ALL - 1] * (theta - PLACE[ALL - 2])));
}

/* A part of the step, and the output at its ends. */
typedef struct {
    double low, high;
    double f_low, f_high;
} range;

/* Output i of the solution itself; all others are taken in, too. */
static sb_status evaluate_output(const sb_model *m, sb_data *d, const sb_method *method, int i, double theta,
                                 double *value)
{
    double *output = d->node_output + ALL * m->n_output;
    SB_TRY(sb_outputs_within(m, d, method, theta, output));
    sb_extremes_touch(m, d, d->t + theta * d->h_step, output, 1);
    *value = output[i];
    return SB_OK;
}

/* No polynomial follows a corner, as there is where the slip of a bristle passes zero: there the solution itself is
 * searched by golden section, until the two inner points are as high as each other, twice: once may be chance. A point
 * that is lower than both ends of the range means that there is no corner, but rounding. */
static sb_status golden_section(const sb_model *m, sb_data *d, const sb_method *method, int i, double sign, range r,
                                double allowed)
{
    double left = r.high - GOLDEN * (r.high - r.low);
    double right = r.low + GOLDEN * (r.high - r.low);
    double f_left;
    double f_right;
    SB_TRY(evaluate_output(m, d, method, i, left, &f_left));
    SB_TRY(evaluate_output(m, d, method, i, right, &f_right));
    int level = 0;
    for (int round = 0; round < SEARCH_ROUNDS; ++round) {
        const double ends = sb_min(sign * r.f_low, sign * r.f_high);
        level = fabs(f_left - f_right) > allowed ? 0 : level + 1;
        if (level == 2 || sign * f_left < ends || sign * f_right < ends) {
            break;
        }
        if (sign * f_left > sign * f_right) {
            r.high = right;
            r.f_high = f_right;
            right = left;
            f_right = f_left;
            left = r.high - GOLDEN * (r.high - r.low);
            SB_TRY(evaluate_output(m, d, method, i, left, &f_left));
        } else {
            r.low = left;
            r.f_low = f_left;
            left = right;
            f_left = f_right;
            right = r.low + GOLDEN * (r.high - r.low);
            SB_TRY(evaluate_output(m, d, method, i, right, &f_right));
        }
    }
    return SB_OK;
}

/* Extreme of the polynomial next to its highest (sign +1) or lowest (-1) point. */
static sb_status refine(const sb_model *m, sb_data *d, const sb_method *method, int i, const double *f, const double *c,
                        double sign)
{
    int best = 0;
    int worst = 0;
    for (int k = 1; k < ALL; ++k) {
        best = sign * f[k] > sign * f[best] ? k : best;
        worst = sign * f[k] < sign * f[worst] ? k : worst;
    }
    const int before = best > 0 ? best - 1 : 0;
    const int behind = best < ALL - 1 ? best + 1 : ALL - 1;
    const range r = {PLACE[before], PLACE[behind], f[before], f[behind]};
    double theta = PLACE[best];
    double p[3];
    for (int round = 0; round < NEWTON_ROUNDS; ++round) {
        polynomial(c, theta, p);
        const double next = sign * p[2] < 0.0 ? theta - p[1] / p[2] : theta;
        const double place = sb_min(sb_max(next, r.low), r.high);
        if (place == theta) {
            break;
        }
        theta = place;
    }
    polynomial(c, theta, p);
    const double error = last_terms(c, theta);
    const double allowed = sb_max(SB_EXTREME_ERROR * fabs(f[best] - f[worst]), rounding_of(d, i));
    const double top = sign > 0.0 ? d->ext_max[i] : -d->ext_min[i];
    if (error > allowed && sb_max(sign * p[0], sign * f[best]) + error > top) {
        sb_extremes_record(d, i, 1, d->t + PLACE[best] * d->h_step, f[best]);
        return golden_section(m, d, method, i, sign, r, 0.1 * allowed);
    }
    sb_extremes_record(d, i, 1, d->t + theta * d->h_step, p[0]);
    return SB_OK;
}

/* Outputs at the fine nodes: in the lanes of a viewer, or one after the other. */
static sb_status see_fine_nodes(const sb_model *m, sb_data *d, const sb_method *method, sb_viewer *viewer)
{
    const int n = m->n_output;
    double *output = d->node_output + SB_NODES * n;
    if (!viewer || method != &sb_rodas5p || !sb_runs_in_lanes(m, d)) {
        for (int k = 0; k < FINE; ++k) {
            SB_TRY(sb_outputs_within(m, d, method, PLACE[FINE_NODE[k]], output + k * n));
        }
        return SB_OK;
    }
    viewer->extremes = 0;
    for (int first = 0; first < FINE; first += viewer->lanes) {
        const int some = FINE - first < viewer->lanes ? FINE - first : viewer->lanes;
        for (int k = 0; k < some; ++k) {
            viewer->theta[k] = PLACE[FINE_NODE[first + k]];
        }
        viewer->show_step(viewer, m, d, some, 0, viewer->output, (size_t)viewer->lanes);
        for (int k = 0; k < some * n; ++k) {
            output[first * n + k] = viewer->output[k % n * viewer->lanes + k / n];
        }
    }
    d->stats.rhs_evaluations += FINE;
    return SB_OK;
}

sb_status sb_extremes_follow(const sb_model *m, sb_data *d, const sb_method *method, sb_viewer *viewer)
{
    const int n = m->n_output;
    const int turning = find_turning(m, d);
    if (turning == 0) {
        return SB_OK;
    }
    SB_TRY(see_fine_nodes(m, d, method, viewer));
    for (int k = 0; k < turning; ++k) {
        const int i = d->near[k];
        double f[ALL];
        double c[ALL];
        for (int j = 0; j < ALL; ++j) {
            f[j] = c[j] = d->node_output[KEPT[j] * n + i];
        }
        for (int order = 1; order < ALL; ++order) {
            for (int j = ALL - 1; j >= order; --j) {
                c[j] = (c[j] - c[j - 1]) / (PLACE[j] - PLACE[j - order]);
            }
        }
        SB_TRY(refine(m, d, method, i, f, c, 1.0));
        SB_TRY(refine(m, d, method, i, f, c, -1.0));
    }
    return SB_OK;
}
