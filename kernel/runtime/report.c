#include <math.h>
#include <string.h>

#include "runtime/sb_runtime.h"

/* Errors in one line: what, when and which element. Numbers are written here, for the C library writes them by the
 * locale of the program. */

void sb_report_clear(stribeck *s)
{
    s->error[0] = '\0';
}

void sb_report_text(stribeck *s, const char *text)
{
    const size_t used = strlen(s->error);
    const size_t room = SB_ERROR_LENGTH - 1 - used;
    const size_t n = strlen(text) < room ? strlen(text) : room;
    memcpy(s->error + used, text, n);
    s->error[used + n] = '\0';
}

int sb_report_refusal(stribeck *s, const char *text)
{
    sb_report_clear(s);
    sb_report_text(s, text);
    return 1;
}

static void report_integer(stribeck *s, int value)
{
    char text[16];
    int at = (int)sizeof text - 1;
    text[at] = '\0';
    unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    do {
        text[--at] = (char)('0' + left % 10u);
        left /= 10u;
    } while (left > 0u);
    sb_report_text(s, value < 0 ? "-" : "");
    sb_report_text(s, text + at);
}

/* Like %.{digits}g: the decimal point where it needs few zeros, else an exponent. Good to the digits shown. */
enum { MOST_DIGITS = 15, LEAST_EXPONENT = -4 };

void sb_report_number(stribeck *s, double value, int digits)
{
    if (!isfinite(value)) {
        sb_report_text(s, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
        return;
    }
    sb_report_text(s, value < 0.0 ? "-" : "");
    if (value == 0.0) {
        sb_report_text(s, "0");
        return;
    }
    // digits as a whole number of 10^(exponent + 1 - digits)
    int exponent = (int)floor(log10(fabs(value)));
    double whole = floor(fabs(value) * pow(10.0, digits - 1 - exponent) + 0.5);
    if (whole >= pow(10.0, digits)) {
        whole = floor(whole / 10.0);
        ++exponent;
    }
    char text[MOST_DIGITS + 1] = {0};
    int n = 0;
    for (int i = digits - 1; i >= 0; --i) {
        const double rest = floor(whole / 10.0);
        text[i] = (char)('0' + (int)(whole - 10.0 * rest));
        n = n == 0 && text[i] != '0' ? i + 1 : n;
        whole = rest;
    }
    n = n > 0 ? n : 1;
    const int fixed = exponent >= LEAST_EXPONENT && exponent < digits;
    const int before = fixed ? exponent + 1 : 1; // digits before the point
    char one[2] = {0};
    sb_report_text(s, before <= 0 ? "0." : "");
    for (int i = before; i < 0; ++i) {
        sb_report_text(s, "0");
    }
    for (int i = 0; i < n || i < before; ++i) {
        sb_report_text(s, i == before && i > 0 ? "." : "");
        one[0] = i < n ? text[i] : '0';
        sb_report_text(s, one);
    }
    if (!fixed) {
        sb_report_text(s, "e");
        report_integer(s, exponent);
    }
}

/* Elements whose events alternate, in alphabetical order: the next one behind `last`, or NULL. */
static const char *next_alternating(const stribeck *s, const char *last)
{
    const sb_image *g = &s->image;
    const char *found = NULL;
    for (int i = 0; i < SB_N_EVENT(&g->model); ++i) {
        const char *owner = sb_image_text(g, SB_TEXT_event_owner, i);
        const int behind = s->data.flips[i] > 1 && owner[0] && (!last || strcmp(owner, last) > 0);
        found = behind && (!found || strcmp(owner, found) < 0) ? owner : found;
    }
    return found;
}

static void report_alternating(stribeck *s)
{
    const char *first = next_alternating(s, NULL);
    if (!first || !next_alternating(s, first)) {
        return;
    }
    for (const char *name = first; name; name = next_alternating(s, name)) {
        sb_report_text(s, name == first ? "" : ", ");
        sb_report_text(s, name);
    }
    sb_report_text(s, " alternate: ");
}

static const char *element_of(const stribeck *s, sb_culprit who)
{
    const sb_image *g = &s->image;
    const int n_y = SB_N_Y(&g->model);
    switch (who.kind) {
    case SB_NOTHING:
        return "";
    case SB_UNKNOWN:
        return who.number < n_y ? sb_image_text(g, SB_TEXT_state_owner, who.number)
                                : sb_image_text(g, SB_TEXT_lock, who.number - n_y);
    case SB_EVENT:
        return sb_image_text(g, SB_TEXT_event_owner, who.number);
    case SB_SIGNAL:
        return sb_image_text(g, SB_TEXT_signal_owner, who.number);
    case SB_PARAMETER:
        return sb_image_text(g, SB_TEXT_vary_element, who.number);
    case SB_ORDER:
        return sb_image_text(g, SB_TEXT_order_element, who.number);
    }
    return "";
}

/* A parameter of a law that has followed its signal beyond its bounds. */
static void report_varying(stribeck *s, int number)
{
    const sb_image *g = &s->image;
    const char *rule = sb_image_text(g, SB_TEXT_vary_rule, number);
    const char *unit = sb_image_text(g, SB_TEXT_vary_unit, number);
    sb_report_text(s, "law.");
    sb_report_text(s, sb_image_text(g, SB_TEXT_vary_name, number));
    sb_report_text(s, " = ");
    sb_report_number(s, s->data.param[g->model.vary_param[number]], 6);
    sb_report_text(s, strcmp(unit, "1") != 0 && unit[0] ? " " : "");
    sb_report_text(s, strcmp(unit, "1") != 0 ? unit : "");
    sb_report_text(s, " must be ");
    sb_report_text(s, rule[0] ? rule : "finite");
    sb_report_text(s, "; limit its signal, for instance by Saturation");
}

static void report_order(stribeck *s, int number)
{
    const sb_image *g = &s->image;
    sb_report_text(s, "law.");
    sb_report_text(s, sb_image_text(g, SB_TEXT_order_high, number));
    sb_report_text(s, " = ");
    sb_report_number(s, s->data.param[g->model.order_high[number]], 6);
    sb_report_text(s, " must not be below law.");
    sb_report_text(s, sb_image_text(g, SB_TEXT_order_low, number));
    sb_report_text(s, " = ");
    sb_report_number(s, s->data.param[g->model.order_low[number]], 6);
    sb_report_text(s, "; let both follow one signal, or limit the signal by Saturation");
}

static void report_reason(stribeck *s, sb_status status)
{
    const sb_culprit who = s->data.culprit;
    if (who.kind == SB_PARAMETER) {
        report_varying(s, who.number);
        return;
    }
    if (who.kind == SB_ORDER) {
        report_order(s, who.number);
        return;
    }
    if (status == SB_CHATTER) {
        report_alternating(s);
    }
    sb_report_text(s, sb_status_text(status));
    if (who.kind == SB_UNKNOWN && who.number < SB_N_Y(&s->image.model)) {
        sb_report_text(s, " (");
        sb_report_text(s, sb_image_text(&s->image, SB_TEXT_state_name, who.number));
        sb_report_text(s, ")");
    }
    if (s->opt.solver == STRIBECK_FIXED) {
        sb_report_text(s, "; take a smaller h");
    }
}

int sb_report_failure(stribeck *s, sb_status status)
{
    const char *element = element_of(s, s->data.culprit);
    sb_report_clear(s);
    sb_report_text(s, sb_image_text(&s->image, SB_TEXT_model, 0));
    sb_report_text(s, " stopped at t = ");
    sb_report_number(s, stribeck_time(s), 10);
    sb_report_text(s, " s");
    sb_report_text(s, element[0] ? " at " : "");
    sb_report_text(s, element);
    sb_report_text(s, ": ");
    report_reason(s, status);
    return 1;
}
