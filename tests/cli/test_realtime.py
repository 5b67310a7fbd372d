"""stribeck realtime."""


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
