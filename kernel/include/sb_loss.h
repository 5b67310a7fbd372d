#ifndef SB_LOSS_H
#define SB_LOSS_H

#include "sb_data.h"

/* Gears whose loss depends on the torque that they transmit. The loss is a branch from the support to flange a that can
 * lock; while it slides, its torque is an unknown of its own: the rate of its multiplier. See loss.c. */

/* Slopes of the losses at the present slips, and their part of d->mass for the locks that are not held. */
void sb_loss_slopes(const sb_model *m, sb_data *d);
void sb_loss_mass(const sb_model *m, sb_data *d, const int *locked);

/* Mass anew where efficiencies have changed with the speed since it was made. */
sb_status sb_loss_refresh(const sb_model *m, sb_data *d);

/* The same at (d->t, d->x), with F and x' of the start of a step. */
void sb_loss_prepare(const sb_model *m, sb_data *d);

/* Rows of the sliding losses: of F, of the Jacobian with dF/dt, and what their torques and those of the gears are. */
void sb_loss_forces(const sb_model *m, sb_data *d, double *force);
void sb_loss_partials(const sb_model *m, sb_data *d);
void sb_loss_jacobian(const sb_model *m, sb_data *d);
void sb_loss_torques(const sb_model *m, sb_data *d, const double *rate);
void sb_loss_board(const sb_model *m, sb_data *d);

/* What a gear at rest can lose at most against motion in a direction, at the torque that it transmits now. */
double sb_loss_limit(const sb_model *m, const sb_data *d, int lock, int side);

/* Event functions of a lock that is a loss. */
void sb_loss_events(const sb_model *m, const sb_data *d, int lock, double *g);

/* What the events d->fired say about a loss: the other side drives, or it is at rest, so that it may stick. */
void sb_loss_begin(const sb_model *m, sb_data *d, int lock, double least);

/* After sb_rates in the modes that were assumed: changes those that contradict the torques or accelerations found, all
 * of them or the first one alone. *changed tells whether there was one. */
void sb_loss_revise(const sb_model *m, sb_data *d, const double *rate, int all, int *changed);

#endif
