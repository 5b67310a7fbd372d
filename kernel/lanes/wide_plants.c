/* Fixed steps of SB_LANES plants at once; a part of wide.c. */

#include "fixed/couple_one.c"
#include "fixed/free_motion.c"
#include "fixed/propagate.c"
#include "fixed/resolvent.c"
#include "fixed/resolvent_curve.c"
#include "fixed/resolvent_lock.c"
#include "fixed/step_end.c"
#include "fixed/work_space.c"

#include "lanes/wide_small.c"

typedef struct wide_plants {
    wide_group g; /* first: what its functions work on */
    sb_fixed f;
    sb_flag live;      /* lanes with a plant */
    sb_real count, t0; /* tasks of each plant, and its start */
    small_machine small;
} wide_plants;

static size_t plants_size(const int *sizes)
{
    sb_model m;
    read_sizes(sizes, &m);
    return whole(sizeof(wide_plants)) + wide_size(sizes) + (size_t)small_numbers(&m) * sizeof(sb_real) +
           sb_fixed_size(&m);
}

static void plants_begin(void *memory, const int *sizes, const void *const *arrays, const int *law,
                         const int (*shape)[3], const sb_bridge *bridge)
{
    wide_plants *p = memory;
    char *next = (char *)memory + whole(sizeof *p);
    bind_group(&p->g, next, sizes, arrays, law, shape, bridge);
    next += wide_size(sizes);
    const sb_model *m = &p->g.m;
    p->live = SB_NEVER;
    p->count = p->t0 = SB_R(0.0);
    p->small.n = 0;
    place_small(&p->small, m, (void *)next);
    next += (size_t)small_numbers(m) * sizeof(sb_real);
    sb_fixed_bind(m, &p->f, next);
}

/* --- from single plants to lanes and back --- */

static void copy_list(int n, const int *from, int *to)
{
    for (int i = 0; i < n; ++i) {
        to[i] = from[i];
    }
}

static int same_list(int n, const int *a, const int *b)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static int row_begins(const sb_slices *s, int i)
{
    return i == 0 ? 0 : s->end[i - 1];
}

/* Entry p of row i in the slices of single plants, whose rows are all as long as here. */
static int entry_alone(const sb_slices *s, int i, int p)
{
    int first = 0;
    for (int slice = 0; slice < i / SB_SLICE_ALONE; ++slice) {
        const int row = SB_SLICE_ALONE * slice;
        first += SB_SLICE_ALONE * (s->end[row] - row_begins(s, row));
    }
    return first + i % SB_SLICE_ALONE + SB_SLICE_ALONE * (p - row_begins(s, i));
}

static int row_end(const sb_slice_lists *from, int i, int begin)
{
    const int slice = i / SB_SLICE_ALONE;
    return begin + (from->end[slice] - (slice > 0 ? from->end[slice - 1] : 0)) / SB_SLICE_ALONE;
}

static void take_slices(sb_slices *s, const sb_slice_lists *from)
{
    s->n = from->n;
    copy_list(s->n, from->row, s->row);
    for (int i = 0; i < s->n; ++i) {
        s->end[i] = row_end(from, i, row_begins(s, i));
        for (int p = row_begins(s, i); p < s->end[i]; ++p) {
            s->col[p] = W * from->col[entry_alone(s, i, p)];
        }
    }
}

static int same_slices(const sb_slices *s, const sb_slice_lists *from)
{
    int same = s->n == from->n && same_list(s->n, s->row, from->row);
    for (int i = 0; i < s->n && same; ++i) {
        same = s->end[i] == row_end(from, i, row_begins(s, i));
        for (int p = row_begins(s, i); p < s->end[i] && same; ++p) {
            same = s->col[p] == W * from->col[entry_alone(s, i, p)];
        }
    }
    return same;
}

static void scatter_slices(int lane, const double *from, const sb_slices *s)
{
    for (int i = 0; i < s->n; ++i) {
        for (int p = row_begins(s, i); p < s->end[i]; ++p) {
            scatter(1, lane, from + entry_alone(s, i, p), s->val + p);
        }
    }
}

/* What plants in lanes share is that of the first one; whether this one has the same. */
static int plants_shape(void *memory, const sb_plant_shape *shape)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_fixed *f = &p->f;
    const int *const *list = shape->lists;
    const sb_slice_lists *slices = shape->slices;
    int same = 1;
    if (!f->factored) {
        f->h = shape->h;
        f->opt.h = shape->task;
        f->n_island = shape->n_island;
        f->plain = shape->plain;
        f->varies = shape->varies;
        f->factored = 1;
#define X(name, length) copy_list(length, *list++, f->name);
        SB_FIXED_LISTS(X)
#undef X
#define X(name, n_rows, n_entries, longest) take_slices(&f->name, slices++);
        SB_FIXED_SLICES(X)
#undef X
        p->small.n = f->plain && small_numbers(m) > 0 ? m->n_v : 0;
        return 1;
    }
#define X(name, length) same &= same_list(length, *list++, f->name);
    SB_FIXED_LISTS(X)
#undef X
#define X(name, n_rows, n_entries, longest) same &= same_slices(&f->name, slices++);
    SB_FIXED_SLICES(X)
#undef X
    return same && f->plain == shape->plain;
}

static void push_segment(wide_plants *p, int lane, const sb_segment_of_lane *from)
{
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    const double *const *number = from->numbers;
#define X(name, length) scatter(length, lane, *number++, d->name);
    SB_PLANT_SEGMENT(X)
#undef X
    scatter(1, lane, &from->t_segment, &d->t_segment);
    scatter(1, lane, &from->t_break, &d->t_break);
    scatter_counts(m->n_signal, lane, from->branch, d->signal_branch);
    for (int i = 0; i < m->n_signal; ++i) {
        const int line = from->on[i] && from->line[i] ? -1 : 0;
        scatter_counts(1, lane, &line, d->line_is + i);
    }
}

static void plants_segment(void *memory, int lane, const sb_segment_of_lane *from)
{
    push_segment(memory, lane, from);
}

static void plants_push(void *memory, int lane, const sb_plant_in_lane *from)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
    const double *const *number = from->numbers;
    const int *const *count = from->counts;
#define X(part, name, length) scatter(length, lane, *number++, part->name);
    SB_PLANT_STATE(X)
    SB_PLANT_START(X)
#undef X
#define X(name, length) scatter(length, lane, *number++, f->name);
    SB_FIXED_DOUBLES(X)
#undef X
#define X(name, n_rows, n_entries, longest) scatter_slices(lane, *number++, &f->name);
    SB_FIXED_SLICES(X)
#undef X
#define X(part, name, length) scatter_counts(length, lane, *count++, part->name);
    SB_PLANT_MODES(X)
#undef X
    fill_small(&p->small, m, f, lane);
    push_segment(p, lane, &from->segment);
    scatter(1, lane, &from->count, &p->count);
    scatter(1, lane, &from->t0, &p->t0);
    scatter(1, lane, &from->t, &d->t);
}

/* The lanes with plants, and lists of the signals that change in some of them: those that are lines in all, and the
 * others. */
static void plants_activate(void *memory, const int *lanes, int n, const int *nodes, const int *curves)
{
    wide_plants *p = memory;
    sb_data *d = &p->g.d;
    p->live = read_flags(lanes);
    p->f.absent = sb_not(p->live);
    d->n_active = n;
    d->n_line = d->n_curve = 0;
    for (int i = 0; i < n; ++i) {
        d->signal_active[i] = nodes[i];
        if (curves[i]) {
            d->curve_node[d->n_curve++] = nodes[i];
        } else {
            d->line_node[d->n_line++] = nodes[i];
        }
    }
}

/* The state of a lane before the task that was tried. */
static void plants_undo(void *memory, int lane)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
    for (int i = 0; i < SB_N_Y(m); ++i) {
        d->x[i][lane] = f->x_start[i][lane];
    }
    for (int b = 0; b < SB_N_BRANCH(m); ++b) {
        d->slip[b][lane] = f->slip_start[b][lane];
    }
    for (int i = 0; i < m->n_lock; ++i) {
        d->mode[i][lane] = d->mode_old[i][lane];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_tau[k][lane] = d->tau[SB_FRICTION_BRANCH(m, k)][lane];
    }
}

static void plants_pull(void *memory, int lane, double *const *numbers, int *const *counts, int *hidden)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
#define X(part, name, length) gather(length, lane, part->name, *numbers++);
    SB_PLANT_STATE(X)
#undef X
#define X(part, name, length)                    \
    for (int i = 0; i < (length); ++i) {         \
        (*counts)[i] = (int)part->name[i][lane]; \
    }                                            \
    ++counts;
    SB_PLANT_MODES(X)
#undef X
    *hidden = f->hidden;
}

static void plants_unknowns(void *memory, int lane, double *x)
{
    wide_plants *p = memory;
    gather(SB_N_X(&p->g.m), lane, p->g.d.x, x);
}

/* --- a task --- */

/* Values of signals, as sb_signals_value finds them: lines by the start of the segment. */
static void value_signals(const sb_model *m, sb_data *d, sb_real t)
{
    const sb_real since = t - d->t_segment;
    for (int k = 0; k < d->n_line; ++k) {
        const int i = d->line_node[k];
        const sb_real line = d->line_start[i] + d->line_slope[i] * since;
        d->jet[SB_JET * i] = sb_pick(d->line_is[i], line, d->jet[SB_JET * i]);
    }
    for (int k = 0; k < d->n_curve; ++k) {
        const int i = d->curve_node[k];
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, d->x);
        eval_node(d, sb_operation_of(m->signal_op[i]), &s, i, 0);
        const sb_real line = d->line_start[i] + d->line_slope[i] * since;
        d->jet[SB_JET * i] = sb_pick(d->line_is[i], line, d->jet[SB_JET * i]);
    }
}

/* Signals of the task, those of prescribed motions at its end too. */
static void evaluate_task_signals(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const sb_real t_mid = d->t + 0.5 * f->h;
    if (m->n_motion > 0) {
        sb_evaluate_slips(m, d, d->t + f->h, d->x, 0);
        sb_copy(f->slip0_end, d->slip0, SB_N_BRANCH(m));
        sb_copy(f->motion_end, d->motion_w, m->n_motion);
    }
    if (!f->plain) {
        sb_evaluate_slips(m, d, t_mid, d->x, f->varies ? 1 : 0);
    } else if (d->n_active) {
        value_signals(m, d, t_mid);
    }
}

/* Plants in which the load of a bristle begins or ends: they make the task alone. */
static sb_flag see_openings(const sb_model *m, const sb_data *d)
{
    sb_flag changes = SB_NEVER;
    const int n = m->n_open > 0 ? m->n_friction : 0;
    for (int k = 0; k < n; ++k) {
        if (m->fr_open[k] >= 0) {
            const sb_real load = sb_max(d->jet[SB_JET * m->fr_load[k]], d->jet[SB_JET * m->fr_back[k]]);
            const sb_flag open = d->open[k] != 0;
            changes |= (open & (load > 0.0)) | (~open & (load <= 0.0));
        }
    }
    return changes;
}

/* Slips and torques of all elements. */
static void agree(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const sb_real *z = d->x + m->n_v + m->n_q;
    for (int i = 0; i < m->n_z; ++i) {
        f->z_try[i] = f->z_from[i] = z[i];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        sb_resolvent_prepare_one(m, d, f, k);
        sb_couple_one(m, d, f, k);
    }
}

/* Plants whose unknowns are not finite any more, or about to be; of them those behind the first n, with the sum of the
 * squares of these. At half of the limit at which a single plant stops, which adds up in another order. */
static sb_flag see_diverged(const sb_model *m, const sb_data *d, int n, sb_real size)
{
    for (int i = n; i < SB_N_Y(m); ++i) {
        size += d->x[i] * d->x[i];
    }
    return sb_not(size < 0.5 * SB_DIVERGED);
}

/* Whether some are marked, and which. */
static int mark(sb_flag some, int *flags)
{
    const int any = sb_any(some);
    for (int k = 0; k < W && any; ++k) {
        flags[k] = some[k] != 0;
    }
    return any;
}

/* Plants whose next task meets a break of a signal. */
static sb_flag meet_breaks(const wide_plants *p)
{
    return sb_and(p->live, p->g.d.t_break <= p->g.d.t + 0.5 * p->f.h);
}

static int plants_breaks(void *memory, int *breaks)
{
    const int any = mark(meet_breaks(memory), breaks);
    leave_lanes();
    return any;
}

/* The end of a task, from which the next one starts. */
static int plants_accept(void *memory)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
    for (int k = 0; k < m->n_motion; ++k) {
        f->motion_gain[k] = f->motion_end[k] - f->motion_start[k];
        f->motion_start[k] = f->motion_begin[k] = f->motion_end[k];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        const int b = SB_FRICTION_BRANCH(m, k);
        f->el_before[k] = f->el_start[k];
        f->el_start[k] = d->slip[b];
        d->tau[b] = f->el_tau[k];
        if (f->el_facts[k] & SB_FACT_CHANGES) {
            sb_step_side(m, d, f, k);
        }
    }
    p->count += 1.0;
    d->t = p->t0 + p->count * f->opt.h;
    const int any = sb_any(meet_breaks(p));
    leave_lanes();
    return any;
}

/* Torques and what follows from them, beside what the single plant has to do: modes, states; where the unknowns are not
 * finite. */
static sb_flag move_on(const sb_model *m, sb_data *d, sb_fixed *f, const small_machine *small)
{
    int n_seen = 0;
    sb_real size = SB_R(0.0);
    agree(m, d, f);
    if (small->n > 0) {
        size = unknowns_small(small, m, d, f);
        n_seen = m->n_v + m->n_q;
    } else {
        sb_step_unknowns(m, d, f);
    }
    sb_step_modes(m, d, f);
    for (int k = 0; k < m->n_friction; ++k) {
        if (f->el_facts[k] & SB_FACT_CHANGES) {
            sb_step_states(m, d, f, k);
        }
    }
    f->hidden = 1;
    return see_diverged(m, d, n_seen, size);
}

static int plants_attempt(void *memory, int *alone)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
    evaluate_task_signals(m, d, f);
    sb_flag special = see_openings(m, d);
    if (p->small.n > 0) {
        free_small(&p->small, m, d, f);
    } else {
        sb_copy(f->x_start, d->x, SB_N_Y(m));
        special |= sb_motion_free(m, d, f);
    }
    special |= move_on(m, d, f, &p->small);
    if (mark(sb_and(p->live, special), alone)) {
        leave_lanes();
        return SB_TASK_ALONE;
    }
    return plants_accept(p) ? SB_TASK_BREAKS : SB_TASK_DONE;
}

/* Outputs of all lanes after a task; n of them, number by number, in rows of `stride`. */
static void plants_outputs(void *memory, int n, const int *numbers, double *out, int stride, int n_lanes)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    if (p->f.hidden) {
        sb_step_show(m, d, &p->f);
        sb_evaluate_slips(m, d, d->t, d->x, 0);
        sb_step_carry(m, d, &p->f);
        sb_complete_board(m, d, d->x, d->rate);
        sb_outputs(m, d, d->x, d->output, 1);
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n_lanes; ++k) {
            out[i * stride + k] = d->output[numbers[i]][k];
        }
    }
    leave_lanes();
}

/* The first n_lanes numbers. */
static inline void write_some(sb_real value, int n_lanes, double *to)
{
    const double *from = (const double *)&value;
    if (n_lanes == 1) {
        to[0] = from[0];
        return;
    }
    memcpy(to, from, 2 * sizeof *to);
    for (int k = 2; k < n_lanes && k < W; ++k) {
        to[k] = from[k];
    }
}

static inline const sb_real *at_place(const sb_real *const *lists, int place)
{
    return lists[(unsigned)place % SB_PLACE_LISTS] + (unsigned)place / SB_PLACE_LISTS;
}

/* The same of those that are unknowns, torques or slips of friction elements, at their places. */
static void plants_places(void *memory, int n, const int *numbers, const int *places, double *out, int stride,
                          int n_lanes)
{
    const wide_plants *p = memory;
    const sb_data *d = &p->g.d;
    const sb_real *const lists[] = {d->x, d->tau, d->slip};
    const sb_real *scale = p->g.m.out_scale;
    const int over = n_lanes == stride && W <= 2 * n_lanes; // the next row goes over the rest
    const int n_whole = n_lanes == W ? n : over ? n - 1 : 0;
    int i = 0;
    for (; i < n_whole; ++i, out += stride) {
        const sb_real value = scale[numbers[i]] * *at_place(lists, places[i]);
        memcpy(out, &value, sizeof value);
    }
    for (; i < n; ++i, out += stride) {
        write_some(scale[numbers[i]] * *at_place(lists, places[i]), n_lanes, out);
    }
    leave_lanes();
}

static const sb_wide_plants plants_in_lanes = {.size = plants_size,
                                               .begin = plants_begin,
                                               .shape = plants_shape,
                                               .segment = plants_segment,
                                               .push = plants_push,
                                               .activate = plants_activate,
                                               .undo = plants_undo,
                                               .pull = plants_pull,
                                               .unknowns = plants_unknowns,
                                               .breaks = plants_breaks,
                                               .attempt = plants_attempt,
                                               .accept = plants_accept,
                                               .outputs = plants_outputs,
                                               .places = plants_places};
