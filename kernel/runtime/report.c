#include <math.h>
#include <string.h>

#include "runtime/sb_runtime.h"

/* Errors in one line: what, when and which element. Numbers are written here, for the C library writes them by the
 * locale of the program. */

void sb_report_clear(stribeck *s)
{
    s->error[0] = '\0';
}

void sb_line_text(char *line, const char *text)
{
    const size_t used = strlen(line);
    const size_t room = SB_ERROR_LENGTH - 1 - used;
    const size_t n = strlen(text) < room ? strlen(text) : room;
    memcpy(line + used, text, n);
    line[used + n] = '\0';
}

void sb_report_text(stribeck *s, const char *text)
{
    sb_line_text(s->error, text);
}

void sb_report_number(stribeck *s, double value, int digits)
{
    sb_line_number(s->error, value, digits);
}

int sb_report_refusal(stribeck *s, const char *text)
{
    sb_report_clear(s);
    sb_report_text(s, text);
    return 1;
}

static void line_integer(char *line, int value)
{
    char text[16];
    int at = (int)sizeof text - 1;
    text[at] = '\0';
    unsigned left = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    do {
        text[--at] = (char)('0' + left % 10u);
        left /= 10u;
    } while (left > 0u);
    sb_line_text(line, value < 0 ? "-" : "");
    sb_line_text(line, text + at);
}

/* Like %.{digits}g: the decimal point where it needs few zeros, else an exponent. Good to the digits shown. */
enum { MOST_DIGITS = 15, LEAST_EXPONENT = -4 };

void sb_line_number(char *line, double value, int digits)
{
    if (!isfinite(value)) {
        sb_line_text(line, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
        return;
    }
    sb_line_text(line, value < 0.0 ? "-" : "");
    if (value == 0.0) {
        sb_line_text(line, "0");
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
    sb_line_text(line, before <= 0 ? "0." : "");
    for (int i = before; i < 0; ++i) {
        sb_line_text(line, "0");
    }
    for (int i = 0; i < n || i < before; ++i) {
        sb_line_text(line, i == before && i > 0 ? "." : "");
        one[0] = i < n ? text[i] : '0';
        sb_line_text(line, one);
    }
    if (!fixed) {
        sb_line_text(line, "e");
        line_integer(line, exponent);
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

static void line_alternating(const stribeck *s, char *line)
{
    const char *first = next_alternating(s, NULL);
    for (const char *name = first; name; name = next_alternating(s, name)) {
        sb_line_text(line, name == first ? "" : ", ");
        sb_line_text(line, name);
    }
}

static void report_alternating(stribeck *s)
{
    const char *first = next_alternating(s, NULL);
    if (first && next_alternating(s, first)) {
        line_alternating(s, s->error);
        sb_report_text(s, " alternate: ");
    }
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

/* What has grown since it was seen; counters begin again with every part of a run. */
static int has_grown(int64_t *seen, int64_t now)
{
    const int grown = now > *seen;
    *seen = now;
    return grown;
}

static void begin_warning(stribeck *s, const char *text)
{
    if (s->warning[0] == '\0') {
        sb_line_text(s->warning, sb_image_text(&s->image, SB_TEXT_model, 0));
        sb_line_text(s->warning, ", t = ");
        sb_line_number(s->warning, stribeck_time(s), 10);
        sb_line_text(s->warning, " s");
    }
    sb_line_text(s->warning, text);
}

const char *stribeck_warning(stribeck *s)
{
    const int fixed = s->opt.solver == STRIBECK_FIXED;
    s->warning[0] = '\0';
    if (has_grown(&s->seen.bridged, s->data.stats.bridged)) {
        begin_warning(s, ": modes would have changed without end and were kept for a moment (");
        line_alternating(s, s->warning);
        begin_warning(s, "); give what jumps there a hysteresis");
    }
    if (fixed && has_grown(&s->seen.capped, s->fixed.stats.capped)) {
        begin_warning(s, ": friction elements did not agree within their rounds; take a smaller h or substeps");
    }
    if (fixed && has_grown(&s->seen.unsolved, s->fixed.stats.unsolved)) {
        begin_warning(s, ": no impulses of an impact were found, and what met was stopped without a rebound; put a "
                         "spring or a clutch between");
    }
    return s->warning;
}
