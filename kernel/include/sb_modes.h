#ifndef SB_MODES_H
#define SB_MODES_H

#include <math.h>

#include "sb_lock.h"

/* The parts of a change of modes (modes.c): what each contact may be (classify.c), which of them stick (resolve.c), and
 * whose motion the others hold already (redundant.c). */

typedef enum sb_load { SB_UNLOADED, SB_UNLOADING, SB_LOADED } sb_load;

/* What is known of one contact when its mode is decided. */
typedef struct sb_facts {
    sb_lock_kind kind;     /* how its law sticks, with these speeds */
    double window, release;
    int mode;              /* before */
    sb_phase phase;
    int fired, fired_back; /* its event functions that have become negative */
    int together;          /* direction in which it lets go with others, or 0 */
    int free;              /* its slip follows from speeds: it can be held */
    int blocks;            /* direction of slip that it blocks, or 0 */
    int end_stop;
    int literal;           /* follows the sign of its slip, for comparison */
    sb_load load;
    double slip, trend;    /* trend: what prescribed motions do to the slip */
    double rest;           /* slip that is none */
    double jumped;         /* slip against the mode that has jumped there */
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

static inline int sb_is_hybrid(const sb_model *m, int lock)
{
    return sb_manner_of(m, lock).kind == SB_LOCK_HYBRID;
}

/* Whether a hybrid contact has a slip to let decay. */
static inline int sb_has_slip(const sb_model *m, const sb_data *d, int lock)
{
    return fabs(d->slip[sb_lock_branch(m, lock)]) > sb_least_slip(m, lock);
}

/* Contacts that may stick after this instant. The others slide on, open, or follow a prescribed slip. */
int sb_find_candidates(const sb_model *m, sb_data *d, const double *x, int *candidate);

/* Contacts that let go by an event, in d->released. */
sb_status sb_release_fired(const sb_model *m, sb_data *d, double t, const double *x);

/* Modes of the candidates; `count` of them are left in the end. */
sb_status sb_decide_modes(const sb_model *m, sb_data *d, double t, const double *x, int *count, int *candidate);

/* Mass with the stuck contacts in d->lock_set, without those of them whose motion the others hold already. */
sb_status sb_lock_stuck(const sb_model *m, sb_data *d);

/* A contact that lets go on its limit while others hold its motion does not slide: it goes on sharing with them. So
 * does a hybrid contact that slides and is stopped by others. */
sb_status sb_keep_sharing(const sb_model *m, sb_data *d, int n, const int *candidate);

/* How the slips of the watched contacts answer to their torques in the present modes of the others. */
void sb_find_compliances(const sb_model *m, sb_data *d);

#endif
