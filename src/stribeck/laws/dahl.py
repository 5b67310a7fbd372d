"""Dahl: a bristle without break-away peak."""

from __future__ import annotations

from ._parameters import MU_C, SIGMA0, positive
from ._step_needs import relaxation
from .functions import Abs, sign
from .law import BristleLaw, Expr, Flow, State, StepConditions, StepNeed, Values


class Dahl(BristleLaw):
    """Dahl's solid friction: a spring that yields at the Coulomb friction. It has hysteresis, but no static peak.

    The rate is dF/dt = sigma0 (v - |v| F/mu_c) with F = sigma0 z.

    >>> Bearing(mass, law=Dahl(sigma0=1e4, tau_c=1))
    """

    source = "P. R. Dahl: A Solid Friction Model. Report TOR-0158(3107-18)-1, The Aerospace Corporation, 1968"

    sigma0 = SIGMA0
    mu_c = positive(MU_C)

    z = State("{disp}", "elastic deflection", lambda p: p.mu_c / p.sigma0, bound=lambda p: p.mu_c / p.sigma0)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr) -> Flow:
        return Flow(z=v - p.sigma0 * z * (Abs(v) / p.mu_c), friction=p.sigma0 * z)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * p.mu_c / p.sigma0

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        return relaxation("sigma0", lambda c: c * p.mu_c / (at.h * at.speed), "sigma0 < c mu_c/(h |v|)", at)

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2
