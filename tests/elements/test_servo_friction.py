"""Friction of servo actuators: the models of BAM against their formulas, written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import UnknownName

FILE = {
    "kt": 2.2, "R": 2.0, "armature": 0.02, "actuator": "mx106", "friction_viscous": 0.05,
    "friction_base": 0.6, "friction_stribeck": 0.12, "load_friction_motor": 0.2, "load_friction_external": 0.03,
    "load_friction_motor_stribeck": 0.18, "load_friction_external_stribeck": 0.09,
    "load_friction_motor_quad": 0.01, "load_friction_external_quad": 0.004, "dtheta_stribeck": 1.7, "alpha": 1.2,
}  # fmt: skip
"""With the names of a parameter file of BAM."""
SYMMETRIC = {"load_friction_base": 0.1, "load_friction_stribeck": 0.15}
MOTOR = ("kt", "R", "armature", "actuator")
KEYS = {
    "m1": ("friction_viscous", "friction_base"),
    "m2": ("friction_viscous", "friction_base", "friction_stribeck", "dtheta_stribeck", "alpha"),
    "m3": ("friction_viscous", "friction_base", "load_friction_base"),
    "m4": ("friction_viscous", "friction_base", "friction_stribeck", "dtheta_stribeck", "alpha", *SYMMETRIC),
    "m5": tuple(key for key in FILE if key not in MOTOR and "quad" not in key),
    "m6": tuple(key for key in FILE if key not in MOTOR),
}


def limit(p: dict[str, float], m: float, e: float, w: float) -> float:
    """tau_fm of arXiv:2410.08650, with Q as in the program: 0 where both torques have the same sign."""
    if "load_friction_base" in p:
        base, more = p["load_friction_base"] * abs(m - e), p.get("load_friction_stribeck", 0.0) * abs(m - e)
    else:
        base = abs(p.get("load_friction_motor", 0.0) * m - p.get("load_friction_external", 0.0) * e)
        words = ("load_friction_motor_stribeck", "load_friction_external_stribeck")
        more = abs(p.get(words[0], 0.0) * m - p.get(words[1], 0.0) * e)
    if m * e < 0 and "load_friction_motor_quad" in p:
        more += p["load_friction_external_quad"] * e**2 if abs(m) > abs(e) else p["load_friction_motor_quad"] * m**2
    fade = np.exp(-((abs(w) / p["dtheta_stribeck"]) ** p["alpha"])) if "friction_stribeck" in p else 0.0
    return p["friction_viscous"] * abs(w) + p["friction_base"] + base + fade * (p.get("friction_stribeck", 0.0) + more)


def servo(name: str, m: object, e: object, start: object) -> tuple[sb.Model, dict[str, float]]:
    p = {key: {**FILE, **SYMMETRIC}[key] for key in KEYS[name]}
    model = sb.Model(name)
    body = start if isinstance(start, sb.elements.Element) else sb.Inertia(J=0.1)
    shaft = model.add("shaft", body)
    motor: dict[str, Any] = {key: FILE[key] for key in MOTOR}
    model.add("friction", sb.ServoFriction.bam(shaft, model=name, **motor, **p, tau_m=m, tau_e=e))
    return model, p


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(("m", "e"), [(2.0, -1.0), (1.0, -2.0), (1.5, 0.7), (0.0, 1.2)])
def test_sliding(name: str, m: float, e: float) -> None:
    for w in (0.5, -3.0):
        model, p = servo(name, m, e, sb.Speed(w=w))
        result = sb.simulate(model, 0.1)
        parts = [
            result[f"friction.{part}"][-1]
            for part in ("tau", "tau_stribeck", "tau_viscous")
            if f"friction.{part}" in result.names
        ]
        assert sum(parts) == pytest.approx(np.sign(w) * limit(p, m, e, w), rel=1e-12)


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("e", [-0.5, 0.3])
def test_breaks_away_where_motor_and_load_reach_the_limit(name: str, e: float) -> None:
    """The motor torque rises slowly until tau_m + tau_e = tau_fm(tau_m, tau_e) at rest; found by bisection."""
    ramp = sb.Ramp(5.0, duration=5.0)
    model, p = servo(name, ramp, e, None)
    model.add("motor", sb.Torque("shaft", tau=ramp))
    model.add("load", sb.Torque("shaft", tau=e))
    assert abs(e) < limit(p, 0.0, e, 0.0)  # the load alone does not move it
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if middle + e > limit(p, middle, e, 0.0) else (middle, high)
    result = sb.simulate(model, 5.0, tolerance=1e-9)
    (first, *_) = [event for event in result.events if event.to == "Forward"]
    assert first.time == pytest.approx(low, abs=1e-8)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


@pytest.mark.parametrize("name", KEYS)
def test_a_pendulum_at_fixed_steps(name: str) -> None:
    """A motor swings an arm, which hangs, through its turning points: 1 ms to 1 % of the largest speed."""
    drive, weight = sb.Sine(2.4, f=0.4), -3.0 * sb.Function("sin", "shaft.phi")
    model, _ = servo(name, drive, weight, None)
    model.add("motor", sb.Torque("shaft", tau=drive))
    model.add("load", sb.Torque("shaft", tau=weight))
    fixed = model.realtime("1 ms").run(5.0)
    exact = sb.simulate(model, times=np.asarray(fixed.time), tolerance=1e-8)
    assert {event.to for event in exact.events} == {"Stuck", "Forward", "Backward"}
    assert fixed["shaft.w"] == pytest.approx(exact["shaft.w"], abs=1e-2 * np.abs(exact["shaft.w"]).max())
    for result in (fixed, exact):
        assert abs(result.energy.residual) < 1e-11 * result.energy.throughput


def test_files_of_bam() -> None:
    """What they say about the actuator is left out; a friction that the model does not have is not."""
    file: dict[str, Any] = {"model": "m6", "max_velocity": 5.1, "error_gain_ratio": 1.2, "current_limit": 1.4, **FILE}
    element = sb.ServoFriction.bam("shaft", **file)
    assert (element.K_c, element.K_eq, element.w_s) == (0.6, 0.004, 1.7)
    with pytest.raises(UnknownName, match="'friction_cubic'"):
        sb.ServoFriction.bam("shaft", **file, friction_cubic=1.0)
    with pytest.raises(UnknownName, match="'max_velocity'"):  # not from a file
        sb.ServoFriction.bam("shaft", model="m1", K_c=0.1, max_velocity=5.1)


def test_the_loss_of_a_motor_with_a_bristle() -> None:
    """google-deepmind/mujoco#3528: mu |T_in| z with a bristle z of Dahl; in steady sliding mu |T_in| sign(w)."""
    m = sb.Model("dcmotor")
    shaft = m.add("shaft", sb.Speed(w=sb.Sine(0.5, f=0.5)))
    m.add("friction", sb.ServoFriction(shaft, law=sb.Dahl(mu_c=1.0, sigma0=1e4), K_m=0.2, tau_m=-3.0))
    result = sb.simulate(m, times=np.array([0.0, 0.5, 1.5, 2.5]))
    assert np.asarray(result["friction.tau"])[1:] == pytest.approx([0.6, -0.6, 0.6], rel=1e-6)


def test_each_model_has_its_parameters() -> None:
    with pytest.raises(UnknownName, match="BAM has no model 'm7'"):
        sb.ServoFriction.bam("shaft", model="m7")
    with pytest.raises(UnknownName, match="model m1 of BAM has no parameter 'K_l'"):
        sb.ServoFriction.bam("shaft", model="m1", K_l=0.1)
