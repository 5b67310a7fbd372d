#ifndef SB_PLANTS_H
#define SB_PLANTS_H

#include "sb_fixed.h"

/* Several plants of one structure at fixed steps, side by side: their tasks run in lanes, one instruction for several
 * plants. What is rare in a task, and machines that lanes do not know, are left to the solver of single plants. Every
 * plant has the bits that it has alone. */

typedef struct sb_plant {
    sb_model model; /* the values are its own */
    sb_data data;
    sb_fixed fixed;
    sb_watch watch;   /* asked by its start and its mode changes */
    sb_status status; /* of its last task; after a failure it stays where it is */
    int active;       /* it moves on with the others */
    int fits;         /* lanes know all of its elements */
    int in_lanes;     /* its state is in its lane; else here */
    int64_t entered;  /* tasks of the lanes before it came in */
    int seen;         /* its outputs here are those of its present state */
} sb_plant;

typedef struct sb_plants sb_plants;

/* Places for plants of this structure with a set of instructions (NULL: the widest), or 1: they run one by one. */
int sb_plants_lanes(const sb_model *m, const sb_fixed_options *opt, const char *instructions);

/* Memory of that many, aligned to 64 bytes, and the plants in it. The model of each is to get its values before it
 * starts. */
size_t sb_plants_size(const sb_model *m, const sb_fixed_options *opt, const char *instructions);
sb_plants *sb_plants_bind(const sb_model *m, const sb_fixed_options *opt, const char *instructions, void *memory);
sb_plant *sb_plants_plant(sb_plants *g, int number);

/* A plant at t0 with y0; it is active from then on, until it is stopped. */
void sb_plants_start(sb_plants *g, int number, double t0, const double *y0);
void sb_plants_stop(sb_plants *g, int number);

/* The number in the memory of signals of a plant, an input, becomes another. */
void sb_plants_input(sb_plants *g, int number, int memory, double value);

/* One task of all active plants without failure. */
void sb_plants_step(sb_plants *g);

/* The time of a plant. */
double sb_plants_time(const sb_plants *g, int number);

/* The state of a plant here, where single ones have it; it moves on in its lane. */
const sb_plant *sb_plants_look(sb_plants *g, int number);

/* Outputs of the first n plants by their numbers: out[i * stride + plant]. Those that are there after every task can be
 * read at their places: whether all of them are; else places is to be NULL. */
typedef struct sb_chosen {
    int n;
    const int *outputs;
    const int *places;
} sb_chosen;

int sb_plants_places(const sb_plants *g, int n_outputs, const int *outputs, int *places);
void sb_plants_outputs(sb_plants *g, int n, const sb_chosen *chosen, double *out, int stride);

#endif
