"""Plausibility checks of a record before a fit, with remedies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from .checks import resample_advice
from .filters import smoothed
from .measurement import Measurement
from .outliers import jumps, outliers

MOTION = ("m", "rad")
"""Units of positions."""
FORCES = ("", "1", "N", "N.m", "A", "V", "Pa")
"""Units of quantities that amplifiers and sensors limit; a channel without a unit may be one of these."""
SLOW = 0.1
"""Sample time (s) above which the times are probably in ms."""
PARTS = {"ms": 1e-3, "us": 1e-6, "ns": 1e-9}
"""Parts of a second in which times may be, the largest first."""
FEW = 20
"""Steps of a sensor in a whole record below which it is coarse."""
UNSTATED = 1000
"""Steps in a record below which the resolution should be stated."""
PLATEAU = 4
"""Least number of consecutive samples at a limit."""
ENTERED = 2.5
"""Steps of a sensor, before its largest value, that a limited channel takes at least."""
FACTORS = {"deg for rad": 180 / np.pi, "rpm for rad/s": 30 / np.pi, "rev for rad": 1 / (2 * np.pi), "mm for m": 1e3}
"""Common mistakes of units, and the factors that they cause."""


@dataclass(frozen=True)
class RecordFinding:
    """One finding: the channel ("" for the times), its kind in one word, and a message.

    >>> limited = run.with_channel("f", np.clip(run["f"], -2, 2), "N")
    >>> print(inspect(limited).findings[0])
    'f' is limited: it stays at its largest value 2 N for 15 % of the samples; omit these with masked(...), or ...
    """

    channel: str
    kind: str
    text: str
    severe: bool = False
    """Whether the channel is useless for identification."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Inspection:
    """All findings about a record; none if it is good.

    >>> print(inspect(run))
    """

    name: str
    findings: tuple[RecordFinding, ...]

    @property
    def good(self) -> bool:
        """Whether there are no findings.

        >>> inspect(run).good
        True
        """
        return not self.findings

    def __getitem__(self, channel: str) -> list[str]:
        """The kinds of the findings about one channel."""
        return [finding.kind for finding in self.findings if finding.channel == channel]

    def __iter__(self) -> Iterator[RecordFinding]:
        return iter(self.findings)

    def __str__(self) -> str:
        count = "1 finding" if len(self.findings) == 1 else f"{len(self.findings) or 'no'} findings"
        return "\n".join([f"{self.name}: {count}", *map(str, self.findings)])


def inspect(
    run: Measurement,
    rates: Mapping[str, str] | None = None,
    *,
    force: str | None = None,
    position: str | None = None,
) -> Inspection:
    """Checks a record for constant, limited, coarse or jumping channels, uneven times, gaps and wrong units.

    `rates` names channels that are derivatives of others, {speed: position}: their units and signs are compared. With
    `force` and `position` it is checked that the force drives the motion: its sign, and its delay against the motion.

    >>> inspect(run, rates={"v": "q"}).good
    True
    """
    findings = list(_about_times(run))
    for name in run.names:
        found = [finding for check in CHECKS for finding in check(run, name)]
        findings += [finding for finding in found if finding.severe] or found
    for rate, position_of_rate in (rates or {}).items():
        findings += _about_rate(run, rate, position_of_rate)
    useless = {finding.channel for finding in findings if finding.severe}
    if force is not None and position is not None and not useless & {force, position, ""}:
        from ..regression.drive_checks import drive_findings

        findings += drive_findings(run, force, position)
    return Inspection(run.name, tuple(findings))


def require_motion(run: Measurement, *channels: str) -> None:
    """Refuses a record that is useless for identification: constant channels, or all samples masked.

    >>> require_motion(run, "q", "f")
    """
    if not run.valid.any():
        raise SpecError(f"{run.name}: all samples are masked; there is nothing to fit")
    for name in channels:
        run[name]
        for finding in _constant(run, name):
            raise SpecError(f"{run.name}: {finding.text}")


def require_drive(run: Measurement, drive: str, motion: str, *, speeds: bool = False) -> None:
    """Refuses a drive or a motion that is constant or has a wrong unit; with `speeds` the motion may be a speed.

    >>> require_drive(run, "f", "q")
    """
    require_motion(run, motion, drive)
    kind = "a position or a speed" if speeds else "a position"
    units = ("m", "rad", "1", "", *(("m/s", "rad/s") if speeds else ()))
    for name, what, wrong in (
        (motion, kind, run.units[motion] not in units),
        (drive, "a force or another drive", run.units[drive] in ("m", "rad", "m/s", "rad/s")),
    ):
        if wrong:
            raise SpecError(
                f"{run.name}: '{name}' is in {run.units[name]}, which is no unit of {what}; choose another channel, or "
                "give its unit when the record is read"
            )


def grain(values: np.ndarray) -> float:
    """The quantisation step of values, 0 if they are not quantised.

    >>> grain(0.02 * np.round(np.linspace(0, 50, 1000)))
    0.02
    """
    levels = np.unique(values)
    if levels.size < 2 or levels.size > 0.5 * values.size:
        return 0.0
    span = float(levels[-1] - levels[0])
    steps = np.diff(levels)
    steps = steps[steps > 1e-9 * span]
    smallest = float(steps.min())
    step = span / round(span / smallest)
    off = np.abs((levels - levels[0]) / step - np.rint((levels - levels[0]) / step))
    return step if float(off.max()) < 0.02 else 0.0


# --- channels ---------------------------------------------------------------------------------------------------------


def _constant(run: Measurement, name: str) -> Iterator[RecordFinding]:
    values = np.asarray(run[name])[run.valid]
    if values.size and np.ptp(values) <= 1e-12 * np.abs(values).max():
        text = f"'{name}' is constant at {_with_unit(run, name, values[0])}; check the sensor and the choice of channel"
        yield RecordFinding(name, "constant", text, severe=True)


def _limited(run: Measurement, name: str) -> Iterator[RecordFinding]:
    """Consecutive samples at the extreme value: an amplifier or a sensor is at its limit. A quantised channel stays at
    its extreme step at every smooth reversal, so it must have reached that at speed."""
    values = np.asarray(run[name])
    if run.units[name] not in FORCES or np.unique(values).size <= FEW:
        return
    step = grain(values)
    for side, word in ((1, "largest"), (-1, "smallest")):
        share, steep = _at_limit(side * values, step)
        if share >= 2e-3 and (steep or not step):
            limit = _with_unit(run, name, side * float((side * values).max()))
            text = (
                f"'{name}' is limited: it stays at its {word} value {limit} "
                f"for {100 * share:.2g} % of the samples; omit these with masked(...) (--keep), or reduce the amplitude"
            )
            yield RecordFinding(name, "limited", text)


def _at_limit(values: np.ndarray, step: float, back: int = 10) -> tuple[float, bool]:
    """The fraction of samples in runs at the largest value, and whether most runs are entered at speed: by several
    steps of the sensor, too, since its last one is the end of every smooth reversal."""
    top = values >= values.max() - 1e-9 * np.ptp(values)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], top.astype(int), [0]])))
    starts, stops = edges[::2], edges[1::2]
    runs = [(a, b) for a, b in zip(starts, stops, strict=True) if b - a >= PLATEAU]
    entered = [(values[a] - values[a - back]) / back for a, _ in runs if a >= back]
    usual = float(np.quantile(np.abs(values[back:] - values[:-back]), 0.9)) / back
    share = sum(b - a for a, b in runs) / values.size
    return share, bool(entered) and float(np.median(entered)) > max(0.2 * usual, ENTERED * step / back)


def _coarse(run: Measurement, name: str) -> Iterator[RecordFinding]:
    values = np.asarray(run[name])
    step, stated = grain(values), run.resolution.get(name)
    if step == 0:
        return
    count = np.ptp(values) / step
    shown = _with_unit(run, name, step)
    if count < FEW and np.unique(values).size > 3:
        text = (
            f"'{name}' is coarse: {count:.0f} steps of {shown} in all; speeds computed from it are noise: use "
            "methods for coarse encoders, or a larger motion"
        )
        yield RecordFinding(name, "coarse", text)
    if stated is None and FEW <= count < UNSTATED:
        text = (
            f"'{name}' is quantised in steps of {shown}; state it: resolution={{'{name}': {step:.6g}}} (--resolution)"
        )
        yield RecordFinding(name, "resolution", text)
    elif stated is not None and step > 1.5 * stated:
        text = f"'{name}' has steps of {shown}, but its resolution is stated as {_with_unit(run, name, stated)}"
        yield RecordFinding(name, "resolution", text)


def _jumping(run: Measurement, name: str) -> Iterator[RecordFinding]:
    """A counter that overflows, or an index that was lost."""
    if run.units[name] not in MOTION:
        return
    values = np.asarray(run[name])
    at = jumps(values, run.resolution.get(name, grain(values)))
    steps = np.diff(run.time)
    at = at[steps[at - 1] < 1.5 * np.median(steps)]  # beyond a gap it may be elsewhere
    if not 0 < at.size < 0.02 * values.size:
        return
    change = np.diff(values)
    heights, usual = change[at - 1], float(np.abs(np.delete(change, at - 1)).max())
    period = float(np.median(np.abs(heights - change[np.minimum(at, change.size - 1)])))
    if period > 0.5 * np.ptp(values):
        advice = f"a counter overflows; make it continuous with unwrapped('{name}', {period:.4g}) (--unwrap)"
    else:
        advice = "a lost index or count; cut the record there with between(...) (--from, --to)"
    text = (
        f"'{name}' jumps by {_with_unit(run, name, float(heights[0]))} at t = {run.time[at[0]]:g} s"
        f"{f' and {at.size - 1} times more' if at.size > 1 else ''}, where other samples change by "
        f"{_with_unit(run, name, usual)} at most: {advice}"
    )
    yield RecordFinding(name, "jumping", text)


def _spiky(run: Measurement, name: str) -> Iterator[RecordFinding]:
    """Single samples that deviate far from both neighbours, which agree."""
    values = np.asarray(run[name])
    alone = outliers(values, run.resolution.get(name, grain(values))) & run.valid
    if 0 < alone.sum() <= max(3, 1e-3 * values.size):
        i = int(np.argmax(alone))
        text = (
            f"'{name}' has {alone.sum()} samples far from their neighbours, first at t = {run.time[i]:g} s "
            f"({_with_unit(run, name, values[i])}); omit them with without_outliers() (--mask-outliers)"
        )
        yield RecordFinding(name, "spiky", text)


def _named_after_unit(run: Measurement, name: str) -> Iterator[RecordFinding]:
    """A name such as q_deg of a channel without a unit."""
    given = re.search(r"[_ .](deg|degree|degrees|mrad|rpm|rev|mm|um|kN|mN|mNm|kNm|mA|mV)$", name)
    if given and not run.units[name]:
        text = (
            f"'{name}' has no unit and is read in SI; if it is in {given[1]}, give units={{'{name}': '{given[1]}'}} "
            f"(--unit {name}={given[1]})"
        )
        yield RecordFinding(name, "unit", text)


CHECKS: tuple[Callable[[Measurement, str], Iterator[RecordFinding]], ...] = (
    _constant,
    _limited,
    _coarse,
    _jumping,
    _spiky,
    _named_after_unit,
)

# --- times and rates --------------------------------------------------------------------------------------------------


def _about_times(run: Measurement) -> Iterator[RecordFinding]:
    steps = np.diff(run.time)
    usual, even = float(np.median(steps)), resample_advice(run.time)
    if usual > SLOW:
        unit = next((unit for unit, factor in PARTS.items() if usual * factor < SLOW), "ns")
        text = (
            f"samples are {usual:g} s apart; if the times are in {unit}, give units={{'t': '{unit}'}} (--unit t={unit})"
        )
        yield RecordFinding("", "slow", text)
    shares = steps / usual
    jitter = 1.48 * float(np.median(np.abs(shares - 1)))
    lost = int(np.sum(np.rint(shares - 1)[shares > 1 + max(0.5, 6 * jitter)]))
    if lost > 0:
        i = int(np.argmax(steps))
        text = (
            f"{lost} samples are missing, most after t = {run.time[i]:g} s ({steps[i] / usual:.0f} steps); use {even}"
        )
        yield RecordFinding("", "missing", text)
    elif run.sample_time is None:
        yield RecordFinding("", "uneven", f"time steps range from {steps.min():g} to {steps.max():g} s; use {even}")
    masked = 1 - float(np.mean(run.valid))
    if masked > 0.5:
        yield RecordFinding("", "gaps", f"{masked:.0%} of the samples are masked", severe=masked == 1)


def _about_rate(run: Measurement, rate: str, position: str) -> Iterator[RecordFinding]:
    """Whether one channel is the derivative of another one: the same sign and size."""
    w, q = np.asarray(run[rate]), np.asarray(run[position])
    if np.ptp(w) == 0 or np.ptp(q) == 0 or run.sample_time is None:
        return
    step = run.sample_time
    change = np.concatenate([[0], np.cumsum(0.5 * (w[1:] + w[:-1])) * step])
    a, b = (smoothed(x - np.linspace(x[0], x[-1], x.size), step, 0.05 / step) for x in (q, change))
    if b @ b == 0:
        return
    ratio = float((a @ b) / (b @ b))
    match = float((a @ b) / np.sqrt((a @ a) * (b @ b))) if a @ a else 0.0
    pair = f"'{rate}' and the rate of '{position}'"
    if abs(match) < 0.9:
        yield RecordFinding(rate, "unrelated", f"{pair} are not related (correlation {match:.2f})")
    elif match < 0:
        yield RecordFinding(
            rate, "sign", f"{pair} have opposite signs; change one with scaled({{'{rate}': -1}}) (--scale)"
        )
    elif abs(ratio - 1) > 0.05:
        known = [f": {what}?" for what, f in FACTORS.items() if min(abs(ratio / f - 1), abs(ratio * f - 1)) < 0.05]
        text = f"{pair} differ by a factor of {ratio:.4g}{known[0] if known else ''}; check units={{...}} (--unit)"
        yield RecordFinding(rate, "unit", text)


def _with_unit(run: Measurement, name: str, value: float) -> str:
    return f"{value:.4g} {run.units[name]}".strip()
