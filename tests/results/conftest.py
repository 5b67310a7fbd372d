"""A stick-slip machine in closed form: inertia 1 kg.m2, pulled at 0.1 rad/s by a spring 2 N.m/rad, classic switch.

Stuck, the spring winds up until it reaches the static torque 1.5 N.m. Sliding, the wind-up of the spring about its
steady value, e = 0.1 t - phi - 0.52, fulfils e'' + 0.4 e' + 2 e = 0.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import brentq

from stribeck.results import Energy, Events, Extremes, Result, ResultMeta, Statistics

PULL, STIFFNESS, STATIC, KINETIC, VISCOUS = 0.1, 2.0, 1.5, 1.0, 0.4
STEADY = (KINETIC + VISCOUS * PULL) / STIFFNESS
DECAY, OMEGA = VISCOUS / 2, np.sqrt(STIFFNESS - (VISCOUS / 2) ** 2)

META = ResultMeta(
    model="stick-slip-switch",
    names=(
        "mass.phi",
        "mass.w",
        "mass.a",
        "spring.tau",
        "friction.phi_rel",
        "friction.w_rel",
        "friction.tau",
        "friction.mode",
    ),
    units=("rad", "rad/s", "rad/s2", "N.m", "rad", "rad/s", "N.m", "1"),
    elements={"pull": "Speed", "mass": "Inertia", "spring": "Spring", "friction": "Bearing"},
    friction=("friction",),
    solver="auto",
    tolerance=1e-6,
)


@dataclass
class StickSlip:
    """The exact solution up to t_end."""

    t_end: float

    def __post_init__(self):
        """Times of break-away and capture, one after the other."""
        self.changes, self.held, start, phi = [], [], STATIC / STIFFNESS / PULL, 0.0
        self.length = brentq(lambda tau: self.slide(tau)[1], 0.5, 4.0, xtol=1e-15)
        travel = self.slide(self.length)[0]
        while start < self.t_end:
            self.changes += [(start, "friction", 0, 1), (start + self.length, "friction", 1, 0)]
            self.held.append((start, phi))
            phi += travel
            start = (phi + STATIC / STIFFNESS) / PULL
        self.changes = [c for c in self.changes if c[0] < self.t_end]

    @staticmethod
    def slide(tau):
        """Angle, speed and acceleration tau seconds after break-away."""
        e0, rate0 = STATIC / STIFFNESS - STEADY, PULL
        b = (rate0 + DECAY * e0) / OMEGA
        decay, c, s = np.exp(-DECAY * tau), np.cos(OMEGA * tau), np.sin(OMEGA * tau)
        e = decay * (e0 * c + b * s)
        rate = -DECAY * e + decay * OMEGA * (b * c - e0 * s)
        return PULL * tau + e0 - e, PULL - rate, STIFFNESS * e + VISCOUS * rate

    def outputs(self, t):
        """The outputs of META at the times t."""
        phi, w, a, mode = (np.zeros_like(t) for _ in range(4))
        for start, angle in self.held:
            slides, after = (t >= start) & (t < start + self.length), t >= start
            tau = np.minimum(t[after] - start, self.length)
            phi[after] = angle + self.slide(tau)[0]
            w[slides], a[slides] = self.slide(t[slides] - start)[1:]
            mode[slides] = 1
        spring = STIFFNESS * (PULL * t - phi)
        return np.array([phi, w, a, spring, phi, w, spring - a, mode])


@pytest.fixture(scope="session")
def exact():
    return StickSlip(25.0)


@pytest.fixture
def result(exact):
    """A run of 25 s on a grid of 10 ms."""
    time = np.linspace(0, 25, 2501)
    data = exact.outputs(time)
    rows = np.arange(len(data))
    low, high = data.argmin(axis=1), data.argmax(axis=1)
    return Result(
        META,
        time=time,
        data=data,
        events=Events(exact.changes),
        statistics=Statistics(
            steps=120, rejected=3, state_events=len(exact.changes), smallest_step=1e-5, largest_step=0.4
        ),
        energy=Energy({"pull": 2.5}, {"mass": 0.0, "spring": 0.5}, {"friction": 2.0}, numerical=3e-9, residual=1e-16),
        extremes=Extremes(META, np.stack([data[rows, low], time[low], data[rows, high], time[high]], axis=1)),
        warnings=["friction: an example of a warning"],
    )
