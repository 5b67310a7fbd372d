"""stribeck identify: parameters of a model from measured files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.markup import escape

from ..declare import unknown
from ..errors import StribeckError, UnknownName
from ..identify import Bootstrap, FitResult, Predictions, Profile, fit
from ..identify.fits.rows import PREDICTIONS, parameter_table, prediction_table
from ..results.screen import Screen, screen
from ..writing import write_json
from .fit_task import Job, split_words
from .progress import ProgressBar


def identify_model(job: Job, profile: Sequence[str] = (), sets: int = 0) -> None:
    """Fits a model to records, prints what was found, and writes the page; with intervals by likelihood ratio of the
    parameters in `profile`, and a bootstrap of so many `sets`.

    >>> from stribeck.cli.fit_task import FitTask
    >>> task = FitTask(free=["load.m"], outputs=["load.s=q"], inputs=["motor.f=u"])
    >>> identify_model(Job("axis.yaml", data=[Path("axis.csv")], task=task, report=Path("fit.html")))
    """
    paths, wanted = job.task.paths, split_words(profile)
    free = [*paths, *split_words(job.task.per_record)]
    stray = next((path for path in wanted if path.partition("@")[0] not in free), None)
    if stray is not None:
        raise UnknownName(unknown("--profile: there is no free parameter", stray, free))
    ready = job.prepared()
    with ProgressBar(ready.model.name) as progress:
        result = fit(ready.model, ready.records, paths, progress=progress, **ready.arguments)
        seen = [result.simulate(record) for record in ready.held_out]
        profiles, drawn, failed = [], None, []
        try:
            profiles = [result.profile(path) for path in wanted]
            drawn = result.bootstrap(sets, progress=progress) if sets else None
        except StribeckError as error:  # the fit itself must not be lost
            failed.append(str(error))
    console = screen()
    _print(console, result, seen)
    ready.print_findings(console)
    console.warn(failed)
    for more in (*profiles, *([drawn] if drawn else [])):
        console.print(f"\n{escape(str(more))}", highlight=False)
    document = _document(result, seen) | _more(profiles, drawn)
    write_answer(console, job, lambda path: result.report(path, ready.held_out), document)


def _more(profiles: Sequence[Profile], drawn: Bootstrap | None) -> dict[str, Any]:
    """Other intervals for programs, as far as they were asked for."""
    found: dict[str, Any] = {}
    if profiles:
        found["profiles"] = {each.path: [known(end) for end in each.interval] for each in profiles}
    if drawn is not None:
        found["bootstrap"] = {
            name: {"error": drawn.errors[name], "interval": list(ends)} for name, ends in drawn.interval().items()
        }
    return found


def _print(console: Screen, result: FitResult, others: Sequence[Predictions]) -> None:
    name = result.problem.rigs[0].model.name
    records = ", ".join(record.name for record in result.records)
    console.print(f"\n[bold]{escape(name)}[/] fitted to {escape(records)}\n", highlight=False)
    tables = [replace(parameter_table(result, columns=5), right=[1, 2])]
    tables.append(replace(prediction_table(result.predictions), right=[3, 5, 6]))
    unseen = [prediction for predictions in others for prediction in predictions]
    if unseen:
        heads = ("held-out record", *PREDICTIONS[1:])
        tables.append(replace(prediction_table(unseen), heads=heads, right=[3, 5, 6]))
    console.show(*tables)
    notes = list(result.warnings)
    notes += [f"{path} is not identifiable: {reason}" for path, reason in result.unidentifiable.items()]
    notes += [f"{test.output} in {test.record}: {test.text}" for test in result.residual_tests if not test.passed]
    console.warn(notes)
    console.print(
        f"{result.samples} samples worth {result.uncertainty.effective:.0f} independent ones, {result.iterations} "
        f"iterations, {result.runs} simulations, {result.solver} steps",
        highlight=False,
    )


def _document(result: FitResult, others: Sequence[Predictions]) -> dict[str, Any]:
    """The result for programs; what is not known is null."""
    predictions = [*result.predictions, *(prediction for each in others for prediction in each)]
    fitted = {record.name for record in result.records}
    return {
        "model": result.problem.rigs[0].model.name,
        "parameters": parameters_document(result),
        "correlation": result.correlation.tolist(),
        "converged": result.converged,
        "solver": result.solver,
        "samples": result.samples,
        "aic": result.aic,
        "bic": result.bic,
        "fits": [
            {
                "record": p.measurement.name,
                "held_out": p.measurement.name not in fitted,
                "output": p.output,
                "channel": p.channel,
                "rms": p.rms,
                "unit": p.unit,
                "fit": p.fit,
            }
            for p in predictions
        ],
    }


def parameters_document(result: FitResult) -> dict[str, Any]:
    """Values, standard errors and intervals by path; None if unknown.

    >>> parameters_document(fitted)["load.m"]["value"]
    1.3
    """
    ends = result.interval(0.95)
    return {
        path: {
            "value": known(result.values[path]),
            "error": known(result.errors[path]),
            "interval": [known(end) for end in ends[path]],
            "unit": result.units[path],
            "why_unknown": result.unidentifiable.get(path),
        }
        for path in result.names
    }


def known(value: float) -> float | None:
    """A number that JSON can hold, or None.

    >>> known(float("nan"))
    """
    return value if math.isfinite(value) else None


def write_answer(console: Screen, job: Job, report: Callable[[Path], Any], document: Mapping[str, Any]) -> None:
    """Writes the page and the document of a job, if requested.

    >>> write_answer(screen(), Job("axis.yaml", save=Path("fit.json")), fitted.report, {"best": "LuGre"})
    """
    console.answer(found=document)
    if job.save is not None:
        write_json(job.save, document)
        console.wrote(job.save.parent, [job.save])
    if job.report is not None:
        report(job.report)
        console.wrote(job.report.parent, [job.report])
