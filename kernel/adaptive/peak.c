#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* Steps that would not see what friction does: over the peak of a Stribeck curve, or along its falling side. */

/* Direction in which a contact slides: that of its mode, or of its slip if its law does not lock; 0 if it does not. */
static int sliding_direction(const sb_model *m, const sb_data *d, int friction, double slip)
{
    const int lock = m->fr_lock[friction];
    const int mode = lock >= 0 ? d->mode[lock] : sb_sign_of(slip);
    return mode == SB_FORWARD || mode == SB_BACKWARD ? mode : 0;
}

int sb_steps_over_peak(const sb_model *m, const sb_data *d, double *share)
{
    *share = 1.0;
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        const int b = SB_FRICTION_BRANCH(m, k);
        const double peak = m->fr_peak[k];
        if (!isfinite(peak)) {
            continue;
        }
        const double start = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x, d->slip0[b]);
        const double end = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->x_new, d->slip0[b]);
        const int direction = sliding_direction(m, d, k, start);
        const double before = direction * start;
        const double after = direction * end;
        if (before > SB_PEAK_FAR * peak && after < SB_PEAK_NEAR * peak) {
            *share = sb_min(*share, (before - 0.5 * (SB_PEAK_FAR + SB_PEAK_NEAR) * peak) / (before - after));
        }
    }
    return *share < 1.0;
}

double sb_unstable_rate(const sb_model *m, const sb_data *d)
{
    double fastest = 0.0;
    for (int i = 0; i < m->n_watch; ++i) {
        const int k = m->watch[i];
        fastest = isfinite(m->fr_peak[k]) ? sb_max(fastest, -d->local[m->fr_local[k]] * d->compliance[k]) : fastest;
    }
    return fastest;
}
