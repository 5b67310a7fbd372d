"""The clutch test bed of section 6.3: two motors, two shafts, and two discs that are pressed together.

    motor ═ shaft ═ disc │ friction lining │ disc ═ shaft ═ brake motor
       engine side (ES)                          brake side (BS)

The paper prints the speed of 500 rpm and the order of the phases; all other numbers are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import pi
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted

RADIUS = 0.06
"""Friction radius (m) of the discs."""
FORCE = 1500.0
"""Largest normal force (N)."""
TURNS = 0.2
"""Speed (rad/s) of the brake side from which on the load acts."""
SPEED = 500 * pi / 30
"""Speed (rad/s) at which the controller of the engine side holds its motor."""


@dataclass(frozen=True)
class Lining:
    """Friction coefficients over sliding speed (m/s) and bristles of the lining, per m of sliding.

    >>> Lining(kappa=0.5).law()
    ModifiedElastoPlastic(..., sigma0=600.0, ...)
    """

    mu_c: float = 0.25
    mu_s: float = 0.35
    v_s: float = 0.2
    sigma0: float = 1e4
    sigma1: float = 10.0
    kappa: float = 0.8

    def law(self) -> sb.ModifiedElastoPlastic:
        """The modified elasto-plastic law at the friction radius: per rad of slip."""
        return sb.ModifiedElastoPlastic(**self.at_radius(), kappa=self.kappa)

    def original_law(self) -> sb.ElastoPlastic:
        """The same with an elastic limit that does not depend on the speed, as in Dupont's model."""
        return sb.ElastoPlastic(**self.at_radius(), z_ba=self.kappa * self.mu_c / self.sigma0 / RADIUS)

    def at_radius(self) -> dict[str, float]:
        """Parameters that all bristle laws share, per rad of slip."""
        bristle = {"sigma0": self.sigma0 * RADIUS, "sigma1": self.sigma1 * RADIUS, "sigma2": 0.0}
        return {"mu_c": self.mu_c, "mu_s": self.mu_s, "v_s": self.v_s / RADIUS, "exponent": 1.0, **bristle}


@dataclass(frozen=True)
class ClutchCycle:
    """The sequence of a test: open, pressed, locked under a load that changes, and released. Times (s), torques (N.m).

    >>> ClutchCycle().pressing()
    Table(time=[1.0, 1.3, 6.0, 8.0], value=[0.0, 1.0, 1.0, 0.0])
    """

    press: tuple[float, float] = (1.0, 1.3)
    """The normal force rises between these times."""
    release: tuple[float, float] = (6.0, 8.0)
    """It goes back to zero between these."""
    loads: tuple[tuple[float, float], ...] = ((0.0, 5.0), (2.5, 15.0), (3.5, 8.0), (4.5, 12.0))
    """From each of these times on the load rises or falls to the torque of the pair, within `ramp`."""
    ramp: float = 0.1
    shaking: tuple[float, float] = (5.0, 6.0)
    """Between these times the load oscillates too, with `swing` (N.m) at `rate` (Hz)."""
    swing: float = 3.0
    rate: float = 2.0
    end: float = 10.0

    def pressing(self) -> sb.Table:
        """Normal force over its largest value."""
        return sb.Table(time=[*self.press, *self.release], value=[0.0, 1.0, 1.0, 0.0])

    def load(self) -> Any:
        """Torque against the brake side while it turns."""
        times, values = [self.loads[0][0]], [self.loads[0][1]]
        for at, torque in self.loads[1:]:
            times, values = [*times, at, at + self.ramp], [*values, values[-1], torque]
        first, last = self.shaking
        now = (sb.Time() >= first) & (sb.Time() < last)
        return sb.Table(time=times, value=values) + sb.Where(now, sb.Sine(self.swing, self.rate, start=first), 0)


@dataclass(frozen=True)
class Shaft:
    """A motor's rotor and a disc (kg.m2) on a shaft with a stiffness (N.m/rad) and a damping ratio.

    >>> Shaft(rotor=0.03, disc=0.02).frequency
    163.7
    """

    rotor: float
    disc: float
    stiffness: float = 12.7e3
    damping_ratio: float = 0.01
    own: float = 3e-4
    """Inertia of the shaft itself (kg.m2), which rotor and disc hold half each."""
    pieces: int = 1
    """Into how many pieces the shaft is cut; its own inertia is then between them."""

    @property
    def inertia(self) -> float:
        """Both together (kg.m2)."""
        return self.rotor + self.disc

    @property
    def frequency(self) -> float:
        """Natural frequency (Hz) of rotor against disc."""
        return float(np.sqrt(self.stiffness * self.inertia / (self.rotor * self.disc)) / (2 * pi))

    @property
    def damping(self) -> float:
        """Damping (N.m.s/rad) along the shaft."""
        return self.damping_ratio * self.stiffness / (pi * self.frequency)


@dataclass(frozen=True)
class TestBed:
    """The whole test bed: lining, sequence, shafts, and the controller of the motor (N.m.s/rad, N.m/rad).

    >>> TestBed(Kp=2.0).model()
    """

    __test__ = False  # not a test of pytest

    lining: Lining = Lining()
    cycle: ClutchCycle = ClutchCycle()
    engine: Shaft = Shaft(rotor=0.03, disc=0.02)
    brake: Shaft = Shaft(rotor=0.025, disc=0.015)
    Kp: float = 5.0
    Ki: float = 40.0
    limit: float = 60.0
    """Largest torque of the motor (N.m)."""
    force: float = FORCE
    lag: float = 0.0
    """Time constant (s) of the motor's torque."""

    def changed(self, **changes: Any) -> TestBed:
        """Another one that differs in these."""
        return replace(self, **changes)

    def model(self, law: Any = None, *, flexible: bool = True) -> sb.Model:
        """The machine; with rigid shafts rotor and disc of a side are one body.

        >>> sb.simulate(TestBed().model()).plot("engine.w", "brake.w", "clutch.tau")
        """
        model = sb.Model("clutch test bed", t_end=self.cycle.end, intervals=round(1000 * self.cycle.end))
        engine = self._side(model, "engine", self.engine, SPEED, flexible)
        brake = self._side(model, "brake", self.brake, 0.0, flexible)
        self.drives(model, engine, brake)
        discs = ["brake_disc", "engine_disc"] if flexible else [brake, engine]
        model.add("clutch", sb.Clutch(*discs, **self.contact(law)))
        return adjusted(model)

    def contact(self, law: Any = None) -> dict[str, Any]:
        """The friction between the discs, as arguments of a clutch."""
        pressing = {"fn_max": self.force, "cgeo": RADIUS, "f_normalized": self.cycle.pressing()}
        return {"law": law or self.lining.law(), **pressing}

    def drives(self, model: sb.Model, engine: Any, brake: Any) -> None:
        """The motor with its controller, and the load, which is there only while the brake side turns."""
        ends = {"low": -self.limit, "high": self.limit}
        torque: Any = sb.PID(SPEED, engine.sensor("w"), Kp=self.Kp, Ki=self.Ki, **ends)
        model.add("motor", sb.Torque(engine, tau=sb.LowPass(torque, T=self.lag) if self.lag else torque))
        load = model.signal("load", self.cycle.load())
        model.add("resistance", sb.Torque(brake, tau=-load * sb.Function("tanh", brake.sensor("w") / TURNS)))

    @staticmethod
    def _side(model: sb.Model, name: str, shaft: Shaft, w: float, flexible: bool) -> Any:
        if not flexible:
            return model.add(name, sb.Inertia(J=shaft.inertia, w0=w))
        n, given = shaft.pieces, 0.5 * shaft.own * (1 - 1 / shaft.pieces)
        rotor = model.add(name, sb.Inertia(J=shaft.rotor - given, w0=w))
        inner = [model.add(f"{name}_{i}", sb.Inertia(J=shaft.own / n, w0=w)) for i in range(1, n)]
        disc = model.add(f"{name}_disc", sb.Inertia(J=shaft.disc - given, w0=w))
        bodies = [rotor, *inner, disc]
        for number, (a, b) in enumerate(pairwise(bodies)):
            ends = (b, a) if w else (a, b)  # positive from the engine to the brake
            spring = sb.SpringDamper(*ends, c=n * shaft.stiffness, d=n * shaft.damping)
            model.add(f"{name}_shaft{number or ''}", spring)
        return rotor


def validation_cycle(
    bed: TestBed | None = None, law: Any = None, *, flexible: bool = True, **options: Any
) -> sb.Result:
    """Figures 7 and 8: open, synchronisation, locked under a varying load, release.

    >>> result = validation_cycle()
    >>> result.plot("engine.w", "brake.w"), result.plot("engine_shaft.tau", "brake_shaft.tau")
    """
    return sb.simulate((bed or TestBed()).model(law, flexible=flexible), **options)


def passing(bed: TestBed, name: str, level: float, direction: int, near: float, **options: Any) -> float:
    """Time (s) near a given one at which an output of the rigid test bed passes a level, on a grid of 1 microsecond.

    >>> passing(TestBed(), "clutch.w_rel", 0.5, -1, near=1.3, tolerance=1e-11)
    1.29275615
    """
    model = bed.model(flexible=False)
    for width, points in ((0.2, 2001), (2e-4, 101), (1e-5, 41)):
        times = np.linspace(near - width, near + width, points)
        near = float(sb.simulate(model, times=[0.0, *times], **options).crossings(name, level, direction)[0])
    return near
