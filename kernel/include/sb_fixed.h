#ifndef SB_FIXED_H
#define SB_FIXED_H

#include <stdint.h>

#include "sb_data.h"

/* The fixed-step solver: bounded work per step, no search for events, nothing allocated. Time is a count of steps.
 *
 * The method to use is SB_RESOLVENT, see step.c. The others are the explicit methods of the literature, for comparison:
 * Euler, Heun, Bogacki-Shampine, Runge-Kutta 4, Dormand-Prince (ode1 to ode5), semi-implicit Euler, and Euler with
 * implicit bristles (mixed mode, A. Aberger, M. Otter 2002), see explicit.c. */
#define SB_FIXED_METHODS(X)              \
    X(SB_RESOLVENT, "resolvent")         \
    X(SB_ODE1, "ode1")                   \
    X(SB_ODE2, "ode2")                   \
    X(SB_ODE3, "ode3")                   \
    X(SB_ODE4, "ode4")                   \
    X(SB_ODE5, "ode5")                   \
    X(SB_SEMI_IMPLICIT, "semi-implicit") \
    X(SB_MIXED, "mixed")

typedef enum sb_fixed_method {
#define X(code, name) code,
    SB_FIXED_METHODS(X)
#undef X
        SB_N_FIXED_METHODS
} sb_fixed_method;

typedef struct sb_fixed_options {
    sb_fixed_method method;
    double h;         /* time of one task */
    int substeps;     /* equal steps within it */
    int hold_signals; /* multi-rate: signals of time and inputs once per task, the machine in every substep */
    int literal_sign; /* explicit methods: locking laws are curve * sign(slip), nothing sticks */
    int ledger;       /* 1: account for the energy */
    double bound;     /* of the error of a task by the largest speed, in sb_fixed_step_checked; 0: not asked for */
} sb_fixed_options;

/* What a run has needed. */
#define SB_FIXED_STATISTICS(X)                                                                              \
    X(tasks)                                                                                                \
    X(steps)                                                                                                \
    X(factorisations)                                                                                       \
    X(rounds)      /* solutions of the coupled friction elements, together */                               \
    X(most_rounds) /* and within one step */                                                                \
    X(capped)      /* steps whose friction elements were left before they agreed with each other */         \
    X(mode_changes)                                                                                         \
    X(impacts)   /* impulses of stops that were met, and of what blocks and was driven back */              \
    X(unsolved)  /* of them, those that were not found: the step has stopped what met, without a rebound */ \
    X(imprecise) /* steps whose error estimate was above the bound, see sb_fixed_options */

typedef struct sb_fixed_statistics {
#define X(name) int64_t name;
    SB_FIXED_STATISTICS(X)
#undef X
} sb_fixed_statistics;

/* Work space of SB_RESOLVENT beside sb_data, see sb_step.h. Friction elements are counted by k. */
#define SB_FIXED_DOUBLES(X)                                                                     \
    X(step_lu, m->n_lu) /* factors of the free motion */                                        \
    X(step_inv, SB_N_X(m))                                                                      \
    X(step_mass, m->n_lu)          /* Mass without locks */                                     \
    X(step_share, m->n_lu)         /* share of the step over which each slope acts */           \
    X(local_share, m->n_local)     /* the same of a local derivative, or 0: as its slot */      \
    X(local_used, m->n_local)      /* local derivatives of the factors */                       \
    X(change, SB_N_X(m))           /* of the unknowns within the step */                        \
    X(ledger_kept, SB_N_LEDGER(m)) /* before an impact */                                       \
    X(x_impact, m->n_v)            /* what an impact changes of the speeds */                   \
    X(x_task, SB_N_X(m))           /* unknowns at the start of the task */                      \
    X(x_start, SB_N_INPUT(m))      /* and of the step, behind them the sources */               \
    X(own_push, SB_N_X(m))         /* change by the torque of own_el */                         \
    X(prop_constant, m->n_v)                                                                    \
    X(spring_late, m->n_spring)   /* by which its torque grows with its slip within the step */ \
    X(spring_angle, m->n_spring)  /* of its free oscillation within a step */                   \
    X(spring_extra, m->n_spring)  /* numerical damper of stiff springs */                       \
    X(slip_start, SB_N_BRANCH(m)) /* slips at the start of the step */                          \
    X(slip0_end, SB_N_BRANCH(m))  /* what prescribed motions add to them at its end */          \
    X(motion_start, m->n_motion)  /* prescribed speeds at the start of the step */              \
    X(motion_begin, m->n_motion)  /* the same behind a change from outside */                   \
    X(motion_end, m->n_motion)    /* and at its end */                                          \
    X(motion_gain, m->n_motion)   /* what they gained in the step before */                     \
    X(vary_end, m->n_vary)        /* parameters that vary at the end of the last step */        \
    X(load_end, m->n_friction)    /* loads there */                                             \
    X(energy_before, SB_N_STORE(m))                                                             \
    X(z_try, m->n_z)                          /* states of the laws where they are met */       \
    X(z_from, m->n_z)                         /* and at the start, or behind a jump in it */    \
    X(answer, SB_RESPONSE_SIZE(m))            /* change of the unknowns by each torque */       \
    X(coupling, m->n_friction *SB_COUPLED(m)) /* change of the slips of its island */           \
    X(el_free, m->n_friction)                 /* slip at the end without any friction */        \
    X(el_yield, m->n_friction)                /* how it falls with its own torque */            \
    X(el_fall, m->n_friction)                 /* slope down to which its curve is followed */   \
    X(el_from, m->n_friction)                 /* slip at the start, or behind a jump */         \
    X(el_left, m->n_friction)                 /* share of the step from there */                \
    X(el_spent, m->n_friction)                /* torque before, its part of the mean */         \
    X(el_slip, m->n_friction)                                                                   \
    X(el_tau, m->n_friction + 1)  /* and 0 for none */                                          \
    X(el_share, m->n_friction)    /* of the step after which its slip is met */                 \
    X(el_bend, m->n_friction)     /* and its states */                                          \
    X(el_recoil, m->n_friction)   /* relaxation of its states by its slip */                    \
    X(el_before, m->n_friction)   /* slip at the start of the step before */                    \
    X(el_held, m->n_friction)     /* slip of its Stribeck curve */                              \
    X(el_foreseen, m->n_friction) /* slip that it would have at mid-step */                     \
    X(el_param, m->n_fr_param)    /* parameters of the laws in this step */                     \
    X(el_load, 2 * m->n_friction)                                                               \
    X(el_target, m->n_friction) /* slip of a lock that holds, */                                \
    X(el_low, m->n_friction)    /* torques within which it does, */                             \
    X(el_high, m->n_friction)                                                                   \
    X(el_limit, m->n_friction) /* static friction, the beginning of the curve and */            \
    X(el_begin, m->n_friction) /* the window, per unit load, of a lock */                       \
    X(el_keep, m->n_friction)  /* share of its slip that a hybrid one keeps in a step, */       \
    X(el_kept, m->n_friction)  /* beside others in this one, */                                 \
    X(el_fast, m->n_friction)  /* and the slip above which it may be caught again */            \
    X(el_window, m->n_friction)                                                                 \
    X(el_least, m->n_friction)   /* slip of a lock that is none */                              \
    X(el_cut, 2 * m->n_friction) /* torque when it slides, forward and back, at slip 0 */       \
    X(loss_before, m->n_loss)    /* of a gear, in the step before */                            \
    X(el_rise, 2 * m->n_friction)

/* The same in whole numbers. */
#define SB_FIXED_INTS(X)                                                                                             \
    X(el_kind, m->n_friction)                                                                                        \
    X(el_side, m->n_friction)     /* of a lock: 0 held, else where it slides to; of a curve: sign of its friction */ \
    X(el_released, m->n_friction) /* it has broken away in this step */                                              \
    X(el_caught, m->n_friction)   /* a hybrid contact that is caught in its window in this step */                   \
    X(el_stops, m->n_friction)    /* a lock that comes to rest in this step while others break away */               \
    X(el_goes, m->n_friction)     /* where a lock goes that breaks away then, or 0 */                                \
    X(el_turned, m->n_friction)   /* of a curve: its slip turns round in this step */                                \
    X(el_jumps, m->n_friction)    /* jumps of its law in this step */                                                \
    X(loss_mode, m->n_loss)       /* modes of the gears with losses before it */                                     \
    X(branch_kept, m->n_signal)   /* of signals, before they are crossed */

/* What follows from the structure, and lanes share. */
#define SB_FIXED_LISTS(X)                                                                       \
    X(el_alone, m->n_friction) /* it is alone in its island */                                  \
    X(el_facts, m->n_friction) /* what never changes of it, see sb_step.h */                    \
    X(island_of, m->n_friction)                                                                 \
    X(island_ptr, m->n_friction + 1) /* elements of each island */                              \
    X(island_el, m->n_friction)                                                                 \
    X(shared, m->n_friction)      /* islands with several */                                    \
    X(row_ptr, m->n_friction + 1) /* unknowns of each island */                                 \
    X(row_speeds, m->n_friction)  /* end of the speeds among them */                            \
    X(row, SB_N_X(m))                                                                           \
    X(root, SB_N_X(m))                                                                          \
    X(own_el, SB_N_X(m)) /* element that is alone in the island of an unknown, or n_friction */ \
    X(row_next, SB_N_X(m))

/* Sparse matrices of short rows: rows, entries, and entries of the longest row. */
#define SB_FIXED_SLICES(X)                                                              \
    X(prop, m->n_v, SB_PROPAGATED(m), SB_N_INPUT(m)) /* the free motion: propagate.c */ \
    X(way, m->n_q, m->n_g, m->n_v)                   /* positions by speeds */          \
    X(slips, m->n_friction, m->n_w, m->n_v)          /* slips of elements by unknowns */

/* They are taken SB_SLICE rows at a time. Entries of a slice alternate between its rows, of which the short ones are
 * filled up with zeros: a product has neither a loop nor a chain of additions for each row. Lanes are parallel enough:
 * there a slice is a row. */
enum { SB_SLICE_ALONE = 4, SB_SLICE = SB_LANES == 1 ? SB_SLICE_ALONE : 1 };
#define SB_N_SLICES(rows) (((rows) + SB_SLICE - 1) / SB_SLICE)

typedef struct sb_slices {
    int *end;     /* of the entries of each slice */
    int *row;     /* rows of the slices */
    int *col;     /* of the entries */
    sb_real *val; /* likewise */
    int n;        /* rows */
} sb_slices;

/* What a free motion starts from: unknowns and sources. */
#define SB_N_INPUT(m) (SB_N_X(m) + (m)->n_source)

/* Numbers up to which its matrix is worth it. */
#define SB_PROPAGATED(m) (3 * (m)->n_lu)

/* Islands with more elements than SB_MOST_COUPLED are solved by the sparse matrix instead of dense ones; so are
 * machines whose answers would take more than SB_MOST_RESPONSE numbers. */
enum { SB_MOST_COUPLED = 24, SB_MOST_RESPONSE = 1000000 };
#define SB_COUPLED(m) ((m)->n_friction < SB_MOST_COUPLED ? (m)->n_friction : SB_MOST_COUPLED)
#define SB_RESPONSE_SIZE(m) ((m)->n_friction * SB_N_X(m) <= SB_MOST_RESPONSE ? (m)->n_friction * SB_N_X(m) : 0)

typedef struct sb_fixed {
    sb_fixed_options opt;
    double h; /* of one step */
    double t0;
    int64_t count; /* tasks done: the time is t0 + count * opt.h */
    int inner;     /* number of the step within its task */
    int stale;     /* inputs have changed since the signals were looked at */
    int courses;   /* positions are set from outside */
    int n_island;
    int n_shared;         /* islands with several elements */
    int stops;            /* that can be met */
    int decays;           /* slips of hybrid contacts do */
    int sparse;           /* friction elements are solved by the sparse matrix */
    int factored;         /* the factors are there */
    int varies;           /* and change with the state */
    int plain;            /* the free motion is that matrix */
    int hidden;           /* the board does not show the last step yet */
    double fastest;       /* speed of checked tasks, */
    double largest_error; /* and the largest of their errors by that */
    sb_fixed_statistics stats;
    sb_flag absent;    /* lanes without a machine */
    sb_real *el_start; /* slips of the elements at the start of the step: in slip_start */
#define X(name, length) sb_real *name;
    SB_FIXED_DOUBLES(X)
#undef X
#define X(name, length) sb_count *name;
    SB_FIXED_INTS(X)
#undef X
#define X(name, length) int *name;
    SB_FIXED_LISTS(X)
#undef X
#define X(name, rows, entries, longest) sb_slices name;
    SB_FIXED_SLICES(X)
#undef X
} sb_fixed;

const char *sb_fixed_method_name(int method); /* or NULL past the last */

/* Bytes of the block behind sb_fixed, and the pointers into it (the block is cleared). */
SB_HOT size_t sb_fixed_size(const sb_model *m);
SB_HOT void sb_fixed_bind(const sb_model *m, sb_fixed *f, void *block);

/* The pointers alone. */
SB_HOT void sb_fixed_place(const sb_model *m, sb_fixed *f, void *block);

/* The machine at t0 with y0 (n_y states). */
sb_status sb_fixed_start(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t0,
                         const double *y0);

/* The same from where another run has ended, at t: its fields are in d (sb_data_fields). */
sb_status sb_fixed_review(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t);

/* What a task starts from beside them: with the model and the options of the run that they come from, and after `count`
 * tasks since t0, it goes on as if it had not been interrupted, to the last bit. In this order: the fields of d,
 * sb_fixed_resume, the fields of d and of sb_fixed_fields, sb_fixed_resumed. */
#define SB_FIXED_EVOLVING(X)                                                      \
    X(f, change, SB_N_X(m))          /* of the unknowns within the step before */ \
    X(f, slip_start, SB_N_BRANCH(m)) /* slips at the start of the step */         \
    X(f, motion_start, m->n_motion)  /* prescribed speeds there */                \
    X(f, motion_begin, m->n_motion)  /* the same behind a change from outside */  \
    X(f, motion_gain, m->n_motion)   /* what they gained in the step before */    \
    X(f, vary_end, m->n_vary)        /* varying parameters at its end */          \
    X(f, load_end, m->n_friction)    /* and loads */                              \
    X(f, el_tau, m->n_friction)      /* torques in it */                          \
    X(f, el_before, m->n_friction)   /* slips at its start */                     \
    X(f, loss_before, m->n_loss)     /* torques of gears */                       \
    X(d, tau, SB_N_BRANCH(m))        /* what the board shows of it */             \
    X(d, rate, SB_N_X(m))                                                         \
    X(d, share_reach, m->n_lock) /* weights of contacts that share an impact, with d->group */

size_t sb_fixed_fields(const sb_model *m, sb_data *d, sb_fixed *f, sb_field *fields);
sb_status sb_fixed_resume(const sb_model *m, sb_data *d, sb_fixed *f, const sb_fixed_options *opt, double t0,
                          int64_t count);
void sb_fixed_resumed(const sb_model *m, sb_data *d);

/* One task of opt.h. After a failure the state is that before the task; d->culprit is the unknown that caused it. */
sb_status sb_fixed_step(const sb_model *m, sb_data *d, sb_fixed *f);

/* The same with an estimate of its error, the largest difference to the speeds of a twin that makes twice as many
 * steps, by the largest speed so far: tasks with more than opt.bound are counted. The twin is started as the machine
 * is, with the options of sb_twin_options, and follows it from then on. */
void sb_twin_options(const sb_fixed_options *opt, sb_fixed_options *half);
sb_status sb_fixed_step_checked(const sb_model *m, sb_data *d, sb_fixed *f, sb_data *twin, sb_fixed *half);

double sb_fixed_time(const sb_fixed *f);

/* The board at the present time, complete for sb_outputs: torques and accelerations are those of the last step. */
void sb_fixed_board(const sb_model *m, sb_data *d, sb_fixed *f);

/* Everything that a run depends on, as one block of memory without pointers. */
size_t sb_fixed_snapshot_size(const sb_model *m);
void sb_fixed_save(const sb_model *m, const sb_data *d, const sb_fixed *f, void *snapshot);
void sb_fixed_restore(const sb_model *m, sb_data *d, sb_fixed *f, const void *snapshot);

#if SB_LANES == 1

/* Single outputs without the cost of all of them, for tasks that read a few. */
typedef struct sb_pick {
    int array; /* of the board */
    int row;   /* in it */
    int fresh; /* 1: it is there after every step; 0: after sb_fixed_board */
    int alone; /* 0: it needs other outputs; read it after sb_outputs */
    double scale;
} sb_pick;

sb_pick sb_pick_output(const sb_model *m, int output);

/* The address of a fresh one in memory, before its scale; or NULL. */
const double *sb_pick_place(const sb_model *m, const sb_data *d, const sb_pick *pick);

/* The value of a single one at the state x and its rates, to the last bit as sb_outputs gives it. */
double sb_pick_read(const sb_model *m, const sb_data *d, const double *x, const double *rate, const sb_pick *pick);

#endif

#endif
