"""Rigid couplings: motion and torques against closed forms and against dense constraint solutions."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.compile import compile_model

EXACT = 1e-12


def ends(result: sb.Result, *names: str) -> list[float]:
    return [result[name][-1] for name in names]


def run(m: sb.Model, t_end: float = 1.0, tolerance: float = 1e-10, **options: object) -> sb.Result:
    result = sb.simulate(m, t_end, intervals=10, tolerance=tolerance, **options)
    assert abs(result.energy.residual) <= 1e-12 * result.energy.throughput
    return result


# --- closed forms -----------------------------------------------------------------------------------------------------


def test_a_gear_reflects_inertia() -> None:
    m = sb.Model("gear")
    m.add("a", sb.Inertia(J=1))
    m.add("b", sb.Inertia(J=2, w0=1, phi0=0.5))
    m.add("gear", sb.Gear("a", "b", ratio=3))
    m.add("drive", sb.Torque("a", tau=6))
    result = run(m)
    acceleration = 6 / (1 + 2 / 9)
    assert ends(result, "a.a", "b.a") == pytest.approx([acceleration, acceleration / 3], rel=EXACT)
    assert ends(result, "a.w", "b.w") == pytest.approx([3 + acceleration, 1 + acceleration / 3], rel=EXACT)
    phi = 1.5 + 3 + acceleration / 2
    assert ends(result, "a.phi", "b.phi") == pytest.approx([phi, phi / 3], rel=EXACT)
    torque = 6 - acceleration
    assert ends(result, "gear.tau_a", "gear.tau_b", "gear.tau_support") == pytest.approx(
        [torque, -3 * torque, 2 * torque], rel=EXACT
    )


def test_a_long_train_of_massless_gears() -> None:
    n = 400
    m = sb.Model("train")
    m.add("first", sb.Inertia(J=1))
    for k in range(n):
        before = "first" if k == 0 else f"g{k - 1}.b"
        m.add(f"g{k}", sb.Gear(before, ratio=2 if k % 2 else 0.5))
    m.add("last", sb.Inertia(J=3))
    m.connect(f"g{n - 1}.b", "last")
    m.add("drive", sb.Torque("last", tau=8))
    program = compile_model(m)
    assert program.sizes["n_v"] == 1
    assert program.sizes["n_c"] <= 2 * n + 2
    result = run(m)
    assert ends(result, "first.a", "last.a") == pytest.approx([2, 2], rel=EXACT)
    assert ends(result, "g0.tau_a", f"g{n - 1}.tau_b") == pytest.approx([-2, 2], rel=EXACT)


def test_a_planetary_gear() -> None:
    """Accelerations from the equations of motion with the multiplier put in by hand."""
    r, J, tau = 2.5, (0.3, 1.7, 0.9), (4.0, -3.0, 0.5)
    m = sb.Model("planetary")
    for name, inertia, torque in zip(("s", "c", "r"), J, tau, strict=True):
        m.add(name, sb.Inertia(J=inertia))
        m.add(f"drive_{name}", sb.Torque(name, tau=torque))
    m.add("set", sb.Planetary("s", "c", "r", ratio=r))
    g = np.array([1, -1 - r, r])
    inside = (g / J @ tau) / (g / J @ g)  # torque into the set at the sun
    result = run(m)
    assert ends(result, "s.a", "c.a", "r.a") == pytest.approx((np.array(tau) - g * inside) / J, rel=EXACT)
    assert ends(result, "set.tau_sun", "set.tau_carrier", "set.tau_ring") == pytest.approx(g * inside, rel=EXACT)


Z = 2.2


@pytest.mark.parametrize(("gear", "ratio"), [("first", 2 + 1 / Z), ("second", 1 + 1 / Z), ("third", 1.0)])
def test_the_ratios_of_a_simpson_set(gear: str, ratio: float) -> None:
    """Two equal planetary sets with one sun: hold the second carrier, hold the sun, or join input and sun."""
    m = sb.Model("simpson")
    m.add("input", sb.Inertia(J=1))
    m.add("output", sb.Inertia(J=1, w0=1))
    m.add("sun", sb.Inertia(J=1))
    m.add("set1", sb.Planetary("sun", "output", "input", ratio=Z))
    m.add("set2", sb.Planetary("sun", None, "output", ratio=Z))
    if gear != "first":
        m.add("carrier", sb.Inertia(J=1))
        m.connect("set2.carrier", "carrier")
    if gear == "second":
        m.add("brake", sb.Fixed())
        m.connect("brake", "sun")
    if gear == "third":
        m.add("clutch", sb.Gear("input", "sun", ratio=1))
    result = run(m, 0.1)
    assert result["input.w"] == pytest.approx(ratio * result["output.w"], rel=EXACT)


def test_a_differential_halves_the_torque() -> None:
    m = sb.Model("differential")
    for name, J in (("drive", 0.1), ("left", 1.0), ("right", 2.0)):
        m.add(name, sb.Inertia(J=J))
    m.add("engine", sb.Torque("drive", tau=10))
    m.add("rear", sb.Differential("drive", "left", "right", ratio=3.5))
    result = run(m)
    left, right, drive = ends(result, "left.a", "right.a", "drive.a")
    assert drive == pytest.approx(3.5 * (left + right) / 2, rel=EXACT)
    assert left * 1.0 == pytest.approx(right * 2.0, rel=EXACT)
    assert ends(result, "rear.tau_left", "rear.tau_right") == pytest.approx([-left, -left], rel=EXACT)
    assert ends(result, "rear.tau_drive") == pytest.approx([2 * left / 3.5], rel=EXACT)


def test_a_car_on_wheels_and_a_table_on_a_rack() -> None:
    m = sb.Model("car")
    m.add("axle", sb.Inertia(J=2, w0=10))
    m.add("car", sb.Mass(m=100))
    m.add("wheel", sb.Wheel("axle", "car", radius="300 mm"))
    m.add("drive", sb.Torque("axle", tau=60))
    result = run(m)
    acceleration = 60 / (2 + 100 * 0.09)
    assert ends(result, "car.v", "car.s") == pytest.approx([3 + 0.3 * acceleration, 3 + 0.15 * acceleration], rel=EXACT)
    assert ends(result, "wheel.tau_a", "wheel.f_b") == pytest.approx(
        [60 - 2 * acceleration, -30 * acceleration], rel=EXACT
    )

    m = sb.Model("table")
    m.add("motor", sb.Inertia(J=0.01))
    m.add("table", sb.Mass(m=10))
    m.add("rack", sb.RackPinion("motor", "table", ratio="50 rad/m"))
    m.add("push", sb.Force("table", f=7))
    result = run(m)
    acceleration = 7 / (10 + 0.01 * 2500)
    assert ends(result, "table.v", "motor.w") == pytest.approx([acceleration, 50 * acceleration], rel=EXACT)


def test_a_press() -> None:
    m = sb.Model("press")
    m.add("lever", sb.Mass(m=1))
    m.add("stamp", sb.Mass(m=10))
    m.add("press", sb.Hydraulic("lever", "stamp", area_a="2 cm2", area_b="80 cm2"))
    m.add("push", sb.Force("lever", f=3))
    result = run(m)
    assert ends(result, "lever.a", "stamp.a") == pytest.approx(
        [3 / (1 + 10 / 1600), 3 / (1 + 10 / 1600) / 40], rel=EXACT
    )
    f_a, f_b = ends(result, "press.f_a", "press.f_b")
    assert f_b == pytest.approx(-40 * f_a, rel=EXACT)


def test_the_support_of_a_gear_in_a_housing() -> None:
    """Torques on shaft, output and housing sum up to nothing, and the housing swings on its spring."""
    m = sb.Model("bearing")
    m.add("shaft", sb.Inertia(J=1))
    m.add("housing", sb.Inertia(J=5))
    m.add("load", sb.Inertia(J=50))
    m.add("gear", sb.Gear("shaft", support="housing", ratio=3))
    m.add("spring", sb.Spring("gear.b", "load", c=1000))
    m.add("mount", sb.SpringDamper("housing", c=1e5, d=5))
    m.add("motor", sb.Torque("shaft", tau=sb.Ramp(height=100, duration=5)))
    result = run(m)
    torques = np.array(ends(result, "gear.tau_a", "gear.tau_b", "gear.tau_support"))
    assert sum(torques) == pytest.approx(0.0, abs=1e-12)
    assert torques[1] == pytest.approx(result["spring.tau"][-1], rel=1e-12)
    assert ends(result, "housing.a")[0] * 5 == pytest.approx(-torques[2] + result["mount.tau"][-1], rel=1e-9, abs=1e-9)


# --- against a dense solution -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_random_machines_against_dense_constraints(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 9
    m = sb.Model("random")
    tau = np.zeros(n)
    J = rng.uniform(0.1, 10, n)
    for k in range(n):
        m.add(f"j{k}", sb.Inertia(J=J[k]))
        if rng.random() < 0.7:
            tau[k] = rng.normal()
            m.add(f"t{k}", sb.Torque(f"j{k}", tau=tau[k]))
    rows, shown = [], []
    for k in range(5):
        a, b, c = (int(i) for i in rng.permutation(n)[:3])
        ratio = round(float(rng.uniform(0.3, 4)), 3)
        row = np.zeros(n)
        if rng.random() < 0.5:
            m.add(f"c{k}", sb.Gear(f"j{a}", f"j{b}", ratio=ratio))
            row[[a, b]] = 1, -ratio
            shown.append(f"c{k}.tau_a")
        else:
            m.add(f"c{k}", sb.Planetary(f"j{a}", f"j{b}", f"j{c}", ratio=ratio))
            row[[a, b, c]] = 1, -1 - ratio, ratio
            shown.append(f"c{k}.tau_sun")
        rows.append(row)
    used = np.flatnonzero(np.abs(rows).sum(axis=0))
    for k in range(n):
        if k not in used and tau[k] == 0.0:
            m.add(f"t{k}", sb.Torque(f"j{k}", tau=0))
    motion = None
    if seed % 2:
        motion = int(used[-1])
        m.add("motion", sb.Speed(w=sb.Sine(amplitude=0.5, f=1)))
        m.connect("motion", f"j{motion}")
    G = np.array(rows)
    result = run(m, 1e-3)
    left = G.shape[0] + (motion is not None)
    K = np.zeros((n + left, n + left))
    K[:n, :n] = np.diag(J)
    K[n : n + len(G), :n] = G
    if motion is not None:
        K[-1, motion] = 1
    K[:n, n:] = K[n:, :n].T
    right = np.concatenate([tau, np.zeros(left)])
    if motion is not None:
        right[-1] = 0.5 * 2 * np.pi
    x = np.linalg.solve(K, right)
    scale = np.abs(x[:n]).max()
    assert [result[f"j{k}.a"][0] for k in range(n)] == pytest.approx(x[:n], abs=1e-10 * scale)
    torques = [result[name][0] for name in shown]
    assert torques == pytest.approx(x[n : n + len(G)], abs=1e-9 * np.abs(x[n:]).max())
    if motion is not None:
        assert result["motion.tau"][0] == pytest.approx(-x[-1], abs=1e-9 * np.abs(x[n:]).max())


# --- prescribed motions -----------------------------------------------------------------------------------------------


def test_a_prescribed_position_goes_through_gears() -> None:
    """A position through a gear is exact, a spring behind it hangs on it, and the motion gets the reflected torque."""
    m = sb.Model("shaker")
    m.add("shaker", sb.Position(phi=sb.Sine(amplitude=2, f=0.5)))
    m.add("gear", sb.Gear("shaker", "wheel", ratio=4))
    m.add("wheel", sb.Inertia(J=3))
    m.add("spring", sb.Spring("wheel", "mass", c=10))
    m.add("mass", sb.Inertia(J=1))
    result = run(m, 2.0)
    t, w = result.time, np.pi
    assert result["wheel.phi"] == pytest.approx(0.5 * np.sin(w * t), abs=1e-14)
    assert result["wheel.a"] == pytest.approx(-0.5 * w**2 * np.sin(w * t), abs=1e-12)
    torque = 3 * result["wheel.a"] - result["spring.tau"]
    assert result["gear.tau_b"] == pytest.approx(-torque, abs=1e-12)
    assert result["shaker.tau"] == pytest.approx(torque / 4, abs=1e-12)


def test_a_body_between_a_motion_and_a_free_shaft() -> None:
    """The carrier moves with a prescribed ring and a free sun at once: inertia forces of the motion act on the sun."""
    r, J_s, J_c = 2.0, 0.5, 3.0
    m = sb.Model("mixed")
    m.add("sun", sb.Inertia(J=J_s))
    m.add("carrier", sb.Inertia(J=J_c))
    m.add("ring", sb.Speed(w=sb.Sine(amplitude=3, f=0.25)))
    m.add("set", sb.Planetary("sun", "carrier", "ring", ratio=r))
    result = run(m, 3.0)
    ring = 3 * np.sin(np.pi / 2 * result.time)  # J_s s' + J_c (s' + r ring')/(1 + r)^2 = 0
    share = -J_c * r / ((1 + r) ** 2 * J_s + J_c)
    assert result["sun.w"] == pytest.approx(share * ring, abs=1e-8)
    assert result["carrier.w"] == pytest.approx((share + r) * ring / (1 + r), abs=1e-8)
    assert result["ring.tau"] == pytest.approx(result["set.tau_ring"], abs=1e-12)
    for solver in ("rodas5p", "dopri5"):
        other = run(m, 3.0, solver=solver)
        assert other["sun.w"] == pytest.approx(share * ring, abs=1e-7)


# --- friction across gears --------------------------------------------------------------------------------------------


def test_stick_across_a_gear_is_that_of_the_reduced_machine() -> None:
    """Friction on the fast side of a gear: i times the torque on i^2 J of the slow side."""
    i = 5

    def machine(geared: bool) -> sb.Model:
        m = sb.Model("stick")
        m.add("slow", sb.Inertia(J=2 if geared else 2 + 0.1 * i**2))
        m.add("pull", sb.Torque("slow", tau=sb.Sine(amplitude=9, f=0.5)))
        if geared:
            m.add("fast", sb.Inertia(J=0.1))
            m.add("gear", sb.Gear("fast", "slow", ratio=i))
        scale = 1 if geared else i
        m.add("bearing", sb.Bearing("fast" if geared else "slow", law=sb.Switch(mu_c=1.0), load=scale))
        return m

    geared, reduced = run(machine(True), 4.0), run(machine(False), 4.0)
    assert (geared["bearing.mode"] == 0).any()
    assert geared["slow.w"] == pytest.approx(reduced["slow.w"], abs=1e-12)
    assert geared["bearing.tau"] * i == pytest.approx(reduced["bearing.tau"], abs=1e-11)
    times, others = ([event.time for event in result.events] for result in (geared, reduced))
    assert times == pytest.approx(others, abs=1e-12)
