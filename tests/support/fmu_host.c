/* Runs a Co-Simulation FMU of FMI 3 on its own platform, which may be an emulated one:
 *
 *     fmu_host LIBRARY TOKEN RESOURCES SOLVER H STEPS REFERENCE...
 *
 * prints the variables with these value references after all steps. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(path) LoadLibraryA(path)
#define FIND(library, name) (void (*)(void)) GetProcAddress(library, name)
typedef HMODULE library_handle;
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) (void (*)(void)) dlsym(library, name)
typedef void *library_handle;
#endif

typedef void (*logger)(void *, int, const char *, const char *);
typedef void *(*instantiate)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
                             void *, logger, void *);
typedef int (*set_int64)(void *, const uint32_t *, size_t, const int64_t *, size_t);
typedef int (*get_float64)(void *, const uint32_t *, size_t, double *, size_t);
typedef int (*initialise)(void *, bool, double, double, bool, double);
typedef int (*simple)(void *);
typedef int (*do_step)(void *, double, double, bool, bool *, bool *, bool *, double *);

static void say(void *environment, int status, const char *category, const char *message)
{
    (void)environment;
    (void)status;
    fprintf(stderr, "%s: %s\n", category, message);
}

static void check(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "%s failed\n", what);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    check(argc < 7, "usage");
    library_handle library = OPEN(argv[1]);
    check(!library, "loading");
    const uint32_t solver_reference = 1;
    const int64_t solver = atoi(argv[4]);
    const double h = atof(argv[5]);
    const long steps = atol(argv[6]);
    void *c = ((instantiate)FIND(library, "fmi3InstantiateCoSimulation"))("plant", argv[2], argv[3], false, false,
                                                                          false, false, NULL, 0, NULL, say, NULL);
    check(!c, "instantiation");
    check(((set_int64)FIND(library, "fmi3SetInt64"))(c, &solver_reference, 1, &solver, 1), "the solver");
    check(((initialise)FIND(library, "fmi3EnterInitializationMode"))(c, false, 0, 0, false, 0), "initialisation");
    check(((simple)FIND(library, "fmi3ExitInitializationMode"))(c), "initialisation");
    const do_step step = (do_step)FIND(library, "fmi3DoStep");
    for (long i = 0; i < steps; ++i) {
        bool event, end, early;
        double last;
        check(step(c, (double)i * h, h, true, &event, &end, &early, &last), "a step");
    }
    for (int i = 7; i < argc; ++i) {
        const uint32_t reference = (uint32_t)strtoul(argv[i], NULL, 10);
        double value;
        check(((get_float64)FIND(library, "fmi3GetFloat64"))(c, &reference, 1, &value, 1), "a value");
        printf("%.17g\n", value);
    }
    return 0;
}
