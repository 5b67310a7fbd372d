"""stribeck realtime."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import stribeck as sb
from stribeck.cli.realtime import late_warnings
from stribeck.results import TaskTimes

PLANT = """
name: plant
elements:
  J: {type: Inertia, J: 1.0}
  drive: {type: Torque, a: J, tau: {type: External, value: 0.0}}
simulation: {t_end: 0.5}
"""


@pytest.fixture
def plant(tmp_path):
    path = tmp_path / "plant.yaml"
    path.write_text(PLANT)
    return path


def test_task_times_and_their_picture(cli, tmp_path):
    picture = tmp_path / "pictures" / "tasks.png"
    answer = cli("realtime", "stick-slip", "--h", "1 ms", "--t-end", "0.05", "--out", picture)
    assert answer.exit_code == 0, answer.stderr
    assert "0.05 s in tasks of 1 ms, resolvent" in answer.stdout
    for word in ("mean", "p50", "p99", "p99.9", "max", "latest", "overruns", "capped"):
        assert word in answer.stdout
    assert picture.stat().st_size > 1000


def test_without_the_wall_clock(cli):
    answer = cli("realtime", "stick-slip", "--h", "100us", "--no-pace", "--substeps", 2, "--set", "friction.law.mu_c=1")
    assert answer.exit_code == 0, answer.stderr
    assert "250000" in answer.stdout
    assert "500000" in answer.stdout
    assert "latest" not in answer.stdout


def test_a_wrong_method_is_one_line(cli):
    answer = cli("realtime", "stick-slip", "--h", "1ms", "--method", "ode45")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: realtime: there is no method 'ode45'; did you mean 'ode")
    assert answer.stderr.count("\n") == 1


def test_a_wrong_ending_is_told_before_the_run(cli, tmp_path):
    for command in (["realtime", "car", "--h", "1ms"], ["check", "car", "--realtime"]):
        answer = cli(*command, "--out", tmp_path / "x.xyz")
        assert answer.exit_code == 1
        assert "the ending must be one of .png, .svg, .pdf" in answer.stderr


def test_less_than_a_task_is_no_run(cli):
    answer = cli("realtime", "stick-slip", "--h", "1ms", "--t-end", "0.0001")
    assert answer.exit_code == 1
    assert "has no task of h = 0.001 s" in answer.stderr


def test_tasks_that_do_not_fit_are_not_blamed_on_the_computer():
    late = np.full(100, 5e-6)
    full = TaskTimes("machine", 1e-6, np.full(100, 0.95e-6), late)
    assert late_warnings(full) == [
        "tasks take 95 % of the time that there is for them: take a longer h or fewer substeps"
    ]
    idle = TaskTimes("machine", 1e-6, np.full(100, 0.1e-6), late)
    assert late_warnings(idle)[0].startswith("100 tasks began late because the computer")
    assert late_warnings(TaskTimes("machine", 1e-6, np.full(100, 0.1e-6))) == []


def test_inputs_from_a_file_and_traces_into_one(cli, plant, tmp_path):
    """1 N.m for 0.2 s, then -2 N.m: every row holds from its time on."""
    inputs, record = tmp_path / "in.csv", tmp_path / "traces" / "out.csv"
    inputs.write_text("time,drive.tau\n0,1\n0.2,-2\n")
    answer = cli("realtime", plant, "--h", "1ms", "--no-pace", "--inputs", inputs, "--record", record)
    assert answer.exit_code == 0, answer.stderr
    result = sb.Result.load(record)
    expected = np.minimum(result.time, 0.2) - 2 * np.maximum(result.time - 0.2, 0)
    assert result["J.w"] == pytest.approx(expected, abs=1e-12)
    assert len(result.time) == 501


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("time,drive.force\n0,1\n", "the column 'drive.force' is no input; inputs of plant are drive.tau"),
        ("t,drive.tau\n0,1\n", "the column 't' is no input"),
        ("time\n0\n", "it needs a column 'time' and one for each input"),
        ("time,drive.tau\n0,1\n0,2\n", "time 0 s does not increase"),
        ("time,drive.tau\n0,\n", "must be finite"),
    ],
)
def test_an_input_file_that_does_not_fit(cli, plant, tmp_path, text, why):
    inputs = tmp_path / "in.csv"
    inputs.write_text(text)
    answer = cli("realtime", plant, "--h", "1ms", "--no-pace", "--inputs", inputs)
    assert answer.exit_code == 1
    assert why in " ".join(answer.stderr.split())


def test_a_wrong_ending_of_the_traces_is_refused_before_the_run(cli, plant, tmp_path):
    answer = cli("realtime", plant, "--h", "1ms", "--record", tmp_path / "out.xyz")
    assert answer.exit_code == 1
    assert "results are saved as .csv, .json, .nc or .parquet" in answer.stderr


def test_priority_is_taken_or_its_refusal_said(cli, plant):
    """Whether it is permitted is up to the computer; the run goes on either way."""
    answer = cli("realtime", plant, "--h", "1ms", "--t-end", "0.02", "--priority", "--error-bound", "0.01")
    assert answer.exit_code == 0, answer.stderr
    assert "imprecise" in answer.stdout


def test_an_interrupt_ends_a_run_with_what_is_done(plant, tmp_path):
    record = tmp_path / "out.csv"
    words = ["realtime", plant, "--h", "1ms", "--t-end", "60", "--record", record]
    program = "import stribeck.cli.realtime; from stribeck.cli.app import app; print('ready', flush=True); app()"
    command = [sys.executable, "-c", program, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert "written to" in out
    assert 1 < len(sb.Result.load(record).time) < 60_000
