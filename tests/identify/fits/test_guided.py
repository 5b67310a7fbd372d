"""Start values from guided motion: the model is forced along the measured motion."""

import numpy as np
import pytest
from support.rigs import COUNT, SAMPLE, TIES, machine, push, record

import stribeck as sb
from stribeck.identify.fits.guided import guided_rig
from stribeck.identify.fits.simulation import Rig

STEP = 4e-5
STRIBECK = {"mu_c": 0.8, "mu_s": 1.1, "v_s": 0.05, "mu_v": 0.3}
SWITCH = {"load.m": 1.0, "joint.law.mu_c": 0.8, "joint.law.mu_s": 1.1, "joint.law.mu_v": 0.3}


@pytest.fixture(scope="module")
def switch():
    model = machine(sb.Switch(mu_c=0.8, mu_s=1.1, mu_v=0.3))
    return model, record(model, push(), step=STEP)


def test_finds_the_minimum_from_far_starts_where_a_plain_search_does_not():
    """Start values off by factors of up to 2.7: the plain search ends in a local minimum, its residuals a hundred times
    the sensor resolution; the guided search ends at the truth, within the error of fixed steps."""
    truth = {"load.m": 1.0} | {f"joint.law.{word}": v for word, v in STRIBECK.items()}
    model = machine(sb.Stribeck(**STRIBECK))
    run = record(model, push(), step=STEP)
    far = {
        "load.m": 0.40,
        "joint.law.mu_c": 0.45,
        "joint.law.mu_s": 2.13,
        "joint.law.v_s": 0.06,
        "joint.law.mu_v": 0.12,
    }
    options = {"start": far, "solver": "fixed", **TIES}
    plain = sb.identify.fit(model, run, list(truth), **options)
    guided = sb.identify.fit(model, run, list(truth), global_start="guided", **options)
    assert plain.predictions[0].rms > 20 * STEP
    assert guided.predictions[0].rms < STEP
    for path, value in truth.items():
        assert guided.best[path] == pytest.approx(value, rel=0.1 if path.endswith("v_s") else 0.02), path


def test_parameters_that_the_guide_force_does_not_identify_are_scanned(switch):
    """A guided contact never sticks, so its break-away force is not identifiable from the guide force. It is scanned in
    the output error, where jumps (forces are held for 2 ms) leave local minima a few percent off."""
    model, run = switch
    far = {path: 2.2 * value for path, value in SWITCH.items()}
    guided = sb.identify.fit(model, run, list(SWITCH), start=far, solver="fixed", global_start="guided", **TIES)
    assert guided.predictions[0].rms < 2 * STEP
    assert guided.best["joint.law.mu_s"] == pytest.approx(1.1, rel=0.05)


def test_the_right_model_follows_by_itself(switch):
    """The guide force vanishes with the true parameters but for smoothing; with half of the friction it is the other
    half."""
    model, run = switch
    rig = guided_rig(Rig(model, run, **TIES, initial={}), 0.03)
    right, wrong = (rig.simulate({"joint.law.mu_c": mu})[0][rig.valid] for mu in (0.8, 0.4))
    assert np.sqrt(np.mean(right**2)) < 0.1
    assert np.median(np.abs(wrong)) == pytest.approx(0.4, abs=0.05)


def test_guides_along_a_measured_speed(switch):
    model, run = switch
    guided = sb.identify.fit(
        model,
        run,
        ["load.m", "joint.law.mu_c"],
        start={"load.m": 3.0, "joint.law.mu_c": 0.3},
        inputs=TIES["inputs"],
        outputs={"load.v": "v"},
        solver="fixed",
        global_start="guided",
    )
    assert guided.best["load.m"] == pytest.approx(1.0, rel=0.02)
    assert guided.best["joint.law.mu_c"] == pytest.approx(0.8, rel=0.02)


def test_guides_a_model_with_a_controller():
    """A position loop: the controller output along the measured motion is the force that moves the model."""
    model = machine(sb.Stribeck(**STRIBECK))
    error = model.signal("error", sb.External(0)) - sb.Sensor("load.s")
    model.elements["motor"] = model.elements["motor"].replace(f=400.0 * error - 30.0 * sb.Sensor("load.v"))
    wanted = 0.1 * np.sin(2 * np.pi * 0.6 * SAMPLE * np.arange(COUNT))
    moved = Rig(
        model,
        sb.identify.Measurement({"r": wanted, "s": wanted}, sample_time=SAMPLE),
        {"load.s": "s"},
        {"error": "r"},
        {},
    ).simulate({})[0]
    units = {"r": "m", "s": "m"}
    run = sb.identify.Measurement({"r": wanted, "s": STEP * np.round(moved / STEP)}, sample_time=SAMPLE, units=units)
    guided = sb.identify.fit(
        model,
        run,
        ["load.m", "joint.law.mu_c"],
        start={"load.m": 4.0, "joint.law.mu_c": 0.2},
        inputs={"error": "r"},
        outputs={"load.s": "s"},
        solver="fixed",
        global_start="guided",
    )
    assert guided.best["load.m"] == pytest.approx(1.0, rel=0.05)
    assert guided.best["joint.law.mu_c"] == pytest.approx(0.8, rel=0.05)


def test_needs_a_measured_body(switch):
    model, run = switch
    with pytest.raises(sb.SpecError, match=r"position or speed of a mass or an inertia.*outputs are joint.f.*'lhs'"):
        sb.identify.fit(
            model, run, ["load.m"], inputs={"motor.f": "f"}, outputs={"joint.f": "f"}, global_start="guided"
        )


def test_a_model_may_have_an_element_named_guide(switch):
    _, run = switch
    model = sb.Model("pulled")
    body = model.add("lead", sb.Mass(m=2.0))
    model.add("guide", sb.Guide(body, law=sb.Switch(mu_c=0.8, mu_s=1.1, mu_v=0.3)))
    model.add("motor", sb.Force(body, f=sb.External(0)))
    ties = {"inputs": {"motor.f": "f"}, "outputs": {"lead.s": "s"}}
    found = sb.identify.fit(model, run, ["lead.m"], solver="fixed", global_start="guided", **ties)
    assert found.best["lead.m"] == pytest.approx(1.0, rel=0.01)
