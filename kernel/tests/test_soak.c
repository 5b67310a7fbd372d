#define _XOPEN_SOURCE 600 /* getrusage */
#include "fixed_run.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
static long memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}
#else
static long memory(void)
{
    return 0;
}
#endif

/* A long run: the memory of the process does not grow, the time is the number of tasks times h to the last bit, slips
 * and stored energy stay as large as they were in the beginning, and what is held does not creep. 1e6 tasks, or as many
 * as the first argument says (100000000: 1e8, some minutes). */

#define H 1e-3
enum { PIECE = 1000, BEGINNING = 20000 };

typedef struct sizes {
    double slip, energy;
} sizes;

static sizes sizes_of(run *r)
{
    const sb_model *m = r->m;
    const sb_data *d = &r->machine.data;
    sizes now = {0.0, 0.0};
    sb_fixed_board(m, &r->machine.data, &r->fixed);
    for (int b = 0; b < SB_N_BRANCH(m); ++b) {
        now.slip = fmax(now.slip, fabs(d->slip[b]));
    }
    for (int i = 0; i < SB_N_STORE(m); ++i) {
        now.energy += d->energy_now[i];
    }
    return now;
}

static sizes larger(sizes a, sizes b)
{
    return (sizes){fmax(a.slip, b.slip), fmax(a.energy, b.energy)};
}

/* Two bearings on one inertia and one on its neighbour, swung by a sine: they stick and slip forever. */
static void swinging(long tasks)
{
    const machine *a = &MACHINES[3];
    run r = new_run(a, (sb_fixed_options){.method = SB_RESOLVENT, .h = H, .substeps = 1, .ledger = 1});
    sizes first = {0.0, 0.0};
    sizes all = {0.0, 0.0};
    long before = 0;
    for (long done = 0; done < tasks; done += PIECE) {
        check_took_steps(&r, a, PIECE);
        all = larger(all, sizes_of(&r));
        if (done < BEGINNING) {
            first = all;
            before = memory();
        }
    }
    CHECK(sb_fixed_time(&r.fixed) == (double)r.fixed.count * H && r.machine.data.t == (double)r.fixed.count * H);
    CHECK(r.fixed.count == (tasks + PIECE - 1) / PIECE * PIECE);
    CHECK(memory() <= before);
    CHECK(all.slip <= 1.05 * first.slip && first.slip > 0.1);
    CHECK(all.energy <= 1.05 * first.energy && first.energy > 0.1);
    CHECK(r.fixed.stats.mode_changes > tasks / 1000);
    end_run(&r);
}

/* A contact on the ground at 90 % of its limit, and a locked pair that rotates at 100 rad/s under a sine. */
static void held(long tasks)
{
    const machine *a = &MACHINES[7];
    const sb_model *m = a->m;
    run r = new_run(a, (sb_fixed_options){.method = SB_RESOLVENT, .h = H, .substeps = 1});
    const sb_data *d = &r.machine.data;
    double crept = 0.0;
    for (long done = 0; done < tasks; done += PIECE) {
        check_took_steps(&r, a, PIECE);
        sb_fixed_board(m, &r.machine.data, &r.fixed);
        for (int k = 0; k < m->n_lock; ++k) {
            CHECK(d->mode[k] == SB_STUCK);
            crept = fmax(crept, fabs(d->slip[SB_N_BRANCH(m) - m->n_friction + m->lock_friction[k]]));
        }
    }
    const double moved = fabs(read_outputs(&r)[0]);
    CHECK(r.fixed.stats.mode_changes == 0);
    CHECK(crept < 1e-12 * 100.0); // of 100 rad/s
    CHECK(moved < 1e-12);         // held.phi
    end_run(&r);
}

int main(int argc, char **argv)
{
    const long tasks = argc > 1 ? atol(argv[1]) : 1000000;
    swinging(tasks);
    held(tasks < 10000000 ? tasks : 10000000);
    return check_result();
}
