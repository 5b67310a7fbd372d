"""The experiments of petrun2012, checked by other means."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck_papers import Verdict, petrun2012
from stribeck_papers.compiled import compiler
from stribeck_papers.petrun2012 import _bed_items, _c_joint, _coupling, _ensemble, _requirement_items, bristle, clutch
from stribeck_papers.petrun2012._belt_items import damped_oscillator
from stribeck_papers.petrun2012.belt import BRISTLE, CURVE

# --- the bristle -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("force", [1.0, 0.1])
@pytest.mark.parametrize("z_ba", [0.9e-4, 1.8e-4])
def test_steady_friction_with_constant_limits_is_where_the_bristle_comes_to_rest(z_ba: float, force: float) -> None:
    s0, z_max = BRISTLE["sigma0"], CURVE["mu_s"] / BRISTLE["sigma0"]

    def rate(t: float, z: np.ndarray) -> list[float]:
        return [1.0 - bristle.switch(z[0], z_ba, z_max) * s0 * z[0] / (force * bristle.curve(1.0))]

    z = solve_ivp(rate, (0.0, 0.1), [0.0], method="Radau", rtol=1e-10, atol=1e-16).y[0, -1]
    assert bristle.settled_friction(1.0, z_ba, z_max, force) == pytest.approx(s0 * z, rel=1e-6)


def test_limits_that_follow_the_curve_keep_it() -> None:
    g = bristle.curve(1.0) / BRISTLE["sigma0"]
    assert bristle.settled_friction(1.0, 0.8 * g, g) == pytest.approx(bristle.curve(1.0), rel=1e-9)


def test_lugre_creeps_below_break_away_and_the_elasto_plastic_law_does_not() -> None:
    creeping, staying = (petrun2012.nudged(law, cycles=4) for law in (sb.LuGre(**CURVE, **BRISTLE), None))
    assert creeping["mass.s"][-1] > 2 * staying["mass.s"][-1]
    assert staying["mass.s"][-1] == pytest.approx(staying.at(10.0, "mass.s"), rel=1e-9)


@pytest.mark.parametrize("law", [sb.Karnopp(mu_c=1.0, mu_s=2.0), sb.Switch(mu_c=1.0, mu_s=2.0)])
def test_laws_that_lock_stay_too(law: sb.Karnopp | sb.Switch) -> None:
    """Against the paper, which takes the elasto-plastic model for the only one that does."""
    assert np.abs(petrun2012.nudged(law, cycles=3)["mass.s"]).max() < 1e-12


def test_the_original_law_serves_the_clutch_by_another_solver_too() -> None:
    """Against the paper, if z_max follows the curve: it synchronises as the modified law does."""
    bed = petrun2012.TestBed()
    options = {"flexible": False, "times": [0.0, 1.25, 1.6], "tolerance": 1e-8}
    original, again, modified = (
        petrun2012.validation_cycle(bed, law, solver=solver, **options)
        for law, solver in ((bed.lining.original_law(), "auto"), (bed.lining.original_law(), "cvode"), (None, "auto"))
    )
    for side in ("engine.w", "brake.w"):
        assert np.asarray(original[side]) == pytest.approx(np.asarray(again[side]), abs=1e-4)
        assert np.asarray(original[side]) == pytest.approx(np.asarray(modified[side]), abs=0.01)


# --- the belt --------------------------------------------------------------------------------------------------------


def test_the_limit_without_sticking_is_the_step_response() -> None:
    fastest = np.gradient(damped_oscillator(t := np.linspace(0, 4, 40001)), t).max()
    assert petrun2012.no_stick_limit() == pytest.approx(1 / fastest, rel=1e-6)


@pytest.mark.parametrize(("part", "sticks"), [(0.999, 0), (1.001, 1)])
def test_constant_friction_sticks_above_the_limit(part: float, sticks: int) -> None:
    events = petrun2012.coulomb(part * petrun2012.no_stick_limit()).events
    assert sum(event.to == "Stuck" for event in events) == sticks


def test_a_steady_belt_without_falling_friction_has_no_stick_slip() -> None:
    run = petrun2012.elasto_plastic(petrun2012.modified_law(mu_s=1.0))
    assert petrun2012.stick_phases(run) == []


def test_stick_phases_are_where_the_mass_moves_with_the_belt() -> None:
    run = petrun2012.elasto_plastic()
    for first, last in petrun2012.stick_phases(run)[1:]:
        assert run.at(0.5 * (first + last), "mass.v") == pytest.approx(1.0, abs=1e-3)


# --- the clutch ------------------------------------------------------------------------------------------------------


def test_a_shaft_rings_at_its_frequency() -> None:
    shaft = petrun2012.Shaft(rotor=0.03, disc=0.02)
    model = sb.Model("shaft")
    petrun2012.TestBed._side(model, "brake", shaft, 0.0, True)
    ringing = max(abs(mode.eigenvalue) for mode in model.linearize(at=0).modes())
    assert ringing / (2 * pi) == pytest.approx(shaft.frequency, rel=1e-6)
    damping = max(mode.damping for mode in model.linearize(at=0).modes() if abs(mode.eigenvalue) > 1.0)
    assert damping == pytest.approx(shaft.damping_ratio, rel=1e-6)


def test_a_shaft_in_pieces_has_the_same_inertia_and_nearly_the_same_frequency() -> None:
    fastest = []
    for pieces in (1, 12):
        model = sb.Model("shaft")
        petrun2012.TestBed._side(model, "brake", petrun2012.Shaft(0.025, 0.015, pieces=pieces), 0.0, True)
        inertia = sum(element.J for element in model.elements.values() if isinstance(element, sb.Inertia))
        assert inertia == pytest.approx(0.04)
        values = [abs(mode.eigenvalue) for mode in model.linearize(at=0).modes()]
        fastest.append(min(value for value in values if value > 1.0))
    assert fastest[0] == pytest.approx(fastest[1], rel=5e-3)


def test_the_bristle_at_the_radius_is_that_of_the_lining() -> None:
    """Per rad of slip: stiffness times radius, so that both give one torque for one slip of the surfaces."""
    law, radius = petrun2012.Lining().law(), clutch.RADIUS
    assert (law.sigma0, law.v_s) == pytest.approx((1e4 * radius, 0.2 / radius))


def test_the_integral_of_the_controller_is_an_angle() -> None:
    """Which the joint of a multi-body code may use: the motor is a spring to a shaft that turns with 500 rpm."""
    run = petrun2012.validation_cycle(flexible=False, t_end=3.0, tolerance=1e-9)
    bed = petrun2012.TestBed()
    w, phi = (np.asarray(run[f"engine.{name}"]) for name in ("w", "phi"))
    torque = bed.Kp * (clutch.SPEED - w) + bed.Ki * (clutch.SPEED * run.time - phi)
    assert np.asarray(run["motor.tau"]) == pytest.approx(torque, abs=1e-5)


# --- the joint -------------------------------------------------------------------------------------------------------

SHORT = petrun2012.TestBed(cycle=_coupling.SHORT)


def test_a_joint_tries_a_step_as_often_as_it_is_asked() -> None:
    joint = petrun2012.FrictionJoint(1e-3, **SHORT.contact())
    for k in range(1, 30):
        first, other, again = (joint.torque(angle) for angle in (5e-5 * k, 1e-3 * k, 5e-5 * k))
        assert first == again
        joint.accept()
        assert joint.angle == pytest.approx(5e-5 * k, rel=1e-12)
    assert first != other


def test_a_joint_gives_the_torque_of_its_clutch() -> None:
    """Led at a constant speed, its mean torques are those of an adaptive run."""
    h, w = 1e-4, 20.0
    joint = petrun2012.FrictionJoint(h, **SHORT.contact())
    means = []
    for k in range(1, 601):
        means.append(joint.torque(w * h * k))
        joint.accept()
    model = sb.Model("led", t_end=600 * h)
    model.add("rest", sb.Fixed())
    model.add("side", sb.Speed(w=w))
    model.add("clutch", sb.Clutch("rest", "side", **SHORT.contact()))
    run = sb.simulate(model, times=h * (np.arange(600) + 0.5))
    assert means[1:] == pytest.approx(list(run["clutch.tau"])[1:], rel=1e-3)


@pytest.mark.parametrize("scheme", ["predicted", "iterated"])
def test_a_co_simulation_is_near_one_run_of_all(scheme: str) -> None:
    pytest.importorskip("exudyn")
    found = _coupling.distance(SHORT, 1e-4, scheme)
    assert found.speeds < 0.01
    assert not found.rings


def test_a_held_torque_rings_beyond_the_limit_of_a_damper() -> None:
    pytest.importorskip("exudyn")
    limit = _coupling.damper_limit(SHORT)
    assert _coupling.distance(SHORT, 4e-4, "held").rings is (limit < 4e-4)
    assert _coupling.distance(SHORT, 2e-4, "held").rings is (limit < 2e-4)


def test_a_joint_takes_its_normal_force_from_outside() -> None:
    contact = SHORT.contact() | {"f_normalized": sb.External(0)}
    joint = petrun2012.FrictionJoint(1e-3, **contact)
    joint.inputs["clutch.f_normalized"] = 0.5
    torque = [joint.torque(0.05 * k) for k in range(1, 11) if joint.accept() is None][-1]
    assert torque == pytest.approx(0.5 * SHORT.force * clutch.RADIUS * SHORT.lining.mu_c, rel=1e-3)


def test_a_step_that_does_not_fit_is_refused() -> None:
    with pytest.raises(sb.SpecError, match="must divide"):
        petrun2012.coupled_cycle(SHORT, h=3e-4)


def test_a_co_simulation_that_fails_says_when_and_what_to_do() -> None:
    pytest.importorskip("exudyn")
    with pytest.raises(sb.SimulationError, match=r"stopped at t = 0\.\d+ s .* take a smaller step"):
        petrun2012.coupled_cycle(SHORT, h=4e-3)


def test_unknown_ways_to_couple_are_refused() -> None:
    with pytest.raises(sb.UnknownName, match="did you mean 'held'"):
        petrun2012.coupled_cycle(scheme="hold")


def test_without_exudyn_its_claims_cannot_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_requirement_items, "exudyn_installed", lambda: False)
    claims = _requirement_items.section_2(True).claims
    joint = [claim for claim in claims if claim.claim in _requirement_items.JOINT]
    assert len(joint) == 3
    assert all(claim.verdict is Verdict.UNCHECKED and "stribeck[papers]" in claim.reason for claim in joint)


def test_a_step_is_stable_only_if_no_shorter_one_rings() -> None:
    quiet, rings = _coupling.Distance(0.0, 0.0, 0.1), _coupling.Distance(0.0, 0.0, 2.0)
    assert _coupling.largest_stable([4e-4, 2e-4, 1e-4], [quiet, quiet, quiet]) == 4e-4
    assert _coupling.largest_stable([4e-4, 2e-4, 1e-4], [quiet, rings, quiet]) == 1e-4
    assert not _coupling.largest_stable([4e-4], [rings]) > 0


@pytest.mark.skipif(not compiler(), reason="no C compiler")
def test_the_joint_in_c_has_the_bits_of_the_one_in_python() -> None:
    angles = 0.05 * np.sin(np.linspace(0, 9, 60))
    assert (_c_joint.torques_in_c(angles) == _c_joint.torques_in_python(angles)).all()


def test_a_record_of_the_virtual_bed_gives_the_lining() -> None:
    """Within four standard errors of the truth."""
    found = _bed_items.identified(True)
    for path, value in _bed_items._truth().items():
        assert abs(found.values[path] - value) < 4 * found.errors[path], path


def test_a_drawn_belt_runs_alone_as_in_the_batch() -> None:
    values = _ensemble.belts(True)
    sticks = _ensemble.sticks_often(values)
    for wanted in (True, False):
        i = int(np.argmax(sticks == wanted))
        law = petrun2012.modified_law(**{path.split(".")[-1]: float(value[i]) for path, value in values.items()})
        run = petrun2012.elasto_plastic(law, t_end=60.0)
        assert (np.asarray(run["friction.v_rel"])[run.time > 20].min() < 0.05) == wanted
