#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* Event functions of contacts that stick by a switch: at slip 0, up to their static friction. */

/* What a stuck contact could hold beyond its torque in a direction; breakaway: its friction there per load. */
static sb_real room(const sb_model *m, const sb_data *d, int k, int side, sb_real breakaway)
{
    if (m->lock_unlimited[k] == side) {
        return SB_R(1.0);
    }
    SB_ALONE(if (d->shared && d->pin[k] == side) { return sb_shared_room(m, d, k); })
    return sb_max(sb_side_load(m, d, k, side), SB_R(0.0)) * breakaway - side * d->hold[k];
}

static void stuck_margins(const sb_model *m, const sb_data *d, int k, sb_real *g)
{
    const int f = m->lock_friction[k];
    const sb_real slip = sb_abs(d->slip[sb_lock_branch(m, k)]);
    if (!m->lock_free[k]) {
        g[0] = SB_SLIP_ZERO - slip;
        g[1] = SB_R(1.0);
        return;
    }
    const sb_contact c = {.law = sb_law_of(m, f), .param = d->param + m->fr_param_ptr[f], .number = f};
    const sb_real breakaway = sb_call_breakaway(d, &c, d->lock_state + m->fr_state[f]);
    const sb_real load = sb_closing_load(m, d, k);
    g[0] = room(m, d, k, SB_FORWARD, breakaway);
    g[1] = room(m, d, k, SB_BACKWARD, breakaway);
    g[1] = sb_pick(load < 0.0, sb_min(g[1], load), g[1]);
    // prescribed motions may part what was one; as a factor, since a small slip as a margin would look like a root
    SB_ALONE(if (d->redundant[k] && m->n_wp > 0 && d->n_decaying == 0 && g[0] > 0.0) {
        g[0] *= 1.0 - slip / (SB_PARTED * sb_least_slip(m, k));
    })
}

/* Sliding, the slip comes back to 0, or the load goes; open, the load comes back, or the way to a stop ends. */
SB_HOT void sb_switch_margins(const sb_model *m, const sb_data *d, int k, sb_real *g)
{
    const sb_flag stuck = d->mode[k] == SB_STUCK;
    const sb_flag open = d->mode[k] == SB_FREE;
    const sb_real load = sb_closing_load(m, d, k);
    g[0] = sb_number(d->mode[k]) * d->slip[sb_lock_branch(m, k)];
    g[1] = load;
    if (sb_any(stuck)) {
        sb_real held[2];
        stuck_margins(m, d, k, held);
        g[0] = sb_pick(stuck, held[0], g[0]);
        g[1] = sb_pick(stuck, held[1], g[1]);
    }
    if (sb_any(open)) {
        g[0] = sb_pick(open, m->lock_gap[k] >= 0 ? d->jet[SB_JET * m->lock_gap[k]] : -load, g[0]);
        g[1] = sb_pick(open, SB_R(1.0), g[1]);
    }
}
