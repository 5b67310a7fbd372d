#include "sb_fixed.h"
#include "sb_kernel.h"

/* The resolvent step. */

sb_status sb_resolvent_step(const sb_model *m, sb_data *d, sb_fixed *f)
{
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    for (int i = 0; i < SB_N_Y(m); ++i) {
        d->x[i] += f->h * d->rate[i];
    }
    return sb_rates(m, d, d->t + f->h, d->x, d->rate);
}
