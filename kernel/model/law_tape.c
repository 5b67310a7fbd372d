#include "sb_law_tape.h"

#include <stddef.h>
#include <string.h>

#include "sb_formula_ops.h"
#include "sb_law_math.h"

/* SB_FORMULA_OPS has a row X(name, operands, reads the curve, value) for each operation, where A, B, C and D are the
 * operands; it is generated from the table that writes C. */

/* Decisions: name, operands, condition. */
#define DECISIONS(X)           \
    X(LESS_ELSE, 2, A < B)     \
    X(AT_MOST_ELSE, 2, A <= B) \
    X(ELSE, 1, A != 0.0)

enum {
    OP_END,
#define X(name, ...) OP_##name,
    SB_FORMULA_OPS(X) DECISIONS(X)
#undef X
        N_OPS
};

static const struct {
    const char *name;
    int operands, curve, decision;
} OPS[] = {{"END", 0, 0, 0},
#define X(name, operands, curve, value) {#name, operands, curve, 0},
           SB_FORMULA_OPS(X)
#undef X
#define X(name, operands, condition) {#name, operands, 0, 1},
               DECISIONS(X)
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

#define NEXT SB_LAW_TAPE_WORDS
#define OTHER q[4]

/* The operations of a function, the result of each in the next register; returns the registers of the results. Where
 * the compiler has addresses of labels, every operation jumps to the next one by itself: the processor then predicts
 * each of these jumps by what came before, which takes up to a quarter less time than one switch for all. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
static const int *operate(const int *q, const double *curve, const double *r, double *y)
{
    static const void *const label[] = {&&do_END,
#define X(name, ...) &&do_##name,
                                        SB_FORMULA_OPS(X) DECISIONS(X)
#undef X
    };
    goto *label[q[0]];
#define X(name, operands, curve, value) \
    do_##name : *y++ = (double)(value); \
    q += NEXT;                          \
    goto *label[q[0]];
    SB_FORMULA_OPS(X)
#undef X
#define X(name, operands, condition)             \
    do_##name : q += (condition) ? NEXT : OTHER; \
    goto *label[q[0]];
    DECISIONS(X)
#undef X
do_END:
    return q + 1;
}
#pragma GCC diagnostic pop
#else
static const int *operate(const int *q, const double *curve, const double *r, double *y)
{
    for (;;) {
        switch (q[0]) {
#define X(name, operands, curve, value) \
    case OP_##name:                     \
        *y++ = (double)(value);         \
        q += NEXT;                      \
        break;
            SB_FORMULA_OPS(X)
#undef X
#define X(name, operands, condition)     \
    case OP_##name:                      \
        q += (condition) ? NEXT : OTHER; \
        break;
            DECISIONS(X)
#undef X
        default: /* OP_END */
            return q + 1;
        }
    }
}
#endif

static const int *run(const sb_law_tape *t, const sb_law_function *f, const double *p, const arguments *x, double *r)
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
    return operate(f->word, p + t->law.n_param, r, y);
}

static void write(const int *result, const double *r, int n, double *out)
{
    for (int i = 0; i < n; ++i) {
        out[i] = r[result[i]];
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
    const int *const y = run(t, &t->flow, p, &x, r);
    write(y, r, 1 + law->n_state, out);
}

static void with_jac(const sb_law *law, const sb_law_function *f, const double *p, const arguments *x, double *out,
                     double *jac)
{
    const int n = 1 + law->n_state;
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(tape_of(law), f, p, x, r);
    write(y, r, n, out);
    write(y + n, r, n * n, jac);
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
    const int *const y = run(t, &t->steady, p, &x, r);
    write(y, r, law->n_state, z);
}

static double tape_storage(const sb_law *law, const double *p, const double *z, double *grad)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->storage, p, &x, r);
    write(y, r, law->n_state, grad);
    return r[y[law->n_state]];
}

static void tape_curvature(const sb_law *law, const double *p, const double *z, double *hess)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->curvature, p, &x, r);
    write(y, r, law->n_state * law->n_state, hess);
}

static double tape_breakaway(const sb_law *law, const double *p, const double *z)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->breakaway, p, &x, r);
    return r[y[0]];
}

static void tape_change(const sb_law *law, const double *p, double v, const double *z, double turn, double *z_new)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .turn = turn, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->change, p, &x, r);
    write(y, r, law->n_state, z_new);
}

static void tape_stick(const sb_law *law, const double *p, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {0};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->stick, p, &x, r);
    write(y, r, 4, out);
}

static void tape_flow_param(const sb_law *law, const double *p, double v, const double *z, int which, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .z = z};
    const int n = 1 + law->n_state;
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->flow_param, p, &x, r);
    write(y + which * n, r, n, out);
}

static double tape_breakaway_param(const sb_law *law, const double *p, const double *z, int which)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->breakaway_param, p, &x, r);
    return r[y[which]];
}

static double tape_storage_param(const sb_law *law, const double *p, const double *z, int which, double *grad)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.z = z};
    const int n = law->n_state + 1;
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->storage_param, p, &x, r);
    write(y + which * n, r, law->n_state, grad);
    return r[y[which * n + law->n_state]];
}

static void tape_guard(const sb_law *law, const double *p, double v, const double *z, double hold, double *out)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .hold = hold, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->guard, p, &x, r);
    write(y, r, law->n_guard, out);
}

static void tape_jump(const sb_law *law, const double *p, double v, const double *z, double hold, int which,
                      double *z_new)
{
    const sb_law_tape *t = tape_of(law);
    const arguments x = {.v = v, .hold = hold, .z = z};
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(t, &t->jump, p, &x, r);
    write(y + which * law->n_state, r, law->n_state, z_new);
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

static int registers_ok(const int *q, int n, int n_register)
{
    for (int i = 0; i < n; ++i) {
        if (q[i] < 0 || q[i] >= n_register) {
            return 0;
        }
    }
    return 1;
}

/* Where the words from `at` on end, or -1: operations work on registers that are filled before them in every case,
 * results are such registers, and the other case of a decision is where the first one ends. */
static int words_end(const sb_law_tape *t, const sb_law_function *f, int at, int n_register, int nested)
{
    for (; at < f->n_word; at += SB_LAW_TAPE_WORDS) {
        const int *q = f->word + at;
        if (q[0] == OP_END) {
            at += 1 + f->n_out;
            return at <= f->n_word && registers_ok(q + 1, f->n_out, n_register) ? at : -1;
        }
        if (q[0] < 0 || q[0] >= N_OPS || (OPS[q[0]].curve && !t->law.has_curve) || at + SB_LAW_TAPE_WORDS > f->n_word ||
            !registers_ok(q + 1, OPS[q[0]].operands, n_register)) {
            return -1;
        }
        if (OPS[q[0]].decision) {
            const int other =
                nested < SB_LAW_TAPE_NESTED ? words_end(t, f, at + SB_LAW_TAPE_WORDS, n_register, nested + 1) : -1;
            if (other < 0 || q[4] != other - at) {
                return -1;
            }
            at = other - SB_LAW_TAPE_WORDS;
        } else if (++n_register > SB_LAW_TAPE_REGISTERS) {
            return -1;
        }
    }
    return -1;
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
    f->n_word = code[0];
    f->n_out = code[1];
    f->word = code + 2;
    const int ok = f->n_word <= n_code - 2 && f->n_out == n_results(&t->law, name) &&
                   words_end(t, f, 0, n_given(t), 0) == f->n_word;
    return ok ? 2 + f->n_word : -1;
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
