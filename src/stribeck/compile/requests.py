"""A program with the requested outputs: some of the default ones, and those that exist on request only.

`power` is what an element turns into heat (W), all its dampers and contacts together; `jerk` is the rate of the
acceleration of a body. Both cost time in every step, so a program does not show them unasked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from ..declare import unknown
from ..errors import UnknownName
from ..kernel import board
from ..kinds import Kind
from .program import Program


class Shown(NamedTuple):
    """One output of a program, by its place on the board of the kernel."""

    name: str
    unit: str
    kind: Kind
    part: str
    place: int
    scale: float


def requested(program: Program, wanted: str | Iterable[str]) -> Program:
    """The program with the outputs that are wanted, by names or patterns as "clutch.*"; "*" are all usual ones, power
    and jerk come by their names alone: "clutch.power", "*.jerk".

    >>> requested(program, ["mass.w", "*.power"]).output_names
    ('mass.w', 'friction.power')
    """
    usual, powers, jerks = _usual(program), _powers(program), _jerks(program)
    chosen = _chosen([wanted] if isinstance(wanted, str) else list(wanted), usual, [*powers, *jerks])
    kinds = {output.kind for output in chosen}
    branches = _lossy(program) if Kind.POWER in kinds else []
    slot = {output.name.removesuffix(".power"): output.place for output in powers}
    sizes = dict(program.sizes) | {
        "n_power": len(powers) if branches else 0,
        "n_lossy": len(branches),
        "n_jerk": len(jerks) if Kind.JERK in kinds else 0,
        "n_output": len(chosen),
    }
    start = board(sizes)
    first = {Kind.POWER: start["dissipated"], Kind.JERK: start["body_j"]}  # behind all others: these stay in place
    arrays = {
        "power_branch": np.array(branches, np.int32),
        "power_slot": np.array([slot[program.branches[branch]] for branch in branches], np.int32),
        "out_index": np.array([first.get(output.kind, 0) + output.place for output in chosen], np.int32),
        "out_scale": np.array([output.scale for output in chosen], float),
    }
    return replace(
        program,
        sizes=sizes,
        arrays=dict(program.arrays) | arrays,
        output_names=tuple(output.name for output in chosen),
        output_units=tuple(output.unit for output in chosen),
        output_kinds=tuple(output.kind for output in chosen),
        output_parts=tuple(output.part for output in chosen),
    )


def _usual(program: Program) -> list[Shown]:
    """What the program shows unasked."""
    labels = zip(program.output_names, program.output_units, program.output_kinds, program.output_parts, strict=True)
    places = zip(program.arrays["out_index"].tolist(), program.arrays["out_scale"].tolist(), strict=True)
    return [Shown(*label, *place) for label, place in zip(labels, places, strict=True)]


def _lossy(program: Program) -> list[int]:
    """The branches that turn work into heat: dampers, what resists without being a store, friction."""
    springs, sources = program.sizes["n_spring"], program.sizes["n_source"]
    damped = np.flatnonzero(program.arrays["spring_d"]).tolist()
    passive = [springs + source for source in range(sources) if source not in program.drives]
    return [*damped, *passive, *range(springs + sources, len(program.branches))]


def _powers(program: Program) -> list[Shown]:
    """Heat of every element that has some, in the order of the model."""
    owners = {program.branches[branch] for branch in _lossy(program)}
    elements = [element for element in program.elements if element in owners]
    return [Shown(f"{e}.power", "W", Kind.POWER, "", slot, 1.0) for slot, e in enumerate(elements)]


def _jerks(program: Program) -> list[Shown]:
    """Rate of the acceleration of every body."""
    labels = zip(program.output_names, program.output_units, strict=True)
    units = {name.partition(".")[0]: unit for name, unit in labels if unit in PER_SECOND}
    bodies = enumerate(program.bodies)
    return [Shown(f"{body}.jerk", PER_SECOND[units[body]], Kind.JERK, "", k, 1.0) for k, body in bodies]


PER_SECOND = {"rad/s2": "rad/s3", "m/s2": "m/s3"}
"""Units of jerks by those of accelerations."""


def _chosen(wanted: Iterable[str], usual: list[Shown], special: list[Shown]) -> list[Shown]:
    """The outputs that are wanted, each once, in the order asked for."""
    found: dict[str, Shown] = {}
    for pattern in wanted:
        last = pattern.rpartition(".")[2]
        asked = [*usual, *(output for output in special if output.name.endswith(f".{last}"))]
        matches = [output for output in asked if fnmatchcase(output.name, pattern)]
        if not matches:
            known = [output.name for output in [*usual, *special]]
            raise UnknownName(unknown("simulate: outputs: there is no output", pattern, known))
        found |= {output.name: output for output in matches}
    return list(found.values())
