// Many plants of one structure at a fixed step, moved on together in threads.

#include <algorithm>
#include <cmath>
#include <thread>

#include "binding.h"

namespace {

constexpr size_t ALONE = 256; // tasks up to which one thread is quicker than two

// One plant: its values, its data and its solver.
struct Plant {
    Plant(const sb_model &base, const double *row)
        : model(base), data((place_values(&model, row), &model)),
          block(std::malloc(sb_fixed_size(&model) + 1), std::free)
    {
        if (!block) {
            throw std::bad_alloc();
        }
    }

    sb_model model;
    Data data;
    std::unique_ptr<void, void (*)(void *)> block;
    sb_fixed fixed{};
    sb_status status = SB_OK;
    bool seen = false; // its outputs are those of its present time
};

class Copies {
  public:
    // Rows of values: the states at the start, then the arrays of the model.
    Copies(const Model &model, const Input &rows, const nb::dict &options, size_t jobs)
        : opt_(read_fixed_options(options)), jobs_(std::max<size_t>(jobs, 1))
    {
        sb_model probe = model.model;
        columns_ = size_t(SB_N_Y(&probe)) + place_values(&probe, nullptr);
        if (rows.ndim() != 2 || rows.shape(1) != columns_) {
            throw nb::value_error("rows: not as many columns as the model has values");
        }
        rows_.assign(rows.data(), rows.data() + rows.size());
        for (size_t i = 0; i < rows.shape(0); ++i) {
            plants_.push_back(std::make_unique<Plant>(model.model, row(i) + SB_N_Y(&probe)));
            if (sb_model_check(&plants_.back()->model) != SB_OK) {
                throw nb::value_error(sb_status_text(SB_BAD_MODEL));
            }
        }
    }

    Copies(const Copies &) = delete;

    // Those that are marked start again; returns the number of the first that cannot, or -1.
    int64_t reset(const nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu> &which)
    {
        expect(which.size(), int(plants_.size()), "reset");
        each(plants_.size(), [&](size_t i) {
            if (which.data()[i]) {
                Plant &p = *plants_[i];
                sb_data_bind(&p.model, &p.data.data, p.data.block.get());
                sb_fixed_bind(&p.model, &p.fixed, p.block.get());
                p.status = sb_fixed_start(&p.model, &p.data.data, &p.fixed, &opt_, 0.0, row(i));
                p.seen = false;
            }
        });
        return failed();
    }

    // n tasks with inputs (copies x nodes; NaN: as it is) that hold meanwhile; returns the number of the first that
    // fails, or -1.
    int64_t step(int64_t n, const std::vector<int> &nodes, const Input &inputs)
    {
        expect(inputs.size(), int(plants_.size() * nodes.size()), "inputs");
        std::vector<int> memory;
        for (int node : nodes) {
            memory.push_back(memory_of(node));
        }
        each(plants_.size() * size_t(std::max<int64_t>(n, 0)), [&](size_t i) {
            Plant &p = *plants_[i];
            for (size_t k = 0; k < memory.size(); ++k) {
                double *kept = p.data.data.signal_memory + memory[k];
                const double value = inputs.data()[i * memory.size() + k];
                if (!std::isnan(value)) {
                    p.fixed.stale |= *kept != value;
                    *kept = value;
                }
            }
            for (int64_t k = 0; k < n && p.status == SB_OK; ++k) {
                p.status = sb_fixed_step(&p.model, &p.data.data, &p.fixed);
            }
            p.seen = false;
        });
        return failed();
    }

    // Outputs by their numbers: copies x numbers.
    Output outputs(const std::vector<int> &numbers)
    {
        for (int number : numbers) {
            if (number < 0 || number >= plants_[0]->model.n_output) {
                throw nb::index_error("output number");
            }
        }
        Output out = new_array({plants_.size(), numbers.size()});
        each(plants_.size(), [&](size_t i) {
            Plant &p = *plants_[i];
            if (!p.seen) {
                sb_fixed_board(&p.model, &p.data.data, &p.fixed);
                sb_outputs(&p.model, &p.data.data, p.data.data.x, p.data.data.output, 1);
                p.seen = true;
            }
            for (size_t k = 0; k < numbers.size(); ++k) {
                out.data()[i * numbers.size() + k] = p.data.data.output[numbers[k]];
            }
        });
        return out;
    }

    Output times() const
    {
        Output out = new_array({plants_.size()});
        for (size_t i = 0; i < plants_.size(); ++i) {
            out.data()[i] = sb_fixed_time(&plants_[i]->fixed);
        }
        return out;
    }

    // Status, culprit, time and state of one of them.
    nb::tuple look(size_t i) const
    {
        const Plant &p = *plants_.at(i);
        return nb::make_tuple(int(p.status), Culprit(&p.model, &p.data.data).tuple(), sb_fixed_time(&p.fixed),
                              copy_array(p.data.data.x, {size_t(SB_N_Y(&p.model))}));
    }

    size_t size() const
    {
        return plants_.size();
    }

  private:
    const double *row(size_t i) const
    {
        return rows_.data() + i * columns_;
    }

    int memory_of(int node) const
    {
        const sb_model *m = &plants_[0]->model;
        if (node < 0 || node >= m->n_signal || m->signal_memory_ptr[node + 1] == m->signal_memory_ptr[node]) {
            throw nb::index_error("node of an input");
        }
        return m->signal_memory_ptr[node];
    }

    int64_t failed() const
    {
        for (size_t i = 0; i < plants_.size(); ++i) {
            if (plants_[i]->status != SB_OK) {
                return int64_t(i);
            }
        }
        return -1;
    }

    // Something for every plant, in threads that have equal shares of them.
    template <class Work> void each(size_t tasks, const Work &work)
    {
        nb::gil_scoped_release release;
        const size_t n = plants_.size();
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
    size_t jobs_, columns_ = 0;
    std::vector<double> rows_;
    std::vector<std::unique_ptr<Plant>> plants_;
};

} // namespace

void bind_copies(nb::module_ &mod)
{
    nb::class_<Copies>(mod, "Copies")
        .def(nb::init<const Model &, const Input &, const nb::dict &, size_t>(), nb::arg("model"), nb::arg("rows"),
             nb::arg("options"), nb::arg("jobs"), nb::keep_alive<1, 2>())
        .def("reset", &Copies::reset, nb::arg("which"))
        .def("step", &Copies::step, nb::arg("n"), nb::arg("nodes"), nb::arg("inputs"))
        .def("outputs", &Copies::outputs, nb::arg("numbers"))
        .def("times", &Copies::times)
        .def("look", &Copies::look, nb::arg("number"))
        .def("__len__", &Copies::size);
}
