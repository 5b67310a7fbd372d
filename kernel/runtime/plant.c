#include <limits.h>
#include <math.h>
#include <string.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "runtime/sb_runtime.h"
#include "signals/sb_signals.h"

/* Plants: a model with its memory, started, stepped and read. */

enum { ALIGNED = 32, SPARE_CHANGES = 64 };

/* Places in one block, one after the other; without a block it only counts. */
typedef struct places {
    char *block;
    size_t used;
} places;

static void *reserve(places *p, size_t bytes)
{
    void *found = p->block ? p->block + p->used : NULL;
    p->used += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    return found;
}

/* Numbers that evolve: counts take the place of numbers, too. */
static size_t n_evolving(const sb_model *m, sb_data *d)
{
    sb_field field[SB_MOST_FIELDS];
    const size_t n = sb_data_fields(m, d, field);
    size_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += field[i].n;
    }
    return sum;
}

/* What does not change with the values, from here on in this order: sizes of models of one structure are the same. */
static void lay_out(stribeck *s, places *p)
{
    const sb_image *g = &s->image;
    const sb_model *m = &g->model;
    const size_t n_friction = (size_t)m->n_friction;
    s->laws.law = reserve(p, n_friction * sizeof *s->laws.law);
    s->laws.counted = reserve(p, n_friction * sizeof *s->laws.counted);
    s->laws.own = reserve(p, (size_t)g->n_own * sizeof *s->laws.own);
    s->value = reserve(p, (size_t)g->tape.n_value * sizeof *s->value);
    s->point = reserve(p, (size_t)g->tape.n_input * sizeof *s->point);
    s->applied = reserve(p, (size_t)g->tape.n_input * sizeof *s->applied);
    s->given = reserve(p, (size_t)g->n_parameter * sizeof *s->given);
    s->data_block = reserve(p, sb_data_size(m));
    s->fixed_block = reserve(p, sb_fixed_size(m));
    s->n_change = SPARE_CHANGES + (size_t)(2 * m->n_lock + m->n_shown);
    s->change = reserve(p, s->n_change * sizeof *s->change);
    sb_data none = {0};
    const size_t tape = (size_t)sb_tape_work(&g->tape);
    const size_t evolving = n_evolving(m, &none);
    const size_t points = 4 * (size_t)(SB_N_X(m) + m->n_output + g->n_input);
    size_t most = tape > evolving ? tape : evolving;
    most = most > points ? most : points;
    s->work = reserve(p, most * sizeof *s->work);
}

size_t stribeck_size(const stribeck_model *model)
{
    stribeck s;
    memset(&s, 0, sizeof s);
    if (sb_image_read(model, &s.image) != SB_OK) {
        return 0;
    }
    places p = {NULL, 0};
    reserve(&p, sizeof s);
    lay_out(&s, &p);
    return p.used + ALIGNED; // the block may begin anywhere between two places
}

stribeck *stribeck_new(const stribeck_model *model, void *memory, size_t bytes)
{
    const size_t size = stribeck_size(model);
    if (size == 0 || bytes < size || !memory) {
        return NULL;
    }
    memset(memory, 0, size);
    char *block = memory;
    block += (ALIGNED - (uintptr_t)block % ALIGNED) % ALIGNED;
    places p = {block, 0};
    stribeck *s = reserve(&p, sizeof *s);
    s->source = model;
    s->mark = sb_image_mark(model);
    sb_image *g = &s->image;
    sb_image_read(model, g);
    lay_out(s, &p);
    memcpy(s->value, g->value, (size_t)g->tape.n_value * sizeof *s->value);
    memcpy(s->point, g->point, (size_t)g->tape.n_input * sizeof *s->point);
    memcpy(s->applied, g->point, (size_t)g->tape.n_input * sizeof *s->applied);
    sb_image_values(&g->model, s->value);
    if (sb_image_laws(g, &s->laws) != SB_OK || sb_model_check(&g->model) != SB_OK || sb_tape_check(&g->tape) != SB_OK) {
        return NULL;
    }
    s->opt = stribeck_defaults(model);
    sb_data_bind(&g->model, &s->data, s->data_block);
    sb_fixed_bind(&g->model, &s->fixed, s->fixed_block);
    return s;
}

/* --- starting and moving on --- */

static sb_fixed_options fixed_options(const stribeck *s)
{
    sb_fixed_options opt = {0};
    opt.method = SB_RESOLVENT;
    opt.h = s->opt.h;
    opt.substeps = s->opt.substeps;
    return opt;
}

static sb_options adaptive_options(const stribeck *s, double t_end)
{
    return (sb_options){.method = SB_AUTO, .t_end = t_end, .tolerance = s->opt.tolerance, .max_step = INFINITY};
}

/* Changes of modes are not kept: a plant shows its present ones. */
static sb_record no_record(stribeck *s)
{
    return (sb_record){.changes = s->change, .max_changes = s->n_change};
}

static void clear_memory(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    sb_data_bind(m, &s->data, s->data_block);
    sb_fixed_bind(m, &s->fixed, s->fixed_block);
    memset(&s->driver, 0, sizeof s->driver);
}

/* A typical end of a run that is not over: what a first step and a crowd of events are measured by. */
static double horizon(const stribeck *s, double t)
{
    const double span = s->opt.t_end - s->opt.t0;
    return t < s->opt.t_end ? s->opt.t_end : t + (span > 0.0 ? span : s->opt.h > 0.0 ? s->opt.h : SB_SECOND);
}

static sb_status begin(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    const double t0 = s->opt.t0;
    if (s->opt.solver == STRIBECK_FIXED) {
        const sb_fixed_options opt = fixed_options(s);
        return sb_fixed_start(m, &s->data, &s->fixed, &opt, t0, s->value);
    }
    if (s->opt.solver == STRIBECK_ADAPTIVE) {
        const sb_options opt = adaptive_options(s, horizon(s, t0));
        sb_record rec = no_record(s);
        return sb_start(m, &s->data, &opt, &s->driver, &rec, t0, s->value);
    }
    return sb_machine_start(m, &s->data, t0, s->value);
}

/* The outcome of a call that moves the plant: nothing that was shown holds any more. */
static int outcome(stribeck *s, sb_status status)
{
    s->shown = s->rated = 0;
    if (status == SB_OK) {
        s->stage = SB_STAGE_RUNNING;
        return 0;
    }
    if (s->opt.solver != STRIBECK_FIXED || s->stage != SB_STAGE_RUNNING) {
        s->stage = SB_STAGE_FAILED;
    }
    return sb_report_failure(s, status);
}

int stribeck_start(stribeck *s, const stribeck_options *options)
{
    sb_report_clear(s);
    s->opt = options ? *options : stribeck_defaults(s->source);
    const int solves = s->opt.solver != STRIBECK_ADAPTIVE || s->opt.tolerance > 0.0;
    const int steps = s->opt.solver != STRIBECK_FIXED || (s->opt.h > 0.0 && s->opt.substeps >= 1);
    if (!solves || !steps || !isfinite(s->opt.t0)) {
        return sb_report_refusal(s, "start: h and tolerance must be above 0, substeps at least 1, and t0 finite");
    }
    int changed = 0;
    if (sb_parameters_apply(s, &changed)) {
        return 1;
    }
    s->stage = SB_STAGE_NEW;
    s->stale = 0;
    clear_memory(s);
    return outcome(s, begin(s));
}

/* Copies what evolves to the work space, or back. */
static void carry_fields(stribeck *s, int back)
{
    sb_field field[SB_MOST_FIELDS];
    const size_t n = sb_data_fields(sb_plant_model(s), &s->data, field);
    double *next = s->work;
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < field[i].n; ++k, ++next) {
            if (!back) {
                *next = field[i].numbers ? field[i].numbers[k] : (double)field[i].counts[k];
            } else if (field[i].numbers) {
                field[i].numbers[k] = *next;
            } else {
                field[i].counts[k] = (int)*next;
            }
        }
    }
}

/* Goes on with other values of the model: what is discrete is decided again, as realtime(..., start=end) does. */
int sb_plant_review(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    const double t = stribeck_time(s);
    carry_fields(s, 0);
    clear_memory(s);
    carry_fields(s, 1);
    if (s->opt.solver == STRIBECK_FIXED) {
        const sb_fixed_options opt = fixed_options(s);
        return outcome(s, sb_fixed_review(m, &s->data, &s->fixed, &opt, t));
    }
    if (s->opt.solver == STRIBECK_ADAPTIVE) {
        const sb_options opt = adaptive_options(s, horizon(s, t));
        sb_record rec = no_record(s);
        s->stale = 0;
        return outcome(s, sb_resume(m, &s->data, &opt, &s->driver, &rec, t, 0));
    }
    s->stale = 0;
    return outcome(s, sb_machine_review(m, &s->data, t));
}

/* Whether the plant can move: it is started, and parameters that were set are applied. */
static int is_ready(stribeck *s, const char *call)
{
    sb_report_clear(s);
    if (s->stage != SB_STAGE_RUNNING) {
        sb_report_refusal(s, call);
        sb_report_text(s, s->stage == SB_STAGE_NEW ? ": the plant has not been started; call stribeck_start first"
                                                   : ": the plant has failed; start it again, or restore a snapshot");
        return 0;
    }
    int changed = 0;
    return !sb_parameters_apply(s, &changed) && !(changed && sb_plant_review(s));
}

/* Inputs that have changed are a break of the signals now. */
static sb_status run_to(stribeck *s, double t)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    sb_options opt = adaptive_options(s, t);
    sb_record rec = no_record(s);
    if (t <= d->t) {
        return SB_OK;
    }
    s->stale |= sb_signals_aim(m, d, d->t, t - d->t);
    sb_status status = SB_OK;
    if (s->stale || d->t >= d->t_break || d->t >= d->t_bridge) {
        d->t_break = s->stale ? d->t : d->t_break;
        s->stale = 0;
        status = sb_resume(m, d, &opt, &s->driver, &rec, d->t, 1);
    }
    for (status = status == SB_OK ? SB_PAUSED : status; status == SB_PAUSED;) {
        rec.n_changes = 0;
        status = sb_run(m, d, &opt, &s->driver, &rec, LONG_MAX);
    }
    return status;
}

int stribeck_step(stribeck *s)
{
    if (!is_ready(s, "step")) {
        return 1;
    }
    switch (s->opt.solver) {
    case STRIBECK_FIXED:
        return outcome(s, sb_fixed_step(sb_plant_model(s), &s->data, &s->fixed));
    case STRIBECK_ADAPTIVE:
        return outcome(s, run_to(s, s->data.t + s->opt.h));
    case STRIBECK_EQUATIONS:
        break;
    }
    return sb_report_refusal(s, "step: this plant has equations only; start it with STRIBECK_FIXED");
}

/* Fixed steps: n of them, if that is a whole number. */
static int take_tasks(stribeck *s, double t)
{
    const double tasks = (t - stribeck_time(s)) / s->opt.h;
    const double n = floor(tasks + 0.5);
    if (!(n >= 0.0) || fabs(tasks - n) > SB_WHOLE_TASKS) {
        sb_report_refusal(s, "advance: from t = ");
        sb_report_number(s, stribeck_time(s), 10);
        sb_report_text(s, " s to ");
        sb_report_number(s, t, 10);
        sb_report_text(s, " s there is no whole number of steps of h = ");
        sb_report_number(s, s->opt.h, 6);
        sb_report_text(s, " s; take a multiple of h, or the adaptive solver");
        return 1;
    }
    sb_status status = SB_OK;
    for (double i = 0.0; i < n && status == SB_OK; i += 1.0) {
        status = sb_fixed_step(sb_plant_model(s), &s->data, &s->fixed);
    }
    return outcome(s, status);
}

int stribeck_advance(stribeck *s, double t)
{
    if (!is_ready(s, "advance")) {
        return 1;
    }
    if (s->opt.solver == STRIBECK_FIXED) {
        return take_tasks(s, t);
    }
    if (s->opt.solver == STRIBECK_EQUATIONS || !(t >= s->data.t)) {
        return sb_report_refusal(s, "advance: the time is before the present one, or the plant has equations only");
    }
    return outcome(s, run_to(s, t));
}

double stribeck_time(const stribeck *s)
{
    return s->opt.solver == STRIBECK_FIXED ? sb_fixed_time(&s->fixed) : s->data.t;
}

/* --- values --- */

static double *input_memory(stribeck *s, int number)
{
    const sb_image *g = &s->image;
    return s->data.signal_memory + g->model.signal_memory_ptr[g->input_node[number]];
}

static int set_input(stribeck *s, int number, double value)
{
    if (number < 0 || number >= s->image.n_input || s->stage == SB_STAGE_NEW) {
        return sb_report_refusal(s, s->stage == SB_STAGE_NEW ? "set: inputs have values from stribeck_start on"
                                                             : "set: there is no input with this number");
    }
    if (!isfinite(value)) {
        sb_report_refusal(s, "set: the input ");
        sb_report_text(s, sb_image_text(&s->image, SB_TEXT_input_name, number));
        sb_report_text(s, " must be finite");
        return 1;
    }
    double *kept = input_memory(s, number);
    if (*kept != value) {
        *kept = value;
        s->fixed.stale = s->stale = 1;
        s->shown = s->rated = 0;
    }
    return 0;
}

int stribeck_set(stribeck *s, stribeck_kind kind, int number, double value)
{
    sb_report_clear(s);
    if (kind == STRIBECK_INPUT) {
        return set_input(s, number, value);
    }
    if (kind == STRIBECK_PARAMETER) {
        return sb_parameter_set(s, number, value);
    }
    return sb_report_refusal(s, "set: only inputs and parameters can be set");
}

/* The board and all outputs at the present point. */
static sb_status show(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    if (s->shown) {
        return SB_OK;
    }
    if (s->opt.solver == STRIBECK_FIXED) {
        sb_fixed_board(m, d, &s->fixed);
    } else if (s->opt.solver == STRIBECK_EQUATIONS) {
        SB_TRY(sb_plant_rates(s));
        sb_complete_board(m, d, d->x, d->rate);
        SB_TRY(sb_jerk(m, d, d->t, d->x, d->rate));
    } else {
        SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
        sb_complete_board(m, d, d->x, d->rate);
        SB_TRY(sb_jerk(m, d, d->t, d->x, d->rate));
    }
    sb_outputs(m, d, d->x, d->output, 1);
    s->shown = 1;
    return SB_OK;
}

static double mode_of(const stribeck *s, int number)
{
    const sb_model *m = &s->image.model;
    return number < m->n_lock ? s->data.mode[number] : s->data.x[m->shown_state[number - m->n_lock]];
}

double stribeck_get(stribeck *s, stribeck_kind kind, int number)
{
    const sb_image *g = &s->image;
    const sb_model *m = &g->model;
    if (number < 0 || (kind != STRIBECK_PARAMETER && s->stage == SB_STAGE_NEW)) {
        return NAN;
    }
    switch (kind) {
    case STRIBECK_INPUT:
        return number < g->n_input ? *input_memory(s, number) : NAN;
    case STRIBECK_OUTPUT:
        return number < m->n_output && show(s) == SB_OK ? s->data.output[number] : NAN;
    case STRIBECK_PARAMETER:
        return number < g->n_parameter ? s->point[g->parameter_place[number]] : NAN;
    case STRIBECK_STATE:
        return number < SB_N_Y(m) ? s->data.x[number] : NAN;
    case STRIBECK_MODE:
        return number < m->n_lock + m->n_shown ? mode_of(s, number) : NAN;
    }
    return NAN;
}

const char *stribeck_error(const stribeck *s)
{
    return s->error;
}
