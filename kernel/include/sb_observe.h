#ifndef SB_OBSERVE_H
#define SB_OBSERVE_H

#include "sb_kernel.h"
#include "sb_method.h"

/* Observation of a step at its Lobatto nodes 0, (1 -+ 1/sqrt 5)/2, 1: event functions, powers, outputs. */
#define SB_INNER_NODE 0.27639320225002103 /* (1 - 1/sqrt 5)/2 */
extern const double sb_node[SB_NODES];

/* Everything at (d->t, d->x) that the first step from there needs: node 0. */
sb_status sb_observe_start(const sb_model *m, sb_data *d, const sb_options *opt);

/* Nodes 1 to 3 of the step just made; leaves F and x' of its end in d->force_new and d->rate_new. */
sb_status sb_observe_step(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method);

/* The end of the step becomes the start of the next one. */
void sb_observe_accept(const sb_model *m, sb_data *d, const sb_options *opt);

/* Extremes of the outputs: begin, take in outputs seen at t (`stride` apart), follow the step just observed. */
void sb_extremes_start(const sb_model *m, sb_data *d);
void sb_extremes_touch(const sb_model *m, sb_data *d, double t, const double *output, size_t stride);
sb_status sb_extremes_follow(const sb_model *m, sb_data *d, const sb_method *method);

/* The first event within the step just observed: shortens the step to it by real steps and marks d->fired.
 * *found tells whether there was one. */
sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found);

/* A new segment of the signals at t: prescribed motions and loads may jump and bring energy with them. */
void sb_pass_break(const sb_model *m, sb_data *d, double t);

/* Rates, hence the whole board, at t + theta h of the last step. */
sb_status sb_rates_within(const sb_model *m, sb_data *d, const sb_method *method, double theta);

#endif
