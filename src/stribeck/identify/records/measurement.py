"""Measured channels on one time grid, in SI units, with the resolution of the sensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...declare import unknown
from ...errors import SpecError, UnknownName
from ...results import Trace
from ...results.curve import PiecewiseCubic
from ...signals.table import Table
from ...tables import read_columns
from ...units import to_si
from .alignment import shift
from .checks import SHORTEST, even_times, in_si, mask, resample_advice, times, unit_in_si, without_gaps
from .filters import derivative, smoothed
from .outliers import outliers
from .reading import named_columns, on_grid, times_of, wanted


@dataclass(frozen=True, eq=False)
class Measurement:
    """Channels over time, all in SI units.

    `units` are those of the given arrays, `resolution` the step of a sensor (a number in SI or a text), `gaps` the
    treatment of samples that are not finite ("refuse", "mask", "fill"). Time is an array (s) or a `sample_time`.

    >>> run = Measurement({"q": q, "tau": tau}, sample_time="1 ms", units={"q": "deg"}, resolution={"q": "0.1 deg"})
    >>> run["q"].unit, run.sample_time, run.resolution["q"]
    ('rad', 0.001, 0.0017453292519943296)
    """

    channels: Mapping[str, Any]
    time: Any = None
    sample_time: Any = None
    units: Mapping[str, str] = field(default_factory=dict)
    resolution: Mapping[str, Any] = field(default_factory=dict)
    gaps: str = "refuse"
    name: str = "measurement"
    constants: Mapping[str, float] = field(default_factory=dict)
    valid: np.ndarray = None  # type: ignore[assignment]  # all samples by default: set below
    """Which samples are used."""

    def __post_init__(self) -> None:
        if not self.channels:
            raise SpecError(f"{self.name}: there are no channels; give at least one, for instance {{'q': q}}")
        self._known(self.units)
        arrays = {name: in_si(self.name, name, values, self.units.get(name)) for name, values in self.channels.items()}
        time = times(self.name, self.time, self.sample_time, next(iter(arrays.values())).size)
        for name, values in arrays.items():
            if values.size != time.size:
                raise SpecError(
                    f"{self.name}: '{name}' has {values.size} samples and time {time.size}; they must agree"
                )
        valid = np.ones(time.size, bool) if self.valid is None else mask(self.name, self.valid, time.size)
        arrays, valid = without_gaps(self.name, self.gaps, arrays, time, valid)
        time, step = even_times(time)
        for key, value in {
            "channels": {name: _fixed(values) for name, values in arrays.items()},
            "time": _fixed(time),
            "sample_time": step,
            "units": {name: unit_in_si(self.units.get(name)) for name in arrays},
            "resolution": {name: self._step(name, value) for name, value in self._known(self.resolution).items()},
            "valid": _fixed(valid),
        }.items():
            object.__setattr__(self, key, value)

    # --- making one --------------------------------------------------------------------------------------------------

    @classmethod
    def read(
        cls,
        path: str | Path,
        channels: str | Sequence[int | str] | Mapping[str, int | str] | None = None,
        *,
        time: int | str | None = None,
        sample_time: float | str | None = None,
        units: Mapping[str, str] | None = None,
        resolution: Mapping[str, Any] | None = None,
        gaps: str = "refuse",
        columns: str | Sequence[str] | None = None,
        table: int | str | None = None,
    ) -> Measurement:
        """Reads a file: text (.csv, .txt, .dat ...), .parquet, .mat, .mf4 or .tdms.

        `channels` are the columns to read by name or number, as a list or as {new name: column}; by default all
        numeric ones. `columns` are names for all columns of the file, for one without names: ["t", "q", "-", "tau"],
        with "-" for those that are not needed. `time` is the column with the times (found by itself if it is called t
        or time); `sample_time` is the step between rows. Units are those of the file unless `units` gives others; a
        column without a unit is in SI. `table` chooses one of several tables: by number in a text, by the name of a
        structure, a cell or a group in other files.

        >>> Measurement.read("servo.csv", {"q": "angle", "tau": "torque"}, resolution={"q": "0.1 deg"})
        <Measurement servo: q [rad], tau [N.m]; 101 samples every 0.01 s>
        """
        file = read_columns(path, table=table)
        file = file if columns is None else named_columns(file, columns)
        found = wanted(file, channels, time, sample_time is not None)
        units = dict(units or {})
        stray = next((name for name in units if name not in found and name not in file.names), None)
        if stray is not None:
            raise UnknownName(unknown(f"{file.place}: units of a channel that is not read:", stray, list(found)))
        first = file[next(iter(found.values()))]
        grid = None
        if sample_time is None:
            grid = first.time if first.time is not None else times_of(file, time, units)
        arrays = {name: on_grid(file, column, grid) for name, column in found.items()}
        stated = {name: units.get(name) or file[column].unit for name, column in found.items()}
        return cls(arrays, grid, sample_time, stated, resolution or {}, gaps, Path(path).stem, constants=file.constants)

    # --- reading values ---------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The channels.

        >>> run.names
        ['q', 'v', 'f']
        """
        return list(self.channels)

    def __getitem__(self, name: str) -> Trace:
        if name not in self.channels:
            raise UnknownName(unknown(f"{self.name} has no channel", name, self.names))
        values = self.channels[name]
        return Trace.of(
            values, name, self.units[name], self.time, lambda t: PiecewiseCubic.linear(self.time, values)(t)
        )

    def __len__(self) -> int:
        return int(self.time.size)

    def __repr__(self) -> str:
        channels = ", ".join(f"{name}{f' [{self.units[name]}]' if self.units[name] else ''}" for name in self.names)
        step = f"every {self.sample_time:g} s" if self.sample_time else "at uneven times"
        return f"<Measurement {self.name}: {channels}; {len(self)} samples {step}>"

    def signal(self, name: str, hold: bool = False) -> Table:
        """A channel as a signal that drives a model, interpolated linearly or held between samples.

        >>> Force(mass, f=run.signal("f"))
        """
        course = self[name]
        between = "hold" if hold else "linear"
        return Table(time=(self.time - self.time[0]).tolist(), value=np.asarray(course).tolist(), between=between)

    # --- changing it -------------------------------------------------------------------------------------------------

    def with_channel(self, name: str, values: Any, unit: str = "") -> Measurement:
        """A copy with one more channel, for instance one computed from others.

        >>> run.with_channel("power", run["f"] * run["v"], "W")
        """
        return replace(self, channels={**self.channels, name: np.asarray(values)}, units={**self.units, name: unit})

    def between(self, start: float | str, stop: float | str) -> Measurement:
        """The part between two times (s).

        >>> run.between(2, "5 s")
        """
        low, high = to_si(start, "s", self.name, "start"), to_si(stop, "s", self.name, "stop")
        return self._part(np.flatnonzero((self.time >= low) & (self.time <= high)), f"{low:g} to {high:g} s")

    def masked(self, keep: Any) -> Measurement:
        """A copy of which fits use only the samples where `keep` (an array of bool) is true.

        >>> run.masked(abs(run["v"]) > 0.1)
        """
        return replace(self, valid=self.valid & mask(self.name, keep, len(self)))

    def without_outliers(self, *channels: str) -> Measurement:
        """A copy of which fits do not use single samples that deviate far from their neighbours, in any of these
        channels (default: all). Their values are replaced by interpolation.

        >>> run.without_outliers("f")
        """
        keep, cleaned = np.ones(len(self), bool), dict(self.channels)
        for name in channels or self.names:
            good = ~outliers(np.asarray(self[name]), self.resolution.get(name, 0.0))
            cleaned[name] = np.interp(self.time, self.time[good], np.asarray(self[name])[good])
            keep &= good
        return replace(self, channels=cleaned, valid=self.valid & keep)

    def scaled(self, factors: Mapping[str, float]) -> Measurement:
        """A copy with channels multiplied by factors: -1 for the other sign, a motor constant, a gear ratio.

        >>> run.scaled({"f": -1})
        """
        self._known(factors)
        return replace(
            self,
            channels={n: factors.get(n, 1.0) * v for n, v in self.channels.items()},
            resolution={n: abs(factors.get(n, 1.0)) * step for n, step in self.resolution.items()},
        )

    def unwrapped(self, name: str, period: float | str) -> Measurement:
        """A copy in which a position does not jump by multiples of `period`, the range of its counter.

        >>> run.unwrapped("q", "1 m")
        """
        length = to_si(period, self[name].unit, self.name, "period")
        if length <= 0:
            raise SpecError(f"{self.name}: period = {length:g} of '{name}' must be above 0")
        values = np.unwrap(np.asarray(self[name]), period=length)
        return replace(self, channels={**self.channels, name: values})

    def resampled(self, sample_time: float | str) -> Measurement:
        """Resampled with a constant sample time; channels are low-pass filtered before decimation to avoid aliasing.

        >>> run.resampled("5 ms")
        """
        step = to_si(sample_time, "s", self.name, "sample_time")
        if not 0 < step < self.time[-1] - self.time[0]:
            raise SpecError(f"{self.name}: sample_time = {step:g} s must be above 0 and below the length of the record")
        time = self.time[0] + step * np.arange(int((self.time[-1] - self.time[0]) / step + 1e-9) + 1)
        source = self.channels
        if self.sample_time is not None and step > 1.5 * self.sample_time:
            source = {name: smoothed(values, self.sample_time, 0.4 / step) for name, values in source.items()}
        valid = np.interp(time, self.time, self.valid.astype(float)) > 1 - 1e-9
        return replace(
            self, channels={n: np.interp(time, self.time, v) for n, v in source.items()}, time=time, valid=valid
        )

    def joined(self, other: Measurement, on: tuple[str, str]) -> Measurement:
        """This record with the channels of another one, whose clock is shifted to align the pair `on` of channels.

        >>> servo.joined(torque_sensor, on=("q", "encoder"))
        """
        delay = self.delay(other, on)
        extra = {name: np.interp(self.time, other.time + delay, values) for name, values in other.channels.items()}
        clash = set(extra) & set(self.channels)
        if clash:
            raise SpecError(f"{self.name}: both records have a channel '{min(clash)}'; rename one when reading it")
        seen = (self.time >= other.time[0] + delay) & (self.time <= other.time[-1] + delay)
        return replace(
            self,
            channels={**self.channels, **extra},
            units={**self.units, **other.units},
            resolution={**self.resolution, **other.resolution},
            valid=self.valid & seen,
        )

    def delay(self, other: Measurement, on: tuple[str, str]) -> float:
        """Time (s) to add to the clock of another record to align a pair of channels.

        >>> servo.delay(torque_sensor, on=("q", "encoder"))
        0.1
        """
        step = self.even("delay")
        mine, theirs = np.asarray(self[on[0]]), np.asarray(other[on[1]])
        times = other.time[0] + step * np.arange(int((other.time[-1] - other.time[0]) / step) + 1)
        try:
            lag = shift(mine, np.interp(times, other.time, theirs), (other.time[0] - self.time[0]) / step)
        except ValueError as error:
            raise SpecError(
                f"{self.name}: the delay of '{on[1]}' against '{on[0]}' is not identifiable: {error}"
            ) from None
        return float(lag * step + self.time[0] - other.time[0])

    def derivative(self, name: str, cutoff: float | str, order: int = 1) -> np.ndarray:
        """The derivative of a channel (per s, or per s2 for order 2) without a time shift: a Butterworth filter
        forwards and backwards at `cutoff` (Hz), then central differences.

        >>> run.derivative("q", cutoff="40 Hz")
        """
        limit = to_si(cutoff, "Hz", self.name, "cutoff")
        return derivative(np.asarray(self[name]), self.even("derivative"), limit, order)

    def even(self, what: str) -> float:
        """The sample time (s), if it is constant; other records are refused with the name `what` of the method.

        >>> run.even("derivative")
        0.002
        """
        if self.sample_time is None:
            raise SpecError(f"{self.name}: {what} needs a constant sample time; use {resample_advice(self.time)}")
        return float(self.sample_time)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _step(self, name: str, value: Any) -> float:
        step = to_si(value, unit_in_si(self.units.get(name)), f"{self.name}: resolution of '{name}'")
        if step <= 0:
            raise SpecError(f"{self.name}: the resolution of '{name}' is {step:g}; it must be above 0")
        return step

    def _known(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in values:
            if name not in self.channels:
                raise UnknownName(unknown(f"{self.name} has no channel", name, self.names))
        return values

    def _part(self, at: np.ndarray, what: str) -> Measurement:
        if at.size < SHORTEST:
            raise SpecError(f"{self.name}: there are {at.size} samples from {what}; at least {SHORTEST} are needed")
        channels = {name: values[at] for name, values in self.channels.items()}
        return replace(self, channels=channels, time=self.time[at], valid=self.valid[at])


def _fixed(values: np.ndarray) -> np.ndarray:
    """A read-only array: parts of a record are shared."""
    values.setflags(write=False)
    return values
