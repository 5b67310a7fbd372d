"""stribeck check --realtime."""

from typer.testing import CliRunner

from stribeck.cli import app


def test_report_and_picture(cli, tmp_path):
    picture = tmp_path / "verdicts.png"
    answer = cli("check", "powertrain-3", "--realtime", "--step", "1 ms", "--t-end", "2", "--out", picture)
    assert answer.exit_code == 0, answer.stderr
    assert "powertrain-3 at h = 1 ms: 2000 steps, 2 s" in answer.stdout
    assert "largest step" in answer.stdout
    assert "resolvent" in answer.stdout
    assert "omega = sqrt(c/J)" in answer.stdout
    assert picture.stat().st_size > 10_000


def test_a_wrong_step_is_one_line(cli):
    answer = cli("check", "stick-slip", "--realtime", "--step", "1 kg")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ")
    assert answer.stderr.count("\n") == 1


def test_numbers_are_whole_on_a_narrow_terminal():
    answer = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["check", "stick-slip", "--realtime", "--t-end", "0.5"])
    assert answer.exit_code == 0, answer.stderr
    assert "…" not in answer.stdout
    assert "semi-implicit" in answer.stdout
    assert "damping ratio -0" not in answer.stdout
