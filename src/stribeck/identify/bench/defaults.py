"""Defaults of a bench test: drive, position, limit of the drive, range of positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...compile import compile_model
from ...elements.force import Force
from ...elements.torque import Torque
from ...errors import SpecError
from ...spec import Model
from ...units import to_si
from .virtual import POSITION, VirtualBench

HEADROOM = 6.0
"""Default limit of the drive, relative to the drive that moves the machine."""
STEPS = 400
"""Default range of the tests, in sensor steps."""


def with_limit(model: Model, drive: str, position: str, bench: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the bench; the default limit of the drive is a multiple of that which moves the machine.

    >>> with_limit(model, "motor.tau", "rotor.phi", {"encoder": 56})
    {'encoder': 56, 'limit': 1.5}
    """
    if bench.get("limit") is not None:
        return dict(bench)
    settings = {name: value for name, value in bench.items() if name != "limit"}
    rig = VirtualBench(model, drive, position, **settings)
    start, moved = rig.read(), 3 * rig.sensing.step
    if not moved:
        raise SpecError("give the sensor an --encoder or a --resolution, or the drive a --limit")
    for power in range(-12, 30):
        level = 2.0**power
        record = rig.record(np.full(max(round(0.5 / rig.sample_time), 16), level))
        if abs(np.asarray(record[POSITION]) - start).max() > moved:
            return {**settings, "limit": HEADROOM * level}
    raise SpecError(f"{model.name}: {drive} does not move {position}; name others with --drive and --position")


def range_of(rig: VirtualBench, between: str | None) -> tuple[float, float]:
    """The range of positions: as given, or some hundred sensor steps from the initial position.

    >>> range_of(bench, "2 rad:60 rad")
    (2.0, 60.0)
    """
    unit = rig.units[POSITION]
    if between is not None:
        low, sign, high = between.partition(":")
        if not sign:
            raise SpecError(f"--between {between}: write LOW:HIGH, for instance 2:60 or '10 mm:50 mm'")
        return to_si(low.strip(), unit, "--between", "low"), to_si(high.strip(), unit, "--between", "high")
    if not rig.sensing.step:
        raise SpecError("--between is missing: a sensor without steps has no default range; write LOW:HIGH")
    rig.reset()
    start = rig.read()
    return start, start + STEPS * rig.sensing.step


def likely_drive(model: Model) -> str:
    """The force or torque of the machine, if there is only one.

    >>> likely_drive(model)
    'motor.tau'
    """
    found = [f"{name}.{'tau' if isinstance(element, Torque) else 'f'}"
             for name, element in model.elements.items() if isinstance(element, Torque | Force)]  # fmt: skip
    if len(found) != 1:
        count = f"{len(found)} of them ({', '.join(found)})" if found else "none"
        raise SpecError(
            f"{model.name}: the bench drives one force or torque and there is {count}; name it with --drive"
        )
    return found[0]


def likely_position(model: Model, drive: str) -> str:
    """The position of the body that the drive moves.

    >>> likely_position(model, "motor.tau")
    'rotor.phi'
    """
    element = model.elements.get(drive.partition(".")[0])
    refs = getattr(element, "refs", {})
    body = str(next(iter(refs.values()), "")).partition(".")[0]
    names = compile_model(model).output_names
    for word in ("phi", "s"):
        if f"{body}.{word}" in names:
            return f"{body}.{word}"
    raise SpecError(f"{model.name}: the measured output is not known; name it with --position")
