#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "network/sb_network.h"

/* Explicit Runge-Kutta pair of order 5(4) of Dormand and Prince (1980) with the dense output of order 4 of Shampine,
 * coefficients as in Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I (1993), section II.5-6.
 * The last stage is x' at the end of the step. */

enum { STAGES = SB_DOPRI5_STAGES };

const double sb_dopri5_node[STAGES] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};

const double sb_dopri5_a[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};

/* solution of order 5 minus that of order 4 */
static const double ERROR[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                     -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

static const double DENSE[STAGES] = {-12715105075.0 / 11282082432.0,  0.0,
                                     87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                     701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                     69997945.0 / 29380423.0};

static void prepare(const sb_model *m, sb_data *d)
{
    sb_loss_prepare(m, d);
}

/* The last two stages lie at the same time: how fast does the rate change with the state between them? */
static double stiffness(const sb_model *m, const sb_data *d, const double *k)
{
    const int n = SB_PADDED(SB_N_X(m));
    double rates = 0.0;
    double states = 0.0;
    for (int i = 0; i < SB_N_Y(m); ++i) {
        const double rate = (k[6 * n + i] - k[5 * n + i]) / m->x_nominal[i];
        const double state = (d->x_new[i] - d->x_tmp[i]) / m->x_nominal[i];
        rates += rate * rate;
        states += state * state;
    }
    return states > 0.0 ? sqrt(rates / states) : 0.0;
}

static int step(const sb_model *m, sb_data *d, double h)
{
    const int n = SB_PADDED(SB_N_X(m));
    double *k = d->stage;
    sb_copy(k, d->rate_start, n);
    for (int s = 1; s < STAGES; ++s) {
        double *point = s == STAGES - 1 ? d->x_new : d->x_tmp;
        sb_combine(n, d->x, k, sb_dopri5_a[s], s, h, point);
        if (sb_rates(m, d, d->t + sb_dopri5_node[s] * h, point, k + s * n) != SB_OK) {
            return 1;
        }
    }
    sb_copy(d->rate_new, k + (STAGES - 1) * n, n);
    d->stiffness = h * stiffness(m, d, k);
    sb_combine(n, 0, k, ERROR, STAGES, h, d->error);
    sb_combine(n, 0, k, DENSE, STAGES, h, d->dense);
    d->h_step = h;
    return 0;
}

static void dense(const sb_model *m, const sb_data *d, double theta, double *x)
{
    const int n = SB_N_X(m);
    const double h = d->h_step;
    const double rest = 1.0 - theta;
    for (int i = 0; i < n; ++i) {
        const double rise = d->x_new[i] - d->x[i];
        const double r3 = h * d->stage[i] - rise;
        const double r4 = rise - h * d->rate_new[i] - r3;
        x[i] = d->x[i] + theta * (rise + rest * (r3 + theta * (r4 + rest * d->dense[i])));
    }
}

/* The rates at the ends speak for the lower powers of theta. */
static void stretch(const sb_model *m, sb_data *d, int which, double factor)
{
    const double fourth = factor * factor * factor * factor;
    for (int i = 0; i < SB_N_X(m) && which; ++i) {
        d->dense[i] *= fourth;
    }
}

const sb_method sb_dopri5 = {"dopri5", 5, 1, 0, prepare, step, dense, stretch};
