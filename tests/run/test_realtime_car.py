"""The car at a step of 1 ms with LuGre clutches of any stiffness and damping: stable, and right.

aberger2002 found no fixed step that was small enough for it. Explicit bristles need one below 2 mu/(sigma0 w), which is
1e-8 s for the sun of the overdrive at 226 rad/s. Rigid clutches are in test_realtime_models.py.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.realtime import Pair, chatter

import stribeck as sb
from stribeck import set_parameter

H = 1e-3
SPEED, TORQUE = 0.005, 0.02
"""Errors that are allowed, of the range."""
SELDOM = 0.005
"""Share of instants at which a torque may be further off: bristles ring, and break away with peaks, within a step."""


def bristle_car(sigma0: float, sigma1: float) -> sb.Model:
    """Friction of Table 7 of aberger2002."""
    law = sb.LuGre(sigma0=sigma0, sigma1=sigma1, mu_c=0.12, mu_s=0.144, w_s=0.5)
    return set_parameter(sb.load_model("car"), "*.law", law)


def check(pair: Pair) -> None:
    assert max(pair.apart(name) for name in pair.speeds) < SPEED
    assert max(pair.often(name, TORQUE) for name in pair.frictions) < SELDOM
    assert pair.stepper.statistics.capped == 0


FAR = [(1e3, 0.03), (1e4, 1.0), (1e4, 30.0), (3e5, 30.0), (1e5, 300.0), (1e6, 0.03)]
"""Above 0.01 s of damping over stiffness the adaptive run takes long."""


@pytest.mark.parametrize(
    ("sigma0", "sigma1"), [(1e3, 10.0), (1e6, 1e3), *(pytest.param(*far, marks=pytest.mark.slow) for far in FAR)]
)
def test_creeps_drives_and_shifts_as_the_adaptive_solution(sigma0: float, sigma1: float) -> None:
    check(Pair.of(bristle_car(sigma0, sigma1), H, 20.0))


@pytest.mark.slow
def test_the_printed_bristles_all_the_way() -> None:
    check(Pair.of(bristle_car(1e5, 0.03), H, 200.0, every=20))


GRID = [(float(a), float(b)) for a, b in product(np.geomspace(1e3, 1e6, 32), np.geomspace(0.03, 1e3, 32))]
"""Stiffness and damping of the bristles."""
SOME = [GRID[i] for i in np.random.default_rng(0).integers(0, len(GRID), 4)]


def quiet(bristles: tuple[float, float]) -> bool:
    """Whether it creeps, drives and shifts without a failure, a cap or a swing of period 2."""
    stepper = bristle_car(*bristles).realtime(h=H, energy=False)
    torques = [f"{name}.tau" for name in "ABCDEF"]
    result = stepper.run(t_end=20.0, outputs=["car.v", *torques])
    swings = max(chatter(np.asarray(result[name])) for name in torques)
    return stepper.statistics.capped == 0 and swings < 1e-9 and 5.5 < result["car.v"][-1] < 5.6


def test_quiet_over_part_of_the_grid() -> None:
    assert [bristles for bristles in SOME if not quiet(bristles)] == []


@pytest.mark.slow
def test_quiet_over_all_of_the_grid() -> None:
    assert [bristles for bristles in GRID if not quiet(bristles)] == []
