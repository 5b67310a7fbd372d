"""The page on signals: what its examples do."""

import re
from pathlib import Path

import stribeck as sb

PAGE = (Path(__file__).parents[2] / "docs" / "signals.md").read_text(encoding="utf-8")


def block(language):
    """The first one in a language; tests/test_docs.py runs them all."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]


def test_the_example_reaches_its_target():
    names = {}
    exec(block("python"), names)
    result = names["result"]
    assert abs(result["mass.phi"][-1] - 1.5708) < 1.5 / 40  # static friction by Kp: it sticks within
    assert {"encoder", "target"} <= set(names["m"].signals)
    assert sb.Model.from_yaml(names["m"].to_yaml()) == names["m"]


def test_the_file_is_a_model():
    model = sb.Model.from_yaml(block("yaml"))
    assert model.check() == []
    assert sb.set_parameter(model, "motor.tau.Kp", 50).elements["motor"].tau.Kp == 50
