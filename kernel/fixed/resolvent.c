#include <math.h>

#include "fixed/sb_step.h"
#include "model/sb_base.h"

/* What one friction element answers at the end of a step. Its slip s and its torque tau fulfil
 *
 *     s + yield tau = slip_free        tau on the graph of the law, at the end of the step
 *
 * Locking laws have a vertical piece at the slip that they hold, between the limits of what they can hold: static ones
 * while they are stuck, those of the beginning of their curve while they slide. Beside it friction is a line through
 * the curve at the last slip, with half of its slope, or of its mean slope over the step where it falls: then there is
 * one answer, and a stuck element stays stuck if the limits allow, else it goes where it is pushed.
 *
 * Bristles and curves are met between the middle of the step and its end, slip after one share of it, states after
 * another; for given slips the states follow from a linear equation in most laws:
 *
 *     s_met = s + share (s_end - s)    z_met = z + bend h z'(s_met, z_met)    z_end = z + (z_met - z)/bend
 *
 * Each share is 1/2, of second order, where nothing is stiff, and goes to 1, the implicit Euler rule, for slip where
 * friction would turn it round within the step, for states where they relax within it. The Stribeck curve is that of
 * the middle of the step. It would give the equation three answers where it falls steeply, so it is held at a slip
 * while an answer is looked for, first at what the last step leads to, then at the answer found: as friction falls with
 * slip, these answers lead from the present slip to the next one in the direction in which the element is driven. What
 * sticks stays stuck if it can, what slides goes on. Where the slip turns round, the curve is that of the end. */

/* Loads of an element, and what it is in this step; where it is idle. */
static sb_flag prepare_loads(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int facts = f->el_facts[k];
    const sb_real forward = sb_max(d->jet[SB_JET * m->fr_load[k]], SB_R(0.0));
    const sb_real back = sb_max(d->jet[SB_JET * m->fr_back[k]], SB_R(0.0));
    f->el_load[2 * k] = forward;
    f->el_load[2 * k + 1] = back;
    if (!(facts & SB_FACT_LOCKS)) {
        f->el_from[k] = f->el_start[k];
        f->el_left[k] = SB_R(1.0);
        f->el_spent[k] = SB_R(0.0);
    }
    sb_flag idle = f->absent;
    if (!(facts & SB_FACT_ACTS)) {
        idle = sb_or(idle, sb_max(forward, back) <= 0.0);
    }
    if (facts & SB_FACT_OPENS) {
        idle = sb_or(idle, d->open[k] != 0);
    }
    return idle;
}

SB_HOT void sb_resolvent_prepare_one(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int facts = f->el_facts[k];
    const int kind = facts & SB_FACT_GIVEN ? SB_EL_GIVEN : facts & SB_FACT_LOCKS ? SB_EL_LOCK : SB_EL_CURVE;
    const sb_flag idle = prepare_loads(m, d, f, k);
    f->el_kind[k] = sb_pick_count(idle, SB_EL_IDLE, SB_COUNT(kind));
    SB_ALONE(f->el_jumps[k] = 0;)
    f->el_released[k] = f->el_side[k] = SB_COUNT(0);
    f->el_tau[k] = sb_pick(idle, SB_R(0.0), f->el_tau[k]);
    if (sb_all(idle)) {
        return;
    }
    if (kind == SB_EL_CURVE) {
        sb_resolvent_prepare_curve(m, f, k);
    } else if (kind == SB_EL_LOCK) {
        sb_resolvent_prepare_lock(m, d, f, k);
        if (facts & SB_FACT_BLOCKS) { // it does not slide that way
            const sb_flag blocks = f->el_side[k] == m->lock_unlimited[m->fr_lock[k]];
            f->el_side[k] = sb_pick_count(blocks, 0, f->el_side[k]);
        }
    }
}

#if SB_LANES == 1

void sb_resolvent_prepare(const sb_model *m, sb_data *d, sb_fixed *f)
{
    for (int i = 0; i < m->n_vary; ++i) {
        f->el_param[m->vary_param[i]] = d->param[m->vary_param[i]];
    }
    sb_copy(f->z_try, d->x + m->n_v + m->n_q, m->n_z);
    sb_copy(f->z_from, f->z_try, m->n_z);
    if (f->decays) {
        sb_hybrid_begin(m, d, f);
    }
    for (int k = 0; k < m->n_friction; ++k) {
        sb_resolvent_prepare_one(m, d, f, k);
    }
    sb_copy(f->el_before, f->el_start, m->n_friction);
    if (f->decays) {
        sb_hybrid_end(m, d, f);
    }
}

static void solve_given(const sb_model *m, sb_fixed *f, int k, double slip)
{
    double out[SB_LAW_MAX];
    const sb_law *law = sb_law_of(m, k);
    const int side = sb_sign_of(slip);
    f->el_slip[k] = slip;
    f->el_side[k] = side;
    f->el_tau[k] = 0.0;
    if (m->fr_lock[k] < 0) { // nothing answers: in the middle of the step
        double slope;
        f->el_share[k] = 0.5;
        f->el_recoil[k] = 0.0;
        f->el_held[k] = f->el_foreseen[k] = 0.5 * (f->el_start[k] + slip);
        sb_resolvent_curve(m, f, k, slip, 1, f->el_tau + k, &slope);
    } else if (side != 0) {
        law->flow(law, sb_param_of(m, f, k), fabs(slip), f->x_start + m->n_v + m->n_q + m->fr_state[k], out);
        f->el_tau[k] = side * f->el_load[2 * k + (side < 0)] * out[0];
    }
}

void sb_resolvent_solve(const sb_model *m, sb_fixed *f, int k, double slip_free)
{
    switch (f->el_kind[k]) {
    case SB_EL_IDLE:
        f->el_slip[k] = slip_free;
        f->el_tau[k] = 0.0;
        break;
    case SB_EL_LOCK:
        sb_resolvent_solve_lock(f, k, slip_free, (slip_free - f->el_target[k]) / f->el_yield[k], 1);
        break;
    case SB_EL_CURVE:
        sb_resolvent_solve_curve(m, f, k, slip_free);
        break;
    case SB_EL_GIVEN:
        solve_given(m, f, k, slip_free);
        break;
    }
}

#endif
