#include "sb_group.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "adaptive/sb_adaptive.h"
#include "lanes/sb_lanes.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* The driver of a group. In every round the lanes try one step together, and locate the events in it. Lanes whose step
 * is rejected try again; those in which nothing happens go on; in the others (an event, a break of a signal, the end, an
 * extreme to be searched) the single machine goes on from that step, with whatever follows, until lanes can carry it
 * on. */

enum { ASK_EVERY = 64 };

struct sb_group {
    const sb_wide *wide;
    void *memory; /* of the wide equations */
    const sb_model *m;
    int lanes;
    double tolerance;
    sb_lane lane[SB_MOST_LANES];
    sb_watched watched;
    int parts;                                   /* what passes between machines and lanes, whatever happens */
    int *sum_output, *sum_square, *level_output; /* of the measures that are watched, */
    int *sum_measure, *level_measure;            /* and their numbers */
    double *level;
    double *result; /* lanes x outputs */
    double *sums;   /* measures x lanes */
    int *active;
    int changed;                     /* a lane has new states, */
    int pushed;                      /* which come from a single machine */
    int patience;                    /* rounds for which lanes without a run wait for others to end theirs, */
    long steps_ended;                /* after one that took so many steps */
    sb_viewer viewer[SB_MOST_LANES]; /* one for each, so that its machine stays in it */
};

int sb_group_lanes(const sb_model *m, const sb_options *opt, const char *instructions)
{
    const sb_wide *wide = opt->method == SB_DOPRI5 ? NULL : sb_find_wide(m, instructions);
    return wide ? wide->lanes : 1;
}

/* --- what single machines do for lanes --- */

static sb_machine machine_in_lane(void *owner, int lane)
{
    const sb_lane *l = &((sb_group *)owner)->lane[lane];
    return (sb_machine){&l->model, &l->data};
}

/* Where the event functions of a lane at a node go. */
static double *place_of_events(sb_data *d, int node, int n)
{
    return node == SB_POINT_OF_SEARCH ? d->event_value : d->event_node + node * n;
}

static void margins_in_lanes(void *owner, const int *lanes, int node, const double *made, int stride)
{
    sb_group *g = owner;
    const int n = SB_N_EVENT(g->m);
    for (int k = 0; k < g->lanes; ++k) {
        if (lanes[k]) {
            sb_data *d = &g->lane[k].data;
            sb_event_values_of(d, n, made + k, stride, place_of_events(d, node, n));
        }
    }
}

static void events_in_lane(void *owner, int lane, int node, double t, const double *made, int stride,
                           const double *const *board, const double *x)
{
    sb_lane *l = &((sb_group *)owner)->lane[lane];
    const sb_model *m = &l->model;
    sb_data *d = &l->data;
    double *value = place_of_events(d, node, SB_N_EVENT(m));
    for (int i = 0; i < 2 * m->n_lock; ++i) {
        value[i] = made[i * stride];
    }
#define X(name, length) sb_copy(d->name, *board++, length);
    SB_LANE_BOARD(X)
#undef X
    d->t_slips = t;
    sb_event_values_beside(m, d, x, value);
}

/* --- memory --- */

static size_t aligned(size_t bytes)
{
    return (bytes + 63u) / 64u * 64u;
}

size_t sb_group_size(const sb_model *m, int n_measures, const char *instructions)
{
    const sb_wide *wide = sb_find_wide(m, instructions);
    const size_t lanes = (size_t)wide->lanes;
    const size_t measures = (size_t)n_measures;
    return aligned(sizeof(sb_group)) + aligned(sb_wide_size(wide, m)) + lanes * sb_view_size(m) +
           lanes * aligned(sb_data_size(m)) + aligned(lanes * (size_t)m->n_output * sizeof(double)) +
           aligned(lanes * measures * sizeof(double)) + aligned(measures * sizeof(double)) +
           5 * aligned(measures * sizeof(int)) + aligned((size_t)m->n_signal * sizeof(int));
}

/* The next part of a block of memory. */
static void *take(char **next, size_t bytes)
{
    void *part = *next;
    *next += aligned(bytes);
    return part;
}

static void observe_for(sb_group *g, const sb_options *opt, const sb_measure *list, int n)
{
    sb_watched *w = &g->watched;
    w->events = SB_N_EVENT(g->m) > 0;
    w->ledger = opt->ledger;
    w->extremes = opt->extremes;
    w->n_sums = w->n_levels = 0;
    for (int i = 0; i < n; ++i) {
        const int sum = list[i].kind == SB_MEAN_VALUE || list[i].kind == SB_RMS_VALUE;
        const int instant =
            list[i].kind == SB_FIRST_INSTANT || list[i].kind == SB_N_INSTANTS || list[i].kind == SB_PERIOD_OF_INSTANTS;
        if (list[i].of == SB_OF_OUTPUT && sum) {
            g->sum_output[w->n_sums] = list[i].source;
            g->sum_square[w->n_sums] = list[i].kind == SB_RMS_VALUE;
            g->sum_measure[w->n_sums++] = i;
        } else if (list[i].of == SB_OF_OUTPUT && instant) {
            g->level_output[w->n_levels] = list[i].source;
            g->level[w->n_levels] = list[i].level;
            g->level_measure[w->n_levels++] = i;
        }
    }
    g->parts = (w->extremes || w->n_sums || w->n_levels ? SB_PART_SEEN : 0) | (w->ledger ? SB_PART_LEDGER : 0) |
               (g->m->n_motion ? SB_PART_MOTIONS : 0) | (g->m->n_grad ? SB_PART_GRADIENTS : 0);
    w->sum_output = g->sum_output;
    w->sum_square = g->sum_square;
    w->level_output = g->level_output;
    w->level = g->level;
}

sb_group *sb_group_bind(const sb_model *m, const sb_options *opt, const sb_measure *measures, int n_measures,
                        const char *instructions, void *memory)
{
    sb_group *g = memory;
    char *next = (char *)memory + aligned(sizeof *g);
    const size_t n = (size_t)n_measures;
    memset(g, 0, sizeof *g);
    g->m = m;
    g->tolerance = opt->tolerance;
    g->wide = sb_find_wide(m, instructions);
    g->lanes = g->wide->lanes;
    g->memory = take(&next, sb_wide_size(g->wide, m));
    for (int k = 0; k < g->lanes; ++k) {
        g->lane[k].model = *m;
        sb_data_bind(m, &g->lane[k].data, take(&next, sb_data_size(m)));
        g->lane[k].viewer = &g->viewer[k];
        sb_view_bind(m, g->lane[k].viewer, take(&next, sb_view_size(m)));
    }
    g->result = take(&next, (size_t)g->lanes * (size_t)m->n_output * sizeof(double));
    g->sums = take(&next, (size_t)g->lanes * n * sizeof(double));
    g->level = take(&next, n * sizeof(double));
    int **lists[] = {&g->sum_output, &g->sum_square, &g->level_output, &g->sum_measure, &g->level_measure};
    for (int i = 0; i < 5; ++i) {
        *lists[i] = take(&next, n * sizeof(int));
    }
    g->active = take(&next, (size_t)m->n_signal * sizeof(int));
    observe_for(g, opt, measures, n_measures);
    const sb_bridge bridge = {g, machine_in_lane, margins_in_lanes, events_in_lane};
    sb_wide_begin(g->wide, g->memory, m, &bridge);
    return g;
}

sb_lane *sb_group_lane(sb_group *g, int lane)
{
    return &g->lane[lane];
}

/* --- from a single machine to its lane and back --- */

/* Signals stay as they are within a segment, but for those that change in it and are evaluated at every step; where they
 * have event functions or remember, an instant may change any of them. */
static int has_segment(const sb_group *g, const sb_lane *l)
{
    return l->in_segment && l->t_segment == l->data.t_segment && g->m->n_signal_guard == 0 &&
           g->m->n_signal_memory == 0;
}

static void push(sb_group *g, int lane)
{
    sb_lane *l = &g->lane[lane];
    const int segment = has_segment(g, l) ? 0 : SB_PART_SEGMENT;
    const int mass = l->mass_number == l->data.mass_number ? 0 : SB_PART_MASS;
    sb_wide_push(g->wide, g->memory, lane, &l->model, &l->data, SB_PART_STATE | g->parts | segment | mass);
    l->mass_number = l->data.mass_number;
    l->t_segment = l->data.t_segment;
    l->in_segment = 1;
    g->changed = g->pushed = 1;
}

static void pull_parts(sb_group *g, int lane, int parts)
{
    sb_lane *l = &g->lane[lane];
    sb_data *d = &l->data;
    double *end[64];
    int n = 0;
#define X(name, length, part) end[n++] = d->name;
    SB_LANE_END(X)
#undef X
    g->wide->pull(g->memory, lane, SB_PART_STATE | g->parts | parts, end, d->jet);
    for (int i = 0; i < g->watched.n_levels; ++i) {
        l->record.measures->tally[g->level_measure[i]].before = d->node_output[g->level_output[i]];
    }
}

/* All that a single step starts from. */
static void pull(sb_group *g, int lane)
{
    pull_parts(g, lane, SB_PART_START);
    sb_rodas5p.prepare(&g->lane[lane].model, &g->lane[lane].data);
}

/* Whether something is still wanted from within the step. */
static int looks_back(const sb_group *g, int lane)
{
    const sb_record *rec = &g->lane[lane].record;
    return g->watched.extremes || rec->next < rec->n_grid;
}

/* The step that lanes have tried, up to the event in it or to its end. */
static void pull_step(sb_group *g, int lane, double h, int event)
{
    sb_data *d = &g->lane[lane].data;
    const int chooses = !event && sb_method_changes(g->m);
    pull_parts(g, lane, SB_PART_STEP | (looks_back(g, lane) ? SB_PART_DENSE : 0) | (chooses ? SB_PART_METHOD : 0));
    d->h_step = h;
    d->t_slips = d->t + h;
}

/* Whether the lanes can go on with a machine. Signals whose event functions rest on zero are followed alone: their bands
 * change with the state. */
static int fits(const sb_group *g, const sb_lane *l)
{
    const sb_data *d = &l->data;
    int fit = l->driver.method == SB_RODAS5P && sb_runs_in_lanes(g->m, d);
    for (int i = SB_SIGNAL_EVENT(g->m); i < SB_LAW_EVENT(g->m) && fit; ++i) {
        fit = d->resting[i] == 0;
    }
    for (int i = 0; i < g->watched.n_levels && fit && !l->settling; ++i) {
        fit = l->record.measures->tally[g->level_measure[i]].before == d->node_output[g->level_output[i]];
    }
    return fit;
}

/* --- runs --- */

static sb_status begin_measures(sb_lane *l)
{
    l->settling = 0;
    l->options.t_end = l->t_end;
    if (l->record.measures) {
        sb_measures_begin(&l->model, &l->data, l->record.measures);
    }
    return sb_run(&l->model, &l->data, &l->options, &l->driver, &l->record, 0); // beyond a break
}

void sb_group_begin(sb_lane *l, sb_watch watch, double t0, const double *y0, double settle)
{
    sb_data_clear(&l->model, &l->data);
    l->data.watch = watch;
    l->record.viewer = l->viewer;
    l->record.in_lanes = 1;
    l->mass_number = -1;
    l->in_segment = 0;
    sb_measures *measures = l->record.measures;
    l->record.measures = NULL;
    l->t_end = l->options.t_end;
    l->status = sb_model_check(&l->model);
    l->status =
        l->status != SB_OK ? l->status : sb_start(&l->model, &l->data, &l->options, &l->driver, &l->record, t0, y0);
    l->record.measures = measures;
    l->settling = settle > t0;
    if (l->status == SB_OK) {
        l->options.t_end = l->settling ? settle : l->t_end;
        l->status = l->settling ? SB_PAUSED : begin_measures(l);
    }
}

/* One step of the single machine, or the end of the one that lanes have made, unless that is NULL: SB_PAUSED while it
 * goes on. */
static sb_status step_alone(sb_lane *l, long max_steps, const sb_ending *made)
{
    sb_measures *measures = l->record.measures;
    if (l->data.stats.steps >= max_steps) {
        return SB_STEP_LIMIT;
    }
    l->record.n_changes = 0;
    l->record.measures = l->settling ? NULL : measures;
    const sb_status status = made ? sb_run_on(&l->model, &l->data, &l->options, &l->driver, &l->record, *made)
                                  : sb_run(&l->model, &l->data, &l->options, &l->driver, &l->record, 1);
    l->record.measures = measures;
    return status == SB_OK && l->settling ? begin_measures(l) : status;
}

/* What the single machine needs to make the step that begins now. */
static void begin_step(sb_lane *l)
{
    l->before = l->driver;
    l->next_before = l->record.next;
}

/* Lanes that start together meet their events in the same rounds, and search for them together. So where almost every
 * step has one, those that are done wait a little for those that are about to be. */
enum { MOST_PATIENCE = 8 };

static void note_end(sb_group *g, const sb_statistics *s)
{
    const int crowded = 2 * (s->state_events + s->time_events) >= s->steps;
    if (g->patience == 0 && crowded) {
        g->steps_ended = s->steps;
        g->patience = s->steps < 4 * MOST_PATIENCE ? (int)(s->steps / 4) : MOST_PATIENCE;
    }
}

static int waits_for_others(sb_group *g)
{
    int near = 0;
    for (int k = 0; k < g->lanes && g->patience > 0; ++k) {
        const sb_lane *l = &g->lane[k];
        near |= l->active && l->data.stats.steps + g->patience >= g->steps_ended;
    }
    g->patience = near ? g->patience - 1 : 0;
    return near;
}

/* Alone until lanes can go on, or to the end. */
static void carry(sb_group *g, int lane, const sb_owner *owner, sb_status status)
{
    sb_lane *l = &g->lane[lane];
    while (status == SB_PAUSED && !fits(g, l)) {
        status = step_alone(l, owner->max_steps, NULL);
    }
    l->active = status == SB_PAUSED;
    if (l->active) {
        l->driver.unprepared = 0; // lanes are
        push(g, lane);
        begin_step(l);
    } else {
        note_end(g, &l->data.stats);
        owner->done(owner->context, l, status);
    }
}

static void refill(sb_group *g, int lane, const sb_owner *owner)
{
    sb_lane *l = &g->lane[lane];
    while (!l->active && owner->next(owner->context, l)) {
        sb_wide_load(g->wide, g->memory, lane, &l->model);
        carry(g, lane, owner, l->status);
    }
}

/* Signals that change in some of the lanes. */
static void find_active(sb_group *g)
{
    int n = 0;
    int stuck = 0;
    for (int k = 0; k < g->lanes; ++k) {
        stuck |= g->lane[k].active && g->lane[k].data.n_stuck > 0;
    }
    for (int i = 0; i < g->m->n_signal; ++i) {
        int on = 0;
        for (int k = 0; k < g->lanes; ++k) {
            on |= g->lane[k].active && g->lane[k].data.signal_on[i];
        }
        if (on) {
            g->active[n++] = i;
        }
    }
    g->wide->activate(g->memory, n, g->active, stuck);
}

/* Whether no event function can have been negative in the step. */
static int is_quiet(const sb_model *m, const sb_data *d)
{
    const int n = SB_N_EVENT(m);
    for (int i = 0; i < n; ++i) {
        const double *g = d->event_node + i;
        const double f[SB_NODES] = {-g[0], -g[n], -g[2 * n], -g[3 * n]};
        const double spread = fabs(f[1] - f[0]) + fabs(f[2] - f[1]) + fabs(f[3] - f[2]);
        const double highest = sb_max(sb_max(f[0], f[1]), sb_max(f[2], f[3]));
        if (f[1] > 0.0 || f[2] > 0.0 || f[3] > 0.0 || (sb_cubic_turn(f) == 1 && highest + spread >= 0.0)) {
            return 0;
        }
    }
    return 1;
}

/* A round. */
typedef struct trial {
    double h[SB_MOST_LANES], error[SB_MOST_LANES], root[SB_MOST_LANES], share[SB_MOST_LANES], t_new[SB_MOST_LANES];
    int tries[SB_MOST_LANES];  /* lanes that make a step, */
    int counts[SB_MOST_LANES]; /* in which it is accepted, */
    int alone[SB_MOST_LANES];  /* or ended by the single machine, */
    int event[SB_MOST_LANES];  /* on an event, */
    int ready[SB_MOST_LANES];  /* with all that lanes can do of that, */
    int again[SB_MOST_LANES];  /* or made again by it */
} trial;

static int judge(sb_group *g, trial *r)
{
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        sb_lane *l = &g->lane[k];
        r->counts[k] = r->alone[k] = r->event[k] = r->ready[k] = r->again[k] = 0;
        if (!r->tries[k]) {
            continue;
        }
        sb_data *d = &l->data;
        const double share = r->error[k] <= 1.0 ? r->share[k] : 1.0;
        r->counts[k] = sb_judge_step(d, &l->driver, r->h[k], r->error[k], r->root[k], share);
        const double t_stop = sb_min(sb_min(l->options.t_end, d->t_break), d->t_bridge);
        r->t_new[k] = d->t + r->h[k];
        r->alone[k] = r->counts[k] && r->h[k] >= t_stop - d->t;
        any |= r->counts[k];
    }
    return any;
}

/* Lanes with several points of their grids in the step: one after the other, with a view of their instants. */
static void write_long(sb_group *g, const trial *r)
{
    for (int k = 0; k < g->lanes && !g->watched.extremes; ++k) {
        sb_lane *l = &g->lane[k];
        sb_record *rec = &l->record;
        sb_data *d = &l->data;
        const int some = r->counts[k] && !r->alone[k] && rec->next + 1 < rec->n_grid;
        if (some && rec->grid[rec->next + 1] <= r->t_new[k]) {
            g->wide->step_of(g->memory, k, d->x, d->x_new, d->dense);
            d->h_step = r->h[k];
            (void)sb_write_grid(&l->model, d, &l->options, &sb_rodas5p, rec, r->t_new[k]);
        }
    }
}

static int is_due(const sb_group *g, const trial *r, int k)
{
    const sb_record *rec = &g->lane[k].record;
    return r->counts[k] && !r->alone[k] && rec->next < rec->n_grid && rec->grid[rec->next] <= r->t_new[k];
}

/* Outputs on the grid, one point of each lane at a time. */
static void write_grids(sb_group *g, const trial *r)
{
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        any |= is_due(g, r, k);
    }
    if (any) {
        write_long(g, r);
    }
    while (any) {
        double theta[SB_MOST_LANES];
        double t[SB_MOST_LANES];
        int writes[SB_MOST_LANES];
        any = 0;
        for (int k = 0; k < g->lanes; ++k) {
            const sb_lane *l = &g->lane[k];
            const sb_record *rec = &l->record;
            writes[k] = is_due(g, r, k);
            t[k] = writes[k] ? rec->grid[rec->next] : 0.0;
            theta[k] = writes[k] ? sb_min((t[k] - l->data.t) / r->h[k], 1.0) : 1.0;
            any |= writes[k];
        }
        if (!any) {
            return;
        }
        g->wide->outputs(g->memory, &g->watched, writes, theta, t, g->result);
        for (int k = 0; k < g->lanes; ++k) {
            sb_record *rec = &g->lane[k].record;
            for (int i = 0; i < g->m->n_output && writes[k]; ++i) {
                rec->data[(size_t)i * rec->n_grid + rec->next] = g->result[k * g->m->n_output + i];
            }
            rec->next += writes[k] != 0;
            g->lane[k].data.stats.output_evaluations += writes[k] != 0;
        }
    }
}

/* The single machine makes the step again, with what was tried before. */
static void repeat_alone(sb_group *g, int lane, const sb_owner *owner)
{
    sb_lane *l = &g->lane[lane];
    l->driver = l->before;
    l->record.next = l->next_before;
    pull(g, lane);
    carry(g, lane, owner, step_alone(l, owner->max_steps, NULL));
}

/* The single machine goes on from the step that lanes have made. */
static void end_alone(sb_group *g, int lane, const sb_owner *owner, sb_ending how)
{
    sb_lane *l = &g->lane[lane];
    l->record.next = l->next_before;
    carry(g, lane, owner, step_alone(l, owner->max_steps, &how));
}

/* Sizes of the steps. A lane that cannot make one, or may not, shows alone why. */
static void plan(sb_group *g, const sb_owner *owner, const double *runaway, trial *r)
{
    for (int k = 0; k < g->lanes; ++k) {
        sb_lane *l = &g->lane[k];
        const int more = l->data.stats.steps < owner->max_steps;
        r->tries[k] = l->active && more &&
                      sb_plan_step(&l->model, &l->data, &l->options, &l->driver, runaway[k], &r->h[k]) == SB_OK;
        if (l->active && !r->tries[k]) {
            repeat_alone(g, k, owner);
        }
        r->h[k] = r->tries[k] ? r->h[k] : 1.0;
    }
}

/* What the driver of a lane notes of a step that counts. */
static void note_step(sb_group *g, int lane, const trial *r)
{
    sb_lane *l = &g->lane[lane];
    sb_data *d = &l->data;
    const int n = SB_N_EVENT(g->m);
    d->h_step = r->h[lane];
    sb_count_step(d, &l->driver);
    d->t = r->t_new[lane];
    sb_copy(d->event_node, d->event_node + 3 * n, n);
    for (int i = 0; i < g->watched.n_sums && !l->settling; ++i) {
        l->record.measures->tally[g->sum_measure[i]].sum += g->sums[i * g->lanes + lane];
    }
}

static void choose_methods(sb_group *g, const trial *r, int *leaves)
{
    int due[SB_MOST_LANES];
    int any = 0;
    double rate[SB_MOST_LANES];
    memset(leaves, 0, SB_MOST_LANES * sizeof *leaves);
    if (!sb_method_changes(g->m)) {
        return;
    }
    for (int k = 0; k < g->lanes; ++k) {
        sb_lane *l = &g->lane[k];
        due[k] = r->counts[k] && !r->alone[k] && l->options.method == SB_AUTO && sb_method_due(g->m, &l->driver);
        any |= due[k];
    }
    if (any) {
        g->wide->fastest(g->memory, rate);
    }
    for (int k = 0; k < g->lanes; ++k) {
        if (due[k]) {
            sb_method_check(&g->lane[k].driver, r->h[k], rate[k]);
            leaves[k] = g->lane[k].driver.method != SB_RODAS5P;
        }
    }
}

/* What the searches of lanes wait for: places in their steps first, so that real steps are made together. */
static sb_probe next_probe(const sb_group *g, const sb_location *search)
{
    int waits[SB_PROBE_TRACE + 1] = {0};
    for (int k = 0; k < g->lanes; ++k) {
        waits[search[k].probe] = 1;
    }
    return waits[SB_PROBE_WITHIN]  ? SB_PROBE_WITHIN
           : waits[SB_PROBE_STEP]  ? SB_PROBE_STEP
           : waits[SB_PROBE_TRACE] ? SB_PROBE_TRACE
                                   : SB_PROBE_NOTHING;
}

/* A search goes on from what lanes have found; where a step has failed, the single machine makes it again. */
static void take_answer(sb_lane *l, sb_probe kind, int answer, sb_location *s, int *again)
{
    sb_data *d = &l->data;
    s->from_start = 0;
    s->gone = kind == SB_PROBE_TRACE && answer;
    *again = kind == SB_PROBE_STEP && answer;
    if (*again) {
        s->probe = SB_PROBE_NOTHING;
        return;
    }
    d->h_step = kind == SB_PROBE_STEP ? s->at : s->gone ? d->h_step + s->at : d->h_step;
    sb_location_next(&l->model, d, s);
}

/* Event functions where some of the searches want them. */
static void probe(sb_group *g, sb_probe kind, sb_location *search, trial *r)
{
    int asks[SB_MOST_LANES];
    int answer[SB_MOST_LANES] = {0};
    int starts[SB_MOST_LANES];
    double at[SB_MOST_LANES];
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        asks[k] = search[k].probe == kind;
        at[k] = asks[k] ? search[k].at : 0.0;
        starts[k] = asks[k] && search[k].from_start;
        any |= starts[k];
    }
    if (any) {
        g->wide->end_at_start(g->memory, starts);
    }
    if (kind == SB_PROBE_WITHIN) {
        g->wide->within(g->memory, asks, at);
    } else if (kind == SB_PROBE_STEP) {
        g->wide->end_at(g->memory, asks, at, answer);
    } else {
        g->wide->follow_trace(g->memory, asks, at, answer);
    }
    for (int k = 0; k < g->lanes; ++k) {
        if (asks[k]) {
            take_answer(&g->lane[k], kind, answer[k], &search[k], &r->again[k]);
        }
    }
}

/* Searches in the steps of lanes in which an event function may have become negative; whether there are such. */
static int search_steps(sb_group *g, sb_location *search, trial *r)
{
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        sb_lane *l = &g->lane[k];
        search[k].probe = SB_PROBE_NOTHING;
        search[k].found = 0;
        if (!r->counts[k]) {
            continue;
        }
        sb_arm_guards(&l->model, &l->data);
        if (!is_quiet(&l->model, &l->data)) {
            l->data.h_step = r->h[k];
            sb_location_begin(&l->model, &l->data, &search[k]);
        }
    }
    for (sb_probe kind; (kind = next_probe(g, search)) != SB_PROBE_NOTHING; any = 1) {
        probe(g, kind, search, r);
    }
    return any;
}

/* Steps of lanes are shortened to the first event in them; then the board shows their ends again, and if more is watched
 * than events, their nodes are seen again. */
static void locate(sb_group *g, trial *r)
{
    sb_location search[SB_MOST_LANES];
    const int moved = search_steps(g, search, r);
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        r->event[k] = search[k].found && !r->again[k];
        r->alone[k] = (r->alone[k] || r->event[k]) && !r->again[k];
        r->h[k] = r->event[k] ? g->lane[k].data.h_step : r->h[k];
        r->counts[k] = r->counts[k] && !r->again[k];
        any |= r->event[k];
    }
    if (any && (g->watched.ledger || g->watched.extremes)) {
        g->wide->observe(g->memory, &g->watched, r->event);
    } else if (moved) {
        g->wide->see_end(g->memory);
    }
}

/* Ends of steps that single machines go on from, as far as lanes can make them. */
static void make_ready(sb_group *g, trial *r)
{
    int any = 0;
    for (int k = 0; k < g->lanes; ++k) {
        r->ready[k] = r->alone[k] && g->m->n_motion == 0 && !looks_back(g, k);
        any |= r->ready[k];
    }
    if (any) {
        g->wide->make_ready(g->memory, r->ready);
    }
}

static void look(sb_group *g, trial *r)
{
    int flags[SB_MOST_LANES];
    int any = 0;
    g->wide->observe(g->memory, &g->watched, r->counts);
    if (g->watched.events) {
        locate(g, r);
    }
    make_ready(g, r);
    for (int k = 0; k < g->lanes; ++k) {
        if (r->alone[k]) {
            pull_step(g, k, r->h[k], r->event[k]);
        }
    }
    write_grids(g, r);
    if (!g->watched.extremes) {
        return;
    }
    g->wide->look(g->memory, &g->watched, flags, g->sums);
    for (int k = 0; k < g->lanes; ++k) {
        flags[k] = flags[k] && r->counts[k] && !r->alone[k];
        any |= flags[k];
    }
    if (any) {
        g->wide->see_end(g->memory); // the board shows points of the grid
    }
    for (int k = 0; k < g->lanes; ++k) {
        if (flags[k]) {
            pull_step(g, k, r->h[k], 0);
            r->alone[k] = 1;
        }
    }
}

/* Steps that count are made; the others by single machines. */
static void finish(sb_group *g, const sb_owner *owner, trial *r)
{
    int leaves[SB_MOST_LANES];
    int accepted[SB_MOST_LANES];
    double rate[SB_MOST_LANES];
    choose_methods(g, r, leaves);
    for (int k = 0; k < g->lanes; ++k) {
        accepted[k] = r->counts[k] && !r->alone[k];
    }
    g->wide->accept(g->memory, &g->watched, accepted, r->t_new);
    for (int k = 0; k < g->lanes; ++k) {
        if (accepted[k]) {
            note_step(g, k, r);
            begin_step(&g->lane[k]);
        }
        if (accepted[k] && leaves[k]) {
            g->wide->prepare(g->memory, rate);
            pull(g, k);
            sb_dopri5.prepare(&g->lane[k].model, &g->lane[k].data);
            carry(g, k, owner, SB_PAUSED);
        } else if (r->again[k]) {
            repeat_alone(g, k, owner);
        } else if (r->alone[k]) {
            end_alone(g, k, owner, (sb_ending){r->event[k], r->ready[k]});
        }
    }
}

/* Whether the caller wants the runs to end; those in lanes end with its answer. */
static void ask(sb_group *g, const sb_owner *owner)
{
    for (int k = 0; k < g->lanes; ++k) {
        sb_lane *l = &g->lane[k];
        const sb_watch *w = &l->data.watch;
        const sb_status answer = l->active && w->ask ? w->ask(w->context) : SB_OK;
        if (answer != SB_OK) {
            l->active = 0;
            owner->done(owner->context, l, answer);
        }
    }
}

void sb_group_run(sb_group *g, const sb_owner *owner)
{
    double runaway[SB_MOST_LANES] = {0.0};
    trial r;
    for (long round = 0;; ++round) {
        int active = 0;
        const int waits = waits_for_others(g);
        for (int k = 0; k < g->lanes; ++k) {
            if (!waits) {
                refill(g, k, owner);
            }
            active |= g->lane[k].active;
        }
        if (!active) {
            return;
        }
        if (round % ASK_EVERY == ASK_EVERY - 1) {
            ask(g, owner);
        }
        if (g->changed) {
            if (g->pushed) {
                find_active(g);
                g->pushed = 0;
            }
            g->wide->prepare(g->memory, runaway);
            g->changed = 0;
        }
        plan(g, owner, runaway, &r);
        g->wide->step(g->memory, r.h, g->tolerance, r.error, r.root, r.share);
        if (judge(g, &r)) {
            look(g, &r);
            finish(g, owner, &r);
            g->changed = 1;
        }
    }
}
