#include <string.h>

#include "sb_data.h"

/* Arrays occupy multiples of four numbers: loops may run over the padding up to SB_PADDED(n). */
static size_t padded(size_t bytes)
{
    const size_t four = 4 * sizeof(sb_real);
    return (bytes + four - 1) / four * four;
}

SB_HOT int sb_board_size(const sb_model *m)
{
    int size = 0;
#define X(name, length) size += (length);
    SB_BOARD_ARRAYS(X)
#undef X
    return size;
}

SB_HOT size_t sb_data_size(const sb_model *m)
{
    size_t size = padded((size_t)sb_board_size(m) * sizeof(sb_real));
#define X(name, length) size += padded((size_t)(length) * sizeof(sb_real));
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
#define X(name, length) size += padded((size_t)(length) * sizeof(sb_count));
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
    SB_LIST_ARRAYS(X)
#undef X
    return size;
}

SB_HOT void sb_data_bind(const sb_model *m, sb_data *d, void *block)
{
    memset(d, 0, sizeof *d);
    memset(block, 0, sb_data_size(m));
    sb_data_place(m, d, block);
}

SB_HOT void sb_data_clear(const sb_model *m, sb_data *d)
{
    sb_data_bind(m, d, d->board);
}

SB_HOT void sb_data_place(const sb_model *m, sb_data *d, void *block)
{
    char *next = block;

    // the board is one array without gaps, so that an output is one index
    sb_real *board = block;
    d->board = board;
#define X(name, length) \
    d->name = board;    \
    board += (length);
    SB_BOARD_ARRAYS(X)
#undef X
    next += padded((size_t)((char *)board - (char *)block));

#define X(name, length)     \
    d->name = (void *)next; \
    next += padded((size_t)(length) * sizeof(sb_real));
    SB_EVOLVING_DOUBLES(X)
    SB_WORK_ARRAYS(X)
#undef X
#define X(name, length)     \
    d->name = (void *)next; \
    next += padded((size_t)(length) * sizeof(sb_count));
    SB_EVOLVING_INTS(X)
    SB_INT_ARRAYS(X)
    SB_LIST_ARRAYS(X)
#undef X
}
