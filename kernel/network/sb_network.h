#ifndef SB_NETWORK_H
#define SB_NETWORK_H

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "sb_data.h"

/* The internal header of network/: the equations of the machine, and the kinds of elements in them.
 *
 * The table of kinds. The network knows no kind by name: at every stage it asks those of a list, in this order, if they
 * are there. A kind works on all of its elements at once and sees its own slips, displacements, signals and states,
 * never its neighbours. To add one, add a file, and its name to the lists of the stages that it takes part in. Kinds
 * within SB_ALONE are not written for lanes: machines with such elements run one by one. */

/* Branches.
 *     torque    torques d->tau, and rates of its states (into force, at their place among the unknowns)
 *     partials  local partial derivatives into d->local, explicit time derivatives into d->tau_t and d->force_t;
 *               those of what it sees are d->slip_t and d->disp_t; unless force is NULL, what torque finds, too
 *     power     input, loss and storage of every branch into d->power; after sb_rates
 *     energy    stored in every branch */
#define SB_BRANCH_KINDS(X) X(spring, m->n_spring > 0) X(source, m->n_source > 0) X(friction, m->n_friction > 0)
#define X(kind, there)                                                                                   \
    SB_HOT void sb_##kind##_torque(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force);     \
    SB_HOT void sb_##kind##_partials(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force);   \
    SB_HOT void sb_##kind##_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate); \
    SB_ALONE(void sb_##kind##_energy(const sb_model *m, const sb_data *d, const double *x, double *energy);)
SB_BRANCH_KINDS(X)
#undef X

/* Rows of F that need all torques and rates of states: the heat of temperatures. */
#define SB_FLOW_KINDS(X) SB_ALONE(X(heat, m->n_heat > 0))
#define X(kind, there) SB_HOT void sb_##kind##_flow(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force);
SB_FLOW_KINDS(X)
#undef X

/* Rows of the multipliers; `share`: losses that depend on how contacts share a motion. */
#define SB_FORCES_KINDS(X) X(lock, m->n_lock > 0) SB_ALONE(X(loss, m->n_loss > 0) X(share, d->n_ambiguous > 0))
#define X(kind, there) SB_HOT void sb_##kind##_forces(const sb_model *m, sb_data *d, sb_real *force);
SB_FORCES_KINDS(X)
#undef X

/* What follows from x': holding torques, their heat, slip accelerations that others look at. */
#define SB_SOLVED_KINDS(X)                                  \
    X(lock, d->n_stuck > 0)                                 \
    SB_ALONE(X(loss, m->n_loss > 0) X(heat, m->n_warm > 0)) \
    X(friction, m->n_watch > 0)
#define X(kind, there) SB_HOT void sb_##kind##_solved(const sb_model *m, sb_data *d, sb_real *rate);
SB_SOLVED_KINDS(X)
#undef X

/* Local derivatives of these rows; and what the Jacobian has beside local derivatives times coefficients, with the rows
 * of dF/dt. */
#define SB_PARTIALS_KINDS(X) X(lock, m->n_lock > 0) SB_ALONE(X(loss, m->n_loss > 0) X(heat, m->n_heat > 0))
#define SB_JACOBIAN_KINDS(X) SB_ALONE(X(heat, m->n_heat > 0)) X(lock, m->n_lock > 0) SB_ALONE(X(loss, m->n_loss > 0))
#define X(kind, there)                                                                 \
    SB_HOT void sb_##kind##_partials(const sb_model *m, sb_data *d, const sb_real *x); \
    SB_HOT void sb_##kind##_jacobian(const sb_model *m, sb_data *d);
SB_PARTIALS_KINDS(X)
#undef X

/* What Mass has beside the entries that the model lists.
 *     prepare   Mass at (d->t, d->x) where it changes with the state, with F and x' of the start of a step
 *     slopes    what it depends on, at the present point
 *     mass      the entries
 *     refresh   Mass again where they have changed with the state */
#define SB_MASS_KINDS(X) X(loss, m->n_loss > 0)
#define SB_PREPARE_KINDS(X) SB_ALONE(SB_MASS_KINDS(X))
#define X(kind, there)                                                                            \
    void sb_##kind##_prepare(const sb_model *m, sb_data *d);                                      \
    void sb_##kind##_slopes(const sb_model *m, sb_data *d);                                       \
    void sb_##kind##_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots); \
    sb_status sb_##kind##_refresh(const sb_model *m, sb_data *d);
SB_MASS_KINDS(X)
#undef X

/* What derivatives of x' have beside the solution with Mass.
 *     chain     added to these derivatives
 *     correct   what is left of F after Mass has the slips of the start of the step in it; a stage of Rodas5P calls it
 *               after sb_forces */
#define SB_CHAIN_KINDS(X) SB_ALONE(X(heat, m->n_warm > 0))
#define X(kind, there)                                                               \
    void sb_##kind##_chain(const sb_model *m, const sb_data *d, double *derivative); \
    void sb_##kind##_correct(const sb_model *m, sb_data *d, double *force);
SB_CHAIN_KINDS(X)
#undef X

/* What only observers need. */
#define SB_BOARD_KINDS(X) SB_ALONE(X(loss, m->n_loss > 0) X(heat, m->n_pooled > 0))
#define X(kind, there) void sb_##kind##_board(const sb_model *m, sb_data *d);
SB_BOARD_KINDS(X)
#undef X

/* The network (network.c), beside the doors in sb_kernel.h. */

/* Mass for a set of locked elements, in the slots of the matrix. */
void sb_fill_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots);
void sb_fill_bare_mass(const sb_model *m, const int *locked, double *slots); /* gears lose nothing */

/* The same for d->locked into d->mass and d->mass_lu; with its factors. */
void sb_begin_mass(const sb_model *m, sb_data *d);
sb_status sb_assemble_mass(const sb_model *m, sb_data *d);

/* Signals (and with order 1 their gradients), prescribed motions, slips and displacements at (t, x). */
SB_HOT void sb_evaluate_slips(const sb_model *m, sb_data *d, sb_real t, const sb_real *x, int order);

/* F once more where slips, displacements and signals are known, with other modes. */
SB_HOT void sb_forces_again(const sb_model *m, sb_data *d, const sb_real *x, sb_real *force);

/* Generalised forces: those of the branches, -W' tau, less what accelerates bodies with the prescribed motions. */
SB_HOT void sb_gather_torques(const sb_model *m, const sb_real *tau, const sb_real *inertia, sb_real *force);

/* Power of every term of the ledger; after sb_rates. */
SB_HOT void sb_power(const sb_model *m, sb_data *d, const sb_real *x, const sb_real *rate);

/* Places: local[0] is the constant 1; each spring has {d tau/d displacement, d tau/d slip}. */
#define SB_SPRING_LOCAL(k) (1 + 2 * (k))
#define SB_SOURCE_BRANCH(m, k) ((m)->n_spring + (k))
#define SB_FRICTION_BRANCH(m, k) ((m)->n_spring + (m)->n_source + (k))

static inline int sb_lock_branch(const sb_model *m, int lock)
{
    return SB_FRICTION_BRANCH(m, m->lock_friction[lock]);
}

/* How a contact is in its mode: Karnopp's breaks away inside of its window; a hybrid one has broken away in the
 * direction of what was left of its slip, or against that, and is not to be caught yet; it is stuck with a slip that
 * decays; or that is not let by others that block, and it is caught when it stops. */
typedef enum sb_phase { SB_PLAIN, SB_LETTING_GO, SB_FRESH_ALONG, SB_FRESH_AGAINST, SB_DECAYING, SB_OVERRULED } sb_phase;

/* Slip row times free speeds or accelerations, plus the prescribed part. */
static inline sb_real sb_lock_slip(const sb_model *m, int lock, const sb_real *speeds, sb_real prescribed)
{
    return sb_row_dot(m->w_ptr, m->w_col, m->w_val, sb_lock_branch(m, lock), speeds, prescribed);
}

/* forces += W_b * torque */
static inline void sb_add_torque(const sb_model *m, int branch, sb_real torque, sb_real *force)
{
    for (int p = m->w_ptr[branch]; p < m->w_ptr[branch + 1]; ++p) {
        force[m->w_col[p]] += m->w_val[p] * torque;
    }
}

/* Whether a contact follows its curve times the sign of its slip, for comparison. Free-wheels, stops and gears with
 * losses hold all the same. */
static inline int sb_is_literal(const sb_model *m, const sb_data *d, int lock)
{
    return d->literal_sign && m->lock_unlimited[lock] == 0 && m->lock_loss[lock] < 0;
}

/* Friction elements (friction.c).
 *
 * One of them in its present mode. */
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

SB_HOT void sb_flow_each(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out);
SB_HOT void sb_flow_jac_each(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out,
                             sb_real *jac);
SB_HOT sb_real sb_storage_each(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real *grad);
SB_HOT sb_real sb_breakaway_each(const sb_data *d, const sb_contact *c, const sb_real *z);

static inline void sb_call_flow(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out)
{
    if (c->law->flow) {
        c->law->flow(c->law, c->param, v, z, out);
    } else {
        sb_flow_each(d, c, v, z, out);
    }
}

static inline void sb_call_flow_jac(const sb_data *d, const sb_contact *c, sb_real v, const sb_real *z, sb_real *out,
                                    sb_real *jac)
{
    if (c->law->flow_jac) {
        c->law->flow_jac(c->law, c->param, v, z, out, jac);
    } else {
        sb_flow_jac_each(d, c, v, z, out, jac);
    }
}

static inline sb_real sb_call_storage(const sb_data *d, const sb_contact *c, const sb_real *z, sb_real *grad)
{
    return c->law->storage ? c->law->storage(c->law, c->param, z, grad) : sb_storage_each(d, c, z, grad);
}

static inline sb_real sb_call_breakaway(const sb_data *d, const sb_contact *c, const sb_real *z)
{
    return c->law->breakaway ? c->law->breakaway(c->law, c->param, z) : sb_breakaway_each(d, c, z);
}

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

/* Friction at instants (friction_events.c).
 *
 * Events of contacts that do not come from locking: discrete states of laws, the sign of the friction under a load
 * pair, and bristles whose load begins or ends. All look at the board after sb_rates. */

/* How bristles are bent when their load begins: as in steady sliding, as they were when it ended, straight. */
typedef enum sb_engage { SB_ENGAGE_STEADY, SB_ENGAGE_FROZEN, SB_ENGAGE_ZERO } sb_engage;
sb_engage sb_engage_of(const sb_model *m, int friction);

/* Torque that would take away the slip acceleration of contact k, which slides. */
double sb_friction_hold(const sb_model *m, const sb_data *d, int k);

/* Friction per unit load along the curve of a law that locks, and its derivative by the speed. */
double sb_friction_curve(const sb_model *m, int k, double v, double *by_v);

/* Heat of contact k; after its torque and the rates of its states, which are in `force`. And its partial derivatives,
 * by slip, states and what is behind the load, into `local`; the explicit time derivative comes back. */
double sb_friction_loss(const sb_model *m, const sb_data *d, const double *x, const double *force, int k);
double sb_friction_loss_partials(const sb_model *m, const sb_data *d, const double *x, int k, double *local);

/* Whether the parameters that vary are within their bounds and orders, as they were evaluated last. */
sb_status sb_friction_check(const sb_model *m, sb_data *d);

/* Event functions into their places; their bands, and which of them are kinks. */
static inline int sb_friction_has_events(const sb_model *m)
{
    return m->n_law_guard + m->n_side + m->n_open > 0;
}
void sb_friction_events(const sb_model *m, const sb_data *d, const double *x, double *value);
void sb_friction_bands(const sb_model *m, const sb_data *d, const double *x, double *band, int *kink);

/* Signs of the friction after the events that fired, or all of them if `fired` is NULL. */
void sb_friction_sides(const sb_model *m, sb_data *d, const double *x, const int *fired);

/* Bristles whose load begins or ends, after the events that fired, or all if `fired` is NULL. Without a load they
 * rest. */
void sb_friction_open(const sb_model *m, sb_data *d, double *x, const int *fired);

/* Slip that bristles are bent by: none if it is rounding, whose sign would choose the direction of full friction. */
double sb_steady_slip(const sb_model *m, const sb_data *d, int friction);

/* New discrete states, and what goes with them, of laws whose guards fired. */
void sb_friction_jump(const sb_model *m, sb_data *d, double *x, const int *fired);

/* Nominal size of the slip of a branch: at about this speed its law changes. */
double sb_nominal_slip(const sb_model *m, int b);

/* States of the law of contact k when its mode changes, at this slip. While it is stuck they are seen forward, else in
 * the direction of sliding. */
void sb_change_states(const sb_model *m, const sb_data *d, int k, int before, int after, double slip, double *x);

/* Laws with modes that an impact, or a prescribed speed that jumps, throws from slips `before` to those `after` slide
 * on, whatever they did before. */
void sb_friction_after_impulse(const sb_model *m, sb_data *d, double *x, const double *before, const double *after);

/* Heat ports (heat.c): what elements dissipate warms the thermal masses that they are connected to. Contacts that hold
 * a slip are left out of the flow, since their torque is not known yet; they come when the machine is solved. */

/* Energy (J) that a friction element turns into heat at one instant. */
void sb_heat_jump(const sb_model *m, double *x, int friction, double energy);

/* Gears whose loss depends on the torque that they transmit (loss.c; their modes are in stick/loss_modes.c). The loss
 * is a branch from the support to flange a that can lock; while it slides, its torque is a separate unknown: the
 * rate of its multiplier. */

/* Whether a lock is a loss that slides: its torque is the rate of its multiplier, though its slip is not held. */
int sb_loss_slides(const sb_model *m, const sb_data *d, int lock);

/* Slopes 0 instead of those at the present slips. */
void sb_loss_idle(const sb_model *m, sb_data *d);

/* Transmitted torques before holding torques are shared. */
void sb_loss_estimate(const sb_model *m, sb_data *d, const double *rate);

#if SB_LANES == 1

/* The straight lines that a loss follows over the transmitted torque, and the table of a gear that they come from. */

enum { SB_A_DRIVES, SB_B_DRIVES };
enum { SB_LOSS_COLUMNS = 5 }; /* of the table: speed, eta1, eta2, tbf1, tbf2 */

/* loss = slope * torque + offset, and how both change with the speed */
typedef struct sb_loss_law {
    double slope, offset;
    double slope_v, offset_v;
} sb_loss_law;

static inline int sb_loss_rows(const sb_model *m, int loss)
{
    return m->loss_ptr[loss + 1] - m->loss_ptr[loss];
}

/* Speed of a row of the table. */
static inline double sb_loss_knot(const sb_model *m, int loss, int row)
{
    return m->loss_table[SB_LOSS_COLUMNS * (m->loss_ptr[loss] + row)];
}

/* Direction of the line that holds: it slides, or leans on others that hold its motion; 0: it is held. */
static inline int sb_loss_direction(const sb_model *m, const sb_data *d, int lock)
{
    const int slides = d->mode[lock] == SB_FORWARD || d->mode[lock] == SB_BACKWARD;
    return slides ? d->mode[lock] : d->lean[m->lock_loss[lock]];
}

/* The line while a side drives, between a row of the table and the next, at a speed; and the same times the law of a
 * joint, which at rest is its break-away level. */
sb_loss_law sb_loss_line(const sb_model *m, int loss, int driver, int segment, double v);
sb_loss_law sb_loss_present(const sb_model *m, int loss, int driver, int segment, double v, int rests);

/* What the transmitted torque is added up from, for the size of its rounding. */
double sb_loss_terms(const sb_model *m, const sb_data *d, int loss, const double *rate);

#endif

#endif
