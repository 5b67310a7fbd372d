#ifndef SB_SIGNALS_H
#define SB_SIGNALS_H

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "sb_data.h"

/* The internal header of signals/.
 *
 * Signals: a list of nodes, each an operation on time, on unknowns or on nodes before it. A node has a jet (value and
 * three time derivatives at frozen unknowns; beyond the first one only where it depends on time alone) and, where it
 * depends on unknowns, a gradient. What jumps or kinks follows one branch between two events, so that a value at the
 * very end of a segment is the limit from the left. */

#define SB_SIGNAL_OPS(X) \
    X(CONSTANT)          \
    X(STEP)              \
    X(RAMP)              \
    X(SINE)              \
    X(TABLE)             \
    X(CHIRP)             \
    X(PULSE)             \
    X(HOLD)              \
    X(RATE)              \
    X(SENSOR)            \
    X(SUM)               \
    X(PRODUCT)           \
    X(QUOTIENT)          \
    X(SQRT)              \
    X(EXP)               \
    X(LOG)               \
    X(SIN)               \
    X(COS)               \
    X(TANH)              \
    X(ATAN)              \
    X(POWER)             \
    X(POLYNOMIAL)        \
    X(PIECEWISE)         \
    X(MAP)               \
    X(SWITCH)            \
    X(RELAY)             \
    X(QUANTISE)          \
    X(SAMPLE)            \
    X(DELAY)             \
    X(EXTERNAL)          \
    X(PAIR)              \
    X(PAIR_SUM)          \
    X(PAIR_PRODUCT)      \
    X(PAIR_QUOTIENT)

typedef enum sb_signal_op {
#define X(op) SB_SIGNAL_##op,
    SB_SIGNAL_OPS(X)
#undef X
        SB_N_SIGNAL_OPS
} sb_signal_op;

/* Time within which things happen together. */
static inline sb_real sb_time_band(const sb_data *d)
{
    return SB_LOCATED * sb_max(sb_abs(d->t_slips), SB_R(1.0));
}

/* One node as its operation sees it. */
typedef struct sb_signal_node {
    const sb_real *p; /* data */
    int n_data;
    const int *in; /* nodes that it works on */
    int n_in;
    int n_memory, n_col;
    const int *col; /* unknowns of its gradient */
    sb_real t, t_segment;
    const sb_real *x;
    const sb_real *jets; /* of all nodes */
    sb_count *branch;
    sb_real *memory;
    sb_real *jet;        /* its own */
    const sb_real *band; /* of its event functions: within it their signs are undefined */
} sb_signal_node;

static inline const sb_real *sb_operand(const sb_signal_node *s, int j)
{
    return s->jets + SB_JET * s->in[j];
}

typedef struct sb_operation {
    int n_in;                           /* operands; SB_ANY: any number */
    int n_guard;                        /* event functions */
    int shows_past;                     /* whether its value is one of the past: nodes behind it may feed it */
    int (*n_memory)(const double *p);   /* numbers that it remembers (NULL: none) */
    int (*ok)(const sb_signal_node *s); /* whether it can work with its data */

    /* A function of time: the branch that holds from t on, the next break after t, the longest step that sees its shape
     * (NULL for straight lines). */
    int (*branch)(const double *p, double t);
    double (*next_break)(const sb_signal_node *s);
    int (*age)(const sb_signal_node *s); /* of the corner at t, if that is what breaks here */
    double (*pace)(const double *p);

    /* Its jet up to a derivative, and its partial derivatives by the operands (NULL: none). */
    void (*eval)(const sb_signal_node *s, int order);
    void (*partials)(const sb_signal_node *s, sb_real *part);

    /* Event functions, positive inside the present branch; the branch behind one of them; the branch that fits the
     * operands, if the present one does not. */
    void (*guards)(const sb_signal_node *s, double *g);
    int (*kinks)(const sb_signal_node *s, int guard); /* whether nothing jumps there; NULL: everything does */
    int (*rises)(const sb_signal_node *s, int guard); /* whether the event function rises with its operand */
    void (*cross)(const sb_signal_node *s, int guard);
    void (*place)(const sb_signal_node *s);

    /* At the start of a segment: what it takes from before, what it keeps from then on; before that, where the clock
     * was moved to s->t or its data have changed, what it remembers of times. */
    void (*foresee)(const sb_signal_node *s);
    void (*keep)(const sb_signal_node *s);
    void (*move)(const sb_signal_node *s, double by);
} sb_operation;

enum { SB_ANY = -1 };

/* What is constant of a node, and all that its operation sees: inline and without a field that is set twice, since
 * every evaluation begins with it. */
static inline void sb_signal_shape(const sb_model *m, int node, sb_signal_node *s)
{
    s->p = m->signal_data + m->signal_ptr[node];
    s->n_data = m->signal_ptr[node + 1] - m->signal_ptr[node];
    s->in = m->signal_in + m->signal_in_ptr[node];
    s->n_in = m->signal_in_ptr[node + 1] - m->signal_in_ptr[node];
    s->n_memory = m->signal_memory_ptr[node + 1] - m->signal_memory_ptr[node];
    s->col = m->grad_col + m->grad_ptr[node];
    s->n_col = m->grad_ptr[node + 1] - m->grad_ptr[node];
}

static inline sb_signal_node sb_signal_node_of(const sb_model *m, const sb_data *d, int node, sb_real t,
                                               const sb_real *x)
{
    sb_signal_node s;
    sb_signal_shape(m, node, &s);
    s.t = t;
    s.t_segment = d->t_segment;
    s.x = x;
    s.jets = d->jet;
    s.branch = d->signal_branch + node;
    s.memory = d->signal_memory + m->signal_memory_ptr[node];
    s.jet = d->jet + SB_JET * node;
    s.band = d->event_band + SB_SIGNAL_EVENT(m) + m->signal_guard[node];
    return s;
}

/* An operation by its number, that of a node, and one of its event functions. */
SB_HOT const sb_operation *sb_operation_of(int op);
const sb_operation *sb_signal_operation(const sb_model *m, int node);
double sb_guard_of(const sb_operation *op, const sb_signal_node *s, int guard);

/* Value, and partial derivatives into d->part, of a node that slides along a jump (slide.c). */
void sb_slide_eval(const sb_data *d, const sb_operation *op, const sb_signal_node *s, int node, int order);
void sb_slide_partials(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int node);

#if SB_LANES > 1

/* A node whose operation is not written for lanes: its jet and, with order 1, its partial derivatives into d->part. */
SB_HOT void sb_signal_each(sb_data *d, const sb_signal_node *s, int node, int order);

#endif

/* Whether second and third time derivatives are looked at where a segment begins alone: only prescribed motions and
 * rates of signals follow them. */
static inline int sb_signals_have_low_jets(const sb_model *m)
{
    int low = m->n_motion == 0;
    for (int i = 0; i < m->n_signal && low; ++i) {
        low = m->signal_op[i] != SB_SIGNAL_RATE;
    }
    return low;
}

/* The nodes that change within the segment: values alone (order 0), or with time derivatives and gradients (1). */
SB_HOT void sb_signals_eval(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, int order);

/* One of them; parameters of laws that are signals. */
SB_HOT void sb_signal_eval(const sb_model *m, sb_data *d, int node, sb_real t, const sb_real *x, int order);
SB_HOT void sb_signals_set_parameters(const sb_model *m, sb_data *d);

/* Their values alone; of straight lines in time from the start of the segment on. */
void sb_signals_value(const sb_model *m, sb_data *d, double t, const double *x);

/* Of these, the nodes that depend on unknowns; the others stay. */
void sb_signals_follow(const sb_model *m, sb_data *d, double t, const double *x, int order);

/* Total time derivative of a node, after an evaluation of order 1. */
SB_HOT sb_real sb_signal_rate(const sb_model *m, const sb_data *d, int node, const sb_real *rate);

/* What unknowns of their nominal sizes make of a node, after the same. */
double sb_signal_spread(const sb_model *m, const sb_data *d, int node);

/* Event functions of the nodes; the branches behind those that fired, and of what follows from them. */
void sb_signal_events(const sb_model *m, const sb_data *d, double *value);

/* After speeds have jumped: signals whose operands are beyond a kink take the branch that holds there, one after the
 * other in the order of evaluation. What jumps waits for its event. */
void sb_signals_pass_kinks(const sb_model *m, sb_data *d, double t, const double *x);

/* Bands of these event functions at x, after an evaluation of order 1: what the run's error control leaves open of an
 * operand where the signal kinks, rounding where it jumps. `kink` says which is which. */
void sb_signal_bands(const sb_model *m, const sb_data *d, const double *x, const double *rate, double *band, int *kink);
void sb_signal_cross(const sb_model *m, sb_data *d, double t, const double *x, const int *fired);

/* A jump that is crossed back and forth without end is replaced by a steep line through a layer as thin as the run's
 * error control allows, until the operand leaves it: the machine slides along the jump (A. F. Filippov: Differential
 * Equations with Discontinuous Righthand Sides, 1988). `event` counts among the event functions of signals. */
void sb_signal_slide(const sb_model *m, sb_data *d, double t, const double *x, int event);

/* What slides along a jump leaves it where the branch that it has reached drives it on; beyond the edge of its layer by
 * an error of the run, it is driven back, into a layer that is twice as wide. slide: whether some do. try_leave: takes
 * that branch for all that are beyond, or whose event is in `fired` (or NULL), and is taken out of it; whether there
 * are some. leave: with the rates that follow, whether some stay there. After an evaluation at (t, x). */
int sb_signals_slide(const sb_model *m, const sb_data *d);
int sb_signals_try_leave(const sb_model *m, sb_data *d, double t, const double *x, int *fired);
int sb_signals_leave(const sb_model *m, sb_data *d, double t, const double *x, const double *rate);

/* The first node that is not a finite number becomes the culprit, if there is one. */
void sb_blame_signal(const sb_model *m, sb_data *d);

/* Starts the memory of all nodes at (t, x). */
void sb_signals_start(const sb_model *m, sb_data *d, double t, const double *x);

/* Goes on with the segment that the fields of d describe; move: with a new one at t, of a clock that was at d->t, and
 * perhaps with other data of the nodes. */
void sb_signals_resume(const sb_model *m, sb_data *d);
void sb_signals_move(const sb_model *m, sb_data *d, double t);

/* Number of prescribed positions that are set from outside. */
int sb_signals_courses(const sb_model *m);

/* At the start of a task from t to t + h: inputs from outside that are courses of positions set off from where they are
 * to the positions set for its end, with a constant speed; the next segment sees it. 1 if one of them moves, or
 * did in the task before. */
int sb_signals_aim(const sb_model *m, sb_data *d, double t, double h);

/* A point of the accepted solution, for nodes that look back: within a smooth stretch, or on the two sides of an event.
 */
typedef enum sb_place { SB_WITHIN, SB_BEFORE_EVENT, SB_AFTER_EVENT } sb_place;
sb_status sb_signals_remember(const sb_model *m, sb_data *d, double t, const double *x, const double *rate,
                              sb_place place);

/* The memory of a delay: two numbers (first entry, how many), then a ring of (time, value, slope, age). A corner has
 * two entries at its time. Its age counts the delays that it has come through: every loop contains a state, which makes
 * the corner rounder, until it is no longer noticeable. */
enum { SB_DELAY_HEAD = 2, SB_DELAY_ENTRY = 4, SB_DELAY_SPARE = 8, SB_DELAY_MOST_POINTS = 100000000, SB_OLD_CORNER = 6 };

/* What the files of operations share, which signals.c calls. */

extern const sb_operation sb_op_constant, sb_op_step, sb_op_ramp, sb_op_sine, sb_op_table, sb_op_hold, sb_op_chirp,
    sb_op_pulse;
SB_HOT_DATA const sb_operation sb_op_rate, sb_op_sensor, sb_op_sum, sb_op_product, sb_op_quotient, sb_op_sqrt,
    sb_op_exp, sb_op_log, sb_op_sin, sb_op_cos, sb_op_tanh, sb_op_atan, sb_op_polynomial;
extern const sb_operation sb_op_pair, sb_op_pair_sum, sb_op_pair_product, sb_op_pair_quotient;
extern const sb_operation sb_op_power, sb_op_piecewise, sb_op_map, sb_op_switch, sb_op_relay, sb_op_quantise;
extern const sb_operation sb_op_sample, sb_op_delay, sb_op_external;

/* Values of some that follow a branch, and their partial derivatives (signal_eval.c). */
SB_HOT void sb_step_eval(const sb_signal_node *s, int order);
SB_HOT void sb_ramp_eval(const sb_signal_node *s, int order);
SB_HOT void sb_sine_eval(const sb_signal_node *s, int order);
SB_HOT void sb_piecewise_eval(const sb_signal_node *s, int order);
SB_HOT void sb_piecewise_partials(const sb_signal_node *s, sb_real *part);
SB_HOT void sb_switch_eval(const sb_signal_node *s, int order);
SB_HOT void sb_switch_partials(const sb_signal_node *s, sb_real *part);

enum { SB_SENSOR_HEAD = 2 }; /* data of a sensor before its coefficients */

/* A new entry of a delay; those before the last one older than `oldest` are forgotten. */
/* The memory of an input that is the course of a position, for a task of h from t on; 1 if it moves, or did. */
int sb_external_aim(double *memory, double t, double h);

sb_status sb_delay_append(const sb_signal_node *s, double oldest, double time, double value, double slope,
                          sb_place place, int age);

/* Jet of f(u(t)) from the derivatives of f at u and the jet of u. */
static inline void sb_chain(const sb_real *f, const sb_real *u, int order, sb_real *y)
{
    y[0] = f[0];
    if (order > 0) {
        y[1] = f[1] * u[1];
    }
    if (order > 1) {
        y[2] = f[2] * u[1] * u[1] + f[1] * u[2];
        y[3] = f[3] * u[1] * u[1] * u[1] + 3.0 * f[2] * u[1] * u[2] + f[1] * u[3];
    }
}

/* Evaluation and partial derivative of a function of one operand: name##_at(s, u, f) gives its value and three
 * derivatives. */
#define SB_SIGNAL_FUNCTION(name)                                        \
    static void name##_eval(const sb_signal_node *s, int order)         \
    {                                                                   \
        sb_real f[SB_JET];                                              \
        const sb_real *u = sb_operand(s, 0);                            \
        name##_at(s, u[0], f);                                          \
        sb_chain(f, u, order, s->jet);                                  \
    }                                                                   \
    static void name##_partials(const sb_signal_node *s, sb_real *part) \
    {                                                                   \
        sb_real f[SB_JET];                                              \
        name##_at(s, sb_operand(s, 0)[0], f);                           \
        part[0] = f[1];                                                 \
    }

#if SB_LANES == 1

/* How many of n ascending numbers are not above x. */
static inline int sb_count_below(int n, const double *numbers, double x)
{
    int low = 0;
    int high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (numbers[middle] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A branch is left for another one only if u lies outside of it by more than the band of its event functions or
 * rounding: what was located stays. */
static inline int sb_outside(const sb_signal_node *s, double u, double low, double high)
{
    const double rounding = SB_SIGNAL_ROUNDING * (u < 0.0 ? -u : u);
    const double slack = s->band[0] > rounding ? s->band[0] : rounding;
    return u < low - slack || u > high + slack;
}

#endif

#endif
