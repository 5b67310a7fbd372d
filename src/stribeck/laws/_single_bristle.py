"""Base classes of LuGre and related laws: a bristle with damping between static and Coulomb friction."""

from __future__ import annotations

from math import inf

from ._parameters import MU_C, MU_S, SIGMA0, SIGMA1, SIGMA2, positive
from ._step_needs import StepConditions, StepNeed, damper, relaxation
from .functions import Abs, Expr, saturate
from .law import AtMost, BristleLaw, Flow, State, Values


def bent(p: Values, v: Expr, z: Expr, dz: Expr) -> Flow:
    """Friction and rate of a bristle with deflection z and rate dz: spring, damper, and viscous friction.

    >>> p = Values(sigma0=1e5, sigma1=300.0, sigma2=0.4)
    >>> bent(p, v=0.1, z=1e-5, dz=0.0).friction
    1.04
    """
    return Flow(z=dz, friction=p.sigma0 * z + p.sigma1 * dz + p.sigma2 * v)


class SingleBristle(BristleLaw, registered=False):
    """A bristle whose steady friction falls from mu_s at rest to mu_c."""

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    orders = (AtMost("mu_c", "mu_s"),)

    z = State("{disp}", "mean bristle deflection", lambda p: p.mu_s / p.sigma0, bound=lambda p: p.mu_s / p.sigma0)

    @staticmethod
    def storage(p: Values, z: Expr, *modes: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        most = relaxation("sigma0", lambda c: c * p.mu_c / (at.h * at.speed), "sigma0 < c mu_c/(h |v|)", at)
        return [*most, damper("sigma1", "sigma2", p.sigma2, at)]


class RelaxingBristle(SingleBristle, registered=False):
    """A bristle that relaxes with the total friction F, z' = v - q |v| F/mu_s with F = sigma0 z + sigma1 z' + sigma2 v.

    This is linear in z'. Solved for it, with a = q |v|/mu_s:  z' = (v - a (sigma0 z + sigma2 v))/(1 + a sigma1).
    In steady sliding F = mu_s/q.
    """

    sigma1 = positive(SIGMA1)

    z = State(
        "{disp}",
        "mean bristle deflection",
        nominal=lambda p: p.mu_s / p.sigma0,
        bound=lambda p: inf if p.sigma2 else p.mu_s / p.sigma0,
    )

    @staticmethod
    def relaxing(p: Values, v: Expr, z: Expr, q: Expr) -> Flow:
        """Friction and rate for one q."""
        a = q * Abs(v) / p.mu_s
        dz = v / (1 + p.sigma1 * a) - saturate(a, p.sigma1) * (p.sigma0 * z + p.sigma2 * v)
        return bent(p, v, z, dz)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.dv

    @staticmethod
    def passive(p: Values) -> bool:
        # The loss is a quadratic form of friction and speed. With a = |v|/mu_c it is positive for
        # a sigma2^2 <= 4 (sigma1 + sigma2); at all speeds only without viscous friction
        return bool(p.sigma2 == 0)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        # z relaxes at the rate a sigma0/(1 + a sigma1), where 1/a is at least mu_c/|v|
        rule = "sigma0 < c (mu_c/|v| + sigma1)/h"
        most = relaxation("sigma0", lambda c: c * (p.mu_c / at.speed + p.sigma1) / at.h, rule, at)
        return [*most, damper("sigma1", "sigma2", p.sigma2, at)]
