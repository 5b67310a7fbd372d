"""What notebooks and editors show: HTML views, completion, columns as attributes, names that people try."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import stribeck as sb
from stribeck.errors import UnknownName
from stribeck.results.data_table import DataTable


@pytest.fixture(scope="module")
def result() -> sb.Result:
    return sb.simulate("stick-slip-switch", t_end=12)


def parts(result: sb.Result) -> dict[str, object]:
    model = sb.load_model("stick-slip")
    comparison = model.compare(["LuGre"], t_end=1)
    things = {"model": model, "result": result, "events": result.events, "energy": result.energy}
    things |= {"extremes": result.extremes, "statistics": result.statistics, "comparison": comparison}
    things |= {"law": sb.LuGre(), "element": sb.Inertia(J=1), "table": DataTable(["<a>"], [["<b> & c"]], notes=["<n>"])}
    return things | {"empty": sb.simulate(model, t_end=1, energy=False).events}


def test_everything_has_a_view_in_html(result):
    for name, thing in parts(result).items():
        text = thing._repr_html_()
        tree = ElementTree.fromstring(f"<div>{text}</div>")  # well-formed, and nothing of the data is markup
        assert name == "empty" or tree.find(".//td") is not None, name
        assert "<b> &amp;" not in text


def test_fits_have_a_view_in_html():
    from stribeck.identify import FitResult, LawChoice
    from stribeck.identify.regression.estimate import Estimate

    assert all(hasattr(kind, "_repr_html_") for kind in (FitResult, LawChoice, Estimate))


def test_names_of_outputs_are_completed(result):
    assert result._ipython_key_completions_() == list(result.names)


def test_columns_of_events_are_attributes(result):
    events = result.events
    assert events.element == [event.element for event in events]
    assert (events.from_[0], events.to[0]) == ("Stuck", "Forward")
    assert len(events.time) == len(events.element) == len(events.to)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("ode45", "'dopri5'"), ("RK45", "'dopri5'"), ("ode15s", "'rodas5p'"), ("BDF", "'scipy-bdf'"), ("rk4", "'ode4'")],
)
def test_solvers_of_other_programs_are_understood(name, meant):
    with pytest.raises(UnknownName, match=f"there is no solver '{name}'; .*{meant}"):
        sb.simulate("stick-slip", solver=name)


@pytest.mark.parametrize("word", ["v", "w", "speed"])
def test_the_table_of_friction_takes_speeds_by_their_usual_names(word):
    assert sb.FrictionTable(**{word: [0, 1], "mu": [1, 0.9]}) == sb.FrictionTable(speed=[0, 1], mu=[1, 0.9])
    with pytest.raises(UnknownName, match="known: peak, speed or v or w, mu or tau or f"):
        sb.FrictionTable(velocity=[0])


@pytest.mark.parametrize("head", ["throttle,time", "time [s],other,throttle", "x,throttle"])
def test_a_recording_finds_its_times(tmp_path, head):
    path = tmp_path / "in.csv"
    names = head.split(",")
    rows = [",".join("0.5" if name == "throttle" else str(t) for name in names) for t in range(3)]
    path.write_text("\n".join([head, *rows]) + "\n")
    m = sb.Model("rig", t_end=1)
    m.add("motor", sb.Torque(m.add("mass", sb.Inertia(J=1)), tau=sb.Recording(str(path), "throttle")))
    assert sb.simulate(m)["motor.tau"].max() == 0.5


def test_a_recording_asks_for_its_times(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("a,throttle\n1,0\n1,1\n")
    m = sb.Model("rig", t_end=1)
    m.add("motor", sb.Torque(m.add("mass", sb.Inertia(J=1)), tau=sb.Recording(str(path), "throttle")))
    with pytest.raises(sb.SpecError, match=r"which column of .* has the times.*columns: a, throttle"):
        sb.simulate(m)
