#include <float.h>

#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* Steps that would not see what friction does: over the peak of a Stribeck curve, or along its falling side. */

/* Direction in which a contact slides: that of its mode, or of its slip if its law does not lock; 0 if it does not. */
static sb_real sliding_direction(const sb_model *m, const sb_data *d, int friction, sb_real slip)
{
    const int lock = m->fr_lock[friction];
    const sb_count mode = lock >= 0 ? d->mode[lock] : sb_sign_of(slip);
    return sb_where(sb_or(mode == SB_FORWARD, mode == SB_BACKWARD), sb_number(mode));
}

SB_HOT sb_real sb_share_before_peak(const sb_model *m, const sb_data *d)
{
    sb_real share = SB_R(1.0);
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        const int b = SB_FRICTION_BRANCH(m, k);
        const sb_real peak = m->fr_peak[k];
        if (sb_all(peak > DBL_MAX)) {
            continue;
        }
        const sb_real start = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x, d->slip0[b]);
        const sb_real end = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x_new, d->slip0[b]);
        const sb_real direction = sliding_direction(m, d, k, start);
        const sb_real before = direction * start;
        const sb_real after = direction * end;
        const sb_flag over = sb_and(before > SB_PEAK_FAR * peak, after < SB_PEAK_NEAR * peak);
        const sb_real left = (before - 0.5 * (SB_PEAK_FAR + SB_PEAK_NEAR) * peak) / (before - after);
        share = sb_pick(sb_and(over, peak <= DBL_MAX), sb_min(share, left), share);
    }
    return share;
}

SB_HOT sb_real sb_unstable_rate(const sb_model *m, const sb_data *d)
{
    sb_real fastest = SB_R(0.0);
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        const sb_real rate = -d->local[m->fr_local[k]] * d->compliance[k];
        fastest = sb_pick(m->fr_peak[k] <= DBL_MAX, sb_max(fastest, rate), fastest);
    }
    return fastest;
}
