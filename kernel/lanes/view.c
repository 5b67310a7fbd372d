#include <string.h>

#include "lanes/sb_lanes.h"
#include "model/sb_base.h"
#include "sb_group.h"
#include "signals/sb_signals.h"

/* Instants of one run side by side: its machine in all lanes. */

typedef struct view {
    const sb_wide *wide;
    void *memory;
    const sb_model *m;
    const sb_data *d;
} view;

static size_t aligned(size_t bytes)
{
    return (bytes + 63u) / 64u * 64u;
}

static size_t room(const sb_model *m, const sb_wide *wide)
{
    return (size_t)wide->lanes * (size_t)(1 + SB_N_X(m) + m->n_output) * sizeof(double);
}

size_t sb_view_size(const sb_model *m)
{
    const sb_wide *wide = sb_find_wide(m, NULL);
    return wide ? aligned(sizeof(view)) + aligned(sb_wide_size(wide, m)) + aligned(room(m, wide)) : 0;
}

/* All lanes are the one machine; only time and operands differ. */
static void signal_at_instant(void *group, int lane, int node, double t, int order, int partials,
                              const double *operands, double *jet, double *part)
{
    (void)lane;
    const view *v = group;
    double jets[SB_JET * 64];
    int in[64];
    const sb_operation *op = sb_signal_operation(v->m, node);
    sb_signal_node s = sb_signal_node_of(v->m, v->d, node, t, NULL);
    for (int j = 0; j < s.n_in; ++j) {
        sb_copy(jets + SB_JET * j, operands + SB_JET * j, SB_JET);
        in[j] = j;
    }
    s.in = in;
    s.jets = jets;
    s.jet = jet;
    op->eval(&s, order);
    for (int j = 0; j < s.n_in && partials; ++j) {
        part[j] = 0.0;
    }
    if (partials && op->partials) {
        op->partials(&s, part);
    }
}

static void flow_at_instant(void *group, int lane, int friction, const double *param, double v, const double *z,
                            double *out, double *jac)
{
    (void)lane;
    const sb_law *law = sb_law_of(((const view *)group)->m, friction);
    if (jac) {
        law->flow_jac(law, param, v, z, out, jac);
    } else {
        law->flow(law, param, v, z, out);
    }
}

static double storage_at_instant(void *group, int lane, int friction, const double *param, const double *z,
                                 double *grad)
{
    (void)lane;
    const sb_law *law = sb_law_of(((const view *)group)->m, friction);
    return law->storage(law, param, z, grad);
}

static double breakaway_at_instant(void *group, int lane, int friction, const double *param, const double *z)
{
    (void)lane;
    const sb_law *law = sb_law_of(((const view *)group)->m, friction);
    return law->breakaway(law, param, z);
}

static void show(sb_viewer *viewer, const sb_model *m, const sb_data *d, int n)
{
    view *v = viewer->view;
    if (v->m != m || v->d != d || viewer->stale == SB_OTHER_VALUES) {
        v->m = m;
        v->d = d;
        viewer->stale = SB_OTHER_STATE;
        sb_wide_load(v->wide, v->memory, -1, m);
    }
    if (viewer->stale) {
        sb_wide_push(v->wide, v->memory, -1, m, d);
        v->wide->activate(v->memory, d->n_active, d->signal_active, d->n_stuck);
        viewer->stale = 0;
    }
    v->wide->view(v->memory, n, viewer->t, viewer->x, viewer->output);
}

void sb_view_bind(const sb_model *m, sb_viewer *viewer, void *memory)
{
    view *v = memory;
    char *next = (char *)memory + aligned(sizeof *v);
    *v = (view){sb_find_wide(m, NULL), next, NULL, NULL};
    const sb_bridge bridge = {v, signal_at_instant, flow_at_instant, storage_at_instant, breakaway_at_instant, NULL};
    sb_wide_begin(v->wide, v->memory, m, &bridge);
    next += aligned(sb_wide_size(v->wide, m));
    const size_t lanes = (size_t)v->wide->lanes;
    *viewer = (sb_viewer){.view = v, .lanes = v->wide->lanes, .stale = SB_OTHER_VALUES, .show = show};
    viewer->t = (void *)next;
    viewer->x = viewer->t + lanes;
    viewer->output = viewer->x + lanes * (size_t)SB_N_X(m);
}
