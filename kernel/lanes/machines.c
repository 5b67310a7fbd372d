#include "lanes/sb_lanes.h"

#include <string.h>

#include "model/sb_base.h"
#include "sb_group.h"
#include "signals/sb_signals.h"

/* Machines of one structure for the equations in lanes: which can use them, and what is passed on. */

enum { MOST_LAWS = 1024 };

static void list_arrays(const sb_model *m, const void **arrays)
{
    int n = 0;
#define X(type, name, length) arrays[n++] = m->name;
    SB_MODEL_ARRAYS(X)
#undef X
}

static void list_sizes(const sb_model *m, int *sizes)
{
#define X(name) *sizes++ = m->name;
    SB_MODEL_SIZES(X)
#undef X
}

static int laws_fit(const sb_model *m)
{
    for (int k = 0; k < m->n_friction; ++k) {
        if (m->n_friction > MOST_LAWS || m->fr_param_ptr[k + 1] - m->fr_param_ptr[k] > SB_MOST_LAW_PARAMETERS) {
            return 0;
        }
    }
    return 1;
}

static int signals_fit(const sb_model *m)
{
    for (int i = 0; i < m->n_signal; ++i) {
        if (m->signal_in_ptr[i + 1] - m->signal_in_ptr[i] > SB_MOST_OPERANDS) {
            return 0;
        }
    }
    return 1;
}

const char *sb_instructions(int number)
{
    for (const sb_wide *const *w = sb_wides; *w; ++w) {
        if ((*w)->runs() && number-- == 0) {
            return (*w)->instructions;
        }
    }
    return NULL;
}

const sb_wide *sb_find_wide(const sb_model *m, const char *instructions)
{
    const int alone = m->n_loss > 0 || m->n_heat > 0 || m->n_warm > 0 || m->n_pooled > 0 || m->n_jerk > 0 ||
                      m->n_delay > 0 || m->n_vary > 0;
    if (alone || !laws_fit(m) || !signals_fit(m)) {
        return NULL;
    }
    for (const sb_wide *const *w = sb_wides; *w; ++w) {
        if ((*w)->runs() && (!instructions || strcmp(instructions, (*w)->instructions) == 0)) {
            return *w;
        }
    }
    return NULL;
}

size_t sb_wide_size(const sb_wide *wide, const sb_model *m)
{
    int sizes[SB_MOST_ARRAYS];
    list_sizes(m, sizes);
    return wide->size(sizes);
}

static int number_of(const sb_law *law)
{
    return law >= sb_laws && law < sb_laws + sb_n_laws ? (int)(law - sb_laws) : -1;
}

/* The laws of a machine as lanes see them, and the rest of its structure. */
typedef struct structure {
    int sizes[SB_MOST_ARRAYS];
    const void *arrays[SB_MOST_ARRAYS];
    int law[MOST_LAWS];
    int shape[MOST_LAWS][3];
} structure;

static void describe(const sb_model *m, structure *s)
{
    list_sizes(m, s->sizes);
    list_arrays(m, s->arrays);
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *one = sb_law_of(m, k);
        s->law[k] = number_of(one);
        s->shape[k][0] = one->n_state;
        s->shape[k][1] = one->n_moving;
        s->shape[k][2] = one->separate |
                         (one->family == SB_LOCKING   ? 2
                          : one->family == SB_BRISTLE ? 4
                                                      : 0) |
                         8 * (int)one->lock;
    }
}

void sb_wide_begin(const sb_wide *wide, void *memory, const sb_model *m, const sb_bridge *bridge)
{
    structure s;
    describe(m, &s);
    wide->begin(memory, s.sizes, s.arrays, s.law, (const int (*)[3])s.shape, bridge);
}

size_t sb_wide_plants_size(const sb_wide *wide, const sb_model *m)
{
    int sizes[SB_MOST_ARRAYS];
    list_sizes(m, sizes);
    return wide->plants->size(sizes);
}

void sb_wide_plants_begin(const sb_wide *wide, void *memory, const sb_model *m, const sb_bridge *bridge)
{
    structure s;
    describe(m, &s);
    wide->plants->begin(memory, s.sizes, s.arrays, s.law, (const int (*)[3])s.shape, bridge);
}

void sb_wide_load(const sb_wide *wide, void *memory, int lane, const sb_model *m)
{
    const void *arrays[SB_MOST_ARRAYS];
    list_arrays(m, arrays);
    wide->load(memory, lane, arrays);
}

void sb_wide_push(const sb_wide *wide, void *memory, int lane, const sb_model *m, const sb_data *d, int parts)
{
    const double *start[64];
    const int *modes[16];
    int n = 0;
    (void)m;
#define X(name, length, part) start[n++] = d->name;
    SB_LANE_START(X)
#undef X
    n = 0;
#define X(name, length, part) modes[n++] = d->name;
    SB_LANE_MODES(X)
#undef X
    const double numbers[2] = {d->t, d->mass_diagonal};
    wide->push(memory, lane, parts, start, modes, numbers);
}

void sb_lane_signal(const sb_bridge *b, int lane, int node, double t, int order, const double *operands, double *jet,
                    double *part)
{
    int in[SB_MOST_OPERANDS];
    const sb_machine one = b->machine(b->owner, lane);
    const sb_operation *op = sb_signal_operation(one.model, node);
    sb_signal_node s = sb_signal_node_of(one.model, one.data, node, t, NULL);
    for (int j = 0; j < s.n_in; ++j) {
        in[j] = j;
    }
    s.in = in;
    s.jets = operands;
    s.jet = jet;
    op->eval(&s, order);
    for (int j = 0; j < s.n_in && part; ++j) {
        part[j] = 0.0;
    }
    if (part && op->partials) {
        op->partials(&s, part);
    }
}

static const sb_law *law_in_lane(const sb_bridge *b, int lane, int friction)
{
    return sb_law_of(b->machine(b->owner, lane).model, friction);
}

void sb_lane_flow(const sb_bridge *b, int lane, int friction, const double *param, double v, const double *z,
                  double *out, double *jac)
{
    const sb_law *law = law_in_lane(b, lane, friction);
    if (jac) {
        law->flow_jac(law, param, v, z, out, jac);
    } else {
        law->flow(law, param, v, z, out);
    }
}

double sb_lane_storage(const sb_bridge *b, int lane, int friction, const double *param, const double *z, double *grad)
{
    const sb_law *law = law_in_lane(b, lane, friction);
    return law->storage(law, param, z, grad);
}

double sb_lane_breakaway(const sb_bridge *b, int lane, int friction, const double *param, const double *z)
{
    const sb_law *law = law_in_lane(b, lane, friction);
    return law->breakaway(law, param, z);
}
