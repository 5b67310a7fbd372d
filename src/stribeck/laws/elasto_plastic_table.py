"""Elasto-plastic friction with a table of sliding friction."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import inf
from typing import Any

from ._curve import at, faults_of_points, first_fall
from ._parameters import SIGMA0, SIGMA1, SIGMA2, Z_BA
from ._passivity import along, decades, viscosity
from ._step_needs import damper, relaxation
from .elasto_plastic import elasto_plastic
from .functions import Abs, interpolate, sign
from .law import BristleLaw, Expr, Flow, Role, Series, State, StepConditions, StepNeed, Values, is_number


class ElastoPlasticTable(BristleLaw):
    """Elasto-plastic friction with a measured curve: linear interpolation between points of speed and friction.

    Friction is constant below the first and beyond the last point.

    >>> Bearing(mass, law=ElastoPlasticTable(speed=[0, 0.01, 1], mu=[1.5, 1, 1.2], z_ba=5e-6))
    """

    source = (
        "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter: Single State Elastoplastic Friction Models. IEEE "
        "Transactions on Automatic Control 47 (2002) 787-792; any curve: T. Petrun, M. Kegl, J. Flasker 2012"
    )

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    z_ba = Z_BA
    speed = Series([0.0, 1e-3, 2e-3, 1.0], "{vel}", "speeds of the points, increasing", min=0, role=Role.SHAPE)
    mu = Series([1.5, 1.2, 1.0, 1.0], "{load}", "friction at these speeds", above=0, role=Role.CURVE)

    z = State("{disp}", "mean bristle deflection", lambda p: max(p.mu) / p.sigma0, bound=lambda p: max(p.mu) / p.sigma0)

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return interpolate(Abs(v), p.speed, p.mu)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr) -> Flow:
        return elasto_plastic(p, v, z, g, p.z_ba)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * interpolate(Abs(v), p.speed, p.mu) / p.sigma0

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        most = relaxation("sigma0", lambda c: c * min(p.mu) / (at.h * at.speed), "sigma0 < c min(mu)/(h |v|)", at)
        return [*most, damper("sigma1", "sigma2", p.sigma2, at)]

    @staticmethod
    def nominal_speed(p: Values) -> float:
        lines = [b - a for a, b in pairwise([0.0, *p.speed]) if b > a]
        return min(lines, default=inf)

    @staticmethod
    def peak_speed(p: Values) -> float:
        return first_fall(p)

    @staticmethod
    def faults(p: Values) -> list[str]:
        limit = min(p.mu, default=0.0) / p.sigma0
        if p.z_ba >= limit > 0:
            return [
                f"z_ba = {p.z_ba:g} must be below the smallest mu over sigma0 = {limit:g}, the smallest deflection in "
                "sliding; lower z_ba or sigma0"
            ]
        return faults_of_points(p)

    @staticmethod
    def viscosity(p: Values) -> float:
        """The smallest sigma2 of a passive law with these parameters."""
        last = max(p.speed[-1], 1.0)
        speeds = [*along([0.0, *p.speed]), *decades(last, 1e9 * last, 10)]
        return viscosity(lambda v: p.sigma1, lambda v: at(p, v), max(p.mu), (v for v in speeds if v > 0))

    @staticmethod
    def passive(p: Values) -> bool:
        return bool(p.sigma2 >= ElastoPlasticTable.viscosity(p))

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        return [
            f"ElastoPlasticTable is passive only for sigma2 >= {cls.viscosity(p):g}; with sigma2 = {p.sigma2:g} the "
            "bristle can briefly generate energy; raise sigma2 or lower sigma1 if that matters"
        ]

    def in_proportion(self, values: Mapping[str, Any]) -> dict[str, Any]:
        sigma0 = values.get("sigma0")
        return {"z_ba": self.z_ba * self.sigma0 / sigma0} if is_number(sigma0) else {}
