#ifndef SB_STATUS_H
#define SB_STATUS_H

/* Every outcome of a kernel call, with its text, in one list. */
#define SB_STATUS_LIST(X)                                                                                         \
    X(SB_OK, "success")                                                                                           \
    X(SB_PAUSED, "the step budget of this call is used up or the event buffer is full")                           \
    X(SB_BAD_MODEL, "the model arrays are inconsistent")                                                          \
    X(SB_NOT_FINITE, "a state or its rate is not finite")                                                         \
    X(SB_SINGULAR, "the system matrix is singular")                                                               \
    X(SB_STEP_TOO_SMALL, "the step size fell below the resolution of time")                                       \
    X(SB_CHATTER, "events repeat without progress in time; a relay with hysteresis, a sampled signal or a wider " \
                  "window would end that")                                                                        \
    X(SB_NO_STICK_SOLUTION, "no holding torques fulfil the limits of the locked elements")                        \
    X(SB_BLOCKED, "it is driven against the direction that it blocks, by a prescribed motion or by others that "  \
                  "block; let something slip or yield in between")                                                \
    X(SB_DELAY_FULL, "a delay has more events within its time than it can keep; raise its points")                \
    X(SB_PARAMETER_BOUND, "a parameter that follows a signal has left its bounds")                                \
    X(SB_INTERRUPTED, "it was interrupted")                                                                       \
    X(SB_TIME_LIMIT, "it has taken max_seconds; raise them, or ask for less")                                     \
    X(SB_STEP_LIMIT, "it has taken max_steps; raise them, or ask for less")

typedef enum sb_status {
#define X(code, text) code,
    SB_STATUS_LIST(X)
#undef X
} sb_status;

const char *sb_status_text(sb_status status);

#define SB_TRY(call)                            \
    do {                                        \
        const sb_status sb_try_status = (call); \
        if (sb_try_status != SB_OK) {           \
            return sb_try_status;               \
        }                                       \
    } while (0)

#endif
