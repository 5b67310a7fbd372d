"""Random drivelines at fixed steps: whatever is connected with whatever, runs end, stuck is stuck, speeds are right."""

from __future__ import annotations

import os

import numpy as np
import pytest
from support.builder import T_END, Plain
from support.drivelines import driveline
from support.machine_checks import SWITCH

import stribeck as sb

CAMPAIGN = int(os.environ.get("STRIBECK_DRIVELINES", "2000"))
"""Drivelines of the whole campaign."""


def speeds_of(result: sb.Result) -> np.ndarray:
    """Speeds of all bodies, a row for each."""
    return np.array([np.asarray(result[name]) for name in result.names if name.endswith((".w", ".v"))])


def creep(plain: Plain, result: sb.Result) -> float:
    """Largest slip of contacts that are stuck, as a share of the speeds around."""
    scale = np.maximum(1.0, np.abs(speeds_of(result)).max(axis=0))
    worst = 0.0
    for name, values in plain["elements"].items():
        if values.get("law", {}).get("type") in SWITCH:
            slip = result[f"{name}.w_rel" if f"{name}.w_rel" in result.names else f"{name}.v_rel"]
            stuck = np.asarray(result[f"{name}.mode"]) == 0
            worst = max(worst, float(np.where(stuck, np.abs(np.asarray(slip)) / scale, 0.0)[1:].max()))
    return worst


def check(seed: int, h: float) -> float | None:
    """The mean error of the speeds, in shares of the largest one; None where the adaptive run fails or all rests."""
    plain = driveline(seed)
    program = sb.compile_model(sb.Model.from_dict(plain))
    result = sb.realtime(program, h).run(t_end=T_END)
    assert np.isfinite(result.data).all(), seed
    assert creep(plain, result) < 1e-9, seed
    energy = result.energy
    assert abs(energy.residual) <= 1e-9 * max(energy.throughput, 1e-6), seed
    try:
        exact = speeds_of(sb.simulate(program, T_END, intervals=round(T_END / h)))
    except sb.SimulationError:
        return None
    size = np.abs(exact).max()
    return float(np.abs(speeds_of(result) - exact).max(axis=0).mean() / size) if size > 1e-6 else None


def check_all(seeds: range, h: float, half: float, most: float) -> None:
    """Half of the drivelines and nine of ten are this close to their adaptive solutions.

    Most of the others are machines in which a contact breaks away or is caught a little earlier in one run, with
    another history behind it; they get closer with smaller steps.
    """
    errors = [error for seed in seeds if (error := check(seed, h)) is not None]
    assert np.quantile(errors, 0.5) < half
    assert np.quantile(errors, 0.9) < most


def test_a_part_of_the_campaign() -> None:
    check_all(range(40), 1e-3, half=1e-3, most=1e-2)


@pytest.mark.parametrize("seed", [267, 275])
def test_a_stuck_hybrid_contact_lets_go_where_its_partner_jumps(seed: int) -> None:
    """Beyond its window no slip decays; held all the same it would take 40 and 180 N.m, and all speeds with it."""
    error = check(seed, 1e-3)
    assert error is not None and error < 1e-3


def test_a_smaller_step() -> None:
    check_all(range(100, 110), 1e-4, half=1e-4, most=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CAMPAIGN, 100))
def test_the_whole_campaign(first: int) -> None:
    check_all(range(first, first + 100), 1e-3, half=1e-3, most=2e-2)
