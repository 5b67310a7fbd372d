"""The tests of Nouailletas 2010 on a bench: break-away, then oscillations, and their joint evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import SpecError
from ...results.data_table import DataTable
from ..records.measurement import Measurement
from .break_away.break_aways import BreakAways, break_aways
from .break_away.curve import WAYS, BreakAwayCurve
from .signal_to_noise import SignalToNoise
from .sinusoidal import Sinusoidal, sinusoidal
from .tracking import Tracking
from .virtual import DRIVE, POSITION, VirtualBench

CHATTER = 0.5
"""Largest jump of the controller output by one sensor step, relative to the mean break-away."""
CONTROL = 0.1
"""Largest bandwidth of the controller, relative to the sampling rate."""


@dataclass(frozen=True, eq=False)
class BenchTest:
    """Results and records of the tests.

    >>> found.beta[1][0], found.coulomb[1][0], found.sliding.estimate["fv"]
    (1.3, 0.11, 0.0007)
    >>> print(found)
    """

    curves: dict[int, BreakAwayCurve]
    """Break-away over position by direction, 1 and -1."""
    break_aways: BreakAways
    sliding: Sinusoidal
    """Ratios of sliding friction to the break-away curves, and viscous friction."""
    means: Sinusoidal
    """The same without curves: constant dry friction for each direction."""
    rule: SignalToNoise | None
    ramps: tuple[Measurement, ...]
    sines: tuple[Measurement, ...]
    low: float
    high: float
    units: tuple[str, str]

    @property
    def beta(self) -> dict[int, tuple[float, float]]:
        """Ratio of break-away to sliding friction in each direction, and its standard error.

        >>> found.beta[-1][0]
        1.3
        """
        found = {}
        for way, word in WAYS.items():
            share = self.sliding.estimate[f"share_{word}"]
            curve, error = self.curves[way].mean(self.low, self.high)
            relative = np.hypot(self.sliding.estimate.errors[f"share_{word}"] / share, error / curve)
            found[way] = (1 / share, float(relative / share))
        return found

    @property
    def coulomb(self) -> dict[int, tuple[float, float]]:
        """Sliding friction in each direction, averaged over the positions, and its standard error.

        >>> found.coulomb[1][0]
        0.11
        """
        found = {}
        for way, word in WAYS.items():
            share, error = self.sliding.estimate[f"share_{word}"], self.sliding.estimate.errors[f"share_{word}"]
            level = self.curves[way].mean(self.low, self.high)[0]
            found[way] = (share * level, error * level)
        return found

    def friction(self, position: Any, direction: int) -> Any:
        """Sliding friction without its viscous part at a position: the break-away curve divided by beta.

        >>> found.friction(30.0, 1)
        0.11
        """
        return profile(self.curves)(position, direction) / self.beta[direction][0]

    def rows(self) -> list[list[str]]:
        """Rows of the printed table: quantity, value, standard error, unit.

        >>> found.rows()[0][0]
        'break-away forward, mean'
        """
        drive, position = self.units
        rows = []
        for way, word in WAYS.items():
            rows.append([f"break-away {word}, mean", *_pair(self.curves[way].mean(self.low, self.high)), drive])
        for way, word in WAYS.items():
            rows.append([f"sliding {word}, mean", *_pair(self.coulomb[way]), drive])
        for way, word in WAYS.items():
            rows.append([f"break-away / sliding, {word}", *_pair(self.beta[way]), "1"])
        estimate = self.sliding.estimate
        rows.append(["viscous friction", *_pair((estimate["fv"], estimate.errors["fv"])), estimate.units["fv"]])
        if self.sliding.threshold:
            ends = self.sliding.threshold_range
            error = (ends[1] - ends[0]) / 4 if ends else 0.0
            rows.append(["above the speed", *_pair((self.sliding.threshold, error)), f"{position}/s"])
        return rows

    def table(self) -> DataTable:
        """The results with standard errors.

        >>> print(found.table())
        """
        return DataTable(["", "value", "standard error", "unit"], self.rows())

    def __str__(self) -> str:
        lines = [self.table().text()]
        if self.rule:
            lines.append(str(self.rule))
        return "\n".join(lines)


def bench_test(
    bench: VirtualBench,
    low: float,
    high: float,
    *,
    rates: Sequence[float] | None = None,
    speeds: Sequence[float] | None = None,
    degrees: tuple[int | None, int | None] = (None, None),
    play: float = 0.0,
    inertia: float | None = None,
    inertia_error: float | None = None,
    threshold: float | str | None = None,
    periods: int = 5,
    progress: Callable[[float, str], None] | None = None,
) -> BenchTest:
    """Break-away tests between two positions at several `rates` of the drive, then oscillations at several `speeds`,
    with a controller that uses the measured break-away; all in SI.

    By default ramps to the full drive would take 5 and 20 s, and there are eight speeds, up to that at which the
    inertia needs a quarter of the full drive. `inertia` is that of the design, with an uncertainty `inertia_error`; it
    is used by the controller and near reversals, and is not identified. `degrees` are those of the break-away
    polynomials forward and backward. Viscous friction acts above a `threshold`: a speed, "find", or None to estimate
    one and keep it only if it is significant.

    >>> print(bench_test(bench, low=3, high=62, play=3.0))  # doctest: +SKIP
    """
    if not low < high:
        raise SpecError(f"bench test: low = {low:g} must be below high = {high:g}")
    report = progress or (lambda share, text: None)
    design = bench.inertia() if inertia is None else inertia
    ramped = tuple(_ramps(bench, low, high, _rates(bench, rates), report))
    found = break_aways(ramped).beyond(1.05 * play).without_outliers()
    curves = {way: found.curve(way, degree) for way, degree in zip(WAYS, degrees, strict=True)}
    tracking = Tracking(design, _bandwidth(bench, design, curves), friction=profile(curves, 0.8))
    swing = 0.42 * (high - low)
    wanted = speeds or _speeds(bench.sensing.limit, design, swing)
    sines = []
    for k, speed in enumerate(wanted):
        report(0.6 + 0.35 * k / len(wanted), f"swings at {speed:.4g}")
        sines.append(bench.sine(float(speed), swing, 0.5 * (low + high), tracking, periods))
    report(0.95, "evaluation")
    trim = max(1.1 * play, 5 * bench.sensing.step, 0.02 * swing)
    means, sliding = (
        _sliding(sines, threshold, trim=trim, inertia=design, profile=shape) for shape in (None, profile(curves))
    )
    rule = _rule(bench, design, inertia_error)
    units = (bench.units[DRIVE], bench.units[POSITION])
    return BenchTest(curves, found, sliding, means, rule, ramped, tuple(sines), low, high, units)


def profile(curves: dict[int, BreakAwayCurve], share: float = 1.0) -> Callable[[Any, int], Any]:
    """The break-away curves times `share` as a function of position and direction, constant beyond the data.

    >>> profile(found.curves)(30.0, -1)
    0.14
    """
    return lambda q, way: share * curves[int(way)](np.clip(q, curves[int(way)].low, curves[int(way)].high))


def _ramps(
    bench: VirtualBench, low: float, high: float, rates: Sequence[float], report: Callable[[float, str], None]
) -> list[Measurement]:
    records = []
    for k, rate in enumerate(rates):
        report(0.6 * k / len(rates), f"break-away at {rate:.4g} {bench.units[DRIVE]}/s")
        records.append(bench.ramps(low, high, rate, stride=(high - low) / 50, name=f"ramps {rate:g}"))
    return records


def _rates(bench: VirtualBench, rates: Sequence[float] | None) -> Sequence[float]:
    if rates is not None:
        return rates
    if not bench.sensing.limit < float("inf"):
        raise SpecError("bench test: give rates of the drive, or the bench a limit, from which they follow")
    return bench.sensing.limit / 5, bench.sensing.limit / 20


def _bandwidth(bench: VirtualBench, inertia: float, curves: dict[int, BreakAwayCurve]) -> float:
    """The highest bandwidth that the sensor allows: see CHATTER and CONTROL."""
    most = CONTROL / bench.sample_time
    if not bench.sensing.step:
        return most
    level = 0.5 * (curves[1].mean()[0] + curves[-1].mean()[0])
    jump = 3 * inertia * bench.sensing.step / bench.sample_time * (1 - Tracking.smoothing)
    return min(most, CHATTER * level / jump)


def _speeds(limit: float, inertia: float, swing: float) -> list[float]:
    if not limit < float("inf"):
        raise SpecError("bench test: give speeds, or the bench a limit of its drive, from which they follow")
    top = float(np.sqrt(0.25 * limit / inertia * swing))
    return [top * k / 8 for k in range(1, 9)]


def _sliding(sines: list[Measurement], threshold: float | str | None, **how: Any) -> Sinusoidal:
    """With the threshold as given; by default with one only if it is significant."""
    if threshold is not None or len(sines) < 3:  # two speeds do not show a threshold
        return sinusoidal(sines, threshold=0.0 if threshold is None else threshold, **how)
    without, found = sinusoidal(sines, **how), sinusoidal(sines, threshold="find", **how)
    samples = without.estimate.residuals.size
    gain = samples * np.log(without.estimate.noise / found.estimate.noise) * 2 - np.log(samples)
    return found if gain > 10 else without


def _rule(bench: VirtualBench, inertia: float, error: float | None) -> SignalToNoise | None:
    step, limit = bench.sensing.step, bench.sensing.limit
    if not (step and limit < float("inf")):
        return None
    return SignalToNoise(step, bench.sample_time, limit, inertia, error)


def _pair(pair: tuple[float, float]) -> tuple[str, str]:
    return f"{pair[0]:.5g}", f"{pair[1]:.2g}"
