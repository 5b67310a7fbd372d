"""Stribeck: true stick, and a curve from static to Coulomb friction."""

from __future__ import annotations

from ._curve import stribeck_curve
from ._parameters import EXPONENT, MU_C, MU_S, MU_V, V_S
from .law import Expr, LockingLaw, Values


class Stribeck(LockingLaw):
    """Stribeck friction: sticks up to mu_s, slides with mu_c + (mu_s - mu_c) e^-|v/v_s|^exponent + mu_v |v|.

    With mu_s below mu_c friction rises with speed, as in wet clutches.

    >>> Bearing(mass, law=Stribeck(tau_c=1, tau_s=1.5, w_s=0.01))
    """

    source = (
        "R. Stribeck: Die wesentlichen Eigenschaften der Gleit- und Rollenlager. Zeitschrift des Vereins Deutscher "
        "Ingenieure 46 (1902); in this form M. Bataus, A. Maciac, M. Oprean, N. Vasiliu 2011"
    )

    mu_c = MU_C
    mu_s = MU_S
    v_s = V_S
    exponent = EXPONENT
    mu_v = MU_V

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v) + p.mu_v * v

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.mu_s

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s
