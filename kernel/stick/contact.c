#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "stick/sb_stick.h"

/* A contact as a lock: how its law sticks, and what it can hold at the present load. */

const sb_law *sb_lock_law(const sb_model *m, const sb_data *d, int lock, const double **param)
{
    const int f = m->lock_friction[lock];
    *param = d->param + m->fr_param_ptr[f];
    return sb_law_of(m, f);
}

sb_manner sb_manner_of(const sb_model *m, const sb_data *d, int lock)
{
    const double *param;
    const sb_law *law = sb_lock_law(m, d, lock, &param);
    double stick[4] = {0.0, INFINITY, 0.0, INFINITY};
    if (law->stick) {
        law->stick(law, param, stick);
    }
    sb_manner way = {law->lock, stick[0], stick[1], stick[2], stick[3]};
    if (!m->lock_free[lock]) { // a prescribed slip slides along the curve, whatever the law
        way = (sb_manner){SB_LOCK_SWITCH, 0.0, INFINITY, 0.0, INFINITY};
    }
    return way;
}

double sb_lock_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    if (m->lock_loss[lock] >= 0) {
        return sb_loss_limit(m, d, lock, side);
    }
    const double *param;
    const sb_law *law = sb_lock_law(m, d, lock, &param);
    const sb_manner way = sb_manner_of(m, d, lock);
    if (m->lock_unlimited[lock] == side) {
        return INFINITY;
    }
    const double *z = d->lock_state + m->fr_state[m->lock_friction[lock]];
    double limit = law->breakaway(law, param, z);
    if (way.kind == SB_LOCK_KARNOPP && side * d->slip[sb_lock_branch(m, lock)] >= way.window * (1.0 - SB_ON_LIMIT)) {
        // on the edge of its window it is also held by the curve that begins there
        double friction[SB_LAW_MAX];
        law->flow(law, param, way.window, z, friction);
        limit = sb_max(limit, friction[0]);
    }
    return sb_max(sb_side_load(m, d, lock, side), 0.0) * limit;
}

double sb_kinetic_limit(const sb_model *m, const sb_data *d, int lock, int side)
{
    if (m->lock_loss[lock] >= 0) {
        return sb_loss_limit(m, d, lock, side);
    }
    const double *param;
    const sb_law *law = sb_lock_law(m, d, lock, &param);
    if (sb_manner_of(m, d, lock).kind == SB_LOCK_KARNOPP || m->lock_unlimited[lock] == side) {
        return sb_lock_limit(m, d, lock, side);
    }
    double friction[SB_LAW_MAX];
    law->flow(law, param, 0.0, d->lock_state + m->fr_state[m->lock_friction[lock]], friction);
    return sb_max(sb_side_load(m, d, lock, side), 0.0) * friction[0];
}

void sb_set_box(const sb_model *m, sb_data *d, int lock, int released)
{
    double (*limit)(const sb_model *, const sb_data *, int, int) = released ? sb_kinetic_limit : sb_lock_limit;
    const sb_manner way = sb_manner_of(m, d, lock);
    const int decays = way.kind == SB_LOCK_HYBRID && !released && fabs(d->slip[sb_lock_branch(m, lock)]) >= way.release;
    const int any =
        decays || m->lock_loss[lock] >= 0; // the limits of a gear depend on the torques: they are seen later
    d->high[lock] = any ? INFINITY : limit(m, d, lock, SB_FORWARD);
    d->low[lock] = any ? -INFINITY : -limit(m, d, lock, SB_BACKWARD);
}
