"""A simulated test bench: the same tests as on a real rig."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...compile import compile_model
from ...declare import unknown
from ...errors import SimulationError, SpecError, StribeckError, UnknownName
from ...run import realtime
from ...spec import Model
from ...units import to_si
from ..fits.driven import driven
from ..records.measurement import Measurement
from .ramps import Ramps
from .signal_to_noise import sensor_step
from .tracking import Tracking

LONGEST = 2_000_000
"""Most samples of a test that ends by itself."""
DRIVE, POSITION, WANTED = "u", "q", "q_ref"
"""Channels of the records: force or torque, sensor position, and reference position."""


@dataclass(frozen=True)
class Sensing:
    """Properties of the electronics: step and noise of the position sensor; noise, limit and step of the drive.

    Noise is a standard deviation per sample; noise of the drive acts on the machine and is not recorded.

    >>> Sensing(step=0.112, noise=0.03, limit=2.0)
    """

    step: float = 0.0
    noise: float = 0.0
    limit: float = float("inf")
    drive_noise: float = 0.0
    drive_step: float = 0.0


class VirtualBench:
    """Any model, with a drive that is set and a position sensor that is read once per sample.

    `drive` is the force or torque of the machine, such as "motor.tau"; the bench replaces its signal. `position` is the
    measured output, with steps of `resolution` or an `encoder` with so many counts per turn, and with `noise`. Numbers
    are SI, texts have units. `also` are outputs that are recorded without sensor errors. The simulation makes
    `substeps` fixed steps per sample; each test starts where the previous one ended. Stiff contacts, such as the teeth
    of a play, need steps that are short compared with their time constant d/c; compare with more substeps.

    >>> bench = VirtualBench(model, "motor.tau", "rotor.phi", encoder=56, sample_time="1 ms", limit="2 N.m")
    >>> record = bench.record(np.linspace(0, 0.2, 1000))
    >>> record["q"], record["u"]
    """

    def __init__(
        self,
        model: Model,
        drive: str,
        position: str,
        *,
        resolution: float | str | None = None,
        encoder: int | None = None,
        sample_time: float | str = "1 ms",
        noise: float | str = 0.0,
        limit: float | str = float("inf"),
        drive_noise: float | str = 0.0,
        drive_step: float | str = 0.0,
        also: Sequence[str] = (),
        substeps: int = 10,
        seed: int = 0,
    ) -> None:
        program = compile_model(driven(model, [drive]))
        for name in (position, *also):
            if name not in program.output_names:
                raise UnknownName(unknown("bench: the model has no output", name, program.output_names))
        self.name, self.drive, self.position, self.also = model.name, drive, position, tuple(also)
        self.sample_time = to_si(sample_time, "s", "bench", "sample_time")
        self.plant = realtime(program, self.sample_time, substeps=substeps, energy=False)
        self.units = {DRIVE: self.plant.inputs.unit(drive), POSITION: self.plant.unit(position)}
        self.sensing = Sensing(
            step=sensor_step(resolution, encoder, "bench") if resolution is not None or encoder is not None else 0.0,
            noise=_size(noise, self.units[POSITION], "noise"),
            limit=_size(limit, self.units[DRIVE], "limit") if limit != float("inf") else float("inf"),
            drive_noise=_size(drive_noise, self.units[DRIVE], "drive_noise"),
            drive_step=_size(drive_step, self.units[DRIVE], "drive_step"),
        )
        self._random = np.random.default_rng(seed)

    # --- one sample --------------------------------------------------------------------------------------------------

    def read(self) -> float:
        """The present position as the sensor reads it.

        >>> bench.read()
        0.0
        """
        s, true = self.sensing, self.plant[self.position]
        if s.noise:
            true += s.noise * self._random.standard_normal()
        return float(s.step * np.floor(true / s.step + 0.5)) if s.step else true

    def apply(self, drive: float) -> float:
        """Sets the drive, simulates one sample, and returns the drive after limit and quantisation.

        >>> bench.apply(0.1)
        0.1
        """
        s = self.sensing
        sent = min(max(drive, -s.limit), s.limit)
        if s.drive_step:
            sent = s.drive_step * round(sent / s.drive_step)
        self.plant.inputs[self.drive] = sent + (
            s.drive_noise * self._random.standard_normal() if s.drive_noise else 0.0
        )
        self.plant.step()
        return sent

    def reset(self) -> None:
        """Back to the initial state of the model.

        >>> bench.reset()
        """
        self.plant.reset()

    def inertia(self) -> float:
        """The inertia at the drive, as in a drawing: from the displacements in one sample with the full drive and with
        half of it, without sensor errors. The state of the machine does not change.

        >>> bench.inertia()
        1.34e-05
        """
        most = self.sensing.limit
        if not most < float("inf"):
            raise SpecError("bench: inertia needs the largest drive; give the bench a limit, or the test its inertia")
        moved = []
        for drive in (most, 0.5 * most):
            twin = self.plant.copy()
            start = twin[self.position]
            twin.inputs[self.drive] = drive
            twin.step()
            moved.append(twin[self.position] - start)
        if not moved[0] > moved[1]:
            raise SpecError(f"bench: the largest drive, {most:g} {self.units[DRIVE]}, does not move {self.position}")
        return 0.25 * most * self.sample_time**2 / (moved[0] - moved[1])

    # --- tests -------------------------------------------------------------------------------------------------------

    def record(self, drive: Any, name: str = "record") -> Measurement:
        """A test with a given drive, one value per sample.

        >>> bench.record(0.3 * np.sin(2 * np.pi * 1e-3 * np.arange(5000)))
        """
        values = np.asarray(drive, float)
        return self.run(lambda k, q: float(values[k]), values.size, name)

    def follow(self, reference: Any, tracking: Tracking, name: str = "follow") -> Measurement:
        """A test in closed loop along a reference, one position per sample; the controller reads only the sensor.

        >>> bench.follow(30 - 25 * np.cos(8 * t), Tracking(inertia=1.32e-5, bandwidth=60))
        """
        wanted = np.asarray(reference, float)
        law = tracking.started(wanted, self.sample_time, self.sensing.limit)
        record = self.run(law, wanted.size, name)
        return record.with_channel(WANTED, wanted, self.units[POSITION])

    def go(self, target: float | str, tracking: Tracking, duration: float | str = 1.0, rest: float = 0.2) -> float:
        """Moves the machine smoothly to a position and switches the drive off; returns the sensor position.

        >>> bench.go(5.0, Tracking(inertia=1.32e-5, bandwidth=60))
        5.16
        """
        end, seconds = to_si(target, self.units[POSITION], "go", "target"), to_si(duration, "s", "go", "duration")
        s = np.clip(np.arange(round((seconds + rest) / self.sample_time)) * self.sample_time / seconds, 0, 1)
        start = self.read()
        self.follow(start + (end - start) * s**3 * (10 - 15 * s + 6 * s**2), tracking, "go")
        self.record(np.zeros(max(round(rest / self.sample_time), 16)), "released")
        return self.read()

    def ramps(
        self, low: float, high: float, rate: float, *, moved: float | None = None, name: str = "ramps", **plan: Any
    ) -> Measurement:
        """The break-away test between two positions, at a rate of the drive (per s); `Ramps` has the other options.

        `moved` is the change of the sensor that counts as motion: by default two steps plus six times the noise.

        >>> found = break_aways(bench.ramps(2, 10, rate=0.5, stride=1.0))
        """
        step = 2 * self.sensing.step + 6 * self.sensing.noise if moved is None else moved
        if not step:
            raise SpecError("ramps: a sensor without steps needs moved=, the change of position that counts as motion")
        test = Ramps(low, high, rate, step, **plan)
        return self.run(test.started(self.sample_time, self.sensing.limit), LONGEST, name)

    def sine(
        self, speed: float, swing: float, centre: float, tracking: Tracking, periods: int = 5, name: str | None = None
    ) -> Measurement:
        """Oscillations by `swing` about `centre` with a sinusoidal speed of this amplitude, from the lower end.

        >>> bench.sine(100.0, swing=25.0, centre=32.5, tracking=Tracking(inertia=1.32e-5, bandwidth=60))
        """
        if not (speed > 0 and swing > 0):
            raise SpecError(f"sine: speed = {speed:g} and swing = {swing:g} must be above 0")
        w = speed / swing
        self.go(centre - swing, tracking, duration=1.0)
        time = self.sample_time * np.arange(round((periods + 0.1) * 2 * np.pi / w / self.sample_time))
        return self.follow(centre - swing * np.cos(w * time), tracking, name or f"sine {speed:g}")

    def run(self, control: Callable[[int, float], float | None], samples: int, name: str = "test") -> Measurement:
        """A test with a control law, which computes the drive from the sample number and the sensor position.

        It ends after so many samples, or when the law returns None. The drive is held for one sample. If the law or the
        simulation fails, the `result` of the SimulationError is a dictionary of the samples so far, which may be too
        few for a record.

        >>> bench.run(lambda k, q: 0.1 if q < 30 else 0.0, samples=2000)
        """
        log = _Log(self.also)
        try:
            for k in range(samples):
                q = self.read()
                drive = control(k, q)
                if drive is None:
                    break
                truth = [self.plant[output] for output in self.also]
                log.add(self.apply(drive), q, truth)
        except SpecError:
            raise
        except StribeckError as error:
            elements = getattr(error, "elements", ()) or [self.position.partition(".")[0]]
            raise SimulationError(str(error), time=self.plant.time, elements=elements, result=log.channels) from error
        units = {**self.units, **{output: self.plant.unit(output) for output in self.also}}
        steps = {POSITION: self.sensing.step} if self.sensing.step else {}
        return Measurement(log.channels, sample_time=self.sample_time, units=units, resolution=steps, name=name)

    def __repr__(self) -> str:
        s = self.sensing
        step = f"steps of {s.step:.4g}" if s.step else "no steps"
        return f"<VirtualBench {self.name}: {self.drive}, {self.position} with {step} every {self.sample_time:g} s>"


@dataclass
class _Log:
    """The recorded samples."""

    also: tuple[str, ...]
    rows: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, drive: float, position: float, truth: Sequence[float]) -> None:
        self.rows.append((drive, position, *truth))

    @property
    def channels(self) -> dict[str, np.ndarray]:
        names = (DRIVE, POSITION, *self.also)
        return dict(zip(names, np.array(self.rows, float).reshape(-1, len(names)).T, strict=True))


def _size(value: Any, unit: str, name: str) -> float:
    size = to_si(value, unit, "bench", name)
    if size < 0:
        raise SpecError(f"bench: {name} = {size:g} {unit} must not be negative")
    return size
