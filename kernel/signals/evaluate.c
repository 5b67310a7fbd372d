#include "model/sb_base.h"
#include "signals/sb_signals.h"

/* Values of the nodes that change, one after the other, with their gradients. */

static sb_real *gradient_of(const sb_model *m, sb_data *d, int i)
{
    return d->local + m->signal_local + m->grad_ptr[i];
}

#if SB_LANES == 1

static void eval_node(sb_data *d, const sb_operation *op, const sb_signal_node *s, int i, int order)
{
    if (d->signal_slides[i]) {
        sb_slide_eval(d, op, s, i, order);
    } else {
        op->eval(s, order);
    }
}

/* Partial derivatives by the operands into d->part; whether it has some. */
static int find_partials(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    if (d->signal_slides[i]) {
        sb_slide_partials(m, d, op, s, i);
    } else if (op->partials) {
        op->partials(s, d->part);
    } else {
        return 0;
    }
    return 1;
}

#else

/* What is not written for lanes is evaluated for one after the other, with its partial derivatives. */
static void eval_node(sb_data *d, const sb_operation *op, const sb_signal_node *s, int i, int order)
{
    if (op) {
        op->eval(s, order);
    } else {
        sb_signal_each(d, s, i, order);
    }
}

static int find_partials(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    (void)m;
    (void)i;
    if (op && op->partials) {
        op->partials(s, d->part);
    }
    return !op || op->partials;
}

#endif

/* Gradient of a node from those of its operands. */
static void find_gradient(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    sb_real *grad = gradient_of(m, d, i);
    if (m->signal_op[i] == SB_SIGNAL_SENSOR) {
        sb_copy(grad, s->p + SB_SENSOR_HEAD, s->n_col);
        return;
    }
    for (int k = 0; k < s->n_col; ++k) {
        grad[k] = SB_R(0.0);
    }
    if (!find_partials(m, d, op, s, i)) {
        return;
    }
    for (int j = 0; j < s->n_in; ++j) {
        const int p = m->signal_in_ptr[i] + j;
        const sb_real *from = gradient_of(m, d, s->in[j]);
        for (int k = m->grad_map_ptr[p]; k < m->grad_map_ptr[p + 1]; ++k) {
            grad[m->grad_map[k]] += d->part[j] * from[k - m->grad_map_ptr[p]];
        }
    }
}

SB_HOT void sb_signal_eval(const sb_model *m, sb_data *d, int i, sb_real t, const sb_real *x, int order)
{
    const sb_operation *op = sb_operation_of(m->signal_op[i]);
    const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
    const int most = s.n_col > 0 ? order : order == 0 && d->low_jets ? 1 : SB_JET - 1;
    eval_node(d, op, &s, i, most);
    if (order > 0 && s.n_col > 0) {
        find_gradient(m, d, op, &s, i);
    }
}

SB_HOT void sb_signals_set_parameters(const sb_model *m, sb_data *d)
{
    for (int i = 0; i < m->n_vary; ++i) {
        d->param[m->vary_param[i]] = d->jet[SB_JET * m->vary_signal[i]];
    }
}

SB_HOT void sb_signals_eval(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, int order)
{
    for (int k = 0; k < d->n_active; ++k) {
        sb_signal_eval(m, d, d->signal_active[k], t, x, order);
    }
    sb_signals_set_parameters(m, d);
}

SB_HOT sb_real sb_signal_rate(const sb_model *m, const sb_data *d, int node, const sb_real *rate)
{
    const sb_real *grad = d->local + m->signal_local + m->grad_ptr[node];
    sb_real sum = d->jet[SB_JET * node + 1];
    for (int k = m->grad_ptr[node]; k < m->grad_ptr[node + 1]; ++k) {
        sum += grad[k - m->grad_ptr[node]] * rate[m->grad_col[k]];
    }
    return sum;
}
