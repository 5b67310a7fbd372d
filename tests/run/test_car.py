"""The shipped car with an automatic gearbox: gears, drive and balance against equations written here."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import stribeck as sb
from stribeck import set_parameter

Z, Z3 = 73 / 35, 83 / 31
FINAL, RADIUS, MASS, AXLE = 3.7, 0.31, 1700.0, 3.0
ROLL, DRAG = 0.012 * MASS * 9.80665, 0.5 * 1.2 * 0.33 * 2.2


@dataclass(frozen=True)
class Gear:
    """Speeds of the members over that of the output, by hand from (1 + z) carrier = sun + z ring."""

    turbine: float
    sun: float
    carrier2: float
    intermediate: float = 1.0
    sun3: float = 1.0

    def mass(self) -> float:
        """All behind the crank, seen by the car."""
        members = 0.01 * (self.turbine**2 + self.sun**2 + self.carrier2**2) + 0.02 * self.intermediate**2
        box = 0.034 * self.turbine**2 + members + 0.005 * self.sun3**2 + 0.02
        return MASS + (AXLE + box * FINAL**2) / RADIUS**2


OVER = Z3 / (1 + Z3)
FIRST = Gear(turbine=(1 + 2 * Z) / Z, sun=-Z, carrier2=0)
SECOND = Gear(turbine=(1 + Z) / Z, sun=0, carrier2=Z / (1 + Z))
THIRD = Gear(turbine=1, sun=1, carrier2=1)
FOURTH = Gear(turbine=OVER, sun=OVER, carrier2=OVER, intermediate=OVER, sun3=0)
STAGES = [(FIRST, 2.0, 18.0), (SECOND, 19.0, 45.5), (THIRD, 47.0, 121.5), (FOURTH, 123.0, 176.5), (THIRD, 177.5, 200.0)]
"""Gears, and when they are in for good."""


@pytest.fixture(scope="module")
def result() -> sb.Result:
    return sb.simulate(sb.load_model("car"), tolerance=1e-9)


@pytest.mark.parametrize(("gear", "start", "end"), STAGES, ids=["first", "second", "third", "fourth", "down"])
def test_gears_have_their_ratios(result: sb.Result, gear: Gear, start: float, end: float) -> None:
    inside = (result.time > start) & (result.time < end)
    output = np.asarray(result["output.w"])[inside]
    for name in ("turbine", "sun", "carrier2", "intermediate", "sun3"):
        found = np.asarray(result[f"{name}.w"])[inside]
        assert found == pytest.approx(getattr(gear, name) * output, abs=1e-10)
    assert np.asarray(result["car.v"])[inside] == pytest.approx(output / FINAL * RADIUS, rel=1e-12)


def test_public_ratios() -> None:
    """Those of the ZF 4HP22."""
    assert [round(gear.turbine, 3) for gear in (FIRST, SECOND, THIRD, FOURTH)] == [2.479, 1.479, 1.0, 0.728]


# --- drive: two states, the speeds of crank and car -------------------------------------------------------------------

SPEEDS = [0, 100, 200, 300, 400, 500, 600]
TORQUES = [[0, -15, -20, -25, -32, -40, -50], [80, 80, 65, 45, 25, 5, -20], [120, 170, 210, 220, 215, 195, 160]]
NU, RATIO = [0, 0.4, 0.7, 0.85, 0.95, 1], [2, 1.6, 1.22, 1, 1, 1]
CAPACITY = [3.5e-3, 3.4e-3, 2.8e-3, 2e-3, 0.9e-3, 0]


def pedal(t: float) -> float:
    return float(np.interp(t, [0, 6, 10, 100, 160, 162], [0, 0, 0.09, 0.16, 0.16, 0]))


def engine(u: float, w: float) -> float:
    throttle = min(max(u, (80 - w) / 10, 0), 1)
    drag, part, full = (np.interp(w, SPEEDS, torques) for torques in TORQUES)
    return float(np.interp(throttle, [0, 0.2, 1], [drag, part, full]))


def converter(crank: float, turbine: float) -> tuple[float, float]:
    """What the pump takes and what the turbine gives."""
    if turbine > crank:
        back = np.interp(crank / turbine, NU, CAPACITY) * turbine**2
        return -float(back), -float(back)
    nu = turbine / crank
    pump = np.interp(nu, NU, CAPACITY) * crank**2
    return float(pump), float(pump * np.interp(nu, NU, RATIO))


def drive(u: float, crank: float, v: float, gear: Gear) -> np.ndarray:
    turbine = gear.turbine * v / RADIUS * FINAL
    pump, out = converter(crank, turbine)
    push = out * gear.turbine * FINAL / RADIUS - ROLL - DRAG * v * v
    return np.array([(engine(u, crank) - pump) / 0.28, push / gear.mass()])


@pytest.mark.parametrize(("gear", "start", "end"), STAGES, ids=["first", "second", "third", "fourth", "down"])
def test_drives_as_two_inertias(result: sb.Result, gear: Gear, start: float, end: float) -> None:
    """Within a gear nothing slips. SciPy steps over the kinks of the maps, with an error of about 1e-6."""
    first = [result.at(start, "crank.w"), result.at(start, "car.v")]
    times = [start, *(t for t in (6.0, 10.0, 100.0, 160.0, 162.0) if start < t < end), end]
    x = np.array(first)
    for a, b in pairwise(times):
        f = lambda t, x: drive(pedal(t), *x, gear)  # noqa: E731
        x = solve_ivp(f, (a, b), x, "Radau", rtol=1e-9, atol=1e-9).y[:, -1]
    assert [result.at(end, "crank.w"), result.at(end, "car.v")] == pytest.approx(list(x), rel=1e-5)


def test_comes_to_the_speed_at_which_forces_balance() -> None:
    """Pedal held in fourth gear: engine against pump, turbine against the road."""
    m = sb.load_model("car")
    set_parameter(m, "pedal", 0.16)
    result = sb.simulate(m, t_end=3000.0, intervals=10)
    expected = fsolve(lambda x: drive(0.16, *x, FOURTH), [200.0, 20.0], xtol=1e-12)
    assert result["fourth"][-1] == 1
    assert [result["crank.w"][-1], result["car.v"][-1]] == pytest.approx(list(expected), rel=1e-6)


# --- the drive of 200 s ----------------------------------------------------------------------------------------------


def lost_speed(result: sb.Result) -> float:
    """By how much the car becomes slower (m/s), at the times of a result."""
    v = np.asarray(result["car.v"])[1:]
    return float((np.maximum.accumulate(v) - v).max())


UP_SHIFT = np.array([0.0, *np.linspace(121.5, 123.0, 1501)])
"""Milliseconds around the up-shift."""


def test_shifts_up_near_122_s_and_loses_hardly_any_speed_there(result: sb.Result) -> None:
    """As the standard clutches of the paper, of which it prints that the car does not become slower."""
    stuck = [(e.element, round(e.time)) for e in result.events if e.to == "Stuck"]
    assert stuck == [("A", 1), ("C", 18), ("B", 46), ("F", 122), ("E", 177)]
    assert lost_speed(sb.simulate(sb.load_model("car"), times=UP_SHIFT)) < 4e-4
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput
    assert abs(result.energy.numerical) < 1e-8 * result.energy.throughput


def test_heat_of_a_brake_is_torque_times_slip(result: sb.Result) -> None:
    """F slips while it stops sun3 at 122 s and while it lets it go at 177 s; by trapezia of 0.1 ms."""
    up, down = np.linspace(121.99, 122.3, 3101), np.linspace(176.79, 176.85, 601)
    fine = sb.simulate(sb.load_model("car"), times=np.array([0.0, *up, *down]), tolerance=1e-9)
    power = np.asarray(fine["F.tau"]) * np.asarray(fine["F.w_rel"])
    heat = np.trapezoid(power[1:3102], up) + np.trapezoid(power[3102:], down)
    assert result.energy.dissipated["F"] == pytest.approx(heat, rel=1e-5)


PRINTED = sb.LuGre(sigma0=1e5, sigma1=0.03, sigma2=0, mu_c=0.12, mu_s=0.144, w_s=0.5)
"""Table 7 of the paper."""


def bristles(engage: str, abrupt: bool, **options: Any) -> sb.Result:
    """The car with LuGre clutches; abruptly, pressures follow their targets without a lag."""
    m = sb.load_model("car")
    set_parameter(m, "*.law", PRINTED)
    set_parameter(m, "*.engage", engage)
    for name in "ABCDEF":
        lag = m.signals[f"press_{name}"]
        m.signals[f"press_{name}"] = lag.u if abrupt else lag
    return sb.simulate(m, **options)


def test_bristles_change_little(result: sb.Result) -> None:
    """The paper's LuGre car loses speed at 122 s and is unstable with softer bristles; a converged one does not."""
    found = bristles("steady", abrupt=False)
    v = np.asarray(result["car.v"])
    # break-away 1.2 times as high, and 3e-6 rad of twist of the bristles
    assert np.asarray(found["car.v"]) == pytest.approx(v, abs=2e-4 * v.max())
    assert lost_speed(bristles("steady", abrupt=False, times=UP_SHIFT)) < 4e-4
    assert found.extremes["car.a"]["max"] < 1.2


def test_bristles_that_start_straight_kick_where_pressure_jumps() -> None:
    """The paper's peaks of acceleration: fn sigma1 w_rel while bristles at 0 are bent, which those that start as they
    slide do not have."""
    (steady, zero) = (bristles(engage, abrupt=True).extremes["car.a"] for engage in ("steady", "zero"))
    assert max(steady["max"], -steady["min"]) < 2
    assert max(zero["max"], -zero["min"]) > 20
