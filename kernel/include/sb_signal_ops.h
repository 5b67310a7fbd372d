#ifndef SB_SIGNAL_OPS_H
#define SB_SIGNAL_OPS_H

#include "sb_signal.h"

/* What the files of operations share. */

extern const sb_operation sb_op_constant, sb_op_step, sb_op_ramp, sb_op_sine, sb_op_table, sb_op_hold, sb_op_chirp,
    sb_op_pulse;
extern const sb_operation sb_op_rate, sb_op_sensor, sb_op_sum, sb_op_product, sb_op_quotient, sb_op_sqrt, sb_op_exp,
    sb_op_log, sb_op_sin, sb_op_cos, sb_op_tanh, sb_op_atan, sb_op_power, sb_op_polynomial;
extern const sb_operation sb_op_piecewise, sb_op_map, sb_op_switch, sb_op_relay, sb_op_quantise;
extern const sb_operation sb_op_sample, sb_op_delay, sb_op_external;

/* Share of an operand below which a difference from a threshold is rounding. */
#define SB_SIGNAL_ROUNDING 1e-12

enum { SB_SENSOR_HEAD = 2 }; /* data of a sensor before its coefficients */

/* A new entry of a delay; those before the last one older than `oldest` are forgotten. */
/* The memory of an input that is the course of a position, for a task of h from t on; 1 if it moves, or did. */
int sb_external_aim(double *memory, double t, double h);

sb_status sb_delay_append(const sb_signal_node *s, double oldest, double time, double value, double slope,
                          sb_place place, int age);

/* Jet of f(u(t)) from the derivatives of f at u and the jet of u. */
static inline void sb_chain(const double *f, const double *u, int order, double *y)
{
    y[0] = f[0];
    if (order > 0) {
        y[1] = f[1] * u[1];
    }
    if (order > 1) {
        y[2] = f[2] * u[1] * u[1] + f[1] * u[2];
        y[3] = f[3] * u[1] * u[1] * u[1] + 3.0 * f[2] * u[1] * u[2] + f[1] * u[3];
    }
}

/* How many of n ascending numbers are not above x. */
static inline int sb_count_below(int n, const double *numbers, double x)
{
    int low = 0;
    int high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (numbers[middle] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A branch is left for another one only if u lies outside of it by more than the band of its event functions or
 * rounding: what was located stays. */
static inline int sb_outside(const sb_signal_node *s, double u, double low, double high)
{
    const double rounding = SB_SIGNAL_ROUNDING * (u < 0.0 ? -u : u);
    const double slack = s->band[0] > rounding ? s->band[0] : rounding;
    return u < low - slack || u > high + slack;
}

#endif
