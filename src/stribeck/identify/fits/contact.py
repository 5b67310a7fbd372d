"""Slip speed and friction of a contact in the fitted model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .simulation import Rig


@dataclass(frozen=True, eq=False)
class FrictionSamples:
    """Slip speed and friction of an element at the samples of a record, in SI.

    >>> contact.speed.max(), contact.units
    (0.4, ('m/s', 'N'))
    """

    speed: np.ndarray
    friction: np.ndarray
    units: tuple[str, str]


def contact(rig: Rig, values: Mapping[str, float], place: str) -> FrictionSamples:
    """Slip speed and friction of the element of this name, in the model with these parameters.

    >>> contact(rig, result.best, "joint").friction.max()
    1.2
    """
    program = rig.program({})
    units = dict(zip(program.output_names, program.output_units, strict=True))
    pairs = (("v_rel", "w_rel"), ("f", "tau"))
    names = [next(f"{place}.{word}" for word in words if f"{place}.{word}" in units) for words in pairs]
    channel = next(iter(rig.outputs.values()))
    speed, friction = replace(rig, outputs=dict.fromkeys(names, channel)).simulate(values)
    return FrictionSamples(speed, friction, (units[names[0]], units[names[1]]))
