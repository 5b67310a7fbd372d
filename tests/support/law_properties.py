"""The properties of every law, found once for all tests that need them."""

from __future__ import annotations

from functools import cache

import pytest

from stribeck.analysis.laboratory.properties import PropertyVerdict, all_properties

GROUP = pytest.mark.xdist_group("law_properties")
"""Of the tests that call `found`: they run in one process."""


@cache
def found() -> dict[str, dict[str, PropertyVerdict]]:
    """The verdicts on every law with its default parameters."""
    return all_properties()
