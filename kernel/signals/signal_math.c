#include "model/sb_base.h"
#include "signals/sb_signals.h"

/* Operations on signals that are smooth wherever they are defined. */

static int no_data(const sb_signal_node *s)
{
    return s->n_data == 0;
}

/* rate: the derivative of a function of time */
static void rate_eval(const sb_signal_node *s, int order)
{
    (void)order;
    const sb_real *u = sb_operand(s, 0);
    for (int k = 0; k + 1 < SB_JET; ++k) {
        s->jet[k] = u[k + 1];
    }
    s->jet[SB_JET - 1] = SB_R(0.0);
}

/* sensor: [constant, rounding, coefficients] of a row over the unknowns. What is below its rounding is 0: the speed of
 * a body that is held must not change its sign. */
static int sensor_ok(const sb_signal_node *s)
{
    return s->n_data == SB_SENSOR_HEAD + s->n_col && SB_LANE(s->p[1], 0) >= 0.0;
}

static void sensor_eval(const sb_signal_node *s, int order)
{
    sb_real sum = SB_R(0.0);
    for (int k = 0; k < s->n_col; ++k) {
        sum += s->p[SB_SENSOR_HEAD + k] * s->x[s->col[k]];
    }
    s->jet[0] = sb_pick(sb_abs(sum) > s->p[1], s->p[0] + sum, s->p[0]);
    for (int k = 1; k <= order; ++k) {
        s->jet[k] = SB_R(0.0);
    }
}

/* sum: [constant, factors] */
static int sum_ok(const sb_signal_node *s)
{
    return s->n_data == 1 + s->n_in;
}

static void sum_eval(const sb_signal_node *s, int order)
{
    for (int k = 0; k <= order; ++k) {
        sb_real sum = k == 0 ? s->p[0] : SB_R(0.0);
        for (int j = 0; j < s->n_in; ++j) {
            sum += s->p[1 + j] * sb_operand(s, j)[k];
        }
        s->jet[k] = sum;
    }
}

static void sum_partials(const sb_signal_node *s, sb_real *part)
{
    sb_copy(part, s->p + 1, s->n_in);
}

static const double BINOMIAL[SB_JET][SB_JET] = {{1.0}, {1.0, 1.0}, {1.0, 2.0, 1.0}, {1.0, 3.0, 3.0, 1.0}};

static void product_eval(const sb_signal_node *s, int order)
{
    const sb_real *u = sb_operand(s, 0);
    const sb_real *v = sb_operand(s, 1);
    for (int k = 0; k <= order; ++k) {
        sb_real sum = SB_R(0.0);
        for (int j = 0; j <= k; ++j) {
            sum += BINOMIAL[k][j] * u[j] * v[k - j];
        }
        s->jet[k] = sum;
    }
}

static void product_partials(const sb_signal_node *s, sb_real *part)
{
    part[0] = sb_operand(s, 1)[0];
    part[1] = sb_operand(s, 0)[0];
}

static void quotient_eval(const sb_signal_node *s, int order)
{
    const sb_real *u = sb_operand(s, 0);
    const sb_real *v = sb_operand(s, 1);
    for (int k = 0; k <= order; ++k) {
        sb_real sum = u[k];
        for (int j = 0; j < k; ++j) {
            sum -= BINOMIAL[k][j] * s->jet[j] * v[k - j];
        }
        s->jet[k] = sum / v[0];
    }
}

static void quotient_partials(const sb_signal_node *s, sb_real *part)
{
    const sb_real v = sb_operand(s, 1)[0];
    part[0] = 1.0 / v;
    part[1] = -s->jet[0] / v;
}

/* Functions of one operand: value and three derivatives at u. */
static void sqrt_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    f[0] = sb_sqrt(u);
    f[1] = 0.5 / f[0];
    f[2] = -0.5 * f[1] / u;
    f[3] = -1.5 * f[2] / u;
}

static void exp_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    f[0] = f[1] = f[2] = f[3] = sb_exp(u);
}

static void log_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    f[0] = SB_EACH(log, u);
    f[1] = 1.0 / u;
    f[2] = -f[1] * f[1];
    f[3] = -2.0 * f[2] * f[1];
}

static void sin_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    sb_sincos(u, &f[0], &f[1]);
    f[2] = -f[0];
    f[3] = -f[1];
}

static void cos_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    sb_sincos(u, &f[1], &f[0]);
    f[1] = -f[1];
    f[2] = -f[0];
    f[3] = -f[1];
}

static void tanh_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    f[0] = SB_EACH(tanh, u);
    f[1] = 1.0 - f[0] * f[0];
    f[2] = -2.0 * f[0] * f[1];
    f[3] = -2.0 * (f[1] * f[1] + f[0] * f[2]);
}

static void atan_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    (void)s;
    f[0] = SB_EACH(atan, u);
    f[1] = 1.0 / (1.0 + u * u);
    f[2] = -2.0 * u * f[1] * f[1];
    f[3] = -2.0 * f[1] * f[1] - 4.0 * u * f[1] * f[2];
}

/* polynomial: [c0, c1, ...] */
static int polynomial_ok(const sb_signal_node *s)
{
    return s->n_data >= 1;
}

static void polynomial_at(const sb_signal_node *s, sb_real u, sb_real *f)
{
    f[0] = f[1] = f[2] = f[3] = SB_R(0.0);
    for (int k = s->n_data - 1; k >= 0; --k) {
        f[3] = u * f[3] + 3.0 * f[2];
        f[2] = u * f[2] + 2.0 * f[1];
        f[1] = u * f[1] + f[0];
        f[0] = u * f[0] + s->p[k];
    }
}

SB_SIGNAL_FUNCTION(sqrt)
SB_SIGNAL_FUNCTION(exp)
SB_SIGNAL_FUNCTION(log)
SB_SIGNAL_FUNCTION(sin)
SB_SIGNAL_FUNCTION(cos)
SB_SIGNAL_FUNCTION(tanh)
SB_SIGNAL_FUNCTION(atan)
SB_SIGNAL_FUNCTION(polynomial)

SB_HOT const sb_operation sb_op_rate = {.n_in = 1, .ok = no_data, .eval = rate_eval};
SB_HOT const sb_operation sb_op_sensor = {.ok = sensor_ok, .eval = sensor_eval};
SB_HOT const sb_operation sb_op_sum = {.n_in = SB_ANY, .ok = sum_ok, .eval = sum_eval, .partials = sum_partials};
SB_HOT const sb_operation sb_op_product = {
    .n_in = 2, .ok = no_data, .eval = product_eval, .partials = product_partials};
SB_HOT const sb_operation sb_op_quotient = {
    .n_in = 2, .ok = no_data, .eval = quotient_eval, .partials = quotient_partials};
SB_HOT const sb_operation sb_op_sqrt = {.n_in = 1, .ok = no_data, .eval = sqrt_eval, .partials = sqrt_partials};
SB_HOT const sb_operation sb_op_exp = {.n_in = 1, .ok = no_data, .eval = exp_eval, .partials = exp_partials};
SB_HOT const sb_operation sb_op_log = {.n_in = 1, .ok = no_data, .eval = log_eval, .partials = log_partials};
SB_HOT const sb_operation sb_op_sin = {.n_in = 1, .ok = no_data, .eval = sin_eval, .partials = sin_partials};
SB_HOT const sb_operation sb_op_cos = {.n_in = 1, .ok = no_data, .eval = cos_eval, .partials = cos_partials};
SB_HOT const sb_operation sb_op_tanh = {.n_in = 1, .ok = no_data, .eval = tanh_eval, .partials = tanh_partials};
SB_HOT const sb_operation sb_op_atan = {.n_in = 1, .ok = no_data, .eval = atan_eval, .partials = atan_partials};
SB_HOT const sb_operation sb_op_polynomial = {
    .n_in = 1, .ok = polynomial_ok, .eval = polynomial_eval, .partials = polynomial_partials};
