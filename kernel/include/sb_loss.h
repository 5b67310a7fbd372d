#ifndef SB_LOSS_H
#define SB_LOSS_H

#include "sb_data.h"

/* Gears whose loss depends on the torque that they transmit. The loss is a branch from the support to flange a that can
 * lock; while it slides, its torque is an unknown of its own: the rate of its multiplier. See
 * loss.c, and for the modes loss_modes.c. */

/* Whether a lock is a loss that slides: its torque is the rate of its multiplier, though its slip is not held. */
int sb_loss_slides(const sb_model *m, const sb_data *d, int lock);

/* Slopes of the losses at the present slips, or 0; their part of Mass for the locks that are not held. */
void sb_loss_slopes(const sb_model *m, sb_data *d);
void sb_loss_idle(const sb_model *m, sb_data *d);
void sb_loss_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots);

/* Mass anew where efficiencies have changed with the speed since it was made. */
sb_status sb_loss_refresh(const sb_model *m, sb_data *d);

/* The same at (d->t, d->x), with F and x' of the start of a step. */
void sb_loss_prepare(const sb_model *m, sb_data *d);

/* Rows of the sliding losses: of F, of the Jacobian with dF/dt, and what their torques and those of the gears are. */
void sb_loss_forces(const sb_model *m, sb_data *d, double *force);
void sb_loss_partials(const sb_model *m, sb_data *d);
void sb_loss_jacobian(const sb_model *m, sb_data *d);
void sb_loss_estimate(const sb_model *m, sb_data *d, const double *rate); /* before holding torques are shared */
void sb_loss_torques(const sb_model *m, sb_data *d, const double *rate);
void sb_loss_board(const sb_model *m, sb_data *d);

/* What a gear at rest can lose at most against motion in a direction, at the torque that it transmits now; and what of
 * that is rounding. */
double sb_loss_limit(const sb_model *m, const sb_data *d, int lock, int side);
double sb_loss_rounding(const sb_model *m, const sb_data *d, int lock);

/* Event functions of a lock that is a sliding loss. */
void sb_loss_events(const sb_model *m, const sb_data *d, int lock, double *g);

/* Modes after an event. A gear at rest is held, or it leans: its loss sits on its limit while others hold the motion.
 * begin: what the events say about a loss: the other side drives, or it is at rest. gather: adds the losses that are
 * held to a set of n contacts, and returns their number. pinned: right-hand sides of the other losses while the
 * contacts of a set sit on their bounds. review: after the stick problem of such a set, changes what contradicts its
 * torques and accelerations; then it is to be solved again. yield: held ones that others
 * share with too little begin to lean. settle: with Mass, those that lean on nobody slide. */
void sb_loss_begin(const sb_model *m, sb_data *d, int lock);
int sb_loss_gather(const sb_model *m, sb_data *d, int n, int *candidate);
void sb_loss_pinned(const sb_model *m, sb_data *d, int n, const int *set, const double *force, double *b);
sb_status sb_loss_review(const sb_model *m, sb_data *d, int n, const int *set, int round, int *changed);
int sb_loss_yield(const sb_model *m, sb_data *d);
sb_status sb_loss_settle(const sb_model *m, sb_data *d);
int sb_loss_leans(const sb_model *m, const sb_data *d, int lock);

#endif
