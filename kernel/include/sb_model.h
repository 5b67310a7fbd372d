#ifndef SB_MODEL_H
#define SB_MODEL_H

#include "sb_law.h"
#include "sb_status.h"

/* The compiled machine: constant flat arrays, made by stribeck.compile, shared by every run.
 *
 * Motion.  Every quantity that an element sees is a sparse row over the unknowns x (compressed: ptr, col, val)
 * plus a part that prescribed motions contribute (entries row, motion, val):
 *     slip of branch k          s_k  = W_k . v + Wp_k . (prescribed speeds)
 *     displacement of spring k  e_k  = E_k . q + Ep_k . (prescribed positions)
 *     rate of position state i  q_i' = G_i . v + Gp_i . (prescribed speeds)
 *     speed of body k           w_k  = B_k . v + Bp_k . (prescribed speeds)
 *     reported position k              P_k . q + Pp_k . (prescribed positions) + a reported position before it
 *     reported speed k                 S_k . v + Sp_k . (prescribed speeds)
 * Branches are springs, sources and friction elements, in this order.  The torque tau_k of a branch is
 * positive when it opposes positive slip, so the generalised forces are -W' tau; WT holds the columns of W.
 * Bodies that move with speeds and prescribed motions at once add -Mp . (prescribed accelerations).
 *
 * Rigid couplings (gears) are not here any more: the rows above fulfil them. Their torques are rows over the torques of
 * branches, the inertia torques J w' of bodies and couplings before them.
 *
 * A gear with losses transmits the torque T = Lb . tau + Lv . v' + Lp . (prescribed accelerations); its loss is a
 * friction element that can lock, and has a row of T in Mass while it slides.
 *
 * Unknowns of the solvers: x = [v | q | z | Lambda], where z are the states of the friction laws and behind them those
 * of the signals, and Lambda' = lambda are the holding torques of the locked elements.  Within one set of modes the
 * machine is  Mass x' = F(t, x)  with a constant matrix Mass = [ M  W ; W' 0 ]  on (v, Lambda) and 1 on q and z;  the
 * row of an unlocked Lambda is Lambda' = 0. Mass and the Jacobian of F live in the slots of one matrix with a fixed
 * pattern, ordered for elimination. */

#define SB_MODEL_SIZES(X)                                                  \
    X(n_v)      /* generalised speeds */                                   \
    X(n_q)      /* position states */                                      \
    X(n_z)      /* states of the friction laws and of the signals */       \
    X(n_u)      /* those of the signals, at the end of z */                \
    X(n_lock)   /* friction elements that can lock */                      \
    X(n_motion) /* prescribed motions */                                   \
    X(n_signal)                                                            \
    X(n_spring)                                                            \
    X(n_source)                                                            \
    X(n_friction)                                                          \
    X(n_body)                                                              \
    X(n_coupling) /* rigid couplings whose torque is not 0 by itself */    \
    X(n_heat)     /* heat ports */                                         \
    X(n_warm)     /* locks that may hold a slip and have a heat port */    \
    X(n_pool)     /* thermal nodes without capacity */                     \
    X(n_pooled)   /* quantities that the heat into them determines */      \
    X(n_position) /* reported positions */                                 \
    X(n_speed)    /* reported speeds of nodes without a body */            \
    X(n_output)                                                            \
    X(n_power) /* elements whose dissipated power is shown */              \
    X(n_lossy) /* branches that add to it */                               \
    X(n_jerk)  /* bodies whose jerk is shown: all of them or none */       \
    X(n_signal_data)                                                       \
    X(n_signal_in)     /* operands of all signals */                       \
    X(n_signal_memory) /* numbers that signals remember */                 \
    X(n_signal_guard)  /* event functions of signals */                    \
    X(n_delay)                                                             \
    X(n_grad)       /* entries of the gradients of signals */              \
    X(n_grad_map)   /* and how they follow from each other */              \
    X(signal_local) /* where they begin among the local derivatives */     \
    X(n_law_guard)  /* event functions of friction laws */                 \
    X(n_side)       /* contacts without lock under a load pair */          \
    X(n_open)       /* contacts with bristles whose load may end */        \
    X(n_shown)      /* discrete states of laws that are modes to people */ \
    X(n_watch)      /* contacts whose slip acceleration is needed */       \
    X(n_unlimited)  /* locks that hold anything against slip one way */    \
    X(n_fr_param)                                                          \
    X(n_vary)  /* parameters of laws that are signals */                   \
    X(n_order) /* inequalities between parameters, of which one varies */  \
    X(n_w)     /* entries of W and WT */                                   \
    X(n_e)                                                                 \
    X(n_g)                                                                 \
    X(n_b)                                                                 \
    X(n_p)                                                                 \
    X(n_s)                                                                 \
    X(n_wp)                                                                \
    X(n_ep)                                                                \
    X(n_gp)                                                                \
    X(n_bp)                                                                \
    X(n_pp)                                                                \
    X(n_sp)                                                                \
    X(n_mp)   /* entries of Mp */                                          \
    X(n_c)    /* entries of the rows of couplings */                       \
    X(n_loss) /* gears with losses */                                      \
    X(n_loss_row)                                                          \
    X(n_lb)    /* entries of the transmitted torques: over branches, */    \
    X(n_lv)    /* speeds, */                                               \
    X(n_lp)    /* prescribed motions */                                    \
    X(n_lm)    /* entries of Mass that a sliding loss adds */              \
    X(n_lj)    /* and contributions to the Jacobian */                     \
    X(n_local) /* local partial derivatives of all elements */             \
    X(n_jac)   /* contributions of local derivatives to the Jacobian */    \
    X(n_mass)  /* entries of Mass */                                       \
    X(n_lu)    /* slots of the matrix, fill included */                    \
    X(n_elim)  /* updates of the elimination */

/* derived sizes */
#define SB_N_Y(m) ((m)->n_v + (m)->n_q + (m)->n_z)
#define SB_N_X(m) (SB_N_Y(m) + (m)->n_lock)
#define SB_N_BRANCH(m) ((m)->n_spring + (m)->n_source + (m)->n_friction)

/* events: two per lock, then those of signals, of laws with discrete states, of contacts under a load pair, of bristles
 * whose load begins or ends */
#define SB_SIGNAL_EVENT(m) (2 * (m)->n_lock)
#define SB_LAW_EVENT(m) (SB_SIGNAL_EVENT(m) + (m)->n_signal_guard)
#define SB_SIDE_EVENT(m) (SB_LAW_EVENT(m) + (m)->n_law_guard)
#define SB_OPEN_EVENT(m) (SB_SIDE_EVENT(m) + (m)->n_side)
#define SB_N_EVENT(m) (SB_OPEN_EVENT(m) + (m)->n_open)

/* Marks in source_energy in place of a signal: it stores nothing; it is a drive, nothing passive. */
enum { SB_SOURCE_STORES_NOTHING = -1, SB_SOURCE_DRIVES = -2 };

#define SB_MODEL_ARRAYS(X)                                                                                     \
    X(int, signal_op, m->n_signal)                                                                             \
    X(int, signal_ptr, m->n_signal + 1)                                                                        \
    X(double, signal_data, m->n_signal_data)                                                                   \
    X(int, signal_in_ptr, m->n_signal + 1)                                                                     \
    X(int, signal_in, m->n_signal_in)                                                                          \
    X(int, signal_memory_ptr, m->n_signal + 1)                                                                 \
    X(int, signal_guard, m->n_signal) /* first event function */                                               \
    X(int, grad_ptr, m->n_signal + 1) /* unknowns that each signal depends on */                               \
    X(int, grad_col, m->n_grad)                                                                                \
    X(int, grad_map_ptr, m->n_signal_in + 1) /* places of an operand's unknowns among those of the signal */   \
    X(int, grad_map, m->n_grad_map)                                                                            \
    X(int, u_rate, m->n_u) /* signal that is the rate of each signal state */                                  \
    X(int, motion_signal, m->n_motion)                                                                         \
    X(int, motion_order, m->n_motion) /* 0: the signal is the position, 1: the speed */                        \
    X(double, spring_c, m->n_spring)                                                                           \
    X(double, spring_d, m->n_spring)                                                                           \
    X(double, spring_rel0, m->n_spring)                                                                        \
    X(int, source_energy, m->n_source) /* signal: stored energy of a passive one, or a mark, as above */       \
    X(int, source_signal, m->n_source)                                                                         \
    X(int, fr_param_ptr, m->n_friction + 1)                                                                    \
    X(double, fr_param, m->n_fr_param)                                                                         \
    X(int, fr_vary_ptr, m->n_friction + 1) /* parameters of each law that are signals */                       \
    X(int, vary_param, m->n_vary)          /* their places in fr_param, which has a typical value there */     \
    X(int, vary_signal, m->n_vary)                                                                             \
    X(double, vary_low, m->n_vary) /* bounds of the value, themselves allowed */                               \
    X(double, vary_high, m->n_vary)                                                                            \
    X(int, order_low, m->n_order) /* places of two parameters: the first must not exceed the second */         \
    X(int, order_high, m->n_order)                                                                             \
    X(int, fr_load, m->n_friction)    /* signal: load while friction is positive */                            \
    X(int, fr_back, m->n_friction)    /* and while it is negative */                                           \
    X(int, fr_guard, m->n_friction)   /* first event function of the law */                                    \
    X(int, fr_side, m->n_friction)    /* number of its side or -1 */                                           \
    X(int, fr_open, m->n_friction)    /* number among the bristles whose load may end, or -1 */                \
    X(int, fr_engage, m->n_friction)  /* sb_engage: how these bristles are bent when the load begins */        \
    X(double, fr_peak, m->n_friction) /* slip within which friction rises towards 0; infinite: it does not */  \
    X(int, shown_state, m->n_shown)   /* their places among the unknowns */                                    \
    X(int, watch, m->n_watch)         /* friction elements */                                                  \
    X(int, fr_state, m->n_friction)   /* first state within z */                                               \
    X(int, fr_lock, m->n_friction)    /* lock number or -1 */                                                  \
    X(int, fr_local, m->n_friction)   /* first local derivative */                                             \
    X(int, fr_count, m->n_friction)   /* elements of a counted law, else 0; its record has them too */         \
    X(int, lock_friction, m->n_lock)                                                                           \
    X(int, lock_local, m->n_lock)         /* local derivative: -relaxation rate while locked */                \
    X(int, lock_free, m->n_lock)          /* 0: slip is prescribed, nothing to hold */                         \
    X(int, lock_unlimited, m->n_lock)     /* direction of slip against which it holds anything, or 0 */        \
    X(int, lock_gap, m->n_lock)           /* signal: way that is left before a stop closes, or -1 */           \
    X(double, lock_bounce, m->n_lock)     /* restitution of a stop */                                          \
    X(double, lock_bounce_min, m->n_lock) /* approach below which it does not bounce */                        \
    X(double, body_inertia, m->n_body)                                                                         \
    X(int, heat_signal, m->n_heat)  /* heat of springs and sources behind the port, or -1 */                   \
    X(int, heat_state, m->n_heat)   /* unknown: temperature that it warms, or -1 */                            \
    X(double, heat_gain, m->n_heat) /* 1 over the heat capacity behind it */                                   \
    X(int, fr_heat, m->n_friction)  /* heat port or -1 */                                                      \
    X(int, fr_heat_local, m->n_friction)                                                                       \
    X(int, heat_pool, m->n_heat) /* thermal node without capacity that it flows into, or -1 */                 \
    X(int, pooled_pool, m->n_pooled)                                                                           \
    X(int, pooled_base, m->n_pooled)  /* signal: the quantity without heat */                                  \
    X(int, pooled_ratio, m->n_pooled) /* signal: what it grows by with the heat of its pool */                 \
    X(int, warm_lock, m->n_warm)                                                                               \
    X(int, warm_slot, m->n_warm)  /* slot of Mass: temperature by holding torque, or -1 */                     \
    X(int, warm_local, m->n_warm) /* local derivative: heat by slip, which is the holding torque */            \
    X(int, w_ptr, SB_N_BRANCH(m) + 1)                                                                          \
    X(int, w_col, m->n_w)                                                                                      \
    X(double, w_val, m->n_w)                                                                                   \
    X(int, e_ptr, m->n_spring + 1)                                                                             \
    X(int, e_col, m->n_e)                                                                                      \
    X(double, e_val, m->n_e)                                                                                   \
    X(int, g_ptr, m->n_q + 1)                                                                                  \
    X(int, g_col, m->n_g)                                                                                      \
    X(double, g_val, m->n_g)                                                                                   \
    X(int, b_ptr, m->n_body + 1)                                                                               \
    X(int, b_col, m->n_b)                                                                                      \
    X(double, b_val, m->n_b)                                                                                   \
    X(int, p_base, m->n_position) /* position before it that it adds to, or -1 */                              \
    X(int, p_ptr, m->n_position + 1)                                                                           \
    X(int, p_col, m->n_p)                                                                                      \
    X(double, p_val, m->n_p)                                                                                   \
    X(int, s_ptr, m->n_speed + 1)                                                                              \
    X(int, s_col, m->n_s)                                                                                      \
    X(double, s_val, m->n_s)                                                                                   \
    X(int, wt_ptr, m->n_v + 1)                                                                                 \
    X(int, wt_row, m->n_w)                                                                                     \
    X(double, wt_val, m->n_w)                                                                                  \
    X(int, wp_row, m->n_wp)                                                                                    \
    X(int, wp_motion, m->n_wp)                                                                                 \
    X(double, wp_val, m->n_wp)                                                                                 \
    X(int, ep_row, m->n_ep)                                                                                    \
    X(int, ep_motion, m->n_ep)                                                                                 \
    X(double, ep_val, m->n_ep)                                                                                 \
    X(int, gp_row, m->n_gp)                                                                                    \
    X(int, gp_motion, m->n_gp)                                                                                 \
    X(double, gp_val, m->n_gp)                                                                                 \
    X(int, bp_row, m->n_bp)                                                                                    \
    X(int, bp_motion, m->n_bp)                                                                                 \
    X(double, bp_val, m->n_bp)                                                                                 \
    X(int, pp_row, m->n_pp)                                                                                    \
    X(int, pp_motion, m->n_pp)                                                                                 \
    X(double, pp_val, m->n_pp)                                                                                 \
    X(int, sp_row, m->n_sp)                                                                                    \
    X(int, sp_motion, m->n_sp)                                                                                 \
    X(double, sp_val, m->n_sp)                                                                                 \
    X(int, mp_row, m->n_mp)                                                                                    \
    X(int, mp_motion, m->n_mp)                                                                                 \
    X(double, mp_val, m->n_mp)                                                                                 \
    X(int, c_ptr, m->n_coupling + 1)                                                                           \
    X(int, c_col, m->n_c) /* branches, behind them bodies, behind them couplings before this one */            \
    X(double, c_val, m->n_c)                                                                                   \
    X(int, lock_loss, m->n_lock) /* number of its loss or -1 */                                                \
    X(int, loss_lock, m->n_loss)                                                                               \
    X(int, loss_local, m->n_loss)    /* local derivative of its row by slip */                                 \
    X(int, loss_varies, m->n_loss)   /* whether efficiencies depend on the speed */                            \
    X(int, loss_lines, m->n_loss)    /* whether its row has slopes and offsets, which are times its law */     \
    X(double, loss_ratio, m->n_loss) /* torque of the support over that of a, without loss */                  \
    X(int, loss_ptr, m->n_loss + 1)                                                                            \
    X(double, loss_table, 5 * m->n_loss_row) /* rows of |w|, eta1, eta2, tbf1, tbf2 */                         \
    X(int, lb_ptr, m->n_loss + 1)                                                                              \
    X(int, lb_col, m->n_lb)                                                                                    \
    X(double, lb_val, m->n_lb)                                                                                 \
    X(int, lv_ptr, m->n_loss + 1)                                                                              \
    X(int, lv_col, m->n_lv)                                                                                    \
    X(double, lv_val, m->n_lv)                                                                                 \
    X(int, lp_row, m->n_lp)                                                                                    \
    X(int, lp_motion, m->n_lp)                                                                                 \
    X(double, lp_val, m->n_lp)                                                                                 \
    X(int, lm_slot, m->n_lm)                                                                                   \
    X(int, lm_loss, m->n_lm)                                                                                   \
    X(int, lm_reaction, m->n_lm) /* 1: of the transmitted torque, times the slope; 0: of the slip */           \
    X(double, lm_val, m->n_lm)                                                                                 \
    X(int, lj_slot, m->n_lj)                                                                                   \
    X(int, lj_loss, m->n_lj)                                                                                   \
    X(int, lj_local, m->n_lj)                                                                                  \
    X(double, lj_val, m->n_lj)                                                                                 \
    X(double, x_nominal, SB_N_X(m))                                                                            \
    X(double, x_least, SB_N_X(m)) /* to which a nominal size may shrink */                                     \
    X(double, z_bound, m->n_z)    /* size that a state of a law cannot exceed */                               \
    X(int, jac_slot, m->n_jac)                                                                                 \
    X(int, jac_local, m->n_jac)                                                                                \
    X(double, jac_coef, m->n_jac)                                                                              \
    X(int, mass_slot, m->n_mass)                                                                               \
    X(double, mass_val, m->n_mass)                                                                             \
    X(int, mass_lock, m->n_mass) /* the lock that it depends on; -1: it always counts */                       \
    X(int, mass_open, m->n_mass) /* 1: the entry counts while the lock is open; 0: while the lock is locked */ \
    X(int, lu_perm, SB_N_X(m))   /* unknown eliminated at each position */                                     \
    X(int, lu_place, SB_N_X(m))  /* position of each unknown */                                                \
    X(int, lu_ptr, SB_N_X(m) + 1)                                                                              \
    X(int, lu_col, m->n_lu) /* positions, ascending in each row */                                             \
    X(int, lu_diag, SB_N_X(m))                                                                                 \
    X(int, elim_dst, m->n_elim)                                                                                \
    X(int, power_branch, m->n_lossy)                                                                           \
    X(int, power_slot, m->n_lossy)                                                                             \
    X(int, out_index, m->n_output) /* into the board of sb_data */                                             \
    X(double, out_scale, m->n_output)

#define SB_MEMBER_int int
#define SB_MEMBER_double sb_real

typedef struct sb_model {
#define X(name) int name;
    SB_MODEL_SIZES(X)
#undef X
#define X(type, name, length) const SB_MEMBER_##type *name;
    SB_MODEL_ARRAYS(X)
#undef X
    const sb_law *const *fr_law; /* n_friction records; data of a model have the names of the laws, see sb_law_find */
} sb_model;

/* The law of a contact. */
static inline const sb_law *sb_law_of(const sb_model *m, int friction)
{
    return m->fr_law[friction];
}

/* Refuses arrays whose indices point outside of their targets. */
sb_status sb_model_check(const sb_model *m);

#endif
