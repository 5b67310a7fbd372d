#ifndef SB_MODES_H
#define SB_MODES_H

#include <math.h>

#include "sb_lock.h"

/* The parts of a change of modes (modes.c): who may stick (candidates.c), who does (decide.c), and whose motion the
 * others hold already (redundant.c). */

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
void sb_release_fired(const sb_model *m, sb_data *d);

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
