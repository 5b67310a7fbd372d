#include "sb_fmi2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sb_fmu.h"

/* FMI 2.0: every function of the standard, for Model Exchange and Co-Simulation. */

#ifdef FMI2_FUNCTION_PREFIX
#define FMI2(name) SB_FMU_EXPORT fmi2Status SB_FMU_JOIN(FMI2_FUNCTION_PREFIX, name)
#define FMI2_OTHER(type, name) SB_FMU_EXPORT type SB_FMU_JOIN(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI2(name) SB_FMU_EXPORT fmi2Status name
#define FMI2_OTHER(type, name) SB_FMU_EXPORT type name
#endif

typedef struct fmi2_instance {
    sb_fmu *fmu;
    char *name;
    fmi2CallbackLogger logger;
    fmi2ComponentEnvironment environment;
} fmi2_instance;

static sb_fmu *fmu2(fmi2Component c)
{
    return ((fmi2_instance *)c)->fmu;
}

/* A message is a format of printf, in which # marks value references: both are written twice. */
static void say2(void *instance, sb_fmu_status status, const char *category, const char *text)
{
    const fmi2_instance *c = instance;
    char format[1200];
    size_t n = 0;
    for (; *text && n < sizeof format - 3; ++text) {
        format[n++] = *text;
        if (*text == '%' || *text == '#') {
            format[n++] = *text;
        }
    }
    format[n] = '\0';
    if (c->logger) {
        c->logger(c->environment, c->name, (fmi2Status)status, category, format);
    }
}

static fmi2Status refuse2(fmi2Component c, const char *text)
{
    return (fmi2Status)sb_fmu_refuse(fmu2(c), text);
}

FMI2_OTHER(const char *, fmi2GetTypesPlatform)(void)
{
    return "default";
}

FMI2_OTHER(const char *, fmi2GetVersion)(void)
{
    return "2.0";
}

FMI2(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[])
{
    return (fmi2Status)sb_fmu_log(fmu2(c), on != fmi2False, n, categories);
}

static void free2(fmi2_instance *instance)
{
    if (instance) {
        sb_fmu_free(instance->fmu);
        free(instance->name);
        free(instance);
    }
}

FMI2_OTHER(void, fmi2FreeInstance)(fmi2Component c)
{
    free2(c);
}

FMI2_OTHER(fmi2Component, fmi2Instantiate)
(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *functions,
 fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible;
    const char *given = name ? name : "";
    fmi2_instance *instance = calloc(1, sizeof *instance);
    if (!instance) {
        return NULL;
    }
    instance->name = malloc(strlen(given) + 1);
    if (instance->name) {
        strcpy(instance->name, given);
        instance->logger = functions ? functions->logger : NULL;
        instance->environment = functions ? functions->componentEnvironment : NULL;
        const sb_fmu_kind kind = type == fmi2ModelExchange ? SB_FMU_EXCHANGE : SB_FMU_COSIMULATION;
        const sb_fmu_logger logger = {say2, instance};
        instance->fmu = sb_fmu_new(kind, guid, resources, logger, logging != fmi2False);
    }
    if (!instance->fmu) {
        free2(instance);
        return NULL;
    }
    return instance;
}

FMI2(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                          fmi2Boolean has_stop, fmi2Real stop)
{
    const sb_fmu_status status = sb_fmu_expect(fmu2(c), "SetupExperiment", SB_FMU_INSTANTIATED, SB_FMU_INSTANTIATED);
    if (status == SB_FMU_OK) {
        sb_fmu_experiment(fmu2(c), start, has_tolerance != fmi2False, tolerance, has_stop != fmi2False, stop);
    }
    return (fmi2Status)status;
}

FMI2(fmi2EnterInitializationMode)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_initialise(fmu2(c));
}

FMI2(fmi2ExitInitializationMode)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_initialised(fmu2(c));
}

FMI2(fmi2Terminate)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_terminate(fmu2(c));
}

FMI2(fmi2Reset)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_reset(fmu2(c));
}

/* --- values --- */

FMI2(fmi2GetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && status == SB_FMU_OK; ++i) {
        status = sb_fmu_get(fmu2(c), vr[i], value + i);
    }
    return (fmi2Status)status;
}

FMI2(fmi2SetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && status == SB_FMU_OK; ++i) {
        status = sb_fmu_set(fmu2(c), vr[i], value[i]);
    }
    return (fmi2Status)status;
}

/* Enumerations. */
FMI2(fmi2GetInteger)(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer value[])
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && status == SB_FMU_OK; ++i) {
        double number = 0.0;
        status = sb_fmu_get(fmu2(c), vr[i], &number);
        value[i] = (fmi2Integer)number;
    }
    return (fmi2Status)status;
}

FMI2(fmi2SetInteger)(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer value[])
{
    sb_fmu_status status = SB_FMU_OK;
    for (size_t i = 0; i < n && status == SB_FMU_OK; ++i) {
        status = sb_fmu_set(fmu2(c), vr[i], value[i]);
    }
    return (fmi2Status)status;
}

#define FMI2_NO_VARIABLES(name, type, what)                                                   \
    FMI2(name)(fmi2Component c, const fmi2ValueReference vr[], size_t n, type value[])        \
    {                                                                                         \
        (void)vr;                                                                             \
        (void)value;                                                                          \
        return n == 0 ? fmi2OK : refuse2(c, #name ": there are no variables that are " what); \
    }

FMI2_NO_VARIABLES(fmi2GetBoolean, fmi2Boolean, "Boolean")
FMI2_NO_VARIABLES(fmi2SetBoolean, const fmi2Boolean, "Boolean")
FMI2_NO_VARIABLES(fmi2GetString, fmi2String, "texts")
FMI2_NO_VARIABLES(fmi2SetString, const fmi2String, "texts")

/* --- the state of the FMU --- */

FMI2(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    return (fmi2Status)sb_fmu_get_state(fmu2(c), state);
}

FMI2(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state)
{
    return (fmi2Status)sb_fmu_set_state(fmu2(c), state);
}

FMI2(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    sb_fmu_free_state(state);
    return fmi2OK;
}

FMI2(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)state;
    *size = sb_fmu_state_size(fmu2(c));
    return fmi2OK;
}

FMI2(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    return (fmi2Status)sb_fmu_serialise(fmu2(c), state, bytes, size);
}

FMI2(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    return (fmi2Status)sb_fmu_deserialise(fmu2(c), bytes, size, state);
}

FMI2(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknown[], size_t n_unknown,
                                   const fmi2ValueReference known[], size_t n_known, const fmi2Real seed[],
                                   fmi2Real sensitivity[])
{
    return (fmi2Status)sb_fmu_directional(fmu2(c), unknown, n_unknown, known, n_known, seed, sensitivity);
}

/* --- Model Exchange --- */

FMI2(fmi2EnterEventMode)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_enter_event(fmu2(c));
}

FMI2(fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info)
{
    sb_fmu_event event;
    const sb_fmu_status status = sb_fmu_update(fmu2(c), &event);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = fmi2False;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = event.states_changed;
    info->nextEventTimeDefined = event.has_next;
    info->nextEventTime = event.next;
    return (fmi2Status)status;
}

FMI2(fmi2EnterContinuousTimeMode)(fmi2Component c)
{
    return (fmi2Status)sb_fmu_enter_continuous(fmu2(c));
}

FMI2(fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean no_set_state, fmi2Boolean *enter_event,
                                  fmi2Boolean *terminate)
{
    (void)c;
    (void)no_set_state;
    *enter_event = fmi2False;
    *terminate = fmi2False;
    return fmi2OK;
}

FMI2(fmi2SetTime)(fmi2Component c, fmi2Real time)
{
    return (fmi2Status)sb_fmu_set_time(fmu2(c), time);
}

FMI2(fmi2SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t n)
{
    return (fmi2Status)sb_fmu_set_states(fmu2(c), x, n);
}

#define FMI2_VECTOR(name, get)                              \
    FMI2(name)(fmi2Component c, fmi2Real value[], size_t n) \
    {                                                       \
        return (fmi2Status)get(fmu2(c), value, n);          \
    }

FMI2_VECTOR(fmi2GetDerivatives, sb_fmu_rates)
FMI2_VECTOR(fmi2GetEventIndicators, sb_fmu_indicators)
FMI2_VECTOR(fmi2GetContinuousStates, sb_fmu_states)
FMI2_VECTOR(fmi2GetNominalsOfContinuousStates, sb_fmu_nominals)

/* --- Co-Simulation --- */

FMI2(fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
                                  const fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return n == 0 ? fmi2OK : refuse2(c, "fmi2SetRealInputDerivatives is not supported: inputs hold within a step");
}

FMI2(fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
                                   fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return n == 0 ? fmi2OK : refuse2(c, "fmi2GetRealOutputDerivatives is not supported");
}

FMI2(fmi2DoStep)(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state)
{
    (void)no_set_state;
    const sb_fmu_status status = sb_fmu_expect(fmu2(c), "DoStep", SB_FMU_STEPPING, SB_FMU_STEPPING);
    return (fmi2Status)(status ? status : sb_fmu_step(fmu2(c), t, h));
}

FMI2(fmi2CancelStep)(fmi2Component c)
{
    return refuse2(c, "fmi2CancelStep: steps are not asynchronous");
}

FMI2(fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != fmi2LastSuccessfulTime) {
        return fmi2Discard;
    }
    *value = sb_fmu_time(fmu2(c));
    return fmi2OK;
}

FMI2(fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    (void)c;
    *value = fmi2False;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

/* Steps are not asynchronous: there is nothing else to ask for. */
#define FMI2_NO_STATUS(name, type)                                      \
    FMI2(name)(fmi2Component c, const fmi2StatusKind kind, type *value) \
    {                                                                   \
        (void)c;                                                        \
        (void)kind;                                                     \
        (void)value;                                                    \
        return fmi2Discard;                                             \
    }

FMI2_NO_STATUS(fmi2GetStatus, fmi2Status)
FMI2_NO_STATUS(fmi2GetIntegerStatus, fmi2Integer)
FMI2_NO_STATUS(fmi2GetStringStatus, fmi2String)
