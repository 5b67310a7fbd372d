#include <math.h>
#include <stddef.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

/* The list of nodes: evaluation in order, gradients, branches, segments between the breaks in time. */

static const char *const NAMES[] = {
#define X(op) #op,
    SB_SIGNAL_OPS(X)
#undef X
};

static const sb_operation *const OPERATIONS[SB_N_SIGNAL_OPS] = {
    [SB_SIGNAL_CONSTANT] = &sb_op_constant,
    [SB_SIGNAL_STEP] = &sb_op_step,
    [SB_SIGNAL_RAMP] = &sb_op_ramp,
    [SB_SIGNAL_SINE] = &sb_op_sine,
    [SB_SIGNAL_TABLE] = &sb_op_table,
    [SB_SIGNAL_CHIRP] = &sb_op_chirp,
    [SB_SIGNAL_PULSE] = &sb_op_pulse,
    [SB_SIGNAL_HOLD] = &sb_op_hold,
    [SB_SIGNAL_RATE] = &sb_op_rate,
    [SB_SIGNAL_SENSOR] = &sb_op_sensor,
    [SB_SIGNAL_SUM] = &sb_op_sum,
    [SB_SIGNAL_PRODUCT] = &sb_op_product,
    [SB_SIGNAL_QUOTIENT] = &sb_op_quotient,
    [SB_SIGNAL_SQRT] = &sb_op_sqrt,
    [SB_SIGNAL_EXP] = &sb_op_exp,
    [SB_SIGNAL_LOG] = &sb_op_log,
    [SB_SIGNAL_SIN] = &sb_op_sin,
    [SB_SIGNAL_COS] = &sb_op_cos,
    [SB_SIGNAL_TANH] = &sb_op_tanh,
    [SB_SIGNAL_ATAN] = &sb_op_atan,
    [SB_SIGNAL_POWER] = &sb_op_power,
    [SB_SIGNAL_POLYNOMIAL] = &sb_op_polynomial,
    [SB_SIGNAL_PIECEWISE] = &sb_op_piecewise,
    [SB_SIGNAL_MAP] = &sb_op_map,
    [SB_SIGNAL_SWITCH] = &sb_op_switch,
    [SB_SIGNAL_RELAY] = &sb_op_relay,
    [SB_SIGNAL_QUANTISE] = &sb_op_quantise,
    [SB_SIGNAL_SAMPLE] = &sb_op_sample,
    [SB_SIGNAL_DELAY] = &sb_op_delay,
    [SB_SIGNAL_EXTERNAL] = &sb_op_external,
    [SB_SIGNAL_PAIR] = &sb_op_pair,
    [SB_SIGNAL_PAIR_SUM] = &sb_op_pair_sum,
    [SB_SIGNAL_PAIR_PRODUCT] = &sb_op_pair_product,
    [SB_SIGNAL_PAIR_QUOTIENT] = &sb_op_pair_quotient,
};

const char *sb_signal_name(int op)
{
    return op >= 0 && op < SB_N_SIGNAL_OPS ? NAMES[op] : NULL;
}

int sb_signal_n_guard(int op)
{
    return OPERATIONS[op]->n_guard;
}

int sb_signal_shows_past(int op)
{
    return OPERATIONS[op]->shows_past;
}

int sb_signal_n_memory(int op, const double *data)
{
    return OPERATIONS[op]->n_memory ? OPERATIONS[op]->n_memory(data) : 0;
}

const sb_operation *sb_operation_of(int op)
{
    return OPERATIONS[op];
}

const sb_operation *sb_signal_operation(const sb_model *m, int i)
{
    return OPERATIONS[m->signal_op[i]];
}

static int gradients_ok(const sb_model *m, int i)
{
    for (int p = m->signal_in_ptr[i]; p < m->signal_in_ptr[i + 1]; ++p) {
        const int from = m->signal_in[p];
        const int any = sb_signal_shows_past(m->signal_op[i]); // what a later node was
        if (from < 0 || from >= (any ? m->n_signal : i)) {
            return 0;
        }
        const int mapped = m->grad_map_ptr[p + 1] - m->grad_map_ptr[p];
        if (mapped != 0 && mapped != m->grad_ptr[from + 1] - m->grad_ptr[from]) {
            return 0;
        }
        for (int k = m->grad_map_ptr[p]; k < m->grad_map_ptr[p + 1]; ++k) {
            if (m->grad_map[k] < 0 || m->grad_map[k] >= m->grad_ptr[i + 1] - m->grad_ptr[i]) {
                return 0;
            }
        }
    }
    return 1;
}

static int starts_ok(int n, const int *ptr, int end)
{
    for (int i = 0; i < n; ++i) {
        if (ptr[i + 1] < ptr[i]) {
            return 0;
        }
    }
    return ptr[0] == 0 && ptr[n] == end;
}

/* Every node has a known operation, operands before it and the data that it needs. */
int sb_signals_ok(const sb_model *m)
{
    if (!starts_ok(m->n_signal, m->signal_ptr, m->n_signal_data) ||
        !starts_ok(m->n_signal, m->signal_in_ptr, m->n_signal_in) ||
        !starts_ok(m->n_signal, m->signal_memory_ptr, m->n_signal_memory) ||
        !starts_ok(m->n_signal, m->grad_ptr, m->n_grad) || !starts_ok(m->n_signal_in, m->grad_map_ptr, m->n_grad_map) ||
        m->signal_local < 0 || m->signal_local + m->n_grad > m->n_local) {
        return 0;
    }
    int guards = 0;
    for (int i = 0; i < m->n_signal; ++i) {
        const int op = m->signal_op[i];
        if (op < 0 || op >= SB_N_SIGNAL_OPS || m->signal_guard[i] != guards) {
            return 0;
        }
        sb_signal_node s = {0};
        sb_signal_shape(m, i, &s);
        const sb_operation *o = OPERATIONS[op];
        guards += o->n_guard;
        if ((o->n_in != SB_ANY && o->n_in != s.n_in) || !o->ok(&s) || s.n_memory != sb_signal_n_memory(op, s.p) ||
            !gradients_ok(m, i)) {
            return 0;
        }
    }
    return guards == m->n_signal_guard;
}

void sb_signals_value(const sb_model *m, sb_data *d, double t, const double *x)
{
    const double since = t - d->t_segment;
    for (int k = 0; k < d->n_line; ++k) {
        const int i = d->line_node[k];
        d->jet[SB_JET * i] = d->line_start[i] + d->line_slope[i] * since;
    }
    for (int k = 0; k < d->n_curve; ++k) {
        const int i = d->curve_node[k];
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        if (d->signal_slides[i]) {
            sb_slide_eval(d, sb_signal_operation(m, i), &s, i, 0);
        } else {
            sb_signal_operation(m, i)->eval(&s, 0);
        }
    }
    sb_signals_set_parameters(m, d);
}

void sb_signals_follow(const sb_model *m, sb_data *d, double t, const double *x, int order)
{
    for (int k = 0; k < d->n_active; ++k) {
        const int i = d->signal_active[k];
        if (m->grad_ptr[i + 1] > m->grad_ptr[i]) {
            sb_signal_eval(m, d, i, t, x, order);
        }
    }
    sb_signals_set_parameters(m, d);
}

/* A node whose value may change within the segment. */
static int is_active(const sb_model *m, const sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    if (op->branch) {
        const double *jet = s->jet;
        return jet[1] != 0.0 || jet[2] != 0.0 || jet[3] != 0.0;
    }
    const int kind = m->signal_op[i];
    if (kind == SB_SIGNAL_EXTERNAL) {
        return s->jet[1] != 0.0;
    }
    if (kind == SB_SIGNAL_SENSOR || kind == SB_SIGNAL_DELAY) {
        return kind == SB_SIGNAL_DELAY || s->n_col > 0;
    }
    int active = 0;
    for (int j = 0; j < s->n_in && kind != SB_SIGNAL_SAMPLE; ++j) {
        active |= d->signal_on[s->in[j]];
    }
    return active;
}

/* A node that is a straight line in time within the segment: a function of time that is, or a sum or a product of
 * lines and of what stays the same. */
static int is_line(const sb_model *m, const sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    const int combines = m->signal_op[i] == SB_SIGNAL_SUM || m->signal_op[i] == SB_SIGNAL_PRODUCT;
    int line = (combines || (op->branch && !op->pace)) && s->jet[2] == 0.0 && s->jet[3] == 0.0;
    for (int j = 0; j < s->n_in; ++j) {
        line &= !d->signal_on[s->in[j]] || d->line_is[s->in[j]];
    }
    return line;
}

/* An active node among those that sb_signals_value evaluates. */
static void enlist(sb_data *d, int i)
{
    d->signal_active[d->n_active++] = i;
    if (d->line_is[i]) {
        d->line_node[d->n_line++] = i;
    } else {
        d->curve_node[d->n_curve++] = i;
    }
}

static void activate(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    d->line_is[i] = is_line(m, d, op, s, i);
    if (d->line_is[i]) {
        d->line_start[i] = s->jet[0];
        d->line_slope[i] = s->jet[1];
    }
    enlist(d, i);
    d->pace = op->pace ? sb_min(d->pace, op->pace(s->p)) : d->pace;
}

/* The branch that fits the operands; where it has changed at this very instant, rounding must not change it back. */
static void place(const sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    if (op->place && d->node_crossed[i] != s->t && !d->signal_slides[i]) {
        op->place(s);
    }
}

/* How many delays what breaks at t has come through; 0 if anything but a delay breaks. */
static int find_age(const sb_model *m, sb_data *d, double t, const double *x)
{
    int age = SB_OLD_CORNER;
    for (int i = 0; i < m->n_signal; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        if (op->age) {
            const int own = op->age(&s);
            age = own < age ? own : age;
        } else if (op->next_break && d->node_break[i] <= t) {
            return 0;
        }
    }
    return age;
}

void sb_begin_segment(const sb_model *m, sb_data *d, double t, const double *x)
{
    const double t_break = d->t_break;
    d->t_segment = t;
    d->t_break = INFINITY;
    d->n_active = d->n_line = d->n_curve = 0;
    d->pace = INFINITY;
    d->corner_age = t >= t_break ? find_age(m, d, t, x) : 0;
    for (int i = 0; i < m->n_signal; ++i) {
        if (sb_signal_operation(m, i)->foresee) {
            const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
            sb_signal_operation(m, i)->foresee(&s);
        }
    }
    for (int i = 0; i < m->n_signal; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        if (op->branch) {
            *s.branch = op->branch(s.p, t);
        }
        if (op->keep) {
            op->keep(&s);
        }
        place(d, op, &s, i);
        sb_signal_eval(m, d, i, t, x, 1);
        d->node_break[i] = op->next_break ? op->next_break(&s) : INFINITY;
        d->t_break = sb_min(d->t_break, d->node_break[i]);

        // a node whose derivatives vanish keeps its value throughout the segment
        d->signal_on[i] = is_active(m, d, op, &s, i);
        if (d->signal_on[i]) {
            activate(m, d, op, &s, i);
        }
    }
    sb_signals_set_parameters(m, d);
    sb_place_motions(m, d);
}

void sb_signals_start(const sb_model *m, sb_data *d, double t, const double *x)
{
    for (int i = 0; i < m->n_signal; ++i) {
        d->signal_branch[i] = -1;
        d->signal_slides[i] = 0;
        d->node_crossed[i] = -INFINITY;
    }
    for (int i = 0; i < m->n_signal_memory; ++i) {
        d->signal_memory[i] = 0.0;
    }
    d->low_jets = sb_signals_have_low_jets(m);
    sb_copy(d->param, m->fr_param, m->n_fr_param);
    sb_begin_segment(m, d, t, x);
}

void sb_signals_resume(const sb_model *m, sb_data *d)
{
    d->n_active = d->n_line = d->n_curve = 0;
    d->low_jets = sb_signals_have_low_jets(m);
    sb_copy(d->param, m->fr_param, m->n_fr_param);
    for (int i = 0; i < m->n_signal; ++i) {
        if (d->signal_on[i]) {
            enlist(d, i);
        }
    }
    sb_signals_set_parameters(m, d);
    sb_place_motions(m, d);
}

void sb_signals_move(const sb_model *m, sb_data *d, double t)
{
    const double by = t - d->t;
    sb_copy(d->param, m->fr_param, m->n_fr_param);
    for (int i = 0; i < m->n_signal; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        d->node_crossed[i] = -INFINITY;
        if (op->move) {
            const sb_signal_node s = sb_signal_node_of(m, d, i, t, d->x);
            op->move(&s, by);
        }
    }
    d->t_break = INFINITY;
    d->low_jets = sb_signals_have_low_jets(m);
    sb_begin_segment(m, d, t, d->x);
}

static int is_course(const sb_model *m, int motion)
{
    return m->motion_order[motion] == 0 && m->signal_op[m->motion_signal[motion]] == SB_SIGNAL_EXTERNAL;
}

int sb_signals_courses(const sb_model *m)
{
    int n = 0;
    for (int k = 0; k < m->n_motion; ++k) {
        n += is_course(m, k);
    }
    return n;
}

int sb_signals_aim(const sb_model *m, sb_data *d, double t, double h)
{
    int any = 0;
    for (int k = 0; k < m->n_motion; ++k) {
        const int i = m->motion_signal[k];
        if (is_course(m, k)) {
            any |= sb_external_aim(d->signal_memory + m->signal_memory_ptr[i], t, h);
        }
    }
    return any;
}

void sb_signal_events(const sb_model *m, const sb_data *d, double *value)
{
    for (int i = 0; i < m->n_signal && m->n_signal_guard > 0; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        if (op->n_guard > 0) {
            const sb_signal_node s = sb_signal_node_of(m, d, i, d->t, NULL);
            double *g = value + m->signal_guard[i];
            op->guards(&s, g);
            for (int j = 0; j < op->n_guard && d->signal_slides[i]; ++j) { // it may end at both edges of its layer
                g[j] = j == d->signal_slides[i] - 1 ? d->signal_layer[i] - fabs(g[j]) : 1.0;
            }
        }
    }
}

double sb_signal_spread(const sb_model *m, const sb_data *d, int node)
{
    const double *grad = d->local + m->signal_local + m->grad_ptr[node];
    double sum = 0.0;
    for (int k = m->grad_ptr[node]; k < m->grad_ptr[node + 1]; ++k) {
        sum += fabs(grad[k - m->grad_ptr[node]]) * m->x_nominal[m->grad_col[k]];
    }
    return sum;
}

void sb_signal_bands(const sb_model *m, const sb_data *d, const double *x, const double *rate, double *band, int *kink)
{
    for (int i = 0; i < m->n_signal && m->n_signal_guard > 0; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, d->t, x);
        for (int g = 0; g < op->n_guard; ++g) {
            const int operand = s.in[op->n_guard == 4 ? g / 2 : 0]; // a map has two
            const int bends = op->kinks && op->kinks(&s, g);
            if (d->signal_slides[i]) {
                kink[m->signal_guard[i] + g] = SB_KINK;
                band[m->signal_guard[i] + g] = SB_KINK_SHARE * d->signal_layer[i];
                continue;
            }
            const double share = bends ? sb_max(SB_KINK_SHARE * d->tolerance, SB_SLIP_ZERO) : SB_SLIP_ZERO;
            kink[m->signal_guard[i] + g] = !bends ? SB_JUMP : s.n_col > 0 ? SB_SOFT_KINK : SB_KINK;
            const double passed = fabs(sb_signal_rate(m, d, operand, rate)) * sb_time_band(d);
            band[m->signal_guard[i] + g] = sb_max(share * sb_signal_spread(m, d, operand), passed);
        }
    }
}

void sb_blame_signal(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_signal; ++i) {
        if (!isfinite(d->jet[SB_JET * i])) {
            d->culprit = (sb_culprit){SB_SIGNAL, i};
            return;
        }
    }
}

void sb_signal_cross(const sb_model *m, sb_data *d, double t, const double *x, const int *fired)
{
    for (int i = 0; i < m->n_signal; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        for (int g = 0; g < op->n_guard; ++g) {
            if (fired[m->signal_guard[i] + g]) {
                const double before = sb_guard_of(op, &s, g);
                if (op->place && before < -2.0 * s.band[g]) { // the operand has jumped, perhaps over several branches
                    op->place(&s);
                }
                if (sb_guard_of(op, &s, g) == before) {
                    op->cross(&s, g);
                }
                d->node_crossed[i] = t;
            }
        }
        place(d, op, &s, i);
        sb_signal_eval(m, d, i, t, x, 1);
    }
    sb_signals_set_parameters(m, d);
    sb_place_motions(m, d);
}

void sb_signals_pass_kinks(const sb_model *m, sb_data *d, double t, const double *x)
{
    for (int i = 0; i < m->n_signal; ++i) {
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        for (int g = 0; g < op->n_guard && op->place && op->kinks; ++g) {
            if (op->kinks(&s, g) && sb_guard_of(op, &s, g) < -2.0 * s.band[g]) {
                op->place(&s);
            }
        }
        sb_signal_eval(m, d, i, t, x, 1);
    }
    sb_signals_set_parameters(m, d);
}

sb_status sb_signals_remember(const sb_model *m, sb_data *d, double t, const double *x, const double *rate,
                              sb_place place)
{
    if (m->n_delay == 0) {
        return SB_OK;
    }
    sb_signals_eval(m, d, t, x, 1);
    for (int i = 0; i < m->n_signal; ++i) {
        if (m->signal_op[i] == SB_SIGNAL_DELAY) {
            const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
            const double slope = sb_signal_rate(m, d, s.in[0], rate);
            d->culprit = (sb_culprit){SB_SIGNAL, i};
            SB_TRY(sb_delay_append(&s, d->t - s.p[0], t, sb_operand(&s, 0)[0], slope, place, d->corner_age));
            const int seen = place == SB_AFTER_EVENT && d->corner_age < SB_OLD_CORNER;
            d->t_break = seen ? sb_min(d->t_break, t + s.p[0]) : d->t_break;
        }
    }
    return SB_OK;
}
