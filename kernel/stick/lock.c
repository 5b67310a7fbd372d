#include <math.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* The event functions of all locks. */

/* Rounding in the holding torque of a contact, by the torques around it. */
static double torque_rounding(const sb_model *m, const sb_data *d, int k)
{
    const int b = sb_lock_branch(m, k);
    double size = 0.0;
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        const int j = m->w_col[p];
        for (int q = m->wt_ptr[j]; q < m->wt_ptr[j + 1]; ++q) {
            size += fabs(m->wt_val[q] * d->tau[m->wt_row[q]] / m->w_val[p]);
        }
    }
    return SB_TORQUE_ROUNDING * size;
}

/* Sliding: the slip comes back to where the contact may be caught, or the load goes. Inside of Karnopp's window: the
 * slip leaves it, or stops to accelerate. */
static void sliding_events(const sb_model *m, const sb_data *d, int k, double *g)
{
    const sb_manner way = sb_manner_of(m, d, k);
    const int friction = m->lock_friction[k];
    const double forward = d->mode[k] * d->slip[sb_lock_branch(m, k)];
    g[1] = sb_closing_load(m, d, k);
    if (sb_is_literal(m, d, k)) {
        g[0] = forward;
    } else if (d->phase[k] == SB_LETTING_GO) {
        // a contact that has just broken away accelerates from zero: rounding must not catch it again
        const double slack = SB_ON_LIMIT * sb_lock_limit(m, d, k, d->mode[k]) * d->compliance[friction];
        g[0] = sb_min(way.window - forward, d->mode[k] * d->accel[friction] + slack);
    } else if (way.kind == SB_LOCK_HYBRID && d->phase[k] != SB_OVERRULED) {
        const double load = sb_max(sb_side_load(m, d, k, d->mode[k]), 0.0);
        const double hold = d->mode[k] * sb_friction_hold(m, d, friction);
        const double beyond = hold - load * way.capture;
        const double apart = 2.0 * way.release;
        // a contact may break away against the slip that is left of it, up to `release`; once it has broken away it is
        // caught again when it has been faster than twice that, or has stopped: so it rests or moves for a while
        const int fresh = d->phase[k] == SB_FRESH_ALONG || d->phase[k] == SB_FRESH_AGAINST;
        const double stops = d->phase[k] == SB_FRESH_ALONG ? sb_max(forward, beyond) : INFINITY;
        const double caught = sb_max(forward - way.window, beyond);
        g[0] = sb_min(forward + apart, fresh ? sb_min(apart - forward, stops) : caught);
    } else {
        g[0] = forward - (way.kind == SB_LOCK_KARNOPP ? way.window : 0.0);
    }
}

/* What those that share the motion of a contact on its limit can still take over: it breaks away when that is used
 * up. */
static double room_of_others(const sb_model *m, const sb_data *d, int k)
{
    double sum = 0.0;
    for (int i = 0; i < d->n_stuck; ++i) {
        const int j = d->lock_set[i];
        if (d->group[j] == d->group[k] && d->pin[j] == 0) {
            const int side = sb_sign_of(d->hold[j]);
            const double left = sb_lock_limit(m, d, j, side) - fabs(d->hold[j]);
            sum += sb_max(sb_min(left, 1.0), 0.0);
        }
    }
    return sum;
}

/* One that shares a motion with others breaks away when all of them are on their limits: negative then, by what is
 * missing. */
double sb_shared_room(const sb_model *m, const sb_data *d, int k)
{
    return d->excess[k] > 0.0 ? -d->excess[k] : room_of_others(m, d, k);
}

/* What a stuck contact could hold beyond its torque in a direction. */
static double room(const sb_model *m, const sb_data *d, int k, int side)
{
    if (m->lock_unlimited[k] == side) {
        return 1.0;
    }
    if (d->shared && d->pin[k] == side) {
        return sb_shared_room(m, d, k);
    }
    return sb_lock_limit(m, d, k, side) - side * d->hold[k];
}

static void stuck_events(const sb_model *m, const sb_data *d, int k, double *g)
{
    const double slip = fabs(d->slip[sb_lock_branch(m, k)]);
    const sb_manner way = sb_manner_of(m, d, k);
    const int waits = way.kind == SB_LOCK_HYBRID && sb_closing_load(m, d, k) >= 0.0; // without a load nothing holds it
    const double beyond = waits ? slip - way.release : -INFINITY;
    g[0] = sb_max(room(m, d, k, SB_FORWARD), beyond);
    g[1] = sb_max(room(m, d, k, SB_BACKWARD), beyond);
    // what holds nothing has room also without a load
    const double load = m->lock_loss[k] < 0 ? sb_closing_load(m, d, k) : 1.0;
    g[1] = load < 0.0 ? sb_min(g[1], load) : g[1];
}

/* What is left before an open stop is met. */
static double way_left(const sb_model *m, const sb_data *d, int k)
{
    return d->jet[SB_JET * m->lock_gap[k]];
}

double sb_gap_band(const sb_model *m, const sb_data *d, int k)
{
    const int signal = m->lock_gap[k];
    const double passed = fabs(sb_signal_rate(m, d, signal, d->rate)) * sb_time_band(d);
    return sb_max(SB_SLIP_ZERO * sb_signal_spread(m, d, signal), passed);
}

void sb_lock_margins(const sb_model *m, const sb_data *d, int k, double *g)
{
    if (m->lock_loss[k] < 0 && sb_is_switch(m, k)) {
        sb_switch_margins(m, d, k, g);
        return;
    }
    switch (d->mode[k]) {
    case SB_FORWARD:
    case SB_BACKWARD:
        (m->lock_loss[k] >= 0 ? sb_loss_events : sliding_events)(m, d, k, g);
        break;
    case SB_STUCK:
        (sb_loss_leans(m, d, k) ? sb_loss_events : stuck_events)(m, d, k, g);
        break;
    case SB_FREE:
        g[0] = m->lock_gap[k] >= 0 ? way_left(m, d, k) : -sb_closing_load(m, d, k);
        g[1] = 1.0;
        break;
    }
}

/* What a load changes by within the resolution of time. */
static double load_band(const sb_model *m, const sb_data *d, int k)
{
    if (m->lock_unlimited[k] != 0 || m->lock_loss[k] >= 0) {
        return 0.0;
    }
    double fastest = 0.0;
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        fastest = sb_max(fastest, fabs(sb_signal_rate(m, d, sb_load_signal(m, k, side), d->rate)));
    }
    return fastest * sb_time_band(d);
}

/* What a slip changes by within the resolution of time. */
static double slip_passed(const sb_model *m, const sb_data *d, int k)
{
    return fabs(sb_lock_slip(m, k, d->rate, d->slip_t[sb_lock_branch(m, k)])) * sb_time_band(d);
}

/* What an event was located too late by a trace has left of a slip the other way: while that goes, it is nothing. */
static double slip_behind(const sb_model *m, const sb_data *d, int k, const double *x)
{
    const int b = sb_lock_branch(m, k);
    const double behind = -d->mode[k] * d->slip[b];
    const int goes = d->mode[k] * sb_lock_slip(m, k, d->rate, d->slip_t[b]) > 0.0;
    return goes && behind > 0.0 && behind < sb_jumped_slip(m, k) ? behind + sb_slip_band(m, d, k, x) : 0.0;
}

/* A torque that would not make a slip within a second. */
static double least_torque(const sb_model *m, const sb_data *d, int k)
{
    return sb_least_slip(m, k) / (d->lock_scale[k] * SB_SECOND);
}

double sb_torque_band(const sb_model *m, const sb_data *d, int k)
{
    return sb_max(torque_rounding(m, d, k), least_torque(m, d, k));
}

/* What a stop that was met too late by a trace is beyond its end when it breaks away: while it does not approach, that
 * is nothing. */
static double left_behind(const sb_model *m, const sb_data *d, int k, const double *x)
{
    const double approach = m->lock_unlimited[k] * d->slip[sb_lock_branch(m, k)];
    return approach <= sb_slip_band(m, d, k, x) ? sb_gap_band(m, d, k) - way_left(m, d, k) : 0.0;
}

void sb_lock_bands(const sb_model *m, const sb_data *d, int k, const double *x, double *band)
{
    const double load = load_band(m, d, k);
    switch (d->mode[k]) {
    case SB_FORWARD:
    case SB_BACKWARD:
        band[0] = sb_max(sb_max(sb_slip_band(m, d, k, x), slip_passed(m, d, k)), slip_behind(m, d, k, x));
        band[1] = m->lock_loss[k] >= 0 ? sb_max(sb_loss_rounding(m, d, k), least_torque(m, d, k)) : load;
        break;
    case SB_STUCK:
        band[0] = m->lock_loss[k] >= 0 ? sb_max(sb_loss_rounding(m, d, k), least_torque(m, d, k)) : 0.0;
        band[0] = m->lock_loss[k] < 0 && m->lock_free[k] ? sb_torque_band(m, d, k) : band[0];
        band[1] = sb_max(band[0], load);
        break;
    case SB_FREE:
        band[0] = m->lock_gap[k] >= 0 ? sb_max(sb_gap_band(m, d, k), left_behind(m, d, k, x)) : load;
        band[1] = 0.0;
        break;
    }
}

/* A slip of zero has no direction, but its rate has one: one that would go against the mode, or an open stop that
 * would be entered, has been decided without what has happened since. */
int sb_lock_falls(const sb_model *m, const sb_data *d, int k, const double *x)
{
    const int stop = d->mode[k] == SB_FREE && m->lock_gap[k] >= 0;
    const int slides = d->mode[k] == SB_FORWARD || d->mode[k] == SB_BACKWARD;
    const int plain = m->lock_loss[k] < 0 && sb_manner_of(m, d, k).kind == SB_LOCK_SWITCH && m->lock_free[k];
    if (!plain || sb_is_literal(m, d, k) || !(stop || slides)) {
        return 0;
    }
    const int b = sb_lock_branch(m, k);
    const int inward = stop ? m->lock_unlimited[k] : -d->mode[k];
    const double rounding = torque_rounding(m, d, k) * d->lock_scale[k] + sb_least_slip(m, k) / SB_SECOND;
    return fabs(d->slip[b]) <= sb_slip_band(m, d, k, x) &&
           inward * sb_lock_slip(m, k, d->rate, d->slip_t[b]) > rounding;
}

void sb_event_bands(const sb_model *m, sb_data *d, const double *x)
{
    if (m->n_grad > 0) { // functions of time have their rates
        sb_signals_eval(m, d, d->t_slips, x, 1);
    }
    for (int k = 0; k < m->n_lock; ++k) {
        sb_lock_bands(m, d, k, x, d->event_band + 2 * k);
    }
    sb_signal_bands(m, d, x, d->rate, d->event_band + SB_SIGNAL_EVENT(m), d->kink + SB_SIGNAL_EVENT(m));
    if (sb_friction_has_events(m)) {
        sb_friction_bands(m, d, x, d->event_band, d->kink);
    }
}

/* All of them; `made`: those of contacts that stick by a switch are known. */
static void find_margins(const sb_model *m, sb_data *d, const double *x, double *value, int made)
{
    for (int k = 0; k < m->n_lock; ++k) {
        if (!made || !sb_is_switch(m, k)) {
            sb_lock_margins(m, d, k, value + 2 * k);
        }
    }
    sb_signal_events(m, d, value + SB_SIGNAL_EVENT(m));
    if (sb_friction_has_events(m)) {
        sb_friction_events(m, d, x, value);
    }
}

static void add_bands(const sb_model *m, const sb_data *d, double *value)
{
    for (int i = 0; i < SB_N_EVENT(m); ++i) {
        value[i] += d->resting[i] ? d->event_band[i] : 0.0;
    }
}

void sb_event_margins(const sb_model *m, sb_data *d, const double *x, double *value)
{
    ++d->stats.event_evaluations;
    find_margins(m, d, x, value, 0);
}

void sb_event_values(const sb_model *m, sb_data *d, const double *x, double *value)
{
    sb_event_margins(m, d, x, value);
    add_bands(m, d, value);
}

void sb_event_values_beside(const sb_model *m, sb_data *d, const double *x, double *value)
{
    ++d->stats.event_evaluations;
    find_margins(m, d, x, value, 1);
    add_bands(m, d, value);
}
