"""Improved Dahl: Dahl's bristle with a static friction below a speed limit."""

from __future__ import annotations

from math import inf

from ._math import Abs, Piecewise, larger, saturate, sign, smaller
from .law import BristleLaw, Conditions, Expr, Flow, Jump, Mode, Param, State, Values, static_below_kinetic


def relaxing(p: Values, v: Expr, z: Expr, q: Expr) -> Flow:
    """A bristle that relaxes with the whole friction F, z' = v - q |v| F/mu_s with F = sigma0 z + sigma1 z' + sigma2 v.

    That is linear in z'; solved for it, with a = q |v|/mu_s,  z' = (v - a (sigma0 z + sigma2 v))/(1 + a sigma1).
    In steady sliding F = mu_s/q.
    """
    a = q * Abs(v) / p.mu_s
    dz = v / (1 + p.sigma1 * a) - saturate(a, p.sigma1) * (p.sigma0 * z + p.sigma2 * v)
    return Flow(z=dz, friction=p.sigma0 * z + p.sigma1 * dz + p.sigma2 * v)


WIDTH = 1e-3
"""Share of the speed limit over which friction changes where the jump would hold the speed on the limit."""

NEAR = 0.1
"""Share of the speed limit within which a change of sides is taken for one at the limit."""


class ImprovedDahl(BristleLaw):
    """Dahl's friction with a static peak: relaxes towards mu_s below the speed dv and towards mu_c above it.

    The whole friction relaxes, viscous part included, so that steady sliding is at mu_c whatever sigma2. The change at
    the speed dv is a jump, found as an event. A bristle that is bent against the motion has less friction below dv than
    above, so that the speed may be held on the limit until it is straight; there friction changes over 0.1 % of dv.

    >>> Bearing(mass, law=ImprovedDahl(sigma0=1e4, tau_c=1, tau_s=1.5, dw=0.01))
    """

    source = "Guo Jing-hao, Dong Quan-lin: A Simplified LuGre Model, 2017, (2)"

    sigma0 = Param(1e5, "{load}/{disp}", "bristle stiffness", above=0)
    sigma1 = Param(316.22776601683796, "{load}.s/{disp}", "bristle damping", above=0)
    sigma2 = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))
    mu_c = Param(1.0, "{load}", "Coulomb friction", above=0, aliases=("tau_c", "f_c"))
    mu_s = Param(
        1.5, "{load}", "static friction; 1.5 mu_c unless given", above=0, aliases=("tau_s", "f_s"), times="mu_c"
    )
    dv = Param(1e-2, "{vel}", "speed up to which friction is static", above=0, aliases=("dw",))

    z = State(
        "{disp}",
        "mean bristle deflection",
        nominal=lambda p: p.mu_s / p.sigma0,
        bound=lambda p: inf if p.sigma2 else p.mu_s / p.sigma0,
    )
    fast = Mode("1 above the speed dv, 0 below, 2 on it", (0, 1, 2))

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, fast: Expr) -> Flow:
        share = larger(0, smaller(1, 0.5 + (Abs(v) / p.dv - 1) / WIDTH))
        ratio = p.mu_s / p.mu_c
        return relaxing(p, v, z, Piecewise((1 + share * (ratio - 1), fast > 1.5), (ratio, fast > 0.5), (1, True)))

    @staticmethod
    def jumps(p: Values, v: Expr, z: Expr, fast: Expr, hold: Expr) -> list[Jump]:
        # where z' = v friction is the same below dv and above; a bristle bent further back has more of it above
        above = Abs(v) / p.dv - 1
        forward = sign(v) * (p.sigma0 * z + (p.sigma1 + p.sigma2) * v)
        near = Abs(above) < NEAR  # a speed that has jumped may be anywhere
        across = Piecewise((Piecewise((2, forward < 0), (1 - fast, True)), near), (1 - fast, True))
        return [
            Jump(
                Piecewise((WIDTH / 2 - Abs(above), fast > 1.5), (above, fast > 0.5), (-above, True)),
                fast=Piecewise((across, fast < 1.5), (1, above > 0), (0, True)),
            )
        ]

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr]:
        fast = Piecewise((1, Abs(v) > p.dv), (0, True))
        friction = Piecewise((p.mu_c, Abs(v) > p.dv), (p.mu_s, True))
        return (sign(v) * friction - p.sigma2 * v) / p.sigma0, fast

    @staticmethod
    def storage(p: Values, z: Expr, fast: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return float(p.dv)

    faults = staticmethod(static_below_kinetic)

    @staticmethod
    def passive(p: Values) -> bool:
        # The loss is a quadratic form of friction and speed; with a = |v|/mu_c it is positive for
        # a sigma2^2 <= 4 (sigma1 + sigma2), that is at all speeds only without viscous friction
        return bool(p.sigma2 == 0)

    @classmethod
    def checks(cls, p: Values, conditions: Conditions | None = None) -> list[str]:
        if cls.passive(p):
            return []
        limit = 4 * p.mu_c * (p.sigma1 + p.sigma2) / p.sigma2**2
        return [
            f"ImprovedDahl is passive only up to the speed 4 mu_c (sigma1 + sigma2)/sigma2^2 = {limit:g}; lower sigma2 "
            "if it runs faster"
        ]
