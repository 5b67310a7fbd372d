"""Integrators of others on the machine of the kernel: every registered one, on locking laws and on bristles."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
import pytest

import stribeck as sb
from stribeck.run.adaptive import METHODS
from stribeck.run.integrators import INTEGRATORS, Integrator, Setup, Stopped
from stribeck.run.options import Options
from stribeck.run.outside import outside

STIFF = [name for name in INTEGRATORS if name not in ("scipy-rk45", "scipy-dop853")]
TOLERANCE = 1e-9
CLOSE = 2e-6  # multistep methods restart at order 1 after each event: about 1000 times their tolerance


def two_brakes() -> sb.Model:
    """Two inertias on a soft spring, each in a bearing that sticks; a torque that steps and swings."""
    m = sb.Model("two brakes")
    left = m.add("left", sb.Inertia(J=1.0))
    right = m.add("right", sb.Inertia(J=0.5))
    m.add("spring", sb.Spring(left, right, c=20.0))
    m.add("rest", sb.Spring(right, c=5.0))
    m.add("brake_left", sb.Bearing(left, law=sb.Switch(mu_c=1.0, mu_s=1.4, mu_v=0.3)))
    m.add("brake_right", sb.Bearing(right, law=sb.Switch(mu_c=0.5, mu_s=0.8, mu_v=0.1)))
    m.add("push", sb.Torque(left, tau=sb.Step(height=2.0, start=1.0)))
    m.add("swing", sb.Torque(right, tau=sb.Sine(amplitude=3.0, f=0.4, start=2.5)))
    return m


def opening_guide() -> sb.Model:
    """A mass on a spring in a guide whose load goes to zero and comes back from it."""
    load = sb.Table(time=[0, 1, 2, 3, 4, 5, 6, 8], value=[2, 2, 0, 0, 3, 1, 0, 4])
    m = sb.Model("opening guide")
    mass = m.add("mass", sb.Mass(m=1.0, v0=1.0))
    m.add("spring", sb.Spring(mass, c=30.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(mu_c=0.3, mu_s=0.4, mu_v=0.05), load=load))
    m.add("shaker", sb.Force(mass, f=sb.Sine(amplitude=2.0, f=0.9)))
    return m


def chain() -> sb.Model:
    """Five inertias in bearings that stick, swung by a torque at one end: contacts break away while others are
    captured."""
    m = sb.Model("chain")
    bodies = [m.add(f"body{i}", sb.Inertia(J=J)) for i, J in enumerate((0.14, 0.33, 0.25, 0.30, 0.13))]
    for i, (a, b) in enumerate(pairwise(bodies)):
        m.add(f"shaft{i}", sb.SpringDamper(a, b, c=50.0, d=0.1))
    for i, (body, mu_c) in enumerate(zip(bodies, (0.37, 0.25, 0.33, 0.36, 0.21), strict=True)):
        m.add(f"bearing{i}", sb.Bearing(body, law=sb.Switch(mu_c=mu_c, mu_s=0.5, mu_v=0.02)))
    m.add("motor", sb.Torque(bodies[-1], tau=sb.Sine(amplitude=3.0, f=0.7)))
    return m


MODELS = {
    "stick-slip-switch": lambda: sb.load_model("stick-slip-switch"),
    "coupled-clutches": lambda: sb.load_model("coupled-clutches"),
    "two brakes": two_brakes,
    "opening guide": opening_guide,
}


@pytest.fixture(scope="module", params=MODELS)
def locking(request: pytest.FixtureRequest) -> tuple[sb.Program, sb.Result]:
    """A program with friction that locks, and its native result."""
    program = sb.compile_model(MODELS[request.param]())
    return program, sb.simulate(program, t_end=12.0, intervals=600, tolerance=1e-11)


@pytest.mark.parametrize("solver", INTEGRATORS)
def test_same_events_and_traces_with_locking_laws(solver: str, locking: tuple[sb.Program, sb.Result]) -> None:
    program, native = locking
    result = sb.simulate(program, t_end=12.0, intervals=600, tolerance=TOLERANCE, solver=solver)
    assert len(native.events) >= 2
    assert [event[1:] for event in result.events] == [event[1:] for event in native.events]
    assert result.events.time == pytest.approx(native.events.time, rel=0, abs=CLOSE)
    assert result.statistics.state_events == native.statistics.state_events
    assert result.statistics.time_events == native.statistics.time_events
    for name in result.names:
        if name.endswith((".w", ".phi", ".v", ".s")):
            assert np.asarray(result[name]) == pytest.approx(np.asarray(native[name]), rel=0, abs=10 * CLOSE), name


@pytest.fixture(scope="module")
def chain_by_dop853() -> tuple[sb.Program, sb.Result]:
    program = sb.compile_model(chain())
    return program, sb.simulate(program, t_end=10.0, tolerance=1e-11, solver="scipy-dop853")


@pytest.mark.parametrize("tolerance", [1e-6, 1e-7, 1e-8, 1e-9, 1e-10])
@pytest.mark.parametrize("method", METHODS)
def test_our_methods_find_the_events_of_a_chain(
    method: str, tolerance: float, chain_by_dop853: tuple[sb.Program, sb.Result]
) -> None:
    program, other = chain_by_dop853
    ours = sb.simulate(program, t_end=10.0, tolerance=tolerance, solver=method)
    assert [event[1:] for event in ours.events] == [event[1:] for event in other.events]
    assert ours.statistics.state_events == np.unique(ours.events.time).size
    assert ours.events.time == pytest.approx(other.events.time, rel=0, abs=100 * tolerance)


@pytest.mark.parametrize("solver", STIFF)
def test_same_traces_with_bristles(solver: str) -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    native = sb.simulate(program, t_end=12.0, intervals=600, tolerance=1e-11)
    result = sb.simulate(program, t_end=12.0, intervals=600, tolerance=TOLERANCE, solver=solver)
    for name in ("mass.w", "mass.phi"):
        assert np.asarray(result[name]) == pytest.approx(np.asarray(native[name]), rel=0, abs=CLOSE)
    assert result.extremes["friction.tau"]["max"] == pytest.approx(native.extremes["friction.tau"]["max"], abs=1e-5)


@pytest.mark.parametrize("solver", INTEGRATORS)
def test_what_a_result_carries(solver: str) -> None:
    shares: list[float] = []
    result = sb.simulate(sb.load_model("stick-slip-switch"), t_end=9.0, solver=solver, progress=shares.append)
    assert result.time[-1] == 9.0
    assert np.isfinite(result.data).all()
    statistics = result.statistics
    assert statistics.steps == len(shares) - 1 > 0
    assert statistics.rhs_evaluations > 0
    assert 0 < statistics.smallest_step < statistics.largest_step <= 9.0
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for name in result.names:
        low, high = result.extremes[name]["min"], result.extremes[name]["max"]
        assert low <= result[name].min() <= result[name].max() <= high


@pytest.mark.parametrize("solver", INTEGRATORS)
def test_step_sizes_are_limited(solver: str) -> None:
    model = sb.load_model("stick-slip-switch")
    result = sb.simulate(model, t_end=2.0, intervals=4, solver=solver, max_step=0.1)
    assert result.statistics.largest_step <= 0.1 * (1 + 1e-12)


class Tired(Integrator):
    """Takes two steps of 0.5 s in a machine at rest, then gives up."""

    def __init__(self, setup: Setup, t: float, y: np.ndarray, stop: float) -> None:
        super().__init__(t, y)
        self.times = iter((t + 0.5, t + 1.0))

    @property
    def evaluations(self) -> tuple[int, int]:
        return 0, 0

    def _advance(self) -> tuple[float, np.ndarray]:
        for t in self.times:
            return t, self.y
        raise Stopped("tired")

    def _interpolate(self, t: float) -> np.ndarray:
        return self.y


def test_an_integrator_that_gives_up_leaves_what_it_has() -> None:
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    options = Options.of(program, t_end=5.0, intervals=50)
    outcome = outside(program, options, Tired)
    assert outcome.failure is not None
    assert outcome.failure.text.startswith("tired")
    assert outcome.time == 1.0
    assert outcome.written == 11


def test_cvode_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(sb.StribeckError, match=r"needs scikit-sundae .*pip install 'stribeck\[cvode\]'"):
        sb.simulate(sb.load_model("stick-slip-switch"), solver="cvode")


@pytest.mark.parametrize("solver", [*STIFF[:3], "scipy-rk45"])
def test_a_speed_that_goes_to_infinity_ends_the_run(solver: str) -> None:
    """w = 1 / (1 - t). LSODA took steps below the resolution of the clock without end."""
    m = sb.Model("pole")
    m.add("mass", sb.Inertia(J=1.0, w0=1.0))
    m.add("push", sb.Torque("mass", tau=sb.Sensor("mass.w") * sb.Sensor("mass.w")))
    with pytest.raises(sb.SimulationError, match="mass") as caught:
        sb.simulate(m, 2.0, solver=solver)
    assert caught.value.time == pytest.approx(1.0, abs=1e-3)
