#include <float.h>
#include <math.h>

#include "sb_kernel.h"
#include "sb_math.h"
#include "sb_observe.h"

/* Location of the first event in a step. The nodes bracket it, the dense output brings it to about the accuracy of
 * its order 4, and a few real steps from the same start end on it, so that an event costs no order. Each event
 * function that has become negative is followed for itself: another one may sit at zero without going anywhere. */

enum { DENSE_ROUNDS = 60, REAL_ROUNDS = 12 };

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
    sb_event_values(m, d, d->t + theta * d->h_step, d->event_value);
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
    sb_event_values(m, d, d->t + h, d->event_value);
    *value = d->event_value[event];
    return SB_OK;
}

/* First node at which an event function is negative, or 0. */
static int first_negative_node(const sb_model *m, const sb_data *d)
{
    const int n = SB_N_EVENT(m);
    for (int node = 1; node < SB_NODES; ++node) {
        for (int i = 0; i < n; ++i) {
            if (d->event_node[node * n + i] < 0.0) {
                return node;
            }
        }
    }
    return 0;
}

/* A contact that has just let go starts with slip 0: its return is sought after it has left zero. */
static sb_status leave_zero(const sb_model *m, sb_data *d, const sb_method *method, int event, double high, double *low,
                            double *g_low)
{
    double part = 0.5;
    for (int round = 0; round < 40 && *g_low <= 0.0; ++round, part *= 0.5) {
        *low = part * high;
        SB_TRY(value_within(m, d, method, event, *low, g_low));
    }
    return SB_OK;
}

/* Root of one event function on the dense output between two nodes, by the Illinois variant of the secant method. */
static sb_status root_within(const sb_model *m, sb_data *d, const sb_method *method, int node, crossing *root)
{
    const int n = SB_N_EVENT(m);
    double low = sb_node[node - 1];
    double high = sb_node[node];
    double g_low = d->event_node[(node - 1) * n + root->event];
    double g_high = d->event_node[node * n + root->event];
    if (g_low <= 0.0) {
        SB_TRY(leave_zero(m, d, method, root->event, high, &low, &g_low));
    }
    const double width = high - low;
    root->slope = (g_high - g_low) / width;
    root->theta = g_low > 0.0 ? high : low;
    for (int round = 0; round < DENSE_ROUNDS && high - low > 1e-9 * width && g_low > 0.0; ++round) {
        const double theta = high - g_high * (high - low) / (g_high - g_low);
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

/* Real steps that end on the crossing: Newton with the slope of the dense output, then secants. */
static sb_status step_onto(const sb_model *m, sb_data *d, const sb_method *method, const crossing *root)
{
    const double h_full = d->h_step;
    const double least = resolution(d);
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
        h = slope < 0.0 ? sb_min(sb_max(h - g / slope, least), h_full) : h;
        if (fabs(h - h_old) <= least) {
            break;
        }
    }
    return SB_OK;
}

sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found)
{
    const int n = SB_N_EVENT(m);
    const int node = first_negative_node(m, d);
    *found = node > 0;
    if (!*found) {
        return SB_OK;
    }

    // the earliest of the functions that are negative there, and those at the same time within rounding
    crossing first = {-1, 2.0, 0.0};
    double *theta = d->event_theta;
    for (int i = 0; i < n; ++i) {
        theta[i] = 2.0;
        if (d->event_node[node * n + i] < 0.0) {
            crossing root = {i, 0.0, 0.0};
            SB_TRY(root_within(m, d, method, node, &root));
            theta[i] = root.theta;
            first = root.theta < first.theta ? root : first;
        }
    }
    const double together = first.theta + 4.0 * resolution(d) / d->h_step;
    SB_TRY(step_onto(m, d, method, &first));
    for (int i = 0; i < n; ++i) {
        d->fired[i] = i == first.event || (theta[i] < 2.0 && (theta[i] <= together || d->event_value[i] <= 0.0));
    }
    return SB_OK;
}
