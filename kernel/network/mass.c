#include <string.h>

#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"
#include "sb_kernel.h"

/* What changes with the modes: Mass and its factors. */

void sb_fill_bare_mass(const sb_model *m, const int *locked, double *slots)
{
    for (int s = 0; s < m->n_lu; ++s) {
        slots[s] = 0.0;
    }
    for (int p = 0; p < m->n_mass; ++p) {
        const int lock = m->mass_lock[p];
        const int on = lock < 0 || (locked[lock] == 0) == m->mass_open[p];
        slots[m->mass_slot[p]] += on ? m->mass_val[p] : 0.0;
    }
}

void sb_fill_mass(const sb_model *m, const sb_data *d, const int *locked, double *slots)
{
    sb_fill_bare_mass(m, locked, slots);
#define X(kind, there)                         \
    if (there) {                               \
        sb_##kind##_mass(m, d, locked, slots); \
    }
    SB_MASS_KINDS(X)
#undef X
}

static int is_diagonal(const sb_model *m, const double *slots)
{
    for (int i = 0; i < SB_N_X(m); ++i) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            if (slots[p] != 0.0 && p != m->lu_diag[i]) {
                return 0;
            }
        }
    }
    return 1;
}

void sb_begin_mass(const sb_model *m, sb_data *d)
{
    sb_fill_mass(m, d, d->locked, d->mass);
    sb_copy(d->mass_lu, d->mass, m->n_lu);
    memcpy(d->mass_locked, d->locked, (size_t)m->n_lock * sizeof *d->locked);
    ++d->mass_number;
    ++d->stats.factorisations;
    d->mass_diagonal = is_diagonal(m, d->mass);
}

sb_status sb_assemble_mass(const sb_model *m, sb_data *d)
{
#define X(kind, there)            \
    if (there) {                  \
        sb_##kind##_slopes(m, d); \
    }
    SB_MASS_KINDS(X)
#undef X
    sb_begin_mass(m, d);
    return sb_lu_status(sb_lu_factor(m, d->mass_lu, d->mass_inv));
}

sb_status sb_refresh_mass(const sb_model *m, sb_data *d)
{
#define X(kind, there)                     \
    if (there) {                           \
        SB_TRY(sb_##kind##_refresh(m, d)); \
    }
    SB_MASS_KINDS(X)
#undef X
    return SB_OK;
}

void sb_solve_derivative(const sb_model *m, sb_data *d, const double *b, double *x)
{
    sb_lu_solve(m, d->mass_lu, d->mass_inv, b, x, d->solve_tmp);
#define X(kind, there)              \
    if (there) {                    \
        sb_##kind##_chain(m, d, x); \
    }
    SB_CHAIN_KINDS(X)
#undef X
}
