"""Parameters that differ between records, such as an offset or an initial position: "load.s0@run7"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import SpecError
from .free import Free, free_parameters
from .simulation import MARK, Rig

Bounds = Mapping[str, tuple[Any, Any]]


def found_by_record(
    rigs: Sequence[Rig], shared: Sequence[str], per_record: Sequence[str], start: Mapping[str, Any], bounds: Bounds
) -> tuple[Free, ...]:
    """The free parameters: one for each shared path, and one for each other path and record. A parameter in `initial`
    starts at the value of its record, unless `start` gives another one.

    >>> [p.path for p in found_by_record(rigs, ["load.m"], ["load.s0"], {}, {})]
    ['load.m', 'load.s0@run7', 'load.s0@run8']
    """
    names = [*shared, *per_record]
    whole = free_parameters(rigs[0].started, names, start, bounds)
    records = [rig.measurement.name for rig in rigs]
    twice = next((name for i, name in enumerate(records) if name in records[:i]), None)
    if per_record and twice is not None:
        raise SpecError(f"fit: two records have the name '{twice}'; per_record needs different names")
    parts = []
    for rig in rigs if per_record else ():
        own = free_parameters(rig.started, per_record, _only(start, per_record), _only(bounds, per_record))
        parts += [replace(p, path=f"{p.path}{MARK}{rig.measurement.name}", scale=_scale(p, rig)) for p in own]
    return (*whole[: len(shared)], *parts)


def _only(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in names}


def _scale(p: Free, rig: Rig) -> float:
    """A parameter that starts at a channel has the range of the channel as its scale, not the noise of one sample."""
    channel = rig.initial.get(p.path)
    if not isinstance(channel, str) or channel not in rig.measurement.names:
        return p.scale
    return max(p.scale if p.start else 0.0, float(np.ptp(np.asarray(rig.measurement[channel]))))
