"""What `stribeck identify` is asked: how files are read, what is tied to what, what is to be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..compile import compile_model
from ..errors import SpecError
from ..identify import Measurement, driven, inspect
from ..model import Model
from ..results.screen import Screen
from .reading import Reading, named, number
from .settings import model_with
from .targets import check_file


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
        noise = {name: number(value, "--noise") for name, value in named(self.noise, "--noise", "OUTPUT=VALUE").items()}
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
    reading: Reading = field(default_factory=Reading)
    task: FitTask = FitTask()
    report: Path | None = None
    save: Path | None = None

    def prepared(self) -> Prepared:
        """Everything read and tied; what cannot be written is better known before the fit."""
        check_file(self.report)
        check_file(self.save)
        records, others = (self.reading.records(paths) if paths else [] for paths in (self.data, self.held_out))
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
