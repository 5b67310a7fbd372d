"""Reset integrator: a spring that stops at its limit."""

from __future__ import annotations

from ._parameters import MU_C, MU_S, SIGMA0, SIGMA1, SIGMA2, positive
from ._step_needs import StepConditions, StepNeed, damper
from .functions import Abs, Piecewise, sign
from .law import AtMost, BristleLaw, Expr, Flow, Jump, Mode, State, Values

SLACK = 1e-9
"""Deflection beyond the limit, relative to it, at which sliding begins: rounding must not begin it at a reversal."""


class ResetIntegrator(BristleLaw):
    """Reset integrator: a spring up to the deflection z0 = mu_c/sigma0, where its force drops from mu_s to mu_c.

    The deflection z follows the slip, and stops at +-z0 while the contact slides: friction is then constant, apart from
    viscous friction. It neither drifts nor creeps. In the paper's notation 1 + a = mu_s/mu_c. The change to sliding is
    located as an event. A body that reverses is bent back by a spring at mu_s, as printed.

    >>> Bearing(mass, law=ResetIntegrator(sigma0=1e4, tau_c=1, tau_s=1.5))
    """

    source = (
        "D. A. Haessig, B. Friedland: On the Modeling and Simulation of Friction. Journal of Dynamic Systems, "
        "Measurement, and Control 113 (1991) 354-362"
    )

    sigma0 = SIGMA0
    sigma1 = SIGMA1
    sigma2 = SIGMA2
    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    orders = (AtMost("mu_c", "mu_s"),)

    z = State("{disp}", "deflection", lambda p: p.mu_c / p.sigma0)
    mode = Mode("bent 0, sliding forward 1 or backward -1", (0, 1, -1))

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, mode: Expr) -> Flow:
        bent = Abs(mode) < 0.5
        spring = p.mu_s / p.mu_c * p.sigma0 * z + p.sigma1 * v
        friction = Piecewise((spring, bent), (mode * p.mu_c, True)) + p.sigma2 * v
        return Flow(z=Piecewise((v, bent), (0, True)), friction=friction)

    @staticmethod
    def jumps(p: Values, v: Expr, z: Expr, mode: Expr, hold: Expr) -> list[Jump]:
        bent = Abs(mode) < 0.5
        at_limit = 1 + SLACK - sign(v) * p.sigma0 * z / p.mu_c
        return [
            Jump(Piecewise((at_limit, bent), (1, True)), z=sign(z) * p.mu_c / p.sigma0, mode=sign(z)),
            Jump(Piecewise((1, bent), (mode * v, True)), mode=0),
        ]

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr]:
        return sign(v) * p.mu_c / p.sigma0, sign(v)

    @staticmethod
    def storage(p: Values, z: Expr, mode: Expr) -> Expr:
        return p.mu_s / p.mu_c * p.sigma0 * z**2 / 2

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        return [damper("sigma1", "sigma2", p.sigma2, at)]
