#include <math.h>

#include "sb_lock.h"
#include "sb_math.h"

/* Weight of the least-utilisation term against A: large enough to choose among equal splits, small enough that two
 * corrections bring A l = b back to rounding. */
#define WEIGHT 1e-9

/* Cholesky factors of the free part of A plus WEIGHT * scale * diag(largest limit / limit). */
static void factor(int n, const double *a, const double *limit, const int *state, double *chol)
{
    double scale = 0.0;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        scale = sb_max(scale, a[i * n + i]);
        largest = sb_max(largest, limit[i]);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = state[i] == 0 && state[j] == 0 ? a[i * n + j] : 0.0;
            if (i == j) {
                const double share = limit[i] > 0.0 ? sb_min(largest / limit[i], 1e3) : 1.0;
                sum = state[i] == 0 ? sum + WEIGHT * scale * share : 1.0;
            }
            for (int k = 0; k < j; ++k) {
                sum -= chol[i * n + k] * chol[j * n + k];
            }
            chol[i * n + j] = i == j ? sqrt(sum) : sum / chol[j * n + j];
        }
    }
}

static void substitute(int n, const double *chol, double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) {
            x[i] -= chol[i * n + k] * x[k];
        }
        x[i] /= chol[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            x[i] -= chol[k * n + i] * x[k];
        }
        x[i] /= chol[i * n + i];
    }
}

static double residual(int n, const double *a, const double *b, const double *l, int i)
{
    double sum = b[i];
    for (int j = 0; j < n; ++j) {
        sum -= a[i * n + j] * l[j];
    }
    return sum;
}

static void solve(int n, const double *a, const double *b, const int *state, const double *chol, double *l, double *tmp)
{
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < n; ++i) {
            tmp[i] = state[i] == 0 ? residual(n, a, b, l, i) : 0.0;
        }
        substitute(n, chol, tmp);
        for (int i = 0; i < n; ++i) {
            l[i] += tmp[i];
        }
    }
}

/* From the feasible l towards target until the first bound; returns that element or -1. */
static int move(int n, const double *limit, const double *target, double *l, int *state)
{
    double part = 1.0;
    int hit = -1;
    for (int i = 0; i < n; ++i) {
        const double bound = target[i] > 0.0 ? limit[i] : -limit[i];
        if (state[i] == 0 && fabs(target[i]) > limit[i]) {
            const double reach = target[i] != l[i] ? (bound - l[i]) / (target[i] - l[i]) : 0.0;
            if (hit < 0 || reach < part) {
                part = sb_min(sb_max(reach, 0.0), 1.0);
                hit = i;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        l[i] += state[i] == 0 ? part * (target[i] - l[i]) : 0.0;
    }
    if (hit >= 0) {
        state[hit] = target[hit] > 0.0 ? 1 : -1;
        l[hit] = state[hit] * limit[hit];
    }
    return hit;
}

/* The element whose bound holds it back the wrong way most, or -1. */
static int worst_bound(int n, const double *a, const double *b, const double *l, const int *state)
{
    int worst = -1;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        double size = fabs(b[i]);
        for (int j = 0; j < n; ++j) {
            size += fabs(a[i * n + j] * l[j]);
        }
        const double wrong = -state[i] * residual(n, a, b, l, i);
        if (wrong > 1e-12 * size && wrong > largest) {
            largest = wrong;
            worst = i;
        }
    }
    return worst;
}

/* Primal active set: convex, so every exchange lowers the objective and the search ends. */
sb_status sb_box_solve(int n, const double *a, const double *b, const double *limit, double *l, double *chol,
                       double *tmp, int *state)
{
    double *target = tmp;
    for (int i = 0; i < n; ++i) {
        l[i] = 0.0;
        state[i] = 0;
    }
    const int most = 20 + 10 * n;
    for (int round = 0; round < most; ++round) {
        for (int i = 0; i < n; ++i) {
            target[i] = state[i] * limit[i];
        }
        factor(n, a, limit, state, chol);
        solve(n, a, b, state, chol, target, tmp + n);
        if (move(n, limit, target, l, state) >= 0) {
            continue;
        }
        const int wrong = worst_bound(n, a, b, l, state);
        if (wrong < 0) {
            return SB_OK;
        }
        state[wrong] = 0;
    }
    return SB_NO_STICK_SOLUTION;
}
