#include "check.h"
#include "sb_tape.h"
#include "signals/sb_signals.h"

/* The tape of y = x0 * x1 + 2, z = x0 / 3 in pairs, with the guard x0 < x1. */

enum { INPUTS = 2, NODES = 7, VALUES = 3 };

static const int OPS[NODES] = {SB_SIGNAL_PRODUCT, SB_SIGNAL_SUM,  SB_SIGNAL_CONSTANT,     SB_SIGNAL_CONSTANT,
                               SB_SIGNAL_PAIR,    SB_SIGNAL_PAIR, SB_SIGNAL_PAIR_QUOTIENT};
static const int PTR[NODES + 1] = {0, 0, 2, 3, 4, 4, 4, 4};
static const double DATA[4] = {2.0, 1.0, 0.0, 3.0};
static const int IN_PTR[NODES + 1] = {0, 2, 3, 3, 3, 5, 7, 9};
static const int IN[9] = {0, 1, 2, 0, 4, 5, 4, 6, 7};
static const int LESS[1] = {SB_LESS}, LEFT[1] = {0}, RIGHT[1] = {1}, HOLDS[1] = {1};
static const int OUT_NODE[2] = {3, 8}, OUT_PLACE[2] = {2, 0};

static sb_tape tape(void)
{
    const sb_tape t = {.n_input = INPUTS,
                       .n_node = NODES,
                       .n_data = 4,
                       .n_in = 9,
                       .n_guard = 1,
                       .n_out = 2,
                       .n_value = VALUES,
                       .op = OPS,
                       .ptr = PTR,
                       .data = DATA,
                       .in_ptr = IN_PTR,
                       .in = IN,
                       .guard_relation = LESS,
                       .guard_left = LEFT,
                       .guard_right = RIGHT,
                       .guard_holds = HOLDS,
                       .out_node = OUT_NODE,
                       .out_place = OUT_PLACE};
    return t;
}

static void values_guards_and_slopes(void)
{
    const sb_tape t = tape();
    CHECK(sb_tape_check(&t) == SB_OK);
    CHECK(sb_tape_work(&t) == SB_JET * (INPUTS + NODES));
    double work[SB_JET * (INPUTS + NODES)];
    double along[INPUTS + NODES];
    double value[VALUES] = {-1.0, -2.0, -3.0};
    const double input[INPUTS] = {3.0, 5.0};
    CHECK(sb_tape_run(&t, input, work) == -1);
    sb_tape_put(&t, work, value);
    CHECK(value[0] == 1.0 && value[1] == -2.0 && value[2] == 17.0); // what is not put stays
    const double direction[INPUTS] = {1.0, 10.0};
    sb_tape_slope(&t, work, direction, along, value);
    CHECK_NEAR(value[0], 1.0 / 3.0, 1e-16);
    CHECK_NEAR(value[2], 5.0 + 30.0, 1e-14);
    const double other[INPUTS] = {5.0, 3.0};
    CHECK(sb_tape_run(&t, other, work) == 0);
}

static void only_what_varies(void)
{
    const sb_tape t = tape();
    double work[SB_JET * (INPUTS + NODES)];
    double value[VALUES] = {0.0};
    int marked[INPUTS + NODES] = {0, 1};
    sb_tape_mark(&t, marked);
    CHECK(marked[2] && marked[3] && !marked[5] && !marked[8]); // z depends on x0 alone
    const double first[INPUTS] = {3.0, 5.0};
    CHECK(sb_tape_run(&t, first, work) == -1);
    work[SB_JET * 8] = 7.0; // so it is not evaluated again
    const double second[INPUTS] = {3.0, 6.0};
    CHECK(sb_tape_run_marked(&t, marked, second, work) == -1);
    sb_tape_put(&t, work, value);
    CHECK(value[0] == 7.0 && value[2] == 20.0);
    const double third[INPUTS] = {3.0, 2.0};
    CHECK(sb_tape_run_marked(&t, marked, third, work) == 0);
}

/* Behind the quotient of a pair is what rounding has cut off: together they are 3 times as far as the dividend. */
static void pairs_have_twice_the_digits(void)
{
    const sb_tape t = tape();
    double work[SB_JET * (INPUTS + NODES)];
    const double input[INPUTS] = {1.0, 5.0};
    CHECK(sb_tape_run(&t, input, work) == -1);
    const double *third = work + SB_JET * (INPUTS + 6);
    CHECK(third[0] == 1.0 / 3.0);
    CHECK_NEAR(fma(3.0, third[0], -1.0) + 3.0 * third[1], 0.0, 1e-32);
}

static void refuses(const char *what, sb_tape t)
{
    if (sb_tape_check(&t) == SB_OK) {
        ++check_failures;
        fprintf(stderr, "accepted: %s\n", what);
    }
}

static void what_does_not_fit_is_refused(void)
{
    const int far[9] = {0, 1, 2, 0, 4, 5, 4, 6, 9};
    const int memory[NODES] = {SB_SIGNAL_DELAY};
    const int unknown[NODES] = {SB_N_SIGNAL_OPS};
    const int back[NODES + 1] = {0, 0, 2, 1, 4, 4, 4, 4};
    const int beyond[2] = {2, 3};
    sb_tape t = tape();
    t.in = far;
    refuses("an operand behind its node", t);
    t = tape();
    t.op = memory;
    refuses("an operation with a memory", t);
    t = tape();
    t.op = unknown;
    refuses("an operation that does not exist", t);
    t = tape();
    t.ptr = back;
    refuses("data that end before they begin", t);
    t = tape();
    t.out_place = beyond;
    refuses("a place behind the values", t);
    t = tape();
    t.guard_left = beyond + 1;
    t.n_input = 0;
    refuses("registers that do not exist", t);
}

int main(void)
{
    values_guards_and_slopes();
    only_what_varies();
    pairs_have_twice_the_digits();
    what_does_not_fit_is_refused();
    return check_result();
}
