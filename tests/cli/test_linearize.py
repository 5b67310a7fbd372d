"""stribeck linearize."""

import json


def test_modes_and_files(cli, tmp_path):
    answer = cli("linearize", "stick-slip", "--at", "2 s", "--out", tmp_path / "out")
    assert answer.exit_code == 0, answer.stderr
    assert "stick-slip at 2 s" in answer.stdout
    assert "frequency / Hz" in answer.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "modes.png",
        "modes.csv",
        "linear.json",
        "summary.json",
    }
    data = json.loads((tmp_path / "out" / "linear.json").read_text())
    assert len(data["A"]) == len(data["states"])


def test_all_stuck(cli):
    answer = cli("linearize", "stick-slip-switch", "--at", "1")
    assert answer.exit_code == 0
    assert "friction Stuck" in answer.stdout
    assert "nothing can move" in answer.stdout


def test_a_wrong_time_is_one_line(cli):
    answer = cli("linearize", "stick-slip", "--at", "5 kg")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ")
    assert answer.stderr.count("\n") == 1
