"""A measured curve of friction as elements of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...elements.bearing import Bearing
from ...elements.force import Force
from ...elements.guide import Guide
from ...elements.torque import Torque
from ...errors import SpecError

if TYPE_CHECKING:
    from ...spec import Model
    from .curve import CurveFit

ELEMENTS = {"rad/s": (Bearing, Torque, "tau"), "m/s": (Guide, Force, "f")}
"""Friction, drive and the name of its parameter, by the unit of speed."""
LOADS = {"rad/s": "N.m", "m/s": "N"}
"""The unit of friction, by that of speed."""


def add_friction(found: CurveFit, model: Model, body: str, name: str) -> float:
    """Adds friction and offset to a model; returns the largest relative deviation from the curve.

    >>> model = Model("axis"); _ = model.add("axis", Inertia(J=0.02))
    >>> add_friction(fit_curve(v, f, units=("rad/s", "N.m")), model, "axis", "joint")
    0.0...
    """
    unit = found.points.units[0]
    if unit not in ELEMENTS:
        raise SpecError("the curve has no unit of speed; fit it with units=('rad/s', 'N.m') or ('m/s', 'N')")
    other = other_load(found)
    if other:
        raise SpecError(other)
    support, drive, word = ELEMENTS[unit]
    backward = load_backward(found)
    loads = {} if backward == 1 else {"load_backward": backward}
    model.add(name, support(body, law=found.law(1), **loads))
    offset = found.found.get("offset", 0.0)
    if offset:
        model.add(f"{name}_offset", drive(body, **{word: -offset}))
    return _deviation(found, backward)


def other_load(found: CurveFit) -> str:
    """Why the friction of a curve is not that of a model: it is a current, a pressure or a coefficient; else empty.

    >>> other_load(fit_curve(v, f, units=("rad/s", "N.m")))
    ''
    """
    unit, load = found.points.units
    meant = LOADS.get(unit, "")
    if not meant or load in ("", meant):
        return ""
    return (
        f"the curve is in {load}, and friction over {unit} is in {meant} in a model; multiply the channel by its "
        f"factor k first: run.with_channel('{'tau' if meant == 'N.m' else 'f'}', k * run[...], '{meant}') (--scale "
        f"CHANNEL=k --unit CHANNEL={meant})"
    )


def _speeds(found: CurveFit, side: int) -> np.ndarray:
    """Measured speeds of one direction."""
    return np.asarray(np.abs(found.points.speed[found.points.speed * side > 0]))


def load_backward(found: CurveFit) -> float:
    """The size of friction backwards relative to that forwards, at the speeds measured backwards.

    >>> load_backward(fit_curve(v, f, units=("rad/s", "N.m")))
    1.0
    """
    if not found.form.asymmetric:
        return float(found.found.get("load_backward", 1.0))
    pace = _speeds(found, -1)
    forward, backward = found(pace), -found(-pace)
    return float(forward @ backward / (forward @ forward))


def _deviation(found: CurveFit, backward: float) -> float:
    if not found.form.asymmetric:
        return 0.0
    pace = _speeds(found, -1)
    curve = -found(-pace)
    return float(np.max(np.abs(backward * found(pace) / curve - 1)))
