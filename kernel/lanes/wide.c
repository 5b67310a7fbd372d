/* The equations for SB_LANES machines at once: the files of the equations, compiled with as many doubles for each
 * number, and what leads from single machines to lanes and back. One file, so that nothing of it has a name outside.
 * SB_WIDE names the table that it makes, SB_INSTRUCTIONS what it needs. */

#define SB_HOT static __attribute__((unused))
#define SB_HOT_DATA static
#define SB_ALONE(...)

#include <stdint.h>

#include "lanes/sb_lanes.h"
#include "sb_real.h"

#include "linear/sparse.c"
#include "model/data.c"

#include "signals/evaluate.c"
#include "signals/motions.c"
#include "signals/signal_eval.c"
#include "signals/signal_math.c"

#include "network/friction.c"
#include "network/network.c"
#include "network/source.c"
#include "network/spring.c"
#include "stick/hold.c"
#include "stick/margins.c"

#include "adaptive/error.c"
#include "adaptive/nodes.c"
#include "adaptive/peak.c"
#include "adaptive/rodas5p.c"
#include "adaptive/stiffness.c"

#include "sb_law_math.h"
#include "sb_laws_in_lanes.h"

#define W SB_LANES

/* Leaves the registers as single machines want them. The compiler does so where it sees that they are in use, but not
 * behind a call with a vector among its arguments; then everything after it would run at two thirds of its speed. */
static inline void leave_lanes(void)
{
#if defined(__AVX__) && SB_HAS(__builtin_ia32_vzeroupper)
    __builtin_ia32_vzeroupper();
#endif
}

/* Operations that are written for lanes; the others go lane by lane. */
static const sb_operation in_lanes_step = {.eval = sb_step_eval};
static const sb_operation in_lanes_ramp = {.eval = sb_ramp_eval};
static const sb_operation in_lanes_sine = {.eval = sb_sine_eval};
static const sb_operation in_lanes_piecewise = {.eval = sb_piecewise_eval, .partials = sb_piecewise_partials};
static const sb_operation in_lanes_switch = {.eval = sb_switch_eval, .partials = sb_switch_partials};

static const sb_operation *const IN_LANES[SB_N_SIGNAL_OPS] = {
    [SB_SIGNAL_STEP] = &in_lanes_step,
    [SB_SIGNAL_RAMP] = &in_lanes_ramp,
    [SB_SIGNAL_SINE] = &in_lanes_sine,
    [SB_SIGNAL_RATE] = &sb_op_rate,
    [SB_SIGNAL_SENSOR] = &sb_op_sensor,
    [SB_SIGNAL_SUM] = &sb_op_sum,
    [SB_SIGNAL_PRODUCT] = &sb_op_product,
    [SB_SIGNAL_QUOTIENT] = &sb_op_quotient,
    [SB_SIGNAL_SQRT] = &sb_op_sqrt,
    [SB_SIGNAL_EXP] = &sb_op_exp,
    [SB_SIGNAL_LOG] = &sb_op_log,
    [SB_SIGNAL_SIN] = &sb_op_sin,
    [SB_SIGNAL_COS] = &sb_op_cos,
    [SB_SIGNAL_TANH] = &sb_op_tanh,
    [SB_SIGNAL_ATAN] = &sb_op_atan,
    [SB_SIGNAL_POLYNOMIAL] = &sb_op_polynomial,
    [SB_SIGNAL_PIECEWISE] = &in_lanes_piecewise,
    [SB_SIGNAL_SWITCH] = &in_lanes_switch,
};

SB_HOT const sb_operation *sb_operation_of(int op)
{
    return IN_LANES[op];
}

typedef struct wide_group {
    sb_model m;
    sb_data d;
    sb_bridge bridge;
    const sb_law **law;
    sb_law *single; /* laws that are not written for lanes: their sizes */
    double *row;    /* room for what event functions of one lane look at */
    sb_real *kept;  /* room for the ends of the steps of lanes that keep theirs */
    sb_flag moved;  /* lanes whose F and x' at the start of the step are not known yet */
    int unseen;     /* the end of the step has not been evaluated */
    int other_mass; /* Mass has changed, and its factors have not */
    int others;     /* there are event functions that are not written for lanes */
    int at_ends;    /* the board shows the ends of the steps, and nothing has been evaluated since */
} wide_group;

/* Lane k of n numbers, from or to a row of doubles; -1: all lanes. */
static void scatter(int n, int k, const double *from, sb_real *to)
{
    for (int i = 0; i < n && k >= 0; ++i) {
        to[i][k] = from[i];
    }
    for (int i = 0; i < n && k < 0; ++i) {
        to[i] = SB_R(from[i]);
    }
}

static void scatter_counts(int n, int k, const int *from, sb_count *to)
{
    for (int i = 0; i < n && k >= 0; ++i) {
        to[i][k] = from[i];
    }
    for (int i = 0; i < n && k < 0; ++i) {
        to[i] = (sb_count){0} + from[i];
    }
}

static void gather(int n, int k, const sb_real *from, double *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = from[i][k];
    }
}

/* --- what single machines do for lanes --- */

SB_RARE SB_HOT void sb_signal_each(sb_data *d, const sb_signal_node *s, int node, int order)
{
    const wide_group *g = d->lanes;
    double operands[SB_JET * SB_MOST_OPERANDS];
    double part[SB_MOST_OPERANDS];
    const int with_partials = order > 0 && s->n_col > 0;
    for (int k = 0; k < W; ++k) {
        double jet[SB_JET] = {0.0};
        for (int j = 0; j < s->n_in; ++j) {
            gather(SB_JET, k, s->jets + SB_JET * s->in[j], operands + SB_JET * j);
        }
        gather(SB_JET, k, s->jet, jet);
        sb_lane_signal(&g->bridge, k, node, s->t[k], order, operands, jet, with_partials ? part : NULL);
        scatter(SB_JET, k, jet, s->jet);
        if (with_partials) {
            scatter(s->n_in, k, part, d->part);
        }
    }
}

/* Parameters, speed and states of a law, of one lane. */
static const wide_group *arguments(const sb_data *d, const sb_contact *c, const sb_real *z, int k, double *param,
                                   double *state)
{
    const wide_group *g = d->lanes;
    const int *ptr = g->m.fr_param_ptr + c->number;
    gather(ptr[1] - ptr[0], k, c->param, param);
    gather(c->law->n_state, k, z, state);
    return g;
}

SB_RARE SB_HOT void sb_flow_each(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out)
{
    double param[SB_MOST_LAW_PARAMETERS];
    double state[SB_LAW_MAX];
    double flow[SB_LAW_MAX];
    for (int k = 0; k < W; ++k) {
        const wide_group *g = arguments(d, c, z, k, param, state);
        sb_lane_flow(&g->bridge, k, c->number, param, v[k], state, flow, NULL);
        scatter(1 + c->law->n_state, k, flow, out);
    }
}

SB_RARE SB_HOT void sb_flow_jac_each(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out,
                                     sb_real *jac)
{
    double param[SB_MOST_LAW_PARAMETERS];
    double state[SB_LAW_MAX];
    double flow[SB_LAW_MAX];
    double slopes[SB_LAW_LOCALS];
    for (int k = 0; k < W; ++k) {
        const wide_group *g = arguments(d, c, z, k, param, state);
        sb_lane_flow(&g->bridge, k, c->number, param, v[k], state, flow, slopes);
        scatter(1 + c->law->n_state, k, flow, out);
        scatter(sb_law_locals(c->law), k, slopes, jac);
    }
}

SB_RARE SB_HOT sb_real sb_storage_each(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real *grad)
{
    double param[SB_MOST_LAW_PARAMETERS];
    double state[SB_LAW_MAX];
    double slopes[SB_LAW_MAX];
    sb_real energy = SB_R(0.0);
    for (int k = 0; k < W; ++k) {
        const wide_group *g = arguments(d, c, z, k, param, state);
        energy[k] = sb_lane_storage(&g->bridge, k, c->number, param, state, slopes);
        scatter(c->law->n_state, k, slopes, grad);
    }
    return energy;
}

SB_RARE SB_HOT sb_real sb_breakaway_each(const sb_data *d, const sb_contact *c, const sb_real *z)
{
    double param[SB_MOST_LAW_PARAMETERS];
    double state[SB_LAW_MAX];
    sb_real limit = SB_R(0.0);
    for (int k = 0; k < W; ++k) {
        const wide_group *g = arguments(d, c, z, k, param, state);
        limit[k] = sb_lane_breakaway(&g->bridge, k, c->number, param, state);
    }
    return limit;
}

/* --- memory --- */

static size_t whole(size_t bytes)
{
    const size_t unit = sizeof(sb_real);
    return (bytes + unit - 1) / unit * unit;
}

static void read_sizes(const int *sizes, sb_model *m)
{
    *m = (sb_model){0};
#define X(name) m->name = *sizes++;
    SB_MODEL_SIZES(X)
#undef X
}

static size_t values_size(const sb_model *m)
{
    size_t size = 0;
#define X(type, name, length) size += sizeof(#type) == sizeof("double") ? (size_t)(length) * sizeof(sb_real) : 0;
    SB_MODEL_ARRAYS(X)
#undef X
    return size;
}

static size_t laws_size(const sb_model *m)
{
    return whole((size_t)m->n_friction * (sizeof(sb_law *) + sizeof(sb_law)));
}

static size_t row_size(const sb_model *m)
{
    size_t n = (size_t)SB_N_X(m);
#define X(name, length) n += (size_t)(length);
    SB_LANE_BOARD(X)
#undef X
    return whole(n * sizeof(double));
}

/* The end of a step: unknowns, dense output. */
static size_t end_size(const sb_model *m)
{
    return 4 * (size_t)SB_PADDED(SB_N_X(m)) * sizeof(sb_real);
}

static size_t wide_size(const int *sizes)
{
    sb_model m;
    read_sizes(sizes, &m);
    return whole(sizeof(wide_group)) + laws_size(&m) + row_size(&m) + end_size(&m) + values_size(&m) + sb_data_size(&m);
}

/* A law as the equations see it: in lanes, or by its sizes alone. */
static const sb_law *law_in_lanes(int number, const int *shape, sb_law *single)
{
    if (number >= 0 && sb_laws_in_lanes[number].flow) {
        return &sb_laws_in_lanes[number];
    }
    *single = (sb_law){0};
    single->n_state = shape[0];
    single->n_moving = shape[1];
    single->separate = shape[2] & 1;
    single->lock = (sb_lock_kind)(shape[2] / 8);
    single->family = shape[2] & 2 ? SB_LOCKING : shape[2] & 4 ? SB_BRISTLE : SB_SMOOTH;
    return single;
}

/* A group with its memory behind it, or elsewhere. */
static void bind_group(wide_group *g, char *next, const int *sizes, const void *const *arrays, const int *law,
                       const int (*shape)[3], const sb_bridge *bridge)
{
    sb_model *m = &g->m;
    memset(g, 0, sizeof *g);
    read_sizes(sizes, m);
    g->bridge = *bridge;
    g->law = (void *)next;
    g->single = (void *)(next + (size_t)m->n_friction * sizeof *g->law);
    next += laws_size(m);
    g->row = (void *)next;
    next += row_size(m);
    g->kept = (void *)next;
    next += end_size(m);
    memset(next, 0, values_size(m));
    for (int k = 0; k < m->n_friction; ++k) {
        g->law[k] = law_in_lanes(law[k], shape[k], &g->single[k]);
    }
    m->fr_law = g->law;
#define SB_PLACE_int(name, length) m->name = *arrays++;
#define SB_PLACE_double(name, length)           \
    m->name = (void *)next;                     \
    next += (size_t)(length) * sizeof(sb_real); \
    ++arrays;
#define X(type, name, length) SB_PLACE_##type(name, length)
    SB_MODEL_ARRAYS(X)
#undef X
    sb_data_bind(m, &g->d, next);
    g->d.lanes = g;
    g->others = sb_has_other_events(m);
}

static void wide_begin(void *memory, const int *sizes, const void *const *arrays, const int *law, const int (*shape)[3],
                       const sb_bridge *bridge)
{
    wide_group *g = memory;
    bind_group(g, (char *)memory + whole(sizeof *g), sizes, arrays, law, shape, bridge);
}

static void wide_load(void *memory, int lane, const void *const *arrays)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
#define SB_LOAD_int(name, length) ++arrays;
#define SB_LOAD_double(name, length) scatter(length, lane, *arrays++, (sb_real *)m->name);
#define X(type, name, length) SB_LOAD_##type(name, length)
    SB_MODEL_ARRAYS(X)
#undef X
}

static void wide_push(void *memory, int lane, int parts, const double *const *start, const int *const *modes,
                      const double *numbers)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
#define X(name, length, part) scatter(parts &(part) ? (length) : 0, lane, *start++, d->name);
    SB_LANE_START(X)
#undef X
#define X(name, length, part) scatter_counts(parts &(part) ? (length) : 0, lane, *modes++, d->name);
    SB_LANE_MODES(X)
#undef X
    const int diagonal = numbers[1] != 0.0 ? -1 : 0;
    const int moved = 0;
    scatter_counts(1, lane, &moved, &g->moved);
    d->has_slopes = 0;
    g->other_mass |= (parts & SB_PART_MASS) != 0;
    scatter(1, lane, numbers, &d->t);
    scatter_counts(1, lane, &diagonal, &d->mass_diagonal);
}

static void wide_pull(void *memory, int lane, int parts, double *const *end, double *jet)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
#define X(name, length, part) gather(parts &(part) ? (length) : 0, lane, d->name, *end++);
    SB_LANE_END(X)
#undef X
    for (int i = 0; i < d->n_active && parts & SB_PART_STEP; ++i) {
        const int first = SB_JET * d->signal_active[i];
        gather(SB_JET, lane, d->jet + first, jet + first);
    }
}

/* The solution over the step just made. */
static void wide_step_of(void *memory, int lane, double *x, double *x_new, double *dense)
{
    wide_group *g = memory;
    const int n = SB_PADDED(SB_N_X(&g->m));
    gather(n, lane, g->d.x, x);
    gather(n, lane, g->d.x_new, x_new);
    gather(3 * n, lane, g->d.dense, dense);
}

static void wide_activate(void *memory, int n, const int *nodes, int n_stuck)
{
    wide_group *g = memory;
    g->d.n_active = n;
    g->d.n_stuck = n_stuck;
    g->d.low_jets = sb_signals_have_low_jets(&g->m);
    if (g->other_mass) { // single machines have found it regular
        sb_copy(g->d.mass_lu, g->d.mass, g->m.n_lu);
        (void)sb_lu_factor(&g->m, g->d.mass_lu, g->d.mass_inv);
        g->other_mass = 0;
        leave_lanes();
    }
    for (int i = 0; i < n; ++i) {
        g->d.signal_active[i] = nodes[i];
    }
}

/* --- a step --- */

static sb_real read_lanes(const double *number)
{
    sb_real x;
    memcpy(&x, number, sizeof x);
    return x;
}

static sb_flag read_flags(const int *number)
{
    sb_flag flag;
    for (int k = 0; k < W; ++k) {
        flag[k] = number[k] ? -1 : 0;
    }
    return flag;
}

static void write_lanes(sb_real x, double *number)
{
    memcpy(number, &x, sizeof x);
}

static void write_flags(sb_flag flag, int *number)
{
    for (int k = 0; k < W; ++k) {
        number[k] = flag[k] != 0;
    }
}

static void wide_prepare(void *memory, double *runaway)
{
    wide_group *g = memory;
    sb_data *d = &g->d;
    if (sb_any(g->moved)) {
        (void)sb_rates_before_jacobian(&g->m, d, d->t, d->x, d->rate);
        for (int i = 0; i < SB_N_X(&g->m); ++i) {
            d->rate_start[i] = sb_pick(g->moved, d->rate[i], d->rate_start[i]);
            d->force_start[i] = sb_pick(g->moved, d->force[i], d->force_start[i]);
        }
        g->moved = SB_NEVER;
    }
    sb_rodas5p.prepare(&g->m, &g->d);
    write_lanes(sb_unstable_rate(&g->m, &g->d), runaway);
    leave_lanes();
}

static void wide_fastest(void *memory, double *rate)
{
    wide_group *g = memory;
    write_lanes(sb_fastest_rate(&g->m, &g->d), rate);
    leave_lanes();
}

static void wide_step(void *memory, const double *h, double tolerance, double *error, double *root, double *share)
{
    wide_group *g = memory;
    const sb_flag failed = sb_rodas5p.step(&g->m, &g->d, read_lanes(h));
    const sb_real norm = sb_pick(failed, SB_R((double)INFINITY), sb_step_error(&g->m, &g->d, tolerance));
    write_lanes(norm, error);
    write_lanes(sb_error_root(norm), root);
    write_lanes(sb_share_before_peak(&g->m, &g->d), share);
    leave_lanes();
}

/* Event functions of the lanes that count; those that are not written for lanes each by its own machine. */
static void see_events(wide_group *g, int node, sb_real t, const sb_real *x, const int *lanes)
{
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    for (int k = 0; k < m->n_lock; ++k) {
        if (sb_is_switch(m, k)) {
            sb_switch_margins(m, d, k, d->event_value + 2 * k);
        }
    }
    const double *made = (const double *)d->event_value;
    if (!g->others) {
        g->bridge.margins(g->bridge.owner, lanes, node, made, W);
        return;
    }
    for (int k = 0; k < W; ++k) {
        if (!lanes[k]) {
            continue;
        }
        const double *board[8];
        double *next = g->row;
        int n = 0;
#define X(name, length)               \
    gather(length, k, d->name, next); \
    board[n++] = next;                \
    next += (length);
        SB_LANE_BOARD(X)
#undef X
        gather(SB_N_X(m), k, x, next);
        g->bridge.events(g->bridge.owner, k, node, t[k], made + k, W, board, next);
    }
}

/* --- the search for events --- */

static void wide_within(void *memory, const int *lanes, const double *theta)
{
    wide_group *g = memory;
    sb_data *d = &g->d;
    g->at_ends = 0;
    (void)sb_rates_within(&g->m, d, &sb_rodas5p, read_lanes(theta));
    see_events(g, SB_POINT_OF_SEARCH, d->t_slips, d->x_tmp, lanes);
    leave_lanes();
}

/* A real step in some of the lanes; the others keep their ends. */
static void wide_end_at(void *memory, const int *lanes, const double *h, int *failed)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    const int n = SB_PADDED(SB_N_X(m));
    const sb_flag which = read_flags(lanes);
    sb_real *x_kept = g->kept;
    sb_real *dense_kept = g->kept + n;
    sb_copy(x_kept, d->x_new, n);
    sb_copy(dense_kept, d->dense, 3 * n);
    const sb_flag bad = sb_rodas5p.step(m, d, sb_pick(which, read_lanes(h), d->h_step));
    for (int i = 0; i < n; ++i) {
        d->x_new[i] = sb_pick(which, d->x_new[i], x_kept[i]);
    }
    for (int i = 0; i < 3 * n; ++i) {
        d->dense[i] = sb_pick(which, d->dense[i], dense_kept[i]);
    }
    (void)sb_rates(m, d, d->t + d->h_step, d->x_new, d->rate);
    g->at_ends = 1;
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->rate_new[i] = sb_pick(which, d->rate[i], d->rate_new[i]);
    }
    see_events(g, SB_POINT_OF_SEARCH, d->t_slips, d->x_new, lanes);
    write_flags(sb_and(which, bad), failed);
    leave_lanes();
}

static void wide_follow_trace(void *memory, const int *lanes, const double *dh, int *gone)
{
    wide_group *g = memory;
    sb_data *d = &g->d;
    sb_flag went = SB_NEVER;
    (void)sb_follow_trace(&g->m, d, &sb_rodas5p, read_flags(lanes), read_lanes(dh), &went);
    g->at_ends = sb_any(went);
    write_flags(went, gone);
    see_events(g, SB_POINT_OF_SEARCH, d->t_slips, d->x_new, gone);
    leave_lanes();
}

static void wide_end_at_start(void *memory, const int *lanes)
{
    wide_group *g = memory;
    g->at_ends = 0;
    sb_end_at_start(&g->m, &g->d, read_flags(lanes));
    leave_lanes();
}

/* --- nodes --- */

static void see_node(wide_group *g, const sb_watched *what, int node, const sb_real *x, const sb_real *rate,
                     const int *lanes)
{
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    if (what->events) {
        see_events(g, node, d->t_slips, x, lanes);
    }
    sb_see_node(m, d, what->extremes, what->ledger, node, x, rate);
}

/* Whether an output may have an extreme between the nodes, beyond those so far; else those at the nodes are taken in. */
static sb_flag see_extremes(const sb_model *m, sb_data *d)
{
    const int n = m->n_output;
    const sb_real *f = d->node_output;
    sb_flag turns = SB_NEVER;
    for (int i = 0; i < n; ++i) {
        const sb_real f0 = f[i];
        const sb_real f1 = f[n + i];
        const sb_real f2 = f[2 * n + i];
        const sb_real f3 = f[3 * n + i];
        const sb_real high = sb_max(sb_max(f0, f1), sb_max(f2, f3));
        const sb_real low = sb_min(sb_min(f0, f1), sb_min(f2, f3));
        const sb_real spread = high - low;
        const sb_flag above = high + spread > d->ext_max[i];
        const sb_flag below = low - spread < d->ext_min[i];
        const sb_flag near = sb_and(sb_or(above, below), spread > 0.0);
        if (sb_any(near)) {
            const sb_real rises = sb_cubic_slope(f0, f1, f2, f3);
            const sb_real rises_last = -sb_cubic_slope(f3, f2, f1, f0);
            turns |= near & ((rises > 0.0) ^ (rises_last > 0.0));
        }
    }
    return turns;
}

static void record_extremes(const sb_model *m, sb_data *d, sb_flag counts)
{
    const int n = m->n_output;
    for (int i = 0; i < n; ++i) {
        for (int node = 1; node < SB_NODES; ++node) {
            sb_extremes_record(d, i, counts, d->t + sb_node[node] * d->h_step, d->node_output[node * n + i]);
        }
    }
}

/* Whether an output is on both sides of a level at the nodes, or on it. */
static sb_flag see_levels(const sb_model *m, const sb_data *d, const sb_watched *what)
{
    sb_flag met = SB_NEVER;
    for (int i = 0; i < what->n_levels; ++i) {
        sb_flag above = sb_not(SB_NEVER);
        sb_flag below = sb_not(SB_NEVER);
        for (int node = 0; node < SB_NODES; ++node) {
            const sb_real value = d->node_output[node * m->n_output + what->level_output[i]];
            above &= value > what->level[i];
            below &= value < what->level[i];
        }
        met |= ~(above | below);
    }
    return met;
}

static void see_sums(const sb_model *m, const sb_data *d, const sb_watched *what, double *sums)
{
    for (int i = 0; i < what->n_sums; ++i) {
        sb_real sum = SB_R(0.0);
        for (int node = 0; node < SB_NODES; ++node) {
            const sb_real value = d->node_output[node * m->n_output + what->sum_output[i]];
            sum += sb_node_weight[node] * (what->sum_square[i] ? value * value : value);
        }
        write_lanes(d->h_step * sum, sums + i * W);
    }
}

static void wide_see_end(void *memory)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    if (!g->at_ends) {
        (void)sb_rates_before_jacobian(m, d, d->t + d->h_step, d->x_new, d->rate_new);
    }
    sb_copy(d->force_new, d->force, SB_N_X(m));
    g->at_ends = 0;
    leave_lanes();
}

/* Of the states, their largest sizes. */
static void follow_peaks(const sb_model *m, sb_data *d, sb_flag counts)
{
    for (int i = 0; i < SB_N_Y(m); ++i) {
        d->x_peak[i] = sb_pick(counts, sb_max(d->x_peak[i], sb_abs(d->x_new[i])), d->x_peak[i]);
    }
}

static void wide_make_ready(void *memory, const int *lanes)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    const sb_flag which = read_flags(lanes);
    follow_peaks(m, d, which);
    if (d->n_stuck) {
        sb_copy(d->x_tmp, d->x_new, SB_N_X(m));
        sb_project_stuck(m, d, d->t + d->h_step, d->x_tmp);
        for (int i = 0; i < SB_N_X(m); ++i) {
            d->x_new[i] = sb_pick(which, d->x_tmp[i], d->x_new[i]);
        }
    }
    leave_lanes();
}

static void wide_observe(void *memory, const sb_watched *what, const int *lanes)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    g->at_ends = 0;
    g->unseen = !(what->events || what->ledger || what->extremes);
    if (g->unseen) { // F at the end comes with the Jacobian
        return;
    }
    if (what->ledger) {
        sb_begin_nodes(m, d);
    }
    for (int node = 1; node < SB_NODES - 1; ++node) {
        (void)sb_rates_within(m, d, &sb_rodas5p, SB_R(sb_node[node]));
        see_node(g, what, node, d->x_tmp, d->rate, lanes);
    }
    wide_see_end(g);
    see_node(g, what, SB_NODES - 1, d->x_new, d->rate_new, lanes);
    if (what->ledger) {
        sb_copy(d->power_new, d->power, SB_N_LEDGER(m));
    }
    leave_lanes();
}

static void wide_look(void *memory, const sb_watched *what, int *flags, double *sums)
{
    wide_group *g = memory;
    const sb_flag special = see_extremes(&g->m, &g->d) | see_levels(&g->m, &g->d, what);
    see_sums(&g->m, &g->d, what, sums);
    write_flags(special, flags);
    leave_lanes();
}

static void wide_outputs(void *memory, const sb_watched *what, const int *lanes, const double *theta, const double *t,
                         double *output)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    (void)sb_rates_within(m, d, &sb_rodas5p, read_lanes(theta));
    sb_complete_board(m, d, d->x_tmp, d->rate);
    sb_outputs(m, d, d->x_tmp, d->output, 1);
    for (int k = 0; k < W; ++k) {
        gather(m->n_output, k, d->output, output + k * m->n_output);
    }
    for (int i = 0; i < m->n_output && what->extremes; ++i) {
        sb_extremes_record(d, i, read_flags(lanes), read_lanes(t), d->output[i]);
    }
    leave_lanes();
}

/* The first n numbers, the last of them also in the lanes that are left. One by one: numbers that were stored so a moment
 * ago can be read so at once, but together only when they and all stores before them have left the queue. */
static sb_real read_some(int n, const double *number)
{
    sb_real x;
    for (int k = 0; k < W; ++k) {
        x[k] = number[k < n ? k : n - 1];
    }
    return x;
}

/* Rows of outputs are written a line at a time, in more places than a processor follows by itself: the line of the view
 * after the next is fetched now, so that stores need not wait for memory. It may lie behind the rows, where fetching does
 * nothing. */
enum { AHEAD = 3 };
static void fetch_ahead(const double *row)
{
    __builtin_prefetch((const void *)((uintptr_t)row + (AHEAD * W - 1) * sizeof *row), 1);
}

/* Outputs at the unknowns in d->x_tmp. */
static void show_instants(wide_group *g, sb_real t, const sb_shown *what)
{
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    if (d->n_stuck && m->n_wp > 0) {
        sb_project_stuck(m, d, t, d->x_tmp);
    }
    (void)sb_rates(m, d, t, d->x_tmp, d->rate);
    sb_complete_board(m, d, d->x_tmp, d->rate);
    sb_show_on_board(m, d, d->x_tmp);
    const int n = m->n_output;
    double *row = what->output;
    for (int i = 0; i < n; ++i, row += what->stride) {
        const sb_real value = m->out_scale[i] * d->board[m->out_index[i]];
        write_lanes(value, row);
        fetch_ahead(row);
        if (what->beyond) {
            what->beyond[i] = sb_any(sb_or(value > what->ext_max[i], value < what->ext_min[i]));
        }
    }
}

static void wide_view(void *memory, const sb_shown *what, const double *t, const double *x)
{
    wide_group *g = memory;
    const int n_x = SB_N_X(&g->m);
    for (int k = 0; k < W; ++k) {
        scatter(n_x, k, x + (k < what->n ? k : what->n - 1) * n_x, g->d.x_tmp);
    }
    show_instants(g, read_some(what->n, t), what);
    leave_lanes();
}

/* 0, 1, ... */
static sb_count number_lanes(void)
{
#if W == 8
    return (sb_count){0, 1, 2, 3, 4, 5, 6, 7};
#elif W == 4
    return (sb_count){0, 1, 2, 3};
#else
    return (sb_count){0, 1};
#endif
}

/* Unknowns at places of a step of one machine. */
static void place_in_step(const sb_model *m, const sb_step_shown *step, sb_real theta, sb_real *x)
{
    const int stride = SB_PADDED(SB_N_X(m));
    const double *k1 = step->dense;
    const double *k2 = k1 + stride;
    const double *k3 = k2 + stride;
    const sb_real rest = 1.0 - theta;
    for (int i = 0; i < SB_N_X(m); ++i) {
        x[i] = sb_rodas5p_value(theta, rest, SB_R(step->x[i]), SB_R(step->x_new[i]), SB_R(k1[i]), SB_R(k2[i]),
                                SB_R(k3[i]));
    }
}

static void wide_view_step(void *memory, const sb_shown *what, const sb_step_shown *step, const double *theta,
                           double *power)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    const sb_real place = read_some(what->n, theta);
    const sb_flag at_end = number_lanes() == SB_NODES - 2;
    place_in_step(m, step, place, d->x_tmp);
    for (int i = 0; i < SB_N_X(m) && power; ++i) { // exactly, also the sign of a zero
        d->x_tmp[i] = sb_pick(at_end, SB_R(step->x_new[i]), d->x_tmp[i]);
    }
    show_instants(g, step->t + place * step->h, what);
    if (power) {
        sb_power(m, d, d->x_tmp, d->rate);
        memcpy(power, d->power, (size_t)SB_N_LEDGER(m) * sizeof *d->power);
    }
    leave_lanes();
}

static void wide_accept(void *memory, const sb_watched *what, const int *lanes, const double *t)
{
    wide_group *g = memory;
    const sb_model *m = &g->m;
    sb_data *d = &g->d;
    const sb_flag counts = read_flags(lanes);
    if (what->extremes) {
        record_extremes(m, d, counts);
    }
    for (int i = 0; i < SB_N_LEDGER(m) && what->ledger; ++i) {
        d->ledger[i] = sb_pick(counts, d->ledger[i] + d->h_step * d->work_step[i], d->ledger[i]);
        d->power_start[i] = sb_pick(counts, d->power_new[i], d->power_start[i]);
    }
    follow_peaks(m, d, counts);
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->x_tmp[i] = d->x_new[i];
    }
    for (int i = 0; i < SB_N_X(m) && !g->unseen; ++i) {
        d->rate_start[i] = sb_pick(counts, d->rate_new[i], d->rate_start[i]);
        d->force_start[i] = sb_pick(counts, d->force_new[i], d->force_start[i]);
    }
    g->moved = g->unseen ? counts : SB_NEVER;
    for (int i = 0; i < m->n_output && what->extremes; ++i) {
        d->node_output[i] = sb_pick(counts, d->node_output[(SB_NODES - 1) * m->n_output + i], d->node_output[i]);
    }
    const sb_real t_new = sb_pick(counts, read_lanes(t), d->t);
    if (d->n_stuck) {
        sb_project_stuck(m, d, t_new, d->x_tmp);
    }
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->x[i] = sb_pick(counts, d->x_tmp[i], d->x[i]);
    }
    d->t = t_new;
    leave_lanes();
}

#include "lanes/wide_plants.c"

#ifdef SB_ALSO
static int runs_here(void)
{
    return __builtin_cpu_supports(SB_INSTRUCTIONS) && __builtin_cpu_supports(SB_ALSO);
}
#else
static int runs_here(void)
{
    return 1;
}
#endif

extern const sb_wide SB_WIDE;
const sb_wide SB_WIDE = {.instructions = SB_INSTRUCTIONS,
                         .lanes = W,
                         .runs = runs_here,
                         .size = wide_size,
                         .begin = wide_begin,
                         .load = wide_load,
                         .push = wide_push,
                         .pull = wide_pull,
                         .step_of = wide_step_of,
                         .activate = wide_activate,
                         .prepare = wide_prepare,
                         .fastest = wide_fastest,
                         .step = wide_step,
                         .within = wide_within,
                         .end_at = wide_end_at,
                         .follow_trace = wide_follow_trace,
                         .end_at_start = wide_end_at_start,
                         .see_end = wide_see_end,
                         .make_ready = wide_make_ready,
                         .observe = wide_observe,
                         .outputs = wide_outputs,
                         .look = wide_look,
                         .view = wide_view,
                         .view_step = wide_view_step,
                         .accept = wide_accept,
                         .plants = &plants_in_lanes};
