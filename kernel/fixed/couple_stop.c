#include <math.h>

#include "fixed/sb_step.h"
#include "model/sb_base.h"

/* Locks that come to rest within a step in which others break away that were stuck. Torques are means over the step, in
 * part of which such a lock still slides: they say too little about which lock breaks away after its stop, and one
 * that breaks away first relieves the others. So that is decided as the adaptive solver does at the instant of the
 * stop: from torques that keep all slips as they are, with static limits of all that rest then, those that move in
 * spite of them at once. The step is made again with this decision. */

static int element_of(const int *el, int i)
{
    return el ? el[i] : i;
}

/* Holds at slip 0, within limits that are its own. */
static int is_switch(const sb_fixed *f, int k)
{
    const int other = SB_FACT_BLOCKS | SB_FACT_LOSES | SB_FACT_KARNOPP | SB_FACT_HYBRID;
    return f->el_kind[k] == SB_EL_LOCK && (f->el_facts[k] & (SB_FACT_LOCKS | other)) == SB_FACT_LOCKS;
}

static int rests(const sb_model *m, const sb_data *d, const sb_fixed *f, int k)
{
    return is_switch(f, k) && d->mode[m->fr_lock[k]] == SB_STUCK;
}

int sb_stop_find(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el)
{
    int stops = 0;
    int lets_go = 0;
    for (int i = 0; i < n; ++i) {
        const int k = element_of(el, i);
        const int slid = is_switch(f, k) && !rests(m, d, f, k) && d->mode[m->fr_lock[k]] != SB_FREE;
        f->el_stops[k] = slid && f->el_start[k] != 0.0 && f->el_side[k] != sb_sign_of(f->el_start[k]);
        stops += f->el_stops[k];
        lets_go += rests(m, d, f, k) && f->el_released[k] && f->el_side[k] != 0;
    }
    return stops > 0 && lets_go > 0;
}

void sb_stop_begin(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el)
{
    for (int i = 0; i < n; ++i) {
        const int k = element_of(el, i);
        if (f->el_stops[k]) {
            f->el_target[k] = f->el_start[k];
            f->el_released[k] = f->el_side[k] = 0;
            sb_resolvent_box(m, f, k, f->el_limit[k], 1);
            sb_resolvent_lines(m, d, f, k, 1);
        } else if (rests(m, d, f, k)) {
            sb_resolvent_prepare_lock(m, d, f, k);
        }
    }
}

/* A lock that stays at rest behind its stop is held through it, one that does not turns round. */
static void stop_as_decided(const sb_model *m, const sb_data *d, sb_fixed *f, int k)
{
    const int back = f->el_start[k] > 0.0 ? SB_BACKWARD : SB_FORWARD;
    sb_resolvent_prepare_lock(m, d, f, k);
    if (f->el_goes[k] == back) {
        sb_resolvent_release(m, d, f, k, 1);
        f->el_side[k] = back;
    } else if (f->el_goes[k] == 0 && back == SB_BACKWARD) {
        f->el_low[k] = -INFINITY;
    } else if (f->el_goes[k] == 0) {
        f->el_high[k] = INFINITY;
    }
}

void sb_stop_end(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el)
{
    for (int i = 0; i < n; ++i) {
        const int k = element_of(el, i);
        f->el_goes[k] = (f->el_stops[k] || rests(m, d, f, k)) && f->el_released[k] ? f->el_side[k] : 0;
        if (f->el_stops[k]) {
            stop_as_decided(m, d, f, k);
        } else if (rests(m, d, f, k)) {
            sb_resolvent_prepare_lock(m, d, f, k);
            if (f->el_goes[k] != 0) {
                sb_resolvent_release(m, d, f, k, 1);
                f->el_side[k] = f->el_goes[k];
            }
        }
    }
}

void sb_stop_keep(sb_fixed *f, int n, const int *el)
{
    for (int i = 0; i < n; ++i) {
        const int k = element_of(el, i);
        f->el_side[k] = f->el_goes[k] != 0 && f->el_side[k] == 0 ? f->el_goes[k] : f->el_side[k];
    }
}
