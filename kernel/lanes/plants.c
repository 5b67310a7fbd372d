#include "sb_plants.h"

#include <string.h>

#include "fixed/sb_step.h"
#include "lanes/sb_lanes.h"
#include "model/sb_base.h"
#include "sb_kernel.h"

/* The driver of plants in lanes. A plant is in its lane while nothing but ordinary tasks happens. A segment of its
 * signals is begun by the single plant, which then only needs the unknowns; a task in which something rare happens is
 * made by the single plant from its start. */

struct sb_plants {
    const sb_wide *wide; /* or NULL: one by one */
    void *memory;
    sb_fixed_options opt;
    int lanes;
    int64_t tasks; /* of the lanes */
    int n_in;      /* plants in lanes, unless these have changed */
    int breaks;    /* of a signal are met in the next task */
    int filled;    /* there are values in all lanes */
    int n_alone;   /* active plants that are not in lanes */
    int touched;   /* inputs have changed */
    int changed;   /* lanes have new segments */
    int *nodes, *curves;
    sb_plant plant[SB_MOST_LANES];
};

/* --- which machines --- */

static const sb_wide *find_wide_plants(const sb_model *m, const sb_fixed_options *opt, const char *instructions)
{
    const int known = opt->method == SB_RESOLVENT && opt->substeps == 1 && !opt->ledger && m->n_signal_guard == 0;
    return known ? sb_find_wide(m, instructions) : NULL;
}

static int law_fits(const sb_law *law, int locks)
{
    const int one_by_one = law < sb_laws || law >= sb_laws + sb_n_laws || law->advance || law->n_guard > 0;
    return !one_by_one && (locks || law->n_state < 1 + law->linear);
}

/* Whether lanes know all elements of a plant that has been started, each alone in its island. */
static int elements_fit(const sb_model *m, const sb_fixed *f)
{
    int fit = !f->sparse && f->n_shared == 0 && !f->courses && !f->stops;
    for (int k = 0; k < m->n_friction && fit; ++k) {
        const int facts = f->el_facts[k];
        const int locks = facts & SB_FACT_LOCKS;
        const int rare = SB_FACT_STOPS | SB_FACT_LOSES | SB_FACT_HYBRID | SB_FACT_GIVEN | (locks ? SB_FACT_VARIES : 0);
        fit = !(facts & rare) && law_fits(sb_law_of(m, k), locks);
    }
    return fit;
}

int sb_plants_lanes(const sb_model *m, const sb_fixed_options *opt, const char *instructions)
{
    const sb_wide *wide = find_wide_plants(m, opt, instructions);
    return wide ? wide->lanes : 1;
}

/* --- memory --- */

static size_t aligned(size_t bytes)
{
    return (bytes + 63u) / 64u * 64u;
}

size_t sb_plants_size(const sb_model *m, const sb_fixed_options *opt, const char *instructions)
{
    const sb_wide *wide = find_wide_plants(m, opt, instructions);
    const size_t lanes = wide ? (size_t)wide->lanes : 1;
    return aligned(sizeof(sb_plants)) + lanes * (aligned(sb_data_size(m)) + aligned(sb_fixed_size(m))) +
           2 * aligned((size_t)m->n_signal * sizeof(int)) + (wide ? aligned(sb_wide_plants_size(wide, m)) : 0);
}

static sb_machine machine_of(void *owner, int lane)
{
    const sb_plant *p = &((sb_plants *)owner)->plant[lane];
    return (sb_machine){&p->model, &p->data};
}

static void *take(char **next, size_t bytes)
{
    void *part = *next;
    *next += aligned(bytes);
    return part;
}

sb_plants *sb_plants_bind(const sb_model *m, const sb_fixed_options *opt, const char *instructions, void *memory)
{
    sb_plants *g = memory;
    char *next = (char *)memory + aligned(sizeof *g);
    memset(g, 0, sizeof *g);
    g->opt = *opt;
    g->wide = find_wide_plants(m, opt, instructions);
    g->lanes = g->wide ? g->wide->lanes : 1;
    for (int k = 0; k < g->lanes; ++k) {
        g->plant[k].model = *m;
        sb_data_bind(m, &g->plant[k].data, take(&next, sb_data_size(m)));
        sb_fixed_bind(m, &g->plant[k].fixed, take(&next, sb_fixed_size(m)));
    }
    g->nodes = take(&next, (size_t)m->n_signal * sizeof(int));
    g->curves = take(&next, (size_t)m->n_signal * sizeof(int));
    if (g->wide) {
        const sb_bridge bridge = {g, machine_of, NULL, NULL};
        g->memory = take(&next, sb_wide_plants_size(g->wide, m));
        sb_wide_plants_begin(g->wide, g->memory, m, &bridge);
    }
    return g;
}

sb_plant *sb_plants_plant(sb_plants *g, int number)
{
    return &g->plant[number];
}

/* --- from a single plant to its lane and back --- */

static sb_slice_lists lists_of(const sb_slices *s)
{
    return (sb_slice_lists){s->n, s->end, s->row, s->col};
}

static int shape_fits(const sb_plants *g, const sb_plant *p)
{
    const sb_fixed *f = &p->fixed;
    sb_plant_shape shape = {f->h, f->opt.h, f->n_island, f->plain, f->varies, {0}, {{0}}};
    int n = 0;
#define X(name, length) shape.lists[n++] = f->name;
    SB_FIXED_LISTS(X)
#undef X
    n = 0;
#define X(name, rows, entries, longest) shape.slices[n++] = lists_of(&f->name);
    SB_FIXED_SLICES(X)
#undef X
    return g->wide->plants->shape(g->memory, &shape);
}

static sb_segment_of_lane segment_of(const sb_data *d)
{
    sb_segment_of_lane s = {{0}, d->t_segment, d->t_break, d->signal_branch, d->signal_on, d->line_is};
    int n = 0;
#define X(name, length) s.numbers[n++] = d->name;
    SB_PLANT_SEGMENT(X)
#undef X
    return s;
}

/* The values of all plants that have been started. */
static void load_plants(sb_plants *g)
{
    for (int k = 0; k < g->lanes; ++k) {
        if (g->plant[k].fits) {
            sb_wide_load(g->wide, g->memory, k, &g->plant[k].model);
        }
    }
}

static void push(sb_plants *g, int k)
{
    sb_plant *p = &g->plant[k];
    const sb_data *d = &p->data;
    const sb_fixed *f = &p->fixed;
    sb_plant_in_lane lane = {{0}, {0}, (double)f->count, f->t0, sb_fixed_time(f), segment_of(d)};
    int n = 0;
#define X(part, name, length) lane.numbers[n++] = part->name;
    SB_PLANT_STATE(X)
    SB_PLANT_START(X)
#undef X
#define X(name, length) lane.numbers[n++] = f->name;
    SB_FIXED_DOUBLES(X)
#undef X
#define X(name, rows, entries, longest) lane.numbers[n++] = f->name.val;
    SB_FIXED_SLICES(X)
#undef X
    n = 0;
#define X(part, name, length) lane.counts[n++] = part->name;
    SB_PLANT_MODES(X)
#undef X
    if (!g->filled) { // lanes without a plant compute, too: as the first one, so that they need nothing else
        sb_wide_load(g->wide, g->memory, -1, &p->model);
        g->wide->plants->push(g->memory, -1, &lane);
        load_plants(g);
        g->filled = 1;
    }
    g->wide->plants->push(g->memory, k, &lane);
    p->in_lanes = 1;
    p->entered = g->tasks;
    g->changed = 1;
}

/* Tasks that a plant has done. */
static int64_t tasks_of(const sb_plants *g, const sb_plant *p)
{
    return p->fixed.count + (p->in_lanes ? g->tasks - p->entered : 0);
}

/* The clock of the single plant goes on to that of its lane. */
static void count_tasks(const sb_plants *g, sb_plant *p)
{
    p->fixed.count = tasks_of(g, p);
    p->entered = g->tasks;
    p->data.t = sb_fixed_time(&p->fixed);
}

static void pull(sb_plants *g, int k)
{
    sb_plant *p = &g->plant[k];
    sb_data *d = &p->data;
    sb_fixed *f = &p->fixed;
    double *numbers[32];
    int *counts[8];
    int n = 0;
#define X(part, name, length) numbers[n++] = part->name;
    SB_PLANT_STATE(X)
#undef X
    n = 0;
#define X(part, name, length) counts[n++] = part->name;
    SB_PLANT_MODES(X)
#undef X
    g->wide->plants->pull(g->memory, k, numbers, counts, &f->hidden);
    count_tasks(g, p);
    p->seen = 0;
}

static void leave(sb_plants *g, int k)
{
    pull(g, k);
    g->plant[k].in_lanes = 0;
    g->changed = 1;
}

/* --- tasks --- */

void sb_plants_start(sb_plants *g, int k, double t0, const double *y0)
{
    sb_plant *p = &g->plant[k];
    sb_data_clear(&p->model, &p->data);
    sb_fixed_bind(&p->model, &p->fixed, p->fixed.step_lu); // its first array
    p->data.watch = p->watch;
    p->in_lanes = p->seen = 0;
    p->active = 1;
    p->status = sb_fixed_start(&p->model, &p->data, &p->fixed, &g->opt, t0, y0);
    g->touched = g->changed = 1;
    p->fits = g->wide && p->status == SB_OK && elements_fit(&p->model, &p->fixed);
    if (p->fits) {
        sb_wide_load(g->wide, g->memory, k, &p->model);
    }
}

void sb_plants_stop(sb_plants *g, int k)
{
    g->plant[k].active = g->plant[k].in_lanes = 0;
    g->touched = g->changed = 1;
}

void sb_plants_input(sb_plants *g, int k, int memory, double value)
{
    double *kept = g->plant[k].data.signal_memory + memory;
    if (*kept != value) {
        *kept = value;
        g->plant[k].fixed.stale = 1;
        g->touched = 1;
    }
}

/* A new segment of the signals of a plant in its lane, begun by the single one. */
static void begin_segment(sb_plants *g, int k)
{
    sb_plant *p = &g->plant[k];
    int jumped = 0;
    g->wide->plants->unknowns(g->memory, k, p->data.x);
    count_tasks(g, p);
    (void)sb_step_breaks(&p->model, &p->data, &p->fixed, p->data.t + 0.5 * p->fixed.h, &jumped); // it has no delays
    const sb_segment_of_lane segment = segment_of(&p->data);
    g->wide->plants->segment(g->memory, k, &segment);
    g->changed = 1;
}

static void step_alone(sb_plant *p)
{
    p->status = sb_fixed_step(&p->model, &p->data, &p->fixed);
    p->seen = 0;
}

/* Whether a single plant goes into its lane with this task. Its first factors, and breaks at which prescribed motions
 * may jump, are left to it. */
static int can_enter(const sb_plants *g, const sb_plant *p)
{
    const sb_fixed *f = &p->fixed;
    const int breaks = f->stale || p->data.t_break <= sb_fixed_time(f) + 0.5 * f->h;
    return p->fits && f->factored && !(breaks && p->model.n_motion > 0) && shape_fits(g, p);
}

/* Plants that go into their lanes, and out of them; the others make their task alone. */
static void sort_plants(sb_plants *g)
{
    g->n_alone = 0;
    g->touched = 0;
    for (int k = 0; k < g->lanes; ++k) {
        sb_plant *p = &g->plant[k];
        if (!p->active || p->status != SB_OK) {
            continue;
        }
        if (p->in_lanes && p->fixed.stale && p->model.n_motion > 0) {
            leave(g, k);
        }
        if (!p->in_lanes && can_enter(g, p)) {
            push(g, k);
        } else if (!p->in_lanes) {
            step_alone(p);
            ++g->n_alone;
        }
        if (p->in_lanes && p->fixed.stale) {
            begin_segment(g, k);
        }
    }
}

/* Which lanes have plants, and what changes in them. */
static void find_active(sb_plants *g)
{
    const int n_signal = g->plant[0].model.n_signal;
    int lanes[SB_MOST_LANES];
    int n = 0;
    g->n_in = 0;
    for (int k = 0; k < g->lanes; ++k) {
        lanes[k] = g->plant[k].in_lanes;
        g->n_in += lanes[k];
    }
    for (int i = 0; i < n_signal; ++i) {
        int on = 0;
        int curve = 0;
        for (int k = 0; k < g->lanes; ++k) {
            const sb_data *d = &g->plant[k].data;
            const int here = g->plant[k].in_lanes && d->signal_on[i];
            on |= here;
            curve |= here && !d->line_is[i];
        }
        g->curves[n] = curve;
        g->nodes[n] = i;
        n += on;
    }
    g->wide->plants->activate(g->memory, lanes, n, g->nodes, g->curves);
    g->changed = 0;
    g->breaks = 1;
}

/* Breaks of signals at this task. */
static void pass_breaks(sb_plants *g)
{
    int breaks[SB_MOST_LANES];
    if (!g->wide->plants->breaks(g->memory, breaks)) {
        return;
    }
    for (int k = 0; k < g->lanes; ++k) {
        if (breaks[k] && g->plant[k].model.n_motion > 0) {
            leave(g, k);
            step_alone(&g->plant[k]);
            g->touched = 1;
        } else if (breaks[k]) {
            begin_segment(g, k);
        }
    }
}

/* One task in lanes; a plant in which something rare happens makes it alone. */
static void step_lanes(sb_plants *g)
{
    int alone[SB_MOST_LANES];
    if (g->breaks) {
        pass_breaks(g);
    }
    if (g->changed) {
        find_active(g);
    }
    const int found = g->wide->plants->attempt(g->memory, alone);
    g->breaks = found == SB_TASK_BREAKS;
    if (found == SB_TASK_ALONE) {
        for (int k = 0; k < g->lanes; ++k) {
            if (alone[k]) {
                g->wide->plants->undo(g->memory, k);
                leave(g, k);
                step_alone(&g->plant[k]);
                g->touched = 1;
            }
        }
        g->breaks = g->wide->plants->accept(g->memory);
    }
    ++g->tasks;
}

void sb_plants_step(sb_plants *g)
{
    if (g->touched || g->n_alone > 0) {
        sort_plants(g);
    }
    if (g->changed && g->wide) {
        find_active(g);
    }
    if (g->n_in > 0) {
        step_lanes(g);
    }
}

/* --- results --- */

double sb_plants_time(const sb_plants *g, int k)
{
    const sb_plant *p = &g->plant[k];
    return p->fixed.t0 + (double)tasks_of(g, p) * p->fixed.opt.h;
}

const sb_plant *sb_plants_look(sb_plants *g, int k)
{
    if (g->plant[k].in_lanes) {
        pull(g, k);
    }
    return &g->plant[k];
}

/* Where an output is after every task: among the unknowns, torques or slips; or -1. */
static int place_of_output(const sb_plant *p, int output)
{
    const sb_model *m = &p->model;
    const sb_data *d = &p->data;
    const sb_pick pick = sb_pick_output(m, output);
    const double *at = sb_pick_place(m, d, &pick);
    if (!at) {
        return -1;
    }
    if (at >= d->x && at < d->x + SB_N_X(m)) {
        return SB_PLACE_LISTS * (int)(at - d->x) + SB_PLACE_X;
    }
    const int is_torque = at >= d->tau && at < d->tau + SB_N_BRANCH(m);
    return SB_PLACE_LISTS * (int)(at - (is_torque ? d->tau : d->slip)) + (is_torque ? SB_PLACE_TAU : SB_PLACE_SLIP);
}

int sb_plants_places(const sb_plants *g, int n_outputs, const int *outputs, int *places)
{
    int there = 1;
    for (int i = 0; i < n_outputs; ++i) {
        places[i] = place_of_output(&g->plant[0], outputs[i]);
        there &= places[i] >= 0;
    }
    return there;
}

static double at_place(const sb_data *d, int place)
{
    const double *const lists[] = {d->x, d->tau, d->slip};
    return lists[place % SB_PLACE_LISTS][place / SB_PLACE_LISTS];
}

static void outputs_alone(sb_plant *p, const sb_chosen *chosen, double *out, int stride)
{
    const sb_model *m = &p->model;
    sb_data *d = &p->data;
    if (!chosen->places && !p->seen) {
        sb_fixed_board(m, d, &p->fixed);
        sb_outputs(m, d, d->x, d->output, 1);
        p->seen = 1;
    }
    for (int i = 0; i < chosen->n; ++i) {
        const int number = chosen->outputs[i];
        out[i * stride] = chosen->places ? m->out_scale[number] * at_place(d, chosen->places[i]) : d->output[number];
    }
}

void sb_plants_outputs(sb_plants *g, int n, const sb_chosen *chosen, double *out, int stride)
{
    const int all = g->n_in == n && !g->changed;
    int any = all;
    for (int k = 0; k < n && !all; ++k) {
        any |= g->plant[k].in_lanes;
    }
    if (any && chosen->places) {
        g->wide->plants->places(g->memory, chosen->n, chosen->outputs, chosen->places, out, stride, n);
    } else if (any) {
        g->wide->plants->outputs(g->memory, chosen->n, chosen->outputs, out, stride, n);
    }
    for (int k = 0; k < n && !all; ++k) {
        if (g->plant[k].active && !g->plant[k].in_lanes) {
            outputs_alone(&g->plant[k], chosen, out + k, stride);
        }
    }
}
