#ifndef SB_MEASURE_H
#define SB_MEASURE_H

#include "sb_data.h"

/* Measures: a few numbers of a run, found while it goes on, so that nothing needs to be stored. */

/* Whose: of an output; of the mode changes of a contact; of what a branch turns into heat. */
typedef enum sb_measure_of { SB_OF_OUTPUT, SB_OF_CONTACT, SB_OF_LOSS } sb_measure_of;

/* What. Instants are crossings of a level by an output, or mode changes of a contact; a period is the mean time between
 * them. What there is not is NaN. The value of a loss is its energy. */
#define SB_MEASURE_KINDS(X)      \
    X(SB_LAST_VALUE, "last")     \
    X(SB_LEAST_VALUE, "min")     \
    X(SB_LARGEST_VALUE, "max")   \
    X(SB_MEAN_VALUE, "mean")     \
    X(SB_RMS_VALUE, "rms")       \
    X(SB_FIRST_INSTANT, "first") \
    X(SB_N_INSTANTS, "count")    \
    X(SB_PERIOD_OF_INSTANTS, "period")

typedef enum sb_measure_kind {
#define X(code, name) code,
    SB_MEASURE_KINDS(X)
#undef X
} sb_measure_kind;

typedef struct sb_measure {
    sb_measure_of of;
    sb_measure_kind kind;
    int source;        /* number of the output, contact or branch */
    double level;      /* that an output crosses, */
    int direction;     /* upwards 1, downwards -1, both 0 */
    unsigned from, to; /* sets of modes before and after a change, a bit each: SB_MODE_BIT */
} sb_measure;

#define SB_MODE_BIT(mode) (1U << (((mode) + 8) & 31))

/* What is kept of it on the way. */
typedef struct sb_tally {
    double sum;    /* integral of the value, or of its square */
    double first;  /* instant */
    double last;   /* likewise */
    double count;  /* of the instants */
    double before; /* value at the end of the step before */
} sb_tally;

typedef struct sb_measures {
    int n;
    const sb_measure *list;
    sb_tally *tally;
    double start; /* time since when, at first that of the extremes: of the run, or -INFINITY */
    double t0;    /* of the run: what impacts lose at its start counts */
} sb_measures;

/* From d->t on, where outputs are in d->node_output. */
void sb_measures_begin(const sb_model *m, sb_data *d, sb_measures *s);

/* A mode change, of a contact by its number. */
void sb_measures_change(const sb_measures *s, double t, int contact, int from, int to);

/* Outputs at the end of a fixed step, of which those at its start are in d->node_output. */
void sb_measures_sample(const sb_model *m, sb_data *d, const sb_measures *s, double t, double h);

/* The last outputs of a run whose steps have not been observed, where nothing but these is measured. */
sb_status sb_measures_end(const sb_model *m, sb_data *d);

/* One number for each. */
void sb_measures_take(const sb_model *m, const sb_data *d, const sb_measures *s, double *out);

#endif
