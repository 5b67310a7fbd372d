#include <math.h>

#include "sb_element.h"
#include "sb_math.h"

/* The one friction element: torque = load * law(slip, states). A locking law slides along its curve in the
 * direction of its mode; while it is stuck its torque is the holding torque, which the network finds. */

typedef struct contact {
    const sb_law *law;
    const double *param;
    int branch;
    int state;        /* index of the first state among the unknowns */
    double direction; /* sign under which the curve of a locking law is read, 0 where nothing slides */
    double load;
} contact;

static inline contact get_contact(const sb_model *m, const sb_data *d, int k)
{
    contact c;
    c.law = &sb_laws[m->fr_law[k]];
    c.param = m->fr_param + m->fr_param_ptr[k];
    c.branch = SB_FRICTION_BRANCH(m, k);
    c.direction = 1.0;
    if (m->fr_lock[k] >= 0) {
        const int mode = d->mode[m->fr_lock[k]];
        c.direction = mode == SB_FORWARD ? 1.0 : mode == SB_BACKWARD ? -1.0 : 0.0;
    }
    c.state = m->n_v + m->n_q + m->fr_state[k];
    c.load = sb_max(d->jet[SB_JET * m->fr_load[k]], 0.0);
    return c;
}

static double load_rate(const sb_model *m, const sb_data *d, int k)
{
    const double *jet = d->jet + SB_JET * m->fr_load[k];
    return jet[0] >= 0.0 ? jet[1] : 0.0; // a load that leaves or reaches 0 has its slope there too
}

void sb_friction_torque(const sb_model *m, sb_data *d, const double *x, double *force)
{
    double out[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        if (c.direction == 0.0) {
            d->tau[c.branch] = 0.0;
            continue;
        }
        c.law->flow(c.param, c.direction * d->slip[c.branch], x + c.state, out);
        d->tau[c.branch] = c.direction * c.load * out[0];
        for (int i = 0; i < c.law->n_state; ++i) {
            force[c.state + i] = out[1 + i];
        }
    }
}

/* local: row-major (torque, rates) by (slip, states). The curve of a locking law is odd, so its slope keeps its sign.
 */
void sb_friction_partials(const sb_model *m, sb_data *d, const double *x)
{
    double out[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        const int n = 1 + c.law->n_state;
        double *local = d->local + m->fr_local[k];
        if (c.direction == 0.0) {
            for (int i = 0; i < n * n; ++i) {
                local[i] = 0.0;
            }
            d->tau_t[c.branch] = 0.0;
            continue;
        }
        c.law->flow_jac(c.param, c.direction * d->slip[c.branch], x + c.state, out, local);
        for (int i = 0; i < n; ++i) {
            local[i] *= c.load;
        }
        const double slip_t = d->slip_t[c.branch];
        d->tau_t[c.branch] = local[0] * slip_t + c.direction * load_rate(m, d, k) * out[0];
        for (int i = 1; i < n; ++i) {
            d->force_t[c.state + i - 1] = local[i * n] * slip_t;
        }
    }
}

/* Work tau*slip goes into the bristles (load * grad V . z') and into heat; a load that changes while the bristles
 * are bent brings the energy load' * V with it. */
void sb_friction_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    double grad[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        double stored = 0.0;
        double brought = 0.0;
        if (c.law->storage) {
            brought = load_rate(m, d, k) * c.law->storage(c.param, x + c.state, grad);
            for (int i = 0; i < c.law->n_state; ++i) {
                stored += c.load * grad[i] * rate[c.state + i];
            }
        }
        d->power[SB_LEDGER_IN(m) + c.branch] = brought;
        d->power[SB_LEDGER_LOSS(m) + c.branch] = d->tau[c.branch] * d->slip[c.branch] - stored;
        d->power[SB_LEDGER_STORE(m) + c.branch] = stored + brought;
    }
}

void sb_friction_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    double grad[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        energy[c.branch] = c.law->storage ? c.load * c.law->storage(c.param, x + c.state, grad) : 0.0;
    }
}
