"""stribeck realtime."""

import numpy as np

from stribeck.cli.realtime import late_warnings
from stribeck.results import TaskTimes


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
