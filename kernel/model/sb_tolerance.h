#ifndef SB_TOLERANCE_H
#define SB_TOLERANCE_H

#include <float.h>

/* All tolerances of the kernel. Every one belongs to one of these scales:
 *
 *     rounding       multiples of eps = DBL_EPSILON = 2.2e-16, times the size of the terms of a sum
 *     run tolerance  of the error control, relative to the size of each state: 1e-7 unless a run asks for another
 *     nominal size   of a state (x_nominal), a law (its Stribeck speed, its window) or a step
 *
 * "Empirical" marks a share that no estimate gives: its reason says which errors it must lie between. Shares have no
 * unit; the few values with a unit name it. Coefficients of methods and numbers of rounds are where they are used. */

/* --- rounding in general ---------------------------------------------------------------------------------------- */

/* Rounding of a sum, by the size of its terms: 45 eps, for some dozens of terms. Iterations end there, too. */
#define SB_ROUNDED 1e-14

/* Rounding of what an elimination has solved, by the size of its terms: 4500 eps, 100 times that of a sum. */
#define SB_SOLVED 1e-12

/* A denominator that cannot be 0: above the smallest normal number (2.2e-308), below every size of a machine. */
#define SB_NOT_ZERO 1e-300

/* Square of a state that no machine has: the root of the largest number is 1e154, so energies are still finite. */
#define SB_DIVERGED 1e200

/* --- elimination (linear/) -------------------------------------------------------------------------------------- */

/* Pivot by its terms that has lost its digits: rounding, 450 eps; three digits are left of one just above it. */
#define SB_PIVOT_FLOOR 1e-13

/* Pivot of a holding torque by its terms that is none, since others hold its motion: empirical, between the rounding
 * that exact dependence leaves and the smallest pivot of contacts that do not depend on each other. */
#define SB_RANK_FLOOR 1e-10

/* The same for pivots of dense islands, which are scaled to 1. */
#define SB_DENSE_SINGULAR 1e-10

/* --- time ------------------------------------------------------------------------------------------------------- */

/* Step by the time that does not move the clock reliably: rounding of t + h with room for the nodes in between. */
#define SB_SHORTEST_STEP (16.0 * DBL_EPSILON)

/* Time (s) at which that is asked for events: near 0 the clock resolves more than any event is known to. */
#define SB_SHORTEST_TIME 1e-3

/* Instants by the time that are one when an event is located: rounding of t + h. */
#define SB_INSTANT (4.0 * DBL_EPSILON)

/* Accuracy in time of a located event, by the time and at least 1 s: rounding, 4500 eps, for any integrator. */
#define SB_LOCATED 1e-12

/* The same for the entries of a delay, whose times are added and subtracted again. */
#define SB_DELAY_INSTANT (8.0 * DBL_EPSILON)

/* Share of its period within which a sample is due: rounding of a time that is a product, after 1e6 periods. */
#define SB_SAMPLE_DUE 1e-9

/* Share of a fixed step within which a break has been passed: rounding of a time that is a product, 1e9 steps on. */
#define SB_AT_BREAK 1e-6

/* Edges of a pulse without end: counted in doubles, whole numbers are exact up to 9e15. */
#define SB_MOST_EDGES 1e15

/* Share of a run in which 1000 events are a crowd that does not end: empirical, real ones take longer. */
#define SB_CROWDED 1e-7

/* Share of a run, or time (s) of a machine that is driven from outside, for which events that repeat at one instant are
 * passed over: empirical, shorter than what the run tolerance resolves. */
#define SB_DWELL 1e-9
#define SB_DEFAULT_DWELL 1e-9

/* --- error control (adaptive/) ---------------------------------------------------------------------------------- */

/* Run tolerance of a machine that is driven from outside, which is not passed to the kernel: the default of runs. */
#define SB_DEFAULT_TOLERANCE 1e-7

/* Share of its nominal size to which a state can be asked to be exact: rounding, 4500 eps. */
#define SB_SIZE_ROUNDING SB_SOLVED

/* Share of the run that a first step is at most: empirical, so that no signal at the start is stepped over. */
#define SB_FIRST_STEP 1e-3

/* Error by the run tolerance below which the size of the next step does not change any more: below 1e-4 the factor is
 * the largest one anyway; this keeps its root off 0. */
#define SB_LEAST_ERROR 1e-10

/* Share of its bound that a bristle may reach: empirical, above the error of a step, below what jumping over a
 * break-away leaves. */
#define SB_BOUND_SLACK 1.001

/* Shares of the Stribeck speed, the nominal size of a law: a step from beyond the first must end above the second, so
 * that the next one sees the peak. At the first the curve has fallen to e^-4, or less with exponents above 1. */
#define SB_PEAK_FAR 4.0
#define SB_PEAK_NEAR 1.0

/* Share of the spread of the four node values to which the cubic through them is trusted: empirical, above its error on
 * a smooth solution, so that what it misses is not there. */
#define SB_CUBIC_ERROR 0.01

/* Share of its spread in the step to which an extreme of an output is found: empirical, below what a plot shows. */
#define SB_EXTREME_ERROR 1e-6

/* --- location of events (adaptive/events.c) --------------------------------------------------------------------- */

/* Share of the step to which the dense output is followed: the run tolerance by default, it knows no more. */
#define SB_DENSE_ERROR 1e-7

/* Share of the step before which a crossing is at its start: rounding of theta with the values of the event function,
 * a hundredth of what the dense output knows. */
#define SB_AT_ONCE 1e-9

/* Share of the step that may be gone without a step of the method, and what the solution may bend by then, by the size
 * of the states: the second keeps it to rounding, 450 eps; the first saves the attempt where that is hopeless. */
#define SB_TRACE 1e-5
#define SB_TRACE_CURVE 1e-13

/* Secant by the slope before it that is no slope: an event function that jumps by its rounding; empirical. */
#define SB_STEEPEST_SECANT 1e3

/* Share of the spread of an event function below which its start is 0: the error of the cubic near a release, where
 * the function leaves 0 without a slope; empirical. */
#define SB_STARTS_LOW 1e-6

/* Share of the value behind a crossing below which the function starts at 0: rounding after a projection. */
#define SB_STARTS_AT_ZERO 1e-9

/* Places by the first negative one where a function that starts at 0 is looked for above it, in this order. */
#define SB_PLACES_ABOVE_ZERO 1e-6, 0.5, 0.1, 1e-2, 1e-4, 1e-9

/* --- signals ---------------------------------------------------------------------------------------------------- */

/* Share of an operand below which a difference from a threshold is rounding: 4500 eps, an operand is a short sum. */
#define SB_SIGNAL_ROUNDING SB_SOLVED

/* Share of the run tolerance to which the operand of a kink is known: the error of one step of many. */
#define SB_KINK_SHARE 1e-2

/* Share of the run tolerance to which what slides along a jump is held on it. */
#define SB_LAYER_SHARE 1.0

/* The same of the widest layer: it grows while errors of the run bring something out of it that is driven back. */
#define SB_WIDEST_LAYER 100.0

/* Bands above the lower edge of its band at which an event function has left it: clear of the upper edge by one. */
#define SB_ARMED 3.0

/* Time (s) in which a torque that counts makes a slip that counts: what is slower than that does not matter to runs of
 * seconds. */
#define SB_SECOND 1.0

/* --- slips (network/, stick/) ----------------------------------------------------------------------------------- */

/* Slips below this share of the nominal speed are zero when nothing else decides: rounding, 4500 eps. Also the share
 * of the nominal sizes behind an operand within which a signal that jumps does not change its branch. */
#define SB_SLIP_ZERO 1e-12

/* Share of the nominal speed by which a slip may be beyond 0 when another event is located: more is a jump, by an
 * impulse or of a prescribed speed. Ten times the run tolerance by default. */
#define SB_JUMPED 1e-6

/* Bands of its gap by which a stop must open to be open: two stops that pass impacts to each other within the band
 * would do so without end. */
#define SB_OPENS_BY 10.0

/* Share of the nominal speed below which a slip does not bend bristles: rounding of a projected speed; its sign would
 * choose the direction of full friction. */
#define SB_NO_DIRECTION 1e-9

/* Share of the Stribeck speed within which a curve just begins: there a slope without bound is cut, below every speed
 * that the run tolerance resolves. */
#define SB_CURVE_BEGINS 1e-9

/* Slip by the least one at which prescribed motions have parted a redundant contact from those beside it: rounding
 * that the projection of speeds leaves stays below; empirical. */
#define SB_PARTED 1e3

/* Slip that is left of an impulse by the least one, and by what it was before: more is blocked. Rounding of a badly
 * scaled box problem stays below; empirical. */
#define SB_NOT_STOPPED 1e3
#define SB_NOT_STOPPED_SHARE 1e-6

/* --- torques (network/, stick/) --------------------------------------------------------------------------------- */

/* What is this close to a limit, relatively, is on it: rounding of the board, far above that of what was solved and
 * below the run tolerance. Edges of windows and knots of tables are such limits. */
#define SB_ON_LIMIT 1e-9

/* Share of the torques around a contact that is rounding in its holding torque: ten times that of what was solved. */
#define SB_TORQUE_ROUNDING 1e-11

/* Share of their terms below which accelerations are rounding, so that the contact is held: that of what was solved. */
#define SB_LEFT_OVER SB_SOLVED

/* Rounding of the largest acceleration is met everywhere: this share of it is counted among the terms of each. */
#define SB_LEFT_SPREAD (SB_ROUNDED / SB_LEFT_OVER)

/* Share of its bound by which a torque of the box problem must be beyond it: rounding of what was solved. */
#define SB_BEYOND_BOX SB_SOLVED

/* Guards of laws are dimensionless: rounding, 4500 eps. */
#define SB_GUARD_ZERO SB_SOLVED

/* Share of its limit at which a contact breaks away with those that share its motion: the run tolerance by default, to
 * which their common limit is known. */
#define SB_LETS_GO_TOGETHER (1.0 - 1e-7)

/* Share of a demanded slip acceleration that is left when contacts without limit block each other: far above rounding,
 * far below 1, which is left in such a case; empirical. */
#define SB_LEFT_DEMAND 1e-6

/* Share of the compliance of a contact alone below which others hold its motion: that of a redundant pivot. */
#define SB_HELD_BY_OTHERS 1e-10

/* Share of a redundant contact's torque that one takes which has a part in it: rounding of the response. */
#define SB_HAS_PART 1e-9

/* Weight e of the torques in the box problem, by the diagonal of its matrix: so small that a few repetitions take it
 * away, so large that a pivot of e keeps ten digits; and the share by which limits may change it, empirical. */
#define SB_SHARE_WEIGHT 1e-6

/* By how much larger the weights are from which contacts that hold one motion together start: their split is as exact
 * as rounding over the weight, and is kept by the rounds that follow. */
#define SB_SPLIT_WEIGHT 1e3
#define SB_WIDEST_SHARE 1e4

/* Friction per unit load beyond every limit: a number that stays finite in the guards of laws. */
#define SB_BEYOND_LIMITS 1e9

/* --- losses of gears -------------------------------------------------------------------------------------------- */

/* Share of the terms of a torque below which it is rounding: that of what was solved. */
#define SB_LOSS_ROUNDING SB_SOLVED

/* Share of the same within which the box problem decides nothing: what is beyond by less becomes an event. */
#define SB_LOSS_SETTLED 1e-9

/* Share of the compliance of a gear alone below which others hold its motion: empirical, as SB_HELD_BY_OTHERS. */
#define SB_LOSS_HELD 1e-9

/* Share to which the loss of an efficiency that varies is solved within F: rounding, 4.5 eps. */
#define SB_LOSS_CORRECTED 1e-15

/* Efficiency at which the extrapolation of a table ends: the loss divides by it; empirical, no gear is worse. */
#define SB_LEAST_EFFICIENCY 1e-3

/* --- the fixed step (fixed/) ------------------------------------------------------------------------------------ */

/* Share of the slips and torques around within which elements agree: rounding of what was solved; and the slip by that
 * which is not nothing. */
#define SB_AGREED SB_SOLVED
#define SB_MOVED 10.0

/* Rounding of the largest speed is met everywhere: this share of it is counted among the terms of each. */
#define SB_STEP_SPREAD 1e-2

/* By which the weight of a held element may differ from SB_SHARE_WEIGHT, with dense and with sparse matrices:
 * empirical, wide enough for limits that differ, narrow enough for pivots that keep their digits. */
#define SB_LEAST_SHARE 1e-4
#define SB_WIDEST_SPARSE_SHARE 1e3

/* Entry of the projection onto torques that move nothing from which on two contacts depend on each other: it is known
 * to SB_SHARE_WEIGHT, and those of a circle of 24 contacts are 1/24. */
#define SB_DEPENDS 1e-3

/* Share of the yield of an element alone below which others hold its motion: SB_SHARE_WEIGHT leaves that of itself
 * where they hold it, and a hundred times of that is no machine's. */
#define SB_SHARED_MOTION (100.0 * SB_SHARE_WEIGHT)

/* Fall of a curve by what its element yields: at -1 it would have two answers; half of that leaves one. */
#define SB_STEEPEST_FALL (-0.5)

/* Share of a state, and of a slip, to which the equations of one friction element are solved: rounding, 450 eps; and of
 * bristles that move by themselves. */
#define SB_BENT 1e-13
#define SB_SLIP_FOUND 1e-13
#define SB_BRISTLES_SETTLED SB_SOLVED

/* Share of a step to which a jump of a law within it is found, and of the change of its guard: far below the error of a
 * step, and a few trials. */
#define SB_JUMP_FOUND 1e-6

/* Share of a slip by which the one at which a Stribeck curve is held may differ from it: friction is then off by less
 * than 0.0004 (mu_s - mu_c) exponent, below the error of a step in which slip changes by more than that. */
#define SB_CURVE_MOVED 1e-3

/* Share of a step to which the crossing of a level is located: rounding, as event times. */
#define SB_CROSSING_FOUND 1e-13

/* Share of the nominal speed below which nothing moves, so that an error of a task by the speeds says nothing: far
 * above rounding, far below every motion that counts. */
#define SB_NO_SPEED 1e-6

/* Share of its speed by which an element must gain to see the mean slope of its curve: a difference of two frictions
 * over it keeps ten digits. */
#define SB_LEAST_GAIN 1e-6

/* Share by which a parameter that varies may exceed the one that bounds it: both may follow one signal by different
 * roundings, some hundred eps. */
#define SB_ORDER_ROUNDING 1e-12

/* Difference of a time to a whole number of fixed steps, in steps, that is rounding: as SB_AT_BREAK. */
#define SB_WHOLE_TASKS 1e-6

/* Rounding of the time of another program that comes to a break of a signal, relative: a few operations. */
#define SB_TIME_REACHED (8.0 * DBL_EPSILON)

/* Share of the typical size of a quantity by which it is moved for central differences: the cube root of eps, where
 * truncation and rounding are about equal, 1e-11 to 1e-10 of the derivative. */
#define SB_DIFFERENCE 6e-6

/* Bands below which an indicator for the integrator of another program fires if it rests, so that it starts clear of 0
 * by one at least; and what is added to bands of 0: a load that is exactly 0 has one, in SI units. */
#define SB_INDICATOR_BANDS 2.0
#define SB_INDICATOR_LEAST 1e-12

/* The onset of sliding: break-away is not closer to the ends of a ramp, relative to its time, so that there are steps on
 * both sides; the shortest step (s), where two of them fall together; the relative change of a speed at which Newton's
 * method ends, well below the differences of a fit. */
#define SB_ONSET_PLACE 1e-3
#define SB_ONSET_SHORTEST 1e-12
#define SB_ONSET_CLOSE 1e-10

#endif
