#include <math.h>
#include <string.h>

#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "signals/sb_signals.h"

/* Location of the first event in a step. The nodes bracket it, the dense output brings it to about the accuracy of
 * its order 4, and a real step from the same start ends near it, so that an event costs no order; the trace of time
 * that is left is gone without a step of the method. Each event function that has become negative is followed
 * separately: another one may stay at zero. */

enum { DENSE_ROUNDS = 60, NEWTON_ROUNDS = 10, REAL_ROUNDS = 60 };
#define NEVER 2.0 /* place in the step of what does not happen in it */
/* Time within which events count as one, and which an event that is due at once may take. */
static double resolution(const sb_data *d)
{
    return SB_INSTANT * sb_max(fabs(d->t + d->h_step), d->h_step);
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
    SB_TRY(sb_lu_status(method->step(m, d, h)));
    SB_TRY(d->watch.answer);
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

static bracket get_bracket(const sb_data *d, int event)
{
    const double *b = d->event_bracket + 4 * event;
    return (bracket){b[0], b[1], b[2], b[3]};
}

static void set_bracket(sb_data *d, int event, const bracket *b)
{
    const double all[4] = {b->low, b->g_low, b->high, b->g_high};
    sb_copy(d->event_bracket + 4 * event, all, 4);
}

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

/* A dip between nodes that are all positive: the cubic shows where to search. */
static sb_status bracket_minimum(const sb_model *m, sb_data *d, const sb_method *method, int event, const double *g,
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
    const int leaving = g[0] <= SB_STARTS_LOW * spread && b->high < sb_node[1];
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
    return bracket_minimum(m, d, method, event, g, b, found);
}

/* A contact that has just broken away starts with slip 0, an operand that has just passed a threshold on it: the
 * return is sought after it has left zero, unless it becomes negative at once. */
static sb_status leave_zero(const sb_model *m, sb_data *d, const sb_method *method, int event, double zero, bracket *b)
{
    static const double PART[] = {SB_PLACES_ABOVE_ZERO};
    for (int round = 0; round < (int)(sizeof PART / sizeof *PART) && b->g_low <= zero; ++round) {
        b->low = PART[round] * b->high;
        SB_TRY(value_within(m, d, method, event, b->low, &b->g_low));
        if (round == 0 && b->g_low < -zero) {
            b->low = 0.0;
            break;
        }
    }
    return SB_OK;
}

/* Where the cubic through the nodes of the step crosses zero within the bracket. */
static double cubic_root(const sb_model *m, const sb_data *d, int event, const bracket *b)
{
    const double *g = d->event_node + event;
    const int n = SB_N_EVENT(m);
    const double f[SB_NODES] = {g[0], g[n], g[2 * n], g[3 * n]};
    double low = b->low;
    double high = b->high;
    for (int round = 0; round < 12; ++round) {
        const double middle = 0.5 * (low + high);
        const int positive = sb_cubic_value(f, middle) > 0.0;
        low = positive ? middle : low;
        high = positive ? high : middle;
    }
    return 0.5 * (low + high);
}

/* Root of one event function on the dense output, by the secant method within a bracket (N. Anderson, A. Bjorck: A new
 * high order method of regula falsi type. BIT 13, 1973): the end of the bracket that stays counts less and less. The
 * cubic through the nodes gives the first point, and every eighth round halves the bracket. Leaves all event functions
 * at the root in d->event_value. */
static sb_status root_within(const sb_model *m, sb_data *d, const sb_method *method, const bracket *from,
                             crossing *root)
{
    bracket b = *from;
    const double zero = b.low == 0.0 ? SB_STARTS_AT_ZERO * fabs(b.g_high) : 0.0;
    if (b.g_low <= zero) {
        SB_TRY(leave_zero(m, d, method, root->event, zero, &b));
    }
    const double width = b.high - b.low;
    double g_old = b.g_high;
    double old = b.high;
    double keep_low = 1.0; // how much the ends count
    double keep_high = 1.0;
    int before = 0;
    root->slope = (b.g_high - b.g_low) / width;
    root->theta = b.g_low > 0.0 ? b.high : b.low;
    for (int round = 0; round < DENSE_ROUNDS && b.high - b.low > SB_DENSE_ERROR * width && b.g_low > 0.0; ++round) {
        const double above = keep_low * b.g_low;
        const double below = keep_high * b.g_high;
        const double theta = round == 0       ? cubic_root(m, d, root->event, &b)
                             : round % 8 == 7 ? 0.5 * (b.low + b.high)
                                              : b.high - below * (b.high - b.low) / (below - above);
        double g;
        SB_TRY(value_within(m, d, method, root->event, theta, &g));
        root->slope = (g - g_old) / (theta - old);
        root->theta = old = theta;
        g_old = g;
        const int side = g < 0.0 ? -1 : 1;
        const double ratio = 1.0 - g / (side < 0 ? b.g_high : b.g_low);
        const double less = side != before ? 0.0 : ratio > 0.0 ? ratio : 0.5;
        keep_low = side < 0 && less > 0.0 ? less * keep_low : 1.0;
        keep_high = side > 0 && less > 0.0 ? less * keep_high : 1.0;
        before = side;
        b = side < 0 ? (bracket){b.low, b.g_low, theta, g} : (bracket){theta, g, b.high, b.g_high};
        if (fabs(g) < SB_DENSE_ERROR * fabs(root->slope) * width) {
            return SB_OK;
        }
    }
    double unused;
    return value_within(m, d, method, root->event, root->theta, &unused);
}

/* From the end of a real step on (or back) by dh, so short that the rate hardly changes: the trapezoidal rule with an
 * explicit guess, whose error is of order dh^3. *gone says whether that was possible; if not, another real step is
 * due.
 */
static sb_status extrapolate_step(const sb_model *m, sb_data *d, const sb_method *method, int event, double dh,
                                  int *gone, double *value)
{
    const int n = SB_N_X(m);
    *gone = 0;
    for (int i = 0; i < n; ++i) {
        d->x_tmp[i] = d->x_new[i] + dh * d->rate_new[i];
    }
    const double t = d->t + d->h_step + dh;
    SB_TRY(sb_rates(m, d, t, d->x_tmp, d->rate));
    for (int i = 0; i < SB_N_Y(m); ++i) {
        const double curve = 0.5 * dh * (d->rate[i] - d->rate_new[i]);
        if (!(fabs(curve) <= SB_TRACE_CURVE * (m->x_nominal[i] + fabs(d->x_new[i])))) {
            return SB_OK;
        }
    }
    for (int i = 0; i < n; ++i) {
        d->x_new[i] += 0.5 * dh * (d->rate_new[i] + d->rate[i]);
    }
    if (d->h_step > 0.0) {
        method->stretch(m, d, (d->h_step + dh) / d->h_step);
    }
    d->h_step += dh;
    SB_TRY(sb_rates(m, d, t, d->x_new, d->rate_new));
    sb_event_values(m, d, d->x_new, d->event_value);
    *value = d->event_value[event];
    *gone = 1;
    return SB_OK;
}

/* The end of the step is its start. */
static void keep_start(const sb_model *m, sb_data *d)
{
    const int n = SB_N_X(m);
    sb_copy(d->x_new, d->x, n);
    sb_copy(d->rate_new, d->rate_start, n);
    memset(d->dense, 0, 3 * (size_t)SB_PADDED(n) * sizeof *d->dense);
    d->h_step = 0.0;
}

/* Real steps that end on the crossing: Newton with the slope of the dense output, then secants; near it, traces of time
 * without a step. A real step may find the crossing elsewhere than the dense output (a step over a narrow peak of
 * friction), so what it finds brackets it. */
static sb_status step_onto(const sb_model *m, sb_data *d, const sb_method *method, const crossing *root)
{
    const double h_full = d->h_step;
    const double least = resolution(d);
    const int at_once = root->theta <= SB_AT_ONCE;
    const int ends_negative = d->event_node[(SB_NODES - 1) * SB_N_EVENT(m) + root->event] < 0.0;
    double low = 0.0;
    double high = ends_negative ? h_full : INFINITY;
    double slope = root->slope / h_full;
    double h = at_once ? least : sb_max(root->theta * h_full, least);
    double h_old = 0.0;
    double g_old = 0.0;
    int trusted = 1; // traces without a step
    if (at_once) {
        keep_start(m, d);
    }
    for (int round = 0; round < REAL_ROUNDS; ++round) {
        double g = 0.0;
        int gone = 0;
        if (trusted && (round > 0 || at_once) && fabs(h - d->h_step) <= sb_max(SB_TRACE * d->h_step, least)) {
            SB_TRY(extrapolate_step(m, d, method, root->event, h - d->h_step, &gone, &g));
            // far below the tolerance, ends of steps do not follow the rates
            trusted = gone && (round == 0 || fabs(g) <= 0.5 * fabs(g_old));
        }
        if (!gone || !trusted) {
            SB_TRY(value_after_step(m, d, method, root->event, h, &g));
        }
        const double secant = (g - g_old) / (h - h_old);
        // a function that jumps by its own rounding has no slope there
        slope = round > 0 && secant < 0.0 && secant > SB_STEEPEST_SECANT * slope ? secant : slope;
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

/* Another function that becomes negative in this step: its value at the first crossing shows whether it crosses
 * before, with it or later. Only if it does before, its own root is sought, and becomes the first one. */
static sb_status compare(const sb_model *m, sb_data *d, const sb_method *method, int event, crossing *first)
{
    const double g = d->event_first[event];
    bracket b = get_bracket(d, event);
    if (first->theta > b.low && first->theta < b.high) {
        b = g > 0.0 ? (bracket){first->theta, g, b.high, b.g_high} : (bracket){b.low, b.g_low, first->theta, g};
    }
    const double line = b.low + (b.high - b.low) * sb_max(b.g_low, 0.0) / (sb_max(b.g_low, 0.0) - b.g_high);
    d->event_theta[event] = b.g_high < 0.0 ? line : b.high;
    if (b.low >= first->theta || first->theta - d->event_theta[event] <= SB_DENSE_ERROR) {
        return SB_OK;
    }
    crossing root = {event, 0.0, 0.0};
    SB_TRY(root_within(m, d, method, &b, &root));
    d->event_theta[event] = root.theta;
    if (root.theta < first->theta) {
        *first = root;
        sb_copy(d->event_first, d->event_value, SB_N_EVENT(m));
    }
    return SB_OK;
}

/* All that become negative in this step, with a guess where; returns the first by these guesses, or -1. */
static sb_status find_candidates(const sb_model *m, sb_data *d, const sb_method *method, int *first)
{
    *first = -1;
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        bracket b = {0};
        int negative;
        SB_TRY(find_bracket(m, d, method, i, &b, &negative));
        d->event_theta[i] = NEVER;
        if (negative) {
            set_bracket(d, i, &b);
            d->event_theta[i] = b.g_low > 0.0 ? cubic_root(m, d, i, &b) : b.low;
            *first = *first < 0 || d->event_theta[i] < d->event_theta[*first] ? i : *first;
        }
    }
    return SB_OK;
}

void sb_arm_guards(const sb_model *m, sb_data *d)
{
    const int n = SB_N_EVENT(m);
    for (int i = 0; i < n; ++i) {
        double highest = -INFINITY;
        for (int node = 1; node < SB_NODES && d->resting[i]; ++node) {
            highest = sb_max(highest, d->event_node[node * n + i]);
        }
        if (d->resting[i] && d->kink[i] != SB_SOFT_KINK && highest > SB_ARMED * d->event_band[i]) {
            d->resting[i] = 0;
            for (int node = 0; node < SB_NODES; ++node) {
                d->event_node[node * n + i] -= d->event_band[i];
            }
        }
    }
}

sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found)
{
    const int n = SB_N_EVENT(m);
    sb_arm_guards(m, d);
    const double h_full = d->h_step;
    const double *theta = d->event_theta;
    crossing first = {-1, NEVER, 0.0};
    SB_TRY(find_candidates(m, d, method, &first.event));
    *found = first.event >= 0;
    if (!*found) {
        return SB_OK;
    }
    const bracket start = get_bracket(d, first.event);
    SB_TRY(root_within(m, d, method, &start, &first));
    sb_copy(d->event_first, d->event_value, n);
    const int guess = first.event;
    for (int i = 0; i < n; ++i) {
        if (i != guess && theta[i] < NEVER) {
            SB_TRY(compare(m, d, method, i, &first));
        }
    }

    // the earliest one, and those that have become negative by then or will within the resolution of time
    SB_TRY(step_onto(m, d, method, &first));
    for (int i = 0; i < n; ++i) {
        const bracket b = get_bracket(d, i);
        const double slope = (b.g_low - b.g_high) / ((b.high - b.low) * h_full);
        const double reach = sb_max(slope * sb_time_band(d), d->event_band[i]);
        d->fired[i] = i == first.event || (theta[i] < NEVER && d->event_value[i] <= reach);
    }
    return SB_OK;
}
