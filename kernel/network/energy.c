#include "linear/sb_linear.h"
#include "network/sb_network.h"
#include "sb_kernel.h"

/* Stored energy of every branch and body. */

void sb_spring_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    (void)x;
    for (int k = 0; k < m->n_spring; ++k) {
        const double stretch = d->disp[k] - m->spring_rel0[k];
        energy[k] = 0.5 * m->spring_c[k] * stretch * stretch;
    }
}

void sb_source_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    (void)x;
    for (int k = 0; k < m->n_source; ++k) {
        const int signal = m->source_energy[k];
        energy[SB_SOURCE_BRANCH(m, k)] = signal >= 0 ? d->jet[SB_JET * signal] : 0.0;
    }
}

void sb_energy(const sb_model *m, sb_data *d, double t, const double *x, double *energy)
{
    sb_evaluate_slips(m, d, t, x, 0);
#define X(kind, there)                       \
    if (there) {                             \
        sb_##kind##_energy(m, d, x, energy); \
    }
    SB_BRANCH_KINDS(X)
#undef X
    for (int k = 0; k < m->n_body; ++k) {
        const double w = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
        energy[SB_N_BRANCH(m) + k] = 0.5 * m->body_inertia[k] * w * w;
    }
}
