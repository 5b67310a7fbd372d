"""A table over time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ..declare import Series, Values
from ..errors import SpecError
from ._samples import BETWEEN, Samples
from .signal import Signal


class Table(Samples):
    """Linear interpolation between points, or each value held; constant before the first and after the last point.

    >>> Speed(w=Table(time=[0, 1, 3], value=[0, "500 rpm", 0]))
    """

    time = Series(None, "s", "times of the points, increasing")
    value = Series(None, "{value}", "values at these times")
    between = BETWEEN

    @classmethod
    def canonical(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        given = super().canonical(values)
        if isinstance(given.get("time"), str | Signal):
            raise SpecError(
                f"Table: time = {given['time']!r} is a signal, and a Table has times; over a signal write "
                f"Lookup({given['time']!r}, x=[...], y=[...])"
            )
        return given

    @staticmethod
    def faults(p: Values) -> list[str]:
        if len(p.time) != len(p.value):
            return [f"time has {len(p.time)} points and value {len(p.value)}; give one value for each time"]
        if not p.time:
            return ["time = [] has no points; give at least one time and one value"]
        if any(after <= before for before, after in pairwise(p.time)):
            i = next(i for i, (before, after) in enumerate(pairwise(p.time)) if after <= before)
            return [
                f"time[{i + 1}] = {p.time[i + 1]:g} s comes after {p.time[i]:g} s; times must increase: "
                "sort the points, and for a jump put two points a short time apart"
            ]
        return []
