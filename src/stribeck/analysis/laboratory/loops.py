"""Nested loops of presliding: what friction remembers of the turns before; nonlocal memory.

With local memory the slope of friction over displacement depends on friction and on the direction alone (Dahl, LuGre,
Bouc-Wen): between two values of friction every forward motion takes the same way. With nonlocal memory it depends on
the turns before, and a loop that is closed is forgotten (I. D. Mayergoyz, Mathematical Models of Hysteresis, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ...signals.table import Table
from .bench import LawBench
from .experiment import DISPLACEMENT, Experiment, MeasuredCurve, PropertyVerdict
from .presliding import SmallForce

EASE = 1e-3
"""Time (s) within which the motion starts and turns round."""
FIRST = 100.0
"""Time (s) of the first way: slow, so that damping in the law does not count."""
TOP = 0.9
"""Friction at the first turn, as a share of its largest value."""
LEVELS = 0.1, 0.6, 0.3
"""Friction at the next turns, as shares of that at the first."""
PLAIN = 1e-5
"""Length (m) of the first way if there is no presliding."""
PLAIN_TURNS = 1.0, 1.8, 2.3, 2.6
"""Times of the turns then, over that of the first."""
SHORTER = 0.9
"""With nonlocal memory the last way is shorter than this share of the first motion."""
SAME = 1e-3
"""Deviation from the first motion, as a share of the friction at the first turn, that is none. Maxwell slip and GMS
have less than 1e-4; bristles in parallel, which forget turns gradually, at least 2e-3."""
BEYOND = 0.5
"""How far the motion goes on beyond the first turn, as a share of the first way."""


@dataclass(frozen=True)
class NestedPath:
    """A motion at the speed +-pace (m/s) that starts forward and turns round at these times (s)."""

    pace: float
    turns: tuple[float, ...] = ()

    def run(self, bench: LawBench, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement (m) and friction (N) at these times."""
        speeds = self.pace * np.resize([1.0, -1.0], len(self.turns) + 1)
        time = [0.0, EASE, *(t for turn in self.turns for t in (turn, turn + EASE))]
        value = [0.0, *np.repeat(speeds, 2)[:-1]]
        result = bench.at_speed(Table(time=time, value=value), times)
        return np.asarray(result["guide.s_rel"]), np.asarray(result["guide.f"])


@dataclass(frozen=True, eq=False)
class NestedLoops(Experiment):
    """Friction over a displacement that turns round four times, each time within the way before."""

    name = "nested loops"
    text = (
        f"The contact is moved slowly until friction reaches {100 * TOP:g} % of its largest value, back until it has "
        f"fallen to {100 * LEVELS[0]:g} % of that, forward to {100 * LEVELS[1]:g} %, back to {100 * LEVELS[2]:g} %, "
        "and forward again, beyond the friction of the first turn. How long is this last way, compared with a first "
        "motion between the same values of friction?"
    )
    criteria: ClassVar = {
        "nonlocal memory": f"It is shorter than {100 * SHORTER:g} %: friction depends on the turns before, not on its "
        "value and the direction alone. From where friction is what it was at the first turn, the motion goes on as "
        f"the first one would, within {100 * SAME:g} % of that friction: closed loops are forgotten."
    }
    x = DISPLACEMENT

    elastic: bool
    """Whether the law has presliding."""
    turn: int
    """Point of the first turn."""
    last: int
    """Point at which the last way begins."""

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment."""
        small = SmallForce.of(bench)
        elastic = bool(small.verdicts["presliding"].has)
        if elastic:
            path = _turned_by_friction(bench, bench.break_away / small.stiffness)
        else:
            path = NestedPath(PLAIN / FIRST, tuple(FIRST * turn for turn in PLAIN_TURNS))
        end = path.turns[-1] + FIRST * (2.5 if elastic else 0.6)
        times = np.union1d(np.linspace(0.0, end, 6001), path.turns)
        place, friction = path.run(bench, times)
        turn, last = (int(np.searchsorted(times, path.turns[i])) for i in (0, -1))
        back = _reaches(friction[turn], place[last:], friction[last:]) if elastic else None
        shown = slice(0, last + int(np.argmax(place[last:] > back + BEYOND * place[turn])) + 1 if back else None)
        return cls(
            (
                MeasuredCurve("nested loops", place[shown], friction[shown]),
                MeasuredCurve("first motion", *_first_motion(bench, path), faint=True),
            ),
            elastic,
            turn,
            last,
        )

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves."""
        return {"nonlocal memory": self._nonlocal_memory()}

    def _nonlocal_memory(self) -> PropertyVerdict:
        if not self.elastic:
            return PropertyVerdict(False, "no presliding, so friction does not depend on displacement")
        path, first = self.curves
        top, far = path.y[self.turn], path.x[self.turn]
        place, friction = path.x[self.last :], path.y[self.last :]
        back = _reaches(top, place, friction)
        if back is None:
            return PropertyVerdict(False, "friction does not come back to what it was at the first turn")
        bottom = _reaches(friction[0], first.x, first.y)
        share = (back - place[0]) / (far - (bottom or 0.0))
        beyond = np.linspace(0.0, BEYOND * far, 101)
        goes_on = np.interp(back + beyond, place, friction) - np.interp(far + beyond, first.x, first.y)
        off = float(np.abs(goes_on).max() / top)
        text = f"the last way is {share:.3g} of that of a first motion; it goes on within {off:.1g} of friction"
        return PropertyVerdict(bool(share < SHORTER and off < SAME), text)


def _first_motion(bench: LawBench, path: NestedPath) -> tuple[np.ndarray, np.ndarray]:
    """The same without turns, somewhat beyond the place of the first one."""
    times = np.linspace(0.0, (1 + BEYOND) * FIRST + EASE, 2001)
    return replace(path, turns=()).run(bench, times)


def _turned_by_friction(bench: LawBench, scale: float) -> NestedPath:
    """The path for a law that bends by about `scale` (m) until it slides."""
    times = np.linspace(0.0, 10 * FIRST, 5001)
    place, friction = NestedPath(scale / FIRST).run(bench, times)
    far = _reaches(TOP * friction.max(), place, friction)
    path = NestedPath((far or scale) / FIRST, (FIRST,))
    top = 0.0
    for level, way in zip(LEVELS, (-1, 1, -1), strict=True):
        times = path.turns[-1] + np.linspace(0.0, 2 * FIRST, 2001)
        _, friction = path.run(bench, np.array([0.0, *times]))
        top = top or friction[1]
        time = _reaches(way * level * top, times, way * friction[1:])
        path = replace(path, turns=(*path.turns, path.turns[-1] + FIRST if time is None else time))
    return path


def _reaches(level: float, x: np.ndarray, y: np.ndarray) -> float | None:
    """Where a curve that starts below a level first reaches it; None if it never does."""
    at = int(np.argmax(y >= level))
    if y[at] < level:
        return None
    return float(x[0]) if at == 0 else float(np.interp(level, y[at - 1 : at + 1], x[at - 1 : at + 1]))
