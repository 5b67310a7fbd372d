#include "sb_fmi3.h"

#include <stdlib.h>

#include "sb_fmu.h"

/* FMI 3.0: every function of the standard, for Model Exchange and Co-Simulation; Scheduled Execution is refused. */

#ifdef FMI3_FUNCTION_PREFIX
#define FMI3(name) SB_FMU_EXPORT fmi3Status SB_FMU_JOIN(FMI3_FUNCTION_PREFIX, name)
#define FMI3_OTHER(type, name) SB_FMU_EXPORT type SB_FMU_JOIN(FMI3_FUNCTION_PREFIX, name)
#else
#define FMI3(name) SB_FMU_EXPORT fmi3Status name
#define FMI3_OTHER(type, name) SB_FMU_EXPORT type name
#endif

typedef struct fmi3_instance {
    sb_fmu *fmu;
    fmi3LogMessageCallback logger;
    fmi3InstanceEnvironment environment;
} fmi3_instance;

static sb_fmu *fmu3(fmi3Instance c)
{
    return ((fmi3_instance *)c)->fmu;
}

static void say3(void *instance, sb_fmu_status status, const char *category, const char *text)
{
    const fmi3_instance *c = instance;
    if (c->logger) {
        c->logger(c->environment, (fmi3Status)status, category, text);
    }
}

static fmi3Status refuse3(fmi3Instance c, const char *text)
{
    return (fmi3Status)sb_fmu_refuse(fmu3(c), text);
}

FMI3_OTHER(const char *, fmi3GetVersion)(void)
{
    return "3.0";
}

FMI3(fmi3SetDebugLogging)(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[])
{
    return (fmi3Status)sb_fmu_log(fmu3(c), on, n, categories);
}

static fmi3Instance instantiate3(sb_fmu_kind kind, fmi3String token, fmi3String resources, fmi3Boolean logging,
                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger)
{
    fmi3_instance *instance = calloc(1, sizeof *instance);
    if (!instance) {
        return NULL;
    }
    instance->logger = logger;
    instance->environment = environment;
    instance->fmu = sb_fmu_new(kind, token, resources, (sb_fmu_logger){say3, instance}, logging);
    if (!instance->fmu) {
        free(instance);
        return NULL;
    }
    return instance;
}

FMI3_OTHER(fmi3Instance, fmi3InstantiateModelExchange)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger)
{
    (void)name;
    (void)visible;
    return instantiate3(SB_FMU_EXCHANGE, token, resources, logging, environment, logger);
}

/* Event mode and intermediate updates are not offered; a tool that asks for event mode gets steps without it. */
FMI3_OTHER(fmi3Instance, fmi3InstantiateCoSimulation)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t n_intermediate,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3IntermediateUpdateCallback update)
{
    (void)name;
    (void)visible;
    (void)event_mode;
    (void)early_return;
    (void)intermediate;
    (void)n_intermediate;
    (void)update;
    return instantiate3(SB_FMU_COSIMULATION, token, resources, logging, environment, logger);
}

FMI3_OTHER(fmi3Instance, fmi3InstantiateScheduledExecution)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3ClockUpdateCallback update,
 fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)logging;
    (void)update;
    (void)lock;
    (void)unlock;
    if (logger) {
        logger(environment, fmi3Error, "logStatusError", "Scheduled Execution is not supported");
    }
    return NULL;
}

FMI3_OTHER(void, fmi3FreeInstance)(fmi3Instance c)
{
    if (c) {
        sb_fmu_free(fmu3(c));
        free(c);
    }
}

FMI3(fmi3EnterInitializationMode)(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start,
                                  fmi3Boolean has_stop, fmi3Float64 stop)
{
    const sb_fmu_status status = sb_fmu_initialise(fmu3(c));
    if (status == SB_FMU_OK) {
        sb_fmu_experiment(fmu3(c), start, has_tolerance, tolerance, has_stop, stop);
    }
    return (fmi3Status)status;
}

FMI3(fmi3ExitInitializationMode)(fmi3Instance c)
{
    return (fmi3Status)sb_fmu_initialised(fmu3(c));
}

FMI3(fmi3EnterEventMode)(fmi3Instance c)
{
    return (fmi3Status)sb_fmu_enter_event(fmu3(c));
}

FMI3(fmi3Terminate)(fmi3Instance c)
{
    return (fmi3Status)sb_fmu_terminate(fmu3(c));
}

FMI3(fmi3Reset)(fmi3Instance c)
{
    return (fmi3Status)sb_fmu_reset(fmu3(c));
}

/* --- values --- */

FMI3(fmi3GetFloat64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 value[], size_t n_value)
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && i < n_value && status == SB_FMU_OK; ++i) {
        status = sb_fmu_get(fmu3(c), vr[i], value + i);
    }
    return (fmi3Status)status;
}

FMI3(fmi3SetFloat64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 value[], size_t n_value)
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && i < n_value && status == SB_FMU_OK; ++i) {
        status = sb_fmu_set(fmu3(c), vr[i], value[i]);
    }
    return (fmi3Status)status;
}

/* Enumerations. */
FMI3(fmi3GetInt64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Int64 value[], size_t n_value)
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && i < n_value && status == SB_FMU_OK; ++i) {
        double number = 0.0;
        status = sb_fmu_get(fmu3(c), vr[i], &number);
        value[i] = (fmi3Int64)number;
    }
    return (fmi3Status)status;
}

FMI3(fmi3SetInt64)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int64 value[], size_t n_value)
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && i < n_value && status == SB_FMU_OK; ++i) {
        status = sb_fmu_set(fmu3(c), vr[i], (double)value[i]);
    }
    return (fmi3Status)status;
}

#define FMI3_NO_VARIABLES(name, type)                                                                      \
    FMI3(name)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, type value[], size_t n_value)      \
    {                                                                                                      \
        (void)vr;                                                                                          \
        (void)value;                                                                                       \
        (void)n_value;                                                                                     \
        return n == 0 ? fmi3OK : refuse3(c, #name ": all variables are Float64, or enumerations (Int64)"); \
    }

FMI3_NO_VARIABLES(fmi3GetFloat32, fmi3Float32)
FMI3_NO_VARIABLES(fmi3GetInt8, fmi3Int8)
FMI3_NO_VARIABLES(fmi3GetUInt8, fmi3UInt8)
FMI3_NO_VARIABLES(fmi3GetInt16, fmi3Int16)
FMI3_NO_VARIABLES(fmi3GetUInt16, fmi3UInt16)
FMI3_NO_VARIABLES(fmi3GetInt32, fmi3Int32)
FMI3_NO_VARIABLES(fmi3GetUInt32, fmi3UInt32)
FMI3_NO_VARIABLES(fmi3GetUInt64, fmi3UInt64)
FMI3_NO_VARIABLES(fmi3GetBoolean, fmi3Boolean)
FMI3_NO_VARIABLES(fmi3GetString, fmi3String)
FMI3_NO_VARIABLES(fmi3SetFloat32, const fmi3Float32)
FMI3_NO_VARIABLES(fmi3SetInt8, const fmi3Int8)
FMI3_NO_VARIABLES(fmi3SetUInt8, const fmi3UInt8)
FMI3_NO_VARIABLES(fmi3SetInt16, const fmi3Int16)
FMI3_NO_VARIABLES(fmi3SetUInt16, const fmi3UInt16)
FMI3_NO_VARIABLES(fmi3SetInt32, const fmi3Int32)
FMI3_NO_VARIABLES(fmi3SetUInt32, const fmi3UInt32)
FMI3_NO_VARIABLES(fmi3SetUInt64, const fmi3UInt64)
FMI3_NO_VARIABLES(fmi3SetBoolean, const fmi3Boolean)
FMI3_NO_VARIABLES(fmi3SetString, const fmi3String)

FMI3(fmi3GetBinary)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t size[], fmi3Binary value[],
                    size_t n_value)
{
    (void)vr;
    (void)size;
    (void)value;
    (void)n_value;
    return n == 0 ? fmi3OK : refuse3(c, "fmi3GetBinary: there are no binary variables");
}

FMI3(fmi3SetBinary)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t size[],
                    const fmi3Binary value[], size_t n_value)
{
    (void)vr;
    (void)size;
    (void)value;
    (void)n_value;
    return n == 0 ? fmi3OK : refuse3(c, "fmi3SetBinary: there are no binary variables");
}

/* --- clocks: there are none --- */

static fmi3Status no_clocks(fmi3Instance c, size_t n)
{
    return n == 0 ? fmi3OK : refuse3(c, "there are no clocks");
}

FMI3(fmi3GetClock)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock value[])
{
    (void)vr;
    (void)value;
    return no_clocks(c, n);
}

FMI3(fmi3SetClock)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock value[])
{
    (void)vr;
    (void)value;
    return no_clocks(c, n);
}

FMI3(fmi3GetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 interval[],
                             fmi3IntervalQualifier qualifier[])
{
    (void)vr;
    (void)interval;
    (void)qualifier;
    return no_clocks(c, n);
}

FMI3(fmi3GetIntervalFraction)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 counter[],
                              fmi3UInt64 resolution[], fmi3IntervalQualifier qualifier[])
{
    (void)vr;
    (void)counter;
    (void)resolution;
    (void)qualifier;
    return no_clocks(c, n);
}

FMI3(fmi3GetShiftDecimal)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 shift[])
{
    (void)vr;
    (void)shift;
    return no_clocks(c, n);
}

FMI3(fmi3GetShiftFraction)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 counter[],
                           fmi3UInt64 resolution[])
{
    (void)vr;
    (void)counter;
    (void)resolution;
    return no_clocks(c, n);
}

#define FMI3_NO_DECIMAL(name)                                                                      \
    FMI3(name)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 value[]) \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)value;                                                                               \
        return no_clocks(c, n);                                                                    \
    }
#define FMI3_NO_FRACTION(name)                                                                      \
    FMI3(name)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3UInt64 counter[], \
               const fmi3UInt64 resolution[])                                                       \
    {                                                                                               \
        (void)vr;                                                                                   \
        (void)counter;                                                                              \
        (void)resolution;                                                                           \
        return no_clocks(c, n);                                                                     \
    }

FMI3_NO_DECIMAL(fmi3SetIntervalDecimal)
FMI3_NO_DECIMAL(fmi3SetShiftDecimal)
FMI3_NO_FRACTION(fmi3SetIntervalFraction)
FMI3_NO_FRACTION(fmi3SetShiftFraction)

FMI3(fmi3ActivateModelPartition)(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock;
    (void)time;
    return refuse3(c, "fmi3ActivateModelPartition: Scheduled Execution is not supported");
}

/* --- dependencies are in the model description --- */

FMI3(fmi3GetNumberOfVariableDependencies)(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{
    (void)vr;
    *n = 0;
    return refuse3(c, "fmi3GetNumberOfVariableDependencies: dependencies are in the model description");
}

FMI3(fmi3GetVariableDependencies)(fmi3Instance c, fmi3ValueReference dependent, size_t element[],
                                  fmi3ValueReference independent[], size_t independent_element[],
                                  fmi3DependencyKind kind[], size_t n)
{
    (void)dependent;
    (void)element;
    (void)independent;
    (void)independent_element;
    (void)kind;
    (void)n;
    return refuse3(c, "fmi3GetVariableDependencies: dependencies are in the model description");
}

/* --- the state of the FMU --- */

FMI3(fmi3GetFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    return (fmi3Status)sb_fmu_get_state(fmu3(c), state);
}

FMI3(fmi3SetFMUState)(fmi3Instance c, fmi3FMUState state)
{
    return (fmi3Status)sb_fmu_set_state(fmu3(c), state);
}

FMI3(fmi3FreeFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    (void)c;
    sb_fmu_free_state(state);
    return fmi3OK;
}

FMI3(fmi3SerializedFMUStateSize)(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    (void)state;
    *size = sb_fmu_state_size(fmu3(c));
    return fmi3OK;
}

FMI3(fmi3SerializeFMUState)(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    return (fmi3Status)sb_fmu_serialise(fmu3(c), state, bytes, size);
}

FMI3(fmi3DeserializeFMUState)(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    return (fmi3Status)sb_fmu_deserialise(fmu3(c), bytes, size, state);
}

FMI3(fmi3GetDirectionalDerivative)(fmi3Instance c, const fmi3ValueReference unknown[], size_t n_unknown,
                                   const fmi3ValueReference known[], size_t n_known, const fmi3Float64 seed[],
                                   size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity)
{
    if (n_seed != n_known || n_sensitivity != n_unknown) {
        return refuse3(c, "fmi3GetDirectionalDerivative: all variables are scalar, and each has one number");
    }
    return (fmi3Status)sb_fmu_directional(fmu3(c), unknown, n_unknown, known, n_known, seed, sensitivity);
}

FMI3(fmi3GetAdjointDerivative)(fmi3Instance c, const fmi3ValueReference unknown[], size_t n_unknown,
                               const fmi3ValueReference known[], size_t n_known, const fmi3Float64 seed[],
                               size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity)
{
    (void)unknown;
    (void)n_unknown;
    (void)known;
    (void)n_known;
    (void)seed;
    (void)n_seed;
    (void)sensitivity;
    (void)n_sensitivity;
    return refuse3(c, "fmi3GetAdjointDerivative is not supported; fmi3GetDirectionalDerivative is");
}

/* --- there are no structural parameters --- */

FMI3(fmi3EnterConfigurationMode)(fmi3Instance c)
{
    return refuse3(c, "fmi3EnterConfigurationMode: there are no structural parameters");
}

FMI3(fmi3ExitConfigurationMode)(fmi3Instance c)
{
    return refuse3(c, "fmi3ExitConfigurationMode: there are no structural parameters");
}

/* --- events --- */

FMI3(fmi3EvaluateDiscreteStates)(fmi3Instance c)
{
    (void)c;
    return fmi3OK;
}

FMI3(fmi3UpdateDiscreteStates)(fmi3Instance c, fmi3Boolean *more, fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
                               fmi3Boolean *states_changed, fmi3Boolean *has_next, fmi3Float64 *next)
{
    sb_fmu_event event = {0, 0, 0.0};
    const sb_fmu_status status = fmu3(c)->kind == SB_FMU_EXCHANGE ? sb_fmu_update(fmu3(c), &event) : SB_FMU_OK;
    *more = false;
    *terminate = false;
    *nominals_changed = false;
    *states_changed = event.states_changed != 0;
    *has_next = event.has_next != 0;
    *next = event.next;
    return (fmi3Status)status;
}

/* --- Model Exchange --- */

FMI3(fmi3EnterContinuousTimeMode)(fmi3Instance c)
{
    return (fmi3Status)sb_fmu_enter_continuous(fmu3(c));
}

FMI3(fmi3CompletedIntegratorStep)(fmi3Instance c, fmi3Boolean no_set_state, fmi3Boolean *enter_event,
                                  fmi3Boolean *terminate)
{
    (void)c;
    (void)no_set_state;
    *enter_event = false;
    *terminate = false;
    return fmi3OK;
}

FMI3(fmi3SetTime)(fmi3Instance c, fmi3Float64 time)
{
    return (fmi3Status)sb_fmu_set_time(fmu3(c), time);
}

FMI3(fmi3SetContinuousStates)(fmi3Instance c, const fmi3Float64 x[], size_t n)
{
    return (fmi3Status)sb_fmu_set_states(fmu3(c), x, n);
}

#define FMI3_VECTOR(name, get)                                \
    FMI3(name)(fmi3Instance c, fmi3Float64 value[], size_t n) \
    {                                                         \
        return (fmi3Status)get(fmu3(c), value, n);            \
    }

FMI3_VECTOR(fmi3GetContinuousStateDerivatives, sb_fmu_rates)
FMI3_VECTOR(fmi3GetEventIndicators, sb_fmu_indicators)
FMI3_VECTOR(fmi3GetContinuousStates, sb_fmu_states)
FMI3_VECTOR(fmi3GetNominalsOfContinuousStates, sb_fmu_nominals)

FMI3(fmi3GetNumberOfEventIndicators)(fmi3Instance c, size_t *n)
{
    *n = sb_fmu_n_indicator(fmu3(c));
    return fmi3OK;
}

FMI3(fmi3GetNumberOfContinuousStates)(fmi3Instance c, size_t *n)
{
    *n = sb_fmu_n_state(fmu3(c));
    return fmi3OK;
}

/* --- Co-Simulation --- */

FMI3(fmi3EnterStepMode)(fmi3Instance c)
{
    const sb_fmu_status status = sb_fmu_expect(fmu3(c), "EnterStepMode", SB_FMU_STEPPING, SB_FMU_STEPPING);
    return (fmi3Status)status;
}

FMI3(fmi3GetOutputDerivatives)(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int32 order[],
                               fmi3Float64 value[], size_t n_value)
{
    (void)vr;
    (void)order;
    (void)value;
    (void)n_value;
    return n == 0 ? fmi3OK : refuse3(c, "fmi3GetOutputDerivatives is not supported");
}

FMI3(fmi3DoStep)(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state, fmi3Boolean *event_needed,
                 fmi3Boolean *terminate, fmi3Boolean *early_return, fmi3Float64 *last_time)
{
    (void)no_set_state;
    *event_needed = false;
    *terminate = false;
    *early_return = false;
    sb_fmu_status status = sb_fmu_expect(fmu3(c), "DoStep", SB_FMU_STEPPING, SB_FMU_STEPPING);
    status = status ? status : sb_fmu_step(fmu3(c), t, h);
    *last_time = sb_fmu_time(fmu3(c));
    return (fmi3Status)status;
}
