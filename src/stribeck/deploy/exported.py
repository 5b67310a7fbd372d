"""What is exported of a model: its data, what can be set and read, and how it is called in C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..compile import Program, compile_model
from ..compile.image import Image
from ..compile.requests import requested
from ..declare import Param, unknown
from ..errors import SpecError, UnknownName
from ..kernel import image_size
from ..run.task import Task
from ..spec import Model
from .c_names import c_name, checked_name


@dataclass(frozen=True)
class Exported:
    """A program with its task, as it is exported.

    >>> exported = Exported.of(model, step="1 ms")
    >>> exported.name, exported.memory[0] > 10_000
    ('stick_slip', True)
    """

    program: Program
    task: Task
    inputs: tuple[str, ...]
    """External signals that can be set; the others keep their values at the start."""
    name: str
    """What it is called in C."""

    @classmethod
    def of(
        cls,
        model: Model | Program,
        step: float | str = 1e-3,
        *,
        inputs: Sequence[str] | None = None,
        outputs: str | Iterable[str] | None = None,
        name: str | None = None,
    ) -> Exported:
        """From what a user asks for."""
        program = model if isinstance(model, Program) else compile_model(model)
        task = Task(Param(None, "s", "time of one step", above=0).to_si(step, {}, "deploy", "step"), energy=False)
        chosen = tuple(program.inputs) if inputs is None else tuple(dict.fromkeys(inputs))
        for one in chosen:
            if one not in program.inputs:
                raise UnknownName(_no_input(program, one))
        try:
            shown = program if outputs is None else requested(program, outputs)
        except UnknownName as error:
            raise UnknownName(str(error).replace("simulate: outputs:", "deploy: outputs:")) from None
        return cls(shown, task, chosen, c_name(program.name) if name is None else checked_name(name))

    @cached_property
    def image(self) -> Image:
        """Its data."""
        simulation = self.program.simulation
        settings = {
            "h": self.task.h,
            "substeps": float(self.task.substeps),
            "tolerance": simulation.tolerance,
            "t_end": simulation.t_end,
        }
        return Image.of(self.program, settings, self.inputs)

    @cached_property
    def memory(self) -> tuple[int, int]:
        """Bytes of a plant, and of a snapshot of it, on a computer like this one."""
        size, snapshot = image_size(self.image.block())
        if not size:
            raise RuntimeError(f"{self.program.name}: the runtime does not read its own data")
        return size, snapshot


def _no_input(program: Program, name: str) -> str:
    """Why something is no input."""
    known = program.inputs
    if known:
        return unknown("deploy: inputs: there is no External signal", name, known)
    way_out = "make it one by External(): Torque(mass, tau=External(0))"
    return f"deploy: inputs: '{name}' is not an External signal, and {program.name} has none; {way_out}"


def runtime_files() -> dict[str, Path]:
    """The files of the runtime that the package has been built with, by name.

    >>> sorted(runtime_files())
    ['stribeck.c', 'stribeck.h', 'stribeck_equations.h']
    """
    from . import __path__

    folders = [Path(folder, "runtime") for folder in __path__]
    found = {path.name: path for folder in folders for path in sorted(folder.glob("*.[ch]"))}
    if "stribeck.c" not in found:
        raise SpecError("deploy: this installation has no runtime; install the package again: pip install stribeck")
    return found
