"""One HTML page about a fit: estimates, intervals, identifiability, residuals, and held-out records."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...results.data_table import DataTable
from ...results.page import bullets, image, paragraphs, tag, write_page
from ..records.measurement import Measurement
from .losses import LOSSES
from .prediction import Predictions
from .rows import parameter_table, prediction_table

if TYPE_CHECKING:
    from .result import FitResult
    from .simulation import Rig


def report(result: FitResult, path: str | Path, held_out: Sequence[Measurement] = ()) -> Path:
    """Writes a self-contained HTML page; `held_out` are records that were not used in the fit.

    >>> report(result, "out.html", held_out=[validation])
    PosixPath('out.html')
    """
    others = [result.simulate(record) for record in held_out]
    model = result.problem.rigs[0].model
    title = f"{model.name}: {len(result.names)} parameters from {_records(result)}"
    parts = [tag("h1", escape(title)), _verdict(result, others), *_parameters(result), *_fit(result)]
    if others:
        parts += _held_out(others)
    return write_page(Path(path), title, *parts, *_residuals(result), *_how(result))


# --- parts of the page -----------------------------------------------------------------------------------------------


def _verdict(result: FitResult, others: Sequence[Predictions]) -> str:
    """A summary."""
    lines = [f"{warning[0].upper()}{warning[1:].rstrip('?.')}." for warning in result.warnings]
    lines += [f"{len(result.identifiable)} of {len(result.names)} parameters are identifiable."]
    lines += [f"Fit to the records: {min(p.fit for p in result.predictions):.2f} % or better."]
    if others:
        worst = min(p.fit for predictions in others for p in predictions)
        lines += [f"Fit to held-out records: {worst:.2f} % or better."]
    failed = [test for test in result.residual_tests if not test.passed]
    if failed:
        names = ", ".join(dict.fromkeys(test.name for test in failed))
        lines += [f"The residuals fail tests ({names}): see the table of tests."]
    else:
        lines += ["The residuals pass all tests: they contain nothing that a better model could explain."]
    return paragraphs(" ".join(lines), class_="byline")


def _parameters(result: FitResult) -> list[str]:
    from .plots import plot_parameters

    parts = [tag("h2", "Parameters"), parameter_table(result).html()]
    if result.unidentifiable:
        reasons = [f"{path}: {reason}" for path, reason in result.unidentifiable.items()]
        parts += [tag("h3", "Not identifiable from these data"), bullets(reasons)]
    return [*parts, image(plot_parameters(result), "intervals and correlation of the parameters")]


def _fit(result: FitResult) -> list[str]:
    from .plots import friction_elements, plot_friction, plot_predictions

    shown = [image(plot_predictions(result.predictions), "model and measurement over time")]
    if friction_elements(result):
        shown.append(image(plot_friction(result), "friction over slip speed"))
    return [tag("h2", "Model and measurement"), prediction_table(result.predictions).html(), *shown]


def _held_out(others: Sequence[Predictions]) -> list[str]:
    from .plots import plot_predictions

    all_ = [prediction for predictions in others for prediction in predictions]
    shown = image(plot_predictions(all_, title="records not used in the fit"), "held-out records over time")
    return [tag("h2", "Held-out records"), prediction_table(all_).html(), shown]


def _residuals(result: FitResult) -> list[str]:
    from .plots import plot_residuals

    rows = [
        [t.record, t.output, t.name, f"{t.statistic:.3g}", f"{t.p:.2g}", "passed" if t.passed else "failed", t.text]
        for t in result.residual_tests
    ]
    heads = ["record", "output", "test", "statistic", "p", "", "meaning"]
    shown = image(plot_residuals(result.predictions), "autocorrelation and distribution of the residuals")
    return [tag("h2", "Residuals"), DataTable(heads, rows).html(), shown]


def _how(result: FitResult) -> list[str]:
    rows: list[list[str]] = [
        ["valid samples", str(result.samples)],
        ["effective sample size", f"{result.uncertainty.effective:.0f}"],
        ["solver of the final iterations", result.solver],
        ["iterations, simulations", f"{result.iterations}, {result.runs}"],
        ["loss", next(name for name, loss in LOSSES.items() if loss is result.loss)],
        ["inputs", ", ".join(f"{name} from '{channel}'" for name, channel in _rig(result).inputs.items()) or "none"],
        ["AIC, BIC", f"{result.aic:.6g}, {result.bic:.6g}"],
    ]
    rows += [["residuals of " + name, f"{spread:.4g} (standard deviation)"] for name, spread in result.noise.items()]
    start = [[p.path, f"{p.start:.6g}", _span(p.low, p.high), "log" if p.log else "linear"] for p in result.free]
    return [
        tag("h2", "How it was found"),
        DataTable(["", ""], rows).html(),
        DataTable(["parameter", "start", "bounds", "scale of the search"], start).html(),
        paragraphs(
            "Intervals follow from the derivatives of the outputs and from the residuals, which are modelled as "
            "autoregressive noise: standard errors account for autocorrelated residuals. They are valid if the model "
            "can follow the machine. An effect that the model lacks may bias the estimates by more than the intervals.",
            class_="note",
        ),
    ]


def _rig(result: FitResult) -> Rig:
    return result.problem.rigs[0]


def _records(result: FitResult) -> str:
    names = [record.name for record in result.records]
    return names[0] if len(names) == 1 else f"{len(names)} records"


def _span(low: float, high: float) -> str:
    return f"{low:g} to {high:g}".replace("-inf to inf", "none").replace("inf", "∞")
