"""stribeck c: the files of a C library, and one line for what cannot be done."""

import pytest


def test_the_files_are_written(cli, tmp_path):
    words = ["--step", "2 ms", "--outputs", "mass.w", "--set", "mass.J=2"]
    done = cli("c", "stick-slip", "--out", tmp_path / "plant", *words)
    assert done.exit_code == 0, done.stderr
    assert "make -C" in done.stdout
    assert "OUT_mass_w" in (tmp_path / "plant" / "stick_slip.h").read_text()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--inputs", "pull.w"], "is not an External signal"),
        (["--outputs", "mass.x"], "there is no output"),
        (["--step", "0"], "step = '0' must be above 0"),
        (["--out", "/dev/null/plant"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(cli, tmp_path, words, reason):
    done = cli("c", "stick-slip", "--out", tmp_path / "plant", *words)
    assert done.exit_code == 1
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
