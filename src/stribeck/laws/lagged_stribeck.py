"""Stribeck friction with memory: its curve follows the speed with a lag."""

from __future__ import annotations

from ._curve import stribeck_curve
from ._lag import TAU_L, lag_need, lag_rates, lag_states
from ._parameters import EXPONENT, MU_C, MU_S, MU_V, V_S
from .law import Expr, Flow, LockingLaw, StepConditions, StepNeed, Values


class LaggedStribeck(LockingLaw):
    """Stribeck friction with frictional memory: the curve is that of the speed tau_L before; viscous friction is not.

    So friction is higher while the speed rises than while it falls, and stick-slip vanishes above a speed. It sticks
    truly, up to the friction of the lagging speed: after a fast stop static friction builds up within about tau_L. The
    delay is a low-pass of second order with that delay; see `_lag.py`.

    >>> Bearing(mass, law=LaggedStribeck(tau_c=1, tau_s=1.5, w_s=0.01, tau_L="4 ms"))
    """

    source = (
        "D. P. Hess, A. Soom: Friction at a Lubricated Line Contact Operating at Oscillating Sliding Velocities. "
        "Journal of Tribology 112 (1990) 147-152"
    )

    mu_c = MU_C
    mu_s = MU_S
    v_s = V_S
    exponent = EXPONENT
    mu_v = MU_V
    tau_L = TAU_L

    v_lag, u_lag = lag_states(lambda p: p.v_s)

    @staticmethod
    def sliding(p: Values, v: Expr, w: Expr, u: Expr) -> Expr:
        return stribeck_curve(p, w) + p.mu_v * v

    @classmethod
    def flow(cls, p: Values, v: Expr, *states: Expr) -> Flow:
        w, u = lag_rates(p, v, *states)
        return Flow(cls.sliding(p, v, *states), v_lag=w, u_lag=u)

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr]:
        return v, 0

    @staticmethod
    def change(p: Values, v: Expr, w: Expr, u: Expr, turn: Expr) -> tuple[Expr, Expr]:
        return turn * w, turn * u

    @staticmethod
    def breakaway(p: Values, w: Expr, u: Expr) -> Expr:
        return stribeck_curve(p, w)

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return p.v_s

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        return [lag_need(p, at)]
