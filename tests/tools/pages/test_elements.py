"""The page of the elements is what the declarations say."""

from pathlib import Path

import pytest

from stribeck.elements import all_elements
from tools.pages.elements import section

PAGE = (Path(__file__).parents[3] / "docs" / "elements.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", all_elements().values(), ids=lambda kind: kind.__name__)
def test_the_page_has_every_element(kind):
    """Write it again with: python -m tools.pages.elements > docs/elements.md"""
    assert section(kind) in PAGE
