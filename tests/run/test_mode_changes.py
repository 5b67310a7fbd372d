"""Mode changes that end: machines on edges, each of which once stopped or went wrong (decision 37)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import stribeck as sb
from stribeck.kernel import status_codes
from stribeck.run.outcome import failure_of
from stribeck.spec.library import shipped_models

SOLVERS = ("auto", "rodas5p", "dopri5")


# --- contacts that do the same at one instant -------------------------------------------------------------------------


@pytest.mark.parametrize("t_end", [0.05, 0.06, 1.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_redundant_contact_does_not_hide_who_breaks_away_before(solver: str, t_end: float) -> None:
    """Everything rests, so steps are long. Two clutches hold one motion; one is redundant, and watches that prescribed
    motions do not part it from the other. Within one step the bearing breaks away, then both clutches: where the
    torque of spring and drive is that of the bearing, whatever the length of the step."""
    m = sb.Model("late")
    inner, outer = m.add("inner", sb.Inertia(J=1)), m.add("outer", sb.Inertia(J=1))
    m.add("wide", sb.Clutch(inner, outer, law=sb.Coulomb(mu_c=0.291), fn_max=20.5))
    m.add("bearing", sb.Bearing(outer, law=sb.Coulomb(mu_c=2.72)))
    m.add("narrow", sb.Clutch(inner, outer, law=sb.Coulomb(mu_c=1), fn_max=1))
    motor = m.add("motor", sb.Speed(w=2.77))
    m.add("shaft", sb.Spring(outer, motor, c=33))
    m.add("drive", sb.Torque(inner, tau=sb.Sine(-16.9, f=1.65)))
    first = sb.simulate(m, t_end=t_end, tolerance=1e-9, solver=solver).events[0]
    left = 16.9 * math.sin(2 * math.pi * 1.65 * first.time) - 33 * 2.77 * first.time - 2.72
    assert (first.element, first.to) == ("bearing", "Backward")
    assert left == pytest.approx(0, abs=1e-6)


def twins(law: sb.laws.Law, amplitude: float, frequency: float, branches: str = "LR") -> sb.Model:
    """Equal branches on one hub, whose pads break away at the same instants."""
    m = sb.Model("twins", t_end=2)
    base, hub = m.add("base", sb.Mass(m=900)), m.add("hub", sb.Mass(m=4))
    m.add("push", sb.Force(hub, f=sb.Sine(amplitude=amplitude * len(branches) / 2, f=frequency)))
    for side in branches:
        block = m.add("block" + side, sb.Mass(m=8))
        m.add("arm" + side, sb.SpringDamper(hub, block, c=5e4, d=500))
        m.add("pad" + side, sb.Clutch(block, base, law=law, fn_max=3000))
    return m


LAWS = {
    "Coulomb": sb.Coulomb(mu_c=0.9),
    "Stribeck": sb.Stribeck(mu_c=0.8, mu_s=0.9, v_s=0.1),
    "table": sb.FrictionTable(speed=[0, 0.5, 30], mu=[1.0, 0.9, 0.7], peak=1),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("law", LAWS)
def test_equal_contacts_break_away_together(law: str, solver: str) -> None:
    """Both sides move alike at every tolerance: to 1e-9 of the range, for rounding grows while they stick and slip."""
    rng = np.random.default_rng(7)
    for tolerance in (1e-5, 1e-7, 1e-9):
        model = twins(LAWS[law], rng.uniform(5000, 8000), rng.uniform(0.5, 5))
        result = sb.simulate(model, solver=solver, tolerance=tolerance)
        left, right = result["blockL.v"], result["blockR.v"]
        assert np.abs(left - right).max() <= 1e-9 * np.ptp(left)
        assert result.statistics.bridged == 0


def test_any_number_of_equal_contacts() -> None:
    result = sb.simulate(twins(LAWS["Stribeck"], 6500.0, 1.3, "ABCDEF"))
    first = result["blockA.v"]
    for side in "BCDEF":
        assert np.abs(first - result[f"block{side}.v"]).max() <= 1e-9 * np.ptp(first)


def test_two_driven_wheels_behind_a_differential() -> None:
    """Brakes of equal strength on both wheels break away at one instant, when the torque on each reaches its limit."""
    m = sb.Model("axle", t_end=1)
    shaft = m.add("shaft", sb.Inertia(J=0.2))
    m.add("drive", sb.Torque(shaft, tau=sb.Ramp(height=10, duration=1)))
    wheels = [m.add(side, sb.Inertia(J=0.5)) for side in ("left", "right")]
    m.add("rear", sb.Differential(shaft, *wheels, ratio=2.0))
    for wheel in ("left", "right"):
        m.add(f"brake_{wheel}", sb.Brake(wheel, law=sb.Coulomb(mu_c=1.0), fn_max=3.0))
    result = sb.simulate(m)
    times = {event.element: event.time for event in result.events}
    # each wheel carries tau_drive * ratio/2 = 10 t; its limit of 3 N.m is reached at 0.3 s
    assert times == {"brake_left": pytest.approx(0.3, abs=1e-9), "brake_right": pytest.approx(0.3, abs=1e-9)}
    assert np.abs(result["left.w"] - result["right.w"]).max() < 1e-12


# --- kinks ------------------------------------------------------------------------------------------------------------


def servo(J: float) -> sb.Model:
    """PID and the textbook LuGre observer, with |w| in a signal."""
    m = sb.Model("servo", t_end=40)
    rotor = m.add("rotor", sb.Inertia(J=J))
    law = sb.LuGre(tau_c=0.28, tau_s=0.34, tau_v=0.018, w_s=0.01, sigma0=260, sigma1=0.6)
    m.add("bearing", sb.Bearing(rotor, law=law))
    pid = sb.PID(sb.Step(1, start=0.5), rotor.sensor("phi"), Kp=3, Ki=4, Kd=0.4, T_f=0.005, low=-5, high=5)
    u, w = m.signal("u", pid), rotor.sensor("w")
    g = 0.28 + 0.06 * np.exp(-((w / 0.01) ** 2))
    z = m.signal("z", sb.Integral(w - 260 * abs(w) / g * sb.Named("z"), nominal=1e-3))
    m.add("motor", sb.Torque(rotor, tau=u + 260 * z + 0.018 * w))
    return m


@pytest.mark.parametrize(("J", "tolerance"), [(0.008, 1e-6), (0.01, 1e-8), (0.012, 1e-8), (0.02, 1e-8)])
def test_an_observer_with_the_size_of_a_speed_near_rest(J: float, tolerance: float) -> None:
    result = sb.simulate(servo(J), tolerance=tolerance)
    assert result["rotor.phi"][-1] == pytest.approx(1.0, abs=0.01)
    assert result.statistics.bridged == 0


@pytest.mark.parametrize("solver", [*SOLVERS, "scipy-radau"])
@pytest.mark.parametrize("tau", [0.1, 10.0, 100.0, -1.0])
def test_a_converter_starts_from_rest(tau: float, solver: str) -> None:
    """As with another tolerance; a pump that turns backwards takes nothing, so its speed is tau t/J."""
    m = sb.Model("converter")
    pump, turbine = m.add("pump", sb.Inertia(J=1)), m.add("turbine", sb.Inertia(J=1))
    m.add("tc", sb.TorqueConverter(pump, turbine, nu=[0, 0.8, 1], capacity=[3e-2, 2e-2, 0], ratio=[2, 1, 1]))
    m.add("motor", sb.Torque(pump, tau=tau))
    result = sb.simulate(m, 1.0, solver=solver)
    fine = sb.simulate(m, 1.0, tolerance=1e-11) if tau > 0 else None
    expected = fine["pump.w"][-1] if fine else tau
    assert result["pump.w"][-1] == pytest.approx(expected, rel=3e-7)  # the tolerance, a few times


def valve() -> sb.Model:
    """A spool with a preloaded spring between two plates, after Modelica's Translational PreLoad."""
    m = sb.Model("valve", t_end=0.05)
    gap = {"c": 1e6, "d": 250}
    m.add("left", sb.Position(s=-0.0955))
    m.add("spool", sb.Mass(m=0.15, s0=0.01475))
    m.add("plateA", sb.Mass(m=0.01, s0=-0.093))
    m.add("plateB", sb.Mass(m=0.01, s0=-0.06925))
    rods = {"spool_a": ("spool", -0.095), "plateA_a": ("plateA", -0.001), "plateA_b": ("plateA", 0.001)}
    for name, (on, length) in (rods | {"plateB_a": ("plateB", -0.001), "plateB_b": ("plateB", 0.001)}).items():
        m.add(name, sb.Rod(on, None, L=length))
    m.add("rod1", sb.Rod("plateA_b.b", None, L=0.007))
    m.add("rod2", sb.Rod(None, "plateB_a.b", L=0.007))
    m.add("rod3", sb.Rod(None, "spool_a.b", L=0.00575))
    m.add("rod4", sb.Rod("spool_a.b", None, L=0.00575))
    m.add("housing", sb.Rod("left", None, L=0.0305))
    m.add("spring", sb.Spring("plateA_b.b", "plateB_a.b", c=20e3, s_rel0=0.025))
    m.add("outerA", sb.ElastoGap("left", "plateA_a.b", s_rel0=0.0015, **gap))
    m.add("outerB", sb.ElastoGap("plateB_b.b", "housing.b", s_rel0=0.0015, **gap))
    m.add("innerA", sb.ElastoGap("rod3.a", "rod1.b", s_rel0=0.001, **gap))
    m.add("innerB", sb.ElastoGap("rod2.a", "rod4.b", s_rel0=0.001, **gap))
    m.add("oil", sb.Damper("left", "rod3.a", d=2500))
    m.add("force", sb.Force("spool_a.b", f=sb.Sine(amplitude=150, f=0.01)))
    return m


@pytest.mark.parametrize("solver", ["dopri5", "scipy-radau", "scipy-rk45"])
def test_outside_integrators_pass_the_edges_of_gaps(solver: str) -> None:
    expected = sb.simulate(valve(), tolerance=1e-10)["spool.s"]
    assert sb.simulate(valve(), solver=solver)["spool.s"] == pytest.approx(expected, abs=1e-7)  # m, of 1e-3


# --- gears with losses ------------------------------------------------------------------------------------------------

TABLE = [[0.0, 0.8, 0.5, 0.3, 0.2], [10.0, 0.9, 0.8, 0.4, 0.3]]
LOCKING = [[0.0, 0.5, 0.0, 0.2, 0.0], [20.0, 0.7, 0.0, 0.1, 0.1]]


def test_a_gear_beside_a_gap_that_just_closes() -> None:
    """The gap touches where the gear breaks away: a kink at the very instant asks nothing of the gear."""
    m = sb.Model("gap", t_end=1)
    a, b, c = (m.add(name, sb.Inertia(J=1.0)) for name in "abc")
    m.add("gear", sb.LossyGear(a, b, ratio=-2, loss_table=TABLE))
    m.add("gap", sb.ElastoGap(a, c, c=1.0, d=1.0))
    m.add("drive", sb.Torque(a, tau=sb.Table(time=[0, 0.3, 0.6, 1], value=[0, 4.93, -4.93, 0])))
    result = sb.simulate(m)
    assert result.statistics.bridged == 0
    # the gear breaks away where T/eta1 + tbf1/eta1 with T = 0 is reached: 0.3/0.8 N.m of 4.93/0.3 N.m/s
    assert result.events[0].time == pytest.approx(0.375 * 0.3 / 4.93, abs=1e-9)


def test_impulses_obey_the_losses_of_gears() -> None:
    """What any finite torque would give: a with 1 meets b with 1 and, through the gear, c with 1/0.8."""
    m = sb.Model("impact")
    a, b, c = m.add("a", sb.Inertia(J=1, w0=1)), m.add("b", sb.Inertia(J=1)), m.add("c", sb.Inertia(J=1))
    m.add("gear", sb.LossyGear(b, c, ratio=1, efficiency=0.8))
    m.add("stop", sb.Stop(a, b, phi_min=-0.356))
    result = sb.simulate(m, 1.0)
    assert result["a.w"][-1] == pytest.approx(1 / (1 + 1 + 1 / 0.8), rel=1e-12)
    assert abs(result.energy.residual) < 1e-15


def test_a_gear_that_locks_itself_beside_a_brake() -> None:
    """While b is held and a is free of load, the loss of the gear is open: it is held, no matrix is singular."""
    m = sb.Model("locking", t_end=1)
    a, b, swing = m.add("a", sb.Inertia(J=1.0)), m.add("b", sb.Inertia(J=2.9)), m.add("swing", sb.Inertia(J=1.0))
    m.add("brake", sb.Brake(b, law=sb.Switch(mu_c=0.266, mu_s=0.399), fn_max=15.7))
    m.add("gear", sb.LossyGear(a, b, ratio=1.0, loss_table=LOCKING))
    m.add("spring", sb.SpringDamper(b, swing, c=23.5, d=0.304, phi_rel0=0.1))
    result = sb.simulate(m)
    assert np.abs(result["a.w"]).max() < 1e-15
    held = result["brake.tau"] + result["gear.tau_loss"] - result["spring.tau"]  # balance of what rests
    assert np.abs(held).max() < 1e-9 * np.abs(result["spring.tau"]).max()


# --- signals that jump ------------------------------------------------------------------------------------------------


def test_two_stops_that_pass_impacts_to_each_other_close() -> None:
    """Two bodies are pressed against a third one from the same side: each impact opens the other stop for 1e-8 s.

    Once both are closed all three accelerate as one: a = (60 + 40) / (2.6 + 0.6 + 0.3).
    """
    m = sb.Model("rattle", t_end=0.2)
    middle = m.add("middle", sb.Inertia(J=2.6))
    for name, J, tau, phi0 in (("left", 0.6, 60.0, 0.01), ("right", 0.3, 40.0, 0.004)):
        body = m.add(name, sb.Inertia(J=J, phi0=-phi0))
        m.add(f"stop_{name}", sb.Stop(body, middle, phi_min=0.0, restitution=0.3, w_small=0.05))
        m.add(f"push_{name}", sb.Torque(body, tau=tau))
    result = sb.simulate(m)
    assert [result[f"stop_{name}.mode"][-1] for name in ("left", "right")] == [0, 0]
    assert result["middle.a"][-1] == pytest.approx(100.0 / 3.5, rel=1e-9)
    assert result.statistics.state_events < 300


def test_a_contact_with_presliding_that_is_thrown_slides() -> None:
    """A stop throws a body that a guide holds with a bent spring: the guide slides, with its friction and no more."""
    m = sb.Model("thrown", t_end=0.5)
    body, ram = m.add("body", sb.Mass(m=0.1)), m.add("ram", sb.Mass(m=0.2, v0=-5.0, s0=1.0))
    law = sb.HybridPresliding(k1=895.0, k2=6.5, z_max=1e-3, mu_c=0.938, mu_s=0.938, v_s=0.243, Sigma=1.3e-3)
    m.add("guide", sb.Guide(body, law=law))
    m.add("push", sb.Force(body, f=-0.9))
    m.add("stop", sb.Stop(ram, body, s_max=0.0))
    result = sb.simulate(m)
    assert result["body.v"].min() < -3.0  # 5 m/s of two thirds of the mass
    behind = result.time > 0.21  # the ram is 1 m away
    assert np.abs(np.asarray(result["guide.f"]))[behind].max() <= 0.938 * (1 + 1e-9)


def test_an_impact_stops_what_a_signal_divides_by() -> None:
    """A pump meets a stop at once: the ratio of the speeds is that of a pump at rest, not 0/0."""
    m = sb.Model("stalled", t_end=0.1)
    pump = m.add("pump", sb.Inertia(J=1.0, phi0=-0.242 - 2.5e-13, w0=1.0))
    turbine = m.add("turbine", sb.Inertia(J=1.0, w0=0.0))
    m.add("stop", sb.Stop(b=pump, phi_max=-0.242))
    nu, capacity = [0.0, 0.8, 1.0], [0.0149, 0.0104, 0.0]
    m.add("converter", sb.TorqueConverter(pump, turbine, nu=nu, capacity=capacity, ratio=[2.0, 1.0, 1.0]))
    result = sb.simulate(m, tolerance=1e-11)
    assert np.asarray(result["pump.w"])[1:] == pytest.approx(0.0, abs=1e-9)


def relay(kind: str, solver: str = "auto") -> sb.Result:
    m = sb.Model("relay", t_end=2)
    body = m.add("body", sb.Inertia(J=1, w0=1.0))
    w = body.sensor("w")
    torque = {"sign": -3 * sb.Function("sign", w), "where": sb.Where(w > 0, -3.0, 3.0)}
    if kind == "friction":
        m.add("bearing", sb.Bearing(body, law=sb.Coulomb(mu_c=3.0)))
    m.add("drive", sb.Torque(body, tau=sb.Sine(2, f=1) + torque.get(kind, 0.0)))
    return sb.simulate(m, solver=solver)


@pytest.mark.parametrize("solver", ["auto", "scipy-radau"])
@pytest.mark.parametrize("kind", ["sign", "where"])
def test_a_relay_without_hysteresis_slides(kind: str, solver: str) -> None:
    """A torque of 3 against the sign of the speed is dry friction of 3, which the kernel solves exactly: the speed is
    held on 0 to the tolerance of 1e-7."""
    result, exact = relay(kind, solver), relay("friction")
    assert result["body.phi"] == pytest.approx(np.asarray(exact["body.phi"]), abs=2e-7)
    assert np.abs(np.asarray(result["body.w"]) - exact["body.w"]).max() < 2e-7
    assert result.statistics.state_events < 60


def test_sliding_along_a_quantum_ends_where_it_is_driven_on() -> None:
    """J w' = round(-3 w) + 2 sin(2 pi t) rests on the edge of a quantum until t = 1, where the sine changes sign."""
    m = sb.Model("quantum", t_end=1.02)
    body = m.add("body", sb.Inertia(J=1, w0=1.0))
    m.add("drive", sb.Torque(body, tau=sb.Quantiser(-3 * body.sensor("w"), 1.0) + sb.Sine(2, f=1)))
    result = sb.simulate(m, times=np.linspace(0.98, 1.02, 41))
    after = np.asarray(result.time) > 1
    # from the edge at w = 1/6 on, w' = 2 sin(2 pi t)
    since = (1 - np.cos(2 * math.pi * (np.asarray(result.time)[after] - 1))) / math.pi
    edge = result["body.w"][20]
    assert abs(abs(edge) - 1 / 6) < 1e-6
    assert result["body.w"][after] == pytest.approx(edge + since, abs=1e-6)


def test_a_load_of_constant_power_comes_to_rest() -> None:
    """Its torque is 4 N.m against the motion below the nominal speed: w falls by 4 per second, then it rests."""
    m = sb.Model("load", t_end=1)
    m.add("body", sb.Inertia(J=1, w0=1.0))
    m.add("load", sb.SpeedTorque("body", tau_nominal=-4.0, w_nominal=2.0, form="constant power"))
    result = sb.simulate(m)
    assert result["body.w"] == pytest.approx(np.maximum(1 - 4 * result.time, 0), abs=1e-6)


# --- solvers agree ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in shipped_models() if name != "car"])  # whose 200 s take too long
def test_mode_logs_of_all_methods_are_equal(name: str) -> None:
    """The same contacts change their modes in the same order, whatever takes the steps; nothing is bridged."""
    results = [sb.simulate(sb.load_model(name), solver=solver) for solver in SOLVERS]
    logs = [[(event.element, event.from_, event.to) for event in result.events] for result in results]
    assert logs[0] == logs[1] == logs[2]
    assert [result.statistics.bridged for result in results] == [0, 0, 0]


# --- what is said about a run -----------------------------------------------------------------------------------------


def test_a_delay_with_more_events_than_points_runs() -> None:
    """100 jumps within its time and room for 18 entries: what is closer than two points (0.4 s) is left out. So coarse
    a past is only roughly right: within 0.1 of a speed that a delay with enough points brings to 0.5."""

    def delayed(points: int) -> float:
        m = sb.Model("delayed", t_end=4)
        body = m.add("body", sb.Inertia(J=1))
        m.add("oil", sb.Damper(body, d=1.0))
        wave = sb.Pulse(height=1.0, period=0.02, width=0.01) + 0 * body.sensor("w")
        m.add("drive", sb.Torque(body, tau=sb.Delay(wave, 1.0, points=points)))
        return float(sb.simulate(m)["body.w"][-1])

    assert delayed(1000) == pytest.approx(0.5, abs=0.01)
    assert delayed(5) == pytest.approx(delayed(1000), abs=0.1)


def test_a_run_says_what_it_does_not_keep() -> None:
    outside = sb.simulate(sb.load_model("stick-slip-switch"), solver="scipy-radau")
    assert any("keeps no energy ledger" in warning for warning in outside.warnings)
    assert not any("ledger" in warning for warning in sb.simulate(sb.load_model("stick-slip-switch")).warnings)


def test_a_failure_names_all_that_alternate() -> None:
    program = sb.compile_model(twins(LAWS["Coulomb"], 6000.0, 1.0))
    crowd = [9 if owner in ("padL", "padR") else 0 for owner in program.event_owners]
    failure = failure_of(program, status_codes()["SB_CHATTER"], ("event", 0, []), 1.0, program.y0, crowd)
    assert failure.text.startswith("padL, padR alternate: events repeat")
    assert failure.element == program.event_owners[0]
    # the number behind a kind is read as that kind, and as no other
    names = program.state_names
    assert (
        failure_of(program, status_codes()["SB_NOT_FINITE"], ("state", 0, []), 1.0, program.y0).element
        == names[0].partition(".")[0]
    )
    assert (
        failure_of(program, status_codes()["SB_SINGULAR"], ("state", len(names), []), 1.0, program.y0).element
        == program.locks[0]
    )
