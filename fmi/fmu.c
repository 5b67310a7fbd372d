#include "sb_fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sb_runtime.h" /* numbers in texts, without the locale */

/* An instance: from its memory to its end, and its values. */

static const char *const FMU_CATEGORIES[SB_FMU_N_CATEGORIES] = {"logStatusError", "logStatusWarning", "logEvents"};

static void fmu_say(const sb_fmu *f, sb_fmu_category category, sb_fmu_status status, const char *text)
{
    if (f->logger.say && f->logs[category]) {
        f->logger.say(f->logger.instance, status, FMU_CATEGORIES[category], text);
    }
}

sb_fmu_status sb_fmu_refuse(sb_fmu *f, const char *text)
{
    fmu_say(f, SB_FMU_LOG_ERROR, SB_FMU_ERROR, text);
    return SB_FMU_ERROR;
}

sb_fmu_status sb_fmu_check(sb_fmu *f, int failed)
{
    return failed ? sb_fmu_refuse(f, stribeck_error(f->plant)) : SB_FMU_OK;
}

sb_fmu_status sb_fmu_expect(sb_fmu *f, const char *call, sb_fmu_phase first, sb_fmu_phase last)
{
    if (f->course.phase >= first && f->course.phase <= last) {
        return SB_FMU_OK;
    }
    static const char *const words[] = {"after instantiation",     "in initialisation mode", "in event mode",
                                        "in continuous-time mode", "in step mode",           "after the end"};
    char text[SB_ERROR_LENGTH] = "";
    sb_line_text(text, call);
    sb_line_text(text, " is not allowed ");
    sb_line_text(text, words[f->course.phase]);
    return sb_fmu_refuse(f, text);
}

sb_fmu_status sb_fmu_log(sb_fmu *f, int on, size_t n, const char *const *categories)
{
    for (int i = 0; i < SB_FMU_N_CATEGORIES; ++i) {
        int named = n == 0;
        for (size_t k = 0; k < n; ++k) {
            named |= strcmp(categories[k], FMU_CATEGORIES[i]) == 0 || strcmp(categories[k], "logAll") == 0;
        }
        f->logs[i] = named ? on : f->logs[i];
    }
    return SB_FMU_OK;
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void fmu_number_blocks(sb_fmu *f)
{
    const stribeck_model *m = &f->model.model;
    const size_t length[SB_FMU_N_BLOCKS] = {
        [SB_FMU_TIME] = 1,
        [SB_FMU_SETTING] = SB_FMU_N_SETTINGS,
        [SB_FMU_INPUT] = (size_t)stribeck_count(m, STRIBECK_INPUT),
        [SB_FMU_PARAMETER] = (size_t)stribeck_count(m, STRIBECK_PARAMETER),
        [SB_FMU_CONSTANT] = f->model.n_constant,
        [SB_FMU_OUTPUT] = (size_t)stribeck_count(m, STRIBECK_OUTPUT),
        [SB_FMU_STATE] = (size_t)stribeck_count(m, STRIBECK_STATE),
        [SB_FMU_RATE] = (size_t)stribeck_count(m, STRIBECK_STATE),
        [SB_FMU_INDICATOR] = (size_t)stribeck_n_indicators(f->plant),
    };
    for (int i = 0; i < SB_FMU_N_BLOCKS; ++i) {
        f->first[i + 1] = f->first[i] + (uint32_t)length[i];
    }
}

static size_t fmu_block_length(const sb_fmu *f, sb_fmu_block block)
{
    return f->first[block + 1] - f->first[block];
}

static int fmu_make_arrays(sb_fmu *f)
{
    const size_t n_input = fmu_block_length(f, SB_FMU_INPUT);
    const size_t n_parameter = fmu_block_length(f, SB_FMU_PARAMETER);
    const size_t n_state = fmu_block_length(f, SB_FMU_STATE);
    const size_t n_output = fmu_block_length(f, SB_FMU_OUTPUT);
    const size_t n_indicator = fmu_block_length(f, SB_FMU_INDICATOR);
    const size_t n = 2 * n_input + n_parameter + 2 * n_state + n_output + n_indicator;
    f->n_mode = stribeck_count(&f->model.model, STRIBECK_MODE);
    f->input = calloc(n + 1, sizeof *f->input);
    f->mode = calloc((size_t)f->n_mode + 1, sizeof *f->mode);
    if (!f->input || !f->mode) {
        return 0;
    }
    f->original = f->input + n_input;
    f->rate = f->original + n_parameter;
    f->indicator = f->rate + n_state + n_output;
    f->seed_state = f->indicator + n_indicator;
    for (size_t i = 0; i < n_parameter; ++i) {
        f->original[i] = stribeck_get(f->plant, STRIBECK_PARAMETER, (int)i);
    }
    return 1;
}

static void fmu_default_course(sb_fmu *f)
{
    const stribeck_options opt = stribeck_defaults(&f->model.model);
    f->course = (sb_fmu_course){.phase = SB_FMU_INSTANTIATED, .stop = opt.t_end};
    f->course.setting[SB_FMU_SOLVER] = SB_FMU_ADAPTIVE;
    f->course.setting[SB_FMU_STEP] = opt.h;
    f->course.setting[SB_FMU_TOLERANCE] = opt.tolerance;
    for (size_t i = 0; i < fmu_block_length(f, SB_FMU_INPUT); ++i) {
        f->input[i] = NAN; // not set
    }
}

static const char *fmu_make_plant(sb_fmu *f, const char *token)
{
    if (!token || strcmp(token, f->model.token) != 0) {
        return "the token (guid) of the model description is not that of the model in resources: do not mix two FMUs";
    }
    const size_t bytes = stribeck_size(&f->model.model);
    f->memory = bytes ? calloc(1, bytes) : NULL;
    f->plant = f->memory ? stribeck_new(&f->model.model, f->memory, bytes) : NULL;
    if (!f->plant) {
        return bytes ? "there is no memory for an instance" : "the model in resources does not fit this binary";
    }
    fmu_number_blocks(f);
    return fmu_make_arrays(f) ? NULL : "there is no memory for an instance";
}

sb_fmu *sb_fmu_new(sb_fmu_kind kind, const char *token, const char *folder, sb_fmu_logger logger, int logging)
{
    sb_fmu *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    f->kind = kind;
    f->logger = logger;
    sb_fmu_log(f, logging, 0, NULL);
    f->logs[SB_FMU_LOG_ERROR] = f->logs[SB_FMU_LOG_WARNING] = 1;
    const char *error = NULL;
    f->resource = sb_fmu_load(folder, &f->model, &error);
    error = error ? error : fmu_make_plant(f, token);
    if (error) {
        sb_fmu_refuse(f, error);
        sb_fmu_free(f);
        return NULL;
    }
    fmu_default_course(f);
    return f;
}

void sb_fmu_free(sb_fmu *f)
{
    if (f) {
        free(f->memory);
        free(f->input);
        free(f->mode);
        free(f->resource);
        free(f);
    }
}

/* --- from the start to the end ----------------------------------------------------------------------------------- */

void sb_fmu_experiment(sb_fmu *f, double t0, int has_tolerance, double tolerance, int has_stop, double stop)
{
    f->course.t0 = t0;
    f->course.stop = has_stop && stop > t0 ? stop : t0 + stribeck_defaults(&f->model.model).t_end;
    if (has_tolerance && tolerance > 0.0) {
        f->course.setting[SB_FMU_TOLERANCE] = fmin(fmax(tolerance, 1e-14), 0.1);
    }
    f->course.started = 0;
}

static void fmu_remember_modes(sb_fmu *f)
{
    for (int i = 0; i < f->n_mode; ++i) {
        f->mode[i] = (int)stribeck_get(f->plant, STRIBECK_MODE, i);
    }
}

static stribeck_solver fmu_solver_of(const sb_fmu *f)
{
    if (f->kind == SB_FMU_EXCHANGE) {
        return STRIBECK_EQUATIONS;
    }
    return f->course.setting[SB_FMU_SOLVER] == SB_FMU_FIXED ? STRIBECK_FIXED : STRIBECK_ADAPTIVE;
}

/* The plant at its start, with what was set since instantiation. */
sb_fmu_status sb_fmu_ensure_started(sb_fmu *f)
{
    if (f->course.started) {
        return SB_FMU_OK;
    }
    stribeck_options opt = stribeck_defaults(&f->model.model);
    opt.solver = fmu_solver_of(f);
    opt.t0 = f->course.t0;
    opt.t_end = f->course.stop;
    opt.h = f->course.setting[SB_FMU_STEP];
    opt.tolerance = f->course.setting[SB_FMU_TOLERANCE];
    int failed = stribeck_start(f->plant, &opt);
    for (int i = 0; i < (int)fmu_block_length(f, SB_FMU_INPUT) && !failed; ++i) {
        failed = !isnan(f->input[i]) && stribeck_set(f->plant, STRIBECK_INPUT, i, f->input[i]);
    }
    f->course.started = !failed;
    if (!failed) {
        fmu_remember_modes(f);
    }
    return sb_fmu_check(f, failed);
}

sb_fmu_status sb_fmu_initialise(sb_fmu *f)
{
    const sb_fmu_status status = sb_fmu_expect(f, "EnterInitializationMode", SB_FMU_INSTANTIATED, SB_FMU_INSTANTIATED);
    f->course.phase = status ? f->course.phase : SB_FMU_INITIALISING;
    return status;
}

sb_fmu_status sb_fmu_initialised(sb_fmu *f)
{
    sb_fmu_status status = sb_fmu_expect(f, "ExitInitializationMode", SB_FMU_INITIALISING, SB_FMU_INITIALISING);
    status = status ? status : sb_fmu_ensure_started(f);
    if (status == SB_FMU_OK) {
        f->course.phase = f->kind == SB_FMU_EXCHANGE ? SB_FMU_EVENT : SB_FMU_STEPPING;
    }
    return status;
}

sb_fmu_status sb_fmu_reset(sb_fmu *f)
{
    fmu_default_course(f);
    int failed = 0;
    for (int i = 0; i < (int)fmu_block_length(f, SB_FMU_PARAMETER); ++i) {
        if (stribeck_get(f->plant, STRIBECK_PARAMETER, i) != f->original[i]) {
            failed |= stribeck_set(f->plant, STRIBECK_PARAMETER, i, f->original[i]);
        }
    }
    return sb_fmu_check(f, failed);
}

sb_fmu_status sb_fmu_terminate(sb_fmu *f)
{
    f->course.phase = SB_FMU_TERMINATED;
    return SB_FMU_OK;
}

/* What may be wrong, for the logger: the first warnings, later one of many. */
static void fmu_log_warning(sb_fmu *f)
{
    enum { ALL_OF = 10, ONE_OF = 1000 };
    const char *text = stribeck_warning(f->plant);
    if (text[0] && (++f->n_warning <= ALL_OF || f->n_warning % ONE_OF == 0)) {
        fmu_say(f, SB_FMU_LOG_WARNING, SB_FMU_WARNING, text);
    }
}

void sb_fmu_log_changes(sb_fmu *f)
{
    fmu_log_warning(f);
    static const char *const word[] = {"Backward", "Stuck", "Forward", "Free"};
    if (!f->logs[SB_FMU_LOG_EVENTS] || !f->logger.say) {
        return;
    }
    for (int i = 0; i < f->n_mode; ++i) {
        const int now = (int)stribeck_get(f->plant, STRIBECK_MODE, i);
        const int before = f->mode[i];
        if (now != before && now >= -1 && now <= 2 && before >= -1 && before <= 2) {
            char text[SB_ERROR_LENGTH] = "at ";
            sb_line_number(text, stribeck_time(f->plant), 9);
            sb_line_text(text, " s: ");
            sb_line_text(text, stribeck_name(&f->model.model, STRIBECK_MODE, i));
            sb_line_text(text, " changes from ");
            sb_line_text(text, word[before + 1]);
            sb_line_text(text, " to ");
            sb_line_text(text, word[now + 1]);
            fmu_say(f, SB_FMU_LOG_EVENTS, SB_FMU_OK, text);
        }
        f->mode[i] = now;
    }
}

/* --- values ------------------------------------------------------------------------------------------------------ */

/* The block of a value reference, and the number in it. */
sb_fmu_block sb_fmu_find(const sb_fmu *f, uint32_t reference, int *number)
{
    int block = 0;
    while (block < SB_FMU_N_BLOCKS && reference >= f->first[block + 1]) {
        ++block;
    }
    *number = block < SB_FMU_N_BLOCKS ? (int)(reference - f->first[block]) : 0;
    return (sb_fmu_block)block;
}

static sb_fmu_status fmu_unknown(sb_fmu *f, uint32_t reference, const char *what)
{
    char text[SB_ERROR_LENGTH] = "value reference ";
    sb_line_number(text, (double)reference, 10);
    sb_line_text(text, ": ");
    sb_line_text(text, what);
    return sb_fmu_refuse(f, text);
}

static double fmu_from_array(sb_fmu *f, int number, int failed, const double *array, sb_fmu_status *status)
{
    *status = sb_fmu_check(f, failed);
    return array[number];
}

sb_fmu_status sb_fmu_get(sb_fmu *f, uint32_t reference, double *value)
{
    int number;
    const sb_fmu_block block = sb_fmu_find(f, reference, &number);
    sb_fmu_status status = block >= SB_FMU_OUTPUT && block < SB_FMU_N_BLOCKS ? sb_fmu_ensure_started(f) : SB_FMU_OK;
    if (status) {
        return status;
    }
    switch (block) {
    case SB_FMU_TIME:
        *value = sb_fmu_time(f);
        break;
    case SB_FMU_SETTING:
        *value = f->course.setting[number];
        break;
    case SB_FMU_INPUT:
        *value = isnan(f->input[number]) ? stribeck_get(f->plant, STRIBECK_INPUT, number) : f->input[number];
        break;
    case SB_FMU_PARAMETER:
        *value = stribeck_get(f->plant, STRIBECK_PARAMETER, number);
        break;
    case SB_FMU_CONSTANT:
        *value = f->model.constant[number];
        break;
    case SB_FMU_OUTPUT:
        *value = stribeck_get(f->plant, STRIBECK_OUTPUT, number);
        break;
    case SB_FMU_STATE:
        *value = stribeck_get(f->plant, STRIBECK_STATE, number);
        break;
    case SB_FMU_RATE:
        *value = fmu_from_array(f, number, stribeck_rates(f->plant, f->rate), f->rate, &status);
        break;
    case SB_FMU_INDICATOR:
        *value = 0.0; // Co-Simulation has none
        if (f->kind == SB_FMU_EXCHANGE) {
            *value = fmu_from_array(f, number, stribeck_indicators(f->plant, f->indicator), f->indicator, &status);
        }
        break;
    case SB_FMU_N_BLOCKS:
        return fmu_unknown(f, reference, "there is no such variable");
    }
    return status;
}

static sb_fmu_status fmu_set_setting(sb_fmu *f, uint32_t reference, int number, double value)
{
    if (f->course.phase > SB_FMU_INITIALISING) {
        return fmu_unknown(f, reference, "a setting of the simulation cannot change during a run");
    }
    if (number == SB_FMU_SOLVER && value != SB_FMU_ADAPTIVE && value != SB_FMU_FIXED) {
        return fmu_unknown(f, reference, "simulation.solver is 1 (Adaptive) or 2 (FixedStep)");
    }
    if (number != SB_FMU_SOLVER && !(value > 0.0 && isfinite(value))) {
        return fmu_unknown(f, reference, "a step or tolerance must be positive");
    }
    f->course.setting[number] = value;
    f->course.started = 0;
    return SB_FMU_OK;
}

sb_fmu_status sb_fmu_set(sb_fmu *f, uint32_t reference, double value)
{
    int number;
    const sb_fmu_block block = sb_fmu_find(f, reference, &number);
    if (!isfinite(value)) {
        return fmu_unknown(f, reference, "the value is not finite");
    }
    const int early = f->course.phase <= SB_FMU_INITIALISING;
    switch (block) {
    case SB_FMU_SETTING:
        return fmu_set_setting(f, reference, number, value);
    case SB_FMU_INPUT:
        f->input[number] = value;
        f->course.started = f->course.started && !early;
        return early ? SB_FMU_OK : sb_fmu_check(f, stribeck_set(f->plant, STRIBECK_INPUT, number, value));
    case SB_FMU_PARAMETER:
        if (stribeck_get(f->plant, STRIBECK_PARAMETER, number) == value) {
            return SB_FMU_OK; // tools set all of them at the start
        }
        if (stribeck_set(f->plant, STRIBECK_PARAMETER, number, value)) {
            return sb_fmu_check(f, 1);
        }
        f->course.started = f->course.started && !early;
        return SB_FMU_OK;
    case SB_FMU_CONSTANT:
        if (f->model.constant[number] == value) {
            return SB_FMU_OK;
        }
        return fmu_unknown(f, reference,
                           "the compiled structure depends on this parameter; export the model again with it");
    case SB_FMU_STATE:
        if (f->kind == SB_FMU_EXCHANGE && !early) {
            return sb_fmu_set_one_state(f, number, value);
        }
        return fmu_unknown(f, reference, "it is calculated; initial values have parameters");
    case SB_FMU_TIME:
    case SB_FMU_OUTPUT:
    case SB_FMU_RATE:
    case SB_FMU_INDICATOR:
        return fmu_unknown(f, reference, "it is calculated; initial values have parameters");
    case SB_FMU_N_BLOCKS:
        break;
    }
    return fmu_unknown(f, reference, "there is no such variable");
}

size_t sb_fmu_n_state(const sb_fmu *f)
{
    return fmu_block_length(f, SB_FMU_STATE);
}

size_t sb_fmu_n_indicator(const sb_fmu *f)
{
    return fmu_block_length(f, SB_FMU_INDICATOR);
}

/* --- Co-Simulation ----------------------------------------------------------------------------------------------- */

double sb_fmu_time(const sb_fmu *f)
{
    return f->course.started ? stribeck_time(f->plant) : f->course.t0;
}

sb_fmu_status sb_fmu_step(sb_fmu *f, double t, double h)
{
    const double now = stribeck_time(f->plant);
    if (!(h > 0.0) || !(fabs(t - now) <= 1e-6 * h)) { // a share of the step: masters add up times
        char text[SB_ERROR_LENGTH] = "DoStep from ";
        sb_line_number(text, t, 12);
        sb_line_text(text, " s by ");
        sb_line_number(text, h, 12);
        sb_line_text(text, " s: the instance is at ");
        sb_line_number(text, now, 12);
        sb_line_text(text, " s");
        return sb_fmu_refuse(f, text);
    }
    const sb_fmu_status status = sb_fmu_check(f, stribeck_advance(f->plant, t + h));
    if (status == SB_FMU_OK) {
        sb_fmu_log_changes(f);
    }
    return status;
}
