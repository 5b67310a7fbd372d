#include "sb_law.h"

#include <string.h>

int sb_law_find(const char *name)
{
    for (int i = 0; i < sb_n_laws; ++i) {
        if (strcmp(sb_laws[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

sb_law sb_law_counted(const sb_law *law, int count)
{
    sb_law record = *law;
    record.n_state = law->n_state / law->count * count;
    record.n_guard = law->n_guard / law->count * count;
    record.count = count;
    return record;
}
