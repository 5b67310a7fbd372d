// The only door to the C kernel: models from arrays, the machine for outside integrators, adaptive runs.

#include <algorithm>
#include <limits>

#include "binding.h"

namespace {

constexpr long SLICE = 1000000; // steps of one call of the kernel

// The machine for outside integrators: right-hand side, derivatives, events and modes.
class Machine {
  public:
    explicit Machine(const Model &model) : model_(model.model), data_(&model_)
    {
    }

    void start(double t0, const Input &y0)
    {
        expect(y0.size(), SB_N_Y(m()), "start");
        raise_on_failure(sb_machine_start(m(), d(), t0, y0.data()));
        started_ = true;
    }

    // Goes on at t from where another run has ended.
    void resume(double t, const Input &numbers, const Counts &counts)
    {
        data_fields(m(), d()).put(numbers, counts);
        raise_on_failure(sb_machine_review(m(), d(), t));
        started_ = true;
    }

    // What another run goes on from at (t, y).
    nb::tuple end(double t, const Input &y)
    {
        raise_on_failure(sb_rates(m(), d(), t, load(y), d()->rate));
        d()->t = t;
        return data_fields(m(), d()).take();
    }

    // From t0 and y0 to t_end with the adaptive solver; the machine stays there, with its modes and its signals.
    void advance(double t0, const Input &y0, double t_end, double tolerance)
    {
        expect(y0.size(), SB_N_Y(m()), "advance");
        const sb_options opt{SB_AUTO, t_end, tolerance, 0.0, std::numeric_limits<double>::infinity(), 0, 0};
        const size_t most = size_t(2 * m()->n_lock + m()->n_shown); // changes at one instant
        std::vector<sb_mode_change> changes(256 + most);
        sb_record rec{nullptr, 0, 0, nullptr, changes.data(), 0, changes.size(), nullptr, nullptr, 0};
        sb_driver drv{};
        Watch watch(d(), t0, t_end);
        sb_status status = sb_start(m(), d(), &opt, &drv, &rec, t0, y0.data());
        for (status = status == SB_OK ? SB_PAUSED : status; status == SB_PAUSED; rec.n_changes = 0) {
            status = sb_run(m(), d(), &opt, &drv, &rec, SLICE);
        }
        raise_again(watch.raised);
        raise_on_failure(status);
        started_ = true;
    }

    // Torques that are added to those of the sources from now on.
    void offset_torques(const Input &torques)
    {
        expect(torques.size(), m()->n_source, "offset_torques");
        std::memcpy(d()->torque_offset, torques.data(), torques.size() * sizeof(double));
    }

    // Position, speed and acceleration that are added to each prescribed motion from now on.
    void offset_motions(const Input &motions)
    {
        expect(motions.size(), 3 * m()->n_motion, "offset_motions");
        std::memcpy(d()->motion_offset, motions.data(), motions.size() * sizeof(double));
        sb_place_motions(m(), d());
    }

    Output state()
    {
        return copy_array(d()->x, {size_t(SB_N_Y(m()))});
    }

    Output rhs(double t, const Input &y)
    {
        raise_on_failure(sb_rates(m(), d(), t, load(y), d()->rate));
        return copy_array(d()->rate, {size_t(SB_N_Y(m()))});
    }

    // Losses of gears make Mass and the Jacobian depend on the point.
    void at_point(double t, const Input &y)
    {
        load(y);
        if (m()->n_loss > 0) {
            raise_on_failure(sb_rates(m(), d(), t, d()->x, d()->rate));
            raise_on_failure(sb_refresh_mass(m(), d()));
        }
    }

    // Columns of Mass^-1 dF/dx, one solve each.
    Output jacobian(double t, const Input &y)
    {
        const int n = SB_N_Y(m());
        const int n_x = SB_N_X(m());
        at_point(t, y);
        sb_jacobian(m(), d(), t, d()->x);
        std::vector<double> dense(size_t(n_x) * size_t(n_x), 0.0);
        for (int i = 0; i < n_x; ++i) {
            for (int p = m()->lu_ptr[i]; p < m()->lu_ptr[i + 1]; ++p) {
                dense[size_t(m()->lu_perm[m()->lu_col[p]]) * size_t(n_x) + size_t(m()->lu_perm[i])] = d()->jac[p];
            }
        }
        Output out = new_array({size_t(n), size_t(n)});
        for (int j = 0; j < n; ++j) {
            sb_solve_derivative(m(), d(), &dense[size_t(j) * size_t(n_x)], d()->rate);
            for (int i = 0; i < n; ++i) {
                out.data()[i * n + j] = d()->rate[i];
            }
        }
        return out;
    }

    Output time_derivative(double t, const Input &y)
    {
        at_point(t, y);
        sb_jacobian(m(), d(), t, d()->x);
        sb_solve_derivative(m(), d(), d()->force_t, d()->rate);
        return copy_array(d()->rate, {size_t(SB_N_Y(m()))});
    }

    Output event_values(double t, const Input &y)
    {
        raise_on_failure(sb_rates(m(), d(), t, load(y), d()->rate));
        sb_event_values(m(), d(), d()->x, d()->event_value);
        return copy_array(d()->event_value, {size_t(SB_N_EVENT(m()))});
    }

    // New state and [(lock, from, to), ...]
    nb::tuple update_modes(double t, const Input &y, const std::vector<int> &fired)
    {
        load(y);
        for (int i = 0; i < SB_N_EVENT(m()); ++i) {
            d()->fired[i] = 0;
        }
        for (int i : fired) {
            if (i < 0 || i >= SB_N_EVENT(m())) {
                throw nb::index_error("event number");
            }
            d()->fired[i] = 1;
        }
        raise_on_failure(sb_update_modes(m(), d(), t, d()->x));
        nb::list changes;
        for (int k = 0; k < m()->n_lock; ++k) {
            if (d()->mode[k] != d()->mode_old[k]) {
                changes.append(nb::make_tuple(k, d()->mode_old[k], d()->mode[k]));
            }
        }
        for (int i = 0; i < m()->n_shown; ++i) {
            const int mode = int(d()->x[m()->shown_state[i]]);
            if (mode != d()->shown_old[i]) {
                changes.append(nb::make_tuple(m()->n_lock + i, d()->shown_old[i], mode));
            }
        }
        return nb::make_tuple(state(), changes);
    }

    Output outputs(double t, const Input &y)
    {
        raise_on_failure(sb_rates(m(), d(), t, load(y), d()->rate));
        sb_complete_board(m(), d(), d()->x, d()->rate);
        raise_on_failure(sb_jerk(m(), d(), t, d()->x, d()->rate));
        sb_outputs(m(), d(), d()->x, d()->output, 1);
        return copy_array(d()->output, {size_t(m()->n_output)});
    }

    void begin_segment(double t, const Input &y)
    {
        sb_begin_segment(m(), d(), t, load(y));
    }
    double next_time_event() const
    {
        return std::min(data_.data.t_break, data_.data.t_bridge);
    }
    std::vector<int> locked() const
    {
        return std::vector<int>(data_.data.locked, data_.data.locked + model_.n_lock);
    }
    std::vector<int> modes() const
    {
        return std::vector<int>(data_.data.mode, data_.data.mode + model_.n_lock);
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

    const double *load(const Input &y)
    {
        if (!started_) {
            throw std::runtime_error("the machine has not been started; call start(t0, y0) first");
        }
        expect(y.size(), SB_N_Y(m()), "state");
        std::memcpy(d()->x, y.data(), y.size() * sizeof(double));
        return d()->x;
    }

    const sb_model &model_;
    Data data_;
    bool started_ = false;
};

nb::dict statistics(const sb_statistics &s)
{
    nb::dict out;
#define X(name) out[#name] = s.name;
    SB_STATISTICS(X)
#undef X
    out["smallest_step"] = s.smallest_step;
    out["largest_step"] = s.largest_step;
    return out;
}

Output extremes(const sb_model *m, const sb_data *d)
{
    const size_t n = size_t(m->n_output);
    Output out = new_array({n, 4});
    for (size_t i = 0; i < n; ++i) {
        out.data()[4 * i] = d->ext_min[i];
        out.data()[4 * i + 1] = d->ext_tmin[i];
        out.data()[4 * i + 2] = d->ext_max[i];
        out.data()[4 * i + 3] = d->ext_tmax[i];
    }
    return out;
}

// Mode changes of a run, and the times of its events, moved here whenever the buffer of the kernel is full. Of time
// events only a few are kept between two points of the grid: nothing can be shown in between, and sampled signals have
// millions of them.
struct Changes {
    static constexpr int MOST_BETWEEN = 4;
    std::vector<sb_mode_change> modes;
    std::vector<double> breaks;

    void take(sb_record &rec)
    {
        for (size_t i = 0; i < rec.n_changes; ++i) {
            const sb_mode_change &c = rec.changes[i];
            for (; point_ < rec.n_grid && rec.grid[point_] < c.time; ++point_) {
                between_ = 0;
            }
            if (c.lock != SB_NO_LOCK) {
                modes.push_back(c);
            } else if (++between_ > MOST_BETWEEN) {
                continue;
            }
            breaks.push_back(c.time);
        }
        rec.n_changes = 0;
    }

    nb::list table() const
    {
        nb::list out;
        for (const sb_mode_change &c : modes) {
            out.append(nb::make_tuple(c.time, c.lock, c.from, c.to));
        }
        return out;
    }

  private:
    size_t point_ = 0;
    int between_ = 0;
};

// Where a run starts: with y0, or where another run has ended.
struct Start {
    double t0;
    const double *y0;
    bool resumes, same;
};

// Runs to the end, to a limit, or until the caller ends it.
sb_status run_to_end(const sb_model *m, sb_data *d, const sb_options &opt, sb_driver &drv, sb_record &rec,
                     Changes &changes, const Start &start, long max_steps)
{
    sb_status status = start.resumes ? sb_resume(m, d, &opt, &drv, &rec, start.t0, start.same)
                                     : sb_start(m, d, &opt, &drv, &rec, start.t0, start.y0);
    for (status = status == SB_OK ? SB_PAUSED : status; status == SB_PAUSED;) {
        const long left = max_steps - d->stats.steps;
        status = left <= 0 ? SB_STEP_LIMIT : sb_run(m, d, &opt, &drv, &rec, std::min(left, SLICE));
        changes.take(rec);
    }
    changes.take(rec);
    if (status == SB_INTERRUPTED || status == SB_TIME_LIMIT || status == SB_STEP_LIMIT) {
        d->culprit = {SB_NOTHING, 0};
    }
    if (status != SB_OK) {
        sb_energy(m, d, d->t, d->x, d->energy_now);
        while (rec.next > 0 && rec.grid[rec.next - 1] > d->t) { // of a step that did not end
            --rec.next;
        }
    }
    return status;
}

Fields fields_of_run(const sb_model *m, sb_data *d, sb_driver &drv)
{
    Fields fields = data_fields(m, d);
    fields.n += sb_driver_fields(&drv, fields.list + fields.n);
    return fields;
}

// How a run goes on from another one: alike (numbers and counts of an adaptive run with the same model, at its end), or
// with what all kinds of runs have.
struct Resumed {
    bool alike;
    Input numbers;
    Counts counts;
};

Resumed read_start(const nb::tuple &start)
{
    return {nb::cast<bool>(start[0]), nb::cast<Input>(start[1]), nb::cast<Counts>(start[2])};
}

// `start`: None, or (alike, numbers, counts).
nb::dict run(const Model &model, double t0, const Input &y0, const Input &grid, const nb::dict &options,
             const nb::object &progress, const nb::object &start)
{
    const sb_model *m = &model.model;
    expect(y0.size(), SB_N_Y(m), "y0");
    const sb_options opt = read_options(options);
    Data holder(m);
    sb_data *d = &holder.data;
    Output data = new_array({size_t(m->n_output), grid.size()});
    const size_t most = size_t(2 * m->n_lock + m->n_shown); // changes at one instant
    std::vector<sb_mode_change> buffer(256 + most);
    View view(m, grid.size());
    sb_record rec{grid.data(), grid.size(), 0, data.data(), buffer.data(), 0, buffer.size(), view.get(), nullptr, 0};
    Changes changes;
    Watch watch(d, t0, opt.t_end, progress, nb::cast<double>(options["max_seconds"]));
    const long max_steps = nb::cast<long>(options["max_steps"]);
    sb_driver drv{};
    Start from{t0, y0.data(), !start.is_none(), false};
    if (from.resumes) {
        const Resumed other = read_start(nb::cast<nb::tuple>(start));
        (other.alike ? fields_of_run(m, d, drv) : data_fields(m, d)).put(other.numbers, other.counts);
        from.same = other.alike;
    }
    sb_status status;
    {
        nb::gil_scoped_release release;
        status = run_to_end(m, d, opt, drv, rec, changes, from, max_steps);
    }
    if (status == SB_OK && !progress.is_none()) {
        progress(1.0);
    }

    std::vector<int> redundant;
    for (int k = 0; k < m->n_lock; ++k) {
        if (d->redundant_ever[k]) {
            redundant.push_back(k);
        }
    }
    nb::dict out;
    out["status"] = int(status);
    out["text"] = sb_status_text(status);
    out["time"] = d->t;
    out["state"] = copy_array(d->x, {size_t(SB_N_Y(m))});
    out["culprit"] = Culprit(m, d).tuple();
    out["crowd"] = std::vector<int>(d->flips, d->flips + SB_N_EVENT(m));
    out["written"] = rec.next;
    out["data"] = data;
    out["events"] = changes.table();
    out["breaks"] = copy_array(changes.breaks.data(), {changes.breaks.size()});
    out["raised"] = watch.raised;
    out["redundant"] = redundant;
    out["statistics"] = statistics(d->stats);
    out["ledger"] = ledger(m, d);
    out["extremes"] = extremes(m, d);
    out["end"] = nb::none();
    if (drv.settled) {
        out["end"] = fields_of_run(m, d, drv).take();
    }
    return out;
}

nb::dict status_codes()
{
    nb::dict out;
#define X(code, text) out[#code] = int(code);
    SB_STATUS_LIST(X)
#undef X
    return out;
}

// What the data of a model consist of, in their order: names of sizes and counts, (name, whether they are integers) of
// arrays, names of groups of texts.
nb::dict image_layout()
{
    nb::list counts, sizes, tape_sizes, arrays, model_arrays, tape_arrays, texts, facts, settings;
#define X(name) counts.append(#name);
    SB_IMAGE_COUNTS(X)
#undef X
#define X(name) sizes.append(#name);
    SB_MODEL_SIZES(X)
#undef X
#define X(name) tape_sizes.append(#name);
    SB_TAPE_SIZES(X)
#undef X
#define X(type, name, length) arrays.append(nb::make_tuple(#name, std::is_same_v<type, int>));
    SB_IMAGE_ARRAYS(X)
#undef X
#define X(type, name, length) model_arrays.append(nb::make_tuple(#name, std::is_same_v<type, int>));
    SB_MODEL_ARRAYS(X)
#undef X
#define X(type, name, length) tape_arrays.append(nb::make_tuple(#name, std::is_same_v<type, int>));
    SB_TAPE_ARRAYS(X)
#undef X
#define X(name, count) texts.append(#name);
    SB_IMAGE_STRINGS(X)
#undef X
#define X(name) facts.append(#name);
    SB_OWN_FACT_LIST(X)
#undef X
#define X(name) settings.append(#name);
    SB_SETTING_LIST(X)
#undef X
    nb::dict out;
    out["mark"] = int(SB_IMAGE_MARK);
    out["version"] = int(SB_IMAGE_VERSION);
    out["counts"] = counts;
    out["sizes"] = sizes;
    out["tape_sizes"] = tape_sizes;
    out["arrays"] = arrays;
    out["model_arrays"] = model_arrays;
    out["tape_arrays"] = tape_arrays;
    out["texts"] = texts;
    out["facts"] = facts;
    out["settings"] = settings;
    return out;
}

// Bytes of a plant of a model in one block of data, and of its snapshots, on this computer; 0: it is none.
nb::tuple image_size(const nb::bytes &block)
{
    std::vector<double> aligned(block.size() / sizeof(double) + 1);
    std::memcpy(aligned.data(), block.c_str(), block.size());
    stribeck_model model{};
    const size_t size = stribeck_read(aligned.data(), block.size(), &model) == 0 ? stribeck_size(&model) : 0;
    std::vector<double> memory(size / sizeof(double) + 1);
    const stribeck *plant = size ? stribeck_new(&model, memory.data(), size) : nullptr;
    return plant ? nb::make_tuple(size, stribeck_snapshot_size(plant)) : nb::make_tuple(0, 0);
}

// How many numbers an operation remembers; the data are those that it needs, as a model with it is checked later.
int signal_memory(int number, const std::vector<double> &data)
{
    if (number < 0 || !sb_signal_name(number)) {
        throw std::invalid_argument("there is no such operation");
    }
    return sb_signal_n_memory(number, data.data());
}

} // namespace

NB_MODULE(_kernel, mod)
{
    bind_law(mod); // before the model, which takes records
    nb::class_<Model>(mod, "Model")
        .def(nb::init<const nb::dict &, const nb::dict &, const Input &, const std::vector<LawRecord> &>(),
             nb::arg("sizes"), nb::arg("arrays"), nb::arg("values"), nb::arg("laws"))
        .def(nb::init<const Model &, const Input &>(), nb::arg("model"), nb::arg("values"));
    nb::class_<Machine>(mod, "Machine")
        .def(nb::init<const Model &>(), nb::arg("model"), nb::keep_alive<1, 2>())
        .def("start", &Machine::start, nb::arg("t0"), nb::arg("y0"))
        .def("advance", &Machine::advance, nb::arg("t0"), nb::arg("y0"), nb::arg("t_end"), nb::arg("tolerance"))
        .def("offset_torques", &Machine::offset_torques, nb::arg("torques"))
        .def("offset_motions", &Machine::offset_motions, nb::arg("motions"))
        .def("resume", &Machine::resume, nb::arg("t"), nb::arg("numbers"), nb::arg("counts"))
        .def("end", &Machine::end, nb::arg("t"), nb::arg("y"))
        .def("state", &Machine::state)
        .def("rhs", &Machine::rhs, nb::arg("t"), nb::arg("y"))
        .def("jacobian", &Machine::jacobian, nb::arg("t"), nb::arg("y"))
        .def("time_derivative", &Machine::time_derivative, nb::arg("t"), nb::arg("y"))
        .def("event_values", &Machine::event_values, nb::arg("t"), nb::arg("y"))
        .def("update_modes", &Machine::update_modes, nb::arg("t"), nb::arg("y"), nb::arg("fired"))
        .def("outputs", &Machine::outputs, nb::arg("t"), nb::arg("y"))
        .def("begin_segment", &Machine::begin_segment, nb::arg("t"), nb::arg("y"))
        .def("next_time_event", &Machine::next_time_event)
        .def("locked", &Machine::locked)
        .def("modes", &Machine::modes);
    bind_batch(mod);
    bind_copies(mod);
    bind_fixed(mod);
    bind_onset(mod);
    bind_text(mod);
    bind_tape(mod);
    mod.def("value_lengths", &value_lengths, nb::arg("sizes"));
    mod.def("run", &run, nb::arg("model"), nb::arg("t0"), nb::arg("y0"), nb::arg("grid"), nb::arg("options"),
            nb::arg("progress").none(), nb::arg("start").none() = nb::none());
    mod.def(
        "fields",
        [](const Model &model) {
            Data holder(&model.model);
            sb_driver drv{};
            return fields_of_run(&model.model, &holder.data, drv).table();
        },
        nb::arg("model"));
    mod.def("status_codes", &status_codes);
    mod.def("image_layout", &image_layout);
    mod.def("image_size", &image_size, nb::arg("block"));
    mod.def("methods", []() {
        nb::dict out;
        out["auto"] = int(SB_AUTO);
        out["rodas5p"] = int(SB_RODAS5P);
        out["dopri5"] = int(SB_DOPRI5);
        return out;
    });
    mod.def("laws", []() {
        nb::list names;
        for (int i = 0; i < sb_n_laws; ++i) {
            names.append(sb_laws[i].name);
        }
        return names;
    });
    mod.def("laws_hash", []() { return sb_laws_hash; });
    mod.def("signal_operations", []() {
        nb::dict operations;
        for (int i = 0; sb_signal_name(i); ++i) {
            operations[sb_signal_name(i)] = nb::make_tuple(i, sb_signal_n_guard(i), bool(sb_signal_shows_past(i)));
        }
        return operations;
    });
    mod.def("signal_memory", &signal_memory, nb::arg("number"), nb::arg("data"));
    mod.def("modes", []() {
        nb::dict words;
#define X(mode, number, word) words[word] = int(mode);
        SB_MODES(X)
#undef X
        return words;
    });
    mod.attr("SOURCE_STORES_NOTHING") = int(SB_SOURCE_STORES_NOTHING);
    mod.attr("SOURCE_DRIVES") = int(SB_SOURCE_DRIVES);
    mod.def("board", [](const nb::dict &sizes) {
        sb_model m{};
        read_sizes(sizes, &m);
        nb::dict places;
        int offset = 0;
        const sb_model *mm = &m;
        {
            const sb_model *m = mm;
#define X(name, length)     \
    places[#name] = offset; \
    offset += (length);
            SB_BOARD_ARRAYS(X)
#undef X
        }
        return places;
    });
}
