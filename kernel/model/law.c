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
    record.n_state += 2 * (count - law->count);
    record.n_guard += count - law->count;
    record.n_moving += law->separate * (count - law->count);
    record.count = count;
    return record;
}
