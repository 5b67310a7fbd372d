#ifndef SB_LAW_H
#define SB_LAW_H

/* A friction law: friction per unit of normal load over slip speed v and the states z of the law.
 * The table sb_laws is generated from src/stribeck/laws; nothing else in the kernel knows a law by name.
 *
 *     smooth    friction(v), continuous at v = 0
 *     bristle   states with rates, friction(v, z)
 *     locking   flow() is the sliding curve on the forward branch, smooth also for slightly negative v:
 *               the caller passes dir * v and multiplies by dir; at v = 0 it sticks up to breakaway() */

typedef enum sb_family { SB_SMOOTH, SB_BRISTLE, SB_LOCKING } sb_family;

typedef struct sb_law {
    const char *name;
    sb_family family;
    int n_param, n_state;

    /* out[0] = friction per unit load, out[1..n_state] = dz/dt */
    void (*flow)(const double *p, double v, const double *z, double *out);

    /* the same out, to the last bit, and jac, row-major (1+n_state) x (1+n_state): rows as out, columns v, z */
    void (*flow_jac)(const double *p, double v, const double *z, double *out, double *jac);

    /* derivatives of out by the parameters, row-major (1+n_state) x n_param */
    void (*flow_dp)(const double *p, double v, const double *z, double *dp);

    /* z with dz/dt = 0 at constant v, 0 at v = 0; NULL without states */
    void (*steady)(const double *p, double v, double *z);

    /* stored energy per unit load, and its gradient by z; NULL without states */
    double (*storage)(const double *p, const double *z, double *grad);

    /* static limit per unit load; NULL unless locking */
    double (*breakaway)(const double *p);
} sb_law;

/* most outputs (friction and rates) of one law */
enum { SB_LAW_MAX = 64 };

extern const sb_law sb_laws[];
extern const int sb_n_laws;

/* SHA-256 of the sources that the table was generated from */
extern const char sb_laws_hash[];

#endif
