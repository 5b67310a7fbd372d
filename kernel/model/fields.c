#include "sb_data.h"

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
