"""The machines and parameters with which every law is compared with the product.

The stick-slip rig of aberger2002 and guo2017 (1 kg behind a spring of 2 N/m that is pulled with 0.1 m/s), a mass under
a sinusoidal force below break-away and under one above it, and a contact whose speed is a sine through zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import pi, sin
from typing import Any

import numpy as np
from support.reference import laws, remembering
from support.reference.automaton import Body, Contact, Driven, Motion, solve

import stribeck as sb

F_LOOP, F_SINE, PHASE, SWING = 0.5, 0.5, 0.3, 2.5


@dataclass(frozen=True)
class Case:
    """A law with parameters."""

    contact: Contact
    loop: float = 1.2
    """Amplitude of the force in the loop: below break-away."""
    speed: float = 0.02
    """Amplitude of the speed sine."""
    v0: float = 0.0
    """Speed at the start of the loop: a law that sticks shows nothing there but its capture."""
    tolerance: float = 1e-10
    """Of the run of the product."""
    note: str = ""

    @property
    def law(self) -> str:
        """Name of the law in the product."""
        return type(self.contact).__name__

    def given(self) -> dict[str, Any]:
        """The parameters of the law."""
        values = {field.name: getattr(self.contact, field.name) for field in fields(self.contact)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __str__(self) -> str:
        return f"{self.law} {self.note}".strip()


BRISTLE = {"sigma0": 1e4, "sigma1": 100.0, "sigma2": 0.4}

ROOT = (
    "exponent 1/2"  # from rest v' grows with the root of v, and so errors of v count by their root: a tight tolerance
)

CASES = [
    Case(laws.CoulombViscous(mu_c=1.0, v_0=0.05, mu_v=0.2), speed=0.2),
    Case(laws.Tanh(mu_c=1.0, v_0=0.1, mu_v=0.2), speed=0.2),
    Case(laws.Coulomb(mu_c=1.0), loop=0.8, v0=0.3),
    Case(laws.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.4), v0=0.3),
    Case(laws.Stribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, exponent=2.0, mu_v=0.4), v0=0.3),
    Case(laws.Stribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, exponent=1.0, mu_v=0.4), v0=0.3, note="exponent 1"),
    Case(laws.Stribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, exponent=0.5, mu_v=0.4), v0=0.3, tolerance=1e-13, note=ROOT),
    Case(laws.Stribeck(mu_c=1.5, mu_s=1.0, v_s=0.1, exponent=2.0), loop=0.8, v0=0.3, note="rising"),
    Case(laws.StribeckThreshold(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, v_v=0.2), v0=0.3, speed=0.4),
    Case(laws.StribeckThreshold(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=2.0, v_v=0.2), v0=0.3, speed=0.4, note="held there"),
    Case(laws.FrictionTable(speed=(0.0, 0.05, 0.1, 1.0), mu=(1.4, 1.1, 1.0, 1.3), peak=1.1), v0=0.3, speed=0.3),
    Case(laws.Karnopp(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, dv=2e-3), v0=0.3),
    Case(laws.Hybrid(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, Sigma=2e-3, Sigma_2=4e-5, p0=1e3), v0=0.3),
    Case(laws.Dahl(sigma0=1e4, mu_c=1.0), loop=0.8),
    Case(laws.LuGre(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3)),
    Case(laws.LuGre(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3, exponent=1.0), note="exponent 1"),
    Case(laws.DampedLuGre(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3, v_d=5e-3)),
    Case(laws.ImprovedDahl(**BRISTLE, mu_c=1.0, mu_s=1.5, dv=1e-2)),
    Case(laws.SimplifiedLuGre(**BRISTLE, mu_c=1.0, mu_s=1.5, dv=1e-2)),
    Case(laws.ElastoPlastic(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3, z_ba=0.7e-4)),
    Case(laws.ModifiedElastoPlastic(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3, kappa=0.7)),
    Case(laws.ElastoPlasticTable(**BRISTLE, z_ba=0.7e-4, speed=(0.0, 2e-3, 1e-2, 1.0), mu=(1.5, 1.1, 1.0, 1.2))),
    Case(laws.MaxwellSlip(**BRISTLE, mu_c=1.0), loop=0.8),
    Case(laws.GMS(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3)),
    Case(remembering.BlimanSorine(mu_c=1.0, f2=1.5, eta=0.4, epsilon=1e-3, mu_v=0.4)),
    Case(remembering.BoucWen(sigma0=1e4, mu_c=1.0, sharpness=2.0, beta_share=0.5, mu_v=0.4), loop=0.8),
    Case(remembering.BoucWen(sigma0=1e4, mu_c=1.0, sharpness=3.5, beta_share=0.8), loop=0.8, note="sharper"),
    Case(remembering.ResetIntegrator(**BRISTLE, mu_c=1.0, mu_s=1.5)),
    Case(remembering.RisingStribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, fresh=0.2, t_rise=2.0), loop=1.0, v0=0.3),
    Case(remembering.KatoStribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, fresh=0.0, t_rise=2.0), loop=0.9, v0=0.3),
    Case(remembering.LaggedStribeck(mu_c=1.0, mu_s=1.5, v_s=1e-2, mu_v=0.4, tau_L=0.05), v0=0.3),
    Case(remembering.SevenParameter(sigma1=100.0, v_s=1e-2, mu_v=0.4, tau_L=0.02, t_rise=1.5), loop=0.9),
    Case(laws.Leuven(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3)),
    Case(laws.Leuven(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3, transition=2.0), note="transition 2"),
    Case(laws.Leuven2000(**BRISTLE, mu_c=1.0, mu_s=1.5, v_s=1e-3), loop=1.3),
    Case(laws.Bristle(mu_c=1.0, mu_v=0.4)),
    Case(laws.HybridPresliding(k1=1.5e4, k2=2 * 1.5e4**0.5, z_max=1e-4, Sigma=2e-3, v_s=1e-2, mu_v=0.4)),
    Case(laws.Karnopp(mu_c=1.0, mu_s=1.5, v_s=1e-3, mu_v=0.4, dv=1e-4), v0=0.3, note="narrow"),
    # a step may pass over 4e-6 m/s: errors are 4e-6 or 3e-8, whatever the tolerance, and always 3e-8 from 9e-11 on
    Case(
        laws.Hybrid(mu_c=1.0, mu_s=1.5, v_s=1e-3, mu_v=0.4, Sigma=2e-4, Sigma_2=4e-6, p0=1e3),
        v0=0.3,
        tolerance=3e-11,
        note="narrow",
    ),
    Case(laws.HybridPresliding(k1=150.0, k2=2 * 150.0**0.5, z_max=1e-2, v_s=1e-3, mu_v=0.4), note="narrow"),
]
"""Every law of the product at least once."""


@dataclass(frozen=True)
class Bench:
    """A machine, as a model of the product and as equations."""

    model: Callable[[Any, Case], sb.Model]
    equations: Callable[[Case], Body | Driven]
    times: np.ndarray

    def reference(self, case: Case, **options: Any) -> Motion:
        return solve(case.contact, self.equations(case), self.times, **options)


def rig(law: Any, case: Case) -> sb.Model:
    m = sb.Model("stick-slip rig")
    pull, mass = m.add("pull", sb.Speed(v=0.1)), m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(pull, mass, c=2.0))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def loop(law: Any, case: Case) -> sb.Model:
    m = sb.Model("presliding loop")
    mass = m.add("mass", sb.Mass(m=1.0, v0=case.v0))
    m.add("push", sb.Force(mass, f=sb.Sine(amplitude=case.loop, f=F_LOOP)))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def swing(law: Any, case: Case) -> sb.Model:
    m = sb.Model("swing")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("push", sb.Force(mass, f=sb.Sine(amplitude=SWING, f=F_LOOP)))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def sine(law: Any, case: Case) -> sb.Model:
    m = sb.Model("speed sine")
    mass = m.add("mass", sb.Speed(v=sb.Sine(amplitude=case.speed, f=F_SINE, phase=PHASE)))
    m.add("friction", sb.Guide(mass, law=law))
    return m


BENCHES = {
    "rig": Bench(rig, lambda case: Body(lambda t, x, v, w: 2.0 * (0.1 * t - x)), np.linspace(0, 15, 751)),
    "loop": Bench(
        loop,
        lambda case: Body(lambda t, x, v, w: case.loop * sin(2 * pi * F_LOOP * t), v0=case.v0),
        np.linspace(0, 4, 401),
    ),
    "swing": Bench(
        swing,
        lambda case: Body(lambda t, x, v, w: SWING * sin(2 * pi * F_LOOP * t)),
        np.linspace(0, 4, 401),
    ),
    "sine": Bench(
        sine,
        lambda case: Driven(lambda t: case.speed * sin(2 * pi * F_SINE * t + PHASE)),
        np.linspace(0, 4, 801),
    ),
}
