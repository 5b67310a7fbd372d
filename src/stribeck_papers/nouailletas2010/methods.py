"""Other methods of identification that the paper names: two relays, and the balance of power.

Two relays in the loop, u = -c sign(x) + d sign(v), make a mass swing by itself (Besancon-Voda and Besancon 1999). The
second one feeds what friction takes: to the first harmonic d = f_c + f_v (pi/4) V with V the amplitude of the speed, so
that two values of d give Coulomb and viscous friction. The balance of power compares work with losses over windows of
time (Nouailletas, Mendes and Koenig 2008).
"""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from ..settings import adjusted
from .actuator import C_D, C_DS, COUNT, F_V, SAMPLE, SIDE_INERTIA, TEETH, TORQUE, J
from .swings import C_R

STATIC = 0.135
"""Break-away torque of the rotor of these tests (N.m), as in Table 5."""


class RelaySwing(NamedTuple):
    """A steady swing: amplitude, angular frequency (rad/s), and the mean of v^2 over a period times its duration."""

    amplitude: float
    frequency: float
    viscous_work: float

    @property
    def speed(self) -> float:
        """The amplitude of the speed if the swing were a sine."""
        return self.amplitude * self.frequency


def two_relays(law: Any, d: float, *, c: float = 4.0, t_end: float = 60.0) -> sb.Result:
    """The mass of Table 1 (1 kg) with a friction law under two relays c and d (N), with perfect sensors.

    >>> two_relays(sb.Switch(mu_c=1, mu_s=1, mu_v=0.4), 1.4).plot("mass.s", "motor.f")
    """
    m = sb.Model("two relays")
    body = m.add("mass", sb.Mass(m=1.0, s0=0.1))
    m.add("friction", sb.Guide(body, law=law))
    place = sb.Relay(body.sensor("s"), low=-1e-6, high=1e-6, off=c, on=-c, start=1)
    speed = sb.Relay(body.sensor("v"), low=-1e-6, high=1e-6, off=-d, on=d)
    m.add("motor", sb.Force(body, f=place + speed))
    return sb.simulate(adjusted(m), t_end=t_end, intervals=round(1000 * t_end), tolerance=1e-9)


def last_swing(result: sb.Result) -> RelaySwing:
    """The last whole period.

    >>> last_swing(two_relays(sb.Switch(mu_c=1, mu_s=1, mu_v=0.4), 1.4)).speed
    1.177
    """
    start, end = result.crossings("mass.s", 0.0, +1)[-2:]
    times = np.linspace(start, end, 4001)
    place, speed = (np.asarray(result.at(times, name)) for name in ("mass.s", "mass.v"))
    return RelaySwing(float(np.ptp(place)) / 2, 2 * pi / (end - start), float(np.mean(speed**2)) * (end - start))


def friction_of(drives: Any, swings: list[RelaySwing]) -> tuple[float, float]:
    """Coulomb and viscous friction from the amplitudes d of the second relay and the swings they make.

    >>> friction_of([1.2, 1.4], [RelaySwing(0.07, 8.4, 0.14), RelaySwing(0.28, 4.2, 1.13)])[0]
    1.0
    """
    rows = [[1.0, pi / 4 * swing.speed] for swing in swings]
    f_c, f_v = np.linalg.lstsq(np.array(rows), np.asarray(drives, dtype=float), rcond=None)[0]
    return float(f_c), float(f_v)


# --- on the actuator --------------------------------------------------------------------------------------------------


def rotor(torque: Any, play: float = 0.0, start: float = 1.0) -> sb.Model:
    """The rotor with constant friction and viscous friction at all speeds, (28), with or without play (rad).

    >>> sb.simulate(rotor(sb.Sine(amplitude=0.5, f=10)), t_end=0.3).plot("rotor.w")
    """
    m = sb.Model("rotor")
    body = m.add("rotor", sb.Inertia(J=J, phi0=start))
    coulomb, static = C_R, STATIC
    if play > 0:
        side = m.add("rack_side", sb.Inertia(J=SIDE_INERTIA, phi0=start))
        m.add("play", sb.ElastoBacklash(body, side, play=play, **TEETH))
        m.add("rack_friction", sb.Bearing(side, law=sb.Switch(mu_c=C_R - C_D, mu_s=STATIC - C_DS)))
        coulomb, static = C_D, C_DS
    m.add("bearing", sb.Bearing(body, law=sb.Switch(mu_c=coulomb, mu_s=static, mu_v=F_V)))
    m.add("motor", sb.Torque(body, tau=torque))
    return adjusted(m)


def relayed_rotor(c: float, d: float, *, coarse: bool, play: float = 0.0, t_end: float = 1.0) -> RelaySwing:
    """The swing of the rotor under two relays (N.m), with its encoder every 1 ms or with perfect sensors.

    >>> relayed_rotor(0.5, 0.2, coarse=False).speed
    148.28
    """
    angle: Any = sb.Sensor("rotor.phi")
    speed: Any = sb.Sensor("rotor.w")
    near, slow = 1e-6, 1e-3
    if coarse:
        counts = sb.Quantiser(angle, step=COUNT, mode="floor")
        k = 1 / SAMPLE
        speed = sb.TransferFunction(counts, num=[k, -k], den=[1.0, 0.0], dt=SAMPLE, start="steady")
        angle, near, slow = counts + COUNT / 2, COUNT / 4, COUNT / SAMPLE / 2
    torque: Any = sb.Relay(angle, low=-near, high=near, off=c, on=-c, start=1)
    torque = torque + sb.Relay(speed, low=-slow, high=slow, off=-d, on=d)
    run = sb.simulate(
        rotor(sb.SampleHold(torque, period=SAMPLE) if coarse else torque, play),
        t_end=t_end,
        intervals=round(t_end / SAMPLE) * (1 if coarse else 20),
        tolerance=1e-8,
    )
    return _seen(np.asarray(run["rotor.phi"]), run.time, coarse)


def _seen(angle: np.ndarray, time: np.ndarray, coarse: bool) -> RelaySwing:
    """Amplitude and frequency in the second half of a run, as the sensor shows them; nan if it does not swing."""
    if coarse:
        angle = COUNT * (np.floor(angle / COUNT) + 0.5)
    (up,) = np.nonzero((angle[:-1] < 0) & (angle[1:] >= 0) & (time[1:] > 0.5 * time[-1]))
    if up.size < 3:
        return RelaySwing(float("nan"), float("nan"), float("nan"))
    period = (time[up[-1]] - time[up[0]]) / (up.size - 1)
    return RelaySwing(float(np.ptp(angle[up[0] : up[-1] + 1])) / 2, 2 * pi / period, float("nan"))


def power_test(
    frequencies: tuple[float, float], *, resolution: float = COUNT, play: float = 0.0, window: str = "50 ms"
) -> dict[str, float]:
    """Inertia, viscous and Coulomb friction of the rotor by the balance of power, from 2 s under two sines (Hz) of
    0.5 N.m, read with steps of `resolution` (rad) every 1 ms.

    >>> power_test((6.0, 9.0))["coulomb"]
    0.1067
    """
    bench = sb.identify.VirtualBench(
        rotor(0.0, play), "motor.tau", "rotor.phi", resolution=resolution, sample_time=SAMPLE, limit=TORQUE
    )
    time = np.arange(0.0, 2.0, SAMPLE)
    slow, fast = frequencies
    drive = 0.5 * np.cos(2 * pi * slow * time) + 0.5 * np.cos(2 * pi * fast * time)
    found = sb.identify.power_balance(
        bench.record(drive), force="u", position="q", terms=("inertia", "viscous", "coulomb"), window=window
    )
    return {name: float(value) for name, value in found.values.items()}
