#include <string.h>

#include "sb_fixed.h"

/* The memory of the fixed-step solver beside sb_data: one block. */

static size_t padded_space(size_t bytes)
{
    const size_t four = 4 * sizeof(sb_real);
    return (bytes + four - 1) / four * four;
}

static size_t places_of(int entries, int longest)
{
    return (size_t)entries + SB_SLICE * (size_t)longest;
}

static size_t size_of_slices(int rows, int entries, int longest)
{
    return padded_space((size_t)SB_N_SLICES(rows) * sizeof(int)) + padded_space((size_t)SB_PADDED(rows) * sizeof(int)) +
           padded_space(places_of(entries, longest) * sizeof(int)) +
           padded_space(places_of(entries, longest) * sizeof(sb_real));
}

static char *place_slices(sb_slices *s, int rows, int entries, int longest, char *next)
{
    s->val = (void *)next;
    next += padded_space(places_of(entries, longest) * sizeof(sb_real));
    s->end = (void *)next;
    next += padded_space((size_t)SB_N_SLICES(rows) * sizeof(int));
    s->row = (void *)next;
    next += padded_space((size_t)SB_PADDED(rows) * sizeof(int));
    s->col = (void *)next;
    return next + padded_space(places_of(entries, longest) * sizeof(int));
}

SB_HOT size_t sb_fixed_size(const sb_model *m)
{
    size_t size = 0;
#define X(name, length) size += padded_space((size_t)(length) * sizeof(sb_real));
    SB_FIXED_DOUBLES(X)
#undef X
#define X(name, length) size += padded_space((size_t)(length) * sizeof(sb_count));
    SB_FIXED_INTS(X)
#undef X
#define X(name, length) size += padded_space((size_t)(length) * sizeof(int));
    SB_FIXED_LISTS(X)
#undef X
#define X(name, rows, entries, longest) size += size_of_slices(rows, entries, longest);
    SB_FIXED_SLICES(X)
#undef X
    return size;
}

SB_HOT void sb_fixed_place(const sb_model *m, sb_fixed *f, void *block)
{
    char *next = block;
#define X(name, length)     \
    f->name = (void *)next; \
    next += padded_space((size_t)(length) * sizeof *f->name);
    SB_FIXED_DOUBLES(X)
    SB_FIXED_INTS(X)
    SB_FIXED_LISTS(X)
#undef X
#define X(name, rows, entries, longest) next = place_slices(&f->name, rows, entries, longest, next);
    SB_FIXED_SLICES(X)
#undef X
    f->el_start = f->slip_start + SB_N_BRANCH(m) - m->n_friction;
}

SB_HOT void sb_fixed_bind(const sb_model *m, sb_fixed *f, void *block)
{
    memset(f, 0, sizeof *f);
    memset(block, 0, sb_fixed_size(m));
    sb_fixed_place(m, f, block);
}
