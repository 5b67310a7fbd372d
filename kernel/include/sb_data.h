#ifndef SB_DATA_H
#define SB_DATA_H

#include <stddef.h>

#include "sb_model.h"
#include "sb_status.h"

/* Everything that changes during a run: a few numbers here, and arrays in one block of memory. */

enum { SB_NOBODY = -1 }; /* in place of a number */

/* What is behind a failure: nothing known, or an unknown, an event function, a signal, a parameter that varies, an
 * inequality of two parameters by its number. */
typedef enum sb_culprit_kind { SB_NOTHING, SB_UNKNOWN, SB_EVENT, SB_SIGNAL, SB_PARAMETER, SB_ORDER } sb_culprit_kind;

typedef struct sb_culprit {
    sb_culprit_kind kind;
    int number;
} sb_culprit;

/* What happens where an event function is zero: something jumps; a function of time bends; or one of the unknowns does,
 * which is located for accuracy alone, and no better than the run is. */
typedef enum sb_kink { SB_JUMP, SB_KINK, SB_SOFT_KINK } sb_kink;

/* Modes of a contact: numbers in arrays, words in files, as in Modelica. */
#define SB_MODES(X)                \
    X(SB_BACKWARD, -1, "Backward") \
    X(SB_STUCK, 0, "Stuck")        \
    X(SB_FORWARD, 1, "Forward")    \
    X(SB_FREE, 2, "Free")

enum {
#define X(mode, number, word) mode = (number),
    SB_MODES(X)
#undef X
};

/* What the machine shows at one instant; outputs are entries of this board. */
#define SB_BOARD_ARRAYS(X)     \
    X(state, SB_N_Y(m))        \
    X(slip, SB_N_BRANCH(m))    \
    X(disp, m->n_spring)       \
    X(tau, SB_N_BRANCH(m))     \
    X(motion_w, m->n_motion)   \
    X(reaction, m->n_motion)   \
    X(body_w, m->n_body)       \
    X(body_a, m->n_body)       \
    X(coupling, m->n_coupling) \
    X(loss_a, m->n_loss)       \
    X(loss_support, m->n_loss) \
    X(position, m->n_position) \
    X(speed, m->n_speed)       \
    X(mode_shown, m->n_lock)   \
    X(heat, m->n_heat)         \
    X(pooled, m->n_pooled)     \
    X(signal, m->n_signal)     \
    X(dissipated, m->n_power)  \
    X(body_j, m->n_jerk)

#define SB_STAGES 8
#define SB_NODES 4      /* Lobatto nodes of a step: ledger, events and extremes look there */
#define SB_FINE_NODES 6 /* further points of a step in which an output may have an extreme, and one to search */
#define SB_JET 4        /* a signal and its first three time derivatives */

/* Length of a vector with its padding: every array may be read and written that far. */
#define SB_PADDED(n) (((n) + 3) / 4 * 4)

/* Length of what only runs have that show jerks. */
#define SB_N_JERK(m, n) ((m)->n_jerk > 0 ? (n) : 0)

/* Entries of the matrix of a step where it is small: with room for those outside of its pattern; its sizes as numbers. */
#define SB_MOST_SMALL 8
#define SB_SMALL_SIZES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define SB_N_SMALL(m) (SB_N_X(m) <= SB_MOST_SMALL ? SB_N_X(m) * SB_N_X(m) : 0)

/* The same of a stick problem, which may become small. */
#define SB_N_STICK(m) ((m)->n_lock > 0 && (m)->n_v < SB_MOST_SMALL ? SB_MOST_SMALL * SB_MOST_SMALL : 0)

/* What the next instant depends on, listed here and nowhere else: a run goes on from these, and all other memory
 * follows from them and from the model. sb_data_fields finds them by their names. */
#define SB_EVOLVING_NUMBERS(X)                                                                                \
    X(t)         /* time of x */                                                                              \
    X(t_segment) /* start of the present segment between time events: signals are smooth on it */             \
    X(t_break)   /* its end */                                                                                \
    X(pace)      /* longest step that sees the shape of the signals */                                        \
    X(t_bridge)  /* until then events that repeat at one instant are passed over; infinite: there are none */ \
    X(dwell)     /* how long events that repeat are passed over */                                            \
    X(t_crowd)   /* since when events are counted as a crowd */                                               \
    X(t_jumping) /* the same for signals */                                                                   \
    X(h_step)    /* size of the step that stage and dense describe */

#define SB_EVOLVING_COUNTS(X) X(corner_age) /* delays that the last event has come through */

#define SB_EVOLVING_DOUBLES(X)                                                                             \
    X(x, SB_N_X(m))           /* unknowns at t */                                                          \
    X(x_peak, SB_N_X(m))      /* largest size that each state has had */                                   \
    X(force_start, SB_N_X(m)) /* F at the start of the step */                                             \
    X(rate_start, SB_N_X(m))  /* x' at the start of the step */                                            \
    X(signal_memory, m->n_signal_memory)                                                                   \
    X(jet, SB_JET * m->n_signal)                                                                           \
    X(node_break, m->n_signal)   /* next break of each signal */                                           \
    X(node_crossed, m->n_signal) /* when its branch has changed at a located event */                      \
    X(signal_layer, m->n_signal) /* half the width of the layer in which it slides along a jump */         \
    X(line_start, m->n_signal)   /* value at t_segment of a signal that is a straight line in time */      \
    X(line_slope, m->n_signal)   /* and its slope */                                                       \
    X(slip_kept, m->n_lock)      /* slip that a stuck contact keeps */                                     \
    X(loss_floor, m->n_loss)     /* size of the terms of a torque of a gear, as found at the last event */ \
    X(event_node, SB_NODES *SB_N_EVENT(m))                                                                 \
    X(event_band, SB_N_EVENT(m)) /* within which an event function decides nothing */

#define SB_EVOLVING_INTS(X)                                                                         \
    X(signal_branch, m->n_signal)                                                                   \
    X(signal_slides, m->n_signal) /* 1 + the event function along whose zero it slides, or 0 */     \
    X(signal_on, m->n_signal)     /* whether a signal changes within the segment */                 \
    X(line_is, m->n_signal)       /* whether it is a straight line in time */                       \
    X(side, m->n_friction)        /* sign of the friction under a load pair */                      \
    X(open, m->n_friction)        /* bristles without load */                                       \
    X(mode, m->n_lock)                                                                              \
    X(phase, m->n_lock)       /* sb_phase: how it is in its mode */                                 \
    X(redundant, m->n_lock)   /* locked, but its motion is held by others already */                \
    X(driver, m->n_loss)      /* side of a gear with losses that drives */                          \
    X(segment, m->n_loss)     /* row from which its table is read */                                \
    X(lean, m->n_loss)        /* limit on which a gear at rest sits while others hold its motion */ \
    X(loss_sits, m->n_loss)   /* a gear at rest whose limit holds whatever it is loaded with */     \
    X(flips, SB_N_EVENT(m))   /* how often each has fired in the present crowd */                   \
    X(kink, SB_N_EVENT(m))    /* sb_kink: whether nothing jumps there */                            \
    X(resting, SB_N_EVENT(m)) /* event functions that are zero within their bands: they fire below */

/* The rest is work space. */
#define SB_WORK_ARRAYS(X)                                                                                            \
    X(part, m->n_signal_in)      /* partial derivatives of one signal by its operands */                             \
    X(accel, m->n_friction)      /* slip acceleration of the watched contacts */                                     \
    X(compliance, m->n_friction) /* and how it answers to their torque in the present modes */                       \
    X(hold, m->n_lock)           /* holding torques without what lets the slip decay */                              \
    X(lock_state, m->n_z)        /* states of the laws that can stick: their limits depend on them */                \
    X(slip0, SB_N_BRANCH(m))     /* what prescribed motions add to slips, and its time derivatives */                \
    X(slip_t, SB_N_BRANCH(m))                                                                                        \
    X(slip_tt, SB_N_BRANCH(m))                                                                                       \
    X(disp0, m->n_spring)                                                                                            \
    X(disp_t, m->n_spring)                                                                                           \
    X(rate0, m->n_q)                                                                                                 \
    X(rate_t, m->n_q)                                                                                                \
    X(body_w0, m->n_body)                                                                                            \
    X(body_j0, m->n_jerk)                                                                                            \
    X(jerk_jac, SB_N_JERK(m, m->n_lu)) /* Jacobian and Mass of the point whose jerk is wanted */                     \
    X(jerk_force_t, SB_N_JERK(m, SB_N_X(m)))                                                                         \
    X(jerk_mass, SB_N_JERK(m, m->n_lu))                                                                              \
    X(jerk_mass_lu, SB_N_JERK(m, m->n_lu))                                                                           \
    X(jerk_mass_inv, SB_N_JERK(m, SB_N_X(m)))                                                                        \
    X(jerk_loss_slope, SB_N_JERK(m, m->n_loss))                                                                      \
    X(jerk_loss_gain, SB_N_JERK(m, m->n_loss))                                                                       \
    X(jerk_rate, SB_N_JERK(m, SB_N_X(m)))                                                                            \
    X(body_a0, m->n_body)                                                                                            \
    X(position0, m->n_position)                                                                                      \
    X(speed0, m->n_speed)                                                                                            \
    X(torque_offset, m->n_source) /* added to the torques of the sources; 0 in a run */                              \
    X(inertia0, m->n_v)           /* generalised inertia forces of the prescribed motions, and their rates */        \
    X(inertia_t, m->n_v)                                                                                             \
    X(loss_p0, m->n_loss) /* part of prescribed motions in loss_torque */                                            \
    X(loss_pt, m->n_loss)                                                                                            \
    X(loss_torque, m->n_loss) /* torque that a gear with losses transmits */                                         \
    X(loss_size, m->n_loss)   /* size of its terms */                                                                \
    X(loss_slope, m->n_loss)  /* loss over transmitted torque, as in Mass */                                         \
    X(loss_gain, m->n_loss)   /* how the torque answers to its row of F */                                           \
    X(loss_push, m->n_loss)                                                                                          \
    X(loss_share, m->n_loss * m->n_lock) /* its torque by that of a redundant contact, less what others take over */ \
    X(loss_shift, m->n_loss)             /* what the split of redundant contacts adds to its row of F */             \
    X(x_loss, SB_N_X(m))                                                                                             \
    X(tau_t, SB_N_BRANCH(m))          /* explicit time derivative of torques */                                      \
    X(heat_t, m->n_heat)              /* and of heats */                                                             \
    X(warm_slip, m->n_warm)           /* slips that Mass has been made with */                                       \
    X(pool, m->n_pool)                /* heat into thermal nodes without capacity */                                 \
    X(param, m->n_fr_param)           /* parameters of the laws at this instant */                                   \
    X(motion_offset, 3 * m->n_motion) /* added to prescribed motions: x, x', x''; 0 in a run */                      \
    X(local, m->n_local)                                                                                             \
    X(x_new, SB_N_X(m))                                                                                              \
    X(x_tmp, SB_N_X(m))                                                                                              \
    X(error, SB_N_X(m))                                                                                              \
    X(force_new, SB_N_X(m)) /* and at its end */                                                                     \
    X(rate_new, SB_N_X(m))  /* x' at its end */                                                                      \
    X(force, SB_N_X(m))     /* F(t, x) */                                                                            \
    X(force_t, SB_N_X(m))                                                                                            \
    X(rate, SB_N_X(m)) /* x' */                                                                                      \
    X(stage, SB_STAGES *SB_PADDED(SB_N_X(m)))                                                                        \
    X(sum, SB_N_X(m))                                                                                                \
    X(solve_tmp, SB_N_X(m))                                                                                          \
    X(dense, 3 * SB_PADDED(SB_N_X(m)))                                                                               \
    X(mass, m->n_lu) /* Mass in the present modes, in the matrix slots */                                            \
    X(jac, m->n_lu)                                                                                                  \
    X(lu, m->n_lu)                                                                                                   \
    X(lu_inv, SB_N_X(m))                                                                                             \
    X(small, SB_N_SMALL(m)) /* the same of a small machine, in full rows */                                          \
    X(mass_lu, m->n_lu)     /* factors of Mass in the present modes */                                               \
    X(mass_inv, SB_N_X(m))                                                                                           \
    X(lambda, m->n_lock) /* holding torques */                                                                       \
    X(x_hold, SB_N_X(m)) /* accelerations and holding torques, for the heat of these */                              \
    X(stick_lu, m->n_lu) /* the bordered matrix of the stick problem */                                              \
    X(stick_inv, SB_N_X(m))                                                                                          \
    X(stick_small, SB_N_STICK(m)) /* the same of few contacts, without what is not part of it */                     \
    X(stick_b, SB_N_X(m))                                                                                            \
    X(stick_x, SB_N_X(m))                                                                                            \
    X(low, m->n_lock) /* the box of each contact */                                                                  \
    X(high, m->n_lock)                                                                                               \
    X(grip, m->n_lock)             /* its holding torque within the box */                                           \
    X(need, m->n_lock)             /* slip acceleration without any torque on free speeds */                         \
    X(excess, m->n_lock)           /* torque that a redundant contact lacks on its limit */                          \
    X(weight, m->n_lock)           /* of its torque among those that share a motion */                               \
    X(impact_loss, m->n_lock)      /* energy lost in an impact */                                                    \
    X(impulse, m->n_lock)          /* of contacts and gears, all together */                                         \
    X(give_back, m->n_lock)        /* impulse of restitution */                                                      \
    X(slip_before, SB_N_BRANCH(m)) /* slips before an impulse */                                                     \
    X(group_scale, m->n_lock)      /* largest of them in a group */                                                  \
    X(lock_reach, m->n_lock)       /* |W_k| */                                                                       \
    X(share_reach, m->n_lock)      /* of its torque among those that share: 1 / sqrt(part in the null space of W) */ \
    X(null_space, SB_N_NULL(m) * m->n_lock) /* of W of the stuck contacts: torques that move nothing, orthonormal */ \
    X(lock_scale, m->n_lock)                /* W_k' M^-1 W_k */                                                      \
    X(v_inertia, m->n_v)                    /* diagonal of M */                                                      \
    X(v_size, m->n_v)                       /* size of the terms of each acceleration */                             \
    X(event_value, SB_N_EVENT(m))                                                                                    \
    X(event_theta, SB_N_EVENT(m))                                                                                    \
    X(event_first, SB_N_EVENT(m))       /* values at the first crossing known */                                     \
    X(event_bracket, 4 * SB_N_EVENT(m)) /* places and values before and after each crossing */                       \
    X(node_output, (SB_NODES + SB_FINE_NODES) * m->n_output)                                                         \
    X(output, m->n_output)                                                                                           \
    X(ext_min, m->n_output)                                                                                          \
    X(ext_tmin, m->n_output)                                                                                         \
    X(ext_max, m->n_output)                                                                                          \
    X(ext_tmax, m->n_output)                                                                                         \
    X(power, SB_N_LEDGER(m))                                                                                         \
    X(power_start, SB_N_LEDGER(m))                                                                                   \
    X(power_new, SB_N_LEDGER(m))                                                                                     \
    X(work_step, SB_N_LEDGER(m))                                                                                     \
    X(ledger, SB_N_LEDGER(m))                                                                                        \
    X(energy_start, SB_N_STORE(m))                                                                                   \
    X(energy_now, SB_N_STORE(m))                                                                                     \
    X(energy_tmp, SB_N_STORE(m))                                                                                     \
    X(energy_jump, SB_N_STORE(m))

/* Lists, which lanes share. */
#define SB_LIST_ARRAYS(X)                                                             \
    X(signal_active, m->n_signal) /* signals that change within the segment */        \
    X(line_node, m->n_signal)     /* those of them that are straight lines in time */ \
    X(curve_node, m->n_signal)    /* and the others that change */

#define SB_INT_ARRAYS(X)                                                                                     \
    X(signal_tries, m->n_signal) /* the same of one that may leave: negative back, positive over */          \
    X(loss_rests, m->n_loss)     /* its slip is 0 at this event */                                           \
    X(loss_jams, m->n_loss)      /* a gear that no side can drive: it stops at once */                       \
    X(loss_holds, m->n_loss)     /* a gear at rest that is held at this instant, whatever its lines say */   \
    X(loss_kept, 4 * m->n_loss)  /* what it was before an impulse */                                         \
    X(loss_fired, m->n_loss)     /* direction in which its limit was reached */                              \
    X(stick_place,                                                                                           \
      SB_N_X(m)) /* of the unknowns in the stick problem, in the order of elimination; -1: not part of it */ \
    X(locked, m->n_lock)                                                                                     \
    X(mass_locked, m->n_lock) /* those of Mass as it is */                                                   \
    X(redundant_ever, m->n_lock)                                                                             \
    X(group, m->n_lock) /* locks that depend on each other have one number */                                \
    X(fired, SB_N_EVENT(m))                                                                                  \
    X(lock_set, m->n_lock)  /* the stuck contacts */                                                         \
    X(candidate, m->n_lock) /* contacts that may stick */                                                    \
    X(released, m->n_lock)  /* of these, those that break away */                                            \
    X(pin, m->n_lock)       /* bound that a contact sits on, 0: inside its box */                            \
    X(pin_hold, m->n_lock)  /* the same of torques that would hold a slip that decays */                     \
    X(next_pin, m->n_lock)                                                                                   \
    X(held, m->n_lock)      /* contacts that are held in the stick problem */                                \
    X(bounced, m->n_lock)   /* stops that have just passed an impulse */                                     \
    X(lock_slot, m->n_lock) /* place of their diagonal in the matrix */                                      \
    X(shown_old, m->n_shown)                                                                                 \
    X(mode_old, m->n_lock)    /* before this instant */                                                      \
    X(mode_before, m->n_lock) /* before this round of changes */                                             \
    X(near, m->n_output)      /* outputs close to an extreme */

/* The ledger: per branch input, dissipated and stored power; per body stored power; per motion input. */
#define SB_N_STORE(m) (SB_N_BRANCH(m) + (m)->n_body)
/* Vectors of that null space that are kept orthogonal: as many as there are redundant contacts, but not endlessly. */
#define SB_N_NULL(m) ((m)->n_lock < 64 ? (m)->n_lock : 64)

#define SB_LEDGER_IN(m) 0
#define SB_LEDGER_LOSS(m) SB_N_BRANCH(m)
#define SB_LEDGER_STORE(m) (2 * SB_N_BRANCH(m))
#define SB_LEDGER_MOTION(m) (SB_LEDGER_STORE(m) + SB_N_STORE(m))
#define SB_N_LEDGER(m) (SB_LEDGER_MOTION(m) + (m)->n_motion)

#define SB_STATISTICS(X)    \
    X(steps)                \
    X(rejected)             \
    X(steps_rodas5p)        \
    X(steps_dopri5)         \
    X(rhs_evaluations)      \
    X(output_evaluations)   \
    X(jacobian_evaluations) \
    X(factorisations)       \
    X(event_evaluations)    \
    X(state_events)         \
    X(time_events)          \
    X(bridged)

typedef struct sb_statistics {
#define X(name) long name;
    SB_STATISTICS(X)
#undef X
    double smallest_step, largest_step;
} sb_statistics;

/* A callback that may end a run: `ask` is called after a bounded amount of work; any answer other than SB_OK is what
 * sb_rates returns from then on. */
typedef struct sb_watch {
    sb_status (*ask)(void *context);
    void *context;
    long work; /* since it was asked, in operations of sb_rates */
    sb_status answer;
} sb_watch;

typedef struct sb_data {
#define X(name) sb_real name;
    SB_EVOLVING_NUMBERS(X)
#undef X
#define X(name) int name;
    SB_EVOLVING_COUNTS(X)
#undef X
    double tolerance; /* of the run */
    int n_active;     /* signals that change within the segment */
    int low_jets;     /* of functions of time nothing looks beyond the first derivative, but for order 1 */
    int n_line;       /* of these, straight lines in time, and the others */
    int n_curve;
    sb_real t_slips;                  /* time of the last evaluation, */
    int has_slopes;                   /* and whether it has left what the Jacobian there is made of */
    unsigned long long small_pattern; /* entries of `small` that are in the pattern, a bit for each */
    double v_size_most;               /* size of the terms of the largest acceleration */
    int n_decaying;                   /* stuck contacts whose slip decays */
    int n_stuck, n_redundant;
    int n_stick;           /* unknowns of the stick problem as a small system; 0: it is in the pattern */
    int shared;            /* redundant contacts have been given their share: d->stick_x */
    int literal_sign;      /* locking laws are curve * sign(slip): nothing sticks */
    int n_varying;         /* sliding losses whose efficiency depends on the speed */
    int n_ambiguous;       /* sliding losses whose torque depends on the split of redundant contacts */
    sb_flag mass_diagonal; /* Mass in the present modes has nothing off its diagonal */
    long mass_number;      /* grows when Mass changes */
    sb_real stiffness;     /* h * |eigenvalue| as an explicit method met it in its last step */
    sb_count worst;        /* unknown with the largest error of the last step, or -1 */
    sb_culprit culprit;    /* behind a failure */
    sb_watch watch;
    sb_statistics stats;
    sb_real *board;
#define X(name, length) sb_real *name;
    SB_BOARD_ARRAYS(X)
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
#define X(name, length) sb_count *name;
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
#undef X
#define X(name, length) int *name;
    SB_LIST_ARRAYS(X)
#undef X
    const void *lanes; /* the machines that they belong to, if these are lanes */
} sb_data;

/* Numbers on the board. */
SB_HOT int sb_board_size(const sb_model *m);

/* Bytes of the block behind sb_data, and the pointers into it (the block is cleared). */
SB_HOT size_t sb_data_size(const sb_model *m);
SB_HOT void sb_data_bind(const sb_model *m, sb_data *d, void *block);

/* Everything as after sb_data_bind. */
SB_HOT void sb_data_clear(const sb_model *m, sb_data *d);

/* The pointers alone. */
SB_HOT void sb_data_place(const sb_model *m, sb_data *d, void *block);

/* A named part of what evolves: where it is, and how many numbers it has; one of the two places is NULL. */
typedef struct sb_field {
    const char *name;
    double *numbers;
    int *counts;
    size_t n;
} sb_field;

/* Room for all of them, and the fields of sb_data; returns how many there are. */
enum { SB_MOST_FIELDS = 128 };
size_t sb_data_fields(const sb_model *m, sb_data *d, sb_field *fields);

/* Lists of fields are made by these. */
#define SB_NUMBER_FIELD(name, place) fields[n++] = (sb_field){name, place, NULL, 1};
#define SB_COUNT_FIELD(name, place) fields[n++] = (sb_field){name, NULL, place, 1};
#define SB_DOUBLES_FIELD(name, place, length) fields[n++] = (sb_field){name, place, NULL, (size_t)(length)};
#define SB_INTS_FIELD(name, place, length) fields[n++] = (sb_field){name, NULL, place, (size_t)(length)};

#endif
