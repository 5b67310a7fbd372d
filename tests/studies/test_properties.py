"""The probes find what is known, and the page of the laws says what they find."""

from pathlib import Path

import pytest

import stribeck as sb
from stribeck.errors import SimulationError
from stribeck.laws import all_laws
from stribeck.studies import laws_page
from stribeck.studies.properties import PROBES, all_properties, properties

PAGE = (Path(__file__).parents[2] / "docs" / "laws.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found():
    return all_properties()


def has(law):
    return [name for name, verdict in properties(law).items() if verdict.has]


def test_seven_probes():
    assert len(PROBES) == 7
    assert all(probe.run.__doc__ for probe in PROBES.values())


def test_what_is_known_of_the_switch():
    assert has(sb.Switch()) == ["stiction", "viscous friction"]


def test_what_is_known_of_lugre():
    """It drifts under vibration (Dupont 2000), lags in sliding, and has no nonlocal memory (nouailletas2010)."""
    assert has(sb.LuGre()) == ["frictional memory", "presliding", "Stribeck effect", "viscous friction"]


def test_a_flat_lugre_has_no_stribeck_effect_and_no_memory():
    assert has(sb.LuGre(mu_c=1.5)) == ["presliding", "viscous friction"]


def test_the_verdicts_hold_for_another_size():
    """A hundred times the friction and another stiffness: the experiments follow the law."""
    assert has(sb.LuGre(mu_c=100, mu_s=150, sigma0=1e6, sigma1=1e3, v_s=0.01)) == has(sb.LuGre())


def test_an_experiment_that_stops_is_no_verdict(monkeypatch):
    def stop(*args, **options):
        raise SimulationError("the step became too small")

    monkeypatch.setattr("stribeck.studies.bench.simulate", stop)
    verdict = PROBES["stiction"](sb.LuGre())
    assert verdict.has is None and "too small" in verdict.reason


def test_every_law_can_undergo_every_probe(found):
    assert list(found) == [law.__name__ for law in all_laws().values()]
    for law, verdicts in found.items():
        for name, verdict in verdicts.items():
            assert verdict.has is not None, (law, name, verdict.reason)


def test_the_page_says_what_the_probes_find(found):
    """Write it anew with: python -m stribeck.studies.laws_page > docs/laws.md"""
    assert laws_page.property_table(found) in PAGE


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_the_page_has_every_law(law):
    assert laws_page.section(law) in PAGE
