"""Observed orders of the methods: on a smooth segment, and across located events.

Steps of a fixed size come from `max_step` with the loosest tolerance: the error control accepts every step, and the
controller always asks for more than `max_step`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest
from numpy import cos, exp, sin

import stribeck as sb

METHODS = ["rodas5p", "dopri5"]
LOOSEST = 0.1


def slope(steps: np.ndarray, logs: np.ndarray) -> float:
    """Exponent of the error over the step size, by least squares."""
    return float(np.polyfit(np.log(steps), logs, 1)[0])


def states(result: sb.Result) -> np.ndarray:
    """Positions, speeds and bristles on the grid."""
    names = [name for name in result.names if name.partition(".")[2] in ("phi", "w", "s", "v", "z")]
    return np.array([result[name] for name in names])


def fixed_steps(program: sb.Program, method: str, h: float, first: float, **options: Any) -> sb.Result:
    result = sb.simulate(program, solver=method, tolerance=LOOSEST, max_step=h, first_step=first, **options)
    assert result.statistics.rejected == 0
    return result


# --- a smooth segment ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Oscillator:
    """An inertia on a spring and a damper under a sine torque, and its closed form."""

    J: float = 1.0
    c: float = 4.0
    d: float = 0.3
    torque: float = 1.0
    f: float = 0.4
    phi0: float = 0.5
    w0: float = 0.2

    def model(self) -> sb.Model:
        m = sb.Model("oscillator")
        mass = m.add("mass", sb.Inertia(J=self.J, phi0=self.phi0, w0=self.w0))
        m.add("spring", sb.SpringDamper(mass, c=self.c, d=self.d))
        m.add("drive", sb.Torque(mass, tau=sb.Sine(amplitude=self.torque, f=self.f)))
        return m

    def exact(self, t: np.ndarray) -> np.ndarray:
        """phi and w: steady response A sin(omega t) + B cos(omega t) plus the decaying natural motion."""
        omega = 2 * pi * self.f
        stiff, drag = self.c - self.J * omega**2, self.d * omega
        A, B = np.array([stiff, -drag]) * self.torque / (stiff**2 + drag**2)
        decay = self.d / (2 * self.J)
        nu = sqrt(self.c / self.J - decay**2)
        C = self.phi0 - B
        S = (self.w0 - A * omega + decay * C) / nu
        e, c, s = exp(-decay * t), cos(nu * t), sin(nu * t)
        return np.array(
            [
                A * sin(omega * t) + B * cos(omega * t) + e * (C * c + S * s),
                omega * (A * cos(omega * t) - B * sin(omega * t))
                + e * ((nu * S - decay * C) * c - (nu * C + decay * S) * s),
            ]
        )


def sliding_bristle() -> sb.Model:
    """LuGre friction that slides one way all the time under a load that swings; soft bristles, so nothing is stiff."""
    m = sb.Model("sliding bristle")
    mass = m.add("mass", sb.Inertia(J=1.0, w0=1.0))
    law = sb.LuGre(sigma0=1.0, sigma1=0.3, sigma2=0.4, mu_c=0.5, mu_s=0.75, v_s=1.0)
    m.add("friction", sb.Bearing(mass, law=law, load=sb.Sine(amplitude=0.5, f=0.5, offset=1.0)))
    m.add("drive", sb.Torque(mass, tau=sb.Sine(amplitude=2.0, f=0.5, offset=1.0)))
    return m


def varying_bristle() -> sb.Model:
    """The same with parameters that follow time, position and speed: Rodas5P needs the derivatives by them."""
    m = sliding_bristle()
    mass = m.elements["mass"]
    law = sb.LuGre(
        sigma0=1 + 0.3 * sb.Sine(amplitude=1.0, f=0.3),
        sigma1=0.3 + 0.1 * np.tanh(mass.sensor("w")),
        sigma2=0.4 + 0.1 * np.sin(mass.sensor("phi")),
        mu_c=0.5 + 0.1 * np.sin(mass.sensor("phi")),
        mu_s=0.75 + 0.1 * np.sin(mass.sensor("phi")),
        v_s=1 + 0.2 * sb.Sine(amplitude=1.0, f=0.2),
    )
    m.elements["friction"] = m.elements["friction"].replace(law=law)
    return m


def shaken() -> sb.Model:
    """Two masses on springs behind a prescribed position, the first one held by a guide that sticks throughout."""
    m = sb.Model("shaken")
    shaker = m.add("shaker", sb.Position(s=sb.Sine(amplitude=0.5, f=0.3, phase=0.4)))
    held, free = m.add("held", sb.Mass(m=1.0)), m.add("free", sb.Mass(m=0.5, v0=0.3))
    m.add("front", sb.SpringDamper(shaker, held, c=4.0, d=0.3))
    m.add("guide", sb.Guide(held, law=sb.Switch(mu_c=5.0, mu_s=6.0)))
    m.add("back", sb.SpringDamper(held, free, c=3.0, d=0.2))
    m.add("rear", sb.SpringDamper(shaker, free, c=2.0, d=0.1))
    return m


SMOOTH_END = 4.0
SEEN = 16  # equal intervals after which states are compared: every step size ends there, so nothing is interpolated
SMOOTH_STEPS = 2.0 ** -np.arange(3, 7)  # binary fractions: the last step is as long as the others


def smooth_order(model: sb.Model, method: str, exact: Callable[[np.ndarray], np.ndarray] | None = None) -> float:
    """Slope of the mean size of the errors on the grid."""
    program = sb.compile_model(model)
    grid = {"t_end": SMOOTH_END, "intervals": SEEN}
    tight = sb.simulate(program, **grid, tolerance=1e-13)
    expected = exact(tight.time) if exact else states(tight)
    errors = []
    for h in SMOOTH_STEPS:
        result = fixed_steps(program, method, h, h, **grid)
        assert result.statistics.steps == SMOOTH_END / h
        assert len(result.events) == 0
        errors.append(np.sqrt(np.mean((states(result) - expected) ** 2)))
    return slope(SMOOTH_STEPS, np.log(errors))


@pytest.mark.parametrize("method", METHODS)
def test_order_on_a_smooth_segment_against_a_closed_form(method: str) -> None:
    oscillator = Oscillator()
    assert smooth_order(oscillator.model(), method, oscillator.exact) == pytest.approx(5.0, abs=0.2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", [sliding_bristle, shaken])
def test_order_on_a_smooth_segment_against_a_tight_run(model: Callable[[], sb.Model], method: str) -> None:
    assert smooth_order(model(), method) == pytest.approx(5.0, abs=0.2)


def test_rodas5p_keeps_its_order_where_parameters_vary() -> None:
    assert smooth_order(varying_bristle(), "rodas5p") == pytest.approx(5.0, abs=0.2)


FIXED_ORDERS = {"ode1": 1, "ode2": 2, "ode3": 3, "ode4": 4, "ode5": 5, "semi-implicit": 1, "mixed": 1}
FIXED_STEPS = {1: 2.0 ** -np.arange(7, 11), 5: 2.0 ** -np.arange(3, 7)}
"""Euler's first error terms of higher order are still large where the others are at rounding."""


@pytest.mark.parametrize("method", FIXED_ORDERS)
@pytest.mark.parametrize("model", [Oscillator().model, sliding_bristle, shaken])
def test_order_of_the_explicit_methods_with_fixed_step(model: Callable[[], sb.Model], method: str) -> None:
    """On the same machines, against a tight run; 0.1 is what the next terms of the error leave over."""
    program = sb.compile_model(model())
    expected = states(sb.simulate(program, t_end=SMOOTH_END, intervals=SEEN, tolerance=1e-13))
    order = FIXED_ORDERS[method]
    steps = FIXED_STEPS.get(order, 2.0 ** -np.arange(4, 8))
    errors = []
    for h in steps:
        result = sb.realtime(program, h, method=method).run(t_end=SMOOTH_END, every=round(SMOOTH_END / SEEN / h))
        errors.append(np.sqrt(np.mean((states(result) - expected) ** 2)))
    assert slope(steps, np.log(errors)) == pytest.approx(order, abs=0.1)


# --- across events ---------------------------------------------------------------------------------------------------


def pulled() -> sb.Model:
    """The shipped rig: stick, slip, stick, slip under a steady pull."""
    return sb.load_model("stick-slip-switch")


def two_brakes() -> sb.Model:
    """Two inertias that stick, slip and turn back, each in its own time, under a sine torque."""
    m = sb.Model("two brakes")
    left, right = m.add("left", sb.Inertia(J=1.0)), m.add("right", sb.Inertia(J=0.5))
    m.add("shaft", sb.SpringDamper(left, right, c=4.0, d=0.1))
    m.add("brake_left", sb.Bearing(left, law=sb.Switch(mu_c=1.0, mu_s=1.4, mu_v=0.2)))
    m.add("brake_right", sb.Bearing(right, law=sb.Switch(mu_c=0.3, mu_s=0.5, mu_v=0.1)))
    m.add("drive", sb.Torque(left, tau=sb.Sine(amplitude=3.0, f=0.3)))
    return m


def swinging_load() -> sb.Model:
    """Prescribed position and normal load swing, so that break-away depends on time in two ways."""
    m = sb.Model("swinging load")
    shaker, mass = m.add("shaker", sb.Position(phi=sb.Sine(amplitude=1.0, f=0.2))), m.add("mass", sb.Inertia(J=1.0))
    m.add("spring", sb.SpringDamper(shaker, mass, c=4.0, d=0.1))
    law = sb.Switch(mu_c=2.0, mu_s=2.6, mu_v=0.2)
    m.add("brake", sb.Bearing(mass, law=law, load=sb.Sine(amplitude=0.4, f=0.35, offset=1.0)))
    return m


EVENT_STEPS = 0.2 * 2.0 ** -(np.arange(7) / 2)
SHIFTS = np.arange(1, 9) / 8  # of the first step: where an event lies within its step changes its error a lot


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model, t_end, events", [(pulled, 17.5, 4), (two_brakes, 7.0, 12), (swinging_load, 6.5, 4)])
def test_order_across_events(model: Callable[[], sb.Model], t_end: float, events: int, method: str) -> None:
    program = sb.compile_model(model())
    tight = sb.simulate(program, t_end, intervals=1, tolerance=1e-13)
    assert len(tight.events) == events
    logs = []
    for h in EVENT_STEPS:
        runs = [fixed_steps(program, method, h, shift * h, t_end=t_end, intervals=1) for shift in SHIFTS]
        assert all([event[1:] for event in run.events] == [event[1:] for event in tight.events] for run in runs)
        logs.append(np.mean([np.log(np.abs(states(run) - states(tight)).max()) for run in runs]))
    assert slope(EVENT_STEPS, np.array(logs)) >= 4.7
