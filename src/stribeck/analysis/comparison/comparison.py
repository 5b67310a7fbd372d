"""The same machine under several friction laws."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import laws as registry
from ...declare import unknown
from ...errors import SimulationError, SpecError, StribeckError, UnknownName
from ...laws import Law
from ...results import Result
from ...results.data_table import DataTable, in_notebook
from ...results.folder import write_files
from ...run.simulate import simulate
from ...spec import Model, set_parameter
from ...writing import write_json, write_rows
from .oscillation import Oscillation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Choice = str | Law | type[Law]
"""A law by name or class (it adopts shared parameters of the present law), or as an object with its parameters."""


@dataclass(frozen=True, eq=False)
class Run:
    """The machine under one law: the result, or how far it came and why not further."""

    law: str
    result: Result | None
    failure: StribeckError | None = None
    """What stopped it; a SimulationError with time and elements if that happened on the way."""

    @property
    def error(self) -> str:
        """The message of what stopped it, or nothing."""
        return "" if self.failure is None else str(self.failure)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs of one machine under several laws.

    >>> comparison = compare(load_model("stick-slip"), ["LuGre", "Switch"])
    >>> comparison.results["Switch"].events
    >>> print(comparison)
    law     period / s  cycles  peak friction.tau / N.m  dissipated / J  steps  ...
    LuGre      6.36272       2                  1.47657          2.1274    867  ...
    Switch     6.45393       2                      1.5         2.16213     62  ...
    """

    machine: Model
    elements: tuple[str, ...]
    """The friction elements that the laws were put into."""
    runs: Sequence[Run]

    @property
    def results(self) -> dict[str, Result]:
        """The results by law; a run that stopped early is there up to that time.

        >>> comparison.results["Switch"].plot("mass.w")
        """
        return {run.law: run.result for run in self.runs if run.result is not None}

    @property
    def errors(self) -> dict[str, str]:
        """Why runs stopped early, by law.

        >>> comparison.errors
        {}
        """
        return {run.law: run.error for run in self.runs if run.failure}

    @property
    def failures(self) -> dict[str, StribeckError]:
        """The same as exceptions: a SimulationError has the time, the elements and the result up to there.

        >>> comparison.failures
        {}
        """
        return {run.law: run.failure for run in self.runs if run.failure}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per law: period (s), cycles, peaks by friction output, dissipated (J), steps, seconds, error.

        >>> comparison.rows[0]["period"]
        6.36272
        """
        return [{"law": run.law, **self._measures(run.result), "error": run.error} for run in self.runs]

    def _measures(self, result: Result | None) -> dict[str, Any]:
        if result is None:
            return {"peaks": {}} | dict.fromkeys(["period", "cycles", "dissipated", "steps", "seconds"])
        found = Oscillation.of(result, speed_output(self.machine, self.elements[0], result))
        outputs = [friction_output(result, element) for element in self.elements]
        extremes = {name: result.extremes[name] for name in outputs}
        return {
            "period": None if math.isnan(found.period) else found.period,
            "cycles": found.cycles,
            "peaks": {name: max(-e["min"], e["max"]) for name, e in extremes.items()},
            "dissipated": sum(result.energy.dissipated.get(element, 0.0) for element in self.elements),
            "steps": result.statistics.steps,
            "seconds": result.statistics.seconds,
        }

    def table(self) -> DataTable:
        """A row for each law; what is missing is '-'.

        >>> comparison.table().heads[:3]
        ['law', 'period / s', 'cycles']
        """
        units = {name: unit for r in self.results.values() for name, unit in zip(r.names, r.meta.units, strict=True)}
        peaks = list(dict.fromkeys(name for row in self.rows for name in row["peaks"]))
        head = ["law", "period / s", "cycles", *(f"peak {name} / {units[name]}" for name in peaks)]
        head += ["dissipated / J", "steps", "ms"]
        cells = []
        for row in self.rows:
            milliseconds = None if row["seconds"] is None else 1e3 * row["seconds"]
            friction = [row["peaks"].get(name) for name in peaks]
            line = [row["period"], row["cycles"], *friction, row["dissipated"], row["steps"], milliseconds]
            cells.append([row["law"], *line])
        return DataTable(head, [["-" if cell is None else cell for cell in line] for line in cells])

    def plot(self, path: str | Path | None = None) -> Figure:
        """Speed and friction over time, one line per law.

        >>> comparison.plot("comparison.png")
        """
        from .plot import plot_comparison

        return plot_comparison(self, path)

    def save(self, folder: str | Path, ending: str = "csv") -> list[Path]:
        """Writes comparison.png, comparison.csv, comparison.json, each result, and summary.json, which names them;
        returns the paths.

        >>> comparison.save("out", "parquet")
        """
        document = {"model": self.machine.name, "elements": list(self.elements), "laws": self.rows}
        files: dict[str, Callable[[Path], Any]] = {"comparison.png": self.plot} if self.results else {}
        files |= {"comparison.csv": self._save_csv, "comparison.json": lambda path: write_json(path, document)}
        files |= {f"{law}.{ending}": result.save for law, result in self.results.items()}
        return write_files(Path(folder), files, document)

    def _save_csv(self, path: Path) -> None:
        table = self.table()
        rows = ([*line, row["error"]] for line, row in zip(table.rows, self.rows, strict=True))
        write_rows(path, [[*table.heads, "error"], *rows])

    def _repr_html_(self) -> str:
        return in_notebook(self.table())

    def __str__(self) -> str:
        return self.table().text()


def compare(
    model: Model,
    laws: Iterable[Choice],
    *,
    elements: Iterable[str] | None = None,
    values: Mapping[str, Any] | None = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Comparison:
    """Simulates a machine with each of the laws in its friction elements (all, or those named).

    A law that is named takes over the parameters that it shares with the one it replaces; a law with parameters is
    used as it is. `values` are set in every variant that has them ("friction.law.sigma1": 300); `options` are those of
    `simulate`. If a law cannot run on this machine, its error is reported; the other laws still run.

    >>> compare(load_model("stick-slip"), ["LuGre", "Switch"]).results["Switch"].events
    >>> compare(model, [LuGre(), LuGre(sigma0=1e4)]).plot("stiffness.png")
    """
    choices = chosen(laws, model)
    places = friction_places(model, elements)
    machine, law_values = _set(model, places, [kind_of(choice) for choice in choices], values or {})
    runs = []
    for name, choice in zip(labels(choices), choices, strict=True):
        if progress is not None:
            progress(name)
        runs.append(_run(name, choice, machine, places, law_values, options))
    return Comparison(machine, places, runs)


def chosen(laws: Iterable[Choice], model: Model) -> list[Law | type[Law]]:
    """The laws of a list, those that are named looked up, also among those of the model.

    >>> chosen(["LuGre", Switch(mu_c=2)], model)
    """
    if isinstance(laws, str | Law | type):
        raise SpecError(f"compare: laws = {laws!r} is one law; give a list of them, for instance ['LuGre', 'Switch']")
    with Law.registry.extended(model.laws):
        choices = [registry.get(choice) if isinstance(choice, str) else choice for choice in laws]
    for choice in choices:
        if not isinstance(choice, Law) and not (isinstance(choice, type) and issubclass(choice, Law)):
            raise SpecError(f"compare: laws has {choice!r}, which is no law; give laws or their names")
    if not choices:
        raise SpecError("compare: laws is empty; give a list of laws, for instance ['LuGre', 'Switch']")
    return choices


def speed_output(model: Model, element: str, result: Result) -> str:
    """The output that shows the speed at a friction element: that of its body, or the slip.

    >>> speed_output(model, "friction", result)
    'mass.w'
    """
    refs = model.elements[element].refs
    body = refs["a"].partition(".")[0] if len(refs) == 1 else element
    names = [f"{body}.w", f"{body}.v", f"{element}.w_rel", f"{element}.v_rel"]
    return next(name for name in names if name in result.meta.rows)


def friction_output(result: Result, element: str) -> str:
    """The output that shows the friction of an element.

    >>> friction_output(result, "friction")
    'friction.tau'
    """
    return next(f"{element}.{signal}" for signal in ("tau", "f") if f"{element}.{signal}" in result.meta.rows)


def friction_places(model: Model, names: Iterable[str] | None) -> tuple[str, ...]:
    """The friction elements that get the laws: all, or those named.

    >>> friction_places(model, None)
    ('friction',)
    """
    there = [name for name, element in model.elements.items() if getattr(element, "law", None) is not None]
    if not there:
        raise SpecError(f"{model.name}: no element has a friction law, so there is nothing to compare; add a Bearing")
    for name in names or ():
        if name not in there:
            raise UnknownName(unknown(f"{model.name}: there is no friction element", name, there))
    return tuple(names or there)


def kind_of(choice: Law | type[Law]) -> type[Law]:
    """The class of a law.

    >>> kind_of(LuGre(sigma0=1e4))
    """
    return choice if isinstance(choice, type) else type(choice)


def labels(choices: Sequence[Law | type[Law]]) -> list[str]:
    """Names of the runs: the law, numbered if it occurs several times.

    >>> labels([LuGre, Switch, Switch(mu_c=2)])
    ['LuGre', 'Switch-1', 'Switch-2']
    """
    names = [kind_of(choice).__name__ for choice in choices]
    return [f"{n}-{names[: i + 1].count(n)}" if names.count(n) > 1 else n for i, n in enumerate(names)]


def _set(
    model: Model, places: Sequence[str], kinds: Sequence[type[Law]], values: Mapping[str, Any]
) -> tuple[Model, dict[str, Any]]:
    """A copy of the model with the values set, and those values that belong to the laws that are to come."""
    machine, law_values = model.copy(), dict[str, Any]()
    for path, value in values.items():
        element, _, word = path.partition(".law.")
        if element not in (*places, "*") or not word:
            set_parameter(machine, path, value)
        elif any(knows(kind, word) for kind in kinds):
            law_values |= {f"{place}.law.{word}": value for place in (places if element == "*" else [element])}
        else:
            known = dict.fromkeys(name for kind in kinds for name in kind.params)
            raise UnknownName(unknown(f"{path}: none of these laws has a parameter", word, known))
    return machine, law_values


def knows(kind: type[Law], word: str) -> bool:
    """Whether a law has a parameter of this name.

    >>> knows(LuGre, "tau_c")
    True
    """
    return any(word in (name, *param.aliases) for name, param in kind.params.items())


def _run(
    name: str,
    choice: Law | type[Law],
    machine: Model,
    places: Sequence[str],
    values: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Run:
    """One law on the machine; an error is stored in the run."""
    try:
        return Run(name, simulate(with_law(choice, machine, places, values), **options))
    except SimulationError as error:
        return Run(name, error.result if error.result.time.size else None, error)
    except StribeckError as error:
        return Run(name, None, error)


def with_law(choice: Law | type[Law], machine: Model, places: Sequence[str], values: Mapping[str, Any]) -> Model:
    """A copy of the machine with the law in its places, and with those of the values that it knows.

    >>> with_law(LuGre, model, ["friction"], {"friction.law.sigma0": 1e4})
    """
    variant = machine.copy()
    for place in places:
        element: Any = variant.elements[place]
        variant.elements[place] = element.replace(law=_adapted(choice, element.law))
    for path, value in values.items():
        if knows(kind_of(choice), path.partition(".law.")[2]):
            set_parameter(variant, path, value)
    return variant


def _adapted(choice: Law | type[Law], present: Law) -> Law:
    """The law as it is, or with what it shares with the present one."""
    if isinstance(choice, Law):
        return choice
    return present if type(present) is choice else choice().adopt(present)
