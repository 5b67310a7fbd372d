"""Kinds are registered by being defined."""

import subprocess
import sys
from pathlib import Path

import pytest

import stribeck as sb
from stribeck.elements import Element, all_elements
from stribeck.laws import Law
from stribeck.registry import Registered, Registry
from stribeck.signals import EXPRESSIONS, Signal, all_signals
from tools import stub


class Sort(Registered, registered=False):
    registry = Registry("thing", __name__, ("first", "second"))


def test_defining_a_class_registers_it_in_its_group():
    class Late(Sort):
        group = "second"

    class Early(Sort):
        group = "first"

    class Shared(Sort, registered=False):
        pass

    Sort.registry._complete = True  # there is no folder of things
    assert Sort.registry.all() == {"Early": Early, "Late": Late}
    assert Sort.registry.get("e-arly") is Early
    with pytest.raises(sb.UnknownName, match=r"place: there is no thing 'Lat'; did you mean 'Late'"):
        Sort.registry.get("Lat", "place")


def test_a_group_that_is_not_there_is_refused():
    with pytest.raises(TypeError, match=r"thing Odd: group = 'third' is not one of first, second"):
        type("Odd", (Sort,), {"group": "third"})


def test_a_name_stands_for_one_class():
    with pytest.raises(TypeError, match=r"element Spring is defined in stribeck.elements.spring"):
        type("Spring", (Element,), {"group": "springs"})
    assert all_elements()["Spring"] is sb.Spring


def test_an_element_of_a_script_is_known_to_files(tmp_path):
    """In a separate process: the registries of this one are compared with documents."""
    file = tmp_path / "script.py"
    file.write_text(
        "import stribeck as sb\n"
        "from stribeck.elements import Element\n"
        "class Magnet(Element):\n"
        "    group = 'sources'\n"
        "    def stamp(self, net): net.source(self, 0, self.flange('a'), sb.Constant(2.0).bind('', 'it'))\n"
        "text = '{elements: {mass: {type: Mass, m: 1}, pull: {type: magnet, a: mass}}}'\n"
        "print(sb.Model.from_yaml(text).simulate(1.0)['mass.v'][-1])\n"
    )
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(2.0, rel=1e-7)  # v = f t / m, the tolerance of the solver


def test_everything_registered_is_public_but_expressions():
    kinds = {**Element.registry.all(), **Law.registry.all(), **Signal.registry.all()}
    for name, kind in kinds.items():
        assert (getattr(sb, name, None) is kind) == (kind.group != EXPRESSIONS), name
    hidden = {name for name, kind in all_signals().items() if kind.group == EXPRESSIONS}
    assert hidden == {"Sum", "Gain", "Product", "Quotient", "Power", "Compare", "And", "Or", "Not"}


def test_the_stub_is_current():
    assert stub.FILE.read_text(encoding="utf-8") == stub.stub(), "run: python -m tools.stub"
    assert (Path(sb.model.__file__).parent / "py.typed").exists()


def test_tools_that_are_looked_for_at_the_top_are_found():
    for name, place in {"fit": "stribeck.identify.fit", "linearize": "stribeck.analysis.linearize"}.items():
        with pytest.raises(AttributeError, match=f"it is {place}"):
            getattr(sb, name)
    with pytest.raises(AttributeError, match=r"'simulat'$"):
        sb.simulat  # noqa: B018
