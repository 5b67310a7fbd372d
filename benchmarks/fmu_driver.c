/* Appended to a source FMU of FMI 3 by fmu.py: fixed steps of the same model by DoStep and by stribeck_step, in turns.
 *
 *     fmu_driver ROUNDS STEPS    prints one line for each round: nanoseconds per DoStep and per stribeck_step */

#ifndef _POSIX_C_SOURCE
#error compile it with -D_POSIX_C_SOURCE=199309L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void say(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (void)environment;
    (void)status;
    fprintf(stderr, "%s: %s\n", category, message);
}

static fmi3Instance instance_at_start(void)
{
    const fmi3ValueReference solver = 1;
    const fmi3Int64 fixed = SB_FMU_FIXED;
    fmi3Instance c =
        fmi3InstantiateCoSimulation("plant", SB_FMU_TOKEN, "", false, false, false, false, NULL, 0, NULL, say, NULL);
    if (!c || fmi3SetInt64(c, &solver, 1, &fixed, 1) || fmi3EnterInitializationMode(c, false, 0, 0, false, 0) ||
        fmi3ExitInitializationMode(c)) {
        exit(1);
    }
    return c;
}

static double by_fmu(long steps, double h)
{
    fmi3Instance c = instance_at_start();
    fmi3Boolean event, end, early;
    fmi3Float64 last = 0.0;
    const double start = now();
    for (long i = 0; i < steps; ++i) {
        if (fmi3DoStep(c, (double)i * h, h, true, &event, &end, &early, &last)) {
            exit(1);
        }
    }
    const double took = now() - start;
    fmi3FreeInstance(c);
    return took / (double)steps;
}

static double by_steps(const stribeck_model *model, long steps)
{
    const size_t bytes = stribeck_size(model);
    void *memory = malloc(bytes);
    stribeck *plant = stribeck_new(model, memory, bytes);
    if (!plant || stribeck_start(plant, NULL)) {
        exit(1);
    }
    const double start = now();
    for (long i = 0; i < steps; ++i) {
        if (stribeck_step(plant)) {
            exit(1);
        }
    }
    const double took = now() - start;
    free(memory);
    return took / (double)steps;
}

int main(int argc, char **argv)
{
    sb_fmu_model model;
    const char *error = NULL;
    const long rounds = argc > 1 ? atol(argv[1]) : 11;
    const long steps = argc > 2 ? atol(argv[2]) : 4000;
    sb_fmu_load("", &model, &error);
    const double h = stribeck_defaults(&model.model).h;
    for (long i = 0; i < rounds; ++i) {
        const double fmu = by_fmu(steps, h);
        const double step = by_steps(&model.model, steps);
        printf("%.2f %.2f\n", fmu, step);
    }
    return 0;
}
