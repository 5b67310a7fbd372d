"""stribeck identify --laws: which law fits measured files."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from ..identify import LawChoice, which_law
from ..identify.laws.choice import HEAD
from ..identify.laws.selection import USUAL
from ..results.data_table import DataTable
from ..results.screen import screen
from .fit_task import Job, split_words
from .identify import known, parameters_document, write_answer
from .progress import ProgressBar


def compare_fits(job: Job, laws: str, element: str | None) -> None:
    """Fits several laws to records, prints the table, and writes the page.

    >>> from stribeck.cli.fit_task import FitTask
    >>> task = FitTask(free=["load.m"], outputs=["load.s=q"], inputs=["motor.f=u"])
    >>> compare_fits(Job("axis.yaml", data=[Path("axis.csv")], task=task), "switch,coulomb", None)
    """
    names = list(USUAL) if laws.strip().lower() == "usual" else split_words([laws])
    ready = job.prepared()
    with ProgressBar(ready.model.name) as progress:
        choice = which_law(
            ready.model,
            ready.records,
            names,
            also=split_words(job.task.free),
            element=element,
            held_out=ready.held_out,
            progress=progress,
            **ready.arguments,
        )
    console = screen()
    console.print(f"\n[bold]{escape(ready.model.name)}[/]: which law?\n", highlight=False)
    console.show(DataTable(HEAD[:-1], [row[:-1] for row in choice.rows()], right=range(1, 7)))
    console.print(escape(choice.verdict) + "\n", highlight=False)
    console.warn([f"{c.law}: {c.remarks}" for c in choice.candidates if c.remarks])
    ready.print_findings(console)
    write_answer(console, job, choice.report, _document(choice))


def _document(choice: LawChoice) -> dict[str, Any]:
    """The comparison for programs; a law that could not be fitted has its failure instead of numbers."""
    aic, bic, weights = choice.aic, choice.bic, choice.weights
    laws: dict[str, Any] = {c.law: {"failure": c.failure} for c in choice.candidates if c.result is None}
    for candidate, result in choice.fits:
        laws[candidate.law] = {
            "parameters": parameters_document(result),
            "fitted": known(candidate.fitted),
            "held_out": known(candidate.held_out),
            "aic": aic[candidate.law],
            "bic": bic[candidate.law],
            "weight": weights[candidate.law],
            "remarks": candidate.remarks,
        }
    found = {
        "best": choice.best,
        "as_good": choice.as_good,
        "simplest": choice.simplest,
        "judged_by": choice.validation,
    }
    return {"model": choice.model.name, **found, "laws": laws}
