#include <stddef.h>

#include "sb_tape.h"
#include "signals/sb_signals.h"

/* Tapes: the operations of signals on plain numbers. */

enum { MOST_OPERANDS = 2 };

/* Operations that depend on their operands only. A power has a branch, which is always 0 here. */
static int is_formula(const sb_operation *op)
{
    return op->partials && !op->n_memory && !op->shows_past && !op->branch && (op->n_guard == 0 || op == &sb_op_power);
}

static sb_signal_node node_of(const sb_tape *t, int i, double *work, int *branch)
{
    sb_signal_node s = {0};
    s.p = t->data + t->ptr[i];
    s.n_data = t->ptr[i + 1] - t->ptr[i];
    s.in = t->in + t->in_ptr[i];
    s.n_in = t->in_ptr[i + 1] - t->in_ptr[i];
    s.jets = work;
    s.jet = work ? work + SB_JET * (t->n_input + i) : NULL;
    s.branch = branch;
    return s;
}

static int ascends(int n, const int *ptr, int end)
{
    for (int i = 0; i < n; ++i) {
        if (ptr[i + 1] < ptr[i]) {
            return 0;
        }
    }
    return ptr[0] == 0 && ptr[n] == end;
}

static int within(int n, const int *numbers, int most)
{
    for (int i = 0; i < n; ++i) {
        if (numbers[i] < 0 || numbers[i] >= most) {
            return 0;
        }
    }
    return 1;
}

static int node_ok(const sb_tape *t, int i)
{
    if (t->op[i] < 0 || t->op[i] >= SB_N_SIGNAL_OPS) {
        return 0;
    }
    const sb_operation *op = sb_operation_of(t->op[i]);
    int branch = 0;
    const sb_signal_node s = node_of(t, i, NULL, &branch);
    if (t->op[i] == SB_SIGNAL_CONSTANT) {
        return s.n_data == 1 && s.n_in == 0;
    }
    return is_formula(op) && (op->n_in == SB_ANY || op->n_in == s.n_in) && s.n_in <= MOST_OPERANDS && op->ok(&s) &&
           within(s.n_in, s.in, t->n_input + i);
}

sb_status sb_tape_check(const sb_tape *t)
{
    const int n = t->n_input + t->n_node;
    int ok = ascends(t->n_node, t->ptr, t->n_data) && ascends(t->n_node, t->in_ptr, t->n_in) &&
             within(t->n_guard, t->guard_relation, SB_EQUAL + 1) && within(t->n_guard, t->guard_left, n) &&
             within(t->n_guard, t->guard_right, n) && within(t->n_guard, t->guard_holds, 2) &&
             within(t->n_out, t->out_node, n) && within(t->n_out, t->out_place, t->n_value);
    for (int i = 0; ok && i < t->n_node; ++i) {
        ok = node_ok(t, i);
    }
    return ok ? SB_OK : SB_BAD_MODEL;
}

int sb_tape_work(const sb_tape *t)
{
    return SB_JET * (t->n_input + t->n_node);
}

static int holds(int relation, double a, double b)
{
    switch ((sb_relation)relation) {
    case SB_LESS:
        return a < b;
    case SB_AT_MOST:
        return a <= b;
    case SB_EQUAL:
        return a == b;
    }
    return 0;
}

/* All registers, or those that are marked. */
static int run(const sb_tape *t, const int *marked, const double *input, double *work)
{
    int branch = 0;
    for (int i = 0; i < t->n_input; ++i) {
        work[SB_JET * i] = input[i];
    }
    for (int i = 0; i < t->n_node; ++i) {
        if (marked && !marked[t->n_input + i]) {
            continue;
        }
        const sb_signal_node s = node_of(t, i, work, &branch);
        if (t->op[i] == SB_SIGNAL_CONSTANT) {
            s.jet[0] = s.p[0];
        } else {
            sb_operation_of(t->op[i])->eval(&s, 0);
        }
    }
    for (int k = 0; k < t->n_guard; ++k) {
        if (marked && !marked[t->guard_left[k]] && !marked[t->guard_right[k]]) {
            continue;
        }
        const double a = work[SB_JET * t->guard_left[k]];
        const double b = work[SB_JET * t->guard_right[k]];
        if (holds(t->guard_relation[k], a, b) != t->guard_holds[k]) {
            return k;
        }
    }
    return -1;
}

int sb_tape_run(const sb_tape *t, const double *input, double *work)
{
    return run(t, NULL, input, work);
}

void sb_tape_mark(const sb_tape *t, int *marked)
{
    for (int i = 0; i < t->n_node; ++i) {
        marked[t->n_input + i] = 0;
        for (int p = t->in_ptr[i]; p < t->in_ptr[i + 1]; ++p) {
            marked[t->n_input + i] |= marked[t->in[p]];
        }
    }
}

int sb_tape_run_marked(const sb_tape *t, const int *marked, const double *input, double *work)
{
    return run(t, marked, input, work);
}

void sb_tape_put(const sb_tape *t, const double *work, double *value)
{
    for (int k = 0; k < t->n_out; ++k) {
        value[t->out_place[k]] = work[SB_JET * t->out_node[k]];
    }
}

void sb_tape_slope(const sb_tape *t, double *work, const double *direction, double *along, double *value)
{
    int branch = 0;
    for (int i = 0; i < t->n_input; ++i) {
        along[i] = direction[i];
    }
    for (int i = 0; i < t->n_node; ++i) {
        const sb_signal_node s = node_of(t, i, work, &branch);
        double part[MOST_OPERANDS];
        double sum = 0.0;
        if (s.n_in > 0) {
            sb_operation_of(t->op[i])->partials(&s, part);
        }
        for (int j = 0; j < s.n_in; ++j) {
            sum += part[j] * along[s.in[j]];
        }
        along[t->n_input + i] = sum;
    }
    for (int k = 0; k < t->n_out; ++k) {
        value[t->out_place[k]] = along[t->out_node[k]];
    }
}
