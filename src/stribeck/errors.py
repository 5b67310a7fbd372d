"""The errors of Stribeck: each message names the element, the value, the rule and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LONGEST = 2000
"""Characters of a message; a longer one loses its middle, because values are inside and the way out is at the end."""


class StribeckError(Exception):
    """Base of all errors that Stribeck raises on purpose.

    >>> try: stribeck.load_model("stik-slip")
    ... except StribeckError as error: print(error)
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(legible(shortened(str(message))))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text without its middle, if it is too long to be read.

    >>> shortened("a" * 5000, 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaa ... aaaaaaaaa'
    """
    if len(text) <= longest:
        return text
    head, mark = 2 * longest // 3, " ... "
    return text[:head] + mark + text[len(text) - (longest - head - len(mark)) :]


def legible(text: str) -> str:
    """A text for terminals and pages: what steers them (control characters, changes of direction) is written out.

    >>> legible("mass" + chr(27) + "[2J")
    'mass\\x1b[2J'
    """
    if text.isprintable():
        return text
    shown = (c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
    return "".join(shown)


class SpecError(StribeckError):
    """A model, or a part of one, that cannot be: a wrong value, a flange in the air, two motions on one node.

    >>> Inertia(J=-1)
    SpecError: Inertia: J = -1 kg.m2 must be above 0
    """


class UnknownName(SpecError, TypeError):
    """A name that does not exist; the message suggests the nearest known one.

    >>> LuGre(sigmaO=1e4)
    UnknownName: LuGre has no parameter 'sigmaO'; did you mean 'sigma0'?
    """


class ArgumentError(SpecError, TypeError):
    """An argument that is not of the kind that a function takes.

    >>> simulate(42)
    ArgumentError: simulate: model = 42 must be Model or Program
    """


class UnitError(SpecError):
    """A text that is not a number with a unit, or a unit that does not fit the place.

    >>> to_si("4 kN", "N.m", "torque 'motor'", "tau")
    UnitError: torque 'motor': tau = '4 kN' is not in units of N.m
    """


class FileError(SpecError):
    """A model file that cannot be read: missing, empty, not text, not YAML.

    >>> Model.from_yaml(Path("rig.yaml"))
    FileError: rig.yaml, line 3, column 5: ...
    """


class WriteError(StribeckError):
    """A file that cannot be written: no space, no permission; what was there before is unchanged.

    >>> result.save("/proc/run.csv")
    WriteError: '/proc/run.csv' cannot be written: No such file or directory; make its folder first
    """


class SimulationError(StribeckError):
    """A simulation that could not go on: the `time` (s) at which it stopped, the `elements` behind it (the first of
    them as `element`; a limit that stops a run has none), and the `result` up to there.

    >>> except SimulationError as error:
    ...     error.result.plot()
    """

    def __init__(self, message: str, *, time: float, elements: Iterable[str], result: Any) -> None:
        super().__init__(message)
        self.time = time
        self.elements = tuple(elements)
        self.result = result

    @property
    def element(self) -> str | None:
        """The element behind it, None if none is known."""
        return self.elements[0] if self.elements else None
