int ${name}_begin(${name}_plant *p)
{
    p->plant = stribeck_new(&$name, p->memory, sizeof p->memory);
    if (!p->plant || stribeck_start(p->plant, NULL)) {
        return 1;
    }
    ${name}_accept(p);
    return 0;
}

int ${name}_step(${name}_plant *p, const double *in, double *out)
{
    for (int i = 0; i < ${upper}_IN_COUNT; ++i) {
        if (stribeck_set(p->plant, STRIBECK_INPUT, i, in[i])) {
            return 1;
        }
    }
    if (stribeck_step(p->plant)) {
        return 1;
    }
    for (int i = 0; i < ${upper}_OUT_COUNT; ++i) {
        out[i] = stribeck_get(p->plant, STRIBECK_OUTPUT, i);
    }
    return 0;
}

int ${name}_try(${name}_plant *p, const double *in, double *out)
{
    stribeck_restore(p->plant, p->accepted, stribeck_snapshot_size(p->plant));
    return ${name}_step(p, in, out);
}

void ${name}_accept(${name}_plant *p)
{
    stribeck_save(p->plant, p->accepted);
}

const char *${name}_error(const ${name}_plant *p)
{
    return p->plant ? stribeck_error(p->plant) : "the data of $name and stribeck.c do not fit each other";
}
