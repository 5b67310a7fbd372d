#ifndef SB_BAND_H
#define SB_BAND_H

#include "sb_data.h"
#include "sb_math.h"

/* Slips below this share of the nominal speed are taken as zero when nothing else decides; also the share of the
 * nominal sizes behind an operand within which a signal that jumps does not change its branch. */
#define SB_SLIP_ZERO 1e-12

/* Share of the run's tolerance to which the operand of a kink is known. */
#define SB_KINK_SHARE 1e-2

/* Guards of laws are made dimensionless by the laws: this is rounding. */
#define SB_GUARD_ZERO 1e-12

/* Share of the torques around a contact that is rounding in its holding torque. */
#define SB_TORQUE_ROUNDING 1e-11

/* Accuracy in time of a located event, by whatever integrator. */
#define SB_LOCATED 1e-12

/* Time within which things happen together. */
static inline double sb_time_band(const sb_data *d)
{
    const double t = d->t_look < 0.0 ? -d->t_look : d->t_look;
    return SB_LOCATED * sb_max(t, 1.0);
}

/* Of a machine that is driven from outside, with a tolerance that is not known here. */
#define SB_DEFAULT_TOLERANCE 1e-7
#define SB_DEFAULT_DWELL 1e-9

/* Rounding of a sum, by the size of its terms. */
#define SB_ROUNDED 1e-14

#endif
