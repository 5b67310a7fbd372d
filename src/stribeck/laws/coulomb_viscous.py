"""Coulomb friction with a linear transition through v = 0."""

from __future__ import annotations

from ._parameters import MU_C, MU_V, V_0
from ._step_needs import transition
from .functions import Piecewise
from .law import Expr, SmoothLaw, Values


class CoulombViscous(SmoothLaw):
    """Coulomb friction with a linear transition up to the speed v_0/2: mu_c times 2 v/v_0, saturated at 1. It creeps.

    >>> Bearing(mass, law=CoulombViscous(tau_c=1, w_0=0.01))
    """

    source = "M. Bataus, A. Maciac, M. Oprean, N. Vasiliu: Automotive Clutch Models for Real Time Simulation, 2011, (5)"

    mu_c = MU_C
    v_0 = V_0
    mu_v = MU_V

    @staticmethod
    def friction(p: Values, v: Expr) -> Expr:
        saturated = Piecewise((1, v > p.v_0 / 2), (-1, v < -p.v_0 / 2), (2 * v / p.v_0, True))
        return p.mu_c * saturated + p.mu_v * v

    step_needs = staticmethod(transition)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_0 / 2
