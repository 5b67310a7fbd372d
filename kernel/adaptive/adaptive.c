#include <float.h>
#include <math.h>
#include <string.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* The adaptive driver: step size control, events, output on the grid, choice of the method. */

enum { STALLED_EVENTS = 100, CROWD = 1000 };
enum { MOST_BRIDGED = 100 };
/* Automatic choice of the method: Rodas5P, which costs little more per step, unless a machine without bristles takes
 * steps that are small against its fastest motion for long, so that an explicit method would be stable with them.
 * (Bristles have such phases at every break-away, and turn stiff as soon as they slide.) Each return to Rodas5P makes
 * the next change harder. */
enum { CHECK_EVERY = 8, SMOOTH_CHECKS = 12, STIFF_STEPS = 8, CALM_STEPS = 6 };
#define EXPLICIT_LIMIT 2.0  /* h * |eigenvalue| with which the explicit method is taken up */
#define STABILITY_LIMIT 2.8 /* and above which it works at its boundary (3.3), unless CALM_STEPS follow */

static const sb_method *method_of(const sb_driver *drv)
{
    return drv->method == SB_DOPRI5 ? &sb_dopri5 : &sb_rodas5p;
}

/* First step: the scaled state over its scaled rate, as in Hairer, Norsett, Wanner I, section II.4, without a trial. */
static double first_step(const sb_model *m, const sb_data *d, const sb_options *opt)
{
    if (opt->first_step > 0.0) {
        return opt->first_step;
    }
    double fastest = 0.0;
    for (int i = 0; i < SB_N_Y(m); ++i) {
        fastest = sb_max(fastest, fabs(d->rate_start[i]) / (m->x_nominal[i] + fabs(d->x[i])));
    }
    const double h = SB_FIRST_STEP * (opt->t_end - d->t);
    return fastest > 0.0 ? sb_min(h, 0.01 / fastest) : h;
}

/* Predictive controller of Gustafsson (ACM TOMS 20, 1994), as in RODAS; fifth roots of the errors. */
#define ROOT_FLOOR 0.3981 /* of the error 0.01 */
static double next_step(sb_driver *drv, double h, double root)
{
    double factor = 0.9 / root;
    if (drv->h_last > 0.0) {
        factor = sb_min(factor, 0.9 * (h / drv->h_last) * drv->root_last / (root * root));
    }
    factor = sb_min(sb_max(factor, 0.2), drv->after_reject ? 1.0 : 6.0);
    drv->h_last = h;
    drv->root_last = sb_max(root, ROOT_FLOOR);
    drv->after_reject = 0;
    return h * factor;
}

int sb_runs_in_lanes(const sb_model *m, const sb_data *d)
{
    int runs = d->n_redundant == 0 && d->n_decaying == 0 && !d->literal_sign;
    for (int i = 0; i < m->n_signal && runs; ++i) {
        runs = d->signal_slides[i] == 0;
    }
    return runs;
}

static void record_change(const sb_data *d, sb_record *rec, int number, int from, int to)
{
    if (from != to) {
        rec->changes[rec->n_changes++] = (sb_mode_change){d->t, number, from, to};
        if (rec->measures) {
            sb_measures_change(rec->measures, d->t, number, from, to);
        }
    }
}

/* A stop that bounces is stuck for an instant. */
static void record_changes(const sb_model *m, const sb_data *d, sb_record *rec)
{
    for (int k = 0; k < m->n_lock; ++k) {
        const int between = d->bounced[k] && d->mode_old[k] == d->mode[k] ? SB_STUCK : d->mode[k];
        record_change(d, rec, k, d->mode_old[k], between);
        record_change(d, rec, k, between, d->mode[k]);
    }
    for (int i = 0; i < m->n_shown; ++i) {
        record_change(d, rec, m->n_lock + i, d->shown_old[i], (int)d->x[m->shown_state[i]]);
    }
}

size_t sb_driver_fields(sb_driver *drv, sb_field *fields)
{
    size_t n = 0;
#define X(name) SB_NUMBER_FIELD("solver." #name, &drv->name)
    SB_DRIVER_NUMBERS(X)
#undef X
#define X(name) SB_COUNT_FIELD("solver." #name, &drv->name)
    SB_DRIVER_COUNTS(X)
#undef X
    return n;
}

static void refresh_view(const sb_record *rec, int stale)
{
    if (rec->viewer && rec->viewer->stale < stale) {
        rec->viewer->stale = stale;
    }
}

static void make_ready(const sb_model *m, sb_data *d, sb_driver *drv)
{
    if (drv->unprepared) {
        method_of(drv)->prepare(m, d);
        drv->unprepared = 0;
    }
}

/* The next step starts from here. */
static void prepare(const sb_model *m, sb_data *d, sb_driver *drv, const sb_record *rec)
{
    drv->unprepared = 1;
    if (!rec->in_lanes) {
        make_ready(m, d, drv);
    }
}

/* Modes after a time event or located events, and everything that the next step starts from. */
static sb_status restart(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec)
{
    SB_TRY(sb_update_modes(m, d, d->t, d->x));
    record_changes(m, d, rec);
    sb_observe_start(m, d, opt);
    SB_TRY(sb_signals_remember(m, d, d->t, d->x, d->rate_start, SB_AFTER_EVENT));
    if (opt->extremes) {
        sb_extremes_touch(m, d, d->t, d->node_output, 1);
    }
    drv->h_last = 0.0;
    prepare(m, d, drv, rec);
    refresh_view(rec, SB_OTHER_STATE);
    return SB_OK;
}

/* The signal that breaks next is behind time events that repeat. */
static void name_breaking_signal(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_signal; ++i) {
        if (d->node_break[i] <= d->t_break) {
            d->culprit = (sb_culprit){SB_SIGNAL, i};
        }
    }
}

/* Too many events at one instant, or located ones crowded into a tiny part of the run: the modes do not settle. */
static sb_status guard_events(const sb_model *m, sb_data *d, sb_driver *drv, int event, double h)
{
    const int stalled = h <= SB_SHORTEST_STEP * sb_max(fabs(d->t), SB_SHORTEST_TIME);
    drv->stalled_events = stalled ? drv->stalled_events + 1 : 0;
    drv->h *= stalled && event ? 0.1 : 1.0; // so long a step does not see what happens right after this instant
    if (event && (drv->crowd++ == 0 || d->t - drv->crowd_start > SB_CROWDED * drv->span)) {
        drv->crowd = 1;
        drv->crowd_start = d->t;
    }
    if (drv->stalled_events <= STALLED_EVENTS && drv->crowd <= CROWD) {
        return SB_OK;
    }
    name_breaking_signal(m, d);
    for (int i = 0; event && i < SB_N_EVENT(m); ++i) {
        if (d->fired[i]) {
            d->culprit = (sb_culprit){SB_EVENT, i};
        }
    }
    return SB_CHATTER;
}

/* Longest step that the machine allows at this point. */
static double longest_step(const sb_data *d, const sb_options *opt, double runaway)
{
    return sb_min(sb_min(opt->max_step, d->pace), runaway > 0.0 ? 1.0 / runaway : INFINITY);
}

sb_status sb_plan_step(const sb_model *m, sb_data *d, const sb_options *opt, const sb_driver *drv, double runaway,
                       double *size)
{
    const double h_max = sb_min(sb_min(opt->t_end, d->t_break), d->t_bridge) - d->t;
    if (h_max <= 0.0) { // the next break of a signal is now, and will be
        name_breaking_signal(m, d);
        return SB_CHATTER;
    }
    const double h = sb_min(drv->h, longest_step(d, opt, runaway));

    // reach the end of the segment without a tiny last step
    *size = h >= h_max ? h_max : h > 0.5 * h_max ? 0.5 * h_max : h;
    if (*size < SB_SHORTEST_STEP * sb_max(fabs(d->t), DBL_MIN) && *size < h_max) {
        if (drv->overflows) {
            sb_blame_signal(m, d);
        }
        return drv->overflows ? SB_NOT_FINITE : SB_STEP_TOO_SMALL;
    }
    return SB_OK;
}

int sb_judge_step(sb_data *d, sb_driver *drv, double h, double error, double root, double share)
{
    drv->overflows = !isfinite(error);
    if (error <= 1.0 && share < 1.0) {
        ++d->stats.rejected;
        drv->h = h * sb_max(share, 0.1);
        return 0;
    }
    if (error <= 1.0) {
        // a step that was cut short says nothing against the size wished for
        const double wish = h < drv->h ? drv->h : 0.0;
        drv->h = sb_max(next_step(drv, h, root), wish);
        return 1;
    }
    ++d->stats.rejected;
    drv->after_reject = 1;
    drv->h = h * (drv->overflows ? 0.1 : sb_max(0.2, 0.9 / root));
    return 0;
}

/* One step with acceptable error; its size comes back in d->h_step. */
static sb_status try_steps(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv)
{
    const sb_method *method = method_of(drv);
    make_ready(m, d, drv);
    // an implicit method would damp what runs away, and see no error in that
    const double runaway = method == &sb_rodas5p ? sb_unstable_rate(m, d) : 0.0;
    drv->overflows = 0;
    for (;;) {
        double h;
        SB_TRY(sb_plan_step(m, d, opt, drv, runaway, &h));
        d->worst = -1;
        const int failed = method->step(m, d, h);
        SB_TRY(d->watch.answer);
        const double error = failed ? INFINITY : sb_step_error(m, d, opt->tolerance);
        d->culprit = d->worst >= 0 ? (sb_culprit){SB_UNKNOWN, d->worst} : (sb_culprit){SB_NOTHING, 0};
        const double share = error <= 1.0 ? sb_share_before_peak(m, d) : 1.0;
        if (sb_judge_step(d, drv, h, error, sb_error_root(error), share)) {
            return SB_OK;
        }
    }
}

int sb_method_changes(const sb_model *m)
{
    return m->n_z == m->n_u;
}

int sb_method_due(const sb_model *m, sb_driver *drv)
{
    return drv->method == SB_RODAS5P && sb_method_changes(m) && ++drv->since_check >= CHECK_EVERY;
}

void sb_method_check(sb_driver *drv, double h, double rate)
{
    drv->since_check = 0;
    drv->smooth_checks = h * rate < EXPLICIT_LIMIT ? drv->smooth_checks + 1 : 0;
    if (drv->smooth_checks >= drv->smooth_needed) {
        drv->method = SB_DOPRI5;
        drv->stiff_steps = drv->calm_steps = 0;
    }
}

static void choose_method(const sb_model *m, sb_data *d, sb_driver *drv, double h)
{
    if (sb_method_due(m, drv)) {
        sb_method_check(drv, h, sb_fastest_rate(m, d));
    } else if (drv->method == SB_DOPRI5) {
        drv->calm_steps = d->stiffness > STABILITY_LIMIT ? 0 : drv->calm_steps + 1;
        drv->stiff_steps = drv->calm_steps == 0           ? drv->stiff_steps + 1
                           : drv->calm_steps > CALM_STEPS ? 0
                                                          : drv->stiff_steps;
        if (drv->stiff_steps >= STIFF_STEPS) {
            drv->method = SB_RODAS5P;
            drv->since_check = drv->smooth_checks = 0;
            drv->smooth_needed *= 4;
        }
    }
}

void sb_count_step(sb_data *d, const sb_driver *drv)
{
    sb_statistics *s = &d->stats;
    ++s->steps;
    s->steps_rodas5p += drv->method == SB_RODAS5P;
    s->steps_dopri5 += drv->method == SB_DOPRI5;
    s->smallest_step = s->steps == 1 ? d->h_step : sb_min(s->smallest_step, d->h_step);
    s->largest_step = sb_max(s->largest_step, d->h_step);
}

/* Points of the step just made, for signals that look back. */
static sb_status remember(const sb_model *m, sb_data *d, const sb_method *method, double t_new, int event)
{
    for (int node = 1; node < SB_NODES - 1; ++node) {
        SB_TRY(sb_rates_within(m, d, method, sb_node[node]));
        SB_TRY(sb_signals_remember(m, d, d->t + sb_node[node] * d->h_step, d->x_tmp, d->rate, SB_WITHIN));
    }
    SB_TRY(sb_rates(m, d, t_new, d->x_new, d->rate));
    return sb_signals_remember(m, d, t_new, d->x_new, d->rate, event ? SB_BEFORE_EVENT : SB_WITHIN);
}

/* Whether signals rest on the zeros of their event functions. */
static int signals_rest(const sb_model *m, const sb_data *d)
{
    int rests = 0;
    for (int i = SB_SIGNAL_EVENT(m); i < SB_LAW_EVENT(m); ++i) {
        rests |= d->resting[i];
    }
    return rests;
}

/* Their bands follow the state: that of a speed ratio is wide near rest. After prepare. */
static void follow_bands(const sb_model *m, sb_data *d, const sb_method *method)
{
    const int first = SB_SIGNAL_EVENT(m);
    const int end = SB_LAW_EVENT(m);
    for (int i = first; i < end; ++i) {
        d->event_node[i] -= d->resting[i] ? d->event_band[i] : 0.0;
    }
    if (!method->gradients) {
        sb_evaluate_slips(m, d, d->t, d->x, 1);
    }
    sb_signal_bands(m, d, d->x, d->rate_start, d->event_band + first, d->kink + first);
    for (int i = first; i < end; ++i) {
        d->event_node[i] += d->resting[i] ? d->event_band[i] : 0.0;
    }
}

/* What ends a step beside its size. */
typedef struct instant {
    int event, at_break, bridged;
} instant;

/* The machine at the end of a step: events and breaks there, and all that the next step starts from. */
static sb_status pass_instant(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec,
                              instant what)
{
    if (what.event) {
        int modes = 0;
        for (int i = 0; i < SB_SIGNAL_EVENT(m); ++i) {
            modes |= d->fired[i];
        }
        if (!modes && !what.at_break) { // a corner of the solution, though not of the modes
            rec->changes[rec->n_changes++] = (sb_mode_change){d->t, SB_NO_LOCK, 0, 0};
        }
        ++d->stats.state_events;
    }
    if (what.event || what.at_break) {
        SB_TRY(guard_events(m, d, drv, what.event, d->h_step));
    }
    if (what.at_break) {
        sb_pass_break(m, d, d->t, opt->ledger);
        rec->changes[rec->n_changes++] = (sb_mode_change){d->t, SB_NO_LOCK, 0, 0};
    }
    if (d->stats.bridged > MOST_BRIDGED) {
        return SB_CHATTER;
    }
    int left;
    sb_copy(d->rate, d->rate_start, SB_N_X(m)); // trends at the end of the step
    SB_TRY(sb_leave_jumps(m, d, d->t, d->x, NULL, &left));
    if (what.event || what.at_break || what.bridged || left) {
        SB_TRY(restart(m, d, opt, drv, rec));
    } else {
        if (opt->method == SB_AUTO) {
            choose_method(m, d, drv, d->h_step);
        }
        prepare(m, d, drv, rec);
        if (signals_rest(m, d)) {
            make_ready(m, d, drv);
            follow_bands(m, d, method_of(drv));
        }
    }
    drv->settled = 1;
    return SB_OK;
}

/* Where the step just made ends: on the break that limits it, whatever rounding says. */
static double end_of_step(const sb_data *d, const sb_options *opt)
{
    const double t_stop = sb_min(sb_min(opt->t_end, d->t_break), d->t_bridge);
    return d->h_step >= t_stop - d->t ? t_stop : d->t + d->h_step;
}

/* The step just observed, which may end on an event, becomes part of the run. */
static sb_status end_step(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec,
                          sb_ending how)
{
    const int event = how.event;
    const sb_method *method = method_of(drv);
    const double t_new = event ? d->t + d->h_step : end_of_step(d, opt);
    SB_TRY(sb_write_grid(m, d, opt, method, rec, t_new));
    if (opt->extremes) {
        SB_TRY(sb_extremes_follow(m, d, method, rec->viewer));
    }
    if (rec->measures) {
        SB_TRY(sb_measures_step(m, d, method, rec->measures));
    }
    const int at_break = t_new >= d->t_break && t_new < opt->t_end;
    const int bridged = t_new >= d->t_bridge && t_new < opt->t_end;
    const int due = t_new >= d->t_break || t_new >= d->t_bridge;
    drv->settled = 0;
    if (m->n_delay > 0) {
        SB_TRY(remember(m, d, method, t_new, event || t_new >= d->t_break));
    }
    sb_count_step(d, drv);
    for (int i = 0; i < SB_N_Y(m) && !how.ready; ++i) {
        d->x_peak[i] = sb_max(d->x_peak[i], fabs(d->x_new[i]));
    }
    sb_observe_accept(m, d, opt);
    d->t = t_new;
    if (d->n_stuck && !how.ready) {
        sb_project_stuck(m, d, d->t, d->x);
    }

    if (due && !event && !at_break && !bridged) { // at t_end: this is for the run that goes on from here
        drv->settled = 1;
        return SB_OK;
    }
    return pass_instant(m, d, opt, drv, rec, (instant){event, at_break, bridged});
}

/* A run that has ended at a break goes on beyond it. */
static sb_status pass_due(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec)
{
    const instant due = {0, d->t >= d->t_break, d->t >= d->t_bridge};
    return due.at_break || due.bridged ? pass_instant(m, d, opt, drv, rec, due) : SB_OK;
}

/* From t to the end of one accepted step, shortened to the first event in it. */
static sb_status advance(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec)
{
    const sb_method *method = method_of(drv);
    SB_TRY(try_steps(m, d, opt, drv));
    // where no event can shorten the step, the grid comes first: then the board stays at the end of the step
    const int is_final = sb_shares_pass(m) && !method->rate_at_end;
    SB_TRY(sb_observe_step(m, d, opt, method, rec, is_final ? end_of_step(d, opt) : d->t));
    int event = 0;
    if (SB_N_EVENT(m) > 0) {
        SB_TRY(sb_locate_event(m, d, method, &event));
    }
    if (event && (opt->ledger || opt->extremes)) {
        SB_TRY(sb_observe_step(m, d, opt, method, rec, d->t));
    }
    return end_step(m, d, opt, drv, rec, (sb_ending){.event = event});
}

/* The driver and what the machine knows of the run, from t0 on. */
static void begin_run(sb_data *d, const sb_options *opt, sb_driver *drv, double t0, int same)
{
    if (drv->smooth_needed == 0) {
        drv->method = SB_RODAS5P;
        drv->smooth_needed = SMOOTH_CHECKS;
    }
    drv->method = opt->method == SB_AUTO ? drv->method : (int)opt->method;
    drv->settled = 0;
    d->tolerance = opt->tolerance;
    if (!same) {
        drv->span = opt->t_end - t0;
        d->dwell = SB_DWELL * drv->span;
    }
}

/* The first point of the grid is the start. */
static sb_status write_start(const sb_model *m, sb_data *d, const sb_options *opt, sb_record *rec)
{
    refresh_view(rec, SB_OTHER_VALUES);
    for (; rec->next < rec->n_grid && rec->grid[rec->next] <= d->t; ++rec->next) {
        SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
        sb_complete_board(m, d, d->x, d->rate);
        SB_TRY(sb_jerk(m, d, d->t, d->x, d->rate));
        sb_outputs(m, d, d->x, rec->data + rec->next, rec->n_grid);
        if (opt->extremes) {
            sb_extremes_touch(m, d, d->t, rec->data + rec->next, rec->n_grid);
        }
    }
    return SB_OK;
}

sb_status sb_resume(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, double t,
                    int same)
{
    begin_run(d, opt, drv, t, same);
    if (same) {
        SB_TRY(sb_machine_resume(m, d, 1));
        sb_observe_again(m, d, opt);
    } else {
        SB_TRY(sb_machine_review(m, d, t));
        record_changes(m, d, rec);
        sb_observe_start(m, d, opt);
        SB_TRY(sb_signals_remember(m, d, t, d->x, d->rate_start, SB_AFTER_EVENT));
        drv->h_last = 0.0;
        drv->stalled_events = drv->crowd = 0;
    }
    sb_extremes_start(m, d);
    method_of(drv)->prepare(m, d);
    if (!same || drv->h <= 0.0 || opt->first_step > 0.0) {
        drv->h = first_step(m, d, opt);
    }
    SB_TRY(write_start(m, d, opt, rec));
    drv->settled = 1;
    return same ? pass_due(m, d, opt, drv, rec) : SB_OK;
}

sb_status sb_start(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, double t0,
                   const double *y0)
{
    memset(drv, 0, sizeof *drv);
    begin_run(d, opt, drv, t0, 0);
    SB_TRY(sb_machine_start(m, d, t0, y0));
    memset(d->x_peak, 0, (size_t)SB_N_X(m) * sizeof *d->x_peak);
    sb_observe_start(m, d, opt);
    SB_TRY(sb_signals_remember(m, d, t0, d->x, d->rate_start, SB_AFTER_EVENT));
    sb_extremes_start(m, d);
    prepare(m, d, drv, rec);
    drv->h = first_step(m, d, opt);

    d->h_step = 0.0;
    SB_TRY(write_start(m, d, opt, rec));
    drv->settled = 1;
    return sb_friction_check(m, d);
}

sb_status sb_run(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, long max_steps)
{
    if (d->t < opt->t_end) {
        SB_TRY(pass_due(m, d, opt, drv, rec));
    }
    for (long step = 0; d->t < opt->t_end; ++step) {
        if (step == max_steps || rec->max_changes - rec->n_changes <= (size_t)(2 * m->n_lock + m->n_shown)) {
            return SB_PAUSED;
        }
        SB_TRY(advance(m, d, opt, drv, rec));
        SB_TRY(sb_friction_check(m, d));
    }
    sb_energy(m, d, d->t, d->x, d->energy_now);
    return sb_friction_check(m, d);
}

sb_status sb_run_on(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, sb_ending how)
{
    SB_TRY(end_step(m, d, opt, drv, rec, how));
    SB_TRY(sb_friction_check(m, d));
    return sb_run(m, d, opt, drv, rec, 0);
}
