"""Names for examples of all rooms: a machine with bodies, its result, its program."""

from collections.abc import Callable
from typing import Any

from support.examples import once

import stribeck as sb
from stribeck.compile.graph import OperationGraph


def m() -> sb.Model:
    """A machine to which examples add."""
    return sb.Model("rig")


def model() -> sb.Model:
    return sb.load_model("stick-slip")


@once
def result() -> sb.Result:
    return sb.simulate(sb.load_model("stick-slip"))


@once
def program() -> sb.Program:
    return sb.compile_model(sb.load_model("stick-slip"))


def graph() -> OperationGraph:
    """Empty, with one speed that can be sensed."""
    return OperationGraph(lambda quantity: ({0: 1.0}, {}, 0.0), first_state=4)


def spring(m: sb.Model) -> sb.Element:
    return m.add("spring", sb.Spring("motor", "mass", c=2))


def u() -> sb.Signal:
    return sb.Ramp(1, 0.5)


def body(name: str, kind: Callable[..., Any], **values: Any) -> Callable[[sb.Model], sb.Element]:
    """Adds one of that name to `m`."""

    def add(m: sb.Model) -> sb.Element:
        return m.add(name, kind(**values))

    return add


INERTIAS = (
    "mass motor hub disc engine pinion wheel shaft turbine gearbox crank load ring axle pendulum wheel_left wheel_right"
)
MASSES = "slider tractor trailer frame rack lever stamp ball"
PLATES = "plate lining housing"
BODIES = {
    **{name: body(name, sb.Inertia, J=1) for name in INERTIAS.split()},
    **{name: body(name, sb.Mass, m=1) for name in MASSES.split()},
    **{name: body(name, sb.ThermalMass, C=650) for name in PLATES.split()},
    "car": body("car", sb.Vehicle, m=1500),
    "wall": body("wall", sb.Fixed),
}


@once
def Makkar() -> type[sb.laws.Law]:
    """A law of a user."""
    mu, v_r = {"default": 1.0, "unit": "{load}"}, {"default": 0.01, "unit": "{vel}", "above": 0}
    return sb.laws.from_text("Makkar", family="smooth", parameters={"mu": mu, "v_r": v_r}, friction="mu*tanh(v/v_r)")
