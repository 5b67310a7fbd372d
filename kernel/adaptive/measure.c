#include "sb_measure.h"

#include <math.h>

#include "adaptive/sb_adaptive.h"
#include "model/sb_base.h"
#include "model/sb_tolerance.h"

enum { CROSSING_ROUNDS = 40 };

static int crosses(const sb_measure *a, double before, double after)
{
    const int up = before < a->level && after >= a->level;
    const int down = before > a->level && after <= a->level;
    return (up && a->direction >= 0) || (down && a->direction <= 0);
}

static void note_instant(sb_tally *s, double t)
{
    s->first = s->count > 0.0 ? s->first : t;
    s->last = t;
    s->count += 1.0;
}

static int has_instants(const sb_measure *a)
{
    return a->kind == SB_FIRST_INSTANT || a->kind == SB_N_INSTANTS || a->kind == SB_PERIOD_OF_INSTANTS;
}

void sb_measures_begin(const sb_model *m, sb_data *d, sb_measures *s)
{
    if (d->t > s->start) {
        sb_extremes_start(m, d);
    }
    s->start = d->t;
    for (int i = 0; i < s->n; ++i) {
        const sb_measure *a = &s->list[i];
        s->tally[i] = (sb_tally){0.0, NAN, NAN, 0.0, 0.0};
        s->tally[i].before = a->of == SB_OF_OUTPUT ? d->node_output[a->source] : 0.0;
        s->tally[i].sum = a->of == SB_OF_LOSS && d->t > s->t0 ? d->ledger[SB_LEDGER_LOSS(m) + a->source] : 0.0;
    }
}

void sb_measures_change(const sb_measures *s, double t, int contact, int from, int to)
{
    for (int i = 0; i < s->n; ++i) {
        const sb_measure *a = &s->list[i];
        if (a->of == SB_OF_CONTACT && a->source == contact && (a->from & SB_MODE_BIT(from)) &&
            (a->to & SB_MODE_BIT(to))) {
            note_instant(&s->tally[i], t);
        }
    }
}

/* The place between two nodes at which an output of the step reaches its level: regula falsi with the factor of
 * Illinois on the solution itself. */
static sb_status locate(const sb_model *m, sb_data *d, const sb_method *method, const sb_measure *a, int node,
                        double *theta)
{
    double low = sb_node[node - 1];
    double high = sb_node[node];
    double f_low = d->node_output[(node - 1) * m->n_output + a->source] - a->level;
    double f_high = d->node_output[node * m->n_output + a->source] - a->level;
    int side = 0;
    for (int round = 0; round < CROSSING_ROUNDS && f_high != 0.0 && high - low > SB_CROSSING_FOUND; ++round) {
        const double middle = low + (high - low) * f_low / (f_low - f_high);
        const double place = middle > low && middle < high ? middle : 0.5 * (low + high);
        SB_TRY(sb_outputs_within(m, d, method, place, d->output));
        const double f = d->output[a->source] - a->level;
        if ((f < 0.0) == (f_low < 0.0) && f != 0.0) {
            low = place;
            f_low = f;
            f_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = place;
            f_high = f;
            f_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    *theta = high;
    return SB_OK;
}

/* Crossings between the end of the step before and the end of this one; an output may jump in between. */
static sb_status follow_crossings(const sb_model *m, sb_data *d, const sb_method *method, const sb_measure *a,
                                  sb_tally *s)
{
    double before = s->before;
    for (int node = 0; node < SB_NODES; ++node) {
        const double now = d->node_output[node * m->n_output + a->source];
        if (crosses(a, before, now)) {
            double theta = 0.0;
            if (node > 0) {
                SB_TRY(locate(m, d, method, a, node, &theta));
            }
            note_instant(s, d->t + theta * d->h_step);
        }
        before = now;
    }
    s->before = before;
    return SB_OK;
}

static double weighed(const sb_measure *a, double value)
{
    return a->kind == SB_RMS_VALUE ? value * value : value;
}

sb_status sb_measures_step(const sb_model *m, sb_data *d, const sb_method *method, const sb_measures *s)
{
    for (int i = 0; i < s->n; ++i) {
        const sb_measure *a = &s->list[i];
        sb_tally *tally = &s->tally[i];
        if (a->of != SB_OF_OUTPUT) {
            continue;
        }
        if (has_instants(a)) {
            SB_TRY(follow_crossings(m, d, method, a, tally));
        } else if (a->kind == SB_MEAN_VALUE || a->kind == SB_RMS_VALUE) {
            double sum = 0.0;
            for (int node = 0; node < SB_NODES; ++node) {
                sum += sb_node_weight[node] * weighed(a, d->node_output[node * m->n_output + a->source]);
            }
            tally->sum += d->h_step * sum;
        }
    }
    return SB_OK;
}

void sb_measures_sample(const sb_model *m, sb_data *d, const sb_measures *s, double t, double h)
{
    sb_extremes_touch(m, d, t, d->output, 1);
    for (int i = 0; i < s->n; ++i) {
        const sb_measure *a = &s->list[i];
        sb_tally *tally = &s->tally[i];
        if (a->of != SB_OF_OUTPUT) {
            continue;
        }
        const double before = d->node_output[a->source];
        const double now = d->output[a->source];
        tally->sum += 0.5 * h * (weighed(a, before) + weighed(a, now));
        if (has_instants(a) && crosses(a, before, now)) {
            note_instant(tally, t - h * (now - a->level) / (now - before));
        }
    }
    sb_copy(d->node_output, d->output, m->n_output);
}

static double value_of(const sb_model *m, const sb_data *d, const sb_measure *a, const sb_tally *s, double start)
{
    const double time = d->t - start;
    const double energy = a->of == SB_OF_LOSS ? d->ledger[SB_LEDGER_LOSS(m) + a->source] - s->sum : 0.0;
    switch (a->kind) {
    case SB_LAST_VALUE:
        return a->of == SB_OF_LOSS ? energy : d->node_output[a->source];
    case SB_LEAST_VALUE:
        return d->ext_min[a->source];
    case SB_LARGEST_VALUE:
        return d->ext_max[a->source];
    case SB_MEAN_VALUE:
        return (a->of == SB_OF_LOSS ? energy : s->sum) / time;
    case SB_RMS_VALUE:
        return sqrt(s->sum / time);
    case SB_FIRST_INSTANT:
        return s->first;
    case SB_N_INSTANTS:
        return s->count;
    case SB_PERIOD_OF_INSTANTS:
        return s->count > 1.0 ? (s->last - s->first) / (s->count - 1.0) : NAN;
    }
    return NAN;
}

sb_status sb_measures_end(const sb_model *m, sb_data *d)
{
    SB_TRY(sb_rates(m, d, d->t, d->x, d->rate));
    sb_complete_board(m, d, d->x, d->rate);
    sb_outputs(m, d, d->x, d->node_output, 1);
    return SB_OK;
}

void sb_measures_take(const sb_model *m, const sb_data *d, const sb_measures *s, double *out)
{
    for (int i = 0; i < s->n; ++i) {
        out[i] = value_of(m, d, &s->list[i], &s->tally[i], s->start);
    }
}
