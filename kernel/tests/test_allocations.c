#include "fixed_run.h"

/* 1e5 tasks of every machine with every method call neither malloc, calloc, realloc nor free: these are counted, be it
 * by taking their place (the GNU C library) or by the hooks of the address sanitizer. */

static long calls = 0;

#if defined(__SANITIZE_ADDRESS__)
enum { COUNTED = 1, STEPS = 20000 }; /* ten times slower */

/* as in sanitizer/allocator_interface.h, which not every compiler brings along */
extern int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                     void (*on_free)(const volatile void *));

static void on_malloc(const volatile void *p, size_t size)
{
    (void)p;
    (void)size;
    ++calls;
}

static void on_free(const volatile void *p)
{
    (void)p;
    ++calls;
}

static void start_counting(void)
{
    CHECK(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0);
}

#elif defined(__GLIBC__)
enum { COUNTED = 1, STEPS = 100000 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);

void *malloc(size_t size)
{
    ++calls;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    ++calls;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    ++calls;
    return __libc_realloc(p, size);
}

void free(void *p)
{
    ++calls;
    __libc_free(p);
}

static void start_counting(void)
{
}

#else
enum { COUNTED = 0, STEPS = 1000 };

static void start_counting(void)
{
}
#endif

/* A snapshot in between takes the memory that it is given. */
static void count(const machine *a, sb_fixed_options opt)
{
    run r = new_run(a, opt);
    void *snapshot = malloc(sb_fixed_snapshot_size(a->m));
    const long before = calls;
    check_took_steps(&r, a, STEPS / 2);
    sb_fixed_save(a->m, &r.machine.data, &r.fixed, snapshot);
    check_took_steps(&r, a, STEPS / 2);
    sb_fixed_restore(a->m, &r.machine.data, &r.fixed, snapshot);
    read_outputs(&r);
    CHECK(calls == before);
    free(snapshot);
    end_run(&r);
}

int main(void)
{
    start_counting();
    void *volatile one = malloc(8);
    free(one);
    CHECK(calls == 2 * COUNTED);
    for (int i = 0; i < N_MACHINES; ++i) {
        for (int method = 0; method < SB_N_FIXED_METHODS; ++method) {
            const sb_fixed_options opt = {
                .method = (sb_fixed_method)method, .h = MACHINES[i].h, .substeps = 1, .ledger = method % 2};
            count(&MACHINES[i], opt);
        }
    }
    return check_result();
}
