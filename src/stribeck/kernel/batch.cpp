// Many points of one structure, a run each, in threads and lanes, without the interpreter.

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <numeric>
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
        const double since = plan.fixed ? -INFINITY : plan.t0;
        measures = {int(plan.measures.size()), plan.measures.data(), tally.data(), since, plan.t0};
        double *trace = plan.traces ? plan.trace(point) : scratch.data();
        return {plan.grid, plan.n_grid, 0, trace, changes.data(), 0, changes.size(), nullptr, nullptr, 0};
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

// One adaptive run after the other: all that lanes cannot do.
class Single : public Worker {
  public:
    Single(const Plan &plan, Queue &queue)
        : Worker(plan, queue), model_(*plan.model), data_(&model_), record_(plan), timer_{plan, queue}
    {
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
            status = run_adaptive(row, rec);
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

    sb_model model_;
    Data data_;
    Record record_;
    Timer timer_;
};

// A run at fixed steps: grid points are tasks, measures see the end of every task.
struct FixedRun {
    FixedRun(const Plan &plan, const Queue &queue, int number)
        : record(plan), timer{plan, queue}, lane(number), modes(size_t(plan.model->n_lock + plan.model->n_shown))
    {
    }

    Record record;
    Timer timer;
    const int lane;
    std::vector<int> modes; // after the task before
    sb_record rec{};
    size_t point = 0;
    long count = 0; // tasks done
};

// Runs at fixed steps, several side by side where lanes know their machine.
class Plants : public Worker {
  public:
    Plants(const Plan &plan, Queue &queue)
        : Worker(plan, queue), memory_(sb_plants_size(plan.model, &plan.task, instructions())),
          plants_(sb_plants_bind(plan.model, &plan.task, instructions(), memory_.get()))
    {
        lanes_ = sb_plants_lanes(plan.model, &plan.task, instructions());
        for (int k = 0; k < lanes_; ++k) {
            runs_.push_back(std::make_unique<FixedRun>(plan, queue, k));
        }
        numbers_.resize(size_t(plan.model->n_output));
        std::iota(numbers_.begin(), numbers_.end(), 0);
        places_.resize(numbers_.size());
        out_.resize(numbers_.size() * size_t(lanes_));
        for (const sb_measure &measure : plan.measures) {
            contacts_ = contacts_ || measure.of == SB_OF_CONTACT;
        }
    }

    void work() override
    {
        for (auto &run : runs_) {
            refill(*run);
        }
        while (std::any_of(runs_.begin(), runs_.end(), [this](const auto &run) { return plant(*run).active; })) {
            for (auto &run : runs_) {
                prepare(*run);
            }
            sb_plants_step(plants_);
            follow();
        }
    }

  private:
    const char *instructions() const
    {
        return plan_.lanes ? plan_.lanes : "";
    }

    sb_plant &plant(const FixedRun &run)
    {
        return *sb_plants_plant(plants_, run.lane);
    }

    double time(const FixedRun &run) const
    {
        return plan_.t0 + double(run.count) * plan_.task.h;
    }

    double late() const
    {
        return 1e-6 * plan_.task.h; // the clock of a task is exact to rounding
    }

    // The next point, and those after it that end at once.
    void refill(FixedRun &run)
    {
        sb_plant &p = plant(run);
        while (!p.active && queue_.take(&run.point)) {
            begin(run);
            if (p.status != SB_OK || time(run) >= plan_.adaptive.t_end - late()) {
                end(run, p.status);
            }
        }
    }

    void begin(FixedRun &run)
    {
        sb_plant &p = plant(run);
        const double *row = plan_.row(run.point);
        run.rec = run.record.begin(plan_, run.point);
        run.count = 0;
        place_values(&p.model, row + SB_N_Y(&p.model));
        p.watch = {&Timer::ask, &run.timer, 0, SB_OK};
        run.timer.start = Clock::now();
        if (sb_model_check(&p.model) != SB_OK) {
            sb_data_clear(&p.model, &p.data);
            p.status = SB_BAD_MODEL;
            return;
        }
        sb_plants_start(plants_, run.lane, plan_.t0, row);
        read();
        write(run);
        begin_measures(run);
    }

    void end(FixedRun &run, sb_status status)
    {
        sb_plant &p = plant(run);
        (void)sb_plants_look(plants_, run.lane);
        p.data.t = time(run);
        p.data.stats.steps = run.count;
        sb_plants_stop(plants_, run.lane);
        finish(&p.model, &p.data, run.point, status, &run.record.measures, run.rec.next);
    }

    // The inputs of a task, and whether it is to be made at all.
    void prepare(FixedRun &run)
    {
        if (!plant(run).active) {
            return;
        }
        for (const Course &course : plan_.courses) {
            sb_plants_input(plants_, run.lane, course.memory, course.values.data()[run.count]);
        }
        const sb_status status = run.count % CLOCKED ? SB_OK : run.timer.answer();
        if (status != SB_OK) {
            end(run, status);
        }
    }

    // What the task has brought.
    void follow()
    {
        bool wanted = !plan_.measures.empty();
        for (auto &run : runs_) {
            sb_plant &p = plant(*run);
            if (p.active && p.status != SB_OK) {
                end(*run, p.status);
            }
            run->count += p.active;
            wanted = wanted || (p.active && due(*run));
        }
        if (wanted) {
            read();
        }
        for (auto &run : runs_) {
            if (plant(*run).active) {
                write(*run);
                measure(*run);
                if (time(*run) >= plan_.adaptive.t_end - late()) {
                    end(*run, SB_OK);
                }
            }
            refill(*run);
        }
    }

    bool due(const FixedRun &run) const
    {
        return run.rec.next < plan_.n_grid && plan_.grid[run.rec.next] <= time(run) + late();
    }

    // Outputs of all plants.
    void read()
    {
        const auto n = int(numbers_.size());
        const bool there = sb_plants_places(plants_, n, numbers_.data(), places_.data());
        const sb_chosen chosen{n, numbers_.data(), there ? places_.data() : nullptr};
        sb_plants_outputs(plants_, lanes_, &chosen, out_.data(), lanes_);
    }

    double output(const FixedRun &run, size_t i) const
    {
        return out_[i * size_t(lanes_) + size_t(run.lane)];
    }

    void write(FixedRun &run)
    {
        for (; due(run); ++run.rec.next) {
            for (size_t i = 0; i < numbers_.size(); ++i) {
                run.rec.data[i * plan_.n_grid + run.rec.next] = output(run, i);
            }
        }
    }

    void begin_measures(FixedRun &run)
    {
        sb_plant &p = plant(run);
        p.data.t = time(run);
        for (size_t i = 0; i < numbers_.size(); ++i) {
            p.data.output[i] = p.data.node_output[i] = output(run, i);
        }
        sb_measures_begin(&p.model, &p.data, &run.record.measures);
        remember_modes(run);
    }

    void measure(FixedRun &run)
    {
        if (plan_.measures.empty()) {
            return;
        }
        if (plan_.settle > plan_.t0 && time(run) <= plan_.settle + late()) {
            begin_measures(run);
            return;
        }
        sb_plant &p = plant(run);
        follow_modes(run);
        for (size_t i = 0; i < numbers_.size(); ++i) {
            p.data.output[i] = output(run, i);
        }
        sb_measures_sample(&p.model, &p.data, &run.record.measures, time(run), plan_.task.h);
    }

    int mode(const FixedRun &run, int number)
    {
        const sb_plant &p = plant(run);
        const int n = p.model.n_lock;
        return number < n ? p.data.mode[number] : int(p.data.x[p.model.shown_state[number - n]]);
    }

    void remember_modes(FixedRun &run)
    {
        (void)sb_plants_look(plants_, run.lane);
        for (size_t i = 0; i < run.modes.size(); ++i) {
            run.modes[i] = mode(run, int(i));
        }
    }

    void follow_modes(FixedRun &run)
    {
        if (!contacts_) {
            return;
        }
        (void)sb_plants_look(plants_, run.lane);
        for (size_t i = 0; i < run.modes.size(); ++i) {
            const int now = mode(run, int(i));
            if (now != run.modes[i]) {
                sb_measures_change(&run.record.measures, time(run), int(i), run.modes[i], now);
                run.modes[i] = now;
            }
        }
    }

    Aligned memory_;
    sb_plants *plants_;
    int lanes_ = 1;
    bool contacts_ = false; // mode changes are measured
    std::vector<std::unique_ptr<FixedRun>> runs_;
    std::vector<int> numbers_, places_;
    std::vector<double> out_; // outputs x lanes
};

// Threads that take one point after the other; the caller looks for interrupts and shows the progress meanwhile.
class Crew {
  public:
    Crew(const Plan &plan, size_t jobs) : queue_{plan.points}
    {
        for (size_t i = 0; i < jobs; ++i) {
            if (plan.fixed) {
                workers.push_back(std::make_unique<Plants>(plan, queue_));
            } else if (plan.lanes) {
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
    if (!lanes.empty() && many && (plan.fixed || sb_group_lanes(m, &plan.adaptive, lanes.c_str()) > 1)) {
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
