#include <math.h>

#include "model/sb_base.h"
#include "model/sb_tolerance.h"
#include "signals/sb_signals.h"

/* Operations that keep something of the past: sample-and-hold, delay, what was set from outside. */

/* sample: [period, first, initial, fed]; memory: value held, number of the next sample. It takes the value of its
 * operand at the instant, or just before it if it is fed by what may depend on it. */
static int sample_ok(const sb_signal_node *s)
{
    return s->n_data == 4 && s->p[0] > 0.0;
}

static int sample_n_memory(const double *p)
{
    (void)p;
    return 2;
}

static double sample_time(const sb_signal_node *s)
{
    return s->p[1] + s->memory[1] * s->p[0];
}

static int is_due(const sb_signal_node *s)
{
    return s->t >= sample_time(s) - SB_SAMPLE_DUE * s->p[0];
}

/* The next sample is the first one that is not over. */
static double first_sample(const sb_signal_node *s)
{
    return s->t > s->p[1] ? ceil((s->t - s->p[1]) / s->p[0] - SB_SAMPLE_DUE) : 0.0;
}

static void take_sample(const sb_signal_node *s)
{
    if (is_due(s)) {
        s->memory[0] = sb_operand(s, 0)[0];
        s->memory[1] =
            sb_max(s->memory[1], floor((s->t - s->p[1]) / s->p[0] + SB_SAMPLE_DUE)) + 1.0; // late ones are left out
    }
}

static void sample_foresee(const sb_signal_node *s)
{
    if (s->p[3] != 0.0 && *s->branch >= 0) {
        take_sample(s);
    }
}

static void sample_keep(const sb_signal_node *s)
{
    const int fed = s->p[3] != 0.0;
    if (*s->branch < 0) { // the start: samples before it are not taken any more, and what feeds it is not known yet
        *s->branch = 0;
        s->memory[0] = s->p[2];
        s->memory[1] = first_sample(s);
        s->memory[1] += fed && is_due(s) ? 1.0 : 0.0;
    }
    if (!fed) {
        take_sample(s);
    }
}

static void sample_move(const sb_signal_node *s, double by)
{
    (void)by;
    s->memory[1] = first_sample(s);
}

static double sample_next_break(const sb_signal_node *s)
{
    return sample_time(s);
}

static void held_eval(const sb_signal_node *s, int order)
{
    s->jet[0] = s->memory[0];
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = 0.0;
    }
}

/* delay: [delay, points]; cubic between the remembered points, held before the first one. It has twice the entries, for
 * a corner takes two of them. */
static int delay_ok(const sb_signal_node *s)
{
    return s->n_data == 2 && s->p[0] > 0.0 && s->p[1] >= 2.0 && s->p[1] <= SB_DELAY_MOST_POINTS;
}

static int delay_n_memory(const double *p)
{
    return SB_DELAY_HEAD + SB_DELAY_ENTRY * (2 * (int)p[1] + SB_DELAY_SPARE);
}

static double *entry(const sb_signal_node *s, int k)
{
    const int size = (s->n_memory - SB_DELAY_HEAD) / SB_DELAY_ENTRY;
    return s->memory + SB_DELAY_HEAD + SB_DELAY_ENTRY * (((int)s->memory[0] + k) % size);
}

/* Instants within this time are one. */
static double rounding(const sb_signal_node *s)
{
    return SB_DELAY_INSTANT * (fabs(s->t) + s->p[0]);
}

/* The last entry before `time`; one at `time` itself counts at the start of a segment only. */
static int entry_before(const sb_signal_node *s, double time)
{
    const int at_start = s->t <= s->t_segment;
    const double now = time + rounding(s);
    int low = 0;
    int high = (int)s->memory[1];
    while (low < high) {
        const int middle = (low + high) / 2;
        const double then = entry(s, middle)[0];
        if (at_start ? then <= now : then < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

static void delay_eval(const sb_signal_node *s, int order)
{
    const int count = (int)s->memory[1];
    const double time = s->t - s->p[0];
    const int k = entry_before(s, time);
    const double *a = entry(s, k < 0 ? 0 : k);
    double value = a[1];
    double slope = 0.0;
    if (k >= 0 && k + 1 == count) {
        value += a[2] * (time - a[0]);
        slope = a[2];
    } else if (k >= 0) {
        // Hermite cubic between two entries
        const double *b = entry(s, k + 1);
        const double h = b[0] - a[0];
        const double theta = h > 0.0 ? (time - a[0]) / h : 0.0;
        const double rest = 1.0 - theta;
        const double rise = b[1] - a[1];
        const double bend_a = h * a[2] - rise;
        const double bend_b = rise - h * b[2];
        value = rest * a[1] + theta * b[1] + theta * rest * (rest * bend_a + theta * bend_b);
        slope = h > 0.0
                    ? (rise + (rest - theta) * (rest * bend_a + theta * bend_b) + theta * rest * (bend_b - bend_a)) / h
                    : 0.0;
    }
    s->jet[0] = value;
    for (int j = 1; j <= order; ++j) {
        s->jet[j] = j == 1 ? slope : 0.0;
    }
}

/* Corners of the operand come back after the delay. */
static int is_corner(const sb_signal_node *s, int k)
{
    return entry(s, k)[0] == entry(s, k - 1)[0] && entry(s, k)[3] < SB_OLD_CORNER;
}

static double delay_next_break(const sb_signal_node *s)
{
    for (int k = 1; k < (int)s->memory[1]; ++k) {
        const double back = entry(s, k)[0] + s->p[0];
        if (is_corner(s, k) && back > s->t + rounding(s)) {
            return back;
        }
    }
    return INFINITY;
}

static int delay_age(const sb_signal_node *s)
{
    int age = SB_OLD_CORNER;
    for (int k = 1; k < (int)s->memory[1]; ++k) {
        if (is_corner(s, k) && fabs(entry(s, k)[0] + s->p[0] - s->t) <= rounding(s)) {
            age = entry(s, k)[3] < age ? (int)entry(s, k)[3] : age;
        }
    }
    return age + 1;
}

static void append(double *memory, int size, double time, double value, double slope, int age)
{
    double *last = memory + SB_DELAY_HEAD + SB_DELAY_ENTRY * (((int)memory[0] + (int)memory[1]) % size);
    last[0] = time;
    last[1] = value;
    last[2] = slope;
    last[3] = age;
    memory[1] += 1.0;
}

static int ring_size(const sb_signal_node *s)
{
    return (s->n_memory - SB_DELAY_HEAD) / SB_DELAY_ENTRY;
}

/* The past before the start is a straight line. */
static void delay_keep(const sb_signal_node *s)
{
    if (*s->branch < 0) {
        *s->branch = 0;
        append(s->memory, ring_size(s), s->t, sb_operand(s, 0)[0], 0.0, 0);
    }
}

static void delay_move(const sb_signal_node *s, double by)
{
    for (int k = 0; k < (int)s->memory[1]; ++k) {
        entry(s, k)[0] += by;
    }
}

static double delay_pace(const double *p)
{
    return p[0] * (1.0 - 1.0 / p[1]);
}

/* external: [value at the start, course]; memory: the value, set from outside between two segments. Where it is the
 * course of a position, it does not jump: memory goes on with start and length of the present task; then those of the
 * task that the segment belongs to, with the values at both ends. */
enum { AIM, BEGIN, LENGTH, SINCE, SPAN, FROM, TO, COURSE };

static int external_ok(const sb_signal_node *s)
{
    return s->n_data == 2;
}

static int external_n_memory(const double *p)
{
    return p[1] != 0.0 ? COURSE : 1;
}

/* From its value before to the value set for the end of the task. */
static void set_off(double *memory)
{
    if (memory[SINCE] != memory[BEGIN]) { // else this task goes on, or is done again
        memory[FROM] = memory[TO];
    }
    memory[TO] = memory[AIM];
    memory[SINCE] = memory[BEGIN];
    memory[SPAN] = memory[LENGTH];
}

static void external_keep(const sb_signal_node *s)
{
    const int course = s->n_memory == COURSE;
    if (*s->branch < 0) {
        *s->branch = 0;
        s->memory[AIM] = s->p[0];
        if (course) {
            s->memory[FROM] = s->p[0];
            s->memory[BEGIN] = s->memory[SINCE] = s->t;
            s->memory[LENGTH] = 1.0;
        }
    }
    if (course) {
        set_off(s->memory);
    }
}

static void external_move(const sb_signal_node *s, double by)
{
    if (s->n_memory == COURSE) {
        s->memory[BEGIN] += by;
        s->memory[SINCE] += by;
    }
}

static void external_eval(const sb_signal_node *s, int order)
{
    held_eval(s, order);
    if (s->n_memory == COURSE) {
        const double *kept = s->memory;
        const double theta = (s->t - kept[SINCE]) / kept[SPAN];
        s->jet[0] = (1.0 - theta) * kept[FROM] + theta * kept[TO];
        s->jet[1] = order > 0 ? (kept[TO] - kept[FROM]) / kept[SPAN] : s->jet[1];
    }
}

int sb_external_aim(double *memory, double t, double h)
{
    memory[BEGIN] = t;
    memory[LENGTH] = h;
    return memory[AIM] != memory[TO] || memory[TO] != memory[FROM];
}

const sb_operation sb_op_sample = {.n_in = 1,
                                   .shows_past = 1,
                                   .n_memory = sample_n_memory,
                                   .ok = sample_ok,
                                   .next_break = sample_next_break,
                                   .eval = held_eval,
                                   .foresee = sample_foresee,
                                   .keep = sample_keep,
                                   .move = sample_move};
const sb_operation sb_op_delay = {.n_in = 1,
                                  .shows_past = 1,
                                  .n_memory = delay_n_memory,
                                  .ok = delay_ok,
                                  .next_break = delay_next_break,
                                  .age = delay_age,
                                  .pace = delay_pace,
                                  .eval = delay_eval,
                                  .keep = delay_keep,
                                  .move = delay_move};

const sb_operation sb_op_external = {.n_memory = external_n_memory,
                                     .ok = external_ok,
                                     .eval = external_eval,
                                     .keep = external_keep,
                                     .move = external_move};

/* More events within the delay than it has points: what is closer than twice their distance is left out, but for the
 * newest. */
static void thin_out(const sb_signal_node *s)
{
    const double apart = 2.0 * s->p[0] / s->p[1];
    const int n = (int)s->memory[1];
    int kept = 1;
    for (int i = 1; i < n; ++i) {
        if (i >= n - 2 || entry(s, i)[0] - entry(s, kept - 1)[0] >= apart) {
            sb_copy(entry(s, kept++), entry(s, i), SB_DELAY_ENTRY);
        }
    }
    s->memory[1] = kept;
}

sb_status sb_delay_append(const sb_signal_node *s, double oldest, double time, double value, double slope,
                          sb_place place, int age)
{
    const int size = ring_size(s);
    double *memory = s->memory;
    const double last = entry(s, (int)memory[1] - 1)[0];
    if (place == SB_WITHIN && time - last < s->p[0] / s->p[1]) {
        return SB_OK;
    }
    while (memory[1] > 2.0 && entry(s, 1)[0] < oldest) {
        memory[0] = (int)(memory[0] + 1.0) % size;
        memory[1] -= 1.0;
    }
    if (memory[1] + 1.0 > size) {
        thin_out(s);
    }
    if (memory[1] + 1.0 > size) {
        return SB_DELAY_FULL;
    }
    append(memory, size, time, value, slope, age);
    return SB_OK;
}
