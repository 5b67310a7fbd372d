"""stribeck papers: the source papers, run again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from rich.markup import escape
from rich.padding import Padding
from rich.progress import Progress, TimeElapsedColumn

import stribeck as sb
from stribeck.reports import DataTable, screen, writable_folder

from . import Collection, Outcome, Paper, Verdict, all_collections, find_collection
from .converged import Converged
from .front import write_first_page
from .report import Report, write_report, write_scorecard
from .settings import setting

MOST_TIMES = 10  # the slowest items, if there are more
MOST_CLAIMS = 25  # rows on the terminal; all are in the page and in scorecard.csv
COLORS = {
    **{verdict.value: "yellow" for verdict in Verdict},
    Verdict.REPRODUCED.value: "green",
    Verdict.BRACKETS.value: "green",
    Verdict.UNDETERMINED.value: "dim",
    Verdict.UNCHECKED.value: "dim",
}


def list_papers() -> None:
    """Prints the papers with their figures and tables."""
    console = screen()
    collections = all_collections().values()
    for collection in collections:
        about = f"\n{escape(collection.authors)}, {collection.year}" if isinstance(collection, Paper) else ""
        console.print(f"[bold]{collection.key}[/]", highlight=False)
        lines = f"{escape(collection.title)}{about}\n[dim]{', '.join(collection.labels)}[/]\n"
        console.print(Padding(lines, (0, 0, 0, 2)), highlight=False)
    console.collect(DataTable(["paper", "title", "authors", "year", "items"], list(map(_row, collections))))
    console.print("stribeck papers NAME runs one of them, stribeck papers all runs all", highlight=False)


def _row(collection: Collection) -> list[object]:
    about = [collection.authors, collection.year] if isinstance(collection, Paper) else ["", ""]
    return [collection.key, collection.title, *about, collection.labels]


def of_which(label: str) -> sb.SpecError:
    """The error if an item is given without a paper.

    >>> raise of_which("Figure 4")
    SpecError: Figure 4 of which paper? name one: aberger2002, ...
    """
    return sb.SpecError(f"{label} of which paper? name one: {', '.join(all_collections())}")


def reproduce(
    name: str, out: Path, labels: Sequence[str] = (), quick: bool = False, settings: Sequence[str] = ()
) -> None:
    """Runs a paper or all of them and writes page, pictures and scorecard into a folder; `settings` are other values
    of parameters, as PATH=VALUE.

    >>> reproduce("guo2017", Path("papers"), ["Figure 4"])
    """
    if name == "all" and labels:
        raise of_which(labels[0])
    collections = list(all_collections().values()) if name == "all" else [find_collection(name)]
    for collection in collections:
        collection.chosen(labels)  # refuses unknown labels before the runs
    values = dict(map(_value, settings))
    writable_folder(out)
    reports, written = [], []
    with setting(values):
        for collection, outcomes in _run(collections, labels, quick):
            reports.append(Report(collection, outcomes, quick, values))
            if not values:  # at once: it is kept if a later run is interrupted
                written += write_report(reports[-1], out)[:1]
    if values:  # no path was refused
        written = [write_report(report, out)[0] for report in reports]
    elif name == "all":
        written = [write_first_page(reports, out)]
    written += write_scorecard(reports, out)
    _print(reports, written)
    if any(outcome.error for report in reports for outcome in report.outcomes) or _missed(reports):
        raise typer.Exit(1)


def _value(text: str) -> tuple[str, str]:
    path, equals, value = text.partition("=")
    if not equals or not path or not value:
        raise sb.SpecError(f"--set {text}: write PATH=VALUE, such as guide.law.sigma0=1e6")
    return path.strip(), value.strip()


def _run(
    collections: Sequence[Collection], labels: Sequence[str], quick: bool
) -> Iterable[tuple[Collection, list[Outcome]]]:
    """Runs all items of all papers with one progress bar."""
    console = screen().progress()
    columns = (*Progress.get_default_columns(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=sum(len(collection.chosen(labels)) for collection in collections))
        for collection in collections:
            outcomes: list[Outcome] = []
            for item in collection.chosen(labels):
                progress.update(bar, description=f"{collection.key} {item.label}")
                outcomes += collection.run([item.label], quick=quick)
                progress.advance(bar)
            yield collection, outcomes


def _print(reports: Sequence[Report], written: Sequence[Path]) -> None:
    """The claims of a paper, or the counts of all, and where the pages are."""
    console = screen()
    if len(reports) == 1 and len(reports[0].claims) <= MOST_CLAIMS:
        console.show(_claims_table(reports[0]), colour=lambda cell: COLORS.get(cell, ""))
    console.show(_counts_table(reports))
    if sum(len(report.outcomes) for report in reports) > MOST_TIMES:
        console.show(_times_table(reports))
    for report in reports:
        for outcome in report.outcomes:
            if outcome.error:
                where = f"{report.collection.key} {outcome.item.label}"
                console.print(f"[red]{where} failed:[/] {escape(outcome.error)}", highlight=False, soft_wrap=True)
    for value in _missed(reports):
        console.print(f"[red]{value.name} = {value.ours!r}[/], not {value.golden.values}", highlight=False)
    console.wrote(written[0].parent, written)


def _missed(reports: Sequence[Report]) -> list[Converged]:
    """Converged values that are not met."""
    return [value for report in reports for value in report.converged if not value.met]


def _claims_table(report: Report) -> DataTable:
    rows = [
        (outcome.item.label, claim.claim, claim.printed, claim.ours, claim.verdict.value)
        for outcome, claim in report.claims
    ]
    return DataTable(["item", "claim", "paper", "here", "verdict"], rows)


def _counts_table(reports: Sequence[Report]) -> DataTable:
    rows = []
    for report in reports:
        values, claims = report.converged, [claim for _, claim in report.claims]
        met = f"{sum(value.met for value in values)} of {len(values)}"
        counts = [sum(claim.verdict is verdict for claim in claims) for verdict in Verdict]
        rows.append((report.collection.key, len(claims), *counts, met, f"{report.seconds:.0f} s"))
    heads = ["paper", "claims", *(verdict.value for verdict in Verdict), "converged", "time"]
    return DataTable(heads, rows, right=range(1, len(heads)))


def _times_table(reports: Sequence[Report]) -> DataTable:
    """The items that took longest."""
    outcomes = [(report.collection.key, outcome) for report in reports for outcome in report.outcomes]
    slowest = sorted(outcomes, key=lambda entry: -entry[1].seconds)[:MOST_TIMES]
    rows = [(key, o.item.label, f"{o.seconds:.1f} s", f"{o.processor:.1f} s") for key, o in slowest]
    return DataTable(["paper", "item", "time", "processor"], rows, title="Slowest items", right=(2, 3))
