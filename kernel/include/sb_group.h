#ifndef SB_GROUP_H
#define SB_GROUP_H

#include "sb_kernel.h"

/* Many adaptive runs of one structure, some of them at a time side by side: where they are in the middle of smooth
 * stretches, their equations run in lanes, one instruction for several machines; events, mode changes and whatever is
 * rare are done by the driver of single runs, so that every run has the bits that it has alone. A run that ends makes
 * room for the next one. */

typedef struct sb_lane {
    sb_model model; /* the values are those of its point */
    sb_data data;
    sb_driver driver;
    sb_record record;
    sb_options options;
    double t_end;
    size_t point;
    sb_viewer *viewer;
    sb_driver before;   /* that of the start of the step */
    size_t next_before; /* point of the grid there */
    sb_status status;   /* SB_PAUSED while its run goes on */
    int active;         /* a run is in it */
    long mass_number;   /* of the Mass that lanes have */
    int in_segment;     /* lanes have the signals of a segment, */
    double t_segment;   /* which begins there */
    int settling;       /* before the time from which measures count */
} sb_lane;

/* What the owner of the runs does: puts the next point into a lane (0: there are none) and calls sb_group_begin; takes
 * what a run has left. */
typedef struct sb_owner {
    void *context;
    int (*next)(void *context, sb_lane *lane);
    void (*done)(void *context, sb_lane *lane, sb_status status);
    long max_steps; /* of one run */
} sb_owner;

typedef struct sb_group sb_group;

/* Sets of instructions that this processor has, the widest first; NULL past the last. */
const char *sb_instructions(int number);

/* Lanes that machines of this structure can use with a set (NULL: the widest), 1: none. */
int sb_group_lanes(const sb_model *m, const sb_options *opt, const char *instructions);

/* Memory of a group, aligned to 64 bytes, and its lanes in it. All runs have these options and measures. */
size_t sb_group_size(const sb_model *m, int n_measures, const char *instructions);
sb_group *sb_group_bind(const sb_model *m, const sb_options *opt, const sb_measure *measures, int n_measures,
                        const char *instructions, void *memory);
sb_lane *sb_group_lane(sb_group *g, int lane);

/* The start of a run in a lane, from t0 and y0; measures, if there are some, count from `settle` on. */
void sb_group_begin(sb_lane *lane, sb_watch watch, double t0, const double *y0, double settle);

/* All runs. */
void sb_group_run(sb_group *g, const sb_owner *owner);

/* A viewer of one run, for machines that can run in lanes: memory (0: there is none), aligned to 64 bytes. */
size_t sb_view_size(const sb_model *m);
void sb_view_bind(const sb_model *m, sb_viewer *viewer, void *memory);

#endif
