#include <math.h>

#include "model/sb_base.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* Contacts that may stick after an event: those that have stopped, are stuck, or close at rest. */

/* Accuracy in time of a located event, by whatever integrator. */
#define LOCATED 1e-12

/* Rounding of a sum, by the size of its terms. */
#define ROUNDED 1e-14

/* No load now and none coming: at a load of 0 its trend decides. */
static int is_open(const sb_model *m, const sb_data *d, int lock)
{
    if (m->lock_unlimited[lock] != 0) {
        return 0;
    }
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double load = d->jet[SB_JET * signal];
        if (load > 0.0 || (load == 0.0 && sb_signal_rate(m, d, signal, d->rate) > 0.0)) {
            return 0;
        }
    }
    return 1;
}

/* Whether a load that was located at 0 ends there: what is left of it goes within the resolution of time. */
static int loses_load(const sb_model *m, const sb_data *d, int lock)
{
    double left = -INFINITY;
    for (int side = SB_BACKWARD; side <= SB_FORWARD && m->lock_unlimited[lock] == 0; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double fall = sb_min(sb_signal_rate(m, d, signal, d->rate), 0.0);
        left = sb_max(left, d->jet[SB_JET * signal] + fall * LOCATED * sb_max(fabs(d->t_look), 1.0));
    }
    return m->lock_unlimited[lock] == 0 && left <= 0.0;
}

static double nominal_slip(const sb_model *m, int lock)
{
    double nominal = 0.0;
    const int b = sb_lock_branch(m, lock);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        nominal = sb_max(nominal, m->x_nominal[m->w_col[p]]);
    }
    return nominal;
}

double sb_least_slip(const sb_model *m, int lock)
{
    return SB_SLIP_ZERO * nominal_slip(m, lock);
}

double sb_jumped_slip(const sb_model *m, int lock)
{
    return SB_JUMPED * nominal_slip(m, lock);
}

/* A stop that is open stays open until it is met, and opens when it moves away. */
static int stop_is_open(const sb_model *m, const sb_data *d, int lock, double slip)
{
    const int met = d->mode[lock] == SB_FREE ? d->fired[2 * lock] : 1;
    return m->lock_gap[lock] >= 0 && (!met || -m->lock_unlimited[lock] * slip > sb_least_slip(m, lock));
}

/* A hybrid contact that has a slip is caught and lets go by its own events, whatever happens beside it. Returns whether
 * it may stick. */
static int review_hybrid(const sb_model *m, sb_data *d, int k)
{
    const sb_manner way = sb_manner_of(m, k);
    const double slip = d->slip[sb_lock_branch(m, k)];
    const double jumped = sb_jumped_slip(m, k);
    const int mode = d->mode[k];
    const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
    const int fresh = d->fresh[k];
    d->fresh[k] = 0;
    if (!sb_has_slip(m, d, k)) {
        d->fresh[k] = slides && !d->fired[2 * k] ? fresh : 0;
        return !slides || d->fired[2 * k];
    }
    if (mode == SB_FREE || (mode == SB_STUCK && fabs(slip) > way.window + jumped)) {
        d->mode[k] = sb_sign_of(slip);
    } else if (mode == SB_STUCK && d->released[k]) {
        d->mode[k] = d->fired[2 * k] ? SB_FORWARD : d->fired[2 * k + 1] ? SB_BACKWARD : sb_sign_of(d->hold[k]);
        d->fresh[k] = d->mode[k] * slip < 0.0 ? SB_AGAINST : SB_ALONG;
    } else if (slides && !d->fired[2 * k]) {
        const int turned = mode * slip < -sb_max(jumped, 2.5 * way.release);
        d->mode[k] = turned ? sb_sign_of(slip) : mode;
        d->fresh[k] = turned ? 0 : fresh;
    } else if (!(slides && fresh && mode * slip > way.release)) { // faster than that, it may be caught from now on
        return 1;
    }
    return 0;
}

/* What is left by rounding of a slip, by the speeds that it is added up from. */
static double slip_rounding(const sb_model *m, const sb_data *d, int lock, const double *x)
{
    const int b = sb_lock_branch(m, lock);
    double size = fabs(d->slip0[b]);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        size += fabs(m->w_val[p] * x[m->w_col[p]]);
    }
    return ROUNDED * size;
}

int sb_find_candidates(const sb_model *m, sb_data *d, const double *x, int *candidate)
{
    int n = 0;
    for (int k = 0; k < m->n_lock; ++k) {
        if (m->lock_loss[k] >= 0) {
            sb_loss_begin(m, d, k);
            continue;
        }
        const sb_manner way = sb_manner_of(m, k);
        const double slip = d->slip[sb_lock_branch(m, k)];
        const int fired = d->fired[2 * k] || d->fired[2 * k + 1];
        const int mode = d->mode[k];
        const int slides = mode == SB_FORWARD || mode == SB_BACKWARD;
        const double rest = sb_max(sb_least_slip(m, k), slip_rounding(m, d, k, x));
        const double least = sb_max(rest, way.window * (1.0 + SB_ON_LIMIT));
        const int moving = fabs(slip) > least;
        const int within = d->within[k];
        d->within[k] = 0;
        const int closes = mode == SB_FREE && d->fired[2 * k]; // what was located is not undone by rounding
        const int opens = (slides || mode == SB_STUCK) && d->fired[2 * k + 1] && loses_load(m, d, k);

        // a speed has jumped to the other side
        const double back = sb_max(sb_jumped_slip(m, k), least);
        const int missed = way.kind != SB_LOCK_SWITCH && mode * slip < -sb_max(back, way.window); // its window
        const int stops = slides && d->fired[2 * k] && !missed;
        const int turned = slides && !stops && mode * slip < -back && m->lock_unlimited[k] != sb_sign_of(slip);
        if ((is_open(m, d, k) && !closes) || opens || stop_is_open(m, d, k, slip)) {
            d->mode[k] = SB_FREE;
        } else if (sb_is_literal(m, d, k)) {
            d->mode[k] = slip < 0.0 ? SB_BACKWARD : SB_FORWARD;
        } else if (!m->lock_free[k]) {
            const double trend = moving && !stops ? slip : d->slip_t[sb_lock_branch(m, k)];
            d->mode[k] = sb_sign_of(trend);
            d->culprit = d->mode[k] != 0 && d->mode[k] == m->lock_unlimited[k] ? 2 * k : d->culprit;
        } else if (way.kind == SB_LOCK_HYBRID) {
            candidate[n] = k;
            n += review_hybrid(m, d, k);
        } else if (turned) {
            d->mode[k] = sb_sign_of(slip);
        } else if (within && (!fired || mode * slip >= way.window * (1.0 - SB_ON_LIMIT))) {
            d->within[k] = !fired;
        } else if (slides && !within && !stops && (way.kind != SB_LOCK_SWITCH || mode * slip > 0.0)) {
            continue; // also where its load is about to go: that stops nothing
        } else if ((mode == SB_FREE || mode == SB_STUCK) && moving && m->lock_unlimited[k] != sb_sign_of(slip)) {
            d->mode[k] = sb_sign_of(slip);
        } else {
            candidate[n++] = k;
        }
    }
    return n;
}
