"""Elements in words."""

import pytest

from stribeck.elements import all_elements, description


@pytest.mark.parametrize("kind", all_elements().values(), ids=lambda kind: kind.__name__)
def test_every_parameter_has_a_meaning(kind):
    assert all(row[-1] for row in description.parameters(kind))


def test_units_of_both_domains_or_of_the_own_one():
    kinds = all_elements()
    assert description.unit(kinds["Spring"], "{force}/{disp}") == "N.m/rad, N/m"
    assert description.unit(kinds["Gear"], "{force}") == "N.m"
    assert description.connections(kinds["Gear"]).startswith("Flanges: a, b, [support].")
