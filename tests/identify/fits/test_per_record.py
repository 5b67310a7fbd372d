"""Parameters that differ from record to record."""

import numpy as np
import pytest
from support.rigs import SAMPLE, TIES, machine, push, record

import stribeck as sb
from stribeck.identify.fits.simulation import own


def shifted(name, offset, phase, start=0.0):
    """A record of a machine on which another constant force acts, and whose sensor has another zero."""
    model = machine()
    model.add("weight", sb.Force("load", f=offset))
    run = record(model, push(phase), seed=len(name), name=name)
    return sb.identify.Measurement(
        {"f": run["f"], "s": np.asarray(run["s"]) + start},
        sample_time=SAMPLE,
        units={"f": "N", "s": "m"},
        name=name,
    )


@pytest.fixture(scope="module")
def records():
    return [shifted("cold", 0.1, 3.0, 0.02), shifted("warmer", -0.06, 5.0, -0.01), shifted("warmest", 0.02, 4.0, 0.3)]


def loaded():
    model = machine()
    model.add("weight", sb.Force("load", f=0.0))
    return model


TRUTH = {
    "load.m": 1.0,
    "joint.law.mu_c": 0.8,
    "weight.f@cold": 0.1,
    "weight.f@warmer": -0.06,
    "weight.f@warmest": 0.02,
    "load.s0@cold": 0.02,
    "load.s0@warmer": -0.01,
    "load.s0@warmest": 0.3,
}


@pytest.fixture(scope="module")
def fitted(records):
    options = {"per_record": ["weight.f", "load.s0"], "initial": {"load.s0": "s"}}
    return sb.identify.fit(loaded(), records, ["load.m", "joint.law.mu_c"], **options, **TIES)


def test_offsets_and_positions_are_found_for_every_record(fitted):
    assert fitted.converged and not fitted.unidentifiable
    assert set(fitted.names) == set(TRUTH)
    ends = fitted.interval(0.9999)
    for path, value in TRUTH.items():
        assert ends[path][0] <= value <= ends[path][1], path
    assert fitted.noise["load.s"] == pytest.approx(1e-5, rel=0.06)


def test_one_offset_for_all_does_not_follow(records, fitted):
    one = sb.identify.fit(loaded(), records, ["load.m", "joint.law.mu_c", "weight.f"], initial={"load.s0": "s"}, **TIES)
    assert one.noise["load.s"] > 100 * fitted.noise["load.s"]


def test_the_model_has_what_the_records_share(fitted):
    elements = fitted.model.elements
    assert elements["load"].m == fitted.best["load.m"]
    assert elements["weight"].f.value == 0.0


def test_a_fitted_record_is_simulated_with_its_own_values(fitted, records):
    assert fitted.simulate(records[1])["load.s"].rms < 1.1e-5


def test_friction_may_differ_from_record_to_record():
    """Static friction of every record stays above its kinetic one."""
    warm = {"cold": (0.8, 1.1), "hot": (0.5, 0.6)}
    laws = {name: sb.Switch(mu_c=mu_c, mu_s=mu_s, mu_v=0.3) for name, (mu_c, mu_s) in warm.items()}
    runs = [record(machine(law), push(), name=name, seed=1) for name, law in laws.items()]
    both = ["joint.law.mu_c", "joint.law.mu_s"]
    result = sb.identify.fit(machine(laws["cold"]), runs, ["load.m"], per_record=both, **TIES)
    for name, (mu_c, mu_s) in warm.items():
        assert result.best[f"joint.law.mu_c@{name}"] == pytest.approx(mu_c, rel=1e-3)
        assert result.best[f"joint.law.mu_s@{name}"] == pytest.approx(mu_s, rel=0.05)


def test_values_of_one_record():
    values = {"load.m": 1.0, "load.s0@a": 0.1, "load.s0@b.2": 0.2}
    assert own(values, "b.2") == {"load.m": 1.0, "load.s0": 0.2}
    assert own(values) == {"load.m": 1.0}


def test_records_need_names_of_their_own(records):
    with pytest.raises(sb.SpecError, match="two records have the name 'cold'"):
        sb.identify.fit(loaded(), [records[0], records[0]], ["load.m"], per_record=["weight.f"], **TIES)


def test_a_path_is_shared_or_not():
    with pytest.raises(sb.SpecError, match=r"'load\.m' is named twice"):
        sb.identify.fit(loaded(), shifted("cold", 0.1, 3.0), ["load.m"], per_record=["load.m"], **TIES)


def test_laws_are_judged_without(records):
    with pytest.raises(sb.SpecError, match="which_law: parameters in per_record"):
        sb.identify.which_law(loaded(), records, ["Coulomb"], per_record=["weight.f"], **TIES)
