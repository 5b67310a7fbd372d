#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* A step at its nodes: the solution there, and what is kept of it. */

SB_HOT const double sb_node[SB_NODES] = {0.0, SB_INNER_NODE, 1.0 - SB_INNER_NODE, 1.0};

SB_HOT const double sb_node_weight[SB_NODES] = {1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0};

SB_HOT sb_status sb_rates_within(const sb_model *m, sb_data *d, const sb_method *method, sb_real theta)
{
    const sb_real t = d->t + theta * d->h_step;
    method->dense(m, d, theta, d->x_tmp);
    if (d->n_stuck && m->n_wp > 0) { // beside a prescribed speed, which no polynomial follows exactly
        sb_project_stuck(m, d, t, d->x_tmp);
    }
    return sb_rates(m, d, t, d->x_tmp, d->rate);
}

SB_HOT void sb_begin_nodes(const sb_model *m, sb_data *d)
{
    const int n = SB_N_LEDGER(m);
    for (int i = 0; i < n; ++i) {
        d->work_step[i] = sb_node_weight[0] * d->power_start[i];
    }
}

SB_HOT void sb_see_node(const sb_model *m, sb_data *d, int extremes, int ledger, int node, const sb_real *x,
                        const sb_real *rate)
{
    if (extremes || ledger) {
        sb_complete_board(m, d, x, rate);
    }
    if (extremes) {
        sb_outputs(m, d, x, d->node_output + node * m->n_output, 1);
    }
    if (ledger) {
        sb_power(m, d, x, rate);
        const int n = SB_N_LEDGER(m);
        const double w = sb_node_weight[node];
        for (int i = 0; i < n; ++i) {
            d->work_step[i] += w * d->power[i];
        }
    }
}

/* The trapezoidal rule with an explicit guess, whose error is of order dh^3. */
SB_HOT sb_status sb_follow_trace(const sb_model *m, sb_data *d, const sb_method *method, sb_flag which, sb_real dh,
                                 sb_flag *gone)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->x_tmp[i] = d->x_new[i] + dh * d->rate_new[i];
    }
    const sb_real t = d->t + d->h_step + dh;
    SB_TRY(sb_rates(m, d, t, d->x_tmp, d->rate));
    for (int i = 0; i < SB_N_Y(m); ++i) {
        const sb_real curve = 0.5 * dh * (d->rate[i] - d->rate_new[i]);
        const sb_flag small = sb_abs(curve) <= SB_TRACE_CURVE * (m->x_nominal[i] + sb_abs(d->x_new[i]));
        which = sb_and(which, small);
    }
    *gone = which;
    if (!sb_any(which)) {
        return SB_OK;
    }
    for (int i = 0; i < n; ++i) {
        d->x_new[i] = sb_pick(which, d->x_new[i] + 0.5 * dh * (d->rate_new[i] + d->rate[i]), d->x_new[i]);
    }
    method->stretch(m, d, sb_and(which, d->h_step > 0.0), (d->h_step + dh) / d->h_step);
    d->h_step = sb_pick(which, d->h_step + dh, d->h_step);
    SB_TRY(sb_rates(m, d, t, d->x_new, d->rate));
    for (int i = 0; i < n; ++i) {
        d->rate_new[i] = sb_pick(which, d->rate[i], d->rate_new[i]);
    }
    return SB_OK;
}

SB_HOT void sb_end_at_start(const sb_model *m, sb_data *d, sb_flag which)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        d->x_new[i] = sb_pick(which, d->x[i], d->x_new[i]);
        d->rate_new[i] = sb_pick(which, d->rate_start[i], d->rate_new[i]);
    }
    for (int i = 0; i < 3 * SB_PADDED(n); ++i) {
        d->dense[i] = sb_pick(which, SB_R(0.0), d->dense[i]);
    }
    d->h_step = sb_pick(which, SB_R(0.0), d->h_step);
}
