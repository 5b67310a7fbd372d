"""Stribeck friction whose viscous part begins at a threshold speed."""

from __future__ import annotations

from typing import Any

from ._curve import stribeck_curve
from ._declare import Expr, Jump, LockingLaw, Mode, Param
from ._math import Abs, Piecewise

WIDTH = 1e-9
"""Half the width of the threshold, relative to it."""


class StribeckThreshold(LockingLaw):
    """Stribeck friction with viscous friction above a threshold speed only: it jumps there by mu_v v_v.

    Where the drive is between the two values, the speed stays at the threshold, with the friction that this takes:
    there the jump is a steep line of the relative width 1e-9.

    >>> Bearing(mass, law=StribeckThreshold(tau_c=0.11, tau_s=0.14, tau_v=7.2e-4, w_v=240))
    """

    source = (
        "R. Nouailletas, E. Mendes, D. Koenig: Hybrid modeling and identification of dry friction systems, application "
        "to a clutch actuator. Control Engineering Practice 18 (2010) 904-917, (48)"
    )

    mu_c = Param(1.0, "{load}", "Coulomb friction", min=0, aliases=("tau_c", "f_c"))
    mu_s = Param(1.5, "{load}", "static friction", min=0, aliases=("tau_s", "f_s"))
    v_s = Param(1e-3, "{vel}", "Stribeck speed", above=0, aliases=("w_s",))
    exponent = Param(2.0, "1", "exponent of the Stribeck curve", above=0)
    mu_v = Param(0.4, "{load}.s/{disp}", "viscous friction above the threshold", min=0, aliases=("tau_v", "f_v"))
    v_v = Param(0.1, "{vel}", "threshold speed of the viscous friction", above=0, aliases=("w_v",))

    zone = Mode("speed below the threshold 0, at it 1, above it 2", (0, 1, 2))

    @staticmethod
    def sliding(p: Any, v: Expr, zone: Expr) -> Expr:
        steep = (1 + (v - p.v_v) / (WIDTH * p.v_v)) / 2
        line = Piecewise((0, steep < 0), (1, steep > 1), (steep, True))
        share = Piecewise((0, zone < 0.5), (1, zone > 1.5), (line, True))
        return stribeck_curve(p, v) + share * p.mu_v * v

    @staticmethod
    def jumps(p: Any, v: Expr, zone: Expr, hold: Expr) -> list[Jump]:
        over = v / p.v_v - 1
        dry = stribeck_curve(p, v)
        passes = Piecewise((2, hold > dry + p.mu_v * v), (1, True))
        falls = Piecewise((0, hold < dry), (1, True))
        leaves = Piecewise((2, over > 0), (0, True))
        guard = Piecewise((-over, zone < 0.5), (over, zone > 1.5), (WIDTH - Abs(over), True))
        return [Jump(guard, zone=Piecewise((passes, zone < 0.5), (falls, zone > 1.5), (leaves, True)))]

    @staticmethod
    def steady(p: Any, v: Expr) -> Expr:
        return Piecewise((2, Abs(v) > p.v_v), (0, True))

    @staticmethod
    def breakaway(p: Any) -> Expr:
        return p.mu_s

    @staticmethod
    def nominal_speed(p: Any) -> float:
        return float(min(p.v_s, p.v_v))
