#include <math.h>

#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "stick/sb_stick.h"

/* What a contact that can lock answers at the end of a step, see resolvent.c: what it holds, and the lines that it
 * slides on. */

static int sliding_mode(const sb_data *d, int lock)
{
    return d->mode[lock] == SB_FORWARD || d->mode[lock] == SB_BACKWARD;
}

/* Slope of a line of sliding friction: half of the curve's, for the mean over the step, and all of it where it is steep
 * (a step must not swing through what a damper stops). Where the curve falls the line falls less than the slip. */
static double slope_of(double slope, double yield)
{
    return slope > 0.0 ? slope * sb_share_of(slope * yield) : sb_max(0.5 * slope, yield > 0.0 ? -0.5 / yield : 0.0);
}

double sb_resolvent_last_free(const sb_model *m, const sb_fixed *f, int k)
{
    const int first = f->island_ptr[f->island_of[k]];
    const int n = f->island_ptr[f->island_of[k] + 1] - first;
    const double *row = f->coupling + k * SB_COUPLED(m);
    double slip = f->el_free[k];
    for (int b = 0; b < n && !f->sparse; ++b) {
        const int j = f->island_el[first + b];
        slip -= j == k ? 0.0 : row[b] * f->el_tau[j];
    }
    return slip;
}

/* Slope of a curve that falls from speed v on, up to the speed that the element will have about: a tangent would go on
 * below the curve. */
static double mean_slope(const sb_model *m, const sb_data *d, const sb_fixed *f, int k, double v, const double *out,
                         double slope)
{
    double end[SB_LAW_MAX];
    if (!isfinite(m->fr_peak[k])) {
        return slope;
    }
    const double slip = sb_resolvent_last_free(m, f, k);
    const double gain = fabs(slip) - f->el_yield[k] * f->el_load[2 * k + (slip < 0.0)] * out[0] - v;
    if (gain <= SB_LEAST_GAIN * v) {
        return slope;
    }
    const double *z = d->x + m->n_v + m->n_q + m->fr_state[k];
    const sb_law *law = sb_law_of(m, k);
    law->flow(law, sb_param_of(m, f, k), v + gain, z, end);
    return end[0] < out[0] ? (end[0] - out[0]) / gain : sb_max(slope, 0.0);
}

/* Lines of sliding friction from the curve at speed v, on both sides. */
static void set_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k, double v)
{
    double out[SB_LAW_MAX];
    double jac[SB_LAW_LOCALS];
    const sb_law *law = sb_law_of(m, k);
    law->flow_jac(law, sb_param_of(m, f, k), v, d->x + m->n_v + m->n_q + m->fr_state[k], out, jac);
    const double slope = mean_slope(m, d, f, k, v, out, jac[0]);
    for (int side = 0; side < 2; ++side) {
        const double load = f->el_load[2 * k + side];
        const double rise = slope_of(load * slope, f->el_yield[k]);
        f->el_rise[2 * k + side] = rise;
        f->el_cut[2 * k + side] = load * out[0] - rise * v;
    }
}

void sb_resolvent_box(const sb_model *m, sb_fixed *f, int k, double limit)
{
    f->el_high[k] = f->el_load[2 * k] * limit;
    f->el_low[k] = -f->el_load[2 * k + 1] * limit;
    if (f->el_facts[k] & SB_FACT_BLOCKS) {
        const int forward = m->lock_unlimited[m->fr_lock[k]] == SB_FORWARD;
        *(forward ? f->el_high + k : f->el_low + k) = forward ? INFINITY : -INFINITY;
    }
}

static double find_beginning(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    double out[SB_LAW_MAX];
    const sb_manner way = sb_manner_of(m, d, m->fr_lock[k]);
    const sb_law *law = sb_law_of(m, k);
    law->flow(law, sb_param_of(m, f, k), way.kind == SB_LOCK_KARNOPP ? way.window : 0.0,
              d->x + m->n_v + m->n_q + m->fr_state[k], out);
    return out[0];
}

static double curve_begins(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    return f->el_facts[k] & SB_FACT_VARIES ? find_beginning(m, d, f, k) : f->el_begin[k];
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
        f->el_keep[k] = f->el_kept[k] = exp(-f->h * way.decay);
        f->decays |= way.decay > 0.0;
        f->el_fast[k] = 2.0 * way.release;
        f->el_facts[k] = facts_of(m, f, k);
    }
}

/* Lines on the static limits: an element that moves in spite of them will break away. */
static void set_static_lines(sb_fixed *f, int k)
{
    f->el_cut[2 * k] = f->el_high[k];
    f->el_cut[2 * k + 1] = -f->el_low[k];
    f->el_rise[2 * k] = f->el_rise[2 * k + 1] = 0.0;
}

void sb_resolvent_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    if (f->el_released[k]) {
        set_lines(m, d, f, k, fabs(f->el_start[k]));
    } else {
        set_static_lines(f, k);
    }
}

void sb_resolvent_release(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    f->el_released[k] = 1;
    sb_resolvent_box(m, f, k, curve_begins(m, d, f, k));
    sb_resolvent_lines(m, d, f, k);
}

/* One that comes to rest within the step sticks if its static limits would hold what pulls it on, which is the torque
 * that stops it less what takes its slip away. */
static void stick_within_step(sb_fixed *f, int k, double limit)
{
    const double start = f->el_start[k];
    const double stopping = f->el_yield[k] > 0.0 ? start / f->el_yield[k] : 0.0;
    if (start > 0.0) {
        f->el_low[k] = sb_min(f->el_low[k], stopping - f->el_load[2 * k + 1] * limit);
    } else if (start < 0.0) {
        f->el_high[k] = sb_max(f->el_high[k], stopping + f->el_load[2 * k] * limit);
    }
}

/* Inside of its window a contact of Karnopp's keeps its slip. The curve begins outside: one that friction would bring
 * inside within the step stays on the edge. */
static void keep_inside(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const double start = f->el_start[k];
    const double window = f->el_window[k];
    const int was_inside = d->mode[m->fr_lock[k]] == SB_STUCK && fabs(start) <= (1.0 + SB_ON_LIMIT) * window;
    if (fabs(start) < window || was_inside) {
        f->el_target[k] = start * f->el_kept[k];
        f->el_released[k] = f->el_side[k] = 0;
        sb_resolvent_box(m, f, k, f->el_limit[k]);
        return;
    }
    f->el_released[k] = 1;
    f->el_side[k] = sb_sign_of(start);
    f->el_target[k] = f->el_side[k] * window;
    sb_resolvent_box(m, f, k, curve_begins(m, d, f, k));
}

void sb_resolvent_prepare_lock(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int lock = m->fr_lock[k];
    const int facts = f->el_facts[k];
    const double start = f->el_start[k];
    const int slides = sliding_mode(d, lock);
    f->el_kind[k] = SB_EL_LOCK;
    f->el_target[k] = 0.0;
    f->el_released[k] = slides;
    if (facts & SB_FACT_VARIES) {
        f->el_limit[k] = static_limit(m, d, f, k);
    }
    f->el_side[k] = !slides ? 0 : start != 0.0 ? sb_sign_of(start) : d->mode[lock];
    if ((facts & SB_FACT_STOPS) && d->mode[lock] != SB_STUCK) { // it has no graph; how it is met, see step_impact.c
        f->el_kind[k] = SB_EL_IDLE;
        f->el_tau[k] = 0.0;
        return;
    }
    if (facts & SB_FACT_LOSES) { // its limits follow from what the gear transmits
        f->el_released[k] = 0;
        f->el_high[k] = INFINITY;
        f->el_low[k] = -INFINITY;
        return;
    }
    if ((facts & SB_FACT_HYBRID) && sb_hybrid_decays(m, d, f, k)) {
        sb_hybrid_hold(m, d, f, k);
    } else if (facts & SB_FACT_KARNOPP) {
        keep_inside(m, d, f, k);
    } else if (slides) {
        sb_resolvent_box(m, f, k, curve_begins(m, d, f, k));
        if (facts & SB_FACT_HYBRID) {
            sb_hybrid_slide(m, d, f, k);
        } else {
            stick_within_step(f, k, f->el_limit[k]);
        }
    } else {
        // closes under slip, or a hybrid contact whose slip has jumped
        const int moves =
            fabs(start) > sb_least_slip(m, lock) && (d->mode[lock] == SB_FREE || (facts & SB_FACT_HYBRID));
        sb_resolvent_box(m, f, k, moves ? curve_begins(m, d, f, k) : f->el_limit[k]);
        f->el_released[k] = moves;
        f->el_side[k] = moves ? sb_sign_of(start) : 0;
    }
    if (!f->el_alone[k]) {
        sb_resolvent_lines(m, d, f, k);
    }
}

void sb_resolvent_solve_lock(sb_fixed *f, int k, double slip_free)
{
    const double yield = f->el_yield[k];
    const double target = f->el_target[k];
    const double hold = (slip_free - target) / yield;
    f->el_side[k] = hold > f->el_high[k] ? SB_FORWARD : hold < f->el_low[k] ? SB_BACKWARD : 0;
    f->el_slip[k] = target;
    f->el_tau[k] = hold;
    if (f->el_side[k] == 0) {
        return;
    }
    const int back = f->el_side[k] == SB_BACKWARD;
    const double cut = back ? -f->el_cut[2 * k + 1] : f->el_cut[2 * k];
    const double rise = f->el_rise[2 * k + back];
    const double slip = (slip_free - yield * cut) / (1.0 + yield * rise);
    if (f->el_side[k] * (slip - target) > 0.0) {
        f->el_slip[k] = slip;
        f->el_tau[k] = cut + rise * slip;
    } else {
        f->el_tau[k] = back ? f->el_low[k] : f->el_high[k];
    }
}
