"""Parts that do not touch: nothing of one is seen by the other."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb

PARTS = ["clutches", "gearbox", "driveline", "towed", "twice_held", "contacts"]


def renamed(thing: Any, names: re.Pattern[str], prefix: str) -> Any:
    """Plain data with a prefix before every name that is referred to."""
    if isinstance(thing, dict):
        return {key: value if key == "type" else renamed(value, names, prefix) for key, value in thing.items()}
    if isinstance(thing, list):
        return [renamed(value, names, prefix) for value in thing]
    return names.sub(rf"{prefix}\1", thing) if isinstance(thing, str) else thing


def together(**parts: str) -> sb.Model:
    """One model of several machines, every name with the prefix of its part."""
    whole: dict[str, Any] = {"name": "islands", "elements": {}, "connect": []}
    for prefix, machine in parts.items():
        data = MACHINES[machine]().to_dict()
        names = re.compile(rf"(?<![.\w])({'|'.join(map(re.escape, data['elements']))})\b")
        for name, element in data["elements"].items():
            whole["elements"][f"{prefix}{name}"] = renamed(element, names, prefix)
        whole["connect"] += renamed([list(pair) for pair in data.get("connect", [])], names, prefix)
    return sb.Model.from_dict(whole)


def random_states(program: sb.Program, rng: np.random.Generator) -> dict[str, float]:
    """States a little off the start; those of the laws stay, so that they are within their bounds."""
    moving = program.sizes["n_v"] + program.sizes["n_q"]
    away = np.concatenate([0.1 * rng.normal(size=moving), np.zeros(len(program.y0) - moving)])
    return dict(zip(program.state_names, program.y0 + away, strict=True))


@pytest.mark.parametrize("first, second", list(pairwise([*PARTS, PARTS[0]])))
def test_rates_and_outputs_are_those_of_the_parts(first: str, second: str) -> None:
    """At the same states, modes found again, to the last bit but one: rows have the same entries in the same order."""
    rng = np.random.default_rng(1)
    whole = sb.compile_model(together(one_=first, two_=second))
    states: dict[str, float] = {}
    expected: dict[str, float] = {}
    for prefix, name in (("one_", first), ("two_", second)):
        program = sb.compile_model(MACHINES[name]())
        own = random_states(program, rng)
        machine = program.machine()
        machine.start(0.3, np.array(list(own.values())))
        rates = machine.rhs(0.3, machine.state())
        shown = machine.outputs(0.3, machine.state())
        states |= {f"{prefix}{name}": value for name, value in own.items()}
        expected |= {f"{prefix}{name}'": value for name, value in zip(own, rates, strict=True)}
        expected |= {f"{prefix}{name}": value for name, value in zip(program.output_names, shown, strict=True)}
    machine = whole.machine()
    machine.start(0.3, np.array([states[name] for name in whole.state_names]))
    found = {f"{n}'": v for n, v in zip(whole.state_names, machine.rhs(0.3, machine.state()), strict=True)}
    found |= dict(zip(whole.output_names, machine.outputs(0.3, machine.state()), strict=True))
    assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("name", PARTS)
def test_twins_are_the_machine_alone(name: str) -> None:
    """Error control takes the largest error, so that two of a kind are solved in the same steps as one."""
    alone = sb.simulate(MACHINES[name](), 1.0, intervals=20)
    twins = sb.simulate(together(one_=name, two_=name), 1.0, intervals=20)
    assert twins.statistics.steps == alone.statistics.steps
    for output in alone.names:
        for prefix in ("one_", "two_"):
            assert np.asarray(twins[f"{prefix}{output}"]) == pytest.approx(
                np.asarray(alone[output]), rel=1e-12, abs=1e-12
            )


@pytest.mark.parametrize("first, second", [("clutches", "towed"), ("twice_held", "contacts")])
def test_different_parts_are_what_they_are_alone(first: str, second: str) -> None:
    """They share their steps, and so the results differ by the errors of the runs."""
    whole = sb.simulate(together(one_=first, two_=second), 2.0, intervals=20, tolerance=1e-10)
    for prefix, name in (("one_", first), ("two_", second)):
        alone = sb.simulate(MACHINES[name](), 2.0, intervals=20, tolerance=1e-10)
        for output in alone.names:
            expected = np.asarray(alone[output])
            if not output.endswith((".a", ".tau", ".mode")):  # rates may jump between the two event times
                size = max(1.0, np.abs(expected).max())
                assert np.asarray(whole[f"{prefix}{output}"]) == pytest.approx(expected, abs=1e-7 * size), output
        events = [(e.element, e.to) for e in whole.events if e.element.startswith(prefix)]
        assert [(f"{prefix}{e.element}", e.to) for e in alone.events] == events
