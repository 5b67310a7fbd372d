"""The command line, as a person uses it."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version

import numpy as np
import pytest

import stribeck
from stribeck.cli import progress
from stribeck.errors import SimulationError
from stribeck.results import Events, Result

GOLDEN_CROSSINGS = [7.645395316409669, 14.008115062966262, 20.37083480967006]
"""Upward crossings of w = 0.1 rad/s, Table 1 of aberger2002 (sigma1 = 316.23): RK6 and Radau agree to 6e-10 s."""
GOLDEN_PEAK = 1.4765729442106785
"""Break-away peak of the friction (N.m); the same two methods agree to 2e-11."""


def test_run_writes_a_folder_that_can_be_read_back(cli, tmp_path):
    answer = cli("run", "stick-slip", "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    for word in (
        "stick-slip: 0 to 25 s in 2500 intervals",
        "rhs evaluations",
        "throughput",
        "friction.tau",
        "result.csv",
    ):
        assert word in answer.stdout

    result = Result.load(tmp_path / "result.csv")
    assert result.time.size == 2501
    assert {"mass.phi", "mass.w", "friction.tau", "friction.z"} <= set(result.names)
    np.testing.assert_allclose(result.crossings("mass.w", 0.1, +1), GOLDEN_CROSSINGS, rtol=0, atol=1e-6)

    with (tmp_path / "events.csv").open() as file:
        assert next(csv.reader(file)) == ["time", "element", "from", "to"]
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["statistics"]["steps"] > 0
    assert summary["energy"]["dissipated"]["friction"] > 0
    assert summary["extremes"]["friction.tau"]["max"] == pytest.approx(GOLDEN_PEAK, abs=1e-6)
    assert summary["warnings"] == list(dict.fromkeys(summary["warnings"]))
    for picture in ("time", "friction_velocity", "friction_displacement"):
        assert (tmp_path / f"{picture}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["parquet", "nc"])
def test_run_writes_other_formats(cli, tmp_path, kind):
    answer = cli("run", "stick-slip-switch", "--t-end", 8, "--out", tmp_path, "--format", kind)
    assert answer.exit_code == 0, answer.stderr
    assert not (tmp_path / "result.csv").exists()
    result = Result.load(tmp_path / f"result.{kind}")
    assert result["mass.w"].unit == "rad/s"
    assert result.events[0].time == pytest.approx(7.5, abs=1e-9)


def test_unknown_formats_are_refused(cli):
    answer = cli("run", "stick-slip", "--format", "xls")
    assert answer.exit_code == 2
    assert "'csv', 'json', 'parquet', 'nc'" in answer.stderr


def test_run_of_the_switch_reports_its_mode_changes(cli, tmp_path):
    answer = cli("run", "stick-slip-switch", "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    events = Events.load(tmp_path / "events.csv")
    assert [event.to for event in events[:2]] == ["Forward", "Stuck"]
    assert events[0].time == pytest.approx(7.5, abs=1e-9)
    assert "Forward" in (tmp_path / "result.csv").read_text()
    assert "7.500000000" in answer.stdout


def test_run_draws_friction_where_there_is_slip(cli, tmp_path):
    """A vehicle that rolls has friction and no separate slip."""
    answer = cli("run", "dual-clutch-launch", "--t-end", 0.5, "--out", tmp_path)
    assert answer.exit_code == 0, answer.output
    assert {path.name for path in tmp_path.glob("*_velocity.png")} == {"K1_velocity.png", "K2_velocity.png"}


def test_run_without_out_writes_nothing(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = cli("run", "stick-slip", "--t-end", "2 s", "--intervals", 20, "--tol", "1e-5", "--solver", "auto")
    assert answer.exit_code == 0, answer.stderr
    assert "0 to 2 s in 20 intervals, solver auto, tolerance 1e-05" in answer.stdout
    assert list(tmp_path.iterdir()) == []


def test_set_changes_values(cli, tmp_path):
    answer = cli("run", "stick-slip", "--set", "pull.w=0.2", "--set", "mass.J=2 kg.m2", "--t-end", 1, "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    assert Result.load(tmp_path / "result.csv")["pull.w"][-1] == 0.2


def test_check_shows_elements_states_and_warnings(cli):
    answer = cli("check", "stick-slip")
    assert answer.exit_code == 0, answer.stderr
    for word in ("mass", "Inertia", "friction.z", "stick-slip is fine"):
        assert word in answer.stdout


def test_models_lists_what_is_shipped(cli):
    answer = cli("models")
    assert answer.exit_code == 0
    assert "stick-slip" in answer.stdout
    assert "stick-slip-switch" in answer.stdout


def test_version(cli):
    assert cli("--version").stdout == f"stribeck {version('stribeck')}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "stik-slip"], "did you mean 'stick-slip'"),
        (["check", "none.yaml"], "none.yaml"),
        (["check", "stick-slip", "--set", "mass.J=-1"], "J = -1"),
        (["check", "stick-slip", "--set", "mass.K=1"], "K"),
        (["check", "stick-slip", "--set", "mass.J"], "write PATH=VALUE"),
        (["run", "stick-slip", "--tol", "tight"], "tight"),
        (["run", "stick-slip", "--t-end", "5 kg"], "5 kg"),
        (["run", "stick-slip", "--solver", "eular"], "eular"),
    ],
)
def test_errors_are_one_line_on_stderr(cli, words, message):
    answer = cli(*words)
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ")
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert answer.stdout == ""


def test_a_bad_model_file_is_refused_with_its_line(cli, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("name: bad\nelements:\n  mass: {type: Inertia, J: 1\n")
    answer = cli("check", path)
    assert answer.exit_code == 1
    assert "bad.yaml" in answer.stderr
    assert "line" in answer.stderr


def test_a_run_that_fails_still_hands_over_what_it_reached(cli, tmp_path, monkeypatch):
    def fail(model, **options):
        start = stribeck.simulate(model, t_end=1.0)
        raise SimulationError(
            "friction: the step became too small at t = 1 s", time=1.0, elements=["friction"], result=start
        )

    monkeypatch.setattr("stribeck.cli.run.simulate", fail)
    answer = cli("run", "stick-slip", "--out", tmp_path / "deep" / "out")
    assert answer.exit_code == 1
    assert answer.stderr == "error: friction: the step became too small at t = 1 s\n"
    assert Result.load(tmp_path / "deep" / "out" / "result.csv").time[-1] == 1.0


def test_the_progress_bar_waits(capsys, monkeypatch):
    with progress.ProgressBar("run") as bar:
        bar(0.5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    with progress.ProgressBar("run") as bar:
        bar(0.5)
        assert bar._bar.live.is_started


def test_the_start_imports_no_pictures_and_no_tables():
    code = (
        "import sys; from stribeck.cli import app; print([n for n in ('matplotlib', 'rich.table') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_limits_give_a_partial_result(cli, tmp_path):
    answer = cli("run", "stick-slip", "--max-steps", 40, "--out", tmp_path)
    assert answer.exit_code == 1
    assert "max_steps" in answer.stderr and "partial: the run ended at t =" in answer.stdout
    assert json.loads((tmp_path / "summary.json").read_text())["partial"]
    assert 0 < Result.load(tmp_path / "result.csv").time.size < 2501


CLI = "from stribeck.cli import app; app()"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_writes_what_there_is(tmp_path):
    run = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from stribeck.cli import app; import stribeck.cli.run; print('imported', flush=True); app()",
            "run",
            "stick-slip",
            "--t-end",
            "1e6",
            "--out",
            tmp_path,
        ],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout.readline() == "imported\n"  # on a busy machine that alone takes seconds
    time.sleep(3)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 130
    assert errors.strip().splitlines()[-1] == "interrupted"
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["partial"] and "interrupted" in summary["stopped"]
    assert Result.load(tmp_path / "result.csv").time[-1] < 1e6


@pytest.mark.parametrize(("words", "code"), [([], 1), (["--outside"], 0)])
def test_data_outside_of_the_folder_of_a_model_must_be_allowed(tmp_path, words, code):
    (tmp_path / "push.csv").write_text("t,force\n0,0\n1,2\n")
    model = tmp_path / "models" / "mass.yaml"
    model.parent.mkdir()
    model.write_text(
        "elements:\n  mass: {type: Mass, m: 1.0}\n"
        "  push: {type: Force, a: mass, f: {type: Recording, file: ../push.csv, time: t, value: force}}\n"
    )
    command = [sys.executable, "-c", "from stribeck.cli import app; app()", *words, "run", str(model), "--t-end", "0.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("stribeck --outside" in done.stderr) == bool(code)
