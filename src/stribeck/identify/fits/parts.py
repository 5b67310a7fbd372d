"""Fits to a part of the records of another fit, from its minimum: a few simulations for each part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .levenberg import minimise
from .result import FitResult

ACCURACY = 1e-3
"""`accuracy` of these minima. A search that ends early stays near the minimum of all samples, those included that are
left out: laws with many parameters would look better than they are."""


def fitted_without(result: FitResult, left_out: Sequence[np.ndarray]) -> FitResult:
    """The fit without some samples: a mask for every record, true where a sample is left out. Its values and
    predictions are those of the rest; its uncertainty is still that of all samples.

    The minimum is near that of all samples, whose Jacobian and noise levels it takes.

    >>> first = fitted_without(result, [result.records[0].time < 1.0])
    """
    rigs = [
        replace(rig, measurement=rig.measurement.masked(~mask))
        for rig, mask in zip(result.problem.rigs, left_out, strict=True)
    ]
    rest = [rig for rig in rigs if rig.valid.any()]
    blocks, slope, last = result.problem.blocks, result.minimum.slope, result.minimum.residual
    pieces = [(block.at, rigs[block.record].valid) for block in blocks if rigs[block.record].valid.any()]
    weights = np.concatenate([valid.astype(float) for _, valid in pieces])
    rows = np.concatenate([np.arange(at.start, at.stop) for at, _ in pieces])
    problem = replace(result.problem, rigs=rest, steps={})
    close = None if slope is None else replace(slope, jacobian=weights[:, None] * slope.jacobian[rows])
    found = minimise(problem, result.minimum.x, result.loss, accuracy=ACCURACY, r=weights * last[rows], close=close)
    return replace(result, problem=problem, minimum=found)
