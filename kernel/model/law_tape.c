#include "sb_law_tape.h"

#include <stddef.h>
#include <string.h>

#include "sb_formula_ops.h"
#include "sb_law_math.h"

/* SB_FORMULA_OPS has a row X(name, operands, reads the curve, value) for each operation, where A, B, C and D are the
 * operands; it is generated from the table that writes C. */

enum {
#define X(name, operands, curve, value) OP_##name,
    SB_FORMULA_OPS(X)
#undef X
        N_OPS
};

static const struct {
    const char *name;
    int operands, curve;
} OPS[] = {
#define X(name, operands, curve, value) {#name, operands, curve},
    SB_FORMULA_OPS(X)
#undef X
};

int sb_formula_find(const char *name)
{
    for (int i = 0; i < N_OPS; ++i) {
        if (strcmp(OPS[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Registers before those of the operations. */
static int n_given(const sb_law_tape *t)
{
    return t->law.n_param + SB_LAW_ARGUMENTS + t->law.n_state + t->n_constant;
}

typedef struct arguments {
    double v, v_held, hold, turn;
    const double *z; /* NULL: the function does not read states */
} arguments;

#define A r[q[1]]
#define B r[q[2]]
#define C r[q[3]]
#define D r[q[4]]

/* The operations of a function, the result of each in the next register. Where the compiler has addresses of labels,
 * every operation jumps to the next one by itself: the processor then predicts each of these jumps by what came before,
 * which takes a fifth less time than one switch for all. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
static void operate(const sb_law_function *f, const double *curve, double *r, double *y)
{
    static const void *const label[] = {
#define X(name, operands, curve, value) &&do_##name,
        SB_FORMULA_OPS(X)
#undef X
    };
    const int *q = f->op, *const end = q + SB_LAW_TAPE_WORDS * f->n_op;
    if (q == end) {
        return;
    }
    goto *label[q[0]];
#define X(name, operands, curve, value) \
    do_##name : *y++ = (double)(value); \
    q += SB_LAW_TAPE_WORDS;             \
    if (q == end) {                     \
        return;                         \
    }                                   \
    goto *label[q[0]];
    SB_FORMULA_OPS(X)
#undef X
}
#pragma GCC diagnostic pop
#else
static void operate(const sb_law_function *f, const double *curve, double *r, double *y)
{
    const int *q = f->op;
    for (const int *end = q + SB_LAW_TAPE_WORDS * f->n_op; q < end; q += SB_LAW_TAPE_WORDS) {
        switch (q[0]) {
#define X(name, operands, curve, value) \
    case OP_##name:                     \
        *y++ = (double)(value);         \
        break;
            SB_FORMULA_OPS(X)
#undef X
        }
    }
}
#endif

static void run(const sb_law_tape *t, const sb_law_function *f, const double *p, const arguments *x, double *r)
{
    double *y = r;
    for (int i = 0; i < t->law.n_param; ++i) {
        *y++ = p[i];
    }
    y[0] = x->v;
    y[1] = x->v_held;
    y[2] = x->hold;
    y[3] = x->turn;
    y += SB_LAW_ARGUMENTS;
    if (x->z) {
        for (int i = 0; i < t->law.n_state; ++i) {
            y[i] = x->z[i];
        }
    }
    y += t->law.n_state;
    for (int i = 0; i < t->n_constant; ++i) {
        *y++ = t->constant[i];
    }
    operate(f, p + t->law.n_param, r, y);
}

static void write(const sb_law_function *f, const double *r, int first, int n, double *out)
{
    for (int i = 0; i < n; ++i) {
        out[i] = r[f->out[first + i]];
    }
}

static const sb_law_tape *tape_of(const sb_law *law)
{
    return (const sb_law_tape *)(const void *)law;
}

static void tape_flow(const sb_law *law, const double *p, double v, const double *z, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->flow, p, &x, r);
    write(&t->flow, r, 0, 1 + law->n_state, out);
}

static void with_jac(const sb_law *law, const sb_law_function *f, const double *p, const arguments *x, double *out,
                     double *jac)
{
    const int n = 1 + law->n_state;
    double r[SB_LAW_TAPE_REGISTERS];
    run(tape_of(law), f, p, x, r);
    write(f, r, 0, n, out);
    write(f, r, n, n * n, jac);
}

static void tape_flow_jac(const sb_law *law, const double *p, double v, const double *z, double *out, double *jac)
{
    const arguments x = {.v = v, .z = z};
    with_jac(law, &tape_of(law)->flow_jac, p, &x, out, jac);
}

static void tape_held_jac(const sb_law *law, const double *p, double v, double v_held, const double *z, double *out,
                          double *jac)
{
    const arguments x = {.v = v, .v_held = v_held, .z = z};
    with_jac(law, &tape_of(law)->held_jac, p, &x, out, jac);
}

static void tape_steady(const sb_law *law, const double *p, double v, double *z)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->steady, p, &x, r);
    write(&t->steady, r, 0, law->n_state, z);
}

static double tape_storage(const sb_law *law, const double *p, const double *z, double *grad)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->storage, p, &x, r);
    write(&t->storage, r, 0, law->n_state, grad);
    return r[t->storage.out[law->n_state]];
}

static void tape_curvature(const sb_law *law, const double *p, const double *z, double *hess)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->curvature, p, &x, r);
    write(&t->curvature, r, 0, law->n_state * law->n_state, hess);
}

static double tape_breakaway(const sb_law *law, const double *p, const double *z)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->breakaway, p, &x, r);
    return r[t->breakaway.out[0]];
}

static void tape_change(const sb_law *law, const double *p, double v, const double *z, double turn, double *z_new)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .turn = turn, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->change, p, &x, r);
    write(&t->change, r, 0, law->n_state, z_new);
}

static void tape_stick(const sb_law *law, const double *p, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {0};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->stick, p, &x, r);
    write(&t->stick, r, 0, 4, out);
}

static void tape_flow_param(const sb_law *law, const double *p, double v, const double *z, int which, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .z = z};
    const int n = 1 + law->n_state;
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->flow_param, p, &x, r);
    write(&t->flow_param, r, which * n, n, out);
}

static double tape_breakaway_param(const sb_law *law, const double *p, const double *z, int which)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->breakaway_param, p, &x, r);
    return r[t->breakaway_param.out[which]];
}

static double tape_storage_param(const sb_law *law, const double *p, const double *z, int which, double *grad)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    const int n = law->n_state + 1;
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->storage_param, p, &x, r);
    write(&t->storage_param, r, which * n, law->n_state, grad);
    return r[t->storage_param.out[which * n + law->n_state]];
}

static void tape_guard(const sb_law *law, const double *p, double v, const double *z, double hold, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .hold = hold, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->guard, p, &x, r);
    write(&t->guard, r, 0, law->n_guard, out);
}

static void tape_jump(const sb_law *law, const double *p, double v, const double *z, double hold, int which,
                      double *z_new)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .hold = hold, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    run(t, &t->jump, p, &x, r);
    write(&t->jump, r, which * law->n_state, law->n_state, z_new);
}

/* Results that each function must have. */
static int n_results(const sb_law *law, const char *name)
{
    const int n = law->n_state;
    const struct {
        const char *name;
        int n_out;
    } expected[] = {{"flow", 1 + n},
                    {"flow_jac", (1 + n) * (2 + n)},
                    {"steady", n},
                    {"held_jac", (1 + n) * (2 + n)},
                    {"storage", n + 1},
                    {"curvature", n * n},
                    {"breakaway", 1},
                    {"change", n},
                    {"stick", 4},
                    {"flow_param", law->n_param * (1 + n)},
                    {"breakaway_param", law->n_param},
                    {"storage_param", law->n_param * (n + 1)},
                    {"guard", law->n_guard},
                    {"jump", law->n_guard * n}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        if (strcmp(expected[i].name, name) == 0) {
            return expected[i].n_out;
        }
    }
    return -1;
}

/* Whether operations work on registers before them, and results are registers. */
static int function_ok(const sb_law_tape *t, const sb_law_function *f)
{
    const int given = n_given(t);
    if (f->n_op < 0 || f->n_op > SB_LAW_TAPE_REGISTERS - given) {
        return 0;
    }
    for (int i = 0; i < f->n_op; ++i) {
        const int *q = f->op + SB_LAW_TAPE_WORDS * i;
        if (q[0] < 0 || q[0] >= N_OPS || (OPS[q[0]].curve && !t->law.has_curve)) {
            return 0;
        }
        for (int j = 1; j <= OPS[q[0]].operands; ++j) {
            if (q[j] < 0 || q[j] >= given + i) {
                return 0;
            }
        }
    }
    for (int i = 0; i < f->n_out; ++i) {
        if (f->out[i] < 0 || f->out[i] >= given + f->n_op) {
            return 0;
        }
    }
    return 1;
}

/* Reads one function; returns how many integers it takes, 0 if it is absent, or -1 if it is wrong. */
static int read_function(const sb_law_tape *t, const char *name, const int *code, int n_code, sb_law_function *f)
{
    if (n_code < 2) {
        return -1;
    }
    if (code[0] < 0) {
        return 0;
    }
    f->n_op = code[0];
    f->n_out = code[1];
    if (f->n_op > (n_code - 2) / SB_LAW_TAPE_WORDS || f->n_out != n_results(&t->law, name)) {
        return -1;
    }
    f->op = code + 2;
    f->out = f->op + SB_LAW_TAPE_WORDS * f->n_op;
    const int length = 2 + SB_LAW_TAPE_WORDS * f->n_op + f->n_out;
    return length <= n_code && function_ok(t, f) ? length : -1;
}

static int sizes_ok(const sb_law *law, int n_constant)
{
    return sb_law_fits(law) && law->n_param >= 0 && law->n_param < SB_LAW_TAPE_REGISTERS / 4 && n_constant >= 0 &&
           n_constant < SB_LAW_TAPE_REGISTERS / 4;
}

sb_status sb_law_tape_make(sb_law_tape *t, const sb_law *facts, const int *code, int n_code, const double *constant,
                           int n_constant)
{
    static const sb_law_tape none;
    *t = none;
    t->law = *facts;
    t->law.n_moving = facts->n_state;
    t->constant = constant;
    t->n_constant = n_constant;
    if (!sizes_ok(&t->law, n_constant)) {
        return SB_BAD_MODEL;
    }
    const int *end = code + n_code;
#define X(name)                                                                        \
    {                                                                                  \
        const int length = read_function(t, #name, code, (int)(end - code), &t->name); \
        if (length < 0) {                                                              \
            return SB_BAD_MODEL;                                                       \
        }                                                                              \
        t->law.name = length > 0 ? tape_##name : NULL;                                 \
        code += length > 0 ? length : 2;                                               \
    }
    SB_LAW_FUNCTIONS(X)
#undef X
    const int bristle = facts->family == SB_BRISTLE;
    const int locking = facts->family == SB_LOCKING;
    const int ok = code == end && t->law.flow && t->law.flow_jac && (locking || t->law.held_jac) &&
                   (facts->n_state == 0 || t->law.steady) && (!bristle || (t->law.storage && t->law.curvature)) &&
                   (!locking || t->law.breakaway) && (facts->n_guard == 0 || (t->law.guard && t->law.jump)) &&
                   (facts->lock == SB_LOCK_SWITCH || t->law.stick);
    return ok ? SB_OK : SB_BAD_MODEL;
}
