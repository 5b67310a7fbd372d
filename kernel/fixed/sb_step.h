#ifndef SB_STEP_H
#define SB_STEP_H

#include "sb_fixed.h"

/* The internal header of fixed/.
 *
 * The parts of the resolvent step: the free motion (free_motion.c, propagate.c), the answer of one friction element
 * (resolvent.c, resolvent_lock.c, resolvent_hybrid.c, resolvent_curve.c), the agreement of all of them (couple.c), the
 * energy (step_energy.c).
 *
 * At the end of a step the slips are  s = s_free - Y tau  with the free slips s_free and the coupling Y of the island,
 * and every element k asks for (s_k, tau_k) on the graph of its law. */

/* What an element is in this step: without load; with torques that hold a slip, and beyond them straight lines; a curve
 * tau(s), of bristles with the states that go with it; between motions that are prescribed. */
enum { SB_EL_IDLE, SB_EL_LOCK, SB_EL_CURVE, SB_EL_GIVEN };

/* What never changes of an element, in f->el_facts: it can lock; blocks one way; is a stop, or the loss of a gear;
 * locks in the manner of Karnopp, or as a hybrid contact; its bristles rest where it has no load; it is between motions
 * that are prescribed; its limits per unit load change, with states or parameters; something of it changes at the end
 * of a step; it acts also without load. */
enum {
    SB_FACT_LOCKS = 1,
    SB_FACT_BLOCKS = 2,
    SB_FACT_STOPS = 4,
    SB_FACT_LOSES = 8,
    SB_FACT_KARNOPP = 16,
    SB_FACT_HYBRID = 32,
    SB_FACT_OPENS = 64,
    SB_FACT_GIVEN = 128,
    SB_FACT_VARIES = 256,
    SB_FACT_CHANGES = 512,
    SB_FACT_ACTS = 1024
};

/* A matrix in slices: n rows whose numbers of entries are in `next`; one entry after the other; the end of it. Or all
 * at once from compressed rows; `next` is space for n numbers. */
void sb_slices_begin(sb_slices *s, int n, int *next);
void sb_slices_put(sb_slices *s, int *next, int row, int col, double val);
void sb_slices_end(sb_slices *s);
void sb_slices_from_rows(sb_slices *s, int n, const int *ptr, const int *col, const double *val, int *next);

/* to = from + matrix times x; from may be a null pointer for 0. */
#if SB_LANES == 1

static inline void sb_slices_multiply(const sb_slices *s, const sb_real *restrict x, const sb_real *from, sb_real *to)
{
    const sb_real *restrict val = s->val;
    const int *restrict col = s->col;
    for (int i = 0; i < s->n; i += SB_SLICE) {
        const int *row = s->row + i;
        const int *end = s->col + s->end[i / SB_SLICE];
        sb_real a = from ? from[row[0]] : SB_R(0.0);
        sb_real b = from ? from[row[1]] : SB_R(0.0);
        sb_real c = from ? from[row[2]] : SB_R(0.0);
        sb_real e = from ? from[row[3]] : SB_R(0.0);
        for (; col != end; col += SB_SLICE, val += SB_SLICE) {
            a += val[0] * x[col[0]];
            b += val[1] * x[col[1]];
            c += val[2] * x[col[2]];
            e += val[3] * x[col[3]];
        }
        to[row[0]] = a;
        to[row[1]] = b;
        to[row[2]] = c;
        to[row[3]] = e;
    }
}

#else

/* Columns count doubles here, which saves instructions. */
static inline sb_real sb_in_column(const sb_real *x, int col)
{
    return *(const sb_real *)((const double *)x + col);
}

static inline void sb_slices_multiply(const sb_slices *s, const sb_real *restrict x, const sb_real *from, sb_real *to)
{
    const sb_real *restrict val = s->val;
    const int *restrict col = s->col;
    for (int i = 0, p = 0; i < s->n; ++i) {
        const int row = s->row[i];
        const int end = s->end[i];
        sb_real sum = from ? from[row] : SB_R(0.0);
        if ((end - p) % 2 != 0) {
            sum += val[p] * sb_in_column(x, col[p]);
            ++p;
        }
        for (; p < end; p += 2) {
            sum += val[p] * sb_in_column(x, col[p]);
            sum += val[p + 1] * sb_in_column(x, col[p + 1]);
        }
        to[row] = sum;
    }
}

#endif

/* Rounds of an agreement in which Stribeck curves move with the slips; then they are held, and all graphs stay. */
enum { SB_MOST_MOVES = 20 };

/* Once at the start: islands, shares of the step, numerical dampers. */
void sb_motion_start(const sb_model *m, sb_data *d, sb_fixed *f);

/* Factors that stay the same, so that the first step is no longer than others. */
void sb_motion_factors(const sb_model *m, sb_data *d, sb_fixed *f);

/* Change of the unknowns without friction, the free slips, and how both answer to torques; where that has failed
 * (SB_SINGULAR). */
SB_HOT sb_flag sb_motion_free(const sb_model *m, sb_data *d, sb_fixed *f);

/* From the torques of all branches and the speeds in x to f->change. */
SB_HOT void sb_motion_solve(const sb_model *m, sb_data *d, sb_fixed *f, const sb_real *x);

/* The same motion by one matrix, if forces are linear with constant coefficients: sets f->plain. After the factors. */
void sb_propagate_start(const sb_model *m, sb_data *d, sb_fixed *f);
SB_HOT void sb_propagate(const sb_model *m, sb_data *d, sb_fixed *f);

/* The unknowns at the end of the step: speeds with the torques of elements that are alone, and positions. */
SB_HOT void sb_propagate_unknowns(const sb_model *m, sb_data *d, sb_fixed *f);

/* Torques of springs and sources that the unknowns and sources `in` give; offset 1 with the constant part, 0 without. */
SB_HOT void sb_propagated_from(const sb_model *m, sb_data *d, const sb_fixed *f, const sb_real *in, double offset);

/* Rates, slips and torques of all branches after a step, unless they are on the board already. */
SB_HOT void sb_step_show(const sb_model *m, sb_data *d, sb_fixed *f);

/* What stays the same of all laws; once at the start. */
void sb_resolvent_start_laws(const sb_model *m, const sb_data *d, sb_fixed *f);

/* Loads, kinds, boxes and lines of all elements. */
void sb_resolvent_prepare(const sb_model *m, sb_data *d, sb_fixed *f);
SB_HOT void sb_resolvent_prepare_one(const sb_model *m, const sb_data *d, sb_fixed *f, int k);

/* In what follows `some` are the machines that it is about: in lanes others stay as they are, alone it is 1. */

/* Lines of a lock, by whether it has broken away: beside its box it has those. */
SB_HOT void sb_resolvent_lines(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag some);

/* Box and lines of a lock that has broken away. */
SB_HOT void sb_resolvent_release(const sb_model *m, const sb_data *d, sb_fixed *f, int k, sb_flag some);

/* Its box, target and side at the start of a step; lines are set where it leaves its box, or where others have to know
 * them. And its answer, if `hold` is the torque that would hold it. */
SB_HOT void sb_resolvent_prepare_lock(const sb_model *m, const sb_data *d, sb_fixed *f, int k);
SB_HOT void sb_resolvent_solve_lock(sb_fixed *f, int k, sb_real slip_free, sb_real hold, sb_flag some);

/* What it holds against slip to each side, per unit load; and its slip at the end without its own torque, with the
 * torques that the others had last. */
SB_HOT void sb_resolvent_box(const sb_model *m, sb_fixed *f, int k, sb_real limit, sb_flag some);
SB_HOT sb_real sb_resolvent_last_free(const sb_model *m, const sb_fixed *f, int k);

/* Hybrid contacts: before and after the boxes of all locks; whether one lets its slip decay, and its box then; one that
 * slides, or is caught. */
void sb_hybrid_begin(const sb_model *m, const sb_data *d, sb_fixed *f);
void sb_hybrid_end(const sb_model *m, const sb_data *d, sb_fixed *f);
int sb_hybrid_decays(const sb_model *m, const sb_data *d, const sb_fixed *f, int k);
void sb_hybrid_hold(const sb_model *m, const sb_data *d, sb_fixed *f, int k);
void sb_hybrid_slide(const sb_model *m, const sb_data *d, sb_fixed *f, int k);

/* The same of an element that is a curve: among others with its Stribeck curve as it is, or alone. */
SB_HOT void sb_resolvent_prepare_curve(const sb_model *m, sb_fixed *f, int k);
SB_HOT void sb_resolvent_solve_curve(const sb_model *m, sb_fixed *f, int k, sb_real slip_free);
SB_HOT void sb_resolvent_solve_alone(const sb_model *m, sb_fixed *f, int k, sb_real slip_free, sb_flag some);

/* Whether the slip that was found turns round, for the first time in this step: then it is met as at rest. */
SB_HOT sb_flag sb_resolvent_turn(const sb_model *m, sb_fixed *f, int k, sb_real slip, sb_flag some);

/* Whether a guard of its law is 0 within the step, now that slip and torque are found: then its step goes on from
 * behind that jump, and it has to be solved again. */
int sb_resolvent_jump(const sb_model *m, sb_fixed *f, int k);

/* Friction per unit load that would keep its slip, in a direction. */
double sb_friction_to_hold(const sb_fixed *f, int k, int direction, int back);

/* Outputs of a law and their derivatives in a step; in lanes laws have at most one state. */
#if SB_LANES == 1
enum { SB_STEP_OUT = SB_LAW_MAX, SB_STEP_JAC = SB_LAW_LOCALS };
#else
enum { SB_STEP_OUT = 2, SB_STEP_JAC = 4 };
#endif

/* Parameters of the law of friction element k in this step. */
static inline const sb_real *sb_param_of(const sb_model *m, const sb_fixed *f, int k)
{
    return f->el_param + m->fr_param_ptr[k];
}

/* Share of the step after which something is met that changes by `stiff` within the step. */
static inline sb_real sb_share_of(sb_real stiff)
{
    return (0.5 + stiff) / (1.0 + stiff);
}

/* Torque and its slope at the slip s of an element that is a curve. */
SB_HOT void sb_resolvent_curve(const sb_model *m, sb_fixed *f, int k, sb_real s, sb_flag some, sb_real *tau,
                               sb_real *slope);

/* The same at its present slip, for a round of all. In the first rounds the Stribeck curve moves with the slip. */
SB_HOT void sb_resolvent_tangent(const sb_model *m, sb_fixed *f, int k, sb_count round, sb_flag some, sb_real *tau,
                                 sb_real *slope);

/* One round of Newton's method for states after a step of the implicit Euler rule, z - z0 - h z'(s, z) = 0, from out
 * and jac of the law at z: b gets the change of each state and its derivative by s, in turns; NaN if there is none. */
void sb_newton_of_states(int n, double h, const double *z, const double *z0, const double *out, const double *jac,
                         double *b);

/* States z of a curve at the end of the step. */
SB_HOT void sb_resolvent_states(const sb_model *m, const sb_fixed *f, int k, sb_flag some, sb_real *z);

/* Slip and torque of one element whose slip would be `slip_free` without its own torque. */
void sb_resolvent_solve(const sb_model *m, sb_fixed *f, int k, double slip_free);

/* Signals of the step, prescribed speeds at its start and end, impacts; of these, what has changed from outside and the
 * breaks up to the middle of the step, and whether a prescribed speed has jumped with them. */
sb_status sb_step_signals(const sb_model *m, sb_data *d, sb_fixed *f);
sb_status sb_step_breaks(const sb_model *m, sb_data *d, sb_fixed *f, double t_mid, int *jumped);
void sb_step_signals_end(const sb_model *m, sb_data *d, sb_fixed *f);

/* Impacts of the step, before its motion: stops that are met in it, and what blocks where a prescribed speed has
 * `jumped`. Speeds, positions, slips at the start and modes are then those behind them. */
void sb_step_impacts(const sb_model *m, sb_data *d, sb_fixed *f, int jumped);

/* Locks among n elements (all, if el is NULL) that come to rest in this step beside others that are stuck: whether
 * there are some; their boxes and those of the stuck ones for the decision which break away then; the same behind it;
 * and those that have broken away continue with that, though the rest of the slip of another still holds it up in this
 * step. */
int sb_stop_find(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el);
void sb_stop_begin(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el);
void sb_stop_end(const sb_model *m, const sb_data *d, sb_fixed *f, int n, const int *el);
void sb_stop_keep(sb_fixed *f, int n, const int *el);

/* The end of a step: unknowns and slips of friction elements; modes; states of a law that cannot lock, and the side of
 * one whose load depends on it. */
SB_HOT void sb_step_unknowns(const sb_model *m, sb_data *d, sb_fixed *f);
SB_HOT void sb_step_modes(const sb_model *m, sb_data *d, sb_fixed *f);
SB_HOT void sb_step_states(const sb_model *m, sb_data *d, const sb_fixed *f, int k);
SB_HOT void sb_step_side(const sb_model *m, sb_data *d, const sb_fixed *f, int k);

/* Slip and torque of an element on which no other acts. */
SB_HOT void sb_couple_one(const sb_model *m, const sb_data *d, sb_fixed *f, int k);

/* Slips and torques of all elements. */
void sb_couple(const sb_model *m, sb_data *d, sb_fixed *f);

/* The same by the sparse matrix, with the change of the unknowns; and before it, what an element yields to its own
 * torque, and its slip without that while the others have the torques of the last step. */
void sb_couple_sparse(const sb_model *m, sb_data *d, sb_fixed *f);
void sb_sparse_yields(const sb_model *m, sb_data *d, sb_fixed *f);
void sb_sparse_free(const sb_model *m, sb_data *d, sb_fixed *f);

/* Gears with losses there: begin and end of all rounds; in each their places and slopes, rows of the matrix and of the
 * right-hand side, torques, and whether one changes its place; torques when the rounds are used up. */
void sb_step_loss_begin(const sb_model *m, sb_data *d, sb_fixed *f);
void sb_step_loss_place(const sb_model *m, sb_data *d, const sb_fixed *f);
void sb_step_loss_matrix(const sb_model *m, const sb_data *d, const sb_fixed *f, double *slots);
void sb_step_loss_right(const sb_model *m, const sb_data *d, const sb_fixed *f, double *right);
void sb_step_loss_torques(const sb_model *m, sb_data *d, sb_fixed *f);
int sb_step_loss_review(const sb_model *m, sb_data *d, sb_fixed *f, int k, double slip, double rounding, int waits);
void sb_step_loss_cut(const sb_model *m, sb_fixed *f);
void sb_step_loss_end(const sb_model *m, sb_data *d, const sb_fixed *f);

/* Accelerations that prescribed motions gave their bodies in the last step, on the board. */
SB_HOT void sb_step_carry(const sb_model *m, sb_data *d, const sb_fixed *f);

/* Heat of the ports on the board, and into the temperatures; after the states of the laws. */
void sb_step_heat(const sb_model *m, sb_data *d, sb_fixed *f);

/* Books the energy of the step just made; after the board at its end. */
void sb_step_energy(const sb_model *m, sb_data *d, sb_fixed *f);

/* Share of the step over which the slope in a slot, from a local derivative, acts. */
static inline sb_real sb_step_share(const sb_fixed *f, int slot, int local)
{
    return sb_pick(f->local_share[local] > 0.0, f->local_share[local], f->step_share[slot]);
}

static inline sb_real *sb_step_answer(const sb_model *m, const sb_fixed *f, int k)
{
    return f->answer + (size_t)k * (size_t)SB_N_X(m);
}

/* At the start of a step (d->t, d->x): where a break of a signal has been passed, or inputs have changed, new branches
 * of the signals and the modes behind them. The board and d->rate are those of this instant. */
sb_status sb_fixed_begin(const sb_model *m, sb_data *d, sb_fixed *f);

/* SB_NOT_FINITE with the culprit if a state is not, or about to be. */
sb_status sb_check_finite(const sb_model *m, sb_data *d);

/* Bristle states in x after a step of h at the slips on the board, by the implicit Euler method; see mixed.c. */
void sb_bristles_implicit(const sb_model *m, const sb_data *d, double h, double *x);

/* One step of each family from (d->t, d->x) over f->h, called by sb_fixed_step: the new state in d->x, the board and
 * d->rate at its end. */
void sb_resolvent_start(const sb_model *m, sb_data *d, sb_fixed *f);
sb_status sb_resolvent_step(const sb_model *m, sb_data *d, sb_fixed *f);
sb_status sb_explicit_step(const sb_model *m, sb_data *d, sb_fixed *f);

#endif
