"""Linearisation: a machine about one of its points, with the modes of its contacts kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...compile import Program, compile_model
from ...declare import Param, unknown
from ...errors import SimulationError, SpecError, UnknownName
from ...kinds import Kind
from ...results import MODES
from ...run.simulate import simulate
from ...spec import Model
from .freedom import Freedom
from .inputs import MotionResponse, OperatingPoint, choose_inputs, force_unit, motion_domain
from .model import LinearModel


def linearize(
    model: Model | Program,
    at: float | str | Mapping[str, float] = 0.0,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
) -> LinearModel:
    """The machine as a linear system about the point that it has reached at the time `at` (s, or "500 ms").

    Instead of a time, states can be given by name; those left out are as at the start. Outputs are any that a result
    has, but no modes. Inputs are named by their elements. A source of torque or force, all drives by default, acts with
    what it gives in addition. A prescribed motion (`inputs=["pull"]`) acts with its acceleration, as `pull.a`: its
    speed, and its position where that matters, are then states as well, with eigenvalues 0. Those that are no inputs go
    on as they are; delays, samples and counters keep their value.

    Contacts keep the modes that they have there. A stuck one is rigid: its slip stays 0, the speeds that this makes
    depend on others and the positions that nothing can change any more are no states of the linear system. A sliding
    one has the slope of its curve as damping, which is negative where friction falls with speed; bristles and signals
    with states keep these.

    A and B are exact derivatives from the kernel, D too; C, and what the speed of a prescribed motion does, come from
    central differences: about ten digits, but six where a law bends within a small part of a state. About a point at
    which the machine is not at rest or in steady motion (`rate`), the system is the one that holds for a short time.

    >>> linearize(load_model("stick-slip"), at="2 s").modes()
    >>> linearize(load_model("clutch-judder"), at=0.5, inputs=["engine"], outputs=["shaft.tau"]).to_control()
    """
    program = model if isinstance(model, Program) else compile_model(model)
    machine = program.machine()
    time, y = _operating_point(program, machine, at)
    point = OperatingPoint(program, machine, time, y)
    sources, motions = choose_inputs(program, inputs)
    shown = _chosen_outputs(program, outputs)
    locks = program.contacts[: len(program.locks)]
    contacts = {name: MODES[mode] for name, mode in zip(locks, machine.modes(), strict=True)}
    rate = machine.rhs(time, y)

    jacobian = machine.jacobian(time, y)
    forced = point.force_response(list(sources.values()))
    moved = point.motion_response(list(motions.values()))
    freedom = Freedom(program, machine.locked(), list(motions.values()), _depends(jacobian, forced[0], *moved.rates))
    basis, kept = freedom.basis, freedom.kept
    system = _state_matrix(freedom, jacobian, moved)
    input_matrix = _input_matrix(freedom, forced[0], moved)
    slopes = point.output_jacobian(freedom)
    names, units, nominal = _state_labels(program, freedom, motions)

    inertia = program.mechanics.inertias
    speed_at = [*range(program.sizes["n_v"]), *range(freedom.n_y + len(freedom.placed), freedom.size)]
    speeds = freedom.over_inputs(program.mechanics.body_speeds) @ basis[speed_at]
    return LinearModel(
        name=program.name,
        time=time,
        A=(system @ basis)[kept],
        B=input_matrix[kept],
        C=slopes[shown],
        D=np.hstack([forced[1], moved.acceleration[1]])[shown],
        states=tuple(names[i] for i in kept),
        state_units=tuple(units[i] for i in kept),
        inputs=(*sources, *(f"{name}.a" for name in motions)),
        input_units=(
            *(force_unit(program, source) for source in sources.values()),
            *(motion_domain(program, motion).units["acc"] for motion in motions),
        ),
        outputs=tuple(program.output_names[i] for i in shown),
        output_units=tuple(program.output_units[i] for i in shown),
        contacts=contacts,
        point=dict(zip(program.state_names, y.tolist(), strict=True)),
        rate=dict(zip(program.state_names, rate.tolist(), strict=True)),
        nominal=nominal[kept],
        bodies={name: np.sqrt(inertia[k]) * speeds[k] for k, name in enumerate(program.bodies)},
        inertias=dict(zip(program.bodies, inertia.tolist(), strict=True)),
    )


def _depends(jacobian: np.ndarray, *parts: np.ndarray) -> np.ndarray:
    """Which states anything changes."""
    found: np.ndarray = np.asarray(np.hstack([jacobian, *parts]).any(axis=1))
    return found


def _state_matrix(freedom: Freedom, jacobian: np.ndarray, moved: MotionResponse) -> np.ndarray:
    """Rates of the states, and of positions and speeds of the motions, by all of these."""
    n_p, n_m = len(freedom.placed), len(freedom.motions)
    system = np.zeros((freedom.size, freedom.size))
    system[: freedom.n_y] = np.hstack([jacobian, moved.position[0][:, freedom.placed], moved.speed[0]])
    system[freedom.n_y : freedom.n_y + n_p, freedom.n_y + n_p :] = np.eye(n_m)[freedom.placed]
    return system


def _input_matrix(freedom: Freedom, forced: np.ndarray, moved: MotionResponse) -> np.ndarray:
    """What torques and prescribed accelerations add to these rates."""
    n_m = len(freedom.motions)
    acts = np.zeros((freedom.size, forced.shape[1] + n_m))
    acts[: freedom.n_y] = np.hstack([forced, moved.acceleration[0]])
    acts[freedom.size - n_m :, forced.shape[1] :] = np.eye(n_m)
    return acts


def _state_labels(
    program: Program, freedom: Freedom, motions: Mapping[str, int]
) -> tuple[list[str], list[str], np.ndarray]:
    """Names, units and sizes of the states, and of positions and speeds of the motions."""
    names, units = list(program.state_names), list(program.state_units)
    domains = {motion: motion_domain(program, motion) for motion in motions}
    placed = [list(motions)[i] for i in freedom.placed]
    names += [f"{motion}.{domains[motion].position}" for motion in placed]
    names += [f"{motion}.{domain.speed}" for motion, domain in domains.items()]
    units += [domains[motion].units["disp"] for motion in placed]
    units += [domain.units["vel"] for domain in domains.values()]
    return names, units, np.concatenate([program.nominal, np.ones(len(placed) + len(motions))])


def _operating_point(program: Program, machine: Any, at: float | str | Mapping[str, float]) -> tuple[float, np.ndarray]:
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
        raise _not_reached(program, y0, time, str(error)) from None
    y = machine.state()
    bristles = slice(program.sizes["n_v"] + program.sizes["n_q"], None)  # a start bends those that slide
    asked = np.array([values.get(i, y[i]) for i in range(y.size)])
    y[bristles] = asked[bristles]
    return time, y


def _not_reached(program: Program, y0: np.ndarray, time: float, reason: str) -> SimulationError:
    """The failure with what a run from there has to show."""
    where, elements = time, tuple[str, ...]()
    try:
        result = simulate(program.with_start(y0), time or None)
    except SimulationError as failure:
        where, elements, result, reason = failure.time, failure.elements, failure.result, str(failure)
    return SimulationError(
        f"{program.name}: t = {time:g} s was not reached: {reason}", time=where, elements=elements, result=result
    )


def _chosen_outputs(program: Program, outputs: Sequence[str] | None) -> list[int]:
    """The numbers of the outputs."""
    if outputs is None:
        return [i for i, kind in enumerate(program.output_kinds) if kind is not Kind.MODE]
    for name in outputs:
        if name not in program.output_names:
            raise UnknownName(unknown(f"{program.name} has no output", name, program.output_names))
        if program.output_kinds[program.output_names.index(name)] is Kind.MODE:
            raise SpecError(f"{name} has steps, no slope; leave it out of the outputs")
    return [program.output_names.index(name) for name in outputs]
