/* Small machines at fixed steps: a part of wide.c. Where the free motion is one matrix (propagate.c) of a few speeds,
 * that and the rows of positions and slips are full here, so that sums stay in registers and there are neither lists nor
 * short loops. The sums are those of the sparse rows, whose columns rise, with zeros between them; none of them begins
 * with -0, so zeros do not change it. */

enum { SMALL_SPEEDS = 6, SMALL_NUMBERS = 160 };

typedef struct small_machine {
    int n;          /* speeds, or 0: the machine is not small */
    sb_real *free;  /* columns of the free motion: by speeds, positions, sources */
    sb_real *way;   /* rows of positions by speeds */
    sb_real *slips; /* rows of slips */
} small_machine;

static int free_columns(const sb_model *m)
{
    return m->n_v + m->n_q + m->n_source;
}

/* Numbers of all three, or 0. */
static int small_numbers(const sb_model *m)
{
    const int n = m->n_v * (free_columns(m) + m->n_q + m->n_friction);
    return m->n_v <= SMALL_SPEEDS && n <= SMALL_NUMBERS ? n : 0;
}

static void place_small(small_machine *s, const sb_model *m, sb_real *numbers)
{
    s->free = numbers;
    s->way = s->free + m->n_v * free_columns(m);
    s->slips = s->way + m->n_v * m->n_q;
}

/* One lane of a matrix from its sparse rows, by rows or by columns; sources are right behind the positions. */
static void fill_lane(const sb_model *m, int lane, const sb_slices *from, int by_row, int by_column, sb_real *to)
{
    for (int i = 0, p = 0; i < from->n; ++i) {
        for (; p < from->end[i]; ++p) {
            const int col = from->col[p] / W;
            const int place = col < SB_N_X(m) ? col : col - SB_N_X(m) + m->n_v + m->n_q;
            to[by_row * from->row[i] + by_column * place][lane] += from->val[p][lane];
        }
    }
}

/* The matrices of a plant; -1: of all lanes, which are equal. */
static void fill_small(const small_machine *s, const sb_model *m, const sb_fixed *f, int lane)
{
    const int most = lane < 0 ? W : lane + 1;
    for (int k = lane < 0 ? 0 : lane; k < most && s->n > 0; ++k) {
        for (int i = 0; i < small_numbers(m); ++i) {
            s->free[i][k] = 0.0;
        }
        fill_lane(m, k, &f->prop, 1, s->n, s->free);
        fill_lane(m, k, &f->way, s->n, 1, s->way);
        fill_lane(m, k, &f->slips, s->n, 1, s->slips);
    }
}

/* Change of the speeds and the slips without friction; the unknowns are kept. */
static inline void move_freely_small(const int n, const small_machine *s, const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_real gain[SMALL_SPEEDS];
    const sb_real *restrict column = s->free;
    sb_real *restrict start = f->x_start;
    const sb_real *restrict x = d->x;
    const int n_moving = n + m->n_q;
    for (int i = 0; i < n; ++i) {
        gain[i] = f->prop_constant[i];
    }
    for (int j = 0; j < n_moving; ++j, column += n) {
        start[j] = x[j];
        for (int i = 0; i < n; ++i) {
            gain[i] += column[i] * x[j];
        }
    }
    sb_copy(start + n_moving, x + n_moving, m->n_z);
    sb_real *source = start + SB_N_X(m);
    for (int k = 0; k < m->n_source; ++k, column += n) {
        source[k] = d->jet[SB_JET * m->source_signal[k]] + d->torque_offset[k];
        for (int i = 0; i < n; ++i) {
            gain[i] += column[i] * source[k];
        }
    }
    for (int i = 0; i < n; ++i) {
        f->change[i] = gain[i];
    }
    const sb_real *row = s->slips;
    for (int k = 0; k < m->n_friction; ++k, row += n) {
        sb_real slip = d->slip[SB_FRICTION_BRANCH(m, k)];
        for (int i = 0; i < n; ++i) {
            slip += row[i] * gain[i];
        }
        f->el_free[k] = slip;
    }
}

/* Speeds, positions and slips at the end of the step; the sum of the squares of the former. */
static inline sb_real move_small(const int n, const small_machine *s, const sb_model *m, sb_data *d, sb_fixed *f)
{
    sb_real way[SMALL_SPEEDS];
    sb_real speed[SMALL_SPEEDS];
    sb_real *restrict change = f->change;
    sb_real *restrict x = d->x;
    const sb_real *restrict start = f->x_start;
    sb_real size = SB_R(0.0);
    for (int i = 0; i < n; ++i) {
        const sb_real gain = change[i] - f->own_push[i] * f->el_tau[f->own_el[i]];
        change[i] = gain;
        way[i] = f->h * (start[i] + 0.5 * gain);
        speed[i] = start[i] + gain;
        x[i] = speed[i];
        size += speed[i] * speed[i];
    }
    const sb_real *restrict row = s->way;
    for (int r = n; r < n + m->n_q; ++r, row += n) {
        sb_real turn = SB_R(0.0);
        for (int i = 0; i < n; ++i) {
            turn += row[i] * way[i];
        }
        change[r] = turn;
        x[r] = start[r] + turn;
        size += x[r] * x[r];
    }
    row = s->slips;
    for (int k = 0; k < m->n_friction; ++k, row += n) {
        sb_real slip = d->slip0[SB_FRICTION_BRANCH(m, k)];
        for (int i = 0; i < n; ++i) {
            slip += row[i] * speed[i];
        }
        d->slip[SB_FRICTION_BRANCH(m, k)] = slip;
    }
    return size;
}

/* Both for each number of speeds. */
#define SMALL_CASES(X) X(1) X(2) X(3) X(4) X(5) X(6)

static void free_small(const small_machine *s, const sb_model *m, sb_data *d, sb_fixed *f)
{
    switch (s->n) {
#define X(n)                              \
    case n:                               \
        move_freely_small(n, s, m, d, f); \
        break;
        SMALL_CASES(X)
#undef X
    }
}

static sb_real unknowns_small(const small_machine *s, const sb_model *m, sb_data *d, sb_fixed *f)
{
    switch (s->n) {
#define X(n) \
    case n:  \
        return move_small(n, s, m, d, f);
        SMALL_CASES(X)
#undef X
    }
    return SB_R(0.0);
}
