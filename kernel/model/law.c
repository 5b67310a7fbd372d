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
