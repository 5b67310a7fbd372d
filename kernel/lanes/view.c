#include "lanes/sb_lanes.h"
#include "sb_group.h"

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
    return (size_t)wide->lanes * (size_t)(2 + SB_N_X(m) + m->n_output + SB_N_LEDGER(m)) * sizeof(double) +
           (size_t)m->n_output * sizeof(int);
}

size_t sb_view_size(const sb_model *m)
{
    const sb_wide *wide = sb_find_wide(m, NULL);
    return wide ? aligned(sizeof(view)) + aligned(sb_wide_size(wide, m)) + aligned(room(m, wide)) : 0;
}

static sb_machine shown_machine(void *owner, int lane)
{
    const view *v = owner;
    (void)lane;
    return (sb_machine){v->m, v->d};
}

/* The machine in all lanes. */
static const view *refresh(sb_viewer *viewer, const sb_model *m, const sb_data *d)
{
    view *v = viewer->view;
    if (v->m != m || v->d != d || viewer->stale == SB_OTHER_VALUES) {
        v->m = m;
        v->d = d;
        viewer->stale = SB_OTHER_STATE;
        sb_wide_load(v->wide, v->memory, -1, m);
    }
    if (viewer->stale) {
        sb_wide_push(v->wide, v->memory, -1, m, d, ~0);
        v->wide->activate(v->memory, d->n_active, d->signal_active, d->n_stuck);
        viewer->stale = 0;
    }
    return v;
}

static void show(sb_viewer *viewer, const sb_model *m, const sb_data *d, int n, double *output, size_t stride)
{
    const view *v = refresh(viewer, m, d);
    const sb_shown what = {n, output, stride, d->ext_min, d->ext_max, viewer->extremes ? viewer->beyond : NULL};
    v->wide->view(v->memory, &what, viewer->t, viewer->x);
}

static void show_step(sb_viewer *viewer, const sb_model *m, const sb_data *d, int n, int nodes, double *output,
                      size_t stride)
{
    const view *v = refresh(viewer, m, d);
    const sb_shown what = {n, output, stride, d->ext_min, d->ext_max, viewer->extremes ? viewer->beyond : NULL};
    const sb_step_shown step = {d->t, d->h_step, d->x, d->x_new, d->dense};
    v->wide->view_step(v->memory, &what, &step, viewer->theta, nodes ? viewer->power : NULL);
}

void sb_view_bind(const sb_model *m, sb_viewer *viewer, void *memory)
{
    view *v = memory;
    char *next = (char *)memory + aligned(sizeof *v);
    *v = (view){sb_find_wide(m, NULL), next, NULL, NULL};
    const sb_bridge bridge = {v, shown_machine, NULL, NULL};
    sb_wide_begin(v->wide, v->memory, m, &bridge);
    next += aligned(sb_wide_size(v->wide, m));
    const size_t lanes = (size_t)v->wide->lanes;
    *viewer =
        (sb_viewer){.view = v, .lanes = v->wide->lanes, .stale = SB_OTHER_VALUES, .show = show, .show_step = show_step};
    viewer->t = (void *)next;
    viewer->theta = viewer->t + lanes;
    viewer->x = viewer->theta + lanes;
    viewer->output = viewer->x + lanes * (size_t)SB_N_X(m);
    viewer->power = viewer->output + lanes * (size_t)m->n_output;
    viewer->beyond = (void *)(viewer->power + lanes * (size_t)SB_N_LEDGER(m));
}
