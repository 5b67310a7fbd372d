#include "check.h"
#include "model/sb_base.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

/* Signals in a model that has nothing else: jets on both sides of the breaks. */

enum { CONSTANT, STEP, RAMP, SINE, TABLE, COUNT };

static const int OPS[COUNT] = {SB_SIGNAL_CONSTANT, SB_SIGNAL_STEP, SB_SIGNAL_RAMP, SB_SIGNAL_SINE, SB_SIGNAL_TABLE};
static const int STARTS[COUNT + 1] = {0, 1, 4, 8, 13, 20};
static const double DATA[20] = {
    3.0,                                // value
    2.0, 1.0, -1.0,                     // height, start, offset
    4.0, 2.0, 0.5,  1.0,                // height, duration, start, offset
    2.0, 3.0, 0.4,  1.0, 1.5,           // amplitude, omega, phase, offset, start
    3.0, 0.0, 1.0,  3.0, 1.0, 5.0, 0.0, // points, times, values
};

static const int NONE[COUNT + 1] = {0};

static sb_model only_signals(const double *data)
{
    sb_model m;
    memset(&m, 0, sizeof m);
    m.n_signal = COUNT;
    m.n_signal_data = 20;
    m.signal_op = OPS;
    m.signal_ptr = STARTS;
    m.signal_data = data;
    m.signal_in_ptr = m.signal_memory_ptr = m.signal_guard = m.grad_ptr = m.grad_map_ptr = NONE;
    return m;
}

static void check_jet(const sb_data *d, int signal, double value, double rate)
{
    CHECK_NEAR(d->jet[SB_JET * signal], value, 1e-15);
    CHECK_NEAR(d->jet[SB_JET * signal + 1], rate, 1e-15);
}

/* The rates of a jet against differences of the values below them. */
static void check_rates(const sb_model *m, sb_data *d, double t)
{
    const double step = 1e-5;
    for (int i = 0; i < COUNT; ++i) {
        for (int order = 0; order < SB_JET - 1; ++order) {
            double value[2];
            for (int side = 0; side < 2; ++side) {
                sb_signals_eval(m, d, t + (side ? step : -step), NULL, 1);
                value[side] = d->jet[SB_JET * i + order];
            }
            sb_signals_eval(m, d, t, NULL, 1);
            // the next but one derivative of the sine is below 2 * 3^5
            CHECK_NEAR((value[1] - value[0]) / (2.0 * step), d->jet[SB_JET * i + order + 1], 1e-7);
        }
    }
}

/* Values alone, of straight lines from the start of the segment on, are those of the jets but for rounding. */
static void check_values(const sb_model *m, sb_data *d, double t)
{
    double value[COUNT];
    sb_signals_eval(m, d, t, NULL, 1);
    for (int i = 0; i < COUNT; ++i) {
        value[i] = d->jet[SB_JET * i];
    }
    sb_signals_eval(m, d, d->t_segment, NULL, 1);
    sb_signals_value(m, d, t, NULL);
    for (int i = 0; i < COUNT; ++i) {
        CHECK_NEAR(d->jet[SB_JET * i], value[i], 4e-15);
    }
}

static void walk(const sb_model *m, sb_data *d)
{
    const double breaks[] = {0.5, 1.0, 1.5, 2.5, 3.0};
    sb_begin_segment(m, d, 0.0, NULL);
    check_jet(d, CONSTANT, 3.0, 0.0);
    check_jet(d, STEP, -1.0, 0.0);
    check_jet(d, RAMP, 1.0, 0.0);
    check_jet(d, SINE, 1.0, 0.0);
    check_jet(d, TABLE, 1.0, 4.0);
    for (int k = 0; k < 5; ++k) {
        CHECK_NEAR(d->t_break, breaks[k], 0.0);
        check_rates(m, d, breaks[k] - 0.2);
        check_values(m, d, breaks[k] - 0.2);

        // the limit from the left at the very end, and the value after it
        sb_signals_eval(m, d, breaks[k], NULL, 1);
        if (breaks[k] == 1.0) {
            check_jet(d, STEP, -1.0, 0.0);
            check_jet(d, TABLE, 5.0, 4.0);
        }
        sb_begin_segment(m, d, breaks[k], NULL);
        if (breaks[k] == 1.0) {
            check_jet(d, STEP, 1.0, 0.0);
            check_jet(d, TABLE, 5.0, -2.5);
            check_jet(d, RAMP, 2.0, 2.0);
        }
        if (breaks[k] == 1.5) {
            check_jet(d, SINE, 1.0 + 2.0 * sin(0.4), 6.0 * cos(0.4));
        }
    }
    CHECK(isinf(d->t_break));
    check_jet(d, RAMP, 5.0, 0.0);
    check_jet(d, TABLE, 0.0, 0.0);
    check_rates(m, d, 4.0);
}

/* Data that no signal can have. */
static void refuse(void)
{
    double data[20];
    sb_model m = only_signals(data);
    memcpy(data, DATA, sizeof data);
    CHECK(sb_signals_ok(&m));
    data[5] = 0.0; // duration of the ramp
    CHECK(!sb_signals_ok(&m));
    memcpy(data, DATA, sizeof data);
    data[13] = 4.0; // number of points of the table
    CHECK(!sb_signals_ok(&m));
    memcpy(data, DATA, sizeof data);
    data[15] = 0.0; // times that do not rise
    CHECK(!sb_signals_ok(&m));
    memcpy(data, DATA, sizeof data);
    m.n_signal_data = 19;
    CHECK(!sb_signals_ok(&m));
}

/* What is set from outside counts from the next segment on. */
static void set_from_outside(void)
{
    static const int ops[2] = {SB_SIGNAL_EXTERNAL, SB_SIGNAL_EXTERNAL};
    static const int each[3] = {0, 1, 2};
    static const int data[3] = {0, 2, 4};
    static const double starts[4] = {3.0, 0.0, 4.0, 0.0};
    sb_model m = only_signals(starts);
    m.n_signal = m.n_signal_memory = 2;
    m.n_signal_data = 4;
    m.signal_op = ops;
    m.signal_ptr = data;
    m.signal_memory_ptr = each;
    CHECK(sb_signals_ok(&m));
    check_machine machine = check_new_machine(&m);
    sb_data *d = &machine.data;
    sb_signals_start(&m, d, 0.0, NULL);
    check_jet(d, 0, 3.0, 0.0);
    CHECK(isinf(d->t_break));
    CHECK(d->n_active == 0);

    d->signal_memory[1] = 7.0;
    sb_signals_eval(&m, d, 0.5, NULL, 1);
    check_jet(d, 1, 4.0, 0.0);
    sb_begin_segment(&m, d, 1.0, NULL);
    check_jet(d, 0, 3.0, 0.0);
    check_jet(d, 1, 7.0, 0.0);

    sb_signals_start(&m, d, 0.0, NULL);
    check_jet(d, 1, 4.0, 0.0);
    free(machine.block);
}

/* The course of a position is at its value at the end of the task, not before. */
static void set_a_course(void)
{
    static const int ops[1] = {SB_SIGNAL_EXTERNAL};
    static const int data[2] = {0, 2};
    static const int memory[2] = {0, 7};
    static const int node[1] = {0};
    static const double start[2] = {3.0, 1.0};
    sb_model m = only_signals(start);
    m.n_signal = m.n_motion = 1;
    m.n_signal_memory = 7;
    m.n_signal_data = 2;
    m.signal_op = ops;
    m.signal_ptr = data;
    m.signal_memory_ptr = memory;
    m.motion_signal = m.motion_order = node;
    CHECK(sb_signals_ok(&m));
    check_machine machine = check_new_machine(&m);
    sb_data *d = &machine.data;
    sb_signals_start(&m, d, 0.0, NULL);
    check_jet(d, 0, 3.0, 0.0);
    CHECK(!sb_signals_aim(&m, d, 0.0, 0.5));

    d->signal_memory[0] = 4.0;
    for (int again = 0; again < 2; ++again) { // a task that failed is done again
        CHECK(sb_signals_aim(&m, d, 0.5, 0.5));
        sb_begin_segment(&m, d, 0.5, NULL);
        CHECK(d->n_active == 1);
        check_jet(d, 0, 3.0, 2.0);
        sb_signals_eval(&m, d, 0.75, NULL, 1);
        check_jet(d, 0, 3.5, 2.0);
        sb_signals_eval(&m, d, 1.0, NULL, 1);
        check_jet(d, 0, 4.0, 2.0);
    }

    CHECK(sb_signals_aim(&m, d, 1.0, 0.5)); // it stops
    sb_begin_segment(&m, d, 1.0, NULL);
    check_jet(d, 0, 4.0, 0.0);
    CHECK(d->n_active == 0);
    CHECK(!sb_signals_aim(&m, d, 1.5, 0.5));
    free(machine.block);
}

/* Sums and products are lines where their operands are, or stay the same; a line times a line is none. */
static void combine_lines(void)
{
    enum { THREE, LINE, SUM, TIMES, SQUARE, N };
    static const int ops[N] = {SB_SIGNAL_CONSTANT, SB_SIGNAL_TABLE, SB_SIGNAL_SUM, SB_SIGNAL_PRODUCT,
                               SB_SIGNAL_PRODUCT};
    static const int starts[N + 1] = {0, 1, 6, 9, 9, 9};
    static const double data[9] = {3.0, 2.0, 0.0, 2.0, 1.0, 5.0, 0.5, -2.0, 0.25};
    static const int ins[6] = {LINE, THREE, THREE, LINE, LINE, LINE};
    static const int in_ptr[N + 1] = {0, 0, 0, 2, 4, 6};
    static const int none[7] = {0};
    sb_model m = only_signals(data);
    m.n_signal = N;
    m.n_signal_data = 9;
    m.n_signal_in = 6;
    m.signal_op = ops;
    m.signal_ptr = starts;
    m.signal_in = ins;
    m.signal_in_ptr = in_ptr;
    m.signal_memory_ptr = m.signal_guard = m.grad_ptr = m.grad_map_ptr = none;
    CHECK(sb_signals_ok(&m));
    check_machine machine = check_new_machine(&m);
    sb_data *d = &machine.data;
    sb_signals_start(&m, d, 0.5, NULL);
    CHECK(d->n_active == 4 && d->n_line == 3 && d->n_curve == 1 && d->curve_node[0] == SQUARE);
    sb_signals_value(&m, d, 1.5, NULL); // the line is at 1 + 2 t
    CHECK_NEAR(d->jet[SB_JET * LINE], 4.0, 1e-15);
    CHECK_NEAR(d->jet[SB_JET * SUM], 0.5 - 2.0 * 4.0 + 0.25 * 3.0, 2e-15);
    CHECK_NEAR(d->jet[SB_JET * TIMES], 12.0, 4e-15);
    CHECK_NEAR(d->jet[SB_JET * SQUARE], 16.0, 4e-15);
    free(machine.block);
}

int main(void)
{
    combine_lines();
    set_from_outside();
    set_a_course();
    const sb_model m = only_signals(DATA);
    check_machine machine = check_new_machine(&m);
    walk(&m, &machine.data);
    free(machine.block);
    refuse();
    return check_result();
}
