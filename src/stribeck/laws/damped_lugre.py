"""LuGre with speed-dependent bristle damping."""

from __future__ import annotations

from math import exp

from ._curve import stribeck_curve
from ._passivity import decades, viscosity
from .functions import stribeck
from .law import Expr, Flow, Param, Role, Values
from .lugre import LuGre


class DampedLuGre(LuGre):
    """LuGre with a bristle damping that decays with speed, sigma1 e^-(v/v_d)^2.

    It is passive with much less viscous friction than LuGre.

    >>> Bearing(mass, law=DampedLuGre(sigma0=1e4, sigma1=100, w_d=0.01))
    """

    source = (
        "H. Olsson, K. J. Astrom, C. Canudas de Wit, M. Gafvert, P. Lischinsky: Friction Models and Friction "
        "Compensation. European Journal of Control 4 (1998) 176-195"
    )

    v_d = Param(
        1e-2,
        "{vel}",
        "speed at which the bristle damping has decayed to 1/e",
        above=0,
        aliases=("w_d",),
        role=Role.SHAPE,
    )

    @staticmethod
    def g(p: Values, v: Expr) -> tuple[Expr, Expr]:
        return stribeck_curve(p, v), stribeck(v, p.v_d, 2)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr, fading: Expr = 1.0) -> Flow:
        dz = LuGre.flow(p, v, z, g).rates["z"]
        return Flow(z=dz, friction=p.sigma0 * z + p.sigma1 * fading * dz + p.sigma2 * v)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return min(p.v_s, p.v_d)

    @staticmethod
    def viscosity(p: Values) -> float:
        """The smallest sigma2 of a passive law with these parameters."""

        def damping(v: float) -> float:
            return float(p.sigma1 * exp(-((v / p.v_d) ** 2)))

        def curve(v: float) -> float:
            return float(p.mu_c + (p.mu_s - p.mu_c) * exp(-((v / p.v_s) ** p.exponent)))

        return viscosity(damping, curve, p.mu_s, decades(1e-6 * p.v_d, 10 * p.v_d))

    @staticmethod
    def passive(p: Values) -> bool:
        return bool(p.sigma2 >= DampedLuGre.viscosity(p))

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        return [
            f"DampedLuGre is passive only for sigma2 >= {cls.viscosity(p):g}; with sigma2 = {p.sigma2:g} the bristle "
            "can briefly generate energy; raise sigma2, or lower sigma1 or v_d if that matters"
        ]
