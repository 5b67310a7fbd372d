"""Random drivelines: whatever is connected with whatever, runs end, energies add up, and what sticks sticks."""

from __future__ import annotations

from collections import Counter

import pytest
from support.builder import Plain
from support.campaign import smallest
from support.drivelines import MAX_BODIES, MAX_FRICTIONS, driveline
from support.kinds import FIRST, Kinds
from support.relabel import relabel
from support.shrink import shrink

import stribeck as sb
from stribeck import laws

CURED = (
    *(604, 1151, 1248, 1406, 2037, 2131, 2954, 3218, 4448, 4522),
    *(4699, 5319, 5606, 5997, 6018, 6542, 7229, 7742, 8661, 8968),
)
"""Drivelines that once failed, each for a different reason."""


def fault(seed: int, compare: bool = False, kinds: Kinds | None = None) -> str:
    """What is wrong with a driveline, and the smallest one in which the same is wrong."""
    return smallest("drivelines", seed, compare, kinds)


@pytest.mark.parametrize("first", range(0, 100, 10))
def test_a_part_of_the_campaign(first: int) -> None:
    """Runs end; energies add up; what is stuck rests, within its limits."""
    wrong = [text for seed in range(first, first + 10) if (text := fault(seed))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("first", range(100, 116, 4))
def test_names_and_order_mean_nothing(first: int) -> None:
    """Also: other names, another order and flanges that change places make no difference, nor does the tolerance."""
    wrong = [text for seed in range(first, first + 4) if (text := fault(seed, compare=True))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("seed", CURED)
def test_a_driveline_that_was_cured(seed: int) -> None:
    """Hybrid contacts side by side and beside others, ImprovedDahl on its speed limit, loads that go unnoticed,
    contacts that share a motion until all are on their limits."""
    assert not fault(seed, kinds=FIRST)


# --- the generator ----------------------------------------------------------------------------------------------------


def test_drivelines_are_what_they_are_said_to_be() -> None:
    """All laws and kinds of elements come up, in sizes up to the largest, from the same seed always the same."""
    seen: Counter[str] = Counter()
    bodies, frictions = [], []
    for seed in range(300):
        elements = driveline(seed)["elements"].values()
        kinds = [values["type"] for values in elements]
        seen.update(kinds)
        seen.update(values["law"]["type"] for values in elements if "law" in values)
        bodies.append(kinds.count("Inertia"))
        frictions.append(sum("law" in values for values in elements))
    assert {law.__name__ for law in laws.all_laws().values()} <= set(seen)
    assert {"Gear", "Planetary", "Differential", "RackPinion", "Speed", "Clutch", "Brake", "Guide"} <= set(seen)
    assert (min(bodies), max(bodies)) == (2, MAX_BODIES)
    assert (min(frictions), max(frictions)) == (1, MAX_FRICTIONS)
    assert driveline(7) == driveline(7)


def test_relabelling_keeps_the_machine() -> None:
    plain = driveline(3)
    other, names, _ = relabel(plain, seed=1)
    assert other != plain
    assert set(other["elements"]) == {names[name] for name in plain["elements"]}
    for name, values in plain["elements"].items():
        assert other["elements"][names[name]]["type"] == values["type"]


def test_a_fault_is_brought_down_to_its_core() -> None:
    """Whatever has a brake fails: the brake and the body below it are left."""

    def brakes(plain: Plain) -> bool:
        try:
            sb.Model.from_dict(plain).check()
        except sb.StribeckError:
            return False
        return any(values["type"] == "Brake" for values in plain["elements"].values())

    plain = next(plain for plain in map(driveline, range(50)) if brakes(plain))
    assert len(shrink(plain, brakes)["elements"]) == 2
