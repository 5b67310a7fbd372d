#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "signals/sb_signals.h"

/* Sliding along a jump: a node that would cross its threshold back and forth without end follows a steep line between
 * its two branches, through a thin layer about the threshold. */

enum { MOST_GUARDS = 4 }; /* event functions of one node */

/* A node that slides along a jump: its two branches, and where it is between them, from 0 in the present one to 1
 * beyond the jump; `steep` is how that changes with the operand. */
typedef struct layer {
    int guard, operand; /* the event function, and its operand among those of the node */
    double share, steep;
} layer;

double sb_guard_of(const sb_operation *op, const sb_signal_node *s, int guard)
{
    double g[MOST_GUARDS];
    op->guards(s, g);
    return g[guard];
}

static layer layer_of(const sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    layer l;
    l.guard = d->signal_slides[i] - 1;
    l.operand = op->n_in > 1 ? l.guard / 2 : 0; // a map has a pair of guards for each operand
    l.share = 0.5 * (1.0 - sb_guard_of(op, s, l.guard) / d->signal_layer[i]);
    l.steep = (op->rises(s, l.guard) ? -0.5 : 0.5) / d->signal_layer[i];
    return l;
}

/* Into the branch beyond the jump, and back. */
static void go_over(const sb_operation *op, const sb_signal_node *s, int guard)
{
    op->cross(s, guard);
}

static void come_back(const sb_operation *op, const sb_signal_node *s, int guard)
{
    op->cross(s, op->n_guard == 1 ? guard : guard ^ 1);
}

void sb_slide_eval(const sb_data *d, const sb_operation *op, const sb_signal_node *s, int i, int order)
{
    double here[SB_JET];
    const layer l = layer_of(d, op, s, i);
    op->eval(s, order);
    sb_copy(here, s->jet, order + 1);
    go_over(op, s, l.guard);
    op->eval(s, order);
    come_back(op, s, l.guard);
    const double jump = s->jet[0] - here[0];
    s->jet[0] = here[0] + l.share * jump;
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = here[k] + l.share * (s->jet[k] - here[k]) + l.steep * sb_operand(s, l.operand)[k] * jump;
    }
}

void sb_slide_partials(const sb_model *m, sb_data *d, const sb_operation *op, const sb_signal_node *s, int i)
{
    double here[2] = {0.0, 0.0};
    double there[2] = {0.0, 0.0};
    const layer l = layer_of(d, op, s, i);
    const double now = s->jet[0];
    op->eval(s, 0);
    const double value = s->jet[0];
    if (op->partials) {
        op->partials(s, here);
    }
    go_over(op, s, l.guard);
    op->eval(s, 0);
    const double jump = s->jet[0] - value;
    if (op->partials) {
        op->partials(s, there);
    }
    come_back(op, s, l.guard);
    s->jet[0] = now;
    for (int j = 0; j < m->signal_in_ptr[i + 1] - m->signal_in_ptr[i]; ++j) {
        d->part[j] = here[j] + l.share * (there[j] - here[j]) + (j == l.operand ? l.steep * jump : 0.0);
    }
}

int sb_signals_slide(const sb_model *m, const sb_data *d)
{
    int any = 0;
    for (int i = 0; i < m->n_signal; ++i) {
        any |= d->signal_slides[i];
    }
    return any;
}

int sb_signals_try_leave(const sb_model *m, sb_data *d, double t, const double *x, int *fired)
{
    int any = 0;
    for (int i = 0; i < m->n_signal; ++i) {
        d->signal_tries[i] = 0;
        if (!d->signal_slides[i]) {
            continue;
        }
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        const layer l = layer_of(d, op, &s, i);
        const int at_edge = fired && fired[m->signal_guard[i] + l.guard];
        if (at_edge || l.share < 0.0 || l.share > 1.0) {
            d->signal_tries[i] = l.share > 0.5 ? d->signal_slides[i] : -d->signal_slides[i];
            d->signal_slides[i] = 0;
            any = 1;
            if (l.share > 0.5) {
                go_over(op, &s, l.guard);
            }
        }
        if (at_edge) {
            fired[m->signal_guard[i] + l.guard] = 0;
        }
    }
    return any;
}

int sb_signals_leave(const sb_model *m, sb_data *d, double t, const double *x, const double *rate)
{
    int any = 0;
    sb_signals_eval(m, d, t, x, 1);
    for (int i = 0; i < m->n_signal; ++i) {
        if (d->signal_tries[i] == 0) {
            continue;
        }
        const sb_operation *op = sb_signal_operation(m, i);
        const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
        const int over = d->signal_tries[i] > 0;
        d->signal_slides[i] = over ? d->signal_tries[i] : -d->signal_tries[i];
        if (over) {
            come_back(op, &s, d->signal_slides[i] - 1);
        }
        const layer l = layer_of(d, op, &s, i);
        const double along = l.steep * sb_signal_rate(m, d, s.in[l.operand], rate); // positive: further over
        const double widest = SB_WIDEST_LAYER * d->tolerance * sb_signal_spread(m, d, s.in[l.operand]);
        const int jumped = l.share < -1.0 || l.share > 2.0; // further out than any error of the run
        if (jumped || (over ? along > 0.0 : along < 0.0) || d->signal_layer[i] > widest) {
            any = 1;
            d->signal_slides[i] = 0;
            if (over) {
                go_over(op, &s, l.guard);
            }
        } else {
            d->signal_layer[i] *= 2.0;
        }
    }
    sb_signals_eval(m, d, t, x, 1);
    return any;
}

void sb_signal_slide(const sb_model *m, sb_data *d, double t, const double *x, int event)
{
    int i = 0;
    while (i + 1 < m->n_signal && m->signal_guard[i + 1] <= event) {
        ++i;
    }
    const sb_operation *op = sb_signal_operation(m, i);
    const sb_signal_node s = sb_signal_node_of(m, d, i, t, x);
    const int guard = event - m->signal_guard[i];
    const double spread = sb_signal_spread(m, d, s.in[op->n_in > 1 ? guard / 2 : 0]);
    if (s.n_col > 0 && op->rises && !d->signal_slides[i]) {
        d->signal_slides[i] = 1 + guard;
        d->signal_layer[i] = sb_max(SB_LAYER_SHARE * d->tolerance, SB_SLIP_ZERO) * spread;
    }
    sb_signals_eval(m, d, t, x, 1);
}
