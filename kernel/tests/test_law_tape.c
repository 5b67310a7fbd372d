/* Laws as tapes: code that does not fit is refused, whatever it is, and code that fits runs. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sb_law_tape.h"

/* friction = p0 * v, or -p0 for v < 0: registers v, v_held, hold, turn, p0, constant 0.0; then one operation */
enum { V, V_HELD, HOLD, TURN, P0, ZERO, RESULT };

static int put_operation(int *code, const char *name, int a, int b, int d)
{
    const int words[] = {sb_formula_find(name), a, b, 0, d};
    memcpy(code, words, sizeof words);
    return SB_LAW_TAPE_WORDS;
}

static int put_end(int *code, const int *out, int n_out)
{
    code[0] = sb_formula_find("END");
    memcpy(code + 1, out, (size_t)n_out * sizeof *out);
    return 1 + n_out;
}

static int put(int *code, const int *out, int n_out)
{
    int n = 2;
    n += put_operation(code + n, "LESS_ELSE", V, ZERO, 2 * SB_LAW_TAPE_WORDS + 1 + n_out);
    n += put_operation(code + n, "NEGATE", P0, 0, 0);
    n += put_end(code + n, out, n_out);
    n += put_operation(code + n, "MULTIPLY", P0, V, 0);
    n += put_end(code + n, out, n_out);
    code[0] = n - 2;
    code[1] = n_out;
    return n;
}

static int viscous(int *code)
{
    const int flow[] = {RESULT};
    const int jac[] = {RESULT, P0};
    int n = put(code, flow, 1);
    n += put(code + n, jac, 2);
    n += put(code + n, jac, 2);
    for (int absent = 0; absent < 11; ++absent) {
        code[n++] = -1;
        code[n++] = 0;
    }
    return n;
}

/* Whether code with another word is refused. */
static int refused(const sb_law *facts, const int *code, int n, int place, int word)
{
    const double constant[] = {0.0};
    sb_law_tape tape;
    int broken[128];
    memcpy(broken, code, sizeof broken);
    broken[place] = word;
    return sb_law_tape_make(&tape, facts, broken, n, constant, 1) != SB_OK;
}

/* Words of flow. */
enum { SKIP = 2 + 4, NEGATED = 2 + SB_LAW_TAPE_WORDS + 1, FIRST_RESULT = 2 + 2 * SB_LAW_TAPE_WORDS + 1 };

int main(void)
{
    const double constant[] = {0.0};
    sb_law facts = {.name = "viscous", .family = SB_SMOOTH, .n_param = 1};
    sb_law_tape tape;
    int code[128];
    const int n = viscous(code);
    CHECK(sb_law_tape_make(&tape, &facts, code, n, constant, 1) == SB_OK);
    const double p[] = {0.4};
    double out[1], jac[1];
    tape.law.flow(&tape.law, p, 2.0, NULL, out);
    CHECK(out[0] == 0.8);
    tape.law.flow_jac(&tape.law, p, -3.0, NULL, out, jac);
    CHECK(out[0] == -0.4 && jac[0] == 0.4);
    CHECK(sb_formula_find("NO_SUCH") == -1);

    CHECK(sb_law_tape_make(&tape, &facts, code, n - 1, constant, 1) != SB_OK);
    facts.n_state = 1;
    CHECK(sb_law_tape_make(&tape, &facts, code, n, constant, 1) != SB_OK);
    facts.n_state = 0;
    facts.family = SB_LOCKING;
    CHECK(sb_law_tape_make(&tape, &facts, code, n, constant, 1) != SB_OK);
    facts.family = SB_SMOOTH;

    CHECK(!refused(&facts, code, n, NEGATED, ZERO));
    CHECK(refused(&facts, code, n, NEGATED, RESULT)); // not filled yet
    CHECK(refused(&facts, code, n, NEGATED, V_HELD)); // no argument of flow
    CHECK(refused(&facts, code, n, FIRST_RESULT, RESULT + 1));
    CHECK(refused(&facts, code, n, FIRST_RESULT - 1, sb_formula_find("ABS"))); // the first case has no end
    for (int distance = -20; distance < 40; ++distance) {
        CHECK(refused(&facts, code, n, SKIP, distance) == (distance != code[SKIP]));
    }

    srand(1);
    for (int k = 0; k < 200000; ++k) { // what passes the check runs without a fault, which the sanitizers see
        int broken[128];
        memcpy(broken, code, sizeof broken);
        for (int i = 0; i < 3; ++i) {
            broken[rand() % n] = rand() % 400 - 20;
        }
        if (sb_law_tape_make(&tape, &facts, broken, n, constant, 1) == SB_OK) {
            tape.law.flow_jac(&tape.law, p, 1.0, NULL, out, jac);
        }
    }
    return check_result();
}
