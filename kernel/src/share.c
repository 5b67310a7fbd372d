#include <math.h>

#include "sb_lock.h"
#include "sb_math.h"

/* Redundant locks share what the others carry: the same accelerations, equal utilisation, nobody beyond its limit while
 * another one has room. */

void sb_share_redundant(const sb_model *m, sb_data *d, const double *rate)
{
    const int *set = d->lock_set;
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = set[i];
        sb_set_box(m, d, k, 0);
        if (d->group[k] < 0) { // shares nothing: its torque is what it is, and is tested against its limit elsewhere
            d->low[k] = -INFINITY;
            d->high[k] = INFINITY;
        }
        d->pin[k] = 0; // from the even split: on a bound a redundant contact has no reason to leave it
        d->need[k] = -sb_lock_slip(m, k, rate, 0.0);
    }
    d->shared = sb_stick_solve(m, d, d->n_stuck, set, d->force, d->need, d->tau) == SB_OK;
    if (!d->shared) {
        return; // what the independent ones carry stays a valid answer
    }
    for (int i = 0; i < d->n_stuck; ++i) {
        const int k = set[i];
        d->lambda[k] = d->grip[k];
        d->excess[k] = d->pin[k] != 0 ? d->pin[k] * sb_stick_left(m, d, k, d->need) / d->lock_scale[k] : 0.0;
    }
}
