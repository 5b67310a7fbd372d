#include <math.h>
#include <string.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "runtime/sb_runtime.h"
#include "stick/sb_stick.h"

/* The equations for the integrator of another program. */

static int has_equations(stribeck *s)
{
    sb_report_clear(s);
    if (s->stage == SB_STAGE_RUNNING && s->opt.solver == STRIBECK_EQUATIONS) {
        return 1;
    }
    sb_report_refusal(s, "equations: start the plant with the solver STRIBECK_EQUATIONS first");
    return 0;
}

static int done(stribeck *s, sb_status status)
{
    return status == SB_OK ? 0 : sb_report_failure(s, status);
}

/* An input that changes between two events moves signals, not modes. */
sb_status sb_plant_rates(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    if (s->rated) {
        return SB_OK;
    }
    if (s->stale) {
        sb_begin_segment(m, d, d->t, d->x);
        s->stale = 0;
    }
    d->culprit = (sb_culprit){SB_NOTHING, 0};
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    s->rated = 1;
    return SB_OK;
}

double stribeck_nominal(const stribeck *s, int state)
{
    return state >= 0 && state < SB_N_Y(&s->image.model) ? s->image.model.x_nominal[state] : NAN;
}

int stribeck_place(stribeck *s, double t, const double *x)
{
    if (!has_equations(s)) {
        return 1;
    }
    s->data.t = t;
    for (int i = 0; x && i < SB_N_Y(&s->image.model); ++i) { // integrators add rounding to what is constant
        s->data.x[i] = s->image.state_discrete[i] ? s->data.x[i] : x[i];
    }
    s->shown = s->rated = 0;
    return 0;
}

void stribeck_states(const stribeck *s, double *x)
{
    memcpy(x, s->data.x, (size_t)SB_N_Y(&s->image.model) * sizeof *x);
}

/* Rates where the plant is; those of a fixed step are those of the last step. */
static sb_status present_rates(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    switch (s->opt.solver) {
    case STRIBECK_EQUATIONS:
        return sb_plant_rates(s);
    case STRIBECK_ADAPTIVE:
        return sb_rates(m, d, d->t, d->x, d->rate);
    case STRIBECK_FIXED:
        sb_fixed_board(m, d, &s->fixed);
        break;
    }
    return SB_OK;
}

int stribeck_rates(stribeck *s, double *rate)
{
    sb_report_clear(s);
    if (s->stage != SB_STAGE_RUNNING) {
        return sb_report_refusal(s, "rates: start the plant first");
    }
    const sb_status status = present_rates(s);
    memcpy(rate, s->data.rate, (size_t)SB_N_Y(&s->image.model) * sizeof *rate);
    return done(s, status);
}

int stribeck_n_indicators(const stribeck *s)
{
    return SB_N_EVENT(&s->image.model);
}

/* Integrators look for changes of sign and step over what is 0 at their start: one that rests is shifted away from 0,
 * and one that is passed over for a moment is 1. */
int stribeck_indicators(stribeck *s, double *value)
{
    if (!has_equations(s)) {
        return 1;
    }
    const sb_data *d = &s->data;
    const sb_status status = sb_plant_rates(s);
    if (status == SB_OK) {
        sb_event_margins(sb_plant_model(s), &s->data, d->x, value);
        for (int i = 0; i < SB_N_EVENT(&s->image.model); ++i) {
            const double shift = SB_INDICATOR_BANDS * d->event_band[i] + SB_INDICATOR_LEAST;
            value[i] = !d->resting[i] ? value[i] : isfinite(shift) ? value[i] + shift : 1.0;
        }
    }
    return done(s, status);
}

const char *stribeck_indicator_owner(const stribeck *s, int indicator)
{
    return sb_image_text(&s->image, SB_TEXT_event_owner, indicator);
}

/* Signals, modes and discrete states at the present point. Slips of stuck contacts have rate 0, but the integrator of
 * another program solves its equations only to its tolerance, and what has drifted is no slip. */
static sb_status pass_event(stribeck *s)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    sb_project_stuck(m, d, d->t, d->x);
    s->rated = 0;
    SB_TRY(sb_plant_rates(s));
    sb_event_values(m, d, d->x, d->event_value);
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->fired[i] = d->event_value[i] < 0.0;
    }
    if (d->t >= d->t_break - SB_TIME_REACHED * fabs(d->t_break)) {
        sb_begin_segment(m, d, sb_max(d->t, d->t_break), d->x);
    }
    return sb_update_modes(m, d, d->t, d->x);
}

int stribeck_update(stribeck *s, stribeck_event *event)
{
    if (!has_equations(s)) {
        return 1;
    }
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    const int n = SB_N_Y(m);
    int changed = 0;
    if (sb_parameters_apply(s, &changed) || (changed && sb_plant_review(s))) {
        return 1;
    }
    double *before = s->work;
    sb_copy(before, d->x, n);
    const sb_status status = pass_event(s);
    event->states_changed = memcmp(before, d->x, (size_t)n * sizeof *before) != 0;
    event->modes_changed = changed;
    for (int k = 0; k < m->n_lock; ++k) {
        event->modes_changed |= d->mode[k] != d->mode_old[k];
    }
    for (int i = 0; i < m->n_shown; ++i) {
        event->modes_changed |= (int)d->x[m->shown_state[i]] != d->shown_old[i];
    }
    event->next = sb_min(d->t_break, d->t_bridge);
    s->shown = s->rated = 0;
    return done(s, status);
}

/* --- derivatives --- */

/* Rates and outputs at the present point plus `share` of a direction. */
static sb_status shifted(stribeck *s, const double *state, const double *input, double share, double *rate,
                         double *output)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    const sb_image *g = &s->image;
    for (int i = 0; state && i < SB_N_Y(m); ++i) {
        d->x[i] += share * state[i];
    }
    for (int i = 0; input && i < g->n_input; ++i) {
        d->signal_memory[m->signal_memory_ptr[g->input_node[i]]] += share * input[i];
    }
    if (input) {
        sb_begin_segment(m, d, d->t, d->x);
    }
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    sb_complete_board(m, d, d->x, d->rate);
    SB_TRY(sb_jerk(m, d, d->t, d->x, d->rate));
    sb_outputs(m, d, d->x, output, 1);
    sb_copy(rate, d->rate, SB_N_Y(m));
    return SB_OK;
}

/* The part of a direction for differences: it moves each state by a small share of its typical size at most. */
static double difference_share(const stribeck *s, const double *state, const double *input)
{
    const sb_model *m = &s->image.model;
    double largest = 0.0;
    for (int i = 0; state && i < SB_N_Y(m); ++i) {
        largest = sb_max(largest, fabs(state[i]) / (m->x_nominal[i] + fabs(s->data.x[i])));
    }
    for (int i = 0; input && i < s->image.n_input; ++i) {
        const double now = s->data.signal_memory[m->signal_memory_ptr[s->image.input_node[i]]];
        largest = sb_max(largest, fabs(input[i]) / (1.0 + fabs(now)));
    }
    return largest > 0.0 ? SB_DIFFERENCE / largest : 1.0;
}

/* Central differences of rates and outputs. States and inputs are put back to the last bit. */
static sb_status differences(stribeck *s, const double *state, const double *input, double *rate, double *output)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    const sb_image *g = &s->image;
    const int n = SB_N_Y(m);
    const double share = difference_share(s, state, input);
    double *x = s->work;
    double *u = x + n;
    double *other = u + g->n_input;
    sb_copy(x, d->x, n);
    for (int i = 0; i < g->n_input; ++i) {
        u[i] = d->signal_memory[m->signal_memory_ptr[g->input_node[i]]];
    }
    sb_status status = SB_OK;
    for (int side = -1; side <= 1 && status == SB_OK; side += 2) {
        status = side < 0 ? shifted(s, state, input, -share, other, other + n)
                          : shifted(s, state, input, share, rate, output);
        sb_copy(d->x, x, n);
        for (int i = 0; i < g->n_input; ++i) {
            d->signal_memory[m->signal_memory_ptr[g->input_node[i]]] = u[i];
        }
    }
    if (input) {
        sb_begin_segment(m, d, d->t, d->x);
    }
    for (int i = 0; i < n; ++i) {
        rate[i] = (rate[i] - other[i]) / (2.0 * share);
    }
    for (int i = 0; i < m->n_output; ++i) {
        output[i] = (output[i] - other[n + i]) / (2.0 * share);
    }
    return status;
}

/* Rates along a direction of the states, by the Jacobian: one product and one solution. */
static sb_status along_states(stribeck *s, const double *state, double *rate)
{
    const sb_model *m = sb_plant_model(s);
    sb_data *d = &s->data;
    SB_TRY(sb_plant_rates(s));
    if (m->n_loss > 0) {
        SB_TRY(sb_refresh_mass(m, d));
    }
    sb_jacobian(m, d, d->t, d->x);
    double *sum = s->work;
    for (int i = 0; i < SB_N_X(m); ++i) {
        double row = 0.0;
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            const int column = m->lu_perm[m->lu_col[p]];
            row += column < SB_N_Y(m) ? d->jac[p] * state[column] : 0.0;
        }
        sum[m->lu_perm[i]] = row;
    }
    sb_solve_derivative(m, d, sum, sum);
    sb_copy(rate, sum, SB_N_Y(m));
    s->rated = s->shown = 0;
    return SB_OK;
}

static sb_status directional(stribeck *s, const double *state, const double *input, double *rate, double *output)
{
    const sb_model *m = sb_plant_model(s);
    const int n = SB_N_Y(m);
    double *other_rate = s->work + 2 * (n + m->n_output + s->image.n_input);
    double *other_output = other_rate + n;
    SB_TRY(sb_plant_rates(s));
    if (input || output) {
        SB_TRY(differences(s, state, input, other_rate, other_output));
        if (output) {
            sb_copy(output, other_output, m->n_output);
        }
    }
    if (rate && input) {
        if (state) { // the part of the inputs alone
            SB_TRY(differences(s, NULL, input, other_rate, other_output));
        }
        sb_copy(rate, other_rate, n);
    } else if (rate) {
        memset(rate, 0, (size_t)n * sizeof *rate);
    }
    if (rate && state) {
        SB_TRY(along_states(s, state, other_rate));
        for (int i = 0; i < n; ++i) {
            rate[i] += other_rate[i];
        }
    }
    return SB_OK;
}

int stribeck_directional(stribeck *s, const double *state, const double *input, double *rate, double *output)
{
    if (!has_equations(s)) {
        return 1;
    }
    const sb_status status = directional(s, state, input, rate, output);
    s->rated = s->shown = 0;
    return done(s, status);
}
