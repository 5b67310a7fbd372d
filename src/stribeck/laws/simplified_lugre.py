"""Simplified LuGre: linear segments in place of the Stribeck curve."""

from __future__ import annotations

from ._single_bristle import RelaxingBristle
from .functions import Abs, Piecewise, larger, sign
from .law import Conditions, Expr, Flow, Param, Role, Values

FLOOR = 0.01
"""Smallest value of the curve s(v): friction is never above mu_s/FLOOR."""


def curve(p: Values, v: Expr) -> Expr:
    """mu_s over the friction in steady sliding, s(|v|): from 1 at rest to mu_s/mu_c at dv, then falling."""
    ratio = p.mu_s / p.mu_c
    speed = Abs(v)
    rising = 1 + speed / p.dv * (ratio - 1)
    falling = larger(ratio - p.sigma2 / p.mu_c * (speed - p.dv), FLOOR)
    return Piecewise((falling, speed > p.dv), (rising, True))


class SimplifiedLuGre(RelaxingBristle):
    """LuGre with a two-branch Stribeck curve: static at rest, Coulomb friction at the speed dv, viscous beyond it.

    Beyond dv the curve s falls at the rate sigma2/mu_c (the paper, where mu_c = 1, writes sigma2). It would reach 0 at
    the speed dv + mu_s/sigma2, where friction is infinite, and is limited to 0.01; stay well below that speed.

    >>> Bearing(mass, law=SimplifiedLuGre(sigma0=1e4, tau_c=1, tau_s=1.5, dw=0.01))
    """

    source = "Guo Jing-hao, Dong Quan-lin: A Simplified LuGre Model, 2017, (4)"

    dv = Param(1e-2, "{vel}", "speed at which friction has fallen to mu_c", above=0, aliases=("dw",), role=Role.SPEED)

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return curve(p, v)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr) -> Flow:
        return RelaxingBristle.relaxing(p, v, z, g)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return (sign(v) * p.mu_s / curve(p, v) - p.sigma2 * v) / p.sigma0

    @staticmethod
    def peak_speed(p: Values) -> float:
        return p.dv

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        if p.sigma2 == 0:
            return []
        limit = p.dv + p.mu_s / p.sigma2
        return [
            f"the curve of SimplifiedLuGre turns negative at the speed dv + mu_s/sigma2 = {limit:g}, where friction "
            f"would be infinite; it is limited to {FLOOR:g} there, and the law is no longer passive; lower sigma2, or "
            "use LuGre if it runs that fast"
        ]
