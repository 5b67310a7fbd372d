// Laws: the record of one by its name, or made from tapes, and its functions on single points.

#include "binding.h"

namespace {

using Ints = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

sb_family family_of(const std::string &name)
{
    static const std::vector<std::string> names{"smooth", "bristle", "locking"};
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
        throw nb::value_error(("a law of the family " + name + " does not exist").c_str());
    }
    return sb_family(at - names.begin());
}

sb_lock_kind lock_of(const std::string &name)
{
    static const std::vector<std::string> names{"switch", "karnopp", "hybrid"};
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
        throw nb::value_error(("a law does not lock by " + name).c_str());
    }
    return sb_lock_kind(at - names.begin());
}

// The function that a law must have to be asked for it.
template <class F> F present(F function, const char *name)
{
    if (!function) {
        throw nb::value_error((std::string("the law has no function ") + name).c_str());
    }
    return function;
}

const double *numbers_of(const LawRecord &record, const Input &p)
{
    const sb_law *law = record.law();
    const size_t n = size_t(law->n_param + law->n_each * law->count);
    const bool curve = law->has_curve && p.size() > n && p.size() == n + 1 + 2 * size_t(p.data()[n]);
    if (law->has_curve ? !curve : p.size() != n) {
        throw nb::value_error("p: wrong length");
    }
    return p.data();
}

const double *states_of(const LawRecord &record, const Input &z)
{
    expect(z.size(), record.law()->n_state, "z");
    return z.data();
}

nb::tuple flow_jac(const LawRecord &record, const Input &p, double v, const Input &z)
{
    const sb_law *law = record.law();
    const size_t n = 1 + size_t(law->n_state);
    Output out = new_array({n}), jac = new_array({n, n});
    law->flow_jac(law, numbers_of(record, p), v, states_of(record, z), out.data(), jac.data());
    return nb::make_tuple(out, jac);
}

nb::tuple held_jac(const LawRecord &record, const Input &p, double v, double v_held, const Input &z)
{
    const sb_law *law = record.law();
    const size_t n = 1 + size_t(law->n_state);
    Output out = new_array({n}), jac = new_array({n, n});
    present(law->held_jac, "held_jac")(law, numbers_of(record, p), v, v_held, states_of(record, z), out.data(),
                                       jac.data());
    return nb::make_tuple(out, jac);
}

nb::tuple storage(const LawRecord &record, const Input &p, const Input &z)
{
    const sb_law *law = record.law();
    Output grad = new_array({size_t(law->n_state)});
    const double energy =
        present(law->storage, "storage")(law, numbers_of(record, p), states_of(record, z), grad.data());
    return nb::make_tuple(energy, grad);
}

int parameter(const LawRecord &record, int which)
{
    if (which < 0 || which >= record.law()->n_param) {
        throw nb::value_error("which: no such parameter");
    }
    return which;
}

Output flow_param(const LawRecord &record, const Input &p, double v, const Input &z, int which)
{
    const sb_law *law = record.law();
    Output out = new_array({1 + size_t(law->n_state)});
    present(law->flow_param, "flow_param")(law, numbers_of(record, p), v, states_of(record, z),
                                           parameter(record, which), out.data());
    return out;
}

nb::tuple storage_param(const LawRecord &record, const Input &p, const Input &z, int which)
{
    const sb_law *law = record.law();
    Output grad = new_array({size_t(law->n_state)});
    const double energy = present(law->storage_param, "storage_param")(law, numbers_of(record, p), states_of(record, z),
                                                                       parameter(record, which), grad.data());
    return nb::make_tuple(energy, grad);
}

} // namespace

LawRecord::LawRecord(const std::string &name, int count)
{
    const int number = sb_law_find(name.c_str());
    if (number < 0) {
        throw nb::value_error(("the kernel was built without the law " + name + "; build it again").c_str());
    }
    law_ = &sb_laws[number];
    if (law_->count > 0 && count > 0 && count != law_->count) {
        counted_ = std::make_shared<sb_law>(sb_law_counted(law_, count));
        law_ = counted_.get();
    }
}

LawRecord::LawRecord(const nb::dict &facts, const Ints &code, const Input &constants)
    : tape_(std::make_shared<TapeMemory>())
{
    tape_->name = nb::cast<std::string>(facts["name"]);
    tape_->code.assign(code.data(), code.data() + code.size());
    tape_->constants.assign(constants.data(), constants.data() + constants.size());
    sb_law law{};
    law.name = tape_->name.c_str();
    law.family = family_of(nb::cast<std::string>(facts["family"]));
    law.lock = lock_of(nb::cast<std::string>(facts["lock"]));
    law.n_param = nb::cast<int>(facts["n_param"]);
    law.n_state = nb::cast<int>(facts["n_state"]);
    law.n_guard = nb::cast<int>(facts["n_guard"]);
    law.has_curve = nb::cast<int>(facts["has_curve"]);
    law.linear = nb::cast<int>(facts["linear"]);
    if (sb_law_tape_make(&tape_->tape, &law, tape_->code.data(), int(tape_->code.size()), tape_->constants.data(),
                         int(tape_->constants.size())) != SB_OK) {
        throw nb::value_error("law: an operation, a register or a function that does not exist");
    }
    law_ = &tape_->tape.law;
}

void bind_law(nb::module_ &mod)
{
    nb::class_<LawRecord>(mod, "LawRecord")
        .def(nb::init<const std::string &, int>(), nb::arg("name"), nb::arg("count") = 0)
        .def(nb::init<const nb::dict &, const Ints &, const Input &>(), nb::arg("facts"), nb::arg("code"),
             nb::arg("constants"))
        .def_prop_ro("name", [](const LawRecord &r) { return std::string(r.law()->name); })
        .def_prop_ro("n_param", [](const LawRecord &r) { return r.law()->n_param; })
        .def_prop_ro("n_state", [](const LawRecord &r) { return r.law()->n_state; })
        .def_prop_ro("n_guard", [](const LawRecord &r) { return r.law()->n_guard; })
        .def_prop_ro("linear", [](const LawRecord &r) { return bool(r.law()->linear); })
        .def(
            "flow",
            [](const LawRecord &r, const Input &p, double v, const Input &z) {
                Output out = new_array({1 + size_t(r.law()->n_state)});
                r.law()->flow(r.law(), numbers_of(r, p), v, states_of(r, z), out.data());
                return out;
            },
            nb::arg("p"), nb::arg("v"), nb::arg("z"))
        .def("flow_jac", &flow_jac, nb::arg("p"), nb::arg("v"), nb::arg("z"))
        .def("held_jac", &held_jac, nb::arg("p"), nb::arg("v"), nb::arg("v_held"), nb::arg("z"))
        .def(
            "steady",
            [](const LawRecord &r, const Input &p, double v) {
                Output z = new_array({size_t(r.law()->n_state)});
                present(r.law()->steady, "steady")(r.law(), numbers_of(r, p), v, z.data());
                return z;
            },
            nb::arg("p"), nb::arg("v"))
        .def("storage", &storage, nb::arg("p"), nb::arg("z"))
        .def(
            "curvature",
            [](const LawRecord &r, const Input &p, const Input &z) {
                const size_t n = size_t(r.law()->n_state);
                Output hess = new_array({n, n});
                present(r.law()->curvature, "curvature")(r.law(), numbers_of(r, p), states_of(r, z), hess.data());
                return hess;
            },
            nb::arg("p"), nb::arg("z"))
        .def(
            "breakaway",
            [](const LawRecord &r, const Input &p, const Input &z) {
                return present(r.law()->breakaway, "breakaway")(r.law(), numbers_of(r, p), states_of(r, z));
            },
            nb::arg("p"), nb::arg("z"))
        .def(
            "change",
            [](const LawRecord &r, const Input &p, double v, const Input &z, double turn) {
                Output z_new = new_array({size_t(r.law()->n_state)});
                present(r.law()->change, "change")(r.law(), numbers_of(r, p), v, states_of(r, z), turn, z_new.data());
                return z_new;
            },
            nb::arg("p"), nb::arg("v"), nb::arg("z"), nb::arg("turn"))
        .def(
            "stick",
            [](const LawRecord &r, const Input &p) {
                Output out = new_array({4});
                present(r.law()->stick, "stick")(r.law(), numbers_of(r, p), out.data());
                return out;
            },
            nb::arg("p"))
        .def("flow_param", &flow_param, nb::arg("p"), nb::arg("v"), nb::arg("z"), nb::arg("which"))
        .def("storage_param", &storage_param, nb::arg("p"), nb::arg("z"), nb::arg("which"))
        .def(
            "breakaway_param",
            [](const LawRecord &r, const Input &p, const Input &z, int which) {
                const auto function = present(r.law()->breakaway_param, "breakaway_param");
                return function(r.law(), numbers_of(r, p), states_of(r, z), parameter(r, which));
            },
            nb::arg("p"), nb::arg("z"), nb::arg("which"))
        .def(
            "guard",
            [](const LawRecord &r, const Input &p, double v, const Input &z, double hold) {
                Output out = new_array({size_t(r.law()->n_guard)});
                present(r.law()->guard, "guard")(r.law(), numbers_of(r, p), v, states_of(r, z), hold, out.data());
                return out;
            },
            nb::arg("p"), nb::arg("v"), nb::arg("z"), nb::arg("hold"))
        .def(
            "jump",
            [](const LawRecord &r, const Input &p, double v, const Input &z, double hold, int which) {
                if (which < 0 || which >= r.law()->n_guard) {
                    throw nb::value_error("which: no such guard");
                }
                Output z_new = new_array({size_t(r.law()->n_state)});
                r.law()->jump(r.law(), numbers_of(r, p), v, states_of(r, z), hold, which, z_new.data());
                return z_new;
            },
            nb::arg("p"), nb::arg("v"), nb::arg("z"), nb::arg("hold"), nb::arg("which"));
    mod.def("formula_number", &sb_formula_find, nb::arg("name"));
    mod.attr("MOST_REGISTERS") = int(SB_LAW_TAPE_REGISTERS);
    mod.attr("MOST_LAW_STATES") = int(SB_LAW_STATES);
}
