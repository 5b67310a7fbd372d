"""stribeck compare."""

import json

import pytest

from stribeck.results import Result


def test_table_picture_and_results(cli, tmp_path):
    answer = cli("compare", "stick-slip", "--laws", "lugre, switch", "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    for word in ("stick-slip: laws in friction", "period / s", "6.36272", "6.45393", "comparison.png"):
        assert word in answer.stdout
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"comparison.{kind}" for kind in ("png", "csv", "json")),
        "summary.json",
        "LuGre.csv",
        "Switch.csv",
    }
    assert Result.load(tmp_path / "Switch.csv").time.size == 2501


def test_options_reach_the_runs(cli, tmp_path):
    words = ["--set", "friction.law.tau_s=2", "--set", "pull.w=0.2", "--t-end", "1 s", "--intervals", 10]
    answer = cli("compare", "stick-slip", "--laws", "switch", *words, "--element", "friction", "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    result = Result.load(tmp_path / "Switch.csv")
    assert (result.time.size, result.time[-1], result["pull.w"][-1]) == (11, 1.0, 0.2)


def test_a_law_that_fails_is_told_and_the_exit_code_says_so(cli, tmp_path):
    answer = cli("compare", "stick-slip", "--laws", "lugre,switch", "--set", "friction.law.mu_s=0.5", "--out", tmp_path)
    assert answer.exit_code == 1
    assert "LuGre: friction.law.mu_s = 0.5" in answer.stdout
    document = json.loads((tmp_path / "comparison.json").read_text())
    assert "raise mu_s or lower mu_c" in document["laws"][0]["error"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stick-slip", "--laws", "lugre,swich"], "did you mean 'Switch'"),
        (["stick-slip", "--laws", " , "], "name the laws"),
        (["stick-slip", "--laws", "switch", "--element", "fricton"], "did you mean 'friction'"),
        (["stick-slip", "--laws", "switch", "--set", "mass.J"], "write PATH=VALUE"),
        (["stik-slip", "--laws", "switch"], "did you mean 'stick-slip'"),
    ],
)
def test_errors_are_one_line_on_stderr(cli, words, message):
    answer = cli("compare", *words)
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ") and answer.stderr.count("\n") == 1
    assert message in answer.stderr
    assert answer.stdout == ""
