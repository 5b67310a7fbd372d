"""The public model: its verbs are the functions, and type checkers see them."""

import inspect
import subprocess
import sys

import pytest

import stribeck as sb
from stribeck.compile import check_model

FUNCTIONS = {
    "check": check_model,
    "compile": sb.compile_model,
    "simulate": sb.simulate,
    "realtime": sb.realtime,
    "check_realtime": sb.analysis.check_realtime,
    "linearize": sb.analysis.linearize,
    "draw": sb.analysis.draw,
    "compare": sb.analysis.compare,
    "fit": sb.identify.fit,
}


def test_these_are_all_verbs():
    assert {name for name in vars(sb.Model) if not name.startswith("_")} == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_verb_has_the_signature_of_its_function(name):
    (_, *own), (_, *other) = (
        inspect.signature(function).parameters.values() for function in (getattr(sb.Model, name), FUNCTIONS[name])
    )
    assert own == other
    results = [inspect.signature(function).return_annotation for function in (getattr(sb.Model, name), FUNCTIONS[name])]
    assert results[0] == results[1]


def test_models_stay_of_the_class_they_were_made_of():
    model = sb.load_model("stick-slip")
    for made in (model, model.copy(), model.varied({"mass.J": 2}), sb.Model.from_yaml(model.to_yaml())):
        assert type(made) is sb.Model
    assert model.simulate(0.5).meta.model == sb.simulate(model, 0.5).meta.model


SCRIPT = """
from typing import assert_type

from matplotlib.figure import Figure

import stribeck as sb
from stribeck.analysis import Comparison, LinearModel, RealtimeReport
from stribeck.identify import FitResult, Measurement

m = sb.Model("rig", t_end=1)
mass = m.add("mass", sb.Inertia(J="1 kg.m2"))
assert_type(mass, sb.Inertia)
m.add("friction", sb.Bearing(mass, law=sb.LuGre(), load=2 * sb.Sensor("mass.w") + "3 N"))
assert_type(sb.load_model("stick-slip"), sb.Model)
assert_type(sb.Model.from_yaml("rig.yaml"), sb.Model)
assert_type(m.copy().varied({"mass.J": 2}), sb.Model)
assert_type(m.check(), list[str])
assert_type(m.compile(), sb.Program)
assert_type(m.simulate("2 s"), sb.Result)
assert_type(m.realtime(1e-3), sb.Stepper)
assert_type(m.check_realtime(), RealtimeReport)
assert_type(m.linearize(), LinearModel)
assert_type(m.draw(), Figure)
assert_type(m.compare(["LuGre"]), Comparison)
record = Measurement({"w": [0.0, 1.0]}, sample_time=1e-3)
assert_type(m.fit(record, ["mass.J"], outputs={"mass.w": "w"}), FitResult)
assert_type(sb.__version__, str)
m.simulate(t_end=[1])  # wrong
m.simulat()  # wrong
sb.Sum  # wrong
"""


@pytest.mark.slow
def test_type_checkers_see_every_verb(tmp_path):
    """mypy on a script of a user; it reports the last three lines and nothing else."""
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    wrong = [i for i, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# wrong")]
    found = [int(line.split(":")[1]) for line in done.stdout.splitlines() if line.startswith(("script.py", str(file)))]
    assert sorted(set(found)) == wrong, done.stdout
