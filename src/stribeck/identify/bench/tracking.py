"""A tracking controller for a machine with a coarse position sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import SpecError

Friction = Callable[[Any, Any], Any]
"""Force or torque against the motion, from position and direction (1 or -1)."""


@dataclass(frozen=True)
class Tracking:
    """A PID controller with three poles at `bandwidth` (1/s) for a pure `inertia`, and feedforward.

    `friction` is an estimate of the dry friction, a number or a function of position and direction, such as the result
    of a break-away test; `viscous` is one of the viscous friction. The speed feedback is the difference of sensor
    samples behind a first-order filter, which keeps a fraction `smoothing` of its value from sample to sample.

    >>> Tracking(inertia=1.32e-5, bandwidth=60, friction=0.1)
    """

    inertia: float
    bandwidth: float
    friction: float | Friction = 0.0
    viscous: float = 0.0
    smoothing: float = 0.8
    integral: float = 1.0
    """Integral gain relative to that which places all three poles at the bandwidth."""

    def __post_init__(self) -> None:
        for name in ("inertia", "bandwidth"):
            if not getattr(self, name) > 0:
                raise SpecError(f"tracking: {name} = {getattr(self, name):g} must be above 0")
        if not 0 <= self.smoothing < 1:
            raise SpecError(f"tracking: smoothing = {self.smoothing:g} must be at least 0 and below 1")

    def started(self, reference: np.ndarray, h: float, limit: float) -> Callable[[int, float], float]:
        """The control law for a reference with one position per sample: drive as a function of sample number and
        sensor.

        >>> drive = Tracking(inertia=0.02, bandwidth=60).started(np.zeros(100), 1e-3, limit=5.0)
        >>> drive(0, 0.001)
        -0.216
        """
        J, w, keep = self.inertia, self.bandwidth, self.smoothing
        speeds = np.gradient(reference, h) if reference.size > 1 else np.zeros(reference.size)
        forward = self._forward(reference, speeds, h)
        kp, kd, ki = 3 * J * w**2, 3 * J * w, self.integral * J * w**3 * h
        total, before, speed = 0.0, None, 0.0
        wanted, rates, known = reference.tolist(), speeds.tolist(), forward.tolist()

        def law(k: int, q: float) -> float:
            nonlocal total, before, speed
            if before is not None:
                speed = keep * speed + (1 - keep) * (q - before) / h
            before, error = q, wanted[k] - q
            drive = float(known[k] + kp * error + kd * (rates[k] - speed) + total)
            if abs(drive) < limit or drive * error < 0:  # anti-windup
                total += ki * error
            return drive

        return law

    def _forward(self, reference: np.ndarray, speeds: np.ndarray, h: float) -> np.ndarray:
        """Feedforward of acceleration, dry and viscous friction."""
        rates = np.gradient(speeds, h) if reference.size > 1 else np.zeros(reference.size)
        signs = np.where(np.abs(speeds) > 1e-9 * max(np.abs(speeds).max(initial=0.0), 1e-300), np.sign(speeds), 0.0)
        if callable(self.friction):
            up, down = (np.asarray(self.friction(reference, sign), float) for sign in (1, -1))
            dry = np.where(signs > 0, up, down)
        else:
            dry = np.full(reference.size, float(self.friction))
        return np.asarray(self.inertia * rates + signs * np.abs(dry) + self.viscous * speeds)
