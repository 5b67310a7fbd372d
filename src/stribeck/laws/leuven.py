"""The Leuven model in its form of 2002: a bristle that is a Maxwell-slip spring."""

from __future__ import annotations

from ._hysteresis import HysteresisLaw
from .law import Expr, Values


class Leuven(HysteresisLaw):
    """Leuven model (2002): LuGre whose bristle is n springs that stick and slip, with nonlocal memory in presliding.

    The bristle relaxes by z' = v - |v| sgn(F_h) |F_h/s(v)|^transition, so friction in sliding is the Stribeck curve
    s(v). In presliding inner loops close. It drifts under vibration as LuGre does, less with a larger exponent.

    >>> Bearing(mass, law=Leuven(n=4, sigma0=1e4, tau_c=1, tau_s=1.5, transition=2))
    """

    source = (
        "V. Lampaert, J. Swevers, F. Al-Bender: Modification of the Leuven Integrated Friction Model Structure. IEEE "
        "Transactions on Automatic Control 47 (2002) 683-687"
    )

    @staticmethod
    def turning(v: Expr, rate: Expr) -> Expr:
        return rate

    @staticmethod
    def passive(p: Values) -> bool:
        # As of LuGre: at high speed the loss is |v|^2 (sigma2 - sigma1 (r - 1)), where r is at most that of a spring
        # at mu_s while the curve is mu_c
        return bool(p.sigma1 * ((p.mu_s / p.mu_c) ** p.transition - 1) <= p.sigma2)

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        limit = p.sigma2 / ((p.mu_s / p.mu_c) ** p.transition - 1)
        return [
            f"Leuven is passive only for sigma1 <= sigma2/((mu_s/mu_c)^transition - 1) = {limit:g}; with sigma1 = "
            f"{p.sigma1:g} the bristle can briefly generate energy; lower sigma1 or raise sigma2 if that matters"
        ]
