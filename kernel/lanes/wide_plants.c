/* Fixed steps of SB_LANES plants at once; a part of wide.c. */

#include "fixed/couple_one.c"
#include "fixed/free_motion.c"
#include "fixed/propagate.c"
#include "fixed/resolvent.c"
#include "fixed/resolvent_curve.c"
#include "fixed/resolvent_lock.c"
#include "fixed/step_end.c"
#include "fixed/work_space.c"

typedef struct wide_plants {
    wide_group g; /* first: what its functions work on */
    sb_fixed f;
    sb_flag live;      /* lanes with a plant */
    sb_real count, t0; /* tasks of each plant, and its start */
    sb_real *before_kept, *tau_kept;
    sb_count *side_kept; /* of the friction elements at the start of the task */
} wide_plants;

static size_t kept_size(const sb_model *m)
{
    return 3 * (size_t)(m->n_friction + 1) * sizeof(sb_real);
}

static size_t plants_size(const int *sizes)
{
    sb_model m;
    read_sizes(sizes, &m);
    return whole(sizeof(wide_plants)) + wide_size(sizes) + kept_size(&m) + sb_fixed_size(&m);
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
    p->before_kept = (void *)next;
    p->tau_kept = p->before_kept + m->n_friction + 1;
    p->side_kept = (void *)(p->tau_kept + m->n_friction + 1);
    next += kept_size(m);
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

static int entries_of(const sb_slices *s)
{
    return s->n == 0 ? 0 : s->end[SB_N_SLICES(s->n) - 1];
}

static void take_slices(sb_slices *s, const sb_slice_lists *from)
{
    s->n = from->n;
    copy_list(SB_N_SLICES(s->n), from->end, s->end);
    copy_list(SB_PADDED(s->n), from->row, s->row);
    copy_list(entries_of(s), from->col, s->col);
}

static int same_slices(const sb_slices *s, const sb_slice_lists *from)
{
    return s->n == from->n && same_list(SB_N_SLICES(s->n), s->end, from->end) &&
           same_list(SB_PADDED(s->n), s->row, from->row) && same_list(entries_of(s), s->col, from->col);
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
#define X(name, n_rows, n_entries, longest) scatter(entries_of(&f->name), lane, *number++, f->name.val);
    SB_FIXED_SLICES(X)
#undef X
#define X(part, name, length) scatter_counts(length, lane, *count++, part->name);
    SB_PLANT_MODES(X)
#undef X
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
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->x[i][lane] = f->x_start[i][lane];
    }
    for (int b = 0; b < SB_N_BRANCH(m); ++b) {
        d->slip[b][lane] = f->slip_start[b][lane];
    }
    for (int i = 0; i < m->n_lock; ++i) {
        d->mode[i][lane] = d->mode_old[i][lane];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_before[k][lane] = p->before_kept[k][lane];
        f->el_tau[k][lane] = p->tau_kept[k][lane];
        d->side[k][lane] = p->side_kept[k][lane];
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
    sb_copy(f->el_start, f->slip_start + SB_FRICTION_BRANCH(m, 0), m->n_friction);
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
    for (int k = 0; k < m->n_friction && m->n_open > 0; ++k) {
        if (m->fr_open[k] >= 0) {
            const sb_real load = sb_max(d->jet[SB_JET * m->fr_load[k]], d->jet[SB_JET * m->fr_back[k]]);
            const sb_flag open = d->open[k] != 0;
            changes |= (open & (load > 0.0)) | (~open & (load <= 0.0));
        }
    }
    return changes;
}

static void keep_elements(wide_plants *p)
{
    const int n = p->g.m.n_friction;
    sb_copy(p->before_kept, p->f.el_before, n);
    sb_copy(p->tau_kept, p->f.el_tau, n);
    for (int k = 0; k < n; ++k) {
        p->side_kept[k] = p->g.d.side[k];
    }
}

/* Slips and torques of all elements; those of empty lanes do not act. */
static void agree(const sb_model *m, sb_data *d, sb_fixed *f, sb_flag live)
{
    sb_copy(f->z_try, d->x + m->n_v + m->n_q, m->n_z);
    sb_copy(f->z_from, f->z_try, m->n_z);
    for (int k = 0; k < m->n_friction; ++k) {
        sb_resolvent_prepare_one(m, d, f, k);
        f->el_kind[k] = sb_pick_count(live, f->el_kind[k], SB_EL_IDLE);
    }
    sb_copy(f->el_before, f->el_start, m->n_friction);
    for (int k = 0; k < m->n_friction; ++k) {
        sb_couple_one(m, d, f, k);
    }
}

/* Plants whose unknowns are not finite any more, or about to be; as sb_check_finite. */
static sb_flag see_diverged(const sb_model *m, const sb_data *d)
{
    sb_real sum[4] = {SB_R(0.0), SB_R(0.0), SB_R(0.0), SB_R(0.0)};
    for (int i = 0; i < SB_PADDED(SB_N_Y(m)); i += 4) {
        for (int k = 0; k < 4; ++k) {
            sum[k] += d->x[i + k] * d->x[i + k];
        }
    }
    return sb_not(sum[0] + sum[1] + sum[2] + sum[3] < SB_DIVERGED);
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
    return mark(meet_breaks(memory), breaks);
}

static int plants_attempt(void *memory, int *alone)
{
    wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    sb_data *d = &p->g.d;
    sb_fixed *f = &p->f;
    keep_elements(p);
    evaluate_task_signals(m, d, f);
    sb_flag special = see_openings(m, d);
    sb_copy(f->x_start, d->x, SB_N_X(m));
    special |= sb_motion_free(m, d, f);
    agree(m, d, f, p->live);
    sb_step_unknowns(m, d, f);
    sb_step_modes(m, d, f);
    for (int k = 0; k < m->n_friction; ++k) {
        sb_step_states(m, d, f, k);
        sb_step_side(m, d, f, k);
    }
    f->hidden = 1;
    special |= see_diverged(m, d);
    return mark(sb_and(p->live, special), alone);
}

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
    const int first = SB_N_BRANCH(m) - m->n_friction;
    sb_copy(f->slip_start + first, d->slip + first, m->n_friction);
    p->count += 1.0;
    d->t = p->t0 + p->count * f->opt.h;
    return sb_any(meet_breaks(p));
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
}

/* The same of those that are unknowns or, behind these, torques and slips of friction elements. */
static void plants_places(void *memory, int n, const int *numbers, const int *places, double *out, int stride,
                          int n_lanes)
{
    const wide_plants *p = memory;
    const sb_model *m = &p->g.m;
    const sb_data *d = &p->g.d;
    for (int i = 0; i < n; ++i) {
        const int b = places[i] - SB_N_X(m);
        const sb_real *from = b < 0 ? d->x + places[i] : b < SB_N_BRANCH(m) ? d->tau + b : d->slip + b - SB_N_BRANCH(m);
        const sb_real value = m->out_scale[numbers[i]] * *from;
        if (n_lanes == W || (n_lanes == stride && i + 2 <= n && W <= 2 * n_lanes)) { // the next row goes over the rest
            memcpy(out + i * stride, &value, sizeof value);
            continue;
        }
        for (int k = 0; k < n_lanes; ++k) {
            out[i * stride + k] = value[k];
        }
    }
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
