#include "adaptive/sb_adaptive.h"
#include "linear/sb_linear.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* Rodas5P, a stiffly accurate Rosenbrock method of order 5(4) with 8 stages and dense output of order 4.
 * G. Steinebach: Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within the Julia
 * Differential Equations package. BIT Numerical Mathematics 63 (2023). With the constant matrix Mass:
 *
 *     (Mass/(h gamma) - J) u_i = F(t + c_i h, x + sum_j A_ij u_j) + Mass/h sum_j C_ij u_j + h d_i dF/dt
 *     x_new = x + sum_j A_8j u_j + u_8,   error estimate u_8 */

enum { STAGES = SB_STAGES };

static const double GAMMA = 0.21193756319429014;

static const double NODE[STAGES] = {
    0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1};

static const double TIME[STAGES] = {
    0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0};

/* Row s leads from x to the point of stage s. The last two rows of the method repeat row 5 and add the newest stages,
 * so these points lead on from the one before. */
static const double A[6][5] = {
    {0.0},
    {3.0},
    {2.849394379747939, 0.45842242204463923},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946},
};

static const double C[STAGES][7] = {
    {0.0},
    {-14.155112264123755},
    {-17.97296035885952, -2.859693295451294},
    {147.12150275711716, -1.41221402718213, 71.68940251302358},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
     -28.087943162872662},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
     -54.66780262877968, -9.48861652309627},
};

static const double DENSE[3][STAGES] = {
    {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
     1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
    {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
     15.98066361424651, -6.789040303419874, -6.710236069923372},
    {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
     -59.78993625266729, -0.15582684282751913, 4.883087185713722},
};

static void rodas5p_prepare(const sb_model *m, sb_data *d)
{
#define X(kind, there)             \
    if (there) {                   \
        sb_##kind##_prepare(m, d); \
    }
    SB_PREPARE_KINDS(X)
#undef X
    sb_jacobian(m, d, d->t, d->x);
}

static sb_flag factorise_small(const sb_model *m, sb_data *d, sb_real weight)
{
    const int n = SB_N_X(m);
    const sb_real *mass = d->mass;
    const sb_real *jac = d->jac;
    sb_real *row = d->small;
    sb_small_pattern pattern = 0;
    for (int i = 0; i < n; ++i, row += n) {
        for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
            const int column = m->lu_col[p];
            row[column] = weight * mass[p] - jac[p];
            pattern |= sb_small_bit(i, column);
        }
    }
    d->small_pattern = pattern;
    switch (n) {
#define X(size) \
    case size:  \
        return sb_small_factor(size, pattern, d->small, d->lu_inv);
        SB_SMALL_SIZES(X)
#undef X
    }
    return SB_NEVER;
}

static sb_flag factorise(const sb_model *m, sb_data *d, sb_real h)
{
    const sb_real weight = 1.0 / (h * GAMMA);
    ++d->stats.factorisations;
    if (SB_N_SMALL(m)) {
        return factorise_small(m, d, weight);
    }
    for (int s = 0; s < m->n_lu; ++s) {
        d->lu[s] = weight * d->mass[s] - d->jac[s];
    }
    return sb_lu_factor(m, d->lu, d->lu_inv);
}

/* Point of stage s and (1/h) sum_j C_sj u_j, four unknowns at a time. Called with numbers for s, so that the compiler
 * writes the sums out. */
static SB_WRITTEN_OUT void combine(int stride, int s, sb_real inv_h, sb_data *d)
{
    const sb_real *base = s < 6 ? d->x : d->x_new;
    for (int i = 0; i < stride; i += 4) {
        sb_real x[4] = {base[i], base[i + 1], base[i + 2], base[i + 3]};
        sb_real c[4] = {SB_R(0.0), SB_R(0.0), SB_R(0.0), SB_R(0.0)};
        const sb_real *u = d->stage + i;
        for (int j = 0; j < s; ++j, u += stride) {
            for (int k = 0; k < 4; ++k) {
                const sb_real stage = j == s - 1 ? sb_fresh(u + k) : u[k];
                c[k] += C[s][j] * stage;
                if (s < 6) {
                    x[k] += A[s][j] * stage;
                } else if (j == s - 1) {
                    x[k] += stage;
                }
            }
        }
        for (int k = 0; k < 4; ++k) {
            d->x_new[i + k] = x[k];
            d->sum[i + k] = inv_h * c[k];
        }
    }
}

/* start + row i of Mass times sum */
static sb_real add_mass_row(const sb_model *m, const sb_real *mass, const sb_real *sum, int i, sb_real start)
{
    for (int p = m->lu_ptr[i]; p < m->lu_ptr[i + 1]; ++p) {
        start += mass[p] * sb_fresh(sum + m->lu_perm[m->lu_col[p]]);
    }
    return start;
}

/* Right-hand side of a stage: row i, in the order of elimination, of force + time_weight dF/dt + Mass sum. */
static SB_WRITTEN_OUT sb_real right_side(const sb_model *m, const sb_data *d, const sb_real *force, sb_real time_weight,
                                         int i, int diagonal)
{
    const int unknown = m->lu_perm[i];
    const sb_real known = sb_fresh(force + unknown) + time_weight * d->force_t[unknown];
    const sb_real b = known + d->mass[m->lu_diag[i]] * sb_fresh(d->sum + unknown);
    return diagonal ? b : sb_pick(d->mass_diagonal, b, add_mass_row(m, d->mass, d->sum, i, known));
}

static SB_WRITTEN_OUT void solve_small(int n, const sb_model *m, const sb_data *d, const sb_real *force,
                                       sb_real time_weight, sb_real *u)
{
    sb_real x[SB_MOST_SMALL];
    if (sb_all(d->mass_diagonal)) {
        SB_UNROLL
        for (int i = 0; i < n; ++i) {
            x[i] = right_side(m, d, force, time_weight, i, 1);
        }
    } else {
        for (int i = 0; i < n; ++i) {
            x[i] = right_side(m, d, force, time_weight, i, 0);
        }
    }
    sb_small_solve(n, d->small_pattern, d->small, d->lu_inv, x);
    SB_UNROLL
    for (int i = 0; i < n; ++i) {
        u[m->lu_perm[i]] = x[i];
    }
}

/* Row by row on the way down, so that the right-hand side never goes through memory. */
static void solve_in_pattern(const sb_model *m, sb_data *d, const sb_real *force, sb_real time_weight, sb_real *u)
{
    const int n = SB_N_X(m);
    const int diagonal = sb_all(d->mass_diagonal);
    const sb_real *lu = d->lu;
    sb_real *down = d->solve_tmp;
    for (int i = 0; i < n; ++i) {
        sb_real b = right_side(m, d, force, time_weight, i, diagonal);
        for (int p = m->lu_ptr[i]; p < m->lu_diag[i]; ++p) {
            b -= lu[p] * sb_fresh(down + m->lu_col[p]);
        }
        down[i] = b;
    }
    sb_lu_back(m, lu, d->lu_inv, down, u);
}

/* u = (Mass/(h gamma) - J)^-1 (force + time_weight dF/dt + Mass sum) */
static void solve_stage(const sb_model *m, sb_data *d, const sb_real *force, sb_real time_weight, sb_real *u)
{
    switch (SB_N_X(m)) {
#define X(size)                                         \
    case size:                                          \
        solve_small(size, m, d, force, time_weight, u); \
        return;
        SB_SMALL_SIZES(X)
#undef X
    }
    solve_in_pattern(m, d, force, time_weight, u);
}

static inline void make_stage(const sb_model *m, sb_data *d, sb_real h, sb_real inv_h, int s)
{
    const int stride = SB_PADDED(SB_N_X(m));
    combine(stride, s, inv_h, d);
    sb_forces(m, d, d->t + NODE[s] * h, d->x_new, d->force);
#define X(kind, there)                       \
    if (there) {                             \
        sb_##kind##_correct(m, d, d->force); \
    }
    SB_CHAIN_KINDS(X)
#undef X
    solve_stage(m, d, d->force, h * TIME[s], d->stage + s * stride);
}

static sb_flag rodas5p_step(const sb_model *m, sb_data *d, sb_real h)
{
    const int n = SB_N_X(m);
    const int stride = SB_PADDED(n);
    sb_real *u = d->stage;
    const sb_flag singular = factorise(m, d, h);
    if (sb_all(singular)) {
        return singular;
    }

    // first stage: F at the start is known, and there are no stages before it
    for (int i = 0; i < n; ++i) {
        d->sum[i] = SB_R(0.0);
    }
    solve_stage(m, d, d->force_start, h * TIME[0], u);

    const sb_real inv_h = 1.0 / h;
    make_stage(m, d, h, inv_h, 1);
    make_stage(m, d, h, inv_h, 2);
    make_stage(m, d, h, inv_h, 3);
    make_stage(m, d, h, inv_h, 4);
    make_stage(m, d, h, inv_h, 5);
    make_stage(m, d, h, inv_h, 6);
    make_stage(m, d, h, inv_h, 7);
    for (int i = 0; i < n; ++i) {
        d->error[i] = u[(STAGES - 1) * stride + i];
        d->x_new[i] += d->error[i];
    }
    for (int k = 0; k < 3; ++k) {
        sb_combine(stride, 0, u, DENSE[k], STAGES, SB_R(1.0), d->dense + k * stride);
    }
    d->h_step = h;
    return singular;
}

/* One unknown at theta, with rest = 1 - theta. */
static inline sb_real sb_rodas5p_value(sb_real theta, sb_real rest, sb_real x0, sb_real x1, sb_real k1, sb_real k2,
                                       sb_real k3)
{
    return rest * x0 + theta * (x1 + rest * (k1 + theta * (k2 + theta * k3)));
}

static void rodas5p_dense(const sb_model *m, const sb_data *d, sb_real theta, sb_real *x)
{
    const int n = SB_PADDED(SB_N_X(m));
    const sb_real *k1 = d->dense;
    const sb_real *k2 = k1 + n;
    const sb_real *k3 = k2 + n;
    const sb_real *x0 = d->x;
    const sb_real *x1 = d->x_new;
    const sb_real rest = 1.0 - theta;
    for (int i = 0; i < n; i += 2) {
        sb_real y[2];
        for (int k = i; k < i + 2; ++k) {
            y[k - i] = sb_rodas5p_value(theta, rest, x0[k], x1[k], k1[k], k2[k], k3[k]);
        }
        x[i] = y[0];
        x[i + 1] = y[1];
    }
}

/* The same polynomial over a longer interval: its powers of theta grow by those of the factor. */
static void rodas5p_stretch(const sb_model *m, sb_data *d, sb_flag which, sb_real factor)
{
    const int n = SB_PADDED(SB_N_X(m));
    const sb_real square = factor * factor;
    sb_real *k1 = d->dense;
    sb_real *k2 = k1 + n;
    sb_real *k3 = k2 + n;
    for (int i = 0; i < n; ++i) {
        const sb_real third = square * factor * (k3[i] - k2[i]);
        const sb_real second = square * (k2[i] - k1[i]);
        const sb_real k3_new = k3[i] * (square * square);
        const sb_real k2_new = k3_new - third;
        k3[i] = sb_pick(which, k3_new, k3[i]);
        k2[i] = sb_pick(which, k2_new, k2[i]);
        k1[i] = sb_pick(which, k2_new - second, k1[i]);
    }
}

SB_HOT const sb_method sb_rodas5p = {"rodas5p", 5, 0, 1, rodas5p_prepare, rodas5p_step, rodas5p_dense, rodas5p_stretch};
