// Many points of one structure, a run each, in threads and lanes, without the interpreter.

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "binding.h"

namespace {

constexpr auto PERIOD = std::chrono::milliseconds(20); // between two looks for an interrupt
constexpr size_t WORTH_LANES = 3;                      // points of each thread: below, idle lanes cost more
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
    double *results;   // points x measures
    double *traces;    // points x outputs x times, or NULL
    const char *lanes; // instructions with which several run at a time in each thread; NULL: one by one

    double *trace(size_t point) const
    {
        return traces ? traces + point * n_grid * size_t(model->n_output) : nullptr;
    }

    double *result(size_t point) const
    {
        return results + point * measures.size();
    }

    const double *row(size_t point) const
    {
        return rows + point * columns;
    }

    // What a run has not written is not known.
    void clear(size_t point, size_t written) const
    {
        for (size_t i = 0; i < size_t(model->n_output) && traces; ++i) {
            double *row = trace(point) + i * n_grid;
            std::fill(row + std::min(written, n_grid), row + n_grid, NAN);
        }
    }
};

struct Failed {
    size_t point;
    sb_status status;
    double time;
    Culprit culprit;
    std::vector<double> state;
};

using Clock = std::chrono::steady_clock;

// The points that are left, and whether the caller wants to end.
struct Queue {
    const size_t points;
    std::atomic<bool> stopped{false};
    std::atomic<size_t> next{0};

    bool take(size_t *point)
    {
        *point = stopped ? points : next++;
        return *point < points;
    }
};

// The time of one run.
struct Timer {
    const Plan &plan;
    const Queue &queue;
    Clock::time_point start{};

    static sb_status ask(void *context)
    {
        return static_cast<const Timer *>(context)->answer();
    }

    sb_status answer() const
    {
        if (queue.stopped) {
            return SB_INTERRUPTED;
        }
        return Clock::now() - start > std::chrono::duration<double>(plan.max_seconds) ? SB_TIME_LIMIT : SB_OK;
    }
};

// What a run writes to.
struct Record {
    std::vector<sb_tally> tally;
    std::vector<double> scratch;
    std::vector<sb_mode_change> changes;
    sb_measures measures{};

    explicit Record(const Plan &plan)
        : tally(plan.measures.size()), scratch(plan.traces ? 0 : plan.n_grid * size_t(plan.model->n_output)),
          changes(256 + size_t(2 * plan.model->n_lock + plan.model->n_shown))
    {
    }

    sb_record begin(const Plan &plan, size_t point)
    {
        std::fill(plan.result(point), plan.result(point + 1), NAN);
        measures = {int(plan.measures.size()), plan.measures.data(), tally.data(), plan.fixed ? -INFINITY : plan.t0};
        double *trace = plan.traces ? plan.trace(point) : scratch.data();
        return {plan.grid, plan.n_grid, 0, trace, changes.data(), 0, changes.size(), nullptr, nullptr};
    }
};

// A thread: its results, and what has failed.
class Worker {
  public:
    Worker(const Plan &plan, Queue &queue) : plan_(plan), queue_(queue)
    {
    }
    virtual ~Worker() = default;
    virtual void work() = 0;

    std::vector<Failed> failed;
    long steps = 0;

  protected:
    void finish(const sb_model *m, sb_data *d, size_t point, sb_status status, const sb_measures *measures,
                size_t written)
    {
        plan_.clear(point, written);
        if (status == SB_OK && !plan_.fixed && !plan_.adaptive.extremes) {
            status = sb_measures_end(m, d);
        }
        if (status == SB_OK) {
            sb_measures_take(m, d, measures, plan_.result(point));
        } else {
            if (status == SB_INTERRUPTED || status == SB_TIME_LIMIT || status == SB_STEP_LIMIT) {
                d->culprit = {SB_NOTHING, 0};
            }
            failed.push_back({point, status, d->t, Culprit(m, d), std::vector<double>(d->x, d->x + SB_N_Y(m))});
        }
        steps += d->stats.steps;
    }

    const Plan &plan_;
    Queue &queue_;
};

// Several adaptive runs side by side.
class Lanes : public Worker {
  public:
    Lanes(const Plan &plan, Queue &queue) : Worker(plan, queue)
    {
        const auto n = int(plan.measures.size());
        memory_ = Aligned(sb_group_size(plan.model, n, plan.lanes));
        group_ = sb_group_bind(plan.model, &plan.adaptive, plan.measures.data(), n, plan.lanes, memory_.get());
        for (int k = 0; k < sb_group_lanes(plan.model, &plan.adaptive, plan.lanes); ++k) {
            records_.push_back(std::make_unique<Record>(plan));
            timers_.push_back(std::make_unique<Timer>(Timer{plan, queue}));
        }
    }

    void work() override
    {
        const sb_owner owner{this, &Lanes::next, &Lanes::done, plan_.max_steps};
        sb_group_run(group_, &owner);
    }

  private:
    static int next(void *context, sb_lane *lane)
    {
        return static_cast<Lanes *>(context)->begin(lane);
    }

    static void done(void *context, sb_lane *lane, sb_status status)
    {
        auto *self = static_cast<Lanes *>(context);
        self->finish(&lane->model, &lane->data, lane->point, status, lane->record.measures, lane->record.next);
    }

    int begin(sb_lane *lane)
    {
        if (!queue_.take(&lane->point)) {
            return 0;
        }
        const auto k = size_t(lane - sb_group_lane(group_, 0));
        const double *row = plan_.row(lane->point);
        place_values(&lane->model, row + SB_N_Y(&lane->model));
        lane->record = records_[k]->begin(plan_, lane->point);
        lane->record.measures = &records_[k]->measures;
        lane->options = plan_.adaptive;
        timers_[k]->start = Clock::now();
        sb_group_begin(lane, {&Timer::ask, timers_[k].get(), 0, SB_OK}, plan_.t0, row, plan_.settle);
        return 1;
    }

    Aligned memory_;
    sb_group *group_;
    std::vector<std::unique_ptr<Record>> records_;
    std::vector<std::unique_ptr<Timer>> timers_;
};

// One run after the other: all that lanes cannot do.
class Single : public Worker {
  public:
    Single(const Plan &plan, Queue &queue)
        : Worker(plan, queue), model_(*plan.model), data_(&model_), record_(plan), timer_{plan, queue}
    {
        if (plan.fixed) {
            block_.reset(std::malloc(sb_fixed_size(&model_) + 1));
            if (!block_) {
                throw std::bad_alloc();
            }
        }
    }

    void work() override
    {
        for (size_t point; queue_.take(&point);) {
            run(point);
        }
    }

  private:
    void run(size_t point)
    {
        const double *row = plan_.row(point);
        sb_record rec = record_.begin(plan_, point);
        place_values(&model_, row + SB_N_Y(&model_));
        sb_data_bind(&model_, d(), data_.block.get());
        d()->watch = {&Timer::ask, &timer_, 0, SB_OK};
        timer_.start = Clock::now();
        sb_status status = sb_model_check(&model_);
        if (status == SB_OK) {
            status = plan_.fixed ? run_fixed(row, rec) : run_adaptive(row, rec);
        }
        finish(&model_, d(), point, status, &record_.measures, rec.next);
    }

    sb_data *d()
    {
        return &data_.data;
    }

    sb_status run_adaptive(const double *row, sb_record &rec)
    {
        sb_options opt = plan_.adaptive;
        sb_driver drv{};
        sb_status status = sb_start(&model_, d(), &opt, &drv, &rec, plan_.t0, row);
        if (status == SB_OK && plan_.settle > plan_.t0) {
            opt.t_end = plan_.settle;
            status = to_end(opt, drv, rec);
        }
        if (status == SB_OK) {
            opt.t_end = plan_.adaptive.t_end;
            rec.measures = &record_.measures;
            sb_measures_begin(&model_, d(), &record_.measures);
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
    sb_status run_fixed(const double *row, sb_record &rec)
    {
        sb_fixed f{};
        sb_fixed_bind(&model_, &f, block_.get());
        sb_status status = sb_fixed_start(&model_, d(), &f, &plan_.task, plan_.t0, row);
        std::vector<int> modes(size_t(model_.n_lock + model_.n_shown));
        const double late = 1e-6 * plan_.task.h; // the clock of a task is exact to rounding
        choose_picks();
        write(f, rec.data, &rec.next, plan_.t0 + late);
        look(f);
        begin_fixed(f, modes);
        while (status == SB_OK && sb_fixed_time(&f) < plan_.adaptive.t_end - late) {
            status = task(f);
            if (status != SB_OK) {
                break;
            }
            const double t = sb_fixed_time(&f);
            write(f, rec.data, &rec.next, t + late);
            if (plan_.measures.empty()) {
                continue;
            }
            look(f);
            if (plan_.settle > plan_.t0 && t <= plan_.settle + late) {
                begin_fixed(f, modes);
                continue;
            }
            follow_modes(t, modes);
            sb_measures_sample(&model_, d(), &record_.measures, t, plan_.task.h);
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
        const sb_status status = f.count % CLOCKED ? SB_OK : timer_.answer();
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
        sb_measures_begin(&model_, d(), &record_.measures);
        for (size_t i = 0; i < modes.size(); ++i) {
            modes[i] = mode(int(i));
        }
    }

    void follow_modes(double t, std::vector<int> &modes)
    {
        for (size_t i = 0; i < modes.size(); ++i) {
            const int now = mode(int(i));
            if (now != modes[i]) {
                sb_measures_change(&record_.measures, t, int(i), modes[i], now);
                modes[i] = now;
            }
        }
    }

    int mode(int number) const
    {
        const int n = model_.n_lock;
        return number < n ? data_.data.mode[number] : int(data_.data.x[model_.shown_state[number - n]]);
    }

    sb_model model_;
    Data data_;
    Record record_;
    Timer timer_;
    std::unique_ptr<void, void (*)(void *)> block_{nullptr, std::free};
    std::vector<sb_pick> picks_;
    bool alone_ = false, fresh_ = false; // all outputs can be read one by one; and without the board
};

// Threads that take one point after the other; the caller looks for interrupts and shows the progress meanwhile.
class Crew {
  public:
    Crew(const Plan &plan, size_t jobs) : queue_{plan.points}
    {
        for (size_t i = 0; i < jobs; ++i) {
            if (plan.lanes) {
                workers.push_back(std::make_unique<Lanes>(plan, queue_));
            } else {
                workers.push_back(std::make_unique<Single>(plan, queue_));
            }
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
            if (ready_.wait_for(lock, PERIOD) == std::cv_status::timeout && !queue_.stopped) {
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
        worker.work();
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
                progress(double(std::min(size_t(queue_.next), queue_.points)));
            }
        } catch (nb::python_error &error) {
            raised = nb::borrow(error.value());
            queue_.stopped = true;
        }
    }

    Queue queue_;
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

// Rows of values: results (points x measures), and what has failed; traces (points x outputs x times, or empty) are
// written where they are to be:
// [(point, status, time, culprit, state), ...].
nb::dict batch(const Model &model, const Input &rows, double t0, double settle, const Input &grid, Traces traces,
               const std::vector<nb::tuple> &measures, const nb::dict &options, const nb::object &task,
               const std::vector<int> &nodes, const nb::list &courses, size_t jobs, const std::string &lanes,
               const nb::object &progress)
{
    const sb_model *m = &model.model;
    sb_model probe = *m;
    const size_t columns = size_t(SB_N_Y(m)) + place_values(&probe, nullptr);
    if (rows.ndim() != 2 || rows.shape(1) != columns) {
        throw nb::value_error("rows: not as many columns as the model has values");
    }
    const size_t points = rows.shape(0);
    Output results = new_array({points, measures.size()});
    const bool traced = traces.shape(0) > 0;
    if (traced && traces.size() != points * size_t(m->n_output) * grid.size()) {
        throw nb::value_error("traces: not points x outputs x times");
    }
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
              traced ? traces.data() : nullptr,
              nullptr};
    if (plan.fixed) {
        plan.task = read_fixed_options(nb::cast<nb::dict>(task));
        plan.courses = read_courses(plan, nodes, courses);
    }
    for (const nb::tuple &row : measures) {
        plan.measures.push_back(read_measure(row));
        check_measure(m, plan.measures.back());
    }
    const bool many = points >= WORTH_LANES * jobs;
    if (!lanes.empty() && !plan.fixed && many && sb_group_lanes(m, &plan.adaptive, lanes.c_str()) > 1) {
        plan.lanes = lanes.c_str();
    }
    Crew crew(plan, std::max<size_t>(std::min(jobs, points), 1));
    nb::object raised = crew.run(progress);
    nb::dict out;
    long steps = 0;
    for (const auto &worker : crew.workers) {
        steps += worker->steps;
    }
    out["results"] = results;
    out["failed"] = failures(crew);
    out["steps"] = steps;
    out["raised"] = raised;
    return out;
}

} // namespace

void bind_batch(nb::module_ &mod)
{
    mod.def("batch", &batch, nb::arg("model"), nb::arg("rows"), nb::arg("t0"), nb::arg("settle"), nb::arg("grid"),
            nb::arg("traces"), nb::arg("measures"), nb::arg("options"), nb::arg("task").none(), nb::arg("nodes"),
            nb::arg("courses"), nb::arg("jobs"), nb::arg("lanes"), nb::arg("progress").none());
    mod.def("instructions", []() {
        std::vector<std::string> names;
        for (int i = 0; sb_instructions(i); ++i) {
            names.emplace_back(sb_instructions(i));
        }
        return names;
    });
    mod.def("measure_kinds", []() {
        nb::dict kinds;
#define X(code, name) kinds[name] = int(code);
        SB_MEASURE_KINDS(X)
#undef X
        return kinds;
    });
}
