"""The Leuven model in its first form of 2000, whose rate depends on the beginning of the present branch."""

from __future__ import annotations

from ._hysteresis import HysteresisLaw
from .law import Expr, Values


class Leuven2000(HysteresisLaw):
    """Leuven model (2000): as Leuven, but the bristle relaxes along the present branch, from the last reversal on.

    With F_b, the spring force at the beginning of the branch, z' = v (1 - sgn(q) |q|^transition), where q = (F_h -
    F_b)/(s(v) - F_b). After a reversal the bristle at first follows the slip. Where an inner loop closes, the rate
    jumps, as printed, and so does friction by sigma1 times that; `Leuven` is the form without this jump. The elements
    remember the reversals, so there is no stack that could overflow.

    >>> Bearing(mass, law=Leuven2000(n=4, sigma0=1e4, tau_c=1, tau_s=1.5))
    """

    source = (
        "J. Swevers, F. Al-Bender, C. G. Ganseman, T. Prajogo: An Integrated Friction Model Structure [...]. IEEE "
        "Transactions on Automatic Control 45 (2000) 675-686"
    )

    based = True

    @staticmethod
    def turning(v: Expr, rate: Expr) -> Expr:
        return v

    @staticmethod
    def passive(p: Values) -> bool:
        # After a reversal friction F_h returns energy to the whole motion v, but its springs give up that of z' < v
        return False

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        return [
            "Leuven2000 is not passive: after a reversal z' is below v while the spring force still acts with the "
            "motion, so it returns more energy than its springs give up; Leuven is passive there"
        ]
