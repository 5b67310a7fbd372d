#include "check.h"
#include "models.h"
#include "sb_kernel.h"

/* A run that goes on from the fields of another one, in memory where everything else is spoilt. */

enum { GRID = 101, OUTPUTS = 128, CHANGES = 4000 };
#define T_END 12.0

typedef struct run {
    sb_options options;
    sb_driver driver;
    sb_record record;
    double grid[GRID], output[OUTPUTS * GRID];
    sb_mode_change changes[CHANGES];
    check_machine machine;
} run;

static void prepare(run *r, const sb_model *m, sb_method_choice method)
{
    memset(r, 0, sizeof *r);
    CHECK(m->n_output <= OUTPUTS);
    for (int k = 0; k < GRID; ++k) {
        r->grid[k] = T_END * k / (GRID - 1);
    }
    r->options = (sb_options){
        .method = method, .t_end = T_END, .tolerance = 1e-9, .max_step = INFINITY, .ledger = 1, .extremes = 1};
    r->record =
        (sb_record){.grid = r->grid, .n_grid = GRID, .data = r->output, .changes = r->changes, .max_changes = CHANGES};
    r->machine = check_new_machine(m);
}

static sb_status advance(run *r, const sb_model *m, long steps)
{
    return sb_run(m, &r->machine.data, &r->options, &r->driver, &r->record, steps);
}

static size_t fields_of(run *r, const sb_model *m, sb_field *fields)
{
    const size_t n = sb_data_fields(m, &r->machine.data, fields);
    const size_t all = n + sb_driver_fields(&r->driver, fields + n);
    CHECK(all <= SB_MOST_FIELDS);
    return all;
}

static void carry_over(run *to, run *from, const sb_model *m)
{
    sb_field a[SB_MOST_FIELDS];
    sb_field b[SB_MOST_FIELDS];
    const size_t n = fields_of(from, m, a);
    CHECK(fields_of(to, m, b) == n);
    for (size_t i = 0; i < n; ++i) {
        CHECK(strcmp(a[i].name, b[i].name) == 0 && a[i].n == b[i].n && !a[i].numbers != !a[i].counts);
        if (a[i].numbers) {
            memcpy(b[i].numbers, a[i].numbers, a[i].n * sizeof(double));
        } else {
            memcpy(b[i].counts, a[i].counts, a[i].n * sizeof(int));
        }
    }
}

/* A run of the second half of `first`, with the records up to there. */
static void go_on(run *second, run *first, const sb_model *m, sb_method_choice method)
{
    prepare(second, m, method);
    check_spoil(m, &second->machine.data);
    carry_over(second, first, m);
    memcpy(second->output, first->output, sizeof first->output);
    memcpy(second->changes, first->changes, sizeof first->changes);
    second->record.next = first->record.next;
    second->record.n_changes = first->record.n_changes;
    CHECK(sb_resume(m, &second->machine.data, &second->options, &second->driver, &second->record, first->machine.data.t,
                    1) == SB_OK);
}

static int same_run(const run *a, const run *b, const sb_model *m)
{
    const size_t outputs = (size_t)(m->n_output * GRID) * sizeof *a->output;
    int same = a->record.n_changes == b->record.n_changes && memcmp(a->output, b->output, outputs) == 0;
    for (size_t k = 0; same && k < a->record.n_changes; ++k) {
        same = a->changes[k].time == b->changes[k].time && a->changes[k].to == b->changes[k].to;
    }
    return same;
}

/* Ledgers of the two parts add up to that of the whole, but for rounding. */
static void check_ledgers(const run *whole, const double *first, const run *second, const sb_model *m)
{
    double size = 0.0;
    for (int i = 0; i < SB_N_LEDGER(m); ++i) {
        size = fmax(size, fabs(whole->machine.data.ledger[i]));
    }
    for (int i = 0; i < SB_N_LEDGER(m); ++i) {
        CHECK_NEAR(first[i] + second->machine.data.ledger[i], whole->machine.data.ledger[i], 1e-12 * size);
    }
}

static void cut_after(const run *whole, const sb_model *m, const double *y0, sb_method_choice method, long steps)
{
    static run first;
    static run second;
    double ledger[1024];
    prepare(&first, m, method);
    CHECK(sb_start(m, &first.machine.data, &first.options, &first.driver, &first.record, 0.0, y0) == SB_OK);
    if (advance(&first, m, steps) == SB_PAUSED) {
        CHECK(first.driver.settled && SB_N_LEDGER(m) <= 1024);
        memcpy(ledger, first.machine.data.ledger, (size_t)SB_N_LEDGER(m) * sizeof *ledger);
        go_on(&second, &first, m, method);
        CHECK(advance(&second, m, 1000000) == SB_OK);
        CHECK(same_run(whole, &second, m));
        check_ledgers(whole, ledger, &second, m);
        free(second.machine.block);
    }
    free(first.machine.block);
}

static void every_cut(const sb_model *m, const double *y0, int explicit_too)
{
    const sb_method_choice methods[] = {SB_AUTO, SB_RODAS5P, SB_DOPRI5};
    static run whole;
    for (int k = 0; k < 2 + explicit_too; ++k) {
        prepare(&whole, m, methods[k]);
        sb_data *d = &whole.machine.data;
        CHECK(sb_start(m, d, &whole.options, &whole.driver, &whole.record, 0.0, y0) == SB_OK);
        CHECK(advance(&whole, m, 1000000) == SB_OK);
        for (long steps = 0; steps < 3000; steps += 1 + steps / 2) {
            cut_after(&whole, m, y0, methods[k], steps);
        }
        free(whole.machine.block);
    }
}

int main(void)
{
    const int stiff = 0; // bristles of 1e5 N.m/rad take an explicit method too long
    every_cut(&stick_slip, stick_slip_y0, stiff);
    every_cut(&stick_slip_switch, stick_slip_switch_y0, 1);
    every_cut(&gearbox, gearbox_y0, stiff);
    every_cut(&two_bearings, two_bearings_y0, 1);
    every_cut(&controlled, controlled_y0, 1);
    every_cut(&many_laws, many_laws_y0, 1);
    every_cut(&one_way, one_way_y0, 1);
    every_cut(&parked, parked_y0, 1);
    return check_result();
}
