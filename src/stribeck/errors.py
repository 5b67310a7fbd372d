"""The errors of Stribeck: each message names the element, the value, the rule and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LONGEST = 2000
"""Maximum length of a message; a longer one loses its middle, because the way out is at its end."""


class StribeckError(Exception):
    """Base of all errors that Stribeck raises on purpose.

    >>> try:
    ...     stribeck.load_model("stik-slip")
    ... except StribeckError as error:
    ...     print(error)
    there is no file and no model of the package called 'stik-slip'; did you mean 'stick-slip'? ...
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(legible(shortened(str(message))))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text without its middle, if it is too long.

    >>> shortened("a" * 5000, 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaa ... aaaaaaaaa'
    """
    if len(text) <= longest:
        return text
    head, mark = 2 * longest // 3, " ... "
    return text[:head] + mark + text[len(text) - (longest - head - len(mark)) :]


def legible(text: str) -> str:
    """A text for terminals and pages: control characters and changes of writing direction are escaped.

    >>> print(legible("mass" + chr(27) + "[2J"))
    mass\\x1b[2J
    """
    if text.isprintable():
        return text
    shown = (c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
    return "".join(shown)


class SpecError(StribeckError):
    """An invalid model or part of it: a wrong value, an unconnected flange, two motions on one node.

    >>> Inertia(J=-1)
    SpecError: Inertia: J = -1 kg.m2 must be above 0; moment of inertia
    """


class StructureError(SpecError):
    """Values that a compiled program cannot take, because the model with them has another structure.

    >>> try: program.with_values({"friction.law": Switch()})
    ... except StructureError: program = program.varied({"friction.law": Switch()})
    """


class UnknownName(SpecError, TypeError):
    """A name that does not exist; the message suggests the nearest known one.

    >>> LuGre(sigmaO=1e4)
    UnknownName: LuGre has no parameter 'sigmaO'; did you mean 'sigma0'? ...
    """


class ArgumentError(SpecError, TypeError):
    """An argument of the wrong type.

    >>> simulate(42)
    ArgumentError: simulate: model = 42 must be ...
    """


class UnitError(SpecError):
    """A text that is not a number with a unit, or a unit of the wrong dimension.

    >>> stribeck.units.to_si("4 kN", "N.m", "torque 'motor'", "tau")
    UnitError: torque 'motor': tau = '4 kN' is not in units of N.m; write for instance '4 N.m'
    """


class FileError(SpecError):
    """A model file that cannot be read: missing, empty, not text, not YAML.

    >>> Model.from_yaml("{elements: {mass: {type: Inertia, J: 1}}}}")
    FileError: line 1, column 42: ...
    """


class WriteError(StribeckError):
    """A file that cannot be written: no space, no permission. An existing file is unchanged.

    >>> result.save("missing/run.csv")
    WriteError: 'missing/run.csv' cannot be written: No such file or directory; make its folder first
    """


class SimulationError(StribeckError):
    """A simulation that stopped: its `time` (s), the `elements` that caused it (the first as `element`; none if a
    limit stopped the run), and the `result` up to then.

    >>> try:
    ...     simulate(model, max_steps=100)
    ... except SimulationError as error:
    ...     error.result.plot("mass.w", path="until-then.png")
    """

    def __init__(self, message: str, *, time: float, elements: Iterable[str], result: Any) -> None:
        super().__init__(message)
        self.time = time
        self.elements = tuple(elements)
        self.result = result

    @property
    def element(self) -> str | None:
        """The element that caused it, None if unknown."""
        return self.elements[0] if self.elements else None
