"""Fixed-step runs judged by the adaptive run: adequate, noisy, inaccurate or divergent.

Bataus, Maciac, Oprean and Vasiliu 2011 look at three situations: good results (Figure 8a), a divergent simulation (8b)
and results with numerical noise (9). Here they are numbers. Speeds and torques are compared at every step, as shares of
the range that they have in the adaptive run; one with hardly any range of its own is measured by SMALL of the largest
range of its unit.

- error: how far a value is outside of what the adaptive run shows within NEAR steps around, so that a clutch that
  sticks one step late is no error;
- noise: the part of the deviation that changes from step to step, |e(k+1) - 2 e(k) + e(k-1)|/4, which for values that
  jump up and down in turn is half of that jump: its median over WINDOW steps, where that is largest, so that single
  jumps do not count;
- swing: by how much more a value swings in the last quarter of the run than in the adaptive run, peaks left out
  (between the quantiles of 1 % and 99 %).

divergent: not finite, or outside of the range by FAR times the range. Else noisy: noise above NOISY. Else again
divergent: a swing above ADEQUATE that was smaller in the quarter before. Else adequate: no error above ADEQUATE. Else,
if no such error lasts for WINDOW steps, it is noise as well: peaks. Else inaccurate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..results import Result

ADEQUATE = 0.05
NOISY = 0.01
SMALL = 0.01
NEAR = 2
WINDOW = 16
FAR = 10.0

UNITS = ("rad/s", "m/s", "N.m", "N")
"""What is compared: speeds, torques, forces ..."""
GIVEN = ("fn",)
"""... but not what is prescribed."""


@dataclass(frozen=True)
class Verdict:
    """How one method fared.

    >>> verdict.word, verdict.error
    ('adequate', 0.0012)
    """

    method: str
    word: str
    """adequate, noisy, inaccurate or divergent"""
    error: float
    """Largest error of all outputs, as a share of their range."""
    output: str
    """Where it is largest, or what has noise or diverges."""
    time: float
    """When (s)."""
    noise: float
    errors: Mapping[str, float] = field(default_factory=dict, repr=False)
    """The largest error of each output."""
    reason: str = ""


def judge(method: str, reference: Result, run: Result, stopped: str = "") -> Verdict:
    """The verdict on a run with fixed steps whose samples are those of the adaptive one; `stopped` if it ended early.

    >>> judge("ode4", simulate(model, times=times), model.realtime(1e-3, method="ode4").run(n=4000)).word
    'adequate'
    """
    names = compared(reference)
    rows = [reference.meta.row(name) for name in names]
    exact, scale = reference.data[rows], scales(reference, names)
    count = min(run.time.size, reference.time.size)
    seen = np.array([run.data[run.meta.row(name)][:count] for name in names]).reshape(len(names), count)
    exact, time = exact[:, :count], reference.time[:count]
    if not names:
        return Verdict(method, "adequate", 0.0, "", 0.0, 0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        error = errors(exact, seen) / scale[:, None]
        noise = noises(exact, seen) / scale
        swing = swings(exact, seen) / scale[:, None]
    worst = np.where(np.isfinite(error), error, np.inf).max(axis=1)
    largest = int(worst.argmax())
    at = int(error[largest].argmax())
    of = {name: float(value) for name, value in zip(names, worst, strict=True)}

    def verdict(word: str, k: int, reason: str, when: float = float(time[at])) -> Verdict:
        return Verdict(method, word, float(worst[largest]), names[k], when, float(noise.max()), of, reason)

    if stopped or count < reference.time.size:
        return verdict("divergent", largest, stopped or "ends", float(time[-1]) if count else 0.0)
    far = FAR * scale[:, None]
    outside = (seen > exact.max(axis=1)[:, None] + far) | (seen < exact.min(axis=1)[:, None] - far)
    if outside.any():
        k = int(np.argmax(outside.any(axis=1)))
        return verdict("divergent", k, f"leaves the range {FAR:g} times", float(time[int(np.argmax(outside[k]))]))
    if noise.max() > NOISY:
        k = int(noise.argmax())
        return verdict("noisy", k, f"jumps from step to step by {100 * noise[k]:.3g} % of the range")
    grows = (swing[:, -1] > ADEQUATE) & (swing[:, -1] > swing[:, -2])
    if grows.any():
        k = int(np.argmax(np.where(grows, swing[:, -1], 0.0)))
        return verdict("divergent", k, f"swings ever more, by {100 * swing[k, -1]:.3g} % of the range at the end")
    if worst[largest] <= ADEQUATE:
        return verdict("adequate", largest, "")
    off = f"{100 * worst[largest]:.3g} % of the range"
    if longest(error > ADEQUATE) < WINDOW:
        return verdict("noisy", largest, f"has a peak of {off}")
    return verdict("inaccurate", largest, f"is off by {off}")


def compared(result: Result) -> list[str]:
    """The outputs that tell how good a run is: speeds, torques and forces.

    >>> compared(result)
    ['mass.w', 'spring.w_rel', 'spring.tau', 'friction.w_rel', 'friction.tau']
    """
    units = zip(result.names, result.meta.units, strict=True)
    return [name for name, unit in units if unit in UNITS and name.rpartition(".")[2] not in GIVEN]


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


def errors(exact: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Distance of every value to what the exact one is within NEAR steps, rows for outputs.

    >>> errors(np.array([[0.0, 0.0, 1.0, 1.0]]), np.array([[0.0, 0.0, 0.0, 2.0]]))
    array([[0., 0., 0., 1.]])
    """
    padded = np.pad(exact, ((0, 0), (NEAR, NEAR)), mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * NEAR + 1, axis=1)
    below, above = around.min(axis=2) - seen, seen - around.max(axis=2)
    distance: np.ndarray = np.maximum(np.maximum(below, above), 0.0)
    return distance


def longest(flags: np.ndarray) -> int:
    """The largest number of flags in a row that are set in succession, of all rows.

    >>> longest(np.array([[True, True, False, True]]))
    2
    """
    padded = np.pad(flags.astype(int), ((0, 0), (1, 1)))
    edges = np.diff(padded, axis=1).ravel()
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return int((ends - starts).max(initial=0))


def noises(exact: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The part of the deviation that changes from step to step, of each output.

    >>> noises(np.zeros((1, 100)), np.array([[1.0, -1.0] * 50]))
    array([1.])
    """
    change = np.abs(np.diff(seen - exact, 2, axis=1)) / 4
    if change.shape[1] < WINDOW:
        return np.zeros(len(exact))
    windows = np.lib.stride_tricks.sliding_window_view(change, WINDOW, axis=1)[:, :: WINDOW // 2]
    largest: np.ndarray = np.median(windows, axis=2).max(axis=1)
    return largest


def swings(exact: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """By how much more each output swings than the exact one, in each quarter of the run, peaks left out.

    >>> swings(np.zeros((1, 800)), np.sin(np.arange(800)) * np.arange(800) / 800)
    array([[0.46, 0.97, 1.47, 1.97]])
    """
    quarters = np.linspace(0, exact.shape[1], 5).astype(int)
    parts = [slice(a, max(b, a + 1)) for a, b in pairwise(quarters)]
    return np.array([_swing(seen[:, part]) - _swing(exact[:, part]) for part in parts]).T


def _swing(values: np.ndarray) -> np.ndarray:
    low, high = np.quantile(values, [0.01, 0.99], axis=1)
    swing: np.ndarray = high - low
    return swing
