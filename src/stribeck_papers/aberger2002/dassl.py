"""The listing of the paper, literally, run by a code of DASSL's family: tolerances, scaling and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import exp
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from .bearing import BEARING, INTERVALS, PULL, STIFFNESS, T_END
from .codes import Code, made

State = tuple[float, ...]
Z_N = 1e-5
"""Unit of the bristle deflection (rad), by (10): 1/sigma0."""


@dataclass(frozen=True)
class Listing:
    """The model LuGreRot of the appendix on the rig of Figure 1, with states phi, w and z.

    >>> Listing().friction(phi=0.0, w=0.0, z=1.0)
    1.0
    """

    sigma0: float = BEARING["sigma0"]
    sigma1: float = BEARING["sigma1"]
    tau_v: float = BEARING["tau_v"]
    tau_c: float = BEARING["tau_c"]
    tau_s: float = BEARING["tau_s"]
    ws: float = BEARING["w_s"]
    zN: float = Z_N
    """1 is the direct implementation, without scaling."""

    def slip(self, w: float, z: float) -> float:
        """dz/dt in units of zN per second."""
        g = 1 / self.sigma0 * (self.tau_c + (self.tau_s - self.tau_c) * exp(-((w / self.ws) ** 2)))
        return w / self.zN - abs(w) * z / g

    def friction(self, phi: float, w: float, z: float) -> float:
        """Friction torque (N.m)."""
        return self.sigma0 * z * self.zN + self.sigma1 * self.slip(w, z) * self.zN + self.tau_v * w

    def rates(self, t: float, y: Any) -> State:
        """dy/dt."""
        phi, w, z = y
        return w, STIFFNESS * (PULL * t - phi) - self.friction(phi, w, z), self.slip(w, z)


class EquationMode(NamedTuple):
    """Equations that hold until `inside` becomes negative, and the name of the mode that follows then."""

    rates: Callable[[float, Any], State]
    inside: Callable[[float, Any], float] | None = None
    follows: str = ""


class Trail(NamedTuple):
    """The output of a run: ends of steps and points of the grid in time order, and counters."""

    time: np.ndarray
    states: np.ndarray
    friction: np.ndarray
    steps: int
    evaluations: int
    """Of the equations, those for Jacobians by differences with them."""
    jacobians: int
    relations: int
    """Evaluations of the event function."""
    events: int
    smallest: float
    largest: float
    order: int
    """The highest that was used; 0 if the code does not report it."""

    @property
    def break_aways(self) -> list[float]:
        """The largest friction torque (N.m) before each slip, as the far end of the spring is overtaken."""
        w = self.states[:, 1]
        ups = np.flatnonzero((w[:-1] < PULL) & (w[1:] >= PULL)) + 1
        return [float(part.max()) for part in np.split(self.friction, ups)[:-1]]

    @property
    def swing(self) -> float:
        """How far friction is from its steady value 1 + 0.4 w (N.m) at most while the mass clearly rotates; nan if
        it never does."""
        w = self.states[:, 1]
        off = np.abs(self.friction - BEARING["tau_c"] - BEARING["tau_v"] * w)[w > 0.02]
        return float(off.max(initial=np.nan if not off.size else 0.0))


def dassl(
    tolerance: float = 1e-6,
    *,
    scaled: bool = True,
    events: bool = True,
    band: float = 1e-5,
    states: int = 3,
    grid: bool = True,
    **options: Any,
) -> Trail:
    """Stick-slip with the listing of the paper by DDASPK or IDA, with equal relative and absolute tolerance (Figures 2,
    3, Table 2). An event is a change of sign of dz/dt by more than `band` (in 1e-5 rad/s). With 4 or 5 `states` the
    angle of the spring's far end, and its speed, are states as well. `options` are those of `integrate`.

    >>> dassl(1e-6).break_aways
    [1.4765, 1.4765, 1.4765]
    """
    if not tolerance > 0:
        raise sb.SpecError(f"dassl: tolerance = {tolerance:g} must be above 0")
    model = replace(Listing(), zN=Z_N if scaled else 1.0)
    unit = Z_N / model.zN

    def rates(t: float, y: Any) -> State:
        return (*model.rates(t, y[:3]), *(PULL, 0.0)[: states - 3])

    def positive(t: float, y: Any) -> float:
        return model.slip(y[1], y[2]) / unit + band

    def negative(t: float, y: Any) -> float:
        return band - model.slip(y[1], y[2]) / unit

    modes = {
        "z rises": EquationMode(rates, positive, "z falls"),
        "z falls": EquationMode(rates, negative, "z rises"),
    }
    chosen = modes if events else {"z": EquationMode(rates)}
    start = (0.0, 0.0, 0.0, 0.0, PULL)[:states]
    return integrate(chosen, start, lambda *y: model.friction(*y[:3]), tolerance, grid, **options)


def dassl_bearing_friction(tolerance: float = 1e-6, *, states: int = 2, grid: bool = True, **options: Any) -> Trail:
    """The same with BearingFriction, with the state machine of the Modelica library: the static torque is
    exceeded, the speed becomes positive, the speed becomes zero (Table 3). It has 2 `states`, or 3 and 4 as in `dassl`.

    >>> dassl_bearing_friction().events
    9
    """

    def spring(t: float, y: Any) -> float:
        return STIFFNESS * (PULL * t - float(y[0]))

    far = (PULL, 0.0)[: states - 2]

    def stuck(t: float, y: Any) -> State:
        return (y[1], 0.0, *far)

    def forward(t: float, y: Any) -> State:
        return (y[1], spring(t, y) - BEARING["tau_c"] - BEARING["tau_v"] * y[1], *far)

    modes = {
        "stuck": EquationMode(stuck, lambda t, y: BEARING["tau_s"] - spring(t, y), "starts"),
        "starts": EquationMode(forward, lambda t, y: 1e-10 - y[1], "forward"),
        "forward": EquationMode(forward, lambda t, y: y[1], "stuck"),
    }

    def friction(phi: float, w: float, *_: float) -> float:
        return BEARING["tau_c"] + BEARING["tau_v"] * w if w > 0 else np.nan

    return integrate(modes, (0.0, 0.0, 0.0, PULL)[:states], friction, tolerance, grid, **options)


def integrate(
    modes: Mapping[str, EquationMode],
    y0: State,
    friction: Callable[..., float],
    tolerance: float,
    grid: bool = True,
    code: str | None = None,
    **options: Any,
) -> Trail:
    """From mode to mode with a code, "DDASPK" or "IDA", by default the best that is installed: each event is located on
    its interpolant, and the integration restarted there. `options` are `first_step` (s), which the code chooses if it
    is 0, and `max_order`.

    >>> integrate({"falls": EquationMode(lambda t, y: (-y[0],))}, (1.0,), float, 1e-6).states.shape[1]
    1
    """
    return _Walk(modes, friction, grid, made(code, tolerance, T_END, **options)).run(y0)


class _Walk:
    """A run of a code through modes."""

    def __init__(
        self, modes: Mapping[str, EquationMode], friction: Callable[..., float], grid: bool, code: Code
    ) -> None:
        self._modes, self._friction, self._code = modes, friction, code
        self._mode = next(iter(modes.values()))
        self._grid = np.linspace(0.0, T_END, INTERVALS + 1) if grid else np.empty(0)
        self._written, self._relations = 0, 0
        self._rows: list[tuple[float, np.ndarray]] = []

    def run(self, y0: State) -> Trail:
        t, y, sizes, events = 0.0, np.array(y0), [], 0
        self._start(t, y)
        self._rows.append((t, y))
        while t < T_END:
            before = t
            t, y = self._code.step()
            sizes.append(t - before)
            left = self._left(before, t, y)
            if left is not None:
                t, y = left
            self._write(t, y)
            if left is not None:
                events += 1
                self._mode = self._modes[self._mode.follows]
                self._start(t, y)
        return self._trail(sizes, events)

    def _start(self, t: float, y: np.ndarray) -> None:
        output = min(T_END, (np.floor(t * INTERVALS / T_END + 1e-6) + 1) * T_END / INTERVALS)
        self._code.start(t, y, self._mode.rates, output)

    def _left(self, low: float, high: float, y: np.ndarray) -> tuple[float, np.ndarray] | None:
        """Time and state at which the mode was left within a step, if it was."""
        if self._mode.inside is None or self._inside(high, y) >= 0:
            return None
        from scipy.optimize import brentq

        def inside(t: float) -> float:
            return self._inside(t, self._code.at(t)) if t > low else first

        first = self._mode.inside(low, self._rows[-1][1].tolist())
        if first < 0:  # the restart has made up for the band: the event is at the start
            return high, y
        at = float(brentq(inside, low, high, xtol=1e-13 * max(1.0, high)))
        return at, self._code.at(at)

    def _inside(self, t: float, y: np.ndarray) -> float:
        assert self._mode.inside is not None
        self._relations += 1
        return self._mode.inside(t, y.tolist())

    def _write(self, t: float, y: np.ndarray) -> None:
        """The points of the grid that were passed, and the end of the step."""
        passed = int(np.searchsorted(self._grid, t, side="right"))
        for now in self._grid[self._written : passed].tolist():
            self._rows.append((now, y if now == t else self._code.at(now)))
        self._written = passed
        self._rows.append((t, y))

    def _trail(self, sizes: list[float], events: int) -> Trail:
        code = self._code
        times, states = np.array([t for t, _ in self._rows]), np.array([y for _, y in self._rows])
        friction = np.array([self._friction(*y) for y in states.tolist()])
        counts = (len(sizes), code.evaluations, code.jacobians, self._relations, events)
        return Trail(times, states, friction, *counts, min(sizes), max(sizes), code.order)
