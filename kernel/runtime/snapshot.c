#include <string.h>

#include "runtime/sb_runtime.h"

/* Snapshots: everything that changes, without pointers. Those of the driver's arrays may have changed places, so a
 * snapshot has their offsets in the block. */

typedef struct head {
    size_t bytes;  /* of the whole snapshot */
    uint32_t mark; /* of the model */
    stribeck_options opt;
    sb_stage stage;
    int pending, stale;
    sb_driver driver;
} head;

#define ONE(name, length) +1
enum { N_DOUBLES = 0 SB_EVOLVING_DOUBLES(ONE) SB_WORK_ARRAYS(ONE) };
#undef ONE

/* The arrays of numbers behind the board. */
static void offsets_of(const sb_data *d, size_t *offset)
{
    const char *base = (const char *)d->board;
#define X(name, length) *offset++ = (size_t)((const char *)d->name - base);
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
}

static void put_offsets(sb_data *d, const size_t *offset)
{
    char *base = (char *)d->board;
#define X(name, length) d->name = (void *)(base + *offset++);
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
}

/* Copies without addresses, so that equal plants have equal snapshots. */
static sb_data without_places(const sb_data *original)
{
    sb_data d;
    memcpy(&d, original, sizeof d);
    d.watch = (sb_watch){NULL, NULL, 0, SB_OK};
    d.board = NULL;
#define X(name, length) d.name = NULL;
    SB_BOARD_ARRAYS(X)
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
    SB_LIST_ARRAYS(X)
#undef X
    return d;
}

static void clear_slices(sb_slices *slices)
{
    slices->end = slices->row = slices->col = NULL;
    slices->val = NULL;
}

static sb_fixed steps_without_places(const sb_fixed *original)
{
    sb_fixed f;
    memcpy(&f, original, sizeof f);
    f.el_start = NULL;
#define X(name, length) f.name = NULL;
    SB_FIXED_DOUBLES(X)
    SB_FIXED_INTS(X)
    SB_FIXED_LISTS(X)
#undef X
#define X(name, rows, entries, longest) clear_slices(&f.name);
    SB_FIXED_SLICES(X)
#undef X
    return f;
}

static void place_slices_again(sb_slices *slices, const sb_slices *places)
{
    slices->end = places->end;
    slices->row = places->row;
    slices->col = places->col;
    slices->val = places->val;
}

static void place_steps(sb_fixed *f, const sb_fixed *places)
{
    f->el_start = places->el_start;
#define X(name, length) f->name = places->name;
    SB_FIXED_DOUBLES(X)
    SB_FIXED_INTS(X)
    SB_FIXED_LISTS(X)
#undef X
#define X(name, rows, entries, longest) place_slices_again(&f->name, &places->name);
    SB_FIXED_SLICES(X)
#undef X
}

size_t stribeck_snapshot_size(const stribeck *s)
{
    const sb_image *g = &s->image;
    const size_t numbers = (size_t)g->tape.n_value + 2 * (size_t)g->tape.n_input;
    return sizeof(head) + N_DOUBLES * sizeof(size_t) + sizeof(sb_data) + sizeof(sb_fixed) + numbers * sizeof(double) +
           (size_t)g->n_parameter * sizeof(int) + sb_data_size(&g->model) + sb_fixed_size(&g->model);
}

static char *write_part(char *next, const void *part, size_t bytes)
{
    memcpy(next, part, bytes);
    return next + bytes;
}

static const char *read_part(const char *next, void *part, size_t bytes)
{
    memcpy(part, next, bytes);
    return next + bytes;
}

static head head_of(const stribeck *s)
{
    head h;
    memset(&h, 0, sizeof h);
    h.bytes = stribeck_snapshot_size(s);
    h.mark = s->mark;
    return h;
}

void stribeck_save(const stribeck *s, void *snapshot)
{
    const sb_image *g = &s->image;
    const size_t n_input = (size_t)g->tape.n_input;
    head h = head_of(s);
    h.opt = s->opt;
    h.stage = s->stage;
    h.pending = s->pending;
    h.stale = s->stale;
    h.driver = s->driver;
    size_t offset[N_DOUBLES];
    offsets_of(&s->data, offset);
    const sb_data d = without_places(&s->data);
    const sb_fixed f = steps_without_places(&s->fixed);
    char *next = write_part(snapshot, &h, sizeof h);
    next = write_part(next, offset, sizeof offset);
    next = write_part(next, &d, sizeof d);
    next = write_part(next, &f, sizeof f);
    next = write_part(next, s->value, (size_t)g->tape.n_value * sizeof *s->value);
    next = write_part(next, s->point, n_input * sizeof *s->point);
    next = write_part(next, s->applied, n_input * sizeof *s->applied);
    next = write_part(next, s->given, (size_t)g->n_parameter * sizeof *s->given);
    next = write_part(next, s->data_block, sb_data_size(&g->model));
    write_part(next, s->fixed_block, sb_fixed_size(&g->model));
}

int stribeck_restore(stribeck *s, const void *snapshot, size_t bytes)
{
    const sb_image *g = &s->image;
    const size_t n_input = (size_t)g->tape.n_input;
    const head own = head_of(s);
    head h;
    sb_report_clear(s);
    if (bytes < sizeof h) {
        return sb_report_refusal(s, "restore: this is not a snapshot");
    }
    const char *next = read_part(snapshot, &h, sizeof h);
    if (bytes != own.bytes || h.bytes != own.bytes || h.mark != own.mark) {
        return sb_report_refusal(s, "restore: this is a snapshot of another model, or of another build of the runtime");
    }
    s->opt = h.opt;
    s->stage = h.stage;
    s->pending = h.pending;
    s->stale = h.stale;
    s->driver = h.driver;
    size_t offset[N_DOUBLES];
    const sb_fixed places = s->fixed;
    const sb_watch watch = s->data.watch;
    next = read_part(next, offset, sizeof offset);
    next = read_part(next, &s->data, sizeof s->data);
    next = read_part(next, &s->fixed, sizeof s->fixed);
    next = read_part(next, s->value, (size_t)g->tape.n_value * sizeof *s->value);
    next = read_part(next, s->point, n_input * sizeof *s->point);
    next = read_part(next, s->applied, n_input * sizeof *s->applied);
    next = read_part(next, s->given, (size_t)g->n_parameter * sizeof *s->given);
    next = read_part(next, s->data_block, sb_data_size(&g->model));
    read_part(next, s->fixed_block, sb_fixed_size(&g->model));
    sb_data_place(&g->model, &s->data, s->data_block);
    put_offsets(&s->data, offset);
    place_steps(&s->fixed, &places);
    s->data.watch = watch;
    s->shown = s->rated = 0;
    return 0;
}
