#include <float.h>
#include <math.h>

#include "sb_cubic.h"
#include "sb_kernel.h"
#include "sb_math.h"
#include "sb_observe.h"

/* Location of the first event in a step. The nodes bracket it, the dense output brings it to about the accuracy of
 * its order 4, and a few real steps from the same start end on it, so that an event costs no order. Each event
 * function that has become negative is followed for itself: another one may sit at zero without going anywhere. */

enum { DENSE_ROUNDS = 60, NEWTON_ROUNDS = 10, REAL_ROUNDS = 60 };

/* Time within which events count as one, and which an event that is due at once may take. */
static double resolution(const sb_data *d)
{
    return 4.0 * DBL_EPSILON * sb_max(fabs(d->t + d->h_step), d->h_step);
}

typedef struct crossing {
    int event;
    double theta; /* place in the step */
    double slope; /* by theta */
} crossing;

static sb_status value_within(const sb_model *m, sb_data *d, const sb_method *method, int event, double theta,
                              double *value)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_event_values(m, d, d->x_tmp, d->event_value);
    *value = d->event_value[event];
    return SB_OK;
}

static sb_status value_after_step(const sb_model *m, sb_data *d, const sb_method *method, int event, double h,
                                  double *value)
{
    SB_TRY(method->step(m, d, h));
    if (!method->rate_at_end) {
        SB_TRY(sb_rates(m, d, d->t + h, d->x_new, d->rate_new));
    }
    sb_event_values(m, d, d->x_new, d->event_value);
    *value = d->event_value[event];
    return SB_OK;
}

/* Where an event function has become negative: place and value, and the node before, where it was not. */
typedef struct bracket {
    double low, g_low, high, g_high;
} bracket;

/* Minimum of an event function near theta, by two parabolas; ends early on a negative value. */
static sb_status lowest_within(const sb_model *m, sb_data *d, const sb_method *method, int event, double *theta,
                               double *value)
{
    double width = 0.1;
    SB_TRY(value_within(m, d, method, event, *theta, value));
    for (int round = 0; round < 2 && *value >= 0.0; ++round, width *= 0.1) {
        const double centre = sb_min(sb_max(*theta, width), 1.0 - width);
        double left;
        double middle;
        double right;
        SB_TRY(value_within(m, d, method, event, centre - width, &left));
        SB_TRY(value_within(m, d, method, event, centre, &middle));
        SB_TRY(value_within(m, d, method, event, centre + width, &right));
        const double curvature = left - 2.0 * middle + right;
        const double vertex = centre - 0.5 * width * (right - left) / curvature;
        if (!(curvature > 0.0) || !(vertex > 0.0 && vertex < 1.0)) {
            break;
        }
        *theta = vertex;
        SB_TRY(value_within(m, d, method, event, vertex, value));
    }
    return SB_OK;
}

/* A dip between nodes that are all positive: the cubic tells where to look. */
static sb_status look_for_dip(const sb_model *m, sb_data *d, const sb_method *method, int event, const double *g,
                              bracket *b, int *found)
{
    const double f[SB_NODES] = {-g[0], -g[1], -g[2], -g[3]};
    const double spread = fabs(g[1] - g[0]) + fabs(g[2] - g[1]) + fabs(g[3] - g[2]);
    double height = 0.0;
    *found = 0;
    if (sb_cubic_turn(f) != 1) {
        return SB_OK;
    }
    b->high = sb_cubic_peak(f, &height);
    // right after a release the slip leaves zero without a slope: what the cubic sees there is its own error
    const int leaving = g[0] <= 1e-6 * spread && b->high < sb_node[1];
    if (b->high <= 0.0 || leaving || height < -5.0 * SB_CUBIC_ERROR * spread) {
        return SB_OK;
    }
    SB_TRY(lowest_within(m, d, method, event, &b->high, &b->g_high));
    for (int node = 0; node < SB_NODES && sb_node[node] < b->high; ++node) {
        b->low = sb_node[node];
        b->g_low = g[node];
    }
    *found = b->g_high < 0.0;
    return SB_OK;
}

/* First place where an event function is known to be negative in this step. */
static sb_status find_bracket(const sb_model *m, sb_data *d, const sb_method *method, int event, bracket *b, int *found)
{
    const int n = SB_N_EVENT(m);
    double g[SB_NODES];
    for (int node = 0; node < SB_NODES; ++node) {
        g[node] = d->event_node[node * n + event];
    }
    for (int node = 1; node < SB_NODES; ++node) {
        if (g[node] < 0.0) {
            *b = (bracket){sb_node[node - 1], g[node - 1], sb_node[node], g[node]};
            *found = 1;
            return SB_OK;
        }
    }
    return look_for_dip(m, d, method, event, g, b, found);
}

/* A contact that has just let go starts with slip 0, an operand that has just passed a threshold on it: the return is
 * sought after it has left zero. */
static sb_status leave_zero(const sb_model *m, sb_data *d, const sb_method *method, int event, double high, double zero,
                            double *low, double *g_low)
{
    double part = 0.5;
    for (int round = 0; round < 40 && *g_low <= zero; ++round, part *= 0.5) {
        *low = part * high;
        SB_TRY(value_within(m, d, method, event, *low, g_low));
    }
    return SB_OK;
}

/* Root of one event function on the dense output, by the Illinois variant of the secant method; every fourth round
 * halves the bracket, for functions that are very steep on one side. */
static sb_status root_within(const sb_model *m, sb_data *d, const sb_method *method, const bracket *b, crossing *root)
{
    double low = b->low;
    double high = b->high;
    double g_low = b->g_low;
    double g_high = b->g_high;
    const double zero = low == 0.0 ? 1e-9 * fabs(g_high) : 0.0;
    if (g_low <= zero) {
        SB_TRY(leave_zero(m, d, method, root->event, high, zero, &low, &g_low));
    }
    const double width = high - low;
    root->slope = (g_high - g_low) / width;
    root->theta = g_low > 0.0 ? high : low;
    for (int round = 0; round < DENSE_ROUNDS && high - low > 1e-9 * width && g_low > 0.0; ++round) {
        const double secant = high - g_high * (high - low) / (g_high - g_low);
        const double theta = round % 4 == 3 ? 0.5 * (low + high) : secant;
        double g;
        SB_TRY(value_within(m, d, method, root->event, theta, &g));
        root->theta = theta;
        if (g < 0.0) {
            root->slope = (g - g_high) / (theta - high);
            high = theta;
            g_high = g;
            g_low *= 0.5;
        } else {
            root->slope = (g - g_low) / (theta - low);
            low = theta;
            g_low = g;
            g_high *= 0.5;
        }
        if (fabs(g) < 1e-10 * fabs(root->slope) * width) {
            break;
        }
    }
    return SB_OK;
}

/* Real steps that end on the crossing: Newton with the slope of the dense output, then secants. A real step may find
 * the crossing elsewhere than the dense output (a step over a narrow peak of friction), so what it finds brackets it.
 */
static sb_status step_onto(const sb_model *m, sb_data *d, const sb_method *method, const crossing *root)
{
    const double h_full = d->h_step;
    const double least = resolution(d);
    const int ends_negative = d->event_node[(SB_NODES - 1) * SB_N_EVENT(m) + root->event] < 0.0;
    double low = 0.0;
    double high = ends_negative ? h_full : INFINITY;
    double slope = root->slope / h_full;
    double h = sb_max(root->theta * h_full, least);
    double h_old = 0.0;
    double g_old = 0.0;
    for (int round = 0; round < REAL_ROUNDS; ++round) {
        double g;
        SB_TRY(value_after_step(m, d, method, root->event, h, &g));
        const double secant = (g - g_old) / (h - h_old);
        slope = round > 0 && secant < 0.0 ? secant : slope;
        h_old = h;
        g_old = g;
        low = g < 0.0 ? low : h;
        high = g < 0.0 ? h : high;
        h = slope < 0.0 ? sb_min(sb_max(h - g / slope, least), h_full) : h;
        if (isfinite(high) && (h <= low || h >= high || round > NEWTON_ROUNDS) && fabs(h - h_old) > least) {
            h = sb_max(0.5 * (low + high), least);
        }
        if (fabs(h - h_old) <= least) {
            break;
        }
    }
    return SB_OK;
}

sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found)
{
    const int n = SB_N_EVENT(m);
    crossing first = {-1, 2.0, 0.0};
    double *theta = d->event_theta;
    for (int i = 0; i < n; ++i) {
        bracket b;
        int negative;
        theta[i] = 2.0;
        SB_TRY(find_bracket(m, d, method, i, &b, &negative));
        if (negative) {
            crossing root = {i, 0.0, 0.0};
            SB_TRY(root_within(m, d, method, &b, &root));
            theta[i] = root.theta;
            first = root.theta < first.theta ? root : first;
        }
    }
    *found = first.event >= 0;
    if (!*found) {
        return SB_OK;
    }

    // the earliest one, and those that have become negative by then or will within rounding
    const double together = first.theta + 4.0 * resolution(d) / d->h_step;
    SB_TRY(step_onto(m, d, method, &first));
    for (int i = 0; i < n; ++i) {
        d->fired[i] = i == first.event || (theta[i] < 2.0 && (theta[i] <= together || d->event_value[i] <= 0.0));
    }
    return SB_OK;
}
