"""Motion with friction, solved without the product: smooth pieces by SciPy, restarted exactly where a piece ends.

A contact states its law in modes. Within a mode everything is smooth; guards, positive inside, end it, and a jump gives
the next mode. So no step crosses a jump or a kink, and the order of the method holds all the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any, ClassVar

import numpy as np
from scipy.integrate import solve_ivp

RTOL, ATOL = 1e-12, 1e-13

State = Sequence[float]
Mode = Any


class Contact:
    """Friction between a body and the ground by some law, per unit load.

    z are the states of the law; `hold` is the force on the body besides friction, which a contact that holds it
    balances.
    """

    unit: ClassVar[Callable[[Any], State]] = lambda self: ()
    """What the states are multiplied with to become those of the product: states here are forces of the order of 1."""

    def start(self, v: float, hold: float) -> tuple[Mode, State]:
        """Mode and states at the start."""
        raise NotImplementedError

    def friction(self, mode: Mode, v: float, z: State, hold: float, m: float) -> float:
        """Friction on a body of mass m, against positive speed."""
        raise NotImplementedError

    def rates(self, mode: Mode, v: float, z: State) -> State:
        """Rates of the states."""
        return ()

    def guards(self, mode: Mode, v: float, z: State, hold: float) -> Sequence[float]:
        """What is positive inside the mode."""
        return ()

    def jump(self, mode: Mode, which: int, v: float, z: State, hold: float) -> tuple[Mode, float, State]:
        """Mode, speed and states after a guard has become negative."""
        raise NotImplementedError

    def longest(self, mode: Mode) -> float:
        """A step (s) that does not go past a narrow peak of friction."""
        return inf


def still(t: float, x: float, v: float, w: State) -> State:
    """No states besides those of body and contact."""
    return ()


@dataclass(frozen=True)
class Body:
    """A mass that a force moves against friction; w are states of what makes the force (a controller)."""

    force: Callable[[float, float, float, State], float]
    m: float = 1.0
    v0: float = 0.0
    w0: State = ()
    rates: Callable[[float, float, float, State], State] = still
    breaks: State = ()
    """Times at which the force has a corner."""

    def start(self) -> list[float]:
        return [0.0, self.v0, *self.w0]


@dataclass(frozen=True)
class Driven:
    """A contact that slides with a given speed, whatever force that takes."""

    speed: Callable[[float], float]
    m: float = nan
    breaks: State = ()

    def start(self) -> list[float]:
        return [0.0]


@dataclass
class Motion:
    """What came out: traces at the times that were asked for, and the times of the changes of mode."""

    t: np.ndarray
    x: np.ndarray
    v: np.ndarray
    f: np.ndarray
    z: np.ndarray
    """States of the law in the units of the product, one row each."""
    w: np.ndarray
    changes: list[tuple[float, Mode]] = field(default_factory=list)
    crossings: np.ndarray = field(default_factory=lambda: np.empty(0))
    """Times at which the function `watch` passed zero upwards."""


def solve(
    contact: Contact,
    machine: Body | Driven,
    times: np.ndarray,
    watch: Callable[[float, State], float] | None = None,
    method: str = "LSODA",
    rtol: float = RTOL,
    atol: float = ATOL,
    max_step: float = inf,
) -> Motion:
    """Integrates from 0 to the last of the times."""
    problem = _Problem(contact, machine)
    mode, y = problem.start()
    t, end = 0.0, float(times[-1])
    out: list[np.ndarray] = []
    changes: list[tuple[float, Mode]] = []
    crossings: list[float] = []
    stops = [*sorted(b for b in machine.breaks if 0 < b < end), end]
    events: list[Any] = [_watching(watch)] if watch else []
    while stops:
        guards = [_guard(problem, mode, i) for i in range(len(problem.guards(mode, t, y)))]
        solution = solve_ivp(
            lambda t, y, mode=mode: problem.rates(mode, t, y.tolist()),
            (t, stops[0]),
            np.array(y),
            method,
            dense_output=True,
            events=guards + events,
            rtol=rtol,
            atol=atol,
            max_step=min(max_step, contact.longest(mode)),
        )
        assert solution.status >= 0, solution.message
        last = solution.t[-1]
        inside = times[(times >= t) & (times < last)] if last < end else times[times >= t]
        if inside.size:
            out += [problem.observe(mode, t, y) for t, y in zip(inside, solution.sol(inside).T, strict=True)]
        # 1e-6: a loop that closes where it turns round grazes the end of the outer one, where friction is continuous
        assert min(problem.guards(mode, last, solution.y[:, -1].tolist()), default=0.0) > -1e-6, "an end was not seen"
        if watch:
            crossings += solution.t_events[-1].tolist()
        t, y = last, solution.y[:, -1].tolist()
        if solution.status == 1:
            which = next(i for i in range(len(guards)) if len(solution.t_events[i]))
            mode, y = problem.jump(mode, which, t, y)
            changes.append((t, mode))
        else:
            stops.pop(0)
    columns = np.array(out).T
    n = 3 + problem.n_z
    return Motion(times, *columns[:3], columns[3:n], columns[n:], changes, np.array(crossings))


def _guard(problem: _Problem, mode: Mode, i: int) -> Callable[[float, np.ndarray], float]:
    def guard(t: float, y: np.ndarray) -> float:
        return problem.guards(mode, t, y.tolist())[i]

    guard.terminal, guard.direction = True, -1  # type: ignore[attr-defined]
    return guard


def _watching(watch: Callable[[float, State], float]) -> Callable[[float, np.ndarray], float]:
    def event(t: float, y: np.ndarray) -> float:
        return watch(t, y)

    event.direction = 1  # type: ignore[attr-defined]
    return event


class _Problem:
    """Contact and machine together; y holds x, v and w (x alone if the speed is given) and z."""

    def __init__(self, contact: Contact, machine: Body | Driven) -> None:
        self.contact, self.machine = contact, machine

    def start(self) -> tuple[Mode, list[float]]:
        body = self.machine.start()
        self.n_body = len(body)
        _, v, _, _, hold = self.split(0.0, body)
        mode, z = self.contact.start(v, hold)
        self.n_z = len(z)
        return mode, [*body, *z]

    def split(self, t: float, y: State) -> tuple[float, float, State, State, float]:
        """x, v, w, z and the holding force; between given motions nothing has to be held."""
        z = y[self.n_body :]
        if isinstance(self.machine, Driven):
            return y[0], self.machine.speed(t), (), z, nan
        x, v, w = y[0], y[1], y[2 : self.n_body]
        return x, v, w, z, self.machine.force(t, x, v, w)

    def rates(self, mode: Mode, t: float, y: State) -> list[float]:
        x, v, w, z, hold = self.split(t, y)
        dz = self.contact.rates(mode, v, z)
        if isinstance(self.machine, Driven):
            return [v, *dz]
        m = self.machine.m
        a = (hold - self.contact.friction(mode, v, z, hold, m)) / m
        return [v, a, *self.machine.rates(t, x, v, w), *dz]

    def guards(self, mode: Mode, t: float, y: State) -> Sequence[float]:
        _, v, _, z, hold = self.split(t, y)
        return self.contact.guards(mode, v, z, hold)

    def jump(self, mode: Mode, which: int, t: float, y: State) -> tuple[Mode, list[float]]:
        x, v, w, z, hold = self.split(t, y)
        mode, v, z = self.contact.jump(mode, which, v, z, hold)
        return mode, [x, *z] if isinstance(self.machine, Driven) else [x, v, *w, *z]

    def observe(self, mode: Mode, t: float, y: np.ndarray) -> list[float]:
        x, v, w, z, hold = self.split(t, y.tolist())
        f = self.contact.friction(mode, v, z, hold, self.machine.m)
        return [x, v, f, *(a * b for a, b in zip(z, self.contact.unit(), strict=True)), *w]


def in_pieces(
    rates: Callable[[float, State, Sequence[int]], State],
    places: Callable[[float, State], State],
    start: State,
    times: np.ndarray,
) -> np.ndarray:
    """States at the times: equations whose form depends on the signs of some places, restarted where one changes.

    >>> in_pieces(lambda t, y, signs: [signs[0] * y[0]], lambda t, y: [1 - t], [1.0], np.linspace(0, 2, 21))
    """
    t, y = float(times[0]), np.array(start, dtype=float)
    signs = [1 if place >= 0 else -1 for place in places(t, y)]
    parts: list[np.ndarray] = []
    while True:
        events = []
        for i, sign in enumerate(signs):
            events.append(lambda t, y, i=i, sign=sign: sign * places(t, y)[i])
            events[-1].terminal, events[-1].direction = True, -1
        solution = solve_ivp(
            lambda t, y: rates(t, y, signs),
            (t, times[-1]),
            y,
            "LSODA",
            dense_output=True,
            events=events,
            rtol=RTOL,
            atol=ATOL,
        )
        assert solution.status >= 0, solution.message
        ended = solution.status == 0
        inside = times[(times >= t) & ((times < solution.t[-1]) | ended)]
        parts += [solution.sol(inside)] if inside.size else []
        if ended:
            return np.hstack(parts)
        t, y = solution.t[-1], solution.y[:, -1]
        which = next(i for i, found in enumerate(solution.t_events) if len(found))
        signs[which] = -signs[which]
