#ifndef SB_LOCK_H
#define SB_LOCK_H

#include "sb_element.h"
#include "sb_sparse.h"

/* Slips below this share of the nominal speed are taken as zero when nothing else decides. */
#define SB_SLIP_ZERO 1e-12

/* What is this close to a limit, relatively, is on it. */
#define SB_ON_LIMIT 1e-9

static inline int sb_lock_branch(const sb_model *m, int lock)
{
    return SB_FRICTION_BRANCH(m, m->lock_friction[lock]);
}

/* Slip row times free speeds or accelerations, plus the prescribed part. */
static inline double sb_lock_slip(const sb_model *m, int lock, const double *speeds, double prescribed)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, sb_lock_branch(m, lock), speeds, prescribed);
}

/* Two contacts that hold one and the same motion, by the matrix A of the stuck ones. */
static inline int sb_are_parallel(const double *a, int n, int i, int j)
{
    return a[i * n + j] * a[i * n + j] >= (1.0 - 1e-9) * a[i * n + i] * a[j * n + j];
}

/* How a law sticks: within which slip it may be caught, below which slip it may let go, how its slip decays while it is
 * stuck, and the holding friction below which it is caught (infinite: its static friction decides). */
typedef struct sb_manner {
    sb_lock_kind kind;
    double window, release, decay, capture;
} sb_manner;

sb_manner sb_manner_of(const sb_model *m, int lock);
const sb_law *sb_lock_law(const sb_model *m, int lock, const double **param);

/* Signal and value of the load against slip in a direction, and the larger one of the pair: while that is positive the
 * contact is closed. */
int sb_load_signal(const sb_model *m, int lock, int side);
double sb_side_load(const sb_model *m, const sb_data *d, int lock, int side);
double sb_closing_load(const sb_model *m, const sb_data *d, int lock);

/* Static limit against slip in a direction, at the present load; and the limit of a contact that lets go: where its
 * curve begins, or still its static friction inside of Karnopp's window. */
double sb_lock_limit(const sb_model *m, const sb_data *d, int lock, int side);
double sb_kinetic_limit(const sb_model *m, const sb_data *d, int lock, int side);

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
