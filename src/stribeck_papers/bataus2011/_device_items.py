"""Section 1: launch devices, and the friction models that it names."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import statement
from ..settings import adjusted
from ._ensemble import off
from ._paper import PAPER
from .powertrain import clutches, launch

IDLE = 80.0
"""Lowest speed of the engine (rad/s)."""
NAMED = {
    "tanh": clutches()["tanh"],
    "Karnopp": clutches()["Karnopp"],
    "reset integrator": sb.ResetIntegrator(mu_c=0.25, mu_s=0.3, sigma0=50.0),
    "Dahl": sb.Dahl(mu_c=0.25, sigma0=50.0),
    "LuGre": sb.LuGre(mu_c=0.25, mu_s=0.3, sigma0=50.0, sigma1=1.0, w_s=5.0),
}
"""The friction models that the introduction names, as laws of a clutch; but the bristle model, whose bristles snap one
by one, half a million times in a launch."""


def converter_launch() -> sb.Result:
    """The powertrain with a torque converter in place of the clutch.

    >>> converter_launch().plot("engine.w", "gearbox.w", path="converter.png")
    """
    model = sb.Model("converter", t_end=4.0, intervals=400)
    engine = model.add("engine", sb.Inertia(J=0.2, w0=100.0))
    gearbox, car = model.add("gearbox", sb.Inertia(J=0.05)), model.add("car", sb.Inertia(J=0.65))
    model.add("combustion", sb.Torque(engine, tau=60.0))
    curves = {"nu": [0.0, 0.5, 0.85, 1.0], "capacity": [3.2e-3, 3.0e-3, 2.2e-3, 0.0], "ratio": [2.0, 1.45, 1.0, 1.0]}
    model.add("converter", sb.TorqueConverter(engine, gearbox, **curves))
    model.add("shaft", sb.Spring(gearbox, car, c=60.0))
    return sb.simulate(adjusted(model))


@PAPER.item(
    "Section 1",
    "Launch devices, and friction models",
    shows="An engine has a lowest speed, so that a launch device has to bridge the difference to a shaft at rest: "
    "friction clutches and torque converters. Many models of friction are named.",
    basis="reconstruction",
)
def section_1(quick: bool) -> Finding:
    """A launch with each device, and with each of the friction models that are named."""
    plain = launch("classic", intervals=400)
    runs = {"friction clutch": plain, "torque converter": converter_launch()}
    slowest = {name: float(np.asarray(run["engine.w"]).min()) for name, run in runs.items()}
    last = {name: float(run["car.w"][-1]) for name, run in runs.items()}
    rows: list[list[str | int]] = []
    for name, law in NAMED.items():
        run = launch(law, intervals=400)
        part = float(off(np.array([run["gearbox.w"]]), np.array([plain["gearbox.w"]]))[0])
        rows.append([name, f"{100 * part:.2g}", run.statistics.steps])
    return Finding(
        text="The engine starts at 100 rad/s, the car at rest. With a friction clutch the engine does not fall below "
        f"{slowest['friction clutch']:.0f} rad/s, with a torque converter not below "
        f"{slowest['torque converter']:.0f} rad/s. The friction models that the introduction names launch the car, "
        "too: the table has their distance from the classic clutch and what a variable step takes.",
        claims=[
            statement(
                f"a {name} bridges the speeds of a running engine and a shaft at rest",
                slowest[name] > IDLE and last[name] > 100,
                f"engine at {slowest[name]:.0f} rad/s at least, car at {last[name]:.0f} rad/s after 4 s",
                otherwise="refuted",
                because=f"the engine falls below {IDLE:g} rad/s",
            )
            for name in runs
        ],
        tables=[titled_table("Friction models in the clutch", ["model", "off the classic clutch / %", "steps"], rows)],
    )
