#include "sb_kernel.h"

/* Prescribed motions: what their signals add to everything that elements see. */

/* sum += val * jet[order] of the motions, for a list of prescribed parts; order counts from the speed */
static void add_prescribed(const sb_model *m, const sb_data *d, int entries, const int *row, const int *motion,
                           const sb_real *val, int order, int rows, sb_real *sum)
{
    for (int i = 0; i < rows; ++i) {
        sum[i] = SB_R(0.0);
    }
    for (int p = 0; p < entries; ++p) {
        const int k = motion[p];
        const int speed = m->motion_order[k] == 0 ? 1 : 0;
        const sb_real added = order < 2 ? d->motion_offset[3 * k + order + 1] : SB_R(0.0);
        sum[row[p]] += val[p] * (d->jet[SB_JET * m->motion_signal[k] + speed + order] + added);
    }
}

SB_HOT void sb_place_motions(const sb_model *m, sb_data *d)
{
    if (m->n_motion == 0) {
        return;
    }
    const int n_branch = SB_N_BRANCH(m);
    for (int k = 0; k < m->n_motion; ++k) {
        d->motion_w[k] =
            d->jet[SB_JET * m->motion_signal[k] + (m->motion_order[k] == 0 ? 1 : 0)] + d->motion_offset[3 * k + 1];
    }
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 0, n_branch, d->slip0);
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 1, n_branch, d->slip_t);
    add_prescribed(m, d, m->n_wp, m->wp_row, m->wp_motion, m->wp_val, 2, n_branch, d->slip_tt);
    add_prescribed(m, d, m->n_ep, m->ep_row, m->ep_motion, m->ep_val, -1, m->n_spring, d->disp0);
    add_prescribed(m, d, m->n_ep, m->ep_row, m->ep_motion, m->ep_val, 0, m->n_spring, d->disp_t);
    add_prescribed(m, d, m->n_gp, m->gp_row, m->gp_motion, m->gp_val, 0, m->n_q, d->rate0);
    add_prescribed(m, d, m->n_gp, m->gp_row, m->gp_motion, m->gp_val, 1, m->n_q, d->rate_t);
    add_prescribed(m, d, m->n_bp, m->bp_row, m->bp_motion, m->bp_val, 0, m->n_body, d->body_w0);
    add_prescribed(m, d, m->n_bp, m->bp_row, m->bp_motion, m->bp_val, 1, m->n_body, d->body_a0);
    if (m->n_jerk > 0) {
        add_prescribed(m, d, m->n_bp, m->bp_row, m->bp_motion, m->bp_val, 2, m->n_body, d->body_j0);
    }
    add_prescribed(m, d, m->n_pp, m->pp_row, m->pp_motion, m->pp_val, -1, m->n_position, d->position0);
    add_prescribed(m, d, m->n_sp, m->sp_row, m->sp_motion, m->sp_val, 0, m->n_speed, d->speed0);
    if (m->n_lp > 0) {
        add_prescribed(m, d, m->n_lp, m->lp_row, m->lp_motion, m->lp_val, 1, m->n_loss, d->loss_p0);
        add_prescribed(m, d, m->n_lp, m->lp_row, m->lp_motion, m->lp_val, 2, m->n_loss, d->loss_pt);
    }
    if (m->n_mp > 0) {
        add_prescribed(m, d, m->n_mp, m->mp_row, m->mp_motion, m->mp_val, 1, m->n_v, d->inertia0);
        add_prescribed(m, d, m->n_mp, m->mp_row, m->mp_motion, m->mp_val, 2, m->n_v, d->inertia_t);
    }
}
