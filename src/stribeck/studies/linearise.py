"""Linearisation: a machine about one of its points, with the modes of its contacts kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..compile import Program, compile_model
from ..declare import Param, unknown
from ..errors import SimulationError, SpecError, UnknownName
from ..results import MODES
from ..results.modes import is_mode
from ..spec import Model
from .linear_model import LinearModel

STEP = 1e-5
"""Step of the differences for C, as a share of the size of a state."""
DRIVE = -2
"""Mark of a source that is a drive, not something passive, in source_energy."""


def linearize(
    model: Model | Program,
    at: float | str | Mapping[str, float] = 0.0,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
) -> LinearModel:
    """The machine as a linear system about the point that it has reached at the time `at` (s, or "500 ms").

    Instead of a time, states can be given by name; those left out are as at the start. Inputs are torques or forces in
    addition to those of the named sources, all drives by default; outputs are any that a result has, but no modes.

    Contacts keep the modes that they have there. A stuck one is rigid: its slip stays 0, the speeds that this makes
    depend on others and the positions that nothing can change any more are no states of the linear system. A sliding
    one has the slope of its curve as damping, which is negative where friction falls with speed; bristles and signals
    with states keep these. Prescribed motions go on as they are; delays, samples and counters keep their value.

    A and B are exact derivatives from the kernel, D too; C comes from central differences: about ten digits, but six
    where a law bends within a small part of a state. About a point at which the machine is not at rest or in steady
    motion (`rate`), the system is the one that holds for a short time.

    >>> linearize(load_model("stick-slip"), at="2 s").modes()
    """
    program = model if isinstance(model, Program) else compile_model(model)
    machine = program.machine()
    time, y = _reach(program, machine, at)
    sources = _sources(program, inputs)
    shown = _outputs(program, outputs)
    contacts = {name: MODES[mode] for name, mode in zip(program.locks, machine.modes(), strict=True)}
    rate = machine.rhs(time, y)

    jacobian = machine.jacobian(time, y)
    push = _pushed(program, machine, time, y, list(sources.values()))
    basis, kept = _freedom(program, machine.locked(), jacobian, push[0])
    slopes = _slopes(program, machine, time, y, basis)

    sizes, arrays = program.sizes, program.arrays
    inertia = arrays["body_inertia"]
    speeds = _dense(program, "b", sizes["n_body"])[:, : len(y)] @ basis
    return LinearModel(
        name=program.name,
        time=time,
        A=(jacobian @ basis)[kept],
        B=push[0][kept],
        C=slopes[shown],
        D=push[1][shown],
        states=tuple(program.state_names[i] for i in kept),
        state_units=tuple(program.state_units[i] for i in kept),
        inputs=tuple(sources),
        input_units=tuple(_force_unit(program, name) for name in sources),
        outputs=tuple(program.output_names[i] for i in shown),
        output_units=tuple(program.output_units[i] for i in shown),
        contacts=contacts,
        point=dict(zip(program.state_names, y.tolist(), strict=True)),
        rate=dict(zip(program.state_names, rate.tolist(), strict=True)),
        nominal=program.nominal[kept],
        bodies={name: np.sqrt(inertia[k]) * speeds[k] for k, name in enumerate(program.bodies)},
        inertias=dict(zip(program.bodies, inertia.tolist(), strict=True)),
    )


def _reach(program: Program, machine: Any, at: Any) -> tuple[float, np.ndarray]:
    """Brings the machine to the point: its time and states."""
    given = at if isinstance(at, Mapping) else {}
    for name in given:
        if name not in program.state_names:
            raise UnknownName(unknown(f"{program.name} has no state", name, program.state_names))
    values = {program.state_names.index(name): float(value) for name, value in given.items()}
    y0 = program.y0.copy()
    y0[list(values)] = list(values.values())
    time = 0.0 if given else Param(None, "s", "time", min=0).to_si(at, {}, "linearize", "at")
    try:
        if time > 0:
            machine.advance(0.0, y0, time, program.simulation.tolerance)
        else:
            machine.start(0.0, y0)
    except RuntimeError as error:
        raise SimulationError(f"{program.name}: t = {time:g} s was not reached: {error}") from None
    y = machine.state()
    bristles = slice(program.sizes["n_v"] + program.sizes["n_q"], None)  # a start bends those that slide
    asked = np.array([values.get(i, y[i]) for i in range(y.size)])
    y[bristles] = asked[bristles]
    return time, y


def _sources(program: Program, inputs: Sequence[str] | None) -> dict[str, int]:
    """The inputs: names of sources with their numbers."""
    first = program.sizes["n_spring"]
    owners = program.branches[first : first + program.sizes["n_source"]]
    every: dict[str, int] = {}
    for k, owner in enumerate(owners):
        again = owners[:k].count(owner)
        every[f"{owner}~{again + 1}" if again else owner] = k
    for name in inputs or ():
        if name not in every:
            raise UnknownName(unknown(f"{program.name} has no source of torque or force", name, every))
    drives = [name for name, k in every.items() if program.arrays["source_energy"][k] == DRIVE]
    return {name: every[name] for name in (drives if inputs is None else inputs)}


def _outputs(program: Program, outputs: Sequence[str] | None) -> list[int]:
    """The numbers of the outputs."""
    if outputs is None:
        return [i for i, name in enumerate(program.output_names) if not is_mode(name)]
    for name in outputs:
        if name not in program.output_names:
            raise UnknownName(unknown(f"{program.name} has no output", name, program.output_names))
        if is_mode(name):
            raise SpecError(f"{name} has steps, no slope; leave it out of the outputs")
    return [program.output_names.index(name) for name in outputs]


def _pushed(
    program: Program, machine: Any, time: float, y: np.ndarray, sources: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """How rates and outputs answer to the sources. Both are linear in them, so that differences are exact."""
    columns = []
    for k in sources:
        pushes = []
        for sign in (1.0, -1.0):
            torques = np.zeros(program.sizes["n_source"])
            torques[k] = sign
            machine.push(torques)
            pushes.append((machine.rhs(time, y), machine.outputs(time, y)))
        columns.append([(plus - minus) / 2 for plus, minus in zip(*pushes, strict=True)])
    machine.push(np.zeros(program.sizes["n_source"]))
    if not columns:
        return np.zeros((y.size, 0)), np.zeros((len(program.output_names), 0))
    return np.column_stack([c[0] for c in columns]), np.column_stack([c[1] for c in columns])


def _slopes(program: Program, machine: Any, time: float, y: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Derivatives of all outputs by the states of the linear system."""
    slopes = np.zeros((len(program.output_names), basis.shape[1]))
    for j, direction in enumerate(basis.T):
        moving = direction != 0
        step = STEP * float(np.min(program.nominal[moving] / np.abs(direction[moving])))
        high, low = y + step * direction, y - step * direction
        slopes[:, j] = (machine.outputs(time, high) - machine.outputs(time, low)) / (2 * step)
    return slopes


def _freedom(
    program: Program, locked: Sequence[int], jacobian: np.ndarray, push: np.ndarray
) -> tuple[np.ndarray, list[int]]:
    """Directions in which the machine can depart from the point, and the states that measure them.

    Speeds are in the null space of the slips of stuck contacts, positions in what these speeds can reach; states of
    laws that nothing changes (such as modes of their own) are left out. The basis is 1 in the states that are kept.
    """
    sizes, arrays = program.sizes, program.arrays
    n_v, n_q, n_y = sizes["n_v"], sizes["n_q"], len(program.state_names)
    branch = sizes["n_spring"] + sizes["n_source"]
    rigid = [
        branch + int(arrays["lock_friction"][k])
        for k, on in enumerate(locked)
        if on and arrays["lock_local"][k] <= 0  # the slip of a stuck contact that relaxes is still free
    ]
    slips = _dense(program, "w", branch + sizes["n_friction"])[rigid, :n_v]
    speeds, free = _null_space(slips)
    positions, reached = _echelon((_dense(program, "g", n_q)[:, :n_v] @ speeds).T)
    states = range(n_v + n_q, n_y)
    law_states = range(n_v + n_q, n_y - sizes["n_u"])
    kept_states = [i for i in states if i not in law_states or jacobian[i].any() or push[i].any()]

    kept = [*free, *(n_v + i for i in reached), *kept_states]
    basis = np.zeros((n_y, len(kept)))
    basis[:n_v, : len(free)] = speeds
    basis[n_v : n_v + n_q, len(free) : len(free) + len(reached)] = positions.T
    basis[kept_states, range(len(free) + len(reached), len(kept))] = 1.0
    return basis, kept


def _echelon(rows: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Reduced rows that span the same space, each 1 in a column of its own and 0 in those of the others."""
    rows = rows.copy()
    pivots: list[int] = []
    scale = np.abs(rows).max(initial=0.0)
    for column in range(rows.shape[1]):
        n = len(pivots)
        if n == rows.shape[0]:
            break
        best = n + int(np.argmax(np.abs(rows[n:, column])))
        if abs(rows[best, column]) <= 1e-10 * scale:
            continue
        rows[[n, best]] = rows[[best, n]]
        rows[n] /= rows[n, column]
        others = np.arange(rows.shape[0]) != n
        rows[others] -= np.outer(rows[others, column], rows[n])
        pivots.append(column)
    return rows[: len(pivots)], pivots


def _null_space(rows: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """A basis of what the rows do not see, 1 in the columns that stay free."""
    reduced, pivots = _echelon(rows)
    free = [i for i in range(rows.shape[1]) if i not in pivots]
    basis = np.zeros((rows.shape[1], len(free)))
    basis[free, range(len(free))] = 1.0
    basis[pivots] = -reduced[:, free]
    return basis, free


def _dense(program: Program, letter: str, n: int) -> np.ndarray:
    """Sparse rows over the unknowns as a matrix."""
    pointer, column, value = (program.arrays[f"{letter}_{part}"] for part in ("ptr", "col", "val"))
    matrix = np.zeros((n, len(program.state_names)))
    for i in range(n):
        for p in range(pointer[i], pointer[i + 1]):
            matrix[i, column[p]] += value[p]
    return matrix


def _force_unit(program: Program, source: str) -> str:
    """The unit of the torque or force of a source."""
    element = source.partition("~")[0]
    units = dict(zip(program.output_names, program.output_units, strict=True))
    return next((units[f"{element}.{word}"] for word in ("tau", "f") if f"{element}.{word}" in units), "1")
