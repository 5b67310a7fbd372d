// What the files of the binding share: arrays in and out, the model, the data of a run.
#ifndef SB_BINDING_H
#define SB_BINDING_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

extern "C" {
#include "sb_fixed.h"
#include "sb_group.h"
#include "sb_image.h"
#include "sb_kernel.h"
#include "sb_law_tape.h"
#include "sb_plants.h"
#include "sb_tape.h"
#include "stribeck.h"
}

namespace nb = nanobind;
using Input = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<nb::numpy, double>;
using Traces = nb::ndarray<double, nb::c_contig, nb::device::cpu>; // to be filled

inline Output new_array(std::initializer_list<size_t> shape)
{
    size_t n = 1;
    for (size_t s : shape) {
        n *= s;
    }
    double *data = static_cast<double *>(std::malloc((n ? n : 1) * sizeof(double)));
    if (!data) {
        throw std::bad_alloc();
    }
    nb::capsule owner(data, [](void *p) noexcept { std::free(p); });
    return Output(data, shape.size(), shape.begin(), owner);
}

inline Output copy_array(const double *values, std::initializer_list<size_t> shape)
{
    Output out = new_array(shape);
    if (out.size() > 0) { // what is empty may have no place
        std::memcpy(out.data(), values, out.size() * sizeof(double));
    }
    return out;
}

inline sb_options read_options(const nb::dict &values)
{
    sb_options opt{};
    opt.method = sb_method_choice(nb::cast<int>(values["method"]));
    opt.t_end = nb::cast<double>(values["t_end"]);
    opt.tolerance = nb::cast<double>(values["tolerance"]);
    opt.first_step = nb::cast<double>(values["first_step"]);
    opt.max_step = nb::cast<double>(values["max_step"]);
    opt.ledger = nb::cast<bool>(values["ledger"]);
    opt.extremes = nb::cast<bool>(values["extremes"]);
    return opt;
}

inline sb_fixed_options read_fixed_options(const nb::dict &values)
{
    sb_fixed_options opt{};
    opt.method = sb_fixed_method(nb::cast<int>(values["method"]));
    opt.h = nb::cast<double>(values["h"]);
    opt.substeps = nb::cast<int>(values["substeps"]);
    opt.hold_signals = nb::cast<bool>(values["hold_signals"]);
    opt.literal_sign = nb::cast<bool>(values["literal_sign"]);
    opt.ledger = nb::cast<bool>(values["ledger"]);
    opt.bound = nb::cast<double>(values["bound"]);
    return opt;
}

// What is behind a failure, by kind and number, and the values of the parameters that it is about.
struct Culprit {
    Culprit(const sb_model *m, const sb_data *d) : kind(d->culprit.kind), number(d->culprit.number)
    {
        if (kind == SB_PARAMETER) {
            values = {d->param[m->vary_param[number]]};
        } else if (kind == SB_ORDER) {
            values = {d->param[m->order_low[number]], d->param[m->order_high[number]]};
        }
    }

    nb::tuple tuple() const
    {
        static const char *const kinds[] = {"", "state", "event", "signal", "parameter", "order"};
        return nb::make_tuple(kinds[kind], number, values);
    }

    sb_culprit_kind kind;
    int number;
    std::vector<double> values;
};

template <class T> std::vector<T> read_array(const nb::dict &arrays, const char *name, size_t length)
{
    if (!arrays.contains(name)) {
        throw nb::key_error(name);
    }
    auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(arrays[name]);
    if (array.size() != length) {
        throw nb::value_error((std::string(name) + ": wrong length").c_str());
    }
    return std::vector<T>(array.data(), array.data() + length);
}

inline void read_sizes(const nb::dict &sizes, sb_model *m)
{
#define X(name) m->name = nb::cast<int>(sizes[#name]);
    SB_MODEL_SIZES(X)
#undef X
}

// The record of a law: of the table of this build (a copy for another number of elements), or made from tapes.
class LawRecord {
  public:
    LawRecord(const std::string &name, int count);
    LawRecord(const nb::dict &facts, const nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu> &code,
              const Input &constants);

    const sb_law *law() const
    {
        return law_;
    }

  private:
    struct TapeMemory {
        std::string name;
        std::vector<int> code;
        std::vector<double> constants;
        sb_law_tape tape;
    };
    std::shared_ptr<TapeMemory> tape_;
    std::shared_ptr<sb_law> counted_;
    const sb_law *law_;
};

// The integer arrays of a model: its structure, which all sets of values share.
struct Structure {
#define X(type, name, length) std::vector<int> name;
    SB_MODEL_ARRAYS(X)
#undef X
    std::vector<LawRecord> records;
    std::vector<const sb_law *> fr_law;
};

// Lengths of the arrays of numbers, in the order in which they follow each other in the values of a model.
inline nb::dict value_lengths(const nb::dict &sizes)
{
    sb_model model{};
    const sb_model *m = &model;
    read_sizes(sizes, &model);
    nb::dict lengths;
    const auto note = [&](const double *, const char *name, size_t length) { lengths[name] = length; };
    const auto skip = [&](const int *, const char *, size_t) {};
    const auto either = [&](auto array, const char *name, size_t length) {
        if constexpr (std::is_same_v<decltype(array), const double *>) {
            note(array, name, length);
        } else {
            skip(array, name, length);
        }
    };
#define X(type, name, length) either(m->name, #name, size_t(length));
    SB_MODEL_ARRAYS(X)
#undef X
    return lengths;
}

inline void place(const double **array, size_t length, const double *values, size_t *used)
{
    *array = values + *used;
    *used += length;
}
inline void place(const int **, size_t, const double *, size_t *)
{
}

// Points the arrays of a model to its numbers, which are in a row; returns how many there are.
inline size_t place_values(sb_model *m, const double *values)
{
    size_t used = 0;
#define X(type, name, length) place(&m->name, size_t(length), values, &used);
    SB_MODEL_ARRAYS(X)
#undef X
    return used;
}

// A structure with values, checked once; immutable and shared by machines and runs.
class Model {
  public:
    // Integer arrays by name, all numbers in a row.
    Model(const nb::dict &sizes, const nb::dict &arrays, const Input &values, const std::vector<LawRecord> &laws)
    {
        sb_model *m = &model;
        read_sizes(sizes, m);
        auto structure = std::make_shared<Structure>();
#define X(type, name, length) read(arrays, #name, size_t(length), structure->name, &m->name);
        SB_MODEL_ARRAYS(X)
#undef X
        if (laws.size() != size_t(m->n_friction)) {
            throw nb::value_error("laws: wrong length");
        }
        structure->records = laws;
        for (const LawRecord &record : structure->records) {
            structure->fr_law.push_back(record.law());
        }
        m->fr_law = structure->fr_law.data();
        structure_ = structure;
        take(values);
    }

    // The same structure with other values.
    Model(const Model &other, const Input &values) : model(other.model), structure_(other.structure_)
    {
        take(values);
    }
    Model(const Model &) = delete;

    sb_model model{};

  private:
    static void read(const nb::dict &arrays, const char *name, size_t length, std::vector<int> &kept, const int **place)
    {
        kept = read_array<int>(arrays, name, length);
        *place = kept.data();
    }
    static void read(const nb::dict &, const char *, size_t, std::vector<int> &, const double **)
    {
    }

    void take(const Input &values)
    {
        sb_model *m = &model;
        values_.assign(values.data(), values.data() + values.size());
        if (place_values(m, values_.data()) != values_.size()) {
            throw nb::value_error("values: not as many as the model has");
        }
        if (sb_model_check(m) != SB_OK) {
            throw nb::value_error(sb_status_text(SB_BAD_MODEL));
        }
    }

    std::shared_ptr<const Structure> structure_;
    std::vector<double> values_;
};

struct Data {
    explicit Data(const sb_model *m) : block(std::malloc(sb_data_size(m)), std::free)
    {
        if (!block) {
            throw std::bad_alloc();
        }
        sb_data_bind(m, &data, block.get());
    }
    std::unique_ptr<void, void (*)(void *)> block;
    sb_data data{};
};

// Memory for lanes.
class Aligned {
  public:
    Aligned() = default;
    explicit Aligned(size_t bytes) : block_(new char[bytes + ALIGNMENT])
    {
    }

    void *get() const
    {
        const auto place = reinterpret_cast<std::uintptr_t>(block_.get());
        return block_ ? reinterpret_cast<void *>((place + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) : nullptr;
    }

  private:
    static constexpr size_t ALIGNMENT = 64;
    std::unique_ptr<char[]> block_;
};

// A viewer of one run, where its grid is long and its machine can run in lanes.
class View {
  public:
    View(const sb_model *m, size_t points)
    {
        const size_t size = points >= LEAST ? sb_view_size(m) : 0;
        if (size > 0 && size < MOST) {
            memory_ = Aligned(size);
            sb_view_bind(m, &viewer_, memory_.get());
        }
    }

    sb_viewer *get()
    {
        return memory_.get() ? &viewer_ : nullptr;
    }

  private:
    static constexpr size_t LEAST = 100;     // points
    static constexpr size_t MOST = 64 << 20; // bytes
    Aligned memory_;
    sb_viewer viewer_{};
};

// Answers for the kernel whether a run goes on, without the interpreter in between: looks for signals and shows the
// progress now and then, and knows when the time is up. What Python raises there ends the run and is kept.
class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    Watch(sb_data *d, double t0, double t_end, const nb::object &progress = nb::none(),
          double seconds = std::numeric_limits<double>::infinity())
        : d_(d), t0_(t0), t_end_(t_end), progress_(progress), seconds_(seconds)
    {
        d->watch = {&Watch::ask, this, 0, SB_OK};
    }
    ~Watch()
    {
        d_->watch = {};
    }
    Watch(const Watch &) = delete;

    // What Python has raised, or None.
    nb::object raised = nb::none();

  private:
    static constexpr std::chrono::milliseconds PERIOD{20};

    static sb_status ask(void *context)
    {
        return static_cast<Watch *>(context)->answer();
    }

    sb_status answer()
    {
        const auto now = Clock::now();
        if (now - start_ > std::chrono::duration<double>(seconds_)) {
            return SB_TIME_LIMIT;
        }
        if (now < next_) {
            return SB_OK;
        }
        next_ = now + PERIOD;
        nb::gil_scoped_acquire acquire;
        try {
            if (PyErr_CheckSignals()) {
                throw nb::python_error();
            }
            if (!progress_.is_none()) {
                progress_((d_->t - t0_) / (t_end_ - t0_));
            }
        } catch (nb::python_error &error) {
            raised = nb::borrow(error.value());
            return SB_INTERRUPTED;
        }
        return SB_OK;
    }

    sb_data *d_;
    double t0_, t_end_;
    nb::object progress_;
    double seconds_;
    Clock::time_point start_ = Clock::now(), next_ = start_ + PERIOD;
};

inline void expect(size_t got, int wanted, const char *what)
{
    if (got != size_t(wanted)) {
        throw nb::value_error((std::string(what) + ": expected " + std::to_string(wanted) + " values").c_str());
    }
}

// Goes on raising what was caught, if it is not None.
inline void raise_again(const nb::object &raised)
{
    if (!raised.is_none()) {
        PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(raised.ptr())), raised.ptr());
        throw nb::python_error();
    }
}

inline void raise_on_failure(sb_status status)
{
    if (status != SB_OK) {
        throw std::runtime_error(sb_status_text(status));
    }
}

inline std::vector<double> values(const double *first, int n)
{
    return std::vector<double>(first, first + n);
}

inline nb::dict ledger(const sb_model *m, const sb_data *d)
{
    const int branches = SB_N_BRANCH(m);
    const int stores = SB_N_STORE(m);
    nb::dict out;
    out["input"] = values(d->ledger + SB_LEDGER_IN(m), branches);
    out["loss"] = values(d->ledger + SB_LEDGER_LOSS(m), branches);
    out["flow"] = values(d->ledger + SB_LEDGER_STORE(m), stores);
    out["motion"] = values(d->ledger + SB_LEDGER_MOTION(m), m->n_motion);
    out["energy_start"] = values(d->energy_start, stores);
    out["energy_end"] = values(d->energy_now, stores);
    out["jump"] = values(d->energy_jump, stores);
    return out;
}

// What evolves of a run, as two arrays: the numbers of all its fields one after the other, and the counts. Names and
// lengths are the same for all runs of one structure, and asked for when they are needed.
using Counts = nb::ndarray<const int, nb::c_contig, nb::device::cpu>;

struct Fields {
    sb_field list[SB_MOST_FIELDS];
    size_t n = 0;

    size_t length(bool numbers) const
    {
        size_t sum = 0;
        for (size_t i = 0; i < n; ++i) {
            sum += (list[i].numbers != nullptr) == numbers ? list[i].n : 0;
        }
        return sum;
    }

    nb::tuple take() const
    {
        Output numbers = new_array({length(true)});
        std::vector<int> *counts = new std::vector<int>();
        nb::capsule owner(counts, [](void *p) noexcept { delete static_cast<std::vector<int> *>(p); });
        counts->reserve(length(false) + 1); // what is empty has a place, too
        double *next = numbers.data();
        for (size_t i = 0; i < n; ++i) {
            const sb_field &f = list[i];
            if (f.numbers) {
                next = std::copy(f.numbers, f.numbers + f.n, next);
            } else {
                counts->insert(counts->end(), f.counts, f.counts + f.n);
            }
        }
        return nb::make_tuple(numbers, nb::ndarray<nb::numpy, int>(counts->data(), {counts->size()}, owner));
    }

    // From arrays that begin with these fields.
    void put(const Input &numbers, const Counts &counts) const
    {
        if (numbers.size() < length(true) || counts.size() < length(false)) {
            throw nb::value_error("fields: these are not of this model");
        }
        const double *number = numbers.data();
        const int *count = counts.data();
        for (size_t i = 0; i < n; ++i) {
            const sb_field &f = list[i];
            if (f.numbers) {
                std::copy(number, number + f.n, f.numbers);
                number += f.n;
            } else {
                std::copy(count, count + f.n, f.counts);
                count += f.n;
            }
        }
    }

    // [(name, whether it holds counts, length), ...]
    nb::list table() const
    {
        nb::list out;
        for (size_t i = 0; i < n; ++i) {
            out.append(nb::make_tuple(list[i].name, list[i].counts != nullptr, list[i].n));
        }
        return out;
    }
};

inline Fields data_fields(const sb_model *m, sb_data *d)
{
    Fields fields;
    fields.n = sb_data_fields(m, d, fields.list);
    return fields;
}

void bind_batch(nb::module_ &mod);
void bind_copies(nb::module_ &mod);
void bind_fixed(nb::module_ &mod);
void bind_onset(nb::module_ &mod);
void bind_text(nb::module_ &mod);
void bind_law(nb::module_ &mod);
void bind_tape(nb::module_ &mod);

#endif
