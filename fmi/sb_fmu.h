#ifndef SB_FMU_H
#define SB_FMU_H

#include <stddef.h>
#include <stdint.h>

#include "stribeck.h"
#include "stribeck_equations.h"

#ifndef SB_FMU_API
#define SB_FMU_API /* static, where all is one file */
#endif

/* An instance of an FMU, for any version of FMI: fmi2.c and fmi3.c translate their calls into these.
 *
 * Value references count through the blocks below, in this order, as src/stribeck/deploy/fmi/variables.py does. */
#define SB_FMU_BLOCKS(X)                                              \
    X(TIME)                                                           \
    X(SETTING) /* solver, step, tolerance: sb_fmu_setting */          \
    X(INPUT)                                                          \
    X(PARAMETER) /* that can be set */                                \
    X(CONSTANT)  /* parameters that are part of the compiled model */ \
    X(OUTPUT)                                                         \
    X(STATE)                                                          \
    X(RATE)                                                           \
    X(INDICATOR)

typedef enum sb_fmu_block {
#define X(name) SB_FMU_##name,
    SB_FMU_BLOCKS(X)
#undef X
        SB_FMU_N_BLOCKS
} sb_fmu_block;

typedef enum sb_fmu_setting { SB_FMU_SOLVER, SB_FMU_STEP, SB_FMU_TOLERANCE, SB_FMU_N_SETTINGS } sb_fmu_setting;

/* Values of the setting SB_FMU_SOLVER. */
enum { SB_FMU_ADAPTIVE = 1, SB_FMU_FIXED = 2 };

/* Outcomes of a call; both versions of FMI number them so. */
typedef enum sb_fmu_status { SB_FMU_OK, SB_FMU_WARNING, SB_FMU_DISCARD, SB_FMU_ERROR } sb_fmu_status;

typedef enum sb_fmu_kind { SB_FMU_EXCHANGE, SB_FMU_COSIMULATION } sb_fmu_kind;

/* Where an instance is in its life; the order is that of a run. */
typedef enum sb_fmu_phase {
    SB_FMU_INSTANTIATED,
    SB_FMU_INITIALISING,
    SB_FMU_EVENT,
    SB_FMU_CONTINUOUS,
    SB_FMU_STEPPING,
    SB_FMU_TERMINATED
} sb_fmu_phase;

typedef enum sb_fmu_category {
    SB_FMU_LOG_ERROR,
    SB_FMU_LOG_WARNING,
    SB_FMU_LOG_EVENTS,
    SB_FMU_N_CATEGORIES
} sb_fmu_category;

/* Where messages go: a callback of either version. */
typedef struct sb_fmu_logger {
    void (*say)(void *instance, sb_fmu_status status, const char *category, const char *text);
    void *instance;
} sb_fmu_logger;

/* The model of an FMU: its token, constants that are not in the model, and the model. */
typedef struct sb_fmu_model {
    const char *token;
    const double *constant;
    size_t n_constant;
    stribeck_model model;
} sb_fmu_model;

/* What evolves of an instance beside its plant: part of every saved state. */
typedef struct sb_fmu_course {
    sb_fmu_phase phase;
    int started; /* the plant is at the start, or beyond */
    double t0, stop;
    double setting[SB_FMU_N_SETTINGS];
    uint32_t count; /* bytes and model that a saved state belongs to */
    uint32_t mark;
} sb_fmu_course;

typedef struct sb_fmu {
    sb_fmu_kind kind;
    sb_fmu_logger logger;
    int logs[SB_FMU_N_CATEGORIES];
    sb_fmu_model model;
    void *resource; /* memory of the model */
    void *memory;   /* of the plant */
    stribeck *plant;
    uint32_t first[SB_FMU_N_BLOCKS + 1]; /* value reference of the first of each block */
    sb_fmu_course course;
    double *input;    /* values that were set, for starts */
    double *original; /* values of the parameters before any was set */
    double *rate;     /* work space: states, then outputs */
    double *indicator;
    double *seed_state; /* and inputs behind them */
    int *mode;          /* of the contacts, as last logged */
    int n_mode;
    long n_warning;
} sb_fmu;

/* resource.c: the model in a folder of resources, or that of the sources; returns what free() takes, or NULL with the
 * reason in `error`. */
SB_FMU_API void *sb_fmu_load(const char *folder, sb_fmu_model *model, const char **error);

/* An instance, or NULL; messages go to the logger. */
SB_FMU_API sb_fmu *sb_fmu_new(sb_fmu_kind kind, const char *token, const char *folder, sb_fmu_logger logger,
                              int logging);
SB_FMU_API void sb_fmu_free(sb_fmu *f);

/* Which categories are logged; n = 0: all of them. */
SB_FMU_API sb_fmu_status sb_fmu_log(sb_fmu *f, int on, size_t n, const char *const *categories);

/* A message of category error, and the status that goes with it. */
SB_FMU_API sb_fmu_status sb_fmu_refuse(sb_fmu *f, const char *text);

/* Refuses a call that does not belong to the phases from `first` to `last`. */
SB_FMU_API sb_fmu_status sb_fmu_expect(sb_fmu *f, const char *call, sb_fmu_phase first, sb_fmu_phase last);

/* The outcome of a call of the plant; its error becomes a message. */
SB_FMU_API sb_fmu_status sb_fmu_check(sb_fmu *f, int failed);

/* The block of a value reference, SB_FMU_N_BLOCKS if there is none, and the number in it. */
SB_FMU_API sb_fmu_block sb_fmu_find(const sb_fmu *f, uint32_t reference, int *number);

/* --- from the start to the end --- */

/* Starts the plant, unless it is started with the present values. */
SB_FMU_API sb_fmu_status sb_fmu_ensure_started(sb_fmu *f);

/* Logs the mode changes since the last call, and warnings. */
SB_FMU_API void sb_fmu_log_changes(sb_fmu *f);

SB_FMU_API void sb_fmu_experiment(sb_fmu *f, double t0, int has_tolerance, double tolerance, int has_stop, double stop);
SB_FMU_API sb_fmu_status sb_fmu_initialise(sb_fmu *f);
SB_FMU_API sb_fmu_status sb_fmu_initialised(sb_fmu *f);
SB_FMU_API sb_fmu_status sb_fmu_reset(sb_fmu *f);
SB_FMU_API sb_fmu_status sb_fmu_terminate(sb_fmu *f);

/* --- values --- */

SB_FMU_API sb_fmu_status sb_fmu_get(sb_fmu *f, uint32_t reference, double *value);
SB_FMU_API sb_fmu_status sb_fmu_set(sb_fmu *f, uint32_t reference, double value);

SB_FMU_API size_t sb_fmu_n_state(const sb_fmu *f);
SB_FMU_API size_t sb_fmu_n_indicator(const sb_fmu *f);

/* --- Co-Simulation --- */

SB_FMU_API sb_fmu_status sb_fmu_step(sb_fmu *f, double t, double h);
SB_FMU_API double sb_fmu_time(const sb_fmu *f);

/* --- Model Exchange --- */

typedef struct sb_fmu_event {
    int states_changed;
    int has_next;
    double next;
} sb_fmu_event;

SB_FMU_API sb_fmu_status sb_fmu_enter_event(sb_fmu *f);
SB_FMU_API sb_fmu_status sb_fmu_update(sb_fmu *f, sb_fmu_event *event);
SB_FMU_API sb_fmu_status sb_fmu_enter_continuous(sb_fmu *f);
SB_FMU_API sb_fmu_status sb_fmu_set_time(sb_fmu *f, double t);
SB_FMU_API sb_fmu_status sb_fmu_set_states(sb_fmu *f, const double *x, size_t n);
SB_FMU_API sb_fmu_status sb_fmu_set_one_state(sb_fmu *f, int number, double value);
SB_FMU_API sb_fmu_status sb_fmu_states(sb_fmu *f, double *x, size_t n);
SB_FMU_API sb_fmu_status sb_fmu_rates(sb_fmu *f, double *rate, size_t n);
SB_FMU_API sb_fmu_status sb_fmu_indicators(sb_fmu *f, double *value, size_t n);
SB_FMU_API sb_fmu_status sb_fmu_nominals(sb_fmu *f, double *size, size_t n);

/* sensitivity = d unknown / d known . seed */
SB_FMU_API sb_fmu_status sb_fmu_directional(sb_fmu *f, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                                            size_t n_known, const double *seed, double *sensitivity);

/* --- the whole of it as bytes --- */

SB_FMU_API size_t sb_fmu_state_size(const sb_fmu *f);
SB_FMU_API void sb_fmu_save(const sb_fmu *f, void *state);
SB_FMU_API sb_fmu_status sb_fmu_restore(sb_fmu *f, const void *state, size_t bytes);

/* The same in memory of the FMU: state.c */
SB_FMU_API sb_fmu_status sb_fmu_get_state(sb_fmu *f, void **state);
SB_FMU_API sb_fmu_status sb_fmu_set_state(sb_fmu *f, const void *state);
SB_FMU_API void sb_fmu_free_state(void **state);
SB_FMU_API sb_fmu_status sb_fmu_serialise(sb_fmu *f, const void *state, void *bytes, size_t size);
SB_FMU_API sb_fmu_status sb_fmu_deserialise(sb_fmu *f, const void *bytes, size_t size, void **state);

/* Exports: all functions of the standards are visible, nothing else; the prefix is for FMUs that are linked together. */
#if defined _WIN32
#define SB_FMU_EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define SB_FMU_EXPORT __attribute__((visibility("default")))
#else
#define SB_FMU_EXPORT
#endif
#define SB_FMU_PASTE(a, b) a##b
#define SB_FMU_JOIN(a, b) SB_FMU_PASTE(a, b)

#endif
