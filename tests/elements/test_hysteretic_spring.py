"""Springs that yield: closed forms, an independent solution, energy, fixed steps, and other laws in parallel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.laws import all_laws

C, YIELD, ALPHA = 100.0, 5.0, 0.1
Z0 = YIELD / C
SPRING: dict[str, Any] = {"c": C, "f_y": YIELD, "alpha": ALPHA}


def stretched(spring: sb.elements.Element, *turns: float, points: int = 50) -> sb.Result:
    """A spring between two slides; one of them goes from turn to turn, each in one second."""
    time, speed = [0.0], [0.0]
    for i, way in enumerate(np.diff([0.0, *turns])):
        time += [i + 0.5, i + 1.0]
        speed += [2 * way, 0.0]
    m = sb.Model("stretched")
    m.add("left", sb.Speed(v=0.0))
    m.add("right", sb.Speed(v=sb.Table(time=time, value=speed)))
    m.add("spring", spring)
    return sb.simulate(m, times=np.linspace(0, len(turns), len(turns) * points + 1), tolerance=1e-10)


def first(n: int, x: np.ndarray) -> np.ndarray:
    """z/z0 of the first loading over x/z0: r' = 1 - r^n, integrated."""
    return 1 - np.exp(-x) if n == 1 else np.tanh(x)


def back(n: int, k: float, r: float, x: np.ndarray) -> np.ndarray:
    """z/z0 after r, x/z0 on the way back: r' = -(1 + k r^n) while r > 0, k = 2 beta_share - 1; first loading below."""
    if n == 1:
        zero = np.log1p(k * r) / k if k else r
        above = (r + 1 / k) * np.exp(-k * x) - 1 / k if k else r - x
    else:
        root = np.sqrt(k)
        zero = np.arctan(root * r) / root if k else r
        above = np.tan(np.arctan(root * r) - root * np.minimum(x, zero)) / root if k else r - x
    return np.where(x < zero, above, -first(n, np.maximum(x - zero, 0.0)))


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("beta", [0.5, 0.7, 1.0])
def test_loading_and_unloading_are_the_closed_forms(n: int, beta: float) -> None:
    """To 1e-8 of the yield force: the error of the solver at a tolerance of 1e-10."""
    spring = sb.HystereticSpring("left", "right", **SPRING, sharpness=n, beta_share=beta)
    result = stretched(spring, 0.15, -0.15)
    x, f = np.asarray(result["spring.s_rel"]), np.asarray(result["spring.f"])
    up, down = slice(0, 51), slice(50, 101)
    assert f[up] == pytest.approx(ALPHA * C * x[up] + (1 - ALPHA) * YIELD * first(n, x[up] / Z0), abs=1e-8 * YIELD)
    top = float(first(n, x[50:51] / Z0)[0])
    r = back(n, 2 * beta - 1, top, (x[50] - x[down]) / Z0)
    assert f[down] == pytest.approx(ALPHA * C * x[down] + (1 - ALPHA) * YIELD * r, abs=1e-8 * YIELD)


def test_limits() -> None:
    """A sharp one is bilinear around tau_y; with alpha = 1 it is a linear spring, with alpha = 0 it ends at tau_y."""
    sharp = stretched(sb.HystereticSpring("left", "right", **SPRING, sharpness=200.0), 0.2)
    x, f = np.asarray(sharp["spring.s_rel"]), np.asarray(sharp["spring.f"])
    lines = np.minimum(C * x, YIELD + ALPHA * C * (x - Z0))
    assert f == pytest.approx(lines, abs=0.01 * YIELD)  # of the corner: log(2)/n of z0
    linear = stretched(sb.HystereticSpring("left", "right", c=C, f_y=YIELD, alpha=1.0), 0.2)
    assert linear["spring.f"] == pytest.approx(C * np.asarray(linear["spring.s_rel"]), abs=1e-12 * C)
    flat = stretched(sb.HystereticSpring("left", "right", c=C, f_y=YIELD, alpha=0.0), 1.0)
    assert flat["spring.f"][-1] == pytest.approx(YIELD, rel=1e-9)


def oscillator(d: float = 0.5, start: float = 0.3, **values: Any) -> sb.Model:
    """A mass on a spring that yields, shaken for 5 s; it moves at the start."""
    m = sb.Model("oscillator")
    mass = m.add("mass", sb.Mass(m=1.0, v0=start))
    m.add("spring", sb.HystereticSpring(mass, **{**SPRING, "d": d, "s_rel0": 0.02, **values}))
    m.add("push", sb.Force(mass, f=sb.Sine(8.0, f=0.7)))
    return m


SHAPES = [(1.0, 1.0), (2.0, 0.5), (2.0, 0.8), (5.0, 0.6)]


@pytest.mark.parametrize(("n", "beta"), SHAPES)
def test_against_an_independent_solution(n: float, beta: float) -> None:
    """The equations as printed, A = 1, beta/z0^n and gamma/z0^n, by LSODA; without b, s_rel = -s of the mass."""
    t = np.linspace(0, 5, 251)

    def rates(s: float, y: np.ndarray) -> list[float]:
        x, v, z = y
        dz = v - (beta * abs(v) * np.sign(z) + (1 - beta) * v) * abs(z / Z0) ** n
        force = ALPHA * C * (x - 0.02) + (1 - ALPHA) * C * z + 0.5 * v
        return [v, -force - 8 * np.sin(2 * np.pi * 0.7 * s), dz]

    run = solve_ivp(rates, (0, 5), [0.0, -0.3, 0.0], "LSODA", t_eval=t, rtol=1e-11, atol=1e-13, max_step=2e-3)
    result = sb.simulate(oscillator(sharpness=n, beta_share=beta), times=t, tolerance=1e-10)
    for name, expected in zip(("spring.s_rel", "spring.v_rel", "spring.z"), run.y, strict=True):
        assert result[name] == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize(("n", "beta"), SHAPES)
def test_energy_is_stored_or_becomes_heat(n: float, beta: float) -> None:
    m = oscillator(sharpness=n, beta_share=beta)
    warm = m.add("warm", sb.ThermalMass(C=10.0, T0=300.0))
    m.connect("spring.heat", warm)
    for result, error in ((sb.simulate(m, 5.0, tolerance=1e-9), 1e-7), (m.realtime("1 ms").run(5.0), 1e-4)):
        energy = result.energy
        assert abs(energy.residual) < 1e-12 * energy.throughput
        assert abs(energy.numerical) < error * energy.throughput
        assert energy.dissipated["spring"] > 0.5 * energy.throughput
        assert 10.0 * (result["warm.T"][-1] - 300.0) == pytest.approx(energy.dissipated["spring"], rel=error)
        x, z = result["spring.s_rel"][-1], result["spring.z"][-1]
        stored = 0.5 * C * (ALPHA * ((x - 0.02) ** 2 - 0.02**2) + (1 - ALPHA) * z**2)
        assert energy.stored["spring"] == pytest.approx(stored, rel=1e-9)


@pytest.mark.parametrize(("n", "beta"), SHAPES)
@pytest.mark.parametrize(("c", "alpha", "error"), [(C, ALPHA, 1e-4), (1e6, 1e-4, 1e-2)])
def test_a_fixed_step_of_a_millisecond(n: float, beta: float, c: float, alpha: float, error: float) -> None:
    """Of second order on a soft spring; one that swings at 160 Hz before it yields has six steps in a period: 1 %."""
    m = oscillator(sharpness=n, beta_share=beta, c=c, alpha=alpha, start=0.0, s_rel0=0.0)
    fixed = m.realtime("1 ms").run(5.0)
    exact = sb.simulate(m, times=np.asarray(fixed.time), tolerance=1e-9)
    size = np.abs(np.asarray(exact["mass.v"])).max()
    assert fixed["mass.v"] == pytest.approx(exact["mass.v"], abs=error * size)


def test_the_torque_is_the_sum_of_its_parts_in_both_domains() -> None:
    line, turn = oscillator(), sb.Model("turn")
    shaft = turn.add("shaft", sb.Inertia(J=1.0, w0=0.3))
    turn.add("spring", sb.HystereticSpring(shaft, c=C, tau_y=YIELD, alpha=ALPHA, d=0.5, phi_rel0=0.02))
    turn.add("push", sb.Torque(shaft, tau=sb.Sine(8.0, f=0.7)))
    turn.add("wheel", sb.Inertia(J=1.0))
    turn.add("copy", sb.Torque("wheel", tau="spring.tau"))  # it can be sensed, as that of a spring
    straight, turning = sb.simulate(line, 2.0), sb.simulate(turn, 2.0)
    x, v, z = (np.asarray(turning[f"spring.{word}"]) for word in ("phi_rel", "w_rel", "z"))
    assert turning["spring.tau_hysteretic"] == pytest.approx((1 - ALPHA) * C * z, abs=1e-12)
    assert turning["spring.tau"] == pytest.approx(ALPHA * C * (x - 0.02) + (1 - ALPHA) * C * z + 0.5 * v, abs=1e-12)
    assert turning["copy.tau"] == pytest.approx(turning["spring.tau"], abs=1e-12)
    assert straight["spring.f"] == pytest.approx(turning["spring.tau"], abs=1e-4)  # steps differ with the wheel
    assert straight.meta.units[straight.meta.row("spring.f")] == "N"


def test_values_are_tunable() -> None:
    program = sb.compile_model(oscillator())
    changed = {"spring.c": 80.0, "spring.f_y": 3.0, "spring.alpha": 0.3, "spring.sharpness": 1.5, "spring.d": 1.0}
    again = sb.compile_model(oscillator(c=80.0, f_y=3.0, alpha=0.3, sharpness=1.5, d=1.0))
    assert program.with_values(changed).hash == again.hash


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"beta_share": 0.4}, "beta_share = 0.4 must be at least 0.5"),
        ({"alpha": 1.1}, "alpha = 1.1 must be at least 0 and at most 1"),
        ({"c": 0.0}, "c = 0 must be above 0"),
    ],
)
def test_refusals(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        sb.HystereticSpring("a", "b", **{**SPRING, **values})


# --- other laws between two flanges -----------------------------------------------------------------------------------


def parallel(law: sb.laws.Law, start: float = 0.3) -> sb.Model:
    """The same spring as a linear one and a clutch that is always pressed."""
    m = oscillator(start=start)
    del m.elements["spring"]
    wall = m.add("wall", sb.Fixed())
    m.add("spring", sb.SpringDamper("mass", wall, c=ALPHA * C, d=0.5, s_rel0=0.02))
    m.add("hysteresis", sb.Clutch("mass", wall, law=law, fn_max=1 - ALPHA, engage="zero"))
    return m


def test_it_is_a_spring_and_a_law_in_parallel() -> None:
    result = sb.simulate(parallel(sb.BoucWen(sigma0=C, mu_c=YIELD)), 5.0, tolerance=1e-9)
    expected = sb.simulate(oscillator(), 5.0, tolerance=1e-9)
    assert result["mass.s"] == pytest.approx(expected["mass.s"], abs=1e-9)


def test_maxwell_slip_is_a_hysteretic_spring_with_closed_loops() -> None:
    """The sum of play operators and of a spring, after loops within loops; it starts relaxed although it moves."""
    turns = [0.12, -0.02, 0.06, 0.03, 0.06, -0.02, 0.12]
    law = sb.MaxwellSlip(n=8, sigma0=C, mu_c=YIELD, sigma1=0.0)
    p = law.resolve({"load": "1", "disp": "m", "vel": "m/s"}, "law")
    k, limit, force = C * np.array(p.beta), YIELD * np.array(p.alpha), np.zeros(8)
    expected = []
    for way in np.diff([0.0, *turns]):
        force = np.clip(force + k * way, -limit, limit)
        expected.append(force.sum())
    result = stretched(sb.Clutch("left", "right", law=law, fn_max=1.0, engage="zero"), *turns, points=1)
    assert np.asarray(result["spring.f"])[1:] == pytest.approx(expected, abs=1e-9)
    assert result["spring.f"][2] == pytest.approx(result["spring.f"][6], abs=1e-9)
    moving = sb.simulate(parallel(law), 1.0)
    assert moving["hysteresis.f"][0] == 0.0 and np.abs(moving["hysteresis.f"]).max() > 0.5 * YIELD


BRISTLES = [law for law in all_laws().values() if law.family == "bristle"]


@pytest.mark.parametrize("law", BRISTLES, ids=lambda law: law.__name__)
def test_every_bristle_in_parallel_with_a_spring(law: type[sb.laws.Law]) -> None:
    """Any law works between two flanges: the balance closes, and friction stays within its largest limit."""
    given = law().adopt(sb.LuGre(sigma0=C, mu_c=YIELD, mu_s=YIELD, sigma1=1.0, v_s=0.1))
    result = sb.simulate(parallel(given), 5.0)
    energy = result.energy
    assert abs(energy.residual) < 1e-11 * energy.throughput
    assert abs(energy.numerical) < 1e-5 * energy.throughput
    assert np.abs(result["hysteresis.f"]).max() < 2 * YIELD
