#include <stddef.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* The matrix of the free motion, see propagate.c. Its columns come from the step itself: what it makes of one unknown,
 * or one source, alone. */

static int is_linear(const sb_model *m, const sb_fixed *f)
{
    return !f->varies && !f->sparse && m->n_motion == 0 && m->n_loss == 0 && m->n_u == 0;
}

/* f->change out of them alone. */
static void respond(const sb_model *m, sb_data *d, sb_fixed *f, const double *in, double offset)
{
    sb_propagated_from(m, d, f, in, offset);
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
    for (int i = 0; i < m->n_v; ++i) {
        f->prop_constant[i] = f->change[i] + 0.0; // not -0: a sum that begins with it may have any zeros in it
    }
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
