/* The drivelines of realtime.py as an engineer would write them by hand for this one machine: C99, no library.
 *
 *     I1 w1' = T1 + tau,  I2 w2' = -tau - K th,  I3 w3' = K th,  th' = w2 - w3,  slip s = w2 - w1
 *
 * One fixed step is that of the package. First without friction, the shaft at mid-step: th_new = th + h (r + r_new)/2
 * with r = w2 - w3, its torque K (th + th_new)/2; the matrix is constant, so its inverse is too. Then the clutch
 * answers with its mean torque over the step: s_new = s_free - C tau must fulfil the law, C being the slip that a
 * torque of 1 takes away. The load is that of mid-step, and so is the Stribeck curve. */
#include <math.h>
#include <stddef.h>
#include <time.h>

#define DRIVES 6
#define POINTS 6

enum law { TANH, CLASSIC, KARNOPP, CLASSIC_STRIBECK, KARNOPP_STRIBECK, LUGRE };

typedef struct plant {
    double h, I1, I2, I3, K, T1, torque; /* torque: of the closed clutch at friction 1 */
    double mu_c, mu_s, v_s, v_0, dv, sigma0, sigma1;
    double time[POINTS], value[POINTS], delay; /* command of the first clutch; delay: of each next one */
} plant;

/* What the plant makes constant: inverse of [I2 + k, -k; -k, I3 + k], k = h^2 K/4 + h D, and C. D is the numerical
 * damper of the step: nothing unless the shaft is too stiff for h. */
typedef struct constants {
    double b22, b23, b33, c, half, inv_I1, lead;
} constants;

typedef struct drive {
    double w1, w2, w3, th, z, tau;
    double before; /* slip at the start of the step before */
    int stuck;
    int pressed; /* the clutch carried a load in the last step */
    int segment; /* of the command */
    double shift;
} drive;

static constants prepare(const plant *p)
{
    const double stiff = p->K * (1.0 / p->I2 + 1.0 / p->I3) * p->h * p->h;
    const double damper = 0.75 * p->K * p->h * stiff / (1.0 + stiff);
    const double k = 0.25 * p->h * p->h * p->K + p->h * damper;
    const double det = (p->I2 + k) * (p->I3 + k) - k * k;
    constants c = {(p->I3 + k) / det, k / det,     (p->I2 + k) / det,         0.0,
                   0.5 * p->h,        1.0 / p->I1, 0.5 * p->h + damper / p->K};
    c.c = p->h * (c.inv_I1 + c.b22);
    return c;
}

static inline double command(const plant *p, drive *d, double t)
{
    const double local = t - d->shift;
    while (d->segment < POINTS - 2 && local >= p->time[d->segment + 1]) {
        ++d->segment;
    }
    const int i = d->segment;
    const double share = (local - p->time[i]) / (p->time[i + 1] - p->time[i]);
    const double value = p->value[i] + (p->value[i + 1] - p->value[i]) * fmin(fmax(share, 0.0), 1.0);
    return value;
}

/* Sliding friction as a line over the slip: friction = cut + rise |s|. */
typedef struct line {
    double cut, rise;
} line;

static inline double curve(const plant *p, double slip)
{
    const double x = slip / p->v_s;
    return p->mu_c + (p->mu_s - p->mu_c) * exp(-fmin(x * x, 700.0));
}

/* The curve times load as a line through the last slip with half of its slope, the mean over the step. Where the slip
 * grows, the slope is that to the slip at the end about. */
static inline line tangent(const plant *p, double c, double load, double slip, double free)
{
    const double v = fabs(slip);
    const double friction = curve(p, v);
    const double gain = fabs(free) - c * load * friction - v;
    const double slope =
        gain > 1e-6 * v ? (curve(p, v + gain) - friction) / gain : -2.0 * v / (p->v_s * p->v_s) * (friction - p->mu_c);
    const double rise = fmax(0.5 * load * slope, -0.5 / c);
    return (line){load * friction - rise * v, rise};
}

/* Share of the step after which curves and bristles meet their law: one half, and all of it where they are stiff. */
static inline double share_of(double stiff)
{
    return (0.5 + stiff) / (1.0 + stiff);
}

/* Root of s + c load tanh(2 s/v_0) = free: for free > 0 the left side is concave, so that Newton's iterates come from
 * below and rise; the slip stays between 0 and free. */
static inline double root_tanh(const plant *p, double c, double load, double slip, double free)
{
    const double scale = 2.0 / p->v_0;
    const double top = fabs(free);
    double s = fmin(fmax(copysign(1.0, free) * slip, fmax(top - c * load, 0.0)), top);
    for (int i = 0; i < 20; ++i) {
        const double f = tanh(scale * s);
        const double change = (top - s - c * load * f) / (1.0 + c * load * scale * (1.0 - f * f));
        s += change;
        if (fabs(change) <= 1e-12 * top) {
            break;
        }
    }
    return copysign((top - s) / c, free);
}

/* Met in the middle of the step where the curve is flat; by its slope at 0 if the slip turns round. */
static inline double answer_tanh(const plant *p, double c, double load, double slip, double free)
{
    const double steepest = c * load * 2.0 / p->v_0;
    const double f = tanh(2.0 * slip / p->v_0);
    double share = share_of(steepest * (1.0 - f * f));
    const double tau = root_tanh(p, share * c, load, slip, slip + share * (free - slip));
    if ((free - c * tau) * slip >= 0.0) {
        return tau;
    }
    share = share_of(steepest);
    return root_tanh(p, share * c, load, slip, slip + share * (free - slip));
}

/* Torque of a contact that holds the slip `target` up to the torque `box` and slides along a line beyond. */
static inline double answer_box(double c, double target, double box, line sliding, double free)
{
    const double hold = (free - target) / c;
    if (fabs(hold) <= box) {
        return hold;
    }
    const double side = copysign(1.0, hold);
    const double slip = (free - c * side * sliding.cut) / (1.0 + c * sliding.rise);
    return side * (slip - target) > 0.0 ? side * sliding.cut + sliding.rise * slip : side * box;
}

/* Stuck within the static limit; else it slides, and is caught within the limit at which the curve begins, or if it
 * comes to rest and its static limit holds what pulls it on. */
static inline double answer_classic(const plant *p, double c, double load, double begin, line sliding, drive *d,
                                    double slip, double free)
{
    if (d->stuck && fabs(free) <= c * load * p->mu_s) {
        return free / c;
    }
    const double rest = slip * free < 0.0 ? load * p->mu_s - fabs(slip) / c : 0.0;
    const double box = fmax(load * begin, rest);
    d->stuck = fabs(free) <= c * box;
    return answer_box(c, 0.0, box, sliding, free);
}

/* Within the window the slip is held at its value up to the static limit; outside it slides, and one that would get
 * inside stays on the edge. */
static inline double answer_karnopp(const plant *p, double c, double load, double begin, line sliding, drive *d,
                                    double slip, double free)
{
    const int inside = fabs(slip) < p->dv || (d->stuck && fabs(slip) <= (1.0 + 1e-9) * p->dv);
    const double target = inside ? slip : copysign(p->dv, slip);
    const double box = load * (inside ? p->mu_s : begin);
    const double hold = (free - target) / c;
    d->stuck = fabs(hold) <= box;
    return inside ? fmin(fmax(hold, -box), box) : answer_box(c, target, box, sliding, free);
}

/* Share of the step after which a bristle that relaxes by x within it has its mean. */
static inline double share_of_relaxing(double x)
{
    return 0.5 + 0.5 * x * (x + 4.0) / (x * x + 6.0 * x + 24.0);
}

/* The bristles z_met = z + share h z'(s, z_met) at the slip s, which is met after the share `met` of the step; `recoil`
 * is what slip takes away of their load. */
typedef struct bristle {
    double met, recoil, share, z;
} bristle;

static inline void meet(const plant *p, bristle *b, double push, double g, double z, double slip)
{
    const double by_slip = 1.0 - copysign(slip != 0.0, slip) * p->sigma0 / g * z;
    const double relax = p->h * p->sigma0 * fabs(slip) / g;
    const double spring = p->h * p->sigma0 * by_slip - p->sigma1 * relax * by_slip;
    const double damper = p->sigma1 * by_slip;
    b->met = share_of(push * fabs(damper + spring / (1.0 + relax)));
    b->recoil = fmax(push * spring / (1.0 + push * fmax(damper, 0.0)), 0.0);
}

/* Friction per unit load at the slip s, and its slope. */
static inline line bend(const plant *p, bristle *b, double g, double z, double s)
{
    const double sign = copysign(s != 0.0, s);
    const double relax = p->sigma0 * fabs(s) / g;
    const double by_slip = 1.0 - sign * p->sigma0 / g * b->z;
    b->share = share_of_relaxing(b->recoil + p->h * relax);
    const double h = b->share * p->h;
    const double by_state = p->sigma0 - p->sigma1 * relax;
    b->z = (z + h * s) / (1.0 + h * relax);
    return (line){p->sigma0 * b->z + p->sigma1 * (s - relax * b->z),
                  b->met * (p->sigma1 * by_slip + by_state * h * by_slip / (1.0 + h * relax))};
}

/* Newton's method. The Stribeck curve is that of the middle of the step: in the first rounds it moves with the slip,
 * and a fall that would lead away from the answer is not followed. Where the slip turns round, all is met as at rest.
 */
static inline double answer_lugre(const plant *p, double c, double load, drive *d, double slip, double free)
{
    if (!d->pressed) {
        d->z = copysign(curve(p, slip), slip) / p->sigma0; /* a clutch closes with bristles that slide */
    }
    bristle b = {.z = d->z};
    meet(p, &b, c * load, curve(p, slip), d->z, slip);
    double middle = slip + 0.5 * (slip - d->before);
    double g = curve(p, middle);
    double s = slip;
    int turned = 0;
    for (int round = 0; round < 60; ++round) {
        const double at = turned ? s : 0.5 * (slip + s);
        if (round > 0 && round < 20 && fabs(at - middle) > 1e-3 * fabs(at)) {
            middle = at;
            g = curve(p, middle);
        }
        const line l = bend(p, &b, g, d->z, slip + b.met * (s - slip));
        const double rise = round < 20 ? fmax(c * load * l.rise, -0.5) : c * load * l.rise;
        double next = s - (s + c * load * l.cut - free) / (1.0 + rise);
        next = next * s < 0.0 ? 0.0 : next;
        const int found = fabs(next - s) <= 1e-13 * (fabs(s) + fabs(free));
        if (found && (turned || s * slip >= 0.0)) {
            break;
        }
        if (found) {
            turned = 1;
            round = 0;
            middle = 0.0;
            g = curve(p, 0.0);
            meet(p, &b, c * load, g, d->z, 0.0);
        }
        s = next;
    }
    d->z += (b.z - d->z) / b.share;
    return (free - s) / c;
}

static inline double answer(enum law law, const plant *p, double c, double load, drive *d, double slip, double free)
{
    switch (law) {
    case TANH:
        return answer_tanh(p, c, load, slip, free);
    case CLASSIC:
        return answer_classic(p, c, load, p->mu_c, (line){load * p->mu_c, 0.0}, d, slip, free);
    case CLASSIC_STRIBECK:
        return answer_classic(p, c, load, p->mu_s, tangent(p, c, load, slip, free), d, slip, free);
    case KARNOPP:
        return answer_karnopp(p, c, load, p->mu_c, (line){load * p->mu_c, 0.0}, d, slip, free);
    case KARNOPP_STRIBECK:
        return answer_karnopp(p, c, load, curve(p, p->dv), tangent(p, c, load, slip, free), d, slip, free);
    case LUGRE:
        return answer_lugre(p, c, load, d, slip, free);
    }
    return 0.0;
}

static inline void step(enum law law, const plant *p, const constants *k, drive *d, double t)
{
    const double load = p->torque * command(p, d, t + k->half);
    const double slip = d->w2 - d->w1;
    const double twist = d->w2 - d->w3;

    // without friction
    const double impulse = p->h * p->K * (d->th + k->lead * twist);
    const double free1 = d->w1 + p->h * p->T1 * k->inv_I1;
    const double free2 = d->w2 + (k->b23 - k->b22) * impulse;
    const double free3 = d->w3 + (k->b33 - k->b23) * impulse;

    // friction
    const double tau = load > 0.0 ? answer(law, p, k->c, load, d, slip, free2 - free1) : 0.0;
    d->before = slip;
    d->pressed = load > 0.0;
    d->stuck = d->stuck && d->pressed;
    const double push = p->h * tau;
    d->w1 = free1 + k->inv_I1 * push;
    d->w2 = free2 - k->b22 * push;
    d->w3 = free3 - k->b23 * push;
    if ((law == CLASSIC || law == CLASSIC_STRIBECK) && d->stuck) {
        d->w2 = d->w1;
    }
    d->th += k->half * (twist + d->w2 - d->w3);
    d->tau = tau;
}

static inline void task(enum law law, const plant *p, const constants *k, drive *d, double t, double *out)
{
    for (int i = 0; i < DRIVES; ++i) {
        step(law, p, k, &d[i], t);
        out[4 * i] = d[i].w1;
        out[4 * i + 1] = d[i].w2;
        out[4 * i + 2] = d[i].w3;
        out[4 * i + 3] = d[i].tau;
    }
}

long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000000000LL * now.tv_sec + now.tv_nsec;
}

/* The least that two readings show with nothing between them. */
long long clock_ns(int n)
{
    long long least = now_ns();
    for (int i = 0; i < n; ++i) {
        const long long start = now_ns();
        const long long shown = now_ns() - start;
        least = shown < least ? shown : least;
    }
    return least;
}

/* n tasks of one law; out: 4 results of every driveline, of all tasks or of the last; ns: the time of each task, or
 * NULL. */
static inline void run(enum law law, const plant *p, drive *d, long n, double *out, int keep, long long *ns)
{
    const constants k = prepare(p);
    for (long i = 0; i < n; ++i) {
        const long long start = ns ? now_ns() : 0;
        task(law, p, &k, d, (double)i * p->h, out + (keep ? 4 * DRIVES * i : 0));
        if (ns) {
            ns[i] = now_ns() - start;
        }
    }
}

/* From rest behind an engine at w1. */
void run_hand(int law, const plant *p, double w1, long n, double *out, int keep, long long *ns)
{
    drive d[DRIVES] = {{0}};
    for (int i = 0; i < DRIVES; ++i) {
        d[i].w1 = w1;
        d[i].before = -w1;
        d[i].shift = p->delay * i;
    }
    switch ((enum law)law) {
#define CASE(name)                         \
    case name:                             \
        run(name, p, d, n, out, keep, ns); \
        break;
        CASE(TANH)
        CASE(CLASSIC)
        CASE(KARNOPP)
        CASE(CLASSIC_STRIBECK)
        CASE(KARNOPP_STRIBECK)
        CASE(LUGRE)
    }
}
