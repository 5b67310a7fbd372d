#ifndef SB_CONTACT_H
#define SB_CONTACT_H

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "network/sb_network.h"

/* A friction element in its present mode, as the files of friction see it. */
typedef struct sb_contact {
    const sb_law *law;
    const sb_real *param;
    int number, branch;
    int state;         /* index of the first state among the unknowns */
    int lock;          /* or -1 */
    sb_flag open;      /* bristles without load: they rest */
    sb_flag stuck;     /* states follow their rates at v = 0 */
    sb_flag lets_go;   /* Karnopp's, inside of its window */
    sb_flag back;      /* its load is that of negative friction */
    sb_real direction; /* sign under which the curve of a locking law is read, 0 where nothing slides */
    sb_real jet[2];    /* signal of the load, and its rate */
    sb_real load;
    sb_real beginning; /* slip below which the curve of a locking law just begins */
} sb_contact;

static inline sb_contact sb_contact_of(const sb_model *m, const sb_data *d, int k)
{
    sb_contact c;
    c.law = sb_law_of(m, k);
    c.param = d->param + m->fr_param_ptr[k];
    c.number = k;
    c.branch = SB_FRICTION_BRANCH(m, k);
    c.state = m->n_v + m->n_q + m->fr_state[k];
    c.lock = m->fr_lock[k];
    c.direction = SB_R(1.0);
    c.stuck = c.lets_go = c.back = c.open = SB_NEVER;
    if (m->fr_open[k] >= 0) {
        c.open = d->open[k] != 0;
    }
    if (c.lock >= 0) {
        const sb_count mode = sb_is_literal(m, d, c.lock) ? sb_sign_of(d->slip[c.branch]) : d->mode[c.lock];
        const sb_real backward = sb_pick(mode == SB_BACKWARD, SB_R(-1.0), SB_R(0.0));
        c.direction = sb_pick(mode == SB_FORWARD, SB_R(1.0), backward);
        if (m->lock_loss[c.lock] >= 0) {
            c.direction = SB_R(0.0); // the torque of a loss is found with its row
        }
        c.stuck = d->mode[c.lock] == SB_STUCK;
        c.lets_go = d->phase[c.lock] == SB_LETTING_GO;
        c.back = mode == SB_BACKWARD;
    } else if (m->fr_side[k] >= 0) {
        c.back = d->side[k] == SB_BACKWARD;
    }
    const sb_real *front = d->jet + SB_JET * m->fr_load[k];
    const sb_real *back = d->jet + SB_JET * m->fr_back[k];
    c.jet[0] = sb_pick(c.back, back[0], front[0]);
    c.jet[1] = sb_pick(c.back, back[1], front[1]);
    c.load = sb_max(c.jet[0], SB_R(0.0));
    c.beginning = SB_CURVE_BEGINS * m->fr_peak[k];
    return c;
}

/* Functions of the law. In lanes, one that is not written for them is called for each. */
#if SB_LANES == 1

static inline void sb_call_flow(const sb_data *d, const sb_contact *c, double v, const double *z, double *out)
{
    (void)d;
    c->law->flow(c->law, c->param, v, z, out);
}

static inline void sb_call_flow_jac(const sb_data *d, const sb_contact *c, double v, const double *z, double *out,
                                    double *jac)
{
    (void)d;
    c->law->flow_jac(c->law, c->param, v, z, out, jac);
}

static inline double sb_call_storage(const sb_data *d, const sb_contact *c, const double *z, double *grad)
{
    (void)d;
    return c->law->storage(c->law, c->param, z, grad);
}

static inline double sb_call_breakaway(const sb_data *d, const sb_contact *c, const double *z)
{
    (void)d;
    return c->law->breakaway(c->law, c->param, z);
}

#else

SB_HOT void sb_call_flow(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out);
SB_HOT void sb_call_flow_jac(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out,
                             sb_real *jac);
SB_HOT sb_real sb_call_storage(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real *grad);
SB_HOT sb_real sb_call_breakaway(const sb_data *d, const sb_contact *c, const sb_real *z);

#endif

/* Friction per unit load and rates of the states, as they are on the board; the same with their derivatives, and by a
 * parameter. Inside of Karnopp's window nothing changes; where nothing slides, states depend on themselves alone.
 * Beyond the end of the curve of a locking law derivatives by a parameter are those of its end. */
SB_HOT void sb_contact_flow(const sb_data *d, const sb_contact *c, const sb_real *x, sb_real *out);
SB_HOT void sb_contact_slopes(const sb_data *d, const sb_contact *c, const sb_real *x, sb_real *out, sb_real *jac);
SB_HOT void sb_contact_slopes_by_param(const sb_data *d, const sb_contact *c, const sb_real *x, int which,
                                       sb_real *out);

/* Explicit time derivative of the load; torque (or heat) by the unknowns behind it: friction (or heat) per unit load
 * times the gradient of the signal, for one signal after the other. Returns the place behind them. */
SB_HOT sb_real sb_contact_load_rate(const sb_model *m, int k, const sb_contact *c);
SB_HOT sb_real *sb_contact_load_partials(const sb_model *m, const sb_data *d, int k, const sb_contact *c,
                                         sb_real friction, sb_real *local);

#endif
