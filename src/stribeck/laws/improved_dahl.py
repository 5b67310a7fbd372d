"""Improved Dahl: Dahl's bristle with static friction below a speed limit."""

from __future__ import annotations

from ._single_bristle import RelaxingBristle
from .functions import Abs, Piecewise, larger, sign, smaller
from .law import Expr, Flow, Jump, Mode, Param, Role, Values

WIDTH = 1e-3
"""Width of the transition relative to the speed limit, used where a jump would hold the speed on the limit."""

NEAR = 0.1
"""Relative distance to the speed limit within which a crossing counts as one at the limit."""


class ImprovedDahl(RelaxingBristle):
    """Dahl's friction with a static peak: it relaxes towards mu_s below the speed dv and towards mu_c above it.

    The total friction relaxes, viscous part included, so steady sliding is at mu_c for any sigma2. The change at the
    speed dv is a jump, located as an event. A bristle deflected against the motion has less friction below dv than
    above, so the speed may stay on the limit until the bristle is relaxed; there friction changes over 0.1 % of dv.

    >>> Bearing(mass, law=ImprovedDahl(sigma0=1e4, tau_c=1, tau_s=1.5, dw=0.01))
    """

    source = "Guo Jing-hao, Dong Quan-lin: A Simplified LuGre Model, 2017, (2)"

    dv = Param(1e-2, "{vel}", "speed up to which friction is static", above=0, aliases=("dw",), role=Role.SPEED)

    fast = Mode("1 above the speed dv, 0 below, 2 on it", (0, 1, 2))

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, fast: Expr) -> Flow:
        share = larger(0, smaller(1, 0.5 + (Abs(v) / p.dv - 1) / WIDTH))
        ratio = p.mu_s / p.mu_c
        q = Piecewise((1 + share * (ratio - 1), fast > 1.5), (ratio, fast > 0.5), (1, True))
        return RelaxingBristle.relaxing(p, v, z, q)

    @staticmethod
    def jumps(p: Values, v: Expr, z: Expr, fast: Expr, hold: Expr) -> list[Jump]:
        # at z' = v friction is equal below and above dv; a bristle deflected further back has more friction above
        above = Abs(v) / p.dv - 1
        forward = sign(v) * (p.sigma0 * z + (p.sigma1 + p.sigma2) * v)
        near = Abs(above) < NEAR  # after a jump the speed may have any value
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

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        limit = 4 * p.mu_c * (p.sigma1 + p.sigma2) / p.sigma2**2
        return [
            f"ImprovedDahl is passive only up to the speed 4 mu_c (sigma1 + sigma2)/sigma2^2 = {limit:g}; lower sigma2 "
            "if it runs faster"
        ]
