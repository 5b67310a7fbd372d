"""Bristles break away at a fixed step when they do in the adaptive run: not more than one step late, and without
chatter.

A torque rises until a bearing gives way, alone or with two more bodies behind clutches that hold. With the Stribeck
curve of the start of a step bristles break away up to eight steps late here: slip that grows e-fold within a part of a
step grew by that part. How early they may be has a bound too: where slip would grow by more than e^2 in a step it
jumps, which is up to two steps before the adaptive run shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from support.realtime import chatter

import stribeck as sb
from stribeck.laws import BristleLaw, all_laws

STEPS = (1e-3, 5e-4, 2.5e-4)
LATEST, EARLIEST = 1.0, -2.0
"""Steps."""

CHATTER = 1e-3
"""Share of the range below which a swing of period 2 is none."""

SHOWN = ("body.w", "bearing.tau")

RATIOS, SPEEDS, STIFFNESSES = (1.1, 1.5, 3.0), (1e-4, 1e-3, 1e-2, 1e-1), (1e3, 3e4, 1e6)
RAMPS = ((0.1, 3.0), (1.0, 50.0))
"""Inertia (kg.m2) and rate of the torque (N.m/s)."""


def falling() -> list[type[BristleLaw]]:
    """Bristles whose friction falls from a static level, by their registry."""
    bristles = [law for law in all_laws().values() if issubclass(law, BristleLaw)]
    return [law for law in bristles if "mu_s" in law.params or "mu" in law.params]


def values(law: type[BristleLaw], ratio: float, v_s: float, sigma0: float, inertia: float) -> dict[str, object]:
    """Parameters of the law with Coulomb friction 1, the ratio of static friction to it, and half of critical
    damping."""
    found = {
        "sigma0": sigma0,
        "sigma1": float(np.sqrt(sigma0 * inertia)),
        "mu_c": 1.0,
        "mu_s": ratio,
        "v_s": v_s,
        "dv": v_s,
        "v_d": 10 * v_s,
        "Sigma": 2 * v_s,
        "z_ba": 0.9 / sigma0,
        "z_max": ratio / sigma0,
        "speed": [0.0, v_s, 2 * v_s, 1.0],
        "mu": [ratio, 1 + 0.4 * (ratio - 1), 1.0, 1.0],
    }
    known = {alias: name for name, param in law.params.items() for alias in (name, *param.aliases)}
    return {known[name]: value for name, value in found.items() if name in known}


def machine(law: type[BristleLaw], coupled: bool) -> sb.Program:
    m = sb.Model("ramp")
    m.add("body", sb.Inertia(J=1.0))
    m.add("push", sb.Torque("body", tau=sb.Ramp(height=1000, duration=1000)))
    if coupled:
        m.add("behind", sb.Inertia(J=3.0))
        m.add("last", sb.Inertia(J=0.3))
        holds = sb.LuGre(mu_c=1e3, mu_s=1e3)
        m.add("clutch", sb.Clutch("body", "behind", law=holds, fn_max=1, f_normalized=1))
        m.add("clutch_2", sb.Clutch("behind", "last", law=holds, fn_max=1, f_normalized=1))
    single = {"n": 1} if "n" in law.params else {}  # several elements break away one after the other: a staircase
    m.add("bearing", sb.Bearing("body", law=law(**single, **values(law, 1.5, 1e-2, 1e3, 1.0))))
    return sb.compile_model(m)


def passed(result: sb.Result, speed: float) -> float:
    """When the body passes the speed."""
    w, time = np.asarray(result["body.w"]), np.asarray(result.time)
    i = int(np.argmax(w > speed))
    assert w[i] > speed
    return float(np.interp(speed, w[i - 1 : i + 1], time[i - 1 : i + 1]))


Case = tuple[float, float, float, tuple[float, float]]


def slides(case: Case) -> float:
    """A speed beyond the Stribeck speed, and beyond that of bristles under load."""
    _, v_s, sigma0, (_, rate) = case
    return 3 * max(v_s, 3 * rate / sigma0)


def ends(case: Case, coupled: bool) -> float:
    """When it is reached."""
    ratio, _, _, (inertia, rate) = case
    total = inertia * (4.3 if coupled else 1.0)
    return round(ratio / rate + 0.05 + slides(case) * total / (ratio - 1), 2) + 0.1


def ramps(law: type[BristleLaw]) -> Iterator[tuple[str, list[float], float]]:
    """For every machine: its name, how late it breaks away by steps, and the largest chatter."""
    cases: list[Case] = list(product(RATIOS, SPEEDS, STIFFNESSES, RAMPS))
    for coupled in (False, True):
        program = machine(law, coupled)
        rows = [_point(law, case, coupled) for case in cases]
        points = {path: [row[path] for row in rows] for path in rows[0]}
        levels = sorted({slides(case) for case in cases})
        measures = [f"body.w:crossing({level!r}, rising)" for level in levels]
        t_end = max(ends(case, coupled) for case in cases)
        exact = sb.batch(program, points, measures=measures, t_end=t_end, tolerance=1e-8)
        for i, case in enumerate(cases):
            one, speed, name = program.with_values(rows[i]), slides(case), f"{case=} {coupled=}"
            t_end = ends(case, coupled)
            runs = [sb.realtime(one, h, energy=False).run(t_end=t_end, outputs=SHOWN) for h in STEPS]
            passes = exact[f"body.w:crossing({speed!r}, rising)"][i]
            late = [(passed(run, speed) - passes) / h for run, h in zip(runs, STEPS, strict=True)]
            yield name, late, max(chatter(np.asarray(run[shown])) for run in runs for shown in SHOWN)


def _point(law: type[BristleLaw], case: Case, coupled: bool) -> dict[str, object]:
    ratio, v_s, sigma0, (inertia, rate) = case
    found = {f"bearing.law.{name}": value for name, value in values(law, ratio, v_s, sigma0, inertia).items()}
    found |= {"body.J": inertia, "push.tau.height": 1000 * rate}
    return found | ({"behind.J": 3 * inertia, "last.J": 0.3 * inertia} if coupled else {})


@pytest.mark.parametrize("law", falling(), ids=lambda law: law.name)
def test_lets_go_in_time(law: type[BristleLaw]) -> None:
    for name, late, swing in ramps(law):
        assert max(late) <= LATEST, (name, late)
        assert min(late) >= EARLIEST, (name, late)
        assert swing < CHATTER, name
