"""Laws without compiled C: as tapes they give the bits of the C, alone and in a run."""

from __future__ import annotations

import numpy as np
import pytest
from support import law_checks

import stribeck as sb
from stribeck import laws
from stribeck.compile.law_tape import law_record, law_tape, record_law
from stribeck.errors import SpecError
from stribeck.kernel import formula_number
from stribeck.laws.functions import Abs, Piecewise, tanh

LAWS = [law for law in laws.all_laws().values() if not law().count]
every_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


def same(a, b):
    np.testing.assert_array_equal(a, b)


@every_law
def test_a_tape_gives_the_bits_of_the_c(law):
    """Values and derivatives of every function, at random parameters, speeds and states."""
    c, tape = law_record(law()), record_law(law).record
    assert (c.n_param, c.n_state, c.n_guard, c.linear) == (tape.n_param, tape.n_state, tape.n_guard, tape.linear)
    for point in law_checks.random_points(law, 7, 40):
        p, v, z, hold = np.array(point.numbers), point.v, np.array(point.z, float), point.hold
        same(c.flow(p, v, z), tape.flow(p, v, z))
        same(
            np.hstack([x.ravel() for x in c.flow_jac(p, v, z)]), np.hstack([x.ravel() for x in tape.flow_jac(p, v, z)])
        )
        if law.states:
            same(c.steady(p, v), tape.steady(p, v))
        if law.family != "locking":
            for mine, theirs in zip(c.held_jac(p, v, 0.3 * v, z), tape.held_jac(p, v, 0.3 * v, z), strict=True):
                same(mine, theirs)
        if law.family == "bristle":
            same(c.storage(p, z)[0], tape.storage(p, z)[0])
            same(c.storage(p, z)[1], tape.storage(p, z)[1])
            same(c.curvature(p, z), tape.curvature(p, z))
        if law.family == "locking":
            assert c.breakaway(p, z) == tape.breakaway(p, z)
            if law.lock != "switch":
                same(c.stick(p), tape.stick(p))
            if hasattr(law, "change"):
                same(c.change(p, v, z, -1.0), tape.change(p, v, z, -1.0))
        for which in map(law.scalars.index, law.variable):
            same(c.flow_param(p, v, z, which), tape.flow_param(p, v, z, which))
            if law.family == "locking":
                assert c.breakaway_param(p, z, which) == tape.breakaway_param(p, z, which)
            if law.family == "bristle":
                for mine, theirs in zip(c.storage_param(p, z, which), tape.storage_param(p, z, which), strict=True):
                    same(mine, theirs)
        if c.n_guard:
            same(c.guard(p, v, z, hold), tape.guard(p, v, z, hold))
            for which in range(c.n_guard):
                same(c.jump(p, v, z, hold, which), tape.jump(p, v, z, hold, which))


def again(law):
    """The same law, defined outside of the package."""
    return type(f"Own{law.__name__}", (law,), {"__doc__": law.__doc__, "__module__": __name__}, registered=False)


@every_law
def test_a_run_has_the_bits_of_the_compiled_law(law):
    """Adaptive and fixed: every output, every event."""
    model = sb.load_model("stick-slip")
    friction = model.elements["friction"]

    def run(kind):
        model.elements["friction"] = friction.replace(law=kind().adopt(friction.law))
        program = sb.compile_model(model)
        return sb.simulate(program, t_end=8.0, intervals=100), sb.realtime(program, 1e-3).run(t_end=8.0)

    for ours, theirs in zip(run(law), run(again(law)), strict=True):
        assert ours.names == theirs.names
        for name in ours.names:
            same(ours[name], theirs[name])
        assert list(ours.events) == list(theirs.events)


class Makkar(sb.laws.SmoothLaw, registered=False):
    """Smooth friction with a static peak."""

    source = "C. Makkar, W. E. Dixon, W. G. Sawyer, G. Hu 2005"
    mu = sb.laws.Param(1.0, "{load}", "friction", min=0)
    v_r = sb.laws.Param(0.01, "{vel}", "speed of the rise", above=0)

    @staticmethod
    def friction(p, v):
        return p.mu * tanh(v / p.v_r) * (1 + 0.2 / (1 + Abs(v)))


def pieces(v, choose):
    """Friction whose three pieces have several operations each."""
    slow = v * 3.0 / (1.0 + v * v) + v / 7.0 + v * v * v
    fast = v / 3.0 + v * v / (v * v + 0.3) - 0.1 * v * v * v
    high = v / (v + 5.0) + 0.1 * v - v * v / (3.0 + v * v * v)
    return choose(slow, fast, high)


def test_all_kinds_of_decisions_select_what_they_should():
    """Conditions with <, |x| <, <= and &, at their limits and on both sides."""

    conditions = {
        "LESS_ELSE": lambda v: v < 0.5,
        "ABS_LESS_ELSE": lambda v: abs(v) < 0.5,
        "AT_MOST_ELSE": lambda v: v <= 0.5,
        "ELSE": lambda v: (v < 0.5) & (v > -0.5),
    }
    for kind, holds in conditions.items():

        class Pieces(Makkar, registered=False):
            @staticmethod
            def friction(p, v, holds=holds):
                return pieces(v, lambda a, b, c: Piecewise((a, holds(v)), (b, v <= 1.0), (c, True)))

        tape = record_law(Pieces)
        assert formula_number(kind) in tape.code
        for v in (-2.0, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5):
            numbers = pieces(v, lambda a, b, c, v=v, holds=holds: a if holds(v) else b if v <= 1.0 else c)
            assert tape.record.flow(np.array([1.0, 0.01]), v, np.empty(0))[0] == numbers


def test_the_tape_of_a_class_is_recorded_once_and_its_key_follows_its_equations():
    class Other(Makkar, registered=False):
        @staticmethod
        def friction(p, v):
            return p.mu * tanh(v / p.v_r)

    assert law_tape(Makkar) is law_tape(Makkar)
    assert law_tape(sb.LuGre) is None
    assert law_tape(Makkar).key != law_tape(Other).key


def test_parameters_of_an_own_law_are_tunable():
    model = sb.Model("own")
    mass = model.add("mass", sb.Inertia(J=1.0, w0=1.0))
    model.add("friction", sb.Bearing(mass, law=Makkar()))
    program = sb.compile_model(model)
    other = program.with_values({"friction.law.mu": 2.0})
    assert program.parameters["friction.law.mu"].tunable
    model.elements["friction"] = model.elements["friction"].replace(law=Makkar(mu=2.0))
    same(sb.simulate(other, t_end=1.0)["mass.w"], sb.simulate(model, t_end=1.0)["mass.w"])


def test_a_law_that_is_too_long_is_refused():
    class Endless(Makkar, registered=False):
        @staticmethod
        def friction(p, v):
            total = 0.0
            for i in range(5000):
                total = total + tanh(v * (i + 1.5))
            return total

    with pytest.raises(SpecError, match="the law Endless is too long"):
        record_law(Endless)


def broken(friction):
    """A machine with a law that has a mistake."""
    law = type("Broken", (Makkar,), {"friction": staticmethod(friction), "__module__": __name__}, registered=False)
    model = sb.Model("broken")
    mass = model.add("mass", sb.Inertia(J=1.0, w0=1.0))
    model.add("friction", sb.Bearing(mass, law=law()))
    return model


def test_mistakes_are_named_before_the_kernel_runs():
    with pytest.raises(SpecError, match="bearing 'friction': Broken is not finite at v = 0: friction; keep what"):
        sb.compile_model(broken(lambda p, v: v / Abs(v)))


def test_a_class_law_does_what_shipped_ones_do():
    model = sb.Model("own")
    pull = model.add("pull", sb.Speed(w=0.2))
    mass = model.add("mass", sb.Inertia(J=1.0))
    model.add("spring", sb.Spring(pull, mass, c=2.0))
    model.add("friction", sb.Bearing(mass, law=Makkar()))
    record = law_record(Makkar())
    slope = record.flow_jac(np.array([1.0, 0.01]), 0.0, np.empty(0))[1][0, 0]
    linear = model.linearize()
    assert linear.A.min() == pytest.approx(-slope, rel=1e-12)
    assert sb.analysis.check_realtime(model, 1e-3, t_end=0.1)
    assert sb.analysis.friction_properties(Makkar())["stiction"].has is False


def many_springs(n):
    """Dahl's friction as n states of different stiffness, from text."""
    names = [f"z{i}" for i in range(n)]
    return laws.from_text(
        f"Springs{n}",
        family="bristle",
        parameters={
            "k": {"default": 1e3, "unit": "{load}/{disp}", "above": 0},
            "mu": {"default": 1, "unit": "{load}", "above": 0},
        },
        states={z: {"unit": "{disp}", "nominal": "mu/k"} for z in names},
        rates={z: f"v - k*{z}*abs(v)/mu*{1 + i}" for i, z in enumerate(names)},
        friction=" + ".join(f"k*{z}" for z in names),
        steady={z: f"sign(v)*mu/k/{1 + i}" for i, z in enumerate(names)},
        storage=" + ".join(f"k*{z}^2/2" for z in names),
    )


@pytest.mark.parametrize("n", [8, 31])
def test_a_law_may_have_many_states(n):
    """Both solvers, heat and mixed-mode integration have room for them."""
    model = sb.Model("many", t_end=0.2)
    mass = model.add("mass", sb.Inertia(J=1))
    model.add("drive", sb.Torque(mass, tau=sb.Sine(8.0, 2.0)))
    lining = model.add("lining", sb.ThermalMass(C=100))
    model.add("friction", sb.Bearing(mass, law=many_springs(n)(), heat=lining))
    w = sb.simulate(model)["mass.w"][-1]
    for method in ("resolvent", "mixed"):
        plant = model.realtime(1e-3, method=method)
        for _ in range(200):
            plant.step()
        assert plant["mass.w"] == pytest.approx(w, rel=0.02)  # first order: 1 ms of a motion of 0.5 s


def test_a_law_with_too_many_states_is_refused():
    with pytest.raises(SpecError, match="Springs32 has 32 states, at most 31"):
        law_record(many_springs(32)())
