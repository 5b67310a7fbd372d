"""Every numeric parameter of a machine, changed without compiling and by compiling: both must give the same bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.errors import StructureError


@dataclass
class Varying:
    """What became of the parameters of some machines."""

    parameters: int = 0
    tunable: int = 0
    refused: int = 0
    """By both ways, with the same words."""
    other_structure: int = 0
    """Of tunable ones: values that need another structure, which both ways agree on."""
    faults: list[str] = field(default_factory=list)

    def check(self, name: str, model: sb.Model) -> None:
        """Changes every parameter of a model, one after the other."""
        program = sb.compile_model(model)
        values, guard = program.record.run(program.point)
        if guard >= 0 or values.tobytes() != program.values.tobytes():
            self.faults.append(f"{name}: the tape does not give what was compiled")
        for path, parameter in program.parameters.items():
            self.parameters += 1
            self.tunable += parameter.tunable
            self._change(name, model, program, path, changed(parameter.value))

    def _change(self, name: str, model: sb.Model, program: sb.Program, path: str, value: Any) -> None:
        compiled, complaint = attempt(lambda: sb.compile_model(model.varied({path: value})))
        varied, other = attempt(lambda: program.with_values({path: value}))
        label = f"{name}: {path} = {value}"
        if isinstance(other, StructureError):
            self.other_structure += program.parameters[path].tunable
            if compiled is not None and compiled.structure.hash == program.structure.hash:
                self.faults.append(f"{label}: refused for a structure that is the same")
        elif (compiled is None) != (varied is None) or (complaint and str(complaint) != str(other)):
            self.faults.append(f"{label}: {complaint} against {other}")
        elif compiled is None or varied is None:
            self.refused += 1
        elif compiled.structure.hash != varied.structure.hash:
            self.faults.append(f"{label}: another structure was not noticed")
        elif compiled.values.tobytes() != varied.values.tobytes():
            apart = int(np.count_nonzero(compiled.values != varied.values))
            self.faults.append(f"{label}: {apart} values differ")


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, list):
        return [changed(entry) for entry in value]
    return value + 1 if isinstance(value, int) else value * 1.07 if value else 0.013


def attempt(make: Any) -> tuple[Any, sb.SpecError | None]:
    """What is made, or why it is refused."""
    try:
        return make(), None
    except sb.SpecError as error:
        return None, error
