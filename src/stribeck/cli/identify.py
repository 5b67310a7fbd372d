"""stribeck identify: parameters of a model from measured files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..compile import compile_model
from ..errors import SpecError
from ..spec import Model
from ..studies.identify import FitResult, Measurement, Predictions, driven, fit, inspect
from ..studies.identify.fits.report import PARAMETERS, PREDICTIONS, parameter_rows, prediction_rows
from .progress import ProgressBar
from .report import new_table, print_files, print_tables, print_warnings
from .settings import model_with


@dataclass(frozen=True)
class Reading:
    """How files are read, in the words of the command line.

    >>> Reading(units=["q=deg"], sample_time="1 ms").read(Path("run7.csv"))
    """

    units: Sequence[str] = ()
    resolution: Sequence[str] = ()
    time: str | None = None
    sample_time: str | None = None
    gaps: str = "refuse"

    def read(self, path: Path) -> Measurement:
        """One record."""
        return Measurement.read(
            path,
            time=self.time,
            sample_time=self.sample_time,
            units=named(self.units, "--unit", "CHANNEL=UNIT"),
            resolution=named(self.resolution, "--resolution", "CHANNEL=STEP"),
            gaps=self.gaps,
        )


@dataclass(frozen=True)
class Task:
    """What is to be found, in the words of the command line.

    >>> Task(free=["joint.law.mu_c,load.m"], outputs=["load.s=q"], inputs=["motor.f=u"])
    """

    free: Sequence[str] = ()
    outputs: Sequence[str] = ()
    inputs: Sequence[str] = ()
    initial: Sequence[str] = ()
    start: Sequence[str] = ()
    bounds: Sequence[str] = ()
    noise: Sequence[str] = ()
    options: Mapping[str, Any] | None = None

    def tied(self, model: Model, record: Measurement) -> tuple[Model, dict[str, Any]]:
        """The model with inputs that channels can drive, and the arguments of `fit`."""
        inputs = named(self.inputs, "--input", "INPUT=CHANNEL")
        ready = driven(model, inputs)
        program = compile_model(ready)
        if not inputs:
            inputs = {name: name for name in program.inputs if name in record.names}
        outputs = named(self.outputs, "--output", "OUTPUT=CHANNEL")
        if not outputs:
            outputs = {name: name for name in record.names if name in program.output_names and name not in inputs}
        if not outputs:
            raise SpecError(
                f"no channel of {record.name} has the name of an output; say what was measured, for instance "
                f"--output {program.output_names[0]}={record.names[0]} (channels: {', '.join(record.names)})"
            )
        noise = {
            name: _number(value, "--noise") for name, value in named(self.noise, "--noise", "OUTPUT=VALUE").items()
        }
        return ready, {
            "outputs": outputs,
            "inputs": inputs,
            "initial": named(self.initial, "--initial", "PATH=CHANNEL"),
            "start": named(self.start, "--start", "PATH=VALUE"),
            "bounds": {path: _ends(text) for path, text in named(self.bounds, "--bounds", "PATH=LOW:HIGH").items()},
            "noise": noise or None,
            **(self.options or {}),
        }

    @property
    def paths(self) -> list[str]:
        """The free parameters."""
        paths = split_words(self.free)
        if not paths:
            raise SpecError("--free is missing; name what is to be found, for instance --free joint.law.mu_c,load.m")
        return paths


def identify_model(
    name: str,
    settings: Sequence[str],
    data: Sequence[Path],
    held_out: Sequence[Path],
    reading: Reading,
    task: Task,
    report: Path | None,
    save: Path | None,
) -> None:
    """Fits a model to records, prints what was found, and writes the page.

    >>> identify_model("servo.yaml", [], [Path("run7.csv")], [], Reading(), task, Path("out.html"), None)
    """
    paths = task.paths
    for path in (report, save):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)  # what cannot be written is better known before the fit
    records, others = [reading.read(path) for path in data], [reading.read(path) for path in held_out]
    model, arguments = task.tied(model_with(name, settings), records[0])
    with ProgressBar(model.name) as progress:
        result = fit(model, records, paths, progress=progress, **arguments)
        seen = [result.simulate(record) for record in others]
    console = Console()
    _print(console, result, seen)
    used = {*arguments["outputs"].values(), *arguments["inputs"].values(), ""}
    for record in records:
        print_warnings(console, [f"{record.name}: {finding}" for finding in inspect(record) if finding.channel in used])
    written = []
    if report is not None:
        written.append(Path(result.report(report, others)))
    if save is not None:
        save.write_text(json.dumps(_document(result, seen), indent=2, allow_nan=False) + "\n", encoding="utf-8")
        written.append(save)
    for path in written:
        print_files(console, path.parent, [path])


def named(words: Sequence[str], option: str, shape: str) -> dict[str, str]:
    """Pairs of an option that may be given several times, or once with commas.

    >>> named(["load.s=q,load.v=w"], "--output", "OUTPUT=CHANNEL")
    {'load.s': 'q', 'load.v': 'w'}
    """
    found = {}
    for word in (part for text in words for part in text.split(",")):
        name, sign, value = (part.strip() for part in word.partition("="))
        if not (name and sign and value):
            raise SpecError(f"{option} {word.strip()}: write {shape}")
        found[name] = value
    return found


def split_words(texts: Sequence[str]) -> list[str]:
    """Words of an option that may be given several times, or once with commas.

    >>> split_words(["load.m, joint.load"])
    ['load.m', 'joint.load']
    """
    return [word.strip() for text in texts for word in text.split(",") if word.strip()]


def _ends(text: str) -> tuple[str | None, str | None]:
    low, sign, high = (part.strip() for part in text.partition(":"))
    if not sign:
        raise SpecError(f"--bounds {text}: write PATH=LOW:HIGH, for instance load.m=0.5:2; an end may be empty")
    return low or None, high or None


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SpecError(f"{option} {text}: write a number in SI units") from None


def _print(console: Console, result: FitResult, others: Sequence[Predictions]) -> None:
    name = result.problem.rigs[0].model.name
    records = ", ".join(record.name for record in result.records)
    console.print(f"\n[bold]{escape(name)}[/] fitted to {escape(records)}\n", highlight=False)
    tables = [_table(PARAMETERS[:5], [row[:5] for row in parameter_rows(result)], right=[1, 2])]
    tables.append(_table(PREDICTIONS, prediction_rows(result.predictions), right=[3, 5, 6]))
    unseen = [prediction for predictions in others for prediction in predictions]
    if unseen:
        tables.append(_table(("held-out record", *PREDICTIONS[1:]), prediction_rows(unseen), right=[3, 5, 6]))
    print_tables(console, *tables)
    notes = list(result.warnings)
    notes += [f"{path} is not identifiable: {reason}" for path, reason in result.unidentifiable.items()]
    notes += [f"{test.output} in {test.record}: {test.text}" for test in result.residual_tests if not test.passed]
    print_warnings(console, notes)
    console.print(
        f"{result.samples} samples worth {result.uncertainty.effective:.0f} independent ones, {result.iterations} "
        f"iterations, {result.runs} simulations, {result.solver} steps",
        highlight=False,
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]], right: Sequence[int]) -> Table:
    table = new_table(*heads, right=right)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    return table


def _document(result: FitResult, others: Sequence[Predictions]) -> dict[str, Any]:
    """The result for programs; what is not known is null."""
    ends = result.interval(0.95)
    parameters = {
        path: {
            "value": _known(result.values[path]),
            "error": _known(result.errors[path]),
            "interval": [_known(end) for end in ends[path]],
            "unit": result.units[path],
            "why_unknown": result.unidentifiable.get(path),
        }
        for path in result.names
    }
    predictions = [*result.predictions, *(prediction for each in others for prediction in each)]
    fitted = {record.name for record in result.records}
    return {
        "model": result.problem.rigs[0].model.name,
        "parameters": parameters,
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


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
