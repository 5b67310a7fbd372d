#ifndef SB_FIXED_RUN_H
#define SB_FIXED_RUN_H

#include "check.h"
#include "models.h"
#include "sb_fixed.h"
#include "sb_kernel.h"

/* Fixed-step runs of all machines, for the tests that hold for every method. */

typedef struct machine {
    const char *name;
    const sb_model *m;
    const double *y0;
    double h; /* at which the explicit methods are stable */
} machine;

static const machine MACHINES[] = {
    {"stick-slip", &stick_slip, stick_slip_y0, 2e-5},
    {"stick-slip-switch", &stick_slip_switch, stick_slip_switch_y0, 1e-3},
    {"gearbox", &gearbox, gearbox_y0, 1e-3},
    {"two-bearings", &two_bearings, two_bearings_y0, 1e-3},
    {"controlled", &controlled, controlled_y0, 1e-3},
    {"many-laws", &many_laws, many_laws_y0, 1e-4},
    {"one-way", &one_way, one_way_y0, 1e-3},
    {"parked", &parked, parked_y0, 1e-3},
};
enum { N_MACHINES = sizeof MACHINES / sizeof *MACHINES };

typedef struct run {
    const sb_model *m;
    check_machine machine;
    sb_fixed fixed;
    void *block;
} run;

static inline run new_run(const machine *a, sb_fixed_options opt)
{
    run r = {.m = a->m, .machine = check_new_machine(a->m), .block = malloc(sb_fixed_size(a->m))};
    sb_fixed_bind(a->m, &r.fixed, r.block);
    const sb_status status = sb_fixed_start(a->m, &r.machine.data, &r.fixed, &opt, 0.0, a->y0);
    CHECK(status == SB_OK);
    return r;
}

static inline void end_run(run *r)
{
    free(r->machine.block);
    free(r->block);
}

static inline sb_status take_steps(run *r, long n)
{
    for (long i = 0; i < n; ++i) {
        SB_TRY(sb_fixed_step(r->m, &r->machine.data, &r->fixed));
    }
    return SB_OK;
}

static inline void check_took_steps(run *r, const machine *a, long n)
{
    const sb_status status = take_steps(r, n);
    if (status != SB_OK) {
        fprintf(stderr, "%s, %s, t = %g: %s (%d)\n", a->name, sb_fixed_method_name((int)r->fixed.opt.method),
                sb_fixed_time(&r->fixed), sb_status_text(status), r->machine.data.culprit.number);
    }
    CHECK(status == SB_OK);
}

static inline const double *read_outputs(run *r)
{
    sb_data *d = &r->machine.data;
    sb_fixed_board(r->m, d, &r->fixed);
    sb_outputs(r->m, d, d->x, d->output, 1);
    return d->output;
}

#endif
