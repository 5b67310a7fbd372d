"""Errors of speed, acceleration and inertia due to a position sensor: the rule (30)-(31) of Nouailletas 2010."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, pi, sqrt
from typing import Any

from ...errors import SpecError
from ...units import to_si


@dataclass(frozen=True)
class SignalToNoise:
    """Accuracy of differences of a position with steps of `resolution`, every `sample_time`.

    All in SI, for a rotor (rad, N.m, kg.m2) or a slide (m, N, kg). `design` is the inertia of the design, and
    `design_error` its uncertainty.

    >>> rule = signal_to_noise(encoder=56, sample_time="1 ms", drive="2 N.m", design=1.32e-5, design_error=2.1e-6)
    >>> rule.ratio, rule.inertia_error, rule.identifiable
    (0.675, 1.95e-05, False)
    """

    resolution: float
    sample_time: float
    drive: float
    """The largest force or torque."""
    design: float
    design_error: float | None = None

    @property
    def speed_error(self) -> float:
        """Largest error of the speed from one difference, (30).

        >>> rule.speed_error
        112.2
        """
        return self.resolution / self.sample_time

    @property
    def acceleration_error(self) -> float:
        """Largest error of the acceleration from a second difference, (30).

        >>> rule.acceleration_error
        224399.5
        """
        return 2 * self.resolution / self.sample_time**2

    @property
    def typical_errors(self) -> tuple[float, float]:
        """Standard deviations of speed and acceleration for a position error uniform within one step.

        Its variance is resolution^2/12, and the squares of the weights 1, -1 and 1, -2, 1 add up to 2 and 6.

        >>> rule.typical_errors
        (45.8, 7.93e+04)
        """
        return self.speed_error / sqrt(6), self.acceleration_error / sqrt(8)

    @property
    def ratio(self) -> float:
        """Largest acceleration by the drive, relative to the largest error of the acceleration.

        >>> rule.ratio
        0.675
        """
        return self.drive / self.design / self.acceleration_error

    @property
    def inertia_error(self) -> float:
        """Error of the inertia due to this error, (31).

        >>> rule.inertia_error
        1.95e-05
        """
        return self.design / self.ratio

    @property
    def identifiable(self) -> bool:
        """Whether differences of single samples give the inertia more accurately than the design.

        >>> rule.identifiable
        False
        """
        return self.inertia_error < (self.design if self.design_error is None else self.design_error)

    @property
    def sample_time_needed(self) -> float:
        """Time (s) of differences from which on they give the inertia more accurately than the design.

        A longer time helps only as long as the acceleration lasts: see `travel_needed`.

        >>> rule.sample_time_needed
        0.00305
        """
        known = self.design if self.design_error is None else self.design_error
        return self.sample_time * sqrt(self.inertia_error / known)

    @property
    def travel_needed(self) -> float:
        """Travel from rest with the full drive in the two differences that are needed.

        >>> rule.travel_needed
        2.8
        """
        return 0.5 * self.drive / self.design * (2 * self.sample_time_needed) ** 2

    @property
    def resolution_needed(self) -> float:
        """Sensor step that would suffice at this sample time.

        >>> rule.resolution_needed
        0.012
        """
        known = self.design if self.design_error is None else self.design_error
        return self.resolution * known / self.inertia_error

    def __str__(self) -> str:
        known = "itself" if self.design_error is None else f"± {self.design_error:.3g} of the design"
        lines = [
            f"one step of the sensor, {self.resolution:.4g}, every {self.sample_time:g} s: speed to "
            f"{self.speed_error:.4g}, acceleration to {self.acceleration_error:.4g} per difference",
            f"acceleration over error at most {self.ratio:.3g}: inertia {self.design:.4g} ± {self.inertia_error:.3g}",
        ]
        if self.identifiable:
            lines.append(f"single samples identify the inertia better than {known}")
        else:
            lines.append(
                f"single samples do not identify the inertia better than {known}: take it from the design, or use "
                f"differences over {self.sample_time_needed:.3g} s (full drive moves {self.travel_needed:.3g} in two), "
                f"or a sensor with steps of {self.resolution_needed:.3g}"
            )
        return "\n".join(lines)


def signal_to_noise(
    *,
    sample_time: float | str,
    drive: float | str,
    design: float | str,
    resolution: float | str | None = None,
    encoder: int | None = None,
    design_error: float | str | None = None,
) -> SignalToNoise:
    """The rule for a sensor with steps of `resolution`, or an `encoder` with so many counts per turn.

    `drive` is the largest force or torque, `design` the mass or inertia of the design. The rule applies to single
    samples: a `fit` of all samples of a record can be more accurate, and gives its standard errors.

    >>> print(signal_to_noise(encoder=56, sample_time="1 ms", drive="2 N.m", design="0.132 kg.cm2"))
    """
    given = {
        "resolution": sensor_step(resolution, encoder, "signal_to_noise"),
        "sample_time": to_si(sample_time, "s", "signal_to_noise", "sample_time"),
        "drive": to_si(drive, "", "signal_to_noise", "drive"),
        "design": to_si(design, "", "signal_to_noise", "design"),
    }
    if design_error is not None:
        given["design_error"] = to_si(design_error, "", "signal_to_noise", "design_error")
    for name, value in given.items():
        if not (isfinite(value) and value > 0):
            raise SpecError(f"signal_to_noise: {name} = {value:g} must be above 0")
    return SignalToNoise(**given)


def sensor_step(resolution: Any, encoder: Any, owner: str) -> float:
    """Step of a position sensor in SI, from the step or from counts per turn.

    >>> sensor_step(None, 56, "bench")
    0.1122
    """
    if (resolution is None) == (encoder is None):
        raise SpecError(f"{owner}: give resolution, the step of the sensor, or encoder, its counts per turn")
    if resolution is not None:
        return to_si(resolution, "", owner, "resolution")
    counts = to_si(encoder, "1", owner, "encoder")
    if counts < 1:
        raise SpecError(f"{owner}: encoder = {counts:g} counts per turn must be at least 1")
    return 2 * pi / counts
