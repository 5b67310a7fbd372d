"""The page of the elements is what the declarations say."""

from pathlib import Path

import pytest

from stribeck.elements import all_elements
from stribeck.studies import elements_page

PAGE = (Path(__file__).parents[2] / "docs" / "elements.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", all_elements().values(), ids=lambda kind: kind.__name__)
def test_the_page_has_every_element(kind):
    """Write it anew with: python -m stribeck.studies.elements_page > docs/elements.md"""
    assert elements_page.section(kind) in PAGE
    assert all(row[-1] for row in elements_page.parameters(kind)), "every parameter has a meaning"


def test_units_of_both_domains_or_of_the_own_one():
    kinds = all_elements()
    assert elements_page.unit(kinds["Spring"], "{force}/{disp}") == "N.m/rad, N/m"
    assert elements_page.unit(kinds["Gear"], "{force}") == "N.m"
    assert elements_page.connections(kinds["Gear"]).startswith("Flanges: a, b, [support].")
