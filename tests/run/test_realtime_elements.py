"""Laws of equal elements at fixed steps, from one element to twenty: stable, balanced, and closer to the adaptive run
the shorter the step is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.realtime import gearbox, observed_order

import stribeck as sb

H, T_END = 1e-3, 1.0
LOOKS = 250
"""Instants at which speeds are compared: ends of all steps."""

STEPS = (1e-3, 5e-4, 2.5e-4)
LARGEST, LEAST_ORDER = 3e-4, 0.95
"""Largest mean error at 1 ms by the range of the speeds, three times the largest found; the least slope of its
logarithm over the steps."""

BALANCED = 1e-13
"""Residual of the energy by what has passed through: rounding of 1000 steps."""

SPEEDS_APART = 0.02
"""As for every law in the gearbox: a light body is this far off for a step in which it breaks away."""

LAWS = {f"{law.__name__}({n})": law(n=n) for law in (sb.MaxwellSlip, sb.GMS) for n in (1, 10, 20)}


def machine(kind: str, law: sb.Law) -> sb.Program:
    """A body that is swung beyond what friction holds: on the ground, or a clutch whose load fades."""
    m = sb.Model(kind)
    m.add("a", sb.Inertia(J=1.0, w0=0.5))
    m.add("push", sb.Torque("a", tau=sb.Sine(amplitude=6.0, f=1.3, phase=0.3)))
    pressed: dict[str, Any] = {
        "law": law,
        "fn_max": 2.0,
        "f_normalized": sb.Table(time=[0.0, 0.3, 0.45, 0.6, 0.8], value=[1.0, 0.4, 0.0, 0.0, 1.0]),
    }
    if kind == "Bearing":
        m.add("friction", sb.Bearing("a", law=law, load=2.0))
    else:
        m.add("b", sb.Inertia(J=2.0))
        m.add("friction", getattr(sb, kind)("a", "b", **pressed))
    return sb.compile_model(m)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("kind", ["Bearing", "Clutch", "OneWayClutch"])
def test_swings_as_the_adaptive_run_does(kind: str, name: str) -> None:
    program = machine(kind, LAWS[name])
    exact = np.asarray(sb.simulate(program, T_END, intervals=LOOKS, tolerance=1e-9)["a.w"])
    errors = []
    for h in STEPS:
        run = sb.realtime(program, h).run(t_end=T_END, every=round(T_END / LOOKS / h))
        assert np.isfinite(run.data).all()
        assert run.statistics.capped == 0
        assert abs(run.energy.residual) < BALANCED * run.energy.throughput
        errors.append(float(np.abs(np.asarray(run["a.w"]) - exact).mean() / np.ptp(exact)))
    assert errors[0] < LARGEST
    assert observed_order(errors, STEPS) > LEAST_ORDER, errors


@pytest.mark.parametrize("n", [1, 10, 20])
@pytest.mark.parametrize("law", ["MaxwellSlip", "GMS"])
def test_in_all_clutches_of_the_gearbox(law: str, n: int) -> None:
    model = gearbox({"type": law, "n": n})
    run = model.realtime(H).run(t_end=4.0)
    exact = sb.simulate(model, 4.0, intervals=4000)
    assert run.statistics.capped == 0
    assert abs(run.energy.residual) < BALANCED * run.energy.throughput
    for name in ("load.w", "engine.w", "sun.w"):
        assert np.abs(np.asarray(run[name]) - np.asarray(exact[name])).max() < SPEEDS_APART * np.ptp(exact[name])
