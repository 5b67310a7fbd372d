/* Bytes of a plant and of a snapshot on 64-bit computers; stribeck_size has the exact number. */
enum { ${upper}_MEMORY = $memory, ${upper}_SNAPSHOT = $snapshot };

/* A plant as plain functions: all inputs in, all outputs out, in the order above; the state is in memory of the caller,
 * which must not move. Functions that return int return 0 if all is well; else ${name}_error has the reason. */
typedef struct ${name}_plant {
    stribeck *plant;
    double memory[${upper}_MEMORY / sizeof(double) + 1];
    double accepted[${upper}_SNAPSHOT / sizeof(double) + 1];
} ${name}_plant;

/* At its start. */
int ${name}_begin(${name}_plant *p);

/* One step. */
int ${name}_step(${name}_plant *p, const double *in, double *out);

/* One step from where the plant was when it was last accepted, as often as an iteration needs; and its end. */
int ${name}_try(${name}_plant *p, const double *in, double *out);
void ${name}_accept(${name}_plant *p);

const char *${name}_error(const ${name}_plant *p);
