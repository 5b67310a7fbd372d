"""The output of a reproduced paper: a page to read, pictures, and tables for programs."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from stribeck.reports import DataTable, bullets, image, paragraphs, prose, tag, writable_folder, write_page

from .converged import Converged
from .paper import Outcome, Paper
from .scorecard import Basis, Claim, Verdict

COLUMNS = ("paper", "item", "claim", "paper's value", "our value", "verdict", "reason", "basis", "where", "rule")
SHOWN = COLUMNS[:7]
"""Columns of pages, which show the basis with the verdict."""
MEANS = (
    "Reproduced means that our number rounds to the printed one, or that the statement holds in our run. On a "
    "reconstruction, a machine with parameters of ours because the paper prints none, it means that the claim can hold."
)
CLASSES = {verdict: verdict.name.lower() for verdict in Verdict}


@dataclass(frozen=True)
class Report:
    """A paper and the outcomes of its items.

    >>> part = Report(guo2017.PAPER, list(guo2017.PAPER.run(["Equation 1"], quick=True)))
    >>> part.name
    'guo2017-equation-1'
    """

    paper: Paper
    outcomes: Sequence[Outcome]

    @property
    def name(self) -> str:
        """The key of the paper, with the items if only some were run."""
        slugs = [outcome.item.slug for outcome in self.outcomes]
        return self.paper.key if len(slugs) == len(self.paper.items) else "-".join([self.paper.key, *slugs])

    @property
    def claims(self) -> list[tuple[Outcome, Claim]]:
        """Every claim with the item that it belongs to."""
        return [(outcome, claim) for outcome in self.outcomes for claim in outcome.claims]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the scorecard, as COLUMNS names them."""
        return [
            (
                *(self.paper.key, outcome.item.label, c.claim, c.printed, c.ours, c.verdict.value, c.reason),
                *(str(c.basis), c.where, f"{c.rule.kind}: {c.rule.band}"),
            )
            for outcome, c in self.claims
        ]

    @property
    def counts(self) -> Counter[Verdict]:
        """How many claims have which verdict."""
        return Counter(claim.verdict for _, claim in self.claims)

    @property
    def bases(self) -> Counter[Basis]:
        """What the reproduced claims rest on."""
        return Counter(claim.basis or Basis.PRINTED for _, claim in self.claims if claim.verdict is Verdict.REPRODUCED)

    @property
    def converged(self) -> list[Converged]:
        """All converged values."""
        return [value for outcome in self.outcomes for value in outcome.converged]

    @property
    def seconds(self) -> float:
        """Time of all items."""
        return sum(outcome.seconds for outcome in self.outcomes)


def write_report(report: Report, folder: Path) -> list[Path]:
    """Writes KEY.html and KEY/figure-N.png, or KEY-figure-N.html for a part of a paper; returns their paths.

    >>> write_report(part, Path("papers"))[0]
    PosixPath('papers/guo2017-equation-1.html')
    """
    pictures = _write_pictures(report, folder / report.paper.key)
    title, parts = f"{report.paper.key} reproduced", _parts(report, pictures)
    return [write_page(folder / f"{report.name}.html", title, *parts, style=_style()), *pictures.values()]


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
    """Writes scorecard.csv, and converged.csv with every value that independent methods confirm.

    Rows of other items from earlier runs into the same folder are kept.

    >>> write_scorecard([part], Path("papers"))
    [PosixPath('papers/scorecard.csv'), PosixPath('papers/converged.csv')]
    """
    reports = list(reports)
    writable_folder(folder)
    claims = [row for report in reports for row in report.rows]
    values = [_converged_row(value) for report in reports for value in report.converged]
    run = {(report.paper.key, outcome.item.label) for report in reports for outcome in report.outcomes}
    scorecard, converged = folder / "scorecard.csv", folder / "converged.csv"
    kept = [tuple(row) for row in _rows(scorecard, COLUMNS) if (row[0], row[1]) not in run]
    known = {value[0] for value in values}
    others = [tuple(row) for row in _rows(converged, CONVERGED) if row[0] not in known]
    DataTable(COLUMNS, sorted([*kept, *claims], key=lambda row: str(row[0]))).save(scorecard)
    DataTable(CONVERGED, sorted([*others, *values], key=lambda row: str(row[0]))).save(converged)
    return [scorecard, converged]


def write_first_page(reports: Sequence[Report], folder: Path) -> Path:
    """Writes index.html: the verdict on every claim of all papers, with links to the pages.

    >>> write_first_page([part], Path("papers"))
    PosixPath('papers/index.html')
    """
    claims = [(report, outcome, claim) for report in reports for outcome, claim in report.claims]
    lines = [_summary_row(report) for report in reports]
    summary = tag("table", _head("paper", "", "claims", *Verdict, "converged values met") + "".join(lines))
    return write_page(
        folder / "index.html",
        "Papers reproduced",
        tag("h1", "Papers reproduced"),
        paragraphs(
            f"Every figure, table and claim of the source papers, run again; each value is of this run. {MEANS}"
        ),
        _counts(reports),
        summary,
        tag("h2", "Scorecard"),
        _scorecard(
            [
                (f"{report.paper.key}.html#{outcome.item.slug}", outcome, claim, report.paper.key)
                for report, outcome, claim in claims
            ]
        ),
        style=_style(),
    )


def _style() -> str:
    """The style of scorecards."""
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def _parts(report: Report, pictures: Mapping[str, Path]) -> list[str]:
    """The page of one paper: the scorecard first, then how we read it, then its items."""
    paper = report.paper
    return [
        tag("h1", escape(paper.title)),
        paragraphs(f"{paper.authors}. {paper.venue}, {paper.year}.", class_="byline"),
        paragraphs(paper.summary),
        tag("h2", "Scorecard"),
        _counts([report]),
        _scorecard([(f"#{outcome.item.slug}", outcome, claim, "") for outcome, claim in report.claims]),
        *([tag("h2", "How we read it"), bullets(paper.reading)] if paper.reading else []),
        *(_section(outcome, pictures.get(outcome.item.slug)) for outcome in report.outcomes),
        *_converged(report.converged),
    ]


def _section(outcome: Outcome, drawn: Path | None) -> str:
    """An item: what the paper shows and what we get side by side, the picture, tables and claims."""
    item, finding = outcome.item, outcome.finding
    sides = [("In the paper", item.shows), ("Here", finding.text)]
    boxes = [tag("div", tag("h4", head) + paragraphs(text)) for head, text in sides]
    parts = [
        tag("h2", prose(f"{item.label}: {item.title}")),
        tag("div", "".join(boxes), class_="sides"),
        *([image(drawn, item.title)] if drawn is not None else []),
        *map(_table, finding.tables),
        _claims(outcome.claims),
    ]
    return tag("section", "\n".join(parts), id=item.slug)


def _table(shown: DataTable) -> str:
    untitled = replace(shown, title="")
    return tag("h3", prose(shown.title)) + tag("div", untitled.html(), class_="scroll")


def _claims(claims: Sequence[Claim]) -> str:
    rows = "".join(_claim_row([], claim) for claim in claims)
    return tag("table", _head(*SHOWN[2:]) + tag("tbody", rows), class_="wide") if claims else ""


def _scorecard(entries: Sequence[tuple[str, Outcome, Claim, str]]) -> str:
    """All claims with buttons that choose among them; each leads to its item. The last entry is the paper, if shown."""
    several = any(key for *_, key in entries)
    rows = []
    for link, outcome, claim, key in entries:
        item = tag("a", escape(outcome.item.label), href=link)
        rows.append(_claim_row([*([escape(key)] if several else []), item], claim))
    heads = SHOWN if several else SHOWN[1:]
    shown = tag("table", _head(*heads) + tag("tbody", "".join(rows)), class_="wide")
    return tag("div", _filters() + tag("div", shown, class_="scroll"))


def _filters() -> str:
    """Buttons without a script: all, or the claims with one verdict."""
    choices = {"all": "all", **{kind: verdict.value for verdict, kind in CLASSES.items()}}
    return "".join(
        f'<input class="filter" type="radio" name="only" id="only-{kind}"{" checked" if kind == "all" else ""}>'
        + tag("label", word, for_=f"only-{kind}")
        for kind, word in choices.items()
    )


def _claim_row(before: Sequence[str], claim: Claim) -> str:
    texts = {"claim": claim.claim, "printed": claim.printed, "ours": claim.ours}
    checked = claim.basis is not Basis.PRINTED and claim.verdict is not Verdict.UNCHECKED
    verdict = claim.verdict.value + (tag("div", str(claim.basis), class_="basis") if checked else "")
    cells = [tag("td", cell, class_="item") for cell in before]
    cells += [tag("td", prose(text), class_=kind) for kind, text in texts.items()]
    cells += [tag("td", verdict, class_="verdict"), tag("td", prose(claim.reason), class_="reason")]
    return tag("tr", "".join(cells), class_=CLASSES[claim.verdict])


def _summary_row(report: Report) -> str:
    """A line of the first page: a paper, a bar of its verdicts, and counts."""
    paper, counts, values = report.paper, report.counts, report.converged
    link = tag("a", escape(paper.key), href=f"{paper.key}.html")
    spans = "".join(tag("span", "", class_=CLASSES[v], style=f"flex: {counts[v]}") for v in Verdict)
    met = f"{sum(value.met for value in values)} of {len(values)}" if values else ""
    cells = [link, tag("div", spans, class_="bar"), str(counts.total()), *(str(counts[v]) for v in Verdict), met]
    return tag("tr", "".join(tag("td", cell) for cell in cells))


def _counts(reports: Sequence[Report]) -> str:
    """Counts of verdicts, and what the reproduced claims rest on."""
    counts: Counter[Verdict] = sum((report.counts for report in reports), Counter())
    bases: Counter[Basis] = sum((report.bases for report in reports), Counter())
    words = (tag("span", f"{counts[v]} {v.value}", class_=f"count {CLASSES[v]}") for v in Verdict)
    rest = f"Of those that are reproduced, {bases[Basis.PRINTED]} rest on what the paper prints, "
    rest += f"{bases[Basis.RECONSTRUCTION]} on a reconstruction, {bases[Basis.PUT_IN]} on what was put in."
    return tag("p", "".join(words)) + (paragraphs(rest, class_="note") if bases.total() > bases[Basis.PRINTED] else "")


def _head(*heads: str) -> str:
    return tag("thead", tag("tr", "".join(tag("th", escape(str(head))) for head in heads)))


CONVERGED = ("name", "unit", "ours", "golden", "difference", "allowed", "met", "golden by")


def _converged(values: Sequence[Converged]) -> list[str]:
    if not values:
        return []
    about = "Values of the same machines from two independent methods each, and ours at a tight tolerance."
    rows = [
        [name, unit, f"{ours:.12g}", f"{golden:.12g}", *rest]
        for name, unit, ours, golden, *rest in map(_converged_row, values)
    ]
    return [
        tag("h2", "Converged values"),
        paragraphs(about),
        tag("div", DataTable(CONVERGED, rows).html(), class_="scroll"),
    ]


def _converged_row(value: Converged) -> tuple[str, str, float, float, str, str, str, str]:
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
