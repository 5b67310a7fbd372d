#include <math.h>
#include <string.h>

#include "runtime/sb_runtime.h"

/* Parameters: set one by one, applied together by the tape that with_values runs, to the same bits. */

static const char *name_of(const stribeck *s, int number)
{
    return sb_image_text(&s->image, SB_TEXT_parameter_name, number);
}

static void put(stribeck *s, int number, double value)
{
    const sb_image *g = &s->image;
    s->point[g->parameter_place[number]] = value;
    if (g->parameter_remainder[number] >= 0) {
        s->point[g->parameter_remainder[number]] = sb_decimal_remainder(value);
    }
}

static void report_value(stribeck *s, int number, double value)
{
    const char *unit = sb_image_text(&s->image, SB_TEXT_parameter_unit, number);
    sb_report_refusal(s, name_of(s, number));
    sb_report_text(s, " = ");
    sb_report_number(s, value, 6);
    if (unit[0] && strcmp(unit, "1") != 0) {
        sb_report_text(s, " ");
        sb_report_text(s, unit);
    }
}

/* "must be at least 0 and at most 1" */
static int report_bounds(stribeck *s, int number, double value)
{
    const sb_image *g = &s->image;
    const double bound[] = {g->parameter_min[number], g->parameter_above[number], g->parameter_max[number]};
    static const char *const words[] = {"at least ", "above ", "at most "};
    report_value(s, number, value);
    sb_report_text(s, " must be ");
    int said = !isfinite(value);
    sb_report_text(s, said ? "finite" : "");
    for (int i = 0; i < 3; ++i) {
        if (isfinite(bound[i])) {
            sb_report_text(s, said ? " and " : "");
            sb_report_text(s, words[i]);
            sb_report_number(s, bound[i], 6);
            said = 1;
        }
    }
    return 1;
}

int sb_parameter_set(stribeck *s, int number, double value)
{
    const sb_image *g = &s->image;
    if (number < 0 || number >= g->n_parameter) {
        return sb_report_refusal(s, "set: there is no parameter with this number");
    }
    if (!isfinite(value) || value < g->parameter_min[number] || value <= g->parameter_above[number] ||
        value > g->parameter_max[number]) {
        return report_bounds(s, number, value);
    }
    s->given[number] = 1;
    if (s->point[g->parameter_place[number]] == value) {
        return 0; // nothing is decided again
    }
    put(s, number, value);
    for (int i = 0; i < g->n_follower; ++i) {
        if (g->follower_of[i] == number && !s->given[g->follower[i]]) {
            put(s, g->follower[i], g->follower_factor[i] * value);
        }
    }
    s->pending = 1;
    return 0;
}

/* Whether register `to` of the tape depends on input `from`; marks are in the work space. */
static int depends(stribeck *s, int from, int to)
{
    const sb_tape *t = &s->image.tape;
    double *mark = s->work;
    for (int i = 0; i < t->n_input; ++i) {
        mark[i] = i == from;
    }
    for (int i = 0; i < t->n_node; ++i) {
        double any = 0.0;
        for (int k = t->in_ptr[i]; k < t->in_ptr[i + 1]; ++k) {
            any = mark[t->in[k]] > 0.0 ? 1.0 : any;
        }
        mark[t->n_input + i] = any;
    }
    return mark[to] > 0.0;
}

/* The parameter that has changed a decision of the compilation: one of those that were set. */
static int refuse(stribeck *s, int guard)
{
    const sb_image *g = &s->image;
    const sb_tape *t = &g->tape;
    int found = -1;
    for (int i = 0; i < g->n_parameter && found < 0; ++i) {
        const int place = g->parameter_place[i];
        const int changed = s->point[place] != s->applied[place];
        found =
            changed && (depends(s, place, t->guard_left[guard]) || depends(s, place, t->guard_right[guard])) ? i : -1;
    }
    if (found >= 0) {
        report_value(s, found, s->point[g->parameter_place[found]]);
    } else {
        sb_report_refusal(s, "parameters");
    }
    sb_report_text(s, ": with this value the model is refused, or its equations have other terms; check it with "
                      "model.varied in Python, and export the model with this value");
    memcpy(s->point, s->applied, (size_t)t->n_input * sizeof *s->point);
    s->pending = 0;
    return 1;
}

int sb_parameters_apply(stribeck *s, int *changed)
{
    const sb_tape *t = &s->image.tape;
    *changed = 0;
    if (!s->pending) {
        return 0;
    }
    const int guard = sb_tape_run(t, s->point, s->work);
    if (guard >= 0) {
        return refuse(s, guard);
    }
    sb_tape_put(t, s->work, s->value);
    memcpy(s->applied, s->point, (size_t)t->n_input * sizeof *s->point);
    s->pending = 0;
    *changed = 1;
    return 0;
}
