"""The properties of every law, found once for all tests that need them."""

from __future__ import annotations

from functools import cache

import pytest

from stribeck.analysis.laboratory.properties import PropertyVerdict, friction_properties
from stribeck.laws import all_laws, get

GROUP = pytest.mark.xdist_group("law_properties")
"""Of the tests that call `found`: they run in one process."""


@cache
def properties_of(law: str) -> dict[str, PropertyVerdict]:
    """The verdicts on a law with its default parameters."""
    return friction_properties(get(law)())


def found() -> dict[str, dict[str, PropertyVerdict]]:
    """The verdicts on every law, by the name of its class."""
    return {law.__name__: properties_of(law.__name__) for law in all_laws().values()}
