"""The output of a reproduced paper: a page to read, pictures, errata, and tables for programs."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stribeck.reports import DataTable, writable_folder

from .converged import Converged
from .paper import Collection, Outcome, Paper
from .scorecard import Basis, Claim, Verdict

COLUMNS = ("paper", "item", "claim", "paper's value", "our value", "verdict", "reason", "basis", "where", "rule")
CONVERGED = ("name", "unit", "ours", "golden", "difference", "allowed", "met", "golden by")
ERRATA = ("paper", "where", "what it says", "printed", "should be", "evidence", "kind")
"""The columns of scorecard.csv, converged.csv and errata.csv."""
SLIPS = (Verdict.MISPRINT, Verdict.CONTRADICTS)
"""The verdicts that make an erratum."""


@dataclass(frozen=True)
class Report:
    """A paper and the outcomes of its items; in a reduced form if `quick`, with other values of parameters if any.

    >>> part = Report(guo2017.PAPER, list(guo2017.PAPER.run(["Equation 1"], quick=True)))
    >>> part.name
    'guo2017-equation-1'
    """

    collection: Collection
    outcomes: Sequence[Outcome]
    quick: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    """Other values of parameters, by their paths: then nothing here is the paper's."""

    @property
    def whole(self) -> bool:
        """Whether all items were run, as the paper has them."""
        return len(self.outcomes) == len(self.collection.items) and not self.values

    @property
    def name(self) -> str:
        """The key of the paper, with the items if only some were run."""
        slugs = [outcome.item.slug for outcome in self.outcomes]
        parts = [] if len(slugs) == len(self.collection.items) else slugs
        return "-".join([self.folder, *parts])

    @property
    def folder(self) -> str:
        """The name of the folder of its pictures."""
        return f"{self.collection.key}-with-other-values" if self.values else self.collection.key

    @property
    def claims(self) -> list[tuple[Outcome, Claim]]:
        """Every claim with the item that it belongs to."""
        return [(outcome, claim) for outcome in self.outcomes for claim in outcome.claims]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the scorecard, as COLUMNS names them."""
        return [
            (
                *(self.collection.key, outcome.item.label, c.claim, c.printed, c.ours, c.verdict.value, c.reason),
                *(str(c.basis), c.where, f"{c.rule.kind}: {c.rule.band}"),
            )
            for outcome, c in self.claims
        ]

    @property
    def errata(self) -> list[tuple[str, ...]]:
        """What is printed wrongly, as ERRATA names the columns."""
        return [
            (self.collection.key, c.where, c.claim, c.printed, c.corrected or c.ours, c.reason, c.verdict.value)
            for _, c in self.claims
            if c.verdict in SLIPS
        ]

    @property
    def counts(self) -> Counter[tuple[Verdict, Basis]]:
        """How many claims have which verdict on which basis."""
        return Counter((claim.verdict, claim.basis or Basis.PRINTED) for _, claim in self.claims)

    @property
    def converged(self) -> list[Converged]:
        """All converged values; none with other values of parameters."""
        return [] if self.values else [value for outcome in self.outcomes for value in outcome.converged]

    @property
    def seconds(self) -> float:
        """Time of all items."""
        return sum(outcome.seconds for outcome in self.outcomes)


def write_report(report: Report, folder: Path) -> list[Path]:
    """Writes KEY.html, KEY-errata.html and KEY/figure-N.png, or KEY-figure-N.html for a part of a paper.

    >>> write_report(part, Path("papers"))[0]
    PosixPath('papers/guo2017-equation-1.html')
    """
    from .page import write_collection_page, write_errata_page

    pictures = _write_pictures(report, folder / report.folder)
    pages = [write_collection_page(report, pictures, folder)]
    if report.whole and isinstance(report.collection, Paper):
        pages.append(write_errata_page(report, folder))
    return [*pages, *pictures.values()]


def _write_pictures(report: Report, folder: Path) -> dict[str, Path]:
    """Writes the pictures; slug -> file."""
    writable_folder(folder)
    written = {}
    for item, finding, *_ in report.outcomes:
        if finding.picture is not None:
            written[item.slug] = folder / f"{item.slug}.png"
            finding.picture.savefig(written[item.slug])
    return written


def write_scorecard(reports: Iterable[Report], folder: Path) -> list[Path]:
    """Writes scorecard.csv, converged.csv with every value that independent methods confirm, and errata.csv.

    Rows of other items from earlier runs into the same folder are kept. Runs with other values have no row.

    >>> write_scorecard([part], Path("papers"))
    [PosixPath('papers/scorecard.csv'), PosixPath('papers/converged.csv'), PosixPath('papers/errata.csv')]
    """
    reports = [report for report in reports if not report.values]
    if not reports:
        return []
    writable_folder(folder)
    run = {(report.collection.key, outcome.item.label) for report in reports for outcome in report.outcomes}
    claims = [row for report in reports for row in report.rows]
    values = [converged_row(value) for report in reports for value in report.converged]
    slips = [row for report in reports for row in report.errata]
    known = {value[0] for value in values}
    asked = {(report.collection.key, claim.where) for report in reports for _, claim in report.claims}
    return [
        _merge(folder / "scorecard.csv", COLUMNS, claims, lambda row: (row[0], row[1]) not in run),
        _merge(folder / "converged.csv", CONVERGED, values, lambda row: row[0] not in known),
        _merge(folder / "errata.csv", ERRATA, slips, lambda row: (row[0], row[1]) not in asked),
    ]


def _merge(
    path: Path, heads: Sequence[str], rows: Sequence[Sequence[object]], keeps: Callable[[list[str]], bool]
) -> Path:
    """Writes rows, and those of an earlier run that are kept, sorted by their first column."""
    kept = [tuple(row) for row in _rows(path, heads) if keeps(row)]
    DataTable(heads, sorted([*kept, *rows], key=lambda row: str(row[0]))).save(path)
    return path


def converged_row(value: Converged) -> tuple[str, str, float, float, str, str, str, str]:
    """A converged value, as CONVERGED names the columns.

    >>> from stribeck_papers.converged import compare
    >>> converged_row(compare({"B.BearingFriction.period": 6.453932708291})[0])[6]
    'yes'
    """
    golden = value.golden
    spread = f"{value.difference:.1e}", f"{value.allowed:.1e}", "yes" if value.met else "NO"
    return (value.name, golden.unit, value.ours, golden.values[0], *spread, golden.methods)


def _rows(path: Path, head: Sequence[str]) -> list[list[str]]:
    """The rows of a table written by an earlier run, if it has these heads."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        first, *rest = [*csv.reader(file)] or [[]]
    return [row for row in rest if len(row) == len(head)] if first == list(head) else []
