"""What laws need at a fixed step: the table in the docs is what they state."""

from pathlib import Path

from tools.pages.step_needs import needs_table

PAGE = (Path(__file__).parents[3] / "docs" / "realtime.md").read_text(encoding="utf-8")


def test_the_page_has_what_the_laws_state():
    """Write it again with: python -m tools.pages.step_needs"""
    assert needs_table() in PAGE
