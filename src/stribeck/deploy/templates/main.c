/* $model in a loop of fixed steps: task times as a histogram, and all outputs at the end.
 *
 *     make && ./$name [TASKS] */

#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "$name.h"

static const stribeck_model *const MODEL = &$name;

/* Task times: a line for each power of 2 of nanoseconds. */
enum { BINS = 40, WIDTH = 50 };

static double example_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int example_bin(double nanoseconds)
{
    int bin = 0;
    for (; bin < BINS - 1 && nanoseconds >= 2.0; nanoseconds /= 2.0) {
        ++bin;
    }
    return bin;
}

static void example_histogram(const long *count, double longest)
{
    long most = 1;
    for (int i = 0; i < BINS; ++i) {
        most = count[i] > most ? count[i] : most;
    }
    for (int i = 0; i < BINS; ++i) {
        if (count[i] > 0) {
            printf("below %10.3g us %9ld  ", (double)(2L << i) * 1e-3, count[i]);
            for (long k = 0; k < WIDTH * count[i] / most; ++k) {
                putchar('#');
            }
            putchar('\n');
        }
    }
    printf("longest %8.3g us\n", longest * 1e-3);
}

int main(int argc, char **argv)
{
    static double memory[${upper}_MEMORY / sizeof(double) + 1];
    static long count[BINS];
    stribeck *plant = stribeck_new(MODEL, memory, sizeof memory);
    if (!plant || stribeck_start(plant, NULL)) {
        fprintf(stderr, "%s\n", plant ? stribeck_error(plant) : "$name.c and stribeck.c do not fit each other");
        return EXIT_FAILURE;
    }
    const stribeck_options task = stribeck_defaults(MODEL);
    const long tasks = argc > 1 ? atol(argv[1]) : (long)(task.t_end / task.h + 0.5);
    double longest = 0.0;
    for (long i = 0; i < tasks; ++i) {
        const double start = example_now();
        const int failed = stribeck_step(plant);
        const double took = example_now() - start;
        if (failed) {
            fprintf(stderr, "%s\n", stribeck_error(plant));
            return EXIT_FAILURE;
        }
        ++count[example_bin(took)];
        longest = took > longest ? took : longest;
    }
    printf("%ld tasks of %g s\n", tasks, task.h);
    example_histogram(count, longest);
    const int n = stribeck_count(MODEL, STRIBECK_OUTPUT);
    for (int i = 0; i < n; ++i) {
        printf("%s = %.17g %s\n", stribeck_name(MODEL, STRIBECK_OUTPUT, i), stribeck_get(plant, STRIBECK_OUTPUT, i),
               stribeck_unit(MODEL, STRIBECK_OUTPUT, i));
    }
    return EXIT_SUCCESS;
}
