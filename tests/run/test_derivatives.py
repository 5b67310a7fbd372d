"""The assembled Jacobian and the time derivative against differences, for every element, signal, law and mode.

Differences are central and of order 4: with steps of a thousandth of the nominal size of a state their truncation is
about 1e-12 times the fifth scaled derivative of a Stribeck curve (below 100), their rounding 1e3 * 1e-16, both relative
to the size of the terms that a rate is added up from. 1e-9 of that size leaves a factor 10.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb
from stribeck.elements import all_elements
from stribeck.kernel import Machine
from stribeck.laws import all_laws
from stribeck.laws.law import Mode
from stribeck.signals import External, Signal, all_signals

ACCURACY = 1e-9
PART = 1e-3  # step of the differences, of the nominal size
FEW = {"clutch-judder", "gearbox", "powertrain-4"}
"""Contacts slip against 100 rad/s, or are too weak to stick at the points tried here."""
TIME_STEP = 1e-4  # signals swing at about 1 Hz, and slips then move by a part of the Stribeck speed


def difference(f: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """f'(0) by the central difference of order 4."""
    return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step)


def speeds(program: sb.Program) -> np.ndarray:
    """Which states are speeds."""
    return np.array([name.partition(".")[2] in ("w", "v") for name in program.state_names])


def discrete(model: sb.Model) -> dict[str, tuple[int, ...]]:
    """The discrete states of the laws, with their values."""
    laws = {name: element.law for name, element in model.elements.items() if getattr(element, "law", None)}
    states = {f"{name}.{state}": kind for name, law in laws.items() for state, kind in law.states.items()}
    return {name: kind.values for name, kind in states.items() if isinstance(kind, Mode)}


def points(model: sb.Model, program: sb.Program, rng: np.random.Generator) -> list[tuple[float, np.ndarray]]:
    """Times and states: at rest just after the start; forwards, backwards, and mixtures, the other states anywhere."""
    n, moving = len(program.y0), speeds(program)
    found = [(0.01, np.where(moving, 0.0, program.y0))]
    for signs in [np.ones(n), -np.ones(n), *rng.choice([-1, 0, 1], (6, n))]:
        sizes = program.nominal * rng.uniform(0.1, 10.0, n)
        y = np.where(moving, signs * sizes, rng.normal(scale=0.1, size=n) * sizes)
        for name, values in discrete(model).items():
            place = program.state_names.index(name)
            y[place] = rng.choice(values) if values else program.y0[place]
        found.append((rng.uniform(0.05, 1.5), y))
    return found


def check(machine: Machine, nominal: np.ndarray, t: float, y: np.ndarray, columns: np.ndarray) -> None:
    """Both derivatives at one point, in the modes that the machine is in."""
    jacobian, by_time = machine.jacobian(t, y), machine.time_derivative(t, y)
    terms = np.abs(jacobian) @ (np.abs(y) + nominal) + np.abs(machine.rhs(t, y)) + np.abs(by_time)
    terms = np.maximum(terms, 1e-4 * terms.max())  # held bodies have none: rounding of the others is left
    for j in np.flatnonzero(columns):
        size = nominal[j]
        unit = size * np.eye(len(y))[j]
        column = difference(lambda step, unit=unit: machine.rhs(t, y + step * unit), PART)
        assert np.all(np.abs(size * jacobian[:, j] - column) <= ACCURACY * terms), f"column {j}"
    change = difference(lambda step: machine.rhs(t + step, y), TIME_STEP)
    assert np.all(np.abs(by_time - change) <= ACCURACY * terms), "time"


@pytest.mark.parametrize("name", MACHINES)
def test_derivatives_against_differences(name: str) -> None:
    model = MACHINES[name]()
    program = sb.compile_model(model)
    machine = program.machine()
    steady = np.array([name not in discrete(model) for name in program.state_names])
    seen: set[int] = set()
    for t, y in points(model, program, np.random.default_rng(0)):
        machine.start(t, y)
        seen.update(machine.modes())
        # friction has a kink at speed 0, unless it holds
        kinked = speeds(program) & (y == 0) & (not machine.modes() or any(machine.modes()))
        check(machine, program.nominal, t, y, steady & ~kinked)
    if program.locks and name not in FEW:
        assert seen >= {-1, 0, 1}


def test_the_machines_hold_everything() -> None:
    models = [build() for build in MACHINES.values()]
    elements = [element for model in models for element in model.elements.values()]
    assert {type(element) for element in elements} == set(all_elements().values())
    values = [value for element in elements for value in element.given.values()]
    assert set(all_laws().values()) <= {type(value) for value in values}
    outer = [*values, *(u for model in models for u in model.signals.values())]
    signals = [part for value in outer if isinstance(value, Signal) for part in value.walk()]
    constant = {External}  # an input from outside is a constant to the equations
    assert set(all_signals().values()) - constant == {type(signal) for signal in signals} - constant
