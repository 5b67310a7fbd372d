"""Tables within pages are what the declarations say."""

import re

import pytest

from tools.pages.tables import DOCS, PAGES, TABLES, up_to_date

TEXTS = {page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
MARKED = [name for name, text in TEXTS.items() if "<!-- table: " in text]


@pytest.mark.parametrize("name", MARKED)
def test_tables_are_current(name):
    """Write them again with: python -m tools.pages.tables"""
    assert up_to_date(TEXTS[name]) == TEXTS[name]


def test_every_table_has_its_place():
    places = [place for text in TEXTS.values() for place in re.findall(r"<!-- table: ([\w-]+) -->", text)]
    assert sorted(places) == sorted(TABLES)
