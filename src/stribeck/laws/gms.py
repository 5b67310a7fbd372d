"""Generalised Maxwell slip: Maxwell-slip elements whose sliders follow the Stribeck curve with a lag."""

from __future__ import annotations

from ._curve import stribeck_curve
from ._elements import ElementLaw
from ._parameters import EXPONENT, MU_C, MU_S, V_S, positive
from ._step_needs import StepConditions, StepNeed
from .law import AtMost, Expr, Param, Role, Values


class GMS(ElementLaw):
    """Generalised Maxwell slip: n springs in parallel; each slides at its share of the Stribeck curve, with a lag.

    In presliding it is a Maxwell slip with nonlocal memory. In sliding every element relaxes towards its share of the
    Stribeck curve s(v) at the rate C/s(v), so friction lags behind the speed.

    >>> Bearing(mass, law=GMS(n=4, sigma0=1e4, tau_c=1, tau_s=1.5, C=50))
    """

    source = (
        "F. Al-Bender, V. Lampaert, J. Swevers: The Generalized Maxwell-Slip Model: A Novel Model for Friction "
        "Simulation and Compensation. IEEE Transactions on Automatic Control 50 (2005) 1883-1887"
    )

    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    v_s = V_S
    exponent = EXPONENT
    C = Param(100.0, "{load}/s", "attraction to the Stribeck curve in sliding", min=0, role=Role.SHAPE)
    orders = (AtMost("mu_c", "mu_s"),)

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v)

    @staticmethod
    def limit(p: Values, e: Values, s: Expr) -> Expr:
        return e.alpha * s

    @staticmethod
    def rest_limit(p: Values, e: Values) -> Expr:
        return e.alpha * p.mu_s

    @staticmethod
    def slipping(p: Values, e: Values, F: Expr, s: Expr) -> Expr:
        return p.C / s * (e.alpha * s - F)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s

    @classmethod
    def step_needs(cls, p: Values, at: StepConditions) -> list[StepNeed]:
        lag = StepNeed(
            "C",
            -1,
            lambda c: c * p.mu_c / at.h,
            rule="C < c mu_c/h",
            why="in slip the forces relax at the rate C/mu",
            numbers=f" = c {p.mu_c:g}/{at.h:g}",
            of_states=True,
        )
        return [*super().step_needs(p, at), lag]

    @staticmethod
    def passive(p: Values) -> bool:
        # The loss of an element that slips is |F| (|v| - F'/k): negative if its force grows faster than by sticking,
        # which it can where the Stribeck curve rises while the speed falls
        return bool(p.mu_s == p.mu_c)

    @classmethod
    def remarks(cls, p: Values) -> list[str]:
        if cls.passive(p):
            return []
        return [
            f"GMS is passive only for mu_s = mu_c; with mu_s = {p.mu_s:g} its elements gain energy while the speed "
            "falls within the Stribeck range faster than their springs would be loaded"
        ]
