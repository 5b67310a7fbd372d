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
    SB_WORK_ARRAYS(X)
    SB_INT_ARRAYS(X)
#undef X
#undef MOVE
    return copy;
}

/* Numbers between -1 and 1 that are the same on every machine (Numerical Recipes, quick generator). */
static inline double check_random(void)
{
    static unsigned long state = 1;
    state = (1664525UL * state + 1013904223UL) & 0xffffffffUL;
    return (double)state / 2147483648.0 - 1.0;
}

#endif
