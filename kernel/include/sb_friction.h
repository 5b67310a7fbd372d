#ifndef SB_FRICTION_H
#define SB_FRICTION_H

#include "sb_data.h"

/* Events of contacts that do not come from locking: discrete states of laws, and the sign of the friction under a load
 * pair. All look at the board after sb_rates. */

/* Torque that would take away the slip acceleration of contact k, which slides. */
double sb_friction_hold(const sb_model *m, const sb_data *d, int k);

/* Event functions into their places. */
void sb_friction_events(const sb_model *m, const sb_data *d, const double *x, double *value);

/* Signs of the friction after the events that fired, or anew where `fired` is NULL. */
void sb_friction_sides(const sb_model *m, sb_data *d, const double *x, const int *fired);

/* New discrete states, and what goes with them, of laws whose guards fired. */
void sb_friction_jump(const sb_model *m, sb_data *d, double *x, const int *fired);

#endif
