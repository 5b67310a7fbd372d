#include "sb_onset.h"

#include <math.h>
#include <string.h>

#include "model/sb_tolerance.h"
#include "onset/sb_give_way.h"

enum { N = SB_ONSET_PARAMETERS };
enum { CREEP = 32, SLIDE = 56, STEPS = CREEP + SLIDE }; /* steps before and after the drive passes F, shortest there */

static double clipped(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* --- time --- */

/* A table of equal intervals over a place from 0 to 1. */
static double between(const double *table, double share)
{
    const double place = clipped(share, 0.0, 1.0) * (SB_ONSET_TABLE - 1);
    const int cell = place < SB_ONSET_TABLE - 2 ? (int)place : SB_ONSET_TABLE - 2;
    return table[cell] + (place - cell) * (table[cell + 1] - table[cell]);
}

/* The instant at which the drive passes the level. */
static double passes(const sb_onset_ramp *r, double level)
{
    const double least = SB_ONSET_PLACE * (r->last - r->first);
    return clipped(between(r->when, level / r->most), r->first + least, r->last - least);
}

static double at_time(const sb_onset_ramp *r, const double *table, double t)
{
    return between(table, (t - r->first) / (r->last - r->first));
}

/* The drive in a step: where it creeps that of its end, else the mean, which noise hardly changes. */
static double drive_in(const sb_onset_ramp *r, double from, double to, int creeps)
{
    return creeps || to <= from ? at_time(r, r->drive, to)
                                : (at_time(r, r->impulse, to) - at_time(r, r->impulse, from)) / (to - from);
}

static void place_steps(const sb_onset_ramp *r, double begin, double *time)
{
    for (int i = 0; i <= CREEP; ++i) {
        const double left = 1.0 - (double)i / CREEP;
        time[i] = r->first + (begin - r->first) * (1.0 - left * left * left);
    }
    for (int i = 1; i <= SLIDE; ++i) {
        const double part = (double)i / SLIDE;
        time[CREEP + i] = begin + (r->last - begin) * part * part;
    }
}

/* The step with an instant, and its place there. */
static int step_of(const sb_onset_ramp *r, double begin, double t, double *place)
{
    const double before = clipped((t - r->first) / (begin - r->first), 0.0, 1.0);
    const double after = clipped((t - begin) / (r->last - begin), 0.0, 1.0);
    const double number = t < begin ? CREEP * (1.0 - cbrt(1.0 - before)) : CREEP + SLIDE * sqrt(after);
    const int step = number < STEPS - 1 ? (int)number : STEPS - 1;
    *place = number - step;
    return step;
}

/* --- a step --- */

typedef struct motion {
    sb_slopes v, x;
    sb_slopes ahead; /* the speed expected half-way of the next step */
} motion;

/* One step of size h with the drive u. Where it creeps, friction is that of its end, else that of half-way; the speed
 * ahead is expected from the ratio of the steps, longer. Returns the friction. */
static sb_slopes advance(const double *p, const sb_creep *c, motion *s, double h, double u, int creeps, double longer)
{
    const double part = creeps ? 0.0 : 0.25 * h; // of the speed before, in the displacement
    const double average = creeps ? 0.0 : 0.5;   // and in the change of x
    const double viscous = 0.5 * p[SB_ONSET_VISCOUS];
    const double inertia = p[SB_ONSET_INERTIA] / h;
    const sb_slopes g = sb_limit_at(p, &s->ahead);
    const sb_balance e = {inertia + viscous, (inertia - viscous) * s->v.value + u, s->x.value + part * s->v.value,
                          creeps ? h : 0.25 * h};
    double q;
    double by_x;
    const double v = sb_speed_of(&e, c, g.value, &q, &by_x);

    // q by parameters at the same displacement
    const double place = e.base + e.reach * v;
    const double by_end = -by_x * place;
    const double by_p = q > 0.0 ? q * log(1.0 - place / c->end) : 0.0;
    double direct[N] = {0.0};
    direct[SB_ONSET_LENGTH] = by_end;
    direct[SB_ONSET_STIFFER] = -by_end;
    direct[SB_ONSET_BEND] = (c->p - 1.0) * (by_p + by_end / c->p);

    sb_slopes friction = {.value = g.value * (1.0 - q)};
    const double rise = e.A - g.value * by_x * e.reach;
    for (int k = 0; k < N; ++k) {
        const double dv = s->v.slope[k];
        const double dq = by_x * (s->x.slope[k] + part * dv) + direct[k];
        double off = (viscous - inertia) * dv + g.slope[k] * (1.0 - q) - g.value * dq;
        off += k == SB_ONSET_INERTIA ? inertia * (v - s->v.value) : 0.0;
        off += k == SB_ONSET_VISCOUS ? 0.5 * (v + s->v.value) : 0.0;
        const double slope = v > 0.0 ? -off / rise : 0.0;
        friction.slope[k] = g.slope[k] * (1.0 - q) - g.value * (dq + by_x * e.reach * slope);
        s->x.slope[k] += h * (average * dv + (1.0 - average) * slope);
        s->ahead.slope[k] = slope + longer * (slope - dv);
        s->v.slope[k] = slope;
    }
    s->x.value += h * (average * s->v.value + (1.0 - average) * v);
    s->ahead.value = v + longer * (v - s->v.value);
    s->v.value = v;
    return friction;
}

/* Between the ends of steps. */
static void take_data(const sb_onset_ramp *r, double begin, const sb_slopes *x, double *travel, double *slopes)
{
    for (size_t i = 0; i < r->n; ++i) {
        double place;
        const sb_slopes *low = x + step_of(r, begin, r->at[i], &place);
        travel[i] = low[0].value + place * (low[1].value - low[0].value);
        for (int k = 0; k < N; ++k) {
            slopes[i * N + (size_t)k] = low[0].slope[k] + place * (low[1].slope[k] - low[0].slope[k]);
        }
    }
}

void sb_onset(const sb_onset_ramp *r, const double *p, double *travel, double *slopes, double *force)
{
    const double begin = passes(r, p[SB_ONSET_LEVEL]);
    const double stretch = 1.0 + p[SB_ONSET_BEND];
    const sb_creep c = {stretch, stretch * p[SB_ONSET_LENGTH] / p[SB_ONSET_STIFFER]};
    double time[STEPS + 1];
    sb_slopes x[STEPS + 1];
    sb_slopes most;
    motion s;
    place_steps(r, begin, time);
    memset(&s, 0, sizeof s);
    memset(&most, 0, sizeof most);
    x[0] = s.x;
    for (int i = 0; i < STEPS; ++i) {
        const double h = time[i + 1] - time[i] > SB_ONSET_SHORTEST ? time[i + 1] - time[i] : SB_ONSET_SHORTEST;
        const double next = i + 2 <= STEPS ? time[i + 2] - time[i + 1] : h;
        const double u = drive_in(r, time[i], time[i + 1], i < CREEP);
        const sb_slopes friction = advance(p, &c, &s, h, u, i < CREEP, 0.5 * next / h);
        most = friction.value > most.value ? friction : most;
        x[i + 1] = s.x;
    }
    take_data(r, begin, x, travel, slopes);
    force[0] = most.value;
    memcpy(force + 1, most.slope, sizeof most.slope);
}
