#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* What one contact may be after an event, from what is known of it alone. Contacts that may stick are settled together
 * in resolve.c; the others open, or slide whatever their neighbours do. */

static int slides(const sb_facts *f)
{
    return f->mode == SB_FORWARD || f->mode == SB_BACKWARD;
}

static sb_verdict open_up(void)
{
    return (sb_verdict){SB_OPENS, SB_FREE, SB_PLAIN, 0};
}

static sb_verdict slide(int direction, sb_phase phase)
{
    return (sb_verdict){SB_SLIDES, direction, phase, 0};
}

/* favours: the direction in which it slides if its torque is on that limit, to rounding; 0: it sticks then. */
static sb_verdict may_stick(int favours)
{
    return (sb_verdict){SB_MAY_STICK, SB_STUCK, SB_PLAIN, favours};
}

/* The direction in which a stuck contact has reached a limit. */
static int let_go(const sb_facts *f)
{
    return f->mode != SB_STUCK ? 0 : f->fired ? SB_FORWARD : f->fired_back ? SB_BACKWARD : f->together;
}

/* Without a load, now and to come; a load that was located at zero is not brought back by rounding. An end stop is open
 * until it is met, and when it moves away. */
static int opens(const sb_facts *f)
{
    const int closes = f->mode == SB_FREE && f->fired;
    const int ends = (slides(f) || f->mode == SB_STUCK) && f->fired_back && f->load == SB_UNLOADING;
    const int met = f->mode != SB_FREE || f->fired;
    const int apart = f->end_stop && (!met || -f->blocks * f->slip > f->leaving);
    return (f->load == SB_UNLOADED && !closes) || ends || apart;
}

/* A prescribed slip: nothing holds it, it follows its own trend. */
static sb_verdict follow_motion(const sb_facts *f)
{
    const int stops = slides(f) && f->fired;
    const int moving = fabs(f->slip) > f->rest && !stops;
    const int direction = sb_sign_of(moving ? f->slip : f->trend);
    sb_verdict verdict = slide(direction, SB_PLAIN);
    verdict.outcome = direction != 0 && direction == f->blocks ? SB_BLOCKS : SB_SLIDES;
    return verdict;
}

/* Sticks at slip 0 exactly. */
static sb_verdict classify_switch(const sb_facts *f)
{
    const double forward = f->mode * f->slip;
    const double still = f->end_stop ? f->leaving : f->rest;
    const int way = sb_sign_of(f->slip);
    if (slides(f) && !f->fired) {
        if (forward < -sb_max(f->jumped, f->rest) && f->blocks != way) {
            return slide(way, SB_PLAIN); // its speed has jumped to the other side
        }
        return forward > f->rest ? slide(f->mode, SB_PLAIN) : may_stick(forward >= -f->rest ? f->mode : 0);
    }
    if (!slides(f) && fabs(f->slip) > still && f->blocks != way) {
        return slide(way, SB_PLAIN);
    }
    return may_stick(let_go(f));
}

/* Held within a window of speed; breaks away inside of it with the static friction. */
static sb_verdict classify_karnopp(const sb_facts *f)
{
    const double forward = f->mode * f->slip;
    // what was caught on the edge, as exactly as that was located, stays caught
    const double held = sb_max(f->window, f->mode == SB_STUCK ? fabs(f->kept) : 0.0);
    const double least = sb_max(f->rest, held * (1.0 + SB_ON_LIMIT));
    const double back = sb_max(f->jumped, least);
    const int stops = slides(f) && f->fired && forward >= -back;
    const int inside = f->phase == SB_LETTING_GO;
    if (slides(f) && !stops && forward < -back && f->blocks != sb_sign_of(f->slip)) {
        return slide(sb_sign_of(f->slip), SB_PLAIN);
    }
    if (inside && (!(f->fired || f->fired_back) || forward >= f->window * (1.0 - SB_ON_LIMIT))) {
        return slide(f->mode, f->fired || f->fired_back ? SB_PLAIN : SB_LETTING_GO);
    }
    if (slides(f) && !inside && !stops) {
        return slide(f->mode, SB_PLAIN);
    }
    if (!slides(f) && fabs(f->slip) > least && f->blocks != sb_sign_of(f->slip)) {
        return slide(sb_sign_of(f->slip), SB_PLAIN);
    }
    return may_stick(let_go(f));
}

/* Caught and released by its own events while it has a slip, whatever happens beside it. */
static sb_verdict classify_hybrid(const sb_facts *f)
{
    const double forward = f->mode * f->slip;
    const int fresh = f->phase == SB_FRESH_ALONG || f->phase == SB_FRESH_AGAINST;
    const int way = sb_sign_of(f->slip);
    const int release = let_go(f);
    if (fabs(f->slip) <= f->rest) {
        return slides(f) && !f->fired ? slide(f->mode, f->phase) : may_stick(release);
    }
    if (f->mode == SB_FREE || (f->mode == SB_STUCK && fabs(f->slip) > f->window + f->jumped)) {
        return slide(way, SB_PLAIN);
    }
    if (release != 0) {
        return slide(release, release * f->slip < 0.0 ? SB_FRESH_AGAINST : SB_FRESH_ALONG);
    }
    if (slides(f) && f->phase == SB_OVERRULED && !f->fired) {
        return forward > 0.0 ? slide(f->mode, f->phase) : may_stick(0);
    }
    if (slides(f) && !f->fired) {
        const int turned = forward < -sb_max(f->jumped, 2.5 * f->release);
        return turned ? slide(way, SB_PLAIN) : slide(f->mode, f->phase);
    }
    if (slides(f) && fresh && forward > f->release) { // faster than that, it may be caught from now on
        return slide(f->mode, SB_PLAIN);
    }
    return may_stick(0);
}

sb_verdict sb_classify(const sb_facts *f)
{
    if (opens(f)) {
        return open_up();
    }
    if (f->literal) {
        return slide(f->slip < 0.0 ? SB_BACKWARD : SB_FORWARD, SB_PLAIN);
    }
    if (!f->free) {
        return follow_motion(f);
    }
    switch (f->kind) {
    case SB_LOCK_SWITCH:
        return classify_switch(f);
    case SB_LOCK_KARNOPP:
        return classify_karnopp(f);
    case SB_LOCK_HYBRID:
        return classify_hybrid(f);
    }
    return may_stick(0);
}

/* --- the facts -------------------------------------------------------------------------------------------------- */

double sb_least_slip(const sb_model *m, int lock)
{
    return SB_SLIP_ZERO * sb_nominal_slip(m, sb_lock_branch(m, lock));
}

double sb_jumped_slip(const sb_model *m, int lock)
{
    return SB_JUMPED * sb_nominal_slip(m, sb_lock_branch(m, lock));
}

double sb_slip_band(const sb_model *m, const sb_data *d, int lock, const double *x)
{
    const int b = sb_lock_branch(m, lock);
    double size = fabs(d->slip0[b]);
    for (int p = m->w_ptr[b]; p < m->w_ptr[b + 1]; ++p) {
        size += fabs(m->w_val[p] * x[m->w_col[p]]);
    }
    return sb_max(sb_least_slip(m, lock), SB_ROUNDED * size);
}

/* No load now and none coming: at a load of 0 its trend decides. Or one that ends here: what is left of it goes within
 * the resolution of time. */
static sb_load load_of(const sb_model *m, const sb_data *d, int lock)
{
    if (m->lock_unlimited[lock] != 0) {
        return SB_LOADED;
    }
    int none = 1;
    double left = -INFINITY;
    for (int side = SB_BACKWARD; side <= SB_FORWARD; side += 2) {
        const int signal = sb_load_signal(m, lock, side);
        const double load = d->jet[SB_JET * signal];
        const double rate = sb_signal_rate(m, d, signal, d->rate);
        none = none && !(load > 0.0 || (load == 0.0 && rate > 0.0));
        left = sb_max(left, load + sb_min(rate, 0.0) * sb_time_band(d));
    }
    return none ? SB_UNLOADED : left <= 0.0 ? SB_UNLOADING : SB_LOADED;
}

/* A stop that an impact elsewhere has opened, and what has pressed it closes again before it is open by more than the
 * resolution of its gap: thrown at this slip it comes as far as slip^2 / (2 acceleration). */
static double leaving_slip(const sb_model *m, const sb_data *d, int k, const double *x)
{
    const double still = sb_slip_band(m, d, k, x);
    if (m->lock_gap[k] < 0 || d->mode[k] != SB_STUCK) {
        return still;
    }
    const double pressed = fabs(d->lambda[k]) * d->lock_scale[k];
    return sb_max(still, sqrt(2.0 * pressed * SB_OPENS_BY * sb_gap_band(m, d, k)));
}

sb_facts sb_facts_of(const sb_model *m, const sb_data *d, int k, const double *x)
{
    const sb_manner way = sb_manner_of(m, d, k);
    const int b = sb_lock_branch(m, k);
    return (sb_facts){
        .kind = way.kind,
        .mode = d->mode[k],
        .phase = d->phase[k],
        .fired = d->fired[2 * k],
        .fired_back = d->fired[2 * k + 1],
        .together = d->released[k],
        .free = m->lock_free[k],
        .blocks = m->lock_unlimited[k],
        .end_stop = m->lock_gap[k] >= 0,
        .literal = sb_is_literal(m, d, k),
        .load = load_of(m, d, k),
        .slip = d->slip[b],
        .trend = d->slip_t[b],
        .rest = way.kind == SB_LOCK_HYBRID ? sb_least_slip(m, k) : sb_slip_band(m, d, k, x),
        .leaving = leaving_slip(m, d, k, x),
        .jumped = sb_jumped_slip(m, k),
        .window = way.window,
        .kept = d->slip_kept[k],
        .release = way.release,
    };
}
