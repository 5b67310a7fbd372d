"""Parameters of laws that follow signals: closed forms, independent solutions, both solvers, refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.assorted import assorted
from support.varied_parameters import with_signals

import stribeck as sb
from stribeck.run.outcome import JUMPS

SWING = sb.Sine(amplitude=3.0, f=0.5)


def rig(law: sb.laws.Law, tau: object = 0.0, w0: float = 0.0, **values: Any) -> sb.Model:
    """One inertia of 1 kg.m2 in a bearing, under a torque."""
    m = sb.Model("rig")
    m.add("mass", sb.Inertia(J=1.0, w0=w0))
    m.add("drive", sb.Torque("mass", tau=tau))
    m.add("joint", sb.Bearing("mass", law=law, **values))
    return m


def warm_rig(law: sb.laws.Law, **values: Any) -> sb.Model:
    """The same with the heat in a small mass, that loses some to the air."""
    m = rig(law, SWING, **values)
    m.add("oil", sb.ThermalMass(C=1.0, T0=300.0))
    m.add("air", sb.Convection("oil", G=0.2, T_ambient=290.0))
    m.connect("joint.heat", "oil")
    return m


# --- closed forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [1, -1])
def test_stop_under_friction_that_grows_along_the_way(direction: int) -> None:
    """w0^2/2 = phi + phi^2/4: it stops at phi = 2 (sqrt(1 + w0^2/2) - 1), and stays."""
    law = sb.Coulomb(tau_c=1 + 0.5 * direction * sb.Sensor("mass.phi"))
    result = sb.simulate(rig(law, w0=2.0 * direction), 5.0, tolerance=1e-10)
    assert result["mass.phi"][-1] == pytest.approx(direction * 2 * (math.sqrt(3) - 1), rel=1e-9)
    assert [event.to for event in result.events] == ["Stuck"]
    assert result["mass.w"][-1] == 0


@pytest.mark.parametrize("law", [sb.Switch, sb.Stribeck, sb.Karnopp])
def test_break_away_at_the_present_static_limit(law: Any) -> None:
    """The torque t meets tau_s = 2 - t/2 at t = 4/3."""
    falls = sb.Ramp(-1.5, duration=3.0, offset=2.0)
    result = sb.simulate(rig(law(mu_c=0.3, mu_s=falls), sb.Ramp(3.0, duration=3.0)), 2.0, tolerance=1e-9)
    assert result.events[0].time == pytest.approx(4 / 3, abs=1e-9)
    assert result.events[0].to == "Forward"


def test_a_limit_that_falls_with_the_position_of_another() -> None:
    """A weight of 1.4 N.m is held until another inertia, which falls freely, has lowered the limit to it."""
    m = rig(sb.Coulomb(tau_c=2 - 0.3 * sb.Sensor("other.phi")), tau=1.4)
    m.add("other", sb.Inertia(J=1.0))
    m.add("fall", sb.Torque("other", tau=1.0))
    result = sb.simulate(m, 3.0, tolerance=1e-10)
    assert result.events[0].time == pytest.approx(2.0, rel=1e-8)  # 0.3 t^2/2 = 0.6


def test_a_limit_that_jumps_below_the_load_lets_go_there() -> None:
    law = sb.Coulomb(tau_c=sb.Step(-1.0, start=1.3, offset=2.0))
    result = sb.simulate(rig(law, tau=1.5), 3.0, tolerance=1e-9)
    assert [event.time for event in result.events] == [1.3]
    assert result["mass.w"][-1] == pytest.approx(0.5 * 1.7, rel=1e-9)


def test_static_friction_follows_coulomb_friction_unless_it_is_given() -> None:
    """mu_s is 1.5 mu_c by default, at every instant."""
    falls = sb.Ramp(-1.0, duration=2.0, offset=2.0)
    result = sb.simulate(rig(sb.Switch(mu_c=falls), sb.Ramp(3.0, duration=2.0)), 2.0, tolerance=1e-9)
    assert result.events[0].time == pytest.approx(4 / 3, abs=1e-9)  # 1.5 t = 1.5 (2 - t/2)


# --- independent solutions --------------------------------------------------------------------------------------------


def test_lugre_with_friction_of_the_oil() -> None:
    """mu_c(T) falls by 1 % per kelvin, mu_s stays; written out for SciPy, which has no part of this package."""
    sigma0, sigma1, sigma2, v_s, mu_s = 500.0, 8.0, 0.1, 0.2, 1.6
    law = sb.LuGre(
        sigma0=sigma0,
        sigma1=sigma1,
        sigma2=sigma2,
        v_s=v_s,
        mu_s=mu_s,
        mu_c=sb.Lookup("oil.T", [250.0, 350.0], [1.5, 0.5]),
    )

    def rates(t: float, y: np.ndarray) -> list[float]:
        w, z, T = y
        mu_c = 1.5 - (T - 250.0) / 100.0
        g = mu_c + (mu_s - mu_c) * math.exp(-((w / v_s) ** 2))
        dz = w - sigma0 * abs(w) / g * z
        tau = sigma0 * z + sigma1 * dz + sigma2 * w
        heat = tau * w - sigma0 * z * dz
        return [3.0 * math.sin(math.pi * t) - tau, dz, heat - 0.2 * (T - 290.0)]

    model = warm_rig(law)
    result = sb.simulate(model, 4.0, intervals=80, tolerance=1e-10)
    exact = solve_ivp(rates, (0, 4), [0, 0, 300.0], "LSODA", result.time, rtol=1e-11, atol=1e-13).y
    assert np.ptp(exact[2]) > 2  # the friction changes by some per cent
    assert np.abs(result["mass.w"] - exact[0]).max() < 1e-6 * np.abs(exact[0]).max()
    assert np.abs(result["joint.z"] - exact[1]).max() < 1e-6 * np.abs(exact[1]).max()
    assert np.abs(result["oil.T"] - exact[2]).max() < 1e-6 * np.ptp(exact[2])
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


def test_a_stiffness_that_changes_brings_its_energy() -> None:
    """A bristle under a constant torque is bent by z = tau/sigma0. When sigma0 rises slowly, it brings the integral of
    z^2/2 dsigma0 = tau^2/2 (1/low - 1/high)."""
    tau, low, high = 0.5, 100.0, 200.0
    law = sb.Dahl(sigma0=sb.Ramp(high - low, duration=1000.0, start=50.0, offset=low), mu_c=1e6)  # no slip below mu_c
    m = rig(law, tau)
    m.add("damper", sb.Damper("mass", d=100.0))
    energy = sb.simulate(m, 1100.0, tolerance=1e-9).energy
    # z lags by d/sigma0 = 1 s, in which sigma0 changes by 0.1 %
    assert energy.input["joint"] == pytest.approx(tau**2 / 2 * (1 / low - 1 / high), rel=2e-3)
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-6 * energy.throughput


def test_a_stiffness_that_jumps_brings_its_energy() -> None:
    """z^2/2 times the jump, with z just before it."""
    law = sb.Dahl(sigma0=sb.Step(100.0, start=1.0, offset=100.0), mu_c=50.0)
    result = sb.simulate(rig(law, 0.5), 1.0 + 1e-6, times=[0.0, 1.0, 1.0 + 1e-6], tolerance=1e-10)
    brought = 50.0 * result["joint.z"][1] ** 2
    assert brought > 1e-4
    assert result.energy.input[JUMPS] == pytest.approx(brought, rel=1e-9)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


@pytest.mark.parametrize("method", ["rodas5p", "dopri5"])
def test_both_methods_agree(method: str) -> None:
    law = sb.LuGre(sigma0=300.0, sigma1=5.0, v_s=0.2, mu_c=1 + 0.2 * np.sin(sb.Sensor("mass.phi")))
    auto, other = (
        sb.simulate(rig(law, SWING), 2.0, intervals=20, tolerance=1e-10, solver=word) for word in ("auto", method)
    )
    assert np.abs(auto["mass.w"] - other["mass.w"]).max() < 1e-8


# --- fixed step -------------------------------------------------------------------------------------------------------

WAVE = 1 + 0.3 * sb.Sine(1.0, f=1.0)
LAWS = {
    "Coulomb": sb.Coulomb(mu_c=1.2 + 0.4 * sb.Sensor("mass.phi")),
    "Stribeck": sb.Stribeck(mu_c=WAVE, v_s=0.2),
    "Karnopp": sb.Karnopp(mu_c=WAVE, v_s=0.2, dv=1e-4),
    "Hybrid": sb.Hybrid(mu_c=WAVE, v_s=0.2),
    "Tanh": sb.Tanh(mu_c=WAVE, v_0=0.1),
    "LuGre": sb.LuGre(mu_c=WAVE, sigma0=1000.0, sigma1=10.0, v_s=0.2),
    "stiffness": sb.LuGre(sigma0=1000 * WAVE, sigma1=10.0 * WAVE, v_s=0.2),
}


@pytest.mark.parametrize("name", LAWS)
def test_fixed_steps_converge_to_the_adaptive_run(name: str) -> None:
    """Parameters are those of the middle of a step, as loads are: errors fall with the step, and the ledger closes."""
    model = rig(LAWS[name], SWING, load=1 + 0.2 * sb.Sine(1.0, f=1.3))
    exact = sb.simulate(model, 2.0, intervals=100, tolerance=1e-9)
    errors = []
    for h in (4e-3, 1e-3):
        run = sb.realtime(model, h).run(2.0)
        every = np.round(exact.time / h).astype(int)
        errors.append(np.abs(run["mass.w"][every] - exact["mass.w"]).max())
        assert abs(run.energy.residual) < 1e-12 * run.energy.throughput
    assert errors[1] < max(errors[0] / 3, 1e-4)
    assert errors[1] < 5e-3 * np.abs(exact["mass.w"]).max()


def test_a_snapshot_continues_to_the_last_bit() -> None:
    stepper = sb.realtime(warm_rig(LAWS["stiffness"]), 1e-3)
    stepper.run(0.5)
    kept = stepper.snapshot()
    first = stepper.run(1.0)
    stepper.restore(kept)
    again = stepper.run(1.0)
    for name in first.names:
        np.testing.assert_array_equal(first[name], again[name])


@pytest.mark.parametrize("seed", range(12))
def test_random_machines(seed: int) -> None:
    """Every element and law: the run reaches its end with both solvers, nothing is bridged, and the ledger closes."""
    data = assorted(seed)
    with_signals(data, seed)
    program = sb.compile_model(sb.Model.from_dict(data))
    result = sb.simulate(program, 2.0, intervals=20)
    assert result.statistics.bridged == 0
    for energy in (result.energy, sb.realtime(program, 1e-3).run(1.0).energy):
        assert abs(energy.residual) <= 1e-9 * energy.throughput


# --- programs, files, laws of users -----------------------------------------------------------------------------------


def test_numbers_within_the_signal_are_tunable() -> None:
    program = sb.compile_model(rig(LAWS["LuGre"], SWING))
    assert "joint.law.mu_c" not in program.parameters
    path = "joint.law.mu_c.terms.1.k"
    assert program.parameters[path].tunable
    other = program.with_values({path: 0.1})
    fresh = sb.compile_model(rig(LAWS["LuGre"].replace(mu_c=1 + 0.1 * sb.Sine(1.0, f=1.0)), SWING))
    np.testing.assert_array_equal(other.nominal, fresh.nominal)
    assert sb.simulate(other, 1.0)["mass.w"][-1] == sb.simulate(fresh, 1.0)["mass.w"][-1]


YAML = """
name: warm
signals: {hot: {type: Ramp, height: -0.5, duration: 2, offset: 1.5}}
laws:
  Own:
    family: bristle
    parameters:
      sigma0: {default: 500, unit: "{load}/{disp}", above: 0}
      mu: {default: 1, unit: "{load}", above: 0, varies: true}
    states: {z: {unit: "{disp}", nominal: mu/sigma0}}
    rates: {z: v - sigma0*z*abs(v)/mu}
    friction: sigma0*z
    steady: {z: mu*sign(v)/sigma0}
    storage: sigma0*z^2/2
elements:
  mass: {type: Inertia, J: 1}
  drive: {type: Torque, a: mass, tau: {type: Sine, amplitude: 3, f: 0.5}}
  joint: {type: Bearing, a: mass, law: {type: Own, mu: hot}}
  other: {type: Bearing, a: mass, law: {type: Coulomb, tau_c: {type: Lookup, u: mass.phi, x: [-1, 1], y: [0.1, 0.3]}}}
"""


def test_model_files_and_laws_as_text() -> None:
    model = sb.Model.from_yaml(YAML)
    again = sb.Model.from_yaml(model.to_yaml())
    one, two = (sb.simulate(m, 2.0, intervals=20) for m in (model, again))
    np.testing.assert_array_equal(one["mass.w"], two["mass.w"])
    model.elements["joint"] = model.elements["joint"].replace(law=sb.Dahl(sigma0=500.0, mu_c="hot"))
    np.testing.assert_allclose(sb.simulate(model, 2.0, intervals=20)["mass.w"], one["mass.w"], atol=1e-6)


class Drag(sb.laws.SmoothLaw, registered=False):
    """Friction of a film."""

    mu = sb.laws.Param(1.0, "{load}", "level", min=0, varies=True)
    v_r = sb.laws.Param(0.1, "{vel}", "speed", above=0)

    @staticmethod
    def friction(p: Any, v: Any) -> Any:
        return p.mu * v / (p.v_r**2 + v**2) ** 0.5


def test_a_law_of_a_user_as_a_class() -> None:
    """A drag that fades in time, against the same as a load."""
    one = sb.simulate(rig(Drag(mu=WAVE), SWING), 2.0, intervals=20, tolerance=1e-10)
    two = sb.simulate(rig(Drag(mu=1.0), SWING, load=WAVE), 2.0, intervals=20, tolerance=1e-10)
    np.testing.assert_allclose(one["mass.w"], two["mass.w"], atol=1e-8)


@pytest.mark.parametrize("law", [law for law in sb.laws.all_laws().values() if "mu_c" in law.variable])
def test_every_law_takes_it_where_it_says_so(law: Any) -> None:
    """A constant signal gives what the number gives."""
    level = law.mu_c.default
    runs = [sb.simulate(rig(law(mu_c=mu), SWING), 1.0, intervals=10) for mu in (level, sb.Constant(level))]
    np.testing.assert_allclose(runs[0]["mass.w"], runs[1]["mass.w"], atol=1e-4 * np.abs(runs[0]["mass.w"]).max())


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_values_that_are_known_to_break_a_bound_are_refused_before_the_run() -> None:
    for signal in (1 - 2 * sb.Ramp(1.0, duration=1.0), sb.Lookup("mass.phi", [0, 1], [1, -1])):
        with pytest.raises(sb.SpecError, match=r"joint', law: mu_c = -1 N.m must be at least 0.*reaches this value"):
            sb.compile_model(rig(sb.Coulomb(mu_c=signal)))
    with pytest.raises(sb.UnitError, match=r"joint', law.mu_c: amplitude = '1 N' is not in units of N.m"):
        sb.compile_model(rig(sb.Coulomb(mu_c=sb.Sine("1 N", f=1.0, offset=2.0))))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sb.LuGre(exponent=WAVE), "LuGre: exponent = .* cannot be a signal: exponent of the Stribeck curve"),
        (lambda: sb.GMS(mu_c=WAVE), "GMS: mu_c = .* cannot be a signal"),
        (lambda: sb.Inertia(J=WAVE), "Inertia: J = .* cannot be a signal"),
    ],
)
def test_parameters_that_cannot_vary(make: Any, message: str) -> None:
    with pytest.raises(sb.SpecError, match=message):
        make()


def test_a_window_cannot_vary() -> None:
    class Moving(sb.Karnopp, registered=False):
        """A window that follows a signal."""

        dv = sb.laws.Param(1e-4, "{vel}", "half-width of the window", above=0, varies=True)

    with pytest.raises(sb.SpecError, match="Moving: dv cannot vary, since it sets the window"):
        sb.compile_model(rig(Moving(dv=1e-3 * WAVE)))


def test_a_rigid_joint_needs_numbers() -> None:
    m = sb.Model("joint")
    m.add("a", sb.Inertia(J=1.0))
    m.add("b", sb.Inertia(J=1.0))
    with pytest.raises(sb.SpecError, match=r"mu_c follows a signal.*give the stiffness c"):
        m.add("joint", sb.LossyJoint("a", "b", law=sb.Coulomb(mu_c=WAVE), k_forward=0.1))
    m.add("joint", sb.LossyJoint("a", "b", law=sb.Coulomb(mu_c=WAVE), k_forward=0.1, c=100.0))
    sb.compile_model(m)


@pytest.mark.parametrize("law", [sb.Coulomb, sb.LuGre])
def test_a_run_stops_where_a_parameter_leaves_its_bounds(law: Any) -> None:
    model = rig(law(mu_c=1 - 0.5 * sb.Sensor("mass.phi")), tau=3.0, w0=1.0)
    message = r"at joint: law.mu_c = -[\d.e-]+ N.m must be (at least|above) 0; limit its signal"
    with pytest.raises(sb.SimulationError, match=message) as caught:
        sb.simulate(model, 5.0)
    assert caught.value.elements == ("joint",)
    with pytest.raises(sb.SimulationError, match=message):
        sb.realtime(model, 1e-3).run(5.0)


def test_a_run_stops_where_parameters_lose_their_order() -> None:
    model = rig(sb.Switch(mu_c=1 + 0.5 * sb.Sensor("mass.phi"), mu_s=1.2), tau=3.0, w0=1.0)
    with pytest.raises(sb.SimulationError, match=r"law.mu_s = 1.2 must not be below law.mu_c = 1\.\d+; let both"):
        sb.simulate(model, 5.0)


# --- around a run -----------------------------------------------------------------------------------------------------


def test_typical_values_before_the_run() -> None:
    """At t = 0, with sensors at 0 and temperatures at 20 degC; the middle of the limits where there is a memory."""
    assert sb.LuGre(mu_c=2 + sb.Sensor("mass.phi")).with_numbers().mu_c == 2
    assert sb.Coulomb(mu_c=0.01 * sb.Sensor("oil.T")).with_numbers().mu_c == pytest.approx(2.9315)
    limited = sb.Saturation(sb.Integral("mass.w"), low=1.0, high=2.0)
    assert sb.Coulomb(mu_c=limited).with_numbers().mu_c == 1.5
    assert sb.Coulomb(mu_c=sb.Integral("mass.w")).with_numbers().mu_c == sb.Coulomb().mu_c


def test_laws_exchange_signals() -> None:
    """Static friction follows Coulomb friction in the new law as in the old one."""
    assert sb.Switch().adopt(sb.LuGre(mu_c=WAVE)).given == {"mu_c": WAVE, "mu_v": 0.0}
    table = sb.analysis.compare(rig(sb.LuGre(mu_c=WAVE, sigma0=500.0), SWING), ["Dahl", "Coulomb"], t_end=1.0)
    assert "Dahl" in str(table)


def test_linearisation_has_the_slopes_of_the_parameters() -> None:
    """tau_c = 1 + 0.5 phi while it slides forward: a stiffness of 0.5 N.m/rad."""
    model = rig(sb.Coulomb(mu_c=1 + 0.5 * sb.Sensor("mass.phi")), tau=2.0, w0=1.0)
    linear = sb.analysis.linearize(model)
    assert np.abs(np.linalg.eigvals(linear.A).imag) == pytest.approx([math.sqrt(0.5)] * 2)


def test_advice_for_a_fixed_step() -> None:
    report = sb.analysis.check_realtime(rig(LAWS["LuGre"], SWING), 1e-3, t_end=1.0)
    assert "joint" in str(report)
