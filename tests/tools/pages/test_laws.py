"""The page of the laws is what they declare, and what the probes find."""

from pathlib import Path

import pytest
from support import law_properties

from stribeck.laws import all_laws
from tools.pages.laws import PICTURES, RISING, property_table, section

PAGE = (Path(__file__).parents[3] / "docs" / "laws.md").read_text(encoding="utf-8")


@law_properties.GROUP
def test_the_page_says_what_the_probes_find():
    """Write it again with: python -m tools.pages.laws"""
    assert property_table(law_properties.found()) in PAGE


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_the_page_has_every_law(law):
    assert section(law) in PAGE


def test_the_page_has_a_picture_of_every_law():
    """`python -m tools.pages.laws NAME` draws that of one law."""
    pictures = sorted(PICTURES.iterdir())
    assert [picture.stem for picture in pictures] == list(all_laws())
    assert max(picture.stat().st_size for picture in [*pictures, RISING]) < 100_000
