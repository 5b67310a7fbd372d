#include "fixed_run.h"

/* The fixed-step solver with every method on every machine: time as a count, snapshots, substeps, failures. */

/* States, modes, ledger and outputs of two runs, to the last bit. */
static int same(run *a, run *b)
{
    const sb_model *m = a->m;
    const sb_data *da = &a->machine.data;
    const sb_data *db = &b->machine.data;
    return memcmp(read_outputs(a), read_outputs(b), (size_t)m->n_output * sizeof(double)) == 0 &&
           memcmp(da->x, db->x, (size_t)SB_N_X(m) * sizeof(double)) == 0 &&
           memcmp(da->ledger, db->ledger, (size_t)SB_N_LEDGER(m) * sizeof(double)) == 0 &&
           memcmp(da->mode, db->mode, (size_t)m->n_lock * sizeof(int)) == 0 && da->t == db->t &&
           a->fixed.count == b->fixed.count;
}

/* Back to a snapshot, also in the memory of another run, and on: the same to the last bit. */
static void from_snapshot(const machine *a, sb_fixed_options opt)
{
    enum { BEFORE = 333, AFTER = 1000 };
    run first = new_run(a, opt);
    run other = new_run(a, opt);
    void *snapshot = malloc(sb_fixed_snapshot_size(a->m));
    check_took_steps(&first, a, BEFORE);
    sb_fixed_save(a->m, &first.machine.data, &first.fixed, snapshot);
    check_took_steps(&first, a, AFTER);
    CHECK(sb_fixed_time(&first.fixed) == (BEFORE + AFTER) * opt.h);
    CHECK(first.machine.data.t == (BEFORE + AFTER) * opt.h);
    CHECK(first.fixed.stats.steps == (int64_t)(BEFORE + AFTER) * opt.substeps);

    check_took_steps(&other, a, 123); // what it did before does not matter
    sb_fixed_restore(a->m, &other.machine.data, &other.fixed, snapshot);
    CHECK(other.fixed.count == BEFORE);
    check_took_steps(&other, a, AFTER);
    CHECK(same(&first, &other));

    sb_fixed_restore(a->m, &first.machine.data, &first.fixed, snapshot);
    for (int i = 0; i < AFTER; ++i) {
        read_outputs(&first); // looking changes nothing
        check_took_steps(&first, a, 1);
    }
    CHECK(same(&first, &other));
    end_run(&first);
    end_run(&other);
    free(snapshot);
}

static void put_fields(run *to, const sb_field *fields, size_t n_data, size_t n, const double *numbers,
                       const int *counts)
{
    sb_field own[SB_MOST_FIELDS];
    const size_t first = sb_data_fields(to->m, &to->machine.data, own);
    CHECK(first == n_data && first + sb_fixed_fields(to->m, &to->machine.data, &to->fixed, own + first) >= n);
    for (size_t i = 0; i < n; ++i) {
        CHECK(own[i].n == fields[i].n && !own[i].numbers == !fields[i].numbers);
        if (own[i].numbers) {
            memcpy(own[i].numbers, numbers, own[i].n * sizeof *numbers);
            numbers += own[i].n;
        } else {
            memcpy(own[i].counts, counts, own[i].n * sizeof *counts);
            counts += own[i].n;
        }
    }
}

/* On from the named fields of another run, in memory that is spoilt: the same to the last bit. */
static void from_fields(const machine *a, sb_fixed_options opt, long before)
{
    enum { AFTER = 1000, ROOM = 200000 };
    static double numbers[ROOM];
    static int counts[ROOM];
    sb_field fields[SB_MOST_FIELDS];
    run first = new_run(a, opt);
    run other = new_run(a, opt);
    check_took_steps(&first, a, before);
    sb_data *d = &first.machine.data;
    const size_t n_data = sb_data_fields(a->m, d, fields);
    const size_t n = n_data + sb_fixed_fields(a->m, d, &first.fixed, fields + n_data);
    size_t n_numbers = 0;
    size_t n_counts = 0;
    for (size_t i = 0; i < n; ++i) {
        CHECK(n_numbers + fields[i].n <= ROOM && n_counts + fields[i].n <= ROOM);
        if (fields[i].numbers) {
            memcpy(numbers + n_numbers, fields[i].numbers, fields[i].n * sizeof *numbers);
            n_numbers += fields[i].n;
        } else {
            memcpy(counts + n_counts, fields[i].counts, fields[i].n * sizeof *counts);
            n_counts += fields[i].n;
        }
    }
    check_spoil(a->m, &other.machine.data);
    put_fields(&other, fields, n_data, n_data, numbers, counts);
    CHECK(sb_fixed_resume(a->m, &other.machine.data, &other.fixed, &opt, 0.0, first.fixed.count) == SB_OK);
    put_fields(&other, fields, n_data, n, numbers, counts);
    sb_fixed_resumed(a->m, &other.machine.data);
    memcpy(other.machine.data.ledger, d->ledger, (size_t)SB_N_LEDGER(a->m) * sizeof *d->ledger); // to compare both
    check_took_steps(&first, a, AFTER);
    check_took_steps(&other, a, AFTER);
    if (!same(&first, &other)) {
        fprintf(stderr, "%s, %s, substeps %d, before %ld\n", a->name, sb_fixed_method_name((int)opt.method),
                opt.substeps, before);
        CHECK(0);
    }
    end_run(&first);
    end_run(&other);
}

static void every_method(const machine *a)
{
    for (int method = 0; method < SB_N_FIXED_METHODS; ++method) {
        const sb_fixed_options opt = {.method = (sb_fixed_method)method, .h = a->h, .substeps = 1, .ledger = 1};
        from_snapshot(a, opt);
        from_fields(a, opt, 333);
    }
    const sb_fixed_options others[] = {{.method = SB_RESOLVENT, .h = 1e-3, .substeps = 1},
                                       {.method = SB_RESOLVENT, .h = 1e-3, .substeps = 1, .ledger = 1},
                                       {.method = SB_RESOLVENT, .h = 2e-3, .substeps = 4, .hold_signals = 1}};
    for (int i = 0; i < 3; ++i) {
        for (long before = 1; before < 9000; before *= 3) {
            from_fields(a, others[i], before);
        }
    }
    from_snapshot(a, (sb_fixed_options){.method = SB_RESOLVENT, .h = 1e-3, .substeps = 1});
    from_snapshot(a, (sb_fixed_options){.method = SB_RESOLVENT, .h = 2e-3, .substeps = 4, .ledger = 1});
    from_snapshot(a, (sb_fixed_options){.method = SB_RESOLVENT, .h = 2e-3, .substeps = 4, .hold_signals = 1});
    from_snapshot(a,
                  (sb_fixed_options){.method = SB_ODE4, .h = 2 * a->h, .substeps = 2, .hold_signals = 1, .ledger = 1});
    from_snapshot(a, (sb_fixed_options){.method = SB_ODE4, .h = a->h, .substeps = 1, .literal_sign = 1});
}

/* Bristles of 1e5 N.m/rad slide too fast for 2 ms: the failure names the state, and the machine stays before it. */
static void divergence(void)
{
    const machine *a = &MACHINES[0];
    run r = new_run(a, (sb_fixed_options){.method = SB_ODE1, .h = 2e-3, .substeps = 1, .ledger = 1});
    sb_status status = SB_OK;
    for (int i = 0; i < 12000 && status == SB_OK; ++i) {
        status = take_steps(&r, 1);
    }
    CHECK(status == SB_NOT_FINITE);
    const int64_t count = r.fixed.count;
    const sb_culprit culprit = r.machine.data.culprit;
    CHECK(culprit.kind == SB_UNKNOWN && culprit.number >= 0 && culprit.number < SB_N_Y(r.m));
    CHECK(r.machine.data.t == (double)count * 2e-3);
    for (int i = 0; i < SB_N_Y(r.m); ++i) {
        CHECK(isfinite(r.machine.data.x[i]));
    }
    for (int i = 0; i < SB_N_LEDGER(r.m); ++i) {
        CHECK(isfinite(r.machine.data.ledger[i]));
    }
    CHECK(take_steps(&r, 1) == SB_NOT_FINITE && r.fixed.count == count);
    end_run(&r);
}

int main(void)
{
    for (int i = 0; i < N_MACHINES; ++i) {
        every_method(&MACHINES[i]);
    }
    CHECK(sb_fixed_method_name(SB_N_FIXED_METHODS) == NULL && sb_fixed_method_name(-1) == NULL);
    divergence();
    return check_result();
}
