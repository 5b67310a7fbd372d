"""The page from a file to a model: its code runs and prints what the page shows, and its commands run."""

import contextlib
import re
import shlex

import numpy as np
import pytest
from typer.testing import CliRunner

from stribeck.cli.app import app
from tools.pages.executed import PAGES, executed

pytestmark = pytest.mark.xdist_group("tutorial")
(PAGE,) = PAGES
TEXT = PAGE.read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
COMMANDS = re.findall(r"^stribeck ([a-z].*)$", TEXT, re.MULTILINE)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder of its files, what it prints now, and the names that it defines."""
    folder, names = tmp_path_factory.mktemp("tutorial"), {}
    with contextlib.chdir(folder):
        return folder, executed(TEXT, names), names


def test_every_number_is_printed_by_the_code(page):
    """Words are equal, numbers within 5 %: an encoder rounds, so another processor may see other counts."""
    _, now, _ = page
    assert NUMBER.sub("0", now) == NUMBER.sub("0", TEXT)
    shown, printed = (np.array([float(n) for n in NUMBER.findall(text)]) for text in (TEXT, now))
    assert printed == pytest.approx(shown, rel=0.05, abs=1e-6)
    assert TEXT.count("```text\n") >= 6


def test_the_truth_is_found(page):
    _, _, names = page
    curve, inverse = names["curve"], names["inverse"]
    for name, truth in {
        "mu_c": 0.5,
        "mu_s": 0.75,
        "mu_v": 0.05,
        "v_s": 0.3,
        "load_backward": 1.2,
        "offset": 0.1,
    }.items():
        assert curve[name] == pytest.approx(truth, abs=4 * curve.estimate.errors[name]), name
    assert inverse["inertia"] == pytest.approx(0.02, abs=4 * inverse.errors["inertia"])
    assert names["delay"] == pytest.approx(-4 * names["STEP"], abs=3 * names["error"])
    assert names["rest"] < 0.02


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(page, command, monkeypatch):
    monkeypatch.chdir(page[0])
    answer = CliRunner().invoke(app, shlex.split(command))
    assert answer.exit_code == 0, answer.output
