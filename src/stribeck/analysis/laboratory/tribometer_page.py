"""The page of the tribometer: formulas and parameters of laws, and every verdict beside the picture it follows from."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...laws import about
from ...results.page import bullets, image, paragraphs, prose, tag, write_page
from .experiment_plot import YES
from .law_tables import parameter_table, state_table
from .properties import PROBES

if TYPE_CHECKING:
    from .experiment import Experiment
    from .tribometer import TribometerReport

STYLE = """
.experiment { display: grid; grid-template-columns: minmax(0, 46rem) minmax(16rem, 1fr); gap: 0 2rem; }
.experiment h3 { grid-column: 1 / -1; }
.experiment img { margin: .3rem 0; width: 100%; }
.formulas { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
.formulas p { margin: .25rem 0 .25rem 1.5rem; text-indent: -1.5rem; }
.yes b { color: #00704f; } .no b { color: #57606a; }
@media (max-width: 50rem) { .experiment { grid-template-columns: minmax(0, 1fr); } body { padding: 0 .8rem; } }
"""
SETTING = (
    "All experiments are made on a guide with normal load 1. A body on it has the mass (kg) of the sliding friction "
    "(N); the spring that tows it reaches that friction within 0.1 m."
)


def write_reports(path: str | Path, reports: Sequence[TribometerReport]) -> Path:
    """Writes one page about these laws.

    >>> write_reports("laws.html", [tribometer("lugre"), tribometer("gms")])
    PosixPath('laws.html')
    """
    names = [type(report.law).__name__ for report in reports]
    title = f"{', '.join(names)} on the tribometer"
    contents = [tag("ul", "".join(tag("li", tag("a", escape(name), href=f"#{name}")) for name in names))]
    sections = [part for report in reports for part in _section(report)]
    return write_page(path, title, *(contents if len(names) > 1 else []), *sections, style=STYLE)


def _section(report: TribometerReport) -> list[str]:
    """Everything about one law."""
    law = type(report.law)
    facts = about(law)
    name = law.__name__
    parts = [tag("h1", escape(report.title), id=name), paragraphs(f"{facts['text']} Family: {law.family}.")]
    parts += [paragraphs(f"Source: {facts['source']}", class_="note")]
    parts += [tag("h2", "Properties"), tag("div", _verdict_table(report), class_="scroll"), paragraphs(SETTING)]
    parts += [tag("h2", "Experiments"), *(_experiment(report, one) for one in report.experiments.values())]
    if report.failures:
        parts += [paragraphs("These experiments stopped:"), bullets(f"{k}: {v}" for k, v in report.failures.items())]
    parts += [tag("h2", "Formulas"), paragraphs("Friction per unit of normal load."), _formulas(facts["plain"])]
    parts += [tag("h2", "Parameters"), tag("div", parameter_table(law).html(), class_="scroll")]
    if law.described:
        parts += [tag("div", state_table(law).html(), class_="scroll")]
    return parts


def _verdict_table(report: TribometerReport) -> str:
    """The seven properties, each with a link to its picture."""
    rows = []
    for name, verdict in report.verdicts.items():
        place = PROBES[name].experiment.name
        link = tag("a", escape(place), href=f"#{_anchor(report, place)}")
        cells = [escape(name), tag("b", YES[verdict.has]), prose(verdict.reason), link]
        rows.append(tag("tr", "".join(tag("td", cell) for cell in cells), class_=_class(verdict.has)))
    head = "".join(tag("th", word) for word in ("property", "has it", "measured", "experiment"))
    return tag("table", tag("thead", tag("tr", head)) + tag("tbody", "".join(rows)))


def _experiment(report: TribometerReport, experiment: Experiment) -> str:
    """The picture of an experiment, and beside it what was done and what follows."""
    words = [paragraphs(experiment.text)]
    for name, verdict in experiment.verdicts.items():
        criterion = experiment.criteria[name]
        text = f"{tag('b', escape(f'{_capital(name)}: {YES[verdict.has]}'))}, {prose(verdict.reason)}."
        words += [tag("p", text, class_=_class(verdict.has)), paragraphs(f"Criterion: {criterion}", class_="note")]
    picture = image(experiment.plot(), _described(report, experiment))
    inside = (
        tag("h3", escape(_capital(experiment.name)), id=_anchor(report, experiment.name))
        + picture
        + tag("div", "".join(words))
    )
    return tag("div", inside, class_="experiment")


def _described(report: TribometerReport, experiment: Experiment) -> str:
    """A picture in words."""
    text = f"{report.title}, {experiment.name}: {experiment.y.text} over {experiment.x.text}."
    for name, verdict in experiment.verdicts.items():
        text += f" {_capital(name)}: {YES[verdict.has]}, {verdict.reason}."
    return text


def _formulas(plain: dict[str, str]) -> str:
    """Formulas as lines; names are those of the parameters."""
    lines = "".join(tag("p", escape(f"{name} = {formula}", quote=False)) for name, formula in plain.items())
    return tag("div", lines, class_="formulas")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _anchor(report: TribometerReport, name: str) -> str:
    return f"{type(report.law).__name__}-{name.replace(' ', '-')}"


def _class(has: bool | None) -> str:
    return "yes" if has else "no"
