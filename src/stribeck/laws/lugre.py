"""LuGre: friction as the bending of bristles, with the Stribeck curve in sliding."""

from __future__ import annotations

from ._curve import stribeck_curve
from ._math import Abs, sign
from .law import BristleLaw, Conditions, Expr, Flow, Param, State, Values, static_below_kinetic


class LuGre(BristleLaw):
    """LuGre bristle friction: presliding, break-away, the Stribeck effect and viscous friction in one state.

    The defaults are Table 1 of Aberger and Otter 2002, without its viscous friction.

    >>> Bearing(mass, law=LuGre(sigma0=1e4, tau_c=1, tau_s=1.5))
    """

    source = (
        "C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky: A New Model for Control of Systems with Friction. "
        "IEEE Transactions on Automatic Control 40 (1995) 419-425"
    )

    sigma0 = Param(1e5, "{load}/{disp}", "bristle stiffness", above=0)
    sigma1 = Param(316.22776601683796, "{load}.s/{disp}", "bristle damping", min=0)
    sigma2 = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))
    mu_c = Param(1.0, "{load}", "Coulomb friction", above=0, aliases=("tau_c", "f_c"))
    mu_s = Param(
        1.5, "{load}", "static friction; 1.5 mu_c unless given", above=0, aliases=("tau_s", "f_s"), times="mu_c"
    )
    v_s = Param(1e-3, "{vel}", "Stribeck speed", above=0, aliases=("w_s",))
    exponent = Param(2.0, "1", "exponent of the Stribeck curve", above=0)

    z = State("{disp}", "mean bristle deflection", lambda p: p.mu_s / p.sigma0, bound=lambda p: p.mu_s / p.sigma0)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr) -> Flow:
        dz = v - p.sigma0 * Abs(v) / stribeck_curve(p, v) * z
        return Flow(z=dz, friction=p.sigma0 * z + p.sigma1 * dz + p.sigma2 * v)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * stribeck_curve(p, v) / p.sigma0

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return float(p.v_s)

    faults = staticmethod(static_below_kinetic)

    @staticmethod
    def passive(p: Values) -> bool:
        # Aberger and Otter 2002, (6); see _passivity.py for high speed, where the curve is mu_c
        return bool(p.sigma1 * (p.mu_s - p.mu_c) <= p.sigma2 * p.mu_c)

    @classmethod
    def checks(cls, p: Values, conditions: Conditions | None = None) -> list[str]:
        if cls.passive(p):
            return []
        limit = p.sigma2 * p.mu_c / (p.mu_s - p.mu_c)
        return [
            f"{cls.__name__} is passive only for sigma1 <= sigma2 mu_c/(mu_s - mu_c) = {limit:g}; with sigma1 = "
            f"{p.sigma1:g} the bristle can give energy for a moment; lower sigma1 or raise sigma2 if that matters"
        ]
