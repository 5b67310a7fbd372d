#include <float.h>
#include <math.h>

#include "sb_math.h"
#include "sb_observe.h"

/* Location of the first event in a step. The nodes bracket it, the dense output brings it to about the accuracy of
 * its order 4, and a few real steps from the same start end on it, so that an event costs no order. */

enum { DENSE_ROUNDS = 60, REAL_ROUNDS = 12 };

/* The smallest event function: negative as soon as one has fired. */
static double smallest(const double *g, int n)
{
    double least = g[0];
    for (int i = 1; i < n; ++i) {
        least = sb_min(least, g[i]);
    }
    return least;
}

static sb_status value_within(const sb_model *m, sb_data *d, const sb_method *method, double theta, double *value)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_event_values(m, d, d->t + theta * d->h_step, d->event_value);
    *value = smallest(d->event_value, SB_N_EVENT(m));
    return SB_OK;
}

static sb_status value_after_step(const sb_model *m, sb_data *d, const sb_method *method, double h, double *value)
{
    SB_TRY(method->step(m, d, h));
    if (!method->rate_at_end) {
        SB_TRY(sb_rates(m, d, d->t + h, d->x_new, d->rate_new));
    }
    sb_event_values(m, d, d->t + h, d->event_value);
    *value = smallest(d->event_value, SB_N_EVENT(m));
    return SB_OK;
}

/* First pair of nodes between which an event function becomes negative. */
static int bracket(const sb_model *m, const sb_data *d, double *low, double *high, double *g_low, double *g_high)
{
    const int n = SB_N_EVENT(m);
    *low = 0.0;
    *g_low = sb_max(smallest(d->event_node, n), 0.0);
    for (int node = 1; node < SB_NODES; ++node) {
        const double g = smallest(d->event_node + node * n, n);
        if (g < 0.0) {
            *high = sb_node[node];
            *g_high = g;
            return 1;
        }
        *low = sb_node[node];
        *g_low = g;
    }
    return 0;
}

/* A contact that has just let go starts with slip 0: its return is sought after it has left zero. */
static sb_status leave_zero(const sb_model *m, sb_data *d, const sb_method *method, double *low, double high,
                            double *g_low)
{
    double part = 0.5;
    for (int round = 0; round < 40 && *g_low <= 0.0; ++round, part *= 0.5) {
        SB_TRY(value_within(m, d, method, part * high, g_low));
        *low = part * high;
    }
    return SB_OK;
}

/* Root of the dense output by the Illinois variant of the secant method; also the slope there. */
static sb_status root_within(const sb_model *m, sb_data *d, const sb_method *method, double low, double high,
                             double g_low, double g_high, double *root, double *slope)
{
    const double width = high - low;
    *slope = (g_high - g_low) / width;
    for (int round = 0; round < DENSE_ROUNDS && high - low > 1e-9 * width && g_low > 0.0; ++round) {
        const double theta = sb_min(sb_max(high - g_high * (high - low) / (g_high - g_low), low), high);
        double g;
        SB_TRY(value_within(m, d, method, theta, &g));
        if (theta == low || theta == high || g == 0.0) {
            high = theta;
            break;
        }
        if (g < 0.0) {
            *slope = (g - g_high) / (theta - high);
            high = theta;
            g_high = g;
            g_low *= 0.5;
        } else {
            *slope = (g - g_low) / (theta - low);
            low = theta;
            g_low = g;
            g_high *= 0.5;
        }
        // both halves of a secant step small: converged
        if (fabs(g) < 1e-10 * fabs(*slope) * width) {
            high = theta;
            break;
        }
    }
    *root = high;
    return SB_OK;
}

/* Marks the events at or below zero within rounding of the time. */
static void mark_fired(const sb_model *m, sb_data *d, double slope, double resolution)
{
    const int n = SB_N_EVENT(m);
    const double least = smallest(d->event_value, n);
    for (int i = 0; i < n; ++i) {
        d->fired[i] = d->event_value[i] <= sb_max(least, 0.0) + fabs(slope) * resolution;
    }
}

sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found)
{
    double low;
    double high;
    double g_low;
    double g_high;
    *found = m->n_lock > 0 && bracket(m, d, &low, &high, &g_low, &g_high);
    if (!*found) {
        return SB_OK;
    }
    if (low == 0.0) {
        SB_TRY(leave_zero(m, d, method, &low, high, &g_low));
    }
    double theta;
    double slope;
    SB_TRY(root_within(m, d, method, low, high, g_low, g_high, &theta, &slope));

    // real steps: Newton with the slope of the dense output, then the secant through the last two
    const double h_full = d->h_step;
    double h = theta * h_full;
    double h_old = 0.0;
    double g_old = 0.0;
    slope /= h_full;
    const double resolution = 4.0 * DBL_EPSILON * sb_max(fabs(d->t + h), h_full);
    for (int round = 0; round < REAL_ROUNDS; ++round) {
        double g;
        SB_TRY(value_after_step(m, d, method, h, &g));
        if (round > 0 && h != h_old && (g - g_old) / (h - h_old) < 0.0) {
            slope = (g - g_old) / (h - h_old);
        }
        h_old = h;
        g_old = g;
        const double change = slope < 0.0 ? -g / slope : 0.0;
        if (fabs(change) <= resolution) {
            break;
        }
        h = sb_min(sb_max(h + change, 0.0), h_full);
    }
    mark_fired(m, d, slope, 4.0 * resolution);
    return SB_OK;
}
