"""The kinds of outputs: what a number of a result is, whatever its name and unit."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What an output is.

    >>> Kind("slip") is Kind.SLIP
    True
    """

    POSITION = "position"
    """Angle or position of a body, a prescribed motion or a flange."""
    SPEED = "speed"
    """And its speed."""
    ACCELERATION = "acceleration"
    DISPLACEMENT = "displacement"
    """Position of b against a."""
    SLIP = "slip"
    """Speed of b against a."""
    FORCE = "force"
    """A torque or a force."""
    MODE = "mode"
    """Backward, Stuck, Forward or Free: it has steps, nothing lies between two values."""
    STATE = "state"
    """A state of a friction law."""
    TEMPERATURE = "temperature"
    TEMPERATURE_DIFFERENCE = "temperature difference"
    HEAT_FLOW = "heat flow"
    POWER = "power"
    """Power that an element turns into heat."""
    JERK = "jerk"
    """Rate of an acceleration."""
    SIGNAL = "signal"
    """All else."""


RATES = {
    Kind.POSITION: Kind.SPEED,
    Kind.SPEED: Kind.ACCELERATION,
    Kind.ACCELERATION: Kind.JERK,
    Kind.DISPLACEMENT: Kind.SLIP,
}
"""The kind that is the rate of another."""


def contact_name(element: str, part: str) -> str:
    """How a contact is called: as its element, or as a part of it where that has several.

    >>> contact_name("end", "low"), contact_name("clutch", "")
    ('end.low', 'clutch')
    """
    return f"{element}.{part}" if part else element
