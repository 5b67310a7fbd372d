"""The result of a run: labelled traces, events, statistics, energy, pictures and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .crossings import Crossings
from .curve import PiecewiseCubic, unwrap, within
from .data_table import DataTable, in_notebook
from .end import End
from .energy import Energy
from .errors import ResultError
from .events import Events, Phase
from .extremes import Extremes
from .meta import ResultMeta
from .modes import MODES, mode_code
from .statistics import Statistics
from .summary import summary
from .trace import Trace

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Outputs of a run on its time grid, with events, statistics and energy.

    >>> result = simulate(model, t_end=25)
    >>> result["mass.w"].max()
    0.3768
    >>> result.crossings("mass.w", 0.1, direction=+1)
    Crossings([ 7.70271008, 14.15664276, 20.61057544])
    >>> result.plot("mass.w", "friction.tau", path="time.png")
    """

    meta: ResultMeta
    time: np.ndarray
    """Times of the grid (s)."""
    data: np.ndarray
    """Values, one row per output; modes as numbers (-1 Backward, 0 Stuck, 1 Forward, 2 Free)."""
    events: Events = field(default_factory=Events)
    statistics: Statistics = field(default_factory=Statistics)
    energy: Energy = field(default_factory=Energy)
    extremes: Extremes = None  # type: ignore[assignment]  # none known: filled below
    warnings: Sequence[str] = ()
    breaks: np.ndarray = None  # type: ignore[assignment]  # the mode changes: filled below
    """Times at which accelerations may jump (s); interpolants have a corner there."""
    known_end: End | None = None
    """What `end` shows, if it is known."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The values of all parameters that made it, in SI, by their paths."""

    def __post_init__(self) -> None:
        for name in ("time", "data"):
            fixed = getattr(self, name).view()
            fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)
        if self.extremes is None:
            object.__setattr__(self, "extremes", Extremes(self.meta))
        if self.breaks is None:
            object.__setattr__(self, "breaks", self.events.time)

    # --- lookup ------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.meta.model

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the outputs, as element.signal."""
        return self.meta.names

    def __getitem__(self, name: str) -> Trace:
        row = self.meta.row(name)
        return Trace.of(self.data[row], name, self.meta.units[row], self.time, partial(self.at, name=name))

    def __contains__(self, name: object) -> bool:
        return name in self.meta.rows or name in self.meta.elements

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def end(self) -> End:
        """The machine at the end of the run, from which another one can start.

        >>> result.end
        <End of a run of stick-slip-switch at t = 25 s>
        """
        if self.known_end is None:
            raise ResultError(
                f"this result of {self.name} has no end from which a run could start: it was read from a table, or its "
                "run broke off within an event; start from a run that ended, or from the beginning"
            )
        return self.known_end

    # --- between the grid points -------------------------------------------------------------------------------------

    def curve(self, name: str) -> PiecewiseCubic:
        """The interpolant of an output: cubic if its derivative is an output too, else linear.

        >>> result.curve("mass.w")(8.0)
        0.2306
        """
        if self.meta.is_mode(name):
            raise ResultError(
                f"{name} is discrete and has no curve; its changes are in result.events and result.phases"
            )
        return self._curve(name, slice(None))

    def _curve(self, name: str, points: slice) -> PiecewiseCubic:
        """The interpolant through some of the points."""
        time, values, rate = self.time[points], self.data[self.meta.row(name), points], self.meta.rate(name)
        if rate is None:
            return PiecewiseCubic.linear(time, values)
        return PiecewiseCubic.hermite(time, values, self.data[self.meta.row(rate), points], self.breaks)

    def at(self, t: Any, name: str | None = None) -> Any:
        """Outputs at any time (s) of the run: one by name, or all as a dictionary.

        >>> result.at(8.0, "mass.w")
        0.2306
        >>> result.at(4.0)["spring.tau"]
        -0.8000
        """
        if name is None:
            return {name: self.at(t, name) for name in self.names}
        return self._mode_at(t, name) if self.meta.is_mode(name) else self.curve(name)(t)

    def crossings(self, name: str, level: float, direction: Any = 0) -> Crossings:
        """Times (s) at which an output crosses a level: upwards (+1), downwards (-1) or both (0).

        They are those of `curve`, between the points of the result: they depend on its grid. On a coarse one they are
        less exact, and two crossings between two points may be missed. `error` estimates by how much each is off (s);
        for better ones take more `intervals`, or `times` around them.

        >>> found = result.crossings("mass.w", 0.1, direction=+1)
        >>> found
        Crossings([ 7.70271008, 14.15664276, 20.61057544])
        >>> bool(found.error.max() < 1e-3)
        True
        """
        if np.ndim(direction) or direction not in (-1, 0, 1):
            raise ResultError(f"direction = {direction} must be +1 (upwards), -1 (downwards) or 0 (both)")
        times = self.curve(name).crossings(level, direction)
        coarse = self._curve(name, slice(None, None, 2)).crossings(level, direction) if self.time.size > 2 else times
        return Crossings.of(times, coarse, self.time)

    def phases(self, element: str, mode: str | None = None) -> list[Phase]:
        """Intervals of constant mode of a locking friction element, all or those in one mode. If it has several
        contacts, as a stop with two ends, name one of them: "end.low".

        >>> result.phases("friction")[0]
        Phase(start=0.0, end=7.5, mode=0)
        >>> [phase.duration for phase in result.phases("friction", "Forward")]
        [2.8137, 2.8137, 2.8137]
        """
        modes = MODES if mode is None else [mode_code(mode)]
        values = self.data[self.meta.row(self._mode_of(element))]
        events = self.events if self.events.of(element) else _changes(element, self.time, values)
        phases = events.phases(element, float(self.time[0]), float(self.time[-1]), int(values[0]))
        return [phase for phase in phases if phase.mode in modes]

    def _mode_of(self, contact: str) -> str:
        """The output that is the mode of a contact."""
        parts = self.meta.contacts_of(contact)
        if len(parts) > 1:
            raise ResultError(f"{contact} has {len(parts)} contacts; name one: {' or '.join(map(repr, parts))}")
        return self.meta.contacts.get(parts[0] if parts else contact, f"{contact}.mode")

    def _mode_at(self, t: Any, name: str) -> Any:
        """Mode as a number, from the exact times of its changes."""
        contact = next(contact for contact, mode in self.meta.contacts.items() if mode == name)
        phases = self.phases(contact)
        at = np.searchsorted([phase.start for phase in phases], within(self.time, t), side="right") - 1
        return unwrap(np.array([phase.mode for phase in phases], float)[at])

    # --- export ------------------------------------------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """The result without its traces as plain data, ready for a JSON file.

        >>> result.summary()["statistics"]["steps"]
        62
        """
        return summary(self)

    def plot(self, *names: str, path: str | Path | None = None) -> Figure:
        """Time histories, one panel per unit; by default the main outputs.

        >>> result.plot("mass.w", "friction.tau", path="time.png")
        """
        from .plot import plot_time

        return plot_time(self, names, path)

    def plot_velocity(self, element: str, path: str | Path | None = None) -> Figure:
        """Friction of an element over its slip velocity.

        >>> result.plot_velocity("friction", path="friction_velocity.png")
        """
        from .plot import plot_velocity

        return plot_velocity(self, element, path)

    def plot_displacement(self, element: str, path: str | Path | None = None) -> Figure:
        """Friction of an element over its displacement.

        >>> result.plot_displacement("friction", path="friction_displacement.png")
        """
        from .plot import plot_displacement

        return plot_displacement(self, element, path)

    def to_pandas(self) -> pd.DataFrame:
        """A data frame over time, one column per output, modes as text; units are in `frame.attrs`."""
        from .frames import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> xr.Dataset:
        """A dataset over time, one variable per output, units as attributes."""
        from .frames import to_xarray

        return to_xarray(self)

    def save(self, path: str | Path) -> Path:
        """Writes a file in the format of its extension.

        .nc (netCDF), .parquet and .json hold the whole result; .csv holds the traces only, as its last line states.

        >>> result.save("run.parquet")
        """
        from .files import save

        return save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Result:
        """Reads a file written by `save`; a .csv file holds the traces only, and a warning says so.

        >>> result.save("run.parquet")
        >>> Result.load("run.parquet")["mass.w"].unit
        'rad/s'
        """
        from .files import load

        return load(Path(path))

    def _ipython_key_completions_(self) -> list[str]:
        """What `result["` is completed by in notebooks."""
        return list(self.names)

    def _repr_html_(self) -> str:
        head = repr(self).partition("\n")[0].strip("<>")
        labels = zip(self.names, self.meta.units, self.data, strict=True)
        rows = [[name, unit, *row[[0, -1]].tolist()] for name, unit, row in labels] if self.time.size else []
        return in_notebook(head, DataTable(["output", "unit", "first", "last"], rows), *self.warnings)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if self.time.size else "empty"
        how = f", {self.meta.solver}" if self.meta.solver else ""
        how += f", tolerance {self.meta.tolerance:g}" if self.meta.tolerance else ""
        counts = f"{len(self.names)} outputs at {self.time.size} times ({span}), {len(self.events)} mode changes{how}"
        return f"<Result of {self.name}: {counts}>\n{', '.join(self.names)}"


def _changes(contact: str, time: np.ndarray, modes: np.ndarray) -> Events:
    """Mode changes at the resolution of the grid, for files without events."""
    at = np.flatnonzero(np.diff(modes)) + 1
    return Events((float(time[i]), contact, int(modes[i - 1]), int(modes[i])) for i in at)
