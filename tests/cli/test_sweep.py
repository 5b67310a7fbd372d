"""stribeck sweep."""

import numpy as np
import pytest

from stribeck import sweeps

WORDS = ("sweep", "stick-slip", "--measure", "mass.w:max", "--t-end", "2 s")


def test_a_study_and_its_pictures(cli, tmp_path):
    out = tmp_path / "study"
    answer = cli(*WORDS, "--vary", "spring.c=1:4:3", "--vary", "pull.w=0.1,0.2", "--out", out)
    assert answer.exit_code == 0, answer.stderr
    assert "6 of 6 points" in answer.stdout and (out / "00-mass.w-max.png").exists()
    assert sweeps.read(out)["mass.w:max"].size == 6
    again = cli(*WORDS, "--vary", "spring.c=1:4:3", "--vary", "pull.w=0.1,0.2", "--out", out)
    assert again.exit_code != 0 and "--resume" in again.stderr
    more = cli(*WORDS, "--vary", "spring.c=1:4:3", "--vary", "pull.w=0.1,0.2,0.3", "--out", out, "--resume")
    assert more.exit_code == 0 and "9 of 9 points" in more.stdout


def test_values_with_units(cli, tmp_path):
    answer = cli(*WORDS, "--vary", "pull.w=1 rpm, 2 rpm", "--out", tmp_path / "study")
    assert answer.exit_code == 0, answer.stderr
    found = sweeps.read(tmp_path / "study").design.columns["pull.w"]
    np.testing.assert_allclose(found, np.array([1, 2]) * np.pi / 30, rtol=1e-15)


def test_a_part_has_its_share_of_few_points(cli, tmp_path):
    for part in range(1, 4):
        answer = cli(*WORDS, "--vary", "spring.c=1:4:6", "--out", tmp_path / "study", "--part", f"{part}/3")
        assert f"{2 * part} of 6 points" in answer.stdout, answer.stderr


def test_samples(cli, tmp_path):
    answer = cli(*WORDS, "--vary", "spring.c=1:4", "--sample", "sobol:4", "--out", tmp_path / "study")
    assert answer.exit_code == 0 and "4 of 4 points" in answer.stdout, answer.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--vary", "spring.c"), "PATH=FROM:TO:COUNT"),
        (("--vary", "spring.c=1:4"), "1:4:50"),
        (("--vary", "spring.c=1 kg"), "units of N.m/rad"),
        (("--vary", "spring.c=1:4:2", "--part", "3"), "third of sixteen"),
        (("--vary", "spring.c=1:4", "--sample", "random:5"), "sobol:256"),
        (("--vary", "spring.c=1:4:2", "--sample", "lhs:5"), "give a range"),
    ],
)
def test_mistakes(cli, tmp_path, words, message):
    answer = cli(*WORDS, *words, "--out", tmp_path / "study")
    assert answer.exit_code != 0 and message in " ".join(answer.stderr.split())
    assert not (tmp_path / "study").exists()
