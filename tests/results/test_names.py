"""Names are shown as they are: no formula, no markup, no HTML, no control of the terminal."""

from dataclasses import replace
from io import StringIO

import pytest

from stribeck.cli.progress import ProgressBar
from stribeck.cli.report import print_result
from stribeck.errors import legible
from stribeck.results import overlay
from stribeck.results.data_table import DataTable
from stribeck.results.page import page, paragraphs
from stribeck.results.screen import Screen

NAMES = ["a$b^{c$", r"$\frac{1}{0$", "100 % <b>x</b> [red]&amp;[/]", "_hidden", "${HOME} %s %n"]


@pytest.mark.parametrize("name", NAMES)
def test_pictures_and_terminal(name, result, tmp_path):
    named = replace(result, meta=replace(result.meta, model=name))
    figure = named.plot("mass.w", path=tmp_path / "time.png")
    assert figure.get_suptitle().replace(r"\$", "$") == name
    overlay({name: named}, "mass.w", path=tmp_path / "both.png")
    screen = Screen()
    screen.file, screen.width = StringIO(), 200
    print_result(screen, named)
    assert name in screen.file.getvalue()
    with ProgressBar(name) as progress:
        progress(0.5, name)


def test_pages():
    text = page("<script>", paragraphs("<script>alert(1)</script>"), DataTable(["<i>"], [["</td><script>"]]).html())
    assert "<script" not in text.replace("&lt;script", "")


def test_what_steers_a_terminal_is_written_out():
    assert legible("a\x1b[2J\u202eb\x00c\rd") == r"a\x1b[2J\u202eb\x00c\rd"
    assert legible("µ = 3 °C\nü") == "µ = 3 °C\nü"
