"""Examples of the Modelica Standard Library whose solution is known in closed form, or written down here for SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.msl import EXAMPLES

import stribeck as sb

TIGHT = 1e-10


def test_first_grounded() -> None:
    """Rotational.Examples.FirstGrounded: a gear with its support on a wall is one without support."""
    plain = EXAMPLES["Rotational.Examples.First"]()
    data = plain.to_dict()
    data["elements"] |= {"fixed": {"type": "Fixed"}}
    data["elements"]["idealGear"] |= {"support": "fixed"}
    results = [sb.simulate(m, t_end=0.3, tolerance=TIGHT) for m in (plain, sb.Model.from_dict(data))]
    one, other = (np.asarray(result["inertia3.w"]) for result in results)
    assert one == pytest.approx(other, abs=1e-12 * np.abs(one).max())


def test_rolling_wheel() -> None:
    """Rotational.Examples.RollingWheel: (J/r^2 + m) v' = T/r - f (v/v_n)^2 from 0.1 s on."""
    m = sb.Model("RollingWheel", t_end=5.0)
    m.add("inertia", sb.Inertia(J=1))
    m.add("torqueStep", sb.Torque("inertia", tau=sb.Step(10, start=0.1)))
    m.add("idealRollingWheel", sb.Wheel("inertia", "mass", radius=1))
    m.add("mass", sb.Mass(m=1))
    m.add("quadratic", sb.SpeedTorque("mass", f_nominal=-10, v_nominal=5, form="quadratic"))
    result = sb.simulate(m, tolerance=TIGHT)
    t = np.maximum(np.asarray(result.time) - 0.1, 0)
    k = 10 / 5**2
    assert np.asarray(result["mass.v"]) == pytest.approx(np.sqrt(10 / k) * np.tanh(np.sqrt(10 * k) / 2 * t), abs=1e-8)
    assert np.asarray(result["inertia.w"]) == pytest.approx(np.asarray(result["mass.v"]), rel=1e-12)


def test_accelerate() -> None:
    """Translational.Examples.Accelerate: an acceleration of 1 m/s2 is prescribed as a speed, or as a position."""
    m = sb.Model("Accelerate", t_end=1.0)
    m.add("accelerate", sb.Speed(v=sb.Time()))
    m.add("mass", sb.Mass(m=1))
    m.connect("accelerate", "mass")
    m.add("other", sb.Position(s=0.5 * sb.Time() ** 2))
    m.add("mass2", sb.Mass(m=1))
    m.connect("other", "mass2")
    result = sb.simulate(m, tolerance=TIGHT)
    t = np.asarray(result.time)
    for source, mass in (("accelerate", "mass"), ("other", "mass2")):
        assert np.asarray(result[f"{mass}.s"]) == pytest.approx(0.5 * t**2, abs=1e-9)
        assert np.asarray(result[f"{mass}.a"]) == pytest.approx(np.ones_like(t), abs=1e-9)
        assert np.asarray(result[f"{source}.f"]) == pytest.approx(np.ones_like(t), abs=1e-9)


def test_damper() -> None:
    """Translational.Examples.Damper: masses with 10 m/s on a damper, beside a spring, and both in one."""
    m = sb.Model("Damper", t_end=1.0)
    for k in (1, 2, 3):
        m.add(f"mass{k}", sb.Mass(m=1, s0=3, v0=10))
    wall = m.add("fixed", sb.Position(s=4.5))
    m.add("damper1", sb.Damper("mass1", wall, d=25))
    m.add("damper2", sb.Damper("mass2", wall, d=25))
    m.add("spring2", sb.Spring("mass2", wall, c=1, s_rel0=1))
    m.add("springDamper3", sb.SpringDamper("mass3", wall, c=1, d=25, s_rel0=1))
    result = sb.simulate(m, tolerance=TIGHT)
    t = np.asarray(result.time)
    assert np.asarray(result["mass1.v"]) == pytest.approx(10 * np.exp(-25 * t), abs=1e-8)
    assert np.asarray(result["mass1.s"]) == pytest.approx(3 + 0.4 * (1 - np.exp(-25 * t)), abs=1e-8)
    fast, slow = (-25 - np.sqrt(25**2 - 4)) / 2, (-25 + np.sqrt(25**2 - 4)) / 2
    start = 3 - 3.5  # the spring rests at 3.5
    a = (10 - fast * start) / (slow - fast)
    s = 3.5 + a * np.exp(slow * t) + (start - a) * np.exp(fast * t)
    for mass in ("mass2", "mass3"):
        assert np.asarray(result[f"{mass}.s"]) == pytest.approx(s, abs=1e-8)


def test_oscillator() -> None:
    """Translational.Examples.Oscillator: driven at its frequency of 100 rad/s, without and with damping."""
    m = sb.Model("Oscillator", t_end=1.0)
    for k in (1, 2):
        m.add(f"mass{k}", sb.Mass(m=1))
        m.add(f"force{k}", sb.Force(f"mass{k}", f=sb.Sine(amplitude=1, f=100 / (2 * np.pi))))
    m.add("spring1", sb.Spring("mass1", c=1e4))
    m.add("springDamper2", sb.SpringDamper("mass2", c=1e4, d=10))
    result = sb.simulate(m, tolerance=TIGHT, intervals=1000)
    w, t = 100.0, np.asarray(result.time)
    grown = (np.sin(w * t) - w * t * np.cos(w * t)) / (2 * w**2)
    assert np.asarray(result["mass1.s"]) == pytest.approx(grown, abs=1e-6 * np.abs(grown).max())
    free = np.sqrt(w**2 - 25)
    steady = -np.cos(w * t) / (10 * w)
    decaying = np.exp(-5 * t) * (np.cos(free * t) + 5 / free * np.sin(free * t)) / (10 * w)
    assert np.asarray(result["mass2.s"]) == pytest.approx(steady + decaying, abs=1e-6 / (10 * w))


WASHERS = (("left", 0.02, -0.01), ("right", 0.02, 0.01), ("spool", 0.15, 0.0))


def test_pre_load() -> None:
    """Translational.Examples.PreLoad in its structure: a spool between two washers that a spring presses apart against
    stops, so that it moves only when the force is larger than the preload."""
    c_stop, d_stop, c, preload = 1e6, 250.0, 2e4, 200.0
    m = sb.Model("PreLoad", t_end=0.05)
    low, high = m.add("low", sb.Position(s=-0.01)), m.add("high", sb.Position(s=0.01))
    left, right, spool = (m.add(name, sb.Mass(m=mass, s0=s)) for name, mass, s in WASHERS)
    gap = {"c": c_stop, "d": d_stop}
    m.add("spring", sb.Spring(left, right, c=c, s_rel0=0.02 + preload / c))
    m.add("stop_left", sb.ElastoGap(low, left, s_rel0=0.0, **gap))
    m.add("stop_right", sb.ElastoGap(right, high, s_rel0=0.0, **gap))
    m.add("inner_left", sb.ElastoGap(left, spool, s_rel0=0.01, **gap))
    m.add("inner_right", sb.ElastoGap(spool, right, s_rel0=0.01, **gap))
    m.add("push", sb.Force(spool, f=sb.Sine(amplitude=300.0, f=50)))
    result = sb.simulate(m, tolerance=TIGHT)

    def gap_force(s_rel: float, v_rel: float, s_rel0: float) -> float:
        depth = s_rel0 - s_rel
        return -c_stop * depth + float(np.clip(d_stop * v_rel, -c_stop * depth, c_stop * depth)) if depth > 0 else 0.0

    def rates(t: float, x: np.ndarray) -> list[float]:
        (sl, vl), (sr, vr), (sp, vp) = x[:2], x[2:4], x[4:]
        spring = c * (sr - sl - 0.02 - preload / c)
        outer_l, outer_r = gap_force(sl + 0.01, vl, 0.0), gap_force(0.01 - sr, -vr, 0.0)
        inner_l, inner_r = gap_force(sp - sl, vp - vl, 0.01), gap_force(sr - sp, vr - vp, 0.01)
        push = 300.0 * np.sin(2 * np.pi * 50 * t)
        left_force, right_force = spring - outer_l + inner_l, -spring + outer_r - inner_r
        return [vl, left_force / 0.02, vr, right_force / 0.02, vp, (push - inner_l + inner_r) / 0.15]

    times = np.asarray(result.time)
    start = np.array([-0.01, 0.0, 0.01, 0.0, 0.0, 0.0])
    solution = solve_ivp(rates, (0, 0.05), start, "DOP853", t_eval=times, rtol=1e-10, atol=1e-13, max_step=1e-4)
    for name, row in (("left", 0), ("right", 2), ("spool", 4)):
        wanted = solution.y[row]
        # SciPy steps over the corners of the gaps, with steps of at most 0.1 ms
        assert np.asarray(result[f"{name}.s"]) == pytest.approx(wanted, abs=1e-4 * np.ptp(wanted)), name


def test_vehicle() -> None:
    """Translational.Examples.Vehicle in its structure: a torque that rises and falls on a wheel, a hill and wind."""
    torque = sb.Table(time=[0, 1, 3, 4], value=[0, 50, 50, 0])
    hill, wind = sb.Sine(amplitude=0.05, f=0.1), sb.Sine(amplitude=3.0, f=0.05)
    m = sb.Model("Vehicle", t_end=10.0)
    m.add("axle", sb.Inertia(J=0.5))
    m.add("torque", sb.Torque("axle", tau=torque))
    m.add("wheel", sb.Wheel("axle", "car", radius=0.25))
    m.add("car", sb.Vehicle(m=100, c_w=0.5, A=1, rho=1.18, c_r=0.01, slope=hill, v_wind=wind, v0=1.0))
    result = sb.simulate(m, tolerance=TIGHT)
    assert not len(result.events)  # it rolls forwards all the time

    def rates(t: float, x: np.ndarray) -> list[float]:
        slope, air = 0.05 * np.sin(2 * np.pi * 0.1 * t), x[1] - 3.0 * np.sin(2 * np.pi * 0.05 * t)
        push = np.interp(t, [0, 1, 3, 4], [0, 50, 50, 0]) / 0.25
        roll = 0.01 * 100 * 9.80665 * np.cos(slope)
        force = push - 0.5 * 1.18 * 0.5 * air * abs(air) - roll - 100 * 9.80665 * np.sin(slope)
        return [x[1], force / (100 + 0.5 / 0.25**2)]

    solution = solve_ivp(
        rates, (0, 10), [0.0, 1.0], "DOP853", t_eval=result.time, rtol=1e-11, atol=1e-11, max_step=0.01
    )
    assert np.asarray(result["car.s"]) == pytest.approx(solution.y[0], abs=1e-6)
    assert np.asarray(result["car.v"]) == pytest.approx(solution.y[1], abs=1e-6)
