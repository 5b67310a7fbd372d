"""Stribeck friction with viscous friction above a threshold speed."""

from __future__ import annotations

from dataclasses import replace

from ._curve import stribeck_curve
from ._parameters import EXPONENT, MU_C, MU_S, MU_V, V_S
from .functions import Abs, Piecewise, smaller
from .law import Expr, Flow, Jump, LockingLaw, Mode, Param, Role, State, Values

GAIN = 1e5
"""Proportional gain: share of viscous friction per relative deviation from the threshold speed."""

RATE = 1e9
"""Integral gain in 1/s for the same deviation, so that no deviation remains."""


def clipped(x: Expr, low: float, high: float) -> Expr:
    """x within its limits."""
    return Piecewise((low, x < low), (high, x > high), (x, True))


class StribeckThreshold(LockingLaw):
    """Stribeck friction with viscous friction above a threshold speed only; friction jumps there by mu_v v_v.

    If the driving force is between the two values, the speed stays at the threshold (to 1e-5 after a jerk, for about
    0.1 ms), with the required share of viscous friction.

    >>> Bearing(mass, law=StribeckThreshold(tau_c=0.11, tau_s=0.14, tau_v=7.2e-4, w_v=240))
    """

    source = (
        "R. Nouailletas, E. Mendes, D. Koenig: Hybrid modeling and identification of dry friction systems, application "
        "to a clutch actuator. Control Engineering Practice 18 (2010) 904-917, (48)"
    )

    mu_c = MU_C
    mu_s = MU_S
    v_s = V_S
    exponent = EXPONENT
    mu_v = replace(MU_V, default=0.4, text="viscous friction above the threshold")
    v_v = Param(0.1, "{vel}", "threshold speed of the viscous friction", above=0, aliases=("w_v",), role=Role.SPEED)

    zone = Mode("speed below the threshold 0, at it 1, above it 2", (0, 1, 2))
    share = State("1", "share of viscous friction at the threshold", nominal=lambda p: 1.0)

    @staticmethod
    def viscous(p: Values, v: Expr, share: Expr) -> Expr:
        """The share of viscous friction at the threshold: the state plus the proportional part."""
        return share + GAIN * (v - p.v_v) / p.v_v

    @staticmethod
    def sliding(p: Values, v: Expr, zone: Expr, share: Expr) -> Expr:
        part = clipped(StribeckThreshold.viscous(p, v, share), 0, 1)
        return stribeck_curve(p, v) + Piecewise((0, zone < 0.5), (1, zone > 1.5), (part, True)) * p.mu_v * v

    @classmethod
    def flow(cls, p: Values, v: Expr, *states: Expr) -> Flow:
        zone, share = states
        growth = RATE * clipped((v - p.v_v) / p.v_v, -1, 1)
        return Flow(cls.sliding(p, v, zone, share), share=Piecewise((growth, Abs(zone - 1) < 0.5), (0, True)))

    @staticmethod
    def jumps(p: Values, v: Expr, zone: Expr, share: Expr, hold: Expr) -> list[Jump]:
        over = v / p.v_v - 1
        dry, step, part = stribeck_curve(p, v), p.mu_v * v, StribeckThreshold.viscous(p, v, share)
        passes = Piecewise((2, hold > dry + step), (1, True))
        falls = Piecewise((0, hold < dry), (1, True))
        leaves = Piecewise((2, part > 0.5), (0, True))
        guard = Piecewise((-over, zone < 0.5), (over, zone > 1.5), (smaller(part, 1 - part), True))
        then = Piecewise((passes, zone < 0.5), (falls, zone > 1.5), (leaves, True))
        needed = Piecewise((0, hold <= dry), (1, hold >= dry + step), ((hold - dry) / step, True))
        return [Jump(guard, zone=then, share=needed)]

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr]:
        return Piecewise((2, Abs(v) > p.v_v), (0, True)), 0

    @staticmethod
    def breakaway(p: Values, zone: Expr, share: Expr) -> Expr:
        return p.mu_s

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return min(p.v_s, p.v_v)
