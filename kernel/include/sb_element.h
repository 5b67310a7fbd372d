#ifndef SB_ELEMENT_H
#define SB_ELEMENT_H

#include "sb_data.h"

/* The kinds of elements. Each works on all elements of its kind at once and sees its own slips, displacements,
 * signals and states, never its neighbours. To add a kind, add a file and a line here. */
#define SB_ELEMENT_KINDS(X) X(spring) X(source) X(friction)

typedef struct sb_element_kind {
    const char *name;

    /* torques d->tau of the branches and rates of the states (into force, at the place of the states) */
    void (*torque)(const sb_model *m, sb_data *d, const double *x, double *force);

    /* local partial derivatives into d->local, explicit time derivatives into d->tau_t and d->force_t; those of what
     * the element sees are sb_slip_t and d->disp_t */
    void (*partials)(const sb_model *m, sb_data *d, const double *x);

    /* power[input], power[loss], power[store] of every branch, after sb_rates */
    void (*power)(const sb_model *m, sb_data *d, const double *x, const double *rate);

    /* energy stored in every branch */
    void (*energy)(const sb_model *m, const sb_data *d, const double *x, double *energy);
} sb_element_kind;

#define X(kind) extern const sb_element_kind sb_kind_##kind;
SB_ELEMENT_KINDS(X)
#undef X

/* Explicit time derivative of the slip of a branch: the acceleration of prescribed motions in it. */
double sb_slip_t(const sb_model *m, const sb_data *d, int branch);

/* local[0] is the constant 1; each spring has {d tau/d displacement, d tau/d slip} */
#define SB_SPRING_LOCAL(k) (1 + 2 * (k))
#define SB_SOURCE_BRANCH(m, k) ((m)->n_spring + (k))
#define SB_FRICTION_BRANCH(m, k) ((m)->n_spring + (m)->n_source + (k))

#endif
