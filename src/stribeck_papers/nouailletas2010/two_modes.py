"""The hybrid model of Section 2.1 as printed, with Euler steps: as one would program it from the paper.

It shares no code with the kernel: it is an independent check of the hybrid model, and it shows the effect of the
simulation parameters Sigma, p0 and Te.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np

Force = Callable[[float, float, float], float]
"""The force u (N) from time (s), position (m) and speed (m/s)."""


class TwoModeRun(NamedTuple):
    """A run, one value per step."""

    time: np.ndarray
    x: np.ndarray
    v: np.ndarray
    u: np.ndarray
    mode: np.ndarray
    """1 where it slides, 0 where it is motionless."""

    def rises(self, name: str, level: float) -> np.ndarray:
        """Times at which x or v rises through a level.

        >>> TwoModes().run(spring(), 28.0).rises("v", 0.1)
        """
        value = getattr(self, name)
        (at,) = np.nonzero((value[:-1] < level) & (value[1:] >= level))
        share = (level - value[at]) / (value[at + 1] - value[at])
        times: np.ndarray = self.time[at] + share * (self.time[at + 1] - self.time[at])
        return times

    def reversals(self, Sigma: float) -> tuple[int, int]:
        """How often the speed has gone from above Sigma to below -Sigma or back, and how often without mode 0.

        >>> TwoModes(step=1e-3).run(alternating(2.0), 20.0).reversals(2e-3)
        (30, 23)
        """
        (fast,) = np.nonzero(np.abs(self.v) >= Sigma)
        (turns,) = np.nonzero(np.diff(np.sign(self.v[fast])))
        missed = sum(bool(self.mode[fast[k] : fast[k + 1]].all()) for k in turns)
        return turns.size, missed


@dataclass(frozen=True)
class TwoModes:
    """Mode 1 slides by (4) and (5), mode 0 decays by (6); it changes by (7) and (10). The defaults are Table 1.

    >>> TwoModes().run(spring(), 28.0).rises("v", 0.1)
    array([ 7.70..., 14.15..., 20.61..., 27.06...])
    """

    step: float = 1e-3
    Sigma: float = 2e-3
    p0: float = 1e3
    m: float = 1.0
    f_c: float = 1.0
    f_s: float = 1.5
    v_s: float = 1e-3
    f_v: float = 0.4
    rise: Callable[[float], float] | None = None
    """What static friction gains (N) with the time since it was captured (s): rising static friction, Section 2.6."""
    literal_sign: bool = True
    """At rest the sign of the speed is 0, as printed; else it is that of the force, so that friction acts at once."""

    def run(self, force: Force, t_end: float) -> TwoModeRun:
        """Moves a mass from rest at x = 0 until t_end (s).

        >>> TwoModes().run(spring(), 10.0).mode
        """
        h, steps = self.step, round(t_end / self.step)
        rows = []
        x = v = since = 0.0
        mode = 0
        for k in range(steps):
            t = k * h
            u = force(t, x, v)
            before, mode = mode, self._mode(mode, u, v, t - since)
            since = t if before > mode else since
            rows.append((t, x, v, u, mode))
            rate = -self.p0 * v if mode == 0 else (u - self._friction(v, u)) / self.m
            x, v = x + h * v, v + h * rate
        return TwoModeRun(*np.array(rows).T)

    def _mode(self, mode: int, u: float, v: float, rest: float) -> int:
        if mode == 0:
            most = self.f_s + (self.rise(rest) if self.rise else 0.0)
            return int(abs(u) > most and abs(v) < 0.02 * self.Sigma)
        slow = (u < self.f_c and 0 < v < self.Sigma) or (u > -self.f_c and -self.Sigma < v < 0)
        return int(not slow)

    def _friction(self, v: float, u: float) -> float:
        sign = (v > 0) - (v < 0)
        if sign == 0 and not self.literal_sign:
            sign = (u > 0) - (u < 0)
        return (self.f_c + (self.f_s - self.f_c) * exp(-((v / self.v_s) ** 2))) * sign + self.f_v * v


def spring(K: float = 2.0, speed: float = 0.1) -> Force:
    """The spring of Figure 3 (N/m), its end pulled at a constant speed (m/s).

    >>> TwoModes().run(spring(speed=0.05), 40.0).rises("v", 0.05)
    """
    return lambda t, x, v: K * (speed * t - x)


def pid(
    step: float = 1e-3, K_p: float = 3.0, K_v: float = 6.0, K_i: float = 4.0, x_d: float = 1.0, u_max: float = 2.0
) -> Force:
    """The controller (13), whose integral is summed up at every step (s), limited to u_max (N).

    >>> TwoModes().run(pid(), 100.0).rises("x", 1.0)
    """
    total = 0.0

    def force(t: float, x: float, v: float) -> float:
        nonlocal total
        u = -K_p * (x - x_d) - K_v * v - K_i * total
        total += step * (x - x_d)
        return min(max(u, -u_max), u_max)

    return force


def alternating(size: float, half: float = 0.5, drift: float = 0.01) -> Force:
    """A force of constant size (N) that changes its sign; each half period is longer by `drift` (s) than the last one.

    >>> TwoModes(step=4e-4).run(alternating(2.0), 20.0).reversals(2e-3)
    (30, 0)
    """

    def force(t: float, x: float, v: float) -> float:
        # the k-th turn is at k half + drift k (k - 1)/2
        a = half / drift - 0.5
        turns = int(-a + (a * a + 2 * t / drift) ** 0.5)
        return size if turns % 2 == 0 else -size

    return force
