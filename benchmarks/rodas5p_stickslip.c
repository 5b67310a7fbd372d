/* Rodas5P written by hand for one machine, the LuGre stick-slip rig of aberger2002:
 *
 *     J dv/dt = k (pull t - x) - F,   dx/dt = v,
 *     dz/dt = v - |v| z / g(v),   g(v) = mu_c + (mu_s - mu_c) exp(-(v/v_s)^2),
 *     F = z + sigma1 r + sigma2 v,   r = v - |v| z / g(v)
 *
 * with the bristle as a torque (z here is sigma0 times the deflection, so dz/dt = sigma0 r).
 * It is the yardstick of benchmarks/adaptive.py: what an engineer would write who needs this machine and no other.
 * The method is Steinebach's (2023), stiffly accurate, order 5(4), dense output of order 4. */

#include <math.h>

typedef struct {
    double sigma0, sigma1, sigma2, mu_c, mu_s, v_s; /* LuGre */
    double J, k, pull;                              /* inertia, spring, speed of its other end */
    double inv_v_s, inv_J;                          /* set here: no divisions in the right-hand side */
} rig;

typedef struct {
    long steps, rejected, rhs, jacobians;
} stats;

typedef struct {
    double x, v, z;
} state;

enum { STAGES = 8 };

static const double gamma_ = 0.21193756319429014;
static const double c[STAGES] = {
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
static const double H[3][STAGES] = {
    {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
     1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
    {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
     15.98066361424651, -6.789040303419874, -6.710236069923372},
    {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
     -59.78993625266729, -0.15582684282751913, 4.883087185713722},
};

/* exp(-(v/v_s)^2); far outside it is 0, and exp would underflow slowly */
static inline double stribeck(const rig *m, double v)
{
    const double q = v * m->inv_v_s, q2 = q * q;
    return q2 > 700 ? 0 : exp(-q2);
}

/* bristle rate r and friction F */
static inline double friction(const rig *m, const state *y, double *r)
{
    const double g = m->mu_c + (m->mu_s - m->mu_c) * stribeck(m, y->v);
    *r = y->v - fabs(y->v) / g * y->z;
    return y->z + m->sigma1 * *r + m->sigma2 * y->v;
}

static inline state rhs(const rig *m, double t, const state *y)
{
    double r;
    const double F = friction(m, y, &r);
    return (state){y->v, (m->k * (m->pull * t - y->x) - F) * m->inv_J, m->sigma0 * r};
}

/* dr/dv and dr/dz, the only entries of the Jacobian that change */
typedef struct {
    double rv, rz;
} slope;

static slope jacobian(const rig *m, const state *y)
{
    const double v = y->v, a = fabs(v), e = (m->mu_s - m->mu_c) * stribeck(m, v);
    const double g = m->mu_c + e, dg = -2 * v * m->inv_v_s * m->inv_v_s * e;
    const double s = v > 0 ? 1 : v < 0 ? -1 : 0;
    return (slope){1 - y->z * (s - a * dg / g) / g, -a / g};
}

/* W = I/(h gamma) - Jacobian. Its first row gives u_x = (b_x + u_v)/w; put into the second, two equations remain for
 * u_v and u_z. */
typedef struct {
    double inv_w, stiff, vv, vz, zv, zz, inv_det;
} matrix;

static matrix factor(const rig *m, slope s, double h)
{
    const double w = 1 / (h * gamma_);
    matrix W;
    W.inv_w = 1 / w;
    W.stiff = m->k * m->inv_J * W.inv_w;
    W.vv = w + (m->sigma1 * s.rv + m->sigma2) * m->inv_J + W.stiff;
    W.vz = (1 + m->sigma1 * s.rz) * m->inv_J;
    W.zv = -m->sigma0 * s.rv;
    W.zz = w - m->sigma0 * s.rz;
    W.inv_det = 1 / (W.vv * W.zz - W.vz * W.zv);
    return W;
}

static inline state solve(const matrix *W, state b)
{
    const double bv = b.v - W->stiff * b.x;
    state u;
    u.v = (W->zz * bv - W->vz * b.z) * W->inv_det;
    u.z = (W->vv * b.z - W->zv * bv) * W->inv_det;
    u.x = (b.x + u.v) * W->inv_w;
    return u;
}

static inline void add(state *y, double a, const state *u)
{
    y->x += a * u->x;
    y->v += a * u->v;
    y->z += a * u->z;
}

/* One attempt from (t, y) with f = f(t, y): the stages u, the new state is returned, the error estimate is u[7]. */
static state attempt(const rig *m, double t, double h, const state *y, const state *f, slope s, state *u)
{
    const matrix W = factor(m, s, h);
    const double inv_h = 1 / h, dfdt = h * m->k * m->pull * m->inv_J;
    state p = *y;
    for (int i = 0; i < STAGES; i++) {
        if (i < 6) {
            p = *y;
            for (int j = 0; j < i; j++)
                add(&p, A[i][j], &u[j]);
        } else {
            add(&p, 1, &u[i - 1]);
        }
        state b = i == 0 ? *f : rhs(m, t + c[i] * h, &p);
        state sum = {0, 0, 0};
        for (int j = 0; j < i; j++)
            add(&sum, C[i][j], &u[j]);
        add(&b, inv_h, &sum);
        b.v += d[i] * dfdt;
        u[i] = solve(&W, b);
    }
    add(&p, 1, &u[7]);
    return p;
}

static double error_norm(const state *y, const state *y1, const state *e, double tol, const state *nominal)
{
    const double ex = e->x / (nominal->x + fmax(fabs(y->x), fabs(y1->x)));
    const double ev = e->v / (nominal->v + fmax(fabs(y->v), fabs(y1->v)));
    const double ez = e->z / (nominal->z + fmax(fabs(y->z), fabs(y1->z)));
    return sqrt((ex * ex + ev * ev + ez * ez) / 3) / tol;
}

/* Step-size factor by Gustafsson's predictive controller: the error per step and its trend. */
static double predict(double err, double err_old, double h, double h_old)
{
    const double plain = pow(err, -0.2);
    const double trend = err_old > 0 ? h / h_old * pow(err_old / (err * err), 0.2) : plain;
    return fmin(6, fmax(0.2, 0.9 * fmin(plain, trend)));
}

/* Grid points in (t, t + h] from the dense output; returns the index of the next point.
 * out holds rows x, v, deflection, friction of n points each. */
static int sample(const rig *m, double t, double h, const state *y, const state *y1, const state *u, int i, int n,
                  double dt, double *out)
{
    if (i >= n || i * dt > t + h)
        return i;
    state k[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int q = 0; q < 3; q++)
        for (int j = 0; j < STAGES; j++)
            add(&k[q], H[q][j], &u[j]);
    const double inv_h = 1 / h;
    for (; i < n && i * dt <= t + h; i++) {
        const double th = (i * dt - t) * inv_h, ph = 1 - th;
        const state p = {
            ph * y->x + th * (y1->x + ph * (k[0].x + th * (k[1].x + th * k[2].x))),
            ph * y->v + th * (y1->v + ph * (k[0].v + th * (k[1].v + th * k[2].v))),
            ph * y->z + th * (y1->z + ph * (k[0].z + th * (k[1].z + th * k[2].z))),
        };
        double r;
        out[i] = p.x;
        out[n + i] = p.v;
        out[2 * n + i] = p.z / m->sigma0;
        out[3 * n + i] = friction(m, &p, &r);
    }
    return i;
}

/* From rest over n points of spacing dt; 0, or 1 when the step becomes too small. */
int rodas5p_stickslip(rig *m, double tol, int n, double dt, double *out, stats *count)
{
    m->inv_v_s = 1 / m->v_s;
    m->inv_J = 1 / m->J;
    const state nominal = {1, m->v_s, m->mu_s};
    state y = {0, 0, 0}, u[STAGES];
    double t = 0, h = 1e-6, h_old = h, err_old = 0;
    int next = 1, rejected = 0;
    out[0] = out[n] = out[2 * n] = out[3 * n] = 0;
    *count = (stats){0, 0, 1, 1};
    state f = rhs(m, t, &y);
    slope s = jacobian(m, &y);
    while (next < n) {
        const state y1 = attempt(m, t, h, &y, &f, s, u);
        const double err = error_norm(&y, &y1, &u[7], tol, &nominal);
        count->rhs += STAGES - 1;
        if (!(err <= 1)) {
            h *= isfinite(err) ? fmax(0.2, 0.9 * pow(err, -0.2)) : 0.1;
            rejected = 1;
            count->rejected++;
            if (h < 1e-14)
                return 1;
            continue;
        }
        next = sample(m, t, h, &y, &y1, u, next, n, dt, out);
        t += h;
        y = y1;
        f = rhs(m, t, &y);
        s = jacobian(m, &y);
        count->rhs++;
        count->jacobians++;
        count->steps++;
        const double factor_ = predict(fmax(err, 1e-10), err_old, h, h_old);
        h_old = h;
        err_old = fmax(err, 1e-2);
        h *= rejected ? fmin(1, factor_) : factor_;
        rejected = 0;
    }
    return 0;
}
