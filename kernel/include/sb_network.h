#ifndef SB_NETWORK_H
#define SB_NETWORK_H

#include "sb_data.h"

/* Mass for a set of locked elements, in the slots of the matrix. */
void sb_fill_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots);

/* The same into d->mass, and its factors. */
sb_status sb_assemble_mass(const sb_model *m, sb_data *d, const int *locked, double *lu, double *inv);

/* What the prescribed motions add to slips, displacements and rates, from the signals. */
void sb_place_motions(const sb_model *m, sb_data *d);

/* Signals (and with order 1 their gradients), prescribed motions, slips and displacements at (t, x). */
void sb_look(const sb_model *m, sb_data *d, double t, const double *x, int order);

/* Generalised forces: those of the branches, -W' tau, less what accelerates bodies with the prescribed motions. */
void sb_gather_torques(const sb_model *m, const double *tau, const double *inertia, double *force);

/* Body speeds and accelerations, reactions of prescribed motions: the part of the board that only observers need;
 * after sb_rates, before sb_outputs and sb_power. */
void sb_complete_board(const sb_model *m, sb_data *d, const double *x, const double *rate);

/* Power of every term of the ledger; after sb_rates. */
void sb_power(const sb_model *m, sb_data *d, const double *x, const double *rate);

/* Stored energy of every branch and body at (t, x). */
void sb_energy(const sb_model *m, sb_data *d, double t, const double *x, double *energy);

#endif
