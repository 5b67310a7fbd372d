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
 * separately: another one may stay at zero.
 *
 * The search decides, others evaluate: it names the next point (sb_probe) and goes on from the event functions there
 * (d->event_value). So one machine, and several side by side, are searched by the same code. */

enum { DENSE_ROUNDS = 60, NEWTON_ROUNDS = 10, REAL_ROUNDS = 60, LOW_ROUNDS = 2 };
#define NEVER 2.0 /* place in the step of what does not happen in it */
/* Time within which events count as one, and which an event that is due at once may take. */
static double resolution(const sb_data *d)
{
    return SB_INSTANT * sb_max(fabs(d->t + d->h_step), d->h_step);
}

typedef sb_event_bracket bracket;
typedef sb_location location;

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

static void ask_within(location *s, sb_search_stage stage, double theta)
{
    s->stage = stage;
    s->probe = SB_PROBE_WITHIN;
    s->at = theta;
}

/* --- candidates --- */

/* A dip between nodes that are all positive: the cubic shows where to search; -1: there is none. */
static double place_of_dip(const double *g)
{
    const double f[SB_NODES] = {-g[0], -g[1], -g[2], -g[3]};
    const double spread = fabs(g[1] - g[0]) + fabs(g[2] - g[1]) + fabs(g[3] - g[2]);
    double height = 0.0;
    if (sb_cubic_turn(f) != 1) {
        return -1.0;
    }
    const double place = sb_cubic_peak(f, &height);
    // right after a release the slip leaves zero without a slope: what the cubic sees there is its own error
    const int leaving = g[0] <= SB_STARTS_LOW * spread && place < sb_node[1];
    return place <= 0.0 || leaving || height < -5.0 * SB_CUBIC_ERROR * spread ? -1.0 : place;
}

static void get_nodes(const sb_model *m, const sb_data *d, int event, double *g)
{
    for (int node = 0; node < SB_NODES; ++node) {
        g[node] = d->event_node[node * SB_N_EVENT(m) + event];
    }
}

/* The first node at which an event function is negative, or 0. */
static int negative_node(const double *g)
{
    for (int node = 1; node < SB_NODES; ++node) {
        if (g[node] < 0.0) {
            return node;
        }
    }
    return 0;
}

/* Where the cubic through the nodes of the step crosses zero within the bracket. */
static double cubic_root(const sb_model *m, const sb_data *d, int event, const bracket *b)
{
    double f[SB_NODES];
    get_nodes(m, d, event, f);
    return sb_cubic_root(f, b->low, b->high);
}

/* One that becomes negative in this step, with a guess where. */
static void note_candidate(const sb_model *m, sb_data *d, location *s)
{
    const int i = s->event;
    set_bracket(d, i, &s->b);
    d->event_theta[i] = s->b.g_low > 0.0 ? cubic_root(m, d, i, &s->b) : s->b.low;
    s->first.event = s->first.event < 0 || d->event_theta[i] < d->event_theta[s->first.event] ? i : s->first.event;
}

static void begin_root(const sb_model *m, sb_data *d, location *s, const bracket *from);

/* All that become negative in this step; after them, the root of the first by these guesses. */
static void next_candidate(const sb_model *m, sb_data *d, location *s)
{
    for (++s->event; s->event < SB_N_EVENT(m); ++s->event) {
        double g[SB_NODES];
        get_nodes(m, d, s->event, g);
        d->event_theta[s->event] = NEVER;
        const int node = negative_node(g);
        if (node > 0) {
            s->b = (bracket){sb_node[node - 1], g[node - 1], sb_node[node], g[node]};
            note_candidate(m, d, s);
            continue;
        }
        const double dip = place_of_dip(g);
        if (dip > 0.0) {
            s->b.high = dip;
            s->width = 0.1;
            s->round = 0;
            ask_within(s, SB_SEARCH_LOWEST, dip);
            return;
        }
    }
    s->found = s->first.event >= 0;
    s->probe = SB_PROBE_NOTHING;
    if (s->found) {
        const bracket b = get_bracket(d, s->first.event);
        s->guess = s->root.event = s->first.event;
        s->guessed = 1;
        begin_root(m, d, s, &b);
    }
}

/* The lowest point near a dip is known as well as it will be. */
static void end_dip(const sb_model *m, sb_data *d, location *s)
{
    double g[SB_NODES];
    get_nodes(m, d, s->event, g);
    for (int node = 0; node < SB_NODES && sb_node[node] < s->b.high; ++node) {
        s->b.low = sb_node[node];
        s->b.g_low = g[node];
    }
    if (s->b.g_high < 0.0) {
        note_candidate(m, d, s);
    }
    next_candidate(m, d, s);
}

/* Minimum of an event function, by two parabolas; ends early on a negative value. */
static void seek_lowest(const sb_model *m, sb_data *d, location *s)
{
    const double value = d->event_value[s->event];
    const double centre = sb_min(sb_max(s->b.high, s->width), 1.0 - s->width);
    switch (s->stage) {
    case SB_SEARCH_LOWEST:
        s->b.g_high = value;
        if (s->round++ == LOW_ROUNDS || !(value >= 0.0)) {
            end_dip(m, d, s);
        } else {
            ask_within(s, SB_SEARCH_LEFT, centre - s->width);
        }
        return;
    case SB_SEARCH_LEFT:
        s->left = value;
        ask_within(s, SB_SEARCH_MIDDLE, centre);
        return;
    case SB_SEARCH_MIDDLE:
        s->middle = value;
        ask_within(s, SB_SEARCH_RIGHT, centre + s->width);
        return;
    default:
        break;
    }
    const double curvature = s->left - 2.0 * s->middle + value;
    const double vertex = centre - 0.5 * s->width * (value - s->left) / curvature;
    if (!(curvature > 0.0) || !(vertex > 0.0 && vertex < 1.0)) {
        end_dip(m, d, s);
        return;
    }
    s->b.high = vertex;
    s->width *= 0.1;
    ask_within(s, SB_SEARCH_LOWEST, vertex);
}

/* --- the root of one event function on the dense output --- */

static const double PART[] = {SB_PLACES_ABOVE_ZERO};
enum { N_PARTS = (int)(sizeof PART / sizeof *PART) };

static double guess_root(const sb_model *m, const sb_data *d, const location *s)
{
    const int event = s->root.event;
    return s->guessed ? d->event_theta[event] : cubic_root(m, d, event, &s->b);
}

/* The next point of the secant method within a bracket (N. Anderson, A. Bjorck: A new high order method of regula falsi
 * type. BIT 13, 1973): the end of the bracket that stays counts less and less. The cubic through the nodes gives the
 * first point, and every eighth round halves the bracket. */
static void ask_secant(const sb_model *m, sb_data *d, location *s)
{
    const bracket *b = &s->b;
    if (s->round >= DENSE_ROUNDS || !(b->high - b->low > SB_DENSE_ERROR * s->width) || !(b->g_low > 0.0)) {
        ask_within(s, SB_SEARCH_ROOT, s->root.theta);
        return;
    }
    const double above = s->keep_low * b->g_low;
    const double below = s->keep_high * b->g_high;
    const double theta = s->round == 0       ? guess_root(m, d, s)
                         : s->round % 8 == 7 ? 0.5 * (b->low + b->high)
                                             : b->high - below * (b->high - b->low) / (below - above);
    ask_within(s, SB_SEARCH_SECANT, theta);
}

static void begin_secant(const sb_model *m, sb_data *d, location *s)
{
    const bracket *b = &s->b;
    s->width = b->high - b->low;
    s->g_old = b->g_high;
    s->old = b->high;
    s->keep_low = s->keep_high = 1.0; // how much the ends count
    s->side = s->round = 0;
    s->root.slope = (b->g_high - b->g_low) / s->width;
    s->root.theta = b->g_low > 0.0 ? b->high : b->low;
    ask_secant(m, d, s);
}

/* A contact that has just broken away starts with slip 0, an operand that has just passed a threshold on it: the
 * return is sought after it has left zero, unless it becomes negative at once. */
static void ask_above_zero(const sb_model *m, sb_data *d, location *s)
{
    if (s->round < N_PARTS && s->b.g_low <= s->zero) {
        s->b.low = PART[s->round] * s->b.high;
        ask_within(s, SB_SEARCH_ABOVE_ZERO, s->b.low);
    } else {
        begin_secant(m, d, s);
    }
}

static void leave_zero(const sb_model *m, sb_data *d, location *s)
{
    s->b.g_low = d->event_value[s->root.event];
    s->guessed = 0;
    if (s->round++ == 0 && s->b.g_low < -s->zero) {
        s->b.low = 0.0;
        begin_secant(m, d, s);
    } else {
        ask_above_zero(m, d, s);
    }
}

/* The root of s->root.event; leaves all event functions there in d->event_value. */
static void begin_root(const sb_model *m, sb_data *d, location *s, const bracket *from)
{
    s->b = *from;
    s->zero = s->b.low == 0.0 ? SB_STARTS_AT_ZERO * fabs(s->b.g_high) : 0.0;
    s->round = 0;
    ask_above_zero(m, d, s);
}

static void end_root(const sb_model *m, sb_data *d, location *s);

static void take_secant(const sb_model *m, sb_data *d, location *s)
{
    const bracket b = s->b;
    const double theta = s->at;
    const double g = d->event_value[s->root.event];
    s->root.slope = (g - s->g_old) / (theta - s->old);
    s->root.theta = s->old = theta;
    s->g_old = g;
    const int side = g < 0.0 ? -1 : 1;
    const double ratio = 1.0 - g / (side < 0 ? b.g_high : b.g_low);
    const double less = side != s->side ? 0.0 : ratio > 0.0 ? ratio : 0.5;
    s->keep_low = side < 0 && less > 0.0 ? less * s->keep_low : 1.0;
    s->keep_high = side > 0 && less > 0.0 ? less * s->keep_high : 1.0;
    s->side = side;
    s->b = side < 0 ? (bracket){b.low, b.g_low, theta, g} : (bracket){theta, g, b.high, b.g_high};
    ++s->round;
    if (fabs(g) < SB_DENSE_ERROR * fabs(s->root.slope) * s->width) {
        end_root(m, d, s);
    } else {
        ask_secant(m, d, s);
    }
}

/* --- real steps onto it --- */

/* The end of the step at the size s->h: by a trace of time from where it is, or by a real step. */
static void ask_end(const sb_data *d, location *s)
{
    const double dh = s->h - d->h_step;
    const int near = fabs(dh) <= sb_max(SB_TRACE * d->h_step, s->least);
    s->stage = SB_SEARCH_END;
    s->probe = s->trusted && (s->round > 0 || s->at_once) && near ? SB_PROBE_TRACE : SB_PROBE_STEP;
    s->at = s->probe == SB_PROBE_TRACE ? dh : s->h;
}

/* Real steps that end on the crossing: Newton with the slope of the dense output, then secants; near it, traces of time
 * without a step. A real step may find the crossing elsewhere than the dense output (a step over a narrow peak of
 * friction), so what it finds brackets it. */
static void begin_end(const sb_model *m, sb_data *d, location *s)
{
    const int ends_negative = d->event_node[(SB_NODES - 1) * SB_N_EVENT(m) + s->first.event] < 0.0;
    s->h_full = d->h_step;
    s->least = resolution(d);
    s->at_once = s->from_start = s->first.theta <= SB_AT_ONCE;
    s->low = 0.0;
    s->high = ends_negative ? s->h_full : INFINITY;
    s->slope = s->first.slope / s->h_full;
    s->h = s->at_once ? s->least : sb_max(s->first.theta * s->h_full, s->least);
    s->h_old = s->g_old = 0.0;
    s->trusted = 1; // traces without a step
    s->round = 0;
    if (s->from_start) {
        d->h_step = 0.0;
    }
    ask_end(d, s);
}

/* The earliest one, and those that have become negative by then or will within the resolution of time. */
static void mark_fired(const sb_model *m, sb_data *d, location *s)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        const bracket b = get_bracket(d, i);
        const double slope = (b.g_low - b.g_high) / ((b.high - b.low) * s->h_full);
        const double reach = sb_max(slope * sb_time_band(d), d->event_band[i]);
        d->fired[i] = i == s->first.event || (d->event_theta[i] < NEVER && d->event_value[i] <= reach);
    }
    s->probe = SB_PROBE_NOTHING;
}

static void take_end(const sb_model *m, sb_data *d, location *s)
{
    const double g = d->event_value[s->first.event];
    if (s->probe == SB_PROBE_TRACE) {
        // far below the tolerance, ends of steps do not follow the rates
        s->trusted = s->gone && (s->round == 0 || fabs(g) <= 0.5 * fabs(s->g_old));
        if (!s->trusted) {
            s->probe = SB_PROBE_STEP;
            s->at = s->h;
            return;
        }
    }
    const double secant = (g - s->g_old) / (s->h - s->h_old);
    // a function that jumps by its own rounding has no slope there
    s->slope = s->round > 0 && secant < 0.0 && secant > SB_STEEPEST_SECANT * s->slope ? secant : s->slope;
    s->h_old = s->h;
    s->g_old = g;
    s->low = g < 0.0 ? s->low : s->h;
    s->high = g < 0.0 ? s->h : s->high;
    s->h = s->slope < 0.0 ? sb_min(sb_max(s->h - g / s->slope, s->least), s->h_full) : s->h;
    const int outside = s->h <= s->low || s->h >= s->high || s->round > NEWTON_ROUNDS;
    if (isfinite(s->high) && outside && fabs(s->h - s->h_old) > s->least) {
        s->h = sb_max(0.5 * (s->low + s->high), s->least);
    }
    if (fabs(s->h - s->h_old) <= s->least || ++s->round >= REAL_ROUNDS) {
        mark_fired(m, d, s);
    } else {
        ask_end(d, s);
    }
}

/* --- the first of several --- */

/* Another function that becomes negative in this step: its value at the first crossing shows whether it crosses
 * before, with it or later. Only if it does before, its own root is sought, and becomes the first one. Whether it
 * is. */
static int may_be_first(sb_data *d, location *s, bracket *b)
{
    const double theta = s->first.theta;
    const double g = d->event_first[s->event];
    *b = get_bracket(d, s->event);
    if (theta > b->low && theta < b->high) {
        *b = g > 0.0 ? (bracket){theta, g, b->high, b->g_high} : (bracket){b->low, b->g_low, theta, g};
    }
    const double line = b->low + (b->high - b->low) * sb_max(b->g_low, 0.0) / (sb_max(b->g_low, 0.0) - b->g_high);
    d->event_theta[s->event] = b->g_high < 0.0 ? line : b->high;
    return b->low < theta && theta - d->event_theta[s->event] > SB_DENSE_ERROR;
}

static void next_other(const sb_model *m, sb_data *d, location *s)
{
    for (++s->event; s->event < SB_N_EVENT(m); ++s->event) {
        bracket b;
        if (s->event != s->guess && d->event_theta[s->event] < NEVER && may_be_first(d, s, &b)) {
            s->root.event = s->event;
            s->guessed = 0;
            begin_root(m, d, s, &b);
            return;
        }
    }
    begin_end(m, d, s);
}

static void end_root(const sb_model *m, sb_data *d, location *s)
{
    const int other = s->root.event != s->guess;
    if (other) {
        d->event_theta[s->event] = s->root.theta;
    } else {
        s->event = -1;
    }
    if (!other || s->root.theta < s->first.theta) {
        s->first = s->root;
        sb_copy(d->event_first, d->event_value, SB_N_EVENT(m));
    }
    next_other(m, d, s);
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

void sb_location_begin(const sb_model *m, sb_data *d, sb_location *s)
{
    memset(s, 0, sizeof *s);
    s->event = s->first.event = -1;
    s->first.theta = NEVER;
    next_candidate(m, d, s);
}

void sb_location_next(const sb_model *m, sb_data *d, sb_location *s)
{
    switch (s->stage) {
    case SB_SEARCH_LOWEST:
    case SB_SEARCH_LEFT:
    case SB_SEARCH_MIDDLE:
    case SB_SEARCH_RIGHT:
        seek_lowest(m, d, s);
        break;
    case SB_SEARCH_ABOVE_ZERO:
        leave_zero(m, d, s);
        break;
    case SB_SEARCH_SECANT:
        take_secant(m, d, s);
        break;
    case SB_SEARCH_ROOT:
        end_root(m, d, s);
        break;
    case SB_SEARCH_END:
        take_end(m, d, s);
        break;
    }
}

/* --- one machine --- */

static sb_status evaluate_within(const sb_model *m, sb_data *d, const sb_method *method, double theta)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    sb_event_values(m, d, d->x_tmp, d->event_value);
    return SB_OK;
}

static sb_status evaluate_after_step(const sb_model *m, sb_data *d, const sb_method *method, double h)
{
    const int failed = method->step(m, d, h);
    SB_TRY(d->watch.answer); // a step that is interrupted fails, too
    SB_TRY(sb_lu_status(failed));
    if (!method->rate_at_end) {
        SB_TRY(sb_rates(m, d, d->t + h, d->x_new, d->rate_new));
    }
    sb_event_values(m, d, d->x_new, d->event_value);
    return SB_OK;
}

static sb_status evaluate_after_trace(const sb_model *m, sb_data *d, const sb_method *method, double dh, int *gone)
{
    SB_TRY(sb_follow_trace(m, d, method, 1, dh, gone));
    if (*gone) {
        sb_event_values(m, d, d->x_new, d->event_value);
    }
    return SB_OK;
}

static sb_status evaluate(const sb_model *m, sb_data *d, const sb_method *method, sb_location *s)
{
    if (s->from_start) {
        sb_end_at_start(m, d, 1);
        s->from_start = 0;
    }
    switch (s->probe) {
    case SB_PROBE_WITHIN:
        return evaluate_within(m, d, method, s->at);
    case SB_PROBE_STEP:
        return evaluate_after_step(m, d, method, s->at);
    case SB_PROBE_TRACE:
        return evaluate_after_trace(m, d, method, s->at, &s->gone);
    case SB_PROBE_NOTHING:
        break;
    }
    return SB_OK;
}

sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found)
{
    sb_location s;
    sb_arm_guards(m, d);
    for (sb_location_begin(m, d, &s); s.probe != SB_PROBE_NOTHING; sb_location_next(m, d, &s)) {
        SB_TRY(evaluate(m, d, method, &s));
    }
    *found = s.found;
    return SB_OK;
}
