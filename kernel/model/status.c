#include "sb_status.h"

const char *sb_status_text(sb_status status)
{
    switch (status) {
#define X(code, text) \
    case code:        \
        return text;
        SB_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}
