"""The energy balance of a run.

Each term is integrated independently; none is computed as the remainder of the others:

    input = stored + dissipated + numerical + residual
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from .data_table import DataTable, in_notebook


class EnergyRow(NamedTuple):
    """One line of the balance: term, element ("" if none), energy (J), share of the throughput."""

    term: str
    element: str
    joule: float
    share: float


@dataclass(frozen=True)
class Energy:
    """Energies in J, by element where possible.

    >>> energy = Energy(input={"pull": 2.0}, stored={"spring": 0.5}, dissipated={"friction": 1.5})
    >>> print(energy)
    term        element     J  share
    input       pull        2      1
    stored      spring    0.5   0.25
    dissipated  friction  1.5   0.75
    numerical               0      0
    residual                0      0
    """

    input: Mapping[str, float] = field(default_factory=dict)
    """Work of sources and prescribed motions on the machine."""
    stored: Mapping[str, float] = field(default_factory=dict)
    """Change of kinetic energy, and of energy in springs and bristles, over the run."""
    dissipated: Mapping[str, float] = field(default_factory=dict)
    """Heat in friction elements and dampers."""
    numerical: float = 0.0
    """Work of the integration error: decreases with the tolerance."""
    residual: float = 0.0
    """The remainder of the sum: rounding."""
    initial: Mapping[str, float] = field(default_factory=dict)
    """Initially stored energy."""
    released: Mapping[str, float] = field(default_factory=dict)
    """Energy from stores without a lower bound, such as the height of a vehicle, relative to t = 0."""

    @property
    def throughput(self) -> float:
        """The energy available to the machine (J): stored initially, plus the magnitude of the net work of each source,
        plus that from heights.

        >>> energy.throughput
        2.0
        """
        stored = sum(self.initial.values()) + sum(self.released.values())
        return stored + sum(map(abs, self.input.values()))

    def balance(self) -> list[EnergyRow]:
        """The balance line by line, with shares of the throughput.

        >>> energy.balance()[0]
        EnergyRow(term='input', element='pull', joule=2.0, share=1.0)
        """
        by_element = {"input": self.input, "stored": self.stored, "dissipated": self.dissipated}
        lines = [(term, e, joule) for term, part in by_element.items() for e, joule in part.items()]
        lines += [("numerical", "", self.numerical), ("residual", "", self.residual)]
        whole = self.throughput
        return [EnergyRow(term, e, joule, joule / whole if whole else 0.0) for term, e, joule in lines]

    def to_dict(self) -> dict[str, Any]:
        """The terms by name, as in summary.json."""
        return {**asdict(self), "throughput": self.throughput}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Energy:
        """The inverse of `to_dict`."""
        return cls(**{name: value for name, value in values.items() if name != "throughput"})

    def table(self) -> DataTable:
        """The balance as a table.

        >>> energy.table().heads
        ['term', 'element', 'J', 'share']
        """
        return DataTable(["term", "element", "J", "share"], self.balance())

    def _repr_html_(self) -> str:
        return in_notebook(str(self) if self == Energy() else self.table())

    def __str__(self) -> str:
        if self == Energy():
            return "no energy: the balance was not computed, or nothing moved"
        return self.table().text()
