"""Pages that need nothing but themselves."""

from html.parser import HTMLParser

import pytest

from stribeck.results.data_table import DataTable
from stribeck.results.page import bullets, image, page, paragraphs, prose, tag, write_page
from stribeck.results.style import Picture


class Tags(HTMLParser):
    """Tags in order, and whether each that is opened is closed in turn."""

    VOID = frozenset({"meta", "img", "input", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_text_is_no_markup():
    assert paragraphs("a < b & c\n\nsecond") == "<p>a &lt; b &amp; c</p><p>second</p>"
    assert bullets(["<b>"]) == "<ul><li>&lt;b&gt;</li></ul>"
    assert "<script>" not in DataTable(["<script>"], [["<script>"]]).html()
    assert tag("p", "text", class_='a"b') == '<p class="a&quot;b">text</p>'


@pytest.mark.parametrize(
    "text, shown",
    [
        ("sigma0 and F_s, z_ba", "σ<sub>0</sub> and F<sub>s</sub>, z<sub>ba</sub>"),
        ("2 pi tau_c", "2 π τ<sub>c</sub>"),
        ("clutch C1 with f_normalized", "clutch C1 with f_normalized"),
        ("joint.law.sigma0, stapi, F < 1", "joint.law.sigma0, stapi, F &lt; 1"),
    ],
)
def test_letters_of_formulas(text, shown):
    assert prose(text) == shown


def test_numbers_stand_to_the_right():
    html = DataTable(["element", "J"], [["spring", 0.1 + 0.2], ["mass", 1]]).html()
    assert html.count('class="number"') == 3
    assert ">0.3<" in html


def test_a_page_stands_alone(tmp_path):
    figure = Picture(2, 1)
    figure.subplots().plot([0, 1])
    parts = tag("h1", "Title"), paragraphs("text"), image(figure, "a line"), DataTable(["a"], [[1]]).html()
    path = write_page(tmp_path / "page.html", "Title & more", *parts)
    text = path.read_text(encoding="utf-8")
    assert not Tags(text).open
    assert 'src="data:image/png;base64,iVBOR' in text
    assert "http" not in text and "<link" not in text and "<script" not in text
    assert "<title>Title &amp; more</title>" in text
    assert text == page("Title & more", *parts)
