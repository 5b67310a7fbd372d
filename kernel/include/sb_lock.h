#ifndef SB_LOCK_H
#define SB_LOCK_H

#include "sb_band.h"
#include "sb_element.h"
#include "sb_sparse.h"

/* Share of its size by which a slip may be beyond 0 when another event is located: more is a jump, by an impulse or of
 * a prescribed speed. */
#define SB_JUMPED 1e-6

/* What is this close to a limit, relatively, is on it. */
#define SB_ON_LIMIT 1e-9

/* Accelerations below this share of their terms are rounding: the contact is held. */
#define SB_LEFT_OVER 1e-12

static inline int sb_lock_branch(const sb_model *m, int lock)
{
    return SB_FRICTION_BRANCH(m, m->lock_friction[lock]);
}

/* Whether a contact follows its curve times the sign of its slip, for comparison. Free-wheels, stops and gears with
 * losses hold all the same. */
static inline int sb_is_literal(const sb_model *m, const sb_data *d, int lock)
{
    return d->literal_sign && m->lock_unlimited[lock] == 0 && m->lock_loss[lock] < 0;
}

/* Slip row times free speeds or accelerations, plus the prescribed part. */
static inline double sb_lock_slip(const sb_model *m, int lock, const double *speeds, double prescribed)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, sb_lock_branch(m, lock), speeds, prescribed);
}

/* forces += W_b * torque */
static inline void sb_add_torque(const sb_model *m, int branch, double torque, double *force)
{
    for (int p = m->w_ptr[branch]; p < m->w_ptr[branch + 1]; ++p) {
        force[m->w_col[p]] += m->w_val[p] * torque;
    }
}

/* How a contact is in its mode: Karnopp's lets go inside of its window; a hybrid one has let go in the direction of what
 * was left of its slip, or against that, and is not to be caught yet; or it is stuck with a slip that decays. */
typedef enum sb_phase { SB_PLAIN, SB_LETTING_GO, SB_FRESH_ALONG, SB_FRESH_AGAINST, SB_DECAYING } sb_phase;

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

/* The box of what it may hold: static, or kinetic once it lets go. The slip of a hybrid contact that has not decayed
 * yet is held by all means. */
void sb_set_box(const sb_model *m, sb_data *d, int lock, int released);

/* What makes the slips of stuck contacts decay, for those that do: its part of F, and its derivative by the slip. */
void sb_lock_decay(const sb_model *m, const sb_data *d, double *multiplier);
void sb_lock_partials(const sb_model *m, sb_data *d);

/* Holding torques from the solved multipliers; redundant locks get their share. Puts them on the board. */
void sb_lock_torques(const sb_model *m, sb_data *d, const double *rate);

/* Splits the holding torques of redundant locks: the same accelerations (in rate), equal utilisation. */
void sb_share_redundant(const sb_model *m, sb_data *d, const double *rate);

/* Whether the step from d->x to d->x_new jumps over the rise of friction towards slip 0, which none of its stages has
 * seen then; and the share of it that ends before. */
int sb_steps_over_peak(const sb_model *m, const sb_data *d, double *share);

/* Fastest rate at which a sliding contact runs away along its falling curve; after sb_jacobian. */
double sb_unstable_rate(const sb_model *m, const sb_data *d);

/* Speeds at t with slip exactly 0 in the stuck contacts. */
void sb_project_stuck(const sb_model *m, sb_data *d, double t, double *x);

/* Speed of a contact below which it counts as zero, and beyond 0 above which it has jumped; the first one with the
 * rounding of the speeds that the slip is added up from. */
double sb_least_slip(const sb_model *m, int lock);
double sb_jumped_slip(const sb_model *m, int lock);
double sb_slip_band(const sb_model *m, const sb_data *d, int lock, const double *x);

/* The two event functions of a lock as they are, and the bands within which they decide nothing; after sb_rates. */
void sb_lock_margins(const sb_model *m, const sb_data *d, int lock, double *margin);
void sb_lock_bands(const sb_model *m, const sb_data *d, int lock, const double *x, double *band);

/* All event functions as they are, and their bands, into d->event_band and d->kink; after sb_rates. */
void sb_event_margins(const sb_model *m, sb_data *d, const double *x, double *value);
void sb_event_bands(const sb_model *m, sb_data *d, const double *x);

/* Impulses of free-wheels and stops that are driven against the direction that they block. */
sb_status sb_impulses(const sb_model *m, sb_data *d, double t, double *x);

/* Holding torques d->grip of a set of contacts within their boxes d->low..d->high, see stick.c, from the generalised
 * forces without them and from `need`, their slip accelerations without any torque on free speeds; d->pin tells the
 * bounds that they sit on, before (a first guess) and after. tau: torques that the forces come from, to tell rounding.
 */
sb_status sb_stick_solve(const sb_model *m, sb_data *d, int n, const int *set, const double *force, const double *need,
                         const double *tau);

/* Slip acceleration that these torques leave over; 0 where it is rounding. */
double sb_stick_left(const sb_model *m, const sb_data *d, int lock, const double *need);

#endif
