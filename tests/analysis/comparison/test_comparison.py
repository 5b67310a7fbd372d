"""The same machine under several laws."""

import csv
import json

import pytest

import stribeck as sb
from stribeck.analysis.comparison.comparison import compare
from stribeck.errors import SpecError

GOLDEN = {"LuGre": 6.362719747, "Switch": 6.453932708}
"""Periods of the rig (s): aberger2002 Table 1 by RK6 and Radau, the switch in closed form."""


@pytest.fixture(scope="module")
def both():
    return compare(sb.load_model("stick-slip"), ["switch", "LuGre"])


def test_every_law_runs_with_the_parameters_it_shares(both):
    assert list(both.results) == ["Switch", "LuGre"]
    rows = {row["law"]: row for row in both.rows}
    for law, period in GOLDEN.items():
        assert rows[law]["period"] == pytest.approx(period, abs=1e-6)
        assert rows[law]["cycles"] == 2
    assert rows["Switch"]["peaks"] == {"friction.tau": pytest.approx(1.5)}
    assert rows["LuGre"]["dissipated"] == both.results["LuGre"].energy.dissipated["friction"]
    assert rows["LuGre"]["steps"] > rows["Switch"]["steps"] > 0


def test_the_law_that_is_there_is_kept_as_it_is(both):
    alone = sb.simulate(sb.load_model("stick-slip"))
    assert (both.results["LuGre"].data == alone.data).all()


def test_the_model_is_left_alone():
    model = sb.load_model("stick-slip")
    before = model.to_dict()
    compare(model, ["switch"], values={"mass.J": 2, "friction.law.tau_s": 2}, t_end=1)
    assert model.to_dict() == before


def test_values_go_where_they_belong():
    values = {"friction.law.sigma1": "100", "friction.law.tau_s": 1.2}
    found = compare(sb.load_model("stick-slip"), ["switch", "lugre"], values=values)
    assert [row["peaks"]["friction.tau"] for row in found.rows] == pytest.approx([1.2, 1.2], rel=0.02)


def test_values_for_every_law_of_the_machine():
    model = sb.load_model("gearbox")
    pump, turbine = model.add("pump", sb.Inertia(J=1, w0=9)), model.add("turbine", sb.Inertia(J=1, w0=5))
    model.add("oil", sb.TorqueConverter(pump, turbine, nu=[0, 1], capacity=[1e-3, 0], ratio=[1, 1]))  # without a law
    found = compare(model, ["switch", "lugre"], values={"*.law.sigma1": 3, "*.law.mu_s": 0.6}, t_end=0.1)
    assert found.elements == ("C1", "C2", "B1", "B2")
    assert not found.errors


def test_laws_with_parameters_of_their_own_are_told_apart():
    found = compare(sb.load_model("stick-slip"), [sb.LuGre(), sb.LuGre(mu_s=2), sb.Switch], t_end=1)
    assert list(found.results) == ["LuGre-1", "LuGre-2", "Switch"]


def test_some_elements_only():
    model = sb.load_model("stick-slip")
    model.add("seal", sb.Bearing("mass", law=sb.LuGre(mu_c=0.1, mu_s=0.1)))
    assert compare(model, ["switch"], t_end=1).elements == ("friction", "seal")
    one = compare(model, ["switch"], elements=["friction"], t_end=1)
    assert "seal.z" in one.results["Switch"] and "friction.z" not in one.results["Switch"]
    with pytest.raises(sb.UnknownName, match="no friction element 'sael'; did you mean 'seal'"):
        compare(model, ["switch"], elements=["sael"])


def test_what_cannot_be_compared_is_refused():
    model = sb.load_model("stick-slip")
    with pytest.raises(sb.UnknownName, match="did you mean 'LuGre'"):
        compare(model, ["lugr"])
    with pytest.raises(sb.UnknownName, match="none of these laws has a parameter 'sigma0'"):
        compare(model, ["switch"], values={"friction.law.sigma0": 1})
    with pytest.raises(sb.SpecError, match="no element has a friction law"):
        compare(sb.Model("empty"), ["switch"])


def test_a_law_that_fails_does_not_stop_the_others(tmp_path):
    found = compare(sb.load_model("stick-slip"), [sb.Switch(mu_c="1 kg"), sb.Switch()], t_end=1)
    assert "kg" in found.errors["Switch-1"]
    assert list(found.results) == ["Switch-2"]
    assert list(found.table().rows[0][1:]) == ["-"] * 6
    found.save(tmp_path)
    lines = list(csv.DictReader((tmp_path / "comparison.csv").read_text().splitlines()))
    assert "kg" in lines[0]["error"] and lines[1]["error"] == ""


def test_a_run_that_stops_early_is_shown_up_to_there(monkeypatch):
    def stop(model, **options):
        where = {"time": 1.0, "elements": ["friction"], "result": sb.simulate(model, t_end=1.0)}
        raise sb.SimulationError("the step became too small", **where)

    monkeypatch.setattr("stribeck.analysis.comparison.comparison.simulate", stop)
    found = compare(sb.load_model("stick-slip"), ["switch"])
    assert found.errors == {"Switch": "the step became too small"}
    assert found.results["Switch"].time[-1] == 1.0


def test_files(both, tmp_path):
    paths = both.save(tmp_path, "parquet")
    assert {path.name for path in paths} == {
        *(f"comparison.{kind}" for kind in ("png", "csv", "json")),
        "summary.json",
        "Switch.parquet",
        "LuGre.parquet",
    }
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    document = json.loads(paths[2].read_text())
    assert document["laws"][1]["period"] == pytest.approx(GOLDEN["LuGre"], abs=1e-6)
    assert sb.Result.load(tmp_path / "LuGre.parquet")["mass.w"].unit == "rad/s"


def test_picture(both):
    speed, friction = both.plot().axes
    assert [line.get_label() for line in speed.get_lines()][:2] == ["Switch", "LuGre"]
    assert speed.get_ylabel() == "mass.w\nspeed / (rad/s)"
    assert friction.get_ylabel() == "friction.tau\ntorque / N·m"
    assert friction.get_xlabel() == "time / s"


def test_printed(both):
    head, *lines = str(both).splitlines()
    assert head.split("  ")[0] == "law" and "period / s" in head
    assert [line.split()[0] for line in lines] == ["Switch", "LuGre"]


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ("LuGre", r"laws = 'LuGre' is one law; give a list"),
        (sb.LuGre(), r"laws = LuGre\(\) is one law; give a list"),
        (sb.LuGre, r"is one law; give a list"),
        ([], r"laws is empty; give a list of laws, for instance \['LuGre', 'Switch'\]"),
    ],
)
def test_a_list_of_laws_is_needed(laws, message):
    with pytest.raises(SpecError, match=message):
        compare(sb.load_model("stick-slip"), laws)
