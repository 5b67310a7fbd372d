"""The errors of Stribeck: each message names the element, the value, the rule and the way out."""

from __future__ import annotations

from typing import Any


class StribeckError(Exception):
    """Base of all errors that Stribeck raises on purpose.

    >>> try: stribeck.load_model("stik-slip")
    ... except StribeckError as error: print(error)
    """


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


class SimulationError(StribeckError):
    """A simulation that could not go on; `time` (s), `element` and the `result` so far tell where.

    >>> except SimulationError as error:
    ...     error.result.plot()
    """

    def __init__(
        self, message: str, *, time: float | None = None, element: str | None = None, result: Any = None
    ) -> None:
        super().__init__(message)
        self.time = time
        self.element = element
        self.result = result
