#include <math.h>
#include <string.h>

#include "model/sb_tolerance.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"
#include "stick/sb_stick.h"

/* Bristles of contacts that slide at the start are bent as in steady sliding; a straight bristle under slip would
 * answer with a torque peak that no machine shows. Springs that yield are straight: they
 * engage so whenever their load begins. Whether there are such. */
static int bend_bristles(const sb_model *m, sb_data *d)
{
    int any = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        const sb_law *law = sb_law_of(m, k);
        const double slip = sb_steady_slip(m, d, k);
        if (law->steady && slip != 0.0 && sb_engage_of(m, k) != SB_ENGAGE_ZERO) {
            law->steady(law, d->param + m->fr_param_ptr[k], slip, d->x + m->n_v + m->n_q + m->fr_state[k]);
            any = 1;
        }
    }
    return any;
}

/* What a run counts and adds up, from now on. */
static void clear_accounts(const sb_model *m, sb_data *d)
{
    memset(&d->stats, 0, sizeof d->stats);
    memset(d->ledger, 0, (size_t)SB_N_LEDGER(m) * sizeof *d->ledger);
    memset(d->energy_jump, 0, (size_t)SB_N_STORE(m) * sizeof *d->energy_jump);
    memset(d->redundant_ever, 0, (size_t)m->n_lock * sizeof *d->redundant_ever);
    d->dwell = d->dwell > 0.0 ? d->dwell : SB_DEFAULT_DWELL;
    d->tolerance = d->tolerance > 0.0 ? d->tolerance : SB_DEFAULT_TOLERANCE;
}

sb_status sb_machine_resume(const sb_model *m, sb_data *d, int decided)
{
    clear_accounts(m, d);
    sb_signals_resume(m, d);
    sb_energy(m, d, d->t, d->x, d->energy_start);
    return sb_restore_modes(m, d, decided);
}

sb_status sb_machine_review(const sb_model *m, sb_data *d, double t)
{
    clear_accounts(m, d);
    sb_signals_move(m, d, t);
    d->t = t;
    d->t_crowd = d->t_jumping = INFINITY;
    memset(d->flips, 0, (size_t)SB_N_EVENT(m) * sizeof *d->flips);
    sb_energy(m, d, t, d->x, d->energy_start);
    SB_TRY(sb_restore_modes(m, d, 0));
    return sb_update_modes(m, d, t, d->x);
}

sb_status sb_machine_start(const sb_model *m, sb_data *d, double t0, const double *y0)
{
    clear_accounts(m, d);
    memset(d->x, 0, (size_t)SB_N_X(m) * sizeof *d->x);
    memcpy(d->x, y0, (size_t)SB_N_Y(m) * sizeof *d->x);
    d->t = t0;
    d->t_crowd = d->t_jumping = INFINITY;
    d->n_stuck = d->n_redundant = d->n_decaying = d->n_ambiguous = 0;
    sb_signals_start(m, d, t0, d->x);
    sb_evaluate_slips(m, d, t0, d->x, 0);
    if (bend_bristles(m, d) || m->n_delay > 0) { // signals may look at the bristles, and delays at what was before
        sb_signals_start(m, d, t0, d->x);
    }
    return sb_initial_modes(m, d, t0, d->x);
}
