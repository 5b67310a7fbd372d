#include <stddef.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* The free motion as one sparse matrix. Where all forces but friction are linear in the unknowns with constant
 * coefficients, the change of the speeds over a step is
 *
 *     change = P [x, sources] + constant
 *
 * whatever the step; positions follow with the mean of the speeds at both ends. The columns of P come from the step
 * itself: what it makes of one unknown, or one source, alone. For machines of small islands P has hardly more entries
 * than the factors and saves the way through forces and back; for long chains it is full, and the factors stay. */

static int is_linear(const sb_model *m, const sb_fixed *f)
{
    return !f->varies && !f->sparse && m->n_motion == 0 && m->n_loss == 0 && m->n_u == 0;
}

/* Torques of springs and sources that the input `in` gives; offset 1 with the constant part, 0 without. */
static void find_torques(const sb_model *m, sb_data *d, const sb_fixed *f, const double *in, double offset)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const double way = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, in, -offset * m->spring_rel0[k]);
        const double turn = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, in, 0.0);
        d->tau[k] = m->spring_c[k] * way + (m->spring_d[k] + f->spring_extra[k]) * turn;
    }
    for (int k = 0; k < m->n_source; ++k) {
        d->tau[SB_SOURCE_BRANCH(m, k)] = -in[SB_N_X(m) + k];
    }
}

/* f->change out of them alone. */
static void respond(const sb_model *m, sb_data *d, sb_fixed *f, const double *in, double offset)
{
    find_torques(m, d, f, in, offset);
    for (int k = 0; k < m->n_friction; ++k) {
        d->tau[SB_FRICTION_BRANCH(m, k)] = 0.0;
    }
    sb_motion_solve(m, d, f, in);
}

/* A column of P into f->change; `in` is 0 before and after. */
static void find_column(const sb_model *m, sb_data *d, sb_fixed *f, double *in, int j)
{
    in[j] = 1.0;
    respond(m, d, f, in, 0.0);
    in[j] = 0.0;
}

/* The next column after j that is not 0 by its nature: states of laws, and holding torques, move nothing. */
static int next_column(const sb_model *m, int j)
{
    return j + 1 == m->n_v + m->n_q ? SB_N_X(m) : j + 1;
}

/* Entries of each row, in f->row_next; 0 if they are too many. */
static int count_entries(const sb_model *m, sb_data *d, sb_fixed *f, double *in)
{
    int total = 0;
    for (int i = 0; i < m->n_v; ++i) {
        f->row_next[i] = 0;
    }
    for (int j = 0; j < SB_N_INPUT(m) && total <= SB_PROPAGATED(m); j = next_column(m, j)) {
        find_column(m, d, f, in, j);
        for (int i = 0; i < m->n_v; ++i) {
            f->row_next[i] += f->change[i] != 0.0;
            total += f->change[i] != 0.0;
        }
    }
    return total <= SB_PROPAGATED(m);
}

static void fill_matrix(const sb_model *m, sb_data *d, sb_fixed *f, double *in)
{
    sb_slices_begin(&f->prop, m->n_v, f->row_next);
    for (int j = 0; j < SB_N_INPUT(m); j = next_column(m, j)) {
        find_column(m, d, f, in, j);
        for (int i = 0; i < m->n_v; ++i) {
            if (f->change[i] != 0.0) {
                sb_slices_put(&f->prop, f->row_next, i, j, f->change[i]);
            }
        }
    }
    sb_slices_end(&f->prop);
    respond(m, d, f, in, 1.0);
    sb_copy(f->prop_constant, f->change, m->n_v);
}

void sb_propagate_start(const sb_model *m, sb_data *d, sb_fixed *f)
{
    double *in = f->x_start;
    f->plain = 0;
    if (!is_linear(m, f)) {
        return;
    }
    sb_copy(f->slip0_end, d->tau, SB_N_BRANCH(m)); // nothing else is there without prescribed motions
    for (int j = 0; j < SB_N_INPUT(m); ++j) {
        in[j] = 0.0;
    }
    if (count_entries(m, d, f, in)) {
        fill_matrix(m, d, f, in);
        sb_slices_from_rows(&f->way, m->n_q, m->g_ptr, m->g_col, m->g_val, f->row_next);
        f->plain = 1;
    }
    sb_copy(d->tau, f->slip0_end, SB_N_BRANCH(m));
    sb_copy(in, d->x, SB_N_X(m));
    for (int i = 0; i < SB_N_X(m); ++i) {
        f->change[i] = 0.0;
    }
}

void sb_propagate(const sb_model *m, sb_data *d, sb_fixed *f)
{
    double *in = f->x_start;
    for (int k = 0; k < m->n_source; ++k) {
        in[SB_N_X(m) + k] = d->jet[SB_JET * m->source_signal[k]] + d->torque_offset[k];
    }
    sb_slices_multiply(&f->prop, in, f->prop_constant, f->change);
}

void sb_propagate_positions(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const double *restrict start = f->x_start;
    const double *restrict change = f->change;
    double *restrict way = d->sum;
    for (int i = 0; i < m->n_v; ++i) {
        way[i] = f->h * (start[i] + 0.5 * change[i]);
    }
    sb_slices_multiply(&f->way, way, NULL, f->change + m->n_v);
}

void sb_propagated_torques(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    find_torques(m, d, f, f->x_start, 1.0);
}
