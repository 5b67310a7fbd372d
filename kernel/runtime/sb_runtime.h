#ifndef SB_RUNTIME_H
#define SB_RUNTIME_H

#include "sb_fixed.h"
#include "sb_image.h"
#include "sb_kernel.h"
#include "sb_law_tape.h"
#include "sb_tape.h"
#include "stribeck.h"
#include "stribeck_equations.h"

/* The internal header of runtime/: plants in one block of memory, with a model that is data. */

/* Groups of texts by number. */
typedef enum sb_texts {
#define X(group, count) SB_TEXT_##group,
    SB_IMAGE_STRINGS(X)
#undef X
        SB_N_TEXTS
} sb_texts;

/* A model as it is read: pointers into the data. */
typedef struct sb_image {
#define X(name) int name;
    SB_IMAGE_COUNTS(X)
#undef X
    sb_model model; /* its arrays of doubles are those of `value` */
    sb_tape tape;
#define X(type, name, length) const type *name;
    SB_IMAGE_ARRAYS(X)
#undef X
    const char *text;
} sb_image;

/* Fills an image; SB_BAD_MODEL if the lengths do not fit. Laws are not looked up yet. */
sb_status sb_image_read(const stribeck_model *model, sb_image *g);

/* A checksum of all that values do not change. */
uint32_t sb_image_mark(const stribeck_model *model);

/* Points the arrays of doubles of a model to its values, behind the states at the start. */
void sb_image_values(sb_model *m, const double *value);

/* Text `number` of a group, "" if there is none, and how many it has. */
int sb_image_texts(const sb_image *g, sb_texts group);
const char *sb_image_text(const sb_image *g, sb_texts group, int number);

/* Records of the laws of all friction elements. */
typedef struct sb_law_memory {
    const sb_law **law; /* n_friction */
    sb_law *counted;    /* n_friction: copies of counted laws with another number of elements */
    sb_law_tape *own;   /* n_own */
} sb_law_memory;

sb_status sb_image_laws(sb_image *g, const sb_law_memory *memory);

enum { SB_ERROR_LENGTH = 512 };

/* Counts of what may be wrong, see stribeck_warning. */
typedef struct sb_counts {
    int64_t bridged, capped, unsolved;
} sb_counts;

/* What a plant is doing. */
typedef enum sb_stage { SB_STAGE_NEW, SB_STAGE_RUNNING, SB_STAGE_FAILED } sb_stage;

struct stribeck {
    const stribeck_model *source;
    uint32_t mark; /* of its integers and names, for snapshots */
    sb_image image;
    sb_law_memory laws;
    stribeck_options opt;
    sb_stage stage;
    int pending; /* parameters were set and not applied */
    int stale;   /* inputs were set and not seen: adaptive runs and equations */
    int shown;   /* d->output belongs to the present point */
    int rated;   /* so do rates and board: equations */
    sb_data data;
    sb_fixed fixed;
    sb_driver driver;
    void *data_block;
    void *fixed_block;
    double *value;   /* of the model in this plant */
    double *point;   /* parameters */
    double *applied; /* those of `value` */
    int *given;      /* parameters that were set: they follow no other */
    sb_mode_change *change;
    size_t n_change;
    double *work;   /* of the tape, and for what evolves while the rest is cleared */
    sb_counts seen; /* that were reported */
    char error[SB_ERROR_LENGTH];
    char warning[SB_ERROR_LENGTH];
};

static inline sb_model *sb_plant_model(stribeck *s)
{
    return &s->image.model;
}

/* parameters.c: applies what was set. Returns 0, or 1 with the error text; `changed`: values are other ones. */
int sb_parameters_apply(stribeck *s, int *changed);
int sb_parameter_set(stribeck *s, int number, double value);

/* decimal.c: the shortest decimal notation of a number minus the number itself. */
double sb_decimal_remainder(double value);

/* plant.c */
int sb_plant_review(stribeck *s);

/* equations.c: x' and the board at the present point. */
sb_status sb_plant_rates(stribeck *s);

/* report.c: texts without locale and stdio. Each appends to a line; those of errors to s->error. */
void sb_line_text(char *line, const char *text);
void sb_line_number(char *line, double value, int digits);
void sb_report_clear(stribeck *s);
void sb_report_text(stribeck *s, const char *text);
void sb_report_number(stribeck *s, double value, int digits);
int sb_report_failure(stribeck *s, sb_status status);
int sb_report_refusal(stribeck *s, const char *text);

#endif
