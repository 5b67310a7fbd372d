#ifndef STRIBECK_H
#define STRIBECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled model in C: the model is constant data, a plant is one block of memory of the caller.
 *
 *     static double memory[CAR_MEMORY];                       (generated with the model, in car.h)
 *     stribeck *plant = stribeck_new(&car, memory, sizeof memory);
 *     stribeck_start(plant, NULL);
 *     const int throttle = stribeck_find(&car, STRIBECK_INPUT, "throttle");
 *     const int speed = stribeck_find(&car, STRIBECK_OUTPUT, "body.v");
 *     for (;;) {
 *         stribeck_set(plant, STRIBECK_INPUT, throttle, 0.3);
 *         if (stribeck_step(plant)) { report(stribeck_error(plant)); break; }
 *         use(stribeck_get(plant, STRIBECK_OUTPUT, speed));
 *     }
 *
 * Nothing here allocates memory, reads files, prints or has global variables. Different plants may run in different
 * threads; one plant belongs to one thread at a time. All numbers are in SI units. Functions that return int return 0
 * if all is well; else stribeck_error has the reason in one line. */

#ifndef STRIBECK_API
#define STRIBECK_API
#endif

/* A compiled model: constant, shared by all its plants. Made by `stribeck c` as C arrays, or read from one block. */
typedef struct stribeck_model {
    const int *integers;
    size_t n_integers;
    const double *numbers;
    size_t n_numbers;
    const char *text;
    size_t n_text;
} stribeck_model;

/* A plant. */
typedef struct stribeck stribeck;

/* How it moves on: fixed steps in real time; with located events and error control; or by the integrator of another
 * program, see stribeck_equations.h. */
typedef enum stribeck_solver { STRIBECK_FIXED, STRIBECK_ADAPTIVE, STRIBECK_EQUATIONS } stribeck_solver;

typedef struct stribeck_options {
    stribeck_solver solver;
    double t0;        /* time at the start (s) */
    double h;         /* time of one step (s) */
    int substeps;     /* fixed: equal steps of the solver within it */
    double tolerance; /* adaptive: relative, as in simulate */
    double t_end;     /* adaptive: typical end of a run (s); it may go on */
} stribeck_options;

/* What has names. Inputs and parameters can be set. */
typedef enum stribeck_kind {
    STRIBECK_INPUT,     /* External signals of the model */
    STRIBECK_OUTPUT,    /* what was chosen when the model was exported */
    STRIBECK_PARAMETER, /* tunable numbers of the model; those of a list are name[0], name[1], ... */
    STRIBECK_STATE,     /* continuous and discrete states */
    STRIBECK_MODE       /* of contacts: -1 Backward, 0 Stuck, 1 Forward, 2 Free */
} stribeck_kind;

/* --- a model --- */

/* A model in a block of memory, aligned to 8 bytes, as written by sb.deploy. The model points into the block. Nonzero:
 * it is not one, or of another version or byte order. */
STRIBECK_API int stribeck_read(const void *block, size_t bytes, stribeck_model *model);

/* The options that the model was exported with. */
STRIBECK_API stribeck_options stribeck_defaults(const stribeck_model *model);

/* How many there are of a kind; name and unit of one ("1": none), or "" if there is no such number; the number of a
 * name, or -1. */
STRIBECK_API int stribeck_count(const stribeck_model *model, stribeck_kind kind);
STRIBECK_API const char *stribeck_name(const stribeck_model *model, stribeck_kind kind, int number);
STRIBECK_API const char *stribeck_unit(const stribeck_model *model, stribeck_kind kind, int number);
STRIBECK_API int stribeck_find(const stribeck_model *model, stribeck_kind kind, const char *name);

/* --- a plant --- */

/* Bytes of memory for one plant; 0: the model does not fit this runtime. */
STRIBECK_API size_t stribeck_size(const stribeck_model *model);

/* A plant in `memory`, aligned as for double. NULL: there are less than stribeck_size bytes. The plant keeps pointers
 * to the model and into the memory: neither may move. */
STRIBECK_API stribeck *stribeck_new(const stribeck_model *model, void *memory, size_t bytes);

/* The plant at its start; NULL: with the options of stribeck_defaults. Parameters that were set stay set, inputs have
 * their values at the start. It can be called again. */
STRIBECK_API int stribeck_start(stribeck *s, const stribeck_options *options);

/* One step of h. After a failure of a fixed step the plant is where it was before the step. */
STRIBECK_API int stribeck_step(stribeck *s);

/* Steps to a time: adaptive exactly there, fixed by whole steps, of which there must be a whole number. */
STRIBECK_API int stribeck_advance(stribeck *s, double t);

/* Time (s). */
STRIBECK_API double stribeck_time(const stribeck *s);

/* Sets an input, which holds until it is set again and is seen by the next step; or a parameter, with which the next
 * step or start begins: others that the compiler derives from it follow. A parameter that is out of its bounds is
 * refused here; one for which the model would have to be compiled again, by the next step or start, and then all that
 * were set since the last one are taken back. */
STRIBECK_API int stribeck_set(stribeck *s, stribeck_kind kind, int number, double value);

/* The present value; not a number if there is no such number. Torques and accelerations of a fixed step are those of
 * the last step. */
STRIBECK_API double stribeck_get(stribeck *s, stribeck_kind kind, int number);

/* Everything that the next steps depend on, with parameters and inputs: the steps from there on repeat to the last bit,
 * also in another plant of the same model. A snapshot has no pointers; it belongs to this build of the runtime. */
STRIBECK_API size_t stribeck_snapshot_size(const stribeck *s);
STRIBECK_API void stribeck_save(const stribeck *s, void *snapshot);
STRIBECK_API int stribeck_restore(stribeck *s, const void *snapshot, size_t bytes);

/* Why the last call failed, in one line; "" if none did. */
STRIBECK_API const char *stribeck_error(const stribeck *s);

/* What may be wrong though nothing has failed, since it was asked for the last time, in one line with the time: modes
 * that would have changed without end and were kept for a moment, friction elements of a fixed step that did not agree,
 * impacts without an answer; "" if there is nothing. */
STRIBECK_API const char *stribeck_warning(stribeck *s);

#ifdef __cplusplus
}
#endif

#endif
