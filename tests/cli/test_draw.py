"""stribeck draw."""

import pytest


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_file_is_written(cli, tmp_path, ending):
    path = tmp_path / "deep" / f"machine.{ending}"
    answer = cli("draw", "stick-slip-switch", "--at", "8 s", "--out", path)
    assert answer.exit_code == 0, answer.stderr
    assert "machine" in answer.stdout
    assert path.stat().st_size > 5000


def test_another_ending_is_refused(cli, tmp_path):
    answer = cli("draw", "stick-slip", "--out", tmp_path / "machine.txt")
    assert answer.exit_code == 1
    assert "ending must be one of" in answer.stderr
