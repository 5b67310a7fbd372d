#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "network/sb_network.h"

/* Heat of a resolvent step, see heat.c. What friction turns into heat is its work less what its bristles have stored;
 * the heat of springs and sources is that of the signals of the step. Temperatures follow after the motion: they take
 * the heat as the free motion has taken conduction, implicitly, so that a small thermal mass is not too fast. */

static double friction_heat(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    double grad[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const double *param = sb_param_of(m, f, k);
    const int b = SB_FRICTION_BRANCH(m, k);
    const int state = m->n_v + m->n_q + m->fr_state[k];
    double stored = 0.0;
    if (law->storage) {
        const double before = law->storage(law, param, f->x_start + state, grad);
        stored = f->el_load[2 * k] * (law->storage(law, param, d->x + state, grad) - before);
    }
    return d->tau[b] * 0.5 * (f->slip_start[b] + d->slip[b]) - stored / f->h;
}

void sb_step_heat(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_heat; ++k) {
        d->heat[k] = m->heat_signal[k] >= 0 ? d->jet[SB_JET * m->heat_signal[k]] : 0.0;
    }
    for (int k = 0; k < m->n_friction; ++k) {
        if (m->fr_heat[k] >= 0) {
            d->heat[m->fr_heat[k]] += friction_heat(m, d, f, k);
        }
    }
    for (int i = 0; i < SB_N_X(m); ++i) {
        d->sum[i] = 0.0;
    }
    for (int k = 0; k < m->n_heat; ++k) {
        if (m->heat_state[k] >= 0) {
            d->sum[m->heat_state[k]] += f->h * m->heat_gain[k] * d->heat[k];
        }
    }
    sb_lu_solve(m, f->step_lu, f->step_inv, d->sum, d->sum, d->solve_tmp);
    for (int i = SB_N_Y(m) - m->n_u; i < SB_N_Y(m); ++i) {
        d->x[i] += d->sum[i];
        d->rate[i] += d->sum[i] / f->h;
    }
}
