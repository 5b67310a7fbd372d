"""What both versions of a model description are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...compile import Program
from ...compile.image import Image
from ...compile.influence import position_rates
from .variables import Variable, Variables

TOOL = "Stribeck"
CATEGORIES = {
    "logStatusError": "what has failed, with its time and element",
    "logStatusWarning": "what may be wrong, with its time and element",
    "logEvents": "changes of modes, with their times and contacts",
}
"""Categories of messages."""
MOST_DEPENDENCIES = 200_000
"""Longest list of dependencies that is written out: some tools need it, a large machine would fill its file with it."""
DIFFERENT = {
    2: {"canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true"},
    3: {"canGetAndSetFMUState": "true", "canSerializeFMUState": "true"},
}
"""What both kinds of FMU can do, as the versions spell it."""


@dataclass(frozen=True)
class Description:
    """The facts of a model description, for either version of FMI."""

    image: Image
    variables: Variables
    identifier: str
    """Name of the binaries: an identifier of C."""
    token: str
    """Ties the description to the model inside."""
    types: tuple[str, ...]
    """"me", "cs" or both."""
    naming: str
    version: str
    """Version of the package."""
    sources: tuple[str, ...] = ()
    """Names of source files, if they are inside."""

    @property
    def program(self) -> Program:
        """The model, compiled."""
        return self.image.program

    @property
    def text(self) -> str:
        """What the model is."""
        count = len(self.program.elements)
        return f"{self.program.name}: {count} element{'s' * (count != 1)}, {len(self.variables.states)} states"

    @property
    def experiment(self) -> Mapping[str, str]:
        """The default experiment."""
        settings = self.image.settings
        names = {"stopTime": "t_end", "tolerance": "tolerance", "stepSize": "h"}
        return {"startTime": "0.0"} | {name: repr(float(settings[key])) for name, key in names.items()}

    def dependencies(self, reference: int) -> tuple[int, ...] | None:
        """References of what an output or a rate may depend on; None (everything) if that would fill the file."""
        if reference in self.variables.states:
            return (reference,)
        return self._of_rates.get(reference, self._everything)

    @cached_property
    def _everything(self) -> tuple[int, ...] | None:
        """All inputs and states: modes decide what each part of a machine acts on."""
        known = self.variables
        inputs = [v.reference for v in known.all if v.causality == "input"]
        size = (len(inputs) + len(known.states)) * (len(known.outputs) + len(known.rates))
        return (*inputs, *known.states) if size <= MOST_DEPENDENCIES else None

    @cached_property
    def initial_dependencies(self) -> tuple[int, ...] | None:
        """References of what initialisation starts from: all inputs and parameters; None as above."""
        known = self.variables
        starts = tuple(v.reference for v in known.all if v.causality in ("input", "parameter"))
        return starts if len(starts) * len(known.initial_unknowns) <= MOST_DEPENDENCIES else None

    @cached_property
    def _of_rates(self) -> Mapping[int, tuple[int, ...]]:
        """Rates of positions depend on some speeds, and on inputs that prescribe motions."""
        return dict(self._position_rates())

    def _position_rates(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        known = self.variables
        inputs = [v.reference for v in known.all if v.causality == "input" and v.variability == "discrete"]
        for state, speeds, moved in position_rates(self.program):
            yield known.rates[state], (*(inputs if moved else ()), *(known.states[k] for k in speeds))


def attributes(**values: str | float | None) -> dict[str, str]:
    """Attributes of XML: numbers to the last bit, without those that are empty.

    >>> attributes(name="mass.w", start=0.1, unit="")
    {'name': 'mass.w', 'start': '0.1'}
    """
    return {
        name: value if isinstance(value, str) else repr(float(value))
        for name, value in values.items()
        if value is not None and value != ""
    }


def number(variable: Variable, value: float | None) -> float | str | None:
    """A value of a variable: a whole number if that is its type."""
    return value if variable.type is None or value is None else str(int(value))


def log_categories(parent: Element) -> None:
    """The categories of messages; both versions of FMI have them alike."""
    categories = SubElement(parent, "LogCategories")
    for name, text in CATEGORIES.items():
        SubElement(categories, "Category", name=name, description=text)


def written(root: Element) -> str:
    """A file of XML."""
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
