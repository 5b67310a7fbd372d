"""Speeds and positions that are set from outside: a bench or another simulation moves a flange, task by task."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SimulationError, SpecError

ROUNDING = 1e-12
METHODS = ("resolvent", "ode1", "ode4")


def walk(n: int, seed: int = 0) -> np.ndarray:
    return np.cumsum(np.random.default_rng(seed).normal(size=n))


def carried(motion: sb.Speed | sb.Position) -> sb.Model:
    """A body of 2 kg.m2 with a damper of 3 N.m.s/rad that is moved."""
    m = sb.Model("carried")
    mass = m.add("mass", sb.Inertia(J=2))
    m.add("dyno", motion)
    m.connect(mass, "dyno")
    m.add("brake", sb.Damper(mass, d=3))
    return m


def pulled(law: sb.Law, motion: sb.Speed | sb.Position) -> sb.Model:
    """A body of 0.5 kg.m2 behind a friction clutch whose other side is moved."""
    m = sb.Model("pulled", t_end=1, intervals=100)
    m.add("dyno", motion)
    mass = m.add("mass", sb.Inertia(J=0.5))
    m.add("clutch", sb.Clutch("dyno", mass, law=law, fn_max=20))
    m.add("drag", sb.Damper(mass, d=0.2))
    return m


@pytest.mark.parametrize("substeps", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_a_speed_holds_through_each_task(method: str, substeps: int) -> None:
    course = walk(20)
    s = carried(sb.Speed(w=sb.External("0 rad/s"))).realtime(0.1, method=method, substeps=substeps)
    result = s.run(inputs={"dyno.w": course})
    assert result["mass.w"][1:].tolist() == course.tolist()
    assert result["mass.phi"][1:] == pytest.approx(0.1 * np.cumsum(course), abs=ROUNDING)
    assert result.energy.stored["mass"] == pytest.approx(course[-1] ** 2, rel=ROUNDING)
    assert result.energy.dissipated["brake"] == pytest.approx(0.3 * np.sum(course**2), rel=ROUNDING)
    assert abs(result.energy.residual) + abs(result.energy.numerical) < ROUNDING * result.energy.throughput


@pytest.mark.parametrize("substeps", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_a_position_is_reached_at_the_end_of_each_task_with_a_constant_speed(method: str, substeps: int) -> None:
    course = walk(20, seed=1)
    speed = np.diff(course, prepend=0) / 0.1
    s = carried(sb.Position(phi=sb.External(0))).realtime(0.1, method=method, substeps=substeps)
    result = s.run(inputs={"dyno.phi": course})
    assert result["mass.phi"][1:] == pytest.approx(course, abs=ROUNDING)
    assert result["mass.w"][1:] == pytest.approx(speed, abs=1e-10)
    assert result.energy.dissipated["brake"] == pytest.approx(0.3 * np.sum(speed**2), rel=ROUNDING)
    assert abs(result.energy.residual) + abs(result.energy.numerical) < ROUNDING * result.energy.throughput


@pytest.mark.parametrize("quantity", ["w", "phi"])
def test_the_torque_of_a_task_accelerates_the_body_within_it(quantity: str) -> None:
    """Mean of the task: J dw/h and what the damper takes."""
    course = walk(20, seed=2)
    speed = course if quantity == "w" else np.diff(course, prepend=0) / 0.1
    motion = sb.Speed(w=sb.External(0)) if quantity == "w" else sb.Position(phi=sb.External(0))
    result = carried(motion).realtime(0.1).run(inputs={f"dyno.{quantity}": course})
    assert result["mass.a"][1:] == pytest.approx(np.diff(speed, prepend=0) / 0.1, abs=1e-9)
    assert result["dyno.tau"][1:] == pytest.approx(20 * np.diff(speed, prepend=0) + 3 * speed, abs=1e-9)


@pytest.mark.parametrize("quantity", ["w", "phi"])
def test_a_position_at_rest_stays_and_inputs_are_read_back(quantity: str) -> None:
    motion = sb.Speed(w=sb.External(0.5)) if quantity == "w" else sb.Position(phi=sb.External(0.5))
    s = carried(motion).realtime(0.1)
    s.step(3)
    s.inputs[f"dyno.{quantity}"] = "2 rad/s" if quantity == "w" else "2 rad"
    assert s.inputs[f"dyno.{quantity}"] == 2.0
    s.step()
    kept = s.snapshot()
    s.step(3)
    after = s["mass.phi"], s["mass.w"], s["dyno.tau"]
    assert after[1:] == ((2.0, 6.0) if quantity == "w" else (0.0, 0.0))
    s.restore(kept)
    s.step(3)
    assert (s["mass.phi"], s["mass.w"], s["dyno.tau"]) == after
    s.reset()
    assert s.inputs[f"dyno.{quantity}"] == 0.5


@pytest.mark.parametrize("law", [sb.Coulomb(mu_c=0.1), sb.Karnopp(mu_c=0.1, mu_s=0.15), sb.LuGre(mu_c=0.1, mu_s=0.15)])
@pytest.mark.parametrize("quantity", ["w", "phi"])
def test_what_hangs_on_it_follows_as_on_a_course_of_time(law: sb.Law, quantity: str) -> None:
    """A speed as its mean over each task, a position as that of its end: as a run on the course itself."""
    h, t = 1e-3, 1e-3 * np.arange(1000)
    w = 2 * np.pi * 0.5
    if quantity == "w":
        course = sb.Speed(w=sb.Sine(amplitude=8, f=0.5))
        outside, values = sb.Speed(w=sb.External(0)), 8 * (np.cos(w * t) - np.cos(w * (t + h))) / (w * h)
    else:
        course = sb.Position(phi=sb.Sine(amplitude=3, f=0.5))
        outside, values = sb.Position(phi=sb.External(0)), 3 * np.sin(w * (t + h))
    reference = sb.simulate(pulled(law, course), tolerance=1e-8)
    result = pulled(law, outside).realtime(h).run(inputs={f"dyno.{quantity}": values}, every=10)
    size = np.abs(reference["mass.w"]).max()
    assert result["mass.w"] == pytest.approx(reference["mass.w"], abs=0.01 * size)
    assert abs(result.energy.residual) < 1e-11 * result.energy.throughput


def test_a_speed_may_be_made_of_inputs_and_functions_of_time() -> None:
    m = carried(sb.Speed(w=2 * sb.External(0) + sb.Ramp(height=1, duration=1)))
    s = m.realtime(0.1)
    name = next(iter(s.inputs))
    s.inputs[name] = 3
    s.step(5)
    assert s["mass.w"] == pytest.approx(6.5, abs=ROUNDING)
    assert s["mass.phi"] == pytest.approx(3 + 0.125, abs=ROUNDING)


def test_who_else_reads_the_position_sees_it_move() -> None:
    m = sb.Model("read twice")
    way = m.signal("way", sb.External(0))
    m.add("table", sb.Position(s=way))
    m.add("spring", sb.Spring("table", m.add("mass", sb.Mass(m=1)), c=10))
    shown = m.add("other", sb.Mass(m=1))
    m.add("force", sb.Force(shown, f=way))
    s = m.realtime(0.5)
    s.inputs["way"] = 1
    s.step()
    assert s["other.v"] == pytest.approx(0.25, abs=ROUNDING)  # of a force that rises from 0 to 1 in 0.5 s
    assert s["table.s"] == 1.0


def test_a_task_that_fails_sets_off_from_where_it_was() -> None:
    m = carried(sb.Position(phi=sb.External(0)))
    body = m.add("body", sb.Inertia(J=1))
    m.add("push", sb.Torque(body, tau=sb.External(0)))
    s = m.realtime(0.1)
    s.inputs["dyno.phi"] = 1
    s.step()
    s.inputs.update({"dyno.phi": 5, "push.tau": 1e300})
    with pytest.raises(SimulationError):
        s.step()
    s.inputs.update({"dyno.phi": 2, "push.tau": 0})
    s.step()
    assert s["mass.w"] == pytest.approx(10, abs=1e-10)
    assert s["mass.phi"] == 2.0


def test_a_run_of_simulate_keeps_the_values() -> None:
    result = sb.simulate(carried(sb.Speed(w=sb.External("2 rad/s"))), 1)
    assert result["mass.phi"][-1] == pytest.approx(2, abs=ROUNDING)
    result = sb.simulate(carried(sb.Position(phi=sb.External("2 rad"))), 1)
    assert result["mass.phi"].tolist() == [2.0] * result.time.size


def test_explicit_methods_cannot_jump_through_rigid_couplings() -> None:
    """Carrier and ring of a planetary set jump with the sun: 3 w_c = w_s + 2 w_r by an impulse p, J_c w_c = 3 p and
    J_r w_r = -2 p."""
    m = sb.Model("jump")
    m.add("sun", sb.Speed(w=sb.External(0)))
    m.add("carrier", sb.Inertia(J=1))
    m.add("ring", sb.Inertia(J=2))
    m.add("set", sb.Planetary("sun", "carrier", "ring", ratio=2))
    s = m.realtime(1e-3)
    s.inputs["sun.w"] = 3
    s.step()
    assert (s["carrier.w"], s["ring.w"]) == pytest.approx((9 / 11, -3 / 11), abs=ROUNDING)
    assert s["sun.tau"] == pytest.approx(3 / 11 / 1e-3, rel=ROUNDING)
    assert abs(s.energy.residual) < ROUNDING
    with pytest.raises(SpecError, match="resolvent"):
        m.realtime(1e-3, method="ode4")


def test_a_position_takes_the_input_itself() -> None:
    with pytest.raises(SpecError, match="the External itself"):
        sb.simulate(carried(sb.Position(phi=2 * sb.External(0))), 1)
