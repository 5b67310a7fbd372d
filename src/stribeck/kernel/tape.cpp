// Tapes: values of a model from its parameters, for one set or for many.

#include "binding.h"

extern "C" {
#include "sb_tape.h"
}

namespace {

class Tape {
  public:
    Tape(const nb::dict &sizes, const nb::dict &arrays)
    {
        sb_tape *t = &tape_;
#define X(name) t->name = nb::cast<int>(sizes[#name]);
        SB_TAPE_SIZES(X)
#undef X
#define X(type, name, length)                                  \
    name##_ = read_array<type>(arrays, #name, size_t(length)); \
    t->name = name##_.data();
        SB_TAPE_ARRAYS(X)
#undef X
        if (sb_tape_check(t) != SB_OK) {
            throw nb::value_error("tape: a register, an operation or a place that does not exist");
        }
    }
    Tape(const Tape &) = delete;

    // (values, guard): values like `base` with the outputs put in; the guard that came out differently, or -1.
    nb::tuple run(const Input &inputs, const Input &base) const
    {
        expect(inputs.size(), tape_.n_input, "inputs");
        expect(base.size(), tape_.n_value, "base");
        std::vector<double> work(size_t(sb_tape_work(&tape_)));
        Output values = copy_array(base.data(), {base.size()});
        const int guard = sb_tape_run(&tape_, inputs.data(), work.data());
        sb_tape_put(&tape_, work.data(), values.data());
        return nb::make_tuple(values, guard);
    }

    // The same for every row of inputs.
    nb::tuple run_many(const Input &inputs, const Input &base) const
    {
        const size_t points = inputs.ndim() == 2 ? inputs.shape(0) : 0;
        expect(inputs.size(), int(points) * tape_.n_input, "inputs");
        expect(base.size(), tape_.n_value, "base");
        Output values = new_array({points, base.size()});
        Output guards = new_array({points});
        {
            nb::gil_scoped_release release;
            std::vector<double> work(size_t(sb_tape_work(&tape_)));
            const std::vector<int> varied = mark_varied(points, inputs.data());
            bool known = false; // what is the same at all points, and that its guards hold
            for (size_t k = 0; k < points; ++k) {
                double *row = values.data() + k * base.size();
                const double *input = inputs.data() + k * size_t(tape_.n_input);
                std::memcpy(row, base.data(), base.size() * sizeof(double));
                const int guard = known ? sb_tape_run_marked(&tape_, varied.data(), input, work.data())
                                        : sb_tape_run(&tape_, input, work.data());
                sb_tape_put(&tape_, work.data(), row);
                guards.data()[k] = guard;
                known = known || guard < 0;
            }
        }
        return nb::make_tuple(values, guards);
    }

    // How the values change along a direction of the inputs; 0 where nothing is put.
    Output slope(const Input &inputs, const Input &direction) const
    {
        expect(inputs.size(), tape_.n_input, "inputs");
        expect(direction.size(), tape_.n_input, "direction");
        std::vector<double> work(size_t(sb_tape_work(&tape_)));
        std::vector<double> along(size_t(tape_.n_input + tape_.n_node));
        Output values = new_array({size_t(tape_.n_value)});
        std::fill(values.data(), values.data() + values.size(), 0.0);
        sb_tape_run(&tape_, inputs.data(), work.data());
        sb_tape_slope(&tape_, work.data(), direction.data(), along.data(), values.data());
        return values;
    }

  private:
    // The registers that are not the same at all points.
    std::vector<int> mark_varied(size_t points, const double *inputs) const
    {
        const auto n = size_t(tape_.n_input);
        std::vector<int> marked(n + size_t(tape_.n_node));
        for (size_t k = 1; k < points; ++k) {
            for (size_t i = 0; i < n; ++i) {
                marked[i] |= std::memcmp(inputs + k * n + i, inputs + i, sizeof(double)) != 0;
            }
        }
        sb_tape_mark(&tape_, marked.data());
        return marked;
    }

    sb_tape tape_{};
#define X(type, name, length) std::vector<type> name##_;
    SB_TAPE_ARRAYS(X)
#undef X
};

} // namespace

void bind_tape(nb::module_ &mod)
{
    nb::class_<Tape>(mod, "Tape")
        .def(nb::init<const nb::dict &, const nb::dict &>(), nb::arg("sizes"), nb::arg("arrays"))
        .def("run", &Tape::run, nb::arg("inputs"), nb::arg("base"))
        .def("run_many", &Tape::run_many, nb::arg("inputs"), nb::arg("base"))
        .def("slope", &Tape::slope, nb::arg("inputs"), nb::arg("direction"));
}
