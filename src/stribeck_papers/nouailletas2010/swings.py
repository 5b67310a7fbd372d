"""Figure 16 turned round: which friction over speed has the means that the paper prints.

The mean of u sign(omega) over a sinusoidal speed of amplitude V is Schloemilch's integral of friction,

    y(V) = (2/pi) int_0^{pi/2} f(V sin p) dp,      f(w) = y(0) + w int_0^{pi/2} y'(w sin p) dp.

The two lines of Figure 16, y = C_r up to the amplitude W at which they meet and f_v 2 V/pi above, are those of one law
only: f = C_r up to W and C_r + (2/pi) f_v w arccos(W/w) above. It is continuous and tends to f_v w.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted
from .actuator import F_V, check_positive

C_R = 0.1094
"""Mean Coulomb torque, section 5.2 (N.m)."""
CORNER = pi * C_R / (2 * F_V)
"""The amplitude (rad/s) at which the two printed lines meet."""
SAMPLES = 8000
"""Of a period; friction has a corner, so that many are needed."""


def arccos_friction(w: Any) -> np.ndarray:
    """The torque (N.m) over a speed (rad/s) that belongs to the two lines of Figure 16.

    >>> arccos_friction([200.0, 600.0]).tolist()
    [0.1094, 0.42734]
    """
    speed = np.abs(np.asarray(w, dtype=float))
    above = 2 / pi * F_V * speed * np.arccos(np.minimum(CORNER / np.maximum(speed, 1e-9), 1.0))
    return np.asarray(C_R + above)


def arccos_law(points: int = 400, fastest: float = 700.0) -> sb.FrictionTable:
    """The same as a law: a table over speed, dense behind the corner, where the slope is without bound.

    >>> arccos_law().mu[0]
    0.1094
    """
    speed = np.r_[0.0, CORNER / 2, CORNER + (fastest - CORNER) * np.linspace(0, 1, points) ** 2]
    return sb.FrictionTable(peak=1.0, speed=speed.tolist(), mu=arccos_friction(speed).tolist())


def swing_mean(law: Any, amplitude: float, swing: float = 25.0) -> float:
    """The mean of u sign(omega) (N.m) in a sinusoidal test of this amplitude (rad/s), y of (35), with a law.

    >>> swing_mean(arccos_law(), 400.0)
    0.1827
    """
    check_positive("swing_mean", amplitude=amplitude, swing=swing)
    f = amplitude / (2 * pi * swing)
    m = sb.Model("swing")
    motor = m.add("motor", sb.Speed(w=sb.Sine(amplitude=amplitude, f=f)))
    m.add("friction", sb.Bearing(motor, law=law))
    times = (np.arange(2 * SAMPLES) + 0.5) / SAMPLES / f
    run = sb.simulate(adjusted(m), times=times, outputs=["motor.tau", "motor.w"], energy=False, extremes=False)
    torque, speed = (np.asarray(run[name])[SAMPLES:] for name in ("motor.tau", "motor.w"))
    return float(np.mean(torque * np.sign(speed)))
