#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"

/* Outputs on the grid, from the dense output of the step just made; several points at once where there is a viewer. */

enum { WORTH_A_VIEW = 2 }; /* points */

int sb_next_points(const sb_data *d, const sb_record *rec, double t_new, int most, double *theta)
{
    const double *t = rec->grid + rec->next;
    const size_t left = rec->n_grid - rec->next;
    int n = 0;
    for (; n < most && (size_t)n < left && t[n] <= t_new; ++n) {
        theta[n] = sb_min((t[n] - d->t) / d->h_step, 1.0);
    }
    return n;
}

/* Values of output i on the grid; the first of equal ones counts. */
static void take_extremes(sb_data *d, int i, const double *t, const double *value, int n)
{
    double high = d->ext_max[i];
    double low = d->ext_min[i];
    int highest = -1;
    int lowest = -1;
    for (int k = 0; k < n; ++k) {
        if (value[k] > high) {
            high = value[k];
            highest = k;
        }
        if (value[k] < low) {
            low = value[k];
            lowest = k;
        }
    }
    if (highest >= 0) {
        sb_extremes_record(d, i, 1, t[highest], high);
    }
    if (lowest >= 0) {
        sb_extremes_record(d, i, 1, t[lowest], low);
    }
}

void sb_points_written(const sb_model *m, sb_data *d, sb_record *rec, int n)
{
    const sb_viewer *v = rec->viewer;
    const double *t = rec->grid + rec->next;
    const double *row = rec->data + rec->next;
    for (int i = 0; i < m->n_output && v->extremes; ++i, row += rec->n_grid) {
        if (v->beyond[i]) {
            take_extremes(d, i, t, row, n);
        }
    }
    rec->next += (size_t)n;
    d->stats.output_evaluations += n;
}

void sb_copy_points(const sb_model *m, const sb_record *rec, int first, int n)
{
    const sb_viewer *v = rec->viewer;
    const double *from = v->output + first;
    double *to = rec->data + rec->next;
    for (int i = 0; i < m->n_output; ++i, from += v->lanes, to += rec->n_grid) {
        for (int k = 0; k < n; ++k) {
            to[k] = from[k];
        }
    }
}

/* The next n points, whose places are in the viewer: right into their rows, where these go on behind them. */
static void write_together(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method,
                           sb_record *rec, int n)
{
    sb_viewer *v = rec->viewer;
    const int direct = rec->n_grid - rec->next >= (size_t)v->lanes;
    double *output = direct ? rec->data + rec->next : v->output;
    const size_t stride = direct ? rec->n_grid : (size_t)v->lanes;
    v->extremes = opt->extremes;
    if (method == &sb_rodas5p) {
        v->show_step(v, m, d, n, 0, output, stride);
    } else {
        for (int k = 0; k < n; ++k) {
            v->t[k] = d->t + v->theta[k] * d->h_step;
            method->dense(m, d, v->theta[k], v->x + k * SB_N_X(m));
        }
        v->show(v, m, d, n, output, stride);
    }
    if (!direct) {
        sb_copy_points(m, rec, 0, n);
    }
    sb_points_written(m, d, rec, n);
}

static sb_status write_one(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method,
                           sb_record *rec, double theta)
{
    SB_TRY(sb_rates_within(m, d, method, theta));
    --d->stats.rhs_evaluations; // sb_rates has counted it; the solver does not need it
    sb_complete_board(m, d, d->x_tmp, d->rate);
    SB_TRY(sb_jerk(m, d, d->t + theta * d->h_step, d->x_tmp, d->rate));
    sb_outputs(m, d, d->x_tmp, rec->data + rec->next, rec->n_grid);
    if (opt->extremes) {
        sb_extremes_touch(m, d, rec->grid[rec->next], rec->data + rec->next, rec->n_grid);
    }
    ++rec->next;
    ++d->stats.output_evaluations;
    return SB_OK;
}

sb_status sb_write_grid(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method, sb_record *rec,
                        double t_new)
{
    double one;
    if (rec->next >= rec->n_grid || rec->grid[rec->next] > t_new) {
        return SB_OK;
    }
    const int together = rec->viewer && sb_runs_in_lanes(m, d);
    const int most = together ? rec->viewer->lanes : 1;
    double *theta = together ? rec->viewer->theta : &one;
    for (int n = most; n == most;) {
        n = sb_next_points(d, rec, t_new, most, theta);
        if (n >= WORTH_A_VIEW) {
            write_together(m, d, opt, method, rec, n);
        } else if (n > 0) {
            SB_TRY(write_one(m, d, opt, method, rec, theta[0]));
        }
    }
    return SB_OK;
}
