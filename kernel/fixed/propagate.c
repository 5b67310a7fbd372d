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
 * whatever the step; positions follow with the mean of the speeds at both ends. For machines of small islands P has hardly more entries
 * than the factors and saves the way through forces and back; for long chains it is full, and the factors stay. */

/* Torques of springs and sources that the input `in` gives; offset 1 with the constant part, 0 without. */
SB_HOT void sb_propagated_from(const sb_model *m, sb_data *d, const sb_fixed *f, const sb_real *in, double offset)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const sb_real way = sb_row_dot(m->e_ptr, m->e_col, m->e_val, k, in, -offset * m->spring_rel0[k]);
        const sb_real turn = sb_row_dot(m->w_ptr, m->w_col, m->w_val, k, in, SB_R(0.0));
        d->tau[k] = m->spring_c[k] * way + (m->spring_d[k] + f->spring_extra[k]) * turn;
    }
    for (int k = 0; k < m->n_source; ++k) {
        d->tau[SB_SOURCE_BRANCH(m, k)] = -in[SB_N_X(m) + k];
    }
}

SB_HOT void sb_propagate(const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_real *source = f->x_start + SB_N_X(m);
    for (int k = 0; k < m->n_source; ++k) {
        source[k] = d->jet[SB_JET * m->source_signal[k]] + d->torque_offset[k];
    }
    sb_slices_multiply(&f->prop, f->x_start, f->prop_constant, f->change);
}

SB_HOT void sb_propagate_unknowns(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int n = m->n_v;
    const int *restrict el = f->own_el;
    const sb_real *restrict answer = f->own_push;
    const sb_real *restrict tau = f->el_tau;
    const sb_real *restrict start = f->x_start;
    sb_real *restrict change = f->change;
    sb_real *restrict way = d->sum;
    sb_real *restrict x = d->x;
    for (int i = 0; i < n; ++i) {
        const sb_real gain = change[i] - answer[i] * tau[el[i]];
        change[i] = gain;
        way[i] = f->h * (start[i] + 0.5 * gain);
        x[i] = start[i] + gain;
    }
    sb_slices_multiply(&f->way, way, NULL, f->change + n);
    for (int i = n; i < n + m->n_q; ++i) {
        x[i] = start[i] + change[i];
    }
}
