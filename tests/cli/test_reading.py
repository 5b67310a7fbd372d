"""Options of reading: columns, cuts, masks, signs, several records; what messages advise exists."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from stribeck.cli.evaluate import METHODS, options_for
from stribeck.identify import Measurement

T = 1e-3 * np.arange(6000)
X = 0.1 * np.sin(3 * T) + 0.02 * np.sin(11 * T)
V = 0.3 * np.cos(3 * T) + 0.22 * np.cos(11 * T)
A = -0.9 * np.sin(3 * T) - 2.42 * np.sin(11 * T)
TRUTH = {"inertia": 2, "viscous": 4, "coulomb": 3, "offset": 0.5}
CHANNELS = ("--force", "f", "--position", "x")
QUICK = ("--set", "cutoff=30 Hz", "--set", "min_speed=0.02")


def force(coulomb=3.0):
    return 2 * A + 4 * V + coulomb * np.sign(V) + 0.5


def write(path, *columns, head=""):
    path.parent.mkdir(exist_ok=True)
    np.savetxt(path, np.column_stack(columns), "%.9g", ",", header=head, comments="")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Records of one machine: with names, without, with faults; and three of a day on which friction rises."""
    home = tmp_path_factory.mktemp("records")
    write(home / "bare.txt", T, X, force())
    spiky = force()
    spiky[[700, 3000]] = 900.0
    write(home / "faults.csv", T, (X + 0.05) % 0.1, -spiky, head="t,x [m],f [N]")
    for i, name in enumerate(("run1", "run2", "run10")):
        write(home / "day" / f"{name}.csv", T, X, force(3 + 0.2 * i), head="t,x [m],f [N]")
    return home


def found(cli, *words):
    answer = cli("evaluate", *words, "--json")
    assert answer.exit_code == 0, answer.stderr
    entries = json.loads(answer.stdout)["found"]
    return {part: {name: entry["value"] for name, entry in values.items()} for part, values in entries.items()}


def test_columns_get_names(cli, folder):
    answer = found(cli, "inverse", folder / "bare.txt", "--columns", "t,x,f", "--unit", "x=m,f=N", *CHANNELS, *QUICK)
    assert answer["inverse"] == pytest.approx(TRUTH, rel=0.01)


def test_columns_by_number(cli, folder):
    words = ("--time", "0", "--force", "2", "--position", "1")
    assert found(cli, "inverse", folder / "bare.txt", *words, *QUICK)["inverse"] == pytest.approx(TRUTH, rel=0.01)


def test_a_file_without_names_says_what_to_do(cli, folder):
    answer = cli("evaluate", "inspect", folder / "bare.txt")
    assert answer.exit_code == 1
    assert "the 3 columns have no names, and the first row is 0.0, 0.0, " in answer.stderr
    assert "--columns t,q,..." in answer.stderr


def test_faults_are_found_and_mended_as_advised(cli, folder):
    """A counter, outliers and a sign: what inspect advises gives the truth."""
    inspected = cli("evaluate", "inspect", folder / "faults.csv", *CHANNELS).stdout
    assert "unwrapped('x', 0.1) (--unwrap)" in inspected
    assert "without_outliers() (--mask-outliers)" in inspected
    mended = ("--unwrap", "x=0.1", "--mask-outliers", "--scale", "f=-1")
    answer = found(cli, "inverse", folder / "faults.csv", *CHANNELS, *QUICK, *mended)
    assert answer["inverse"] == pytest.approx(TRUTH, rel=0.01)
    wrong = cli("evaluate", "inverse", folder / "faults.csv", *CHANNELS, "--unwrap", "x=0.1", "--mask-outliers")
    assert "change its sign with run.scaled({'f': -1}) (--scale f=-1)" in wrong.stderr


def test_cut_mask_and_resample(cli, folder, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "stribeck.cli.evaluate.methods.inspect", lambda run, *_, **__: seen.append(run) or "no findings"
    )
    cut = ("--from", "1", "--to", "3 s", "--keep", "abs(f)<4", "--keep", "x>-0.05", "--resample", "2 ms")
    answer = cli("evaluate", "inspect", folder / "day" / "run1.csv", *cut)
    (run,) = seen or [None]
    assert isinstance(run, Measurement), answer.output
    assert (run.time[0], run.time[-1], run.sample_time) == pytest.approx((1, 3, 2e-3))
    assert 0 < run.valid.sum() < len(run)
    assert np.abs(run["f"])[run.valid].max() < 4.5
    assert run["x"][run.valid].min() > -0.05


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "f=3"], "--keep f=3: write CHANNEL>VALUE or abs(CHANNEL)<VALUE"),
        (["--keep", "g>3"], "has no channel 'g'"),
        (["--scale", "f=minus"], "--scale f minus: write a number"),
        (["--unwrap", "f"], "--unwrap f: write CHANNEL=PERIOD"),
        (["--from", "9"], "there are 0 samples from 9 to"),
        (["--columns", "t,x"], "has 3 columns (t, x, f), and columns names 2"),
        (["--table", "2"], "has one table, so there is no table 2"),
        (["--resample", "1 h"], "must be above 0 and below the length"),
    ],
)
def test_what_is_wrong_is_one_line(cli, folder, words, message):
    answer = cli("evaluate", "inspect", folder / "day" / "run1.csv", *words)
    assert answer.exit_code == 1
    assert message in answer.stderr
    assert answer.stderr.strip().count("\n") == 0


# --- several records --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["day", "day/*.csv", "day/run[12]*"])
def test_a_folder_or_a_pattern(cli, folder, pattern):
    answer = found(cli, "inverse", folder / pattern, *CHANNELS, *QUICK)
    assert list(answer) == ["inverse", "run1", "run2", "run10"]
    for i, name in enumerate(list(answer)[1:]):
        assert answer[name]["coulomb"] == pytest.approx(3 + 0.2 * i, rel=0.01)
    assert answer["inverse"]["coulomb"] == pytest.approx(3.2, rel=0.01)


def test_drift_is_said(cli, folder):
    answer = cli("evaluate", "inspect", folder / "day", *CHANNELS)
    assert "'coulomb' drifts: from 3 in run1 to 3.4 N in run10" in answer.stdout
    assert "'inertia' drifts" not in answer.stdout


def test_a_picture_of_one_record_only(cli, folder, tmp_path):
    points = [
        write(tmp_path / f"p{i}.csv", V[::100], np.sign(V[::100]) * (3 + V[::100] ** 2), head="v,f") for i in (1, 2)
    ]
    save = tmp_path / "found.json"
    words = ("--speed", "v", "--force", "f", "--set", "stribeck=false")
    answer = cli("evaluate", "points", *points, *words, "--plot", tmp_path / "p.png", "--save", save)
    assert answer.exit_code == 1
    assert "points draws one record, and there are 2; omit --plot" in answer.stderr
    assert list(json.loads(save.read_text())["found"]) == ["p1", "p2"]  # written before pictures are tried


def test_a_curve_from_sines(cli, tmp_path):
    """Friction of 1 N + 0.1 N.s/m of a body without mass: mean drives, and by inversion the curve itself."""
    t = 1e-3 * np.arange(8000)
    for i, amplitude in enumerate((0.2, 0.5, 1.0, 2.0, 4.0)):
        v = amplitude * np.cos(2 * np.pi * t)
        f = np.sign(v) + 0.1 * v
        write(
            tmp_path / "sines" / f"s{i}.csv",
            t,
            amplitude / (2 * np.pi) * np.sin(2 * np.pi * t),
            f,
            head="t,x [m],f [N]",
        )
    answer = cli("evaluate", "swings", tmp_path / "sines", *CHANNELS, "--set", "curve=true", "--set", "hold=false")
    assert answer.exit_code == 0, answer.stderr
    table = answer.stdout.split("speed [m/s]")[1].split("\n")[1:]
    points = np.array([[float(word) for word in line.split()[:2]] for line in table if line.split()[:2]])
    assert len(points) == 10
    fast = points[np.abs(points[:, 0]) > 0.4]
    assert fast[:, 1] == pytest.approx(np.sign(fast[:, 0]) * (1 + 0.1 * np.abs(fast[:, 0])), rel=0.02)


# --- values of --set, and advice --------------------------------------------------------------------------------------


def test_none_and_lists(cli, tmp_path):
    v = np.concatenate([np.geomspace(0.01, 1, 20), -np.geomspace(0.01, 1, 20)])
    f = np.sign(v) * (1 + 0.5 * np.exp(-np.abs(v / 0.05))) + 0.2 * v
    path = write(tmp_path / "points.csv", v, f, head="v,f")
    words = ("points", path, "--speed", "v", "--force", "f")
    assert found(cli, *words, "--set", "exponent=None")["points"]["exponent"] == pytest.approx(1, rel=1e-4)
    assert options_for("points", ["exponent=null", "loss=huber"]) == {"exponent": None, "loss": "huber"}
    bound = found(cli, *words, "--set", "bounds={mu_v: [0.3, null]}", "--set", "exponent=1")
    assert bound["points"]["mu_v"] == pytest.approx(0.3)


def test_terms_with_arguments(cli, folder):
    terms = "terms=[inertia, viscous, coulomb+, coulomb-, harmonics(0.05, 1, 2), channel(x)]"
    answer = found(cli, "inverse", folder / "day" / "run1.csv", *CHANNELS, *QUICK, "--set", terms)["inverse"]
    assert list(answer)[-5:] == ["cogging.cos1", "cogging.sin1", "cogging.cos2", "cogging.sin2", "x"]
    assert (answer["coulomb+"], answer["coulomb-"]) == pytest.approx((3.5, 2.5), rel=0.02)


def test_options_that_messages_name_exist(cli):
    """Texts of the readers and methods that these commands call."""
    helps = [cli(command, "--help").stdout for command in ("evaluate", "identify", "bench-test")]
    known = set(re.findall(r"--[a-z][a-z-]+", "\n".join(helps)))
    sources = Path(__file__).parents[2] / "src" / "stribeck"
    files = [*sources.glob("tables/*.py"), *sources.glob("identify/**/*.py"), sources / "cli" / "reading.py"]
    named = {(file.name, word) for file in files for word in re.findall(r"--[a-z][a-z-]+", file.read_text("utf-8"))}
    assert {word for _, word in named} >= {"--gaps", "--resample", "--table", "--columns", "--mask-outliers"}
    assert not {(file, word) for file, word in named if word not in known}
    settings = {w for file in files for w in re.findall(r"--set (\w+)=", file.read_text("utf-8"))}
    options = {option for method in METHODS.values() for option in method.options}
    assert settings <= options
