#include "sb_signal.h"

#include <math.h>
#include <stddef.h>

#include "sb_kernel.h"
#include "sb_math.h"
#include "sb_network.h"

/* Each operation: the branch that holds from time t on, the next break after t, and the jet on a branch. */
typedef struct operation {
    const char *name;
    int (*ok)(const double *p, int n);
    int (*branch)(const double *p, double t);
    double (*next_break)(const double *p, double t);
    void (*jet)(const double *p, double t, int branch, double *jet);
    double (*pace)(const double *p); /* longest step that sees its shape; NULL for straight lines */
} operation;

static void set_jet(double *jet, double value, double first, double second, double third)
{
    jet[0] = value;
    jet[1] = first;
    jet[2] = second;
    jet[3] = third;
}

/* constant: [value] */
static int constant_ok(const double *p, int n)
{
    (void)p;
    return n == 1;
}

static int constant_branch(const double *p, double t)
{
    (void)p;
    (void)t;
    return 0;
}

static double constant_next_break(const double *p, double t)
{
    (void)p;
    (void)t;
    return INFINITY;
}

static void constant_jet(const double *p, double t, int branch, double *jet)
{
    (void)t;
    (void)branch;
    set_jet(jet, p[0], 0.0, 0.0, 0.0);
}

/* step: [height, start, offset] */
static int step_ok(const double *p, int n)
{
    (void)p;
    return n == 3;
}

static int step_branch(const double *p, double t)
{
    return t >= p[1];
}

static double step_next_break(const double *p, double t)
{
    return t < p[1] ? p[1] : INFINITY;
}

static void step_jet(const double *p, double t, int branch, double *jet)
{
    (void)t;
    set_jet(jet, p[2] + (branch ? p[0] : 0.0), 0.0, 0.0, 0.0);
}

/* ramp: [height, duration, start, offset]; branches before, during, after */
static int ramp_ok(const double *p, int n)
{
    return n == 4 && p[1] > 0.0;
}

static int ramp_branch(const double *p, double t)
{
    return (t >= p[2]) + (t >= p[2] + p[1]);
}

static double ramp_next_break(const double *p, double t)
{
    return t < p[2] ? p[2] : t < p[2] + p[1] ? p[2] + p[1] : INFINITY;
}

static void ramp_jet(const double *p, double t, int branch, double *jet)
{
    const double slope = branch == 1 ? p[0] / p[1] : 0.0;
    const double risen = branch == 0 ? 0.0 : branch == 1 ? slope * (t - p[2]) : p[0];
    set_jet(jet, p[3] + risen, slope, 0.0, 0.0);
}

/* sine: [amplitude, omega, phase, offset, start]; offset alone before the start */
static int sine_ok(const double *p, int n)
{
    (void)p;
    return n == 5;
}

static int sine_branch(const double *p, double t)
{
    return t >= p[4];
}

static double sine_next_break(const double *p, double t)
{
    return t < p[4] ? p[4] : INFINITY;
}

static void sine_jet(const double *p, double t, int branch, double *jet)
{
    if (!branch) {
        set_jet(jet, p[3], 0.0, 0.0, 0.0);
        return;
    }
    const double omega = p[1];
    const double angle = omega * (t - p[4]) + p[2];
    const double s = p[0] * sin(angle);
    const double c = p[0] * cos(angle);
    set_jet(jet, p[3] + s, omega * c, -omega * omega * s, -omega * omega * omega * c);
}

/* A step with its four nodes covers at most an eighth of a period, also while nothing moves. */
static double sine_pace(const double *p)
{
    return p[1] > 0.0 ? 6.283185307179586 / (8.0 * p[1]) : INFINITY;
}

/* table: [n, times, values], linear between, held outside; branch = number of times not after t */
static int table_ok(const double *p, int n)
{
    if (n < 3 || p[0] < 1.0 || 1 + 2 * (int)p[0] != n) {
        return 0;
    }
    for (int i = 1; i < (int)p[0]; ++i) {
        if (!(p[i + 1] > p[i])) {
            return 0;
        }
    }
    return 1;
}

static int table_branch(const double *p, double t)
{
    int low = 0;
    int high = (int)p[0];
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p[1 + middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static double table_next_break(const double *p, double t)
{
    const int branch = table_branch(p, t);
    return branch < (int)p[0] ? p[1 + branch] : INFINITY;
}

static void table_jet(const double *p, double t, int branch, double *jet)
{
    const int n = (int)p[0];
    const double *time = p + 1;
    const double *value = p + 1 + n;
    if (branch == 0 || branch == n) {
        set_jet(jet, branch ? value[n - 1] : value[0], 0.0, 0.0, 0.0);
        return;
    }
    const double slope = (value[branch] - value[branch - 1]) / (time[branch] - time[branch - 1]);
    set_jet(jet, value[branch - 1] + slope * (t - time[branch - 1]), slope, 0.0, 0.0);
}

static const operation operations[] = {
    [SB_SIGNAL_CONSTANT] = {"CONSTANT", constant_ok, constant_branch, constant_next_break, constant_jet, NULL},
    [SB_SIGNAL_STEP] = {"STEP", step_ok, step_branch, step_next_break, step_jet, NULL},
    [SB_SIGNAL_RAMP] = {"RAMP", ramp_ok, ramp_branch, ramp_next_break, ramp_jet, NULL},
    [SB_SIGNAL_SINE] = {"SINE", sine_ok, sine_branch, sine_next_break, sine_jet, sine_pace},
    [SB_SIGNAL_TABLE] = {"TABLE", table_ok, table_branch, table_next_break, table_jet, NULL},
};
enum { N_OPERATIONS = sizeof operations / sizeof operations[0] };

const char *sb_signal_name(int op)
{
    return op >= 0 && op < N_OPERATIONS ? operations[op].name : NULL;
}

int sb_signals_ok(const sb_model *m)
{
    if (m->signal_ptr[0] != 0 || m->signal_ptr[m->n_signal] != m->n_signal_data) {
        return 0;
    }
    for (int i = 0; i < m->n_signal; ++i) {
        const int n = m->signal_ptr[i + 1] - m->signal_ptr[i];
        const int op = m->signal_op[i];
        if (op < 0 || op >= N_OPERATIONS || n < 1 || !operations[op].ok(m->signal_data + m->signal_ptr[i], n)) {
            return 0;
        }
    }
    return 1;
}

static void eval_one(const sb_model *m, sb_data *d, int i, double t)
{
    operations[m->signal_op[i]].jet(m->signal_data + m->signal_ptr[i], t, d->signal_branch[i], d->jet + SB_JET * i);
}

void sb_signals_eval(const sb_model *m, sb_data *d, double t)
{
    for (int k = 0; k < d->n_active; ++k) {
        eval_one(m, d, d->signal_active[k], t);
    }
}

void sb_begin_segment(const sb_model *m, sb_data *d, double t)
{
    d->t_segment = t;
    d->t_break = INFINITY;
    d->n_active = 0;
    d->pace = INFINITY;
    for (int i = 0; i < m->n_signal; ++i) {
        const operation *op = &operations[m->signal_op[i]];
        const double *p = m->signal_data + m->signal_ptr[i];
        d->signal_branch[i] = op->branch(p, t);
        d->t_break = sb_min(d->t_break, op->next_break(p, t));

        // a signal whose derivatives vanish keeps its value throughout the segment
        eval_one(m, d, i, t);
        const double *jet = d->jet + SB_JET * i;
        if (jet[1] != 0.0 || jet[2] != 0.0 || jet[3] != 0.0) {
            d->signal_active[d->n_active++] = i;
            d->pace = op->pace ? sb_min(d->pace, op->pace(p)) : d->pace;
        }
    }
    sb_place_motions(m, d);
}
