#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "signals/sb_signals.h"

/* Operations with branches: they kink or jump where an operand passes a threshold. */

/* power: [exponent]. A broken power ends at u = 0. Where that is a corner of something before it, such as a maximum,
 * a step passes it before the event is located: until then the power goes on as an odd function. A base that stays
 * below 0 is outside (branch 1), and the power is not a number. */
static int power_ok(const sb_signal_node *s)
{
    return s->n_data == 1;
}

static int is_broken(const sb_signal_node *s)
{
    return s->p[0] != floor(s->p[0]);
}

static void power_at(const sb_signal_node *s, double u, double *f)
{
    const int beyond = u < 0.0 && is_broken(s) && *s->branch == 0;
    const double base = beyond ? -u : u;
    double factor = beyond ? -1.0 : 1.0;
    for (int k = 0; k < SB_JET; ++k) {
        f[k] = factor == 0.0 ? 0.0 : factor * pow(base, s->p[0] - k);
        factor *= beyond ? k - s->p[0] : s->p[0] - k;
    }
}

static void power_guards(const sb_signal_node *s, double *g)
{
    g[0] = is_broken(s) && *s->branch == 0 ? sb_operand(s, 0)[0] : 1.0;
}

/* Behind a corner the base may be a trace below 0: only what was outside, or begins there, is outside. */
static void power_place(const sb_signal_node *s)
{
    *s->branch = *s->branch != 0 && sb_operand(s, 0)[0] < 0.0;
}

static void power_cross(const sb_signal_node *s, int guard)
{
    (void)guard;
    *s->branch = sb_operand(s, 0)[0] != 0.0; // what follows a corner is 0 behind it
}

SB_SIGNAL_FUNCTION(power)

/* piecewise: [n, knots, (x, y, slope) of the n + 1 branches] */
static int piecewise_ok(const sb_signal_node *s)
{
    const double *p = s->p;
    if (s->n_data < 4 || p[0] < 0.0 || s->n_data != 4 * ((int)p[0] + 1)) {
        return 0;
    }
    for (int i = 1; i < (int)p[0]; ++i) {
        if (!(p[1 + i] > p[i])) {
            return 0;
        }
    }
    return 1;
}

static double knot(const sb_signal_node *s, int i)
{
    return i < 0 ? -INFINITY : i >= (int)s->p[0] ? INFINITY : s->p[1 + i];
}

static void piecewise_guards(const sb_signal_node *s, double *g)
{
    const double u = sb_operand(s, 0)[0];
    g[0] = *s->branch > 0 ? u - knot(s, *s->branch - 1) : 1.0;
    g[1] = *s->branch < (int)s->p[0] ? knot(s, *s->branch) - u : 1.0;
}

/* Lines that meet at the knot. */
static int piecewise_kinks(const sb_signal_node *s, int guard)
{
    const int i = guard ? *s->branch : *s->branch - 1; // the knot, between the lines i and i + 1
    if (i < 0 || i >= (int)s->p[0]) {
        return 1;
    }
    const double *line = s->p + 1 + (int)s->p[0] + 3 * i;
    const double below = line[1] + line[2] * (knot(s, i) - line[0]);
    const double above = line[4] + line[5] * (knot(s, i) - line[3]);
    return fabs(above - below) <= SB_SIGNAL_ROUNDING * (fabs(above) + fabs(below));
}

/* Event functions come in pairs, of the lower and of the upper end of a branch. */
static int rises_in_pairs(const sb_signal_node *s, int guard)
{
    (void)s;
    return guard % 2 == 0;
}

static void piecewise_cross(const sb_signal_node *s, int guard)
{
    const int next = *s->branch + (guard ? 1 : -1);
    *s->branch = next<0 ? 0 : next>(int) s->p[0] ? (int)s->p[0] : next;
}

static void piecewise_place(const sb_signal_node *s)
{
    const double u = sb_operand(s, 0)[0];
    const double high = knot(s, *s->branch); // what rests exactly on a knot belongs to the branch above it
    if (*s->branch < 0 || u == high || sb_outside(s, u, knot(s, *s->branch - 1), high)) {
        *s->branch = sb_count_below((int)s->p[0], s->p + 1, u);
    }
}

/* map: [n, m, x, y, z row by row], bilinear, held outside; branch: (interval of x) * (m + 1) + (interval of y) */
static int map_ok(const sb_signal_node *s)
{
    if (s->n_data < 5 || s->p[0] < 1.0 || s->p[1] < 1.0) {
        return 0;
    }
    const int n = (int)s->p[0];
    const int m = (int)s->p[1];
    if (s->n_data != 2 + n + m + n * m) {
        return 0;
    }
    for (int i = 1; i < n + m; ++i) {
        if (i != n && !(s->p[2 + i] > s->p[1 + i])) {
            return 0;
        }
    }
    return 1;
}

/* One axis of a map: its numbers and the interval that holds (0: below the first, n: above the last). */
typedef struct axis {
    int n, interval;
    const double *x;
    const double *u;
} axis;

static axis map_axis(const sb_signal_node *s, int j)
{
    const int n = (int)s->p[0];
    const int m = (int)s->p[1];
    axis a;
    a.n = j == 0 ? n : m;
    a.x = s->p + 2 + (j == 0 ? 0 : n);
    a.interval = j == 0 ? *s->branch / (m + 1) : *s->branch % (m + 1);
    a.u = sb_operand(s, j);
    return a;
}

/* Left and right index of the cell, and the place between them with its derivatives. */
static void map_place_in_cell(const axis *a, int order, int *left, int *right, double *f)
{
    *left = a->interval > 0 ? a->interval - 1 : 0;
    *right = a->interval < a->n ? a->interval : a->n - 1;
    const double width = a->x[*right] - a->x[*left];
    f[0] = width > 0.0 ? (a->u[0] - a->x[*left]) / width : 0.0;
    for (int k = 1; k <= order; ++k) {
        f[k] = width > 0.0 ? a->u[k] / width : 0.0;
    }
}

typedef struct cell {
    double z, zx, zy, zxy; /* value at the lower corner and its differences */
    double fx[SB_JET], fy[SB_JET];
    double width_x, width_y; /* 0 where the map is held */
} cell;

static cell map_cell(const sb_signal_node *s, int order)
{
    cell c;
    int x0;
    int x1;
    int y0;
    int y1;
    const axis ax = map_axis(s, 0);
    const axis ay = map_axis(s, 1);
    map_place_in_cell(&ax, order, &x0, &x1, c.fx);
    map_place_in_cell(&ay, order, &y0, &y1, c.fy);
    const double *z = s->p + 2 + ax.n + ay.n;
    const double z00 = z[x0 * ay.n + y0];
    const double z10 = z[x1 * ay.n + y0];
    const double z01 = z[x0 * ay.n + y1];
    const double z11 = z[x1 * ay.n + y1];
    c.z = z00;
    c.zx = z10 - z00;
    c.zy = z01 - z00;
    c.zxy = z11 - z10 - z01 + z00;
    c.width_x = ax.x[x1] - ax.x[x0];
    c.width_y = ay.x[y1] - ay.x[y0];
    return c;
}

static void map_eval(const sb_signal_node *s, int order)
{
    const cell c = map_cell(s, order);
    const double *x = c.fx;
    const double *y = c.fy;
    s->jet[0] = c.z + c.zx * x[0] + c.zy * y[0] + c.zxy * x[0] * y[0];
    if (order > 0) {
        s->jet[1] = c.zx * x[1] + c.zy * y[1] + c.zxy * (x[1] * y[0] + x[0] * y[1]);
    }
    if (order > 1) {
        s->jet[2] = c.zx * x[2] + c.zy * y[2] + c.zxy * (x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2]);
        s->jet[3] =
            c.zx * x[3] + c.zy * y[3] + c.zxy * (x[3] * y[0] + 3.0 * x[2] * y[1] + 3.0 * x[1] * y[2] + x[0] * y[3]);
    }
}

static void map_partials(const sb_signal_node *s, double *part)
{
    const cell c = map_cell(s, 0);
    part[0] = c.width_x > 0.0 ? (c.zx + c.zxy * c.fy[0]) / c.width_x : 0.0;
    part[1] = c.width_y > 0.0 ? (c.zy + c.zxy * c.fx[0]) / c.width_y : 0.0;
}

static void map_guards(const sb_signal_node *s, double *g)
{
    for (int j = 0; j < 2; ++j) {
        const axis a = map_axis(s, j);
        g[2 * j] = a.interval > 0 ? a.u[0] - a.x[a.interval - 1] : 1.0;
        g[2 * j + 1] = a.interval < a.n ? a.x[a.interval] - a.u[0] : 1.0;
    }
}

static int map_kinks(const sb_signal_node *s, int guard)
{
    (void)s;
    (void)guard;
    return 1;
}

static void map_cross(const sb_signal_node *s, int guard)
{
    const int stride = guard < 2 ? (int)s->p[1] + 1 : 1;
    const axis a = map_axis(s, guard / 2);
    const int up = guard % 2;
    if (up ? a.interval < a.n : a.interval > 0) {
        *s->branch += up ? stride : -stride;
    }
}

static void map_place(const sb_signal_node *s)
{
    const int fresh = *s->branch < 0;
    *s->branch = fresh ? 0 : *s->branch;
    int interval[2];
    for (int j = 0; j < 2; ++j) {
        const axis a = map_axis(s, j);
        const double low = a.interval > 0 ? a.x[a.interval - 1] : -INFINITY;
        const double high = a.interval < a.n ? a.x[a.interval] : INFINITY;
        interval[j] = fresh || sb_outside(s, a.u[0], low, high) ? sb_count_below(a.n, a.x, a.u[0]) : a.interval;
    }
    *s->branch = interval[0] * ((int)s->p[1] + 1) + interval[1];
}

/* switch: a where the condition, which changes at events only, is above 0.5, else b */
static int switch_ok(const sb_signal_node *s)
{
    return s->n_data == 0;
}

/* relay: [low, high, value below, value above, start]; between low and high it stays where it is */
static int relay_ok(const sb_signal_node *s)
{
    return s->n_data == 5 && s->p[0] <= s->p[1];
}

static void relay_eval(const sb_signal_node *s, int order)
{
    s->jet[0] = s->p[*s->branch ? 3 : 2];
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = 0.0;
    }
}

static void relay_guards(const sb_signal_node *s, double *g)
{
    const double u = sb_operand(s, 0)[0];
    g[0] = *s->branch ? u - s->p[0] : s->p[1] - u;
}

static int relay_rises(const sb_signal_node *s, int guard)
{
    (void)guard;
    return *s->branch;
}

static void relay_cross(const sb_signal_node *s, int guard)
{
    (void)guard;
    *s->branch = !*s->branch;
}

static void relay_place(const sb_signal_node *s)
{
    const double u = sb_operand(s, 0)[0];
    if (*s->branch < 0) {
        *s->branch = s->p[4] > 0.5;
    }
    if (*s->branch ? sb_outside(s, u, s->p[0], INFINITY) : sb_outside(s, u, -INFINITY, s->p[1])) {
        *s->branch = !*s->branch;
    }
}

/* quantise: [step, shift]: step * floor(u/step + shift); the level is its memory */
static int quantise_ok(const sb_signal_node *s)
{
    return s->n_data == 2 && s->p[0] > 0.0;
}

static int quantise_n_memory(const double *p)
{
    (void)p;
    return 1;
}

static void quantise_eval(const sb_signal_node *s, int order)
{
    s->jet[0] = s->p[0] * s->memory[0];
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = 0.0;
    }
}

static double quantise_edge(const sb_signal_node *s, double level)
{
    return (level - s->p[1]) * s->p[0];
}

static void quantise_guards(const sb_signal_node *s, double *g)
{
    const double u = sb_operand(s, 0)[0];
    g[0] = u - quantise_edge(s, s->memory[0]);
    g[1] = quantise_edge(s, s->memory[0] + 1.0) - u;
}

static void quantise_cross(const sb_signal_node *s, int guard)
{
    s->memory[0] += guard ? 1.0 : -1.0;
}

static void quantise_place(const sb_signal_node *s)
{
    const double u = sb_operand(s, 0)[0];
    const double level = s->memory[0];
    if (*s->branch < 0 || sb_outside(s, u, quantise_edge(s, level), quantise_edge(s, level + 1.0))) {
        s->memory[0] = floor(u / s->p[0] + s->p[1]);
        *s->branch = 0;
    }
}

const sb_operation sb_op_piecewise = {.n_in = 1,
                                      .n_guard = 2,
                                      .ok = piecewise_ok,
                                      .eval = sb_piecewise_eval,
                                      .partials = sb_piecewise_partials,
                                      .guards = piecewise_guards,
                                      .kinks = piecewise_kinks,
                                      .rises = rises_in_pairs,
                                      .cross = piecewise_cross,
                                      .place = piecewise_place};
const sb_operation sb_op_map = {.n_in = 2,
                                .n_guard = 4,
                                .ok = map_ok,
                                .eval = map_eval,
                                .partials = map_partials,
                                .guards = map_guards,
                                .kinks = map_kinks,
                                .rises = rises_in_pairs,
                                .cross = map_cross,
                                .place = map_place};
const sb_operation sb_op_switch = {.n_in = 3, .ok = switch_ok, .eval = sb_switch_eval, .partials = sb_switch_partials};
const sb_operation sb_op_relay = {.n_in = 1,
                                  .n_guard = 1,
                                  .ok = relay_ok,
                                  .eval = relay_eval,
                                  .guards = relay_guards,
                                  .rises = relay_rises,
                                  .cross = relay_cross,
                                  .place = relay_place};
const sb_operation sb_op_quantise = {.n_in = 1,
                                     .n_guard = 2,
                                     .n_memory = quantise_n_memory,
                                     .ok = quantise_ok,
                                     .eval = quantise_eval,
                                     .guards = quantise_guards,
                                     .rises = rises_in_pairs,
                                     .cross = quantise_cross,
                                     .place = quantise_place};
const sb_operation sb_op_power = {.n_in = 1,
                                  .n_guard = 1,
                                  .ok = power_ok,
                                  .eval = power_eval,
                                  .partials = power_partials,
                                  .guards = power_guards,
                                  .cross = power_cross,
                                  .place = power_place};
