"""The experiments: clutch models at a prescribed slip, and in powertrains with 2, 3 and 4 degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import stribeck as sb

from ..choice import choose
from ..settings import adjusted

SLIDES, HOLDS = 250.0, 300.0
"""Friction torque of the closed clutch, dynamic and static (N.m)."""
FORCE, RADIUS = 4000.0, 0.25
"""Largest normal force (N), and what makes a torque of it (m)."""
STEP = 1e-3
"""The fixed step of the paper (s)."""
SOLVERS = ("ode1", "ode2", "ode3", "ode4", "ode5")


def clutches(*, w_0: float = 6.5, dw: float = 1.0, w_s: float = 5.0) -> dict[str, sb.laws.Law]:
    """The clutch models of the paper: a transition of `w_0`, a window of `dw`, a Stribeck speed `w_s` (rad/s).

    Static friction is larger than dynamic friction in those with stick-slip. The default parameters are stable with a
    step of 1 ms.

    >>> clutches(w_0=1.0)["tanh"]
    Tanh(mu_c=0.25, v_0=1.0)
    """
    mu_c, mu_s = SLIDES / (FORCE * RADIUS), HOLDS / (FORCE * RADIUS)
    sharp = 1e-6 * w_s  # static friction at rest alone
    return {
        "Coulomb": sb.Coulomb(mu_c=mu_c),
        "Coulomb-viscous": sb.CoulombViscous(mu_c=mu_c, w_0=w_0),
        "tanh": sb.Tanh(mu_c=mu_c, w_0=w_0),
        "classic, no stick-slip": sb.Switch(mu_c=mu_c, mu_s=mu_c),
        "classic": sb.Switch(mu_c=mu_c, mu_s=mu_s),
        "classic, Stribeck": sb.Stribeck(mu_c=mu_c, mu_s=mu_s, w_s=w_s),
        "Karnopp, no stick-slip": sb.Karnopp(mu_c=mu_c, mu_s=mu_c, w_s=sharp, dw=dw),
        "Karnopp": sb.Karnopp(mu_c=mu_c, mu_s=mu_s, w_s=sharp, dw=dw),
        "Karnopp, Stribeck": sb.Karnopp(mu_c=mu_c, mu_s=mu_s, w_s=w_s, dw=dw),
    }


def powertrain(
    clutch: str | sb.laws.Law = "classic", *, dof: int = 3, command: str = "launch", b1: float = 0.0, b2: float = 0.0
) -> sb.Model:
    """The shipped powertrain with 2, 3 or 4 degrees of freedom: Figure 6.

    `clutch` is one of `clutches()` or any law, `command` is "launch" or "lockup", `b1` and `b2` (N.m.s/rad) are the
    viscous friction of engine and gearbox, which the paper leaves out.

    >>> powertrain("tanh", dof=4).check_realtime("1 ms")
    """
    model = sb.load_model(f"powertrain-{dof}")
    for path, value in {
        "clutch.law": law_of(clutch),
        "clutch.f_normalized": command,
        "b1.d": b1,
        "b2.d": b2,
    }.items():
        sb.set_parameter(model, path, value)
    return adjusted(model)


def launch(clutch: str | sb.laws.Law = "classic", **options: Any) -> sb.Result:
    """A start of the car with a variable step: `options` are those of `powertrain` and of `simulate`.

    >>> launch("Karnopp", dof=2).plot("engine.w", "car.w", "clutch.tau", path="launch.png")
    """
    machine = {name: options.pop(name) for name in ("dof", "command", "b1", "b2") if name in options}
    return sb.simulate(powertrain(clutch, **machine), **options)


def launch_at_fixed_step(
    clutch: str | sb.laws.Law = "classic", method: str = "ode4", *, h: float = STEP, t_end: float = 4.0, **options: Any
) -> sb.Result:
    """The same with steps of `h` (s): Figures 8 to 10. With literal_sign=True a clutch never sticks, as in (4).

    A run that diverges is returned as far as it is finite.

    >>> launch_at_fixed_step("tanh", "ode1").plot("engine.w", "gearbox.w", path="ode1.png")
    """
    machine = {name: options.pop(name) for name in ("dof", "command", "b1", "b2") if name in options}
    plant: sb.Stepper = sb.realtime(powertrain(clutch, **machine), h, method=method, **options)
    try:
        return plant.run(t_end=t_end)
    except sb.SimulationError as error:
        if not isinstance(error.result, sb.Result):
            raise
        return error.result


def six_powertrains(clutch: str | sb.laws.Law = "classic") -> sb.Model:
    """Six powertrains side by side in one model, each with a clutch that closes within another time: for Table 2.

    >>> six_powertrains("Karnopp").realtime("1 ms").measure(n=4000, pace=False)
    """
    plain = powertrain(clutch).to_dict()
    known = [*plain["elements"], *plain["signals"]]
    parts: dict[str, Any] = {"elements": {}, "signals": {}}
    for number in range(1, 7):
        for kind, entries in parts.items():
            for name, entry in plain[kind].items():
                entries[f"{name}{number}"] = {
                    key: f"{value}{number}" if isinstance(value, str) and value in known else value
                    for key, value in entry.items()
                }
        parts["signals"][f"launch{number}"]["duration"] = 0.5 + 0.25 * number
    return sb.Model.from_dict({**plain, **parts, "name": "six powertrains"})


def three_powertrains() -> sb.Model:
    """The powertrains with 2, 3 and 4 degrees of freedom in one model, to be drawn: Figure 6.

    >>> three_powertrains().draw(path="powertrains.png")
    """
    elements: dict[str, Any] = {}
    for dof in (2, 3, 4):
        plain = powertrain("classic", dof=dof).to_dict()
        shown = {name: entry for name, entry in plain["elements"].items() if name not in ("b1", "b2")}
        shown["clutch"]["f_normalized"] = 1.0
        for name, entry in shown.items():
            elements[f"{name}{dof}"] = {
                key: f"{value}{dof}" if isinstance(value, str) and value in shown else value
                for key, value in entry.items()
            }
    return sb.Model.from_dict({**plain, "elements": elements, "signals": {}, "name": "2, 3 and 4 degrees of freedom"})


def torque_curve(clutch: str | sb.laws.Law, slips: Iterable[float]) -> np.ndarray:
    """Torque (N.m) of the closed clutch at each of the constant slips (rad/s): Figures 1, 3 and 5.

    >>> torque_curve("tanh", [-3.25, 3.25, 100])
    array([-190.3985,  190.3985,  250.    ])
    """
    model = sb.Model("constant slip")
    model.add("drive", sb.Speed(w=1.0))
    model.add("clutch", sb.Brake("drive", law=law_of(clutch), fn_max=FORCE, cgeo=RADIUS))
    return sb.batch(model, {"drive.w": list(slips)}, t_end=1.0, measures=["clutch.tau:last"])["clutch.tau:last"]


def law_of(clutch: str | sb.laws.Law) -> sb.laws.Law:
    """A clutch model by its name.

    >>> law_of("Karnopp")
    """
    if isinstance(clutch, sb.laws.Law):
        return clutch
    return choose("bataus2011: there is no clutch model", clutch, clutches())
