#include <math.h>

#include "sb_lock.h"
#include "sb_math.h"

/* Redundant locks share what the others carry. The accelerations stay, A l = A l_alone, with the least sum of
 * l^2/limit: l = D A_I' y, (A_I D A_I') y = A_I l_alone, where A_I are the rows of the independent contacts and
 * D the limits. Contacts side by side are used equally. */

/* Mean of the two limits of a stuck contact. */
static double mean_limit(const sb_model *m, const sb_data *d, int i)
{
    const int lock = d->lock_set[i];
    return 0.5 * (sb_lock_limit(m, d, lock, SB_FORWARD) + sb_lock_limit(m, d, lock, SB_BACKWARD));
}

/* Weight of a stuck contact in the split: its present limit. */
static double share_weight(const sb_model *m, const sb_data *d, int i, double largest)
{
    return largest > 0.0 ? sb_max(mean_limit(m, d, i), 1e-12 * largest) : 1.0;
}

void sb_share_redundant(const sb_model *m, sb_data *d)
{
    const int n = d->n_stuck;
    const double *a = d->lock_a;
    double *s = d->lock_share;
    double *y = d->lock_tmp;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = sb_max(largest, mean_limit(m, d, i));
    }
    for (int i = 0; i < n; ++i) {
        const int skip_i = d->redundant[d->lock_set[i]];
        y[i] = 0.0;
        for (int k = 0; k < n; ++k) {
            y[i] += skip_i ? 0.0 : a[i * n + k] * d->lambda[d->lock_set[k]];
        }

        // row i of the Cholesky factors; redundant rows become rows of the unit matrix
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += share_weight(m, d, k, largest) * a[i * n + k] * a[j * n + k];
            }
            sum = skip_i || d->redundant[d->lock_set[j]] ? (double)(i == j) : sum;
            for (int k = 0; k < j; ++k) {
                sum -= s[i * n + k] * s[j * n + k];
            }
            s[i * n + j] = i == j ? sqrt(sum) : sum / s[j * n + j];
            y[i] -= i == j ? 0.0 : s[i * n + j] * y[j];
        }
        y[i] /= s[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            y[i] -= s[k * n + i] * y[k];
        }
        y[i] /= s[i * n + i];
    }
    for (int k = 0; k < n; ++k) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            sum += a[i * n + k] * y[i];
        }
        d->lambda[d->lock_set[k]] = share_weight(m, d, k, largest) * sum;
    }
}
