#include <math.h>
#include <string.h>

#include "adaptive/sb_adaptive.h"
#include "fixed/sb_step.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"

/* The fixed-step solver: tasks, time, snapshots. The steps themselves are in step.c and explicit.c. */

static const char *const NAMES[] = {
#define X(code, name) name,
    SB_FIXED_METHODS(X)
#undef X
};

const char *sb_fixed_method_name(int method)
{
    return method >= 0 && method < SB_N_FIXED_METHODS ? NAMES[method] : NULL;
}

double sb_fixed_time(const sb_fixed *f)
{
    return f->t0 + (double)f->count * f->opt.h;
}

static void set_options(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t0)
{
    f->opt = *opt;
    f->h = opt->h / opt->substeps;
    f->t0 = t0;
    f->count = 0;
    f->stale = 0;
    f->courses = sb_signals_courses(m);
    memset(&f->stats, 0, sizeof f->stats);
    d->literal_sign = opt->literal_sign && opt->method != SB_RESOLVENT;
}

/* What the first task needs beside the machine. */
static sb_status begin_tasks(const sb_model *m, sb_data *d, sb_fixed *f)
{
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    sb_energy(m, d, d->t, d->x, d->energy_now);
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    if (f->opt.method == SB_RESOLVENT) {
        sb_resolvent_start(m, d, f);
    }
    return SB_OK;
}

sb_status sb_fixed_start(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t0,
                         const double *y0)
{
    set_options(m, d, f, opt, t0);
    SB_TRY(sb_machine_start(m, d, t0, y0));
    SB_TRY(begin_tasks(m, d, f));
    return sb_signals_remember(m, d, t0, d->x, d->rate, SB_AFTER_EVENT);
}

sb_status sb_fixed_review(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t)
{
    set_options(m, d, f, opt, t);
    SB_TRY(sb_machine_review(m, d, t));
    SB_TRY(begin_tasks(m, d, f));
    return sb_signals_remember(m, d, t, d->x, d->rate, SB_AFTER_EVENT);
}

size_t sb_fixed_fields(const sb_model *m, sb_data *d, sb_fixed *f, sb_field *fields)
{
    size_t n = 0;
    SB_COUNT_FIELD("task.stale", &f->stale)
    SB_INTS_FIELD("task.group", d->group, m->n_lock)
#define X(part, name, length) SB_DOUBLES_FIELD("task." #name, part->name, length)
    SB_FIXED_EVOLVING(X)
#undef X
    return n;
}

sb_status sb_fixed_resume(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t0,
                          int64_t count)
{
    set_options(m, d, f, opt, t0);
    f->count = count;
    SB_TRY(sb_machine_resume(m, d, opt->method != SB_RESOLVENT));
    return begin_tasks(m, d, f);
}

void sb_fixed_resumed(const sb_model *m, sb_data *d)
{
    sb_signals_resume(m, d);
}

sb_status sb_check_finite(const sb_model *m, sb_data *d)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < SB_PADDED(SB_N_Y(m)); i += 4) {
        for (int k = 0; k < 4; ++k) {
            sum[k] += d->x[i + k] * d->x[i + k];
        }
    }
    const int finite = sum[0] + sum[1] + sum[2] + sum[3] < SB_DIVERGED; // nor is it not a number
    for (int i = 0; i < SB_N_Y(m) && !finite; ++i) {
        if (!(SB_N_Y(m) * d->x[i] * d->x[i] < SB_DIVERGED)) {
            d->culprit = (sb_culprit){SB_UNKNOWN, i};
            return SB_NOT_FINITE;
        }
    }
    return SB_OK;
}

sb_status sb_fixed_begin(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int broken = d->t >= d->t_break - SB_AT_BREAK * f->h;
    if (!broken && !f->stale) {
        return SB_OK;
    }
    f->stale = 0;
    sb_pass_break(m, d, broken ? sb_max(d->t, d->t_break) : d->t, 1);
    SB_TRY(sb_update_modes(m, d, d->t, d->x));
    for (int k = 0; k < m->n_lock; ++k) {
        f->stats.mode_changes += d->mode[k] != d->mode_old[k];
    }
    return sb_rates(m, d, d->t, d->x, d->rate);
}

static sb_status substep(const sb_model *m, sb_data *d, sb_fixed *f, int number)
{
    d->t = sb_fixed_time(f) + number * f->h;
    f->inner = number;
    d->culprit = (sb_culprit){SB_NOTHING, 0};
    SB_TRY(f->opt.method == SB_RESOLVENT ? sb_resolvent_step(m, d, f) : sb_explicit_step(m, d, f));
    ++f->stats.steps;
    SB_TRY(sb_friction_check(m, d));
    return sb_check_finite(m, d);
}

sb_status sb_fixed_step(const sb_model *m, sb_data *d, sb_fixed *f)
{
    memcpy(f->x_task, d->x, (size_t)SB_N_X(m) * sizeof *d->x);
    if (f->courses) {
        f->stale |= sb_signals_aim(m, d, d->t, f->opt.h);
    }
    for (int i = 0; i < f->opt.substeps; ++i) {
        const sb_status status = substep(m, d, f, i);
        if (status != SB_OK) {
            sb_copy(d->x, f->x_task, SB_N_X(m));
            d->t = sb_fixed_time(f);
            f->stale = 1;
            return status;
        }
    }
    ++f->count;
    ++f->stats.tasks;
    d->t = sb_fixed_time(f);
    return SB_OK;
}

/* A snapshot: sb_fixed, sb_data, and the two blocks behind them. */
size_t sb_fixed_snapshot_size(const sb_model *m)
{
    return sizeof(sb_fixed) + sizeof(sb_data) + sb_data_size(m) + sb_fixed_size(m);
}

/* The first arrays of each block. */
static void *data_block(const sb_data *d)
{
    return d->board;
}

static void *fixed_block(const sb_fixed *f)
{
    return f->step_lu;
}

void sb_fixed_save(const sb_model *m, const sb_data *d, const sb_fixed *f, void *snapshot)
{
    char *next = snapshot;
    memcpy(next, f, sizeof *f);
    next += sizeof *f;
    memcpy(next, d, sizeof *d);
    next += sizeof *d;
    memcpy(next, data_block(d), sb_data_size(m));
    next += sb_data_size(m);
    memcpy(next, fixed_block(f), sb_fixed_size(m));
}

void sb_fixed_restore(const sb_model *m, sb_data *d, sb_fixed *f, const void *snapshot)
{
    const char *next = snapshot;
    void *data = data_block(d);
    void *fixed = fixed_block(f);
    memcpy(f, next, sizeof *f);
    next += sizeof *f;
    memcpy(d, next, sizeof *d);
    next += sizeof *d;
    memcpy(data, next, sb_data_size(m));
    next += sb_data_size(m);
    memcpy(fixed, next, sb_fixed_size(m));
    sb_data_place(m, d, data); // the pointers in the snapshot are those of its maker
    sb_fixed_place(m, f, fixed);
}

void sb_fixed_board(const sb_model *m, sb_data *d, sb_fixed *f)
{
    if (f->opt.method == SB_RESOLVENT && f->count > 0) {
        sb_step_show(m, d, f);
        sb_evaluate_slips(m, d, d->t, d->x, 0); // signals were those of mid-step
        sb_step_carry(m, d, f);
    }
    sb_complete_board(m, d, d->x, d->rate);
}
