#include "sb_law_tape.h"

#include <stddef.h>
#include <string.h>

#include "sb_formula_ops.h"
#include "sb_law_math.h"

/* SB_FORMULA_OPS has a row X(name, operands, reads the curve, value) for each operation, where A, B, C and D are the
 * operands; it is generated from the table that writes C. */

/* Decisions: name, operands, condition. */
#define DECISIONS(X)                 \
    X(LESS_ELSE, 2, A < B)           \
    X(ABS_LESS_ELSE, 2, fabs(A) < B) \
    X(AT_MOST_ELSE, 2, A <= B)       \
    X(ELSE, 1, A != 0.0)

enum {
    OP_END,
#define X(name, ...) OP_##name,
    SB_FORMULA_OPS(X) SB_FORMULA_PAIRS(X) DECISIONS(X)
#undef X
        N_OPS
};

static const struct {
    const char *name;
    int results, first, all; /* number of results, operands of the first and of all */
    int curve;
} OPS[] = {{"END", 0, 0, 0, 0},
#define X(name, operands, curve, value) {#name, 1, operands, operands, curve},
           SB_FORMULA_OPS(X)
#undef X
#define X(name, operands, all, first, second) {#name, 2, operands, all, 0},
               SB_FORMULA_PAIRS(X)
#undef X
#define X(name, operands, condition) {#name, 0, operands, operands, 0},
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

static const sb_law_tape *tape_of(const sb_law *law)
{
    return (const sb_law_tape *)(const void *)law;
}

/* The first registers. */
enum { V, V_HELD, HOLD, TURN, STATES };

/* Registers before those of the operations. */
static int n_given(const sb_law_tape *t)
{
    return STATES + t->law.n_state + t->law.n_param + t->n_constant;
}

/* Copies n numbers, two at a time: the compiler's own loop costs small laws more than their operations. */
static inline double *copy(const double *from, int n, double *to)
{
    for (const double *const end = from + (n & ~1); from != end; from += 2, to += 2) {
        memcpy(to, from, 2 * sizeof *to);
    }
    if (n & 1) {
        *to++ = *from;
    }
    return to;
}

/* Fills the registers after those of the arguments; returns the next one. z may be NULL. */
static inline double *fill(const sb_law_tape *t, const double *p, const double *z, double *r)
{
    double *y = r + STATES;
    if (z) {
        copy(z, t->law.n_state, y);
    }
    return copy(t->constant, t->n_constant, copy(p, t->law.n_param, y + t->law.n_state));
}

#define A r[q[1]]
#define B r[q[2]]
#define C r[q[3]]
#define D r[q[4]]

/* Where the compiler has addresses of labels, every operation jumps to the next one by itself: the processor then
 * predicts each of these jumps by what came before, which takes up to a quarter less time than one switch for all. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define CASE(name) do_##name:
#define GO_ON goto *label[q[0]]
#else
#define CASE(name) case OP_##name:
#define GO_ON break
#endif

#define OPERATION(name, operands, curve, value) \
    CASE(name) *y++ = (double)(value);          \
    q += SB_LAW_TAPE_WORDS;                     \
    GO_ON;
#define PAIR(name, operands, all, first, second) \
    CASE(name) y[0] = first;                     \
    y[1] = second;                               \
    y += 2;                                      \
    q += SB_LAW_TAPE_WORDS;                      \
    GO_ON;
#define DECISION(name, operands, condition)                 \
    CASE(name) q += (condition) ? SB_LAW_TAPE_WORDS : q[4]; \
    GO_ON;

/* The operations of a function, each result in the next register; returns the registers of its results. */
static const int *run(const sb_law *law, const sb_law_function *f, const double *p, const double *z, double *r)
{
    const double *const curve = p + law->n_param;
    const int *q = f->word;
    double *y = fill(tape_of(law), p, z, r);
#ifdef __GNUC__
#define X(name, ...) &&do_##name,
    static const void *const label[] = {&&do_END, SB_FORMULA_OPS(X) SB_FORMULA_PAIRS(X) DECISIONS(X)};
#undef X
    GO_ON;
#else
    for (;;)
        switch (q[0])
#endif
    {
        SB_FORMULA_OPS(OPERATION)
        SB_FORMULA_PAIRS(PAIR)
        DECISIONS(DECISION)
        CASE(END)
        return q + 1;
    }
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

static void write(const int *y, const double *r, int n, double *out)
{
    for (const int *const end = y + (n & ~1); y != end; y += 2, out += 2) {
        const double a = r[y[0]], b = r[y[1]];
        out[0] = a;
        out[1] = b;
    }
    if (n & 1) {
        out[0] = r[y[0]];
    }
}

static void tape_flow(const sb_law *law, const double *p, double v, const double *z, double *out)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    const int *const y = run(law, &tape_of(law)->flow, p, z, r);
    write(y, r, 1 + law->n_state, out);
}

static void tape_flow_jac(const sb_law *law, const double *p, double v, const double *z, double *out, double *jac)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    const int *const y = run(law, &tape_of(law)->flow_jac, p, z, r);
    const int n = 1 + law->n_state;
    write(y, r, n, out);
    write(y + n, r, n * n, jac);
}

static void tape_held_jac(const sb_law *law, const double *p, double v, double v_held, const double *z, double *out,
                          double *jac)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    r[V_HELD] = v_held;
    const int *const y = run(law, &tape_of(law)->held_jac, p, z, r);
    const int n = 1 + law->n_state;
    write(y, r, n, out);
    write(y + n, r, n * n, jac);
}

static void tape_steady(const sb_law *law, const double *p, double v, double *z)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    const int *const y = run(law, &tape_of(law)->steady, p, NULL, r);
    write(y, r, law->n_state, z);
}

static double tape_storage(const sb_law *law, const double *p, const double *z, double *grad)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->storage, p, z, r);
    write(y, r, law->n_state, grad);
    return r[y[law->n_state]];
}

static void tape_curvature(const sb_law *law, const double *p, const double *z, double *hess)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->curvature, p, z, r);
    write(y, r, law->n_state * law->n_state, hess);
}

static double tape_breakaway(const sb_law *law, const double *p, const double *z)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->breakaway, p, z, r);
    return r[y[0]];
}

static void tape_change(const sb_law *law, const double *p, double v, const double *z, double turn, double *z_new)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    r[TURN] = turn;
    const int *const y = run(law, &tape_of(law)->change, p, z, r);
    write(y, r, law->n_state, z_new);
}

static void tape_stick(const sb_law *law, const double *p, double *out)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->stick, p, NULL, r);
    write(y, r, 4, out);
}

static void tape_flow_param(const sb_law *law, const double *p, double v, const double *z, int which, double *out)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    const int *const y = run(law, &tape_of(law)->flow_param, p, z, r);
    const int n = 1 + law->n_state;
    write(y + which * n, r, n, out);
}

static double tape_breakaway_param(const sb_law *law, const double *p, const double *z, int which)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->breakaway_param, p, z, r);
    return r[y[which]];
}

static double tape_storage_param(const sb_law *law, const double *p, const double *z, int which, double *grad)
{
    double r[SB_LAW_TAPE_REGISTERS];
    const int *const y = run(law, &tape_of(law)->storage_param, p, z, r);
    const int n = law->n_state, *const of = y + which * (n + 1);
    write(of, r, n, grad);
    return r[of[n]];
}

static void tape_guard(const sb_law *law, const double *p, double v, const double *z, double hold, double *out)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    r[HOLD] = hold;
    const int *const y = run(law, &tape_of(law)->guard, p, z, r);
    write(y, r, law->n_guard, out);
}

static void tape_jump(const sb_law *law, const double *p, double v, const double *z, double hold, int which,
                      double *z_new)
{
    double r[SB_LAW_TAPE_REGISTERS];
    r[V] = v;
    r[HOLD] = hold;
    const int *const y = run(law, &tape_of(law)->jump, p, z, r);
    write(y + which * law->n_state, r, law->n_state, z_new);
}

/* What a function is called with and how many results it must have. */
static int find_sizes(const sb_law *law, const char *name, sb_law_function *f)
{
    enum { ON_V = 1 << V, ON_V_HELD = 1 << V_HELD, ON_HOLD = 1 << HOLD, ON_TURN = 1 << TURN, ON_Z = 1 << STATES };
    const int n = law->n_state;
    const struct {
        const char *name;
        int given, n_out;
    } expected[] = {{"flow", ON_V | ON_Z, 1 + n},
                    {"flow_jac", ON_V | ON_Z, (1 + n) * (2 + n)},
                    {"steady", ON_V, n},
                    {"held_jac", ON_V | ON_V_HELD | ON_Z, (1 + n) * (2 + n)},
                    {"storage", ON_Z, n + 1},
                    {"curvature", ON_Z, n * n},
                    {"breakaway", ON_Z, 1},
                    {"change", ON_V | ON_TURN | ON_Z, n},
                    {"stick", 0, 4},
                    {"flow_param", ON_V | ON_Z, law->n_param * (1 + n)},
                    {"breakaway_param", ON_Z, law->n_param},
                    {"storage_param", ON_Z, law->n_param * (n + 1)},
                    {"guard", ON_V | ON_HOLD | ON_Z, law->n_guard},
                    {"jump", ON_V | ON_HOLD | ON_Z, law->n_guard * n}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        if (strcmp(expected[i].name, name) == 0) {
            f->given = expected[i].given;
            f->n_out = expected[i].n_out;
            return 1;
        }
    }
    return 0;
}

/* Whether n words are registers that are filled: arguments and states if the function is called with them. */
static int registers_ok(const sb_law_tape *t, const sb_law_function *f, const int *q, int n, int n_register)
{
    for (int i = 0; i < n; ++i) {
        const int kind = q[i] < STATES ? q[i] : STATES;
        if (q[i] < 0 || q[i] >= n_register || (q[i] < STATES + t->law.n_state && !(f->given >> kind & 1))) {
            return 0;
        }
    }
    return 1;
}

/* Whether the operation exists and works on registers that are filled before it. */
static int operation_ok(const sb_law_tape *t, const sb_law_function *f, const int *q, int n_register)
{
    if (q[0] < 0 || q[0] >= N_OPS || (OPS[q[0]].curve && !t->law.has_curve)) {
        return 0;
    }
    const int first = OPS[q[0]].first, all = OPS[q[0]].all;
    return n_register + OPS[q[0]].results <= SB_LAW_TAPE_REGISTERS && registers_ok(t, f, q + 1, first, n_register) &&
           registers_ok(t, f, q + 1 + first, all - first, n_register + 1);
}

/* Where the words from `at` on end, or -1: their operations are right, results are registers that are filled, and the
 * other case of a decision is where the first one ends. */
static int words_end(const sb_law_tape *t, const sb_law_function *f, int at, int n_register, int nested)
{
    while (at <= f->n_word - SB_LAW_TAPE_WORDS && f->word[at] != OP_END) {
        const int *q = f->word + at;
        if (!operation_ok(t, f, q, n_register)) {
            return -1;
        }
        n_register += OPS[q[0]].results;
        at += SB_LAW_TAPE_WORDS;
        if (OPS[q[0]].results == 0) {
            const int other = nested < SB_LAW_TAPE_NESTED ? words_end(t, f, at, n_register, nested + 1) : -1;
            if (other < 0 || q[4] != f->word + other - q) {
                return -1;
            }
            at = other;
        }
    }
    const int ends = at < f->n_word && f->word[at] == OP_END && f->n_out < f->n_word - at;
    return ends && registers_ok(t, f, f->word + at + 1, f->n_out, n_register) ? at + 1 + f->n_out : -1;
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
    f->word = code + 2;
    const int ok = find_sizes(&t->law, name, f) && f->n_out == code[1] && f->n_word <= n_code - 2 &&
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
