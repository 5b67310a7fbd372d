#include "check.h"
#include "models.h"
#include "sb_fixed.h"
#include "sb_kernel.h"

/* Friction elements that agree by dense matrices and by the sparse one: the same motion. */

enum { STEPS = 3000 };

static void same_motion(const char *name, const sb_model *m, const double *y0, double h)
{
    double *largest = calloc((size_t)SB_N_Y(m), sizeof(double));
    check_machine machine[2] = {check_new_machine(m), check_new_machine(m)};
    sb_fixed fixed[2];
    void *block[2];
    const sb_fixed_options opt = {.method = SB_RESOLVENT, .h = h, .substeps = 1};
    for (int i = 0; i < 2; ++i) {
        block[i] = malloc(sb_fixed_size(m));
        sb_fixed_bind(m, &fixed[i], block[i]);
        CHECK(sb_fixed_start(m, &machine[i].data, &fixed[i], &opt, 0.0, y0) == SB_OK);
    }
    CHECK(fixed[0].sparse == 0);
    fixed[1].sparse = 1; // before the first step, with new factors
    fixed[1].plain = fixed[1].factored = fixed[1].n_shared = 0;
    for (int k = 0; k < m->n_friction; ++k) {
        fixed[1].el_alone[k] = 0;
    }
    double worst = 0.0;
    for (int step = 0; step < STEPS; ++step) {
        for (int i = 0; i < 2; ++i) {
            CHECK(sb_fixed_step(m, &machine[i].data, &fixed[i]) == SB_OK);
        }
        for (int j = 0; j < SB_N_Y(m); ++j) {
            const double *x = machine[0].data.x;
            largest[j] = fabs(x[j]) > largest[j] ? fabs(x[j]) : largest[j];
            const double error = fabs(machine[1].data.x[j] - x[j]) / (largest[j] + m->x_nominal[j]);
            worst = error > worst ? error : worst;
        }
    }
    if (!(worst < 1e-8)) {
        printf("%s: states differ by %g\n", name, worst);
    }
    CHECK(worst < 1e-8); // of the size of each; rounding, as it grows through stick and slip
    CHECK(fixed[1].stats.capped == 0);
    for (int i = 0; i < 2; ++i) {
        free(machine[i].block);
        free(block[i]);
    }
    free(largest);
}

int main(void)
{
    same_motion("stick-slip", &stick_slip, stick_slip_y0, 1e-3);
    same_motion("stick-slip-switch", &stick_slip_switch, stick_slip_switch_y0, 1e-3);
    same_motion("two-bearings", &two_bearings, two_bearings_y0, 1e-3);
    same_motion("controlled", &controlled, controlled_y0, 1e-3);
    same_motion("many-laws", &many_laws, many_laws_y0, 1e-4);
    return check_result();
}
