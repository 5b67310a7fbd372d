#ifndef SB_GIVE_WAY_H
#define SB_GIVE_WAY_H

#include "sb_onset.h"

/* The internal header of onset/: how a contact gives way. */

/* A number with its derivatives. */
typedef struct sb_slopes {
    double value, slope[SB_ONSET_PARAMETERS];
} sb_slopes;

/* The limit of friction at a speed. */
sb_slopes sb_limit_at(const double *param, const sb_slopes *speed);

/* The displacement at the end of creep, and the power of what is left until then. */
typedef struct sb_creep {
    double p, end;
} sb_creep;

/* Forces in a step, with the displacement base + reach v: A v - B + g (1 - q) = 0, where q is the share of the limit that is
 * not carried. Returns v, with q and its derivative by the displacement. */
typedef struct sb_balance {
    double A, B, base, reach;
} sb_balance;

double sb_speed_of(const sb_balance *e, const sb_creep *c, double g, double *q, double *by_x);

#endif
