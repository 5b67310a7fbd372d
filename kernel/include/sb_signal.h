#ifndef SB_SIGNAL_H
#define SB_SIGNAL_H

#include "sb_data.h"

/* Signals over time. Between two of its breaks a signal follows one branch, chosen at the start of a segment,
 * so that a value at the very end of a segment is the limit from the left. */
typedef enum sb_signal_op {
    SB_SIGNAL_CONSTANT,
    SB_SIGNAL_STEP,
    SB_SIGNAL_RAMP,
    SB_SIGNAL_SINE,
    SB_SIGNAL_TABLE,
} sb_signal_op;

const char *sb_signal_name(int op); /* "CONSTANT", ... or NULL past the last */

/* 1 if every signal has a known operation and the amount of data that it needs. */
int sb_signals_ok(const sb_model *m);

/* Jets (value and three time derivatives) of the signals that change within the segment. */
void sb_signals_eval(const sb_model *m, sb_data *d, double t);

#endif
