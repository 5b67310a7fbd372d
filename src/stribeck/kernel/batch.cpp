// Many points of one structure, a run each, in threads and without the interpreter.

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "binding.h"

namespace {

constexpr auto PERIOD = std::chrono::milliseconds(20); // between two looks for an interrupt
constexpr long SLICE = 1000000;                        // steps of one call of the kernel
constexpr long CLOCKED = 64;                           // fixed steps between two looks at the clock

sb_measure read_measure(const nb::tuple &row)
{
    sb_measure a{};
    a.of = sb_measure_of(nb::cast<int>(row[0]));
    a.kind = sb_measure_kind(nb::cast<int>(row[1]));
    a.source = nb::cast<int>(row[2]);
    a.level = nb::cast<double>(row[3]);
    a.direction = nb::cast<int>(row[4]);
    a.from = nb::cast<unsigned>(row[5]);
    a.to = nb::cast<unsigned>(row[6]);
    return a;
}

void check_measure(const sb_model *m, const sb_measure &a)
{
    const int sizes[] = {m->n_output, m->n_lock + m->n_shown, SB_N_BRANCH(m)};
    if (a.of < SB_OF_OUTPUT || a.of > SB_OF_LOSS || a.source < 0 || a.source >= sizes[a.of] || a.kind < SB_LAST_VALUE ||
        a.kind > SB_PERIOD_OF_INSTANTS) {
        throw nb::value_error("measures: there is no such output, contact, branch or kind");
    }
}

// An input from outside, the same at all points: where its value is kept, and one value per fixed step.
struct Course {
    int memory;
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> values;
};

// What all points share.
struct Plan {
    const sb_model *model;
    const double *rows; // of values: the states at the start, then the arrays of the model
    size_t points, columns;
    double t0, settle;
    bool fixed;
    sb_options adaptive;
    sb_fixed_options task;
    long max_steps;
    double max_seconds; // of one point
    const double *grid;
    size_t n_grid;
    std::vector<sb_measure> measures;
    std::vector<Course> courses;
    double *results; // points x measures
    double *traces;  // points x outputs x times, or NULL
};

struct Failed {
    size_t point;
    sb_status status;
    double time;
    Culprit culprit;
    std::vector<double> state;
};

// A thread with the memory of one run.
class Worker {
  public:
    using Clock = std::chrono::steady_clock;

    Worker(const Plan &plan, std::atomic<bool> &stopped)
        : plan_(plan), model_(*plan.model), data_(&model_), tally_(plan.measures.size()),
          scratch_(plan.traces ? 0 : plan.n_grid * size_t(model_.n_output)),
          changes_(256 + size_t(2 * model_.n_lock + model_.n_shown)), stopped_(stopped)
    {
        if (plan.fixed) {
            block_.reset(std::malloc(sb_fixed_size(&model_) + 1));
            if (!block_) {
                throw std::bad_alloc();
            }
        }
    }

    void run(size_t point)
    {
        const double *row = plan_.rows + point * plan_.columns;
        const size_t traced = plan_.n_grid * size_t(model_.n_output);
        double *trace = plan_.traces ? plan_.traces + point * traced : scratch_.data();
        double *result = plan_.results + point * plan_.measures.size();
        std::fill(trace, trace + (plan_.traces ? traced : 0), NAN);
        std::fill(result, result + plan_.measures.size(), NAN);
        place_values(&model_, row + SB_N_Y(&model_));
        sb_data_bind(&model_, d(), data_.block.get());
        d()->watch = {&Worker::ask, this, 0, SB_OK};
        start_ = Clock::now();
        measures_ = {int(plan_.measures.size()), plan_.measures.data(), tally_.data(),
                     plan_.fixed ? -INFINITY : plan_.t0};
        sb_status status = sb_model_check(&model_);
        if (status == SB_OK) {
            status = plan_.fixed ? run_fixed(row, trace) : run_adaptive(row, trace);
        }
        if (status == SB_OK) {
            sb_measures_take(&model_, d(), &measures_, result);
        } else {
            if (status == SB_INTERRUPTED || status == SB_TIME_LIMIT || status == SB_STEP_LIMIT) {
                d()->culprit = {SB_NOTHING, 0};
            }
            failed.push_back(
                {point, status, d()->t, Culprit(&model_, d()), std::vector<double>(d()->x, d()->x + SB_N_Y(&model_))});
        }
        steps += d()->stats.steps;
    }

    std::vector<Failed> failed;
    long steps = 0;

  private:
    sb_data *d()
    {
        return &data_.data;
    }

    static sb_status ask(void *context)
    {
        return static_cast<Worker *>(context)->answer();
    }

    sb_status answer() const
    {
        if (stopped_) {
            return SB_INTERRUPTED;
        }
        return Clock::now() - start_ > std::chrono::duration<double>(plan_.max_seconds) ? SB_TIME_LIMIT : SB_OK;
    }

    sb_status run_adaptive(const double *row, double *trace)
    {
        sb_options opt = plan_.adaptive;
        sb_driver drv{};
        sb_record rec{plan_.grid, plan_.n_grid, 0, trace, changes_.data(), 0, changes_.size(), nullptr};
        sb_status status = sb_start(&model_, d(), &opt, &drv, &rec, plan_.t0, row);
        if (status == SB_OK && plan_.settle > plan_.t0) {
            opt.t_end = plan_.settle;
            status = to_end(opt, drv, rec);
        }
        if (status == SB_OK) {
            opt.t_end = plan_.adaptive.t_end;
            rec.measures = &measures_;
            sb_measures_begin(&model_, d(), &measures_);
            status = to_end(opt, drv, rec);
        }
        return status;
    }

    sb_status to_end(const sb_options &opt, sb_driver &drv, sb_record &rec)
    {
        sb_status status = SB_PAUSED;
        while (status == SB_PAUSED) {
            const long left = plan_.max_steps - d()->stats.steps;
            status = left <= 0 ? SB_STEP_LIMIT : sb_run(&model_, d(), &opt, &drv, &rec, std::min(left, SLICE));
            rec.n_changes = 0;
        }
        return status;
    }

    // Fixed steps: grid points are tasks; measures see the end of every task.
    sb_status run_fixed(const double *row, double *trace)
    {
        sb_fixed f{};
        sb_fixed_bind(&model_, &f, block_.get());
        sb_status status = sb_fixed_start(&model_, d(), &f, &plan_.task, plan_.t0, row);
        size_t next = 0;
        std::vector<int> modes(size_t(model_.n_lock + model_.n_shown));
        const double late = 1e-6 * plan_.task.h; // the clock of a task is exact to rounding
        choose_picks();
        write(f, trace, &next, plan_.t0 + late);
        look(f);
        begin_fixed(f, modes);
        while (status == SB_OK && sb_fixed_time(&f) < plan_.adaptive.t_end - late) {
            status = task(f);
            if (status != SB_OK) {
                break;
            }
            const double t = sb_fixed_time(&f);
            write(f, trace, &next, t + late);
            if (plan_.measures.empty()) {
                continue;
            }
            look(f);
            if (plan_.settle > plan_.t0 && t <= plan_.settle + late) {
                begin_fixed(f, modes);
                continue;
            }
            follow_modes(t, modes);
            sb_measures_sample(&model_, d(), &measures_, t, plan_.task.h);
        }
        d()->t = sb_fixed_time(&f);
        d()->stats.steps = f.count;
        return status;
    }

    // The inputs and the step of one task.
    sb_status task(sb_fixed &f)
    {
        for (const Course &course : plan_.courses) {
            double *kept = d()->signal_memory + course.memory;
            const double value = course.values.data()[f.count];
            f.stale |= *kept != value;
            *kept = value;
        }
        const sb_status status = f.count % CLOCKED ? SB_OK : answer();
        return status == SB_OK ? sb_fixed_step(&model_, d(), &f) : status;
    }

    // How outputs are read one by one, if all of them can be.
    void choose_picks()
    {
        picks_.clear();
        for (int i = 0; i < model_.n_output && int(picks_.size()) == i; ++i) {
            const sb_pick pick = sb_pick_output(&model_, i);
            if (pick.alone) {
                picks_.push_back(pick);
            }
        }
        alone_ = int(picks_.size()) == model_.n_output;
        fresh_ = alone_ && std::all_of(picks_.begin(), picks_.end(), [](const sb_pick &pick) { return pick.fresh; });
    }

    void look(sb_fixed &f)
    {
        sb_fixed_board(&model_, d(), &f);
        sb_outputs(&model_, d(), d()->x, d()->output, 1);
    }

    void write(sb_fixed &f, double *trace, size_t *next, double t)
    {
        if (*next >= plan_.n_grid || plan_.grid[*next] > t) {
            return;
        }
        if (!alone_) {
            look(f);
        } else if (!fresh_) {
            sb_fixed_board(&model_, d(), &f);
        }
        for (; *next < plan_.n_grid && plan_.grid[*next] <= t; ++*next) {
            for (int i = 0; i < model_.n_output; ++i) {
                trace[size_t(i) * plan_.n_grid + *next] =
                    alone_ ? sb_pick_read(&model_, d(), d()->x, d()->rate, &picks_[size_t(i)]) : d()->output[i];
            }
        }
    }

    void begin_fixed(const sb_fixed &f, std::vector<int> &modes)
    {
        d()->t = sb_fixed_time(&f);
        std::copy(d()->output, d()->output + model_.n_output, d()->node_output);
        sb_measures_begin(&model_, d(), &measures_);
        for (size_t i = 0; i < modes.size(); ++i) {
            modes[i] = mode(int(i));
        }
    }

    void follow_modes(double t, std::vector<int> &modes)
    {
        for (size_t i = 0; i < modes.size(); ++i) {
            const int now = mode(int(i));
            if (now != modes[i]) {
                sb_measures_change(&measures_, t, int(i), modes[i], now);
                modes[i] = now;
            }
        }
    }

    int mode(int number) const
    {
        const int n = model_.n_lock;
        return number < n ? data_.data.mode[number] : int(data_.data.x[model_.shown_state[number - n]]);
    }

    const Plan &plan_;
    sb_model model_;
    Data data_;
    std::unique_ptr<void, void (*)(void *)> block_{nullptr, std::free};
    std::vector<sb_tally> tally_;
    sb_measures measures_{};
    std::vector<double> scratch_;
    std::vector<sb_mode_change> changes_;
    std::vector<sb_pick> picks_;
    bool alone_ = false, fresh_ = false; // all outputs can be read one by one; and without the board
    std::atomic<bool> &stopped_;
    Clock::time_point start_{};
};

// Threads that take one point after the other; the caller looks for interrupts and shows the progress meanwhile.
class Crew {
  public:
    Crew(const Plan &plan, size_t jobs) : plan_(plan)
    {
        for (size_t i = 0; i < jobs; ++i) {
            workers.push_back(std::make_unique<Worker>(plan, stopped_));
        }
    }

    nb::object run(const nb::object &progress)
    {
        nb::object raised = nb::none();
        nb::gil_scoped_release release;
        std::vector<std::thread> threads;
        for (auto &worker : workers) {
            threads.emplace_back([this, &worker] { work(*worker); });
        }
        std::unique_lock<std::mutex> lock(mutex_);
        while (ended_ < workers.size()) {
            if (ready_.wait_for(lock, PERIOD) == std::cv_status::timeout && !stopped_) {
                lock.unlock();
                look(progress, raised);
                lock.lock();
            }
        }
        lock.unlock();
        for (auto &thread : threads) {
            thread.join();
        }
        return raised;
    }

    std::vector<std::unique_ptr<Worker>> workers;

  private:
    void work(Worker &worker)
    {
        for (size_t point = next_++; point < plan_.points && !stopped_; point = next_++) {
            worker.run(point);
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        ++ended_;
        ready_.notify_all();
    }

    void look(const nb::object &progress, nb::object &raised)
    {
        nb::gil_scoped_acquire acquire;
        try {
            if (PyErr_CheckSignals()) {
                throw nb::python_error();
            }
            if (!progress.is_none()) {
                progress(double(std::min(size_t(next_), plan_.points)));
            }
        } catch (nb::python_error &error) {
            raised = nb::borrow(error.value());
            stopped_ = true;
        }
    }

    const Plan &plan_;
    std::atomic<bool> stopped_{false};
    std::atomic<size_t> next_{0};
    size_t ended_ = 0;
    std::mutex mutex_;
    std::condition_variable ready_;
};

std::vector<Course> read_courses(const Plan &plan, const std::vector<int> &nodes, const nb::list &courses)
{
    const sb_model *m = plan.model;
    const double tasks = (plan.adaptive.t_end - plan.t0) / plan.task.h;
    std::vector<Course> inputs;
    for (size_t i = 0; i < nodes.size(); ++i) {
        const int node = nodes[i];
        if (node < 0 || node >= m->n_signal || m->signal_memory_ptr[node + 1] == m->signal_memory_ptr[node]) {
            throw nb::index_error("node of an input");
        }
        inputs.push_back({m->signal_memory_ptr[node], nb::cast<decltype(Course::values)>(courses[i])});
        if (double(inputs.back().values.size()) + 0.5 < tasks) {
            throw nb::value_error("inputs: fewer values than steps");
        }
    }
    return inputs;
}

nb::list failures(const Crew &crew)
{
    nb::list out;
    for (const auto &worker : crew.workers) {
        for (const Failed &f : worker->failed) {
            out.append(nb::make_tuple(f.point, int(f.status), f.time, f.culprit.tuple(),
                                      copy_array(f.state.data(), {f.state.size()})));
        }
    }
    return out;
}

// Rows of values: results (points x measures), traces (points x outputs x times) or None, and what has failed:
// [(point, status, time, culprit, state), ...].
nb::dict batch(const Model &model, const Input &rows, double t0, double settle, const Input &grid, bool traced,
               const std::vector<nb::tuple> &measures, const nb::dict &options, const nb::object &task,
               const std::vector<int> &nodes, const nb::list &courses, size_t jobs, const nb::object &progress)
{
    const sb_model *m = &model.model;
    sb_model probe = *m;
    const size_t columns = size_t(SB_N_Y(m)) + place_values(&probe, nullptr);
    if (rows.ndim() != 2 || rows.shape(1) != columns) {
        throw nb::value_error("rows: not as many columns as the model has values");
    }
    const size_t points = rows.shape(0);
    Output results = new_array({points, measures.size()});
    Output traces = new_array({traced ? points : 0, size_t(m->n_output), grid.size()});
    Plan plan{m,
              rows.data(),
              points,
              columns,
              t0,
              settle,
              !task.is_none(),
              read_options(options),
              {},
              nb::cast<long>(options["max_steps"]),
              nb::cast<double>(options["max_seconds"]),
              grid.data(),
              grid.size(),
              {},
              {},
              results.data(),
              traced ? traces.data() : nullptr};
    if (plan.fixed) {
        plan.task = read_fixed_options(nb::cast<nb::dict>(task));
        plan.courses = read_courses(plan, nodes, courses);
    }
    for (const nb::tuple &row : measures) {
        plan.measures.push_back(read_measure(row));
        check_measure(m, plan.measures.back());
    }
    Crew crew(plan, std::max<size_t>(std::min(jobs, points), 1));
    nb::object raised = crew.run(progress);
    nb::dict out;
    long steps = 0;
    for (const auto &worker : crew.workers) {
        steps += worker->steps;
    }
    out["results"] = results;
    out["traces"] = traces;
    out["failed"] = failures(crew);
    out["steps"] = steps;
    out["raised"] = raised;
    return out;
}

} // namespace

void bind_batch(nb::module_ &mod)
{
    mod.def("batch", &batch, nb::arg("model"), nb::arg("rows"), nb::arg("t0"), nb::arg("settle"), nb::arg("grid"),
            nb::arg("traced"), nb::arg("measures"), nb::arg("options"), nb::arg("task").none(), nb::arg("nodes"),
            nb::arg("courses"), nb::arg("jobs"), nb::arg("progress").none());
    mod.def("measure_kinds", []() {
        nb::dict kinds;
#define X(code, name) kinds[name] = int(code);
        SB_MEASURE_KINDS(X)
#undef X
        return kinds;
    });
}
