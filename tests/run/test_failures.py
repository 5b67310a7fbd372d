"""Runs that end early, are interrupted, or are asked for in a way that cannot be; and what is left of them."""

from __future__ import annotations

import signal
import time
from typing import Any

import numpy as np
import pytest

import stribeck as sb

EXPLICIT = ["dopri5", "scipy-rk45"]


def rest_then_ring(stiffness: float = 9e29) -> sb.Model:
    """Nothing moves for 1 s; then a spring of absurd stiffness rings faster than the clock resolves."""
    m = sb.Model("ring")
    mass = m.add("mass", sb.Inertia(J=1.0))
    m.add("spring", sb.Spring(mass, c=stiffness))
    m.add("knock", sb.Torque(mass, tau=sb.Step(height=1.0, start=1.0)))
    return m


@pytest.mark.parametrize("solver", EXPLICIT)
def test_a_run_that_cannot_go_on_says_where_and_keeps_what_it_has(solver: str) -> None:
    with pytest.raises(sb.SimulationError, match=r"ring: the run stopped at t = 1 s.*error\.result") as caught:
        sb.simulate(rest_then_ring(), 2.0, intervals=20, solver=solver)
    error = caught.value
    assert error.time == pytest.approx(1.0, abs=1e-12)
    result = error.result
    assert result.time[-1] == pytest.approx(1.0)
    assert result["mass.phi"].shape == result.time.shape
    assert np.isfinite(result.data).all()
    assert not result.data[result.names.index("mass.w"), :-1].any()
    assert result.statistics.steps > 0


def test_the_kernel_names_element_and_state() -> None:
    with pytest.raises(sb.SimulationError, match=r"at mass: the step size fell below .* \(mass\.w\)") as caught:
        sb.simulate(rest_then_ring(), 2.0, solver="dopri5")
    assert caught.value.element == "mass"


def test_the_energy_of_a_run_that_stopped() -> None:
    with pytest.raises(sb.SimulationError) as caught:
        sb.simulate(rest_then_ring(), 2.0, solver="dopri5")
    energy = caught.value.result.energy
    assert np.isfinite(energy.numerical)
    assert np.isfinite(energy.residual)


# --- long runs -------------------------------------------------------------------------------------------------------


def long_run(**options: Any) -> sb.Result:
    """A hundred million steps."""
    return sb.simulate(sb.load_model("stick-slip-switch"), 1.0, max_step=1e-8, intervals=10, **options)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_a_long_run_can_be_interrupted() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            long_run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - start < 2.0  # looked at every few hundredths of a second; the machine may be busy


class Enough(Exception):
    pass


def test_progress_is_told_and_can_stop_a_run() -> None:
    shares: list[float] = []

    def progress(share: float) -> None:
        shares.append(share)
        if len(shares) == 5:
            raise Enough

    with pytest.raises(Enough):
        long_run(progress=progress)
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < shares[-1] < 1.0


def test_progress_ends_with_everything_done() -> None:
    shares: list[float] = []
    sb.simulate(sb.load_model("stick-slip"), 1.0, progress=shares.append)
    assert shares[-1] == 1.0


# --- what is asked for -----------------------------------------------------------------------------------------------

BAD_OPTIONS = [
    ({"t_end": 0.0}, "t_end"),
    ({"t_end": float("nan")}, "t_end"),
    ({"t_end": "5 m"}, "t_end"),
    ({"intervals": 0}, "intervals"),
    ({"intervals": 2.5}, "intervals"),
    ({"tolerance": -1e-6}, "tolerance"),
    ({"tolerance": 1.0}, "tolerance"),
    ({"max_step": 0.0}, "max_step"),
    ({"max_step": "1 N"}, "max_step"),
    ({"first_step": -1.0}, "first_step"),
    ({"times": []}, "times"),
    ({"times": [[0.0, 1.0]]}, "times"),
    ({"times": [0.0, 2.0, 1.0]}, "times must rise, but 2 s is followed by 1 s"),
    ({"times": [-1.0, 1.0]}, "times begin at -1 s"),
    ({"times": [0.0, float("inf")]}, "times"),
    ({"times": [0.0, 1.0], "intervals": 5}, "intervals = 5 and times exclude each other"),
    ({"solver": "rodas5"}, "did you mean 'rodas5p'"),
]


@pytest.mark.parametrize("options, message", BAD_OPTIONS, ids=lambda value: str(value)[:40])
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sb.SpecError, match=message):
        sb.simulate(sb.load_model("stick-slip"), **options)


@pytest.mark.parametrize("times", [[0.0], [0.0, 1e-9, 0.3], [0.25, 0.5], np.linspace(0.0, 1.0, 7)], ids=str)
@pytest.mark.parametrize("solver", ["auto", "scipy-lsoda"])
def test_any_rising_times_will_do(times: Any, solver: str) -> None:
    whole = sb.simulate(sb.load_model("stick-slip"), 1.0, tolerance=1e-9)
    result = sb.simulate(sb.load_model("stick-slip"), times=times, tolerance=1e-9, solver=solver)
    assert result.time.tolist() == list(times)
    assert np.asarray(result["pull.phi"]) == pytest.approx(0.1 * np.asarray(times), abs=1e-9)
    assert np.asarray(result["mass.phi"]) == pytest.approx(whole.at(np.asarray(times), "mass.phi"), abs=1e-7)
