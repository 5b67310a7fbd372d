#ifndef SB_LAW_H
#define SB_LAW_H

/* A friction law: friction per unit of normal load over slip speed v and the states z of the law.
 * The table sb_laws is generated from src/stribeck/laws; nothing else in the kernel knows a law by name.
 *
 *     smooth    friction(v), continuous at v = 0
 *     bristle   states with rates, friction(v, z)
 *     locking   flow() is the sliding curve on the forward branch, smooth also for slightly negative v:
 *               the caller passes dir * v and multiplies by dir; at v = 0 it sticks up to breakaway().
 *               Its states, guards and jumps are seen in the direction of sliding, too, and forward while it is stuck;
 *               there its states follow their rates at v = 0
 *
 * Some of the states z may be discrete: their rates and the derivatives by them are 0, and they change when a guard
 * becomes negative.
 *
 * A counted law consists of equal elements, whose number belongs to the record. Each has two states and one guard. Its
 * continuous states come first, and are the only ones by which jac has derivatives:
 *     separate   a force each, whose rate depends on v and itself alone; then a discrete state each
 *     other      one deflection that all share; then two discrete states each */

#include "sb_real.h"

typedef enum sb_family { SB_SMOOTH, SB_BRISTLE, SB_LOCKING } sb_family;

/* How a locking law sticks: exactly at v = 0; held within a window of speed (D. Karnopp 1985); captured within
 * a window, where the slip decays (R. Nouailletas, E. Mendes, D. Koenig 2010). */
typedef enum sb_lock_kind { SB_LOCK_SWITCH, SB_LOCK_KARNOPP, SB_LOCK_HYBRID } sb_lock_kind;

typedef struct sb_law sb_law;

/* Each function gets its record first: records of one law may differ in their sizes. */
struct sb_law {
    const char *name;
    sb_family family;
    int n_param, n_state;
    int n_guard;       /* guards of the discrete states */
    int has_curve;     /* 1: the n_param parameters are followed by a curve: n, then n abscissae, then n ordinates */
    int linear;        /* 1: at constant v the outputs of flow() are linear in z */
    sb_lock_kind lock; /* of a locking law */
    int count;         /* elements in parallel of a counted law, else 0 */
    int separate;      /* 1: each rate depends on v and its own state alone; counted laws only */
    int n_moving;      /* states with columns in jac: the continuous ones of a counted law, else all */
    int n_each;        /* parameters of each of them: behind the n_param others, the first of all elements, the next */

    /* out[0] = friction per unit load, out[1..n_state] = dz/dt */
    void (*flow)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, sb_real *out);

    /* the same out, to the last bit, and jac, row-major (1+n_moving) x (1+n_moving): rows as out, columns v, z;
     * of a separate law: friction by v and all forces, then rates of all forces by v, then each by its force */
    void (*flow_jac)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, sb_real *out, sb_real *jac);

    /* the same with the curves of sliding friction at the speed v_held, whatever v; NULL if locking or
     * separate */
    void (*held_jac)(const sb_law *law, const sb_real *p, sb_real v, sb_real v_held, const sb_real *z, sb_real *out,
                     sb_real *jac);

    /* z with dz/dt = 0 at constant v; continuous states are 0 at v = 0; NULL without states */
    void (*steady)(const sb_law *law, const sb_real *p, sb_real v, sb_real *z);

    /* stored energy per unit load, and its gradient by z; NULL unless bristle */
    sb_real (*storage)(const sb_law *law, const sb_real *p, const sb_real *z, sb_real *grad);

    /* its second derivatives by z, row-major n_moving x n_moving, or by each force of a separate law twice; NULL unless
     * bristle */
    void (*curvature)(const sb_law *law, const sb_real *p, const sb_real *z, sb_real *hess);

    /* static limit per unit load, which may depend on the states; NULL unless locking */
    sb_real (*breakaway)(const sb_law *law, const sb_real *p, const sb_real *z);

    /* the states of a locking law that begins to stick (v = 0) or to slide, from those before; turn is -1 if they are
     * seen in the other direction from now on, else 1; NULL: those of steady() */
    void (*change)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, sb_real turn, sb_real *z_new);

    /* out = {window, release, relaxation, capture}; NULL unless the law sticks within a window of speed
     *     Karnopp   window: speed below which it is held; the others are 0
     *     hybrid    window and capture: captured below this speed while the holding friction per unit load is below
     *               capture; release: breaks away below this speed only; relaxation: rate at which the slip decays */
    void (*stick)(const sb_law *law, const sb_real *p, sb_real *out);

    /* derivatives by parameter `which`, which can vary: of the outputs of flow(), of breakaway(), and of storage() with
     * its gradient; NULL if no parameter can vary */
    void (*flow_param)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, int which, sb_real *out);
    sb_real (*breakaway_param)(const sb_law *law, const sb_real *p, const sb_real *z, int which);
    sb_real (*storage_param)(const sb_law *law, const sb_real *p, const sb_real *z, int which, sb_real *grad);

    /* n_guard values, positive within the present discrete states; NULL without discrete states. hold is the friction
     * per unit load that would keep the slip acceleration at 0 */
    void (*guard)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, sb_real hold, sb_real *out);

    /* all states after a guard has become negative */
    void (*jump)(const sb_law *law, const sb_real *p, sb_real v, const sb_real *z, sb_real hold, int which,
                 sb_real *z_new);

    /* all states after the time h at constant v, where elements stick, slip and snap: they begin to slip at the
     * friction of the speed v_from, and slip at that of v_held; exact if separate, else by the implicit Euler rule.
     * out = {friction with the mean rates of this time and the forces after a share of it (1 if not separate), its
     * derivative by v with constant forces, what the forces add to it}; NULL unless counted */
    void (*advance)(const sb_law *law, const sb_real *p, sb_real h, sb_real share, sb_real v, sb_real v_from,
                    sb_real v_held, const sb_real *z, sb_real *z_new, sb_real *out);
};

/* Places in jac: columns of its first row; the derivative by v of the rate of state i; number of all places. */
static inline int sb_law_columns(const sb_law *law)
{
    return 1 + law->n_moving;
}

static inline int sb_law_by_slip(const sb_law *law, int i)
{
    return law->separate ? 1 + law->n_moving + i : (1 + i) * (1 + law->n_moving);
}

static inline int sb_law_locals(const sb_law *law)
{
    return law->separate ? 1 + 3 * law->n_moving : (1 + law->n_moving) * (1 + law->n_moving);
}

/* most outputs (friction and rates) and guards of one law, and most states with places in its jac */
enum { SB_LAW_MAX = 64, SB_LAW_STATES = 31, SB_LAW_LOCALS = (1 + SB_LAW_STATES) * (1 + SB_LAW_STATES) };

static inline int sb_law_fits(const sb_law *law)
{
    return law->n_state >= 0 && law->n_state < SB_LAW_MAX && law->n_moving >= 0 && law->n_moving <= SB_LAW_STATES &&
           law->n_guard >= 0 && law->n_guard <= SB_LAW_MAX;
}

extern const sb_law sb_laws[];
extern const int sb_n_laws;

/* Number of a law in the table, or -1. Numbers belong to a build, for a new law moves those behind it; names stay. C
 * data that are compiled with the kernel may use the names of sb_law_ids.h, which is generated with the table. */
int sb_law_find(const char *name);

/* The record of a counted law in the table with another number of elements. */
sb_law sb_law_counted(const sb_law *law, int count);

/* SHA-256 of the sources that the table was generated from */
extern const char sb_laws_hash[];

#endif
