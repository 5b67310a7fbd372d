#include "sb_fmu.h"

#include <math.h>
#include <string.h>

/* Model Exchange: the tool integrates. Between two events modes and branches of signals are constant. */

static sb_fmu_status fmu_expect_length(sb_fmu *f, size_t n, size_t length)
{
    return n == length ? SB_FMU_OK : sb_fmu_refuse(f, "the length of an array is not that of the model description");
}

sb_fmu_status sb_fmu_enter_event(sb_fmu *f)
{
    const sb_fmu_status status = sb_fmu_expect(f, "EnterEventMode", SB_FMU_EVENT, SB_FMU_CONTINUOUS);
    f->course.phase = status ? f->course.phase : SB_FMU_EVENT;
    return status;
}

sb_fmu_status sb_fmu_enter_continuous(sb_fmu *f)
{
    const sb_fmu_status status = sb_fmu_expect(f, "EnterContinuousTimeMode", SB_FMU_EVENT, SB_FMU_CONTINUOUS);
    f->course.phase = status ? f->course.phase : SB_FMU_CONTINUOUS;
    return status;
}

sb_fmu_status sb_fmu_update(sb_fmu *f, sb_fmu_event *event)
{
    stribeck_event found = {0, 0, INFINITY};
    const sb_fmu_status status = sb_fmu_check(f, stribeck_update(f->plant, &found));
    event->states_changed = found.states_changed;
    event->has_next = isfinite(found.next);
    event->next = event->has_next ? found.next : 0.0;
    if (status == SB_FMU_OK) {
        sb_fmu_log_changes(f);
    }
    return status;
}

sb_fmu_status sb_fmu_set_time(sb_fmu *f, double t)
{
    return sb_fmu_check(f, stribeck_place(f->plant, t, NULL));
}

sb_fmu_status sb_fmu_set_states(sb_fmu *f, const double *x, size_t n)
{
    const sb_fmu_status status = fmu_expect_length(f, n, sb_fmu_n_state(f));
    return status || n == 0 ? status : sb_fmu_check(f, stribeck_place(f->plant, stribeck_time(f->plant), x));
}

/* Some tools set states as variables. */
sb_fmu_status sb_fmu_set_one_state(sb_fmu *f, int number, double value)
{
    stribeck_states(f->plant, f->rate);
    f->rate[number] = value;
    return sb_fmu_check(f, stribeck_place(f->plant, stribeck_time(f->plant), f->rate));
}

sb_fmu_status sb_fmu_states(sb_fmu *f, double *x, size_t n)
{
    sb_fmu_status status = fmu_expect_length(f, n, sb_fmu_n_state(f));
    status = status ? status : sb_fmu_ensure_started(f);
    if (status == SB_FMU_OK) {
        stribeck_states(f->plant, x);
    }
    return status;
}

sb_fmu_status sb_fmu_rates(sb_fmu *f, double *rate, size_t n)
{
    sb_fmu_status status = fmu_expect_length(f, n, sb_fmu_n_state(f));
    status = status ? status : sb_fmu_ensure_started(f);
    return status ? status : sb_fmu_check(f, stribeck_rates(f->plant, rate));
}

sb_fmu_status sb_fmu_indicators(sb_fmu *f, double *value, size_t n)
{
    sb_fmu_status status = fmu_expect_length(f, n, sb_fmu_n_indicator(f));
    status = status ? status : sb_fmu_ensure_started(f);
    return status || n == 0 ? status : sb_fmu_check(f, stribeck_indicators(f->plant, value));
}

sb_fmu_status sb_fmu_nominals(sb_fmu *f, double *size, size_t n)
{
    const sb_fmu_status status = fmu_expect_length(f, n, sb_fmu_n_state(f));
    for (size_t i = 0; i < n && status == SB_FMU_OK; ++i) {
        size[i] = stribeck_nominal(f->plant, (int)i);
    }
    return status;
}

/* The seed of all states and inputs from that of the knowns. */
static sb_fmu_status fmu_spread_seed(sb_fmu *f, const uint32_t *known, size_t n_known, const double *seed)
{
    const size_t n_state = sb_fmu_n_state(f);
    memset(f->seed_state, 0, (n_state + f->first[SB_FMU_INPUT + 1] - f->first[SB_FMU_INPUT]) * sizeof *f->seed_state);
    for (size_t i = 0; i < n_known; ++i) {
        int number;
        const sb_fmu_block block = sb_fmu_find(f, known[i], &number);
        if (block != SB_FMU_STATE && block != SB_FMU_INPUT) {
            return sb_fmu_refuse(f, "directional derivatives are those by states and inputs");
        }
        f->seed_state[(block == SB_FMU_INPUT ? n_state : 0) + (size_t)number] = seed[i];
    }
    return SB_FMU_OK;
}

sb_fmu_status sb_fmu_directional(sb_fmu *f, const uint32_t *unknown, size_t n_unknown, const uint32_t *known,
                                 size_t n_known, const double *seed, double *sensitivity)
{
    const size_t n_state = sb_fmu_n_state(f);
    if (f->kind != SB_FMU_EXCHANGE) {
        return sb_fmu_refuse(f, "directional derivatives are those of Model Exchange");
    }
    sb_fmu_status status = sb_fmu_ensure_started(f);
    status = status ? status : fmu_spread_seed(f, known, n_known, seed);
    double *rate = f->rate;
    double *output = f->rate + n_state;
    if (status == SB_FMU_OK) {
        status = sb_fmu_check(f, stribeck_directional(f->plant, f->seed_state, f->seed_state + n_state, rate, output));
    }
    for (size_t i = 0; i < n_unknown && status == SB_FMU_OK; ++i) {
        int number;
        const sb_fmu_block block = sb_fmu_find(f, unknown[i], &number);
        if (block != SB_FMU_RATE && block != SB_FMU_OUTPUT && block != SB_FMU_STATE) {
            return sb_fmu_refuse(f, "directional derivatives are those of rates and outputs");
        }
        const double *from = block == SB_FMU_RATE ? rate : block == SB_FMU_OUTPUT ? output : f->seed_state;
        sensitivity[i] = from[number];
    }
    return status;
}
