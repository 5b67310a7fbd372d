"""The page on identification: its examples run, and say what the page says."""

import contextlib
import dataclasses
import io
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stribeck import identify
from stribeck.cli.app import app

pytestmark = pytest.mark.xdist_group("identification_page")
PAGE = Path(__file__).parents[2] / "docs" / "identification.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = re.findall(r"^stribeck ([a-z].*)$", TEXT, re.MULTILINE)
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


class Page:
    """The examples of the page, run one after the other as far as they are needed: what they print, the names that they
    make, and the folder of their files."""

    def __init__(self, folder: Path):
        self.folder, self.printed, self.names, self.left = folder, io.StringIO(), {}, list(BLOCKS)

    def run(self, left: int = 0) -> None:
        """Runs them until that many are left."""
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(self.printed):
            while len(self.left) > left:
                exec(self.left.pop(0), self.names)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return Page(tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("left", range(len(BLOCKS) - 1, -1, -1))
def test_examples_run(page, left):
    page.run(left)


def test_tables_are_those_of_the_examples(page):
    """Names, and values within three standard errors: the closed loop with an encoder amplifies the last digits, which
    depend on the processor, to another realisation of the record."""
    page.run()
    printed = page.printed.getvalue()

    def rows(table):
        number = r"-?[\d.]+(?:e[-+]\d+)?"
        found = re.findall(rf"^([\w.]+)  +({number})  +(?:[A-Za-z]\S*  +)?({number})  ", table, re.MULTILINE)
        return [(name, float(value), float(error)) for name, value, error in found if name != "x_0"]

    shown = re.sub(r"^```python\n.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    assert [name for name, *_ in rows(shown)] == [name for name, *_ in rows(printed)]
    for (name, value, error), (_, printed_value, _) in zip(rows(shown), rows(printed), strict=True):
        assert printed_value == pytest.approx(value, abs=3 * error), name
    assert len(rows(shown)) >= 10


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(page, command, monkeypatch):
    """In the folder with the files that the page has written."""
    page.run()
    monkeypatch.chdir(page.folder)
    answer = CliRunner().invoke(app, shlex.split(command))
    assert answer.exit_code == 0, answer.output


def test_the_truth_is_found(page):
    page.run()
    names = page.names
    for name, value in {"mu_c": 0.5, "mu_s": 0.75, "mu_v": 0.05, "v_s": 0.3}.items():
        assert names["curve"][name] == pytest.approx(value, rel=0.01), name
    for name, value in {"sigma0": 1e5, "sigma1": 300, "f": 1.5}.items():
        assert names["contact"][name] == pytest.approx(value, rel=0.1), name
    for name, value in {"arm.J": 0.02, "joint.law.mu_c": 0.5, "joint.law.mu_v": 0.05}.items():
        assert names["result"].values[name] == pytest.approx(value, rel=1e-3), name
    assert names["sb"].identify.inspect(names["run"]).good


def test_results_have_what_the_page_says():
    rows = re.findall(r"^\| `(\w+)` \|.*?\|(.*)\|$", TEXT, re.MULTILINE)
    results = {name: members for name, members in rows if hasattr(identify, name) and name[0].isupper()}
    assert len(results) >= 12
    for name, members in results.items():
        kind = getattr(identify, name)
        known = {*dir(kind), *(field.name for field in dataclasses.fields(kind)), *identify.__all__}
        assert set(re.findall(r"`(\w+)`", members)) <= known, name
