"""The compiled machine: flat arrays, tables of names, a hash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..kernel import SOURCE_DRIVES, Machine, Model
from ..kinds import Kind
from ..spec import Simulation
from .graph import ExternalInput, Spacing


@dataclass(frozen=True, eq=False)
class Program:
    """What the kernel runs. Immutable: one program serves any number of runs, in any number of threads.

    >>> program = compile_model(load_model("stick-slip"))
    >>> program.state_names
    ('mass.w', 'pull.phi', 'spring.phi_rel', 'friction.z')
    """

    name: str
    sizes: Mapping[str, int]
    arrays: Mapping[str, np.ndarray]
    laws: tuple[str, ...]
    """Law of each friction element; by name, since numbers belong to a build of the kernel."""
    state_names: tuple[str, ...]
    state_owners: tuple[str, ...]
    """The element, or the named signal, that each state belongs to."""
    state_units: tuple[str, ...]
    y0: np.ndarray
    """States at the start; bristles that slide are bent when a run starts."""
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
    locks: tuple[str, ...]
    """Friction elements that can lock, by lock number."""
    contacts: tuple[str, ...]
    """Contacts with modes, as in events: the locks, then those whose law has modes."""
    inputs: Mapping[str, ExternalInput]
    """What is set from outside, by name."""
    simulation: Simulation
    """How it is simulated unless something else is asked for."""
    warnings: tuple[str, ...]
    spacings: tuple[Spacing, ...] = ()
    """Times between instants that signals ask for: they bound how long a run may be."""

    @property
    def nominal(self) -> np.ndarray:
        """Typical sizes of the states: the scale of error control."""
        return self.arrays["x_nominal"][: len(self.state_names)]

    @property
    def drives(self) -> frozenset[int]:
        """The sources that are drives, not something passive, by number."""
        return frozenset(np.flatnonzero(self.arrays["source_energy"] == SOURCE_DRIVES).tolist())

    @property
    def drive_elements(self) -> frozenset[str]:
        """The elements of these sources."""
        return frozenset(self.branches[self.sizes["n_spring"] + k] for k in self.drives)

    @cached_property
    def kernel(self) -> Model:
        """The arrays as the kernel holds them."""
        return Model(dict(self.sizes), dict(self.arrays), self.laws)

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
        """SHA-256 of all arrays, the laws and the start: equal programs give equal results."""
        digest = hashlib.sha256()
        for name, array in sorted({**self.arrays, "y0": self.y0}.items()):
            digest.update(name.encode())
            digest.update(array.tobytes())
        digest.update(" ".join(self.laws).encode())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self.state_names)} states, {len(self.locks)} locks, {self.hash[:12]}>"
