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


def warnings_of(result: FitResult) -> list[str]:
    """Warnings, the most serious first; none for a fit without problems.

    >>> warnings_of(wrong)[0]
    'the model does not follow the records ...'
    """
    return [*_poor_fit(result), *_not_converged(result), *_constant(result), *_bounded(result)]


def _poor_fit(result: FitResult) -> Iterator[str]:
    """A model that does not follow the records: the residuals are strongly autocorrelated, not noise."""
    effective, count = result.uncertainty.effective, len(result.names)
    worst = min(prediction.fit for prediction in result.predictions)
    if effective < FEW * count or (effective < SLOW * result.samples and worst < POOR):
        yield (
            f"the model does not follow the records (fit {worst:.1f} %): the residuals of {result.samples} samples are "
            f"autocorrelated, {effective:.0f} effective samples for {count} parameters; do not trust the estimates"
        )


def _not_converged(result: FitResult) -> Iterator[str]:
    if result.minimum.refused:
        yield f"a step to a lower cost could not be simulated: {result.minimum.refused}"
    if not result.converged:
        yield "the search has NOT converged; give another start or bounds"


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
