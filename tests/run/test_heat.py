"""Heat: what the ledger calls dissipated warms thermal masses, temperatures change friction, and nothing is lost."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from support.machines import MACHINES

import stribeck as sb
from stribeck.elements import DOMAINS, all_elements
from stribeck.laws import Mode, all_laws

TIGHT = 1e-10
T0 = 293.15


# --- closed forms: the tolerance of the comparison is 10 times that of the run ----------------------------------------


def test_a_slipping_clutch_warms_its_plate() -> None:
    """Two inertias that a clutch brings to one speed lose 1/2 J1 J2/(J1 + J2) dw^2, whatever its torque does."""
    m = sb.Model("start")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=100.0)), m.add("b", sb.Inertia(J=2.0))
    plate = m.add("plate", sb.ThermalMass(C="50 J/K", T0="20 degC"))
    pressed = sb.Ramp(1.0, duration=1.0)
    m.add("clutch", sb.Clutch(a, b, law=sb.Coulomb(mu_c=0.3), fn_max=100.0, f_normalized=pressed, heat=plate))
    result = sb.simulate(m, 10.0, tolerance=TIGHT)
    rise = 0.5 * (2.0 / 3.0) * 100.0**2 / 50.0
    assert result["plate.T"][0] == T0
    assert result["plate.T"][-1] - T0 == pytest.approx(rise, rel=10 * TIGHT)
    assert result["clutch.heat"][-1] == 0.0  # it sticks


def test_a_brake_with_convection() -> None:
    r"""J w' = -tau: the heat P = tau (w0 - tau t/J) falls in a straight line, and with k = G/C

    C T' = P - G (T - T_a)   gives   T - T_a = p + q t - p exp(-k t),  q = -tau^2/(J G),  p = (tau w0 - C q)/G.
    """
    J, w0, tau, C, G, t = 2.0, 30.0, 8.0, 40.0, 3.0, 5.0
    m = sb.Model("stop")
    wheel = m.add("wheel", sb.Inertia(J=J, w0=w0))
    disc = m.add("disc", sb.ThermalMass(C=C))
    m.add("brake", sb.Brake(wheel, law=sb.Coulomb(mu_c=0.4), fn_max=20.0, heat=disc))
    m.add("air", sb.Convection(disc, G=G))
    result = sb.simulate(m, t, intervals=10, tolerance=TIGHT)
    times = np.asarray(result.time)
    q = -(tau**2) / (J * G)
    p = (tau * w0 - C * q) / G
    assert np.asarray(result["disc.T"]) - T0 == pytest.approx(
        p + q * times - p * np.exp(-G / C * times), rel=10 * TIGHT
    )
    assert np.asarray(result["brake.heat"]) == pytest.approx(tau * (w0 - tau / J * times), rel=10 * TIGHT)
    assert np.asarray(result["air.Q_flow"]) == pytest.approx(G * np.asarray(result["air.dT"]), rel=1e-14)


def test_a_lining_that_fades() -> None:
    r"""A brake whose factor falls by k per kelvin: J w' = -tau (1 - k rise), and rise = J (w0^2 - w^2)/(2 C) by energy.

    So w' = -(b + a w^2) with a = tau k/(2 C) and b = tau/J - a w0^2, which is positive where the brake does not fade
    away before it stops the wheel: w = c tan(atan(w0/c) - a c t), c = sqrt(b/a).
    """
    J, w0, tau, C, k, t = 2.0, 30.0, 8.0, 60.0, 0.02, 3.0
    m = sb.Model("fading")
    wheel = m.add("wheel", sb.Inertia(J=J, w0=w0))
    disc = m.add("disc", sb.ThermalMass(C=C))
    table = {"T_fade": [T0, T0 + 40.0], "fade": [1.0, 1.0 - 40.0 * k]}
    m.add("brake", sb.Brake(wheel, law=sb.Coulomb(mu_c=0.4), fn_max=20.0, heat=disc, **table))
    result = sb.simulate(m, t, intervals=6, tolerance=TIGHT)
    times = np.asarray(result.time)
    a = tau * k / (2 * C)
    b = tau / J - a * w0**2
    assert b > 0
    c = sqrt(b / a)
    w = c * np.tan(np.arctan(w0 / c) - a * c * times)
    assert np.asarray(result["wheel.w"]) == pytest.approx(w, rel=10 * TIGHT)
    assert np.asarray(result["disc.T"]) - T0 == pytest.approx(J * (w0**2 - w**2) / (2 * C), rel=10 * TIGHT)


def test_two_masses_and_no_mechanics() -> None:
    """Two bodies that exchange heat approach the mean with the rate G (1/C1 + 1/C2); what one loses the other gains."""
    m = sb.Model("two bodies")
    hot, cold = m.add("hot", sb.ThermalMass(C=2.0, T0=400.0)), m.add("cold", sb.ThermalMass(C=3.0, T0=300.0))
    m.add("wall", sb.Convection(hot, cold, h=5.0, A=0.1))
    result = sb.simulate(m, 4.0, intervals=8, tolerance=TIGHT)
    gap = 100.0 * np.exp(-0.5 * (1 / 2.0 + 1 / 3.0) * np.asarray(result.time))
    mean = (2.0 * 400.0 + 3.0 * 300.0) / 5.0
    assert np.asarray(result["hot.T"]) == pytest.approx(mean + 3.0 / 5.0 * gap, rel=10 * TIGHT)
    assert np.asarray(result["cold.T"]) == pytest.approx(mean - 2.0 / 5.0 * gap, rel=10 * TIGHT)
    assert np.asarray(result["wall.dT"]) == pytest.approx(gap, rel=100 * TIGHT)


def test_given_flow_and_temperature() -> None:
    """A heater of P against a bath at T_b: T = T_b + P/G (1 - exp(-G t/C)); masses at one place add up."""
    m = sb.Model("heater")
    part, lid = m.add("part", sb.ThermalMass(C=4.0)), m.add("lid", sb.ThermalMass(C=1.0))
    m.connect(part, lid)
    bath = m.add("bath", sb.FixedTemperature(T="20 degC"))
    m.add("heater", sb.HeatFlow(part, Q_flow="3 W"))
    m.add("cooling", sb.Convection(part, bath, G="2 W/K"))
    result = sb.simulate(m, 6.0, intervals=6, tolerance=TIGHT)
    exact = T0 + 1.5 * (1 - np.exp(-2.0 / 5.0 * np.asarray(result.time)))
    assert np.asarray(result["part.T"]) == pytest.approx(exact, rel=TIGHT)
    assert np.array_equal(result["part.T"], result["lid.T"])


def test_heat_that_is_led_away_at_once() -> None:
    """Ports on a place without capacity, as in Modelica's HeatLosses: T = (sum of G_k T_k + heat)/(sum of G_k)."""
    J, w0, tau, d = 2.0, 30.0, 8.0, 0.7
    m = sb.Model("losses")
    wheel = m.add("wheel", sb.Inertia(J=J, w0=w0))
    oil = m.add("oil", sb.FixedTemperature(T=340.0))
    m.add("brake", sb.Brake(wheel, law=sb.Coulomb(mu_c=0.4), fn_max=20.0))
    m.add("damper", sb.Damper(wheel, d=d, heat="brake.heat"))
    m.add("sun", sb.HeatFlow("brake.heat", Q_flow=5.0))
    m.add("air", sb.Convection("brake.heat", G=4.0))
    m.add("sump", sb.Convection(oil, "brake.heat", G=sb.Ramp(6.0, duration=1.0, offset=1.0)))
    result = sb.simulate(m, 2.0, intervals=10, tolerance=TIGHT)
    t, w = np.asarray(result.time), np.asarray(result["wheel.w"])
    heat = tau * w + d * w**2
    assert np.asarray(result["brake.heat"]) + np.asarray(result["damper.heat"]) == pytest.approx(heat, rel=1e-12)
    sump = 1.0 + 6.0 * np.minimum(t, 1.0)
    T = (4.0 * T0 + sump * 340.0 + heat + 5.0) / (4.0 + sump)
    assert np.asarray(result["air.dT"]) == pytest.approx(T - T0, rel=1e-12)
    assert np.asarray(result["sump.dT"]) == pytest.approx(340.0 - T, abs=1e-12 * 340.0)
    assert np.asarray(result["sump.Q_flow"]) == pytest.approx(sump * (340.0 - T), abs=1e-11 * 340.0)


def test_impacts_are_heat() -> None:
    """A mass between two stops loses (1 - e^2) of its kinetic energy at each impact; after n of them e^(2n) is left."""
    e, v0, C = 0.7, 2.0, 5.0
    m = sb.Model("bounces")
    slider = m.add("slider", sb.Mass(m=3.0, v0=v0))
    anvil = m.add("anvil", sb.ThermalMass(C=C))
    m.add("stop", sb.Stop(slider, s_min=-0.1, s_max=0.1, restitution=e, heat=anvil))
    result = sb.simulate(m, 0.4, intervals=40, tolerance=TIGHT)
    n = round(np.log(abs(result["slider.v"][-1]) / v0) / np.log(e))
    assert n == 3  # at 0.05 s, then 0.2 m with 1.4 m/s, then with 0.98 m/s
    assert C * (result["anvil.T"][-1] - T0) == pytest.approx(1.5 * v0**2 * (1 - e ** (2 * n)), rel=1e-10)
    assert result.energy.dissipated["stop"] == pytest.approx(C * (result["anvil.T"][-1] - T0), rel=1e-10)


def test_a_free_wheel_that_closes_at_once_is_heat() -> None:
    """It starts with slip in the direction that it blocks: a plastic impact of two inertias."""
    m = sb.Model("free-wheel")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=6.0)), m.add("b", sb.Inertia(J=2.0))
    ring = m.add("ring", sb.ThermalMass(C=4.0))
    m.add("wheel", sb.FreeWheel(a, b, heat=ring))
    result = sb.simulate(m, 1.0, tolerance=TIGHT)
    assert 4.0 * (result["ring.T"][-1] - T0) == pytest.approx(0.5 * (2.0 / 3.0) * 36.0, rel=1e-12)


def test_coupled_clutches_with_heat() -> None:
    """Clutch 2 of the Modelica example slides once, from 0.4 s on, under 10 N.m, while clutch 1 slides under
    10 cos(0.4 pi t) N.m; the speeds at 0.4 s and the instant at which it sticks are those of the exact solution (see
    test_clutches.py). Clutch 1 slides from the start, and until 0.4 s nothing else does."""
    m = sb.load_model("coupled-clutches")
    C = 0.1
    for i in (1, 2, 3):
        m.add(f"plate{i}", sb.ThermalMass(C=C))
        m.connect(f"clutch{i}.heat", f"plate{i}")
    result = sb.simulate(m, times=np.array([0.0, 0.4, 0.9, 1.5]), tolerance=1e-12)

    omega, begins, sticks, w2 = 0.4 * pi, 0.4, 0.709621474693747, 3.8336739292985
    slip2 = [
        w2 * t - 10 / omega**2 * cos(omega * t) - 10 / omega * sin(omega * begins) * t - 10 * (t - begins) ** 2
        for t in (begins, sticks)
    ]
    assert result["plate2.T"][2] - T0 == pytest.approx(10 * (slip2[1] - slip2[0]) / C, rel=1e-10)

    def power(t: float) -> float:
        first = 10 + 10 * (1 - cos(10 * pi * t)) / (10 * pi) - 10 / omega * sin(omega * t)
        return 10 * cos(omega * t) * (first - 10 / omega * sin(omega * t))

    heat, _ = quad(power, 0.0, begins, epsabs=1e-12, epsrel=1e-12)
    assert result["plate1.T"][1] - T0 == pytest.approx(heat / C, rel=1e-10)
    total = sum(C * (result[f"plate{i}.T"][-1] - T0) for i in (1, 2, 3))
    energy = result.energy
    assert total == pytest.approx(sum(energy.input.values()) - sum(energy.stored.values()), rel=1e-10)
    assert energy.dissipated == {
        f"clutch{i}": pytest.approx(C * (result[f"plate{i}.T"][-1] - T0), rel=1e-10) for i in (1, 2, 3)
    }


# --- heat is what the ledger calls dissipated -------------------------------------------------------------------------


def parameters(law: type) -> dict[str, float]:
    """Laws that are soft enough for every method, with a wide Stribeck curve."""
    wide = {
        "z_ba": 1e-3,
        "sigma0": 300.0,
        "sigma1": 5.0,
        "mu_c": 0.8,
        "mu_s": 1.2,
        "v_s": 0.1,
        "dv": 0.02,
        "Sigma_2": 1e-3,
        "p0": 50.0,
    }
    return {name: value for name, value in wide.items() if name in law.params}


def law_of(law: type) -> sb.laws.Law:
    if law is sb.HybridPresliding:
        return law.tuned(mass=1.0, mu_c=0.8, mu_s=1.2, z_max=2e-3, v_s=0.1, Sigma=0.02)
    if "speed" in law.params:
        return law(speed=[0.0, 0.1, 0.4, 5.0], mu=[1.2, 0.9, 0.8, 1.0], **parameters(law))
    return law(**parameters(law))


def stick_slip(law: sb.laws.Law, **more: object) -> sb.Model:
    """A mass that is pulled by a spring, sticks and slips, and warms its bearing."""
    m = sb.Model("stick-slip")
    pull = m.add("pull", sb.Speed(w=sb.Sine(0.3, f=0.15, offset=0.1)))
    mass = m.add("mass", sb.Inertia(J=1.0))
    m.add("spring", sb.SpringDamper(pull, mass, c=4.0, d=0.1))
    lining = m.add("lining", sb.ThermalMass(C=0.5))
    m.add("friction", sb.Bearing(mass, law=law, heat=lining, **more))
    return m


@pytest.mark.parametrize("solver", ["rodas5p", "dopri5"])
@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_heat_of_every_law_is_what_the_ledger_dissipates(law: type, solver: str) -> None:
    """The temperature is integrated by the method, the ledger by quadrature of its solution, each with an error of the
    size of the tolerance. Jumps of laws and slips in the windows of stuck contacts count on both sides."""
    result = sb.simulate(stick_slip(law_of(law)), 12.0, tolerance=TIGHT, solver=solver)
    heat = 0.5 * (result["lining.T"][-1] - T0)
    assert heat > 0.1
    missed = 10 if law is sb.Leuven2000 else 1  # its rate jumps where a loop closes, which is not located
    assert heat == pytest.approx(result.energy.dissipated["friction"], rel=100 * missed * TIGHT)


def test_heat_of_every_element_is_what_the_ledger_dissipates() -> None:
    """All of them into two masses without losses, but the damper, which goes into the oil."""
    m = MACHINES["heated"]()
    for name in ("air", "bath", "sun"):
        del m.elements[name]
    result = sb.simulate(m, 5.0, tolerance=TIGHT)
    rises = 3.0 * (result["plate.T"][-1] - T0) + 2.0 * (result["drum.T"][-1] - 313.15)
    dissipated = result.energy.dissipated
    assert rises == pytest.approx(sum(dissipated.values()) - dissipated["damper"], rel=1e-8)
    assert len(dissipated) == 10


LOSSES: dict[str, dict[str, object]] = {
    "efficiency": {"efficiency": 0.8},
    "table": {"loss_table": [[0, 0.7, 0.6, 0.2, 0.3]]},
    "over speed": {"loss_table": [[0, 0.7, 0.6, 0.2, 0.3], [3, 0.9, 0.8, 0.5, 0.4]]},
    "locks itself": {"loss_table": [[0, 0.5, 0.0, 0.5, 0.0]]},
}


def lossy(losses: dict[str, object], planetary: bool) -> sb.Model:
    """A gear that swings through both directions and both driving sides, and warms its oil."""
    m = sb.Model("lossy")
    a, oil = m.add("a", sb.Inertia(J=0.4, w0=2.0)), m.add("oil", sb.ThermalMass(C=0.7))
    b = m.add("b", sb.Inertia(J=1.5))
    if planetary:
        m.add("gear", sb.Planetary(a, b, m.add("ring", sb.Inertia(J=0.8)), ratio=1.7, heat=oil, **losses))
    else:
        m.add("gear", sb.LossyGear(a, b, ratio=2.0, heat=oil, **losses))
    m.add("drive", sb.Torque(a, tau=sb.Sine(5.0, f=0.5)))
    m.add("load", sb.Bearing(b, law=sb.Coulomb(mu_c=0.5)))
    return m


@pytest.mark.parametrize("solver", ["rodas5p", "dopri5"])
@pytest.mark.parametrize("planetary", [False, True], ids=["gear", "planetary"])
@pytest.mark.parametrize("losses", LOSSES.values(), ids=LOSSES)
def test_heat_of_gears_is_what_the_ledger_dissipates(losses: dict[str, object], planetary: bool, solver: str) -> None:
    """Their loss is an unknown that slides; the derivatives are exact all the same."""
    m = lossy(losses, planetary)
    result = sb.simulate(m, 6.0, tolerance=TIGHT, solver=solver)
    heat = 0.7 * (result["oil.T"][-1] - T0)
    assert heat > 0.1
    assert heat == pytest.approx(result.energy.dissipated["gear"], rel=100 * TIGHT)

    program = sb.compile_model(m)
    machine = program.machine()
    machine.start(0.2, program.y0)
    y, row = np.asarray(machine.state()), program.state_names.index("oil.T_rise")
    jacobian = machine.jacobian(0.2, y)[row]
    for j, size in enumerate(program.nominal):
        unit = 1e-3 * size * np.eye(len(y))[j]
        f = [machine.rhs(0.2, y + k * unit)[row] for k in (-2, -1, 1, 2)]
        assert jacobian[j] == pytest.approx((8 * (f[2] - f[1]) - (f[3] - f[0])) / (12e-3 * size), abs=1e-9)


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_derivatives_of_the_heat_of_every_law(law: type) -> None:
    """The row of the temperature in the Jacobian against central differences of order 4, with a load that fades;
    bristles that hold make no heat, to rounding."""
    m = stick_slip(law_of(law), T_fade=[T0 - 50.0, T0 + 50.0], fade=[1.3, 0.7])
    program = sb.compile_model(m)
    machine, row = program.machine(), program.state_names.index("lining.T_rise")
    modes = [f"friction.{name}" for name, state in law_of(law).states.items() if isinstance(state, Mode)]
    discrete = {i for i, name in enumerate(program.state_names) if name in modes}
    rng = np.random.default_rng(7)
    for sign in (1.0, -1.0):
        y = program.nominal * rng.uniform(0.1, 0.9, len(program.y0))
        y[0] = 3.0 * sign * program.nominal[0]
        y[row] = 2.0
        for i in discrete:
            y[i] = 0.0
        machine.start(0.3, y)
        jacobian = machine.jacobian(0.3, y)[row]
        for j, size in enumerate(program.nominal):
            if j in discrete:
                continue
            unit = 1e-3 * size * np.eye(len(y))[j]
            f = [machine.rhs(0.3, y + k * unit)[row] for k in (-2, -1, 1, 2)]
            slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / 12e-3
            scale = abs(machine.rhs(0.3, y)[row]) + np.abs(jacobian) @ program.nominal
            assert size * jacobian[j] == pytest.approx(slope, abs=1e-9 * scale + 1e-12), program.state_names[j]


# --- an independent solution ------------------------------------------------------------------------------------------


def test_eddy_current_brake_that_becomes_warm() -> None:
    """Its conductance falls with the temperature of the rotor: against SciPy on the same two equations."""
    from scipy.integrate import solve_ivp

    J, C, G, alpha = 1.0, 20.0, 2.0, 3.92e-3

    def rates(t: float, y: np.ndarray) -> list[float]:
        k = y[0] / (10.0 * (1 + alpha * (y[1] - T0)))
        tau = 2 * 100.0 * k / (1 + k**2)
        return [-tau / J, (tau * y[0] - G * (y[1] - T0)) / C]

    exact = solve_ivp(rates, (0, 1.0), [60.0, T0], method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    m = sb.Model("retarder")
    shaft = m.add("shaft", sb.Inertia(J=J, w0=60.0))
    rotor = m.add("rotor", sb.ThermalMass(C=C))
    m.add("brake", sb.EddyCurrentBrake(shaft, tau_nominal=100, w_nominal=10, alpha=alpha, heat=rotor))
    m.add("air", sb.Convection(rotor, G=G))
    result = sb.simulate(m, 1.0, tolerance=TIGHT)
    assert [result["shaft.w"][-1], result["rotor.T"][-1]] == pytest.approx(exact, rel=100 * TIGHT)


# --- other ways through the same equations ----------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["scipy-radau", "scipy-dop853"])
@pytest.mark.parametrize("law", [sb.Karnopp, sb.Hybrid, sb.HybridPresliding, sb.LuGre, sb.Switch])
def test_outside_integrators_find_the_same_temperature(law: type, solver: str) -> None:
    """They see rates alone: the heat of contacts that hold a slip too. Their tolerance is 1e-9 of states of about 1."""
    m = stick_slip(law_of(law), T_fade=[T0, T0 + 20.0], fade=[1.0, 0.6])
    ours = sb.simulate(m, 6.0, tolerance=1e-9)
    theirs = sb.simulate(m, 6.0, tolerance=1e-9, solver=solver)
    rise = ours["lining.T"][-1] - T0
    assert theirs["lining.T"][-1] - T0 == pytest.approx(rise, rel=1e-6)


def test_linear_model_of_a_warm_machine() -> None:
    """A wheel under a constant torque against a fading brake, at rest in w and T: w' = (tau - d w - b f(T))/J and
    C T' = (d w + b f) w - G (T - T0), linearised by hand."""
    J, d, b, C, G, k, tau = 2.0, 0.5, 3.0, 4.0, 6.0, 0.02, 8.0
    m = sb.Model("steady")
    wheel = m.add("wheel", sb.Inertia(J=J, w0=1.0))
    drum = m.add("drum", sb.ThermalMass(C=C))
    m.add("motor", sb.Torque(wheel, tau=tau))
    m.add("oil", sb.Damper(wheel, d=d, heat=drum))
    m.add("brake", sb.Bearing(wheel, law=sb.Coulomb(mu_c=b), heat=drum, T_fade=[T0, T0 + 40], fade=[1, 1 - 40 * k]))
    m.add("air", sb.Convection(drum, G=G))
    w, rise = 5.0, 10.0
    linear = sb.analysis.linearize(m, at={"wheel.w": w, "drum.T_rise": rise})
    brake = b * (1 - k * rise)
    expected = [[-d / J, b * k / J], [(2 * d * w + brake) / C, (-b * k * w - G) / C]]
    places = [linear.states.index(name) for name in ("wheel.w", "drum.T_rise")]
    assert linear.A[np.ix_(places, places)] == pytest.approx(np.array(expected), rel=1e-12)


def test_contacts_side_by_side_share_a_mass() -> None:
    """Two brakes on one wheel, one of them with Karnopp's window, into one disc: all of the energy, none twice."""
    m = sb.Model("pair")
    wheel = m.add("wheel", sb.Inertia(J=1.0, w0=4.0))
    disc = m.add("disc", sb.ThermalMass(C=1.0))
    m.add("left", sb.Brake(wheel, law=sb.Switch(mu_c=0.3, mu_s=0.4), fn_max=2.0, heat=disc))
    m.add("right", sb.Brake(wheel, law=sb.Karnopp(mu_c=0.3, mu_s=0.4, dv=1e-3), fn_max=2.0, heat=disc))
    m.add("push", sb.Torque(wheel, tau=sb.Sine(1.0, f=0.3)))
    result = sb.simulate(m, 8.0, tolerance=TIGHT)
    assert result["disc.T"][-1] - T0 == pytest.approx(sum(result.energy.dissipated.values()), rel=1e-8)


# --- without a port nothing changes -----------------------------------------------------------------------------------


def test_without_a_port_nothing_costs() -> None:
    sizes = sb.compile_model(sb.load_model("coupled-clutches")).sizes
    assert sizes["n_heat"] == sizes["n_warm"] == sizes["n_u"] == 0


def test_every_element_that_dissipates_has_a_port() -> None:
    """Those whose branches take power: springs with dampers, passive sources, friction."""
    lossless = {"Spring", "CamSpring"}
    drives = {"Torque", "Force", "SpeedTorque", "Engine"}
    for name, kind in all_elements().items():
        dissipates = kind.role == "link" and kind.domain != "thermal" and name not in lossless | drives
        assert ("heat" in kind.ports) == (dissipates or name in ("Vehicle", "LossyGear", "LossyJoint", "Planetary")), (
            name
        )
    assert set(DOMAINS) == {"rotational", "translational"}


# --- at a fixed step --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_heat_of_every_law_at_a_fixed_step(law: type) -> None:
    """The ledger of the step and its heat are the same work. Against the adaptive run at 1 ms: 1 %."""
    m = stick_slip(law_of(law))
    stepper = m.realtime(h=1e-3)
    result = stepper.run(t_end=12.0, every=1000)
    heat = 0.5 * (result["lining.T"][-1] - T0)
    assert heat == pytest.approx(stepper.energy.dissipated["friction"], rel=1e-9)
    adaptive = sb.simulate(m, 12.0, tolerance=TIGHT)
    assert heat == pytest.approx(0.5 * (adaptive["lining.T"][-1] - T0), rel=1e-2)


def test_impacts_are_heat_at_a_fixed_step() -> None:
    """What is lost of the kinetic energy, whatever the step in which the stop was met."""
    m = sb.Model("bounces")
    slider = m.add("slider", sb.Mass(m=3.0, v0=2.0))
    anvil = m.add("anvil", sb.ThermalMass(C=5.0))
    m.add("stop", sb.Stop(slider, s_min=-0.1, s_max=0.1, restitution=0.7, heat=anvil))
    stepper = m.realtime(h=1e-3)
    stepper.step(400)
    assert abs(stepper["slider.v"]) == pytest.approx(2.0 * 0.7**3, rel=1e-12)
    assert 5.0 * (stepper["anvil.T"] - T0) == pytest.approx(6.0 - 1.5 * stepper["slider.v"] ** 2, rel=1e-11)


def test_a_small_thermal_mass_at_a_fixed_step() -> None:
    """Its time constant C/G is 1 us, its temperature at once the one that leads away the heat of the step."""
    m = sb.Model("film")
    wheel = m.add("wheel", sb.Inertia(J=1.0, w0=10.0))
    film = m.add("film", sb.ThermalMass(C=1e-5))
    m.add("brake", sb.Brake(wheel, law=sb.Coulomb(mu_c=0.5), fn_max=4.0, heat=film))
    m.add("air", sb.Convection(film, G=10.0))
    stepper = m.realtime(h=1e-3)
    for _ in range(50):
        stepper.step(20)
        assert 10.0 * (stepper["film.T"] - T0) == pytest.approx(stepper["brake.heat"], rel=2e-3)
