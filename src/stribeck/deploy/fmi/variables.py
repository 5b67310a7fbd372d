"""The variables of an FMU: time, settings, inputs, parameters, outputs, states, their rates, event indicators.

Value references count through these blocks in this order, without gaps; `kernel/fmi/fmu.c` does the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...compile import Program
from ...compile.parameters import Parameter
from ...kernel import modes
from ...kinds import Kind
from .names import distinct, flat, structured
from .units import display_unit

SOLVERS = {"Adaptive": 1, "FixedStep": 2}
"""The solvers of Co-Simulation, as the parameter `simulation.solver` has them."""
SETTINGS = ("simulation.solver", "simulation.step", "simulation.tolerance")
RATE_UNITS = {
    "rad": "rad/s",
    "rad/s": "rad/s2",
    "m": "m/s",
    "m/s": "m/s2",
    "K": "K/s",
    "": "",
    "1": "1/s",
}
"""Units of rates of states by those of the states."""


@dataclass(frozen=True)
class Enumeration:
    """A type of whole numbers with names."""

    name: str
    text: str
    items: Mapping[str, int]


MODE = Enumeration("Mode", "mode of a contact", modes())
SOLVER = Enumeration("Solver", "solver of Co-Simulation", SOLVERS)
TYPES = (MODE, SOLVER)


@dataclass(frozen=True)
class Variable:
    """A scalar variable of an FMU.

    >>> variables(program, "1 ms", True).find("mass.w").unit
    'rad/s'
    """

    name: str
    reference: int
    causality: str
    variability: str
    initial: str = ""
    text: str = ""
    unit: str = ""
    display: str = ""
    start: float | None = None
    min: float | None = None
    max: float | None = None
    nominal: float | None = None
    type: Enumeration | None = None
    """None: it is a real number."""
    state: int | None = None
    """The reference of the state that it is the rate of."""


@dataclass(frozen=True)
class Variables:
    """All variables of an FMU in the order of their references.

    >>> variables(program, "1 ms", True).states
    """

    all: tuple[Variable, ...]
    outputs: tuple[int, ...]
    """References of the outputs."""
    states: tuple[int, ...]
    rates: tuple[int, ...]
    indicators: tuple[int, ...]

    @cached_property
    def by_reference(self) -> Mapping[int, Variable]:
        """Variables by their references."""
        return {variable.reference: variable for variable in self.all}

    @cached_property
    def index(self) -> Mapping[int, int]:
        """Place of each variable in the list by its reference, from 1 on, as FMI 2 counts."""
        return {variable.reference: i for i, variable in enumerate(self.all, 1)}

    def find(self, name: str) -> Variable:
        """A variable by its name."""
        return next(variable for variable in self.all if variable.name == name)

    @property
    def initial_unknowns(self) -> tuple[int, ...]:
        """What initialisation calculates: outputs, states and their rates, in order."""
        known = {*self.outputs, *self.states, *self.rates}
        return tuple(v.reference for v in self.all if v.reference in known and v.initial == "calculated")


def variables(program: Program, step: float, exchange: bool, names: str = "structured") -> Variables:
    """The variables of a program; with event indicators if it is for Model Exchange.

    >>> [variable.name for variable in variables(program, 1e-3, True).all][:4]
    ['time', 'simulation.solver', 'simulation.step', 'simulation.tolerance']
    """
    return _Making(program, step, exchange).variables(names)


def scalars(program: Program) -> Iterator[tuple[int, str, Parameter, float]]:
    """The numbers of all parameters that are on the record: input of the record, name, parameter, value."""
    for path, places in program.record.places.items():
        parameter = program.parameters[path]
        for place, (indices, value) in zip(places, _entries(parameter.value), strict=True):
            index = f"[{','.join(map(str, indices))}]" if indices else ""
            yield place, structured(path) + index, parameter, value


def _entries(value: Any, indices: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    """The numbers of a value that may be a list of lists, with their indices from 1 on."""
    if isinstance(value, list):
        for i, entry in enumerate(value, 1):
            yield from _entries(entry, (*indices, i))
    else:
        yield indices, float(value)


class _Making:
    """Numbers the variables, block by block."""

    def __init__(self, program: Program, step: float, exchange: bool) -> None:
        self._program, self._step, self._exchange = program, step, exchange
        self._shown = {
            name: (number, unit, kind, owner)
            for number, (name, unit, kind, owner) in enumerate(
                zip(
                    program.output_names,
                    program.output_units,
                    program.output_kinds,
                    program.output_owners,
                    strict=True,
                )
            )
            if name not in program.inputs
        }

    def variables(self, names: str) -> Variables:
        sizes = self._program.sizes
        n_state = len(self._program.state_names)
        first_output = 1 + len(SETTINGS) + len(self._program.inputs) + len(self._program.point)
        first_state = first_output + sizes["n_output"]
        rates = tuple(range(first_state + n_state, first_state + 2 * n_state))
        indicators = tuple(range(rates[-1] + 1 if rates else first_state, first_state + 2 * n_state + n_events(sizes)))
        found = [
            Variable("time", 0, "independent", "continuous", text="time", unit="s"),
            *self._settings(),
            *self._inputs(),
            *self._outputs(first_output, first_state),
            *self._states(first_state),
            *self._rates(first_state, rates),
            *(self._indicators(indicators) if self._exchange else ()),
        ]
        found += self._parameters({variable.name for variable in found})
        found.sort(key=lambda variable: variable.reference)
        return Variables(
            tuple(_named(found, names)),
            tuple(v.reference for v in found if v.causality == "output"),
            tuple(range(first_state, first_state + n_state)),
            rates,
            indicators if self._exchange else (),
        )

    def _settings(self) -> Iterator[Variable]:
        program = self._program
        texts = ("solver of Co-Simulation", "step of the fixed-step solver", "tolerance of the adaptive solver")
        limits = ((None, None), (1e-9, 1e9), (1e-14, 0.1))
        starts = (float(SOLVERS["Adaptive"]), self._step, program.simulation.tolerance or 1e-7)
        for i, (name, text, (low, high), start) in enumerate(zip(SETTINGS, texts, limits, starts, strict=True), 1):
            kind, unit = (SOLVER if i == 1 else None), ("s" if i == 2 else "")
            yield Variable(
                name, i, "parameter", "fixed", "exact", text, unit, start=start, min=low, max=high, type=kind
            )

    def _inputs(self) -> Iterator[Variable]:
        moving = _prescribing(self._program)
        for number, (name, known) in enumerate(self._program.inputs.items(), 1 + len(SETTINGS)):
            variability = "discrete" if known.node in moving else "continuous"
            text = "input that prescribes a motion" if known.node in moving else "input"
            unit = known.unit
            yield Variable(
                structured(name), number, "input", variability, "exact", text, unit, display_unit(unit), known.start
            )

    def _parameters(self, taken: set[str]) -> list[Variable]:
        first = 1 + len(SETTINGS) + len(self._program.inputs)
        only_start = _only_start(self._program)
        starts = {f"{name}.value" for name in self._program.inputs}
        found = []
        for place, name, parameter, value in scalars(self._program):
            if parameter.path in starts:
                continue  # it is the start of an input
            while name in taken:
                name = f"{name}_value"
            taken.add(name)
            constant = "local" if parameter.structural else "parameter"
            variability = "constant" if parameter.structural else "fixed" if place in only_start else "tunable"
            low = parameter.min if parameter.min is not None else parameter.above
            found.append(
                Variable(
                    name, first + place, constant, variability, "exact", parameter.text, parameter.unit,
                    display_unit(parameter.unit), value, low, parameter.max,
                )
            )  # fmt: skip
        return found

    def _outputs(self, first: int, first_state: int) -> Iterator[Variable]:
        states = {name: k for k, name in enumerate(self._program.state_names)}
        for name, (number, unit, kind, owner) in self._shown.items():
            mode = kind is Kind.MODE
            reference = first_state + states[name] if name in states and not mode else first + number
            nominal = float(self._program.nominal[states[name]]) if name in states and not mode else None
            yield Variable(
                structured(name),
                reference,
                "output",
                "discrete" if mode else "continuous",
                "calculated",
                str(kind) if owner == name else f"{kind} of {owner}",
                "" if mode else unit,
                "" if mode else display_unit(unit, kind),
                nominal=nominal,
                type=MODE if mode else None,
            )

    def _states(self, first: int) -> Iterator[Variable]:
        program = self._program
        labels = zip(program.state_names, program.state_units, program.nominal.tolist(), strict=True)
        for k, (name, unit, nominal) in enumerate(labels, first):
            shown = self._shown.get(name)
            if shown is not None and shown[2] is not Kind.MODE:
                continue
            label = structured(name) if shown is None else f"{structured(name)}_state"
            yield Variable(label, k, "local", "continuous", "calculated", "state", unit, nominal=nominal)

    def _rates(self, first: int, references: tuple[int, ...]) -> Iterator[Variable]:
        program = self._program
        labels = zip(references, program.state_names, program.state_units, strict=True)
        for k, (reference, name, unit) in enumerate(labels, first):
            label = f"der({structured(name)})"
            text = f"rate of {name}"
            unit = RATE_UNITS.get(unit, f"{unit}/s" if "/" not in unit else "")
            yield Variable(label, reference, "local", "continuous", "calculated", text, unit, state=k)

    def _indicators(self, references: tuple[int, ...]) -> Iterator[Variable]:
        owners = self._program.event_owners
        for i, reference in enumerate(references):
            text = f"event indicator of {owners[i]}" if i < len(owners) else "event indicator"
            yield Variable(f"indicators[{i + 1}]", reference, "local", "continuous", "calculated", text)


def n_events(sizes: Mapping[str, int]) -> int:
    """How many event functions the kernel has: `SB_N_EVENT`.

    >>> n_events(program.sizes)
    0
    """
    return 2 * sizes["n_lock"] + sum(sizes[name] for name in ("n_signal_guard", "n_law_guard", "n_side", "n_open"))


def _named(found: list[Variable], names: str) -> Iterator[Variable]:
    """The variables with the names that a tool takes."""
    flat_names = distinct(flat(v.name) for v in found) if names == "flat" else distinct(v.name for v in found)
    return (replace(variable, name=name) for variable, name in zip(found, flat_names, strict=True))


def _prescribing(program: Program) -> set[int]:
    """The operations of signals that prescribed motions follow, directly or through others."""
    arrays = program.structure.arrays
    ends, operands = arrays["signal_in_ptr"].tolist(), arrays["signal_in"].tolist()
    found, waiting = set[int](), arrays["motion_signal"].tolist()
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += operands[ends[node] : ends[node + 1]]
    return found


def _only_start(program: Program) -> set[int]:
    """The inputs of the record that reach the states at the start and nothing else."""
    arrays, n_input = program.record.arrays, len(program.point)
    reached = [0] * (n_input + len(arrays["op"]))
    for node, place in zip(arrays["out_node"].tolist(), arrays["out_place"].tolist(), strict=True):
        reached[node] |= 1 if place < len(program.state_names) else 2
    ends, operands = arrays["in_ptr"].tolist(), arrays["in"].tolist()
    for node in range(len(arrays["op"]) - 1, -1, -1):
        for operand in operands[ends[node] : ends[node + 1]]:
            reached[operand] |= reached[n_input + node]
    return {place for place in range(n_input) if reached[place] == 1}
