"""The variables of an FMU: time, settings, inputs, parameters, constants, outputs, states, rates, event indicators.

Value references count through these blocks in this order; `fmi/sb_fmu.h` has the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from ...compile.image import Image
from ...compile.influence import only_start, prescribing
from ...compile.parameters import Parameter
from ...kernel import modes
from ...kinds import Kind
from .names import distinct, flat, structured
from .units import display_unit

SOLVERS = {"Adaptive": 1, "FixedStep": 2}
"""The solvers of Co-Simulation, as the parameter `simulation.solver` has them."""
SETTINGS = ("simulation.solver", "simulation.step", "simulation.tolerance")
SHORTEST_STEP, LONGEST_STEP, TOLERANCES = 1e-9, 1e9, (1e-14, 0.1)
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

    >>> variables(image, True).find("mass.w").unit
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

    >>> len(variables(image, True).states)
    4
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
        """Place of each variable in the list of FMI 2 by its reference, from 1 on; the time is not in it."""
        listed = [variable for variable in self.all if variable.causality != "independent"]
        return {variable.reference: i for i, variable in enumerate(listed, 1)}

    def find(self, name: str) -> Variable:
        """A variable by its name."""
        return next(variable for variable in self.all if variable.name == name)

    @property
    def initial_unknowns(self) -> tuple[int, ...]:
        """What initialisation calculates: outputs, states and their rates, in order."""
        known = {*self.outputs, *self.states, *self.rates}
        return tuple(v.reference for v in self.all if v.reference in known and v.initial == "calculated")


def variables(image: Image, exchange: bool, names: str = "structured") -> Variables:
    """The variables of a program; with event indicators if it is for Model Exchange.

    >>> [variable.name for variable in variables(image, True).all][:4]
    ['time', 'simulation.solver', 'simulation.step', 'simulation.tolerance']
    """
    return _Making(image, exchange).variables(names)


def constants(image: Image) -> list[tuple[str, Parameter, float]]:
    """The numbers of the parameters that are part of the compiled model: name, parameter, value.

    >>> constants(image)
    []
    """
    settable = {one.place for one in image.parameters}
    program = image.program
    return [
        (structured(path) + _index(indices), program.parameters[path], value)
        for path, places in program.record.places.items()
        for place, (indices, value) in zip(places, _entries(program.parameters[path].value), strict=True)
        if place not in settable
    ]


def _index(indices: Sequence[int]) -> str:
    return f"[{','.join(map(str, indices))}]" if indices else ""


def _entries(value: Any, indices: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    """The numbers of a value that may be a list of lists, with their indices from 1 on."""
    if isinstance(value, list):
        for i, entry in enumerate(value, 1):
            yield from _entries(entry, (*indices, i))
    else:
        yield indices, float(value)


class _Making:
    """Numbers the variables, block by block."""

    def __init__(self, image: Image, exchange: bool) -> None:
        program = self._program = image.program
        self._image, self._exchange = image, exchange
        labels = zip(
            program.output_names, program.output_units, program.output_kinds, program.output_owners, strict=True
        )
        self._shown = {
            name: (number, unit, kind, owner)
            for number, (name, unit, kind, owner) in enumerate(labels)
            if name not in image.inputs
        }
        own = program.state_names[: len(program.state_names) - program.sizes["n_u"]]
        self._shown_states = {
            name: k
            for k, name in enumerate(own)
            if name in self._shown and self._shown[name][2] is not Kind.MODE and program.state_names.count(name) == 1
        }
        """States that are outputs, too; those of signals are not, though some have the name of an output."""
        self._constants = constants(image)
        lengths = {
            "time": 1,
            "setting": len(SETTINGS),
            "input": len(image.inputs),
            "parameter": len(image.parameters),
            "constant": len(self._constants),
            "output": program.sizes["n_output"],
            "state": len(program.state_names),
            "rate": len(program.state_names),
            "indicator": n_events(program.sizes),
        }
        ends = list(accumulate(lengths.values()))
        self._first = dict(zip(lengths, [0, *ends], strict=False))
        """The first reference of each block, as in `fmi/sb_fmu.h`."""
        self._block = {name: range(first, first + lengths[name]) for name, first in self._first.items()}

    def variables(self, names: str) -> Variables:
        """All of them, with names of a convention."""
        found = [
            Variable("time", 0, "independent", "continuous", text="time", unit="s"),
            *self._settings(),
            *self._inputs(),
            *self._outputs(),
            *self._states(),
            *self._rates(),
            *(self._indicators() if self._exchange else ()),
        ]
        found += self._parameters({variable.name for variable in found})
        found.sort(key=lambda variable: variable.reference)
        return Variables(
            tuple(_named(found, names)),
            tuple(v.reference for v in found if v.causality == "output"),
            tuple(self._block["state"]),
            tuple(self._block["rate"]),
            tuple(self._block["indicator"]) if self._exchange else (),
        )

    def _settings(self) -> Iterator[Variable]:
        settings = self._image.settings
        first = self._first["setting"]
        yield Variable(
            SETTINGS[0],
            first,
            "parameter",
            "fixed",
            "exact",
            "solver of Co-Simulation",
            start=SOLVERS["Adaptive"],
            type=SOLVER,
        )
        texts = ("step of the solver FixedStep", "relative tolerance of the solver Adaptive")
        limits = (SHORTEST_STEP, LONGEST_STEP), TOLERANCES
        starts = settings["h"], settings["tolerance"]
        for i, (text, (low, high), start) in enumerate(zip(texts, limits, starts, strict=True), 1):
            unit = "s" if i == 1 else "1"
            yield Variable(
                SETTINGS[i], first + i, "parameter", "fixed", "exact", text, unit, start=start, min=low, max=high
            )

    def _inputs(self) -> Iterator[Variable]:
        moving = prescribing(self._program)
        for reference, name in zip(self._block["input"], self._image.inputs, strict=True):
            known = self._program.inputs[name]
            variability = "discrete" if known.node in moving else "continuous"
            text = "input that prescribes a motion" if known.node in moving else "input"
            display = display_unit(known.unit)
            yield Variable(
                structured(name), reference, "input", variability, "exact", text, known.unit, display, known.start
            )

    def _parameters(self, taken: set[str]) -> list[Variable]:
        """Parameters that can be set, and constants; those with the name of something else get a longer one."""
        starting = only_start(self._program)
        starts = {f"{name}.value" for name in self._image.inputs}
        held = {f"{name}.value" for name in self._program.inputs}
        paths = self._program.parameters
        names = {
            place: structured(path) + _index(indices)
            for path, places in self._program.record.places.items()
            for place, (indices, _) in zip(places, _entries(paths[path].value), strict=True)
        }
        found = []
        for reference, one in zip(self._block["parameter"], self._image.parameters, strict=True):
            if one.path not in starts:  # else it is the start of an input
                variability = "fixed" if one.place in starting or one.path in held else "tunable"
                found.append(_parameter(names[one.place], reference, variability, paths[one.path], one.value))
        for reference, (name, parameter, value) in zip(self._block["constant"], self._constants, strict=True):
            found.append(_parameter(name, reference, "constant", parameter, value))
        for i, variable in enumerate(found):
            name = variable.name
            while name in taken:
                name += "_value"
            taken.add(name)
            found[i] = replace(variable, name=name)
        return found

    def _outputs(self) -> Iterator[Variable]:
        """An output that is a state has one variable for both."""
        for name, (number, unit, kind, owner) in self._shown.items():
            mode, state = kind is Kind.MODE, self._shown_states.get(name)
            reference = self._first["output"] + number if state is None else self._first["state"] + state
            nominal = None if state is None else float(self._program.nominal[state])
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

    def _states(self) -> Iterator[Variable]:
        program = self._program
        labels = zip(program.state_names, program.state_units, program.nominal.tolist(), strict=True)
        for reference, (name, unit, nominal) in zip(self._block["state"], labels, strict=True):
            if name in self._shown_states:
                continue
            label = f"{structured(name)}_state" if name in self._shown else structured(name)
            yield Variable(label, reference, "local", "continuous", "calculated", "state", unit, nominal=nominal)

    def _rates(self) -> Iterator[Variable]:
        program, block = self._program, self._block
        labels = zip(block["state"], block["rate"], program.state_names, program.state_units, strict=True)
        for state, reference, name, unit in labels:
            label = f"der({structured(name)})"
            text = f"rate of {name}"
            unit = RATE_UNITS.get(unit, f"{unit}/s" if "/" not in unit else "")
            yield Variable(label, reference, "local", "continuous", "calculated", text, unit, state=state)

    def _indicators(self) -> Iterator[Variable]:
        owners = self._program.event_owners
        for i, reference in enumerate(self._block["indicator"]):
            text = f"event indicator of {owners[i]}" if i < len(owners) else "event indicator"
            yield Variable(f"indicators[{i + 1}]", reference, "local", "continuous", "calculated", text)


def _parameter(name: str, reference: int, variability: str, parameter: Parameter, value: float) -> Variable:
    causality = "local" if variability == "constant" else "parameter"
    low = parameter.min if parameter.min is not None else parameter.above
    return Variable(
        name,
        reference,
        causality,
        variability,
        "exact",
        parameter.text,
        parameter.unit,
        display_unit(parameter.unit),
        value,
        low,
        parameter.max,
    )


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
