#ifndef SB_CHECK_H
#define SB_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sb_data.h"

/* A test program calls CHECK and CHECK_NEAR as often as it likes and returns check_result(). */

static int check_failures = 0;

static inline void check_that(int ok, const char *file, int line, const char *text)
{
    if (!ok) {
        ++check_failures;
        fprintf(stderr, "%s:%d: %s\n", file, line, text);
    }
}

static inline void check_near(double value, double expected, double tolerance, const char *file, int line,
                              const char *text)
{
    if (!(fabs(value - expected) <= tolerance)) {
        ++check_failures;
        fprintf(stderr, "%s:%d: %s = %.17g, not %.17g within %g\n", file, line, text, value, expected, tolerance);
    }
}

static inline int check_result(void)
{
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define CHECK(condition) check_that((condition) != 0, __FILE__, __LINE__, #condition)
#define CHECK_NEAR(value, expected, tolerance) check_near(value, expected, tolerance, __FILE__, __LINE__, #value)

/* Memory of a machine; free(block) gives it back. */
typedef struct check_machine {
    sb_data data;
    void *block;
} check_machine;

static inline check_machine check_new_machine(const sb_model *m)
{
    check_machine machine;
    machine.block = malloc(sb_data_size(m));
    if (!machine.block) {
        abort();
    }
    sb_data_bind(m, &machine.data, machine.block);
    return machine;
}

/* A copy of the block, with the pointers moved along. */
static inline check_machine check_copy_machine(const sb_model *m, const check_machine *original)
{
    check_machine copy = check_new_machine(m);
    const char *from = original->block;
    char *to = copy.block;
    memcpy(to, from, sb_data_size(m));
    copy.data = original->data;
#define MOVE(name) copy.data.name = (void *)(to + ((const char *)original->data.name - from));
#define X(name, length) MOVE(name)
    MOVE(board)
    SB_BOARD_ARRAYS(X)
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
    SB_LIST_ARRAYS(X)
#undef X
#undef MOVE
    return copy;
}

/* What prescribed motions add: 0 from the beginning where there are none. */
#define CHECK_MOTION_ARRAYS(X)  \
    X(slip0, SB_N_BRANCH(m))    \
    X(slip_t, SB_N_BRANCH(m))   \
    X(slip_tt, SB_N_BRANCH(m))  \
    X(disp0, m->n_spring)       \
    X(disp_t, m->n_spring)      \
    X(rate0, m->n_q)            \
    X(rate_t, m->n_q)           \
    X(body_w0, m->n_body)       \
    X(body_a0, m->n_body)       \
    X(position0, m->n_position) \
    X(speed0, m->n_speed) X(inertia0, m->n_v) X(inertia_t, m->n_v) X(loss_p0, m->n_loss) X(loss_pt, m->n_loss)

/* Everything but what is set from outside becomes nonsense; the padding of arrays stays 0. */
static inline void check_spoil(const sb_model *m, sb_data *d)
{
#define X(name, length) memset(d->name, 0xff, (size_t)(length) * sizeof *d->name);
    SB_BOARD_ARRAYS(X)
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
    SB_LIST_ARRAYS(X)
#undef X
    memset(d->torque_offset, 0, (size_t)m->n_source * sizeof *d->torque_offset);
    memset(d->motion_offset, 0, 3 * (size_t)m->n_motion * sizeof *d->motion_offset);
#define X(name, length) memset(d->name, 0, (size_t)(length) * sizeof *d->name);
    CHECK_MOTION_ARRAYS(X)
#undef X
    d->n_active = d->n_line = d->n_curve = d->n_stuck = d->n_redundant = d->n_decaying = d->n_ambiguous = 1000;
    d->t_slips = d->v_size_most = d->stiffness = NAN;
    d->shared = d->n_varying = d->mass_diagonal = 1;
}

/* Numbers between -1 and 1 that are the same on every machine (Numerical Recipes, quick generator). */
static inline double check_random(void)
{
    static unsigned long state = 1;
    state = (1664525UL * state + 1013904223UL) & 0xffffffffUL;
    return (double)state / 2147483648.0 - 1.0;
}

#endif
