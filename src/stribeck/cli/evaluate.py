"""stribeck evaluate: the fast methods of identification on measured files, without a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import yaml
from rich.markup import escape

from .. import identify as methods
from ..declare import unknown
from ..errors import SpecError, UnknownName
from ..identify import Estimate, Measurement, SteadyPoints
from ..identify.bench.break_away.break_aways import FEW
from ..identify.bench.break_away.curve import WAYS
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
    def records(self) -> list[Measurement]:
        """All files."""
        return [self.reading.read(path) for path in self.data]

    @property
    def record(self) -> Measurement:
        """The only file."""
        self.alone()
        return self.records[0]

    def alone(self) -> Path:
        """The path of the only file."""
        if len(self.data) != 1:
            raise SpecError(f"{self.method} evaluates one file at a time; there are {len(self.data)}")
        return self.data[0]

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
    if plot is not None and answer.plot is not None:
        answer.plot(plot)
    if save is not None:
        write_json(save, _document(asked, answer))
    for path in (plot, save):
        if path is not None:
            console.wrote(path.parent, [path])


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
            found[name] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise SpecError(f"--set {name}={text}: write a number, a text with a unit, true, false or a list") from None
    return found


# --- the methods ------------------------------------------------------------------------------------------------------


def _inspect(asked: Evaluation) -> Answer:
    texts, tables = [], []
    for record in asked.records:
        rows = [
            [name, record.units[name] or "1", f"{values.min():.6g}", f"{values.max():.6g}", _step(record, name)]
            for name, values in ((name, record[name]) for name in record.names)
        ]
        table = DataTable(["channel", "unit", "from", "to", "resolution"], rows)
        texts.append(f"{record}\n{table}\n{methods.inspect(record)}")
        tables.append(replace(table, title=record.name, notes=[str(finding) for finding in methods.inspect(record)]))
    return Answer("\n\n".join(texts), tables=tables)


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
    found = methods.sinusoidal(asked.records, asked.channel("force"), asked.channel("position"), **asked.options)
    return Answer(str(found), {"": found.estimate})


def _steady(asked: Evaluation) -> Answer:
    points = methods.steady_points(
        asked.record,
        asked.channel("force"),
        position=asked.channels.get("position"),
        speed=asked.channels.get("speed"),
        **asked.options_of(methods.steady_points),
    )
    return _curve(asked, points, f"{points}\n\n")


def _points(asked: Evaluation) -> Answer:
    units = named(asked.reading.units, "--unit", "CHANNEL=UNIT")
    points = SteadyPoints.read(asked.alone(), asked.channel("speed"), asked.channel("force"), units=units)
    return _curve(asked, points)


def _curve(asked: Evaluation, points: SteadyPoints, above: str = "") -> Answer:
    found = methods.fit_curve(points, **asked.options_of(methods.fit_curve))
    return Answer(f"{above}{found}", {"": found.estimate}, found.plot)


def _presliding(asked: Evaluation) -> Answer:
    found = methods.fit_presliding(asked.record, asked.channel("position"), asked.channel("force"), **asked.options)
    return Answer(str(found), {"": found.estimate}, found.plot)


def _inverse(asked: Evaluation) -> Answer:
    found = methods.inverse_model(asked.record, asked.channel("force"), asked.channel("position"), **asked.options)
    return Answer(str(found), {"": found})


def _power(asked: Evaluation) -> Answer:
    found = methods.power_balance(asked.record, asked.channel("force"), asked.channel("position"), **asked.options)
    return Answer(str(found), {"": found})


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
    "swings": Method(_swings, (methods.sinusoidal,)),
    "steady": Method(_steady, (methods.steady_points, methods.fit_curve), draws=True),
    "points": Method(_points, (methods.fit_curve,), draws=True),
    "presliding": Method(_presliding, (methods.fit_presliding,), draws=True),
    "inverse": Method(_inverse, (methods.inverse_model,)),
    "power": Method(_power, (methods.power_balance,)),
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
    return {"method": asked.method, "files": [path.name for path in asked.data], "found": found}
