"""The pages of a paper: its findings first, then its items, all claims in a table at the end; and its errata."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from inspect import unwrap
from io import BytesIO
from pathlib import Path

from stribeck.reports import DataTable, bullets, image, paragraphs, prose, tag, writable_folder, write_page

from .claims import card, counts_table, filtered_table, style
from .converged import Converged
from .formula import mathml
from .paper import Collection, Outcome, Paper
from .report import CONVERGED, ERRATA, Report, converged_row

BESIDE = 3
"""So many claims are beside the picture of an item, the others below it."""
MOST_LAWS = 4
"""So many laws of an item are named with the command that describes them."""
THUMBNAIL = 80
"""Dots per inch of the pictures beside the findings."""
NO_FIGURES = (
    "The figures of the paper were not at hand, only its text: curves are compared with captions, printed numbers and "
    "what the text says of them. Every value here was computed in the run that wrote this page."
)
QUICK = "This is a quick run: scans are thinner and ensembles smaller than those of the full run, with the same claims."


def write_collection_page(report: Report, pictures: Mapping[str, Path], folder: Path) -> Path:
    """Writes the page of a paper, or of a part of it, in one file.

    >>> write_collection_page(part, {}, Path("papers"))
    PosixPath('papers/guo2017-equation-1.html')
    """
    writable_folder(folder)
    title = f"{report.collection.key} reproduced" if isinstance(report.collection, Paper) else report.collection.title
    return write_page(folder / f"{report.name}.html", title, *_parts(report, pictures), style=style())


def write_errata_page(report: Report, folder: Path) -> Path:
    """Writes the errata of a paper: where, what is printed, what it should be, and the evidence.

    >>> write_errata_page(part, Path("papers"))
    PosixPath('papers/guo2017-errata.html')
    """
    writable_folder(folder)
    paper, rows = report.collection, [row[1:] for row in report.errata]
    about = (
        "Slips of the pen and sentences that contradict each other, as found by running the paper. Each follows from "
        "a computation or from another place in the paper; the page of the paper has the runs."
    )
    shown = DataTable(ERRATA[1:], rows).html() if rows else paragraphs("None was found.")
    return write_page(
        folder / f"{paper.key}-errata.html",
        f"Errata of {paper.key}",
        _links({"index.html": "all papers", f"{paper.key}.html": paper.key}),
        tag("h1", f"Errata: {escape(paper.title)}"),
        _byline(paper),
        paragraphs(about),
        tag("div", shown, class_="scroll"),
        style=style(),
    )


def _links(pages: Mapping[str, str]) -> str:
    """Links at the top of a page."""
    return tag("nav", " · ".join(tag("a", escape(word), href=page) for page, word in pages.items()))


def _byline(collection: Collection) -> str:
    if not isinstance(collection, Paper):
        return ""
    words = prose(f"{collection.authors}. {collection.venue}, {collection.year}.")
    doi = tag("a", f"doi:{escape(collection.doi)}", href=f"https://doi.org/{collection.doi}") if collection.doi else ""
    return tag("p", f"{words} {doi}".rstrip(), class_="byline")


def _parts(report: Report, pictures: Mapping[str, Path]) -> list[str]:
    collection, claims = report.collection, report.claims
    links = {"index.html": "all papers", "#items": "items"}
    links |= {"#claims": "all claims"} if claims else {}
    links |= {f"{collection.key}-errata.html": f"errata ({len(report.errata)})"} if report.whole and claims else {}
    return [
        _links(links),
        tag("h1", prose(collection.title)),
        _byline(collection),
        *_warnings(report),
        paragraphs(collection.summary),
        *([paragraphs(NO_FIGURES, class_="note")] if isinstance(collection, Paper) else []),
        *_highlights(report),
        *([tag("h2", "Verdicts"), counts_table(report.counts)] if claims else []),
        *_reading(collection),
        tag("h2", "Items", id="items"),
        tag("ul", "".join(map(_entry, report.outcomes)), class_="contents"),
        *(_section(report, outcome, pictures.get(outcome.item.slug)) for outcome in report.outcomes),
        *([tag("h2", "All claims", id="claims"), _all_claims(report)] if claims else []),
        *_converged(report.converged),
    ]


def _warnings(report: Report) -> list[str]:
    """What makes this page another one than that of the paper."""
    values = ", ".join(f"{path} = {value}" for path, value in report.values.items())
    texts = [QUICK] if report.quick else []
    texts += [f"With other values: {values}. Verdicts here are not verdicts on the paper."] if values else []
    return [tag("p", escape(text), class_="warning") for text in texts]


def _highlights(report: Report) -> list[str]:
    """The findings that come first, each with its picture and a link to its item."""
    known = {outcome.item.label: outcome for outcome in report.outcomes}
    found = [known[label] for label in report.collection.highlights if label in known and known[label].finding.headline]
    return [tag("h2", "Findings"), tag("div", "".join(map(_highlight, found)), class_="findings")] if found else []


def _highlight(outcome: Outcome) -> str:
    item, finding = outcome.item, outcome.finding
    picture = ""
    if finding.picture is not None:
        buffer = BytesIO()
        finding.picture.savefig(buffer, format="png", dpi=THUMBNAIL)
        source = f"data:image/png;base64,{b64encode(buffer.getvalue()).decode()}"
        picture = f'<img src="{source}" alt="{escape(finding.alt or item.title)}">'
    text = tag("p", prose(finding.headline), class_="headline")
    link = tag("p", tag("a", prose(f"{item.label}: {item.title}"), href=f"#{item.slug}"), class_="note")
    return tag("div", tag("div", text + link) + (tag("a", picture, href=f"#{item.slug}") if picture else ""))


def _reading(collection: Collection) -> list[str]:
    if not isinstance(collection, Paper) or not collection.reading:
        return []
    return [tag("details", tag("summary", f"How we read it ({len(collection.reading)})") + bullets(collection.reading))]


def _entry(outcome: Outcome) -> str:
    """A line of the list of items, with a dot for each of its claims."""
    dots = "".join(tag("span", "", class_=f"dot {claim.verdict.name.lower()}") for claim in outcome.claims)
    words = tag("a", prose(f"{outcome.item.label}: {outcome.item.title}"), href=f"#{outcome.item.slug}")
    return tag("li", words + " " + dots)


def _section(report: Report, outcome: Outcome, drawn: Path | None) -> str:
    """An item: what the paper shows and what we get, equations, the picture beside its claims, tables."""
    item, finding = outcome.item, outcome.finding
    heads = ("In the paper", "Here") if isinstance(report.collection, Paper) else ("Question", "Answer")
    boxes = [
        tag("div", tag("h4", head) + paragraphs(text))
        for head, text in zip(heads, (item.shows, finding.text), strict=True)
    ]
    cards = [card(claim) for claim in outcome.claims]
    beside, below = (cards[:BESIDE], cards[BESIDE:]) if drawn else ([], cards)
    also = f" ({', '.join(item.also)})" if item.also else ""
    parts = [
        tag("h2", prose(f"{item.label}{also}: {item.title}")),
        tag("div", "".join(boxes), class_="sides"),
        _equations(report.collection, item.equations),
        _figure(item.slug, drawn, finding.alt or item.title, beside) if drawn else "",
        tag("div", "".join(below), class_="cards") if below else "",
        *map(_table, finding.tables),
        _run_it(report.collection, outcome),
    ]
    return tag("section", "\n".join(part for part in parts if part), id=item.slug)


def _equations(collection: Collection, numbers: Sequence[str]) -> str:
    lines = (tag("div", mathml(collection.equations[n]) + tag("span", escape(n)), class_="equation") for n in numbers)
    return "".join(lines)


def _figure(slug: str, drawn: Path, alt: str, cards: Sequence[str]) -> str:
    """A picture beside claims; a click enlarges it."""
    name = f"{slug}-picture"
    shown = tag("figure", tag("a", image(drawn, alt), href=f"#{name}"), id=name)
    return tag("div", shown + tag("div", "".join(cards), class_="cards"), class_="beside") if cards else shown


def _run_it(collection: Collection, outcome: Outcome) -> str:
    """How to run the item, where its code is, and where its laws are described."""
    item = outcome.item
    line = f'stribeck papers {collection.key} --item "{item.label}"'
    change = f"{line} --set {outcome.example}" if outcome.example else ""
    experiment = unwrap(item.run)
    code = f"src/{experiment.__module__.replace('.', '/')}.py, {experiment.__name__}"
    lines = [("Run this yourself", line), ("with other values", change), ("code", code)]
    lines += [("laws", "; ".join(f"stribeck laws {name}" for name in outcome.laws[:MOST_LAWS]))]
    pairs = "".join(tag("dt", word) + tag("dd", tag("code", escape(text))) for word, text in lines if text)
    return tag("dl", pairs, class_="run")


def _table(shown: DataTable) -> str:
    untitled = replace(shown, title="")
    return tag("h3", prose(shown.title)) + tag("div", untitled.html(), class_="scroll")


def _all_claims(report: Report) -> str:
    return filtered_table([(f"#{outcome.item.slug}", outcome.item.label, claim) for outcome, claim in report.claims])


def _converged(values: Sequence[Converged]) -> list[str]:
    if not values:
        return []
    about = "Values of the same machines from two independent methods each, and ours at a tight tolerance."
    rows = [
        [name, unit, f"{ours:.12g}", f"{golden:.12g}", *rest]
        for name, unit, ours, golden, *rest in map(converged_row, values)
    ]
    return [
        tag("h2", "Converged values"),
        paragraphs(about),
        tag("div", DataTable(CONVERGED, rows).html(), class_="scroll"),
    ]
