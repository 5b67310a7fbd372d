#include <string.h>

#include "runtime/sb_runtime.h"

/* Models as data: three arrays of constants that are read without being copied. */

typedef struct reader {
    const int *integer;
    const double *number;
    size_t n_integer, n_number; /* that are left */
    int ok;
} reader;

static const int *image_take_int(reader *r, int length)
{
    const int *found = r->integer;
    r->ok = r->ok && length >= 0 && (size_t)length <= r->n_integer;
    if (r->ok) {
        r->integer += length;
        r->n_integer -= (size_t)length;
    }
    return found;
}

static const double *image_take_double(reader *r, int length)
{
    const double *found = r->number;
    r->ok = r->ok && length >= 0 && (size_t)length <= r->n_number;
    if (r->ok) {
        r->number += length;
        r->n_number -= (size_t)length;
    }
    return found;
}

/* Numbers of a model are among its values, which belong to a plant. */
static const double *image_leave_double(reader *r, int length)
{
    r->ok = r->ok && length >= 0;
    return NULL;
}

#define image_leave_int image_take_int

static int take_count(reader *r)
{
    const int *found = image_take_int(r, 1);
    return r->ok ? *found : 0;
}

static void read_counts(reader *r, sb_image *g)
{
#define X(name) g->name = take_count(r);
    SB_IMAGE_COUNTS(X)
#undef X
    sb_model *m = &g->model;
#define X(name)              \
    m->name = take_count(r); \
    r->ok = r->ok && m->name >= 0;
    SB_MODEL_SIZES(X)
#undef X
    sb_tape *t = &g->tape;
#define X(name)              \
    t->name = take_count(r); \
    r->ok = r->ok && t->name >= 0;
    SB_TAPE_SIZES(X)
#undef X
}

static void read_arrays(reader *r, sb_image *g)
{
#define X(type, name, length) g->name = image_take_##type(r, length);
    SB_IMAGE_ARRAYS(X)
#undef X
    sb_model *m = &g->model;
#define X(type, name, length) m->name = image_leave_##type(r, length);
    SB_MODEL_ARRAYS(X)
#undef X
    sb_tape *t = &g->tape;
#define X(type, name, length) t->name = image_take_##type(r, length);
    SB_TAPE_ARRAYS(X)
#undef X
}

static int value_length_int(int length)
{
    (void)length;
    return 0;
}

static int value_length_double(int length)
{
    return length;
}

/* States at the start, and all numbers of the model. */
static int n_values(const sb_model *m)
{
    int n = SB_N_Y(m);
#define X(type, name, length) n += value_length_##type(length);
    SB_MODEL_ARRAYS(X)
#undef X
    return n;
}

static int group_count(const sb_image *g, sb_texts group)
{
    switch (group) {
#define X(name, count)   \
    case SB_TEXT_##name: \
        return count;
        SB_IMAGE_STRINGS(X)
#undef X
    case SB_N_TEXTS:
        break;
    }
    return 0;
}

static int texts_ok(const sb_image *g, size_t n_text)
{
    int n = 0;
    for (int group = 0; group < SB_N_TEXTS; ++group) {
        n += group_count(g, (sb_texts)group);
    }
    for (int i = 0; i < g->n_string; ++i) {
        if (g->string_at[i] < 0 || (size_t)g->string_at[i] >= n_text) {
            return 0;
        }
    }
    return n == g->n_string && n_text > 0 && g->text[n_text - 1] == '\0';
}

static int numbers_ok(int n, const int *number, int low, int high)
{
    for (int i = 0; i < n; ++i) {
        if (number[i] < low || number[i] >= high) {
            return 0;
        }
    }
    return 1;
}

static int inputs_ok(const sb_image *g)
{
    const sb_model *m = &g->model;
    for (int i = 0; i < g->n_input; ++i) {
        const int node = g->input_node[i];
        if (node < 0 || node >= m->n_signal || m->signal_memory_ptr[node + 1] <= m->signal_memory_ptr[node]) {
            return 0;
        }
    }
    return numbers_ok(g->n_parameter, g->parameter_place, 0, g->tape.n_input) &&
           numbers_ok(g->n_parameter, g->parameter_remainder, -1, g->tape.n_input) &&
           numbers_ok(g->n_follower, g->follower, 0, g->n_parameter) &&
           numbers_ok(g->n_follower, g->follower_of, 0, g->n_parameter) &&
           numbers_ok(m->n_friction, g->law_own, -1, g->n_own);
}

sb_status sb_image_read(const stribeck_model *model, sb_image *g)
{
    memset(g, 0, sizeof *g);
    reader r = {model->integers, model->numbers, model->n_integers, model->n_numbers, 1};
    if (take_count(&r) != SB_IMAGE_MARK || take_count(&r) != SB_IMAGE_VERSION) {
        return SB_BAD_MODEL;
    }
    read_counts(&r, g);
    if (r.ok) {
        read_arrays(&r, g);
    }
    g->text = model->text;
    const int ok = r.ok && r.n_integer == 0 && r.n_number == 0 && g->tape.n_value == n_values(&g->model) &&
                   texts_ok(g, model->n_text) && inputs_ok(g);
    return ok ? SB_OK : SB_BAD_MODEL;
}

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) */
static uint32_t mark_bytes(uint32_t mark, const unsigned char *byte, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        mark = (mark ^ byte[i]) * 16777619u;
    }
    return mark;
}

uint32_t sb_image_mark(const stribeck_model *model)
{
    const uint32_t mark = mark_bytes(2166136261u, (const void *)model->integers, model->n_integers * sizeof(int));
    return mark_bytes(mark, (const void *)model->text, model->n_text);
}

static const double *image_place_double(const double *old, const double **next, int length)
{
    const double *found = *next;
    (void)old;
    *next += length;
    return found;
}

static const int *image_place_int(const int *old, const double **next, int length)
{
    (void)next;
    (void)length;
    return old;
}

void sb_image_values(sb_model *m, const double *value)
{
    const double *next = value + SB_N_Y(m);
#define X(type, name, length) m->name = image_place_##type(m->name, &next, length);
    SB_MODEL_ARRAYS(X)
#undef X
}

int sb_image_texts(const sb_image *g, sb_texts group)
{
    return group_count(g, group);
}

const char *sb_image_text(const sb_image *g, sb_texts group, int number)
{
    int first = 0;
    for (int i = 0; i < (int)group; ++i) {
        first += group_count(g, (sb_texts)i);
    }
    return number >= 0 && number < group_count(g, group) ? g->text + g->string_at[first + number] : "";
}

static sb_status make_own(const sb_image *g, sb_law_tape *own)
{
    const int *code = g->own_code;
    const double *constant = g->own_constant;
    int n_code = g->n_own_code;
    int n_constant = g->n_own_constant;
    for (int i = 0; i < g->n_own; ++i) {
        const int *fact = g->own_facts + SB_OWN_FACTS * i;
        sb_law law = {0};
        law.name = sb_image_text(g, SB_TEXT_own_law, i);
        law.family = (sb_family)fact[SB_OWN_family];
        law.lock = (sb_lock_kind)fact[SB_OWN_lock];
        law.n_param = fact[SB_OWN_n_param];
        law.n_state = law.n_moving = fact[SB_OWN_n_state];
        law.n_guard = fact[SB_OWN_n_guard];
        law.has_curve = fact[SB_OWN_has_curve];
        law.linear = fact[SB_OWN_linear];
        n_code -= fact[SB_OWN_n_code];
        n_constant -= fact[SB_OWN_n_constant];
        if (fact[SB_OWN_n_code] < 0 || fact[SB_OWN_n_constant] < 0 || n_code < 0 || n_constant < 0) {
            return SB_BAD_MODEL;
        }
        SB_TRY(sb_law_tape_make(own + i, &law, code, fact[SB_OWN_n_code], constant, fact[SB_OWN_n_constant]));
        code += fact[SB_OWN_n_code];
        constant += fact[SB_OWN_n_constant];
    }
    return SB_OK;
}

sb_status sb_image_laws(sb_image *g, const sb_law_memory *memory)
{
    sb_model *m = &g->model;
    SB_TRY(make_own(g, memory->own));
    for (int f = 0; f < m->n_friction; ++f) {
        const int own = g->law_own[f];
        const int known = own < 0 ? sb_law_find(sb_image_text(g, SB_TEXT_law, f)) : -1;
        if (own < 0 && known < 0) {
            return SB_BAD_MODEL;
        }
        memory->law[f] = own >= 0 ? &memory->own[own].law : &sb_laws[known];
        const int count = m->fr_count[f];
        if (memory->law[f]->count > 0 && count > 0 && count != memory->law[f]->count) {
            memory->counted[f] = sb_law_counted(memory->law[f], count);
            memory->law[f] = memory->counted + f;
        }
    }
    m->fr_law = memory->law;
    return SB_OK;
}

/* The head of a block: mark, version, and how many integers, numbers and bytes of text follow. */
enum { HEAD_MARK, HEAD_VERSION, HEAD_INTEGERS, HEAD_NUMBERS, HEAD_TEXT, HEAD_ZERO, HEAD };

int stribeck_read(const void *block, size_t bytes, stribeck_model *model)
{
    const int *head = block;
    const size_t start = HEAD * sizeof *head;
    if (bytes < start || head[HEAD_MARK] != SB_IMAGE_MARK || head[HEAD_VERSION] != SB_IMAGE_VERSION ||
        head[HEAD_INTEGERS] < 0 || head[HEAD_NUMBERS] < 0 || head[HEAD_TEXT] < 0) {
        return 1;
    }
    model->n_integers = (size_t)head[HEAD_INTEGERS];
    model->n_numbers = (size_t)head[HEAD_NUMBERS];
    model->n_text = (size_t)head[HEAD_TEXT];
    model->numbers = (const void *)((const char *)block + start);
    model->integers = (const void *)(model->numbers + model->n_numbers);
    model->text = (const void *)(model->integers + model->n_integers);
    return bytes != start + model->n_numbers * sizeof(double) + model->n_integers * sizeof(int) + model->n_text;
}

static sb_texts names_of(stribeck_kind kind)
{
    switch (kind) {
    case STRIBECK_INPUT:
        return SB_TEXT_input_name;
    case STRIBECK_OUTPUT:
        return SB_TEXT_output_name;
    case STRIBECK_PARAMETER:
        return SB_TEXT_parameter_name;
    case STRIBECK_STATE:
        return SB_TEXT_state_name;
    case STRIBECK_MODE:
        return SB_TEXT_contact;
    }
    return SB_N_TEXTS;
}

int stribeck_count(const stribeck_model *model, stribeck_kind kind)
{
    sb_image g;
    return sb_image_read(model, &g) == SB_OK ? sb_image_texts(&g, names_of(kind)) : 0;
}

const char *stribeck_name(const stribeck_model *model, stribeck_kind kind, int number)
{
    sb_image g;
    return sb_image_read(model, &g) == SB_OK ? sb_image_text(&g, names_of(kind), number) : "";
}

const char *stribeck_unit(const stribeck_model *model, stribeck_kind kind, int number)
{
    sb_image g;
    if (sb_image_read(model, &g) != SB_OK || number < 0 || number >= sb_image_texts(&g, names_of(kind))) {
        return "";
    }
    return kind == STRIBECK_MODE ? "1" : sb_image_text(&g, (sb_texts)(names_of(kind) + 1), number);
}

int stribeck_find(const stribeck_model *model, stribeck_kind kind, const char *name)
{
    sb_image g;
    const int n = sb_image_read(model, &g) == SB_OK ? sb_image_texts(&g, names_of(kind)) : 0;
    for (int i = 0; i < n; ++i) {
        if (strcmp(sb_image_text(&g, names_of(kind), i), name) == 0) {
            return i;
        }
    }
    return -1;
}

stribeck_options stribeck_defaults(const stribeck_model *model)
{
    stribeck_options opt = {STRIBECK_FIXED, 0.0, 0.0, 1, 0.0, 0.0};
    sb_image g;
    if (sb_image_read(model, &g) == SB_OK) {
        opt.h = g.setting[SB_SETTING_h];
        opt.substeps = (int)g.setting[SB_SETTING_substeps];
        opt.tolerance = g.setting[SB_SETTING_tolerance];
        opt.t_end = g.setting[SB_SETTING_t_end];
    }
    return opt;
}
