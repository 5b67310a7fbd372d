"""Gears with losses against closed forms, against an independent solution, and against Modelica."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import stribeck as sb

Signal = Callable[[float], float]


def pair(
    table: list[list[float]], tau_a: object, tau_b: object, w0: float = 0.0, J: tuple[float, float] = (1.0, 1.5)
) -> sb.Model:
    """Two inertias with a gear of ratio 2 between, and a torque on each."""
    m = sb.Model("pair")
    a, b = m.add("Inertia1", sb.Inertia(J=J[0], w0=2 * w0)), m.add("Inertia2", sb.Inertia(J=J[1], w0=w0))
    m.add("gear", sb.LossyGear(a, b, ratio=2, loss_table=table))
    m.add("torque1", sb.Torque(a, tau=tau_a))
    m.add("torque2", sb.Torque(b, tau=tau_b))
    return m


# --- closed forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(("tau_a", "tau_b", "a_drives"), [(6.0, -3.0, True), (-1.0, 8.0, False), (0.0, 5.0, False)])
def test_accelerations_in_the_four_quadrants(direction: int, tau_a: float, tau_b: float, a_drives: bool) -> None:
    """J1 a = tau_1 - tau_a and J2 a/2 = tau_2 + 2 T; the torque T behind the mesh is eta1 tau_a where a drives, and
    tau_a/eta2 where b does: (2 eta J1 + J2/2) a = 2 eta tau_1 + tau_2 with eta = eta1 or 1/eta2."""
    J1, J2, eta1, eta2 = 1.0, 1.5, 0.8, 0.6
    model = pair([[0, eta1, eta2, 0, 0]], direction * tau_a, direction * tau_b, w0=direction * 10.0)
    result = sb.simulate(model, t_end=0.1, tolerance=1e-9)
    eta = eta1 if a_drives else 1 / eta2
    acceleration = direction * (2 * eta * tau_a + tau_b) / (2 * eta * J1 + J2 / 2)
    assert result["Inertia1.a"] == pytest.approx(acceleration, rel=1e-12)
    transmitted = direction * tau_a - J1 * acceleration
    assert result["gear.tau_a"] == pytest.approx(transmitted, rel=1e-12)
    assert result["gear.tau_b"] == pytest.approx(-2 * eta * transmitted, rel=1e-12)
    assert result["gear.tau_loss"] == pytest.approx((1 - eta) * transmitted, rel=1e-12)
    assert result["gear.tau_support"] == pytest.approx(-(1 - 2 * eta) * transmitted, rel=1e-12)
    assert np.all(result["gear.mode"] == direction)
    assert np.all(result["gear.tau_loss"] * result["Inertia1.w"] > 0)


def test_bearing_torques_brake_an_idle_gear() -> None:
    """Without torques tau_a = -J1 a > 0, a torque so small that Q2 = (1 - 1/eta2) tau_a + tbf2 = 0.4545 N.m is above
    Q1 = 0.1 tau_a + 0.3 = 0.3182 N.m: (J1 + J2/4) a = (1 - 1/eta2) J1 a - tbf2."""
    J1, J2, eta2, tbf2 = 1.0, 6.0, 0.8, 0.5
    result = sb.simulate(pair([[0, 0.9, eta2, 0.3, tbf2]], 0.0, 0.0, w0=2.0, J=(J1, J2)), t_end=1.0, tolerance=1e-9)
    assert result["Inertia1.a"] == pytest.approx(-tbf2 / (J1 / eta2 + J2 / 4), rel=1e-12)
    assert result["gear.tau_loss"] == pytest.approx(0.4545454545454545, rel=1e-12)


@pytest.mark.parametrize("eta0", [0.9, 0.6])
def test_planetary_efficiency_with_the_ring_held(eta0: float) -> None:
    """From sun to carrier (1 + r eta0) / (1 + r), back (1 + r) / (1 + r/eta0), eta0 with the carrier at rest."""
    ratio, load = 2.5, 7.0
    for sign in (1, -1):
        m = sb.Model("set")
        sun = m.add("sun", sb.Speed(w=14.0))
        carrier = m.add("carrier", sb.Inertia(J=0.3))
        m.add("set", sb.Planetary(sun, carrier, ratio=ratio, efficiency=eta0))
        m.add("load", sb.Torque(carrier, tau=-sign * load))
        result = sb.simulate(m, t_end=0.1)
        eta = eta0 if sign > 0 else 1 / eta0
        assert result["sun.tau"] == pytest.approx(sign * load / (1 + ratio * eta), rel=1e-12)
        power_in, power_out = result["sun.tau"][-1] * 14.0, sign * load * 14.0 / (1 + ratio)
        share = power_out / power_in if sign > 0 else power_in / power_out
        expected = (1 + ratio * eta0) / (1 + ratio) if sign > 0 else (1 + ratio) / (1 + ratio / eta0)
        assert share == pytest.approx(expected, rel=1e-12)
        assert result["set.tau_ring"] == pytest.approx(ratio * eta * result["set.tau_sun"], rel=1e-12)


def test_a_planetary_set_that_turns_as_one_loses_nothing() -> None:
    m = sb.Model("block")
    sun, carrier, ring = (m.add(name, sb.Inertia(J=J, w0=5.0)) for name, J in (("s", 0.5), ("c", 2.0), ("r", 1.0)))
    m.add("set", sb.Planetary(sun, carrier, ring, ratio=2, efficiency=0.7))
    result = sb.simulate(m, t_end=1.0)
    assert result["s.w"] == pytest.approx(5.0, rel=1e-12)
    assert "set" not in result.energy.dissipated


def test_a_planetary_set_is_a_gear_on_its_carrier() -> None:
    """Sun and ring with the carrier held are a LossyGear of the ratio -r, also with a table and through stops."""
    table = [[0, 0.8, 0.7, 0.2, 0.1], [5, 0.95, 0.9, 0.3, 0.3]]
    results = []
    for kind in ("planetary", "gear"):
        m = sb.Model(kind)
        sun, ring = m.add("sun", sb.Inertia(J=1.0)), m.add("ring", sb.Inertia(J=2.0))
        if kind == "gear":
            m.add("g", sb.LossyGear(sun, ring, ratio=-3, loss_table=table))
        else:
            m.add("g", sb.Planetary(sun=sun, ring=ring, ratio=3, loss_table=table))
        m.add("drive", sb.Torque(sun, tau=sb.Sine(4.0, f=0.5)))
        results.append(sb.simulate(m, t_end=3.0, tolerance=1e-9))
    assert results[0]["sun.w"] == pytest.approx(results[1]["sun.w"], abs=1e-12)
    assert len(results[0].events) == len(results[1].events) > 1


def test_the_drive_of_a_prescribed_speed_pays_the_losses() -> None:
    """tau = tau_1 with T = -tau_b/2 known: (T + tbf1) / eta1 where the drive pushes."""
    m = sb.Model("winch")
    drive, drum = m.add("drive", sb.Speed(w=sb.Ramp(8.0, duration=2.0, offset=1.0))), m.add("drum", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(drive, drum, ratio=4, loss_table=[[0, 0.8, 0.7, 0.5, 0.4], [10, 0.9, 0.8, 1.0, 0.4]]))
    m.add("load", sb.Torque(drum, tau=-20.0))
    result = sb.simulate(m, t_end=2.0)
    w = np.linspace(1.0, 9.0, len(result.time))
    T = (20.0 + 2.0 * 1.0) / 4  # the load, and what accelerates the drum with 4/4 rad/s2
    assert result["drive.tau"][:-1] == pytest.approx(((T + 0.5 + 0.05 * w) / (0.8 + 0.01 * w))[:-1], rel=1e-12)
    heat = np.trapezoid(result["gear.tau_loss"] * w, result.time)
    assert result.energy.dissipated["gear"] == pytest.approx(heat, rel=1e-5)  # the trapezoidal rule with 500 intervals


def test_the_support_carries_the_difference() -> None:
    """On a housing that a spring holds, the torques into the gear add up to 0, and the housing gets the rest."""
    m = sb.Model("housing")
    a, b, house = (m.add(name, sb.Inertia(J=J)) for name, J in (("a", 0.5), ("b", 4.0), ("house", 1.0)))
    m.add("mount", sb.SpringDamper(house, c=500.0, d=4.0))
    m.add("gear", sb.LossyGear(a, b, house, ratio=3, efficiency=0.85))
    m.add("drive", sb.Torque(a, tau=sb.Sine(5.0, f=0.8)))
    m.add("load", sb.Damper(b, d=0.5))
    result = sb.simulate(m, t_end=4.0, tolerance=1e-9)
    total = result["gear.tau_a"] + result["gear.tau_b"] + result["gear.tau_support"]
    assert total == pytest.approx(0.0, abs=1e-12)
    pull = result["mount.tau"] - result["gear.tau_support"]
    assert 1.0 * result["house.a"] == pytest.approx(pull, abs=1e-10)
    assert result["gear.tau_b"] == pytest.approx(-3 * (result["gear.tau_a"] - result["gear.tau_loss"]), abs=1e-12)


# --- self-locking -----------------------------------------------------------------------------------------------------


def test_a_self_locking_gear_holds_any_load_until_its_drive_turns() -> None:
    """With eta2 = 0 the load alone moves nothing, however large. The drive must overcome (T + tbf1)/eta1 to lift; to
    lower it must push with the bearing torque alone, for the mesh takes all that the load gives."""
    table = [[0, 0.4, 0.0, 0.1, 0.0]]
    for load in (-1.0, -100.0, 1e4):
        held = sb.simulate(pair(table, 0.0, load), t_end=1.0)
        assert held["Inertia2.w"] == pytest.approx(0.0, abs=1e-14 * abs(load))
        assert np.all(held["gear.mode"] == 0)
        assert held["gear.tau_b"] == pytest.approx(load)
    T = 5.0  # a load of 10 N.m behind a ratio of 2
    lift = sb.simulate(pair(table, sb.Ramp(20.0, duration=20.0), -10.0), t_end=20.0)
    assert lift.events[0].time == pytest.approx((T + 0.1) / 0.4, rel=1e-9)
    lower = sb.simulate(pair(table, sb.Ramp(-1.0, duration=1.0), -10.0), t_end=1.0)
    assert lower.events[0].to == "Backward"
    assert lower.events[0].time == pytest.approx(0.0, abs=1e-9)
    assert lower["Inertia1.a"][-1] == pytest.approx(-1.0, rel=1e-9)  # the drive accelerates its own inertia only


def test_a_gear_with_poor_efficiency_holds_a_load_against_friction_of_the_drive() -> None:
    """eta2 = 0.4: the load 10 N.m gives T = 5 N.m, of which 2 N.m arrive at a: less than that slips there."""
    for limit, holds in ((1.99, False), (2.01, True)):
        m = pair([[0, 0.4, 0.4, 0.0, 0.0]], 0.0, -10.0)
        m.add("bearing", sb.Bearing("Inertia1", law=sb.Coulomb(tau_c=limit)))
        result = sb.simulate(m, t_end=1.0)
        assert (np.abs(result["Inertia1.w"]) < 1e-12).all() == holds


# --- an independent solution ------------------------------------------------------------------------------------------


class Reference:
    """The pair solved in the words of Modelica's documentation: loss as a function of tau_a, quadrant by tau_eta."""

    J1, J = 1.0, 1.0 + 1.5 / 4

    def __init__(self, table: list[list[float]], tau_1: Signal, tau_2: Signal) -> None:
        self.table, self.tau_1, self.tau_2 = np.array(table), tau_1, tau_2

    def lines(self, w: float) -> tuple[tuple[float, float], tuple[float, float], float]:
        """Slope and offset of Q1 and Q2, and the torque tbf_a at which they cross."""
        eta1, eta2, tbf1, tbf2 = (np.interp(abs(w), self.table[:, 0], column) for column in self.table[:, 1:].T)
        crossing = 0.5 * tbf1 if eta1 == eta2 == 1 else (tbf1 - tbf2) / (eta1 - 1 / eta2)
        return (1 - eta1, tbf1), (1 - 1 / eta2, tbf2), crossing

    def loss(self, tau_a: float, sign: int, w: float) -> float:
        q1, q2, crossing = self.lines(w)
        k, tbf = q1 if sign * tau_a - crossing >= 0 else q2
        return float(k * tau_a + sign * tbf)

    def acceleration(self, t: float, w: float, sign: int) -> float:
        """tau_a = tau_1 - J1 a and J a = tau_1 + tau_2/2 - loss(tau_a): for each line a linear equation."""
        drive = self.tau_1(t) + self.tau_2(t) / 2
        q1, q2, crossing = self.lines(w)
        for (k, tbf), a_drives in ((q1, True), (q2, False)):
            a = (drive - k * self.tau_1(t) - sign * tbf) / (self.J - k * self.J1)
            tau_a = self.tau_1(t) - self.J1 * a
            if (sign * tau_a - crossing >= 0) == a_drives:
                return float(a)
        raise AssertionError("no quadrant fits")

    def room(self, t: float, sign: int) -> float:
        """What a gear at rest could lose beyond what it loses; tau_a = tau_1 there."""
        return sign * (self.loss(self.tau_1(t), sign, 0.0) - self.tau_1(t) - self.tau_2(t) / 2)

    def run(self, times: np.ndarray, w: float) -> tuple[np.ndarray, list[float]]:
        """Speeds of a, and the times at which its mode changes."""
        t, sign, found, changes = 0.0, int(np.sign(w)), np.full(len(times), np.nan), []
        while t < times[-1]:
            start, before = t, sign
            if sign == 0:
                t, sign = self.rest(t, times[-1])
                found[(times >= start) & (times <= t)] = 0.0
            else:
                part = self.slide(t, times[-1], w, sign)
                t, inside = part.t[-1], (times >= start) & (times <= part.t[-1])
                found[inside] = part.sol(times[inside])[0]
                sign = self.after(t) if part.status == 1 else sign
            w = 0.0
            changes += [t] if sign != before and t > 0 else []
        return found, changes

    def rest(self, t: float, end: float) -> tuple[float, int]:
        """Until when it rests, and in which direction it leaves."""
        scan = np.linspace(t, end, 20001)
        rooms = np.array([[self.room(s, side) for side in (1, -1)] for s in scan])
        out = np.flatnonzero(rooms.min(axis=1) < -1e-12)
        if not len(out):
            return end, 0
        i, sign = max(out[0], 1), 1 if rooms[out[0], 0] < rooms[out[0], 1] else -1
        if self.room(scan[i - 1], sign) < 1e-9:
            return scan[i - 1], sign
        return brentq(self.room, scan[i - 1], scan[i], args=(sign,), xtol=1e-14), sign

    def slide(self, t: float, end: float, w: float, sign: int) -> Any:
        """Until it stops; what stops within the first nanosecond has just begun."""

        def left(s: float, y: np.ndarray) -> float:
            return sign * y[0] if s > t + 1e-9 else 1.0

        left.terminal, left.direction = True, -1  # type: ignore[attr-defined]
        rate = lambda s, y: [self.acceleration(s, y[0], sign)]  # noqa: E731
        return solve_ivp(rate, (t, end), [w], "DOP853", rtol=1e-12, atol=1e-13, events=left, dense_output=True)

    def after(self, t: float) -> int:
        """The mode after a stop: stuck if the loss allows it."""
        return next((side for side in (1, -1) if self.room(t, side) < 0), 0)


TABLES = {
    "half": [[0.0, 0.5, 0.5, 0.0, 0.0]],
    "bearings": [[0.0, 0.9, 0.8, 0.6, 0.4]],
    "by speed": [
        [0.0, 0.6, 0.5, 0.5, 0.3],
        [3.0, 0.9, 0.85, 0.2, 0.2],
        [6.0, 0.95, 0.9, 0.8, 0.5],
        [99.0, 0.5, 0.4, 2.0, 1.0],
    ],
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("w0", [0.0, 4.0])
def test_all_quadrants_against_an_independent_solution(name: str, w0: float) -> None:
    """Two swinging torques drive it through stops, releases and all quadrants. Both solutions are at a tight tolerance;
    knots of the tables and changes of the quadrant are kinks of the reference, which cost it about two digits."""
    times = np.linspace(0.0, 3.0, 301)
    model = pair(TABLES[name], sb.Sine(10.0, f=1.0), sb.Sine(7.0, f=0.45, offset=-4.0), w0=w0 / 2)
    result = sb.simulate(model, times=times, tolerance=1e-11)
    reference = Reference(TABLES[name], lambda t: 10 * np.sin(2 * np.pi * t), lambda t: 7 * np.sin(0.9 * np.pi * t) - 4)
    speeds, changes = reference.run(times, w0)
    assert result["Inertia1.w"] == pytest.approx(speeds, abs=1e-9)
    assert [event.time for event in result.events] == pytest.approx(changes, abs=1e-9)
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput
    assert abs(result.energy.numerical) < 1e-9 * result.energy.throughput


# --- Modelica ---------------------------------------------------------------------------------------------------------


def demo1() -> sb.Model:
    return pair([[0, 0.5, 0.5, 0, 0]], sb.Sine(10.0, f=1.0), sb.Ramp(5.0, duration=2.0, offset=-10.0))


def published(shared: Path, name: str) -> np.ndarray:
    file = shared / "reference" / "msl" / f"Rotational.Examples.{name}" / f"{name}.csv"
    return np.genfromtxt(file, delimiter=",", names=True, deletechars="")


def test_lossy_gear_demo_1(shared: Path) -> None:
    """Every common signal within 1e-4 of its range; the modes change at the same times."""
    data = published(shared, "LossyGearDemo1")
    times, rows = np.unique(data["time"], return_index=True)
    result = sb.simulate(demo1(), times=times)
    for name in ("Inertia2.phi", "Inertia2.w"):
        assert result[name] == pytest.approx(data[name][rows], abs=1e-4 * np.ptp(data[name])), name
    switches = data["time"][1:][np.diff(data["gear.mode"]) != 0]
    assert [event.time for event in result.events] == pytest.approx(switches[switches > 1e-6], abs=1e-5)


def test_lossy_gear_demo_2(shared: Path) -> None:
    """The motion within 1e-4 of its range. While both gear and bearing are stuck their torques are not unique: Modelica
    releases one before the other without any motion; here they break away together, when the motion begins there."""
    data = published(shared, "LossyGearDemo2")
    times, rows = np.unique(data["time"], return_index=True)
    model = demo1()
    model.add("bearing", sb.Bearing("Inertia1", law=sb.FrictionTable(speed=[0, 1], mu=[0.5, 1], peak=1)))
    result = sb.simulate(model, times=times)
    for name in ("Inertia2.phi", "Inertia2.w"):
        assert result[name] == pytest.approx(data[name][rows], abs=1e-4 * np.ptp(data[name])), name
    begins = [event.time for event in result.events if event.element == "gear" and event.from_ == "Stuck"]
    both = (data["gear.mode"] != 0) & (data["bearingFriction.mode"] != 0)
    assert begins == pytest.approx(list(data["time"][1:][np.diff(both.astype(int)) > 0][1:]), abs=1e-6)
    exact = brentq(lambda t: 10 * np.sin(2 * np.pi * t) - 0.5 - (10 - 2.5 * t), 0.2, 0.25)  # tau_1 = bearing + 2 T
    assert begins[0] == pytest.approx(exact, abs=1e-11)  # 1e-11 of its limit counts as room of a contact that shares
    rest = (result.time > 0.07) & (result.time < 0.23)
    T = (result["gear.tau_a"] - result["gear.tau_loss"])[rest]
    assert pytest.approx(5 - 1.25 * result.time[rest], rel=1e-12) == T
    assert (result["bearing.tau"] + result["gear.tau_a"])[rest] == pytest.approx(result["torque1.tau"][rest], abs=1e-9)
    assert np.all(np.abs(result["bearing.tau"][rest]) <= 0.5 * (1 + 1e-9))
    assert np.all((result["gear.tau_loss"][rest] <= T * (1 + 1e-9)) & (result["gear.tau_loss"][rest] >= -0.5 * T))


def test_a_rebound_behind_a_gear_turns_it_round() -> None:
    """At the stop the speed jumps through 0: the gear runs backwards then, it does not catch.

    Until b stops, a gives its 2 N.m.s through the gear: P = 2 + 2 * 0.8 * 2 = 5.2 N.m.s. Half of that comes back, and
    moves b with 2 and, through the gear, a with 2^2/0.8: w_b = -2.6/7 rad/s. The gear loses 0.2 of what enters it.
    """
    m = sb.Model("rebound")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=2.0)), m.add("b", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(a, b, ratio=2.0, efficiency=0.8))
    m.add("end", sb.Stop(b, phi_max=0.5, restitution=0.5))
    result = sb.simulate(m, 1.0)
    w_b = 2.6 / 7
    assert result["a.w"][-1] == pytest.approx(-2 * w_b, rel=1e-12)
    end = 5.2 * 0.5 - 2.6 * 0.5 * w_b  # impulse times mean speed
    gear = (2 - 1.6) * 1.0 + 0.2 * (2 * w_b / 0.8) * w_b
    assert result.energy.dissipated == {"end": pytest.approx(end, rel=1e-12), "gear": pytest.approx(gear, rel=1e-12)}
    assert abs(result.energy.residual) < 1e-14  # J, of 3 J


# --- at a fixed step --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(("tau_a", "tau_b", "eta"), [(6.0, -3.0, 0.8), (-1.0, 8.0, 1 / 0.6), (0.0, 5.0, 1 / 0.6)])
def test_four_quadrants_at_a_fixed_step(direction: int, tau_a: float, tau_b: float, eta: float) -> None:
    """Under constant torques a step is exact: see test_accelerations_in_the_four_quadrants."""
    J1, J2 = 1.0, 1.5
    model = pair([[0, 0.8, 0.6, 0, 0]], direction * tau_a, direction * tau_b, w0=direction * 10.0)
    stepper = model.realtime(h=1e-3)
    stepper.step(100)
    acceleration = direction * (2 * eta * tau_a + tau_b) / (2 * eta * J1 + J2 / 2)
    transmitted = direction * tau_a - J1 * acceleration
    assert stepper["Inertia1.w"] == pytest.approx(direction * 20.0 + 0.1 * acceleration, rel=1e-12)
    assert stepper["gear.tau_a"] == pytest.approx(transmitted, rel=1e-10)
    assert stepper["gear.tau_b"] == pytest.approx(-2 * eta * transmitted, rel=1e-10)
    assert stepper["gear.tau_loss"] == pytest.approx((1 - eta) * transmitted, rel=1e-10)


def test_a_self_locking_gear_at_a_fixed_step() -> None:
    """It holds any load; the drive lifts at (T + tbf1)/eta1, within a step; lowering, it moves its own inertia only."""
    table = [[0, 0.4, 0.0, 0.1, 0.0]]
    for load in (-1.0, -100.0, 1e4):
        held = pair(table, 0.0, load).realtime(h=1e-3)
        held.step(1000)
        assert abs(held["Inertia2.w"]) < 1e-14
        assert held.modes["gear"] == "Stuck"
        assert held["gear.tau_b"] == pytest.approx(load)
    lift = pair(table, sb.Ramp(20.0, duration=20.0), -10.0).realtime(h=1e-3).run(t_end=14.0)
    assert lift.events[0].time == pytest.approx((5.0 + 0.1) / 0.4, abs=1.5e-3)
    lower = pair(table, sb.Ramp(-1.0, duration=1.0), -10.0).realtime(h=1e-3)
    lower.step(1000)
    assert lower.modes["gear"] == "Backward"
    assert lower["Inertia1.a"] == pytest.approx(-1.0, abs=1e-3)


@pytest.mark.parametrize("limit", [1.99, 2.01])
def test_a_load_held_against_friction_of_the_drive_at_a_fixed_step(limit: float) -> None:
    """See test_a_gear_with_poor_efficiency_holds_a_load_against_friction_of_the_drive."""
    m = pair([[0, 0.4, 0.4, 0.0, 0.0]], 0.0, -10.0)
    m.add("bearing", sb.Bearing("Inertia1", law=sb.Coulomb(tau_c=limit)))
    stepper = m.realtime(h=1e-3)
    stepper.step(1000)
    assert stepper.statistics.capped == 0
    if limit > 2.0:
        assert stepper["Inertia1.w"] == 0.0
    else:
        assert stepper["Inertia1.w"] == pytest.approx(sb.simulate(m, t_end=1.0)["Inertia1.w"][-1], rel=1e-9)


@pytest.mark.parametrize("name", TABLES)
def test_all_quadrants_at_a_fixed_step(name: str) -> None:
    """Against the independent solution: 0.1 % of the range at 1 ms, falling with the step; changes of the mode in their
    step or the next."""
    times = np.linspace(0.0, 3.0, 301)
    model = pair(TABLES[name], sb.Sine(10.0, f=1.0), sb.Sine(7.0, f=0.45, offset=-4.0), w0=2.0)
    reference = Reference(TABLES[name], lambda t: 10 * np.sin(2 * np.pi * t), lambda t: 7 * np.sin(0.9 * np.pi * t) - 4)
    speeds, changes = reference.run(times, 4.0)
    errors = []
    for h in (1e-3, 2.5e-4):
        stepper = model.realtime(h=h)
        result = stepper.run(t_end=3.0, every=round(1e-2 / h))
        errors.append(float(np.abs(result["Inertia1.w"] - speeds).max() / np.ptp(speeds)))
        found = np.array([event.time for event in result.events])  # a gear that turns round rests for a step
        assert all(np.abs(found - t).min() < 2 * h for t in changes)
        assert all(np.abs(changes - t).min() < 2 * h for t in found)
        assert stepper.statistics.capped == 0
        assert abs(stepper.energy.residual) < 1e-12 * stepper.energy.throughput
    assert errors[0] < 1e-3
    assert errors[1] < errors[0] / 2  # the instants of sticking lie anywhere in a step


def test_gear_and_bearing_at_a_fixed_step() -> None:
    """LossyGearDemo2 of Modelica, where both are stuck together, against the adaptive run: 0.2 % of the range."""
    model = demo1()
    model.add("bearing", sb.Bearing("Inertia1", law=sb.FrictionTable(speed=[0, 1], mu=[0.5, 1], peak=1)))
    adaptive = sb.simulate(model, t_end=1.0, intervals=100)
    stepper = model.realtime(h=1e-3)
    result = stepper.run(t_end=1.0, every=10)
    assert stepper.statistics.capped == 0
    for name in ("Inertia2.phi", "Inertia2.w"):
        assert result[name] == pytest.approx(adaptive[name], abs=2e-3 * np.ptp(adaptive[name])), name


def test_a_rebound_behind_a_gear_at_a_fixed_step() -> None:
    """See test_a_rebound_behind_a_gear_turns_it_round."""
    m = sb.Model("rebound")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=2.0)), m.add("b", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(a, b, ratio=2.0, efficiency=0.8))
    m.add("end", sb.Stop(b, phi_max=0.5, restitution=0.5))
    stepper = m.realtime(h=1e-3)
    stepper.step(1000)
    assert stepper["a.w"] == pytest.approx(-2 * 2.6 / 7, rel=1e-12)


def test_gears_behind_a_bearing_that_breaks_away_begin_to_turn_once() -> None:
    """Coulomb friction breaks away without any acceleration: while the gears are slower than rounding of what comes
    later, the side that drives them is decided by rounding too, which must not stop them again. Then the ramp of 1
    N.m/s less 0.09 N.m accelerates J + sum of J_k/(ratio_k^2 efficiency_k)."""
    m = sb.Model("breaks away", t_end=0.2)
    shaft = m.add("shaft", sb.Inertia(J=0.2175))
    m.add("drive", sb.Torque(shaft, tau=sb.Ramp(height=1, duration=1)))
    m.add("friction", sb.Bearing(shaft, law=sb.Coulomb(mu_c=0.09)))
    moved = 0.2175
    for k, (inertia, ratio, efficiency) in enumerate([(0.068, 3.22, 0.879), (0.1878, 3.377, 0.909)]):
        m.add(
            f"gear{k}",
            sb.LossyGear(shaft, m.add(f"wheel{k}", sb.Inertia(J=inertia)), ratio=ratio, efficiency=efficiency),
        )
        moved += inertia / (ratio**2 * efficiency)
    result = sb.simulate(m, tolerance=1e-9)
    assert sorted(event.element for event in result.events) == ["friction", "gear0", "gear1"]
    t = np.maximum(result.time - 0.09, 0)
    assert result["shaft.w"] == pytest.approx(t**2 / 2 / moved, abs=1e-9)


def test_a_gear_behind_a_stuck_bearing_agrees_at_once_at_a_fixed_step() -> None:
    """Nothing moves and the gear transmits nothing but rounding of the torque that the bearing holds: its limits, which
    are a share of that, decide nothing."""
    m = sb.Model("at rest")
    shaft = m.add("shaft", sb.Inertia(J=1.83))
    m.add("drive", sb.Torque(shaft, tau=sb.Sine(amplitude=0.9, f=0.6)))
    m.add("friction", sb.Bearing(shaft, law=sb.Stribeck(mu_c=0.72, mu_s=0.98, v_s=0.44)))
    m.add("light", sb.Inertia(J=0.14))
    m.add("first", sb.Gear(shaft, "light", ratio=3.92))
    m.add("wheel", sb.Inertia(J=0.063))
    m.add("gear", sb.LossyGear(shaft, "wheel", ratio=2.164, efficiency=0.967))
    m.add("spring", sb.SpringDamper("wheel", m.add("load", sb.Inertia(J=0.124)), c=63, d=0.13))
    result = m.realtime(1e-3).run(t_end=1.5)
    assert result.statistics.capped == 0
    assert not result.events
    assert np.abs(result["load.w"]).max() < 1e-15


def test_a_gear_behind_a_clutch_with_bristles_at_a_fixed_step() -> None:
    """Bristles that are bent further than the slip keeps them give way the more, the faster they slide: their torque
    falls, faster than the step can follow. That is no slope to look for an answer with."""
    m = sb.Model("behind bristles")
    m.add("motor", sb.Inertia(J=1.8))
    m.add("drive", sb.Torque("motor", tau=sb.Square(amplitude=40.0, f=0.76)))
    m.add("spring", sb.SpringDamper("motor", m.add("hub", sb.Inertia(J=0.04)), c=78.0, d=0.1))
    law = sb.LuGre(sigma0=5000.0, sigma1=30.0, mu_c=0.4, mu_s=0.5, v_s=0.1)
    closes = sb.Ramp(height=1, start=0.1, duration=0.4)
    m.add("clutch", sb.Clutch("hub", m.add("shaft", sb.Inertia(J=0.46)), law=law, fn_max=25.0, f_normalized=closes))
    m.add("gear", sb.LossyGear("shaft", m.add("load", sb.Inertia(J=0.06)), ratio=1.7, efficiency=0.75))
    stepped, exact = m.realtime(1e-3).run(t_end=1.5), sb.simulate(m, 1.5, intervals=1500)
    assert stepped.statistics.capped == 0
    for name, share in {"motor.w": 0.002, "shaft.w": 0.01}.items():  # capped steps have 0.016 and 0.07
        assert np.abs(stepped[name] - exact[name]).max() < share * np.ptp(exact[name])
