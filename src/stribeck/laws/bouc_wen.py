"""Bouc-Wen hysteresis as friction."""

from __future__ import annotations

from ._parameters import MU_C, MU_V, SIGMA0, positive
from ._step_needs import relaxation
from .functions import Abs, power, sign, smaller
from .law import BristleLaw, Conditions, Expr, Flow, Param, Role, State, StepConditions, StepNeed, Values


class BoucWen(BristleLaw):
    """Bouc-Wen hysteresis: a spring that yields at mu_c; sharpness (n) and beta_share (beta) shape how.

    With r = z/z0, z0 = mu_c/sigma0 and gamma = 1 - beta the rate is z' = v - beta |v| |r|^n sgn(r) - gamma v |r|^n. In
    this form, by Ikhouane and Rodellar, different parameters give different friction; the printed A, beta and gamma are
    1, beta/z0^n and gamma/z0^n. With n = 1 and beta = 1 it is Dahl's friction; a large n is elastic and perfectly
    plastic. `HystereticSpring` is a spring with it.

    >>> Bearing(mass, law=BoucWen(sigma0=1e4, tau_c=1, sharpness=2, beta_share=0.5))
    """

    source = (
        "R. Bouc 1967, Y.-K. Wen 1976; in this form F. Ikhouane, J. Rodellar: On the Hysteretic Bouc-Wen Model. "
        "Nonlinear Dynamics 42 (2005) 63-78 and 79-95"
    )

    sigma0 = SIGMA0
    mu_c = positive(MU_C)
    sharpness = Param(2.0, "1", "exponent n: how sharply it yields", min=1, role=Role.SHAPE)
    beta_share = Param(0.5, "1", "beta/(beta + gamma): 0.5 unloads straight, above it bends", min=0, role=Role.SHAPE)
    mu_v = MU_V

    z = State("{disp}", "hysteretic deflection", lambda p: p.mu_c / p.sigma0, bound=lambda p: p.mu_c / p.sigma0)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr) -> Flow:
        # |r| never exceeds 1; the limit of 2 keeps the rate finite wherever a step looks
        yielded = power(smaller(Abs(p.sigma0 * z / p.mu_c), 2), p.sharpness)
        dz = v - (p.beta_share * Abs(v) * sign(z) + (1 - p.beta_share) * v) * yielded
        return Flow(z=dz, friction=p.sigma0 * z + p.mu_v * v)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * p.mu_c / p.sigma0

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def passive(p: Values) -> bool:
        # loss = mu_c |v| |r|^(n+1) (beta + gamma sgn(v z)): never negative for |gamma| <= beta
        return bool(p.beta_share >= 0.5)

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        if p.beta_share >= 0.5:
            return []
        return [
            f"beta_share = {p.beta_share:g} is below 0.5, where |gamma| > beta: unloading returns more energy than was "
            "stored; set it to 0.5 or above"
        ]

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        rule = "sigma0 < c mu_c/(sharpness h |v|)"
        return relaxation("sigma0", lambda c: c * p.mu_c / (p.sharpness * at.h * at.speed), rule, at)
