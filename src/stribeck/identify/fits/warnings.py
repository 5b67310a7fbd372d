"""Warnings about a fit, to be read before its estimates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .result import FitResult

FEW = 3.0
"""Effective samples per parameter below which the autocorrelation of the residuals comes from the model, not from the
sensor."""
SLOW, POOR = 0.05, 90.0
"""Effective samples per sample, and fit in %: if both are below these, the same holds."""


OFFSET, NEAR = 0.5, 99.0
"""Mean of the residuals over their standard deviation, and fit in %, at which a term is suspected to be missing."""


APART, MOVING = 0.05, 0.2
"""Least difference of the first samples, relative to the variation of the channel, and of the first speeds, relative to
the largest one, at which initial values are suspected."""
BEGIN = 0.01
"""The beginning of a record, relative to its length, from which its first speed follows."""
FIRST = 5
"""Least number of samples at the beginning."""
POSITIONS = {"phi": ("phi0", "w0"), "s": ("s0", "v0")}
"""Outputs that are positions, and the parameters with their initial values and speeds."""


def warnings_of(result: FitResult) -> list[str]:
    """Warnings, the most serious first; none for a fit without problems.

    >>> warnings_of(wrong)[0]
    'the model does not follow the records ...'
    """
    return [
        *_poor_fit(result),
        *_not_converged(result),
        *_started(result),
        *_missing(result),
        *_between(result),
        *_constant(result),
        *_bounded(result),
        *_asymmetric(result),
    ]


def follows(result: FitResult) -> bool:
    """Whether the model follows the records; else the residuals are strongly autocorrelated, not noise.

    >>> follows(result)
    True
    """
    effective, few = result.uncertainty.effective, FEW * len(result.names)
    return effective >= few and (effective >= SLOW * result.samples or _worst(result) >= POOR)


def _worst(result: FitResult) -> float:
    return min(prediction.fit for prediction in result.predictions)


def _poor_fit(result: FitResult) -> Iterator[str]:
    if not result.follows:
        yield (
            f"the model does not follow the records (fit {_worst(result):.1f} %): the residuals of {result.samples} "
            f"samples are autocorrelated, {result.uncertainty.effective:.0f} effective samples for {len(result.names)} "
            "parameters; do not trust the estimates"
        )


def _not_converged(result: FitResult) -> Iterator[str]:
    if result.minimum.refused:
        yield f"a step to a lower cost could not be simulated: {result.minimum.refused}"
    if not result.converged:
        yield "the search has NOT converged; give another start or bounds"


def _between(result: FitResult) -> Iterator[str]:
    """Parameters that scatter between records more than their residuals explain."""
    factors = result.uncertainty.between
    wide = [f"{path} {k:.2g} times" for path, k in zip(result.names, factors, strict=False) if k > 1]
    if wide:
        yield (
            f"intervals include the scatter between {len(result.problem.rigs)} records (sandwich over records), larger "
            f"than within them: {', '.join(wide)}; let what drifts differ by per_record"
        )


def _started(result: FitResult) -> Iterator[str]:
    """Records that begin elsewhere or at another speed than the model, if it does not follow them."""
    if result.follows:
        return
    for prediction in result.predictions:
        body, _, kind = prediction.output.rpartition(".")
        kept = np.flatnonzero(prediction.valid)
        if kind not in POSITIONS or kept.size < FIRST:
            continue
        rest, time = prediction.residual[kept], prediction.time[kept]
        first, channel = f"{body}.{POSITIONS[kind][0]}", prediction.channel
        off, size = -float(rest[0]), float(np.std(prediction.measured[kept]))
        if abs(off) > APART * size:
            yield (
                f"'{channel}' of {prediction.measurement.name} begins {off:.3g} {prediction.unit} away from the model; "
                f"give initial={{'{first}': '{channel}'}} (--initial {first}={channel}), or free {first}"
            )
        last = max(FIRST, round(BEGIN * kept.size)) - 1
        speeds = np.diff(prediction.measured[kept][::last]) / np.diff(time[::last])
        late = -float(rest[last] - rest[0]) / float(time[last] - time[0])
        if speeds.size and abs(late) > MOVING * float(np.abs(speeds).max()):
            yield (
                f"'{channel}' of {prediction.measurement.name} begins with a speed that differs by {late:.3g} "
                f"{prediction.unit}/s from that of the model; free {body}.{POSITIONS[kind][1]} (of several records "
                "in per_record), or cut the record where it is at rest"
            )


def _missing(result: FitResult) -> Iterator[str]:
    """Parameters without an effect next to residuals with a mean, or that are no noise: a missing term hides them."""
    if not result.unidentifiable:
        return
    for prediction in result.predictions:
        rest = prediction.residual[prediction.valid]
        mean, spread = float(np.mean(rest)), float(np.std(rest)) or 1e-300
        if not result.follows or (abs(mean) > OFFSET * spread and prediction.fit < NEAR):
            yield (
                f"the residuals of {prediction.output} have a mean of {mean:.3g} and a spread of {spread:.3g}: "
                "a term may be missing, such as an offset of the drive or a load; add it before parameters are dropped "
                "as not identifiable"
            )
            return


def _constant(result: FitResult) -> Iterator[str]:
    """Inputs that never change: right for a run-down, otherwise the wrong channel."""
    for rig in result.problem.rigs:
        for name, channel in rig.inputs.items():
            values, unit = np.asarray(rig.measurement[channel]), rig.measurement.units[channel]
            if np.ptp(values) == 0:
                value = f"{values[0]:g} {unit}".rstrip()
                yield (
                    f"the input '{name}' is constant, {value} in all of {rig.measurement.name}: is '{channel}' the "
                    "channel that drives it?"
                )


def _bounded(result: FitResult) -> Iterator[str]:
    for path in result.at_bound:
        yield f"{path} is at a bound; the optimum may lie beyond it"


def _asymmetric(result: FitResult) -> Iterator[str]:
    """Intervals that are no symmetric ones, if the fit is otherwise sound."""
    names = result.asymmetric if result.follows and result.converged else []
    if names:
        yield (
            f"the cost is not quadratic within the interval of {', '.join(names)}; profile, or --profile "
            f"{','.join(names)}, gives an interval by likelihood ratio"
        )
