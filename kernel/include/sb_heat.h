#ifndef SB_HEAT_H
#define SB_HEAT_H

#include "sb_data.h"

/* Heat ports: what elements dissipate warms the thermal masses that they are connected to. */

/* Heat of all ports onto the board and into the rates of the temperatures; after the torques and the rates of all other
 * states. Contacts that hold a slip are left out: their torque is not known yet. */
void sb_heat_flow(const sb_model *m, sb_data *d, const double *x, double *force);

/* The same contacts once the machine is solved: the board has the holding torques and gets their heat. */
void sb_heat_held(const sb_model *m, sb_data *d, double *rate);

/* What their heat adds to solved derivatives: heat by holding torque is the slip. */
void sb_heat_chain(const sb_model *m, const sb_data *d, double *derivative);

/* Temperatures and flows that follow from the heat at once, where there is no capacity; for observers. */
void sb_heat_pools(const sb_model *m, sb_data *d);

/* Local derivatives of the heats and their explicit time derivatives, which sb_heat_time puts into d->force_t. */
void sb_heat_partials(const sb_model *m, sb_data *d, const double *x);
void sb_heat_time(const sb_model *m, sb_data *d);

/* What is left of F after Mass has the slips of the start of the step in it; a stage of Rodas5P calls it after
 * sb_forces. */
void sb_heat_correct(const sb_model *m, sb_data *d, double *force);

/* Energy (J) that a friction element turns into heat at one instant. */
void sb_heat_jump(const sb_model *m, double *x, int friction, double energy);

#endif
