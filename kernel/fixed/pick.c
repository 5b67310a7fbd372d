#include <stddef.h>

#include "linear/sb_linear.h"
#include "sb_fixed.h"

enum {
#define X(name, length) IN_##name,
    SB_BOARD_ARRAYS(X)
#undef X
};

static int is_alone(const sb_model *m, int array, int row)
{
    const int from_others = array == IN_reaction || array == IN_coupling || array == IN_loss_a ||
                            array == IN_loss_support || array == IN_pooled || array == IN_dissipated;
    return !from_others && !(array == IN_position && m->p_base[row] >= 0);
}

/* The unknowns, and what friction elements do. Without prescribed motions speeds and positions are rows of unknowns. */
static int is_fresh(const sb_model *m, int array, int row)
{
    const int friction = row >= SB_N_BRANCH(m) - m->n_friction;
    const int row_of_unknowns = array == IN_body_w || array == IN_position || array == IN_speed;
    return array == IN_state || array == IN_mode_shown || ((array == IN_tau || array == IN_slip) && friction) ||
           (row_of_unknowns && m->n_motion == 0);
}

sb_pick sb_pick_output(const sb_model *m, int output)
{
    const int index = m->out_index[output];
    sb_pick pick = {.scale = m->out_scale[output]};
    int first = 0;
#define X(name, length)                                    \
    if (index >= first && index < first + (int)(length)) { \
        pick.array = IN_##name;                            \
        pick.row = index - first;                          \
    }                                                      \
    first += (int)(length);
    SB_BOARD_ARRAYS(X)
#undef X
    pick.fresh = is_fresh(m, pick.array, pick.row);
    pick.alone = is_alone(m, pick.array, pick.row);
    return pick;
}

/* The unknown that a row shows as it is, or -1. */
static int only_unknown(const int *ptr, const int *col, const double *val, int row)
{
    return ptr[row + 1] == ptr[row] + 1 && val[ptr[row]] == 1.0 ? col[ptr[row]] : -1;
}

static const double *place_of(const double *x, int unknown)
{
    return unknown >= 0 ? x + unknown : NULL;
}

const double *sb_pick_place(const sb_model *m, const sb_data *d, const sb_pick *pick)
{
    const int k = pick->row;
    if (!pick->fresh) {
        return NULL;
    }
    switch (pick->array) {
    case IN_state:
        return d->x + k;
    case IN_tau:
        return d->tau + k;
    case IN_slip:
        return d->slip + k;
    case IN_body_w:
        return place_of(d->x, only_unknown(m->b_ptr, m->b_col, m->b_val, k));
    case IN_speed:
        return place_of(d->x, only_unknown(m->s_ptr, m->s_col, m->s_val, k));
    }
    return NULL;
}

static double value_of(const sb_model *m, const sb_data *d, const double *x, const double *rate, int array, int k)
{
    switch (array) {
    case IN_state:
        return x[k];
    case IN_tau:
        return d->tau[k];
    case IN_slip:
        return d->slip[k];
    case IN_disp:
        return d->disp[k];
    case IN_body_w:
        return sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, x, d->body_w0[k]);
    case IN_body_a:
        return sb_row_dot(m->b_ptr, m->b_col, m->b_val, k, rate, d->body_a0[k]);
    case IN_position:
        return sb_row_dot(m->p_ptr, m->p_col, m->p_val, k, x, d->position0[k]);
    case IN_speed:
        return sb_row_dot(m->s_ptr, m->s_col, m->s_val, k, x, d->speed0[k]);
    case IN_mode_shown:
        return d->mode[k];
    case IN_signal:
        return d->jet[SB_JET * k];
    case IN_motion_w:
        return d->motion_w[k];
    case IN_heat:
        return d->heat[k];
    }
    return 0.0;
}

double sb_pick_read(const sb_model *m, const sb_data *d, const double *x, const double *rate, const sb_pick *pick)
{
    return pick->scale * value_of(m, d, x, rate, pick->array, pick->row);
}
