"""Friction from a table over speed."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from ._curve import faults_of_points, first_fall
from .functions import extrapolate, larger
from .law import Conditions, Expr, LockingLaw, Param, Role, Series, Values


class FrictionTable(LockingLaw):
    """Friction from a table over speed: sticks up to `peak` times the friction at rest, linear between the points.

    The last segment is extrapolated, as in Modelica; where it would fall below 0, friction is 0.

    >>> Bearing(mass, law=FrictionTable(speed=[0, 1], mu=[1, 1.4], peak=1.5))
    """

    source = (
        "M. Otter, H. Elmqvist, S. E. Mattsson: Hybrid Modeling in Modelica Based on the Synchronous Data Flow "
        "Principle. IEEE International Symposium on Computer Aided Control System Design, 1999"
    )

    peak = Param(1.0, "1", "static friction over the friction at the first point", min=1, role=Role.SHAPE)
    speed = Series(
        [0.0, 1.0], "{vel}", "speeds of the points, increasing from 0", min=0, aliases=("v", "w"), role=Role.SHAPE
    )
    mu = Series([1.0, 1.4], "{load}", "friction at these speeds", min=0, aliases=("tau", "f"), role=Role.CURVE)

    @staticmethod
    def levels(values: Mapping[str, Any]) -> dict[str, Any]:
        return {"mu_c": values["mu"][0], "mu_s": values["peak"] * values["mu"][0]}

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return larger(extrapolate(v, p.speed, p.mu), 0)

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.peak * extrapolate(0, p.speed, p.mu)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.speed and p.speed[0] > 0:
            return [f"speed[0] = {p.speed[0]:g} must be 0: give the friction at rest as the first point"]
        return faults_of_points(p)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.speed[1] if len(p.speed) > 1 else inf

    @staticmethod
    def peak_speed(p: Values) -> float:
        return first_fall(p)

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        if len(p.mu) < 2 or p.mu[-1] >= p.mu[-2]:
            return []
        slope = (p.mu[-1] - p.mu[-2]) / (p.speed[-1] - p.speed[-2])
        end = p.speed[-1] - p.mu[-1] / slope
        return [
            f"the last segment of the table falls and reaches 0 at the speed {end:g}, where friction ends; for a "
            f"friction that stays at {p.mu[-1]:g} give a point with it at the highest speed of the machine"
        ]
