"""A machine about one point as a linear system: matrices, modes, frequency response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...declare import unknown
from ...errors import SpecError, UnknownName
from ...results.data_table import DataTable
from ...writing import write_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ZERO = 1e-9
"""Eigenvalues that are smaller than this share of the largest one are 0 but for rounding."""
TAKES_PART = 0.3
"""Bodies and states whose share in a mode is at least this part of the largest one are named in tables."""


class Eigenmode(NamedTuple):
    """One way in which a machine moves freely: a pair of complex eigenvalues, or a real one."""

    eigenvalue: complex
    """In 1/s; of a pair the one with the positive imaginary part."""
    frequency: float
    """Natural frequency |eigenvalue| / (2 pi) of an oscillation (Hz); 0 if it does not oscillate."""
    damping: float
    """Damping ratio -Re/|eigenvalue|: negative where the motion grows; nan for an eigenvalue of 0."""
    time_constant: float
    """-1/Re (s): negative where the motion grows, infinite where it neither grows nor decays."""
    shape: Mapping[str, complex]
    """Speeds of the bodies; the one with the most kinetic energy has the speed 1."""
    participants: tuple[str, ...]
    """The bodies that move most by kinetic energy; where none does, the states."""


class Modes(tuple[Eigenmode, ...]):
    """Modes from the slowest to the fastest, printed as a table."""

    __slots__ = ()

    HEAD = ("frequency / Hz", "damping ratio", "time constant / s", "eigenvalue / (1/s)", "moving parts")

    def rows(self) -> list[list[Any]]:
        """The cells of the table.

        >>> linear.modes().rows()[-1][0]
        43.11
        """
        return [
            [m.frequency, m.damping, m.time_constant, _number(m.eigenvalue), ", ".join(m.participants)] for m in self
        ]

    def table(self) -> DataTable:
        """The modes as a table.

        >>> print(linear.modes().table())
        """
        return DataTable(self.HEAD, self.rows(), digits=5)

    def __str__(self) -> str:
        return self.table().text() if self else "no modes"

    __repr__ = __str__


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel:
    """x' = A x + B u, y = C x + D u for small departures x, u, y from a point of a machine.

    >>> linear = linearize(model, at=2.0)
    >>> linear.modes()
    >>> linear.to_control()
    """

    name: str
    time: float
    """Time of the point (s)."""
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    state_units: tuple[str, ...]
    inputs: tuple[str, ...]
    input_units: tuple[str, ...]
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    contacts: Mapping[str, str]
    """Modes of the friction elements that can lock, which are kept: Stuck, Forward, Backward or Free."""
    point: Mapping[str, float]
    """All states of the machine at the point, also those that a stuck contact makes depend on others."""
    rate: Mapping[str, float]
    """And how they change there; where that is not 0, the point is one of a moving machine, held still."""
    nominal: np.ndarray
    """Typical sizes of the states."""
    bodies: Mapping[str, np.ndarray]
    """Speed of each body as a row over the states, times the root of its inertia."""
    inertias: Mapping[str, float]

    def modes(self) -> Modes:
        """The modes, slowest first.

        >>> linear.modes()[-1].damping
        0.4294
        """
        if not self.states:
            return Modes()
        scale = self.nominal
        values, vectors = np.linalg.eig(self.A * scale / scale[:, None])
        values = np.where(np.abs(values) <= ZERO * np.abs(values).max(), 0.0, values)
        order = [int(i) for i in np.argsort(np.abs(values), kind="stable") if values[i].imag >= 0]
        return Modes(self._mode(complex(values[i]), vectors[:, i]) for i in order)

    def _mode(self, value: complex, vector: np.ndarray) -> Eigenmode:
        size, swings = abs(value), value.imag != 0
        moving = {name: complex(row @ (self.nominal * vector)) for name, row in self.bodies.items()}
        most = max(moving, key=lambda name: abs(moving[name]), default=None)
        own = {name: complex(part) for name, part in zip(self.states, vector, strict=True)}
        still = most is None or abs(moving[most]) <= 1e-9 * max(map(abs, own.values()))
        parts = own if still else moving
        largest = max(map(abs, parts.values()))
        named = [name for name in parts if abs(parts[name]) >= TAKES_PART * largest]
        speeds = {name: part / np.sqrt(self.inertias[name]) for name, part in moving.items()}
        unit = 1.0 if still or most is None else speeds[most]
        return Eigenmode(
            value,
            size / (2 * np.pi) if swings else 0.0,
            -value.real / size if size else np.nan,
            -1 / value.real if value.real else np.inf,
            {name: 0j if still else speed / unit for name, speed in speeds.items()},
            tuple(sorted(named, key=lambda name: -abs(parts[name]))),
        )

    def frequency_response(self, frequency: float | Sequence[float] | np.ndarray) -> np.ndarray:
        """Complex answer at frequencies (Hz): axes frequency, output, input.

        >>> abs(linear.frequency_response([1.0, 2.0])[:, 0, 0])
        """
        f = np.atleast_1d(np.asarray(frequency, float))
        if f.ndim != 1 or not np.isfinite(f).all():
            raise SpecError("frequency_response: frequency must be a number or a list of numbers in Hz, all finite")
        s = 2j * np.pi * f
        inner = s[:, None, None] * np.eye(len(self.states)) - self.A
        try:
            moved = np.linalg.solve(inner, np.broadcast_to(self.B, (s.size, *self.B.shape)).astype(complex))
        except np.linalg.LinAlgError:
            raise SpecError(
                f"{self.name}: one of the frequencies is that of a mode without damping, where the answer is infinite"
            ) from None
        answer: np.ndarray = self.C @ moved + self.D
        return answer

    def to_control(self) -> Any:
        """The system as a `StateSpace` of the package control (pip install control).

        >>> import control
        >>> control.step_response(linear.to_control())
        """
        try:
            import control
        except ImportError as error:
            raise SpecError(f"this needs control ({error}); install it with: pip install control") from None
        names = {"states": list(self.states), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        # python-control cuts names at dots
        plain = {kind: [name.replace(".", "_") for name in of] for kind, of in names.items()}
        return control.ss(self.A, self.B, self.C, self.D, **plain)

    def plot(self, output: str | None = None, input: str | None = None, path: str | Path | None = None) -> Figure:
        """The poles and the shapes of the modes; with the names of an output and an input their Bode diagram.

        >>> linear.plot(path="modes.png")
        >>> linear.plot("mass.w", "pull.a", path="bode.png")
        """
        from .plot import plot_bode, plot_modes

        if output is None and input is None:
            return plot_modes(self, path)
        chosen = output or self.outputs[0], input or (self.inputs or ("",))[0]
        return plot_bode(self, self.place(chosen[0], "output"), self.place(chosen[1], "input"), path)

    def place(self, name: str, kind: str) -> int:
        """The number of an output or input.

        >>> linear.place("mass.w", "output")
        0
        """
        known = self.outputs if kind == "output" else self.inputs
        if name not in known:
            raise UnknownName(unknown(f"the linear model of {self.name} has no {kind}", name, known))
        return known.index(name)

    def save(self, path: str | Path) -> Path:
        """Writes names, units, matrices and the point as JSON.

        >>> linear.save("linear.json")
        """
        keys = ("name", "time", "states", "state_units", "inputs", "input_units", "outputs", "output_units")
        data = {key: getattr(self, key) for key in (*keys, "contacts", "point", "rate")}
        data |= {key: getattr(self, key).tolist() for key in "ABCD"}
        return write_json(path, data, indent=1)

    def __repr__(self) -> str:
        sizes = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        contacts = "".join(f", {name} {mode}" for name, mode in self.contacts.items())
        return f"<LinearModel of {self.name} at {self.time:g} s: {sizes}{contacts}>\n{self.modes()}"


def _number(value: complex) -> str:
    """A complex number as people write it."""
    return f"{value.real:.5g}" + (f" ± {value.imag:.5g}i" if value.imag else "")
