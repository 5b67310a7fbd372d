#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "fixed/sb_step.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* Explicit methods with a fixed step, for comparison: what a code without event location does. Modes and branches of
 * signals are frozen within a step; behind it the event functions are looked at, contacts whose slip has gone through
 * zero are caught there, and their slip is projected to 0. */

enum { MOST_STAGES = 6 };

/* Rows of the coefficients; that behind the last stage are the weights. */
typedef struct tableau {
    int stages;
    const double *node;
    const double (*a)[MOST_STAGES];
} tableau;

static const double EULER_NODE[] = {0.0};
static const double EULER[][MOST_STAGES] = {{0.0}, {1.0}};

static const double HEUN_NODE[] = {0.0, 1.0};
static const double HEUN[][MOST_STAGES] = {{0.0}, {1.0}, {0.5, 0.5}};

/* P. Bogacki, L. F. Shampine (1989) */
static const double BOGACKI_NODE[] = {0.0, 0.5, 0.75};
static const double BOGACKI[][MOST_STAGES] = {{0.0}, {0.5}, {0.0, 0.75}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}};

static const double KUTTA_NODE[] = {0.0, 0.5, 0.5, 1.0};
static const double KUTTA[][MOST_STAGES] = {
    {0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};

static tableau tableau_of(sb_fixed_method method)
{
    switch (method) {
    case SB_ODE2:
        return (tableau){2, HEUN_NODE, HEUN};
    case SB_ODE3:
        return (tableau){3, BOGACKI_NODE, BOGACKI};
    case SB_ODE4:
        return (tableau){4, KUTTA_NODE, KUTTA};
    case SB_ODE5:
        return (tableau){6, sb_dopri5_node, sb_dopri5_a};
    case SB_ODE1:
    case SB_SEMI_IMPLICIT:
    case SB_MIXED:
    case SB_RESOLVENT:
    case SB_N_FIXED_METHODS:
        break;
    }
    return (tableau){1, EULER_NODE, EULER};
}

/* Share of the powers at (x, rate) in the work of this step; after sb_rates. */
static void account(const sb_model *m, sb_data *d, const sb_fixed *f, const double *x, const double *rate, double share)
{
    if (!f->opt.ledger) {
        return;
    }
    sb_complete_board(m, d, x, rate);
    sb_power(m, d, x, rate);
    for (int i = 0; i < SB_N_LEDGER(m); ++i) {
        d->work_step[i] += share * f->h * d->power[i];
    }
}

/* The work of a step that has come to an end. */
static void enter_work(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int i = 0; i < SB_N_LEDGER(m) && f->opt.ledger; ++i) {
        d->ledger[i] += d->work_step[i];
    }
}

/* Runge-Kutta from rates d->rate at the start to d->x_new. */
static sb_status runge_kutta(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    const tableau method = tableau_of(f->opt.method);
    const double *weight = method.a[method.stages];
    const int n = SB_PADDED(SB_N_X(m));
    sb_copy(d->stage, d->rate, n);
    account(m, d, f, d->x, d->rate, weight[0]);
    for (int s = 1; s < method.stages; ++s) {
        double *rate = d->stage + s * n;
        sb_combine(n, d->x, d->stage, method.a[s], s, f->h, d->x_tmp);
        SB_TRY(sb_rates(m, d, d->t + method.node[s] * f->h, d->x_tmp, rate));
        account(m, d, f, d->x_tmp, rate, weight[s]);
    }
    sb_combine(n, d->x, d->stage, weight, method.stages, f->h, d->x_new);
    return SB_OK;
}

/* Speeds first, then positions with the new speeds: symplectic where nothing is lost. */
static sb_status semi_implicit(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    SB_TRY(runge_kutta(m, d, f));
    sb_evaluate_slips(m, d, d->t + f->h, d->x_new, 0);
    for (int i = 0; i < m->n_q; ++i) {
        const double rate = sb_row_dot(m->g_ptr, m->g_col, m->g_val, i, d->x_new, d->rate0[i]);
        d->x_new[m->n_v + i] = d->x[m->n_v + i] + f->h * rate;
    }
    return SB_OK;
}

/* Mixed mode: bristles, the fast states, implicitly at the old speed; the rest explicitly, with their new deflection.
 */
static sb_status mixed(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    const int n = SB_N_X(m);
    sb_copy(d->x_tmp, d->x, n);
    sb_bristles_implicit(m, d, f->h, d->x_tmp);
    SB_TRY(sb_rates(m, d, d->t, d->x_tmp, d->rate));
    account(m, d, f, d->x_tmp, d->rate, 1.0);
    for (int i = 0; i < n; ++i) {
        d->x_new[i] = d->x[i] + f->h * d->rate[i];
    }
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *law = sb_law_of(m, k);
        if (law->family == SB_BRISTLE) {
            const int state = m->n_v + m->n_q + m->fr_state[k];
            sb_copy(d->x_new + state, d->x_tmp + state, law->n_state);
        }
    }
    return SB_OK;
}

/* Speeds, positions and states to t + h, in d->x. */
static sb_status advance(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    for (int i = 0; i < SB_N_LEDGER(m) && f->opt.ledger; ++i) {
        d->work_step[i] = 0.0;
    }
    switch (f->opt.method) {
    case SB_SEMI_IMPLICIT:
        SB_TRY(semi_implicit(m, d, f));
        break;
    case SB_MIXED:
        SB_TRY(mixed(m, d, f));
        break;
    case SB_ODE1:
    case SB_ODE2:
    case SB_ODE3:
    case SB_ODE4:
    case SB_ODE5:
    case SB_RESOLVENT:
    case SB_N_FIXED_METHODS:
        SB_TRY(runge_kutta(m, d, f));
        break;
    }
    sb_copy(d->x, d->x_new, SB_N_X(m));
    SB_TRY(sb_check_finite(m, d));
    enter_work(m, d, f);
    return SB_OK;
}

/* Modes that are not true any more at t: new ones, and again for what follows from them, a few times. */
enum { ROUNDS = 4 };
static sb_status iterate_modes(const sb_model *m, sb_data *d, sb_fixed *f, double t)
{
    for (int round = 0; round < ROUNDS; ++round) {
        SB_TRY(sb_rates(m, d, t, d->x, d->rate));
        sb_event_values(m, d, d->x, d->event_value);
        int any = 0;
        for (int i = 0; i < SB_N_EVENT(m); ++i) {
            d->fired[i] = d->event_value[i] < 0.0;
            any |= d->fired[i];
        }
        if (!any) {
            return SB_OK;
        }
        SB_TRY(sb_update_modes(m, d, t, d->x));
        for (int k = 0; k < m->n_lock; ++k) {
            f->stats.mode_changes += d->mode[k] != d->mode_old[k];
        }
    }
    return sb_rates(m, d, t, d->x, d->rate);
}

/* All signals that change, or of these only what depends on the machine. */
static void activate(const sb_model *m, sb_data *d, int of_time)
{
    d->n_active = 0;
    for (int i = 0; i < m->n_signal; ++i) {
        const int of_machine = m->grad_ptr[i + 1] > m->grad_ptr[i];
        if (d->signal_on[i] && (of_time || of_machine)) {
            d->signal_active[d->n_active++] = i;
        }
    }
}

/* Where signals of time, inputs and samples are looked at once per task, they are those of its middle. An event of a
 * signal within the task has evaluated them again. */
static sb_status hold_signals(const sb_model *m, sb_data *d, const sb_fixed *f)
{
    activate(m, d, 1);
    sb_signals_eval(m, d, sb_fixed_time(f) + 0.5 * f->opt.h, d->x, 1);
    activate(m, d, 0);
    return sb_rates(m, d, d->t, d->x, d->rate);
}

static int begins(const sb_model *m, const sb_data *d, int signal)
{
    const int of_time = m->grad_ptr[signal + 1] == m->grad_ptr[signal];
    return of_time && d->jet[SB_JET * signal] == 0.0 && d->jet[SB_JET * signal + 1] > 0.0;
}

/* Bristles whose load begins to rise at this instant are bent by the slip here: at the end of the step a contact that
 * was at rest slides already. */
static sb_status engage(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        if (m->fr_open[k] >= 0 && d->open[k] && (begins(m, d, m->fr_load[k]) || begins(m, d, m->fr_back[k]))) {
            d->fired[SB_OPEN_EVENT(m) + m->fr_open[k]] = any = 1;
        }
    }
    if (any) {
        SB_TRY(sb_update_modes(m, d, d->t, d->x));
        SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    }
    return SB_OK;
}

static sb_status take_step(const sb_model *m, sb_data *d, sb_fixed *f, int holds)
{
    const double t_new = d->t + f->h;

    // signals and modes that change at the start; the rates there
    if (!holds || f->inner == 0) {
        SB_TRY(sb_fixed_begin(m, d, f));
    }
    if (m->n_open > 0) {
        SB_TRY(engage(m, d));
    }
    if (holds && (f->inner == 0 || m->n_signal_guard > 0)) {
        SB_TRY(hold_signals(m, d, f));
    }

    // speeds, positions and states to the end
    SB_TRY(advance(m, d, f));
    if (d->n_stuck) {
        sb_project_stuck(m, d, t_new, d->x);
    }

    // modes there
    SB_TRY(iterate_modes(m, d, f, t_new));
    if (d->n_varying > 0) {
        SB_TRY(sb_loss_refresh(m, d));
        SB_TRY(sb_rates(m, d, t_new, d->x, d->rate));
    }
    d->t = t_new;
    if (f->opt.ledger) {
        sb_energy(m, d, t_new, d->x, d->energy_now);
    }
    return sb_signals_remember(m, d, t_new, d->x, d->rate, SB_WITHIN);
}

sb_status sb_explicit_step(const sb_model *m, sb_data *d, sb_fixed *f)
{
    const int holds = f->opt.hold_signals && m->n_motion == 0; // what is prescribed moves on
    const int last = f->inner == f->opt.substeps - 1;
    const sb_status status = take_step(m, d, f, holds);
    if (holds && (last || status != SB_OK)) {
        activate(m, d, 1);
    }
    return status;
}
