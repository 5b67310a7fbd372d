"""No slip is lost or invented at the default tolerance: the rig from slow to fast pull, from soft to stiff spring.

A slip begins where the mass, at rest before, passes half of the pull speed. (Where the pull is fast the mass ends up
sliding steadily; its speed then swings about the pull speed with ever smaller amplitude, and passing that is no slip.)
"""

from __future__ import annotations

from itertools import product
from math import pi, sqrt

import numpy as np
import pytest

import stribeck as sb
from stribeck.spec import Simulation

PULLS = np.geomspace(0.01, 1.0, 7).tolist()  # rad/s
STIFFNESSES = np.geomspace(0.5, 50.0, 6).tolist()  # N.m/rad
DEFAULT = Simulation.params["tolerance"].default
MOVES = 1e-5  # s: how far slips may move when the tolerance is ten times tighter
TORQUE = 1.5  # N.m: break-away


def rig(name: str, pull: float, stiffness: float) -> tuple[sb.Program, float]:
    """The shipped rig with another pull and spring, and the time of about four cycles."""
    model = sb.load_model(name)
    sb.set_parameter(model, "pull.w", pull)
    sb.set_parameter(model, "spring.c", stiffness)
    cycle = TORQUE / (stiffness * pull) + 2 * pi / sqrt(stiffness)
    return sb.compile_model(model), 4 * cycle


def slips_of_bristles(program: sb.Program, t_end: float, pull: float, tolerance: float) -> np.ndarray:
    result = sb.simulate(program, t_end, intervals=4000, tolerance=tolerance, energy=False, extremes=False)
    return result.crossings("mass.w", pull / 2, direction=+1)


def slips_of_switch(program: sb.Program, t_end: float, pull: float, tolerance: float) -> np.ndarray:
    """Mode changes, each slip by its beginning and its end."""
    return sb.simulate(program, t_end, intervals=1, tolerance=tolerance, energy=False, extremes=False).events.time


@pytest.mark.parametrize("pull, stiffness", list(product(PULLS, STIFFNESSES)), ids="{:.3g}".format)
@pytest.mark.parametrize(
    "name, slips", [("stick-slip", slips_of_bristles), ("stick-slip-switch", slips_of_switch)], ids=["LuGre", "Switch"]
)
def test_slips_do_not_depend_on_the_tolerance(name: str, slips, pull: float, stiffness: float) -> None:
    program, t_end = rig(name, pull, stiffness)
    normal, tighter, tightest = (slips(program, t_end, pull, DEFAULT / factor) for factor in (1, 10, 100))
    assert len(normal) == len(tighter) == len(tightest) > 0
    assert np.abs(normal - tighter).max() < MOVES
    assert np.abs(normal - tightest).max() < MOVES


@pytest.mark.parametrize("pull, stiffness", [(0.01, 2.0), (0.1, 50.0), (1.0, 0.5), (1.0, 50.0)])
@pytest.mark.parametrize("tolerance", [DEFAULT, DEFAULT / 100], ids=["default", "tight"])
@pytest.mark.parametrize("name", ["stick-slip", "stick-slip-switch"])
def test_the_automatic_choice_is_never_a_bad_one(name: str, pull: float, stiffness: float, tolerance: float) -> None:
    """It may try the other method for a while, but not stay with the wrong one: at most twice the evaluations."""
    program, t_end = rig(name, pull, stiffness)
    cost = {
        solver: sb.simulate(program, t_end, intervals=1, tolerance=tolerance, solver=solver).statistics.rhs_evaluations
        for solver in ("auto", "rodas5p")
    }
    assert cost["auto"] <= 2 * cost["rodas5p"]
