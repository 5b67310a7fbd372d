#include "check.h"
#include "models.h"

/* sb_model_check accepts what compile makes, and refuses it as soon as one index points nowhere. */

static const int NOWHERE[] = {1 << 20, -(1 << 20)};

/* Copy of an array of n entries with another number at one place, if it is an array of indices. */
static void *broken_copy(const void *array, size_t size, int n, int place, int number)
{
    char *copy = malloc((size_t)n * size);
    if (!copy) {
        abort();
    }
    memcpy(copy, array, (size_t)n * size);
    memcpy(copy + (size_t)place * size, &number, sizeof number);
    return copy;
}

/* A flag may hold any number. */
static int is_index(const char *name, size_t size)
{
    return size == sizeof(int) && strcmp(name, "lock_free") != 0;
}

static void break_every_index(const sb_model *m)
{
    int tried = 0;
#define X(type, name, length)                                                                    \
    for (int i = 0; is_index(#name, sizeof(type)) && i < (length); ++i) {                        \
        for (int k = 0; k < 2; ++k) {                                                            \
            void *copy = broken_copy(m->name, sizeof(type), (length), i, NOWHERE[k]);            \
            sb_model broken = *m;                                                                \
            broken.name = copy;                                                                  \
            const int ok = sb_model_check(&broken) == SB_BAD_MODEL;                              \
            check_that(ok, __FILE__, __LINE__, "an index of " #name " out of range is refused"); \
            ++tried;                                                                             \
            free(copy);                                                                          \
        }                                                                                        \
    }
    SB_MODEL_ARRAYS(X)
#undef X
    CHECK(tried > 100);
}

/* A contact without a law. */
static void leave_out_every_law(const sb_model *m)
{
    const sb_law *records[8];
    CHECK(m->n_friction <= 8);
    for (int f = 0; f < m->n_friction; ++f) {
        memcpy(records, m->fr_law, (size_t)m->n_friction * sizeof records[0]);
        records[f] = NULL;
        sb_model broken = *m;
        broken.fr_law = records;
        CHECK(sb_model_check(&broken) == SB_BAD_MODEL);
    }
}

/* The names for C data and the table come from one list. */
static void find_every_law(void)
{
    int n = 0;
#define X(id, name)                               \
    CHECK(sb_law_find(name) == (int)SB_LAW_##id); \
    ++n;
    SB_LAW_IDS(X)
#undef X
    CHECK(n == sb_n_laws);
    CHECK(sb_law_find("NoSuchLaw") == -1);
}

int main(void)
{
    find_every_law();
    const sb_model *const models[] = {&stick_slip, &stick_slip_switch, &two_bearings, &many_laws};
    for (int i = 0; i < 4; ++i) {
        CHECK(sb_model_check(models[i]) == SB_OK);
        break_every_index(models[i]);
        leave_out_every_law(models[i]);
    }
    return check_result();
}
