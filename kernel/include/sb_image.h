#ifndef SB_IMAGE_H
#define SB_IMAGE_H

/* A model as data, for programs without Python: integers, numbers and texts, each in one array.
 *
 * The integers are SB_IMAGE_MARK, SB_IMAGE_VERSION, the counts, the sizes of sb_model and of its tape, and then the
 * integer arrays of SB_IMAGE_ARRAYS, sb_model and sb_tape. The numbers are the arrays of doubles of SB_IMAGE_ARRAYS and
 * sb_tape; those of sb_model are in `value`, behind the states at the start. Texts are in the order of
 * SB_IMAGE_STRINGS, each ends with a zero. src/stribeck/compile/image.py writes this. */

enum { SB_IMAGE_MARK = 0x53425231, SB_IMAGE_VERSION = 1 };

#define SB_IMAGE_COUNTS(X)                                       \
    X(n_string)                                                  \
    X(n_input)                                                   \
    X(n_parameter) /* numbers that can be set, lists in parts */ \
    X(n_follower)  /* parameters that are multiples of others */ \
    X(n_own)       /* laws that are not in the table */          \
    X(n_own_code)                                                \
    X(n_own_constant)

#define SB_IMAGE_ARRAYS(X)                                                                                   \
    X(int, string_at, g->n_string)                                                                           \
    X(int, law_own, g->model.n_friction) /* own law of a friction element; -1: by its name from the table */ \
    X(int, own_facts, SB_OWN_FACTS * g->n_own)                                                               \
    X(int, own_code, g->n_own_code)                                                                          \
    X(double, own_constant, g->n_own_constant)                                                               \
    X(int, state_discrete, SB_N_Y(&g->model)) /* states that change at events only */                        \
    X(int, input_node, g->n_input)                                                                           \
    X(int, parameter_place, g->n_parameter)     /* input of the tape */                                      \
    X(int, parameter_remainder, g->n_parameter) /* input for its decimal remainder, or -1 */                 \
    X(double, parameter_min, g->n_parameter)    /* bounds, infinite where there are none */                  \
    X(double, parameter_above, g->n_parameter)                                                               \
    X(double, parameter_max, g->n_parameter)                                                                 \
    X(int, follower, g->n_follower) /* its value is factor * that of the parameter that it follows */        \
    X(int, follower_of, g->n_follower)                                                                       \
    X(double, follower_factor, g->n_follower)                                                                \
    X(double, setting, SB_N_SETTINGS)                                                                        \
    X(double, point, g->tape.n_input) /* parameters that the values belong to */                             \
    X(double, value, g->tape.n_value) /* states at the start, then the arrays of sb_model */

/* Facts of an own law, and settings. */
#define SB_OWN_FACT_LIST(X) \
    X(family)               \
    X(lock)                 \
    X(n_param)              \
    X(n_state)              \
    X(n_guard)              \
    X(has_curve)            \
    X(linear)               \
    X(n_code)               \
    X(n_constant)

#define SB_SETTING_LIST(X) \
    X(h)                   \
    X(substeps)            \
    X(tolerance)           \
    X(t_end)

enum {
#define X(name) SB_OWN_##name,
    SB_OWN_FACT_LIST(X)
#undef X
        SB_OWN_FACTS
};

enum {
#define X(name) SB_SETTING_##name,
    SB_SETTING_LIST(X)
#undef X
        SB_N_SETTINGS
};

#define SB_IMAGE_STRINGS(X)                        \
    X(model, 1)                                    \
    X(input_name, g->n_input)                      \
    X(input_unit, g->n_input)                      \
    X(output_name, g->model.n_output)              \
    X(output_unit, g->model.n_output)              \
    X(parameter_name, g->n_parameter)              \
    X(parameter_unit, g->n_parameter)              \
    X(state_name, SB_N_Y(&g->model))               \
    X(state_unit, SB_N_Y(&g->model))               \
    X(state_owner, SB_N_Y(&g->model))              \
    X(contact, g->model.n_lock + g->model.n_shown) \
    X(lock, g->model.n_lock)                       \
    X(event_owner, SB_N_EVENT(&g->model))          \
    X(signal_owner, g->model.n_signal)             \
    X(law, g->model.n_friction)                    \
    X(own_law, g->n_own)                           \
    X(vary_element, g->model.n_vary)               \
    X(vary_name, g->model.n_vary)                  \
    X(vary_unit, g->model.n_vary)                  \
    X(vary_rule, g->model.n_vary)                  \
    X(order_element, g->model.n_order)             \
    X(order_low, g->model.n_order)                 \
    X(order_high, g->model.n_order)

#endif
