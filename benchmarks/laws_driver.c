/* Every law evaluated in a loop, for benchmarks/laws.py. Compiled together with the generated sb_laws.c and with the
 * tapes of the kernel. */

#include "sb_law.h"
#include "sb_law_tape.h"

enum { MOST_TAPES = 100 };
static sb_law_tape tapes[MOST_TAPES];
static int n_tapes;

/* the number of a law in the table, or -1 */
int find(const char *name)
{
    for (int k = 0; k < sb_n_laws; k++) {
        const char *a = sb_laws[k].name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return k;
    }
    return -1;
}

/* the number of a tape of a law of the table, or -1 */
int add_tape(int law, const int *code, int n_code, const double *constant, int n_constant)
{
    if (n_tapes == MOST_TAPES || sb_law_tape_make(&tapes[n_tapes], &sb_laws[law], code, n_code, constant, n_constant))
        return -1;
    return n_tapes++;
}

/* n evaluations of flow (with jac = 0) or flow_jac (1) of a law, over n_point speeds and states, turn by turn, by its C
 * or, if tape >= 0, by a tape. The sum of all friction is returned, so that nothing can be left out. */
double evaluate(int law, int tape, int with_jac, const double *p, int n_point, const double *v, const double *z, long n)
{
    const sb_law *const l = tape >= 0 ? &tapes[tape].law : &sb_laws[law];
    double out[SB_LAW_MAX], jac[SB_LAW_MAX * SB_LAW_MAX], sum = 0.0;
    int i = 0;
    for (long k = 0; k < n; k++) {
        const double *const state = z + i * l->n_state;
        if (with_jac)
            l->flow_jac(l, p, v[i], state, out, jac);
        else
            l->flow(l, p, v[i], state, out);
        sum += out[0];
        i = i + 1 < n_point ? i + 1 : 0;
    }
    return sum;
}
