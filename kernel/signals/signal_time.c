#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "signals/sb_signals.h"

/* Functions of time. */

static const double TWO_PI = 6.283185307179586;

static void set_jet(double *jet, double value, double first, double second, double third)
{
    jet[0] = value;
    jet[1] = first;
    jet[2] = second;
    jet[3] = third;
}

static double never(const sb_signal_node *s)
{
    (void)s;
    return INFINITY;
}

static int only(const double *p, double t)
{
    (void)p;
    (void)t;
    return 0;
}

/* constant: [value] */
static int constant_ok(const sb_signal_node *s)
{
    return s->n_data == 1;
}

static void constant_eval(const sb_signal_node *s, int order)
{
    (void)order;
    set_jet(s->jet, s->p[0], 0.0, 0.0, 0.0);
}

/* step: [height, start, offset] */
static int step_ok(const sb_signal_node *s)
{
    return s->n_data == 3;
}

static int step_branch(const double *p, double t)
{
    return t >= p[1];
}

static double step_next_break(const sb_signal_node *s)
{
    return s->t < s->p[1] ? s->p[1] : INFINITY;
}

/* ramp: [height, duration, start, offset]; branches before, during, after */
static int ramp_ok(const sb_signal_node *s)
{
    return s->n_data == 4 && s->p[1] > 0.0;
}

static int ramp_branch(const double *p, double t)
{
    return (t >= p[2]) + (t >= p[2] + p[1]);
}

static double ramp_next_break(const sb_signal_node *s)
{
    const double *p = s->p;
    return s->t < p[2] ? p[2] : s->t < p[2] + p[1] ? p[2] + p[1] : INFINITY;
}

/* sine: [amplitude, omega, phase, offset, start]; offset alone before the start */
static int sine_ok(const sb_signal_node *s)
{
    return s->n_data == 5;
}

static int sine_branch(const double *p, double t)
{
    return t >= p[4];
}

static double sine_next_break(const sb_signal_node *s)
{
    return s->t < s->p[4] ? s->p[4] : INFINITY;
}

/* A step with its four nodes covers at most an eighth of a period, also while nothing moves. */
static double sine_pace(const double *p)
{
    return p[1] > 0.0 ? TWO_PI / (8.0 * p[1]) : INFINITY;
}

/* table: [n, times, values], linear between, held outside; branch = number of times not after t */
static int table_ok(const sb_signal_node *s)
{
    const double *p = s->p;
    if (s->n_data < 3 || p[0] < 1.0 || 1 + 2 * (int)p[0] != s->n_data) {
        return 0;
    }
    for (int i = 1; i < (int)p[0]; ++i) {
        if (!(p[i + 1] > p[i])) {
            return 0;
        }
    }
    return 1;
}

static int table_branch(const double *p, double t)
{
    return sb_count_below((int)p[0], p + 1, t);
}

static double table_next_break(const sb_signal_node *s)
{
    const int branch = table_branch(s->p, s->t);
    return branch < (int)s->p[0] ? s->p[1 + branch] : INFINITY;
}

static void table_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const int n = (int)s->p[0];
    const int branch = *s->branch;
    const double *time = s->p + 1;
    const double *value = s->p + 1 + n;
    if (branch == 0 || branch == n) {
        set_jet(s->jet, branch ? value[n - 1] : value[0], 0.0, 0.0, 0.0);
        return;
    }
    const double slope = (value[branch] - value[branch - 1]) / (time[branch] - time[branch - 1]);
    set_jet(s->jet, value[branch - 1] + slope * (s->t - time[branch - 1]), slope, 0.0, 0.0);
}

/* hold: [n, times, values], constant from each time on; the first value before */
static void hold_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const int n = (int)s->p[0];
    const int last = *s->branch > 0 ? *s->branch - 1 : 0;
    set_jet(s->jet, s->p[1 + n + last], 0.0, 0.0, 0.0);
}

/* chirp: [amplitude, f0, f1, duration, phase, offset, start, log]; branches before, during, after the sweep */
static int chirp_ok(const sb_signal_node *s)
{
    const double *p = s->p;
    return s->n_data == 8 && p[3] > 0.0 && p[1] >= 0.0 && p[2] >= 0.0 && (p[7] == 0.0 || (p[1] > 0.0 && p[2] > 0.0));
}

static int chirp_branch(const double *p, double t)
{
    return (t >= p[6]) + (t >= p[6] + p[3]);
}

static double chirp_next_break(const sb_signal_node *s)
{
    const double *p = s->p;
    return s->t < p[6] ? p[6] : s->t < p[6] + p[3] ? p[6] + p[3] : INFINITY;
}

/* Angle since the start and its first three derivatives. */
static void chirp_angle(const double *p, double since, int swept, double *angle)
{
    const double ratio = log(p[2] / p[1]) / p[3];
    if (p[7] == 0.0 || p[1] == p[2]) {
        const double slope = (p[2] - p[1]) / p[3];
        const double tau = swept ? p[3] : since;
        set_jet(angle, p[1] * tau + 0.5 * slope * tau * tau, p[1] + slope * tau, swept ? 0.0 : slope, 0.0);
    } else {
        const double tau = swept ? p[3] : since;
        const double f = p[1] * exp(ratio * tau);
        set_jet(angle, (f - p[1]) / ratio, f, swept ? 0.0 : ratio * f, swept ? 0.0 : ratio * ratio * f);
    }
    angle[0] += swept ? p[2] * (since - p[3]) : 0.0;
    angle[1] = swept ? p[2] : angle[1];
}

static void chirp_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const double *p = s->p;
    if (*s->branch == 0) {
        set_jet(s->jet, p[5], 0.0, 0.0, 0.0);
        return;
    }
    double a[SB_JET];
    chirp_angle(p, s->t - p[6], *s->branch == 2, a);
    for (int k = 0; k < SB_JET; ++k) {
        a[k] *= TWO_PI;
    }
    const double sine = p[0] * sin(a[0] + p[4]);
    const double cosine = p[0] * cos(a[0] + p[4]);
    const double f[SB_JET] = {sine, cosine, -sine, -cosine};
    sb_chain(f, a, SB_JET - 1, s->jet);
    s->jet[0] += p[5];
}

static double chirp_pace(const double *p)
{
    const double fastest = sb_max(p[1], p[2]);
    return fastest > 0.0 ? 1.0 / (8.0 * fastest) : INFINITY;
}

/* pulse: [height, period, width, start, offset, count]; branches: 2 k + 1 within pulse k, even between pulses */
static int pulse_ok(const sb_signal_node *s)
{
    const double *p = s->p;
    return s->n_data == 6 && p[1] > 0.0 && p[2] >= 0.0 && p[2] <= p[1] && p[5] >= 0.0;
}

/* The last edge not after t: its number (0 is the start), found from a guess because of rounding. */
static double pulse_edge(const double *p, double edge)
{
    const double period = floor(0.5 * edge);
    return p[3] + period * p[1] + (edge > 2.0 * period ? p[2] : 0.0);
}

static double pulse_last(const double *p, double t)
{
    const double end = p[5] > 0.0 ? 2.0 * p[5] - 1.0 : SB_MOST_EDGES;
    double edge = sb_min(2.0 * floor((t - p[3]) / p[1]) + 2.0, end);
    while (edge >= 0.0 && pulse_edge(p, edge) > t) {
        edge -= 1.0;
    }
    return edge;
}

static int pulse_branch(const double *p, double t)
{
    const double edge = t < p[3] ? -1.0 : pulse_last(p, t);
    return edge >= 0.0 && fmod(edge, 2.0) == 0.0;
}

static double pulse_next_break(const sb_signal_node *s)
{
    const double *p = s->p;
    if (s->t < p[3]) {
        return p[3];
    }
    double edge = pulse_last(p, s->t) + 1.0;
    if (pulse_edge(p, edge) <= s->t) {
        edge += 1.0;
    }
    return p[5] > 0.0 && edge > 2.0 * p[5] - 1.0 ? INFINITY : pulse_edge(p, edge);
}

static void pulse_eval(const sb_signal_node *s, int order)
{
    (void)order;
    set_jet(s->jet, s->p[4] + (*s->branch ? s->p[0] : 0.0), 0.0, 0.0, 0.0);
}

const sb_operation sb_op_constant = {.ok = constant_ok, .branch = only, .next_break = never, .eval = constant_eval};
const sb_operation sb_op_step = {
    .ok = step_ok, .branch = step_branch, .next_break = step_next_break, .eval = sb_step_eval};
const sb_operation sb_op_ramp = {
    .ok = ramp_ok, .branch = ramp_branch, .next_break = ramp_next_break, .eval = sb_ramp_eval};
const sb_operation sb_op_sine = {
    .ok = sine_ok, .branch = sine_branch, .next_break = sine_next_break, .pace = sine_pace, .eval = sb_sine_eval};
const sb_operation sb_op_table = {
    .ok = table_ok, .branch = table_branch, .next_break = table_next_break, .eval = table_eval};
const sb_operation sb_op_hold = {
    .ok = table_ok, .branch = table_branch, .next_break = table_next_break, .eval = hold_eval};
const sb_operation sb_op_chirp = {
    .ok = chirp_ok, .branch = chirp_branch, .next_break = chirp_next_break, .pace = chirp_pace, .eval = chirp_eval};
const sb_operation sb_op_pulse = {
    .ok = pulse_ok, .branch = pulse_branch, .next_break = pulse_next_break, .eval = pulse_eval};
