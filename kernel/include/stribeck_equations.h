#ifndef STRIBECK_EQUATIONS_H
#define STRIBECK_EQUATIONS_H

#include "stribeck.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The equations of a plant that was started with STRIBECK_EQUATIONS, for the integrator of another program: FMI Model
 * Exchange. Between two events modes and branches of signals are constant and x' = f(t, x) is smooth.
 *
 *     stribeck_place(plant, t, x);
 *     stribeck_rates(plant, rates);
 *     stribeck_indicators(plant, value);            an event is where one becomes negative
 *     stribeck_event what = stribeck_update(...)    at an event, at what.next, and when inputs have jumped
 *
 * States, inputs, outputs, parameters and modes have the names and numbers of stribeck.h. */

/* Typical size of a state: the scale of its error. */
STRIBECK_API double stribeck_nominal(const stribeck *s, int state);

/* Sets time and states (x may be NULL: only the time). Discrete states keep their values. */
STRIBECK_API int stribeck_place(stribeck *s, double t, const double *x);

/* All states; their rates: these two answer for every solver, with the rates of the last step if it is fixed. */
STRIBECK_API void stribeck_states(const stribeck *s, double *x);
STRIBECK_API int stribeck_rates(stribeck *s, double *rate);

/* Event indicators: positive while the present modes hold; one that is 0 by nature has its band added. */
STRIBECK_API int stribeck_n_indicators(const stribeck *s);
STRIBECK_API int stribeck_indicators(stribeck *s, double *value);

/* The element, or the named signal, that an indicator belongs to. */
STRIBECK_API const char *stribeck_indicator_owner(const stribeck *s, int indicator);

typedef struct stribeck_event {
    int states_changed; /* an impulse, a captured slip or a discrete state */
    int modes_changed;  /* of contacts */
    double next;        /* time of the next event that is known before (s), or infinite */
} stribeck_event;

/* Modes, discrete states and branches of signals at the present time and states: after indicators have become negative,
 * at the time `next`, and after inputs or parameters were set. */
STRIBECK_API int stribeck_update(stribeck *s, stribeck_event *event);

/* Directional derivative at the present point: of the rates and of the outputs (either may be NULL) along `state` (all
 * states) and `input` (all inputs; either may be NULL). Rates by states are exact, the others central differences. */
STRIBECK_API int stribeck_directional(stribeck *s, const double *state, const double *input, double *rate,
                                      double *output);

#ifdef __cplusplus
}
#endif

#endif
