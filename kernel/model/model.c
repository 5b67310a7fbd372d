#include "model/sb_base.h"
#include "sb_data.h"

static int indices_ok(int n, const int *index, int low, int high)
{
    for (int i = 0; i < n; ++i) {
        if (index[i] < low || index[i] >= high) {
            return 0;
        }
    }
    return 1;
}

/* Starts of rows: they rise from 0 to the number of entries. */
static int starts_ok(int rows, const int *ptr, int entries)
{
    for (int i = 0; i < rows; ++i) {
        if (ptr[i + 1] < ptr[i]) {
            return 0;
        }
    }
    return ptr[0] == 0 && ptr[rows] == entries;
}

static int rows_ok(int rows, const int *ptr, int entries, const int *col, int columns)
{
    return starts_ok(rows, ptr, entries) && indices_ok(entries, col, 0, columns);
}

static int prescribed_ok(const sb_model *m, int entries, const int *row, int rows, const int *motion)
{
    return indices_ok(entries, row, 0, rows) && indices_ok(entries, motion, 0, m->n_motion);
}

/* A coupling may refer to couplings before it. */
static int couplings_ok(const sb_model *m)
{
    if (!starts_ok(m->n_coupling, m->c_ptr, m->n_c)) {
        return 0;
    }
    for (int k = 0; k < m->n_coupling; ++k) {
        const int *col = m->c_col + m->c_ptr[k];
        if (!indices_ok(m->c_ptr[k + 1] - m->c_ptr[k], col, 0, SB_N_BRANCH(m) + m->n_body + k)) {
            return 0;
        }
    }
    return 1;
}

/* A position may add to one before it. */
static int bases_ok(const sb_model *m)
{
    for (int k = 0; k < m->n_position; ++k) {
        if (m->p_base[k] < -1 || m->p_base[k] >= k) {
            return 0;
        }
    }
    return 1;
}

static int motion_ok(const sb_model *m)
{
    const int n_y = SB_N_Y(m);
    const int n_branch = SB_N_BRANCH(m);
    return rows_ok(n_branch, m->w_ptr, m->n_w, m->w_col, m->n_v) &&
           rows_ok(m->n_v, m->wt_ptr, m->n_w, m->wt_row, n_branch) &&
           rows_ok(m->n_spring, m->e_ptr, m->n_e, m->e_col, n_y) &&
           rows_ok(m->n_q, m->g_ptr, m->n_g, m->g_col, m->n_v) &&
           rows_ok(m->n_body, m->b_ptr, m->n_b, m->b_col, m->n_v) &&
           rows_ok(m->n_position, m->p_ptr, m->n_p, m->p_col, n_y) && bases_ok(m) &&
           rows_ok(m->n_speed, m->s_ptr, m->n_s, m->s_col, m->n_v) &&
           prescribed_ok(m, m->n_wp, m->wp_row, n_branch, m->wp_motion) &&
           prescribed_ok(m, m->n_ep, m->ep_row, m->n_spring, m->ep_motion) &&
           prescribed_ok(m, m->n_gp, m->gp_row, m->n_q, m->gp_motion) &&
           prescribed_ok(m, m->n_bp, m->bp_row, m->n_body, m->bp_motion) &&
           prescribed_ok(m, m->n_pp, m->pp_row, m->n_position, m->pp_motion) &&
           prescribed_ok(m, m->n_sp, m->sp_row, m->n_speed, m->sp_motion) &&
           prescribed_ok(m, m->n_mp, m->mp_row, m->n_v, m->mp_motion) && couplings_ok(m) &&
           indices_ok(m->n_motion, m->motion_signal, 0, m->n_signal) && indices_ok(m->n_motion, m->motion_order, 0, 2);
}

/* Gears with losses: their locks, tables with rising speeds, rows and entries. */
static int losses_ok(const sb_model *m)
{
    for (int l = 0; l < m->n_loss; ++l) {
        if (m->loss_ptr[l + 1] <= m->loss_ptr[l] || m->loss_lock[l] < 0 || m->loss_lock[l] >= m->n_lock ||
            m->lock_loss[m->loss_lock[l]] != l) {
            return 0;
        }
    }
    return starts_ok(m->n_loss, m->loss_ptr, m->n_loss_row) && indices_ok(m->n_lock, m->lock_loss, -1, m->n_loss) &&
           indices_ok(m->n_loss, m->loss_local, 1, m->n_local) &&
           rows_ok(m->n_loss, m->lb_ptr, m->n_lb, m->lb_col, SB_N_BRANCH(m)) &&
           rows_ok(m->n_loss, m->lv_ptr, m->n_lv, m->lv_col, m->n_v) &&
           prescribed_ok(m, m->n_lp, m->lp_row, m->n_loss, m->lp_motion) &&
           indices_ok(m->n_lm, m->lm_slot, 0, m->n_lu) && indices_ok(m->n_lm, m->lm_loss, 0, m->n_loss) &&
           indices_ok(m->n_lj, m->lj_slot, 0, m->n_lu) && indices_ok(m->n_lj, m->lj_loss, 0, m->n_loss) &&
           indices_ok(m->n_lj, m->lj_local, 0, m->n_local);
}

/* Scalar parameters, and behind them those of elements, or a curve of n points if the law has one. */
static int params_ok(const sb_model *m, int f)
{
    const sb_law *law = sb_law_of(m, f);
    const int n = m->fr_param_ptr[f + 1] - m->fr_param_ptr[f] - law->n_param;
    if (!law->has_curve) {
        return n == law->count * law->n_each;
    }
    const double *curve = m->fr_param + m->fr_param_ptr[f] + law->n_param;
    return n >= 3 && 1 + 2 * (int)curve[0] == n;
}

/* Unknowns behind the load, and behind the other load of a pair. */
static int load_columns(const sb_model *m, int f)
{
    const int load = m->fr_load[f];
    const int back = m->fr_back[f];
    const int n = m->grad_ptr[load + 1] - m->grad_ptr[load];
    return load == back ? n : n + m->grad_ptr[back + 1] - m->grad_ptr[back];
}

/* Unknowns behind the parameters that vary, one parameter after the other. */
static int vary_columns(const sb_model *m, int f)
{
    int n = 0;
    for (int i = m->fr_vary_ptr[f]; i < m->fr_vary_ptr[f + 1]; ++i) {
        n += m->grad_ptr[m->vary_signal[i] + 1] - m->grad_ptr[m->vary_signal[i]];
    }
    return n;
}

/* Parameters that vary: scalars of laws that have the derivatives by them. */
static int varies_ok(const sb_model *m)
{
    if (!indices_ok(m->n_vary, m->vary_signal, 0, m->n_signal) ||
        !indices_ok(m->n_order, m->order_low, 0, m->n_fr_param) ||
        !indices_ok(m->n_order, m->order_high, 0, m->n_fr_param) ||
        (m->n_friction > 0 && !starts_ok(m->n_friction, m->fr_vary_ptr, m->n_vary))) {
        return 0;
    }
    for (int f = 0; f < m->n_friction; ++f) {
        const sb_law *law = sb_law_of(m, f);
        for (int i = m->fr_vary_ptr[f]; i < m->fr_vary_ptr[f + 1]; ++i) {
            const int which = m->vary_param[i] - m->fr_param_ptr[f];
            if (which < 0 || which >= law->n_param || !law->flow_param || (law->storage && !law->storage_param) ||
                (law->breakaway && !law->breakaway_param)) {
                return 0;
            }
        }
    }
    return 1;
}

static int heats_ok(const sb_model *m)
{
    if (!indices_ok(m->n_heat, m->heat_signal, -1, m->n_signal) ||
        !indices_ok(m->n_heat, m->heat_state, -1, SB_N_Y(m)) || !indices_ok(m->n_friction, m->fr_heat, -1, m->n_heat) ||
        !indices_ok(m->n_friction, m->fr_heat_local, 0, m->n_local + 1) ||
        !indices_ok(m->n_warm, m->warm_lock, 0, m->n_lock) || !indices_ok(m->n_warm, m->warm_slot, -1, m->n_lu) ||
        !indices_ok(m->n_warm, m->warm_local, 0, m->n_local) || !indices_ok(m->n_heat, m->heat_pool, -1, m->n_pool) ||
        !indices_ok(m->n_pooled, m->pooled_pool, 0, m->n_pool) ||
        !indices_ok(m->n_pooled, m->pooled_base, 0, m->n_signal) ||
        !indices_ok(m->n_pooled, m->pooled_ratio, 0, m->n_signal)) {
        return 0;
    }
    for (int i = 0; i < m->n_warm; ++i) {
        if (m->fr_heat[m->lock_friction[m->warm_lock[i]]] < 0) {
            return 0;
        }
    }
    for (int f = 0; f < m->n_friction; ++f) {
        const sb_law *law = sb_law_of(m, f);
        const int end = m->fr_heat_local[f] + sb_law_columns(law) + load_columns(m, f) + vary_columns(m, f);
        if (m->fr_heat[f] >= 0 && end > m->n_local) {
            return 0;
        }
    }
    return 1;
}

static int laws_ok(const sb_model *m)
{
    for (int f = 0; f < m->n_friction; ++f) {
        if (!sb_law_of(m, f)) {
            return 0;
        }
    }
    return 1;
}

static int frictions_ok(const sb_model *m)
{
    if (!laws_ok(m) || !varies_ok(m) || !indices_ok(m->n_friction, m->fr_load, 0, m->n_signal) ||
        !indices_ok(m->n_friction, m->fr_back, 0, m->n_signal) ||
        !indices_ok(m->n_friction, m->fr_open, -1, m->n_open) || !indices_ok(m->n_friction, m->fr_engage, 0, 3) ||
        !indices_ok(m->n_friction, m->fr_side, -1, m->n_side) || !indices_ok(m->n_watch, m->watch, 0, m->n_friction) ||
        !indices_ok(m->n_lock, m->lock_local, 0, m->n_local) || !indices_ok(m->n_friction, m->fr_lock, -1, m->n_lock) ||
        !indices_ok(m->n_lock, m->lock_unlimited, -1, 2) || !indices_ok(m->n_lock, m->lock_gap, -1, m->n_signal) ||
        !indices_ok(m->n_lock, m->lock_friction, 0, m->n_friction)) {
        return 0;
    }
    int guards = 0;
    for (int f = 0; f < m->n_friction; ++f) {
        const sb_law *law = sb_law_of(m, f);
        const int local = sb_law_locals(law) + load_columns(m, f) + (1 + law->n_state) * vary_columns(m, f);
        guards += law->n_guard;
        if (m->fr_count[f] != law->count || (law->count > 0) != (law->advance != NULL)) {
            return 0;
        }
        if (!params_ok(m, f) || m->fr_state[f] < 0 || m->fr_guard[f] != guards - law->n_guard ||
            m->fr_state[f] + law->n_state > m->n_z - m->n_u || m->fr_local[f] < 0 ||
            m->fr_local[f] + local > m->n_local || (law->family == SB_LOCKING) != (m->fr_lock[f] >= 0) ||
            !sb_law_fits(law) || (m->fr_open[f] >= 0 && !law->steady)) {
            return 0;
        }
    }
    if (guards != m->n_law_guard || !heats_ok(m)) {
        return 0;
    }
    return m->n_friction == 0 || (m->fr_param_ptr[0] == 0 && m->fr_param_ptr[m->n_friction] == m->n_fr_param);
}

/* The pattern: ascending columns with the diagonal where lu_diag says, and as many updates as the elimination makes. */
static int pattern_ok(const sb_model *m)
{
    const int n = SB_N_X(m);
    int updates = 0;
    for (int i = 0; i < n; ++i) {
        const int diag = m->lu_diag[i];
        if (diag < m->lu_ptr[i] || diag >= m->lu_ptr[i + 1] || m->lu_col[diag] != i) {
            return 0;
        }
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            if (p > m->lu_ptr[i] && m->lu_col[p] <= m->lu_col[p - 1]) {
                return 0;
            }
            const int k = m->lu_col[p];
            updates += p < diag ? m->lu_ptr[k + 1] - m->lu_diag[k] - 1 : 0;
        }
    }
    return updates == m->n_elim;
}

static int matrix_ok(const sb_model *m)
{
    const int n = SB_N_X(m);
    return starts_ok(n, m->lu_ptr, m->n_lu) && indices_ok(m->n_lu, m->lu_col, 0, n) &&
           indices_ok(n, m->lu_perm, 0, n) && indices_ok(n, m->lu_place, 0, n) &&
           indices_ok(n, m->lu_diag, 0, m->n_lu) && pattern_ok(m) && indices_ok(m->n_elim, m->elim_dst, 0, m->n_lu) &&
           indices_ok(m->n_mass, m->mass_slot, 0, m->n_lu) && indices_ok(m->n_mass, m->mass_lock, -1, m->n_lock) &&
           indices_ok(m->n_mass, m->mass_open, 0, 2) && indices_ok(m->n_jac, m->jac_slot, 0, m->n_lu) &&
           indices_ok(m->n_jac, m->jac_local, 0, m->n_local);
}

sb_status sb_model_check(const sb_model *m)
{
    int ok = 1;
#define X(part) ok = ok && sb_##part##_ok(m);
    SB_CHECKED_PARTS(X)
#undef X
    ok = ok && indices_ok(m->n_grad, m->grad_col, 0, SB_N_Y(m)) && m->n_u <= m->n_z &&
         indices_ok(m->n_u, m->u_rate, 0, m->n_signal) &&
         indices_ok(m->n_shown, m->shown_state, m->n_v + m->n_q, SB_N_Y(m)) && motion_ok(m) &&
         indices_ok(m->n_source, m->source_signal, 0, m->n_signal) &&
         indices_ok(m->n_source, m->source_energy, SB_SOURCE_DRIVES, m->n_signal) && frictions_ok(m) && losses_ok(m) &&
         matrix_ok(m) && indices_ok(m->n_lossy, m->power_branch, 0, SB_N_BRANCH(m)) &&
         indices_ok(m->n_lossy, m->power_slot, 0, m->n_power) && (m->n_jerk == 0 || m->n_jerk == m->n_body) &&
         indices_ok(m->n_output, m->out_index, 0, sb_board_size(m));
    return ok ? SB_OK : SB_BAD_MODEL;
}
