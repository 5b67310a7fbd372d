"""stribeck evaluate: fast methods on files."""

import json

import numpy as np
import pytest

POINTS = np.concatenate([np.geomspace(0.2, 200, 9), -np.geomspace(0.2, 200, 9)])  # deg/s


def friction(speed):
    """Torque (N.m) over deg/s: 5 N.m, 8 N.m at rest, Stribeck speed 3 deg/s, 0.02 N.m per deg/s."""
    pace = np.abs(speed)
    return np.sign(speed) * (5 + 3 * np.exp(-((pace / 3) ** 2)) + 0.02 * pace)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Points of a joint, and a record of a mass of 2 kg with 3 N of friction, 4 N.s/m and 0.5 N of offset."""
    folder = tmp_path_factory.mktemp("files")
    table = np.c_[POINTS, friction(POINTS)]
    np.savetxt(folder / "joint.csv", table, "%.9g", ",", header="speed [deg/s],torque [N.m]", comments="")
    t = 1e-3 * np.arange(6000)
    x = 0.1 * np.sin(3 * t) + 0.02 * np.sin(11 * t)
    v = 0.3 * np.cos(3 * t) + 0.22 * np.cos(11 * t)
    a = -0.9 * np.sin(3 * t) - 2.42 * np.sin(11 * t)
    f = 2 * a + 4 * v + 3 * np.sign(v) + 0.5
    np.savetxt(folder / "run.csv", np.c_[t, 1e3 * x, f], "%.9g", ",", header="t,x [mm],f [N]", comments="")
    return folder


def found(path):
    return {name: entry["value"] for name, entry in next(iter(json.loads(path.read_text())["found"].values())).items()}


def test_points_of_a_joint(cli, files, tmp_path):
    picture, document = tmp_path / "out" / "curve.png", tmp_path / "curve.json"
    answer = cli("evaluate", "points", files / "joint.csv", "--speed", "speed", "--force", "torque",
                 "--plot", picture, "--save", document)  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    degree = np.pi / 180
    expected = {"mu_c": 5, "mu_s": 8, "mu_v": 0.02 / degree, "v_s": 3 * degree}
    assert found(document) == pytest.approx(expected, rel=1e-5)
    assert picture.stat().st_size > 10_000
    assert "law: {type: Stribeck, mu_c: 5, mu_s: 8, mu_v: 1.14592, v_s: 0.0523599, exponent: 2}" in answer.stdout


def test_what_a_model_needs_besides_the_law(cli, tmp_path):
    """One direction has 1.2 times the friction, and a weight acts."""
    speed = np.radians(POINTS)
    torque = np.where(speed > 0, 1.0, 1.2) * friction(POINTS) + 0.4
    np.savetxt(tmp_path / "joint.txt", np.c_[speed, torque], header="speed [rad/s] torque [Nm]")
    words = ["--set", "asymmetric=load", "--set", "offset=true", "--save", tmp_path / "joint.json"]
    answer = cli("evaluate", "points", tmp_path / "joint.txt", "--speed", "speed", "--force", "torque", *words)
    assert answer.exit_code == 0, answer.stderr
    assert "beside the law, in its Bearing or Guide: load_backward: 1.2\n" in answer.stdout
    assert "on the same body: a constant torque or force of -0.4" in answer.stdout
    law = json.loads((tmp_path / "joint.json").read_text())["laws"]["points"]
    assert law["type"] == "Stribeck" and law["mu_c"] == pytest.approx(5, rel=1e-5)


def test_a_virgin_curve_as_a_law(cli, tmp_path):
    x = 1e-5 * np.arange(1000) / 1000
    force = 1e5 * np.minimum(x, 2e-6) + 5e4 * np.minimum(x, 6e-6)
    np.savetxt(
        tmp_path / "slow.csv", np.c_[1e-3 * np.arange(1000), 1e6 * x, force], "%.9g", ",", header="t,x [um],f [N]"
    )
    words = [tmp_path / "slow.csv", "--position", "x", "--force", "f"]
    answer = cli(
        "evaluate", "virgin", *words, "--set", "elements=12", "--set", "law=GMS", "--save", tmp_path / "law.json"
    )
    assert answer.exit_code == 0, answer.stderr
    law = json.loads((tmp_path / "law.json").read_text())["laws"]["virgin"]
    assert law["type"] == "GMS"
    assert law["sigma0"] == pytest.approx(1.5e5, rel=0.1)
    assert law["mu_c"] == pytest.approx(0.5, rel=0.02)
    assert "stribeck evaluate virgin" in cli("evaluate", "presliding", *words).stderr


def test_inverse_model_with_options(cli, files, tmp_path):
    document = tmp_path / "inverse.json"
    answer = cli("evaluate", "inverse", files / "run.csv", "--position", "x", "--force", "f",
                 "--set", "cutoff=30 Hz", "--set", "min_speed=0.02", "--save", document)  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    assert found(document) == pytest.approx({"inertia": 2, "viscous": 4, "coulomb": 3, "offset": 0.5}, rel=0.01)
    assert "95 % from" in answer.stdout


def test_power_balance_of_the_same(cli, files, tmp_path):
    document = tmp_path / "power.json"
    answer = cli("evaluate", "power", files / "run.csv", "--position", "x", "--force", "f", "--save", document)
    assert answer.exit_code == 0, answer.stderr
    assert found(document)["inertia"] == pytest.approx(2, rel=0.01)


def test_inspect_shows_channels(cli, files):
    answer = cli("evaluate", "inspect", files / "run.csv", "--resolution", "x=1 um")
    assert answer.exit_code == 0, answer.stderr
    assert "1e-06" in answer.stdout
    assert "findings" in answer.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["invers", "run.csv"], "no method 'invers'; did you mean 'inverse'"),
        (["inverse", "run.csv", "--force", "f"], "needs the channel of the position; name it with --position"),
        (["inverse", "run.csv", "--set", "cutof=3"], "no option 'cutof'; did you mean 'cutoff'"),
        (["inverse", "run.csv", "--set", "cutoff=[3"], "write a number, a text with a unit"),
        (["points", "joint.csv", "run.csv", "--speed", "x", "--force", "f"], "has no column 'x'"),
        (["points", "joint.csv", "--speed", "sped", "--force", "torque"], "did you mean 'speed'"),
        (["power", "run.csv", "--force", "f", "--position", "x", "--plot", "p.png"], "power has no picture"),
    ],
)
def test_what_is_wrong_is_one_line(cli, files, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(files)
    answer = cli("evaluate", *words)
    assert answer.exit_code != 0
    assert message in answer.stderr
    assert answer.stderr.strip().count("\n") == 0


@pytest.mark.parametrize("name", ["run.mat", "run.mf4", "run.tdms", "run.parquet"])
def test_broken_files_end_with_one_line(cli, tmp_path, name):
    (tmp_path / name).write_bytes(b"\x89HDF" + bytes(range(256)) * 3)
    answer = cli("evaluate", "inspect", tmp_path / name)
    assert answer.exit_code == 1
    (line,) = answer.stderr.strip().splitlines()
    assert line.startswith("error: ") and name in line and "cannot be read" in line
