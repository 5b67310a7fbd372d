"""Stribeck: true stick, and a curve from static to Coulomb friction."""

from __future__ import annotations

from ._curve import stribeck_curve
from .law import Expr, LockingLaw, Param, Values


class Stribeck(LockingLaw):
    """Stribeck friction: sticks up to mu_s, slides with mu_c + (mu_s - mu_c) e^-|v/v_s|^exponent + mu_v |v|.

    With mu_s below mu_c friction rises with speed, as that of wet clutches.

    >>> Bearing(mass, law=Stribeck(tau_c=1, tau_s=1.5, w_s=0.01))
    """

    source = (
        "R. Stribeck: Die wesentlichen Eigenschaften der Gleit- und Rollenlager. Zeitschrift des Vereins Deutscher "
        "Ingenieure 46 (1902); in this form M. Bataus, A. Maciac, M. Oprean, N. Vasiliu 2011"
    )

    mu_c = Param(1.0, "{load}", "Coulomb friction", min=0, aliases=("tau_c", "f_c"))
    mu_s = Param(1.5, "{load}", "static friction; 1.5 mu_c unless given", min=0, aliases=("tau_s", "f_s"), times="mu_c")
    v_s = Param(1e-3, "{vel}", "Stribeck speed", above=0, aliases=("w_s",))
    exponent = Param(2.0, "1", "exponent of the Stribeck curve", above=0)
    mu_v = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v) + p.mu_v * v

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.mu_s

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return float(p.v_s)
