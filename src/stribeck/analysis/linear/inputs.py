"""What acts on a machine from outside, sources and prescribed motions, and how it answers to small changes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compile import Program
from ...declare import unknown
from ...elements import DOMAINS, Domain
from ...errors import SpecError, UnknownName
from ...kinds import Kind
from .freedom import Freedom

STEP = 1e-5
"""Step of differences, as a share of the size of a state."""

Response = tuple[np.ndarray, np.ndarray]
"""Changes of all rates and of all outputs, a column for each input."""


class MotionResponse(NamedTuple):
    """Answers to positions, speeds and accelerations of prescribed motions."""

    position: Response
    speed: Response
    acceleration: Response

    @property
    def rates(self) -> tuple[np.ndarray, ...]:
        """Changes of the rates by all three."""
        return tuple(answer[0] for answer in self)


class OperatingPoint:
    """A machine at a point, in the modes that it has there.

    >>> OperatingPoint(program, machine, 0.0, machine.state()).motion_response([0])
    """

    def __init__(self, program: Program, machine: Any, time: float, y: np.ndarray) -> None:
        self.program, self.machine, self.time, self.y = program, machine, time, y

    def evaluate(self) -> Response:
        """Rates and outputs as they are now."""
        return self.machine.rhs(self.time, self.y), self.machine.outputs(self.time, self.y)

    def force_response(self, sources: Sequence[int]) -> Response:
        """Answers to the torques of sources. They are linear in them, so that differences are exact."""
        return self._central_differences(self.machine.offset_torques, self.program.sizes["n_source"], sources, 1.0)

    def motion_response(self, motions: Sequence[int]) -> MotionResponse:
        """Answers to prescribed motions; those to accelerations are linear."""
        steps = (STEP, STEP, 1.0)
        size = 3 * self.program.sizes["n_motion"]
        return MotionResponse(
            *(
                self._central_differences(self.machine.offset_motions, size, [3 * k + n for k in motions], steps[n])
                for n in range(3)
            )
        )

    def output_jacobian(self, freedom: Freedom) -> np.ndarray:
        """Derivatives of all outputs by the states of the linear system."""
        program, n_y = self.program, freedom.n_y
        nominal = np.concatenate([program.nominal, np.ones(freedom.size - n_y)])
        slopes = np.zeros((len(program.output_names), len(freedom.kept)))
        for j, direction in enumerate(freedom.basis.T):
            moving = direction != 0
            step = STEP * float(np.min(nominal[moving] / np.abs(direction[moving])))
            high, low = (self._outputs_at(freedom, sign * step * direction) for sign in (1, -1))
            slopes[:, j] = (high - low) / (2 * step)
        self.machine.offset_motions(np.zeros(3 * program.sizes["n_motion"]))
        return slopes

    def _outputs_at(self, freedom: Freedom, change: np.ndarray) -> np.ndarray:
        """Outputs with states and motions changed."""
        offset = np.zeros((self.program.sizes["n_motion"], 3))
        n_p, n_y = len(freedom.placed), freedom.n_y
        offset[[freedom.motions[i] for i in freedom.placed], 0] = change[n_y : n_y + n_p]
        offset[freedom.motions, 1] = change[n_y + n_p :]
        self.machine.offset_motions(offset.ravel())
        outputs: np.ndarray = self.machine.outputs(self.time, self.y + change[:n_y])
        return outputs

    def _central_differences(
        self, act: Callable[[np.ndarray], None], size: int, places: Sequence[int], step: float
    ) -> Response:
        """Central differences by single entries of what `act` sets."""
        columns = []
        for place in places:
            seen = []
            for sign in (1.0, -1.0):
                values = np.zeros(size)
                values[place] = sign * step
                act(values)
                seen.append(self.evaluate())
            columns.append([(plus - minus) / (2 * step) for plus, minus in zip(*seen, strict=True)])
        act(np.zeros(size))
        if not columns:
            return np.zeros((self.y.size, 0)), np.zeros((len(self.program.output_names), 0))
        return np.column_stack([c[0] for c in columns]), np.column_stack([c[1] for c in columns])


def choose_inputs(program: Program, inputs: Sequence[str] | None) -> tuple[dict[str, int], dict[str, int]]:
    """The inputs: names of sources and of prescribed motions with their numbers; all drives if nothing is asked for.

    >>> choose_inputs(program, ["pull"])
    ({}, {'pull': 0})
    """
    first = program.sizes["n_spring"]
    owners = program.branches[first : first + program.sizes["n_source"]]
    sources: dict[str, int] = {}
    for k, owner in enumerate(owners):
        again = owners[:k].count(owner)
        sources[f"{owner}~{again + 1}" if again else owner] = k
    if inputs is None:
        return {name: k for name, k in sources.items() if k in program.drives}, {}
    motions = {name: k for k, name in enumerate(program.motions)}
    asked = [name.removesuffix(".a") if name.removesuffix(".a") in motions else name for name in inputs]
    for name in asked:
        if name not in sources and name not in motions:
            what = f"{program.name} has no source of torque or force and no prescribed motion"
            raise UnknownName(unknown(what, name, [*sources, *motions]))
        if name in motions:
            _check_unread(program, name, motions[name])
    return {n: sources[n] for n in asked if n in sources}, {n: motions[n] for n in asked if n in motions}


def _check_unread(program: Program, name: str, motion: int) -> None:
    """Refuses a motion whose signal is read elsewhere: what is added to the motion would not be seen there."""
    readers = [program.signal_owners[operation] for operation in program.mechanics.readers(motion)]
    if readers:
        raise SpecError(
            f"linearize: the motion of '{name}' is read by a signal of '{readers[0]}' too, so that "
            "it cannot be changed alone; drive a body by a Torque or Force instead, and take that as the input"
        )


def motion_domain(program: Program, motion: str) -> Domain:
    """The domain of a prescribed motion: names and units of its position, speed and acceleration.

    >>> motion_domain(program, "pull").units["acc"]
    'rad/s2'
    """
    unit = _unit(program, motion, Kind.POSITION)
    return next(domain for domain in DOMAINS.values() if domain.units["disp"] == unit)


def force_unit(program: Program, source: int) -> str:
    """The unit of the torque or force of a source, by number.

    >>> force_unit(program, 0)
    'N.m'
    """
    return _unit(program, program.branches[program.sizes["n_spring"] + source], Kind.FORCE)


def _unit(program: Program, owner: str, kind: Kind) -> str:
    """The unit of what an element shows of a kind."""
    shown = zip(program.output_owners, program.output_kinds, program.output_units, strict=True)
    return next(unit for name, what, unit in shown if name == owner and what is kind)
