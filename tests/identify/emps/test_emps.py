"""A real drive: published parameters found again, and beaten on held-out data."""

import numpy as np
import pytest

from stribeck.errors import FileError, UnknownName
from stribeck.identify import Measurement, inverse_model
from stribeck.identify.emps.drive import PUBLISHED, control_voltage, emps_model, read_emps
from stribeck.identify.emps.study import INPUTS, OUTPUTS, emps_study, main
from stribeck.identify.fits.simulation import Rig


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "data" / "emps"


@pytest.fixture(scope="module")
def record(folder) -> Measurement:
    return read_emps(folder / "DATA_EMPS.mat")


@pytest.fixture(scope="module")
def pulses(folder) -> Measurement:
    return read_emps(folder / "DATA_EMPS_PULSES.mat")


def test_the_controller_is_known(record, pulses):
    """Its law gives the recorded voltages: to the rounding of the positions, 5 mV of some volts."""
    for run in (record, pulses):
        rest = np.asarray(run["voltage"]) - control_voltage(run, np.asarray(run["position"])) - np.asarray(run["pulse"])
        assert np.std(rest[run.valid]) < 5e-3 and abs(np.mean(rest[run.valid])) < 1e-4
    assert np.unique(pulses["pulse"]) == pytest.approx([0, 5.07], abs=0.01) and not np.any(record["pulse"])


def test_the_published_parameters(record):
    found = inverse_model(record, "force", "position")
    for name, value in PUBLISHED.items():
        assert found[name] == pytest.approx(value, rel=5e-3), name
        low, high = found.interval(0.95)[name]
        assert low < value < high
    assert found.units["viscous"] == "N.s/m" and found.unexplained < 0.05


def by_hand(run: Measurement, p=PUBLISHED) -> np.ndarray:
    """The closed loop once more: exact solutions of M v' = F - F_v v - F_c sign(v) from sample to sample."""
    reference, pulse, c = np.asarray(run["reference"]), np.asarray(run["pulse"]), run.constants
    mass, rate, dry = p["inertia"], p["viscous"] / p["inertia"], p["coulomb"]
    x, v, positions = float(run["position"][0]), 0.0, []
    before = [x, x]
    for k in range(len(run)):
        positions.append(x)
        voltage = c["kv"] * (c["kp"] * (reference[k] - x) - (x - before[0]) / 2e-3)
        before = [before[1], x]
        force, left = c["gtau"] * (np.clip(voltage, -10, 10) + pulse[k]) - p["offset"], 1e-3
        while left > 0:
            way = np.sign(v) or np.sign(force) * (abs(force) > dry)
            if way == 0:
                break
            end = (force - way * dry) / mass / rate
            stop = np.log(1 - v / end) / rate if end * way < 0 else np.inf
            h = min(left, stop)
            x += end * h + (v - end) * (1 - np.exp(-rate * h)) / rate
            v = 0.0 if stop <= left else end + (v - end) * np.exp(-rate * h)
            left -= h
    return np.array(positions)


def test_the_closed_loop_is_that_of_a_simulation_by_hand(pulses):
    run = pulses.between(0, 8)
    (position,) = Rig(emps_model(run), run, OUTPUTS, INPUTS, {}).simulate({})
    assert np.max(np.abs(position - by_hand(run))) < 1e-12  # of 0.25 m


def test_a_closed_loop_fit_predicts_better_than_the_published_parameters(record, pulses):
    """On the first third of the records; the whole ones are slow."""
    study = emps_study(record.between(0, 8), pulses.between(0, 8), ["fit, by direction"])
    published, _, fitted = study.judged
    assert fitted.position_error(study.held_out) < 0.9 * published.position_error(study.held_out)
    assert fitted.force_error(study.held_out) < 0.95 * published.force_error(study.held_out)
    assert study.best is fitted and "best on held-out data: fit, by direction" in str(study)


@pytest.mark.slow
def test_all_candidates(folder, tmp_path):
    study = emps_study(folder / "DATA_EMPS.mat", folder / "DATA_EMPS_PULSES.mat")
    errors = [entry.position_error(study.held_out) for entry in study.judged]
    assert errors[0] == pytest.approx(2.035e-6, rel=1e-3)
    assert study.judged[0].position_error(study.record) == pytest.approx(1.616e-6, rel=1e-3)
    assert errors[2] < errors[0]  # the same terms, better parameters
    assert errors[3] < 0.85 * errors[0] and errors[5] < 0.75 * errors[0] and study.best is study.judged[-1]
    assert errors[4] < errors[2] and errors[5] < errors[3]  # friction at low speed, without and with directions
    # the inverse model with the command as the drive holds it, and the fit, are two ways to the same numbers
    inverse, fitted = study.linear[1], study.judged[3].values
    assert fitted["car.m"] == pytest.approx(inverse["inertia"], rel=5e-3)
    assert fitted["damper.d"] - fitted["drag.f.k"] == pytest.approx(inverse["viscous+"], rel=0.01)
    assert fitted["damper.d"] + fitted["drag.f.k"] == pytest.approx(inverse["viscous-"], rel=0.01)
    assert fitted["guide.law.mu_c"] - fitted["offset.f"] == pytest.approx(inverse["coulomb+"], rel=0.02)
    assert fitted["guide.law.mu_c"] + fitted["offset.f"] == pytest.approx(inverse["coulomb-"], rel=0.02)
    study.plot(tmp_path / "emps.png")
    assert (tmp_path / "emps.png").stat().st_size > 20_000


def test_other_files(tmp_path, capsys):
    from scipy.io import savemat

    column = np.linspace(0, 1, 50)
    savemat(tmp_path / "other.mat", {"qg": column, "qm": column, "vir": column})
    with pytest.raises(FileError, match="'gtau' is missing; this is not a record of EMPS"):
        read_emps(tmp_path / "other.mat")
    savemat(tmp_path / "other.mat", {"x": column, "y": column})
    with pytest.raises(UnknownName, match="no column 'qg'"):
        read_emps(tmp_path / "other.mat")
    with pytest.raises(FileError):
        read_emps(tmp_path / "missing.mat")
    with pytest.raises(SystemExit):
        main([])
    assert "DATA_EMPS.mat" in capsys.readouterr().out
