#include "check.h"
#include "linear/sb_linear.h"
#include "models.h"
#include "network/sb_network.h"
#include "sb_kernel.h"
#include "stick/sb_stick.h"

/* The stick problem: conditions of Karush, Kuhn and Tucker for random forces and boxes on machines with coupled and
 * with redundant contacts, and a case known by hand. */

enum { MAX = 32 };

static void set_random_box(sb_data *d, int k)
{
    const double kind = check_random();
    d->high[k] = kind > 0.6 ? INFINITY : 0.5 + 0.5 * check_random();
    d->low[k] = kind < -0.6 ? -INFINITY : -0.5 + 0.5 * check_random();
    d->pin[k] = 0;
}

/* Inside the box nothing is left over; on a bound what is left over points outwards. */
static void check_optimal(const sb_model *m, const sb_data *d)
{
    for (int k = 0; k < m->n_lock; ++k) {
        const int b = sb_lock_branch(m, k);
        const double left = sb_row_dot(m->w_ptr, m->w_col, m->w_val, b, d->stick_x, d->need[k]);
        CHECK(d->low[k] - 1e-9 <= d->grip[k] && d->grip[k] <= d->high[k] + 1e-9);
        if (d->pin[k] == 0) {
            CHECK_NEAR(left, 0.0, 1e-9 * d->lock_scale[k]);
        } else {
            CHECK_NEAR(d->grip[k], d->pin[k] > 0 ? d->high[k] : d->low[k], 0.0);
            CHECK(d->pin[k] * left >= -1e-9 * d->lock_scale[k]);
        }
    }

    // M v' + W l = forces, with M of the machine itself
    double slots[4096];
    double sum[MAX] = {0.0};
    int none[MAX] = {0};
    CHECK(m->n_lu <= 4096 && SB_N_X(m) <= MAX && m->n_lock <= MAX);
    sb_fill_mass(m, d, none, slots);
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            const int column = m->lu_perm[m->lu_col[p]];
            sum[m->lu_perm[i]] += column < m->n_v ? slots[p] * d->stick_x[column] : 0.0;
        }
    }
    for (int k = 0; k < m->n_lock; ++k) {
        sb_add_torque(m, sb_lock_branch(m, k), d->grip[k], sum);
    }
    for (int i = 0; i < m->n_v; ++i) {
        CHECK_NEAR(sum[i], d->force[i], 1e-9);
    }
}

static void random_problems(const sb_model *m, const double *y0)
{
    check_machine machine = check_new_machine(m);
    sb_data *d = &machine.data;
    CHECK(sb_machine_start(m, d, 0.0, y0) == SB_OK);
    int set[MAX];
    for (int round = 0; round < 300; ++round) {
        for (int i = 0; i < m->n_v; ++i) {
            d->force[i] = 3.0 * check_random();
        }
        for (int k = 0; k < m->n_lock; ++k) {
            set[k] = k;
            d->need[k] = 0.0;
            set_random_box(d, k);
        }
        CHECK(sb_stick_solve(m, d, m->n_lock, set, d->force, d->need, NULL) == SB_OK);
        check_optimal(m, d);
    }
    free(machine.block);
}

/* Bearings with limits 3 and 1.5 on one inertia share a force of 3 as 2 and 1; the one on its neighbour, which is
 * pushed by 2, gives way at 0.5. */
static void equal_use(void)
{
    const sb_model *m = &two_bearings;
    check_machine machine = check_new_machine(m);
    sb_data *d = &machine.data;
    CHECK(sb_machine_start(m, d, 0.0, two_bearings_y0) == SB_OK);
    const double limit[3] = {3.0, 1.5, 0.5};
    const int set[3] = {0, 1, 2};
    for (int k = 0; k < 3; ++k) {
        d->high[k] = limit[k];
        d->low[k] = -limit[k];
        d->need[k] = 0.0;
        d->pin[k] = 0;
    }
    d->force[0] = 3.0;
    d->force[1] = 2.0;
    CHECK(sb_stick_solve(m, d, 3, set, d->force, d->need, NULL) == SB_OK);
    CHECK_NEAR(d->grip[0], 2.0, 1e-8);
    CHECK_NEAR(d->grip[1], 1.0, 1e-8);
    CHECK(d->pin[2] == 1);
    CHECK_NEAR(d->stick_x[1], (2.0 - 0.5) / 0.5, 1e-12);
    free(machine.block);
}

int main(void)
{
    random_problems(&two_bearings, two_bearings_y0);
    random_problems(&many_laws, many_laws_y0);
    equal_use();
    return check_result();
}
