"""LuGre: friction as the deflection of bristles, with the Stribeck curve in sliding."""

from __future__ import annotations

from ._curve import stribeck_curve
from ._parameters import EXPONENT, V_S
from ._single_bristle import SingleBristle, bent
from .functions import Abs, sign
from .law import Expr, Flow, Values


class LuGre(SingleBristle):
    """LuGre bristle friction: presliding, break-away, the Stribeck effect and viscous friction in one state.

    The defaults are Table 1 of Aberger and Otter 2002, without its viscous friction.

    >>> Bearing(mass, law=LuGre(sigma0=1e4, tau_c=1, tau_s=1.5))
    """

    source = (
        "C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky: A New Model for Control of Systems with Friction. "
        "IEEE Transactions on Automatic Control 40 (1995) 419-425"
    )

    v_s = V_S
    exponent = EXPONENT

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr) -> Flow:
        return bent(p, v, z, v - p.sigma0 * z * (Abs(v) / g))

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * stribeck_curve(p, v) / p.sigma0

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s

    @staticmethod
    def passive(p: Values) -> bool:
        # Aberger and Otter 2002, (6); see _passivity.py for high speed, where the curve is mu_c
        return bool(p.sigma1 * (p.mu_s - p.mu_c) <= p.sigma2 * p.mu_c)

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        limit = p.sigma2 * p.mu_c / (p.mu_s - p.mu_c)
        return [
            f"{cls.__name__} is passive only for sigma1 <= sigma2 mu_c/(mu_s - mu_c) = {limit:g}; with sigma1 = "
            f"{p.sigma1:g} the bristle can briefly generate energy; lower sigma1 or raise sigma2 if that matters"
        ]
