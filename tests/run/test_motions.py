"""Prescribed motions anywhere: on bodies, on flanges without inertia behind gears, on several members at once."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError

EXACT = 1e-12


def run(m: sb.Model, t_end: float = 1.0) -> sb.Result:
    result = sb.simulate(m, t_end, intervals=20, tolerance=1e-10)
    assert abs(result.energy.residual) <= 1e-12 * result.energy.throughput
    return result


# --- closed forms -----------------------------------------------------------------------------------------------------


def test_a_speed_on_a_flange_without_inertia_behind_two_gears() -> None:
    """w = 2 sin(3 t) comes through ratios 4 and 1/2 to a wheel that it must accelerate."""
    m = sb.Model("behind gears")
    m.add("pull", sb.Speed(w=sb.Sine(amplitude=2, f=3 / (2 * np.pi))))
    m.add("slow", sb.Gear("pull", ratio=4))
    m.add("fast", sb.Gear("slow.b", "wheel", ratio=0.5))
    m.add("wheel", sb.Inertia(J=3))
    m.add("air", sb.Damper("wheel", d=0.7))
    result = run(m)
    w = np.sin(3 * result.time)  # 2 / 4 / 0.5
    torque = 3 * 3 * np.cos(3 * result.time) + 0.7 * w
    assert result["wheel.w"] == pytest.approx(w, abs=EXACT)
    assert result["pull.tau"] == pytest.approx(torque / 2, abs=1e-11)
    assert result["slow.tau_b"] == pytest.approx(-2 * torque, abs=1e-11)


def test_two_members_of_a_planetary_gear_prescribed() -> None:
    """Sun and ring are moved, the carrier follows and drives a load; its torque splits by 1 : ratio."""
    m = sb.Model("two")
    m.add("sun", sb.Speed(w=sb.Sine(amplitude=3, f=0.5)))
    m.add("ring", sb.Position(phi=sb.Sine(amplitude=2, f=0.25)))
    m.add("set", sb.Planetary("sun", "load", "ring", ratio=2))
    m.add("load", sb.Inertia(J=1.5))
    m.add("brake", sb.Damper("load", d=0.4))
    result = run(m)
    t = result.time
    w = np.sin(np.pi * t) + 2 / 3 * np.pi * np.cos(np.pi / 2 * t)
    torque = 1.5 * (np.pi * np.cos(np.pi * t) - np.pi**2 / 3 * np.sin(np.pi / 2 * t)) + 0.4 * w
    assert result["load.w"] == pytest.approx(w, abs=EXACT)
    assert result["sun.tau"] == pytest.approx(torque / 3, abs=1e-11)
    assert result["ring.tau"] == pytest.approx(2 * torque / 3, abs=1e-11)


def test_a_motion_between_flanges_without_any_inertia_near() -> None:
    """A prescribed position onto a gear without inertia, behind which a spring drives a mass."""
    m = sb.Model("geared spring")
    m.add("shaker", sb.Position(phi=sb.Sine(amplitude=0.5, f=1)))
    m.add("gear", sb.Gear("shaker", ratio=0.25))
    m.add("spring", sb.Spring("gear.b", "mass", c=50))
    m.add("mass", sb.Inertia(J=2))
    result = run(m, 2.0)
    t, w, w0 = result.time, 2 * np.pi, 5.0  # from rest: forced part and a free oscillation that starts at w
    forced = 2 * w0**2 / (w0**2 - w**2)
    expected = forced * (np.sin(w * t) - w / w0 * np.sin(w0 * t))
    assert result["mass.phi"] == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())  # 100 x the tolerance
    assert result["shaker.tau"] == pytest.approx(-4 * result["spring.tau"], abs=EXACT * 50)


def test_a_speed_that_jumps_may_move_what_has_no_inertia() -> None:
    m = sb.Model("jump")
    m.add("pull", sb.Speed(w=sb.Step(height=2, start=0.5)))
    m.add("gear", sb.Gear("pull", ratio=2))
    m.add("spring", sb.SpringDamper("gear.b", "mass", c=10, d=1))
    m.add("mass", sb.Inertia(J=1))
    result = run(m)
    assert result["spring.tau"][result.time < 0.5] == pytest.approx(0.0)
    assert result["gear.tau_a"] == pytest.approx(-result["spring.tau"] / 2, abs=1e-12)


# --- against a dense solution -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_random_machines_with_several_motions(seed: int) -> None:
    """Accelerations and torques at the start: M a + G' l = tau, G a = 0, a = given, solved densely.

    A part of the flanges has no inertia, and motions are on any of them.
    """
    rng = np.random.default_rng(seed)
    n, n_coupling, n_motion = 10, 5, 2
    J = rng.uniform(0.1, 10, n)
    G, joined = np.zeros((n_coupling, n)), np.arange(n)
    couplings: dict[str, sb.elements.Element] = {}
    for k in range(n_coupling):
        a, b, c = (int(i) for i in rng.permutation(n)[:3])
        ratio = round(float(rng.uniform(0.3, 4)), 3)
        if rng.random() < 0.5 and joined[a] != joined[b]:  # gears in no circle: they would contradict each other
            joined[joined == joined[a]] = joined[b]
            couplings[f"c{k}"] = sb.Gear(f"j{a}", f"j{b}", ratio=ratio)
            G[k, [a, b]] = 1, -ratio
        else:
            couplings[f"c{k}"] = sb.Planetary(f"j{a}", f"j{b}", f"j{c}", ratio=ratio)
            G[k, [a, b, c]] = 1, -1 - ratio, ratio
    used = np.flatnonzero(np.abs(G).sum(axis=0))
    moved = [int(i) for i in rng.permutation(used)[:n_motion]]
    given = rng.normal(size=n_motion)
    constraints = np.vstack([G, np.eye(n)[moved]])
    if np.linalg.matrix_rank(constraints) < len(constraints):
        pytest.skip("the motions contradict the couplings")
    light = [i for i in moved if rng.random() < 0.5]
    J[light] = 0.0
    tau = rng.normal(size=n)

    m = sb.Model("random")
    for i in range(n):
        if i in moved:
            m.add(f"j{i}", sb.Speed(w=sb.Ramp(height=float(given[moved.index(i)]), duration=1.0)))
            if J[i]:
                m.add(f"body{i}", sb.Inertia(J=float(J[i])))
                m.connect(f"j{i}", f"body{i}")
        else:
            m.add(f"j{i}", sb.Inertia(J=float(J[i])))
        m.add(f"t{i}", sb.Torque(f"j{i}", tau=float(tau[i])))
    for name, element in couplings.items():
        m.add(name, element)
    result = run(m, 1e-3)

    size = n + len(constraints)
    K = np.zeros((size, size))
    K[:n, :n], K[n:, :n], K[:n, n:] = np.diag(J), constraints, constraints.T
    x = np.linalg.solve(K, np.concatenate([tau, np.zeros(n_coupling), given]))
    scale = np.abs(x).max()
    free = [i for i in range(n) if i not in moved]
    assert [result[f"j{i}.a"][0] for i in free] == pytest.approx(x[free], abs=1e-11 * scale)
    shown = [
        result[f"c{k}.tau_{'a' if isinstance(e, sb.Gear) else 'sun'}"][0] for k, e in enumerate(couplings.values())
    ]
    assert shown == pytest.approx(x[n : n + n_coupling], abs=1e-11 * scale)
    assert [result[f"j{i}.tau"][0] for i in moved] == pytest.approx(-x[n + n_coupling :], abs=1e-11 * scale)


# --- what cannot be ---------------------------------------------------------------------------------------------------


def model(**elements: sb.elements.Element) -> sb.Model:
    m = sb.Model("conflict")
    for name, element in elements.items():
        m.add(name, element)
    return m


@pytest.mark.parametrize(
    "elements, message",
    [
        (
            {
                "sun": sb.Speed(w=1),
                "ring": sb.Speed(w=2),
                "carrier": sb.Position(phi=0),
                "set": sb.Planetary("sun", "carrier", "ring", ratio=2),
            },
            "speed 'sun' and speed 'ring' and position 'carrier' cannot move as prescribed because of planetary 'set'",
        ),
        (
            {
                "a": sb.Speed(w=1),
                "j": sb.Inertia(J=1),
                "b": sb.Speed(w=3),
                "one": sb.Gear("a", "j", ratio=2),
                "other": sb.Gear("j", "b", ratio=2),
            },
            "speed 'a' and speed 'b' cannot move as prescribed because of gear 'one' and gear 'other'",
        ),
        (
            {
                "sun": sb.Speed(w=1),
                "wall": sb.Fixed(),
                "set": sb.Planetary("sun", "wall", "wall", ratio=2),
            },
            "speed 'sun' cannot move as prescribed because of planetary 'set'",
        ),
        (
            {"a": sb.Speed(w=1), "b": sb.Speed(w=1), "j": sb.Inertia(J=1)},
            "speed 'a' and speed 'b' prescribe the motion of the same node",
        ),
    ],
)
def test_motions_that_contradict_are_named(elements: dict[str, sb.elements.Element], message: str) -> None:
    m = model(**{name: element.replace() for name, element in elements.items()})
    if "j" in elements and "one" not in elements:
        m.connect("a", "j")
        m.connect("b", "j")
    with pytest.raises(SpecError, match=message):
        sb.compile_model(m)


@pytest.mark.parametrize("solver", ["adaptive", "fixed"])
def test_a_speed_that_jumps_throws_presliding(solver: str) -> None:
    """A contact that is stuck when the speed of its partner jumps by 100 times the speed at which it slides, slides: it
    held 100 times its limit, with bristles that went on to bend."""
    m = sb.Model("thrown", t_end=0.2)
    motor = m.add("motor", sb.Speed(w=sb.Step(height=1.0, start=0.1)))
    disc = m.add("disc", sb.Inertia(J=10.0))
    law = sb.HybridPresliding(k1=5000.0, k2=40.0, z_max=6e-5, mu_c=0.3, mu_s=0.35, Sigma=0.01)
    m.add("clutch", sb.Clutch(motor, disc, law=law, fn_max=3.0))
    result = sb.simulate(m) if solver == "adaptive" else m.realtime("1 ms").run(t_end=0.2)
    late = result.time > 0.105
    assert np.abs(result["clutch.tau"][late]).max() < 0.35 * 3.0 * 1.01
    assert result["disc.w"][-1] == pytest.approx(0.3 * 3.0 * 0.1 / 10.0, rel=0.05)  # by sliding friction alone
    assert abs(result.energy.residual) < 1e-12
