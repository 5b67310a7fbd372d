"""stribeck identify --laws: which law fits measured files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from ..studies.identify import which_law
from ..studies.identify.laws.contest import USUAL
from ..studies.identify.laws.law_choice import HEAD
from .identify import Reading, Task, split_words
from .progress import ProgressBar
from .report import new_table, print_files, print_tables
from .settings import model_with


def compare_fits(
    name: str,
    settings: Sequence[str],
    data: Sequence[Path],
    held_out: Sequence[Path],
    reading: Reading,
    task: Task,
    laws: str,
    element: str | None,
    report: Path | None,
) -> None:
    """Fits several laws to records, prints the table, and writes the page.

    >>> compare_fits("servo.yaml", [], [Path("run7.csv")], [], Reading(), task, "lugre,dahl", None, Path("laws.html"))
    """
    names = list(USUAL) if laws.strip().lower() == "usual" else split_words([laws])
    if report is not None:
        report.parent.mkdir(parents=True, exist_ok=True)
    records, others = [reading.read(path) for path in data], [reading.read(path) for path in held_out]
    model, arguments = task.tied(model_with(name, settings), records[0])
    with ProgressBar(model.name) as progress:
        choice = which_law(
            model,
            records,
            names,
            also=split_words(task.free),
            element=element,
            held_out=others,
            progress=progress,
            **arguments,
        )
    console = Console()
    console.print(f"\n[bold]{escape(model.name)}[/]: which law?\n", highlight=False)
    table = new_table(*HEAD, right=range(1, 7))
    for row in choice.rows():
        table.add_row(*(escape(str(cell)) for cell in row))
    print_tables(console, table)
    console.print(escape(choice.verdict), highlight=False)
    if report is not None:
        print_files(console, report.parent, [choice.report(report)])
