"""Fixed steps converge to the adaptive solution, through stick and slip: the step halved, the error halved at least."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.realtime import observed_order

import stribeck as sb
from stribeck.laws import Law

BRISTLES = {"sigma0": 1e3, "sigma1": 30.0, "sigma2": 0.4, "mu_c": 1.0, "mu_s": 1.5}
FALLING = {"mu_c": 1.0, "mu_s": 1.5, "v_s": 0.01, "mu_v": 0.4}

LAWS: dict[str, Law] = {
    "Coulomb": sb.Coulomb(mu_c=1.0),
    "Switch": sb.Switch(mu_c=1.0, mu_s=1.5, mu_v=0.4),
    "Stribeck": sb.Stribeck(**FALLING),
    "Karnopp": sb.Karnopp(**FALLING, dv=1e-3),
    "Hybrid": sb.Hybrid(**FALLING, Sigma=2e-3, Sigma_2=4e-5, p0=1e3),
    "HybridPresliding": sb.HybridPresliding(**FALLING),
    "Tanh": sb.Tanh(mu_c=1.0, v_0=0.01),
    "CoulombViscous": sb.CoulombViscous(mu_c=1.0, v_0=0.01),
    "Dahl": sb.Dahl(sigma0=1e3, mu_c=1.0),
    "LuGre": sb.LuGre(**BRISTLES, v_s=0.05),
    "stiff LuGre": sb.LuGre(**BRISTLES | {"sigma0": 1e5, "sigma1": 316.0}, v_s=0.01),
    "SimplifiedLuGre": sb.SimplifiedLuGre(**BRISTLES, dv=0.01),
    "ElastoPlastic": sb.ElastoPlastic(**BRISTLES, v_s=0.05, z_ba=6e-4),
    "ModifiedElastoPlastic": sb.ModifiedElastoPlastic(**BRISTLES, v_s=0.05, kappa=0.6),
}

SECOND = {"Coulomb", "Tanh", "Dahl", "LuGre", "SimplifiedLuGre", "ElastoPlastic", "Stribeck", "HybridPresliding"}
"""Laws that are met in the middle of the step here: of second order, with friction that does not jump."""

GRID = 4e-3
"""Time (s) from one look to the next: a multiple of all steps."""


def rig(law: Law, speed: float) -> sb.Program:
    """A mass that a spring drags along: it sticks, breaks away and sticks again."""
    m = sb.Model("rig")
    pull, mass = m.add("pull", sb.Speed(v=speed)), m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(pull, mass, c=2.0))
    m.add("guide", sb.Guide(mass, law=law))
    return sb.compile_model(m)


def errors(program: sb.Program, names: list[str], t_end: float, parts: list[int]) -> np.ndarray:
    """Mean errors in shares of the ranges, for steps of GRID over each of the parts."""
    looks = round(t_end / GRID)
    exact = sb.simulate(program, t_end, intervals=looks, tolerance=1e-12)
    found = [sb.realtime(program, GRID / n, energy=False).run(n=n * looks, outputs=names, every=n) for n in parts]
    return np.array(
        [
            np.mean([np.mean(np.abs(run[name] - exact[name])) / np.ptp(np.asarray(exact[name])) for name in names])
            for run in found
        ]
    )


@pytest.mark.parametrize("name", LAWS)
def test_stick_and_slip(name: str) -> None:
    """Mean of five rigs: what a step sees late is up to chance, by where in a step it happens. From 1 ms on: at 2 ms
    errors of presliding cancel."""
    parts = [4, 8, 16, 32]
    speeds = (0.1, 0.103, 0.107, 0.109, 0.113)
    mean = sum(errors(rig(LAWS[name], speed), ["mass.v", "mass.s"], 15.0, parts) for speed in speeds) / len(speeds)
    order = observed_order(mean, [GRID / n for n in parts])
    assert order > (1.8 if name in SECOND else 0.95), f"order {order:.2f}, errors {mean}"


def test_switching_within_one_step() -> None:
    """Each change of mode is seen at the end of the step in which it happens, or of the next one."""
    h = 1e-3
    for name in ("stick-slip-switch", "coupled-clutches", "gearbox"):
        program = sb.compile_model(sb.load_model(name))
        t_end = min(program.simulation.t_end, 15.0)
        exact = [e for e in sb.simulate(program, t_end, tolerance=1e-10).events if e.time > 0.0]
        seen = list(sb.realtime(program, h).run(t_end=t_end).events)
        for event in exact:
            late = [s.time - event.time for s in seen if (s.element, s.to) == (event.element, event.to)]
            assert min(late, key=abs) == pytest.approx(0.5 * h, abs=1.5 * h), event


def test_coupled_clutches_against_the_closed_form(shared: Path) -> None:
    """At 1 ms within 5e-3 rad/s of the solution in closed form; a tool that couples models every 10 ms is 0.58 off."""
    rows = np.genfromtxt(shared / "reference" / "coupled_clutches_exact" / "exact.csv", delimiter=",", names=True)
    with (shared / "reference" / "coupled_clutches_exact" / "exact.csv").open() as file:
        names = next(file).strip().split(",")[1:]
    result = sb.load_model("coupled-clutches").realtime("1 ms").run(t_end=1.5, outputs=names)
    values = rows.view(float).reshape(len(rows), -1)
    assert np.allclose(values[: len(result.time), 0], result.time, atol=1e-12)
    apart = max(np.abs(np.asarray(result[n]) - values[: len(result.time), i + 1]).max() for i, n in enumerate(names))
    assert apart < 1e-3
