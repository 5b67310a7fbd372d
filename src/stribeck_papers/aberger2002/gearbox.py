"""Experiments of section 2.2.1: a gearbox with three gears, with clutches that stick truly and with bristles.

The paper prints which elements are closed in each gear and their friction. The gearbox that has just these gears is a
Simpson set (the shipped model "gearbox"); ratios, inertias, torque, load and pressures are ours. The shipped inertias
are small, and used for the converged values. Those of HEAVY, typical of a Modelica model before it is fitted, show the
effects in pictures; claims are judged in gearboxes drawn at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import stribeck as sb

from ..settings import adjusted
from .clutch import table_6

HEAVY = {"engine": 1.0, "ring1": 0.1, "sun": 0.1, "carrier2": 0.1, "load": 5.0}
"""Inertias (kg.m2)."""

LIGHT = {"engine": 0.1, "ring1": 0.005, "sun": 0.005, "carrier2": 0.005, "load": 1.0}
"""Inertias (kg.m2) of the shipped model."""

NEVER = 1e3
PRESSED = {"C1": (0.0, NEVER), "C2": (2.75, NEVER), "B1": (0.0, 1.5), "B2": (1.5, 2.75)}
"""When each element closes and opens (s): first gear from 0 on, second from 1.5 s, third from 2.75 s; Table 5."""


def gearbox(
    law: Any = None,
    *,
    inertias: Mapping[str, float] | None = None,
    closing: float = 0.1,
    opening: float = 0.0,
    engage: str = "frozen",
    brakes: bool = True,
) -> sb.Model:
    """The gearbox of Figure 7, or with a law such as `table_6()` in its four elements that of Figure 8.

    Elements close within `closing` and open within `opening` (s; 0 is at once). `engage` sets the first deflection
    of bristles ("frozen" is the listing of the paper); without `brakes` a brake is a clutch against a fixed
    flange, as in Figure 8.

    >>> gearbox(table_6()).linearize(at=2.0)
    """
    m = _shipped().copy()
    for name, inertia in (inertias or HEAVY).items():
        sb.set_parameter(m, f"{name}.J", inertia)
    for name, (closes, opens) in PRESSED.items():
        sb.set_parameter(m, f"{name}.f_normalized", _rise(closes, closing) - _rise(opens, opening))
    if law is not None:
        sb.set_parameter(sb.set_parameter(m, "*.law", law), "*.engage", engage)
    return adjusted(m if brakes else _with_fixed_flange(m))


def shift(
    law: Any = None, *, t_end: float = 4.0, tolerance: float = 1e-9, intervals: int = 4000, **changes: Any
) -> sb.Result:
    """4 s through the three gears; changes are those of `gearbox`.

    >>> shift(table_6(sigma0=1e4)).extremes["C1.tau"]["min"]
    -6.11...
    """
    return sb.simulate(gearbox(law, **changes), t_end, tolerance=tolerance, intervals=intervals)


def shift_in_steps(
    law: Any = None, h: float | str = "1 ms", method: str = "resolvent", *, t_end: float = 4.0, **changes: Any
) -> sb.Result:
    """The same with a fixed step; a method that diverges raises a SimulationError.

    >>> shift_in_steps(table_6(), "1 ms").statistics.steps
    4000
    """
    stepper = gearbox(law, **changes).realtime(h, method=method, energy=False)
    every = max(1, round(1e-3 / stepper.task.h))
    result: sb.Result = stepper.run(t_end=t_end, every=every, outputs=["load.w", "engine.w", "sun.w", "C1.tau"])
    return result


@cache
def _shipped() -> sb.Model:
    """Read from its file once."""
    return sb.load_model("gearbox")


def _rise(start: float, duration: float) -> Any:
    """From 0 to 1."""
    return sb.Ramp(1, start=start, duration=duration) if duration > 0 else sb.Step(1, start=start)


def _with_fixed_flange(m: sb.Model) -> sb.Model:
    """Brakes as clutches whose other flange is fixed."""
    plain = m.to_dict()
    plain["elements"]["housing"] = {"type": "Fixed"}
    for name in ("B1", "B2"):
        brake = plain["elements"][name]
        brake |= {"type": "Clutch", "a": "housing", "b": brake["a"]}
    return sb.Model.from_dict(plain)


__all__ = ["HEAVY", "LIGHT", "PRESSED", "gearbox", "shift", "shift_in_steps", "table_6"]
