"""Slip speed and friction of a contact in the fitted model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .simulation import Rig


@dataclass(frozen=True, eq=False)
class FrictionSamples:
    """Slip speed and friction of an element at the samples of a record, in SI.

    >>> FrictionSamples(np.array([0.1, 0.4]), np.array([0.8, 0.9]), units=("m/s", "N")).speed.max()
    0.4
    """

    speed: np.ndarray
    friction: np.ndarray
    units: tuple[str, str]


def contact(rig: Rig, values: Mapping[str, float], place: str) -> FrictionSamples:
    """Slip speed and friction of the element of this name, in the model with these parameters.

    >>> contact(rig, result.best, "joint").friction.max()
    1.1
    """
    program = rig.bare
    units = dict(zip(program.output_names, program.output_units, strict=True))
    pairs = (("v_rel", "w_rel"), ("f", "tau"))
    names = [next(f"{place}.{word}" for word in words if f"{place}.{word}" in units) for words in pairs]
    channel = next(iter(rig.outputs.values()))
    speed, friction = replace(rig, outputs=dict.fromkeys(names, channel)).simulate(values)
    return FrictionSamples(speed, friction, (units[names[0]], units[names[1]]))
