#include "check.h"
#include "sb_kernel.h"
#include "signals/sb_signals.h"

/* Every status has a distinct text; the operations of signals have names. */

static const sb_status ALL[] = {
#define X(code, text) code,
    SB_STATUS_LIST(X)
#undef X
};
enum { COUNT = sizeof ALL / sizeof ALL[0] };

int main(void)
{
    for (int i = 0; i < COUNT; ++i) {
        CHECK(strlen(sb_status_text(ALL[i])) > 0);
        for (int j = 0; j < i; ++j) {
            CHECK(strcmp(sb_status_text(ALL[i]), sb_status_text(ALL[j])) != 0);
        }
    }
    CHECK(strcmp(sb_status_text(SB_OK), "success") == 0);
    CHECK(strcmp(sb_status_text((sb_status)999), "unknown status") == 0);

    CHECK(strcmp(sb_signal_name(SB_SIGNAL_SINE), "SINE") == 0);
    CHECK(sb_signal_name(-1) == NULL);
    CHECK(sb_signal_name(999) == NULL);
    CHECK(sb_signal_n_guard(SB_SIGNAL_MAP) == 4);
    CHECK(sb_signal_shows_past(SB_SIGNAL_DELAY) && !sb_signal_shows_past(SB_SIGNAL_SINE));
    const double delay[2] = {0.1, 50.0};
    CHECK(sb_signal_n_memory(SB_SIGNAL_DELAY, delay) == 2 + 4 * 108);
    return check_result();
}
