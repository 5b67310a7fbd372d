#include <float.h>

#include "check.h"
#include "models.h"
#include "sb_kernel.h"

/* The decision about all contacts, at every step of a run: applied to its own answer it changes nothing, and a change
 * of all unknowns by a few ulp leads to the same modes or, on an edge, to others that hold as well. It never goes
 * round. */

enum { CHANGES = 4000 };
#define T_END 6.0

/* What a copy of the machine answers when nothing has fired. */
static void ask_again(const sb_model *m, const check_machine *machine, int ulp)
{
    const sb_data *d = &machine->data;
    check_machine copy = check_copy_machine(m, machine);
    for (int i = 0; i < SB_N_Y(m); ++i) {
        copy.data.x[i] *= 1.0 + ulp * (i % 2 ? 1.0 : -1.0) * DBL_EPSILON;
    }
    CHECK(sb_update_modes(m, &copy.data, d->t, copy.data.x) == SB_OK);
    CHECK(copy.data.stats.bridged == d->stats.bridged);
    for (int k = 0; k < m->n_lock; ++k) {
        const int other = copy.data.mode[k];
        CHECK(other == d->mode[k] || (ulp != 0 && (other == SB_STUCK || d->mode[k] == SB_STUCK)));
    }
    free(copy.block);
}

static void walk(const sb_model *m, const double *y0, sb_method_choice method)
{
    static sb_mode_change changes[CHANGES];
    check_machine machine = check_new_machine(m);
    sb_data *d = &machine.data;
    const sb_options options = {.method = method, .t_end = T_END, .tolerance = 1e-7, .max_step = INFINITY};
    sb_driver driver;
    sb_record record = {.changes = changes, .max_changes = CHANGES};
    CHECK(sb_start(m, d, &options, &driver, &record, 0.0, y0) == SB_OK);
    for (sb_status status = SB_PAUSED; status == SB_PAUSED; record.n_changes = 0) {
        status = sb_run(m, d, &options, &driver, &record, 1);
        CHECK(status == SB_PAUSED || status == SB_OK);
        for (int ulp = 0; ulp <= 4 && d->t_bridge > d->t; ulp += 2) {
            ask_again(m, &machine, ulp);
        }
    }
    CHECK(d->stats.bridged == 0);
    free(machine.block);
}

int main(void)
{
    static const struct {
        const sb_model *model;
        const double *y0;
    } MACHINES[] = {{&stick_slip_switch, stick_slip_switch_y0},
                    {&gearbox, gearbox_y0},
                    {&two_bearings, two_bearings_y0},
                    {&controlled, controlled_y0},
                    {&many_laws, many_laws_y0},
                    {&one_way, one_way_y0},
                    {&parked, parked_y0}};
    for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; ++i) {
        walk(MACHINES[i].model, MACHINES[i].y0, SB_RODAS5P);
        walk(MACHINES[i].model, MACHINES[i].y0, SB_DOPRI5);
    }
    return check_result();
}
