#ifndef SB_ELEMENT_H
#define SB_ELEMENT_H

#include "sb_data.h"

/* The kinds of elements. Each works on all elements of its kind at once and sees its own slips, displacements,
 * signals and states, never its neighbours. To add a kind, add a file and a line here. */
#define SB_ELEMENT_KINDS(X) X(spring) X(source) X(friction)

/* What a kind owes the network:
 *     torque    torques d->tau of its branches, and rates of its states (into force, at their place among the unknowns)
 *     partials  local partial derivatives into d->local, explicit time derivatives into d->tau_t and d->force_t;
 *               those of what it sees are d->slip_t and d->disp_t
 *     power     input, loss and storage of every branch into d->power; after sb_rates
 *     energy    stored in every branch */
#define X(kind)                                                                                 \
    void sb_##kind##_torque(const sb_model *m, sb_data *d, const double *x, double *force);     \
    void sb_##kind##_partials(const sb_model *m, sb_data *d, const double *x);                  \
    void sb_##kind##_power(const sb_model *m, sb_data *d, const double *x, const double *rate); \
    void sb_##kind##_energy(const sb_model *m, const sb_data *d, const double *x, double *energy);
SB_ELEMENT_KINDS(X)
#undef X

/* local[0] is the constant 1; each spring has {d tau/d displacement, d tau/d slip} */
#define SB_SPRING_LOCAL(k) (1 + 2 * (k))
#define SB_SOURCE_BRANCH(m, k) ((m)->n_spring + (k))
#define SB_FRICTION_BRANCH(m, k) ((m)->n_spring + (m)->n_source + (k))

#endif
