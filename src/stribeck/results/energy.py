"""The energy ledger of a run.

Each term is integrated for itself, none is the remainder of the others:

    input = stored + dissipated + numerical + residual
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from .data_table import DataTable


class EnergyRow(NamedTuple):
    """One line of the balance: term, element ("" where it belongs to none), energy (J), share of the throughput."""

    term: str
    element: str
    joule: float
    share: float


@dataclass(frozen=True)
class Energy:
    """Energies in J, by element where they belong to one.

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
    """Work that sources and prescribed motions do on the machine."""
    stored: Mapping[str, float] = field(default_factory=dict)
    """Change of kinetic energy, and of energy in springs and bristles, from the start to the end."""
    dissipated: Mapping[str, float] = field(default_factory=dict)
    """Heat in friction elements and dampers."""
    numerical: float = 0.0
    """Work of the integration error: falls with the tolerance."""
    residual: float = 0.0
    """What the sum leaves over: rounding."""
    initial: Mapping[str, float] = field(default_factory=dict)
    """Energy stored at the start."""
    released: Mapping[str, float] = field(default_factory=dict)
    """What stores have given that have no bottom: the height of a vehicle, for one, which counts from the start."""

    @property
    def throughput(self) -> float:
        """What the machine had to work with (J): stored at the start, plus the net work of each source by amount, plus
        what heights have given.

        >>> energy.throughput
        2.0
        """
        stored = sum(self.initial.values()) + sum(self.released.values())
        return stored + sum(map(abs, self.input.values()))

    def balance(self) -> list[EnergyRow]:
        """The ledger line by line, with shares of the throughput.

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
        """From what `to_dict` gives."""
        return cls(**{name: value for name, value in values.items() if name != "throughput"})

    def __str__(self) -> str:
        if self == Energy():
            return "no energy: the ledger was not kept, or nothing moved"
        return DataTable(["term", "element", "J", "share"], self.balance()).text()
