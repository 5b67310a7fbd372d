"""Fixed-step runs judged by the adaptive run: adequate, noisy, inaccurate or divergent.

Bataus, Maciac, Oprean and Vasiliu 2011 look at three situations: good results (Figure 8a), a divergent simulation (8b)
and results with numerical noise (9). Here they are numbers. Speeds and torques are compared at every step, as shares of
the range that they have in the adaptive run; one with hardly any range is measured by SMALL of the largest
range of its unit.

- error: how far a value is outside of what the adaptive run shows within NEAR steps around, so that a clutch that
  sticks a few steps late is no error;
- late: the number of steps around that would have to be looked at for an error of no more than ADEQUATE;
- noise: the part of the deviation that changes from step to step, |e(k+1) - 2 e(k) + e(k-1)|/4, which for values that
  jump up and down in turn is half of that jump: its median over WINDOW steps, where that is largest, so that single
  jumps do not count;
- swing: by how much more a value swings in the last quarter of the run than in the adaptive run, peaks left out
  (between the quantiles of 1 % and 99 %).

The first that holds is the verdict:

- divergent: not finite, or outside of the range by FAR times the range;
- noisy: noise above NOISY;
- divergent: a swing above ADEQUATE that was smaller in the quarter before, with an error above ADEQUATE;
- adequate: no error above ADEQUATE;
- inaccurate: a larger error, which is one of time alone if it is gone within WINDOW steps around;
- noisy: larger errors that are over within WINDOW steps each time, peaks;
- inaccurate: all else.

Pulses of the adaptive run that are shorter than a step fall between its samples and are not known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ...elements import all_elements
from ...kinds import Kind
from ...results import Result
from ...results.meta import element_of

ADEQUATE = 0.05
NOISY = 0.01
SMALL = 0.01
NEAR = 4
WINDOW = 16
FAR = 10.0

COMPARED = (Kind.SPEED, Kind.SLIP, Kind.FORCE)
"""What is compared, but not the torques of elements with impacts."""


@dataclass(frozen=True)
class MethodVerdict:
    """The verdict on one method.

    >>> verdict.word, verdict.error
    ('adequate', 0.0004)
    """

    method: str
    word: str
    """adequate, noisy, inaccurate or divergent"""
    error: float
    """Largest error of all outputs, as a share of their range."""
    output: str
    """The output with the largest error, or that is noisy or diverges."""
    time: float
    """When (s)."""
    noise: float
    errors: Mapping[str, float] = field(default_factory=dict, repr=False)
    """The largest error of each output."""
    reason: str = ""
    unit: str = ""
    """Of the output."""
    traces: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False, compare=False)
    """The output in the adaptive run and in this one."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data, without traces.

        >>> verdict.to_dict()["word"]
        'adequate'
        """
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "traces"}


class ReferenceRun:
    """The reference of comparisons: an adaptive run with a sample at every step.

    >>> reference_run = ReferenceRun(simulate(model, times=1e-3 * np.arange(4001)))
    >>> reference_run.judge("ode4", model.realtime(1e-3, method="ode4").run(n=4000, outputs=reference_run.names)).word
    'adequate'
    """

    def __init__(self, reference: Result) -> None:
        self.reference = reference
        self.names = compared(reference)
        """Outputs that are compared."""
        self._bands: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    @cached_property
    def exact(self) -> np.ndarray:
        """Their values in the adaptive run."""
        return self.reference.data[[self.reference.meta.row(name) for name in self.names]]

    @cached_property
    def scale(self) -> np.ndarray:
        """What their errors are shares of."""
        return scales(self.reference, self.names)

    def band(self, near: int) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest value within so many steps around."""
        if near not in self._bands:
            self._bands[near] = sliding_range(self.exact, near)
        return self._bands[near]

    def errors(self, seen: np.ndarray, near: int = NEAR) -> np.ndarray:
        """Distance of all values to the band, as shares; `seen` may end early."""
        low, high = (side[:, : seen.shape[1]] for side in self.band(near))
        distance: np.ndarray = np.maximum(np.maximum(low - seen, seen - high), 0.0) / self.scale[:, None]
        return np.where(np.isfinite(distance), distance, np.inf)

    def delay(self, seen: np.ndarray) -> int | None:
        """Steps around within which no error is above ADEQUATE; None if there are more than WINDOW."""
        near = NEAR
        while near < WINDOW:
            near = min(2 * near, WINDOW)
            if self.errors(seen, near).max() <= ADEQUATE:
                return near
        return None

    def judge(self, method: str, run: Result, stopped: str = "") -> MethodVerdict:
        """The verdict on a run with the same samples; `stopped` says why it ended early."""
        time = self.reference.time[: run.time.size]
        if not self.names or time.size == 0:
            return MethodVerdict(method, "divergent" if stopped else "adequate", 0.0, "", 0.0, 0.0, {}, stopped)
        seen = np.array([run.data[run.meta.row(name)][: time.size] for name in self.names])
        with np.errstate(invalid="ignore", over="ignore"):
            error = self.errors(seen)
            noise = step_to_step_noise(self.exact[:, : time.size], seen) / self.scale
            word, k, reason, at = self._classify(seen, error, noise, stopped)
        worst = error.max(axis=1)
        of = dict(zip(self.names, worst.tolist(), strict=True))
        return MethodVerdict(
            method,
            word,
            max(of.values()),
            self.names[k],
            float(time[at]),
            float(noise.max()),
            of,
            reason,
            self.reference.meta.units[self.reference.meta.row(self.names[k])],
            (self.exact[k], seen[k]),
        )

    def _classify(
        self, seen: np.ndarray, error: np.ndarray, noise: np.ndarray, stopped: str
    ) -> tuple[str, int, str, int]:
        """Verdict, output, reason, and sample."""
        k, at = (int(i) for i in np.unravel_index(error.argmax(), error.shape))
        if stopped or seen.shape[1] < self.exact.shape[1]:
            return "divergent", k, stopped or "ends", seen.shape[1] - 1
        far = FAR * self.scale[:, None]
        outside = (seen > self.exact.max(axis=1, keepdims=True) + far) | (
            seen < self.exact.min(axis=1, keepdims=True) - far
        )
        if outside.any():
            at = int(np.argmax(outside.any(axis=0)))
            return "divergent", int(np.argmax(outside[:, at])), f"leaves its range {FAR:g} times", at
        if noise.max() > NOISY:
            k = int(noise.argmax())
            return "noisy", k, f"jumps from step to step by {100 * noise[k]:.3g} % of its range", int(error[k].argmax())
        swing = excess_range(self.exact, seen) / self.scale[:, None]
        grows = (swing[:, -1] > ADEQUATE) & (swing[:, -1] > swing[:, -2]) & (error.max(axis=1) > ADEQUATE)
        if grows.any():
            k = int(np.argmax(np.where(grows, swing[:, -1], 0.0)))
            reason = f"swings ever more, by {100 * swing[k, -1]:.3g} % of its range at the end"
            return "divergent", k, reason, int(error[k].argmax())
        if error[k, at] <= ADEQUATE:
            return "adequate", k, "", at
        off = f"{100 * error[k, at]:.3g} % of its range"
        late = self.delay(seen)
        if late is not None:
            return "inaccurate", k, f"is off by {off}, but only early or late by up to {late} steps", at
        if longest_excursion(error > ADEQUATE) < WINDOW:
            return "noisy", k, f"has a peak of {off}", at
        return "inaccurate", k, f"is off by {off}", at


def compared(result: Result) -> list[str]:
    """The outputs by which a run is judged: speeds, torques and forces.

    >>> compared(result)
    ['pull.w', 'pull.tau', 'mass.w', ..., 'friction.tau']
    """
    known = all_elements()
    impacts = {name for name, kind in result.meta.elements.items() if kind in known and known[kind].impacts}
    return [
        name
        for name, kind in zip(result.names, result.meta.kinds, strict=True)
        if kind in COMPARED and not (kind is Kind.FORCE and element_of(name) in impacts)
    ]


def scales(result: Result, names: Sequence[str]) -> np.ndarray:
    """The range of each output, or SMALL of the largest one of its unit.

    >>> scales(result, ["mass.w"])
    array([0.37])
    """
    rows = [result.meta.row(name) for name in names]
    ranges = np.ptp(result.data[rows], axis=1)
    units = np.array([result.meta.units[row] for row in rows])
    largest = np.array([ranges[units == unit].max() for unit in units])
    scale: np.ndarray = np.maximum(ranges, SMALL * largest)
    return np.where(scale > 0, scale, 1.0)


def sliding_range(values: np.ndarray, near: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value within so many steps around, rows for outputs.

    >>> sliding_range(np.array([[0.0, 0.0, 1.0, 1.0]]), 1)[1]
    array([[0., 1., 1., 1.]])
    """
    low, high = values.copy(), values.copy()
    for shift in range(1, min(near, values.shape[1] - 1) + 1):
        for side, better in ((low, np.minimum), (high, np.maximum)):
            better(side[:, shift:], values[:, :-shift], out=side[:, shift:])
            better(side[:, :-shift], values[:, shift:], out=side[:, :-shift])
    return low, high


def longest_excursion(flags: np.ndarray) -> int:
    """The largest number of steps in which flags of a row follow each other with gaps below WINDOW, of all rows.

    >>> longest_excursion(np.array([[True, False, True, False]]))
    3
    """
    most = 0
    for row in flags:
        at = np.flatnonzero(row)
        if at.size:
            cuts = np.flatnonzero(np.diff(at) >= WINDOW)
            first, last = at[np.r_[0, cuts + 1]], at[np.r_[cuts, at.size - 1]]
            most = max(most, int((last - first).max()) + 1)
    return most


def step_to_step_noise(exact: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The part of the deviation that changes from step to step, of each output.

    >>> step_to_step_noise(np.zeros((1, 100)), np.array([[1.0, -1.0] * 50]))
    array([1.])
    """
    change = np.abs(np.diff(seen - exact, 2, axis=1)) / 4
    if change.shape[1] < WINDOW:
        return np.zeros(len(exact))
    windows = np.lib.stride_tricks.sliding_window_view(change, WINDOW, axis=1)[:, :: WINDOW // 2]
    largest: np.ndarray = np.median(windows, axis=2).max(axis=1)
    return largest


def excess_range(exact: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Excess of the range of each output over the exact one, in each quarter of the run, without peaks.

    >>> excess_range(np.zeros((1, 800)), np.sin(np.arange(800))[None] * np.arange(800) / 800)
    array([[0.444, 0.915, 1.411, 1.909]])
    """
    quarters = np.linspace(0, exact.shape[1], 5).astype(int)
    parts = [slice(a, max(b, a + 1)) for a, b in pairwise(quarters)]
    return np.array([_range(seen[:, part]) - _range(exact[:, part]) for part in parts]).T


def _range(values: np.ndarray) -> np.ndarray:
    low, high = np.quantile(values, [0.01, 0.99], axis=1)
    swing: np.ndarray = high - low
    return swing
