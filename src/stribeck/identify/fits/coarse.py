"""Coarse fixed steps for the beginning of a search, while the residuals are larger than their discretisation error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...errors import StribeckError
from ..records.measurement import Measurement
from .problem import Problem
from .simulation import Rig
from .sums import length

PARTS = (16, 4)
"""Samples of the record in one coarse step."""
FEWEST = 200
"""Least number of coarse steps in a record."""
SMALL = 0.1
"""Discretisation error, relative to the residuals at the start, up to which coarse steps are used."""


def coarse_problems(problem: Problem, x: np.ndarray, r: np.ndarray) -> Iterator[Problem]:
    """The problem with coarser steps, the coarsest first, as far as the residuals r at x are much larger than the
    discretisation error.

    >>> [coarse.rigs[0].time[1] for coarse in coarse_problems(problem, x, r)]
    [0.016, 0.004]
    """
    for parts in PARTS:
        try:
            coarse = replace(problem, rigs=[coarser(rig, parts) for rig in problem.rigs], steps={})
            (found,) = coarse.residuals([x])
        except StribeckError:
            continue
        if found is None:
            continue
        blocks = zip(problem.blocks, coarse.blocks, strict=True)
        same = np.concatenate([r[fine.at][::parts][: b.valid.size] for fine, b in blocks])
        if length(found - same) < SMALL * length(same):
            yield coarse


def coarser(rig: Rig, parts: int) -> Rig:
    """The rig with every `parts`-th sample; inputs that are held have their mean over the samples in between.

    >>> coarser(rig, 4).time[1] / rig.time[1]
    4.0
    """
    steps = (rig.time.size - 1) // parts
    if steps < FEWEST:
        raise StribeckError(f"{rig.measurement.name}: {rig.time.size} samples are too few for steps of {parts}")
    channels = {name: np.asarray(rig.measurement[name])[: steps * parts + 1] for name in rig.measurement.names}
    every = {name: values[::parts] for name, values in channels.items()}
    means = {name: _means(channels[name], parts) for name in rig.held_channels}
    record = Measurement(
        {**every, **{_mean(name): values for name, values in means.items()}},
        sample_time=parts * float(rig.time[1]),
        name=rig.measurement.name,
        valid=rig.valid[: steps * parts + 1 : parts],
    )
    inputs = {path: _mean(name) if name in means else name for path, name in rig.inputs.items()}
    initial = {path: rig.first(given) for path, given in rig.initial.items()}
    return replace(rig, measurement=record, inputs=inputs, initial=initial)


def _mean(name: str) -> str:
    """The channel of the means of a channel; records have no such names."""
    return f"_mean_{name}"


def _means(values: np.ndarray, parts: int) -> np.ndarray:
    """Means over the samples of each step; the last sample, where the record ends, is kept."""
    return np.append(values[:-1].reshape(-1, parts).mean(axis=1), values[-1])
