"""One HTML page about a comparison of laws."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...results.data_table import DataTable
from ...results.page import image, paragraphs, tag, write_page
from ..fits.rows import parameter_table, prediction_table

if TYPE_CHECKING:
    from .choice import LawChoice

NOTE = (
    "Errors are root mean squares relative to the measured standard deviation. Held-out data were not used in the fit "
    "that predicts them. AIC and BIC are differences to the lowest. They use the effective sample size of the "
    "residuals of the closest fit, and the fitted data only: where they and the held-out error disagree, trust the "
    "held-out error. Weights are Akaike weights, the relative evidence for the laws."
)


def report_laws(choice: LawChoice, path: str | Path) -> Path:
    """Writes a self-contained HTML page.

    >>> report_laws(choice, "laws.html")
    PosixPath('laws.html')
    """
    from ..fits.plots import plot_predictions
    from .choice import HEAD

    title = f"{choice.model.name}: which law?"
    parts = [
        tag("h1", escape(title)),
        paragraphs(choice.verdict, class_="byline"),
        DataTable(HEAD, choice.rows()).html(),
        image(choice.plot(), "errors, criteria and friction of the laws"),
        paragraphs(NOTE, class_="note"),
    ]
    for candidate, result in choice.fits:
        parts += [
            tag("h2", escape(candidate.law)),
            parameter_table(result).html(),
            prediction_table(result.predictions).html(),
        ]
        if candidate.law in (choice.best, choice.simplest):
            parts.append(image(plot_predictions(result.predictions, title=candidate.law), "model and measurement"))
    return write_page(Path(path), title, *parts)
