#ifndef SB_STICK_H
#define SB_STICK_H

#include <math.h>

#include "network/sb_network.h"

/* The internal header of stick/: contacts that hold, and the changes of their modes. */

/* How a law sticks: within which slip it may be caught, below which slip it may break away, how its slip decays while
 * it is stuck, and the holding friction below which it is caught (infinite: its static friction decides). */
typedef struct sb_manner {
    sb_lock_kind kind;
    double window, release, decay, capture;
} sb_manner;

sb_manner sb_manner_of(const sb_model *m, const sb_data *d, int lock);
const sb_law *sb_lock_law(const sb_model *m, const sb_data *d, int lock, const double **param);

/* Whether it sticks at slip 0; one with a prescribed slip does, whatever its law. Gears with losses are neither. */
static inline int sb_is_switch(const sb_model *m, int lock)
{
    return !m->lock_free[lock] || sb_law_of(m, m->lock_friction[lock])->lock == SB_LOCK_SWITCH;
}

/* Signal and value of the load against slip in a direction, and the larger one of the pair: while that is positive the
 * contact is closed. One that blocks a direction is closed without any load. */
static inline int sb_load_signal(const sb_model *m, int lock, int side)
{
    const int f = m->lock_friction[lock];
    return side == SB_BACKWARD ? m->fr_back[f] : m->fr_load[f];
}

static inline sb_real sb_side_load(const sb_model *m, const sb_data *d, int lock, int side)
{
    return d->jet[SB_JET * sb_load_signal(m, lock, side)];
}

static inline sb_real sb_closing_load(const sb_model *m, const sb_data *d, int lock)
{
    if (m->lock_unlimited[lock] != 0) {
        return SB_R(1.0);
    }
    return sb_max(sb_side_load(m, d, lock, SB_FORWARD), sb_side_load(m, d, lock, SB_BACKWARD));
}

/* Static limit against slip in a direction, at the present load; and the limit of a contact that breaks away: where its
 * curve begins, or still its static friction inside of Karnopp's window. */
double sb_lock_limit(const sb_model *m, const sb_data *d, int lock, int side);
double sb_kinetic_limit(const sb_model *m, const sb_data *d, int lock, int side);

/* The box of what it may hold: static, or kinetic once it breaks away. The slip of a hybrid contact that has not
 * decayed yet is held by all means. */
void sb_set_box(const sb_model *m, sb_data *d, int lock, int released);

/* Splits the holding torques of redundant locks: the same accelerations (in rate), equal utilisation. */
void sb_share_redundant(const sb_model *m, sb_data *d, const double *rate);

/* Speeds at t with slip exactly 0 in the stuck contacts. */
SB_HOT void sb_project_stuck(const sb_model *m, sb_data *d, sb_real t, sb_real *x);

/* Speed of a contact below which it counts as zero, and beyond 0 above which it has jumped; the first one with the
 * rounding of the speeds that the slip is added up from. */
double sb_least_slip(const sb_model *m, int lock);
double sb_jumped_slip(const sb_model *m, int lock);
double sb_slip_band(const sb_model *m, const sb_data *d, int lock, const double *x);

/* Way of an end stop that is none. */
double sb_gap_band(const sb_model *m, const sb_data *d, int lock);

/* What the others can still take over while a contact on its limit shares their motion. */
double sb_shared_room(const sb_model *m, const sb_data *d, int lock);

/* The two event functions of a contact that sticks by a switch. */
SB_HOT void sb_switch_margins(const sb_model *m, const sb_data *d, int lock, sb_real *margin);

/* The two event functions of a lock as they are, and the bands within which they decide nothing; after sb_rates. */
void sb_lock_margins(const sb_model *m, const sb_data *d, int lock, double *margin);
void sb_lock_bands(const sb_model *m, const sb_data *d, int lock, const double *x, double *band);

/* Holding torque of a contact that is none, among the torques on the board. */
double sb_torque_band(const sb_model *m, const sb_data *d, int lock);

/* Whether a lock that rests on the edge of its mode is about to leave it; after sb_rates. */
int sb_lock_falls(const sb_model *m, const sb_data *d, int lock, const double *x);

/* All event functions as they are, and their bands, into d->event_band and d->kink; after sb_rates. */
void sb_event_margins(const sb_model *m, sb_data *d, const double *x, double *value);

/* sb_event_values where those of contacts that stick by a switch are in `value` as they are; whether there are others. If
 * not, all n of them, which are a stride apart. */
void sb_event_values_beside(const sb_model *m, sb_data *d, const double *x, double *value);
static inline void sb_event_values_of(sb_data *d, int n, const sb_real *margin, int stride, sb_real *value)
{
    ++d->stats.event_evaluations;
    for (int i = 0; i < n; ++i) {
        value[i] = margin[i * stride] + sb_where(d->resting[i] != 0, d->event_band[i]);
    }
}
static inline int sb_has_other_events(const sb_model *m)
{
    int others = m->n_signal_guard + m->n_law_guard + m->n_side + m->n_open > 0;
    for (int k = 0; k < m->n_lock; ++k) {
        others |= !sb_is_switch(m, k);
    }
    return others;
}
void sb_event_bands(const sb_model *m, sb_data *d, const double *x);

/* Impulses of free-wheels and stops that are driven against the direction that they block. */
sb_status sb_impulses(const sb_model *m, sb_data *d, double t, double *x);

/* Holding torques d->grip of a set of contacts within their boxes d->low..d->high, see stick.c, from the generalised
 * forces without them and from `need`, their slip accelerations without any torque on free speeds; d->pin holds the
 * bounds that they sit on, before (a first guess) and after. tau: torques that the forces come from, to scale rounding.
 */
sb_status sb_stick_solve(const sb_model *m, sb_data *d, int n, const int *set, const double *force, const double *need,
                         const double *tau);

/* Slip acceleration that these torques leave over; 0 where it is rounding. */
double sb_stick_left(const sb_model *m, const sb_data *d, int lock, const double *need);

/* Gears with losses (loss_modes.c); their equations are in network/loss.c. */

/* What a gear at rest can lose at most against motion in a direction, at the torque that it transmits now; and what of
 * that is rounding. */
double sb_loss_limit(const sb_model *m, const sb_data *d, int lock, int side);
double sb_loss_rounding(const sb_model *m, const sb_data *d, int lock);

/* Event functions of a lock that is a sliding loss. */
void sb_loss_events(const sb_model *m, const sb_data *d, int lock, double *g);

/* Modes after an event. A gear at rest is held, or it leans: its loss sits on its limit while others hold the motion.
 * begin: what the events say about a loss: the other side drives, or it is at rest. gather: adds the losses that are
 * held to a set of n contacts, and returns their number. pinned: right-hand sides of the other losses while the
 * contacts of a set sit on their bounds. observe: after the stick problem of such a set, the torques that the gears
 * transmit. review: changes the states that contradict them, all or one of them; whether there are such. agrees:
 * whether there are none. combine: the states of all gears by a number; 0: there are no more. hold: a jam at rest is
 * rest, gears at rest are held by all means; whether some were not. yield: held ones that others share with too little
 * begin to lean. settle: with Mass, those that lean on none slide. */
void sb_loss_begin(const sb_model *m, sb_data *d, int lock);
int sb_loss_gather(const sb_model *m, sb_data *d, int n, int *candidate);
void sb_loss_pinned(const sb_model *m, sb_data *d, int n, const int *set, const double *force, double *b);
void sb_loss_observe(const sb_model *m, sb_data *d, int n, const int *set);
int sb_loss_review(const sb_model *m, sb_data *d, int one);
int sb_loss_agrees(const sb_model *m, sb_data *d);
int sb_loss_combine(const sb_model *m, sb_data *d, int number);
int sb_loss_hold(const sb_model *m, sb_data *d);
int sb_loss_yield(const sb_model *m, sb_data *d);
sb_status sb_loss_settle(const sb_model *m, sb_data *d);
int sb_loss_leans(const sb_model *m, const sb_data *d, int lock);

/* Gears that lean on the locked ones and whose line leaves their loss open (a gear that locks itself, and carries no
 * torque on its other side) take their other line; if that does not help they are held: their limit grows with what
 * they hold. Returns whether there are such. */
int sb_loss_sit(const sb_model *m, sb_data *d, const int *locked);

/* The parts of a change of modes (modes.c): what each contact may be (classify.c), which of them stick (resolve.c), and
 * whose motion the others hold already (redundant.c). */

typedef enum sb_load { SB_UNLOADED, SB_UNLOADING, SB_LOADED } sb_load;

/* What is known of one contact when its mode is decided. */
typedef struct sb_facts {
    sb_lock_kind kind; /* how its law sticks, with these speeds */
    double window, release;
    double kept; /* slip that it keeps while it is stuck */
    int mode;    /* before */
    sb_phase phase;
    int fired, fired_back; /* its event functions that have become negative */
    int together;          /* direction in which it breaks away with others, or 0 */
    int free;              /* its slip follows from speeds: it can be held */
    int blocks;            /* direction of slip that it blocks, or 0 */
    int end_stop;
    int literal; /* follows the sign of its slip, for comparison */
    sb_load load;
    double slip, trend; /* trend: what prescribed motions do to the slip */
    double rest;        /* slip that is none */
    double leaving;     /* slip with which an end stop moves away, if nothing drives it back */
    double jumped;      /* slip against the mode that has jumped there */
} sb_facts;

typedef enum sb_outcome { SB_OPENS, SB_SLIDES, SB_BLOCKS, SB_MAY_STICK } sb_outcome;

typedef struct sb_verdict {
    sb_outcome outcome;
    int mode;
    sb_phase phase;
    int favours; /* direction in which it slides if its torque turns out to be on that limit */
} sb_verdict;

sb_facts sb_facts_of(const sb_model *m, const sb_data *d, int lock, const double *x);
sb_verdict sb_classify(const sb_facts *facts);

#if SB_LANES == 1

static inline int sb_is_hybrid(const sb_model *m, const sb_data *d, int lock)
{
    return sb_manner_of(m, d, lock).kind == SB_LOCK_HYBRID;
}

/* Whether a hybrid contact has a slip to let decay. */
static inline int sb_has_slip(const sb_model *m, const sb_data *d, int lock)
{
    return fabs(d->slip[sb_lock_branch(m, lock)]) > sb_least_slip(m, lock);
}

#endif

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
int sb_find_candidates(const sb_model *m, sb_data *d, const double *x, int *candidate);

/* Contacts that break away by an event, in d->released. */
sb_status sb_release_fired(const sb_model *m, sb_data *d, double t, const double *x);

/* Modes of the candidates, with slips and signals as they are on the board; `count` of them are left in the end. */
sb_status sb_decide_modes(const sb_model *m, sb_data *d, const double *x, int *count, int *candidate);

/* Mass with the stuck contacts in d->lock_set, without those of them whose motion the others hold already. */
sb_status sb_lock_stuck(const sb_model *m, sb_data *d);

/* The same where d->mode and d->redundant say already which those are. */
sb_status sb_relock(const sb_model *m, sb_data *d);

/* A contact that breaks away on its limit while others hold its motion does not slide: it goes on sharing with them. So
 * does a hybrid contact that slides and is stopped by others. */
sb_status sb_keep_sharing(const sb_model *m, sb_data *d, int n, const int *candidate);

/* How the slip of a branch answers to its torque, from the entries of the inverse of Mass. */
double sb_branch_compliance(const sb_model *m, int b, const double *inverse);

/* How the slips of the watched contacts answer to their torques in the present modes of the others. */
void sb_find_compliances(const sb_model *m, sb_data *d);

/* Signals that slide along a jump and leave it at (t, x): those beyond the edges of their layers, and whose events are
 * in `fired`, if that is not NULL. */
sb_status sb_leave_jumps(const sb_model *m, sb_data *d, double t, const double *x, int *fired, int *left);

/* Modes at (t, x) from the speeds alone. */
sb_status sb_initial_modes(const sb_model *m, sb_data *d, double t, double *x);

/* Mass and all that follows from modes that are known, at (d->t, d->x); `decided`: so are the redundant ones. */
sb_status sb_restore_modes(const sb_model *m, sb_data *d, int decided);

#endif
