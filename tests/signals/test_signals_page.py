"""The page on signals: its examples run, and it names every signal."""

import re
from pathlib import Path

import stribeck as sb
from stribeck.signals import all_signals

PAGE = (Path(__file__).parents[2] / "docs" / "signals.md").read_text(encoding="utf-8")


def block(language):
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return text


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


def test_every_signal_is_named():
    table = PAGE.partition("## All signals")[2].partition("## What to know")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", table)) == set(all_signals())
