"""The clutch actuator part by part: motor, play, rack, compensator spring on a slope, hydraulics, clutch; (38)-(44).

Sections of pistons, curves of springs and coefficients of friction are not printed. Table 4 asks for them: half the sum
of the torques up and down is what the springs leave over, F_2 - F_1 tan(alpha), and half their difference is friction,
mu_c F_1 and the motor. With mu_c, the stiffness of the compensator, the efficiency and the friction of the motor
chosen, F_1 follows, its slope gives tan(alpha), and F_2 is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

import stribeck as sb

from ..settings import adjusted
from .actuator import (
    C_D,
    C_DS,
    PLAY,
    RATIO,
    SAMPLE,
    TABLE_4,
    TEETH,
    TRAVEL,
    Controller,
    DryFriction,
    J,
    check_positive,
    oil,
)

MASSES = {"rack": 0.2, "slave": 0.1}
"""Masses of rack and slave piston (kg): ours; 3 kg at the rack would be 1 % of the inertia of the rotor."""
WHEEL = 1e-8
"""Inertia of the wheels of the reducer (kg.m2): ours."""
STOPS = 1e-4
"""How far the rack can go beyond its range (m): ours."""


@dataclass(frozen=True)
class Mechanism:
    """The numbers of the actuator, of which those with a value here are ours (reconstruction).

    >>> Mechanism().force_1[0], max(Mechanism().force_2)
    (2116.2, 1506.6)
    """

    mu_c: float = 0.1
    sigma: float = 0.2
    v_s: float = 1e-3
    mu_v: float = 0.0
    stiffness: float = 1e5
    efficiency: float = 0.9
    motor: float = 0.01
    motor_static: float = 0.011
    areas: float = 0.5
    """S_m/S_s."""
    prestress: float = 1.0
    """Force of the compensator at x = 0 by the one that Table 4 asks for."""
    wear: float = 1.0
    """Force of the clutch by the one that Table 4 asks for."""
    design_mu_c: float = 0.1
    """mu_c for which the springs are made."""
    stations: int = 27

    def __post_init__(self) -> None:
        above = ("mu_c", "v_s", "stiffness", "efficiency", "areas", "design_mu_c")
        check_positive("Mechanism", **{name: getattr(self, name) for name in above})

    @cached_property
    def x(self) -> np.ndarray:
        """Positions of the rack (m) at which the curves are given."""
        return RATIO * np.linspace(0, TRAVEL, self.stations)

    @cached_property
    def tangent(self) -> np.ndarray:
        """tan(alpha) there; the slope is kept at or above 0 near x = 0."""
        return np.maximum(-self._asked.deriv()(self.x / RATIO) / RATIO / self.stiffness, 0.0)

    @cached_property
    def force_1(self) -> np.ndarray:
        """Force of the compensator across the rack (N): it relaxes as it slides down the slope."""
        way = np.concatenate([[0.0], np.cumsum(np.diff(self.x) * (self.tangent[1:] + self.tangent[:-1]) / 2)])
        force: np.ndarray = self.prestress * self._asked(0.0) - self.stiffness * way
        return force

    @cached_property
    def force_2(self) -> np.ndarray:
        """Force of the clutch on the rack (N)."""
        designed = replace(self, prestress=1.0, wear=1.0)
        force: np.ndarray = self.wear * (self._residue + designed.force_1 * self.tangent)
        return force

    @property
    def _asked(self) -> Polynomial:
        """F_1 over the angle, from half the difference of the torques of Table 4."""
        friction: Polynomial = (TABLE_4.forward + TABLE_4.backward) / 2 - DESIGN_MOTOR
        return friction * (self.efficiency / (RATIO * self.design_mu_c))

    @property
    def _residue(self) -> np.ndarray:
        """F_2 - F_1 tan(alpha), from half the sum of the torques of Table 4."""
        rest: Polynomial = (TABLE_4.forward - TABLE_4.backward) / 2
        return np.asarray(rest(self.x / RATIO) * self.efficiency / RATIO)

    @property
    def residue(self) -> np.ndarray:
        """What the springs leave over (N): positive, where it drives the rack back."""
        return np.asarray(self.force_2 - self.force_1 * self.tangent)

    def torque(self, theta: Any, direction: int) -> Any:
        """(40) with r/eta: the torque of the motor against the Coulomb friction in slow motion (N.m)."""
        force = self.residue + direction * self.mu_c * self.force_1
        return np.interp(RATIO * np.asarray(theta), self.x, force) * RATIO / self.efficiency + direction * self.motor

    def simple(self) -> DryFriction:
        """The friction of the simple model of this mechanism: polynomials of degree 3, break-away in proportion."""
        angles = np.linspace(0, TRAVEL, 131)
        breaking = replace(self, mu_c=self.mu_c * (1 + self.sigma), motor=self.motor_static)
        fits, betas = [], []
        for direction in (1, -1):
            sliding, static = (direction * parts.torque(angles, direction) for parts in (self, breaking))
            fits.append(Polynomial.fit(angles, sliding, 3).convert())
            betas.append(float(static.mean() / sliding.mean()))
        return DryFriction(fits[0], fits[1], betas[0], betas[1])

    def build(self, m: sb.Model, rotor: Any, *, start: float = 0.0, play: float = 0.0) -> None:
        """Adds everything behind the rotor."""
        if play > 0:
            pinion = m.add("pinion", sb.Inertia(J=WHEEL, phi0=start))
            m.add("play", sb.ElastoBacklash(rotor, pinion, play=play, **TEETH))
            rotor, motor = pinion, rotor
        else:
            motor = rotor
        wheel = m.add("wheel", sb.Inertia(J=WHEEL, phi0=start))
        m.add("reducer", sb.LossyGear(rotor, wheel, ratio=1, efficiency=self.efficiency))
        rack = m.add("rack", sb.Mass(m=MASSES["rack"], s0=RATIO * start))
        m.add("toothing", sb.RackPinion(wheel, rack, ratio=1 / RATIO))
        self._add_springs(m, rack, start)
        sliding = sb.Stribeck(mu_c=self.mu_c, mu_s=self.mu_c * (1 + self.sigma), v_s=self.v_s, mu_v=self.mu_v)
        pressed = sb.Lookup(rack.sensor("s"), x=self.x.tolist(), y=np.maximum(self.force_1, 0.0).tolist())
        m.add("guide", sb.Guide(rack, law=sliding, load=pressed))
        m.add("ends", sb.Stop(rack, s_min=-STOPS, s_max=RATIO * TRAVEL + STOPS))
        if self.motor > 0:
            m.add("brushes", sb.Bearing(motor, law=sb.Switch(mu_c=self.motor, mu_s=self.motor_static)))

    def _add_springs(self, m: sb.Model, rack: Any, start: float) -> None:
        """The compensator on the slope, and the clutch behind the hydraulics."""
        slope = {"s": self.x.tolist(), "alpha": np.arctan(self.tangent).tolist()}
        frame = m.add("frame", sb.Fixed())
        m.add("compensator", sb.CamSpring(frame, rack, **slope, c=self.stiffness, f_0=float(self.force_1[0])))
        slave = m.add("slave", sb.Mass(m=MASSES["slave"], s0=self.areas * RATIO * start))
        m.add("pipe", sb.Hydraulic(rack, slave, area_a=self.areas * 5e-4, area_b=5e-4))
        curve = {"s": (self.areas * self.x).tolist(), "f": (self.force_2 / self.areas).tolist()}
        m.add("clutch", sb.NonlinearSpring(frame, slave, **curve))


DESIGN_MOTOR = 0.01
"""Friction of the motor in the torques of Table 4 (N.m): ours."""


BENCH = Mechanism(motor=C_D, motor_static=C_DS, stations=9)
"""The mechanism with the friction of the motor that the test bench had, which replaces that test bench."""


def sweep(mechanism: Mechanism | None = None, w: float = 20.0) -> dict[int, sb.Result]:
    """The rack moved slowly over its range, up (1) and down (-1): `motor.tau` is the torque that this takes.

    >>> sweep()[1]["motor.tau"]
    """
    parts, results = mechanism or Mechanism(), {}
    for direction in (1, -1):
        m = sb.Model("sweep")
        start = 0.0 if direction > 0 else TRAVEL
        motor = m.add("motor", sb.Speed(w=direction * w, phi0=start))
        parts.build(m, motor, start=start)
        results[direction] = sb.simulate(adjusted(m), t_end=TRAVEL / w, intervals=650)
    return results


def reversal(mechanism: Mechanism | None = None, *, theta: float = 30.0, w: float = 20.0) -> sb.Result:
    """The motor turned slowly up and back again through the play.

    >>> reversal().plot("motor.phi", "motor.tau")
    """
    m = sb.Model("reversal")
    motor = m.add("motor", sb.Speed(w=sb.Table([0, 0.4, 0.401, 0.8], [w, w, -w, -w]), phi0=theta))
    (mechanism or Mechanism()).build(m, motor, start=theta, play=PLAY)
    return sb.simulate(adjusted(m), t_end=0.8, intervals=1600)


def let_go(mechanism: Mechanism | None = None, *, theta: float = 52.0, v: float = 0.0, t_end: float = 0.5) -> sb.Result:
    """The actuator without torque, from rest or from a speed of the rack (m/s); the motor rubs as the mechanism says.

    >>> let_go(Mechanism(mu_c=0.05, motor=0))["rack.s"]
    """
    m = sb.Model("let-go")
    rotor = m.add("rotor", sb.Inertia(J=J, phi0=theta, w0=v / RATIO))
    (mechanism or Mechanism()).build(m, rotor, start=theta)
    return sb.simulate(adjusted(m), t_end=t_end)


def bench_test(
    target: float = 30.0,
    *,
    t_end: float = 12.0,
    start: float = 5.0,
    play: float = PLAY,
    controller: Controller | None = None,
    mechanism: Mechanism = BENCH,
) -> sb.Result:
    """The position test on the whole mechanism, which replaces the test bench: Figures 17 and 18.

    >>> bench_test(t_end=2.0).plot("rotor.phi", "motor.tau")
    """
    m = sb.Model("test-bench")
    rotor = m.add("rotor", sb.Inertia(J=J, phi0=start))
    m.add("motor", sb.Torque(rotor, tau=(controller or Controller()).torque([target], [0.1], start)))
    m.add("oil", sb.Bearing(rotor, law=oil()))
    mechanism.build(m, rotor, start=start, play=play)
    return sb.simulate(adjusted(m), t_end=t_end, intervals=int(t_end / SAMPLE))
