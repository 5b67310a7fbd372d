"""Every element that takes a friction law, with every law: fixed steps do what the adaptive run does.

Elements and laws come from their registries. Each pair runs through slip, stick and reversal, and the load of what is
pressed begins and ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.realtime import observed_order, ringing

import stribeck as sb
from stribeck.elements import all_elements
from stribeck.laws import all_laws

STEPS = (1e-3, 5e-4, 2.5e-4)
"""Steps (s)."""

T_END = 1.0
"""Length of a run (s)."""

LOOKS = 250
"""Instants at which speeds are compared: ends of all steps."""

FEW, MANY = (tuple(0.618034e-3 * i for i in range(n)) for n in (8, 34))
"""Delays (s) of what drives, spread evenly over steps of any size: what a step sees late is up to where in the step it
happens, so the mean counts. Many for laws whose errors scatter."""

LARGEST, LEAST_ORDER = 0.02, 0.95
"""Largest mean error at 1 ms by the range of the speeds, and the least slope of its logarithm over the steps."""

LARGEST_SLACK = 0.35
"""Twice the standard error of a slope that still says something."""

EXACT = 5e-6
"""Error by the range at 1 ms that is a tenth of what events seen late leave in most pairs: no slope is asked of it."""

FINE = 50
"""Steps and run are so much shorter where bristles without damper ring faster than a step: backwards a one-way clutch
is a spring of 2e7 N.m/rad then, whose 5e3 rad/s do not end in the adaptive run. No step of 1 ms can show that, so a
slope is asked of steps that do, for some of these rings: later ones are off by their phase."""

JUMPS = {
    "bristle": "a bristle near its limit snaps before a reversal or does not, so the motion jumps with its position"
}
"""Why a law has no slope: however small, an error may change the motion."""

SCATTERS = {
    "frictiontable": "it sticks and breaks away at the ends of steps",
    "stribeckthreshold": "it sticks and breaks away at the ends of steps",
}
"""Why the slope of a law is known to a tenth only: by where in a step that happens errors differ by as much as they are
large. Their mean over many delays must have the slope within twice its standard error."""


def command(case: str, delay: float) -> Any:
    """What presses."""
    times = [delay + time for time in (0.3, 0.45, 0.6, 0.8)]
    return sb.Table(time=times, value=[1.0, 0.0, 0.0, 1.0]) if case == "opening" else float(case == "closed")


CASES = {
    "Bearing": ("even", "uneven"),
    "Guide": ("even", "uneven"),
    "Clutch": ("closed", "opening"),
    "Brake": ("closed", "opening"),
    "OneWayClutch": ("closed", "open", "opening"),
    "TorqueConverter": ("closed", "opening"),
    "LossyJoint": ("stiff",),
    "ServoFriction": ("even",),
}
"""How each element is used."""


def with_laws() -> list[str]:
    """Names of all elements that have a friction law."""
    return [name for name, element in all_elements().items() if "law" in element.params]


def machine(kind: str, case: str, law: str, delay: float) -> sb.Program:
    """Two bodies, one of which is swung beyond what friction holds."""
    m = sb.Model(f"{kind} {case}")
    rubs = all_laws()[law]()
    swing = sb.Sine(amplitude=6.0, f=1.3, phase=0.3 - 2 * np.pi * 1.3 * delay)
    if kind in ("Bearing", "Guide"):
        line = kind == "Guide"
        m.add("body", sb.Mass(m=1, v0=1) if line else sb.Inertia(J=1, w0=1))
        m.add("push", sb.Force("body", f=swing) if line else sb.Torque("body", tau=swing))
        other = {} if case == "even" else {"load_backward": 3.0}
        m.add("friction", getattr(sb, kind)("body", law=rubs, load=2.0, **other))
        return sb.compile_model(m)
    if kind == "ServoFriction":
        m.add("body", sb.Inertia(J=1, w0=1))
        m.add("push", sb.Torque("body", tau=swing))
        m.add("friction", sb.ServoFriction("body", law=rubs, K_c=1.0, K_m=0.5, tau_m=2.0))
        return sb.compile_model(m)
    m.add("a", sb.Inertia(J=1, w0=3.0 if kind == "TorqueConverter" else 0.5))
    m.add("push", sb.Torque("a", tau=swing))
    m.add("b", sb.Inertia(J=2))
    pressed = {"law": rubs, "fn_max": 2.0}
    if kind == "TorqueConverter":
        tables = {"nu": [0.0, 0.8, 1.0], "capacity": [0.02, 0.015, 0.0], "ratio": [2.0, 1.0, 1.0]}
        m.add("friction", sb.TorqueConverter("a", "b", **tables, lockup=command(case, delay), **pressed))
    elif kind == "LossyJoint":
        m.add("friction", sb.LossyJoint("a", "b", law=rubs, c=200.0, d=2.0, tau_0=1.0, k_forward=0.2, k_backward=0.3))
    elif kind == "Brake":
        m.add("shaft", sb.SpringDamper("a", "b", c=200.0, d=2.0))
        m.add("friction", sb.Brake("a", f_normalized=command(case, delay), **pressed))
    else:
        m.add("friction", getattr(sb, kind)("a", "b", f_normalized=command(case, delay), **pressed))
    return sb.compile_model(m)


def speeds_of(result: sb.Result) -> np.ndarray:
    return np.array([np.asarray(result[name]) for name in result.names if name.endswith((".w", ".v"))])


def mean_error(program: sb.Program, h: float, t_end: float, exact: np.ndarray) -> float:
    """The mean error of all speeds by the largest range."""
    every = round(t_end / LOOKS / h)
    found = speeds_of(sb.realtime(program, h, energy=False).run(t_end=t_end, every=every))
    return float(np.abs(found - exact).mean() / np.ptp(exact, axis=1).max())


def errors_of(kind: str, case: str, law: str, delays: tuple[float, ...], fine: int = 1) -> np.ndarray:
    """Errors at all steps, a row for each delay; steps and run by so much finer."""
    errors = []
    for delay in delays:
        program = machine(kind, case, law, delay)
        exact = speeds_of(sb.simulate(program, T_END / fine, intervals=LOOKS, tolerance=1e-9))
        errors.append([mean_error(program, h / fine, T_END / fine, exact) for h in STEPS])
    return np.array(errors)


def rings_unseen(kind: str, law: str) -> bool:
    """Whether bristles ring without damper, by a radian and more within a step."""
    load, inertia = (
        (200.0, 2 / 3) if kind == "OneWayClutch" else (2.0, 2 / 3)
    )  # backwards a hundred times that of fn_max
    return STEPS[0] * ringing(all_laws()[law]()) * np.sqrt(load / inertia) > 1


def scattered_order(errors: np.ndarray) -> tuple[float, float]:
    """Slope of the mean and twice its standard error, by drawing delays again and again."""
    draws = np.random.default_rng(1).integers(0, len(errors), (300, len(errors)))
    orders = [observed_order(errors[draw].mean(axis=0), STEPS) for draw in draws]
    return observed_order(errors.mean(axis=0), STEPS), 2 * float(np.std(orders))


@pytest.mark.parametrize("law", all_laws())
@pytest.mark.parametrize(("kind", "case"), [(kind, case) for kind in CASES for case in CASES[kind]])
def test_does_what_the_adaptive_run_does(kind: str, case: str, law: str) -> None:
    errors = errors_of(kind, case, law, FEW)
    mean = errors.mean(axis=0)
    assert mean[0] < LARGEST, f"errors {mean}"
    if law in JUMPS:
        return
    if rings_unseen(kind, law):
        mean = errors_of(kind, case, law, FEW, FINE).mean(axis=0)
    elif mean[0] < EXACT:
        return
    order, slack = observed_order(mean, STEPS), 0.0
    if order < LEAST_ORDER and law in SCATTERS:
        errors = errors_of(kind, case, law, MANY)
        mean = errors.mean(axis=0)
        order, slack = scattered_order(errors)
        assert slack < LARGEST_SLACK, f"the slope {order:.2f} is known to {slack:.2f} only"
    assert order + slack > LEAST_ORDER, f"order {order:.2f} +- {slack:.2f}, errors {mean}"


def test_no_element_is_left_out() -> None:
    assert set(CASES) == set(with_laws())
