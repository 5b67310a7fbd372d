"""The kinds of outputs: the physical meaning of a result, independent of its name and unit."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of an output.

    >>> Kind("slip") is Kind.SLIP
    True
    """

    POSITION = "position"
    """Angle or position of a body, prescribed motion or flange."""
    SPEED = "speed"
    """Its speed."""
    ACCELERATION = "acceleration"
    DISPLACEMENT = "displacement"
    """Position of b relative to a."""
    SLIP = "slip"
    """Speed of b relative to a."""
    FORCE = "force"
    """A torque or a force."""
    MODE = "mode"
    """Backward, Stuck, Forward or Free: discrete, not interpolated."""
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
    """Any other output."""


RATES = {
    Kind.POSITION: Kind.SPEED,
    Kind.SPEED: Kind.ACCELERATION,
    Kind.ACCELERATION: Kind.JERK,
    Kind.DISPLACEMENT: Kind.SLIP,
}
"""The kind of the rate of another kind."""


def contact_name(element: str, part: str) -> str:
    """The name of a contact: its element, or a part of it if the element has several.

    >>> contact_name("end", "low"), contact_name("clutch", "")
    ('end.low', 'clutch')
    """
    return f"{element}.{part}" if part else element
