#ifndef SB_TAPE_H
#define SB_TAPE_H

#include "sb_status.h"

/* A tape: straight-line formulas that give the values of a model from its parameters.
 *
 * Register i < n_input is parameter i; behind the parameters every node is an operation of signals (smooth, without
 * memory, time and unknowns) on registers before it. Guards are the decisions that were made when the tape was
 * recorded: if one of them changes, the tape is not valid. Outputs copy registers to places of the values of a
 * model. */

#define SB_TAPE_SIZES(X) \
    X(n_input)           \
    X(n_node)            \
    X(n_data)            \
    X(n_in)              \
    X(n_guard)           \
    X(n_out)             \
    X(n_value) /* length of the values that outputs are copied to */

#define SB_TAPE_ARRAYS(X)                                                                \
    X(int, op, t->n_node)                                                                \
    X(int, ptr, t->n_node + 1) /* data of each node */                                   \
    X(double, data, t->n_data)                                                           \
    X(int, in_ptr, t->n_node + 1) /* operands of each node */                            \
    X(int, in, t->n_in)                                                                  \
    X(int, guard_relation, t->n_guard) /* sb_relation */                                 \
    X(int, guard_left, t->n_guard)                                                       \
    X(int, guard_right, t->n_guard)                                                      \
    X(int, guard_holds, t->n_guard) /* whether the relation held when it was recorded */ \
    X(int, out_node, t->n_out)                                                           \
    X(int, out_place, t->n_out)

typedef enum sb_relation { SB_LESS, SB_AT_MOST, SB_EQUAL } sb_relation;

typedef struct sb_tape {
#define X(name) int name;
    SB_TAPE_SIZES(X)
#undef X
#define X(type, name, length) const type *name;
    SB_TAPE_ARRAYS(X)
#undef X
} sb_tape;

/* Whether all registers, operations and places exist; the functions below require a tape that passes. */
sb_status sb_tape_check(const sb_tape *t);

/* Length of `work`. */
int sb_tape_work(const sb_tape *t);

/* Evaluates all registers from the parameters, in `work`. Returns the first guard that changes, or -1. */
int sb_tape_run(const sb_tape *t, const double *input, double *work);

/* Registers that follow from some of the parameters: these are marked, the others behind them become so. After a run in
 * which all guards held, the same for parameters that differ from it in the marked ones alone. */
void sb_tape_mark(const sb_tape *t, int *marked);
int sb_tape_run_marked(const sb_tape *t, const int *marked, const double *input, double *work);

/* After a run: copies the outputs to `value`. */
void sb_tape_put(const sb_tape *t, const double *work, double *value);

/* After a run: the derivative of the outputs along a direction of the parameters, in `value`. `along` has one number
 * for each register. */
void sb_tape_slope(const sb_tape *t, double *work, const double *direction, double *along, double *value);

#endif
