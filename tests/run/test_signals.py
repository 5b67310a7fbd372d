"""Every signal through the kernel against its own formula in Python, with both values at its breaks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.integrate import quad

import stribeck as sb
from stribeck.signals import Operand, Signal, all_signals

T_END = 3.0

# signal, and the times at which its value or slope breaks
EXAMPLES: list[tuple[Signal, list[float]]] = [
    (sb.Constant(3.0), []),
    (sb.Step(height=2.0, start=1.0, offset=-1.0), [1.0]),
    (sb.Step(height=2.0), []),
    (sb.Step(height=2.0, start=-1.0), []),
    (sb.Step(height=2.0, start=5.0, offset=0.5), [5.0]),
    (sb.Ramp(height=2.0, duration=0.5, start=1.1, offset=-1.0), [1.1, 1.6]),
    (sb.Ramp(height=-2.0, duration=2.0, start=-1.0), [1.0]),
    (sb.Ramp(height=1.0, duration=1e-9, start=1.0), [1.0, 1.0 + 1e-9]),
    (sb.Sine(amplitude=2.0, f=1.5, phase=0.3, offset=1.0, start=0.7), [0.7]),
    (sb.Sine(amplitude=2.0, f=0.5), []),
    (sb.Sine(amplitude=2.0, f=0.0, phase=1.0), []),
    (sb.Table(time=[0.0, 1.0, 2.5], value=[1.0, -1.0, 2.0]), [1.0, 2.5]),
    (sb.Table(time=[-1.0, 0.4, 0.7, 0.8], value=[0.0, 2.0, 2.0, -1.0]), [0.4, 0.7, 0.8]),
    (sb.Table(time=[1.0], value=[5.0]), [1.0]),
    (sb.Table(time=[0.0, 1.0, 2.5], value=[1.0, -1.0, 2.0], between="hold"), [1.0, 2.5]),
    (sb.Chirp(amplitude=2.0, f0=0.5, f1=3.0, duration=1.5, phase=0.2, start=0.5), [0.5, 2.0]),
    (sb.Chirp(amplitude=2.0, f0=3.0, f1=0.3, duration=2.0, sweep="logarithmic"), [2.0]),
    (sb.Pulse(height=2.0, period=0.75, width=0.25, start=0.5, count=2), [0.5, 0.75, 1.25, 1.5]),
]
LASTING: list[tuple[Signal, list[float]]] = [
    (sb.Pulse(height=2.0, period=0.7, width=0.3, offset=-1.0), [0.3, 0.7, 1.0, 1.4, 1.7, 2.1, 2.4, 2.8]),
    (sb.Square(amplitude=1.5, f=0.4, duty=0.3, start=0.1), [0.1, 0.85, 2.6]),
]
"""Their breaks never end; these are the first ones."""
IDS = [repr(signal) for signal, _ in EXAMPLES]
NOT_OF_TIME = {"sensor", "named", "external", "time", "recording"}
STEEP = 1e-6  # the ramp of 1e-9 s rises by 1e-7 within the last digit of time


def driven(signal: Signal) -> sb.Model:
    m = sb.Model("driven")
    mass = m.add("mass", sb.Inertia(J=1.0))
    m.add("drive", sb.Torque(mass, tau=signal))
    return m


def value(signal: Signal, t: float) -> float:
    bound = signal.bind("N.m", "drive")
    return bound.at(t)


def test_every_function_of_time_has_an_example() -> None:
    """Time is a Ramp without end, a Recording the Table of a file."""
    functions = {kind for kind in all_signals().values() if kind.__module__.rpartition(".")[2] not in NOT_OF_TIME}
    here = {type(signal) for signal, _ in [*EXAMPLES, *LASTING]}
    assert here == {kind for kind in functions if not any(isinstance(p, Operand) for p in kind.params.values())}


@pytest.mark.parametrize("signal, breaks", LASTING, ids=lambda x: repr(x) if isinstance(x, Signal) else "")
def test_signals_that_go_on(signal: Signal, breaks: list[float]) -> None:
    """Values on both sides of each break, and the momentum that they bring."""
    result = sb.simulate(driven(signal), T_END, tolerance=1e-11)
    assert result.statistics.time_events == len(breaks)
    assert np.asarray(result.breaks) == pytest.approx(breaks, rel=1e-15)
    edges = [0.0, *breaks, T_END]
    expected = sum((b - a) * value(signal, (a + b) / 2) for a, b in itertools.pairwise(edges))
    assert result["mass.w"][-1] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("signal, breaks", EXAMPLES, ids=IDS)
def test_values_over_time(signal: Signal, breaks: list[float]) -> None:
    """Between the breaks to rounding of the terms; the angles of a chirp, up to 30 rad, are summed in another order."""
    times = np.setdiff1d(np.linspace(0.0, T_END, 301), breaks)
    result = sb.simulate(driven(signal), times=times)
    expected = np.array([value(signal, t) for t in times])
    close = 2e-14 if isinstance(signal, sb.Chirp) else 1e-15
    assert np.asarray(result["drive.tau"]) == pytest.approx(expected, rel=1e-15, abs=close)
    assert np.asarray(result["mass.a"]) == pytest.approx(expected, rel=1e-15, abs=close)


@pytest.mark.parametrize("signal, breaks", EXAMPLES, ids=IDS)
def test_momentum(signal: Signal, breaks: list[float]) -> None:
    """No part of a signal is stepped over: the speed at the end is its integral."""
    inner = [t for t in breaks if t < T_END]
    expected, _ = quad(lambda t: value(signal, t), 0.0, T_END, points=inner or None, epsabs=1e-12, epsrel=1e-12)
    for solver in ("rodas5p", "dopri5"):
        result = sb.simulate(driven(signal), T_END, tolerance=1e-11, solver=solver)
        assert result["mass.w"][-1] == pytest.approx(expected, rel=1e-9, abs=1e-9)  # 100 times the tolerance
        assert result.statistics.time_events == len(inner)


@pytest.mark.parametrize("signal, breaks", EXAMPLES, ids=IDS)
def test_both_values_at_a_break(signal: Signal, breaks: list[float]) -> None:
    """A segment that ends at a break has the limit from the left there, the next one the value after it."""
    program = sb.compile_model(driven(signal))
    machine, tau = program.machine(), program.output_names.index("drive.tau")
    machine.start(0.0, program.y0)
    for t in breaks:
        assert machine.next_time_event() == t
        before = value(signal, np.nextafter(t, 0.0))
        assert machine.outputs(t, program.y0)[tau] == pytest.approx(before, abs=STEEP)
        machine.begin_segment(t, program.y0)
        assert machine.outputs(t, program.y0)[tau] == value(signal, t)
    assert machine.next_time_event() == np.inf


@pytest.mark.parametrize("signal, breaks", [example for example in EXAMPLES if example[1]], ids=repr)
def test_a_point_of_the_grid_at_a_break_has_the_value_before_it(signal: Signal, breaks: list[float]) -> None:
    inside = [t for t in breaks if t < T_END]
    result = sb.simulate(driven(signal), times=[*inside, T_END])
    before = [value(signal, np.nextafter(t, 0.0)) for t in inside]
    assert np.asarray(result["drive.tau"])[:-1] == pytest.approx(before, abs=STEEP)


def test_prescribed_motions_follow_their_signals() -> None:
    """Position, speed and acceleration of a body that is carried, and the torque that this takes."""
    course = sb.Sine(amplitude=0.5, f=0.7, phase=0.4, offset=0.2)
    m = sb.Model("carried")
    for name, motion in [("course", sb.Position(phi=course)), ("pace", sb.Speed(w=course))]:
        body = m.add(f"{name}_body", sb.Inertia(J=2.0))
        m.connect(body, m.add(name, motion))
    result = sb.simulate(m, T_END, tolerance=1e-10)
    omega = 2 * np.pi * 0.7
    angle = omega * result.time + 0.4
    expected = {
        "course_body.phi": 0.2 + 0.5 * np.sin(angle),
        "course_body.w": 0.5 * omega * np.cos(angle),
        "course_body.a": -0.5 * omega**2 * np.sin(angle),
        "course.tau": -2.0 * 0.5 * omega**2 * np.sin(angle),
        "pace_body.w": 0.2 + 0.5 * np.sin(angle),
        "pace_body.a": 0.5 * omega * np.cos(angle),
        "pace.tau": 2.0 * 0.5 * omega * np.cos(angle),
        "pace_body.phi": 0.2 * result.time + 0.5 / omega * (np.cos(0.4) - np.cos(angle)),
    }
    for name, values in expected.items():
        integrated = name == "pace_body.phi"
        assert np.asarray(result[name]) == pytest.approx(values, rel=0, abs=1e-8 if integrated else 1e-13), name


def test_a_broken_power_of_what_is_cut_off_at_zero() -> None:
    """A ball that bounces on a Hertzian contact f = k max(-s, 0)^1.5: the height that it returns to is where it was.

    The first contact is met with v = sqrt(2 g h); the deepest point follows from m g (h + x) = 2/5 k x^2.5.
    """
    h, k, g = 0.5, 1e4, 9.81
    m = sb.Model("ball")
    ball = m.add("ball", sb.Mass(m=1.0, s0=h))
    m.add("weight", sb.Force(ball, f=-g))
    m.add("contact", sb.Force(ball, f=k * sb.Maximum([-1.0 * ball.sensor("s"), 0.0]) ** 1.5))
    result = sb.simulate(m, 2.0, intervals=200, tolerance=1e-10)
    lowest = result.extremes["ball.s"]["min"]
    assert g * (h - lowest) == pytest.approx(0.4 * k * (-lowest) ** 2.5, rel=1e-8)
    assert result.extremes["ball.s"]["max"] == pytest.approx(h, rel=1e-8)
    assert result.statistics.state_events >= 4  # two bounces


def test_a_broken_power_of_what_falls_below_zero_ends_the_run() -> None:
    m = sb.Model("fall")
    ball = m.add("ball", sb.Mass(m=1.0, s0=0.5, v0=-0.3))
    m.add("weight", sb.Force(ball, f=-9.81 + ball.sensor("s") ** 1.5))
    with pytest.raises(sb.SimulationError, match="weight") as info:
        sb.simulate(m, 2.0)
    assert info.value.time == pytest.approx(0.29, abs=0.02)
