"""Pictures of machines: everything is there once."""

from collections import Counter

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon
from support.machines import MACHINES

import stribeck as sb
from stribeck.analysis.diagram.diagram import Diagram
from stribeck.results.style import MODE_COLORS


def words(figure):
    """All words in a picture but the names of flanges and kinds."""
    texts = [text for text in figure.axes[0].texts if text.get_gid() not in ("flange", "kind")]
    return Counter(word.strip(",") for text in texts for word in text.get_text().split())


@pytest.mark.parametrize("name", MACHINES)
def test_every_element_appears_once(name, tmp_path):
    model = MACHINES[name]()
    path = tmp_path / "machine.png"
    seen = words(sb.analysis.draw(model, path=path))
    assert path.stat().st_size > 3000
    assert {name: seen[name] for name in [*model.elements, *model.signals]} == dict.fromkeys(
        [*model.elements, *model.signals], 1
    )


@pytest.mark.parametrize("name", MACHINES)
def test_boxes_do_not_overlap(name):
    boxes = Diagram.of(MACHINES[name]()).boxes
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a.y != b.y or abs(a.x - b.x) >= (a.width + b.width) / 2


def pads(figure):
    return {to_hex(patch.get_facecolor()) for patch in figure.axes[0].patches if isinstance(patch, Polygon)}


def test_friction_has_the_colour_of_its_mode():
    model = sb.load_model("stick-slip-switch")
    result = sb.simulate(model, t_end=10)
    stuck, forward = (MODE_COLORS[mode].lower() for mode in (0, 1))
    assert pads(sb.analysis.draw(model)) == {"#ffffff"}
    assert pads(sb.analysis.draw(model, result, at=1.0)) == {stuck}
    assert pads(sb.analysis.draw(model, result, at="8 s")) == {forward}
    assert pads(sb.analysis.draw(model, at=1.0)) == {stuck}
    with pytest.raises(sb.SpecError, match="ends at 10 s"):
        sb.analysis.draw(model, result, at=20.0)


def test_an_element_with_three_nodes_is_a_box():
    class Star(sb.Spring, registered=False):
        """Stands for a planetary gear."""

        flanges = ("a", "b", "c_")

        def stamp(self, net):
            """Nothing: the picture needs the flanges alone."""

    m = sb.Model("star")
    sun, ring, carrier = (m.add(name, sb.Inertia(J=1)) for name in ("sun", "ring", "carrier"))
    m.add("set", Star(sun, ring, carrier, c=1))
    diagram = Diagram.of(m)
    assert [box.names for box in diagram.boxes if box.kind == "element"] == [("set",)]
    assert words(sb.analysis.draw(m))["set"] == 1


def test_signals_lead_to_what_they_drive():
    wires = Diagram.of(MACHINES["servo"]()).wires
    assert ("target", "pid") in wires
    assert ("cart", "pid") in wires
    assert ("target", "error") in wires


def test_a_path_may_come_second(tmp_path):
    sb.analysis.draw(sb.load_model("stick-slip"), tmp_path / "machine.png")
    assert (tmp_path / "machine.png").stat().st_size > 3000
    with pytest.raises(sb.SpecError, match="is not a result; write draw"):
        sb.analysis.draw(sb.load_model("stick-slip"), "machine.png", path=tmp_path / "machine.png")
    with pytest.raises(sb.SpecError, match=r"draw: result = 2\.0 must be Result or"):
        sb.analysis.draw(sb.load_model("stick-slip"), 2.0)


def test_the_legend_has_the_colours_of_the_picture():
    """The rolling resistance of a car has a mode, but no symbol."""
    figure = sb.analysis.draw(sb.load_model("dual-clutch-launch"), at=2.9)
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["Stuck", "Free"]


def test_symbols_tell_what_holds_one_way():
    m = sb.Model("symbols")
    shafts = [m.add(f"shaft{k}", sb.Inertia(J=1)) for k in range(3)]
    m.add("drive", sb.Torque(shafts[0], tau=1))
    m.add("sprag", sb.FreeWheel(shafts[0], shafts[1]))
    m.add("plates", sb.Clutch(shafts[1], shafts[2], law=sb.Coulomb(), fn_max=1))
    m.add("wall", sb.Fixed())
    m.add("end", sb.Stop("wall", shafts[2], phi_max=1))
    diagram = Diagram.of(m)
    assert {n: diagram.symbols[n] for n in ("sprag", "plates", "end")} == {
        "sprag": "one-way",
        "plates": "friction",
        "end": "stop",
    }
    assert min(diagram.boxes, key=lambda box: box.x).names == ("shaft0",)
