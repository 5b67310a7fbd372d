#include <string.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* After sb_rates at a node: keep what is seen there. */
static void observe_node(const sb_model *m, sb_data *d, const sb_options *opt, int node, int events, const double *x,
                         const double *rate)
{
    if (events) {
        sb_event_values(m, d, x, d->event_node + node * SB_N_EVENT(m));
    }
    sb_see_node(m, d, opt->extremes, opt->ledger, node, x, rate);
}

static void observe_at_start(const sb_model *m, sb_data *d, const sb_options *opt)
{
    memset(d->work_step, 0, (size_t)SB_N_LEDGER(m) * sizeof *d->work_step);
    sb_see_node(m, d, opt->extremes, opt->ledger, 0, d->x, d->rate_start);
    sb_copy(d->power_start, d->power, SB_N_LEDGER(m));
}

void sb_observe_start(const sb_model *m, sb_data *d, const sb_options *opt)
{
    sb_copy(d->rate_start, d->rate, SB_N_X(m));
    sb_copy(d->force_start, d->force, SB_N_X(m));
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        d->event_node[i] = d->event_value[i] + (d->resting[i] ? d->event_band[i] : 0.0);
    }
    observe_at_start(m, d, opt);
}

void sb_observe_again(const sb_model *m, sb_data *d, const sb_options *opt)
{
    observe_at_start(m, d, opt);
}

static void observe_end(const sb_model *m, sb_data *d, const sb_options *opt)
{
    sb_copy(d->force_new, d->force, SB_N_X(m));
    observe_node(m, d, opt, 3, SB_N_EVENT(m) > 0, d->x_new, d->rate_new);
    if (opt->ledger) {
        sb_copy(d->power_new, d->power, SB_N_LEDGER(m));
    }
}

/* Whether all nodes can be seen at once: event functions belong to single machines. */
static int sees_nodes_together(const sb_model *m, const sb_data *d, const sb_options *opt, const sb_method *method,
                               const sb_viewer *viewer)
{
    return viewer && viewer->lanes >= SB_NODES - 1 && method == &sb_rodas5p && (opt->ledger || opt->extremes) &&
           sb_shares_pass(m) && sb_runs_in_lanes(m, d);
}

static void take_powers(const sb_model *m, sb_data *d, const sb_viewer *viewer)
{
    const int n = SB_N_LEDGER(m);
    const double *power = viewer->power;
    double *work = d->work_step;
    double *last = d->power_new;
    for (int i = 0; i < n; ++i, power += viewer->lanes) {
        work[i] += sb_node_weight[1] * power[0];
        work[i] += sb_node_weight[2] * power[1];
        work[i] += sb_node_weight[3] * power[2];
        last[i] = power[2];
    }
}

static void take_node_outputs(const sb_model *m, sb_data *d, const sb_viewer *viewer)
{
    const int n = m->n_output;
    const double *output = viewer->output;
    double *node = d->node_output;
    for (int i = 0; i < n; ++i, output += viewer->lanes) {
        node[n + i] = output[0];
        node[2 * n + i] = output[1];
        node[3 * n + i] = output[2];
    }
}

/* The nodes, and as many points of the grid as there are lanes left. */
static void observe_nodes_together(const sb_model *m, sb_data *d, const sb_options *opt, sb_record *rec, double t_grid)
{
    enum { NODES = SB_NODES - 1 };
    sb_viewer *viewer = rec->viewer;
    sb_copy(viewer->theta, sb_node + 1, NODES);
    const int points = sb_next_points(d, rec, t_grid, viewer->lanes - NODES, viewer->theta + NODES);
    viewer->extremes = opt->extremes && points > 0;
    viewer->show_step(viewer, m, d, NODES + points, 1, viewer->output, (size_t)viewer->lanes);
    d->stats.rhs_evaluations += NODES - 1;
    if (points > 0) {
        sb_copy_points(m, rec, NODES, points);
        sb_points_written(m, d, rec, points);
    }
    if (opt->ledger) {
        take_powers(m, d, viewer);
    }
    if (opt->extremes) {
        take_node_outputs(m, d, viewer);
    }
}

sb_status sb_observe_step(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method, sb_record *rec,
                          double t_grid)
{
    const double t_new = d->t + d->h_step;
    if (opt->ledger) {
        sb_begin_nodes(m, d);
    }
    if (sees_nodes_together(m, d, opt, method, rec->viewer)) {
        observe_nodes_together(m, d, opt, rec, t_grid);
        SB_TRY(sb_write_grid(m, d, opt, method, rec, t_grid));
        SB_TRY(sb_rates_before_jacobian(m, d, t_new, d->x_new, d->rate_new));
        sb_copy(d->force_new, d->force, SB_N_X(m));
        return SB_OK;
    }

    SB_TRY(sb_write_grid(m, d, opt, method, rec, t_grid));

    // methods that end on the board are looked at there first; the others leave the board at the end for prepare
    if (method->rate_at_end) {
        observe_end(m, d, opt);
    }
    if (opt->ledger || opt->extremes || SB_N_EVENT(m) > 0) {
        for (int node = 1; node < SB_NODES - 1; ++node) {
            SB_TRY(sb_rates_within(m, d, method, sb_node[node]));
            observe_node(m, d, opt, node, SB_N_EVENT(m) > 0, d->x_tmp, d->rate);
        }
    }
    if (!method->rate_at_end) {
        SB_TRY(sb_rates_before_jacobian(m, d, t_new, d->x_new, d->rate_new));
        observe_end(m, d, opt);
    }
    return SB_OK;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

void sb_observe_accept(const sb_model *m, sb_data *d, const sb_options *opt)
{
    if (opt->ledger) {
        const int n = SB_N_LEDGER(m);
        for (int i = 0; i < n; ++i) {
            d->ledger[i] += d->h_step * d->work_step[i];
        }
        swap(&d->power_start, &d->power_new);
    }
    swap(&d->x, &d->x_new);
    swap(&d->rate_start, &d->rate_new);
    swap(&d->force_start, &d->force_new);
    sb_copy(d->node_output, d->node_output + 3 * m->n_output, m->n_output);
    sb_copy(d->event_node, d->event_node + 3 * SB_N_EVENT(m), SB_N_EVENT(m));
}

void sb_pass_break(const sb_model *m, sb_data *d, double t, int ledger)
{
    const int n = ledger ? SB_N_STORE(m) : 0;
    const int throws = m->n_motion > 0 && m->n_law_guard > 0; // prescribed speeds may jump
    if (ledger) {
        sb_energy(m, d, t, d->x, d->energy_now);
    }
    if (throws) {
        sb_evaluate_slips(m, d, t, d->x, 0);
        sb_copy(d->slip_before, d->slip, SB_N_BRANCH(m));
    }
    sb_begin_segment(m, d, t, d->x);
    if (ledger) {
        sb_energy(m, d, t, d->x, d->energy_tmp);
    }
    if (throws) {
        sb_evaluate_slips(m, d, t, d->x, 0);
        sb_friction_after_impulse(m, d, d->x, d->slip_before, d->slip);
    }
    for (int i = 0; i < n; ++i) {
        d->energy_jump[i] += d->energy_tmp[i] - d->energy_now[i];
    }
    ++d->stats.time_events;
}
