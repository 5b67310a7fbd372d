#include "sb_fmu.h"

#include <stdlib.h>
#include <string.h>

/* The whole of an instance as bytes: its course, the inputs that were set, and the plant. */

static size_t fmu_n_values(const sb_fmu *f)
{
    return f->first[SB_FMU_INPUT + 1] - f->first[SB_FMU_INPUT];
}

size_t sb_fmu_state_size(const sb_fmu *f)
{
    return sizeof f->course + fmu_n_values(f) * sizeof *f->input + stribeck_snapshot_size(f->plant);
}

/* The model that a state belongs to, as a number (FNV-1a). */
static uint32_t fmu_mark_of(const sb_fmu *f)
{
    uint32_t hash = 2166136261u;
    for (const char *c = f->model.token; *c; ++c) {
        hash = (hash ^ (uint32_t)(unsigned char)*c) * 16777619u;
    }
    return hash + (uint32_t)f->kind;
}

void sb_fmu_save(const sb_fmu *f, void *state)
{
    char *to = state;
    sb_fmu_course course = f->course;
    course.count = (uint32_t)sb_fmu_state_size(f);
    course.mark = fmu_mark_of(f);
    memcpy(to, &course, sizeof course);
    memcpy(to + sizeof course, f->input, fmu_n_values(f) * sizeof *f->input);
    stribeck_save(f->plant, to + sizeof course + fmu_n_values(f) * sizeof *f->input);
}

sb_fmu_status sb_fmu_restore(sb_fmu *f, const void *state, size_t bytes)
{
    const char *from = state;
    sb_fmu_course course;
    if (bytes != sb_fmu_state_size(f)) {
        return sb_fmu_refuse(f, "the saved state is not one of this FMU");
    }
    memcpy(&course, from, sizeof course);
    if (course.count != bytes || course.mark != fmu_mark_of(f)) {
        return sb_fmu_refuse(f, "the saved state is not one of this FMU");
    }
    const size_t values = fmu_n_values(f) * sizeof *f->input;
    const size_t start = sizeof course + values;
    const sb_fmu_status status = sb_fmu_check(f, stribeck_restore(f->plant, from + start, bytes - start));
    if (status == SB_FMU_OK) {
        f->course = course;
        memcpy(f->input, from + sizeof course, values);
    }
    return status;
}

sb_fmu_status sb_fmu_get_state(sb_fmu *f, void **state)
{
    if (!*state) {
        *state = malloc(sb_fmu_state_size(f));
    }
    if (!*state) {
        return sb_fmu_refuse(f, "there is no memory for a state");
    }
    sb_fmu_save(f, *state);
    return SB_FMU_OK;
}

sb_fmu_status sb_fmu_set_state(sb_fmu *f, const void *state)
{
    return state ? sb_fmu_restore(f, state, sb_fmu_state_size(f)) : sb_fmu_refuse(f, "there is no such state");
}

void sb_fmu_free_state(void **state)
{
    if (state) {
        free(*state);
        *state = NULL;
    }
}

sb_fmu_status sb_fmu_serialise(sb_fmu *f, const void *state, void *bytes, size_t size)
{
    if (!state || size < sb_fmu_state_size(f)) {
        return sb_fmu_refuse(f, "there is no such state, or too little room for it");
    }
    memcpy(bytes, state, sb_fmu_state_size(f));
    return SB_FMU_OK;
}

sb_fmu_status sb_fmu_deserialise(sb_fmu *f, const void *bytes, size_t size, void **state)
{
    if (size != sb_fmu_state_size(f)) {
        return sb_fmu_refuse(f, "the bytes are no state of this FMU");
    }
    if (!*state) {
        *state = malloc(size);
    }
    if (!*state) {
        return sb_fmu_refuse(f, "there is no memory for a state");
    }
    memcpy(*state, bytes, size);
    return SB_FMU_OK;
}
