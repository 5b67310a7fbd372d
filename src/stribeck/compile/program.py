"""The compiled machine: a structure, and values that follow from the parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, overload

import numpy as np

from ..declare import unknown
from ..errors import SpecError, StructureError
from ..kernel import SOURCE_DRIVES, LawRecord, Machine, Model, board, value_lengths
from ..kinds import Kind
from ..signals.table import Table
from ..spec import Model as Spec
from ..spec import Simulation, canonical_paths
from ..traced import decimal_remainder
from .entries import whole_lists
from .graph import SPACING, ExternalInput, Spacing
from .law_tape import LawTape
from .mechanics import Mechanics
from .own_law import OwnContact
from .parameters import Parameter, numbers
from .record import Record

T = TypeVar("T")

SHOWN = ("out_", "power_")
"""How arrays of what a program shows begin: they do not change how it moves."""
SETTINGS = "simulation."
"""Prefix of the paths of settings; no value of a machine depends on them."""


class VaryingParameter(NamedTuple):
    """A parameter of a law that follows a signal: its element, unit and bounds in words.

    >>> VaryingParameter("joint", "mu_c", "N", "above 0").name
    'mu_c'
    """

    element: str
    name: str
    unit: str
    rule: str


@dataclass(frozen=True, eq=False)
class Structure:
    """What stays when parameters change: sizes, integers and names. Programs of one structure differ in values only.

    >>> program.structure.state_names
    ('mass.w', 'pull.phi', 'spring.phi_rel', 'friction.z')
    """

    sizes: Mapping[str, int]
    arrays: Mapping[str, np.ndarray]
    """Integer arrays of the kernel."""
    laws: tuple[str, ...]
    """Law of each friction element: by name if the kernel has compiled it, else the key of its tape."""
    law_tapes: Mapping[str, LawTape]
    """Laws that the kernel has not compiled, by their keys."""
    own_laws: tuple[OwnContact, ...]
    """Friction elements whose laws are judged with every set of values: those of users."""
    state_names: tuple[str, ...]
    state_owners: tuple[str, ...]
    """The element, or the named signal, that each state belongs to."""
    state_units: tuple[str, ...]
    state_discrete: tuple[bool, ...]
    """Which states change at events only."""
    output_names: tuple[str, ...]
    output_owners: tuple[str, ...]
    """The element that each output belongs to; a named signal is its own owner."""
    output_units: tuple[str, ...]
    output_kinds: tuple[Kind, ...]
    output_parts: tuple[str, ...]
    """What each output belongs to within its element: a flange, an end of a stop, or nothing."""
    elements: Mapping[str, str]
    """Type of each element by its name."""
    branches: tuple[str, ...]
    """Elements of the branches in the order of the kernel: springs, sources, frictions."""
    bodies: tuple[str, ...]
    motions: tuple[str, ...]
    frictions: tuple[str, ...]
    event_owners: tuple[str, ...]
    """Elements (or named signals) behind the event functions, for messages."""
    signal_owners: tuple[str, ...]
    """Elements (or named signals) that the operations of signals belong to."""
    signal_ops: tuple[str, ...]
    """The operations of signals by name."""
    locks: tuple[str, ...]
    """Friction elements that can lock, by lock number."""
    contacts: tuple[str, ...]
    """Contacts with modes, as in events: the locks, then those whose law has modes."""
    external: Mapping[str, tuple[int, str]]
    """Operation and unit of what is set from outside, by name."""
    varying: tuple[VaryingParameter, ...]
    """Parameters of laws that follow signals, in the order of the kernel."""
    orders: tuple[tuple[str, str, str], ...]
    """Element and two parameters of its law of which one varies: the first must not exceed the second."""

    @cached_property
    def hash(self) -> str:
        """SHA-256 of sizes, integers and names.

        >>> program.structure.hash == program.with_values({"spring.c": 3}).structure.hash
        True
        """
        digest = hashlib.sha256()
        for name, array in sorted(self.arrays.items()):
            digest.update(name.encode())
            digest.update(array.tobytes())
        apart = ("arrays", "law_tapes", "own_laws", "state_discrete", "hash", "slices")
        others = {name: value for name, value in vars(self).items() if name not in apart}
        digest.update(repr(sorted(others.items())).encode())
        return digest.hexdigest()

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """Where the arrays of numbers are among the values; the states at the start come first."""
        at, found = len(self.state_names), {}
        for name, length in value_lengths(dict(self.sizes)).items():
            found[name] = slice(at, at + length)
            at += length
        return found

    @property
    def signal_memory(self) -> tuple[int, ...]:
        """How many numbers each operation of signals remembers.

        >>> program.structure.signal_memory
        (0, 0)
        """
        return tuple(np.diff(self.arrays["signal_memory_ptr"]).tolist())

    def difference(self, other: Structure) -> str:
        """The differences from another structure as text.

        >>> program.structure.difference(program.varied({"friction.law": Coulomb()}).structure)
        'states: the other one lacks friction.z; contacts: the other one has friction; laws: the other one ...'
        """
        words = {"states": "state_names", "contacts": "contacts", "laws": "laws", "outputs": "output_names"}
        found = []
        for word, name in words.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            missing = [x for x in mine if x not in theirs]
            more = [x for x in theirs if x not in mine]
            parts = [f"the other one lacks {', '.join(missing[:3])}"] if missing else []
            parts += [f"the other one has {', '.join(more[:3])}"] if more else []
            found += [f"{word}: {' and '.join(parts)}"] if parts else []
        return "; ".join(found) or "the equations have other terms"


class _OfStructure(Generic[T]):
    """An attribute of a program that belongs to its structure."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, program: None, owner: type) -> _OfStructure[T]: ...
    @overload
    def __get__(self, program: Program, owner: type) -> T: ...
    def __get__(self, program: Program | None, owner: type) -> Any:
        return self if program is None else getattr(program.structure, self._name)


class ShownOutput(NamedTuple):
    """One output of a program: its name, and its place on the board of the kernel."""

    name: str
    owner: str
    unit: str
    kind: Kind
    part: str
    array: str
    """The array of the board that `place` counts from; empty: the whole board."""
    place: int
    scale: int | None = None
    """The output of the first program whose scale factor it uses; None: it has no factor."""


View: TypeAlias = "Callable[[Program], Program]"
"""Chooses the outputs of a program."""


@dataclass
class Family:
    """The model that a program was compiled from, and all its records so far."""

    source: Spec
    records: list[Record] = field(default_factory=list)
    kernel: Model | None = None
    """One of the models in the kernel, with which the others share their structure."""


class Program:
    """What the kernel runs. Immutable: one program serves any number of runs, in any number of threads.

    >>> program = compile_model(load_model("stick-slip"))
    >>> program.with_values({"spring.c": "4 N.m/rad"}).parameters["spring.c"].value
    4.0
    """

    def __init__(
        self,
        structure: Structure,
        record: Record,
        family: Family,
        name: str,
        simulation: Simulation,
        *,
        inputs: np.ndarray | None = None,
        values: np.ndarray | None = None,
        changed: Mapping[str, object] | None = None,
        notes: tuple[str, ...] | None = None,
        view: View | None = None,
    ) -> None:
        self.structure = structure
        self.record = record
        self.name = name
        self.simulation = simulation
        """Default settings of a simulation."""
        self.values = record.base if values is None else values
        """All numbers: the states at the start, then the arrays of the kernel."""
        self.point = record.start if inputs is None else inputs
        """The inputs of the record."""
        self.values.setflags(write=False)
        self._family = family
        self.changed = changed or {}
        """Values that differ from the model that it was compiled from."""
        self._notes = notes
        """Warnings about the structure; None if they belong to other values."""
        self._view = view
        """The function that has chosen its outputs."""

    sizes = _OfStructure[Mapping[str, int]]()
    laws = _OfStructure[tuple[str, ...]]()
    state_names = _OfStructure[tuple[str, ...]]()
    state_owners = _OfStructure[tuple[str, ...]]()
    state_units = _OfStructure[tuple[str, ...]]()
    output_names = _OfStructure[tuple[str, ...]]()
    output_owners = _OfStructure[tuple[str, ...]]()
    output_units = _OfStructure[tuple[str, ...]]()
    output_kinds = _OfStructure[tuple[Kind, ...]]()
    output_parts = _OfStructure[tuple[str, ...]]()
    elements = _OfStructure[Mapping[str, str]]()
    branches = _OfStructure[tuple[str, ...]]()
    bodies = _OfStructure[tuple[str, ...]]()
    motions = _OfStructure[tuple[str, ...]]()
    frictions = _OfStructure[tuple[str, ...]]()
    event_owners = _OfStructure[tuple[str, ...]]()
    signal_owners = _OfStructure[tuple[str, ...]]()
    locks = _OfStructure[tuple[str, ...]]()
    contacts = _OfStructure[tuple[str, ...]]()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All numeric parameters by their paths, with value, unit, bounds and whether they are tunable.

        >>> program.parameters["friction.law.mu_s"].tunable
        True
        """
        return self.record.parameters(self.point)

    def with_values(self, values: Mapping[str, object]) -> Program | ProgramSet:
        """This program with other values of parameters, without compiling: numbers in SI, or texts with units.

        A sequence of numbers for a parameter makes many programs at once; parameters with one value are the same in
        all of them. A value that the model would refuse raises the same error. A value that needs another structure is
        refused, too: change the model instead.

        >>> stiffer = program.with_values({"spring.c": "4 N.m/rad", "friction.law.mu_s": 1.6})
        >>> many = program.with_values({"spring.c": np.linspace(1, 4, 10000)})
        >>> len(many), many[0].parameters["spring.c"].value
        (10000, 1.0)
        """
        known = self.canonical(values)
        if any(self.is_many(path, value) for path, value in known.items()):
            return self._many(known)
        return self.one(known)

    def number_of(self, path: str, value: object) -> tuple[str, Any]:
        """The path of a parameter without aliases, and a value of it in SI; texts have units.

        >>> program.number_of("friction.law.tau_s", "2 N.m")
        ('friction.law.mu_s', 2.0)
        """
        known = list(self.canonical({path: value}))
        if len(known) > 1:
            raise SpecError(f"{path} are {len(known)} parameters ({', '.join(known)}); name one of them")
        slot = self.record.slots.get(known[0])
        if slot is None:
            raise SpecError(unknown("the model has no parameter that is a number called", path, self.record.slots))
        if isinstance(slot.value, list):
            raise SpecError(f"{path} is a list of numbers, one number is needed; sb.batch takes a list for each point")
        return slot.path, slot.check(value) if isinstance(value, str) else value

    def canonical(self, values: Mapping[str, object]) -> Mapping[str, object]:
        """Values by the paths of parameters, with aliases, "*" and entries of lists resolved; an unknown path is an
        error."""
        if values.keys() <= self.record.slots.keys():
            return values
        try:
            known = canonical_paths(self._family.source, values)
        except SpecError:
            self._model(values)  # refuses as a model does
            raise
        named = {self.record.named.get(path, path): value for path, value in known.items()}
        return whole_lists(named, self.record.slots, lambda path: self.parameters[path].value)

    def is_many(self, path: str, value: object) -> bool:
        """Whether a value is a sequence with one value for each point."""
        if not isinstance(value, list | tuple | np.ndarray) or (isinstance(value, np.ndarray) and value.ndim == 0):
            return False
        slot = self.record.slots.get(path)
        return slot is not None and _depth(value) > _depth(slot.value)

    def one(self, values: Mapping[str, object]) -> Program:
        """One program; `values` by paths of parameters."""
        record, changed = self.record, {**self.changed, **values}
        simulation = self.simulation
        settings = {path: value for path, value in values.items() if path.startswith(SETTINGS)}
        if settings:
            simulation = simulation.replace(**{path.removeprefix(SETTINGS): v for path, v in settings.items()})
            values = {path: value for path, value in values.items() if path not in settings}
        if (checked := self._checked(record, values)) is None:
            return self._compiled(changed, simulation)
        inputs = self.point.copy()
        self._put(record, inputs, checked)
        found, guard = record.run(inputs)
        if guard < 0:
            self.check_own_laws(found)
            return self._sibling(record, inputs, found, changed, simulation)
        for other in self._family.records:
            if other is not record and (by_other := self._by(other, changed)) is not None:
                self.check_own_laws(by_other[1])
                return self._sibling(other, *by_other, changed, simulation)
        return self._compiled(changed, simulation)

    def check_own_laws(self, values: np.ndarray) -> None:
        """Refuses values with which a law of a user would stop a run, as compiling does."""
        start, ends = self.structure.slices["fr_param"].start, self.structure.arrays["fr_param_ptr"]
        for contact in self.structure.own_laws:
            place = slice(start + ends[contact.number], start + ends[contact.number + 1])
            if not np.array_equal(values[place], self.values[place]):
                contact.check(values[place])

    @staticmethod
    def _checked(record: Record, values: Mapping[str, object]) -> dict[str, Any] | None:
        """Values in SI; None if some need a compilation, which accepts or refuses them."""
        if any(path not in record.places or record.slots[path].structural for path in values):
            return None
        try:
            return {path: record.slots[path].check(value) for path, value in values.items()}
        except SpecError:
            return None

    def _put(self, record: Record, inputs: np.ndarray, values: Mapping[str, Any]) -> None:
        """Puts values in SI into the inputs; defaults that are multiples of a parameter follow it."""
        for path, value in values.items():
            if len(list(numbers(value))) != len(record.places[path]):
                raise StructureError(
                    f"{path} has {len(list(numbers(value)))} numbers and the compiled model "
                    f"{len(record.places[path])}: how many there are is part of the structure; change the model instead"
                )
            record.put(inputs, path, value)
        for path, factor in record.followers(values):
            if path not in values and path not in self.changed:
                record.put(inputs, path, factor * values[record.slots[path].follows])

    def _by(self, record: Record, changed: Mapping[str, object]) -> tuple[np.ndarray, np.ndarray] | None:
        """Inputs and values by another record, if it is valid for them."""
        inputs = record.start.copy()
        for path in record.places:
            if path in self.record.places:
                inputs[list(record.places[path])] = self.point[list(self.record.places[path])]
        checked = self._checked(record, {k: value for k, value in changed.items() if not k.startswith(SETTINGS)})
        if checked is None:
            return None
        for place, remainder in record.remainders.items():
            inputs[remainder] = decimal_remainder(float(inputs[place]))
        self._put(record, inputs, checked)
        found, guard = record.run(inputs)
        return (inputs, found) if guard < 0 else None

    def _sibling(
        self,
        record: Record,
        inputs: np.ndarray,
        values: np.ndarray,
        changed: Mapping[str, object],
        simulation: Simulation,
    ) -> Program:
        return Program(
            self.structure,
            record,
            self._family,
            self.name,
            simulation,
            inputs=inputs,
            values=values,
            changed=changed,
            view=self._view,
        )

    def showing(
        self, view: View, sizes: Mapping[str, int], outputs: Sequence[ShownOutput], **arrays: np.ndarray
    ) -> Program:
        """This program with other outputs; `view` does the same to a program of the same model."""
        start = board({**self.sizes, **sizes, "n_output": len(outputs)})
        structure = replace(
            self.structure,
            sizes={**self.sizes, **sizes, "n_output": len(outputs)},
            arrays={
                **self.structure.arrays,
                **arrays,
                "out_index": np.array([start.get(output.array, 0) + output.place for output in outputs], np.int32),
            },
            output_names=tuple(output.name for output in outputs),
            output_owners=tuple(output.owner for output in outputs),
            output_units=tuple(output.unit for output in outputs),
            output_kinds=tuple(output.kind for output in outputs),
            output_parts=tuple(output.part for output in outputs),
        )
        first = self.structure.slices["out_scale"].start
        picks = [None if output.scale is None else first + output.scale for output in outputs]
        record = self.record.rearranged(first, picks)
        values, guard = record.run(self.point)
        values[: len(self.state_names)] = self.y0
        assert guard < 0
        return Program(
            structure,
            record,
            Family(self._family.source, [record]),
            self.name,
            self.simulation,
            inputs=self.point,
            values=values,
            changed=self.changed,
            notes=self._notes,
            view=view,
        )

    @property
    def outputs(self) -> list[ShownOutput]:
        """The outputs as `showing` takes them."""
        s = self.structure
        labels = zip(s.output_names, s.output_owners, s.output_units, s.output_kinds, s.output_parts, strict=True)
        places = enumerate(s.arrays["out_index"].tolist())
        return [ShownOutput(*label, "", place, k) for label, (k, place) in zip(labels, places, strict=True)]

    def _compiled(self, changed: Mapping[str, object], simulation: Simulation) -> Program:
        """The program of the model with these values, which must have the same structure."""
        new = self._viewed(self._model(changed))
        if new.structure.hash != self.structure.hash:
            written = ", ".join(f"{path} = {value}" for path, value in changed.items())
            raise StructureError(
                f"{written}: that is another structure ({self.structure.difference(new.structure)}); "
                "compile the model with these values: model.varied({...})"
            )
        self._family.records.append(new.record)
        return self._sibling(new.record, new.record.start, new.values, changed, simulation)

    @property
    def model(self) -> Spec:
        """The model with the present values.

        >>> program.with_values({"spring.c": 3}).model.elements["spring"].c
        3
        """
        return self._model(self.changed)

    def _model(self, changed: Mapping[str, object]) -> Spec:
        """The model with other values."""
        return self._family.source.varied({path: _plain(value) for path, value in changed.items()})

    def _many(self, values: Mapping[str, object]) -> ProgramSet:
        """Many programs at once."""
        from .program_set import many_programs

        return many_programs(self, values)

    def varied(self, values: Mapping[str, object]) -> Program:
        """The program of the same model with other values: compiled only where the structure may change.

        >>> program.varied({"friction.law": Switch()}).state_names
        ('mass.w', 'pull.phi', 'spring.phi_rel')
        """
        try:
            return self.one(self.canonical(values))
        except StructureError:
            return self._viewed(self._model({**self.changed, **values}))

    def _viewed(self, model: Spec) -> Program:
        """The program of another model with the same outputs."""
        from .compiler import compile_model

        new = compile_model(model)
        return new if self._view is None else self._view(new)

    def with_samples(
        self,
        path: str,
        t: Sequence[float] | np.ndarray,
        u: Sequence[float] | np.ndarray,
        between: str = "linear",
    ) -> Program:
        """This program with a measured signal at a place: values u (SI) at times t (s), `between` them straight lines
        ("linear") or each value held ("hold"). This compiles the model again: samples are part of the structure.

        >>> program.with_samples("pull.w", [0, 1, 2], [0, 0.1, 0.1]).parameters["pull.w.value"].value
        [0.0, 0.1, 0.1]
        """
        times, values = (np.asarray(numbers_, float).tolist() for numbers_ in (t, u))
        table = Table(time=times, value=values, between=between)
        kept = {known: value for known, value in self.changed.items() if not f"{known}.".startswith(f"{path}.")}
        return self._viewed(self._model({**kept, path: table}))

    def with_start(self, y0: np.ndarray) -> Program:
        """This program with other states at the start, in the order of `state_names`.

        >>> program.with_start(np.zeros(4)).y0
        array([0., 0., 0., 0.])
        """
        values = self.values.copy()
        values[: len(self.state_names)] = y0
        return self._sibling(self.record, self.point, values, self.changed, self.simulation)

    @property
    def y0(self) -> np.ndarray:
        """States at the start; bristles that slide are bent when a run starts."""
        return self.values[: len(self.state_names)]

    @cached_property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """All arrays of the kernel by name; for compile and kernel alone."""
        return {**self.structure.arrays, **{name: self.values[at] for name, at in self.structure.slices.items()}}

    @cached_property
    def mechanics(self) -> Mechanics:
        """Inertias, springs, rows of speeds and prescribed motions, for analysis."""
        return Mechanics(self.sizes, self.arrays)

    @property
    def nominal(self) -> np.ndarray:
        """Typical sizes of the states: the scale of error control."""
        return self.arrays["x_nominal"][: len(self.state_names)]

    @property
    def drives(self) -> frozenset[int]:
        """The numbers of the sources that are drives, not passive elements."""
        return frozenset(np.flatnonzero(self.structure.arrays["source_energy"] == SOURCE_DRIVES).tolist())

    @property
    def drive_elements(self) -> frozenset[str]:
        """The elements of these sources."""
        return frozenset(self.branches[self.sizes["n_spring"] + k] for k in self.drives)

    @cached_property
    def inputs(self) -> Mapping[str, ExternalInput]:
        """What is set from outside, by name."""
        data, at = self.arrays["signal_data"], self.structure.arrays["signal_ptr"]
        return {
            name: ExternalInput(node, unit, float(data[at[node]]), bool(data[at[node] + 1]))
            for name, (node, unit) in self.structure.external.items()
        }

    @cached_property
    def spacings(self) -> tuple[Spacing, ...]:
        """Periods of the instants that signals request: they limit the length of a run."""
        data, at = self.arrays["signal_data"], self.structure.arrays["signal_ptr"]
        found = [
            Spacing(self.signal_owners[i], name, float(seconds))
            for i, op in enumerate(self.structure.signal_ops)
            if op in SPACING
            for name, seconds in SPACING[op](data[at[i] : at[i + 1]].tolist()).items()
        ]
        return tuple(dict.fromkeys(found))

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the model with these values."""
        from .topology import find_warnings

        if self._notes is None:
            from .compiler import compile_model

            return compile_model(self._model(self.changed)).warnings
        return (*find_warnings(self._family.source), *self._notes)

    @cached_property
    def kernel(self) -> Model:
        """The structure and the values as the kernel holds them."""
        numbers_ = self.values[len(self.state_names) :]
        if self._family.kernel is not None:
            return Model(self._family.kernel, numbers_)
        tapes = self.structure.law_tapes
        counts = self.structure.arrays["fr_count"].tolist()
        records = [
            tapes[key].record if key in tapes else LawRecord(key, count)
            for key, count in zip(self.laws, counts, strict=True)
        ]
        self._family.kernel = Model(dict(self.sizes), dict(self.structure.arrays), numbers_, records)
        return self._family.kernel

    def machine(self) -> Machine:
        """The equations for an outside integrator: right-hand side, derivatives, events, modes.

        >>> machine = program.machine()
        >>> machine.start(0.0, program.y0)
        >>> machine.rhs(0.0, machine.state())
        array([-0. ,  0.1, -0.1,  0. ])
        """
        return Machine(self.kernel)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of structure and values: equal programs give equal results."""
        return hashlib.sha256(self.structure.hash.encode() + self.values.tobytes()).hexdigest()

    @cached_property
    def equations_hash(self) -> str:
        """SHA-256 of all that the motion depends on, but for where it starts: neither of names nor of what is shown.

        >>> program.equations_hash == program.with_start(np.zeros(4)).equations_hash
        True
        """
        digest = hashlib.sha256(" ".join(self.laws).encode())
        for name, array in sorted(self.arrays.items()):
            if not name.startswith(SHOWN):
                digest.update(name.encode())
                digest.update(array.tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self.state_names)} states, {len(self.locks)} locks, {self.hash[:12]}>"


class ParameterValues(Mapping[str, Any]):
    """The values of the parameters of a program in SI, by their paths; looked up on access.

    >>> ParameterValues(program)["spring.c"]
    2.0
    """

    def __init__(self, program: Program) -> None:
        self._program = program

    def __getitem__(self, path: str) -> Any:
        return self._program.parameters[path].value

    def __iter__(self) -> Iterator[str]:
        return iter(self._program.record.slots)

    def __len__(self) -> int:
        return len(self._program.record.slots)

    def __repr__(self) -> str:
        return repr(dict(self))


class Points(Protocol):
    """Record, inputs and changed values of every point."""

    def __getitem__(self, i: int) -> tuple[Record, np.ndarray, dict[str, Any]]: ...


class ProgramSet(Sequence[Program]):
    """Many programs of one structure.

    >>> many = program.with_values({"spring.c": [1.0, 2.0, 3.0]})
    >>> len(many), many[2].parameters["spring.c"].value
    (3, 3.0)
    """

    def __init__(self, program: Program, values: np.ndarray, points: Points) -> None:
        self.structure = program.structure
        self.values = values
        """One row for each program."""
        self._program = program
        self._points = points

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: Any) -> Any:
        record, inputs, changed = self._points[i]
        return self._program._sibling(record, inputs, self.values[i], changed, self._program.simulation)

    def __iter__(self) -> Iterator[Program]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} programs {self._program.name}>"


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _depth(value: object) -> int:
    if isinstance(value, np.ndarray):
        return value.ndim
    return 1 + (_depth(value[0]) if value else 0) if isinstance(value, list | tuple) else 0
