#ifndef SB_LOCK_H
#define SB_LOCK_H

#include "sb_data.h"

/* Static limit of a locking element against slip in a direction, at the present load. */
double sb_lock_limit(const sb_model *m, const sb_data *d, int lock, int side);

/* What makes the slips of stuck contacts decay, for those that do: its part of F, and its derivative by the slip. */
void sb_lock_decay(const sb_model *m, const sb_data *d, double *multiplier);
void sb_lock_partials(const sb_model *m, sb_data *d);

/* Holding torques from the solved multipliers; redundant locks get their share. Puts them on the board. */
void sb_lock_torques(const sb_model *m, sb_data *d, const double *multiplier);

/* Splits the holding torques of redundant locks: the same accelerations, equal utilisation. */
void sb_share_redundant(const sb_model *m, sb_data *d);

/* Whether the step from d->x to d->x_new jumps over the rise of friction towards slip 0, which none of its stages has
 * seen then; and the share of it that ends before. */
int sb_steps_over_peak(const sb_model *m, const sb_data *d, double *share);

/* Fastest rate at which a sliding contact runs away along its falling curve; after sb_jacobian. */
double sb_unstable_rate(const sb_model *m, const sb_data *d);

/* Speeds with slip exactly 0 in the stuck contacts. */
void sb_project_stuck(const sb_model *m, sb_data *d, double *x);

/* Box problem:  min 1/2 l'A l - b'l,  -limit <= l <= limit,  A positive semidefinite (n x n, row-major). Where A leaves
 * the split open, the elements are used equally (least sum of l^2/limit). chol has n*n entries, tmp 2n, state n;
 * state tells the bound that each element sits on (-1, 0 = inside, +1). */
sb_status sb_box_solve(int n, const double *a, const double *b, const double *limit, double *l, double *chol,
                       double *tmp, int *state);

#endif
