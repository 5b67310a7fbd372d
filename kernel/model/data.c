#include <string.h>

#include "sb_data.h"

/* Arrays occupy multiples of 32 bytes: loops may run over the padding up to SB_PADDED(n). */
static size_t padded(size_t bytes)
{
    return (bytes + 31u) & ~(size_t)31u;
}

int sb_board_size(const sb_model *m)
{
    int size = 0;
#define X(name, length) size += (length);
    SB_BOARD_ARRAYS(X)
#undef X
    return size;
}

size_t sb_data_size(const sb_model *m)
{
    size_t size = padded((size_t)sb_board_size(m) * sizeof(double));
#define X(name, length) size += padded((size_t)(length) * sizeof(double));
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
#define X(name, length) size += padded((size_t)(length) * sizeof(int));
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
#undef X
    return size;
}

void sb_data_bind(const sb_model *m, sb_data *d, void *block)
{
    memset(d, 0, sizeof *d);
    memset(block, 0, sb_data_size(m));
    sb_data_place(m, d, block);
}

void sb_data_place(const sb_model *m, sb_data *d, void *block)
{
    char *next = block;

    // the board is one array without gaps, so that an output is one index
    double *board = block;
    d->board = board;
#define X(name, length) \
    d->name = board;    \
    board += (length);
    SB_BOARD_ARRAYS(X)
#undef X
    next += padded((size_t)((char *)board - (char *)block));

#define X(name, length)     \
    d->name = (void *)next; \
    next += padded((size_t)(length) * sizeof(double));
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
#define X(name, length)     \
    d->name = (void *)next; \
    next += padded((size_t)(length) * sizeof(int));
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
#undef X
}

size_t sb_data_fields(const sb_model *m, sb_data *d, sb_field *fields)
{
    size_t n = 0;
#define X(name) SB_NUMBER_FIELD(#name, &d->name)
    SB_EVOLVING_NUMBERS(X)
#undef X
#define X(name) SB_COUNT_FIELD(#name, &d->name)
    SB_EVOLVING_COUNTS(X)
#undef X
#define X(name, length) SB_DOUBLES_FIELD(#name, d->name, length)
    SB_EVOLVING_DOUBLES(X)
#undef X
#define X(name, length) SB_INTS_FIELD(#name, d->name, length)
    SB_EVOLVING_INTS(X)
#undef X
    return n;
}
