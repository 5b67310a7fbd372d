#include "check.h"
#include "models.h"
#include "sb_fixed.h"
#include "sb_kernel.h"

/* The fixed-step solver with every method on every machine: time as a count, snapshots, failures. */

typedef struct machine {
    const char *name;
    const sb_model *m;
    const double *y0;
    double h; /* at which the explicit methods are stable */
} machine;

static const machine MACHINES[] = {
    {"stick-slip", &stick_slip, stick_slip_y0, 2e-5},
    {"stick-slip-switch", &stick_slip_switch, stick_slip_switch_y0, 1e-3},
    {"two-bearings", &two_bearings, two_bearings_y0, 1e-3},
    {"controlled", &controlled, controlled_y0, 1e-3},
    {"many-laws", &many_laws, many_laws_y0, 1e-4},
};
enum { N_MACHINES = sizeof MACHINES / sizeof *MACHINES };

typedef struct run {
    const sb_model *m;
    check_machine machine;
    sb_fixed fixed;
    void *block;
} run;

static run new_run(const machine *a, sb_fixed_method method, int literal_sign)
{
    run r = {.m = a->m, .machine = check_new_machine(a->m), .block = malloc(sb_fixed_size(a->m))};
    const sb_fixed_options opt = {
        .method = method, .h = a->h, .substeps = 1, .literal_sign = literal_sign, .ledger = 1};
    sb_fixed_bind(a->m, &r.fixed, r.block);
    const sb_status status = sb_fixed_start(a->m, &r.machine.data, &r.fixed, &opt, 0.0, a->y0);
    CHECK(status == SB_OK);
    return r;
}

static void end_run(run *r)
{
    free(r->machine.block);
    free(r->block);
}

static sb_status steps(run *r, int n)
{
    for (int i = 0; i < n; ++i) {
        SB_TRY(sb_fixed_step(r->m, &r->machine.data, &r->fixed));
    }
    return SB_OK;
}

/* States, modes and outputs of two runs, to the last bit. */
static int same(run *a, run *b)
{
    const sb_model *m = a->m;
    run *both[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        sb_data *d = &both[k]->machine.data;
        sb_fixed_board(m, d, &both[k]->fixed);
        sb_outputs(m, d, d->x, d->output, 1);
    }
    const sb_data *da = &a->machine.data;
    const sb_data *db = &b->machine.data;
    return memcmp(da->x, db->x, (size_t)SB_N_X(m) * sizeof(double)) == 0 &&
           memcmp(da->output, db->output, (size_t)m->n_output * sizeof(double)) == 0 &&
           memcmp(da->ledger, db->ledger, (size_t)SB_N_LEDGER(m) * sizeof(double)) == 0 &&
           memcmp(da->mode, db->mode, (size_t)m->n_lock * sizeof(int)) == 0 && da->t == db->t &&
           a->fixed.count == b->fixed.count;
}

/* Back to a snapshot, also in the memory of another run, and on: the same to the last bit. */
static void from_snapshot(const machine *a, sb_fixed_method method, int literal_sign)
{
    enum { BEFORE = 777, AFTER = 3000 };
    run first = new_run(a, method, literal_sign);
    run other = new_run(a, method, literal_sign);
    void *snapshot = malloc(sb_fixed_snapshot_size(a->m));
    CHECK(steps(&first, BEFORE) == SB_OK);
    sb_fixed_save(a->m, &first.machine.data, &first.fixed, snapshot);
    const sb_status status = steps(&first, AFTER);
    if (status != SB_OK) {
        fprintf(stderr, "%s, %s: %s\n", a->name, sb_fixed_method_name((int)method), sb_status_text(status));
    }
    CHECK(status == SB_OK);
    CHECK(sb_fixed_time(&first.fixed) == (BEFORE + AFTER) * a->h);

    sb_fixed_restore(a->m, &other.machine.data, &other.fixed, snapshot);
    CHECK(other.fixed.count == BEFORE);
    CHECK(steps(&other, AFTER) == SB_OK);
    CHECK(same(&first, &other));

    sb_fixed_restore(a->m, &first.machine.data, &first.fixed, snapshot);
    CHECK(steps(&first, AFTER) == SB_OK);
    CHECK(same(&first, &other));
    end_run(&first);
    end_run(&other);
    free(snapshot);
}

/* Bristles of 1e5 N.m/rad slide too fast for 1 ms: the failure names the state, and the machine stays before it. */
static void divergence(void)
{
    machine a = MACHINES[0];
    a.h = 2e-3;
    run r = new_run(&a, SB_ODE1, 0);
    sb_status status = SB_OK;
    for (int i = 0; i < 12000 && status == SB_OK; ++i) {
        status = steps(&r, 1);
    }
    CHECK(status == SB_NOT_FINITE);
    const int64_t count = r.fixed.count;
    CHECK(r.machine.data.culprit >= 0 && r.machine.data.culprit < SB_N_Y(r.m));
    CHECK(r.machine.data.t == (double)count * a.h);
    for (int i = 0; i < SB_N_Y(r.m); ++i) {
        CHECK(isfinite(r.machine.data.x[i]));
    }
    CHECK(steps(&r, 1) == SB_NOT_FINITE && r.fixed.count == count);
    end_run(&r);
}

int main(void)
{
    for (int i = 0; i < N_MACHINES; ++i) {
        for (int method = 0; method < SB_N_FIXED_METHODS; ++method) {
            from_snapshot(&MACHINES[i], (sb_fixed_method)method, 0);
        }
        from_snapshot(&MACHINES[i], SB_ODE4, 1);
    }
    divergence();
    return check_result();
}
