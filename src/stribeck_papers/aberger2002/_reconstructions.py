"""Gearboxes drawn at random from what the paper does not print: in how many of them its statements are true."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..rules import SAME, VISIBLE
from ..scorecard import Claim, share
from ._gearbox_runs import LAWS, PRINTED, SOFT, STANDARD, WEAK
from ._measures import CLOSERS, ELEMENTS, SLIP, last_above, turning_points
from .gearbox import gearbox

GRID = np.linspace(0.0, 4.0, 4001)
"""The output points of the paper (s)."""
SEEN = ["load.w", "load.a", *(f"{name}.tau" for name in ELEMENTS), *(f"{name}.w_rel" for name in ELEMENTS)]
GEARS = {1.45: ("C1", "B1"), 2.7: ("C1", "B2"), 3.95: ("C1", "C2")}
"""Which elements are closed at some time (s) in each gear; Table 5."""
LARGEST = 5.0
"""Torque of a clutch (N.m) by (11), the axis of the figures."""
ACCURACY = 1e-6
"""Of a torque in these runs, over the largest one."""
RANGES = (
    "inertia of the engine 0.02 to 5 kg·m², of each member 1 to 30 % of it, of the load 1 to 30 times it; torque of it "
    "1 to 3.5 N·m, so that 5 N·m hold it; drag of the load 0.01 to 0.2 N·m·s/rad; pressures that rise within 20 to 300 "
    "ms, so that a shift ends, and fall within 1 to 100 ms, so that gears overlap or not"
)


class Boxes(NamedTuple):
    """What the paper does not print, one value for each gearbox: inertias (kg.m2), torque (N.m), drag (N.m.s/rad), and
    times in which pressures rise and fall (s)."""

    engine: np.ndarray
    members: np.ndarray
    load: np.ndarray
    torque: np.ndarray
    drag: np.ndarray
    closing: np.ndarray
    opening: np.ndarray

    @classmethod
    def drawn(cls, count: int) -> Boxes:
        """The same in every run: more of them are the same ones and others."""
        draw = np.random.default_rng(2002).uniform(size=(count, len(cls._fields))).T

        def between(part: np.ndarray, low: float, high: float) -> np.ndarray:
            return np.asarray(low * (high / low) ** part)

        engine = between(draw[0], 0.02, 5.0)
        bodies = engine, engine * between(draw[1], 0.01, 0.3), engine * between(draw[2], 1.0, 30.0)
        forces = 1.0 + 2.5 * draw[3], between(draw[4], 0.01, 0.2)
        return cls(*bodies, *forces, between(draw[5], 0.02, 0.3), between(draw[6], 1e-3, 0.1))

    @property
    def values(self) -> dict[str, np.ndarray]:
        """By the paths of their parameters."""
        bodies = {"engine.J": self.engine, "load.J": self.load}
        bodies |= {f"{name}.J": self.members for name in ("ring1", "sun", "carrier2")}
        rise = {f"{name}.f_normalized.terms.0.duration": self.closing for name in ELEMENTS}
        fall = {f"{name}.f_normalized.terms.1.duration": self.opening for name in ELEMENTS}
        return {**bodies, "motor.tau": self.torque, "drag.d": self.drag, **rise, **fall}

    def only(self, chosen: np.ndarray) -> Boxes:
        """Some of them."""
        return Boxes(*(values[chosen] for values in self))


Traces = dict[str, np.ndarray]
"""Outputs of all gearboxes over GRID."""


def run(boxes: Boxes, name: str) -> Traces:
    """All gearboxes with one of the four kinds of clutches, for 4 s."""
    model = gearbox(LAWS[name], closing=0.1, opening=0.05)
    found = sb.batch(model, boxes.values, outputs=SEEN, times=GRID, tolerance=1e-7)
    traces = {output: np.asarray(found[output]) for output in SEEN}
    return traces | {f"closing {start:g}": _closing(model, boxes, start) for start in CLOSERS}


def _closing(model: sb.Model, boxes: Boxes, start: float) -> np.ndarray:
    """Time (s) from the command of a shift until its elements no longer slip, between the points of the grid."""
    measures = [f"{name}.w_rel:crossing({-SLIP:g}, rising)" for name in CLOSERS[start]]
    found = sb.batch(model, boxes.values, measures=measures, t_end=start + 1.2, settle=start + 1e-4, tolerance=1e-9)
    ends = np.array([found[measure] for measure in measures])
    return np.asarray(np.max(np.where(np.isnan(ends), start, ends), axis=0)) - start


def shifts(traces: Traces) -> np.ndarray:
    """Whether each gearbox goes through its three gears: the elements of Table 5 do not slip at the end of each."""
    still = [
        np.abs(traces[f"{name}.w_rel"][:, np.searchsorted(GRID, t)]) < SLIP
        for t, pair in GEARS.items()
        for name in pair
    ]
    return np.asarray(np.all(still, axis=0))


@cache
def ensemble(count: int) -> tuple[Boxes, dict[str, Traces]]:
    """Those of a number of draws that shift with all kinds of clutches, and their runs."""
    boxes = Boxes.drawn(count)
    runs = {name: run(boxes, name) for name in LAWS}
    works = np.all([shifts(traces) for traces in runs.values()], axis=0)
    kept = {name: {output: values[works] for output, values in traces.items()} for name, traces in runs.items()}
    return boxes.only(works), kept


# --- what is read off the curves --------------------------------------------------------------------------------------


def peak(traces: Traces, output: str, start: float = 0.0, end: float = 4.0) -> np.ndarray:
    """Largest size of an output between two times (s)."""
    inside = (start <= GRID) & (end > GRID)
    return np.asarray(np.abs(traces[output][:, inside]).max(axis=1))


def overshoots(traces: Traces, standard: Traces, name: str) -> np.ndarray:
    """How far the torque of an element runs beyond what it holds 0.1 s after it got stuck with standard clutches."""
    start = {"B1": 0.0, "B2": 1.5, "C2": 2.75}[name]
    stuck = last_above(GRID, np.abs(standard[f"{name}.w_rel"]), SLIP, start, start + 1.2)
    found = []
    for torque, at in zip(traces[f"{name}.tau"], stuck, strict=True):
        part = torque[(at - 1e-3 <= GRID) & (at + 0.1 >= GRID)]
        beyond = (part - part[-1]) * np.sign(part[-1] - part[0])
        found.append(max(float(beyond.max()), 0.0))
    return np.array(found)


def reversals(traces: Traces, output: str, start: float = 1.5) -> np.ndarray:
    """How often an output turns back by a part of its range that can be seen."""
    rows = traces[output][:, start <= GRID]
    return np.array([len(turning_points(row, 0.01 * np.ptp(row))) - 2 for row in rows])


# --- the statements ---------------------------------------------------------------------------------------------------

Runs = dict[str, Traces]


def _visible(parts: np.ndarray) -> np.ndarray:
    return np.array([VISIBLE.holds(float(part)) for part in parts])


def _same(parts: np.ndarray) -> np.ndarray:
    return np.array([SAME.holds(float(part)) for part in parts])


def _above(more: np.ndarray, less: np.ndarray, axis: np.ndarray | float = LARGEST) -> np.ndarray:
    """Whether a difference can be seen on an axis."""
    return _visible((more - less) / axis)


def _faster(runs: Runs, law: str) -> np.ndarray:
    """Whether both shifts take less time than with standard clutches."""
    gains = [runs[STANDARD][f"closing {t:g}"] - runs[law][f"closing {t:g}"] for t in CLOSERS]
    return np.asarray(np.all(np.array(gains) > 0, axis=0))


def _alike(runs: Runs, law: str, output: str) -> np.ndarray:
    """The root mean square difference of an output over its range."""
    ours, standard = runs[law][output], runs[STANDARD][output]
    return np.asarray(np.sqrt(np.mean((ours - standard) ** 2, axis=1)) / np.ptp(standard, axis=1))


def _most(traces: Traces) -> np.ndarray:
    return np.asarray(traces["load.a"].max(axis=1))


def _stuck_swings(runs: Runs, law: str) -> np.ndarray:
    return np.asarray(np.max([overshoots(runs[law], runs[STANDARD], name) for name in ("B1", "B2", "C2")], axis=0))


def _negative(runs: Runs, law: str) -> np.ndarray:
    return _visible(-runs[law]["load.a"].min(axis=1) / np.ptp(runs[law]["load.a"], axis=1))


FACTS: dict[str, Callable[[Runs], np.ndarray]] = {
    "alike": lambda r: _same(_alike(r, PRINTED, "load.w")),
    "slower": lambda r: _faster(r, PRINTED),
    "C2 alike": lambda r: _same(_alike(r, PRINTED, "C2.tau")),
    "C1 peaks": lambda r: _above(peak(r[PRINTED], "C1.tau", 1.5), peak(r[STANDARD], "C1.tau", 1.5)),
    "above 5": lambda r: np.max([peak(r[PRINTED], f"{n}.tau") for n in ELEMENTS], axis=0) > LARGEST * (1 + ACCURACY),
    "B1 stuck": lambda r: _above(peak(r[PRINTED], "B1.tau", 0.0, 1.45), peak(r[STANDARD], "B1.tau", 0.0, 1.45)),
    "B1 shift": lambda r: _above(peak(r[PRINTED], "B1.tau", 1.5, 1.7), peak(r[STANDARD], "B1.tau", 1.5, 1.7)),
    "B2 swings": lambda r: _above(
        overshoots(r[PRINTED], r[STANDARD], "B2"), overshoots(r[STANDARD], r[STANDARD], "B2")
    ),
    "soft C1": lambda r: _above(peak(r[SOFT], "C1.tau", 1.5), peak(r[PRINTED], "C1.tau", 1.5)),
    "soft B1": lambda r: _above(peak(r[PRINTED], "B1.tau", 0.0, 1.45), peak(r[SOFT], "B1.tau", 0.0, 1.45)),
    "soft faster": lambda r: _faster(r, SOFT),
    "weak C1": lambda r: _above(peak(r[PRINTED], "C1.tau", 1.5), peak(r[WEAK], "C1.tau", 1.5)),
    "weak stuck": lambda r: _above(_stuck_swings(r, WEAK), _stuck_swings(r, PRINTED)),
    "weak swings": lambda r: reversals(r[WEAK], "B1.tau", 0.0) > reversals(r[STANDARD], "B1.tau", 0.0),
    "weak time": lambda r: _same(r[WEAK]["closing 1.5"] / r[STANDARD]["closing 1.5"] - 1),
    "weak load": lambda r: reversals(r[WEAK], "load.w") > reversals(r[STANDARD], "load.w"),
    "higher": lambda r: _above(_most(r[PRINTED]), _most(r[STANDARD]), np.ptp(r[STANDARD]["load.a"], axis=1)),
    "soft higher": lambda r: _above(_most(r[SOFT]), _most(r[STANDARD]), np.ptp(r[STANDARD]["load.a"], axis=1)),
    "stiffer higher": lambda r: _above(_most(r[PRINTED]), _most(r[SOFT]), np.ptp(r[PRINTED]["load.a"], axis=1)),
    "negative": lambda r: _negative(r, WEAK) & ~_negative(r, STANDARD),
}
"""What is said on Figures 8 to 14, each as a fact of every gearbox; effects of figures by what can be seen in them."""


def held(key: str, quick: bool) -> np.ndarray:
    """In which gearboxes a statement is true."""
    return FACTS[key](ensemble(draws(quick))[1])


def draws(quick: bool) -> int:
    """How many gearboxes are drawn."""
    return 24 if quick else 200


def in_boxes(claim: str, key: str, quick: bool, **words: str) -> Claim:
    """A claim on the gearbox, judged by the share of those that were drawn and shift."""
    found = held(key, quick)
    return share(claim, found.tolist(), f"{found.size} gearboxes drawn at random (Section 2.2.1)", **words)
