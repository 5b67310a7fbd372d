#include <math.h>

#include "model/sb_base.h"
#include "signals/sb_signals.h"

/* Numbers of about 106 bits on a tape (double-double): a value, and its rounding error in the place where signals have
 * their rate. The rounded value of a rational expression equals that of exact fractions, except in about one case
 * of 2^50. (T. J. Dekker: A floating-point technique for extending the available precision. Numerische Mathematik 18
 * (1971) 224-242; D. E. Knuth: The Art of Computer Programming 2, 4.2.2.) */

static int no_data(const sb_signal_node *s)
{
    return s->n_data == 0;
}

/* The rounded sum of two numbers, and its rounding error. */
static void two_sum(double a, double b, double *pair)
{
    const double sum = a + b;
    const double of_b = sum - a;
    pair[1] = (a - (sum - of_b)) + (b - of_b);
    pair[0] = sum;
}

/* pair: a value, and its rounding error */
static void pair_eval(const sb_signal_node *s, int order)
{
    (void)order;
    s->jet[0] = sb_operand(s, 0)[0];
    s->jet[1] = sb_operand(s, 1)[0];
}

static void pair_partials(const sb_signal_node *s, double *part)
{
    (void)s;
    part[0] = part[1] = 1.0;
}

static void pair_sum_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const double *a = sb_operand(s, 0);
    const double *b = sb_operand(s, 1);
    double high[2];
    double low[2];
    two_sum(a[0], b[0], high);
    two_sum(a[1], b[1], low);
    two_sum(high[0], high[1] + low[0], high);
    two_sum(high[0], high[1] + low[1], s->jet);
}

static void pair_product_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const double *a = sb_operand(s, 0);
    const double *b = sb_operand(s, 1);
    const double product = a[0] * b[0];
    two_sum(product, fma(a[0], b[0], -product) + (a[0] * b[1] + a[1] * b[0]), s->jet);
}

static void pair_product_partials(const sb_signal_node *s, double *part)
{
    part[0] = sb_operand(s, 1)[0];
    part[1] = sb_operand(s, 0)[0];
}

/* The quotient of the values, corrected by the remainder of the division. */
static void pair_quotient_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const double *a = sb_operand(s, 0);
    const double *b = sb_operand(s, 1);
    const double quotient = a[0] / b[0];
    const double left = fma(-quotient, b[0], a[0]) + (a[1] - quotient * b[1]);
    two_sum(quotient, left / b[0], s->jet);
}

static void pair_quotient_partials(const sb_signal_node *s, double *part)
{
    const double divisor = sb_operand(s, 1)[0];
    part[0] = 1.0 / divisor;
    part[1] = -s->jet[0] / divisor;
}

#define PAIR(name, by) {.n_in = 2, .ok = no_data, .eval = name##_eval, .partials = by##_partials}
const sb_operation sb_op_pair = PAIR(pair, pair);
const sb_operation sb_op_pair_sum = PAIR(pair_sum, pair);
const sb_operation sb_op_pair_product = PAIR(pair_product, pair_product);
const sb_operation sb_op_pair_quotient = PAIR(pair_quotient, pair_quotient);
#undef PAIR
