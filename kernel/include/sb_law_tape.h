#ifndef SB_LAW_TAPE_H
#define SB_LAW_TAPE_H

#include "sb_law.h"
#include "sb_status.h"

/* A law whose functions are lists of operations instead of compiled C, so that laws can be written without a compiler.
 *
 * A function works on registers: the arguments v, v_held, hold and turn, the states, the numbers of the law (its
 * scalar parameters), the constants, and one register for each result of an operation that is run. Operations and
 * their order are those of the C that would be generated from the same formulas, so both give the same bits.
 *
 * All functions of a law are in one array of integers, in the order of SB_LAW_FUNCTIONS, each as
 *     n_word (-1: the law does not have it), n_out, words
 * and words are
 *     operations {operation, a, b, c, d}, then END and n_out registers of the results, or
 *     operations, then a decision {LESS_ELSE, a, b, -, distance}, the words for a < b, and at that distance the words
 *     for the other case, so that a selection costs what it selects. */

#define SB_LAW_FUNCTIONS(X) \
    X(flow)                 \
    X(flow_jac)             \
    X(held_jac)             \
    X(steady)               \
    X(storage)              \
    X(curvature)            \
    X(breakaway)            \
    X(change)               \
    X(stick)                \
    X(flow_param)           \
    X(breakaway_param)      \
    X(storage_param)        \
    X(guard)                \
    X(jump)

enum { SB_LAW_TAPE_REGISTERS = 4096 }; /* most registers of a function; they are on the stack */
enum { SB_LAW_TAPE_WORDS = 5 };        /* of an operation */

enum { SB_LAW_TAPE_NESTED = 16 }; /* most decisions within cases that hold */

typedef struct sb_law_function {
    int n_word, n_out;
    int given; /* bits of the arguments and, the fifth, of the states that it is called with */
    const int *word;
} sb_law_function;

typedef struct sb_law_tape {
    sb_law law; /* the first member: a record that is passed to the functions below is part of such a struct */
    int n_constant;
    const double *constant;
#define X(name) sb_law_function name;
    SB_LAW_FUNCTIONS(X)
#undef X
} sb_law_tape;

/* Fills a record: `facts` has name, family, sizes and kind of lock; code and constants stay with the caller. Refuses
 * code in which a register, an operation or a result does not exist. */
sb_status sb_law_tape_make(sb_law_tape *t, const sb_law *facts, const int *code, int n_code, const double *constant,
                           int n_constant);

/* Number of an operation by its name in formulas, or -1. */
int sb_formula_find(const char *name);

#endif
