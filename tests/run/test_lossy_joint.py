"""Joints whose friction grows with the transmitted torque: closed forms, an independent solution, LossyGear, both
solvers, and what small changes of facts do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck.laws import all_laws

FORWARD, BACKWARD, BASE = 0.25, 0.4, 0.5
LOADED: dict[str, Any] = {"k_forward": FORWARD, "k_backward": BACKWARD, "tau_0": BASE}
COMPLIANT: dict[str, Any] = {"c": 4000.0, "d": 4.0}
SWING = sb.Sine(30.0, f=0.5)


def joint(tau: object, load: float = 10.0, law: sb.laws.Law | None = None, J: float = 1.0, **values: Any) -> sb.Model:
    """A motor of 0.5 kg.m2 that lifts a weight of `load` N.m through a joint: forward is up."""
    m = sb.Model("joint")
    motor, arm = m.add("motor", sb.Inertia(J=0.5)), m.add("arm", sb.Inertia(J=J))
    m.add("joint", sb.LossyJoint(motor, arm, law=law or sb.Coulomb(), **values))
    m.add("drive", sb.Torque(motor, tau=tau))
    m.add("weight", sb.Torque(arm, tau=-load))
    return m


class Own(sb.laws.LockingLaw, registered=False):
    """A law of a user."""

    level = sb.laws.Param(1.0, "{load}", "friction of sliding", min=0)

    @staticmethod
    def sliding(p: sb.laws.Values, v: Any) -> Any:
        return p.level

    @staticmethod
    def breakaway(p: sb.laws.Values) -> Any:
        return 1.4 * p.level


def closes(result: sb.Result) -> None:
    energy = result.energy
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-7 * energy.throughput
    assert energy.dissipated["joint"] >= 0


# --- closed forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stiffness", [{}, COMPLIANT])
def test_it_breaks_away_where_the_load_says(stiffness: dict[str, Any]) -> None:
    """At rest T is the load, so the motor lifts above (1 + s k_forward) load + s tau_0, where s is the static friction,
    and lets the weight sink below (1 - s k_backward) load - s tau_0."""
    static, load = 1.3, 10.0
    law = sb.Switch(mu_c=1.0, mu_s=static)
    lifts = (1 + static * FORWARD) * load + static * BASE
    sinks = (1 - static * BACKWARD) * load - static * BASE
    for limit, start, mode in ((lifts, 9.0, 1), (sinks, 9.0, -1)):
        ramp = sb.Ramp(limit + mode * 0.5 - start, duration=5.0, offset=start)
        model = joint(ramp, load, law, **LOADED, **stiffness)
        model = sb.set_parameter(model, "arm.phi0", -load / COMPLIANT["c"] if stiffness else 0.0)  # at rest at first
        result = sb.simulate(model, 5.0, tolerance=1e-9)
        (event,) = result.events
        assert event.to == {1: "Forward", -1: "Backward"}[mode]
        assert event.time == pytest.approx(5.0 * (limit - start) / (limit + mode * 0.5 - start), rel=1e-9)


@pytest.mark.parametrize("tau_0", [0.0, BASE])
def test_efficiencies_of_lifting_and_lowering(tau_0: float) -> None:
    """Rigid: (0.5 + J) a = tau - load - loss with T = load + J a. Lifting, the loss is k_forward T + tau_0; sinking,
    k_backward T + tau_0. The shares of power that arrive without tau_0 are 1/(1 + k_forward) and 1 - k_backward."""
    load, J = 10.0, 1.0
    for tau, k, way in ((20.0, FORWARD, 1), (2.0, -BACKWARD, -1)):
        result = sb.simulate(joint(tau, load, k_forward=FORWARD, k_backward=BACKWARD, tau_0=tau_0), 1.0, tolerance=1e-9)
        a = (tau - (1 + k) * load - way * tau_0) / (0.5 + (1 + k) * J)
        assert way * a > 0
        assert result["arm.a"] == pytest.approx(a, rel=1e-12)
        assert result["joint.tau_b"] == pytest.approx(-(load + J * a), rel=1e-12)
        assert result["joint.tau_a"] == pytest.approx(tau - 0.5 * a, rel=1e-12)
        if tau_0 == 0.0:
            share = -result["joint.tau_b"] / result["joint.tau_a"]
            assert share**way == pytest.approx(1 / (1 + FORWARD) if way > 0 else 1 - BACKWARD, rel=1e-12)
        closes(result)


def test_efficiencies_are_the_same_as_factors() -> None:
    """eta_forward = 1/(1 + k_forward), eta_backward = 1 - k_backward; forward alone means k_backward = k_forward."""
    pairs = [
        ({"eta_forward": 0.8, "eta_backward": 0.6}, {"k_forward": 0.25, "k_backward": 0.4}),
        ({"eta_forward": 0.8}, {"k_forward": 0.25}),
        ({"eta_forward": 0.8, "eta_backward": 2 - 1 / 0.8}, {"k_forward": 0.25, "k_backward": 0.25}),
    ]
    for efficiencies, factors in pairs:
        results = [sb.simulate(joint(SWING, **values, tau_0=1.0), 2.0) for values in (efficiencies, factors)]
        assert results[0]["arm.w"] == pytest.approx(results[1]["arm.w"], abs=1e-11)


@pytest.mark.parametrize("law", [sb.Coulomb(), sb.Dahl(sigma0=1e5)])
@pytest.mark.parametrize("backward", [0.98, 1.02, 1.5])
def test_it_locks_itself_from_a_factor_of_one_on(law: sb.laws.Law, backward: float) -> None:
    """Without a motor torque the weight sinks below k_backward = 1, and is held above; bristles come to rest
    exponentially."""
    model = joint(0.0, 10.0, law, k_forward=0.3, k_backward=backward, c=4000.0, d=20.0)
    model = sb.set_parameter(model, "arm.phi0", -10.0 / 4000.0)
    w = sb.simulate(model, 3.0)["motor.w"]
    if backward < 1:
        assert w[-1] < -0.3  # (1 - k) 10 N.m on 1.48 kg.m2 for 3 s
    else:
        assert abs(w[-1]) < 1e-3 * (law.family == "bristle") + 1e-12


def test_at_the_factor_of_one_it_holds_rigidly_and_any_larger_one_is_refused() -> None:
    for load in (1.0, 1e4):
        held = sb.simulate(joint(0.0, load, k_forward=0.3, k_backward=1.0), 1.0)
        assert np.all(held["joint.mode"] == 0) and np.abs(held["arm.w"]).max() < 1e-15 * load
    with pytest.raises(sb.errors.SpecError, match=r"1.3 \* 0.8 exceeds 1.*give the stiffness c"):
        sb.compile_model(joint(0.0, law=sb.Switch(mu_s=1.3), k_forward=0.3, k_backward=0.8))
    with pytest.raises(sb.errors.SpecError, match=r"1.4 \* 0.8 exceeds 1"):  # whatever a law calls its levels
        sb.compile_model(joint(0.0, law=Own(), k_forward=0.3, k_backward=0.8))
    with pytest.raises(sb.errors.SpecError, match="LuGre needs the torque as a function of the states"):
        sb.compile_model(joint(0.0, law=sb.LuGre(), k_forward=0.3))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k_forward": 0.1, "eta_forward": 0.9}, "both k_forward and eta_forward"),
        ({"k_backward": 0.1}, "friction where a drives is missing"),
        ({}, "the law has no load; give tau_0"),
        ({"k_forward": 0.1, "d": 2.0}, "damping in parallel with a spring"),
        ({"k_forward": 0.1, "T_fade": [300.0, 400.0], "fade": [1.0, 0.5]}, "fade needs the torque"),
    ],
)
def test_refusals(values: dict[str, Any], message: str) -> None:
    with pytest.raises(sb.errors.SpecError, match=message):
        sb.compile_model(joint(0.0, **values))


# --- the same by other means ------------------------------------------------------------------------------------------


def test_a_rigid_joint_is_a_lossy_gear() -> None:
    """With eta1 = 1/(1 + k_forward), eta2 = 1 - k_backward, tbf1 = eta1 tau_0 and tbf2 = tau_0/eta2."""
    eta1, eta2 = 1 / (1 + FORWARD), 1 - BACKWARD
    gear = joint(SWING, **LOADED)
    del gear.elements["joint"]
    gear.add("joint", sb.LossyGear("motor", "arm", ratio=1, loss_table=[[0, eta1, eta2, eta1 * BASE, BASE / eta2]]))
    expected, result = (sb.simulate(m, 4.0, tolerance=1e-9) for m in (gear, joint(SWING, **LOADED)))
    assert result["arm.w"] == pytest.approx(expected["arm.w"], abs=1e-12)
    assert result["joint.tau"] == pytest.approx(expected["joint.tau_loss"], abs=1e-11)
    assert [event.to for event in result.events] == [event.to for event in expected.events]


def test_a_compliant_joint_is_a_lossy_gear_with_a_spring_behind_it() -> None:
    """The gear finds its torque with all others, the joint from the stretch of its spring."""
    eta1, eta2 = 1 / (1 + FORWARD), 1 - BACKWARD
    gear = joint(SWING, **LOADED, **COMPLIANT)
    del gear.elements["joint"]
    table = [[0, eta1, eta2, eta1 * BASE, BASE / eta2]]
    gear.add("joint", sb.LossyGear("motor", ratio=1, loss_table=table))
    gear.add("shaft", sb.SpringDamper("joint.b", "arm", **COMPLIANT))
    expected, result = (sb.simulate(m, 4.0, tolerance=1e-10) for m in (gear, joint(SWING, **LOADED, **COMPLIANT)))
    assert result["arm.w"] == pytest.approx(expected["arm.w"], abs=1e-8)  # errors of the tolerance, 22 rad/s
    assert result["joint.tau_b"] == pytest.approx(expected["shaft.tau"], abs=1e-5)
    closes(result)


def test_a_stiff_joint_approaches_the_rigid_one() -> None:
    """The difference falls with the stiffness: first order in 1/c, as the twist."""
    law = sb.Stribeck(mu_s=1.3, v_s=0.5)
    rigid = sb.simulate(joint(SWING, law=law, **LOADED), 4.0, tolerance=1e-9)
    errors = []
    for c in (1e5, 1e7):
        soft = sb.simulate(joint(SWING, law=law, **LOADED, c=c, d=2 * (c / 3) ** 0.5), 4.0, tolerance=1e-9)
        errors.append(float(np.abs(np.asarray(soft["arm.w"] - rigid["arm.w"])).max()))
    assert errors[1] < errors[0] / 8
    assert errors[1] < 2e-3


def independent(law: sb.laws.Law, t: np.ndarray) -> np.ndarray:
    """Speeds of motor and arm with Dahl's or LuGre's bristle, written out and solved by LSODA."""
    p = law.bind({"load": "1", "disp": "rad", "vel": "rad/s"}, "law").p
    sigma1 = getattr(p, "sigma1", 0.0)

    def parts(s: float, x: np.ndarray) -> tuple[float, float, float]:
        w, v, twist, z = x
        level = p.mu_c if not hasattr(p, "mu_s") else p.mu_c + (p.mu_s - p.mu_c) * np.exp(-((w / p.v_s) ** 2))
        rate = w - p.sigma0 * abs(w) / level * z
        friction = p.sigma0 * z + sigma1 * rate + getattr(p, "sigma2", 0.0) * w
        return rate, friction, COMPLIANT["c"] * twist + COMPLIANT["d"] * (w - v)

    def rates(s: float, x: np.ndarray) -> list[float]:
        rate, friction, T = parts(s, x)
        along = T if friction >= 0 else -T
        load = BASE + (FORWARD * along if along > 0 else -BACKWARD * along)
        return [(30 * np.sin(np.pi * s) - T - load * friction) / 0.5, T - 10.0, x[0] - x[1], rate]

    run = solve_ivp(rates, (0.0, t[-1]), np.zeros(4), "LSODA", t_eval=t, rtol=1e-10, atol=1e-12, max_step=2e-3)
    return np.asarray(run.y[:2].T)


@pytest.mark.parametrize("law", [sb.Dahl(sigma0=2e3), sb.LuGre(sigma0=2e3, sigma1=5.0, mu_s=1.2, v_s=0.5)])
def test_bristles_against_an_independent_solution(law: sb.laws.Law) -> None:
    t = np.linspace(0, 1.5, 76)
    expected = independent(law, t)
    result = sb.simulate(joint(SWING, law=law, **LOADED, **COMPLIANT), times=t, tolerance=1e-9)
    speeds = np.column_stack([result["motor.w"], result["arm.w"]])
    assert speeds == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())
    energy = result.energy
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-7 * energy.throughput


LAWS = [sb.Coulomb(), sb.Switch(mu_s=1.3), sb.Stribeck(mu_s=1.3, v_s=0.5), sb.LuGre(sigma0=1e4, sigma1=20.0, mu_s=1.3)]


@pytest.mark.parametrize("stiffness", [{}, COMPLIANT, {"c": 1e6, "d": 100.0}])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_fixed_step_of_a_millisecond(law: sb.laws.Law, stiffness: dict[str, Any]) -> None:
    """First order: the error is below 0.1 % of the largest speed, and below 0.02 % at a tenth of the step."""
    if law.family == "bristle" and not stiffness:
        return
    model = joint(SWING, law=law, **LOADED, **stiffness)
    for h, bound in ((1e-3, 1e-3), (1e-4, 2e-4)):
        fixed = model.realtime(h=h).run(2.0)
        exact = sb.simulate(model, times=np.asarray(fixed.time), tolerance=1e-9)
        assert fixed["arm.w"] == pytest.approx(exact["arm.w"], abs=bound * np.abs(exact["arm.w"]).max())
        assert abs(fixed.energy.residual) < 1e-10 * fixed.energy.throughput


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_every_law_works_in_a_compliant_joint(law: type[sb.laws.Law]) -> None:
    """Friction is within its largest level times the load, the balance closes, and 1 ms follows to 0.2 % of the largest
    speed."""
    like = sb.LuGre(mu_c=1.0, mu_s=1.3, sigma0=2e3, sigma1=5.0, v_s=0.5)
    given = law(speed=[0, 1], mu=[1.3, 1.0]) if law is sb.FrictionTable else law().adopt(like)
    model = joint(SWING, law=given, **LOADED, **COMPLIANT)
    fixed = model.realtime("1 ms").run(1.5)
    exact = sb.simulate(model, times=np.asarray(fixed.time), tolerance=1e-8)
    closes(exact)
    T = -np.asarray(exact["joint.tau_b"])
    assert np.all(np.abs(exact["joint.tau"]) < 1.6 * (BASE + max(FORWARD, BACKWARD) * np.abs(T)))
    assert fixed["arm.w"] == pytest.approx(exact["arm.w"], abs=2e-3 * np.abs(exact["arm.w"]).max())
    assert abs(fixed.energy.residual) < 1e-10 * fixed.energy.throughput


def test_a_rigid_joint_that_jams_at_speed_is_the_limit_of_a_stiff_one() -> None:
    """Viscous friction of the law, 6 times the load at 5 rad/s, makes k_backward f = 5.4: the arm cannot drive the
    motor on, and stops at once. Then it sinks, slower than 0.1/0.9 rad/s where k_backward f is 1."""

    def falling(**values: float) -> sb.Result:
        m = sb.Model("jam")
        motor, arm = m.add("motor", sb.Inertia(J=0.05, w0=-5.0)), m.add("arm", sb.Inertia(J=5.0, w0=-5.0))
        law = sb.Switch(mu_c=1, mu_s=1, mu_v=1)
        m.add("joint", sb.LossyJoint(motor, arm, law=law, k_forward=0.3, k_backward=0.9, tau_0=0.1, **values))
        m.add("weight", sb.Torque(arm, tau=-10.0))
        return sb.simulate(m, 3.0)

    rigid, *stiff = falling(), falling(c=1e6, d=1e3), falling(c=1e8, d=1e4)
    heat = [result.energy.dissipated["joint"] for result in (rigid, *stiff)]
    assert rigid["arm.w"][1] > -0.02 and -0.1 / 0.9 < rigid["arm.w"][-1] < -0.09
    assert [result["arm.w"][-1] for result in stiff] == pytest.approx([rigid["arm.w"][-1]] * 2, abs=1e-9)
    assert abs(heat[2] - heat[0]) < abs(heat[1] - heat[0]) / 5 and heat[2] == pytest.approx(heat[0], rel=1e-4)


def test_fixed_steps_hold_a_load_without_creep() -> None:
    for values in ({"k_backward": 1.0}, {"k_backward": 1.4, **COMPLIANT}):
        plant = joint(0.0, 10.0, k_forward=0.3, **values).realtime(h=1e-3)
        plant.step(3000)
        start = plant["motor.phi"]
        plant.step(2000)
        assert plant["motor.phi"] == pytest.approx(start, abs=1e-16)  # rounding of a load of 10 N.m
        assert plant["joint.mode"] == 0


# --- one answer -------------------------------------------------------------------------------------------------------


def random_joint(rng: np.random.Generator, ulp: int = 0, order: int = 1) -> sb.Model:
    """A chain of two joints, rigid or compliant, under constant torques; `ulp` changes every number by so many."""

    sign = np.random.default_rng(ulp)

    def number(low: float, high: float) -> float:
        return float(rng.uniform(low, high)) * (1 + ulp * 2.0**-52 * sign.choice([-1, 1]))

    m, parts = sb.Model("random"), []
    for i in range(3):
        parts.append((f"J{i}", sb.Inertia(J=number(0.1, 2.0))))
        parts.append((f"T{i}", sb.Torque(f"J{i}", tau=number(-10.0, 10.0))))
    for i in range(2):
        law = [sb.Coulomb(), sb.Switch(mu_s=1.2), sb.Stribeck(mu_s=1.2, v_s=0.1)][rng.integers(3)]
        loads = {"tau_0": number(0.1, 1.0), "k_forward": number(0.05, 0.6), "k_backward": number(0.05, 0.8)}
        spring = {"c": number(100.0, 1000.0), "d": number(0.5, 5.0)}
        parts.append(
            (
                f"joint{i}",
                sb.LossyJoint(f"J{i}", f"J{i + 1}", law=law, **loads, **(spring if rng.random() < 0.5 else {})),
            )
        )
    for name, element in parts[::order]:
        m.add(name, element)
    return m


@pytest.mark.parametrize("seed", range(20))
def test_neither_rounding_nor_order_decides(seed: int) -> None:
    """Every number changed by 3 ulp, and the elements in the opposite order: the same modes and the same motion."""
    results = [
        sb.simulate(random_joint(np.random.default_rng(seed), ulp, order), 1.0, tolerance=1e-9)
        for ulp, order in ((0, 1), (3, 1), (0, -1))
    ]
    speeds = [np.array([result[f"J{i}.w"] for i in range(3)]) for result in results]
    for result, speed in zip(results[1:], speeds[1:], strict=True):
        assert {(e.element, e.to) for e in result.events} == {(e.element, e.to) for e in results[0].events}
        assert speed == pytest.approx(speeds[0], abs=1e-6 * max(1.0, np.abs(speeds[0]).max()))
    assert abs(results[0].energy.residual) < 1e-11 * max(results[0].energy.throughput, 1e-3)


def test_at_the_limit_the_joint_rests_whatever_the_last_digit() -> None:
    """A motor torque on the break-away limit, and a few ulp beside it: it does not move by more than rounding."""
    limit = (1 + FORWARD) * 10.0 + BASE
    for step in range(-3, 4):
        tau = limit * (1 + step * 2.0**-52)
        assert np.abs(sb.simulate(joint(tau, **LOADED), 1.0)["arm.w"]).max() < 1e-12


def test_static_friction_adds_to_that_of_a_bearing_on_the_same_shaft() -> None:
    """Both hold, and break away together at (1 + s k) load + s tau_0 + static torque of the bearing."""
    static, load = 1.4, 10.0
    limit = (1 + static * FORWARD) * load + static * BASE + 3.0
    model = joint(sb.Ramp(limit + 0.5 - 9.0, duration=5.0, offset=9.0), load, sb.Switch(mu_s=static), **LOADED)
    model.add("bearing", sb.Bearing("motor", law=sb.Switch(tau_c=2.0, tau_s=3.0)))
    result = sb.simulate(model, 5.0, tolerance=1e-9)
    assert result.events.time[0] == pytest.approx(5.0 * (limit - 9.0) / (limit + 0.5 - 9.0), rel=1e-9)
    assert {(event.element, event.to) for event in result.events} == {("joint", "Forward"), ("bearing", "Forward")}


def test_along_a_line_with_a_screw_and_heat() -> None:
    """A nut on a screw: forces, f_0, and heat that the friction leaves in a thermal mass."""
    m = sb.Model("screw")
    nut, table = m.add("nut", sb.Mass(m=2.0)), m.add("table", sb.Mass(m=5.0))
    warm = m.add("warm", sb.ThermalMass(C=10.0, T0=300.0))
    m.add(
        "joint", sb.LossyJoint(nut, table, law=sb.Coulomb(), f_0=3.0, k_forward=0.2, c=1e6, d=1e3, d_v=4.0, heat=warm)
    )
    m.add("drive", sb.Force(nut, f=sb.Sine(60.0, f=1.0)))
    result = sb.simulate(m, 2.0, tolerance=1e-9)
    heat = result.energy.dissipated["joint"]
    assert heat > 1.0
    assert 10.0 * (result["warm.T"][-1] - 300.0) == pytest.approx(heat, rel=1e-6)
    closes(result)
