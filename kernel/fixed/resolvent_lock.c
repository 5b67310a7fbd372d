#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "stick/sb_stick.h"

/* What a contact that can lock answers at the end of a step, see resolvent.c: what it holds, and the lines that it
 * slides on. */

/* Slope of a line of sliding friction: half of the curve's, for the mean over the step, and all of it where it is steep
 * (a step must not swing through what a damper stops). Where the curve falls the line falls less than the slip. */
static sb_real slope_of(const sb_fixed *f, int k, sb_real slope)
{
    const sb_real yield = f->el_yield[k];
    const sb_flag rises = slope > 0.0;
    const sb_real falling = sb_max(0.5 * slope, sb_where(yield > 0.0, f->el_fall[k]));
    return sb_any(rises) ? sb_pick(rises, slope * sb_share_of(slope * yield), falling) : falling;
}

SB_HOT sb_real sb_resolvent_last_free(const sb_model *m, const sb_fixed *f, int k)
{
    const int first = f->island_ptr[f->island_of[k]];
    const int n = f->island_ptr[f->island_of[k] + 1] - first;
    const sb_real *row = f->coupling + k * SB_COUPLED(m);
    sb_real slip = f->el_free[k];
    for (int b = 0; b < n && !f->sparse; ++b) {
        const int j = f->island_el[first + b];
        slip -= j == k ? SB_R(0.0) : row[b] * f->el_tau[j];
    }
    return slip;
}

/* Slope of a curve that falls from speed v on, up to the speed that the element will have about: a tangent would go on
 * below the curve. */
static sb_real mean_slope(const sb_model *m, const sb_data *d, const sb_fixed *f, int k, sb_real v, const sb_real *out,
                          sb_real slope)
{
    sb_real end[SB_STEP_OUT];
    const sb_flag falls = sb_abs(m->fr_peak[k]) < (double)INFINITY;
    if (!sb_any(falls)) {
        return slope;
    }
    const sb_real slip = sb_resolvent_last_free(m, f, k);
    const sb_real load = sb_pick(slip < 0.0, f->el_load[2 * k + 1], f->el_load[2 * k]);
    const sb_real gain = sb_abs(slip) - f->el_yield[k] * load * out[0] - v;
    const sb_flag gains = sb_and(falls, sb_not(gain <= SB_LEAST_GAIN * v));
    if (!sb_any(gains)) {
        return slope;
    }
    const sb_real *z = d->x + m->n_v + m->n_q + m->fr_state[k];
    const sb_law *law = sb_law_of(m, k);
    law->flow(law, sb_param_of(m, f, k), v + gain, z, end);
    const sb_real mean = sb_pick(end[0] < out[0], (end[0] - out[0]) / gain, sb_max(slope, SB_R(0.0)));
    return sb_pick(gains, mean, slope);
}

/* Lines of sliding friction from the curve at speed v, on both sides, of some. */
static void set_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_real v, sb_flag some)
{
    sb_real out[SB_STEP_OUT];
    sb_real jac[SB_STEP_JAC];
    const sb_law *law = sb_law_of(m, k);
    law->flow_jac(law, sb_param_of(m, f, k), v, d->x + m->n_v + m->n_q + m->fr_state[k], out, jac);
    const sb_real slope = mean_slope(m, d, f, k, v, out, jac[0]);
    for (int side = 0; side < 2; ++side) {
        const sb_real load = f->el_load[2 * k + side];
        const sb_real rise = slope_of(f, k, load * slope);
        f->el_rise[2 * k + side] = sb_pick(some, rise, f->el_rise[2 * k + side]);
        f->el_cut[2 * k + side] = sb_pick(some, load * out[0] - rise * v, f->el_cut[2 * k + side]);
    }
}

static inline void set_box(const sb_model *m, sb_fixed *f, int k, sb_real limit, sb_flag some)
{
    f->el_high[k] = sb_pick(some, f->el_load[2 * k] * limit, f->el_high[k]);
    f->el_low[k] = sb_pick(some, -f->el_load[2 * k + 1] * limit, f->el_low[k]);
    if (f->el_facts[k] & SB_FACT_BLOCKS) {
        const int forward = m->lock_unlimited[m->fr_lock[k]] == SB_FORWARD;
        *(forward ? f->el_high + k : f->el_low + k) = SB_R(forward ? (double)INFINITY : -(double)INFINITY);
    }
}

SB_HOT void sb_resolvent_box(const sb_model *m, sb_fixed *f, int k, sb_real limit, sb_flag some)
{
    set_box(m, f, k, limit, some);
}

#if SB_LANES == 1

static double find_beginning(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    double out[SB_LAW_MAX];
    const sb_manner way = sb_manner_of(m, d, m->fr_lock[k]);
    const sb_law *law = sb_law_of(m, k);
    law->flow(law, sb_param_of(m, f, k), way.kind == SB_LOCK_KARNOPP ? way.window : 0.0,
              d->x + m->n_v + m->n_q + m->fr_state[k], out);
    return out[0];
}

static double static_limit(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    const sb_law *law = sb_law_of(m, k);
    return law->breakaway(law, sb_param_of(m, f, k), d->x + m->n_v + m->n_q + m->fr_state[k]);
}

static int facts_of(const sb_model *m, const sb_fixed *f, int k)
{
    const sb_law *law = sb_law_of(m, k);
    const int lock = m->fr_lock[k];
    const int varies = law->n_state > 0 || m->fr_vary_ptr[k + 1] > m->fr_vary_ptr[k] ? SB_FACT_VARIES : 0;
    const int opens = m->fr_open[k] >= 0 ? SB_FACT_OPENS : 0;
    const int changes = law->n_state > 0 || law->n_guard > 0 || m->fr_side[k] >= 0 ? SB_FACT_CHANGES : 0;
    const int common = varies | opens | changes | (f->island_of[k] == SB_NOBODY ? SB_FACT_GIVEN : 0);
    if (lock < 0) {
        return common | (opens ? 0 : SB_FACT_ACTS);
    }
    return common | SB_FACT_LOCKS | (m->lock_unlimited[lock] != 0 ? SB_FACT_BLOCKS | SB_FACT_ACTS : 0) |
           (m->lock_gap[lock] >= 0 ? SB_FACT_STOPS : 0) | (m->lock_loss[lock] >= 0 ? SB_FACT_LOSES : 0) |
           (law->lock == SB_LOCK_KARNOPP ? SB_FACT_KARNOPP : 0) | (law->lock == SB_LOCK_HYBRID ? SB_FACT_HYBRID : 0) |
           (m->lock_free[lock] ? 0 : SB_FACT_GIVEN);
}

void sb_resolvent_start_laws(const sb_model *m, const sb_data *d, sb_fixed *f)
{
    f->decays = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        f->el_limit[k] = m->fr_lock[k] >= 0 ? static_limit(m, d, f, k) : 0.0;
        f->el_begin[k] = m->fr_lock[k] >= 0 ? find_beginning(m, d, f, k) : 0.0;
        const sb_manner way = m->fr_lock[k] >= 0 ? sb_manner_of(m, d, m->fr_lock[k]) : (sb_manner){0};
        f->el_window[k] = way.window;
        f->el_least[k] = m->fr_lock[k] >= 0 ? sb_least_slip(m, m->fr_lock[k]) : 0.0;
        f->el_keep[k] = f->el_kept[k] = exp(-f->h * way.decay);
        f->decays |= way.decay > 0.0;
        f->el_fast[k] = 2.0 * way.release;
        f->el_facts[k] = facts_of(m, f, k);
    }
}

#endif

/* Where the curve begins, per unit load. */
static sb_real curve_begins(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
#if SB_LANES == 1
    if (f->el_facts[k] & SB_FACT_VARIES) {
        return find_beginning(m, d, f, k);
    }
#endif
    (void)m;
    (void)d;
    return f->el_begin[k];
}

/* Lines on the static limits: an element that moves in spite of them will break away. */
static void set_static_lines(sb_fixed *f, int k)
{
    f->el_cut[2 * k] = f->el_high[k];
    f->el_cut[2 * k + 1] = -f->el_low[k];
    f->el_rise[2 * k] = f->el_rise[2 * k + 1] = SB_R(0.0);
}

SB_HOT void sb_resolvent_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag some)
{
    const sb_flag slide = sb_and(some, f->el_released[k]);
    if (!sb_all(slide)) {
        set_static_lines(f, k);
    }
    if (sb_any(slide)) {
        set_lines(m, d, f, k, sb_abs(f->el_start[k]), slide);
    }
}

SB_HOT void sb_resolvent_release(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag some)
{
    f->el_released[k] = sb_pick_count(some, some, f->el_released[k]);
    sb_resolvent_box(m, f, k, curve_begins(m, d, f, k), some);
    sb_resolvent_lines(m, d, f, k, some);
}

/* One that comes to rest within the step sticks if its static limits would hold what pulls it on, which is the torque
 * that stops it less what takes its slip away. */
static void stick_within_step(sb_fixed *f, int k, sb_real limit, sb_flag slides)
{
    const sb_real start = f->el_start[k];
    const sb_real stopping = sb_pick(f->el_yield[k] > 0.0, start / f->el_yield[k], SB_R(0.0));
    const sb_real low = sb_min(f->el_low[k], stopping - f->el_load[2 * k + 1] * limit);
    const sb_real high = sb_max(f->el_high[k], stopping + f->el_load[2 * k] * limit);
    f->el_low[k] = sb_pick(sb_and(slides, start > 0.0), low, f->el_low[k]);
    f->el_high[k] = sb_pick(sb_and(slides, start < 0.0), high, f->el_high[k]);
}

/* Inside of its window a contact of Karnopp's keeps its slip. The curve begins outside: one that friction would bring
 * inside within the step stays on the edge. */
static void keep_inside(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const sb_real start = f->el_start[k];
    const sb_real window = f->el_window[k];
    const sb_flag stuck = d->mode[m->fr_lock[k]] == SB_STUCK;
    const sb_flag inside = sb_or(sb_abs(start) < window, sb_and(stuck, sb_abs(start) <= (1.0 + SB_ON_LIMIT) * window));
    const sb_count side = sb_sign_of(start);
    f->el_target[k] = sb_pick(inside, start * f->el_kept[k], sb_number(side) * window);
    f->el_released[k] = sb_not(inside);
    f->el_side[k] = sb_pick_count(inside, 0, side);
    set_box(m, f, k, sb_pick(inside, f->el_limit[k], curve_begins(m, d, f, k)), sb_not(SB_NEVER));
}

static sb_flag is_hybrid(const sb_fixed *f, int k)
{
    const sb_flag all = sb_not(SB_NEVER);
    return f->el_facts[k] & SB_FACT_HYBRID ? all : SB_NEVER;
}

/* Any other one: it slides on, is stuck, or closes under slip (or is a hybrid contact whose slip has jumped). */
static void hold_or_slide(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag slides)
{
    const sb_real start = f->el_start[k];
    const sb_flag closes = sb_or(d->mode[m->fr_lock[k]] == SB_FREE, is_hybrid(f, k));
    const sb_flag moves = sb_and(sb_and(sb_not(slides), closes), sb_abs(start) > f->el_least[k]);
    const sb_flag goes = sb_or(slides, moves);
    set_box(m, f, k, sb_pick(goes, curve_begins(m, d, f, k), f->el_limit[k]), sb_not(SB_NEVER));
    f->el_released[k] = goes;
    f->el_side[k] = sb_pick_count(moves, sb_sign_of(start), f->el_side[k]);
    if (sb_any(slides)) {
        stick_within_step(f, k, f->el_limit[k], slides);
    }
}

#if SB_LANES == 1

/* Boxes of contacts that are not written for lanes; whether this is one, in a state that has its own. */
static int prepare_rare(const sb_model *m, const sb_data *d, sb_fixed *f, int k, int slides)
{
    const int facts = f->el_facts[k];
    if ((facts & SB_FACT_STOPS) &&
        d->mode[m->fr_lock[k]] != SB_STUCK) { // it has no graph; how it is met: step_impact.c
        f->el_kind[k] = SB_EL_IDLE;
        f->el_tau[k] = 0.0;
        return 1;
    }
    if (facts & SB_FACT_LOSES) { // its limits follow from what the gear transmits
        f->el_released[k] = 0;
        f->el_high[k] = INFINITY;
        f->el_low[k] = -INFINITY;
        return 1;
    }
    if ((facts & SB_FACT_HYBRID) && sb_hybrid_decays(m, d, f, k)) {
        sb_hybrid_hold(m, d, f, k);
    } else if ((facts & SB_FACT_HYBRID) && slides) {
        sb_resolvent_box(m, f, k, curve_begins(m, d, f, k), 1);
        sb_hybrid_slide(m, d, f, k);
    } else {
        return 0;
    }
    if (!f->el_alone[k]) {
        sb_resolvent_lines(m, d, f, k, 1);
    }
    return 1;
}

#endif

SB_HOT void sb_resolvent_prepare_lock(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const sb_real start = f->el_start[k];
    const sb_count mode = d->mode[m->fr_lock[k]];
    const sb_flag slides = sb_or(mode == SB_FORWARD, mode == SB_BACKWARD);
    f->el_target[k] = SB_R(0.0);
    f->el_released[k] = slides;
    f->el_side[k] = sb_pick_count(slides, sb_pick_count(start != 0.0, sb_sign_of(start), mode), 0);
#if SB_LANES == 1
    if (f->el_facts[k] & SB_FACT_VARIES) {
        f->el_limit[k] = static_limit(m, d, f, k);
    }
    if ((f->el_facts[k] & (SB_FACT_STOPS | SB_FACT_LOSES | SB_FACT_HYBRID)) && prepare_rare(m, d, f, k, slides)) {
        return;
    }
#endif
    if (f->el_facts[k] & SB_FACT_KARNOPP) {
        keep_inside(m, d, f, k);
    } else {
        hold_or_slide(m, d, f, k, slides);
    }
    if (!f->el_alone[k]) {
        sb_resolvent_lines(m, d, f, k, sb_not(SB_NEVER));
    }
}

SB_HOT void sb_resolvent_solve_lock(sb_fixed *f, int k, sb_real slip_free, sb_real hold, sb_flag some)
{
    const sb_real yield = f->el_yield[k];
    const sb_real target = f->el_target[k];
    const sb_flag ahead = hold > f->el_high[k];
    const sb_flag back = sb_and(sb_not(ahead), hold < f->el_low[k]);
    const sb_flag slides = sb_or(ahead, back);
    const sb_count side = sb_pick_count(ahead, SB_FORWARD, sb_pick_count(back, SB_BACKWARD, 0));
    sb_real slip = target;
    sb_real tau = hold;
    if (sb_any(slides)) {
        const sb_real cut = sb_pick(back, -f->el_cut[2 * k + 1], f->el_cut[2 * k]);
        const sb_real rise = sb_pick(back, f->el_rise[2 * k + 1], f->el_rise[2 * k]);
        const sb_real reached = (slip_free - yield * cut) / (1.0 + yield * rise);
        const sb_flag beyond = sb_and(slides, sb_number(side) * (reached - target) > 0.0);
        const sb_real limit = sb_pick(back, f->el_low[k], f->el_high[k]);
        slip = sb_pick(beyond, reached, target);
        tau = sb_pick(beyond, cut + rise * reached, sb_pick(slides, limit, hold));
    }
    f->el_side[k] = sb_pick_count(some, side, f->el_side[k]);
    f->el_slip[k] = sb_pick(some, slip, f->el_slip[k]);
    f->el_tau[k] = sb_pick(some, tau, f->el_tau[k]);
}
