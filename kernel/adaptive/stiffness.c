#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"

enum { POWER_ROUNDS = 6 };

/* y = Mass^-1 J x, with J in the matrix slots */
static void apply_jacobian(const sb_model *m, sb_data *d, const sb_real *x, sb_real *y)
{
    const int n = SB_N_X(m);
    for (int i = 0; i < n; ++i) {
        sb_real sum = SB_R(0.0);
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            sum += d->jac[p] * x[m->lu_perm[m->lu_col[p]]];
        }
        d->force[m->lu_perm[i]] = sum;
    }
    sb_lu_solve(m, d->mass_lu, d->mass_inv, d->force, y, d->solve_tmp);
}

/* Power iteration in nominal units. Two steps at a time, because oscillators come in pairs. */
SB_HOT sb_real sb_fastest_rate(const sb_model *m, sb_data *d)
{
    const int n = SB_N_Y(m);
    sb_real *x = d->x_tmp;
    sb_real *y = d->sum;
    sb_real gain = SB_R(0.0);
    sb_flag still = SB_NEVER;
    for (int i = 0; i < n; ++i) {
        x[i] = m->x_nominal[i];
    }
    for (int round = 0; round < POWER_ROUNDS; ++round) {
        apply_jacobian(m, d, x, y);
        sb_real norm = SB_R(0.0);
        for (int i = 0; i < n; ++i) {
            norm = sb_max(norm, sb_abs(y[i]) / m->x_nominal[i]);
        }
        still = sb_or(still, norm == 0.0);
        if (sb_all(still)) {
            break;
        }
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] / norm;
        }
        gain = round == POWER_ROUNDS - 1 ? sb_sqrt(norm * gain) : norm;
    }
    return sb_where(sb_not(still), gain);
}
