"""What a reader of a fit must know before its values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .result import FitResult

FEW = 3.0
"""Independent residuals per parameter, below which the slowness of the residuals comes from the model, not from the
sensor."""
SLOW, POOR = 0.05, 90.0
"""Share of the residuals that are independent, and fit in %, below both of which it does so too."""


def doubts(result: FitResult) -> list[str]:
    """Sentences, the gravest first; none for a fit that can be taken as it is.

    >>> doubts(result)
    ['joint.law.mu_s stands at a bound; the data may want it beyond']
    """
    return [*_astray(result), *_unfinished(result), *_constant(result), *_bounded(result)]


def _astray(result: FitResult) -> Iterator[str]:
    """A model that does not follow the records: what is left between them is slow, not noise."""
    effective, count = result.uncertainty.effective, len(result.names)
    worst = min(prediction.fit for prediction in result.predictions)
    if effective < FEW * count or (effective < SLOW * result.samples and worst < POOR):
        yield (
            f"the model does not follow the records (fit {worst:.1f} %): what is left between {result.samples} samples "
            f"is slow, worth {effective:.0f} independent ones for {count} parameters; the values are not to be trusted"
        )


def _unfinished(result: FitResult) -> Iterator[str]:
    if result.minimum.refused:
        yield f"a step further down was refused: {result.minimum.refused}"
    if not result.converged:
        yield "the search has NOT converged; give another start, or bounds"


def _constant(result: FitResult) -> Iterator[str]:
    """Inputs that never change: true when a machine runs down by itself, else the wrong channel."""
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
        yield f"{path} stands at a bound; the data may want it beyond"
