"""What a plant says about its own tasks."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.results import Statistics
from stribeck.run.plant_warnings import plant_warnings
from stribeck.run.task import Task


def rig() -> sb.Model:
    """A mass that a spring drags along: it sticks and slips."""
    m = sb.Model("rig", t_end=10.0)
    pull, mass = m.add("pull", sb.Speed(v=0.1)), m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(pull, mass, c=2.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(mu_c=1.0, mu_s=1.5)))
    return m


def test_nothing_to_say() -> None:
    plant = rig().realtime("1 ms")
    plant.step(1000)
    assert plant.warnings == ()
    assert plant.largest_error == 0.0


@pytest.mark.parametrize(
    ("counters", "words"),
    [
        ({"capped": 3}, "3 of 1000 steps: friction elements did not agree"),
        ({"impacts": 2, "unsolved": 1}, "1 of 2 impacts: no impulses were found"),
        ({"impacts": 51}, "51 impacts in 1000 steps"),
        ({"imprecise": 7}, "7 of 1000 tasks: their speeds change by more than 0.01 of the largest one"),
    ],
)
def test_each_has_its_sentence(counters: dict[str, int], words: str) -> None:
    task = Task.of("1 ms", error_bound=0.01)
    (text,) = plant_warnings(Statistics(steps=1000, tasks=1000, **counters), task, 0.03)
    assert text.startswith(words)
    assert ";" in text  # and a way out


def test_the_error_of_a_task_is_found_by_halving_its_step() -> None:
    """One task against two of half the size, by hand; break-away is what a step does not see coming."""
    model = sb.Model("falls")
    model.add("mass", sb.Mass(m=1.0, v0=1.0))
    model.add("guide", sb.Guide("mass", law=sb.CoulombViscous(mu_c=1.0, v_0=0.1, mu_v=300.0)))
    plant, coarse, fine = (model.realtime(h, error_bound=b) for h, b in ((1e-3, 1e-3), (1e-3, None), (5e-4, None)))
    plant.step()
    coarse.step()
    fine.step(2)
    assert plant.largest_error == pytest.approx(abs(coarse["mass.v"] - fine["mass.v"]) / fine["mass.v"], rel=1e-12)
    plant = sb.load_model("coupled-clutches").realtime("1 ms", error_bound=1e-6)
    plant.step(1500)
    assert 0 < plant.statistics.imprecise < 200
    assert "tasks: their speeds change" in plant.warnings[0]


def test_the_estimate_changes_nothing() -> None:
    """The machine itself goes on bit by bit as without it, also after a snapshot."""
    model = sb.load_model("coupled-clutches")
    one, other = model.realtime("1 ms"), model.realtime("1 ms", error_bound=1e-4)
    one.step(700)
    other.step(300)
    before = other.snapshot()
    other.step(100)
    other.restore(before)
    other.step(400)
    assert np.array_equal(one.state, other.state)
    assert other.largest_error > 0


def test_the_estimate_falls_with_the_step() -> None:
    """Where nothing switches: a shaft swings, and one step is off by the cube of its size, and more of them are not."""
    m = sb.Model("swing")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=1.0)), m.add("b", sb.Inertia(J=1.0))
    m.add("shaft", sb.Spring(a, b, c=200.0))
    errors = []
    for h in (1e-3, 5e-4, 2.5e-4):
        plant = m.realtime(h, error_bound=1.0)
        plant.run(t_end=1.0)
        errors.append(plant.largest_error)
    assert np.polyfit(np.log([4, 2, 1]), np.log(errors), 1)[0] == pytest.approx(3.0, abs=0.2)


def test_a_bound_must_be_positive() -> None:
    with pytest.raises(sb.SpecError, match="error_bound = 0"):
        rig().realtime("1 ms", error_bound=0.0)


def test_a_spring_that_a_step_cannot_show_is_named() -> None:
    """w h = 2 rad is 3.1 steps per period; a hundred times softer it is 31."""
    for c, names in ((2e6, ["spring 'stiff' swings with 3.1 steps per period"]), (2e4, [])):
        m = sb.Model("shafts")
        a, b = m.add("a", sb.Inertia(J=1.0, w0=1.0)), m.add("b", sb.Inertia(J=1.0))
        m.add("stiff", sb.Spring(a, b, c=c))
        plant = m.realtime("1 ms")
        assert [text.partition(", so")[0] for text in plant.warnings] == names
        assert plant.run(n=10).warnings == plant.warnings
    assert m.realtime("1 ms", method="ode4").warnings == ()
