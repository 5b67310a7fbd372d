"""A position loop around the bearing: an observer with bristles compensates friction, or integral action does."""

from __future__ import annotations

from typing import Any

import stribeck as sb

from ..settings import adjusted
from .bearing import BEARING, lugre
from .dassl import Z_N

SPAN = 20.0
SETTLED = 10.0
"""From here on (s) the error counts: the second of two periods."""


def servo(Ki: float = 0.0, observer: float | None = None, gain: float = 0.1) -> sb.Model:
    """A mass of 1 kg.m2 in the bearing of Table 1 follows 0.1 rad at 0.1 Hz under a PID controller with a bandwidth of
    10 rad/s. `Ki` (N.m/(rad s)) is its integral gain. With an `observer` the friction torque of bristles that are
    bent by the measured speed, and by `gain` (1/s) times the error, is added; its Coulomb and static friction are that
    many times those of the bearing.

    >>> abs(sb.simulate(servo(observer=1.0))["error"][2000:]).max()
    0.0004
    """
    m = sb.Model("servo", t_end=SPAN, intervals=4000)
    mass = m.add("mass", sb.Inertia(J=1))
    m.add("friction", sb.Bearing(mass, law=lugre()))
    target, w = sb.Sine(0.1, f=0.1), sb.Sensor("mass.w")
    m.signal("error", target - sb.Sensor("mass.phi"))
    torque: Any = m.signal("pid", sb.PID(target, "mass.phi", Kp=100.0, Ki=Ki, Kd=20.0, T_f=1e-3))
    if observer is not None:
        slides, sticks = observer * BEARING["tau_c"], observer * BEARING["tau_s"]
        curve = slides + (sticks - slides) * sb.Function("exp", -(BEARING["w_s"] ** -2) * w * w)
        z: Any = sb.Named("z")  # in units of 1/sigma0
        rate = w / Z_N - BEARING["sigma0"] * abs(w) * z / curve + gain / Z_N * sb.Named("error")
        m.signal("z", sb.Integral(rate))
        dz: Any = m.signal("dz", rate)
        torque = torque + BEARING["sigma0"] * Z_N * z + BEARING["sigma1"] * Z_N * dz + BEARING["tau_v"] * w
    m.add("motor", sb.Torque(mass, tau=torque))
    return adjusted(m)
