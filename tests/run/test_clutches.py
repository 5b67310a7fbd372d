"""Clutches and brakes: four inertias with three clutches against the exact solution, and what clutches must do."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb

# Closed-form solution, phase by phase, with the switching instants by root finding to about 1e-15 s: time, the speeds
# of J1 to J4, and what happens. It was computed for these tests.
SWITCHES = """
0.4               6.1663260707015   3.8336739292985   0                 0                   clutch2 Backward
0.709621474693747 4.42975935893334  3.09621474693747  3.09621474693747  0                   clutch2 Stuck
0.791662359154816 3.33695243261066  3.33695243261066  3.33695243261066  0                   clutch1 Stuck
0.831108506137653 3.38009722037087  3.38009722037086  3.38009722037087  0                   clutch1 Backward
0.9               3.55650056663025  3.54005960286867  3.54005960286867  0                   clutch3 Backward
0.90685019279788  3.52025842146514  3.52025842146514  3.52025842146514  0.0685019279788002  clutch1 Stuck
1.00029585989464  2.99901838353942  2.99901838353942  2.99901838353942  1.00295859894639    clutch1 Backward
1.14396749247317  3.05924972303984  2.43967492473166  2.43967492473166  2.43967492473166    clutch3 Stuck
1.25              2.928748386235    2.4631871666496   2.4631871666496   2.4631871666496     clutch1 Free
"""
END = [3.2470582724188, 2.4631871666496, 2.4631871666496, 2.4631871666496]
ROWS = [line.split() for line in SWITCHES.strip().splitlines()]
TIMES = np.array([float(row[0]) for row in ROWS])
SPEEDS = np.array([[float(word) for word in row[1:5]] for row in ROWS] + [END])


@pytest.mark.parametrize(
    ("tolerance", "speed", "time"), [(1e-12, 1e-8, 1e-10), (None, 6.6e-5, 1e-6)], ids=["tight", "default"]
)
@pytest.mark.parametrize("solver", ["auto", "dopri5", "rodas5p"])
def test_coupled_clutches(tolerance: float | None, speed: float, time: float, solver: str) -> None:
    options = {"tolerance": tolerance} if tolerance else {}
    m = sb.load_model("coupled-clutches")
    result = sb.simulate(m, times=np.array([0.0, *TIMES, 1.5]), solver=solver, **options)
    found = np.stack([np.asarray(result[f"J{i}.w"]) for i in (1, 2, 3, 4)], axis=1)[1:]
    assert [[event.element, event.to] for event in result.events] == [row[5:] for row in ROWS]
    assert np.abs(np.array(result.events.time) - TIMES).max() < time
    assert np.abs(found - SPEEDS).max() < speed
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput


OPENING = sb.Sine(amplitude=1.0, f=1.0, offset=0.2)
LAWS = {
    "lugre": sb.LuGre(sigma0=1e3, sigma1=3.0, sigma2=0.02, mu_c=0.3, mu_s=0.4, v_s=0.1),
    "elasto-plastic": sb.ElastoPlastic(sigma0=1e3, sigma1=3.0, sigma2=0.02, mu_c=0.3, mu_s=0.4, v_s=0.1, z_ba=1e-4),
    "modified": sb.ModifiedElastoPlastic(sigma0=1e3, sigma1=3.0, sigma2=0.02, mu_c=0.3, mu_s=0.4, v_s=0.1),
    "dahl": sb.Dahl(sigma0=1e3, mu_c=0.3),
    "hybrid": sb.Hybrid(mu_c=0.3, mu_s=0.4),
    "karnopp": sb.Karnopp(mu_c=0.3, mu_s=0.4),
    "switch": sb.Switch(mu_c=0.3, mu_s=0.4, mu_v=0.01),
    "stribeck": sb.Stribeck(mu_c=0.3, mu_s=0.4, v_s=0.1),
    "tanh": sb.Tanh(mu_c=0.3),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("w0", [20.0, -20.0])
def test_a_clutch_opens_and_closes_with_every_kind_of_law(law: str, w0: float) -> None:
    """Both directions; the energy is accounted for, and the momentum that the clutch passes on is not lost."""
    m = sb.Model("clutch")
    motor = m.add("motor", sb.Inertia(J=0.5, w0=w0))
    car = m.add("car", sb.Inertia(J=2.0))
    m.add("clutch", sb.Clutch(motor, car, law=LAWS[law], fn_max=40.0, f_normalized=OPENING))
    m.add("push", sb.Torque(motor, tau=2.0))
    result = sb.simulate(m, t_end=3.0, tolerance=1e-8)
    momentum = 0.5 * np.asarray(result["motor.w"]) + 2.0 * np.asarray(result["car.w"])
    assert momentum == pytest.approx(0.5 * w0 + 2.0 * np.asarray(result.time), abs=1e-6)
    opened = OPENING.bind("1", "u").at
    tau = np.asarray(result["clutch.tau"])
    free = np.array([opened(t) < -1e-3 for t in result.time])
    assert free.any() and not tau[free].any()
    assert np.abs(tau).max() > 5.0
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


def test_a_clutch_to_a_brake_that_stands_is_a_brake() -> None:
    """Positive tau brakes flange b of a clutch and the flange of a brake."""
    m = sb.Model("signs")
    wall = m.add("wall", sb.Fixed())
    for name in ("one", "two"):
        m.add(name, sb.Inertia(J=1, w0=3))
    m.add("brake", sb.Brake("one", law=sb.Coulomb(mu_c=0.4), fn_max=10, cgeo=0.1))
    m.add("clutch", sb.Clutch(wall, "two", law=sb.Coulomb(mu_c=0.4), fn_max=10, cgeo=0.1))
    result = sb.simulate(m, t_end=2.0)
    assert np.asarray(result["brake.tau"])[-1] == pytest.approx(0.4)
    for name in ("tau", "w_rel", "phi_rel", "mode"):
        assert np.array_equal(np.asarray(result[f"brake.{name}"]), np.asarray(result[f"clutch.{name}"]))


def test_a_controller_may_press_the_clutch() -> None:
    """The normal force follows a sensor: it grows with the speed of the motor, as in a centrifugal clutch."""
    m = sb.Model("centrifugal")
    motor = m.add("motor", sb.Inertia(J=0.1))
    load = m.add("load", sb.Inertia(J=1.0))
    m.add("drive", sb.Torque(motor, tau=2.0))
    pressed = (motor.sensor("w") / 10.0) ** 2 - 1.0
    m.add("clutch", sb.Clutch(motor, load, law=sb.Coulomb(mu_c=0.3), fn_max=10, f_normalized=pressed))
    result = sb.simulate(m, t_end=1.0)
    assert result.events.time[0] == pytest.approx(0.5, abs=1e-6)
    assert next(event.to for event in result.events) == "Backward"


PEAKED = sb.LuGre(sigma0=200.0, sigma1=2.0, mu_c=0.3, mu_s=0.3)
FN, SLIP = 40.0, 5.0


def engaged(engage: str, f_normalized: sb.signals.Signal, law: sb.laws.Law = PEAKED, slip: float = SLIP) -> sb.Result:
    """A clutch at constant slip: closed for 1 s, open for 1 s, and closed again."""
    m = sb.Model("engage")
    wall, drive = m.add("wall", sb.Fixed()), m.add("drive", sb.Speed(w=slip))
    m.add("clutch", sb.Clutch(wall, drive, law=law, fn_max=FN, f_normalized=f_normalized, engage=engage))
    return sb.simulate(m, times=np.linspace(0, 3, 3001), tolerance=1e-9)


@pytest.mark.parametrize("slip", [SLIP, -SLIP])
def test_straight_bristles_answer_with_a_peak_and_bent_ones_do_not(slip: float) -> None:
    """With z = 0 the bristles are bent at the rate of the slip: the peak is fn sigma1 slip."""
    closing = sb.Table(time=[0, 1, 2], value=[1, 0, 1], between="hold")
    torque = {engage: engaged(engage, closing, slip=slip) for engage in ("steady", "frozen", "zero")}
    steady = FN * 0.3
    direction = np.sign(slip)
    for engage in ("steady", "frozen"):
        tau = direction * np.asarray(torque[engage]["clutch.tau"])
        assert tau.max() == pytest.approx(steady) and tau[2500] == pytest.approx(steady)
    peak = direction * torque["zero"].extremes["clutch.tau"]["max" if slip > 0 else "min"]
    assert peak == pytest.approx(FN * 2.0 * SLIP, rel=1e-6)
    assert direction * np.asarray(torque["zero"]["clutch.tau"])[2500] == pytest.approx(steady)


@pytest.mark.parametrize("engage", ["steady", "frozen", "zero"])
@pytest.mark.parametrize("course", ["jump", "ramp", "below"])
def test_bristles_rest_while_open(engage: str, course: str) -> None:
    """The deflection changes at no instant but that of closing; all energy is accounted for."""
    closing = {
        "jump": sb.Table(time=[0, 1, 2], value=[1, 0, 1], between="hold"),
        "ramp": sb.Table(time=[0, 0.5, 1, 2, 2.5, 3], value=[1, 1, 0, 0, 1, 1]),
        "below": sb.Sine(amplitude=1, f=0.5),
    }[course]
    result = engaged(engage, closing)
    z, time = np.asarray(result["clutch.z"]), np.asarray(result.time)
    inside = (time > 1.001) & (time < 1.999)
    assert np.ptp(z[inside]) < 1e-17
    assert not np.asarray(result["clutch.tau"])[inside].any()
    closed = z[time > 2.0005][0]
    bent = 0.3 / 200.0
    assert closed == (pytest.approx(bent, rel=1e-9) if engage != "zero" else pytest.approx(bent, rel=0.9))
    assert (closed < 0.99 * bent) == (engage == "zero")
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


def test_frozen_bristles_keep_their_direction() -> None:
    """Opened in one direction, closed in the other: frozen bristles still point the old way."""
    m = sb.Model("turn")
    wall = m.add("wall", sb.Fixed())
    drive = m.add("drive", sb.Speed(w=sb.Table(time=[0, 1.2, 1.8, 3], value=[1, 1, -1, -1])))
    u = sb.Table(time=[0, 1, 2], value=[1, 0, 1], between="hold")
    for engage in ("steady", "frozen", "zero"):
        law = sb.LuGre(sigma0=1000.0, sigma1=0.0, mu_c=0.3, mu_s=0.3)
        m.add(engage, sb.Clutch(wall, drive, law=law, fn_max=10, f_normalized=u, engage=engage))
    result = sb.simulate(m, times=np.array([0.0, 0.9, 1.5, 2.0 + 1e-9, 2.9]))
    z = {name: np.asarray(result[f"{name}.z"]) / 3e-4 for name in ("steady", "frozen", "zero")}
    assert z["frozen"][:4] == pytest.approx([1, 1, 1, 1], abs=1e-4)
    assert z["steady"][3] == pytest.approx(-1, abs=1e-4)
    assert z["zero"][3] == pytest.approx(0, abs=1e-4)
    assert [z[name][4] for name in z] == pytest.approx([-1, -1, -1], abs=1e-6)


def test_a_clutch_that_starts_open_has_straight_bristles() -> None:
    result = engaged("frozen", sb.Step(1, start=1))
    assert not np.asarray(result["clutch.z"])[:1000].any()
    assert np.asarray(result["clutch.tau"])[-1] == pytest.approx(FN * 0.3)


def test_a_load_that_ends_while_it_slides_stops_nothing() -> None:
    """Two contacts whose common load goes through 0: at the instant that is found for both, one may still have a trace
    of it. What slides goes on; the energy shows it (a capture would lose 3 J)."""
    m = sb.Model("both")
    for name, mass, v0 in (("block", 8.0, -1.0), ("small", 0.1, 0.0), ("cart", 2.0, 1.0)):
        m.add(name, sb.Mass(m=mass, v0=v0))
    m.add("spring", sb.SpringDamper("cart", "small", c=5.0, d=0.3))
    pressed = {"law": sb.Switch(mu_c=0.3, mu_s=0.4), "fn_max": 3.0, "f_normalized": sb.Sine(1.0, f=1, offset=0.3)}
    m.add("clutch", sb.Clutch("block", "small", **pressed))
    m.add("brake", sb.Brake("block", **pressed))
    result = sb.simulate(m, t_end=1.0)
    assert [event.to for event in result.events if event.element == "brake"] == ["Free", "Backward"]
    assert abs(result.energy.numerical) < 1e-7 * result.energy.throughput


@pytest.mark.parametrize("engage", ["steady", "frozen", "zero"])
def test_a_law_with_modes_that_closes_under_slip_slides(engage: str) -> None:
    """Straight bristles of the hybrid law would be a contact at rest, which 10 rad/s are not: friction is mu_c fn."""
    m = sb.Model("hybrid")
    fast = m.add("fast", sb.Inertia(J=1.0, w0=10.0))
    slow = m.add("slow", sb.Inertia(J=1.0))
    close = sb.Step(1.0, start=0.05)
    law = sb.HybridPresliding(mu_c=0.3)
    m.add("clutch", sb.Clutch(fast, slow, law=law, fn_max=100.0, f_normalized=close, engage=engage))
    result = sb.simulate(m, 1.0, intervals=200)
    sliding = (result.time > 0.051) & (result.time < 0.2)  # 10 rad/s at 60 rad/s2 take 0.17 s
    assert np.asarray(result["clutch.tau"])[sliding] == pytest.approx(-30.0, rel=1e-3)
    after = result.time > 0.3
    assert np.asarray(result["fast.w"])[after] == pytest.approx(5.0, rel=1e-3)
