"""Explicit methods with a fixed step, and what the papers say about them on friction.

They are there for comparison: no event is located, and what is stiff diverges. Numbers of the papers are those of
aberger2002 (LuGre on a rig, Table 1) and bataus2011 (a powertrain with 3 degrees of freedom).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.drivelines import driveline
from support.machines import MACHINES

import stribeck as sb

ODES = ["ode1", "ode2", "ode3", "ode4", "ode5"]
EXPLICIT = [*ODES, "semi-implicit", "mixed"]


def largest_error(result: sb.Result, exact: sb.Result, name: str) -> float:
    """Of one output, where both were recorded."""
    return float(np.abs(np.asarray(result[name]) - np.interp(result.time, exact.time, np.asarray(exact[name]))).max())


# --- every machine ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MACHINES)
def test_every_machine_follows_the_adaptive_solution(name: str) -> None:
    """Runge-Kutta 4 at 0.1 ms: every element, law and signal, with events where the steps end. Within 0.5 % of the
    range of every speed, which is what a shift of the events by one step makes; the energy is accounted for."""
    program = sb.compile_model(MACHINES[name]())
    exact = sb.simulate(program, t_end=1.0, intervals=100)
    result = sb.realtime(program, 1e-4, method="ode4").run(t_end=1.0, every=100)
    for speed in (name for name in result.names if name.partition(".")[2] in ("w", "v")):
        size = np.ptp(np.asarray(exact[speed])) + 0.01
        assert largest_error(result, exact, speed) < 5e-3 * size, speed
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


@pytest.mark.parametrize("seed", range(12))
def test_random_drivelines_run_and_account_for_their_energy(seed: int) -> None:
    """Whatever is stiff in them may be wrong, or not finite; anything else is answered."""
    program = sb.compile_model(sb.Model.from_dict(driveline(seed)))
    for method in ("ode1", "ode4"):
        try:
            energy = sb.realtime(program, 1e-4, method=method).run(t_end=0.3, every=100).energy
        except sb.SimulationError as error:
            assert "not finite" in str(error)
        else:
            # stiff bristles that run away generate energy, which rounding is relative to as well
            assert abs(energy.residual) <= 1e-11 * (energy.throughput + abs(energy.numerical))


@pytest.mark.parametrize("method", EXPLICIT)
def test_clutches_lock_and_slip_within_a_step_of_their_times(method: str) -> None:
    """Nine mode changes of the coupled clutches, seen at the end of the step in which they are."""
    program = sb.compile_model(sb.load_model("coupled-clutches"))
    h = 1e-4
    exact = sb.simulate(program, t_end=1.5)
    result = sb.realtime(program, h, method=method).run(t_end=1.5)
    assert [event[1:] for event in result.events] == [event[1:] for event in exact.events]
    times = [np.array([event.time for event in run.events]) for run in (result, exact)]
    late = times[0] - times[1]
    assert late.min() > -h * (1 + 1e-9)
    assert late.max() < 2 * h  # one step, and what first order has gone wrong until then


@pytest.mark.parametrize("method", EXPLICIT)
def test_numerical_energy_falls_with_the_step(method: str) -> None:
    """The part of the ledger that is the method's falls at least like h across stick and slip."""
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    shares = []
    for h in (2e-3, 2e-4):
        energy = sb.realtime(program, h, method=method).run(t_end=12.0, every=100).energy
        assert abs(energy.residual) < 1e-12 * energy.throughput
        shares.append(abs(energy.numerical) / energy.throughput)
    assert shares[1] < 0.15 * shares[0]


@pytest.mark.parametrize("method", EXPLICIT)
def test_signals_held_through_a_task_are_those_of_its_middle(method: str) -> None:
    """A torque on an inertia alone: the speed is the sum of torques at mid-task times h, whatever the substeps."""
    m = sb.Model("held signals")
    m.add("drive", sb.Torque(m.add("mass", sb.Inertia(J=2.0)), tau=sb.Sine(amplitude=3.0, f=0.5)))
    stepper = m.realtime(h=0.1, method=method, substeps=4, hold_signals=True)
    stepper.step(7)
    middles = 0.1 * (np.arange(7) + 0.5)
    assert stepper["mass.w"] == pytest.approx(0.1 * np.sum(3.0 * np.sin(np.pi * middles)) / 2.0, rel=1e-14)


@pytest.mark.parametrize("method", EXPLICIT)
@pytest.mark.parametrize("relay", [False, True])
def test_what_depends_on_the_machine_is_not_held(method: str, relay: bool) -> None:
    """Multi-rate: a feedback that is quick against the task works on in every step, and the torque of time beside it is
    still that of mid-task; also where a relay beside it changes its branch within the task."""
    m = sb.Model("feedback")
    mass = m.add("mass", sb.Inertia(J=1.0))
    m.add("drive", sb.Torque(mass, tau=sb.Sine(amplitude=3.0, f=0.5) - 30.0 * mass.sensor("w")))
    if relay:
        other = m.add("other", sb.Inertia(J=1.0))
        m.add("switch", sb.Torque(other, tau=1 - sb.Relay(other.sensor("w"), low=0.05, high=0.15)))
    task, parts = 0.1, 100
    stepper = m.realtime(h=task, method=method, substeps=parts, hold_signals=True)
    stepper.step(7)
    w = 0.0
    for n in range(7):
        steady = 3.0 * np.sin(np.pi * task * (n + 0.5)) / 30.0
        w = steady + (w - steady) * np.exp(-30.0 * task)
    assert stepper["mass.w"] == pytest.approx(w, abs=1e-3)
    free = m.realtime(h=task, method=method, substeps=parts)
    free.step(7)
    assert abs(stepper["mass.w"] - free["mass.w"]) > 2e-3


# --- aberger2002: bristles -------------------------------------------------------------------------------------------


def rig(mu_c: float) -> sb.Program:
    """LuGre bristles of 1e5 N.m/rad on an inertia that a spring pulls."""
    m = sb.load_model("stick-slip")
    m.elements["friction"] = m.elements["friction"].replace(law=m.elements["friction"].law.replace(mu_c=mu_c))
    return sb.compile_model(m)


def rig_error(program: sb.Program, method: str, h: float) -> float:
    """Largest error of the position over its range in 25 s, infinite where the method diverges."""
    exact = sb.simulate(program, t_end=25.0, intervals=2500)
    try:
        result = sb.realtime(program, h, method=method, energy=False).run(t_end=25.0, every=max(1, round(1e-2 / h)))
    except sb.SimulationError:
        return np.inf
    return largest_error(result, exact, "mass.phi") / float(np.ptp(np.asarray(exact["mass.phi"])))


@pytest.mark.parametrize(
    ("method", "right", "wrong"),
    [("ode1", 50e-6, 80e-6), ("ode2", 50e-6, 100e-6), ("ode3", 60e-6, 200e-6), ("ode4", 70e-6, 200e-6)],
)
def test_step_at_which_bristles_slide(method: str, right: float, wrong: float) -> None:
    """Sliding bristles decay with sigma0 |w|/mu_c, 3.6e4 1/s at the largest speed: 55 us for Euler's method, 76 us for
    Runge-Kutta 4. Beyond, the solution is wrong long before it is not finite."""
    program = rig(mu_c=1.01)
    assert rig_error(program, method, right) < 1e-3
    assert rig_error(program, method, wrong) > 0.05


def test_steps_that_the_paper_took_are_an_accident_of_rounding() -> None:
    """Euler at 0.9 ms and Runge-Kutta 4 at 1 ms "converge" because with mu_c = 1 the deflection of steady sliding is a
    fixed point to the last bit, so that nothing disturbs it; with 1.01 it is not."""
    assert rig_error(rig(mu_c=1.0), "ode1", 0.9e-3) < 0.01
    assert rig_error(rig(mu_c=1.0), "ode4", 1e-3) < 1e-5
    assert rig_error(rig(mu_c=1.01), "ode1", 0.9e-3) == np.inf
    assert rig_error(rig(mu_c=1.01), "ode4", 1e-3) > 0.05


@pytest.mark.parametrize("mu_c", [1.0, 1.01])
def test_mixed_mode_slides_at_2_ms(mu_c: float) -> None:
    """Implicit bristles at the old speed; first order, so 0.3 % of the range."""
    assert rig_error(rig(mu_c), "mixed", 2e-3) < 4e-3


def test_mixed_mode_solves_laws_that_are_not_linear_in_their_states() -> None:
    """Elasto-plastic bristles at 1 ms, sliding at a speed at which Euler's method is unstable."""
    m = sb.Model("plastic")
    mass = m.add("mass", sb.Inertia(J=1.0, w0=2.0))
    law = sb.ElastoPlastic(sigma0=1e4, sigma1=10.0, mu_c=0.3, mu_s=0.5, v_s=0.1, z_ba=1e-5)
    m.add("friction", sb.Bearing(mass, law=law))
    m.add("drive", sb.Torque(mass, tau=sb.Sine(amplitude=1.0, f=0.5)))
    program = sb.compile_model(m)
    exact = sb.simulate(program, t_end=1.0, intervals=100)
    result = sb.realtime(program, 1e-3, method="mixed").run(t_end=1.0, every=10)
    assert largest_error(result, exact, "mass.w") < 2e-3


def gearbox(mu: float = 0.505) -> sb.Program:
    """Three gears with LuGre clutches; 0.505 instead of 0.5, so that no deflection is a fixed point by accident."""
    m = sb.load_model("gearbox")
    for name in ("C1", "C2", "B1", "B2"):
        m.elements[name] = m.elements[name].replace(law=sb.LuGre(sigma0=1e5, sigma1=300.0, mu_c=mu, mu_s=mu, w_s=0.1))
    return sb.compile_model(m)


def worst_speed(result: sb.Result, exact: sb.Result) -> float:
    """Largest error of a speed over its range."""
    speeds = [name for name in result.names if name.endswith(".w")]
    return max(largest_error(result, exact, name) / float(np.ptp(np.asarray(exact[name]))) for name in speeds)


def test_coupled_bristles_need_a_microsecond() -> None:
    """At the shift B2 closes at 9 rad/s, where bristles decay within 0.5 us: 2 mu/(sigma0 |w|) = 1.1 us. Euler's method
    is right at 2 us until then, and explodes there."""
    program = gearbox()
    stepper = sb.realtime(program, 2e-6, method="ode1", energy=False)
    assert worst_speed(stepper.run(t_end=0.1, every=500), sb.simulate(program, t_end=0.1, intervals=100)) < 2e-4
    with pytest.raises(sb.SimulationError) as caught:
        stepper.run(t_end=1.7, every=500)
    assert 1.5 < caught.value.time < 1.501


@pytest.mark.slow
def test_coupled_bristles_below_a_microsecond() -> None:
    """Both shifts: C2 closes at 11 rad/s, where 1 us is too much. 3.6 million steps of Euler's method."""
    program = gearbox()
    exact = sb.simulate(program, t_end=2.9, intervals=290)
    result = sb.realtime(program, 0.8e-6, method="ode1", energy=False).run(t_end=2.9, every=12500)
    assert worst_speed(result, exact) < 2e-4


def test_after_a_divergence_the_machine_is_before_it() -> None:
    """Its ledger, too: states stop before their energies overflow."""
    stepper = sb.realtime(rig(mu_c=1.01), 0.9e-3, method="ode1")
    with pytest.raises(sb.SimulationError, match="mass"):
        stepper.run(t_end=25.0)
    energy = stepper.energy
    assert np.all(np.isfinite([stepper["mass.w"], energy.residual, energy.numerical, energy.throughput]))


# --- bataus2011: clutch models at 1 ms -------------------------------------------------------------------------------

H = 1e-3
SLIDES, REDUCED = 250.0, 0.2 * 0.05 / 0.25
"""Torque of the sliding clutch (N.m), inertia I1 I2/(I1 + I2) against its slip (kg.m2)."""
CLASSIC = sb.Switch(mu_c=0.25, mu_s=0.3)


def powertrain(law: Any) -> sb.Program:
    m = sb.load_model("powertrain-3")
    m.elements["clutch"] = m.elements["clutch"].replace(law=law)
    return sb.compile_model(m)


def launch(law: Any, method: str, **options: Any) -> tuple[sb.Result, sb.Result]:
    """A launch of 4 s at 1 ms, and the adaptive solution."""
    program = powertrain(law)
    return sb.realtime(program, H, method=method, **options).run(t_end=4.0), sb.simulate(program, intervals=4000)


@pytest.mark.parametrize(
    ("method", "c"), [("ode1", 2.0), ("ode2", 2.0), ("ode3", 2.513), ("ode4", 2.785), ("ode5", 3.307)]
)
def test_smallest_transition_of_tanh(method: str, c: float) -> None:
    """w_0 > 2 Tfd h/(c Ired): at 90 % of it the torque swings by more than 50 N.m, at 110 % it is right (but for what
    Euler's method does to the undamped shaft, 20 N.m)."""
    limit = 2 * SLIDES * H / (c * REDUCED)

    def worst(w_0: float) -> float:
        result, exact = launch(sb.Tanh(mu_c=0.25, w_0=w_0), method)
        error = np.abs(np.asarray(result["clutch.tau"]) - np.asarray(exact["clutch.tau"]))
        return float(error[result.time > 1.3].max())

    assert worst(0.9 * limit) > 50
    assert worst(1.1 * limit) < (20 if method == "ode1" else 0.2)


@pytest.mark.parametrize("method", ODES)
def test_window_of_karnopp(method: str) -> None:
    """DV >= h/2 |dw/dt| = 1.3 rad/s at most: with 1 rad/s the clutch is caught at once, with 0.01 rad/s it misses its
    window again and again."""
    wide, exact = launch(sb.Karnopp(mu_c=0.25, mu_s=0.3, w_s=5, dw=1), method)
    assert [event[1:] for event in wide.events] == [event[1:] for event in exact.events]
    narrow, exact = launch(sb.Karnopp(mu_c=0.25, mu_s=0.3, w_s=5, dw=0.01), method)
    assert len(narrow.events) > 10
    assert largest_error(narrow, exact, "clutch.tau") > 190


@pytest.mark.parametrize("method", ODES[1:])
def test_classic_switch_is_adequate(method: str) -> None:
    """Golden: it sticks at 1.0932149662 s. Errors of 0.006 to 0.05 rad/s were found in the scan of the paper."""
    result, exact = launch(CLASSIC, method)
    assert result.events[-1].time == pytest.approx(1.094, abs=1e-9)
    assert largest_error(result, exact, "gearbox.w") < 0.06


def test_euler_swings_up_an_undamped_shaft() -> None:
    """Whatever the clutch, the amplitude grows by sqrt(1 + (h omega)^2) in every step, like exp(h omega^2 t/2)."""
    result, _ = launch(CLASSIC, "ode1")
    omega2 = 60.0 * (1 / 0.25 + 1 / 0.65)
    twist, rate = np.asarray(result["shaft.phi_rel"]), np.asarray(result["shaft.w_rel"])
    at_rest = -60.0 * 0.65 / 0.9 / 60.0  # of 60 N.m the shaft passes on the share of the car
    size = np.hypot(twist - at_rest, rate / np.sqrt(omega2))
    grown = size[4000] / size[1500]
    assert grown == pytest.approx((1 + H**2 * omega2) ** (2500 / 2), rel=1e-9)
    assert grown == pytest.approx(np.exp(H * omega2 * 2.5 / 2), rel=1e-3)


def test_semi_implicit_euler_does_not() -> None:
    """Symplectic: the swing of the undamped shaft keeps its size, but for the part at the angle of its ellipse."""
    result, exact = launch(CLASSIC, "semi-implicit")
    last = result.time > 3.0
    swing = [np.ptp(np.asarray(run["shaft.phi_rel"])[last]) for run in (result, exact)]
    assert swing[0] == pytest.approx(swing[1], rel=1e-3)


@pytest.mark.parametrize("method", ODES)
def test_the_literal_sign_law_chatters(method: str) -> None:
    """The clutch never sticks: it passes on 250 N.m forward or backward instead of the 100 N.m that hold it, and its
    slip stays as large as a step of 1 ms makes it."""
    result, exact = launch(sb.Coulomb(mu_c=0.25), method, literal_sign=True)
    held = result.time > 1.7
    tau = np.asarray(result["clutch.tau"])[held]
    assert np.all(np.abs(tau) > 0.999 * SLIDES)
    assert tau.min() < 0 < tau.max()
    assert "Stuck" not in {event.to for event in result.events}
    assert largest_error(result, exact, "clutch.tau") > 100
    assert np.abs(np.asarray(result["clutch.w_rel"])[held]).max() > 3
    assert np.abs(np.asarray(exact["clutch.w_rel"])[held]).max() < 1e-9
