// The fixed-step solver: tasks one by one for control loops, or thousands of them in a call.

#include <atomic>
#include <chrono>
#include <thread>

#include "binding.h"

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

constexpr int64_t SHORT = 16;                         // tasks for which the lock of the interpreter is not given away
constexpr auto SLICE = std::chrono::milliseconds(10); // between two looks for an interrupt
constexpr auto SPIN = std::chrono::microseconds(200); // before a deadline the thread waits awake: sleep is late

// An input from outside: where its value is kept, and one value per task.
struct Course {
    int memory;
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> values;
};

// What a run writes: every k-th task the chosen outputs, mode changes, times of tasks.
struct Record {
    int64_t every = 1;
    std::vector<int> chosen;
    std::vector<sb_pick> picks;         // the same, if all of them can be read alone
    bool fresh = true;                  // and without the board
    std::vector<const double *> places; // their addresses, or NULL
    double *data = nullptr;             // data[i * columns + k]
    size_t columns = 0, written = 0;
    bool keep = true; // false: each record goes over the last one
    std::vector<sb_mode_change> changes;
    double *nanoseconds = nullptr; // of every task; NULL: not wanted
};

// Deadlines of the wall clock, one per task; a task begins at its own one.
struct Pace {
    bool on = false;
    Clock::time_point start;
    double h = 0.0;
    std::vector<double> late{}; // how late the tasks began (ns)

    void wait(int64_t task)
    {
        const auto due = start + Nanoseconds(int64_t(double(task) * h * 1e9));
        if (due - Clock::now() > SPIN) {
            std::this_thread::sleep_until(due - SPIN);
        }
        while (Clock::now() < due) {
        }
        late.push_back(std::chrono::duration<double, std::nano>(Clock::now() - due).count());
    }
};

// A second machine with steps of half the size, for the error of a task.
struct Twin {
    explicit Twin(const sb_model *m) : data(m), block(std::malloc(sb_fixed_size(m) + 1), std::free)
    {
        if (!block) {
            throw std::bad_alloc();
        }
        sb_fixed_bind(m, &fixed, block.get());
    }
    Data data;
    std::unique_ptr<void, void (*)(void *)> block;
    sb_fixed fixed{};
};

class Fixed {
  public:
    explicit Fixed(const Model &model)
        : model_(model.model), data_(&model_), block_(std::malloc(sb_fixed_size(&model_) + 1), std::free)
    {
        if (!block_) {
            throw std::bad_alloc();
        }
        sb_fixed_bind(m(), f(), block_.get());
        modes_.resize(size_t(m()->n_lock + m()->n_shown));
    }

    int start(double t0, const Input &y0, const nb::dict &options)
    {
        expect(y0.size(), SB_N_Y(m()), "start");
        const sb_fixed_options opt = begin(options);
        return started(opt, sb_fixed_start(m(), d(), f(), &opt, t0, y0.data()));
    }

    // At t from where another run has ended.
    int review(double t, const Input &numbers, const Counts &counts, const nb::dict &options)
    {
        const sb_fixed_options opt = begin(options);
        data_fields(m(), d()).put(numbers, counts);
        return started(opt, sb_fixed_review(m(), d(), f(), &opt, t));
    }

    // The same after `count` tasks since t0 of a run with the same model and options, to the last bit.
    int resume(double t0, int64_t count, const Input &numbers, const Counts &counts, const nb::dict &options)
    {
        const sb_fixed_options opt = begin(options);
        data_fields(m(), d()).put(numbers, counts);
        const sb_status status = sb_fixed_resume(m(), d(), f(), &opt, t0, count);
        fields().put(numbers, counts);
        sb_fixed_resumed(m(), d());
        return started(opt, status);
    }

    // What another run goes on from.
    nb::tuple end()
    {
        ready();
        return fields().take();
    }

    Fields fields()
    {
        Fields all = data_fields(m(), d());
        all.n += sb_fixed_fields(m(), d(), f(), all.list + all.n);
        return all;
    }

    // n tasks; ends early at a failure, whose status it returns.
    int step(int64_t n)
    {
        ready();
        changed();
        if (n <= SHORT) {
            sb_status status = SB_OK;
            for (int64_t i = 0; i < n && status == SB_OK; ++i) {
                status = advance();
            }
            return int(status);
        }
        Record rec;
        Pace pace;
        nb::object raised = nb::none();
        const sb_status status = run_slices(n, {}, rec, pace, nb::none(), raised);
        raise_again(raised);
        return int(status);
    }

    nb::dict run(int64_t n, const std::vector<int> &nodes, const nb::list &courses, const std::vector<int> &outputs,
                 int64_t every, bool keep, bool timed, bool paced, const nb::object &progress)
    {
        ready();
        Record rec;
        rec.every = every;
        rec.chosen = outputs;
        for (int i : outputs) {
            output_number(i);
        }
        rec.picks = picks_of(outputs);
        for (const sb_pick &pick : rec.picks) {
            rec.fresh = rec.fresh && pick.fresh;
            rec.places.push_back(sb_pick_place(m(), d(), &pick));
        }
        rec.keep = keep;
        rec.columns = keep ? size_t(n / every) + 1 : 1;
        Output data = new_array({outputs.size(), rec.columns});
        Output times = new_array({timed ? size_t(n) : 0});
        rec.data = data.data();
        rec.nanoseconds = timed ? times.data() : nullptr;
        const std::vector<Course> inputs = read_courses(nodes, courses, n);
        Pace pace{paced, Clock::now() + Nanoseconds(1000000), f()->opt.h};
        pace.late.reserve(paced ? size_t(n) : 0);

        const int64_t first = f()->count;
        write(rec);
        remember_modes();
        nb::object raised = nb::none();
        const sb_status status = run_slices(n, inputs, rec, pace, progress, raised);
        changed();

        nb::list events;
        for (const sb_mode_change &c : rec.changes) {
            events.append(nb::make_tuple(c.time, c.lock, c.from, c.to));
        }
        nb::dict out;
        out["status"] = int(status);
        out["raised"] = raised;
        out["done"] = f()->count - first;
        out["written"] = rec.written;
        out["data"] = data;
        out["events"] = events;
        out["nanoseconds"] = times;
        out["late"] = copy_array(pace.late.data(), {pace.late.size()});
        return out;
    }

    // From another thread: the run ends after its present task.
    void stop()
    {
        stopped_ = true;
    }

    // Sets the value of an input from outside, by the node of its signal.
    void set_input(int node, double value)
    {
        ready();
        put(memory_of(node), value);
        changed();
    }

    double input(int node)
    {
        ready();
        return d()->signal_memory[memory_of(node)];
    }

    Output outputs()
    {
        look();
        return copy_array(d()->output, {size_t(m()->n_output)});
    }

    double output(int i)
    {
        output_number(i);
        look();
        return d()->output[i];
    }

    Output state()
    {
        ready();
        return copy_array(d()->x, {size_t(SB_N_Y(m()))});
    }

    // Modes of the locks, then of the laws that have modes.
    std::vector<int> modes()
    {
        ready();
        std::vector<int> out(modes_.size());
        for (size_t i = 0; i < out.size(); ++i) {
            out[i] = mode(int(i));
        }
        return out;
    }

    nb::bytes save()
    {
        ready();
        std::vector<char> block(sb_fixed_snapshot_size(m()));
        sb_fixed_save(m(), d(), f(), block.data());
        return nb::bytes(block.data(), block.size());
    }

    void restore(const nb::bytes &snapshot)
    {
        if (snapshot.size() != sb_fixed_snapshot_size(m())) {
            throw nb::value_error("restore: the snapshot is not of this model");
        }
        sb_fixed_restore(m(), d(), f(), snapshot.c_str());
        changed();
        started_ = true;
    }

    nb::dict statistics() const
    {
        nb::dict out;
#define X(name) out[#name] = fixed_.stats.name;
        SB_FIXED_STATISTICS(X)
#undef X
        return out;
    }

    nb::dict balance()
    {
        ready();
        return ledger(m(), d());
    }
    int64_t count() const
    {
        return fixed_.count;
    }
    double time() const
    {
        return sb_fixed_time(&fixed_);
    }
    double t0() const
    {
        return fixed_.t0;
    }
    // The angle (rad) by which each spring alone oscillates within a step.
    std::vector<double> spring_angles()
    {
        ready();
        return values(f()->spring_angle, m()->n_spring);
    }
    double largest_error() const
    {
        return fixed_.largest_error;
    }
    nb::tuple culprit() const
    {
        return Culprit(m(), &data_.data).tuple();
    }

  private:
    const sb_model *m() const
    {
        return &model_;
    }
    sb_data *d()
    {
        return &data_.data;
    }
    sb_fixed *f()
    {
        return &fixed_;
    }

    sb_fixed_options begin(const nb::dict &options)
    {
        const sb_fixed_options opt = read_fixed_options(options);
        if (opt.method < 0 || opt.method >= SB_N_FIXED_METHODS || !(opt.h > 0.0) || opt.substeps < 1) {
            throw nb::value_error("options: a known method, h > 0 and substeps >= 1 are needed");
        }
        sb_data_bind(m(), d(), data_.block.get());
        sb_fixed_bind(m(), f(), block_.get());
        return opt;
    }

    // The twin follows the machine; from its start it has what belongs to its own steps.
    int started(const sb_fixed_options &opt, sb_status status)
    {
        twin_.reset();
        if (opt.bound > 0.0 && status == SB_OK) {
            sb_fixed_options half;
            sb_twin_options(&opt, &half);
            twin_ = std::make_unique<Twin>(m());
            sb_fixed_start(m(), &twin_->data.data, &twin_->fixed, &half, d()->t, d()->x);
        }
        changed();
        started_ = true;
        return int(status);
    }

    sb_status advance()
    {
        return twin_ ? sb_fixed_step_checked(m(), d(), f(), &twin_->data.data, &twin_->fixed)
                     : sb_fixed_step(m(), d(), f());
    }

    void ready() const
    {
        if (!started_) {
            throw std::runtime_error("the solver has not been started; call start(t0, y0, options) first");
        }
        if (busy_) {
            throw std::runtime_error("another thread is stepping this machine; give each thread its own");
        }
    }

    void changed()
    {
        seen_ = false;
    }

    void look()
    {
        ready();
        if (!seen_) {
            sb_fixed_board(m(), d(), f());
            sb_outputs(m(), d(), d()->x, d()->output, 1);
            seen_ = true;
        }
    }

    void output_number(int i) const
    {
        if (i < 0 || i >= m()->n_output) {
            throw nb::index_error("output number");
        }
    }

    int memory_of(int node) const
    {
        if (node < 0 || node >= m()->n_signal || m()->signal_memory_ptr[node + 1] == m()->signal_memory_ptr[node]) {
            throw nb::index_error("node of an input");
        }
        return m()->signal_memory_ptr[node];
    }

    void put(int memory, double value)
    {
        double *kept = d()->signal_memory + memory;
        f()->stale |= *kept != value;
        *kept = value;
    }

    std::vector<Course> read_courses(const std::vector<int> &nodes, const nb::list &courses, int64_t n) const
    {
        std::vector<Course> inputs;
        for (size_t i = 0; i < nodes.size(); ++i) {
            Course course{memory_of(nodes[i]), nb::cast<decltype(Course::values)>(courses[i])};
            expect(course.values.size(), int(n), "input");
            inputs.push_back(std::move(course));
        }
        return inputs;
    }

    int mode(int number) const
    {
        const sb_data *d = &data_.data;
        const int n = m()->n_lock;
        return number < n ? d->mode[number] : int(d->x[m()->shown_state[number - n]]);
    }

    void remember_modes()
    {
        for (size_t i = 0; i < modes_.size(); ++i) {
            modes_[i] = mode(int(i));
        }
    }

    void note_changes(Record &rec)
    {
        for (size_t i = 0; i < modes_.size(); ++i) {
            const int now = mode(int(i));
            if (now != modes_[i]) {
                rec.changes.push_back({d()->t, int(i), modes_[i], now});
                modes_[i] = now;
            }
        }
    }

    std::vector<sb_pick> picks_of(const std::vector<int> &outputs) const
    {
        std::vector<sb_pick> picks;
        for (int i : outputs) {
            picks.push_back(sb_pick_output(m(), i));
            if (!picks.back().alone) {
                return {};
            }
        }
        return picks;
    }

    void write(Record &rec)
    {
        if (!rec.picks.empty()) {
            if (!rec.fresh) {
                sb_fixed_board(m(), d(), f());
            }
            for (size_t i = 0; i < rec.picks.size(); ++i) {
                const sb_pick &pick = rec.picks[i];
                rec.data[i * rec.columns + rec.written] =
                    rec.places[i] ? pick.scale * *rec.places[i] : sb_pick_read(m(), d(), d()->x, d()->rate, &pick);
            }
        } else if (!rec.chosen.empty()) {
            sb_fixed_board(m(), d(), f());
            sb_outputs(m(), d(), d()->x, d()->output, 1);
            for (size_t i = 0; i < rec.chosen.size(); ++i) {
                rec.data[i * rec.columns + rec.written] = d()->output[rec.chosen[i]];
            }
        }
        rec.written += rec.keep;
    }

    // Inputs, step and, where they are recorded, outputs of one task.
    sb_status task(int64_t i, const std::vector<Course> &inputs, Record &rec)
    {
        for (const Course &course : inputs) {
            put(course.memory, course.values.data()[i]);
        }
        const sb_status status = advance();
        if (status == SB_OK && rec.data && (i + 1) % rec.every == 0) {
            write(rec);
        }
        return status;
    }

    sb_status run_tasks(int64_t from, int64_t to, const std::vector<Course> &inputs, Record &rec, Pace &pace)
    {
        sb_status status = SB_OK;
        for (int64_t i = from; i < to && status == SB_OK && !stopped_; ++i) {
            if (pace.on) {
                pace.wait(i);
            }
            if (rec.nanoseconds) {
                const auto before = Clock::now();
                status = task(i, inputs, rec);
                rec.nanoseconds[i] = std::chrono::duration<double, std::nano>(Clock::now() - before).count();
            } else {
                status = task(i, inputs, rec);
            }
            if (rec.data) {
                note_changes(rec);
            }
        }
        return status;
    }

    // In slices, so that an interrupt and a progress display get their turn.
    sb_status run_slices(int64_t n, const std::vector<Course> &inputs, Record &rec, Pace &pace,
                         const nb::object &progress, nb::object &raised)
    {
        stopped_ = false;
        int64_t slice = pace.on ? n : 1; // nothing may come between two deadlines
        sb_status status = SB_OK;
        for (int64_t i = 0, end = 0; i < n && status == SB_OK && !stopped_; i = end) {
            busy_ = true;
            end = slice < n - i ? i + slice : n;
            const auto before = Clock::now();
            {
                nb::gil_scoped_release release;
                status = run_tasks(i, end, inputs, rec, pace);
            }
            busy_ = false;
            slice = Clock::now() - before < SLICE ? 2 * slice : slice;
            try {
                if (PyErr_CheckSignals()) {
                    throw nb::python_error();
                }
                if (!progress.is_none()) {
                    progress(double(end) / double(n));
                }
            } catch (nb::python_error &error) { // what has been done until then is returned with it
                raised = nb::borrow(error.value());
                return status;
            }
        }
        return status;
    }

    const sb_model &model_;
    Data data_;
    std::unique_ptr<void, void (*)(void *)> block_;
    sb_fixed fixed_{};
    std::unique_ptr<Twin> twin_;
    std::vector<int> modes_;
    bool started_ = false;
    std::atomic<bool> busy_ = false;
    std::atomic<bool> stopped_ = false;
    bool seen_ = false; // d->output shows the present state
};

nb::dict fixed_methods()
{
    nb::dict out;
    for (int i = 0; sb_fixed_method_name(i); ++i) {
        out[sb_fixed_method_name(i)] = i;
    }
    return out;
}

} // namespace

void bind_fixed(nb::module_ &mod)
{
    nb::class_<Fixed>(mod, "Fixed")
        .def(nb::init<const Model &>(), nb::arg("model"), nb::keep_alive<1, 2>())
        .def("start", &Fixed::start, nb::arg("t0"), nb::arg("y0"), nb::arg("options"))
        .def("review", &Fixed::review, nb::arg("t"), nb::arg("numbers"), nb::arg("counts"), nb::arg("options"))
        .def("resume", &Fixed::resume, nb::arg("t0"), nb::arg("count"), nb::arg("numbers"), nb::arg("counts"),
             nb::arg("options"))
        .def("end", &Fixed::end)
        .def("step", &Fixed::step, nb::arg("n") = 1)
        .def("run", &Fixed::run, nb::arg("n"), nb::arg("nodes"), nb::arg("courses"), nb::arg("outputs"),
             nb::arg("every"), nb::arg("keep"), nb::arg("timed"), nb::arg("paced"), nb::arg("progress").none())
        .def("stop", &Fixed::stop)
        .def("set_input", &Fixed::set_input, nb::arg("node"), nb::arg("value"))
        .def("input", &Fixed::input, nb::arg("node"))
        .def("outputs", &Fixed::outputs)
        .def("output", &Fixed::output, nb::arg("number"))
        .def("state", &Fixed::state)
        .def("modes", &Fixed::modes)
        .def("save", &Fixed::save)
        .def("restore", &Fixed::restore, nb::arg("snapshot"))
        .def("statistics", &Fixed::statistics)
        .def("ledger", &Fixed::balance)
        .def_prop_ro("count", &Fixed::count)
        .def_prop_ro("time", &Fixed::time)
        .def_prop_ro("t0", &Fixed::t0)
        .def("spring_angles", &Fixed::spring_angles)
        .def_prop_ro("largest_error", &Fixed::largest_error)
        .def_prop_ro("culprit", &Fixed::culprit);
    mod.def("fixed_methods", &fixed_methods);
    mod.def("fixed_fields", [](const Model &model) { return Fixed(model).fields().table(); }, nb::arg("model"));
    mod.def("status_text", [](int status) { return sb_status_text(sb_status(status)); }, nb::arg("status"));
}
