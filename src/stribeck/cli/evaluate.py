"""stribeck evaluate: the fast methods of identification on measured files, without a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from inspect import signature
from pathlib import Path
from typing import Any

import yaml
from rich.markup import escape

from .. import identify as methods
from ..declare import unknown
from ..errors import SpecError, StribeckError, UnknownName
from ..identify import CurveFit, Estimate, Measurement, SteadyPoints
from ..identify.bench.break_away.break_aways import FEW
from ..identify.bench.break_away.curve import WAYS
from ..identify.curves.in_model import load_backward, other_load
from ..identify.records.files import labelled, record_paths
from ..laws import Law
from ..results.data_table import DataTable
from ..results.screen import screen
from ..writing import write_json
from .identify import known
from .reading import Reading, named
from .settings import pairs
from .targets import check_file, check_picture


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What is to be evaluated, in the words of the command line: files, which channels are what, options of the method.

    >>> Evaluation("inverse", [Path("run7.csv")], {"force": "tau", "position": "q"}, Reading(), {"cutoff": "40 Hz"})
    """

    method: str
    data: Sequence[Path]
    channels: Mapping[str, str | None]
    reading: Reading = field(default_factory=Reading)
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def paths(self) -> list[Path]:
        """All files, also those of folders and patterns."""
        return record_paths(self.data)

    @cached_property
    def records(self) -> list[Measurement]:
        """All files, named after them."""
        return self.reading.records(self.data)

    def channel(self, word: str) -> str:
        """The channel of the force, the position or the speed."""
        name = self.channels.get(word)
        if name is None:
            raise SpecError(f"{self.method} needs the channel of the {word}; name it with --{word} CHANNEL")
        return name

    def options_of(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Those options that a function takes."""
        return {word: value for word, value in self.options.items() if word in signature(function).parameters}


@dataclass(frozen=True, eq=False)
class Answer:
    """What a method found: for readers, for programs, and as a picture if there is one."""

    text: str
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    plot: Callable[[Path], Any] | None = None
    tables: Sequence[DataTable] = ()
    """Those of the text, for programs."""
    laws: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Laws of friction that were found, as in a model file."""


def evaluate_files(asked: Evaluation, plot: Path | None, save: Path | None) -> None:
    """Evaluates records by one of the methods, prints what was found, draws and saves it.

    >>> evaluate_files(Evaluation("inspect", [Path("axis.csv")], {}), None, None)
    """
    if plot is not None and not METHODS[asked.method].draws:
        raise SpecError(f"{asked.method} has no picture; leave out --plot")
    check_picture(plot, "--plot")
    check_file(save)
    answer = METHODS[asked.method].run(asked)
    console = screen()
    console.print(escape(answer.text), highlight=False, soft_wrap=True)
    console.collect(*answer.tables)
    console.answer(**_document(asked, answer))
    if asked.method not in ("inspect", "points"):
        used = {*asked.channels.values(), ""}
        for record in asked.records:
            findings = [finding for finding in methods.inspect(record) if finding.channel in used]
            console.warn([f"{record.name}: {finding}" for finding in findings])
    if save is not None:
        write_json(save, _document(asked, answer))
        console.wrote(save.parent, [save])
    if plot is not None:
        if answer.plot is None:
            raise SpecError(f"{asked.method} draws one record, and there are {len(asked.paths)}; omit --plot")
        answer.plot(plot)
        console.wrote(plot.parent, [plot])


def options_for(method: str, settings: Sequence[str]) -> dict[str, Any]:
    """Options of a method from pairs NAME=VALUE: numbers, texts with units, true and false, lists.

    >>> options_for("inverse", ["cutoff=40 Hz", "terms=[inertia, viscous, coulomb+, coulomb-]"])
    {'cutoff': '40 Hz', 'terms': ['inertia', 'viscous', 'coulomb+', 'coulomb-']}
    """
    if method not in METHODS:
        raise UnknownName(unknown("evaluate: there is no method", method, METHODS))
    known = METHODS[method].options
    found = {}
    for name, text in pairs(settings):
        if name not in known:
            raise UnknownName(unknown(f"evaluate {method}: there is no option", name, known))
        try:
            found[name] = _value(f"[{text}]" if name in LISTS and not text.strip().startswith("[") else text)
        except yaml.YAMLError:
            raise SpecError(
                f"--set {name}={text}: write a number, a text with a unit, true, false, none or a list"
            ) from None
    return found


def _value(text: str) -> Any:
    """A value of --set; brackets and commas within an entry of a list belong to it: [coulomb, channel(T, viscous)]."""
    if text.strip().lower() in ("none", "null"):
        return None
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]") and "(" in inner:
        return [entry.strip() for entry in re.split(r",(?![^()]*\))", inner[1:-1])]
    value = yaml.safe_load(text)
    return float(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value


LISTS = ("terms", "regressors")
"""Options whose values are lists, also without brackets."""
NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d+")
"""Numbers that YAML takes for texts: 1e-3 has no point."""


# --- the methods ------------------------------------------------------------------------------------------------------


def _inspect(asked: Evaluation) -> Answer:
    texts, tables = [], []
    force, position, speed = (asked.channels.get(word) for word in ("force", "position", "speed"))
    rates = {speed: position} if speed and position else None
    for record in asked.records:
        found = methods.inspect(record, rates, force=force, position=position)
        rows = [
            [name, record.units[name] or "1", f"{values.min():.6g}", f"{values.max():.6g}", _step(record, name)]
            for name, values in ((name, record[name]) for name in record.names)
        ]
        table = DataTable(["channel", "unit", "from", "to", "resolution"], rows)
        texts.append(f"{record}\n{table}\n{found}")
        tables.append(replace(table, title=record.name, notes=[str(finding) for finding in found]))
    if len(asked.records) > 1 and force and position:
        texts.append(_drift(asked))
    return Answer("\n\n".join(texts), tables=tables)


def _drift(asked: Evaluation) -> str:
    """What differs between records, by their inverse models; a record that has none is named."""
    found, failed = {}, []
    for record in asked.records:
        try:
            found[record.name] = methods.inverse_model(record, asked.channel("force"), asked.channel("position"))
        except StribeckError as error:
            failed.append(f"{record.name} is not compared: {error}")
    if len(found) < 2:
        return "\n".join(failed)
    drift = methods.pooled(found).drift.values()
    return "\n".join([*(drift or [f"no drift between {len(found)} records"]), *failed])


def _step(record: Measurement, name: str) -> str:
    return f"{record.resolution[name]:.3g}" if name in record.resolution else "-"


def _break_away(asked: Evaluation) -> Answer:
    options = dict(asked.options)
    play = options.pop("play", 0.0)
    degree = options.pop("degree", None)
    found = methods.break_aways(asked.records, asked.channel("force"), asked.channel("position"), **options)
    all_of_them = found.beyond(float(play))
    found = all_of_them.without_outliers()
    left = len(all_of_them) - len(found)
    curves = {way: found.curve(way, degree) for way in WAYS if len(found.towards(way)) >= FEW}
    return Answer(
        "\n\n".join(map(str, [*([f"{left} outliers left out"] if left else []), found, *curves.values()])),
        {WAYS[way]: curve.estimate for way, curve in curves.items()},
        found.plot,
    )


def _swings(asked: Evaluation) -> Answer:
    options = dict(asked.options)
    curve, spacing = options.pop("curve", False), options.pop("spacing", None)
    found = methods.sinusoidal(asked.records, asked.channel("force"), asked.channel("position"), **options)
    points = methods.swing_curve(found, **({} if spacing is None else {"spacing": spacing})) if curve else None
    return Answer(f"{found}\n\n{points}" if points else str(found), {"": found.estimate})


def _steady(asked: Evaluation) -> Answer:
    """Points of all records, and one curve through them."""
    found = {
        record.name: methods.steady_points(
            record,
            asked.channel("force"),
            position=asked.channels.get("position"),
            speed=asked.channels.get("speed"),
            **asked.options_of(methods.steady_points),
        )
        for record in asked.records
    }
    texts = [f"{name}\n{points}" if len(found) > 1 else str(points) for name, points in found.items()]
    return _curve(asked, reduce(SteadyPoints.joined, found.values()), "\n\n".join(texts) + "\n\n")


def _points(asked: Evaluation) -> Answer:
    """A curve through the points of each file."""
    units = named(asked.reading.units, "--unit", "CHANNEL=UNIT")
    answers = {}
    for path, name in labelled(asked.paths).items():
        points = SteadyPoints.read(
            path,
            asked.channel("speed"),
            asked.channel("force"),
            units=units,
            columns=asked.reading.columns,
            table=asked.reading.table,
        )
        answers[name] = _curve(asked, points)
    return _together(answers)


def _curve(asked: Evaluation, points: SteadyPoints, above: str = "") -> Answer:
    found = methods.fit_curve(points, **asked.options_of(methods.fit_curve))
    if asked.options.get("without_outliers"):
        found = found.without_outliers()
    try:
        law = _in_file(found.law())
    except SpecError:
        return Answer(f"{above}{found}", {"": found.estimate}, found.plot)
    other = other_load(found)
    if other:
        return Answer(f"{above}{found}\n{other}", {"": found.estimate}, found.plot)
    text = f"{above}{found}\n{_line(law)}{_beside(found)}"
    return Answer(text, {"": found.estimate}, found.plot, laws={"": law})


def _in_file(law: Law) -> dict[str, Any]:
    """A law as in a model file."""
    return {"type": type(law).__name__, **law.given}


def _line(law: Mapping[str, Any]) -> str:
    """A law as a line of a model file."""
    return f"law: {{{', '.join(f'{name}: {_short(value)}' for name, value in law.items())}}}"


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_short, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _beside(found: CurveFit) -> str:
    """What an element with the law needs besides: another load backwards, and a constant force."""
    backward, offset = load_backward(found), found.found.get("offset", 0.0)
    lines = [f"beside the law, in its Bearing or Guide: load_backward: {backward:.6g}"] if backward != 1 else []
    lines += [f"on the same body: a constant torque or force of {-offset:.6g}"] if offset else []
    return "".join(f"\n{line}" for line in lines)


def _presliding(asked: Evaluation) -> Answer:
    answers = {}
    for record in asked.records:
        found = methods.fit_presliding(record, asked.channel("position"), asked.channel("force"), **asked.options)
        answers[record.name] = Answer(str(found), {"": found.estimate}, found.plot)
    return _together(answers)


def _virgin(asked: Evaluation) -> Answer:
    """Elements of the virgin curve of each record, as a law."""
    options = dict(asked.options)
    kind = options.pop("law", "MaxwellSlip")
    answers = {}
    for record in asked.records:
        found = methods.virgin_curve(record, asked.channel("position"), asked.channel("force"), **options)
        law = _in_file(found.law(str(kind)))
        answers[record.name] = Answer(f"{found}\n{_line(law)}", laws={"": law})
    return _together(answers)


def _together(answers: Mapping[str, Answer]) -> Answer:
    """Answers of several records, each below its name."""
    if len(answers) == 1:
        return next(iter(answers.values()))
    estimates = {
        f"{record} {part}".strip(): estimate
        for record, answer in answers.items()
        for part, estimate in answer.estimates.items()
    }
    laws = {record: law for record, answer in answers.items() for law in answer.laws.values()}
    text = "\n\n".join(f"{record}\n{answer.text}" for record, answer in answers.items())
    return Answer(text, estimates, laws=laws)


def _regression(method: Callable[..., Estimate]) -> Callable[[Evaluation], Answer]:
    """A regression of each record, and for several ones what they have in common."""

    def run(asked: Evaluation) -> Answer:
        found = {
            record.name: method(record, asked.channel("force"), asked.channel("position"), **asked.options)
            for record in asked.records
        }
        common = methods.pooled(found)
        parts = {} if len(found) == 1 else found
        return Answer(str(common if parts else common.estimate), {"": common.estimate, **parts})

    return run


@dataclass(frozen=True)
class Method:
    """How a method is run, and the functions whose keywords are its options."""

    run: Callable[[Evaluation], Answer]
    functions: tuple[Callable[..., Any], ...] = ()
    more: tuple[str, ...] = ()
    draws: bool = False
    """Whether there is a picture."""

    @property
    def options(self) -> list[str]:
        """What --set accepts."""
        hidden = {"drive", "force", "position", "speed", "friction", "errors", "units", "name", "profile"}
        words = [word for function in self.functions for word in list(signature(function).parameters)[1:]]
        return [*self.more, *(word for word in words if word not in hidden)]


METHODS = {
    "inspect": Method(_inspect),
    "break-away": Method(_break_away, (methods.break_aways,), ("play", "degree"), draws=True),
    "swings": Method(_swings, (methods.sinusoidal,), ("curve", "spacing")),
    "steady": Method(_steady, (methods.steady_points, methods.fit_curve), ("without_outliers",), draws=True),
    "points": Method(_points, (methods.fit_curve,), ("without_outliers",), draws=True),
    "presliding": Method(_presliding, (methods.fit_presliding,), draws=True),
    "virgin": Method(_virgin, (methods.virgin_curve,), ("law",)),
    "inverse": Method(_regression(methods.inverse_model), (methods.inverse_model,)),
    "power": Method(_regression(methods.power_balance), (methods.power_balance,)),
}


def _document(asked: Evaluation, answer: Answer) -> dict[str, Any]:
    """The answer for programs; what is not known is null."""
    found = {}
    for part, estimate in answer.estimates.items():
        ends = estimate.interval(0.95)
        found[part or asked.method] = {
            name: {
                "value": known(value),
                "error": known(estimate.errors[name]),
                "interval": [known(end) for end in ends[name]],
                "unit": estimate.units.get(name, ""),
            }
            for name, value in estimate.values.items()
        }
    return {"method": asked.method, "files": [path.name for path in asked.paths], "found": found} | (
        {"laws": {part or asked.method: law for part, law in answer.laws.items()}} if answer.laws else {}
    )
