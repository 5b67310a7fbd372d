"""The published schema accepts what the package accepts, as far as a schema can."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from support.signal_examples import EXAMPLES

from stribeck import Model, shipped_models
from stribeck.elements import Torque, all_elements
from stribeck.laws import all_laws
from stribeck.signals import all_signals
from stribeck.spec.library import FOLDER
from tools.schema import model_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "model.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(model_schema())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(model_schema())


def test_the_published_schema_is_the_current_one():
    assert json.loads(PUBLISHED.read_text()) == json.loads(json.dumps(model_schema())), (
        "run: python -m tools.schema > docs/model.schema.json"
    )


@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models_are_valid(name):
    VALIDATOR.validate(yaml.safe_load((FOLDER / f"{name}.yaml").read_text()))
    VALIDATOR.validate(Model.from_yaml(FOLDER / f"{name}.yaml").to_dict())


def test_every_declared_thing_is_in_it():
    kinds = {**all_elements(), **all_signals(), **{law.__name__: law for law in all_laws().values()}}
    for name, kind in kinds.items():
        properties = model_schema()["$defs"][name]["properties"]
        assert {word for n, p in kind.params.items() for word in (n, *p.aliases)} <= set(properties)


GOOD = {
    "law by name": {"type": "Bearing", "a": "m", "law": "LuGre"},
    "alias": {"type": "Speed", "v": "3 m/s"},
    "signal": {"type": "Torque", "a": "m", "tau": {"type": "Table", "time": [0, "1 s"], "value": [0, "3 N.m"]}},
    "flange": {"type": "Spring", "a": "x.b", "b": "left-wheel", "c": 1e5},
}
BAD = {
    "unknown key": {"type": "Inertia", "J": 1, "j": 2},
    "unknown type": {"type": "Inertai", "J": 1},
    "missing parameter": {"type": "Inertia"},
    "out of bounds": {"type": "Inertia", "J": 0},
    "wrong type": {"type": "Inertia", "J": [1]},
    "not a quantity": {"type": "Inertia", "J": "heavy"},
    "law parameter": {"type": "Bearing", "a": "m", "law": {"type": "LuGre", "sigmaO": 1}},
    "flange": {"type": "Spring", "a": 5, "c": 1},
    "signal in a signal": {"type": "Torque", "a": "m", "tau": {"type": "Gain", "u": {"type": "Gian"}, "k": 2}},
    "word that is no option": {
        "type": "Torque",
        "a": "m",
        "tau": {"type": "Quantiser", "u": 1, "step": 1, "mode": "up"},
    },
}


@pytest.mark.parametrize("element", GOOD.values(), ids=GOOD)
def test_accepts(element):
    data = {"elements": {"x": element}}
    VALIDATOR.validate(data)
    Model.from_dict(data)


@pytest.mark.parametrize("signal", EXAMPLES, ids=repr)
def test_accepts_every_signal(signal):
    model = Model("any")
    model.add("x", Torque("m", tau=signal))
    model.signal("u", signal)
    VALIDATOR.validate(model.to_dict())


@pytest.mark.parametrize("element", BAD.values(), ids=BAD)
def test_rejects(element):
    assert not VALIDATOR.is_valid({"elements": {"x": element}})


@pytest.mark.parametrize(
    "change",
    [
        {"element": {}},
        {"elements": {}},
        {"elements": {"a b": GOOD["alias"]}},
        {"connect": [["a"]]},
        {"simulation": {"t": 1}},
    ],
    ids=str,
)
def test_rejects_at_the_top(change):
    assert not VALIDATOR.is_valid({"elements": {"x": GOOD["alias"]}} | change)
