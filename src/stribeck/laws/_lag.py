"""A speed that lags: the delayed speed of frictional memory as two states.

A delay e^(-s tau) has no finite state. This is the low-pass of second order with maximally flat delay (W. E. Thomson
1949), 3/(3 + 3 s tau + (s tau)^2): its phase is omega tau (1 - (omega tau)^4/45), and it settles after a step with an
overshoot of 0.4 %. A Pade approximation with zeros would answer a step with the wrong sign at first.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from ..declare import Param, Values
from ._roles import Role
from ._step_needs import StepConditions, StepNeed
from .functions import Expr
from .law import State

TAU_L = Param(5e-3, "s", "time by which friction lags behind speed", above=0, role=Role.SHAPE)


def lag_states(nominal: Callable[[Any], float]) -> tuple[State, State]:
    """The two states: the lagging speed, and its rate times tau_L.

    >>> v_lag, u_lag = lag_states(lambda p: p.v_s)
    """
    return (
        State("{vel}", "speed that lags by tau_L", nominal),
        State("{vel}", "its rate times tau_L", nominal),
    )


def lag_rates(p: Values, v: Expr, w: Expr, u: Expr) -> tuple[Expr, Expr]:
    """Their rates.

    >>> lag_rates(Values(tau_L=0.5), 1.0, 0.0, 0.0)
    (0.0, 6.0)
    """
    return u / p.tau_L, 3 * (v - w - u) / p.tau_L


def lag_need(p: Values, at: StepConditions) -> StepNeed:
    """A step that the lag resolves: its two rates have the size sqrt(3)/tau_L.

    >>> lag_need(Values(tau_L=0.005), StepConditions(h=1e-3, inertia=1)).bound(1)
    0.001732
    """
    return StepNeed(
        "tau_L",
        1,
        lambda c: sqrt(3) * at.h / c,
        rule="tau_L > sqrt(3) h/c",
        why="the lagging speed follows at rates of the size sqrt(3)/tau_L",
        numbers=f" = {sqrt(3) * at.h:.4g}/c",
        of_states=True,
    )
