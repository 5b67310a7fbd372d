"""The tests that the friction of the actuator was identified from, run on the simple model: Figures 14, 15 and 16."""

from __future__ import annotations

from math import ceil, floor, pi
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted
from .actuator import (
    C_D,
    C_DS,
    COUNT,
    SAMPLE,
    SIDE_INERTIA,
    TABLE_5,
    TEETH,
    TRAVEL,
    add_resistance,
    check_place,
    check_positive,
    oil,
    single_mass,
)

GRID = 2000
"""Points of a period."""


def break_away(theta: float, direction: int = 1, rate: float = 0.2) -> float:
    """The torque (N.m) at which the encoder moves, while the torque rises (N.m/s) from rest: one pass of Figure 9.

    >>> break_away(30.0)
    0.140
    """
    check_place("break_away", theta, direction)
    check_positive("break_away", rate=rate)
    highest = 1.2 * TABLE_5.static(theta, direction)  # by then it moves
    t_end = highest / rate
    ramp = sb.Ramp(height=direction * highest, duration=t_end)
    result = sb.simulate(single_mass(ramp, start=theta), t_end=t_end)
    edge = COUNT * (floor(theta / COUNT) + (1 if direction > 0 else 0))
    moved = result.curve("rotor.phi").crossings(edge, direction)[0]
    return rate * SAMPLE * ceil(float(moved) / SAMPLE)


def sinusoidal_test(amplitude: float, *, swing: float = 25.0, viscous: bool = True, play: float = 0.0) -> sb.Result:
    """Two periods of a sinusoidal speed of this amplitude (rad/s), followed perfectly: `motor.tau` is what it takes.

    The rotor swings by `swing` (rad) about the middle of its way. Means are those of the second period.

    >>> mean_friction(sinusoidal_test(100.0))
    0.107
    """
    check_positive("sinusoidal_test", amplitude=amplitude, swing=swing)
    if swing > TRAVEL / 2:
        raise sb.SpecError(f"sinusoidal_test: swing = {swing:g} rad leaves the way; at most {TRAVEL / 2:g} rad do not")
    frequency = amplitude / (2 * pi * swing)
    m = sb.Model("sinusoidal-test")
    motion = sb.Sine(amplitude=amplitude, f=frequency)
    motor = m.add("motor", sb.Speed(w=motion, phi0=TRAVEL / 2 - swing))
    if viscous:
        m.add("oil", sb.Bearing(motor, law=oil()))
    side: Any = motor
    resistance = TABLE_5
    if play > 0:
        m.add("motor_friction", sb.Bearing(motor, law=sb.Switch(mu_c=C_D, mu_s=C_DS)))
        side = m.add("rack_side", sb.Inertia(J=SIDE_INERTIA, phi0=TRAVEL / 2 - swing))
        m.add("play", sb.ElastoBacklash(motor, side, play=play, **TEETH))
        resistance = TABLE_5.beyond(C_D, C_DS)
    add_resistance(m, side, resistance)
    points = (np.arange(2 * GRID) + 0.5) / GRID / frequency
    return sb.simulate(adjusted(m), times=points)


def mean_friction(test: sb.Result, encoder: bool = False) -> float:
    """The mean of u sign(w) (N.m) over the second period, y of (35); the sign is the true one or that of (29).

    >>> mean_friction(sinusoidal_test(100.0), encoder=True)
    0.064
    """
    torque, speed = (np.asarray(test[name]) for name in ("motor.tau", "motor.w"))
    if not encoder:
        return float(np.mean(torque[GRID:] * np.sign(speed[GRID:])))
    samples = np.arange(test.time[GRID], test.time[-1], SAMPLE)
    counts = np.floor(np.interp(samples, test.time, np.asarray(test["motor.phi"])) / COUNT)
    return float(np.mean(np.interp(samples[1:], test.time, torque) * np.sign(np.diff(counts))))
