"""LuGre's law as one writes it first: three lines for a solver of SciPy, without anything that this package adds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import stribeck as sb

SIGMA0, SIGMA1, SIGMA2 = 1e5, 1e5**0.5, 0.4
"""Stiffness (N/m), damping (N.s/m) of the bristles and viscous friction (N.s/m): Table 1 of aberger2002."""
F_C, F_S, V_S = 1.0, 1.5, 1e-3
"""Coulomb and static friction (N), Stribeck speed (m/s)."""
MASS, STIFFNESS, PULL = 1.0, 2.0, 0.1
"""Mass (kg), spring (N/m) and the speed of its far end (m/s)."""
Z_N = F_C / SIGMA0
"""The deflection (m) of bristles in sliding: what a state of size 1 is scaled by."""
ONE_SLIP = 9.0
"""Time (s) in which the mass breaks away once, at 7.4 s, and slides."""


def rig(law: Any = None, v: float = PULL) -> sb.Model:
    """The rig that three papers share, with a law of this package; its spring is pulled at v (m/s).

    >>> sb.simulate(rig()).extremes["friction.f"]["max"]
    1.4766
    """
    model = sb.Model("stick-slip", t_end=25.0, intervals=2500)
    pull, mass = model.add("pull", sb.Speed(v=v)), model.add("mass", sb.Mass(m=MASS))
    model.add("spring", sb.Spring(pull, mass, c=STIFFNESS))
    model.add("friction", sb.Guide(mass, law=law or lugre()))
    return model


def lugre(**changes: float) -> sb.LuGre:
    """LuGre's law with the parameters that the papers share, with changes.

    >>> lugre(sigma0=1e4).given["sigma0"]
    10000.0
    """
    values = {"sigma0": SIGMA0, "sigma1": SIGMA1, "sigma2": SIGMA2, "mu_c": F_C, "mu_s": F_S, "v_s": V_S}
    return sb.LuGre(**values | changes)


@cache
def converged(t_end: float = ONE_SLIP) -> sb.Result:
    """The rig by this package at a tight tolerance.

    >>> converged().extremes["friction.f"]["max"]
    1.4766
    """
    return sb.simulate(rig(), t_end=t_end, intervals=2000, tolerance=1e-10)


def right() -> float:
    """The break-away friction (N) of the converged run.

    >>> round(right(), 4)
    1.4766
    """
    return float(converged().extremes["friction.f"]["max"])


def slip_rate(v: Any, z: Any) -> Any:
    """dz/dt (m/s) of bristles with the deflection z (m) at the speed v (m/s).

    >>> slip_rate(0.1, Z_N)
    0.0
    """
    return v - np.abs(v) * z * SIGMA0 / (F_C + (F_S - F_C) * np.exp(-((v / V_S) ** 2)))


def friction(v: Any, z: Any) -> Any:
    """Friction (N).

    >>> friction(0.1, Z_N)
    1.04
    """
    return SIGMA0 * z + SIGMA1 * slip_rate(v, z) + SIGMA2 * v


def rates(t: float, y: np.ndarray) -> list[float]:
    """The derivatives of place, speed and deflection.

    >>> rates(1.0, [0.0, 0.0, 0.0])
    [0.0, 0.2, 0.0]
    """
    x, v, z = y
    return [v, (STIFFNESS * (PULL * t - x) - friction(v, z)) / MASS, slip_rate(v, z)]


@dataclass(frozen=True, eq=False)
class PlainRun:
    """A run of the three lines: instants (s) that the solver stepped to, states there, and its restarts."""

    time: np.ndarray
    states: np.ndarray
    """Rows of place (m), speed (m/s) and deflection (m)."""
    restarts: int

    @property
    def friction(self) -> np.ndarray:
        """Friction (N) at these instants."""
        return np.asarray(friction(self.states[1], self.states[2]))

    @property
    def largest(self) -> float:
        """The largest friction (N)."""
        return float(self.friction.max())

    @property
    def slid(self) -> bool:
        """Whether the mass has broken away: it has moved by more than a centimetre."""
        return bool(self.states[0, -1] > 0.01)


def plain(
    method: str,
    tolerance: float,
    *,
    scaled: bool = True,
    events: bool = False,
    first_step: float | None = None,
    t_end: float = ONE_SLIP,
) -> PlainRun:
    """The rig by a solver of SciPy. Its absolute tolerance is the relative one, for the deflection times its size if
    `scaled`; with `events` the solver stops where dz/dt first becomes negative, at break-away, and starts again.

    >>> plain("LSODA", 1e-8).largest
    1.4766
    """
    absolute = tolerance * np.array([1.0, 1.0, Z_N if scaled else 1.0])
    options: dict[str, Any] = {"method": method, "rtol": tolerance, "atol": absolute}
    first = solve_ivp(
        rates, (0.0, t_end), np.zeros(3), events=[_relaxes] if events else None, first_step=first_step, **options
    )
    if first.status != 1:
        return PlainRun(first.t, first.y, restarts=0)
    rest = solve_ivp(rates, (first.t[-1], t_end), first.y[:, -1], **options)
    time, states = np.append(first.t, rest.t[1:]), np.append(first.y, rest.y[:, 1:], axis=1)
    return PlainRun(time, states, restarts=1)


def _relaxes(t: float, y: np.ndarray) -> float:
    """Falls through 0 where the bristles release."""
    return float(slip_rate(y[1], y[2]))


_relaxes.terminal, _relaxes.direction = True, -1.0  # type: ignore[attr-defined]  # as SciPy reads them


def swing(run: PlainRun) -> float:
    """The largest jump of friction (N) between two steps while the mass slides faster than 0.05 m/s.

    >>> swing(plain("LSODA", 1e-8)) < 0.1
    True
    """
    fast = run.states[1] > 0.05
    jumps = [abs(b - a) for (a, b), moving in zip(pairwise(run.friction), fast[1:] & fast[:-1], strict=True) if moving]
    return max(jumps, default=0.0)
