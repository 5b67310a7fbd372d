// Many plants of one structure at a fixed step, moved on together in threads and lanes.

#include <algorithm>
#include <cmath>
#include <thread>

#include "binding.h"

namespace {

constexpr size_t ALONE = 256; // tasks up to which one thread is quicker than two
constexpr size_t READS = 32;  // plants whose outputs are read in the time of a task

// Plants side by side, and their memory.
struct Group {
    Group(const sb_model *m, const sb_fixed_options &opt, const char *instructions)
        : memory(sb_plants_size(m, &opt, instructions)), plants(sb_plants_bind(m, &opt, instructions, memory.get()))
    {
    }

    Aligned memory;
    sb_plants *plants;
};

class Copies {
  public:
    // Rows of values: the states at the start, then the arrays of the model; lanes: a set of instructions, or nothing.
    Copies(const Model &model, const Input &rows, const nb::dict &options, size_t jobs, const std::string &lanes)
        : opt_(read_fixed_options(options)), jobs_(std::max<size_t>(jobs, 1)), n_(rows.shape(0)), base_(model.model)
    {
        sb_model probe = base_;
        columns_ = size_t(SB_N_Y(&probe)) + place_values(&probe, nullptr);
        if (rows.ndim() != 2 || rows.shape(1) != columns_) {
            throw nb::value_error("rows: not as many columns as the model has values");
        }
        rows_.assign(rows.data(), rows.data() + rows.size());
        lanes_ = size_t(sb_plants_lanes(&base_, &opt_, lanes.c_str()));
        for (size_t i = 0; i < n_; i += lanes_) {
            groups_.push_back(std::make_unique<Group>(&base_, opt_, lanes.c_str()));
        }
        for (size_t i = 0; i < n_; ++i) {
            place_values(&plant(i).model, row(i) + SB_N_Y(&probe));
            if (sb_model_check(&plant(i).model) != SB_OK) {
                throw nb::value_error(sb_status_text(SB_BAD_MODEL));
            }
        }
    }

    Copies(const Copies &) = delete;

    // Those that are marked start again; returns the number of the first that cannot, or -1.
    int64_t reset(const nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu> &which)
    {
        expect(which.size(), int(n_), "reset");
        each(n_, [&](size_t group) {
            for (size_t i = first(group); i < end(group); ++i) {
                if (which.data()[i]) {
                    sb_plants_start(groups_[group]->plants, int(i - first(group)), 0.0, row(i));
                }
            }
        });
        return failed();
    }

    // n tasks with inputs (copies x nodes; NaN: as it is) that hold meanwhile; returns the number of the first that
    // fails, or -1. Outputs by their numbers after every task go to `out` (tasks x outputs x copies), if there are some.
    int64_t step(int64_t n, const std::vector<int> &nodes, const Input &inputs, const std::vector<int> &numbers,
                 Traces out)
    {
        expect(inputs.size(), int(n_ * nodes.size()), "inputs");
        check_outputs(numbers);
        if (!numbers.empty() && out.size() < size_t(n) * numbers.size() * n_) {
            throw nb::value_error("out: not tasks x outputs x copies");
        }
        std::vector<int> memory;
        for (int node : nodes) {
            memory.push_back(memory_of(node));
        }
        std::vector<int> places(numbers.size());
        const sb_chosen chosen = choose(numbers, places);
        each(n_ * size_t(std::max<int64_t>(n, 0)), [&](size_t group) {
            set_inputs(group, memory, inputs.data());
            for (int64_t k = 0; k < n; ++k) {
                sb_plants_step(groups_[group]->plants);
                if (!numbers.empty()) {
                    read(group, chosen, out.data() + size_t(k) * numbers.size() * n_);
                }
            }
        });
        return failed();
    }

    // Outputs by their numbers: outputs x copies.
    Output outputs(const std::vector<int> &numbers)
    {
        check_outputs(numbers);
        Output out = new_array({numbers.size(), n_});
        std::vector<int> places(numbers.size());
        const sb_chosen chosen = choose(numbers, places);
        each(n_ / READS, [&](size_t group) { read(group, chosen, out.data()); });
        return out;
    }

    Output times() const
    {
        Output out = new_array({n_});
        for (size_t i = 0; i < n_; ++i) {
            out.data()[i] = sb_plants_time(groups_[i / lanes_]->plants, int(i % lanes_));
        }
        return out;
    }

    // Status, culprit, time and state of one of them.
    nb::tuple look(size_t i)
    {
        const sb_plant &p = present(i);
        return nb::make_tuple(int(p.status), Culprit(&p.model, &p.data).tuple(), sb_fixed_time(&p.fixed),
                              copy_array(p.data.x, {size_t(SB_N_Y(&p.model))}));
    }

    // Copies that run in lanes at present.
    size_t in_lanes()
    {
        size_t count = 0;
        for (size_t i = 0; i < n_; ++i) {
            count += size_t(plant(i).in_lanes);
        }
        return count;
    }

    size_t size() const
    {
        return n_;
    }

  private:
    const double *row(size_t i) const
    {
        return rows_.data() + i * columns_;
    }

    size_t first(size_t group) const
    {
        return group * lanes_;
    }

    size_t end(size_t group) const
    {
        return std::min(first(group) + lanes_, n_);
    }

    sb_plant &plant(size_t i)
    {
        return *sb_plants_plant(groups_.at(i / lanes_)->plants, int(i % lanes_));
    }

    const sb_plant &present(size_t i)
    {
        return *sb_plants_look(groups_.at(i / lanes_)->plants, int(i % lanes_));
    }

    void set_inputs(size_t group, const std::vector<int> &memory, const double *inputs)
    {
        for (size_t i = first(group); i < end(group); ++i) {
            for (size_t k = 0; k < memory.size(); ++k) {
                const double value = inputs[i * memory.size() + k];
                if (!std::isnan(value)) {
                    sb_plants_input(groups_[group]->plants, int(i - first(group)), memory[k], value);
                }
            }
        }
    }

    // How outputs are read: at their places, if all are there.
    sb_chosen choose(const std::vector<int> &numbers, std::vector<int> &places) const
    {
        const auto n = int(numbers.size());
        const bool there = n > 0 && sb_plants_places(groups_[0]->plants, n, numbers.data(), places.data());
        return {n, numbers.data(), there ? places.data() : nullptr};
    }

    void read(size_t group, const sb_chosen &chosen, double *out)
    {
        sb_plants_outputs(groups_[group]->plants, int(end(group) - first(group)), &chosen, out + first(group), int(n_));
    }

    void check_outputs(const std::vector<int> &numbers) const
    {
        for (int number : numbers) {
            if (number < 0 || number >= base_.n_output) {
                throw nb::index_error("output number");
            }
        }
    }

    int memory_of(int node) const
    {
        const sb_model *m = &base_;
        if (node < 0 || node >= m->n_signal || m->signal_memory_ptr[node + 1] == m->signal_memory_ptr[node]) {
            throw nb::index_error("node of an input");
        }
        return m->signal_memory_ptr[node];
    }

    int64_t failed()
    {
        for (size_t i = 0; i < n_; ++i) {
            if (plant(i).status != SB_OK) {
                return int64_t(i);
            }
        }
        return -1;
    }

    // Something for every group, in threads that have equal shares of them.
    template <class Work> void each(size_t tasks, const Work &work)
    {
        nb::gil_scoped_release release;
        const size_t n = groups_.size();
        const size_t crew = tasks <= ALONE ? 1 : std::min(jobs_, n);
        const auto share = [&](size_t k) {
            for (size_t i = n * k / crew; i < n * (k + 1) / crew; ++i) {
                work(i);
            }
        };
        std::vector<std::thread> others;
        for (size_t k = 1; k < crew; ++k) {
            others.emplace_back(share, k);
        }
        share(0);
        for (std::thread &other : others) {
            other.join();
        }
    }

    sb_fixed_options opt_;
    size_t jobs_, n_, columns_ = 0, lanes_ = 1;
    sb_model base_;
    std::vector<double> rows_;
    std::vector<std::unique_ptr<Group>> groups_;
};

} // namespace

void bind_copies(nb::module_ &mod)
{
    nb::class_<Copies>(mod, "Copies")
        .def(nb::init<const Model &, const Input &, const nb::dict &, size_t, const std::string &>(), nb::arg("model"),
             nb::arg("rows"), nb::arg("options"), nb::arg("jobs"), nb::arg("lanes"), nb::keep_alive<1, 2>())
        .def("reset", &Copies::reset, nb::arg("which"))
        .def("step", &Copies::step, nb::arg("n"), nb::arg("nodes"), nb::arg("inputs"), nb::arg("outputs"),
             nb::arg("out"))
        .def("outputs", &Copies::outputs, nb::arg("numbers"))
        .def("times", &Copies::times)
        .def("look", &Copies::look, nb::arg("number"))
        .def("in_lanes", &Copies::in_lanes)
        .def("__len__", &Copies::size);
}
