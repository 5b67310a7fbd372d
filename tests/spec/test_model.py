import subprocess
import sys

import pytest

from stribeck import Model, Simulation, load_model, set_parameter, shipped_models
from stribeck.elements import Bearing, Inertia, Speed, Spring, TorqueConverter
from stribeck.errors import SpecError, UnknownName
from stribeck.laws import LuGre, Switch
from stribeck.signals import Sine
from stribeck.spec.library import FOLDER
from stribeck.spec.parameters import set_parameters


def test_a_model_reads_like_a_table():
    assert repr(load_model("stick-slip-switch")) == (
        "Model 'stick-slip-switch': 4 elements, 25.0 s in 2500 intervals\n"
        "  pull      Speed    w=0.1\n"
        "  mass      Inertia  J=1\n"
        "  spring    Spring   a='pull', b='mass', c=2\n"
        "  friction  Bearing  a='mass', law=Switch(mu_c=1, mu_s=1.5, mu_v=0.4)"
    )


def test_python_and_file_say_the_same_things():
    m = Model("stick-slip", t_end=25, intervals=2500)
    pull = m.add("pull", Speed(w=0.1))
    mass = m.add("mass", Inertia(J=1))
    m.add("spring", Spring(pull, mass, c=2))
    m.add("friction", Bearing(mass, law=LuGre(sigma0=1e5, sigma1=316.23, tau_v=0.4, tau_c=1, tau_s=1.5, w_s=1e-3)))
    assert m == load_model("stick-slip")
    assert m != load_model("stick-slip-switch")


@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models_are_sound(name):
    assert isinstance(load_model(name).check(), list)
    assert load_model(name) == load_model(FOLDER / f"{name}.yaml")


def test_the_shipped_rigs_are_there():
    assert {"stick-slip", "stick-slip-switch"} <= set(shipped_models())


def test_a_file_is_found_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rig").write_text(load_model("stick-slip").to_yaml())
    assert load_model("rig") == load_model("./rig") == load_model("stick-slip")


def test_checks_of_laws_are_warnings():
    (warning,) = load_model("stick-slip").check()
    assert warning.startswith("bearing 'friction': LuGre is passive only for sigma1 <= ")
    assert load_model("stick-slip-switch").check() == []


@pytest.mark.parametrize(
    ("path", "value", "get", "expected"),
    [
        ("mass.J", "2", lambda m: m.elements["mass"].J, 2),
        ("mass.J", "2 kg.m2", lambda m: m.elements["mass"].J, "2 kg.m2"),
        ("friction.law.sigma0", "1e4", lambda m: m.elements["friction"].law.sigma0, 1e4),
        ("friction.law.tau_c", 0.5, lambda m: m.elements["friction"].law.mu_c, 0.5),
        ("friction.load", "0.5", lambda m: m.elements["friction"].load.value, 0.5),
        ("friction.load.value", "0.5", lambda m: m.elements["friction"].load.value, 0.5),
        ("pull.w", "5 rpm", lambda m: m.elements["pull"].w.value, "5 rpm"),
        ("pull.w.value", 0.2, lambda m: m.elements["pull"].w.value, 0.2),
        ("spring.phi_rel0", "1 deg", lambda m: m.elements["spring"].phi_rel0, "1 deg"),
        ("simulation.t_end", "5", lambda m: m.simulation.t_end, 5),
        ("simulation.t_end", "5 min", lambda m: m.simulation.t_end, 300),
        ("simulation.intervals", "10", lambda m: m.simulation.intervals, 10),
        ("simulation.solver", "cvode", lambda m: m.simulation.solver, "cvode"),
    ],
)
def test_set_parameter(path, value, get, expected):
    model = load_model("stick-slip")
    assert set_parameter(model, path, value) is model
    assert get(model) == expected
    model.check()


def test_set_a_whole_law_or_signal():
    model = load_model("stick-slip")
    set_parameter(model, "friction.law", "Switch")
    set_parameter(model, "pull.w", Sine(amplitude=1, f=2))
    set_parameter(model, "pull.w.amplitude", "3 rad/s")
    assert model.elements["friction"].law == Switch()
    assert model.elements["pull"].w == Sine(amplitude="3 rad/s", f=2)


def test_set_everywhere():
    model = load_model("gearbox")
    set_parameter(model, "*.law", "LuGre")
    set_parameter(model, "*.law.mu_c", "0.2")
    set_parameter(model, "*.J", 3)
    clutches = [model.elements[name] for name in ("C1", "C2", "B1", "B2")]
    assert [clutch.law.mu_c for clutch in clutches] == [0.2] * 4
    assert {e.J for e in model.elements.values() if hasattr(e, "J")} == {3}
    for path in ("*.law.sigma", "*.lwa", "*"):
        with pytest.raises(UnknownName, match="no element of gearbox has"):
            set_parameter(model, path, 1)


def test_everywhere_is_where_there_is_something():
    model = load_model("gearbox")
    model.add("oil", TorqueConverter("engine", "load", nu=[0, 1], capacity=[1, 0], ratio=[1, 1]))
    set_parameter(model, "*.law", "Coulomb")
    assert model.elements["oil"].law is None


def test_a_changed_model_round_trips():
    model = set_parameter(load_model("stick-slip"), "friction.law.sigma0", "1e4")
    assert model.copy() == model != load_model("stick-slip")


def test_a_varied_model_is_another_one():
    model = load_model("gearbox")
    soft = model.varied({"*.law.mu_c": 0.2, "engine.J": 0.3, "simulation.t_end": "2 s"})
    assert soft == set_parameter(soft.copy(), "C1.law.mu_c", 0.2)
    assert (soft.elements["engine"].J, soft.simulation.t_end) == (0.3, 2.0)
    assert model == load_model("gearbox") != soft
    assert model.varied({}) == model
    with pytest.raises(UnknownName, match="there is no element 'engin'"):
        model.varied({"engin.J": 1})


def test_simulation_settings():
    assert Simulation().given == {}
    assert Simulation(t_end="2 min", intervals=10).given == {"t_end": 120.0, "intervals": 10}
    assert Simulation(intervals=10.0).intervals == 10
    with pytest.raises(SpecError, match="must be a text"):
        Simulation(solver=3)


def test_models_are_described_without_heavy_packages():
    code = """
import sys
import stribeck
model = stribeck.load_model("stick-slip")
model.check()
print([name for name in ("sympy", "pint", "scipy", "matplotlib", "pandas") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("names", [("mu_c", "mu_s"), ("mu_s", "mu_c")])
def test_varied_values_are_checked_together(names):
    """With the old mu_s = 1.5 the new mu_c = 2 alone would be refused."""
    values = {"mu_c": 2, "mu_s": 2.5}
    model = load_model("stick-slip")
    law = model.varied({f"friction.law.{name}": values[name] for name in names}).elements["friction"].law
    assert (law.mu_c, law.mu_s) == (2, 2.5)
    with pytest.raises(SpecError, match=r"friction\.law\.mu_c = 2: .*mu_s = 1\.5 must not be below mu_c = 2"):
        model.varied({"friction.law.mu_c": 2})


def test_varied_wholes_go_before_parts_and_names_before_stars():
    model = load_model("stick-slip")
    values = {"*.law.mu_c": 0.5, "friction.law.mu_c": 0.7, "friction.law": Switch(mu_c=0.1, mu_s=0.9)}
    for order in (list(values), list(reversed(values))):
        law = model.varied({path: values[path] for path in order}).elements["friction"].law
        assert (type(law), law.mu_c, law.mu_s) == (Switch, 0.7, 0.9)


def test_a_refused_value_changes_nothing():
    model = load_model("stick-slip")
    before = model.to_dict()
    with pytest.raises(SpecError):
        set_parameters(model, {"mass.J": 2, "friction.law.mu_c": -1})
    assert model.to_dict() == before
