"""Coulomb friction smoothed by a hyperbolic tangent."""

from __future__ import annotations

from ._parameters import MU_C, MU_V, V_0
from ._step_needs import transition
from .functions import tanh
from .law import Expr, SmoothLaw, Values


class Tanh(SmoothLaw):
    """Coulomb friction as a smooth curve through v = 0, mu_c tanh(2 v/v_0). It creeps.

    >>> Bearing(mass, law=Tanh(tau_c=1, w_0=0.01))
    """

    source = "M. Bataus, A. Maciac, M. Oprean, N. Vasiliu: Automotive Clutch Models for Real Time Simulation, 2011, (6)"

    mu_c = MU_C
    v_0 = V_0
    mu_v = MU_V

    @staticmethod
    def friction(p: Values, v: Expr) -> Expr:
        return p.mu_c * tanh(2 * v / p.v_0) + p.mu_v * v

    step_needs = staticmethod(transition)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_0 / 2
