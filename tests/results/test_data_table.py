"""Tables: one value, four views, and nothing cut in any of them."""

from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console

from stribeck.results.data_table import DataTable

LONG = "pneumatic-brake-cylinder" * 4
TABLE = DataTable(
    ["element", "J", "share"],
    [[LONG, 0.25, "12 %"], ["a | b <c> [red]", 1234567.0, "-"]],
    right=[1, 2],
    title="energy",
    notes=["in SI units"],
)


def printed(table, **console):
    file = StringIO()
    table.show(Console(file=file, **console))
    return file.getvalue()


def test_text_is_aligned():
    table = DataTable(["element", "J"], [["spring", 0.25], ["damper", 10.0]])
    assert str(table) == "element     J\nspring   0.25\ndamper     10"


def test_floats_have_the_digits_that_are_asked_for():
    assert DataTable(["x"], [[1 / 3]], digits=3).cells == [["0.333"]]
    assert DataTable(["x"], [[7]], digits=3).cells == [["7"]]


def test_markdown():
    lines = TABLE.markdown().splitlines()
    assert lines[:4] == ["**energy**", "", "| element | J | share |", "| --- | --: | --: |"]
    assert lines[5] == r"| a \| b <c> [red] | 1.23457e+06 | - |"
    assert lines[-1] == "in SI units"


class Cells(HTMLParser):
    """The texts of cells, with their classes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tag, self.kind = tag, dict(attrs).get("class")

    def handle_data(self, data):
        if self.tag in ("th", "td"):
            self.found.append((self.tag, self.kind, data))


def test_html():
    cells = Cells(TABLE.html()).found
    assert cells[:3] == [("th", None, "element"), ("th", "number", "J"), ("th", "number", "share")]
    assert ("td", None, "a | b <c> [red]") in cells
    assert ("td", "number", "0.25") in cells


@pytest.mark.parametrize("width", [20, 80])
def test_nothing_is_cut_in_a_pipe(width):
    """Whatever the width that is assumed, for there is none."""
    lines = printed(TABLE, width=width).splitlines()
    assert lines == TABLE.text().splitlines()
    assert LONG in lines[2]


def test_nothing_is_cut_on_a_narrow_terminal():
    shown = printed(TABLE, width=40, force_terminal=True, color_system=None)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 40
    letters = "".join(line[:20].strip() for line in shown.splitlines())
    assert LONG in letters.replace(" ", "").replace("─", "")


def test_a_terminal_has_colours():
    shown = printed(
        DataTable(["x"], [["divergent"]]), width=40, force_terminal=True, color_system="standard", no_color=False
    )
    assert "\x1b[" in shown
