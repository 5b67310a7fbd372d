"""Examples of the Modelica Standard Library, built with our elements under the names that they have there.

The numbers are those of the library (Modelica.Mechanics, version 4.1.0). Results that its makers publish are compared
with by tests/run/test_msl.py, effort by benchmarks/msl.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import pi
from pathlib import Path

import numpy as np

import stribeck as sb

EXAMPLES: dict[str, Callable[[], sb.Model]] = {}
"""Every example by its name there."""
NAMES = {"eddyCurrentTorque.lossPower": "brake.heat"}
"""Results that are called otherwise here."""


def example(name: str, t_end: float) -> Callable[[Callable[[sb.Model], None]], Callable[[], sb.Model]]:
    """Registers a function that fills a model as an example of that name."""

    def register(build: Callable[[sb.Model], None]) -> Callable[[], sb.Model]:
        def model() -> sb.Model:
            m = sb.Model(name, t_end=t_end)
            build(m)
            return m

        EXAMPLES[name] = model
        return model

    return register


EXAMPLES["Rotational.Examples.CoupledClutches"] = lambda: sb.load_model("coupled-clutches")
EXAMPLES["Rotational.Examples.SimpleGearShift"] = lambda: sb.load_model("gear-shift")


@example("Rotational.Examples.First", 1.0)
def first(m: sb.Model) -> None:
    """A motor through a gear onto a damped inertia, and through a spring onto another one."""
    for name, J in (("inertia1", 0.1), ("inertia2", 2.0), ("inertia3", 2.0)):
        m.add(name, sb.Inertia(J=J))
    m.add("torque", sb.Torque("inertia1", tau=sb.Sine(amplitude=10, f=5)))
    m.add("idealGear", sb.Gear("inertia1", "inertia2", ratio=10))
    m.add("spring", sb.Spring("inertia2", "inertia3", c=1e4))
    m.add("damper", sb.Damper("inertia2", d=10))


@example("Rotational.Examples.ElasticBearing", 10.0)
def elastic_bearing(m: sb.Model) -> None:
    """A gear whose housing is held by a spring."""
    for name, J in (("shaft", 1.0), ("housing", 5.0), ("load", 50.0)):
        m.add(name, sb.Inertia(J=J))
    m.add("torque", sb.Torque("shaft", tau=sb.Ramp(height=100, duration=5)))
    m.add("springDamper", sb.SpringDamper(m.add("fixed", sb.Fixed()), "housing", c=1e5, d=5))
    m.add("idealGear", sb.Gear("shaft", "spring.a", "housing", ratio=3))
    m.add("spring", sb.Spring(None, "load", c=1e3))


@example("Rotational.Examples.Backlash", 1.0)
def backlash(m: sb.Model) -> None:
    """Three inertias that swing: on a spring, and on springs with play of both kinds."""
    for name, kind, play in (
        ("springDamper", sb.SpringDamper, {}),
        ("elastoBacklash", sb.ElastoBacklash, {"play": pi / 4}),
        ("elastoBacklash2", sb.ElastoBacklash2, {"play": pi / 4}),
    ):
        wall = m.add(f"{name}_wall", sb.Fixed())
        body = m.add(f"{name}_body", sb.Inertia(J=5, phi0=pi / 2))
        m.add(name, kind(wall, body, c=20e3, d=50, **play))


@example("Rotational.Examples.EddyCurrentBrake", 1.0)
def eddy_current_brake(m: sb.Model) -> None:
    """A brake that weakens as it gets warm."""
    shaft = m.add("inertia", sb.Inertia(J=1, w0=20))
    u = sb.Ramp(height=1, duration=0.1, start=0.1)
    rotor = m.add("heatCapacitor", sb.ThermalMass(C=1))
    m.add("brake", sb.EddyCurrentBrake(shaft, tau_nominal=100, w_nominal=10, u=u, alpha=3.92e-3, heat=rotor))


@example("Translational.Examples.ElastoGap", 5.0)
def elasto_gap(m: sb.Model) -> None:
    """A mass between springs, and one between bumpers."""
    for name, kind, s_rel0 in (("springDamper", sb.SpringDamper, 1), ("elastoGap", sb.ElastoGap, 1.5)):
        mass = m.add(f"{name}_mass", sb.Mass(m=1, s0=2))
        left, right = (m.add(f"{name}_{side}", sb.Position(s=s)) for side, s in (("left", -2), ("right", 2)))
        m.add(f"{name}1", kind(left, mass, c=10, d=1.5, s_rel0=s_rel0))
        m.add(f"{name}2", kind(mass, right, c=10, d=1.5, s_rel0=s_rel0))


@example("Translational.Examples.Brake", 2.0)
def translational_brake(m: sb.Model) -> None:
    """Two masses that are braked to rest."""
    for mass, brake in (("mass1", "brake"), ("mass2", "brake1")):
        m.add(mass, sb.Mass(m=1, v0=1))
        law = sb.FrictionTable(speed=[0], mu=[0.5], peak=1)
        m.add(brake, sb.Brake(mass, law=law, fn_max=1, f_normalized=sb.Step(2, start=0.1)))


@example("Rotational.Examples.OneWayClutch", 2.0)
def one_way_clutch(m: sb.Model) -> None:
    """A shaft that swings, and one that it drives in one direction, or in both while the clutch is closed."""
    m.add("inertiaIn", sb.Inertia(J=1, w0=-0.5))
    m.add("inertiaOut", sb.Inertia(J=1))
    m.add("torque", sb.Torque("inertiaIn", tau=sb.Sine(amplitude=10, f=3)))
    u = sb.Pulse(height=1, period=1.3, width=0.65, start=0.3)
    law = sb.FrictionTable(speed=[0], mu=[0.5], peak=25)
    m.add("oneWayClutch", sb.OneWayClutch("inertiaIn", "inertiaOut", law=law, fn_max=3, f_normalized=u))


def lossy_gear(m: sb.Model) -> None:
    """Two inertias with torques on both sides of a gear that loses half of the power."""
    m.add("Inertia1", sb.Inertia(J=1))
    m.add("Inertia2", sb.Inertia(J=1.5))
    m.add("gear", sb.LossyGear("Inertia1", "Inertia2", ratio=2, loss_table=[[0, 0.5, 0.5, 0, 0]]))
    m.add("torque1", sb.Torque("Inertia1", tau=sb.Sine(amplitude=10, f=1)))
    m.add("torque2", sb.Torque("Inertia2", tau=sb.Ramp(height=5, duration=2, offset=-10)))


@example("Rotational.Examples.LossyGearDemo1", 0.5)
def lossy_gear_demo1(m: sb.Model) -> None:
    """The gear alone."""
    lossy_gear(m)


@example("Rotational.Examples.LossyGearDemo2", 0.5)
def lossy_gear_demo2(m: sb.Model) -> None:
    """With a bearing that rubs on the first inertia; while both hold, it is not unique what each of them holds."""
    lossy_gear(m)
    m.add("bearingFriction", sb.Bearing("Inertia1", law=sb.FrictionTable(speed=[0, 1], mu=[0.5, 1.0], peak=1)))


def published(folder: Path) -> dict[str, np.ndarray]:
    """The published result of an example by the names of Modelica, without the rows at events, of which there are two
    or more at one instant."""
    (file,) = folder.glob("*.csv")
    names = [name.strip('"') for name in file.read_text(encoding="utf-8").partition("\n")[0].split(",")]
    table = np.loadtxt(file, delimiter=",", skiprows=1)
    apart = np.diff(table[:, 0]) > 1e-9
    single = np.concatenate([[True], apart]) & np.concatenate([apart, [True]])
    return {
        name.lower() if name == "Time" else name: column for name, column in zip(names, table[single].T, strict=True)
    }


def common(expected: dict[str, np.ndarray], result_names: Iterable[str]) -> dict[str, str]:
    """Published names that we have a result for, with our names."""
    ours = {name: NAMES.get(name, name) for name in expected if name != "time"}
    known = set(result_names)
    return {name: own for name, own in ours.items() if own in known}


COUNTERS = ("accepted steps", "f-evaluations", "crossing function", "Jacobian-evaluations", "state events")
FINE = 1e-12
"""Tolerance of a run that stands for the solution."""
LADDER = 10.0 ** -np.arange(3.0, 10.0, 0.5)
"""Tolerances that are tried, from the loosest on."""


@dataclass(frozen=True)
class Effort:
    """What a run has taken: its largest error as a share of the range of a signal, steps and evaluations."""

    error: float
    steps: int
    rhs: int
    events: int
    jacobians: int
    state_events: int
    tolerance: float = 1e-6

    @property
    def evaluations(self) -> int:
        """Of all kinds, but those for the points of the result."""
        return self.rhs + self.events + self.jacobians


def efforts(name: str, folder: Path) -> tuple[Effort, Effort]:
    """The effort of Dymola, and ours at the loosest tolerance with which no signal has a larger error than there;
    errors are those against a very fine run of ours."""
    expected = published(folder)
    program = sb.compile_model(EXAMPLES[name]())
    fine = sb.simulate(program, times=expected["time"], tolerance=FINE)
    shown = {s: own for s, own in common(expected, fine.names).items() if not s.endswith(".mode")}
    solution = {own: np.asarray(fine[own]) for own in shown.values()}

    def errors(of: dict[str, np.ndarray]) -> np.ndarray:
        return np.array([np.abs(of[own] - y).max() / np.ptp(y) for own, y in solution.items()])

    limit = errors({own: expected[s] for s, own in shown.items()})
    text = (folder / "SOURCE.txt").read_text(encoding="utf-8")
    found = [re.search(rf"{word}[^:\n]*: *(\d+)", text) for word in COUNTERS]
    theirs = Effort(float(limit.max()), *(int(match[1]) if match else 0 for match in found))
    for tolerance in LADDER:
        result = sb.simulate(program, times=expected["time"], tolerance=tolerance, energy=False, extremes=False)
        error = errors({own: np.asarray(result[own]) for own in solution})
        if np.all(error <= limit):
            s = result.statistics
            counts = (s.steps, s.rhs_evaluations, s.event_evaluations, s.jacobian_evaluations, s.state_events)
            return theirs, Effort(float(error.max()), *counts, tolerance)
    raise AssertionError(f"{name}: no tolerance is as exact as {limit}")
