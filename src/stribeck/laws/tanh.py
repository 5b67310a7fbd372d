"""Coulomb friction smoothed by a hyperbolic tangent."""

from __future__ import annotations

from ._math import tanh
from .law import Expr, Param, SmoothLaw, Values


class Tanh(SmoothLaw):
    """Coulomb friction as a smooth curve through v = 0, mu_c tanh(2 v/v_0). It creeps.

    >>> Bearing(mass, law=Tanh(tau_c=1, w_0=0.01))
    """

    source = "M. Bataus, A. Maciac, M. Oprean, N. Vasiliu: Automotive Clutch Models for Real Time Simulation, 2011, (6)"

    mu_c = Param(1.0, "{load}", "Coulomb friction", min=0, aliases=("tau_c", "f_c"))
    v_0 = Param(1e-2, "{vel}", "width of the transition from -mu_c to mu_c", above=0, aliases=("w_0",))
    mu_v = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))

    @staticmethod
    def friction(p: Values, v: Expr) -> Expr:
        return p.mu_c * tanh(2 * v / p.v_0) + p.mu_v * v

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return float(p.v_0 / 2)
