"""Whatever stops a simulation says when, where, and what there is up to there."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stribeck as sb
from stribeck.identify.bench.virtual import VirtualBench

SOURCE = Path(sb.__file__).parents[1]


def rooted(drive: Any = 0.0) -> sb.Model:
    """Driven by the root of what is left to 3 rad, until that is negative."""
    m = sb.Model("rooted")
    m.add("mass", sb.Inertia(J=1.0, w0=1.0))
    m.add("push", sb.Torque("mass", tau=(3.0 - sb.Sensor("mass.phi")) ** 0.5))
    m.add("drive", sb.Torque("mass", tau=drive))
    m.add("rub", sb.Bearing("mass", law=sb.Coulomb(tau_c=1e-3)))
    return m


def fit(**options: Any) -> None:
    time = np.arange(2000) * 1e-3
    record = sb.identify.Measurement({"u": np.sin(time), "w": np.cos(time)}, sample_time=1e-3)
    outputs, inputs = {"mass.w": "w"}, {"drive.tau": "u"}
    sb.identify.fit(rooted(sb.External(0)), record, ["mass.J"], outputs=outputs, inputs=inputs, **options)


def compared() -> None:
    raise sb.analysis.compare(rooted(), ["Switch"], t_end=2.0).failures["Switch"]


def environment() -> sb.Environment:
    return sb.Environment(
        rooted(sb.External(0)),
        h=1e-3,
        actions={"drive.tau": (-1, 1)},
        observations=["mass.w"],
        reward=lambda stepper: 0.0,
        every=5000,
    )


STOPPED: dict[str, Callable[[], object]] = {
    **{
        f"simulate {solver}": lambda solver=solver: sb.simulate(rooted(), 2.0, solver=solver)  # type: ignore[misc]
        for solver in ("auto", "rodas5p", "dopri5", "scipy-rk45", "scipy-radau", "scipy-lsoda")
    },
    "max_steps": lambda: sb.simulate(rooted(), 2.0, max_steps=3),
    "run": lambda: sb.realtime(rooted(), 1e-3).run(t_end=5.0),
    "step": lambda: sb.realtime(rooted(), 1e-3).step(5000),
    "measure": lambda: sb.realtime(rooted(), 1e-3).measure(t_end=5.0, pace=False),
    "record": lambda: sb.realtime(rooted(), 1e-3).record(t_end=5.0, pace=False),
    "Environment": lambda: environment().step([1.0]),
    "compare": compared,
    "fit": fit,
    "fit at a fixed step": lambda: fit(solver="fixed"),
    "linearize": lambda: sb.analysis.linearize(rooted(), at=2.0),
    "bench": lambda: VirtualBench(rooted(sb.External(0)), "drive.tau", "mass.phi").record(np.ones(5000)),
}


@pytest.mark.parametrize("how", STOPPED)
def test_a_simulation_that_stops_carries_time_elements_and_result(how: str) -> None:
    with pytest.raises(sb.SimulationError) as caught:
        STOPPED[how]()
    error = caught.value
    assert math.isfinite(error.time) and 0 < error.time < 5
    assert set(error.elements) <= rooted().elements.keys()
    assert error.elements or how == "max_steps"
    samples = error.result["q"] if how == "bench" else error.result["mass.w"]
    assert len(samples) > 0 and np.isfinite(samples).all()
    if how != "bench":
        assert error.result.time[-1] <= error.time + 1e-9


def test_every_simulation_error_is_given_all_three() -> None:
    """A new place that raises one cannot leave them out (they have no defaults), nor say None."""
    found = 0
    for path in SOURCE.glob("stribeck*/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) == "SimulationError"
            ):
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                assert given.keys() >= {"time", "elements", "result"}, path
                assert not any(isinstance(value, ast.Constant) and value.value is None for value in given.values()), (
                    path
                )
                found += 1
    assert found >= 5
