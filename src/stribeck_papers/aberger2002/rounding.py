"""Fixed steps on the listing of the paper, with the arithmetic of one compiler or another.

While the mass slides, the deflection tends to its steady value with the rate sigma0 |w|/tau_c, up to 3.7e4 1/s. An
explicit step of 1 ms multiplies every disturbance of it by a large number. With tau_c = 1 there is none: in the formula

    dz/dt = w/zN - |w| z/g        g = (1/sigma0) tau_c = zN        z = 1

both terms are the same number to the last bit, whatever w is, if g is rounded to the 53 bits of zN. A processor that
keeps g in a register of 64 bits has g != zN, and there is a disturbance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite
from typing import Any, NamedTuple

import numpy as np

from ..choice import choose
from .bearing import INTERVALS, T_END
from .dassl import Listing

WIDE: Any = np.longdouble
TOO_FAST = 1e3
"""A speed (rad/s) at which a run has exploded."""


def has_wide_registers() -> bool:
    """Whether numbers of 64 bits, as in the registers of the x87 processor, are available (they are on x86).

    >>> has_wide_registers()
    True
    """
    return int(np.finfo(WIDE).nmant) == 63


@dataclass(frozen=True)
class InRegister(Listing):
    """The listing with g kept in a register of 64 bits; everything else is rounded to double precision.

    >>> InRegister().slip(0.3, 1.0) != 0 == Listing().slip(0.3, 1.0)
    True
    """

    def slip(self, w: float, z: float) -> float:
        """dz/dt in units of zN per second."""
        falling = WIDE(self.tau_s - self.tau_c) * WIDE(exp(-((w / self.ws) ** 2)))
        g = WIDE(1) / WIDE(self.sigma0) * (WIDE(self.tau_c) + falling)
        return float(WIDE(w) / WIDE(self.zN) - WIDE(abs(w)) * WIDE(z) / g)


class Course(NamedTuple):
    """Angles of the mass (rad) at the ends of the steps (s), when the relation dz/dt < 0 has changed (s), and when the
    run exploded (nan if it did not)."""

    time: np.ndarray
    phi: np.ndarray
    changes: np.ndarray
    exploded: float


def stepped(
    method: str,
    h: float,
    model: Listing | None = None,
    t_end: float = T_END,
    *,
    t_start: float = 0.0,
    y_start: Sequence[float] = (0.0, 0.0, 0.0),
) -> Course:
    """The rig with the listing of the paper by a method of the paper, "RKFIX4", "EULER" or "MIXED", in steps of h (s)
    that end on every point of the grid of 10 ms, as the paper's steps do; from phi, w and z/zN at a time (s). "LAGGED"
    is mixed mode with the friction torque of the old deflection.

    >>> stepped("RKFIX4", 1e-3, t_end=8.0).phi[-1]
    0.0735
    """
    listing = model or Listing()
    step = choose("stepped: there is no method", method, METHODS)
    changes: list[float] = []
    y, negative = list(y_start), False
    times, angles = [t_start], [y[0]]
    for t, part in steps_of(h, t_start, t_end):
        y = step(listing, t, y, part)
        if not (isfinite(y[1]) and abs(y[1]) < TOO_FAST):
            return Course(np.array(times), np.array(angles), np.array(changes), t)
        falls = listing.slip(y[1], y[2]) < 0
        times.append(t + part)
        if falls != negative:
            changes.append(t + part)
        negative = falls
        angles.append(y[0])
    return Course(np.array(times), np.array(angles), np.array(changes), np.nan)


def steps_of(h: float, t_start: float = 0.0, t_end: float = T_END) -> list[tuple[float, float]]:
    """Starts and lengths (s) of the steps: as many as fit into a cell of the grid, and the rest of it.

    >>> len(steps_of(0.9e-3))
    30000
    """
    cell = T_END / INTERVALS
    whole = int(cell / h + 1e-9)
    rest = cell - whole * h
    parts = [h] * whole + [rest] * (rest > 1e-9)
    offsets = np.cumsum([0.0, *parts[:-1]]).tolist()
    starts = (cell * np.arange(round(t_start / cell), round(t_end / cell))).tolist()
    return [(start + offset, part) for start in starts for offset, part in zip(offsets, parts, strict=True)]


def _moved(y: list[float], h: float, rates: tuple[float, ...]) -> list[float]:
    return [value + h * rate for value, rate in zip(y, rates, strict=True)]


def _euler(model: Listing, t: float, y: list[float], h: float) -> list[float]:
    return _moved(y, h, model.rates(t, y))


def _runge_kutta(model: Listing, t: float, y: list[float], h: float) -> list[float]:
    k1 = model.rates(t, y)
    k2 = model.rates(t + h / 2, _moved(y, h / 2, k1))
    k3 = model.rates(t + h / 2, _moved(y, h / 2, k2))
    k4 = model.rates(t + h, _moved(y, h, k3))
    mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(k1, k2, k3, k4, strict=True))
    return _moved(y, h, mean)


def _mixed(model: Listing, t: float, y: list[float], h: float) -> list[float]:
    """Bristles by the implicit, the mass by the explicit Euler method, with the torque of the new deflection."""
    phi, w, _ = y
    z = _implicit(model, y, h)
    return [*_moved([phi, w], h, model.rates(t, [phi, w, z])[:2]), z]


def _lagged(model: Listing, t: float, y: list[float], h: float) -> list[float]:
    """The same with the torque of the old deflection."""
    return [*_moved(y[:2], h, model.rates(t, y)[:2]), _implicit(model, y, h)]


def _implicit(model: Listing, y: list[float], h: float) -> float:
    """The deflection after a step; dz/dt is linear in z."""
    _, w, z = y
    free = model.slip(w, 0.0)
    return (z + h * free) / (1 + h * (free - model.slip(w, 1.0)))


METHODS = {"RKFIX4": _runge_kutta, "EULER": _euler, "MIXED": _mixed, "LAGGED": _lagged}
"""The fixed-step methods of the paper by the names used there, and another mixed mode."""
