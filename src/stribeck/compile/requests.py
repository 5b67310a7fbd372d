"""A program with the requested outputs: some of the default ones, and those that exist on request only.

`power` is what an element turns into heat (W), all its dampers and contacts together; `jerk` is the rate of the
acceleration of a body. Both cost time in every step, so a program does not show them unasked.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

import numpy as np

from ..declare import unknown
from ..errors import UnknownName
from ..kinds import Kind
from .program import Program, ShownOutput


def requested(program: Program, wanted: str | Iterable[str]) -> Program:
    """The program with the outputs that are wanted, by names or patterns as "clutch.*"; "*" are all usual ones, power
    and jerk come by their names alone: "clutch.power", "*.jerk".

    >>> requested(program, ["mass.w", "*.power"]).output_names
    ('mass.w', 'friction.power')
    """
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if tuple(names) == program.output_names:
        return program
    usual, powers, jerks = program.outputs, _powers(program), _jerks(program)
    chosen = _chosen(names, usual, [*powers, *jerks])
    kinds = {output.kind for output in chosen}
    branches = _lossy(program) if Kind.POWER in kinds else []
    slot = {output.owner: output.place for output in powers}
    sizes = {
        "n_power": len(powers) if branches else 0,
        "n_lossy": len(branches),
        "n_jerk": len(jerks) if Kind.JERK in kinds else 0,
    }
    return program.showing(
        lambda other: requested(other, names),
        sizes,
        chosen,
        power_branch=np.array(branches, np.int32),
        power_slot=np.array([slot[program.branches[branch]] for branch in branches], np.int32),
    )


def _lossy(program: Program) -> list[int]:
    """The branches that turn work into heat: dampers, what resists without being a store, friction."""
    springs, sources = program.sizes["n_spring"], program.sizes["n_source"]
    damped = [k for k in range(springs) if f"{program.branches[k]}.d" in program.record.slots]
    passive = [springs + source for source in range(sources) if source not in program.drives]
    return [*damped, *passive, *range(springs + sources, len(program.branches))]


def _powers(program: Program) -> list[ShownOutput]:
    """Heat of every element that has some, in the order of the model."""
    owners = {program.branches[branch] for branch in _lossy(program)}
    elements = [element for element in program.elements if element in owners]
    return [ShownOutput(f"{e}.power", e, "W", Kind.POWER, "", "dissipated", slot) for slot, e in enumerate(elements)]


def _jerks(program: Program) -> list[ShownOutput]:
    """Rate of the acceleration of every body."""
    labels = zip(program.output_names, program.output_units, strict=True)
    units = {name.partition(".")[0]: unit for name, unit in labels if unit in PER_SECOND}
    bodies = enumerate(program.bodies)
    return [
        ShownOutput(f"{body}.jerk", body, PER_SECOND[units[body]], Kind.JERK, "", "body_j", k) for k, body in bodies
    ]


PER_SECOND = {"rad/s2": "rad/s3", "m/s2": "m/s3"}
"""Units of jerks by those of accelerations."""


def _chosen(wanted: Iterable[str], usual: list[ShownOutput], special: list[ShownOutput]) -> list[ShownOutput]:
    """The outputs that are wanted, each once, in the order asked for."""
    found: dict[str, ShownOutput] = {}
    for pattern in wanted:
        last = pattern.rpartition(".")[2]
        asked = [*usual, *(output for output in special if output.name.endswith(f".{last}"))]
        matches = [output for output in asked if fnmatchcase(output.name, pattern)]
        if not matches:
            known = [output.name for output in [*usual, *special]]
            raise UnknownName(unknown("simulate: outputs: there is no output", pattern, known))
        found |= {output.name: output for output in matches}
    return list(found.values())
