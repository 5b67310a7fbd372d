#include <float.h>

#include "check.h"
#include "stick/sb_stick.h"

/* The decision about one contact, over all combinations of what is known of it: what it answers is a mode that the
 * contact can have, its mirror image gets the mirrored answer, an answer holds when it is asked for again, and a change
 * by a few ulp changes nothing but from sliding to asking the others. */

#define REST 1e-12
#define WINDOW 0.1
#define RELEASE 0.01
#define LEAVING 1e-7
#define JUMPED 1e-6

static const double SLIPS[] = {0.0,           0.5 * REST,   0.5 * LEAVING, 2.0 * LEAVING,
                               0.5 * RELEASE, 0.5 * WINDOW, WINDOW,        2.0 * WINDOW};
enum { N_SLIPS = sizeof SLIPS / sizeof *SLIPS };

static int is_sliding(int mode)
{
    return mode == SB_FORWARD || mode == SB_BACKWARD;
}

static int mirrored(int mode)
{
    return is_sliding(mode) ? -mode : mode;
}

/* The same contact seen the other way round. The event functions of a stuck one change places, but for a load that
 * ends, which is always the second. */
static sb_facts mirror(const sb_facts *f)
{
    sb_facts other = *f;
    other.mode = mirrored(f->mode);
    other.together = -f->together;
    other.blocks = -f->blocks;
    other.slip = -f->slip;
    other.trend = -f->trend;
    if (f->mode == SB_STUCK) {
        other.fired = f->fired_back;
        other.fired_back = f->fired;
    }
    return other;
}

static int same(const sb_verdict *a, const sb_verdict *b)
{
    return a->outcome == b->outcome && a->mode == b->mode && a->phase == b->phase && a->favours == b->favours;
}

static void check_answer(const sb_facts *f, const sb_verdict *v)
{
    switch (v->outcome) {
    case SB_OPENS:
        CHECK(v->mode == SB_FREE && v->phase == SB_PLAIN);
        break;
    case SB_SLIDES:
        CHECK(is_sliding(v->mode) || !f->free);
        CHECK(v->mode != f->blocks || f->blocks == 0 || f->mode == f->blocks || !f->free || f->kind != SB_LOCK_SWITCH);
        break;
    case SB_BLOCKS:
        CHECK(!f->free && v->mode == f->blocks);
        break;
    case SB_MAY_STICK:
        CHECK(v->mode == SB_STUCK && f->free);
        CHECK(fabs(f->slip) <= f->window + f->jumped || f->blocks != 0 || f->fired || f->mode * f->slip < 0.0);
        break;
    }
}

static void check_mirror(const sb_facts *f, const sb_verdict *v)
{
    const int ends = f->mode == SB_STUCK && f->load != SB_LOADED;
    if (ends || f->literal || (f->mode == SB_STUCK && f->fired && f->fired_back)) {
        return;
    }
    const sb_facts other = mirror(f);
    sb_verdict expected = *v;
    expected.mode = mirrored(v->mode);
    expected.favours = -v->favours;
    const sb_verdict answer = sb_classify(&other);
    CHECK(same(&answer, &expected));
}

/* What opens or slides, and does not sit on an edge, does so again when nothing has happened. */
static void check_again(const sb_facts *f, const sb_verdict *v)
{
    sb_facts after = *f;
    after.mode = v->mode;
    after.phase = v->phase;
    after.fired = after.fired_back = after.together = 0;
    const sb_verdict again = sb_classify(&after);
    const int apart = f->end_stop && f->mode == SB_FREE;
    if (v->outcome == SB_OPENS && (f->load == SB_UNLOADED || apart)) {
        CHECK(again.outcome == SB_OPENS);
    }
    const int closed = f->load == SB_LOADED && !f->end_stop;
    if (v->outcome == SB_SLIDES && closed && f->free && !f->literal && v->mode * f->slip > f->rest) {
        CHECK(again.outcome == SB_SLIDES && again.mode == v->mode);
    }
    // where it is at rest, it may be asked, and slides on if that is as good
    if (v->outcome == SB_SLIDES && f->free && !f->literal && f->kind == SB_LOCK_SWITCH && again.outcome != SB_OPENS) {
        CHECK(again.mode == v->mode || (again.outcome == SB_MAY_STICK && again.favours == v->mode));
    }
}

/* By a few ulp an answer changes only to a neighbour: from sliding to asking with the same direction favoured. */
static void check_ulp(const sb_facts *f, const sb_verdict *v)
{
    for (int ulp = -4; ulp <= 4; ulp += 2) {
        sb_facts near = *f;
        near.slip = f->slip * (1.0 + ulp * DBL_EPSILON);
        const sb_verdict other = sb_classify(&near);
        const int both_move = v->outcome == SB_SLIDES && other.outcome == SB_SLIDES;
        CHECK(!both_move || v->mode == other.mode);
        CHECK(v->outcome == other.outcome || (v->outcome != SB_OPENS && other.outcome != SB_OPENS));
    }
}

static void check_facts(const sb_facts *f)
{
    const sb_verdict v = sb_classify(f);
    check_answer(f, &v);
    check_mirror(f, &v);
    check_again(f, &v);
    check_ulp(f, &v);
}

static void walk_slips(sb_facts f, long *count)
{
    for (int i = 0; i < N_SLIPS; ++i) {
        for (int sign = -1; sign <= 1; sign += 2) {
            f.slip = sign * SLIPS[i];
            f.trend = sign * (i % 2);
            check_facts(&f);
            ++*count;
        }
    }
}

/* Kinds of contacts: those that can be held, with or without a side that they block; stops; prescribed slips; literal.
 */
static void walk_elements(sb_facts f, long *count)
{
    static const struct {
        int free, blocks, end_stop, literal;
    } ELEMENTS[] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, -1, 0, 0}, {1, 1, 1, 0}, {1, -1, 1, 0},
                    {0, 0, 0, 0}, {0, 1, 0, 0}, {0, -1, 0, 0}, {1, 0, 0, 1}};
    for (size_t e = 0; e < sizeof ELEMENTS / sizeof *ELEMENTS; ++e) {
        f.free = ELEMENTS[e].free;
        f.blocks = ELEMENTS[e].blocks;
        f.end_stop = ELEMENTS[e].end_stop;
        f.literal = ELEMENTS[e].literal;
        for (int load = f.blocks == 0 ? SB_UNLOADED : SB_LOADED; load <= SB_LOADED; ++load) {
            f.load = (sb_load)load;
            walk_slips(f, count);
        }
    }
}

static int fits(sb_lock_kind kind, int mode, sb_phase phase)
{
    switch (phase) {
    case SB_PLAIN:
        return 1;
    case SB_LETTING_GO:
        return kind == SB_LOCK_KARNOPP && is_sliding(mode);
    case SB_FRESH_ALONG:
    case SB_FRESH_AGAINST:
    case SB_OVERRULED:
        return kind == SB_LOCK_HYBRID && is_sliding(mode);
    case SB_DECAYING:
        return kind == SB_LOCK_HYBRID && mode == SB_STUCK;
    }
    return 0;
}

int main(void)
{
    long count = 0;
    for (int kind = SB_LOCK_SWITCH; kind <= SB_LOCK_HYBRID; ++kind) {
        for (int mode = SB_BACKWARD; mode <= SB_FREE; ++mode) {
            for (int phase = SB_PLAIN; phase <= SB_OVERRULED; ++phase) {
                for (int events = 0; events < 4; ++events) {
                    for (int together = -1; together <= 1; ++together) {
                        if (!fits((sb_lock_kind)kind, mode, (sb_phase)phase) || (together != 0 && mode != SB_STUCK)) {
                            continue;
                        }
                        walk_elements((sb_facts){.kind = (sb_lock_kind)kind,
                                                 .window = kind == SB_LOCK_SWITCH ? 0.0 : WINDOW,
                                                 .release = kind == SB_LOCK_HYBRID ? RELEASE : INFINITY,
                                                 .mode = mode,
                                                 .phase = (sb_phase)phase,
                                                 .fired = events & 1,
                                                 .fired_back = events >> 1,
                                                 .together = together,
                                                 .rest = REST,
                                                 .leaving = LEAVING,
                                                 .jumped = JUMPED},
                                      &count);
                    }
                }
            }
        }
    }
    CHECK(count > 10000); // it has walked
    return check_result();
}
