#include <float.h>
#include <math.h>
#include <stddef.h>

#include "linear/sb_linear.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"

/* Friction elements at instants: their heat, event functions, discrete states, signs and loads that begin or end. */

double sb_friction_curve(const sb_model *m, int k, double v, double *by_v)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    const sb_law *law = sb_law_of(m, k);
    const double *param = m->fr_param + m->fr_param_ptr[k];
    const double beyond = sb_min(v, 0.0);
    const double speed = v - beyond;
    const double beginning = SB_CURVE_BEGINS * m->fr_peak[k];
    const int begins = speed > 0.0 && speed < beginning && isfinite(beginning);
    law->flow_jac(law, param, begins ? 0.0 : speed, NULL, out, jac);
    if (begins) {
        law->flow(law, param, speed, NULL, out);
    }
    *by_v = jac[0];
    return out[0] + jac[0] * beyond;
}

double sb_friction_loss(const sb_model *m, const sb_data *d, const double *x, const double *force, int k)
{
    double grad[SB_LAW_MAX];
    const sb_contact c = sb_contact_of(m, d, k);
    double stored = 0.0;
    if (c.law->storage) {
        c.law->storage(c.law, c.param, x + c.state, grad);
        for (int i = 0; i < c.law->n_state; ++i) {
            stored += c.load * grad[i] * force[c.state + i];
        }
    }
    return d->tau[c.branch] * d->slip[c.branch] - stored;
}

/* What the bristles store per unit load and time, grad V . z', less than nothing where they give it back; and its
 * derivatives by slip and states into those of the heat. */
static double storing(const sb_contact *c, const double *x, const double *out, const double *jac, double *local)
{
    double grad[SB_LAW_MAX];
    double hess[SB_LAW_LOCALS];
    double sum = 0.0;
    const int n = c->law->n_moving;
    if (!c->law->storage || c->open) {
        return 0.0;
    }
    c->law->storage(c->law, c->param, x + c->state, grad);
    c->law->curvature(c->law, c->param, x + c->state, hess);
    for (int i = 0; i < n && c->law->separate; ++i) {
        const int by_slip = sb_law_by_slip(c->law, i);
        sum += grad[i] * out[1 + i];
        local[0] -= grad[i] * jac[by_slip];
        local[1 + i] -= grad[i] * jac[by_slip + n] + hess[i] * out[1 + i];
    }
    for (int i = 0; i < n && !c->law->separate; ++i) {
        const double *row = jac + (1 + i) * (1 + n);
        sum += grad[i] * out[1 + i];
        local[0] -= grad[i] * row[0];
        for (int j = 0; j < n; ++j) {
            local[1 + j] -= grad[i] * row[1 + j] + hess[i * n + j] * out[1 + i];
        }
    }
    return sum;
}

/* Heat by the unknowns behind the parameters that vary; its explicit time derivative comes back. */
static double vary_loss_partials(const sb_model *m, const sb_data *d, int k, const sb_contact *c, const double *x,
                                 const double *out, double *local)
{
    double by[SB_LAW_MAX];
    double grad[SB_LAW_MAX];
    double grad_by[SB_LAW_MAX];
    double by_time = 0.0;
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int which = m->vary_param[i] - m->fr_param_ptr[k];
        const int s = m->vary_signal[i];
        sb_contact_slopes_by_param(d, c, x, which, by);
        double heat = c->direction * by[0] * d->slip[c->branch];
        if (c->law->storage && !c->open) {
            c->law->storage(c->law, c->param, x + c->state, grad);
            c->law->storage_param(c->law, c->param, x + c->state, which, grad_by);
            for (int j = 0; j < c->law->n_state; ++j) {
                heat -= grad_by[j] * out[1 + j] + grad[j] * by[1 + j];
            }
        }
        by_time += c->load * heat * d->jet[SB_JET * s + 1];
        for (int p = m->grad_ptr[s]; p < m->grad_ptr[s + 1]; ++p) {
            *local++ = c->load * heat * d->local[m->signal_local + p];
        }
    }
    return by_time;
}

double sb_friction_loss_partials(const sb_model *m, const sb_data *d, const double *x, int k, double *local)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    const sb_contact c = sb_contact_of(m, d, k);
    const int n = sb_law_columns(c.law);
    const double slip = d->slip[c.branch];
    sb_contact_slopes(d, &c, x, out, jac);

    // per unit load: friction * slip - what is stored; the friction of a locking law has the sign of its direction
    local[0] = c.direction * out[0] + slip * jac[0];
    for (int i = 1; i < n; ++i) {
        local[i] = c.direction * slip * jac[i];
    }
    const double heat = c.direction * out[0] * slip - storing(&c, x, out, jac, local);
    for (int i = 0; i < n; ++i) {
        local[i] *= c.load;
    }
    double *behind = sb_contact_load_partials(m, d, k, &c, heat, local + n);
    const double by_params = vary_loss_partials(m, d, k, &c, x, out, behind);
    return local[0] * d->slip_t[c.branch] + sb_contact_load_rate(m, k, &c) * heat + by_params;
}

static double stored_energy(const sb_contact *c, const double *x)
{
    double grad[SB_LAW_MAX];
    return c->law->storage ? c->load * c->law->storage(c->law, c->param, x + c->state, grad) : 0.0;
}

void sb_friction_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        energy[c.branch] = stored_energy(&c, x);
    }
}

/* Holding torque of a contact that slides: what would take its slip acceleration away. */
double sb_friction_hold(const sb_model *m, const sb_data *d, int k)
{
    const double tau = d->tau[SB_FRICTION_BRANCH(m, k)];
    return d->compliance[k] > 0.0 ? tau + d->accel[k] / d->compliance[k] : tau;
}

/* The same per unit load, in the direction of the contact. Without a load nothing can be held: whatever moves is pushed
 * beyond every limit. */
static double hold_per_load(const sb_model *m, const sb_data *d, int k, const sb_contact *c)
{
    const double hold = c->direction * sb_friction_hold(m, d, k);
    const double beyond = sb_sign_of(c->direction * d->slip[c->branch]) * SB_BEYOND_LIMITS;
    return c->load > 0.0 ? sb_min(sb_max(hold / c->load, -SB_BEYOND_LIMITS), SB_BEYOND_LIMITS) : beyond;
}

/* The larger load of the pair. */
static double largest_load(const sb_model *m, const sb_data *d, int k)
{
    return sb_max(d->jet[SB_JET * m->fr_load[k]], d->jet[SB_JET * m->fr_back[k]]);
}

void sb_friction_events(const sb_model *m, const sb_data *d, const double *x, double *value)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        double *g = value + SB_LAW_EVENT(m) + m->fr_guard[k];
        if (c.law->n_guard > 0 && c.direction != 0.0 && !c.open) {
            c.law->guard(c.law, c.param, c.direction * d->slip[c.branch], x + c.state, hold_per_load(m, d, k, &c), g);
        } else {
            for (int i = 0; i < c.law->n_guard; ++i) {
                g[i] = 1.0;
            }
        }
        if (m->fr_side[k] >= 0) {
            double out[SB_LAW_MAX];
            sb_contact_flow(d, &c, x, out);
            value[SB_SIDE_EVENT(m) + m->fr_side[k]] = d->side[k] * out[0];
        }
        if (m->fr_open[k] >= 0) {
            const double load = largest_load(m, d, k);
            value[SB_OPEN_EVENT(m) + m->fr_open[k]] = c.open ? -load : load;
        }
    }
}

void sb_friction_bands(const sb_model *m, const sb_data *d, const double *x, double *band, int *kink)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        for (int i = 0; i < c.law->n_guard; ++i) {
            band[SB_LAW_EVENT(m) + m->fr_guard[k] + i] = SB_GUARD_ZERO;
        }
        if (m->fr_side[k] >= 0) { // both loads give the same friction where it is 0
            const int event = SB_SIDE_EVENT(m) + m->fr_side[k];
            sb_contact_slopes(d, &c, x, out, jac);
            double spread = 0.0;
            for (int p = m->w_ptr[c.branch]; p < m->w_ptr[c.branch + 1]; ++p) {
                spread += fabs(jac[0] * m->w_val[p]) * m->x_nominal[m->w_col[p]];
            }
            for (int i = 0; i < sb_law_columns(c.law) - 1; ++i) {
                spread += fabs(jac[1 + i]) * m->x_nominal[c.state + i];
            }
            band[event] = sb_max(SB_KINK_SHARE * d->tolerance, SB_SLIP_ZERO) * spread;
            kink[event] = SB_SOFT_KINK;
        }
        if (m->fr_open[k] >= 0) {
            const double rate = sb_max(fabs(sb_signal_rate(m, d, m->fr_load[k], d->rate)),
                                       fabs(sb_signal_rate(m, d, m->fr_back[k], d->rate)));
            band[SB_OPEN_EVENT(m) + m->fr_open[k]] = rate * sb_time_band(d);
        }
    }
}

void sb_friction_sides(const sb_model *m, sb_data *d, const double *x, const int *fired)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const int side = m->fr_side[k];
        if (side >= 0 && fired) {
            d->side[k] = fired[SB_SIDE_EVENT(m) + side] ? -d->side[k] : d->side[k];
        } else if (side >= 0) {
            double out[SB_LAW_MAX];
            const sb_contact c = sb_contact_of(m, d, k);
            sb_contact_flow(d, &c, x, out);
            d->side[k] = out[0] < 0.0 ? SB_BACKWARD : SB_FORWARD;
        }
    }
}

double sb_steady_slip(const sb_model *m, const sb_data *d, int friction)
{
    const int b = SB_FRICTION_BRANCH(m, friction);
    double nominal = 0.0;
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return fabs(d->slip[b]) > SB_NO_DIRECTION * nominal ? d->slip[b] : 0.0;
}

/* Whether the modes of a law must fit the slip: it would take straight bristles under slip for a contact at rest.
 * Elements that stick and slip by themselves may be anywhere. */
static int modes_follow_slip(const sb_law *law)
{
    return law->n_guard > 0 && law->count == 0;
}

sb_engage sb_engage_of(const sb_model *m, int friction)
{
    return modes_follow_slip(sb_law_of(m, friction)) ? SB_ENGAGE_STEADY : (sb_engage)m->fr_engage[friction];
}

/* A load that crosses zero is rounding there, so the event decides; one that jumps says itself where it is. */
void sb_friction_open(const sb_model *m, sb_data *d, double *x, const int *fired)
{
    for (int k = 0; k < m->n_friction; ++k) {
        if (m->fr_open[k] < 0) {
            continue;
        }
        const sb_law *law = sb_law_of(m, k);
        const int crossed = fired && fired[SB_OPEN_EVENT(m) + m->fr_open[k]];
        const int open = crossed ? !d->open[k] : largest_load(m, d, k) <= 0.0;
        const int closes = fired && d->open[k] && !open;
        const sb_engage engage = sb_engage_of(m, k);
        if (fired ? closes && engage != SB_ENGAGE_FROZEN : open) {
            const double slip = closes && engage == SB_ENGAGE_STEADY ? sb_steady_slip(m, d, k) : 0.0;
            law->steady(law, d->param + m->fr_param_ptr[k], slip, x + m->n_v + m->n_q + m->fr_state[k]);
        }
        d->open[k] = open;
    }
}

void sb_change_states(const sb_model *m, const sb_data *d, int k, int before, int after, double slip, double *x)
{
    double z_new[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const double *param = d->param + m->fr_param_ptr[k];
    double *z = x + m->n_v + m->n_q + m->fr_state[k];
    const double speed = after == SB_STUCK ? 0.0 : fabs(slip);
    if (before == after || !law->steady) {
        return;
    }
    if (!law->change || before == SB_FREE || after == SB_FREE) {
        law->steady(law, param, speed, z);
        return;
    }
    law->change(law, param, speed, z, (before == SB_BACKWARD) != (after == SB_BACKWARD) ? -1.0 : 1.0, z_new);
    sb_copy(z, z_new, law->n_state);
}

/* What the states of a law have given up becomes heat. */
static void book_lost(const sb_model *m, sb_data *d, double *x, int k, double lost)
{
    const int b = SB_FRICTION_BRANCH(m, k);
    d->ledger[SB_LEDGER_LOSS(m) + b] += lost;
    d->ledger[SB_LEDGER_STORE(m) + b] -= lost;
    sb_heat_jump(m, x, k, lost);
}

void sb_friction_jump(const sb_model *m, sb_data *d, double *x, const int *fired)
{
    double z[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        for (int i = 0; i < c.law->n_guard; ++i) {
            if (!fired[SB_LAW_EVENT(m) + m->fr_guard[k] + i]) {
                continue;
            }
            const double before = stored_energy(&c, x);
            c.law->jump(c.law, c.param, c.direction * d->slip[c.branch], x + c.state, hold_per_load(m, d, k, &c), i, z);
            sb_copy(x + c.state, z, c.law->n_state);
            book_lost(m, d, x, k, before - stored_energy(&c, x));
        }
    }
}

double sb_nominal_slip(const sb_model *m, int b)
{
    double nominal = 0.0;
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

/* Whether a contact is thrown through slip 0, or from rest beyond the speed at which its law changes. */
static int breaks_loose(const sb_model *m, int b, double before, double after)
{
    const int turned = before * after < -SB_LEFT_OVER * before * before;
    return turned || (fabs(after - before) > fabs(before) && fabs(after) > sb_nominal_slip(m, b));
}

void sb_friction_after_impulse(const sb_model *m, sb_data *d, double *x, const double *before, const double *after)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        if (modes_follow_slip(c.law) && c.law->steady && breaks_loose(m, c.branch, before[c.branch], after[c.branch])) {
            const double stored = stored_energy(&c, x);
            c.law->steady(c.law, c.param, after[c.branch], x + c.state);
            book_lost(m, d, x, k, stored - stored_energy(&c, x));
        }
    }
}

sb_status sb_friction_check(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_vary; ++i) {
        const double value = d->param[m->vary_param[i]];
        if (!(value >= m->vary_low[i] && value <= m->vary_high[i])) {
            d->culprit = (sb_culprit){SB_PARAMETER, i};
            return SB_PARAMETER_BOUND;
        }
    }
    for (int i = 0; i < m->n_order; ++i) {
        const double high = d->param[m->order_high[i]];
        if (!(d->param[m->order_low[i]] <= high + SB_ORDER_ROUNDING * fabs(high))) {
            d->culprit = (sb_culprit){SB_ORDER, i};
            return SB_PARAMETER_BOUND;
        }
    }
    return SB_OK;
}
