"""What `stribeck identify` is asked: how files are read, what is tied to what, what is to be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..compile import compile_model
from ..errors import SpecError
from ..identify import Measurement, driven, inspect
from ..model import Model
from ..results.screen import Screen
from .settings import model_with
from .targets import check_file


@dataclass(frozen=True)
class Reading:
    """How files are read, in the words of the command line.

    >>> Reading(units=["q=mm"], resolution=["q=0.01 mm"]).read(Path("axis.csv"))
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
class FitTask:
    """What is to be found, in the words of the command line.

    >>> FitTask(free=["joint.law.mu_c,load.m"], outputs=["load.s=q"], inputs=["motor.f=u"])
    """

    free: Sequence[str] = ()
    outputs: Sequence[str] = ()
    inputs: Sequence[str] = ()
    initial: Sequence[str] = ()
    start: Sequence[str] = ()
    bounds: Sequence[str] = ()
    noise: Sequence[str] = ()
    per_record: Sequence[str] = ()
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
            "per_record": split_words(self.per_record),
            **(self.options or {}),
        }

    @property
    def paths(self) -> list[str]:
        """The free parameters."""
        paths = split_words(self.free)
        if not paths and not self.per_record:
            raise SpecError("--free is missing; name what is to be found, for instance --free joint.law.mu_c,load.m")
        return paths


@dataclass(frozen=True)
class Job:
    """One call of the command: a model, the records that are fitted, those that judge, and where the answer goes.

    >>> Job("axis.yaml", data=[Path("axis.csv")], task=FitTask(free=["load.m"]), report=Path("out.html"))
    """

    name: str
    settings: Sequence[str] = ()
    data: Sequence[Path] = ()
    held_out: Sequence[Path] = ()
    reading: Reading = Reading()
    task: FitTask = FitTask()
    report: Path | None = None
    save: Path | None = None

    def prepared(self) -> Prepared:
        """Everything read and tied; what cannot be written is better known before the fit."""
        check_file(self.report)
        check_file(self.save)
        records, others = ([self.reading.read(path) for path in paths] for paths in (self.data, self.held_out))
        model, arguments = self.task.tied(model_with(self.name, self.settings), records[0])
        return Prepared(model, records, others, arguments)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A model that channels can drive, the records, and the arguments of `fit`."""

    model: Model
    records: Sequence[Measurement]
    held_out: Sequence[Measurement]
    arguments: Mapping[str, Any]

    def print_findings(self, console: Screen) -> None:
        """What is wrong with the channels that are used."""
        used = {*self.arguments["outputs"].values(), *self.arguments["inputs"].values(), ""}
        for record in (*self.records, *self.held_out):
            findings = [finding for finding in inspect(record) if finding.channel in used]
            console.warn([f"{record.name}: {finding}" for finding in findings])


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
