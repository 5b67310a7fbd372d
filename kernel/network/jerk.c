#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "sb_kernel.h"

/* Jerks of bodies. Within one set of modes Mass x' = F(t, x), hence
 *
 *     Mass x'' = dF/dx x' + dF/dt,     jerk = B x'' + Bp . (prescribed jerks)
 *
 * with the exact derivatives that the solver has. Its own Jacobian belongs to the start of the step and may be asked
 * for again: those of this point go to a twin, which shares everything else. */
static sb_data twin_of(const sb_model *m, sb_data *d)
{
    sb_data twin = *d;
    sb_copy(d->jerk_mass, d->mass, m->n_lu);
    sb_copy(d->jerk_mass_lu, d->mass_lu, m->n_lu);
    sb_copy(d->jerk_mass_inv, d->mass_inv, SB_N_X(m));
    sb_copy(d->jerk_loss_slope, d->loss_slope, m->n_loss);
    sb_copy(d->jerk_loss_gain, d->loss_gain, m->n_loss);
    twin.jac = d->jerk_jac;
    twin.force_t = d->jerk_force_t;
    twin.mass = d->jerk_mass;
    twin.mass_lu = d->jerk_mass_lu;
    twin.mass_inv = d->jerk_mass_inv;
    twin.loss_slope = d->jerk_loss_slope;
    twin.loss_gain = d->jerk_loss_gain;
    return twin;
}

sb_status sb_jerk(const sb_model *m, sb_data *d, double t, const double *x, const double *rate)
{
    if (m->n_jerk == 0) {
        return SB_OK;
    }
    sb_data twin = twin_of(m, d);
    SB_TRY(sb_refresh_mass(m, &twin));
    sb_jacobian(m, &twin, t, x);
    for (int i = 0; i < SB_N_X(m); ++i) {
        double sum = 0.0;
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            sum += twin.jac[p] * rate[m->lu_perm[m->lu_col[p]]];
        }
        twin.force_t[m->lu_perm[i]] += sum;
    }
    sb_solve_derivative(m, &twin, twin.force_t, d->jerk_rate);
    for (int k = 0; k < m->n_body; ++k) {
        d->body_j[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->jerk_rate, d->body_j0[k]);
    }
    return SB_OK;
}
