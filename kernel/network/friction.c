#include <float.h>
#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"

/* The one friction element: torque = load * law(slip, states). A locking law slides along its curve in the
 * direction of its mode; while it is stuck its torque is the holding torque, which the network finds. The load may
 * differ with the sign of the friction: a pair of signals. */

typedef struct contact {
    const sb_law *law;
    const double *param;
    int branch;
    int state;        /* index of the first state among the unknowns */
    int lock;         /* or -1 */
    int open;         /* bristles without load: they rest */
    int stuck;        /* states follow their rates at v = 0 */
    double direction; /* sign under which the curve of a locking law is read, 0 where nothing slides */
    int signal;       /* of the load */
    double load;
    double beginning; /* slip below which the curve of a locking law just begins */
} contact;

static inline contact get_contact(const sb_model *m, const sb_data *d, int k)
{
    contact c;
    c.law = sb_law_of(m, k);
    c.param = d->param + m->fr_param_ptr[k];
    c.branch = SB_FRICTION_BRANCH(m, k);
    c.lock = m->fr_lock[k];
    c.direction = 1.0;
    c.stuck = 0;
    c.open = m->fr_open[k] >= 0 && d->open[k];
    int side = 1;
    if (c.lock >= 0) {
        const int mode = sb_is_literal(m, d, c.lock) ? sb_sign_of(d->slip[c.branch]) : d->mode[c.lock];
        const int direction = mode == SB_FORWARD ? 1 : mode == SB_BACKWARD ? -1 : 0;
        c.direction = m->lock_loss[c.lock] >= 0 ? 0.0 : direction; // the torque of a loss is found with its row
        c.stuck = d->mode[c.lock] == SB_STUCK;
        side = mode;
    } else if (m->fr_side[k] >= 0) {
        side = d->side[k];
    }
    c.state = m->n_v + m->n_q + m->fr_state[k];
    c.signal = side == SB_BACKWARD ? m->fr_back[k] : m->fr_load[k];
    c.load = sb_max(d->jet[SB_JET * c.signal], 0.0);
    c.beginning = SB_CURVE_BEGINS * m->fr_peak[k];
    return c;
}

/* Whether the load acts. That of bristles ends and begins at located events, where its sign is rounding; others have
 * their slope also where they leave or reach 0. */
static int is_loaded(const sb_model *m, const sb_data *d, int k, const contact *c)
{
    return m->fr_open[k] >= 0 ? !c->open : d->jet[SB_JET * c->signal] >= 0.0;
}

static double load_rate(const sb_model *m, const sb_data *d, int k, const contact *c)
{
    return is_loaded(m, d, k, c) ? d->jet[SB_JET * c->signal + 1] : 0.0;
}

/* A locking law with states has those rates at v = 0 that they have while it is stuck. One that slides has a speed, if
 * only the least: where it begins, and where a step looks for the instant at which it stops. */
static double sliding_speed(const contact *c, double v)
{
    return c->lock >= 0 && c->law->n_state > 0 ? sb_max(v, DBL_MIN) : v;
}

/* The law and its partial derivatives at slip v in its direction. The curve of a locking law ends at v = 0; beyond,
 * where a step looks for the instant at which it stops, its tangent goes on (a curve that is even in v would hold
 * there). Just above, a curve may fall without bound (exponents below 1); there the slope of its beginning serves,
 * which is finite. */
static void flow_jac(const contact *c, double v, const double *z, double *out, double *jac)
{
    const double beyond = c->lock >= 0 ? sb_min(v, 0.0) : 0.0;
    const double speed = sliding_speed(c, v - beyond);
    const int begins = c->lock >= 0 && speed > 0.0 && speed < c->beginning && isfinite(c->beginning);
    c->law->flow_jac(c->law, c->param, begins ? 0.0 : speed, z, out, jac);
    if (begins) {
        c->law->flow(c->law, c->param, speed, z, out);
    }
    out[0] += jac[0] * beyond;
}

double sb_friction_curve(const sb_model *m, int k, double v, double *by_v)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    const contact c = {.law = sb_law_of(m, k),
                       .param = m->fr_param + m->fr_param_ptr[k],
                       .lock = m->fr_lock[k],
                       .beginning = SB_CURVE_BEGINS * m->fr_peak[k]};
    flow_jac(&c, v, NULL, out, jac);
    *by_v = jac[0];
    return out[0];
}

/* Friction per unit load and rates of the states, as they are on the board. */
static void flow(const sb_data *d, const contact *c, const double *x, double *out)
{
    double jac[SB_LAW_LOCALS];
    const double v = c->direction * d->slip[c->branch];
    if (c->lock < 0 || (v >= 0.0 && d->phase[c->lock] != SB_LETTING_GO)) {
        c->law->flow(c->law, c->param, sliding_speed(c, v), x + c->state, out);
    } else if (d->phase[c->lock] == SB_LETTING_GO) {
        out[0] = c->law->breakaway(c->law, c->param,
                                   x + c->state); // Karnopp: the static friction until the slip leaves the window
    } else {
        flow_jac(c, v, x + c->state, out, jac);
    }
}

/* Rates of the states of a contact that does not slide. */
static void rest(const contact *c, const double *x, double *out)
{
    if (c->stuck && c->law->n_state > 0) {
        c->law->flow(c->law, c->param, 0.0, x + c->state, out);
        return;
    }
    for (int i = 1; i <= c->law->n_state; ++i) {
        out[i] = 0.0;
    }
}

/* Neither a lock, nor a load pair, nor a load that may end: friction is load * law, and nothing else. */
static inline int is_plain(const sb_model *m, int k)
{
    return (m->fr_lock[k] & m->fr_side[k] & m->fr_open[k]) < 0;
}

static inline void plain_torque(const sb_model *m, sb_data *d, int k, const double *x, double *force)
{
    double out[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const int branch = SB_FRICTION_BRANCH(m, k);
    const int state = m->n_v + m->n_q + m->fr_state[k];
    law->flow(law, d->param + m->fr_param_ptr[k], d->slip[branch], x + state, out);
    d->tau[branch] = sb_max(d->jet[SB_JET * m->fr_load[k]], 0.0) * out[0];
    for (int i = 0; i < law->n_state; ++i) {
        force[state + i] = out[1 + i];
    }
}

void sb_friction_torque(const sb_model *m, sb_data *d, const double *x, double *force)
{
    double out[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        if (is_plain(m, k)) {
            plain_torque(m, d, k, x, force);
            continue;
        }
        const contact c = get_contact(m, d, k);
        if (c.lock >= 0) {
            sb_copy(d->lock_state + m->fr_state[k], x + c.state, c.law->n_state);
        }
        if (c.direction == 0.0) {
            rest(&c, x, out);
            d->tau[c.branch] = 0.0;
            sb_copy(force + c.state, out + 1, c.law->n_state);
            continue;
        }
        flow(d, &c, x, out);
        d->tau[c.branch] = c.direction * c.load * out[0];
        for (int i = 0; i < c.law->n_state; ++i) {
            force[c.state + i] = c.open ? 0.0 : out[1 + i];
        }
    }
}

/* Torque (or heat) by the unknowns behind the load: friction (or heat) per unit load times the gradient of the signal,
 * for one signal after the other. Returns the place behind them. */
static double *load_partials(const sb_model *m, const sb_data *d, int k, const contact *c, double friction,
                             double *local)
{
    const int signals[2] = {m->fr_load[k], m->fr_back[k]};
    for (int j = 0; j < (signals[0] == signals[1] ? 1 : 2); ++j) {
        const int s = signals[j];
        const double *grad = d->local + m->signal_local + m->grad_ptr[s];
        const int n = m->grad_ptr[s + 1] - m->grad_ptr[s];
        const double factor = s == c->signal && is_loaded(m, d, k, c) ? friction : 0.0;
        for (int i = 0; i < n; ++i) {
            *local++ = factor * grad[i];
        }
    }
    return local;
}

/* Friction and rates per unit load by a parameter, along what slopes() differentiates. Beyond the end of the curve of a
 * locking law they are those of its end. */
static void slopes_by_param(const sb_data *d, const contact *c, const double *x, int which, double *out)
{
    const int n = 1 + c->law->n_state;
    const int slides = c->direction != 0.0 && !(c->lock >= 0 && d->phase[c->lock] == SB_LETTING_GO);
    const double v = slides ? c->direction * d->slip[c->branch] : 0.0;
    c->law->flow_param(c->law, c->param, c->lock >= 0 ? sb_max(v, 0.0) : v, x + c->state, which, out);
    if (!slides) {
        out[0] = c->direction == 0.0 ? 0.0 : c->law->breakaway_param(c->law, c->param, x + c->state, which);
    }
    for (int i = 1; i < n; ++i) {
        out[i] = c->open || !(slides || c->stuck) ? 0.0 : out[i];
    }
}

/* Torque and rates by the unknowns behind the parameters that vary, and by time: derivatives by the parameter times the
 * gradient of the signal. */
static void vary_partials(const sb_model *m, sb_data *d, int k, const contact *c, const double *x, double *local)
{
    double by[SB_LAW_MAX];
    const int n = c->law->n_state;
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int s = m->vary_signal[i];
        const double *grad = d->local + m->signal_local + m->grad_ptr[s];
        const int columns = m->grad_ptr[s + 1] - m->grad_ptr[s];
        const double rate = d->jet[SB_JET * s + 1];
        slopes_by_param(d, c, x, m->vary_param[i] - m->fr_param_ptr[k], by);
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

/* Friction and rates per unit load with their derivatives. Inside of Karnopp's window nothing changes; where nothing
 * slides, states depend on themselves alone. */
static void slopes(const sb_data *d, const contact *c, const double *x, double *out, double *jac)
{
    const int n = 1 + c->law->n_state;
    if (c->direction != 0.0 && !(c->lock >= 0 && d->phase[c->lock] == SB_LETTING_GO)) {
        flow_jac(c, c->direction * d->slip[c->branch], x + c->state, out, jac);
        return;
    }
    const int rests = c->stuck && n > 1;
    if (rests) {
        c->law->flow_jac(c->law, c->param, 0.0, x + c->state, out, jac);
    }
    out[0] = c->direction == 0.0 ? 0.0 : c->law->breakaway(c->law, c->param, x + c->state);
    for (int i = 1; i < n && !rests; ++i) {
        out[i] = 0.0;
    }
    for (int i = 0; i < n * n; ++i) {
        jac[i] = rests && i >= n && i % n != 0 ? jac[i] : 0.0;
    }
}

/* local: (torque, rates) by (slip, states), placed as by flow_jac. The curve of a locking law is odd, so its slope
 * keeps its sign. */
void sb_friction_partials(const sb_model *m, sb_data *d, const double *x)
{
    double out[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        const int n = sb_law_columns(c.law);
        const int end = sb_law_locals(c.law);
        double *local = d->local + m->fr_local[k];
        slopes(d, &c, x, out, local);
        for (int i = 0; i < n; ++i) {
            local[i] *= c.load * (i == 0 ? 1.0 : c.direction);
        }
        for (int i = 0; i < n - 1; ++i) {
            local[sb_law_by_slip(c.law, i)] *= c.direction;
        }
        for (int i = n; i < end && c.open; ++i) {
            local[i] = 0.0;
        }
        const double slip_t = d->slip_t[c.branch];
        d->tau_t[c.branch] = local[0] * slip_t + c.direction * load_rate(m, d, k, &c) * out[0];
        for (int i = 0; i < n - 1; ++i) {
            d->force_t[c.state + i] = local[sb_law_by_slip(c.law, i)] * slip_t;
        }
        vary_partials(m, d, k, &c, x, load_partials(m, d, k, &c, c.direction * out[0], local + end));
    }
}

/* What parameters that change bring into bent bristles per unit load: dV/dp * p'. */
static double brought_by_params(const sb_model *m, const sb_data *d, int k, const contact *c, const double *x,
                                const double *rate)
{
    double grad[SB_LAW_MAX];
    double sum = 0.0;
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int which = m->vary_param[i] - m->fr_param_ptr[k];
        sum += c->law->storage_param(c->law, c->param, x + c->state, which, grad) *
               sb_signal_rate(m, d, m->vary_signal[i], rate);
    }
    return sum;
}

/* Work tau*slip goes into the bristles (load * grad V . z') and into heat; a load that changes while the bristles
 * are bent brings the energy load' * V with it, and parameters that change bring load * dV/dp * p'. */
void sb_friction_power(const sb_model *m, sb_data *d, const double *x, const double *rate)
{
    double grad[SB_LAW_MAX];
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        double stored = 0.0;
        double brought = 0.0;
        if (c.law->storage) {
            const double total =
                m->n_grad > 0 && is_loaded(m, d, k, &c) ? sb_signal_rate(m, d, c.signal, rate) : load_rate(m, d, k, &c);
            brought = total * c.law->storage(c.law, c.param, x + c.state, grad);
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

double sb_friction_loss(const sb_model *m, const sb_data *d, const double *x, const double *force, int k)
{
    double grad[SB_LAW_MAX];
    const contact c = get_contact(m, d, k);
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
static double storing(const contact *c, const double *x, const double *out, const double *jac, double *local)
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
static double vary_loss_partials(const sb_model *m, const sb_data *d, int k, const contact *c, const double *x,
                                 const double *out, double *local)
{
    double by[SB_LAW_MAX];
    double grad[SB_LAW_MAX];
    double grad_by[SB_LAW_MAX];
    double by_time = 0.0;
    for (int i = m->fr_vary_ptr[k]; i < m->fr_vary_ptr[k + 1]; ++i) {
        const int which = m->vary_param[i] - m->fr_param_ptr[k];
        const int s = m->vary_signal[i];
        slopes_by_param(d, c, x, which, by);
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
    const contact c = get_contact(m, d, k);
    const int n = sb_law_columns(c.law);
    const double slip = d->slip[c.branch];
    slopes(d, &c, x, out, jac);

    // per unit load: friction * slip - what is stored; the friction of a locking law has the sign of its direction
    local[0] = c.direction * out[0] + slip * jac[0];
    for (int i = 1; i < n; ++i) {
        local[i] = c.direction * slip * jac[i];
    }
    const double heat = c.direction * out[0] * slip - storing(&c, x, out, jac, local);
    for (int i = 0; i < n; ++i) {
        local[i] *= c.load;
    }
    double *behind = load_partials(m, d, k, &c, heat, local + n);
    const double by_params = vary_loss_partials(m, d, k, &c, x, out, behind);
    return local[0] * d->slip_t[c.branch] + load_rate(m, d, k, &c) * heat + by_params;
}

static double stored_energy(const contact *c, const double *x)
{
    double grad[SB_LAW_MAX];
    return c->law->storage ? c->load * c->law->storage(c->law, c->param, x + c->state, grad) : 0.0;
}

void sb_friction_energy(const sb_model *m, const sb_data *d, const double *x, double *energy)
{
    for (int k = 0; k < m->n_friction; ++k) {
        const contact c = get_contact(m, d, k);
        energy[c.branch] = stored_energy(&c, x);
    }
}

/* Slip accelerations of the watched contacts. */
void sb_friction_solved(const sb_model *m, sb_data *d, double *rate)
{
    for (int k = 0; k < m->n_watch; ++k) {
        const int b = SB_FRICTION_BRANCH(m, m->watch[k]);
        d->accel[m->watch[k]] = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, rate, d->slip_t[b]);
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
static double hold_per_load(const sb_model *m, const sb_data *d, int k, const contact *c)
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
        const contact c = get_contact(m, d, k);
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
            flow(d, &c, x, out);
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
        const contact c = get_contact(m, d, k);
        for (int i = 0; i < c.law->n_guard; ++i) {
            band[SB_LAW_EVENT(m) + m->fr_guard[k] + i] = SB_GUARD_ZERO;
        }
        if (m->fr_side[k] >= 0) { // both loads give the same friction where it is 0
            const int event = SB_SIDE_EVENT(m) + m->fr_side[k];
            slopes(d, &c, x, out, jac);
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
            const contact c = get_contact(m, d, k);
            flow(d, &c, x, out);
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
        const contact c = get_contact(m, d, k);
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
        const contact c = get_contact(m, d, k);
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
