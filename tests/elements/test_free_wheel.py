"""Free-wheels and one-way clutches, case by case with the reasoning written out."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import stribeck as sb
from stribeck.laws import all_laws


def run(m: sb.Model, t_end: float, **options: object) -> sb.Result:
    """A run whose ledger closes to rounding."""
    result = sb.simulate(m, t_end, **{"tolerance": 1e-10} | options)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput
    return result


def changes(result: sb.Result) -> list[tuple[str, float]]:
    return [(event.to, event.time) for event in result.events]


def pair(element: sb.elements.Element, tau: object, w: tuple[float, float] = (0.0, 0.0)) -> sb.Model:
    """J = 1 at a and J = 3 at b, and a torque on a."""
    m = sb.Model("pair")
    m.add("a", sb.Inertia(J=1, w0=w[0]))
    m.add("b", sb.Inertia(J=3, w0=w[1]))
    m.add("drive", sb.Torque("a", tau=tau))
    m.add("wheel", element)
    return m


# --- free-wheels -----------------------------------------------------------------------------------------------------


def test_drives_lets_overrun_and_drives_again() -> None:
    """2 N.m on 1 + 3 kg.m2: 0.5 rad/s2, of which the wheel carries 1.5 N.m. From 1 s on -2 N.m: a slows down alone to
    -1.5 rad/s at 2 s, while b keeps its 0.5 rad/s. From 2 s on 2 N.m again: a meets b at 3 s and takes it along."""
    tau = sb.Table(time=[0, 1, 2], value=[2, -2, 2], between="hold")
    result = run(pair(sb.FreeWheel("a", "b"), tau), 4.0)
    assert changes(result) == [("Forward", pytest.approx(1)), ("Stuck", pytest.approx(3))]
    time = np.asarray(result.time)
    assert result["a.w"] == pytest.approx(np.interp(time, [0, 1, 2, 3, 4], [0, 0.5, -1.5, 0.5, 1]), abs=1e-9)
    assert result["b.w"] == pytest.approx(np.interp(time, [0, 1, 3, 4], [0, 0.5, 0.5, 1]), abs=1e-9)
    locked = (time < 1) | (time > 3)
    assert result["wheel.tau"][locked] == pytest.approx(-1.5)
    assert not np.any(result["wheel.tau"][~locked & (time > 1) & (time < 3)])
    assert result.energy.dissipated.get("wheel", 0.0) == pytest.approx(0, abs=1e-12)


def test_a_start_the_wrong_way_is_an_impulse() -> None:
    """a is faster than b by 4 rad/s, which cannot be: they start with the common speed 1 rad/s that the momentum gives;
    1/2 3/4 16 = 6 J are lost."""
    result = run(pair(sb.FreeWheel("a", "b"), 0, w=(4.0, 0.0)), 1.0)
    assert result["a.w"] == pytest.approx(1) and result["b.w"] == pytest.approx(1)
    assert result.energy.dissipated["wheel"] == pytest.approx(6)


def test_a_start_the_right_way_overruns() -> None:
    result = run(pair(sb.FreeWheel("a", "b"), 0, w=(0.0, 4.0)), 1.0)
    assert not len(result.events) and not np.any(result["wheel.tau"])
    assert result["b.w"] == pytest.approx(4)


def test_a_backstop() -> None:
    """Against the ground it holds any torque one way: a winch does not fall, and turns the other way freely."""
    m = sb.Model("winch")
    wall, drum = m.add("wall", sb.Fixed()), m.add("drum", sb.Inertia(J=2))
    m.add("load", sb.Torque(drum, tau=sb.Ramp(1e6 + 1e5, duration=11.0, offset=-1e6)))
    m.add("stop", sb.FreeWheel(wall, drum))
    result = run(m, 10.5)
    assert changes(result) == [("Forward", pytest.approx(10))]
    assert result["stop.tau"][0] == pytest.approx(-1e6)
    assert result["drum.w"][-1] == pytest.approx(0.5 * 1e5 * 0.25 / 2)


def test_two_the_other_way_round_are_rigid() -> None:
    m = pair(sb.FreeWheel("a", "b"), sb.Sine(amplitude=5, f=1))
    m.add("other", sb.FreeWheel("b", "a"))
    result = run(m, 1.3)
    assert result["b.w"] == pytest.approx(5 / 4 * (1 - np.cos(2 * pi * np.asarray(result.time))) / (2 * pi), abs=1e-9)
    assert result["a.w"] == pytest.approx(np.asarray(result["b.w"]), abs=1e-14)
    carried = np.asarray(result["wheel.tau"]) - np.asarray(result["other.tau"])
    assert carried == pytest.approx(-3 * np.asarray(result["b.a"]), abs=1e-9)
    assert max(result["wheel.tau"].max(), result["other.tau"].max()) < 1e-9


# --- against prescribed motions --------------------------------------------------------------------------------------


def ratchet(friction: float) -> sb.Model:
    """A pendulum sin(t) drives a wheel one way."""
    m = sb.Model("ratchet")
    m.add("pendulum", sb.Speed(w=sb.Sine(amplitude=1, f=1 / (2 * pi))))
    m.add("wheel", sb.Inertia(J=2))
    m.add("hub", sb.FreeWheel("pendulum", "wheel"))
    if friction:
        m.add("brake", sb.Bearing("wheel", law=sb.Coulomb(tau_c=friction)))
    return m


def test_a_ratchet_without_friction_keeps_the_highest_speed() -> None:
    """The wheel follows sin(t) up to 1 rad/s at pi/2, and keeps that; the pendulum has given 1 J."""
    result = run(ratchet(0.0), 7.0)
    time = np.asarray(result.time)
    assert result["wheel.w"] == pytest.approx(np.sin(np.minimum(time, pi / 2)), abs=1e-9)
    assert changes(result)[0] == ("Forward", pytest.approx(pi / 2, abs=1e-7))
    early = time < pi / 2
    assert result["hub.tau"][early] == pytest.approx(-2 * np.cos(time[early]), abs=1e-7)
    assert result.energy.input["pendulum"] == pytest.approx(1, rel=1e-8)


def test_a_ratchet_with_friction() -> None:
    """The wheel leaves the pendulum where that slows down faster than friction does: 2 cos(t) = -0.3. Then
    w = w1 - 0.15 (t - t1) until the pendulum comes again, w = sin(t), which is a root."""
    leaves = np.arccos(-0.15)
    meets = brentq(lambda t: np.sin(t) - np.sin(leaves) + 0.15 * (t - leaves), 6.0, 7.5, xtol=1e-14)
    result = run(ratchet(0.3), 7.9)
    hub = [(event.to, event.time) for event in result.events if event.element == "hub"]
    assert hub[:2] == [("Forward", pytest.approx(leaves, abs=1e-8)), ("Stuck", pytest.approx(meets, abs=1e-8))]
    free = (np.asarray(result.time) > leaves) & (np.asarray(result.time) < meets)
    assert result["wheel.w"][free] == pytest.approx(
        np.sin(leaves) - 0.15 * (np.asarray(result.time)[free] - leaves), abs=1e-8
    )
    assert result["wheel.w"][-1] == pytest.approx(np.sin(7.9), abs=1e-8)


def test_a_prescribed_speed_that_jumps_passes_an_impulse() -> None:
    """From 1 to 3 rad/s: the impulse 4 N.m.s at 3 rad/s is 12 J of work; 8 J stay in the wheel, 4 J are lost. A jump
    back does nothing to it."""
    m = sb.Model("jerk")
    m.add("pull", sb.Speed(w=sb.Table(time=[0, 1, 2], value=[1, 3, -2], between="hold")))
    m.add("wheel", sb.Inertia(J=2, w0=1))
    m.add("hub", sb.FreeWheel("pull", "wheel"))
    result = run(m, 3.0)
    assert result["wheel.w"] == pytest.approx(np.where(np.asarray(result.time) < 1, 1, 3))
    assert result.energy.input["pull"] == pytest.approx(12)
    assert result.energy.dissipated["hub"] == pytest.approx(4)


def test_what_cannot_be_is_an_error_that_names_the_element() -> None:
    m = sb.Model("blocked")
    m.add("a", sb.Speed(w=sb.Ramp(1, 1, start=1)))
    wall = m.add("wall", sb.Fixed())
    m.add("hub", sb.FreeWheel("a", wall))
    with pytest.raises(sb.SimulationError, match=r"at hub: it is driven against the direction that it blocks") as error:
        sb.simulate(m, 3.0)
    assert error.value.element == "hub"


# --- one-way clutches ------------------------------------------------------------------------------------------------

LAW = sb.Switch(mu_c=0.4, mu_s=0.5)


def clutch(**values: object) -> sb.OneWayClutch:
    return sb.OneWayClutch("a", "b", **{"law": LAW, "fn_max": 10} | values)


def test_the_clutch_brakes_what_overruns() -> None:
    """b overruns by 8 rad/s: 4 N.m bring that down by 4 + 4/3 rad/s2 in 1.5 s; then both turn as one."""
    result = run(pair(clutch(), 0, w=(0.0, 8.0)), 3.0)
    assert changes(result) == [("Stuck", pytest.approx(1.5))]
    assert result["a.w"][-1] == pytest.approx(6)
    assert result["wheel.tau"][0] == pytest.approx(4)
    assert result.energy.dissipated["wheel"] == pytest.approx(0.5 * 0.75 * 64)


@pytest.mark.parametrize("u", [1.0, 0.0, -1.0])
def test_it_drives_without_limit_whether_open_or_closed(u: float) -> None:
    """400 N.m on a is 100 times what the clutch could hold; as it grows less and turns, the clutch holds up to 5 N.m
    against overrunning: 3/4 of 6.67 N.m. Open, nothing holds."""
    m = pair(clutch(f_normalized=u), sb.Ramp(-500, duration=5, offset=400))
    result = run(m, 4.5)
    limit = max(u, 0) * 5
    assert changes(result)[0] == ("Forward", pytest.approx(4 + limit * 4 / 300, abs=1e-9))
    assert result["wheel.tau"][0] == pytest.approx(-300)
    assert result["wheel.tau"][-1] == pytest.approx(4 * max(u, 0))


def test_a_load_that_ends_while_it_is_stuck() -> None:
    """Held against overrunning by 3 N.m: the force that falls from 10 N to 0 within 1 s breaks away at mu_s fn = 3. The
    same clutch that drives does not care."""
    for tau, expected in ((-4.0, [("Forward", pytest.approx(0.4))]), (4.0, [])):
        result = run(pair(clutch(f_normalized=sb.Ramp(-1, 1, offset=1)), tau), 2.0)
        assert changes(result) == expected


def test_beside_a_brake() -> None:
    """A one-way clutch against the ground holds a planet carrier backwards, a brake beside it both ways up to 5 N.m.
    Forward 6 N.m tear the brake loose, 4 N.m do not; backwards 60 N.m do not: the brake has at most its limit, and
    both together carry what there is. With the brake open the carrier turns forward at once."""
    for tau, u, moves in ((4, 1, False), (6, 1, True), (-60, 1, False), (-60, 0, False), (0.1, 0, True)):
        m = sb.Model("carrier")
        wall, carrier = m.add("wall", sb.Fixed()), m.add("carrier", sb.Inertia(J=1))
        m.add("load", sb.Torque(carrier, tau=tau))
        m.add("one_way", sb.FreeWheel(wall, carrier))
        m.add("brake", sb.Brake(carrier, law=LAW, fn_max=10, f_normalized=u))
        result = run(m, 1.0)
        assert result["carrier.w"][-1] == pytest.approx((tau - 4 * u) * moves, abs=1e-12)  # stuck but for rounding
        assert abs(result["brake.tau"]).max() <= 5 * u * (1 + 1e-9)
        assert result["one_way.tau"].max() <= 1e-9
        if not moves:
            assert np.asarray(result["brake.tau"]) + np.asarray(result["one_way.tau"]) == pytest.approx(tau)


def test_in_series_the_weaker_one_slides() -> None:
    """Two one-way clutches after one another with 5 and 2.5 N.m against overrunning: the weaker one breaks away."""
    m = sb.Model("series")
    for name, J in (("a", 1.0), ("link", 0.1), ("b", 3.0)):
        m.add(name, sb.Inertia(J=J))
    m.add("strong", sb.OneWayClutch("a", "link", law=LAW, fn_max=10))
    m.add("weak", sb.OneWayClutch("link", "b", law=LAW, fn_max=5))
    m.add("pull", sb.Torque("b", tau=sb.Ramp(10, duration=1)))
    result = run(m, 1.0)
    # b pulls link and a along: the weak one carries 1.1/4.1 of the torque, 2.5 N.m at 2.5 4.1/11 s
    assert changes(result) == [("Forward", pytest.approx(2.5 * 4.1 / 11))]
    assert result.events[0].element == "weak"
    assert result["strong.tau"][-1] == pytest.approx(2 / 1.1)


# --- every law -------------------------------------------------------------------------------------------------------

BRISTLE = {"sigma0": 2000.0, "sigma1": 4.0, "mu_c": 0.3, "mu_s": 0.4, "v_s": 0.2}


def test_bristles_yield_backwards_with_c_max() -> None:
    """Aberger and Otter 2002, (16), pressed or not: bristles that bend slowly up to z have let the body turn by phi =
    -z_max ln(1 - z/z_max), the integral of dz/dphi = 1 - z/z_max with z_max = mu_s/sigma0. With 30 N.m z/z_max is
    30/(c_max mu_s cgeo fn_max) = 3/8; sliding backwards they hold c_max mu_c cgeo fn_max = 60 N.m."""
    for u in (1.0, 0.0):
        m = sb.Model("bristles")
        wall, body = m.add("wall", sb.Fixed()), m.add("body", sb.Inertia(J=0.05))
        m.add("push", sb.Torque(body, tau=sb.Ramp(-30, duration=0.5)))
        m.add("oil", sb.Damper(body, d=1))
        law = sb.LuGre(**BRISTLE)
        m.add("sprag", sb.OneWayClutch(wall, body, law=law, fn_max=10, cgeo=0.5, f_normalized=u, c_max=40))
        result = run(m, 2.0)
        assert result["body.phi"][-1] == pytest.approx(2e-4 * np.log(1 - 3 / 8), rel=1e-5)
        assert result["sprag.tau"][-1] == pytest.approx(-30, rel=1e-6)
    slips = sb.Model("slips")
    wall, body = slips.add("wall", sb.Fixed()), slips.add("body", sb.Speed(w=-3))
    slips.add("sprag", sb.OneWayClutch(wall, body, law=sb.LuGre(**BRISTLE), fn_max=10, cgeo=0.5, c_max=40))
    assert run(slips, 1.0)["sprag.tau"][-1] == pytest.approx(-40 * 0.3 * 5, rel=1e-6)


def test_a_bristle_one_way_clutch_against_its_equations() -> None:
    """LuGre under a load that depends on the sign of the friction, solved by SciPy from the formulas."""
    J, fn, c_max, p = 0.3, 6.0, 20.0, BRISTLE

    def friction(z, w):
        g = p["mu_c"] + (p["mu_s"] - p["mu_c"]) * np.exp(-((w / p["v_s"]) ** 2))
        rate = w - p["sigma0"] * abs(w) / g * z
        unit = p["sigma0"] * z + p["sigma1"] * rate
        return unit * fn * (1.0 if unit > 0 else c_max), rate

    def rates(t, y):
        tau, rate = friction(y[1], y[0])
        return (6.0 * np.sin(2 * pi * t) - tau) / J, rate

    m = sb.Model("sprag")
    wall, body = m.add("wall", sb.Fixed()), m.add("body", sb.Inertia(J=J))
    m.add("push", sb.Torque(body, tau=sb.Sine(amplitude=6, f=1)))
    m.add("sprag", sb.OneWayClutch(wall, body, law=sb.LuGre(**p), fn_max=fn, c_max=c_max))
    times = np.linspace(0, 2, 201)
    result = sb.simulate(m, times=times, tolerance=1e-10)
    expected = solve_ivp(rates, (0, 2), (0, 0), "Radau", times, rtol=1e-9, atol=1e-12, max_step=1e-3)
    assert expected.y[0].max() > 1
    assert result["body.w"] == pytest.approx(expected.y[0], abs=1e-6 * np.ptp(expected.y[0]))  # kinks cost SciPy that
    assert result["sprag.z"] == pytest.approx(expected.y[1], abs=1e-5 * np.ptp(expected.y[1]))


DAMPED = {"bristle": {"mu_v": 0.5}}
"""Bristles bend by 0.01 rad when they catch, at up to 0.4 rad/s, and swing for long unless something damps them."""


@pytest.mark.parametrize("name", all_laws())
def test_every_law_overruns_as_a_clutch_and_drives(name: str) -> None:
    """Slip that never turns back is that of a clutch; a torque that drives is carried by laws that lock without slip,
    by others with little: their friction is 1000 times that of the clutch."""
    law = all_laws()[name](**DAMPED.get(name, {}))
    for tau, kinds in ((-2.0, (sb.Clutch, sb.OneWayClutch)), (8.0, (sb.OneWayClutch,))):
        speeds = []
        for kind in kinds:
            more = {"c_max": 1000.0} if kind is sb.OneWayClutch else {}
            result = run(pair(kind("a", "b", law=law, fn_max=1.0, **more), tau, w=(0.0, 5.0)), 1.0, tolerance=1e-8)
            speeds.append(np.asarray(result["b.w"]))
            if tau > 0:
                assert result["wheel.w_rel"].min() > (-0.05 if name not in DAMPED else -0.4)
                assert result["a.w"][-1] == pytest.approx(23 / 4, abs=0.05)  # the momentum, shared
        if tau < 0:
            assert speeds[0] == pytest.approx(speeds[1], abs=1e-5)
