"""The first page: all papers with their verdicts, and every claim in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from stribeck.reports import paragraphs, prose, tag, writable_folder, write_page

from .claims import Counts, bar, counts_table, filtered_table, style
from .paper import Paper
from .report import Report
from .scorecard import Verdict

ABOUT = (
    "Every figure, table and claim of five papers on friction and clutches, run again. Each verdict is computed in "
    "this run, by one rule for each kind of claim. The figures of the papers were not at hand, only their texts."
)


def write_first_page(reports: Sequence[Report], folder: Path) -> Path:
    """Writes index.html: the papers, their verdicts, and every claim, with links to the pages.

    >>> write_first_page([part], Path("papers"))
    PosixPath('papers/index.html')
    """
    writable_folder(folder)
    papers = [report for report in reports if isinstance(report.collection, Paper)]
    others = [report for report in reports if not isinstance(report.collection, Paper)]
    counts: Counts = sum((report.counts for report in reports), Counter())
    entries = [
        (f"{report.name}.html#{outcome.item.slug}", f"{report.collection.key} {outcome.item.label}", claim)
        for report in reports
        for outcome, claim in report.claims
    ]
    return write_page(
        folder / "index.html",
        "Papers reproduced",
        tag("h1", "Papers reproduced"),
        paragraphs(ABOUT),
        tag("div", "".join(map(_paper, papers)), class_="papers"),
        *map(_other, others),
        tag("h2", "Verdicts"),
        counts_table(counts),
        _summary(papers),
        tag("h2", "All claims"),
        filtered_table(entries),
        style=style(),
    )


def _paper(report: Report) -> str:
    """A paper: its title, its verdicts as a bar, and its first finding."""
    paper = report.collection
    known = {outcome.item.label: outcome.finding.headline for outcome in report.outcomes}
    first = next((known[label] for label in paper.highlights if known.get(label)), "")
    about = f"{paper.authors}, {paper.year}" if isinstance(paper, Paper) else ""
    links = {f"{report.name}.html": paper.key, f"{paper.key}-errata.html": f"errata ({len(report.errata)})"}
    parts = [
        tag("h3", tag("a", prose(paper.title), href=f"{report.name}.html")),
        tag("p", escape(about), class_="note"),
        bar(report.counts),
        tag("p", prose(first)),
        tag("p", " · ".join(tag("a", escape(word), href=page) for page, word in links.items()), class_="note"),
    ]
    return tag("div", "".join(parts), class_="card")


def _other(report: Report) -> str:
    """A study across the papers: its items."""
    collection, page = report.collection, f"{report.name}.html"
    links = (tag("li", tag("a", prose(o.item.title), href=f"{page}#{o.item.slug}")) for o in report.outcomes)
    title = tag("h2", tag("a", prose(collection.title), href=page))
    return title + paragraphs(collection.summary) + tag("ul", "".join(links), class_="contents")


def _summary(reports: Sequence[Report]) -> str:
    """The papers one below the other, with counts."""
    rows = []
    for report in reports:
        counts = Counter(claim.verdict for _, claim in report.claims)
        values = report.converged
        met = f"{sum(value.met for value in values)} of {len(values)}" if values else ""
        cells = [str(counts.total()), *(str(counts[verdict] or "") for verdict in Verdict), met]
        link = tag("td", tag("a", escape(report.collection.key), href=f"{report.name}.html"))
        rows.append(tag("tr", link + "".join(tag("td", cell, class_="number") for cell in cells)))
    heads = ["claims", *Verdict, "converged values met"]
    head = tag("th", "paper") + "".join(tag("th", str(head), class_="number") for head in heads)
    table = tag("table", tag("thead", tag("tr", head)) + tag("tbody", "".join(rows)))
    return tag("div", table, class_="scroll")
