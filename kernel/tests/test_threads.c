#include <pthread.h>

#include "check.h"
#include "models.h"
#include "sb_kernel.h"

/* One model, many threads: each has its own data, none sees another, and all give the same bits. Under the thread
 * sanitizer (STRIBECK_TSAN) this finds what they share beside the constant model. */

enum { THREADS = 8, GRID = 21, OUTPUTS = 128, CHANGES = 4000 };
#define T_END 3.0

typedef struct job {
    double output[OUTPUTS * GRID];
    sb_status status;
    long asked;
} job;

static sb_status count_asks(void *context)
{
    ++((job *)context)->asked;
    return SB_OK;
}

static void *work(void *argument)
{
    job *j = argument;
    static const sb_options options = {
        .method = SB_AUTO, .t_end = T_END, .tolerance = 1e-7, .max_step = INFINITY, .ledger = 1, .extremes = 1};
    const sb_model *m = &many_laws;
    double grid[GRID];
    for (int k = 0; k < GRID; ++k) {
        grid[k] = T_END * k / (GRID - 1);
    }
    sb_mode_change *changes = malloc(CHANGES * sizeof *changes);
    sb_record record = {.grid = grid, .n_grid = GRID, .data = j->output, .changes = changes, .max_changes = CHANGES};
    sb_driver driver = {0};
    check_machine machine = check_new_machine(m);
    machine.data.watch = (sb_watch){.ask = count_asks, .context = j};
    j->status = sb_start(m, &machine.data, &options, &driver, &record, 0.0, many_laws_y0);
    if (j->status == SB_OK) {
        j->status = sb_run(m, &machine.data, &options, &driver, &record, 1000000);
    }
    free(machine.block);
    free(changes);
    return NULL;
}

int main(void)
{
    static job jobs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(jobs[i].status == SB_OK);
        CHECK(jobs[i].asked > 0);
        CHECK(memcmp(jobs[i].output, jobs[0].output, sizeof jobs[0].output) == 0);
    }
    return check_result();
}
