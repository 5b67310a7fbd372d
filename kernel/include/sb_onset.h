#ifndef SB_ONSET_H
#define SB_ONSET_H

#include <stddef.h>

/* The onset of sliding under a rising drive, with derivatives by all parameters: for the identification of break-away
 * from many ramps. A contact carries h(x) of its limit g(v) after a displacement x:
 *
 *     J v' = u - g(v) h(x) - s v,    g = F (1 - D (1 - exp(-(v/v_s)^n))),    h = 1 - (1 - x/(p l))^p, 1 from x = p l on.
 *
 * Below F it creeps, with an initial stiffness F/l; from there on it slides. p = 1 is a spring that gives way at once,
 * p = 2 are many that do so one after the other, a large p is a bristle. */

enum { SB_ONSET_TABLE = 2048 };

/* J, D, v_s, s, l, p - 1 and n, which ramps have in common; of a ramp F, and a factor of the stiffness. Derivatives are by
 * the logarithms of these, but for s and F. */
enum sb_onset_parameter {
    SB_ONSET_INERTIA,
    SB_ONSET_FALL,
    SB_ONSET_SPEED,
    SB_ONSET_VISCOUS,
    SB_ONSET_LENGTH,
    SB_ONSET_BEND,
    SB_ONSET_EXPONENT,
    SB_ONSET_LEVEL,
    SB_ONSET_STIFFER,
    SB_ONSET_PARAMETERS
};

/* A ramp: drives and their impulses at SB_ONSET_TABLE even times from first to last, times at as many even drives from 0
 * to most; n instants of the data. */
typedef struct sb_onset_ramp {
    const double *drive, *impulse, *when;
    double first, last, most;
    const double *at;
    size_t n;
} sb_onset_ramp;

/* travel: at the instants; slopes: n x parameters; force: the largest friction, then its derivatives. */
void sb_onset(const sb_onset_ramp *ramp, const double *param, double *travel, double *slopes, double *force);

#endif
