#ifndef SB_FRICTION_H
#define SB_FRICTION_H

#include "sb_data.h"

/* Events of contacts that do not come from locking: discrete states of laws, the sign of the friction under a load
 * pair, and bristles whose load begins or ends. All look at the board after sb_rates. */

/* How bristles are bent when their load begins: as in steady sliding, as they were when it ended, straight. */
typedef enum sb_engage { SB_ENGAGE_STEADY, SB_ENGAGE_FROZEN, SB_ENGAGE_ZERO } sb_engage;

/* Torque that would take away the slip acceleration of contact k, which slides. */
double sb_friction_hold(const sb_model *m, const sb_data *d, int k);

/* Heat of contact k; after its torque and the rates of its states, which stand in `force`. And its partial derivatives,
 * by slip, states and what is behind the load, into `local`; the explicit time derivative comes back. */
double sb_friction_loss(const sb_model *m, const sb_data *d, const double *x, const double *force, int k);
double sb_friction_loss_partials(const sb_model *m, const sb_data *d, const double *x, int k, double *local);

/* Event functions into their places; their bands, and which of them are kinks. */
void sb_friction_events(const sb_model *m, const sb_data *d, const double *x, double *value);
void sb_friction_bands(const sb_model *m, const sb_data *d, const double *x, double *band, int *kink);

/* Signs of the friction after the events that fired, or anew where `fired` is NULL. */
void sb_friction_sides(const sb_model *m, sb_data *d, const double *x, const int *fired);

/* Bristles whose load begins or ends, after the events that fired, or anew where `fired` is NULL. Without a load they
 * rest. */
void sb_friction_open(const sb_model *m, sb_data *d, double *x, const int *fired);

/* Slip that bristles are bent by: none if it is rounding, whose sign would choose the direction of full friction. */
double sb_steady_slip(const sb_model *m, const sb_data *d, int friction);

/* New discrete states, and what goes with them, of laws whose guards fired. */
void sb_friction_jump(const sb_model *m, sb_data *d, double *x, const int *fired);

#endif
