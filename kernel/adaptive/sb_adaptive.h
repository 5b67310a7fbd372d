#ifndef SB_ADAPTIVE_H
#define SB_ADAPTIVE_H

#include "sb_kernel.h"

/* The internal header of adaptive/: methods, observation of a step, events.
 *
 * What a one-step method owes the driver:
 * 1. prepare: once per new (d->t, d->x): whatever does not depend on the step size.
 * 2. step: from (d->t, d->x) over h to d->x_new with the error estimate d->error; may be repeated with other h.
 *    On entry d->force_start and d->rate_start hold F and x' at (d->t, d->x).
 * 3. dense: the solution at t + theta h of the last step, theta in [0, 1].
 * 4. stretch: the dense output of the last step goes on to factor * h, factor near 1, in these lanes; the driver then
 *    moves d->x_new.
 * 5. rate_at_end: 1 if step leaves x' at its end in d->rate_new and the board evaluated there.
 * 6. gradients: 1 if prepare leaves the gradients of signals at (d->t, d->x). */
typedef struct sb_method {
    const char *name;
    int order; /* of the solution; the error estimate is of order - 1 */
    int rate_at_end, gradients;
    void (*prepare)(const sb_model *m, sb_data *d);
    sb_flag (*step)(const sb_model *m, sb_data *d, sb_real h); /* whether it has failed */
    void (*dense)(const sb_model *m, const sb_data *d, sb_real theta, sb_real *x);
    void (*stretch)(const sb_model *m, sb_data *d, sb_flag which, sb_real factor);
} sb_method;

/* Estimate of the largest |eigenvalue| of the machine at the point of d->jac. */
SB_HOT sb_real sb_fastest_rate(const sb_model *m, sb_data *d);

/* Nodes and coefficients of Dormand and Prince; the last row are the weights of the solution. */
enum { SB_DOPRI5_STAGES = 7 };
extern const double sb_dopri5_node[SB_DOPRI5_STAGES];
extern const double sb_dopri5_a[SB_DOPRI5_STAGES][SB_DOPRI5_STAGES - 1];

SB_HOT_DATA const sb_method sb_rodas5p;
extern const sb_method sb_dopri5;

/* Error of the step just made over what is allowed, infinite if it is not a number; the unknown in d->worst. */
SB_HOT sb_real sb_step_error(const sb_model *m, sb_data *d, double tolerance);

/* Its fifth root, for the size of the next step. */
SB_HOT sb_real sb_error_root(sb_real error);

/* The size of the next step from drv->h: not beyond the next break, nor too long for what runs away at a rate; or why
 * there is none. After it, whether its error lets it count (else it is to be repeated), and drv->h for the next;
 * root: sb_error_root; share: that of the step before a peak of friction that it has jumped over, or 1. */
sb_status sb_plan_step(const sb_model *m, sb_data *d, const sb_options *opt, const sb_driver *drv, double runaway,
                       double *size);
int sb_judge_step(sb_data *d, sb_driver *drv, double h, double error, double root, double share);

/* A run goes on from a step of Rodas5P that others have made and observed, up to the event in it, if there is one:
 * SB_PAUSED, or as sb_run. Outputs and work of the step, its dense output and its Jacobian are in d, the board is at its
 * end, d->fired is marked. Ready: d->x_peak has seen the end, stuck contacts have their slips in it. */
typedef struct sb_ending {
    int event, ready;
} sb_ending;
sb_status sb_run_on(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec,
                    sb_ending how);

/* Outputs on the grid up to t_new, within the last step. */
sb_status sb_write_grid(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method, sb_record *rec,
                        double t_new);

/* The same for what shows other places of the step, too: the places of the next points up to t_new, at most so many;
 * their outputs from those of the viewer, where they are the n from the first on; and that n points are written. */
int sb_next_points(const sb_data *d, const sb_record *rec, double t_new, int most, double *theta);
void sb_copy_points(const sb_model *m, const sb_record *rec, int first, int n);
void sb_points_written(const sb_model *m, sb_data *d, sb_record *rec, int n);

/* Whether the equations in lanes know what the machine does now: not contacts that share a motion, slips that decay,
 * signals that slide along a jump. */
int sb_runs_in_lanes(const sb_model *m, const sb_data *d);
enum { SB_MOST_INSTANTS = 16 };

/* A step of d->h_step that counts: statistics; whether the method may change at all, whether the choice is due, and the
 * choice by the fastest rate of the machine. */
void sb_count_step(sb_data *d, const sb_driver *drv);
int sb_method_changes(const sb_model *m);
int sb_method_due(const sb_model *m, sb_driver *drv);
void sb_method_check(sb_driver *drv, double h, double rate);

/* Observation of a step at its Lobatto nodes 0, (1 -+ 1/sqrt 5)/2, 1: event functions, powers, outputs. */
#define SB_INNER_NODE 0.27639320225002103 /* (1 - 1/sqrt 5)/2 */
SB_HOT_DATA const double sb_node[SB_NODES];
SB_HOT_DATA const double sb_node_weight[SB_NODES]; /* of an integral over the step */

/* The work of a step so far, at its start; after sb_rates at a node, what is kept of it: outputs, work. */
SB_HOT void sb_begin_nodes(const sb_model *m, sb_data *d);
SB_HOT void sb_see_node(const sb_model *m, sb_data *d, int extremes, int ledger, int node, const sb_real *x,
                        const sb_real *rate);

/* Everything at (d->t, d->x) that the first step from there needs: node 0. After sb_update_modes, which leaves F and x'
 * on the board, and the event functions as they are in d->event_value. */
void sb_observe_start(const sb_model *m, sb_data *d, const sb_options *opt);

/* The same where F, x' and the event functions are known from the step that ended there; after sb_rates. */
void sb_observe_again(const sb_model *m, sb_data *d, const sb_options *opt);

/* Nodes 1 to 3 of the step just made, and before them the outputs on the grid up to t_grid; leaves F and x' of its end
 * in d->force_new and d->rate_new. */
sb_status sb_observe_step(const sb_model *m, sb_data *d, const sb_options *opt, const sb_method *method, sb_record *rec,
                          double t_grid);

/* The end of the step becomes the start of the next one. */
void sb_observe_accept(const sb_model *m, sb_data *d, const sb_options *opt);

/* A value of output i at t, where it counts. */
static inline void sb_extremes_record(sb_data *d, int i, sb_flag counts, sb_real t, sb_real value)
{
    const sb_flag above = sb_and(counts, value > d->ext_max[i]);
    const sb_flag below = sb_and(counts, value < d->ext_min[i]);
    if (sb_any(sb_or(above, below))) {
        d->ext_max[i] = sb_pick(above, value, d->ext_max[i]);
        d->ext_tmax[i] = sb_pick(above, t, d->ext_tmax[i]);
        d->ext_min[i] = sb_pick(below, value, d->ext_min[i]);
        d->ext_tmin[i] = sb_pick(below, t, d->ext_tmin[i]);
    }
}

/* Extremes of the outputs: begin, take in outputs seen at t (`stride` apart), follow the step just observed (viewer: or
 * NULL). */
void sb_extremes_start(const sb_model *m, sb_data *d);
void sb_extremes_touch(const sb_model *m, sb_data *d, double t, const double *output, size_t stride);
sb_status sb_extremes_follow(const sb_model *m, sb_data *d, const sb_method *method, sb_viewer *viewer);

/* All outputs at t + theta h of the last step. */
sb_status sb_outputs_within(const sb_model *m, sb_data *d, const sb_method *method, double theta, double *output);

/* Measures follow the step just observed. */
sb_status sb_measures_step(const sb_model *m, sb_data *d, const sb_method *method, const sb_measures *s);

/* Event functions that leave their bands within the step just observed fire at zero from now on. */
void sb_arm_guards(const sb_model *m, sb_data *d);

/* The search for the first event in the step just observed, after its guards are armed. It names what to evaluate next: the event functions at the
 * place `at` of the step, after a step of the size `at` from the same start, or after a trace of time `at` from where
 * the step ends now (from_start: it has been moved to its start). d->event_value, `gone` and d->h_step answer. With
 * nothing left to evaluate, `found` says whether there is an event; the step ends on it, and d->fired is marked. */
typedef enum sb_probe { SB_PROBE_NOTHING, SB_PROBE_WITHIN, SB_PROBE_STEP, SB_PROBE_TRACE } sb_probe;

typedef enum sb_search_stage {
    SB_SEARCH_LOWEST, /* a dip between the nodes: its lowest point, and around it */
    SB_SEARCH_LEFT,
    SB_SEARCH_MIDDLE,
    SB_SEARCH_RIGHT,
    SB_SEARCH_ABOVE_ZERO, /* a root on the dense output */
    SB_SEARCH_SECANT,
    SB_SEARCH_ROOT,
    SB_SEARCH_END /* the end of the step on it */
} sb_search_stage;

/* An event and its place in the step, with its slope by that. */
typedef struct sb_crossing {
    int event;
    double theta, slope;
} sb_crossing;

/* Where an event function has become negative: place and value, and the place before, where it was not. */
typedef struct sb_event_bracket {
    double low, g_low, high, g_high;
} sb_event_bracket;

typedef struct sb_location {
    sb_probe probe;
    double at;
    int from_start, gone, found;

    sb_search_stage stage;
    int event, guess; /* of the candidates; the first by their guesses */
    sb_crossing root, first;
    sb_event_bracket b;
    int round, side, guessed; /* guessed: d->event_theta is the root of the cubic in the bracket */
    double width, left, middle, zero;
    double old, g_old, keep_low, keep_high;
    int at_once, trusted;
    double h, h_old, h_full, least, low, high, slope;
} sb_location;

void sb_location_begin(const sb_model *m, sb_data *d, sb_location *s);
void sb_location_next(const sb_model *m, sb_data *d, sb_location *s);

/* The same for one machine: shortens the step by real steps. */
sb_status sb_locate_event(const sb_model *m, sb_data *d, const sb_method *method, int *found);

/* In some of the lanes: from the end of a step on (or back) by dh, so short that the rate hardly changes. `gone` says
 * where that was possible; elsewhere a real step is due. And: the end of the step is its start. */
SB_HOT sb_status sb_follow_trace(const sb_model *m, sb_data *d, const sb_method *method, sb_flag which, sb_real dh,
                                 sb_flag *gone);
SB_HOT void sb_end_at_start(const sb_model *m, sb_data *d, sb_flag which);

/* A new segment of the signals at t: prescribed motions and loads may jump and bring energy with them, which a ledger
 * follows. */
void sb_pass_break(const sb_model *m, sb_data *d, double t, int ledger);

/* Rates, hence the whole board, at t + theta h of the last step. */
SB_HOT sb_status sb_rates_within(const sb_model *m, sb_data *d, const sb_method *method, sb_real theta);

/* The cubic through the values of a quantity at the four nodes of a step: a cheap look between them. */

/* Its slope at the first of the nodes; backwards, with the other sign, at the last. */
static inline sb_real sb_cubic_slope(sb_real f0, sb_real f1, sb_real f2, sb_real f3)
{
    return -6.0 * f0 + 8.090169943749475 * f1 + -3.090169943749474 * f2 + f3;
}

/* +1 if it rises first and falls last, -1 for the reverse, 0 if it does not turn. */
int sb_cubic_turn(const double *f);

/* About where it goes from above zero to below between two places. */
double sb_cubic_root(const double *f, double low, double high);

/* Its interior maximum: place in (0, 1), or -1, and height. */
double sb_cubic_peak(const double *f, double *height);

/* Where the step from d->x to d->x_new jumps over the rise of friction towards slip 0, which none of its stages has seen
 * then: the share of it that ends before; else 1. */
SB_HOT sb_real sb_share_before_peak(const sb_model *m, const sb_data *d);

/* Fastest rate at which a sliding contact runs away along its falling curve; after sb_jacobian. */
SB_HOT sb_real sb_unstable_rate(const sb_model *m, const sb_data *d);

#endif
