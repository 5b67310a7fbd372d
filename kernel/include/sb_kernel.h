#ifndef SB_KERNEL_H
#define SB_KERNEL_H

#include "sb_data.h"
#include "sb_measure.h"

/* The doors of the kernel. The machine, for any integrator: */

/* Signals of the segment that starts at t: which branch each follows, where the next discontinuity is. */
void sb_begin_segment(const sb_model *m, sb_data *d, double t, const double *x);

/* Generalised forces F(t, x); holding torques are not part of it. */
SB_HOT void sb_forces(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *force);

/* x' = Mass^-1 F and the whole board: accelerations, torques, holding torques. */
SB_HOT sb_status sb_rates(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *rate);

/* The same where sb_jacobian may follow: one pass for both, on machines where that is possible. */
SB_HOT int sb_shares_pass(const sb_model *m);
SB_HOT sb_status sb_rates_before_jacobian(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, sb_real *rate);

/* Jacobian dF/dx into the matrix slots d->jac, and dF/dt into d->force_t. */
SB_HOT void sb_jacobian(const sb_model *m, sb_data *d, sb_real t, const sb_real *x);

/* Mass again where it depends on the state, at the point of the last sb_rates: gears whose efficiency depends on the
 * speed. */
sb_status sb_refresh_mass(const sb_model *m, sb_data *d);

/* Derivatives of x' from those of F, by what sb_jacobian was called for last; b and x may be the same array. */
void sb_solve_derivative(const sb_model *m, sb_data *d, const double *b, double *x);

/* What the prescribed motions add to slips, displacements and rates, from the signals and d->motion_offset. */
SB_HOT void sb_place_motions(const sb_model *m, sb_data *d);

/* Event functions after sb_rates: positive inside the present modes; an event is a downward crossing of zero. */
void sb_event_values(const sb_model *m, sb_data *d, const double *x, double *value);

/* The machine at its start, in d->x: signals, bristles that slide at their steady deflection, modes. */
sb_status sb_machine_start(const sb_model *m, sb_data *d, double t0, const double *y0);

/* What follows from the fields of d, for a machine that goes on where it was (`decided`: d->redundant belongs to the
 * modes, which fixed steps do not care for); review: with other values of the model, or at another time t of the clock,
 * and everything discrete is decided again. Both clear statistics and ledger. */
sb_status sb_machine_resume(const sb_model *m, sb_data *d, int decided);
sb_status sb_machine_review(const sb_model *m, sb_data *d, double t);

/* Everything that changes at the events d->fired at (t, x): branches of signals, discrete states of laws, modes of
 * contacts; speeds of captured contacts are projected. d->mode_old and d->shown_old keep the modes before. */
sb_status sb_update_modes(const sb_model *m, sb_data *d, double t, double *x);

/* Body speeds and accelerations, reactions of prescribed motions: the part of the board that only observers need;
 * after sb_rates, before sb_outputs and sb_power. */
SB_HOT void sb_complete_board(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate);

/* Jerks of the bodies after sb_rates at (t, x) and sb_complete_board, where they are shown. */
sb_status sb_jerk(const sb_model *m, sb_data *d, double t, const double *x, const double *rate);

/* Outputs after sb_rates and sb_complete_board, `stride` apart. */
SB_HOT void sb_outputs(const sb_model *m, sb_data *d, const sb_real *x, sb_real *output, size_t stride);
SB_HOT void sb_show_on_board(const sb_model *m, sb_data *d, const sb_real *x); /* all that outputs are taken from */

/* Stored energy of every branch and body at (t, x). */
void sb_energy(const sb_model *m, sb_data *d, double t, const double *x, double *energy);

/* Operations of signals by their numbers: the name ("CONSTANT", ..., NULL past the last), how many event functions it
 * has, whether it shows the past alone (then it does not depend on the present unknowns), and how many numbers it
 * remembers with these data. */
const char *sb_signal_name(int op);
int sb_signal_n_guard(int op);
int sb_signal_shows_past(int op);
int sb_signal_n_memory(int op, const double *data);

/* The adaptive solver. */

typedef enum { SB_AUTO, SB_RODAS5P, SB_DOPRI5 } sb_method_choice;

typedef struct sb_options {
    sb_method_choice method;
    double t_end;
    double tolerance;
    double first_step; /* 0: chosen */
    double max_step;
    int ledger;   /* 1: integrate the energy terms */
    int extremes; /* 1: follow the extremes of every output between the grid points */
} sb_options;

/* A mode change, of a lock or behind those of a law that has modes; a time event is recorded as lock SB_NO_LOCK. */
typedef struct sb_mode_change {
    double time;
    int lock, from, to;
} sb_mode_change;

enum { SB_NO_LOCK = -1 };

/* Shows several instants of one run at once (n of them, at most `lanes`). show: outputs at times t with the unknowns x,
 * n_x for each. show_step: the same at places theta of the step that Rodas5P has just made; nodes: the first of them are
 * its nodes 1 to 3, and powers go into `power`. Outputs go into rows that are `stride` apart, each with room for `lanes`
 * numbers: those behind the n-th are not defined. `stale`: what has changed since it was asked last. */
enum { SB_OTHER_STATE = 1, SB_OTHER_VALUES };
typedef struct sb_viewer {
    void *view;
    int lanes, stale;
    double *t, *theta, *x;  /* room for all lanes; a row of states for each instant, */
    double *output, *power; /* a row of instants for each output and term of the ledger */
    int extremes;           /* whether to fill: */
    int *beyond;            /* of each output: whether it is beyond its extremes so far at one of the instants */
    void (*show)(struct sb_viewer *v, const sb_model *m, const sb_data *d, int n, double *output, size_t stride);
    void (*show_step)(struct sb_viewer *v, const sb_model *m, const sb_data *d, int n, int nodes, double *output,
                      size_t stride);
} sb_viewer;

/* Where a run writes: outputs on a grid (column per output), mode changes and time events. */
typedef struct sb_record {
    const double *grid;
    size_t n_grid, next;
    double *data; /* data[i * n_grid + k]: output i at grid[k] */
    sb_mode_change *changes;
    size_t n_changes, max_changes;
    sb_viewer *viewer;     /* or NULL */
    sb_measures *measures; /* or NULL; those of outputs but the last value need opt.extremes, of losses opt.ledger */
    int in_lanes;          /* mostly the next step is made elsewhere: prepare when it turns out not to be */
} sb_record;

/* Memory of the driver between calls of sb_run, of which another run can go on. */
#define SB_DRIVER_NUMBERS(X)                   \
    X(h)         /* next step to try */        \
    X(h_last)    /* last accepted step */      \
    X(root_last) /* fifth root of its error */ \
    X(crowd_start)                             \
    X(span) /* length of the run in which it began: what a crowd of events is measured by */

#define SB_DRIVER_COUNTS(X)                                                  \
    X(method) /* sb_method_choice: the one at work */                        \
    X(after_reject)                                                          \
    X(since_check) /* this and the next: evidence for changing the method */ \
    X(smooth_checks)                                                         \
    X(smooth_needed) /* 0: nothing is known, as before the first step */     \
    X(stiff_steps)                                                           \
    X(calm_steps)                                                            \
    X(stalled_events)                                                        \
    X(crowd) /* events since crowd_start */

typedef struct sb_driver {
#define X(name) double name;
    SB_DRIVER_NUMBERS(X)
#undef X
#define X(name) int name;
    SB_DRIVER_COUNTS(X)
#undef X
    int settled;    /* the machine is complete at d->t: a run can go on from there */
    int overflows;  /* the last step that was tried has not given numbers */
    int unprepared; /* the method has not been prepared for the next step */
} sb_driver;

size_t sb_driver_fields(sb_driver *drv, sb_field *fields);

/* From t0 and y0 (n_y states) to the first step. */
sb_status sb_start(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, double t0,
                   const double *y0);

/* The same from where another run has ended: the fields of d and drv are those of its end (sb_data_fields,
 * sb_driver_fields). `same`: the model is the one of that run and t its end; then the run goes on as if it had not been
 * interrupted, to the last bit. Else what is discrete is decided again at t, as at an event: the model may have other
 * values (though the same sizes and integers), and the clock another time. */
sb_status sb_resume(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, double t,
                    int same);

/* Runs on until t_end (SB_OK), at most max_steps steps (SB_PAUSED) or a failure; can be called again after SB_PAUSED.
 */
sb_status sb_run(const sb_model *m, sb_data *d, const sb_options *opt, sb_driver *drv, sb_record *rec, long max_steps);

#endif
