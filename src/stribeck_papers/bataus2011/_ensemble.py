"""Powertrains of medium class cars, since the paper prints no parameter: launches of each clutch model with all."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from ..draws import Values, draw_values
from .powertrain import FORCE, SLIDES, STEP, powertrain

RANGES = {
    "engine.J": (0.1, 0.35),
    "gearbox.J": (0.02, 0.1),
    "car.J": (0.4, 1.5),
    "shaft.c": (30.0, 150.0),
    "combustion.tau": (40.0, 120.0),
    "engine.w0": (80.0, 200.0),
    "clutch.fn_max": (2400.0, 6400.0),
    "launch.duration": (0.5, 2.0),
}
"""Inertias (kg.m2) and stiffness (N.m/rad) as seen from the gearbox: 1000 to 1800 kg behind ratios of 10 to 16, shafts
of 5 to 25 kN.m/rad at the wheels; torque (N.m), speed (rad/s), normal force (N, 150 to 400 N.m), time to close (s)."""
TUNED = ("classic", "Karnopp", "tanh")
TIME: dict[str, Any] = {"t_end": 4.0, "intervals": 4000}


def machines(quick: bool) -> Values:
    """Parameters of the powertrains, with a transition and a window that a step of 1 ms needs.

    >>> machines(quick=True)["engine.J"].shape
    (24,)
    """
    values = draw_values(RANGES, 24 if quick else 200)
    one, two = values["engine.J"], values["gearbox.J"]
    rate = SLIDES / FORCE * values["clutch.fn_max"] * (one + two) / (one * two)  # of the slip, in the closed clutch
    transition = {"clutch.law.w_0": 1.04 * rate * STEP}
    return values | transition | {"clutch.law.dw": 1.3 * 0.5 * STEP * (rate + values["combustion.tau"] / one)}


def _of(clutch: str, values: Values) -> Values:
    own = {"tanh": "clutch.law.w_0", "Coulomb-viscous": "clutch.law.w_0", "Karnopp": "clutch.law.dw"}.get(clutch)
    return {path: value for path, value in values.items() if "law" not in path or path == own}


class Launches(NamedTuple):
    """Speeds of the gearbox (rad/s) and twists of the shaft (rad): powertrains x times."""

    speed: np.ndarray
    twist: np.ndarray


@cache
def launches(clutch: str, quick: bool) -> Launches:
    """All of them with a variable step.

    >>> launches("tanh", quick=True).speed.shape
    (24, 4001)
    """
    shown = ["gearbox.w", "shaft.phi_rel"]
    found = sb.batch(powertrain(clutch), _of(clutch, machines(quick)), outputs=shown, **TIME)
    return Launches(*(np.asarray(found[name]) for name in shown))


@cache
def launches_at_fixed_step(clutch: str, quick: bool) -> np.ndarray:
    """Speeds of the gearbox (rad/s) by ode4 at 1 ms.

    >>> launches_at_fixed_step("tanh", quick=True).shape
    (24, 4001)
    """
    values = _of(clutch, machines(quick))
    program = sb.compile_model(powertrain(clutch))
    return np.array([_fixed(program, {p: float(v[i]) for p, v in values.items()}) for i in range(len(values["car.J"]))])


def _fixed(program: sb.Program, values: dict[str, float]) -> np.ndarray:
    plant: sb.Stepper = sb.realtime(program.varied(values), STEP, method="ode4", energy=False)
    return np.asarray(plant.run(t_end=4.0, outputs=["gearbox.w"])["gearbox.w"])


def off(speeds: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Largest difference of each powertrain, as a share of the range of the others.

    >>> off(np.array([[0.0, 1.1]]), np.array([[0.0, 1.0]]))
    array([0.1])
    """
    largest: np.ndarray = np.abs(speeds - others).max(axis=1) / np.ptp(others, axis=1)
    return largest


def drawn(quick: bool) -> str:
    """What shares refer to.

    >>> drawn(quick=False)
    '200 powertrains of medium class cars'
    """
    return f"{24 if quick else 200} powertrains of medium class cars"


@cache
def four_against_three(quick: bool) -> np.ndarray:
    """By how much the engine of the powertrain with 3 degrees of freedom is off that of one with 4, whose disc has a
    fifth of the inertia of the gearbox and springs as the shipped one, as a share of the range."""
    values = _of("classic", machines(quick))
    whole = values.pop("gearbox.J")
    options: dict[str, Any] = {"outputs": ["engine.w"], **TIME}
    three = sb.batch(powertrain("classic"), {**values, "gearbox.J": whole}, **options)
    split = {"gearbox.J": 0.8 * whole, "disc.J": 0.2 * whole}
    four = sb.batch(powertrain("classic", dof=4), {**values, **split}, **options)
    return off(np.asarray(three["engine.w"]), np.asarray(four["engine.w"]))
