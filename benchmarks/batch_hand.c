/* Many runs of one machine, the LuGre stick-slip rig, written by hand: W runs at once in every operation, in threads.
 *
 *     J dw/dt = c (pull t - phi) - tau,   dphi/dt = w,
 *     dz/dt = sigma0 r,   r = w - |w| z / g,   g = mu_c + (mu_s - mu_c) exp(-(w/v_s)^2),
 *     tau = z + sigma1 r + sigma2 w
 *
 * with the bristle as a torque. The yardstick of benchmarks/batch.py: what an engineer would write who needs this
 * machine and no other. Each lane has its own time, step and parameters; a lane that has ended is refilled. The method is
 * Rodas5P (G. Steinebach 2023), as in rodas5p_stickslip.c. */

#include <pthread.h>
#include <stdint.h>

#ifndef W
#define W 8
#endif

typedef double real __attribute__((vector_size(8 * W)));
typedef int64_t whole __attribute__((vector_size(8 * W)));

typedef struct {
    double sigma0, sigma1, sigma2, mu_c, v_s, t_end, tolerance; /* the same at all points */
    const double *points;                                       /* rows of c, J, mu_s, pull */
    double *speeds;                                             /* at the end */
    long n, next, steps;
} task;

enum { STAGES = 8 };

static const double gamma_ = 0.21193756319429014;
static const double alpha[STAGES] = {
    0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1,
};
static const double d[STAGES] = {
    0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0,
};
/* stages 7 and 8 start from the point of the stage before plus its u */
static const double A[6][5] = {
    {0},
    {3.0},
    {2.849394379747939, 0.45842242204463923},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946},
};
static const double C[STAGES][7] = {
    {0},
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

/* Operations on lanes. A comparison gives a mask of all ones or zeros. */
static inline real select(whole mask, real a, real b)
{
    return (real)(((whole)a & mask) | ((whole)b & ~mask));
}
static inline real max(real a, real b)
{
    return select(a > b, a, b);
}
static inline real min(real a, real b)
{
    return select(a < b, a, b);
}
static inline real absolute(real a)
{
    return (real)((whole)a & INT64_MAX);
}
static inline real all(double a)
{
    return a - (real){0};
}

/* exp(-a), a >= 0: 2^k exp(b) with |b| <= ln(2)/2, Taylor to b^12. From 700 on it is that of 700, practically 0. */
static inline real exp_minus(real a)
{
    const double round = 6755399441055744.0; /* 1.5 * 2^52: the sum has the nearest integer in its last bits */
    const real x = -min(a, all(700));
    const real shifted = x * 1.4426950408889634 + round;
    const real k = shifted - round;
    const real b = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
    real p = all(1.0 / 479001600);
    static const double c[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                               1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5,         1.0,        1.0};
    for (int i = 0; i < 12; i++)
        p = p * b + c[i];
    return p * (real)(((whole)shifted + 1023) << 52);
}

/* a^(-1/5) for the step size, to 1e-7: by the exponent, then Newton's method. */
static inline real inverse_fifth_root(real a)
{
    const real bits = __builtin_convertvector((whole)a, real);
    real y = (real) __builtin_convertvector(5.5286e18 - 0.2 * bits, whole);
    for (int i = 0; i < 4; i++) {
        const real y2 = y * y;
        y = y * (1.2 - 0.2 * a * (y2 * y2 * y));
    }
    return y;
}

static inline real square_root(real a)
{
    real y;
    for (int i = 0; i < W; i++)
        y[i] = __builtin_sqrt(a[i]);
    return y;
}

typedef struct {
    real c, inv_J, mu_s, pull;
} rig;

typedef struct {
    real phi, w, z;
} state;

/* The right-hand side, and on request dr/dw and dr/dz, the only entries of the Jacobian that change. */
static inline state rates(const task *k, const rig *m, real t, const state *y, real *rw, real *rz)
{
    const real q = y->w * (1 / k->v_s), e = (m->mu_s - k->mu_c) * exp_minus(q * q);
    const real inv_g = 1 / (k->mu_c + e), a = absolute(y->w);
    const real r = y->w - a * inv_g * y->z;
    const real tau = y->z + k->sigma1 * r + k->sigma2 * y->w;
    if (rw) {
        const real sign = select(y->w > 0, all(1), select(y->w < 0, all(-1), all(0)));
        const real dg = (-2 / k->v_s) * q * e;
        *rw = 1 - y->z * (sign - a * dg * inv_g) * inv_g;
        *rz = -a * inv_g;
    }
    return (state){y->w, (m->c * (m->pull * t - y->phi) - tau) * m->inv_J, k->sigma0 * r};
}

/* I/(h gamma) - Jacobian. Its first row gives u_phi; put into the second, two equations remain. */
typedef struct {
    real inv_d, stiff, ww, wz, zw, zz, inv_det;
} matrix;

static inline matrix factored(const task *k, const rig *m, real rw, real rz, real h)
{
    const real inv_d = h * gamma_, diagonal = 1 / inv_d;
    matrix f;
    f.inv_d = inv_d;
    f.stiff = m->c * m->inv_J * inv_d;
    f.ww = diagonal + (k->sigma1 * rw + k->sigma2) * m->inv_J + f.stiff;
    f.wz = (1 + k->sigma1 * rz) * m->inv_J;
    f.zw = -k->sigma0 * rw;
    f.zz = diagonal - k->sigma0 * rz;
    f.inv_det = 1 / (f.ww * f.zz - f.wz * f.zw);
    return f;
}

static inline state solved(const matrix *f, state b)
{
    const real bw = b.w - f->stiff * b.phi;
    state u;
    u.w = (f->zz * bw - f->wz * b.z) * f->inv_det;
    u.z = (f->ww * b.z - f->zw * bw) * f->inv_det;
    u.phi = (b.phi + u.w) * f->inv_d;
    return u;
}

static inline void add(state *y, double a, const state *u)
{
    y->phi += a * u->phi;
    y->w += a * u->w;
    y->z += a * u->z;
}

/* One step of all lanes: the new state; u[7] is the error estimate. */
static inline state attempt(const task *k, const rig *m, real t, real h, const state *y, const state *f, real rw,
                            real rz, state *u)
{
    const matrix lu = factored(k, m, rw, rz, h);
    const real inv_h = 1 / h, dfdt = h * m->c * m->pull * m->inv_J;
    state p = *y;
#pragma GCC unroll 8
    for (int i = 0; i < STAGES; i++) {
        if (i < 6) {
            p = *y;
            for (int j = 0; j < i; j++)
                add(&p, A[i][j], &u[j]);
        } else {
            add(&p, 1, &u[i - 1]);
        }
        state b = i == 0 ? *f : rates(k, m, t + alpha[i] * h, &p, 0, 0), sum = {all(0), all(0), all(0)};
        for (int j = 0; j < i; j++)
            add(&sum, C[i][j], &u[j]);
        b.phi += inv_h * sum.phi;
        b.w += inv_h * sum.w + d[i] * dfdt;
        b.z += inv_h * sum.z;
        u[i] = solved(&lu, b);
    }
    add(&p, 1, &u[7]);
    return p;
}

/* Square of the error of a step by the tolerance */
static inline real squared_error(const task *k, const rig *m, const state *y, const state *y1, const state *e)
{
    const real phi = e->phi / (1 + max(absolute(y->phi), absolute(y1->phi)));
    const real w = e->w / (k->v_s + max(absolute(y->w), absolute(y1->w)));
    const real z = e->z / (m->mu_s + max(absolute(y->z), absolute(y1->z)));
    return (phi * phi + w * w + z * z) * (1 / (3 * k->tolerance * k->tolerance));
}

/* The state of W runs. */
typedef struct {
    rig m;
    state y;
    real t, h, h_old, root_old; /* root_old: fifth root of the last error */
    whole rejected;
    long point[W]; /* which run a lane has; -1: none */
} lanes;

/* The next point for a lane; without one it repeats the last, unseen. */
static void refill(task *k, lanes *q, int i)
{
    const long point = __atomic_fetch_add(&k->next, 1, __ATOMIC_RELAXED);
    q->point[i] = point < k->n ? point : -1;
    q->t[i] = q->y.phi[i] = q->y.w[i] = q->y.z[i] = q->root_old[i] = 0;
    q->rejected[i] = 0;
    q->h[i] = q->h_old[i] = 1e-6;
    if (point < k->n) {
        const double *row = k->points + 4 * point;
        q->m.c[i] = row[0];
        q->m.inv_J[i] = 1 / row[1];
        q->m.mu_s[i] = row[2];
        q->m.pull[i] = row[3];
    }
}

/* Step sizes by Gustafsson's predictive controller, from the error and its trend; state and time of the lanes whose step
 * is accepted. Roots of the errors come from that of the square. */
static inline whole control(const task *k, lanes *q, const state *y1, const state *e, real h)
{
    const real raw = squared_error(k, &q->m, &q->y, y1, e);
    const whole ok = raw <= 1, finite = raw <= 1e20;
    const real root2 = inverse_fifth_root(min(max(raw, all(1e-20)), all(1e20))), root = square_root(root2);
    const real trend = select(q->root_old > 0, h / q->h_old * root2 * q->root_old, root);
    const real accepted = min(all(6), max(all(0.2), 0.9 * min(root, trend)));
    const real refused = select(finite, max(all(0.2), 0.9 * root), all(0.1));
    q->h = h * select(ok, select(q->rejected, min(all(1), accepted), accepted), refused);
    q->t = select(ok, q->t + h, q->t);
    q->y.phi = select(ok, y1->phi, q->y.phi);
    q->y.w = select(ok, y1->w, q->y.w);
    q->y.z = select(ok, y1->z, q->y.z);
    q->h_old = select(ok, h, q->h_old);
    q->root_old = select(ok, max(1 / root, all(0.398)), q->root_old); /* 0.398: the root of an error of 0.01 */
    q->rejected = ~ok;
    return ok;
}

static void *work(void *argument)
{
    task *k = argument;
    lanes q;
    q.m = (rig){all(1), all(1), all(1.5), all(0.1)};
    int running = 0;
    for (int i = 0; i < W; i++) {
        refill(k, &q, i);
        running += q.point[i] >= 0;
    }
    long steps = 0;
    state u[STAGES];
    while (running) {
        real rw, rz;
        const state f = rates(k, &q.m, q.t, &q.y, &rw, &rz);
        const real left = k->t_end - q.t;
        const whole last = q.h >= left;
        const real h = select(last, left, q.h);
        const state y1 = attempt(k, &q.m, q.t, h, &q.y, &f, rw, rz, u);
        const whole ended = control(k, &q, &y1, &u[7], h) & last;
        steps++;
        for (int i = 0; i < W; i++) {
            if (!ended[i])
                continue;
            if (q.point[i] >= 0) {
                k->speeds[q.point[i]] = q.y.w[i];
                running--;
            }
            refill(k, &q, i);
            running += q.point[i] >= 0;
        }
    }
    __atomic_fetch_add(&k->steps, steps, __ATOMIC_RELAXED);
    return 0;
}

/* All points in threads; 0, or 1 when a thread cannot be started. */
int batch_rig(task *k, int threads)
{
    pthread_t crew[64];
    threads = threads > 64 ? 64 : threads;
    k->next = k->steps = 0;
    int started = 0;
    while (started < threads && pthread_create(&crew[started], 0, work, k) == 0)
        started++;
    for (int i = 0; i < started; i++)
        pthread_join(crew[i], 0);
    return started == 0;
}
