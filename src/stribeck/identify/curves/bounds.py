"""Bounds of the parameters of a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import SpecError
from .form import CurveForm

TOUCHES = 1e-6
"""Relative distance from a bound at which a parameter is on it."""


def closed_bounds(bounds: Mapping[str, Sequence[float | None]]) -> dict[str, tuple[float, float]]:
    """Bounds with infinity for an open end.

    >>> closed_bounds({"mu_v": (0, None)})
    {'mu_v': (0.0, inf)}
    """
    found = {}
    for name, ends in bounds.items():
        if isinstance(ends, str) or len(ends) != 2:
            raise SpecError(f"bounds of {name} = {ends!r} must be a pair of numbers in SI; None for an open end")
        low, high = ends
        found[name] = (-np.inf if low is None else float(low), np.inf if high is None else float(high))
    return found


def at_bound(form: CurveForm, name: str, value: float) -> bool:
    """Whether a parameter is on one of its bounds.

    >>> at_bound(CurveForm(bounds={"mu_v": (0.0, 1.0)}), "mu_v", 0.0)
    True
    """
    return on_bound(form, name, value) in form.bounds.get(name, ())


def on_bound(form: CurveForm, name: str, value: float) -> float:
    """The bound next to a value, if the value is on it but for rounding; else the value.

    >>> on_bound(CurveForm(bounds={"mu_v": (0.0, 1.0)}), "mu_v", 1e-16)
    0.0
    """
    ends = [end for end in form.bounds.get(name, ()) if np.isfinite(end)]
    near = [end for end in ends if abs(value - end) <= TOUCHES * max(abs(end), abs(value)) + 1e-12]
    return near[0] if near else value
