#include "fixed/sb_step.h"
#include "model/sb_base.h"

/* An element on which no other acts. */

/* One that can lock: it holds within its box, else it is on its lines; static limits give way to those of sliding. */
static void solve_lone_lock(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag some)
{
    const sb_real hold = (f->el_free[k] - f->el_target[k]) / f->el_yield[k];
    const sb_flag holds = sb_and(some, sb_and(hold <= f->el_high[k], hold >= f->el_low[k]));
    f->el_side[k] = sb_pick_count(holds, 0, f->el_side[k]);
    f->el_slip[k] = sb_pick(holds, f->el_target[k], f->el_slip[k]);
    f->el_tau[k] = sb_pick(holds, hold, f->el_tau[k]);
    const sb_flag slides = sb_and(some, sb_not(holds));
    if (!sb_any(slides)) {
        return;
    }
    sb_resolvent_lines(m, d, f, k, slides);
    sb_resolvent_solve_lock(f, k, f->el_free[k], hold, slides);
    const sb_flag breaks = sb_and(sb_and(slides, sb_not(f->el_released[k])), f->el_side[k] != 0);
    if (sb_any(breaks) && !(f->el_facts[k] & SB_FACT_KARNOPP)) {
        sb_resolvent_release(m, d, f, k, breaks);
        sb_resolvent_solve_lock(f, k, f->el_free[k], hold, breaks);
    }
}

SB_HOT void sb_couple_one(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const sb_flag idle = f->el_kind[k] == SB_EL_IDLE;
    const sb_flag acts = sb_not(idle);
    if (sb_any(idle)) {
        f->el_slip[k] = sb_pick(idle, f->el_free[k], f->el_slip[k]);
        f->el_tau[k] = sb_pick(idle, SB_R(0.0), f->el_tau[k]);
    }
    if (!sb_any(acts)) {
        return;
    }
#if SB_LANES == 1
    if (f->el_kind[k] == SB_EL_GIVEN) {
        sb_resolvent_solve(m, f, k, f->el_free[k]);
        return;
    }
#endif
    if (f->el_facts[k] & SB_FACT_LOCKS) {
        solve_lone_lock(m, d, f, k, acts);
        return;
    }
    sb_resolvent_solve_alone(m, f, k, f->el_free[k], acts);
#if SB_LANES == 1
    while (sb_resolvent_jump(m, f, k)) {
        sb_resolvent_solve_alone(m, f, k, f->el_free[k], 1);
    }
#endif
}
