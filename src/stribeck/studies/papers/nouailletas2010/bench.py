"""The tests that the friction of the actuator was identified from, run on the simple model: Figures 14, 15 and 16."""

from __future__ import annotations

from math import ceil, floor, pi

import numpy as np

import stribeck as sb

from .actuator import COUNT, SAMPLE, TABLE_5, TRAVEL, add_resistance, oil, single_mass


def break_away(theta: float, direction: int = 1, rate: float = 0.2) -> float:
    """The torque (N.m) at which the encoder moves, while the torque rises (N.m/s) from rest: one pass of Figure 9.

    >>> break_away(30.0)
    0.140
    """
    highest = 1.2 * TABLE_5.static(theta, direction)  # by then it moves
    t_end = highest / rate
    ramp = sb.Ramp(height=direction * highest, duration=t_end)
    result = sb.simulate(single_mass(ramp, start=theta), t_end=t_end)
    edge = COUNT * (floor(theta / COUNT) + (1 if direction > 0 else 0))
    moved = result.curve("rotor.phi").crossings(edge, direction)[0]
    return rate * SAMPLE * ceil(float(moved) / SAMPLE)


def sinusoidal_test(amplitude: float, *, swing: float = 25.0, viscous: bool = True) -> float:
    """The mean of u sign(w) (N.m) over a period of a sinusoidal speed of this amplitude (rad/s), followed perfectly.

    The rotor swings by `swing` (rad) about the middle of its way. It is y of (35).

    >>> sinusoidal_test(100.0)
    0.11
    """
    frequency = amplitude / (2 * pi * swing)
    m = sb.Model("sinusoidal-test")
    motion = sb.Sine(amplitude=amplitude, f=frequency)
    motor = m.add("motor", sb.Speed(w=motion, phi0=TRAVEL / 2 - swing))
    add_resistance(m, motor, TABLE_5)
    if viscous:
        m.add("oil", sb.Bearing(motor, law=oil()))
    points = (np.arange(2000) + 0.5) / 2000 / frequency
    result = sb.simulate(m, times=points)
    return float(np.mean(np.asarray(result["motor.tau"]) * np.sign(np.asarray(result["motor.w"]))))
