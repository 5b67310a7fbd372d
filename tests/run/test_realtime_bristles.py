"""Coupled clutches at a step of 1 ms: every law, and bristles from soft to stiff, hardly to heavily damped.

aberger2002 found no fixed step that was small enough for LuGre clutches in its gearbox and in its car. Explicit
bristles need one below 2 mu/(sigma0 w): 1e-6 s in the gearbox, where a brake closes at 9 rad/s, and 1e-8 s in the car,
at 226 rad/s.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.realtime import Pair, chatter

import stribeck as sb
from stribeck.laws import all_laws
from stribeck.spec import set_parameter

H = 1e-3
SPEED, TORQUE = 0.005, 0.02
"""Errors that are allowed, of the range."""
SELDOM = 0.005
"""Share of instants at which a torque may be further off: bristles ring, and break away with peaks, within a step."""
NO_SWING = 1e-9

STIFF, DAMPED = np.geomspace(1e3, 1e6, 32), np.geomspace(0.03, 1e3, 32)
GRID = [(float(a), float(b)) for a, b in product(STIFF, DAMPED)]
SOME = [GRID[i] for i in np.random.default_rng(0).permutation(len(GRID))]
"""Stiffness and damping of the bristles, in a mixed order."""


def gearbox(law: sb.Law) -> sb.Model:
    return set_parameter(sb.load_model("gearbox"), "*.law", law)


def bristle_gearbox(sigma0: float, sigma1: float) -> sb.Model:
    """Friction of Table 6 of aberger2002."""
    return gearbox(sb.LuGre(sigma0=sigma0, sigma1=sigma1, mu_c=0.5, mu_s=0.5))


def bristle_car(sigma0: float, sigma1: float) -> sb.Model:
    """Friction of Table 7 of aberger2002."""
    law = sb.LuGre(sigma0=sigma0, sigma1=sigma1, mu_c=0.12, mu_s=0.144, w_s=0.5)
    return set_parameter(sb.load_model("car"), "*.law", law)


def check(pair: Pair) -> None:
    assert max(pair.apart(name) for name in pair.speeds) < SPEED
    assert max(pair.often(name, TORQUE) for name in pair.frictions) < SELDOM
    assert pair.stepper.statistics.capped == 0


def quiet(model: sb.Model, t_end: float, speed: str, low: float, high: float) -> bool:
    """Whether all torques come without a failure, a cap or a swing of period 2, and a speed ends where it should."""
    stepper = model.realtime(h=H, energy=False)
    torques = [f"{name}.tau" for name, element in model.elements.items() if getattr(element, "law", None)]
    result = stepper.run(t_end=t_end, outputs=[speed, *torques])
    swings = max(chatter(np.asarray(result[name])) for name in torques)
    return stepper.statistics.capped == 0 and swings < NO_SWING and low < result[speed][-1] < high


# --- gearbox ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", all_laws())
def test_gearbox_with_every_law(name: str) -> None:
    """At its defaults, which hold twice what the shipped clutches do."""
    model = gearbox(all_laws()[name]())
    check(Pair.of(model, H, 4.0, every=4))
    assert quiet(model, 4.0, "load.w", 9.4, 9.8)


def quiet_gearbox(bristles: tuple[float, float]) -> bool:
    """The speed at the end is 9.5668 rad/s with rigid clutches, 9.5667 with sigma0 = 1e4, sigma1 = 300."""
    return quiet(bristle_gearbox(*bristles), 4.0, "load.w", 9.55, 9.57)


def test_gearbox_over_part_of_the_grid() -> None:
    assert [bristles for bristles in SOME[:64] if not quiet_gearbox(bristles)] == []


@pytest.mark.slow
def test_gearbox_over_all_of_the_grid() -> None:
    assert [bristles for bristles in GRID if not quiet_gearbox(bristles)] == []


@pytest.mark.parametrize(("sigma0", "sigma1"), SOME[:6])
def test_gearbox_against_the_adaptive_solution(sigma0: float, sigma1: float) -> None:
    check(Pair.of(bristle_gearbox(sigma0, sigma1), H, 4.0, every=4))


@pytest.mark.slow
@pytest.mark.parametrize(("sigma0", "sigma1"), SOME[6:150])
def test_gearbox_against_the_adaptive_solution_more(sigma0: float, sigma1: float) -> None:
    check(Pair.of(bristle_gearbox(sigma0, sigma1), H, 4.0, every=4))


# --- car: creeping, driving and the first shift ----------------------------------------------------------------------

FAR = [(1e3, 0.03), (1e4, 1.0), (1e4, 30.0), (3e5, 30.0), (1e5, 300.0), (1e6, 0.03)]
"""Above 0.01 s of damping over stiffness the adaptive run takes long."""


@pytest.mark.parametrize(
    ("sigma0", "sigma1"), [(1e3, 10.0), (1e6, 1e3), *(pytest.param(*far, marks=pytest.mark.slow) for far in FAR)]
)
def test_car_with_bristles(sigma0: float, sigma1: float) -> None:
    check(Pair.of(bristle_car(sigma0, sigma1), H, 20.0))


@pytest.mark.slow
def test_car_with_the_printed_bristles_all_the_way() -> None:
    check(Pair.of(bristle_car(1e5, 0.03), H, 200.0, every=20))


def quiet_car(bristles: tuple[float, float]) -> bool:
    return quiet(bristle_car(*bristles), 20.0, "car.v", 5.5, 5.6)


def test_car_over_part_of_the_grid() -> None:
    assert [bristles for bristles in SOME[:4] if not quiet_car(bristles)] == []


@pytest.mark.slow
def test_car_over_all_of_the_grid() -> None:
    assert [bristles for bristles in GRID if not quiet_car(bristles)] == []
