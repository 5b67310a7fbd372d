#include "signals/sb_signals.h"

/* Values of operations that follow a branch, for the files that know their branches. */

static void set_jet(sb_real *jet, sb_real value, sb_real first, sb_real second, sb_real third)
{
    jet[0] = value;
    jet[1] = first;
    jet[2] = second;
    jet[3] = third;
}

SB_HOT void sb_step_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const sb_real none = SB_R(0.0);
    set_jet(s->jet, s->p[2] + sb_where(*s->branch != 0, s->p[0]), none, none, none);
}

SB_HOT void sb_ramp_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const sb_real *p = s->p;
    const sb_real none = SB_R(0.0);
    const sb_flag rises = *s->branch == 1;
    const sb_real slope = sb_where(rises, p[0] / p[1]);
    const sb_real risen = sb_pick(rises, slope * (s->t - p[2]), sb_where(*s->branch == 2, p[0]));
    set_jet(s->jet, p[3] + risen, slope, none, none);
}

SB_HOT void sb_sine_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const sb_real *p = s->p;
    const sb_flag on = *s->branch != 0;
    const sb_real omega = p[1];
    sb_real sine;
    sb_real cosine;
    sb_sincos(omega * (s->t - p[4]) + p[2], &sine, &cosine);
    sine = sb_where(on, p[0] * sine);
    cosine = sb_where(on, p[0] * cosine);
    set_jet(s->jet, p[3] + sine, omega * cosine, -omega * omega * sine, -omega * omega * omega * cosine);
}

/* The line of the present branch: x, y, slope. */
static void find_piece(const sb_signal_node *s, sb_real *line)
{
    for (int k = 0; k < SB_LANES; ++k) {
        const int at = 1 + (int)SB_LANE(s->p[0], k) + 3 * (int)SB_LANE(*s->branch, k);
        for (int i = 0; i < 3; ++i) {
            SB_LANE(line[i], k) = SB_LANE(s->p[at + i], k);
        }
    }
}

SB_HOT void sb_piecewise_eval(const sb_signal_node *s, int order)
{
    sb_real line[3];
    const sb_real *u = sb_operand(s, 0);
    find_piece(s, line);
    s->jet[0] = line[1] + line[2] * (u[0] - line[0]);
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = line[2] * u[k];
    }
}

SB_HOT void sb_piecewise_partials(const sb_signal_node *s, sb_real *part)
{
    sb_real line[3];
    find_piece(s, line);
    part[0] = line[2];
}

/* A condition that slides along its threshold is between false and true, and so is what it chooses. */
static sb_flag is_between(const sb_signal_node *s)
{
    const sb_real condition = sb_operand(s, 0)[0];
    return sb_and(condition != 0.0, condition != 1.0);
}

SB_HOT void sb_switch_eval(const sb_signal_node *s, int order)
{
    const sb_real *c = sb_operand(s, 0);
    const sb_real *a = sb_operand(s, 1);
    const sb_real *b = sb_operand(s, 2);
    const sb_flag between = is_between(s);
    for (int k = 0; k <= order; ++k) {
        s->jet[k] = sb_pick(c[0] > 0.5, a[k], b[k]);
    }
    if (sb_any(between)) {
        s->jet[0] = sb_pick(between, b[0] + c[0] * (a[0] - b[0]), s->jet[0]);
        for (int k = 1; k <= order; ++k) { // beyond the first only functions of time need them, and those do not slide
            s->jet[k] = sb_pick(between, b[k] + c[0] * (a[k] - b[k]) + c[k] * (a[0] - b[0]), s->jet[k]);
        }
    }
}

SB_HOT void sb_switch_partials(const sb_signal_node *s, sb_real *part)
{
    const sb_real condition = sb_operand(s, 0)[0];
    const sb_flag between = is_between(s);
    const sb_real share = sb_pick(between, condition, sb_where(condition > 0.5, SB_R(1.0)));
    part[0] = sb_where(between, sb_operand(s, 1)[0] - sb_operand(s, 2)[0]);
    part[1] = share;
    part[2] = 1.0 - share;
}
