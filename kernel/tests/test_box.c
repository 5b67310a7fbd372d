#include "check.h"
#include "sb_lock.h"

/* The box problem: conditions of Karush, Kuhn and Tucker for random problems, and cases known by hand. */

enum { MAX = 8 };

typedef struct problem {
    int n;
    double a[MAX * MAX], b[MAX], limit[MAX];
    double l[MAX];
    int state[MAX];
} problem;

static sb_status solve(problem *p)
{
    double chol[MAX * MAX];
    double tmp[4 * MAX];
    return sb_box_solve(p->n, p->a, p->b, p->limit, p->l, chol, tmp, p->state);
}

/* Acceleration that is left in contact i. */
static double left_over(const problem *p, int i)
{
    double sum = p->b[i];
    for (int j = 0; j < p->n; ++j) {
        sum -= p->a[i * p->n + j] * p->l[j];
    }
    return sum;
}

/* Inside the bounds nothing is left over; on a bound what is left over points outwards. */
static void check_optimal(const problem *p, double tolerance)
{
    for (int i = 0; i < p->n; ++i) {
        const double left = left_over(p, i);
        CHECK(fabs(p->l[i]) <= p->limit[i] * (1.0 + 1e-12));
        if (p->state[i] == 0) {
            CHECK_NEAR(left, 0.0, tolerance);
        } else {
            CHECK_NEAR(p->l[i], p->state[i] * p->limit[i], 0.0);
            CHECK(p->state[i] * left >= -tolerance);
        }
    }
}

/* A = W'W and b = W'f with W of `rank` rows: singular where rank < n, as with contacts that hold the same motion. */
static problem random_problem(int n, int rank)
{
    problem p = {.n = n};
    double w[MAX][MAX];
    for (int r = 0; r < rank; ++r) {
        const double force = 3.0 * check_random();
        for (int i = 0; i < n; ++i) {
            w[r][i] = check_random();
            p.b[i] += w[r][i] * force;
        }
    }
    for (int i = 0; i < n; ++i) {
        p.limit[i] = 1.0 + check_random();
        for (int j = 0; j < n; ++j) {
            for (int r = 0; r < rank; ++r) {
                p.a[i * n + j] += w[r][i] * w[r][j];
            }
        }
    }
    return p;
}

static void random_problems(void)
{
    for (int n = 1; n <= MAX; ++n) {
        for (int rank = 1; rank <= n; ++rank) {
            for (int round = 0; round < 50; ++round) {
                problem p = random_problem(n, rank);
                CHECK(solve(&p) == SB_OK);
                check_optimal(&p, 1e-8); // of accelerations of about 3, with systems that may be nearly singular
            }
        }
    }
}

/* One contact: the holding torque up to the limit, then the limit. */
static void single(void)
{
    for (int k = -4; k <= 4; ++k) {
        problem p = {.n = 1, .a = {2.0}, .b = {(double)k}, .limit = {1.0}};
        CHECK(solve(&p) == SB_OK);
        CHECK_NEAR(p.l[0], k < -2 ? -1.0 : k > 2 ? 1.0 : 0.5 * k, 1e-15);
    }
}

/* Two contacts on one inertia share by equal utilisation: l_i = T limit_i / sum of limits, up to the sum. */
static void redundant(void)
{
    for (int k = 0; k <= 10; ++k) {
        const double torque = 0.5 * k;
        problem p = {.n = 2, .a = {1.0, 1.0, 1.0, 1.0}, .b = {torque, torque}, .limit = {3.0, 1.5}};
        CHECK(solve(&p) == SB_OK);
        CHECK_NEAR(p.l[0] + p.l[1], torque < 4.5 ? torque : 4.5, 1e-12);
        CHECK_NEAR(p.l[0], 2.0 * p.l[1], 1e-6);
    }
}

/* Nothing can be held without a load. */
static void without_load(void)
{
    problem p = {.n = 2, .a = {1.0, 1.0, 1.0, 1.0}, .b = {1.0, 1.0}, .limit = {0.0, 2.0}};
    CHECK(solve(&p) == SB_OK);
    CHECK_NEAR(p.l[0], 0.0, 0.0);
    CHECK_NEAR(p.l[1], 1.0, 1e-12);
}

/* Three inertias 1, 0.1, 1 with a contact between each two: static limits 1 and 3, kinetic 0.98 and 1. Torques f on
 * the inertias make the slip accelerations b = W' M^-1 f. */
static problem three_inertias(const double *f, double first, double second)
{
    return (problem){
        .n = 2, .a = {11.0, -10.0, -10.0, 11.0}, .b = {f[1] / 0.1 - f[0], f[2] - f[1] / 0.1}, .limit = {first, second}};
}

/* Both contacts let go forwards. With their kinetic torques as given ones the first would go backwards; with the boxes
 * of their kinetic limits it stays, because its neighbour now pulls less. */
static void let_go(void)
{
    const double f[] = {0.0, -1.0, 15.0};
    problem p = three_inertias(f, 1.0, 3.0);
    CHECK(solve(&p) == SB_OK);
    CHECK(p.state[0] == 1 && p.state[1] == 1);
    CHECK_NEAR(left_over(&p, 0), 9.0, 1e-12);
    CHECK_NEAR(left_over(&p, 1), 2.0, 1e-12);

    p.l[0] = 0.98;
    p.l[1] = 1.0;
    CHECK_NEAR(left_over(&p, 0), -10.78, 1e-12);

    p = three_inertias(f, 0.98, 1.0);
    CHECK(solve(&p) == SB_OK);
    check_optimal(&p, 1e-12);
    CHECK(p.state[0] == 0 && p.state[1] == 1);
    CHECK_NEAR(p.l[0], 0.0, 1e-12);
}

int main(void)
{
    single();
    redundant();
    without_load();
    let_go();
    random_problems();
    return check_result();
}
