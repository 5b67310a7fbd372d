/* Laws as tapes: code that does not fit is refused, whatever it is, and code that fits runs. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sb_law_tape.h"

/* friction = p0 * v: registers p0, v, v_held, hold, turn, constant 0.0; then one operation */
enum { P0, V, V_HELD, HOLD, TURN, ZERO, PRODUCT };

static int put(int *code, int n, int a, const int *out, int n_out)
{
    code[n++] = 1;
    code[n++] = n_out;
    code[n++] = sb_formula_find("MULTIPLY");
    code[n++] = a;
    code[n++] = V;
    code[n++] = 0;
    code[n++] = 0;
    for (int i = 0; i < n_out; ++i) {
        code[n++] = out[i];
    }
    return n;
}

static int viscous(int *code)
{
    const int flow[] = {PRODUCT};
    const int jac[] = {PRODUCT, P0};
    int n = put(code, 0, P0, flow, 1);
    n = put(code, n, P0, jac, 2);
    n = put(code, n, P0, jac, 2);
    for (int absent = 0; absent < 11; ++absent) {
        code[n++] = -1;
        code[n++] = 0;
    }
    return n;
}

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
    CHECK(out[0] == 0.4 * -3.0 && jac[0] == 0.4);
    CHECK(sb_formula_find("NO_SUCH") == -1);

    CHECK(sb_law_tape_make(&tape, &facts, code, n - 1, constant, 1) != SB_OK);
    facts.n_state = 1;
    CHECK(sb_law_tape_make(&tape, &facts, code, n, constant, 1) != SB_OK);
    facts.n_state = 0;
    facts.family = SB_LOCKING;
    CHECK(sb_law_tape_make(&tape, &facts, code, n, constant, 1) != SB_OK);
    facts.family = SB_SMOOTH;

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
