#ifndef SB_LANES_H
#define SB_LANES_H

#include <stddef.h>

/* The internal header of lanes/: between the equations in lanes (wide.c, compiled for each set of instructions) and
 * the driver of the single machines (group.c). Either sees its own sb_model and sb_data; what passes between them are
 * doubles, lane by lane, and the arrays of both, in the order of the lists below. */

enum { SB_MOST_LANES = 8 };

/* What passes between a machine and its lane is listed in parts, of which those are passed that the other side does not
 * have and will look at. */
enum {
    SB_PART_STATE = 1,     /* always */
    SB_PART_START = 2,     /* what a step starts from */
    SB_PART_STEP = 4,      /* its end */
    SB_PART_DENSE = 8,     /* and the way there */
    SB_PART_METHOD = 16,   /* what the choice of the method looks at */
    SB_PART_SEEN = 32,     /* outputs at the nodes of the step, extremes */
    SB_PART_LEDGER = 64,   /* powers and work */
    SB_PART_SEGMENT = 128, /* signals and parameters, which stay the same within a segment or go on from themselves */
    SB_PART_GRADIENTS = 256,
    SB_PART_MOTIONS = 512, /* what prescribed motions have placed on the board */
    SB_PART_MASS = 1024
};

/* Arrays of sb_data that lanes start from after an instant. */
#define SB_LANE_START(X)                           \
    X(x, SB_N_X(m), SB_PART_STATE)                 \
    X(x_peak, SB_N_X(m), SB_PART_STATE)            \
    X(force_start, SB_N_X(m), SB_PART_STATE)       \
    X(rate_start, SB_N_X(m), SB_PART_STATE)        \
    X(lambda, m->n_lock, SB_PART_STATE)            \
    X(hold, m->n_lock, SB_PART_STATE)              \
    X(slip_kept, m->n_lock, SB_PART_STATE)         \
    X(compliance, m->n_friction, SB_PART_STATE)    \
    X(node_output, m->n_output, SB_PART_SEEN)      \
    X(ext_min, m->n_output, SB_PART_SEEN)          \
    X(ext_tmin, m->n_output, SB_PART_SEEN)         \
    X(ext_max, m->n_output, SB_PART_SEEN)          \
    X(ext_tmax, m->n_output, SB_PART_SEEN)         \
    X(power_start, SB_N_LEDGER(m), SB_PART_LEDGER) \
    X(ledger, SB_N_LEDGER(m), SB_PART_LEDGER)      \
    X(jet, SB_JET * m->n_signal, SB_PART_SEGMENT)  \
    X(local, m->n_local, SB_PART_SEGMENT)          \
    X(param, m->n_fr_param, SB_PART_SEGMENT)       \
    SB_LANE_PLACES(X)                              \
    X(mass, m->n_lu, SB_PART_MASS)

#define SB_LANE_MODES(X)                  \
    X(mode, m->n_lock, SB_PART_STATE)     \
    X(phase, m->n_lock, SB_PART_STATE)    \
    X(locked, m->n_lock, SB_PART_STATE)   \
    X(side, m->n_friction, SB_PART_STATE) \
    X(open, m->n_friction, SB_PART_STATE) \
    X(signal_branch, m->n_signal, SB_PART_SEGMENT)

/* And those that they leave for one: the state at the start of a step; the step that they have made and observed, with
 * the board at its end. Of the jets, those of signals that change. */
#define SB_LANE_END(X)                                   \
    X(x, SB_N_X(m), SB_PART_STATE)                       \
    X(x_peak, SB_N_X(m), SB_PART_STATE)                  \
    X(force_start, SB_N_X(m), SB_PART_START)             \
    X(rate_start, SB_N_X(m), SB_PART_START)              \
    X(x_new, SB_PADDED(SB_N_X(m)), SB_PART_STEP)         \
    X(rate_new, SB_N_X(m), SB_PART_STEP)                 \
    X(force_new, SB_N_X(m), SB_PART_STEP)                \
    X(slip, SB_N_BRANCH(m), SB_PART_STEP)                \
    X(disp, m->n_spring, SB_PART_STEP)                   \
    X(tau, SB_N_BRANCH(m), SB_PART_STEP)                 \
    X(accel, m->n_friction, SB_PART_STEP)                \
    X(lambda, m->n_lock, SB_PART_STEP)                   \
    X(hold, m->n_lock, SB_PART_STEP)                     \
    X(lock_state, m->n_z, SB_PART_STEP)                  \
    X(dense, 3 * SB_PADDED(SB_N_X(m)), SB_PART_DENSE)    \
    X(jac, m->n_lu, SB_PART_METHOD)                      \
    X(node_output, SB_NODES * m->n_output, SB_PART_SEEN) \
    X(ext_min, m->n_output, SB_PART_SEEN)                \
    X(ext_tmin, m->n_output, SB_PART_SEEN)               \
    X(ext_max, m->n_output, SB_PART_SEEN)                \
    X(ext_tmax, m->n_output, SB_PART_SEEN)               \
    X(power_start, SB_N_LEDGER(m), SB_PART_LEDGER)       \
    X(ledger, SB_N_LEDGER(m), SB_PART_LEDGER)            \
    X(power_new, SB_N_LEDGER(m), SB_PART_LEDGER)         \
    X(work_step, SB_N_LEDGER(m), SB_PART_LEDGER)         \
    X(local, m->n_local, SB_PART_GRADIENTS)              \
    SB_LANE_PLACES(X)

#define SB_LANE_PLACES(X)                              \
    X(motion_w, m->n_motion, SB_PART_MOTIONS)          \
    X(motion_offset, 3 * m->n_motion, SB_PART_MOTIONS) \
    X(torque_offset, m->n_source, SB_PART_MOTIONS)     \
    X(slip0, SB_N_BRANCH(m), SB_PART_MOTIONS)          \
    X(slip_t, SB_N_BRANCH(m), SB_PART_MOTIONS)         \
    X(slip_tt, SB_N_BRANCH(m), SB_PART_MOTIONS)        \
    X(disp0, m->n_spring, SB_PART_MOTIONS)             \
    X(disp_t, m->n_spring, SB_PART_MOTIONS)            \
    X(rate0, m->n_q, SB_PART_MOTIONS)                  \
    X(rate_t, m->n_q, SB_PART_MOTIONS)                 \
    X(body_w0, m->n_body, SB_PART_MOTIONS)             \
    X(body_a0, m->n_body, SB_PART_MOTIONS)             \
    X(position0, m->n_position, SB_PART_MOTIONS)       \
    X(speed0, m->n_speed, SB_PART_MOTIONS)             \
    X(inertia0, m->n_v, SB_PART_MOTIONS)               \
    X(inertia_t, m->n_v, SB_PART_MOTIONS)

/* The board as event functions look at it. */
#define SB_LANE_BOARD(X)         \
    X(slip, SB_N_BRANCH(m))      \
    X(tau, SB_N_BRANCH(m))       \
    X(jet, SB_JET * m->n_signal) \
    X(accel, m->n_friction)      \
    X(lambda, m->n_lock)         \
    X(hold, m->n_lock)           \
    X(lock_state, m->n_z)

enum { SB_MOST_ARRAYS = 512 };

/* What the equations ask single machines for: the machine in a lane (its sb_model and sb_data), and the event functions
 * of lanes at a node of the step, or at a point of a search. Those of contacts that stick by a switch are made, `stride`
 * apart. Where there are others, `events` is called for one lane after the other, with the arrays of SB_LANE_BOARD and
 * the unknowns; where there are none, `margins` for all that count. */
enum { SB_POINT_OF_SEARCH = -1 };
typedef struct sb_machine {
    const void *model, *data;
} sb_machine;

typedef struct sb_bridge {
    void *owner;
    sb_machine (*machine)(void *owner, int lane);
    void (*margins)(void *owner, const int *lanes, int node, const double *made, int stride);
    void (*events)(void *owner, int lane, int node, double t, const double *made, int stride,
                   const double *const *board, const double *x);
} sb_bridge;

/* What is not written for lanes (machines.c): a signal from the jets of its operands, its jet and, if wanted, its partial
 * derivatives; functions of the law of a contact, jac may be NULL. */
enum { SB_MOST_OPERANDS = 64, SB_MOST_LAW_PARAMETERS = 512 };
void sb_lane_signal(const sb_bridge *b, int lane, int node, double t, int order, const double *operands, double *jet,
                    double *part);
void sb_lane_flow(const sb_bridge *b, int lane, int friction, const double *param, double v, const double *z,
                  double *out, double *jac);
double sb_lane_storage(const sb_bridge *b, int lane, int friction, const double *param, const double *z, double *grad);
double sb_lane_breakaway(const sb_bridge *b, int lane, int friction, const double *param, const double *z);

/* What a step is observed for. */
typedef struct sb_watched {
    int events, ledger, extremes;
    int n_sums;
    const int *sum_output, *sum_square; /* outputs whose integral, or that of their square, is wanted */
    int n_levels;
    const int *level_output; /* outputs that may cross a level */
    const double *level;
} sb_watched;

/* A step that Rodas5P has made. */
typedef struct sb_step_shown {
    double t, h;
    const double *x, *x_new, *dense;
} sb_step_shown;

/* Instants of one machine that are shown: how many, and where to. beyond: NULL, or which outputs are beyond the extremes
 * so far at one of them. */
typedef struct sb_shown {
    int n;
    double *output; /* a row of W numbers for each output, */
    size_t stride;  /* so far apart */
    const double *ext_min, *ext_max;
    int *beyond;
} sb_shown;

/* --- plants at fixed steps --- */

/* Arrays of sb_data and sb_fixed that a task changes; those that it starts from beside them, and beside all doubles of
 * sb_fixed. */
#define SB_PLANT_STATE(X)            \
    X(d, x, SB_N_X(m))               \
    X(d, slip, SB_N_BRANCH(m))       \
    X(d, tau, SB_N_BRANCH(m))        \
    X(d, rate, SB_N_X(m))            \
    X(d, jet, SB_JET * m->n_signal)  \
    X(d, local, m->n_local)          \
    X(f, change, SB_N_X(m))          \
    X(f, x_start, SB_N_INPUT(m))     \
    X(f, slip_start, SB_N_BRANCH(m)) \
    X(f, slip0_end, SB_N_BRANCH(m))  \
    X(f, motion_start, m->n_motion)  \
    X(f, motion_begin, m->n_motion)  \
    X(f, motion_end, m->n_motion)    \
    X(f, motion_gain, m->n_motion)   \
    X(f, el_before, m->n_friction)   \
    X(f, el_tau, m->n_friction)

#define SB_PLANT_START(X)                \
    X(d, param, m->n_fr_param)           \
    X(d, v_inertia, m->n_v)              \
    X(d, motion_w, m->n_motion)          \
    X(d, motion_offset, 3 * m->n_motion) \
    X(d, torque_offset, m->n_source)     \
    X(d, slip0, SB_N_BRANCH(m))          \
    X(d, disp0, m->n_spring)             \
    X(d, rate0, m->n_q)                  \
    X(d, body_w0, m->n_body)             \
    X(d, body_a0, m->n_body)             \
    X(d, position0, m->n_position)       \
    X(d, speed0, m->n_speed)             \
    X(d, inertia0, m->n_v)

#define SB_PLANT_MODES(X)     \
    X(d, mode, m->n_lock)     \
    X(d, mode_old, m->n_lock) \
    X(d, side, m->n_friction) \
    X(d, open, m->n_friction)

/* What begins with a segment between breaks of signals. */
#define SB_PLANT_SEGMENT(X)      \
    X(jet, SB_JET * m->n_signal) \
    X(local, m->n_local)         \
    X(line_start, m->n_signal)   \
    X(line_slope, m->n_signal)

typedef struct sb_segment_of_lane {
    const double *numbers[4];
    double t_segment, t_break;
    const int *branch, *on, *line; /* of the signals */
} sb_segment_of_lane;

typedef struct sb_plant_in_lane {
    const double *numbers[160];
    const int *counts[4];
    double count, t0, t; /* tasks done, start, time */
    sb_segment_of_lane segment;
} sb_plant_in_lane;

/* What plants in lanes have in common: numbers, lists and sparse patterns of sb_fixed. */
typedef struct sb_slice_lists {
    int n;
    const int *end, *row, *col;
} sb_slice_lists;

typedef struct sb_plant_shape {
    double h, task; /* of a step and of a task */
    int n_island, plain, varies;
    const int *lists[16];
    sb_slice_lists slices[4];
} sb_plant_shape;

/* What an attempt at a task of all lanes has come to: some of them have to make it alone, from the state that undo brings
 * back, and then it is to be accepted; or it has been accepted, and a break of a signal is next, or none. */
enum { SB_TASK_ALONE, SB_TASK_BREAKS, SB_TASK_DONE };

/* Where outputs are after every task: place = 4 * number + list. */
enum { SB_PLACE_X, SB_PLACE_TAU, SB_PLACE_SLIP, SB_PLACE_LISTS = 4 };

/* A task of all lanes: first which of them meet a break of a signal, for whom a segment begins; then the attempt. */
typedef struct sb_wide_plants {
    size_t (*size)(const int *sizes);
    void (*begin)(void *wide, const int *sizes, const void *const *arrays, const int *law, const int (*shape)[3],
                  const sb_bridge *bridge);
    int (*shape)(void *wide, const sb_plant_shape *shape);
    void (*segment)(void *wide, int lane, const sb_segment_of_lane *from);
    void (*push)(void *wide, int lane, const sb_plant_in_lane *from);
    void (*activate)(void *wide, const int *lanes, int n, const int *nodes, const int *curves);
    void (*undo)(void *wide, int lane);
    void (*pull)(void *wide, int lane, double *const *numbers, int *const *counts, int *hidden);
    void (*unknowns)(void *wide, int lane, double *x);
    int (*breaks)(void *wide, int *breaks);
    int (*attempt)(void *wide, int *alone);
    int (*accept)(void *wide); /* whether a break is next */
    void (*outputs)(void *wide, int n, const int *numbers, double *out, int stride, int n_lanes);
    void (*places)(void *wide, int n, const int *numbers, const int *places, double *out, int stride, int n_lanes);
} sb_wide_plants;

/* The equations in lanes, for one set of instructions. Machines are of one structure: sizes in the order of
 * SB_MODEL_SIZES, arrays in the order of SB_MODEL_ARRAYS. */
typedef struct sb_wide {
    const char *instructions;
    int lanes;
    int (*runs)(void); /* on this processor */

    /* Bytes of the memory, aligned as it says; the memory made ready. law: numbers in the table sb_laws, or -1; n_state,
     * n_moving, locking of each law. */
    size_t (*size)(const int *sizes);
    void (*begin)(void *wide, const int *sizes, const void *const *arrays, const int *law, const int (*shape)[3],
                  const sb_bridge *bridge);

    /* One lane, or all at once (-1): the values of its machine; parts of its state after an instant, and for one.
     * numbers: {t, mass is diagonal}. After all that is pushed, active: which signals change, of all lanes. */
    void (*load)(void *wide, int lane, const void *const *arrays);
    void (*push)(void *wide, int lane, int parts, const double *const *start, const int *const *modes,
                 const double *numbers);
    void (*pull)(void *wide, int lane, int parts, double *const *end, double *jet);
    void (*step_of)(void *wide, int lane, double *x, double *x_new, double *dense);
    void (*activate)(void *wide, int n, const int *nodes, int n_stuck);

    /* All lanes: the Jacobian at (t, x), and the rate of what runs away; the estimate of the fastest rate with it; a
     * step, its error (infinite if it failed) and the root of that, the share before a peak of friction. */
    void (*prepare)(void *wide, double *runaway);
    void (*fastest)(void *wide, double *rate);
    void (*step)(void *wide, const double *h, double tolerance, double *error, double *root, double *share);

    /* Event functions of some lanes, for the search in the step just made: at places of it; after steps of size h
     * (which may fail); after traces of time dh, where that is possible. The end of the step becomes its start. */
    void (*within)(void *wide, const int *lanes, const double *theta);
    void (*end_at)(void *wide, const int *lanes, const double *h, int *failed);
    void (*follow_trace)(void *wide, const int *lanes, const double *dh, int *gone);
    void (*end_at_start)(void *wide, const int *lanes);

    /* The board at the end of the step; after it, the end as a single machine goes on from it (sb_ending). */
    void (*see_end)(void *wide);
    void (*make_ready)(void *wide, const int *lanes);

    /* The nodes of the step just made. Outputs at places of the step, lanes x outputs; at times t they count among the
     * extremes, if these are watched; then flags: lanes in which an extreme or a level may be met, and sums: n_sums x
     * lanes. */
    void (*observe)(void *wide, const sb_watched *what, const int *lanes);
    void (*outputs)(void *wide, const sb_watched *what, const int *lanes, const double *theta, const double *t,
                    double *output);
    void (*look)(void *wide, const sb_watched *what, int *flags, double *sums);

    /* Outputs of one machine at some instants: a row of unknowns for each instant. The same at places of a step; power is
     * not NULL: the first are the nodes 1 to 3, and powers are wanted. */
    void (*view)(void *wide, const sb_shown *what, const double *t, const double *x);
    void (*view_step)(void *wide, const sb_shown *what, const sb_step_shown *step, const double *theta, double *power);

    /* The end of the step becomes the start of the next one in some of the lanes. */
    void (*accept)(void *wide, const sb_watched *what, const int *lanes, const double *t);

    const sb_wide_plants *plants;
} sb_wide;

/* Those of this build, the widest first; the list ends with NULL. */
extern const sb_wide *const sb_wides[];

/* The one of this name, or the widest that this processor has, if machines of this structure can use it; or NULL. */
struct sb_model;
const sb_wide *sb_find_wide(const struct sb_model *m, const char *instructions);

/* Its functions with the arrays of a machine. */
size_t sb_wide_size(const sb_wide *wide, const struct sb_model *m);
void sb_wide_begin(const sb_wide *wide, void *memory, const struct sb_model *m, const sb_bridge *bridge);
void sb_wide_load(const sb_wide *wide, void *memory, int lane, const struct sb_model *m);
struct sb_data;
void sb_wide_push(const sb_wide *wide, void *memory, int lane, const struct sb_model *m, const struct sb_data *d,
                  int parts);
size_t sb_wide_plants_size(const sb_wide *wide, const struct sb_model *m);
void sb_wide_plants_begin(const sb_wide *wide, void *memory, const struct sb_model *m, const sb_bridge *bridge);

#endif
