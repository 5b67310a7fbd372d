#include <float.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"

/* The one friction element: torque = load * law(slip, states). A locking law slides along its curve in the
 * direction of its mode; while it is stuck its torque is the holding torque, which the network finds. The load may
 * differ with the sign of the friction: a pair of signals. What only happens at events is in friction_events.c. */

/* Whether the load acts. That of bristles ends and begins at located events, where its sign is rounding; others have
 * their slope also where they leave or reach 0. */
static inline sb_flag is_loaded(const sb_model *m, int k, const sb_contact *c)
{
    if (m->fr_open[k] >= 0) {
        return sb_not(c->open);
    }
    return c->jet[0] >= 0.0;
}

SB_HOT sb_real sb_contact_load_rate(const sb_model *m, int k, const sb_contact *c)
{
    return sb_where(is_loaded(m, k, c), c->jet[1]);
}

/* A locking law with states has those rates at v = 0 that they have while it is stuck. One that slides has a speed, if
 * only the least: where it begins, and where a step looks for the instant at which it stops. */
static inline sb_real sliding_speed(const sb_contact *c, sb_real v)
{
    return c->law->n_state > 0 ? sb_max(v, SB_R(DBL_MIN)) : v;
}

/* Just above v = 0 a curve may fall without bound (exponents below 1); there the slope of its beginning serves, which
 * is finite. */
static inline sb_flag is_beginning(const sb_contact *c, sb_real speed)
{
    return sb_and(sb_and(speed > 0.0, speed < c->beginning), c->beginning <= DBL_MAX);
}

/* A locking law: it follows its curve, which ends at v = 0; beyond, where a step looks for the instant at which it
 * stops, its tangent goes on (a curve that is even in v would hold there). Inside of Karnopp's window: the static
 * friction until the slip leaves it. What does not slide has rates of states while it is stuck. */
static void lock_flow(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real v, sb_real *out)
{
    const sb_flag slides = c->direction != 0.0;
    const int n = c->law->n_state;
    const sb_flag moves = sb_or(slides, c->stuck);
    if (!sb_any(n > 0 ? moves : slides)) {
        for (int i = 0; i <= n; ++i) {
            out[i] = SB_R(0.0);
        }
        return;
    }
    const sb_real beyond = sb_min(v, SB_R(0.0));
    const sb_real speed = sb_where(slides, sliding_speed(c, v - beyond));
    sb_call_flow(d, c, speed, z, out);
    if (sb_any(sb_and(slides, v < 0.0))) {
        sb_real at[SB_LAW_MAX];
        sb_real jac[SB_LAW_LOCALS];
        sb_call_flow_jac(d, c, sb_pick(is_beginning(c, speed), SB_R(0.0), speed), z, at, jac);
        out[0] = sb_pick(sb_and(slides, v < 0.0), out[0] + jac[0] * beyond, out[0]);
    }
    if (sb_any(sb_and(slides, c->lets_go))) {
        out[0] = sb_pick(c->lets_go, sb_call_breakaway(d, c, z), out[0]);
    }
    for (int i = 1; i <= n; ++i) {
        out[i] = sb_where(moves, out[i]);
    }
}

SB_HOT void sb_contact_flow(const sb_data *d, const sb_contact *c, const sb_real *x, sb_real *out)
{
    const sb_real v = c->direction * d->slip[c->branch];
    if (c->lock < 0) {
        sb_call_flow(d, c, v, x + c->state, out);
    } else {
        lock_flow(d, c, x + c->state, v, out);
    }
}

/* The same with derivatives. */
static void lock_slopes(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real v, sb_real *out, sb_real *jac)
{
    const sb_flag slides = sb_and(c->direction != 0.0, sb_not(c->lets_go));
    const int n = 1 + c->law->n_state;
    const sb_flag moves = n > 1 ? sb_or(slides, c->stuck) : slides;
    const sb_real beyond = sb_min(v, SB_R(0.0));
    const sb_real speed = sb_where(slides, sliding_speed(c, v - beyond));
    const sb_flag begins = sb_and(slides, is_beginning(c, speed));
    if (!sb_any(moves)) {
        for (int i = 0; i < n * n; ++i) {
            jac[i] = SB_R(0.0);
        }
        for (int i = 0; i < n; ++i) {
            out[i] = SB_R(0.0);
        }
    } else {
        sb_call_flow_jac(d, c, sb_pick(begins, SB_R(0.0), speed), z, out, jac);
    }
    if (sb_any(begins)) {
        sb_real at[SB_LAW_MAX];
        sb_call_flow(d, c, speed, z, at);
        for (int i = 0; i < n; ++i) {
            out[i] = sb_pick(begins, at[i], out[i]);
        }
    }
    out[0] = sb_where(slides, out[0] + jac[0] * beyond);
    if (sb_any(c->lets_go)) {
        const sb_flag held = sb_and(c->lets_go, c->direction != 0.0);
        out[0] = sb_pick(held, sb_call_breakaway(d, c, z), out[0]);
    }
    for (int i = 1; i < n; ++i) {
        out[i] = sb_where(moves, out[i]);
    }
    for (int i = 0; i < n * n; ++i) { // where nothing slides, states depend on themselves alone
        jac[i] = sb_where(i >= n && i % n != 0 ? moves : slides, jac[i]);
    }
}

SB_HOT void sb_contact_slopes(const sb_data *d, const sb_contact *c, const sb_real *x, sb_real *out, sb_real *jac)
{
    const sb_real v = c->direction * d->slip[c->branch];
    if (c->lock < 0) {
        sb_call_flow_jac(d, c, v, x + c->state, out, jac);
    } else {
        lock_slopes(d, c, x + c->state, v, out, jac);
    }
}

/* Neither a lock, nor a load pair, nor a load that may end: friction is load * law, and nothing else. */
static inline int is_plain(const sb_model *m, int k)
{
    return (m->fr_lock[k] & m->fr_side[k] & m->fr_open[k]) < 0;
}

static inline void plain_torque(const sb_model *m, sb_data *d, int k, const sb_real *x, sb_real *force)
{
    sb_real out[SB_LAW_MAX];
    sb_contact c; // what a call of its law looks at, and no more: clearing the rest would cost as much as the law
    c.law = sb_law_of(m, k);
    c.param = d->param + m->fr_param_ptr[k];
    c.number = k;
    const int branch = SB_FRICTION_BRANCH(m, k);
    const int state = m->n_v + m->n_q + m->fr_state[k];
    sb_call_flow(d, &c, sb_fresh(d->slip + branch), x + state, out);
    d->tau[branch] = sb_max(d->jet[SB_JET * m->fr_load[k]], SB_R(0.0)) * sb_fresh(out);
    for (int i = 0; i < c.law->n_state; ++i) {
        force[state + i] = sb_fresh(out + 1 + i);
    }
}

static void modal_torque(const sb_model *m, sb_data *d, int k, const sb_real *x, sb_real *force)
{
    sb_real out[SB_LAW_MAX];
    const sb_contact c = sb_contact_of(m, d, k);
    if (c.lock >= 0) {
        sb_copy(d->lock_state + m->fr_state[k], x + c.state, c.law->n_state);
    }
    sb_contact_flow(d, &c, x, out);
    d->tau[c.branch] = sb_where(c.direction != 0.0, c.direction * c.load * out[0]);
    for (int i = 0; i < c.law->n_state; ++i) {
        force[c.state + i] = sb_where(sb_not(c.open), out[1 + i]);
    }
}

SB_HOT void sb_friction_torque(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    for (int k = 0; k < m->n_friction; ++k) {
        if (is_plain(m, k)) {
            plain_torque(m, d, k, x, force);
        } else {
            modal_torque(m, d, k, x, force);
        }
    }
}

SB_HOT sb_real *sb_contact_load_partials(const sb_model *m, const sb_data *d, int k, const sb_contact *c,
                                         sb_real friction, sb_real *local)
{
    const int signals[2] = {m->fr_load[k], m->fr_back[k]};
    const sb_real factor = sb_where(is_loaded(m, k, c), friction);
    for (int j = 0; j < (signals[0] == signals[1] ? 1 : 2); ++j) {
        const int s = signals[j];
        const sb_real *grad = d->local + m->signal_local + m->grad_ptr[s];
        const int n = m->grad_ptr[s + 1] - m->grad_ptr[s];
        const sb_flag acts = signals[0] == signals[1] ? sb_not(SB_NEVER) : j == 0 ? sb_not(c->back) : c->back;
        for (int i = 0; i < n; ++i) {
            *local++ = sb_where(acts, factor) * grad[i];
        }
    }
    return local;
}

SB_HOT void sb_contact_slopes_by_param(const sb_data *d, const sb_contact *c, const sb_real *x, int which, sb_real *out)
{
    const int n = 1 + c->law->n_state;
    const sb_real *z = x + c->state;
    const sb_flag slides = sb_and(c->direction != 0.0, sb_not(c->lets_go));
    const sb_real v = sb_where(slides, c->direction * d->slip[c->branch]);
    c->law->flow_param(c->law, c->param, c->lock >= 0 ? sb_max(v, SB_R(0.0)) : v, z, which, out);
    if (!sb_all(slides)) {
        const sb_real limit = c->law->breakaway_param(c->law, c->param, z, which);
        out[0] = sb_pick(slides, out[0], sb_where(c->direction != 0.0, limit));
    }
    for (int i = 1; i < n; ++i) {
        out[i] = sb_where(sb_and(sb_not(c->open), sb_or(slides, c->stuck)), out[i]);
    }
}

/* Torque and rates by the unknowns behind the parameters that vary, and by time: derivatives by the parameter times the
 * gradient of the signal. */
static void vary_partials(const sb_model *m, sb_data *d, int k, const sb_contact *c, const sb_real *x, sb_real *local)
{
    sb_real by[SB_LAW_MAX];
    const int n = c->law->n_state;
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int s = m->vary_signal[i];
        const sb_real *grad = d->local + m->signal_local + m->grad_ptr[s];
        const int columns = m->grad_ptr[s + 1] - m->grad_ptr[s];
        const sb_real rate = d->jet[SB_JET * s + 1];
        sb_contact_slopes_by_param(d, c, x, m->vary_param[i] - m->fr_param_ptr[k], by);
        by[0] *= c->direction * c->load;
        d->tau_t[c->branch] += by[0] * rate;
        for (int j = 0; j < n; ++j) {
            d->force_t[c->state + j] += by[1 + j] * rate;
        }
        for (int r = 0; r <= n; ++r) {
            for (int j = 0; j < columns; ++j) {
                *local++ = by[r] * grad[j];
            }
        }
    }
}

/* local: (torque, rates) by (slip, states), placed as by flow_jac. The curve of a locking law is odd, so its slope
 * keeps its sign. Torques are wanted from plain contacts only (sb_shares_pass). */
SB_HOT void sb_friction_partials(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force)
{
    sb_real out[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        const int n = sb_law_columns(c.law);
        const int end = sb_law_locals(c.law);
        sb_real *local = d->local + m->fr_local[k];
        sb_contact_slopes(d, &c, x, out, local);
        if (force) {
            d->tau[c.branch] = c.load * out[0];
            sb_copy(force + c.state, out + 1, n - 1);
        }
        for (int i = 0; i < n; ++i) {
            local[i] *= i == 0 ? c.load : c.load * c.direction;
        }
        for (int i = 0; i < n - 1; ++i) {
            local[sb_law_by_slip(c.law, i)] *= c.direction;
        }
        for (int i = n; i < end && m->fr_open[k] >= 0; ++i) {
            local[i] = sb_where(sb_not(c.open), local[i]);
        }
        const sb_real slip_t = d->slip_t[c.branch];
        d->tau_t[c.branch] = local[0] * slip_t + c.direction * sb_contact_load_rate(m, k, &c) * out[0];
        for (int i = 0; i < n - 1; ++i) {
            d->force_t[c.state + i] = local[sb_law_by_slip(c.law, i)] * slip_t;
        }
        sb_real *behind = sb_contact_load_partials(m, d, k, &c, c.direction * out[0], local + end);
        vary_partials(m, d, k, &c, x, behind);
    }
}

/* What parameters that change bring into bent bristles per unit load: dV/dp * p'. */
static sb_real brought_by_params(const sb_model *m, const sb_data *d, int k, const sb_contact *c, const sb_real *x,
                                 const sb_real *rate)
{
    sb_real grad[SB_LAW_MAX];
    sb_real sum = SB_R(0.0);
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int which = m->vary_param[i] - m->fr_param_ptr[k];
        sum += c->law->storage_param(c->law, c->param, x + c->state, which, grad) *
               sb_signal_rate(m, d, m->vary_signal[i], rate);
    }
    return sum;
}

/* Total time derivative of the load. */
static sb_real total_load_rate(const sb_model *m, const sb_data *d, int k, const sb_contact *c, const sb_real *rate)
{
    if (m->n_grad == 0) {
        return sb_contact_load_rate(m, k, c);
    }
    const sb_real front = sb_signal_rate(m, d, m->fr_load[k], rate);
    const sb_real back = m->fr_back[k] == m->fr_load[k] ? front : sb_signal_rate(m, d, m->fr_back[k], rate);
    return sb_where(is_loaded(m, k, c), sb_pick(c->back, back, front));
}

/* Work tau*slip goes into the bristles (load * grad V . z') and into heat; a load that changes while the bristles
 * are bent brings the energy load' * V with it, and parameters that change bring load * dV/dp * p'. */
SB_HOT void sb_friction_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate)
{
    sb_real grad[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_contact c = sb_contact_of(m, d, k);
        sb_real stored = SB_R(0.0);
        sb_real brought = SB_R(0.0);
        if (c.law->family == SB_BRISTLE) {
            brought = total_load_rate(m, d, k, &c, rate) * sb_call_storage(d, &c, x + c.state, grad);
            brought += c.load * brought_by_params(m, d, k, &c, x, rate);
            for (int i = 0; i < c.law->n_state; ++i) {
                stored += c.load * grad[i] * rate[c.state + i];
            }
        }
        d->power[SB_LEDGER_IN(m) + c.branch] = brought;
        d->power[SB_LEDGER_LOSS(m) + c.branch] = d->tau[c.branch] * d->slip[c.branch] - stored;
        d->power[SB_LEDGER_STORE(m) + c.branch] = stored + brought;
    }
}

/* Slip accelerations of the watched contacts. */
SB_HOT void sb_friction_solved(const sb_model *m, sb_data *d, sb_real *rate)
{
    for (int k = 0; k < m->n_watch; ++k) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[k]);
        d->accel[m->watch[k]] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, rate, d->slip_t[b]);
    }
}
