"""A paper as a list of items; each runs an experiment and states its outcome."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import stribeck as sb
from stribeck.reports import DataTable

from .choice import choose
from .converged import Converged, Value, compare
from .scorecard import Basis, Claim
from .settings import noting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def titled_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str | int | float]]) -> DataTable:
    """A table with a title: texts and numbers.

    >>> titled_table("Periods", ["law", "period / s"], [["LuGre", 6.36]])
    """
    return DataTable(heads, rows, title=title)


@dataclass(frozen=True, eq=False)
class Finding:
    """The result of an item: a text, judged claims, a picture, tables, and values that are in golden.csv."""

    text: str
    claims: Sequence[Claim] = ()
    picture: Figure | None = None
    tables: Sequence[DataTable] = ()
    converged: Mapping[str, Value] = field(default_factory=dict)
    """By the names of golden.csv: a value, or a value with the accuracy that its run can have."""
    headline: str = ""
    """One sentence with the numbers of this run, if the paper lists the item among its `highlights`."""
    alt: str = ""
    """What the picture shows, in words."""


Experiment = Callable[[bool], Finding]
"""From `quick` (coarser scans, the same claims) to a finding."""


@dataclass(frozen=True)
class Item:
    """A figure, a table or a section: its label in the paper, a title, what the paper shows, and the experiment.

    >>> Item("Figure 6", "Two tolerances", shows="...", run=lambda quick: Finding("...")).slug
    'figure-6'
    """

    label: str
    title: str
    shows: str
    run: Experiment
    basis: Basis = Basis.PRINTED
    """What verdicts on its claims rest on, unless a claim states its own."""
    equations: Sequence[str] = ()
    """The numbers of the equations that it is about, as `Collection.equations` has them."""
    also: Sequence[str] = ()
    """Other labels of the paper that are part of it."""

    @property
    def slug(self) -> str:
        """The label as a name of files and anchors."""
        return re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")


class Outcome(NamedTuple):
    """An item with its finding, or the error that stopped it."""

    item: Item
    finding: Finding
    seconds: float
    error: str = ""
    processor: float = 0.0
    """Seconds of the processor, in all threads and in programs that were called."""
    laws: Sequence[str] = ()
    """The laws in its models, as far as they are `adjusted`."""
    example: str = ""
    """A parameter of its models with another value, as `--set` takes it."""

    @property
    def claims(self) -> list[Claim]:
        """Its claims, each with what the verdict rests on and where the paper says it."""
        item = self.item
        return [
            replace(claim, basis=claim.basis or item.basis, where=claim.where or item.label)
            for claim in self.finding.claims
        ]

    @property
    def converged(self) -> list[Converged]:
        """Its converged values compared with those of independent methods."""
        return compare(self.finding.converged)


def _processor() -> float:
    """Seconds of the processor until now, with those of programs that were called and have ended."""
    return sum(os.times()[:4])


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Experiments under one title: its items are in the order of their definition.

    >>> from stribeck_papers import across
    >>> across.COLLECTION.key
    'across'
    """

    key: str
    title: str
    summary: str
    equations: Mapping[str, str] = field(default_factory=dict)
    """Its equations in LaTeX, by their numbers, as they are read."""
    highlights: Sequence[str] = ()
    """Labels of the items whose findings come first on its page: five, the most important one first."""
    items: list[Item] = field(default_factory=list)

    def item(
        self,
        label: str,
        title: str,
        shows: str,
        basis: str = Basis.PRINTED,
        equations: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> Callable[[Experiment], Experiment]:
        """Registers the function below it as the item with this label; `basis` is that of its claims, `equations` are
        the numbers of those that it is about, `also` are other labels that are part of it.

        >>> paper = Paper(key="key", authors="Authors", title="Title", venue="Journal", year=2002, summary="...")
        >>> @paper.item("Figure 6", "Two tolerances", shows="the friction torque at tolerances of 1e-4 and 1e-6")
        ... def figure_6(quick: bool) -> Finding: ...
        """
        for name in (label, *also):
            if name in self._known():
                raise ValueError(f"{self.key} has two items '{name}'")

        def register(experiment: Experiment) -> Experiment:
            self.items.append(Item(label, title, shows, experiment, Basis(basis), tuple(equations), tuple(also)))
            return experiment

        return register

    @property
    def labels(self) -> list[str]:
        """The labels of its items."""
        return [item.label for item in self.items]

    def _known(self) -> dict[str, Item]:
        """The items by all of their labels."""
        return {label: item for item in self.items for label in (item.label, *item.also)}

    def chosen(self, labels: Iterable[str]) -> list[Item]:
        """The items with these labels, in the order of the paper; all if no label is given.

        >>> guo2017.PAPER.chosen(["Figure 9"])
        UnknownName: guo2017 has no item 'Figure 9'; did you mean 'Figure ...'? (known: Section I, ...)
        """
        asked = [choose(f"{self.key} has no item", label, self._known()) for label in labels]
        return [item for item in self.items if not asked or item in asked]

    def run(self, labels: Iterable[str] = (), *, quick: bool = False) -> Iterator[Outcome]:
        """Runs the items, all by default, one after the other; if one fails, the others still run.

        >>> for item, finding, *_ in guo2017.PAPER.run(["Equation 1"]):
        ...     print(item.label, finding.text)
        """
        for item in self.chosen(labels):
            start, processor = time.perf_counter(), _processor()
            with noting() as noted:
                try:
                    finding, error = item.run(quick), ""
                except Exception as raised:  # of any kind: other codes take part, and the other items should not suffer
                    known = isinstance(raised, sb.StribeckError)
                    error = str(raised) if known else f"{type(raised).__name__}: {raised}"
                    finding = Finding(f"The run failed: {error}")
            times = time.perf_counter() - start, error, _processor() - processor
            yield Outcome(item, finding, *times, tuple(noted.laws), noted.example)


@dataclass(frozen=True, kw_only=True)
class Paper(Collection):
    """A paper: what it is, how we read it, and its items.

    >>> from stribeck_papers import guo2017
    >>> [item.label for item in guo2017.PAPER.items][:2]
    ['Section I', 'Equation 1']
    """

    authors: str
    venue: str
    year: int
    reading: Sequence[str] = ()
    """What the paper leaves open and how it is read; misprints are claims with `corrected`."""
    doi: str = ""
    """If the paper prints one."""
