"""Converged values of the papers' machines, each from two independent methods (golden.csv).

For bristles these are a Runge-Kutta method of order 6 with steps of 4e-6 s and Radau restarted at every change of
branch; for the others two of DOP853, Radau, LSODA and BDF with located events, time stepping with extrapolation, or a
closed form. The file says which. A value is met if it differs from both by no more than they differ from each other,
plus the accuracy of its run.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

Value = float | tuple[float, float]
"""A value, or a value with its accuracy; without it 1e-10 of the value, or 1e-10 if that is more."""

ACCURACY = 1e-10
GOLDEN = Path(__file__).with_name("golden.csv")


class Golden(NamedTuple):
    """A value from each method, its unit, and the methods."""

    values: tuple[float, ...]
    unit: str
    methods: str


class Converged(NamedTuple):
    """A value of ours compared with golden ones.

    >>> compare({"B.BearingFriction.period": 6.453932708291})[0].met
    True
    """

    name: str
    ours: float
    accuracy: float
    golden: Golden

    @property
    def difference(self) -> float:
        """The largest difference from a golden value."""
        return max(abs(self.ours - value) for value in self.golden.values)

    @property
    def allowed(self) -> float:
        """The difference between the methods, plus the accuracy of ours."""
        return max(self.golden.values) - min(self.golden.values) + self.accuracy

    @property
    def met(self) -> bool:
        """Whether the value is met to its digits."""
        return self.difference <= self.allowed


@cache
def golden() -> dict[str, Golden]:
    """All converged values by name.

    >>> golden()["B.BearingFriction.period"].values[0]
    6.453932708291305
    """
    with GOLDEN.open(newline="", encoding="utf-8") as file:
        return {row["id"]: _golden(row) for row in csv.DictReader(file)}


def compare(values: Mapping[str, Value]) -> list[Converged]:
    """Values of ours compared with the golden ones of the same names.

    >>> compare({"D.powertrain.t_lock": (1.09321496617, 1e-10)})[0].difference
    2e-13
    """
    pairs = {name: value if isinstance(value, tuple) else (value, _usual(value)) for name, value in values.items()}
    return [Converged(name, float(value), accuracy, golden()[name]) for name, (value, accuracy) in pairs.items()]


def _usual(value: float) -> float:
    return ACCURACY * max(1.0, abs(value))


def _golden(row: Mapping[str, str]) -> Golden:
    values = tuple(float(row[column]) for column in ("value_method1", "value_method2") if row[column])
    methods = " and ".join(row[column] for column in ("method1", "method2") if row[column])
    return Golden(values, row["unit"], methods)
