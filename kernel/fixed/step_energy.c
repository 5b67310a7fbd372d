#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "sb_kernel.h"

/* Energy of a resolvent step. Speeds change by the torques as they have acted, so with the means of slips and speeds at
 * both ends the works of all branches, bodies and prescribed motions balance exactly:
 *
 *     sum_k tau_k s_k h + sum_b J_b w_b dw_b = sum of what the prescribed motions give
 *
 * Springs have stored what they have stored; what flows into them beyond that is the numerical part: the damper of
 * stiff springs, and dampers that act at the end of the step. */

static double mean_slip(const sb_data *d, const sb_fixed *f, int b)
{
    return 0.5 * (f->slip_start[b] + d->slip[b]);
}

static void add_to_ledger(const sb_model *m, sb_data *d, int b, double in, double loss, double flow)
{
    d->ledger[SB_LEDGER_IN(m) + b] += in;
    d->ledger[SB_LEDGER_LOSS(m) + b] += loss;
    d->ledger[SB_LEDGER_STORE(m) + b] += flow;
}

static void book_springs(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_spring; ++k) {
        const double slip = mean_slip(d, f, k);
        const double loss = f->h * m->spring_d[k] * slip * slip;
        add_to_ledger(m, d, k, 0.0, loss, f->h * d->tau[k] * slip - loss);
    }
}

static void book_sources(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int k = 0; k < m->n_source; ++k) {
        const int b = SB_SOURCE_BRANCH(m, k);
        const int drives = m->source_energy[k] == SB_SOURCE_DRIVES;
        const double taken = f->h * d->tau[b] * mean_slip(d, f, b);
        const double stored = drives ? 0.0 : d->energy_now[b] - f->energy_before[b];
        add_to_ledger(m, d, b, drives ? -taken : 0.0, drives ? 0.0 : taken - stored, stored);
    }
}

/* What parameters that have changed have brought: the bristles of both ends of the step, under the load before. */
static double param_change_energy(const sb_model *m, const sb_data *d, sb_fixed *f, int k, double before, double after)
{
    double grad[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const int state = m->n_v + m->n_q + m->fr_state[k];
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        f->el_param[m->vary_param[i]] = f->vary_end[i];
        f->vary_end[i] = d->param[m->vary_param[i]];
    }
    const double old = law->storage(law, sb_param_of(m, f, k), f->x_start + state, grad) +
                       law->storage(law, sb_param_of(m, f, k), d->x + state, grad);
    return 0.5 * f->load_end[k] * (before + after - old);
}

/* What a load and parameters that have changed have brought into bent bristles. */
static double load_change_energy(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    double grad[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    if (!law->storage) {
        return 0.0;
    }
    const double *param = d->param + m->fr_param_ptr[k];
    const int state = m->n_v + m->n_q + m->fr_state[k];
    const int back = m->fr_side[k] >= 0 && d->side[k] == SB_BACKWARD;
    const double load = sb_max(d->jet[SB_JET * (back ? m->fr_back[k] : m->fr_load[k])], 0.0);
    const double before = law->storage(law, param, f->x_start + state, grad);
    const double after = law->storage(law, param, d->x + state, grad);
    const int varies = m->fr_vary_ptr[k + 1] > m->fr_vary_ptr[k];
    const double by_param = varies ? param_change_energy(m, d, f, k, before, after) : 0.0;
    const double change = load - f->load_end[k];
    f->load_end[k] = load;
    return 0.5 * change * (before + after) + by_param;
}

static void book_frictions(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const int b = SB_FRICTION_BRANCH(m, k);
        const double in = load_change_energy(m, d, f, k);
        const double stored = d->energy_now[b] - f->energy_before[b];
        add_to_ledger(m, d, b, in, f->h * d->tau[b] * mean_slip(d, f, b) - (stored - in), stored);
    }
}

/* Bodies, and what the prescribed motions have given to branches and bodies. */
static void book_bodies(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    double *store = d->ledger + SB_LEDGER_STORE(m) + SB_N_BRANCH(m);
    double *given = d->ledger + SB_LEDGER_MOTION(m);
    for (int k = 0; k < m->n_body; ++k) {
        d->body_a[k] = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, f->change, 0.0);
    }
    for (int p = 0; p < m->n_bp; ++p) {
        const int motion = m->bp_motion[p];
        d->body_a[m->bp_row[p]] += m->bp_val[p] * (f->motion_end[motion] - f->motion_start[motion]);
    }
    for (int k = 0; k < m->n_body; ++k) {
        const double end = sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, d->x, d->body_w0[k]);
        store[k] += m->body_inertia[k] * d->body_a[k] * (end - 0.5 * d->body_a[k]);
    }
    for (int p = 0; p < m->n_wp; ++p) {
        const int motion = m->wp_motion[p];
        const double speed = 0.5 * (f->motion_begin[motion] + f->motion_end[motion]);
        given[motion] += m->wp_val[p] * f->h * d->tau[m->wp_row[p]] * speed;
    }
    for (int p = 0; p < m->n_bp; ++p) {
        const int motion = m->bp_motion[p];
        const double speed = 0.5 * (f->motion_start[motion] + f->motion_end[motion]);
        given[motion] += m->bp_val[p] * m->body_inertia[m->bp_row[p]] * d->body_a[m->bp_row[p]] * speed;
    }
}

void sb_step_energy(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int active = d->n_active;
    sb_copy(f->energy_before, d->energy_now, SB_N_STORE(m));
    d->n_active = f->opt.hold_signals ? 0 : active; // what is held for the rest of the task stays as it is
    sb_energy(m, d, d->t + f->h, d->x, d->energy_now);
    d->n_active = active;
    book_springs(m, d, f);
    book_sources(m, d, f);
    book_frictions(m, d, f);
    book_bodies(m, d, f);
}
