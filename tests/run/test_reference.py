"""The references of the tests are tested themselves: against converged values of others, and by a second integrator."""

from __future__ import annotations

import numpy as np
import pytest
from support.reference import laws
from support.reference.automaton import Body, solve
from support.reference.cases import BENCHES, CASES, Case

from stribeck_papers.converged import golden

GOLDEN = {name: row.values[0] for name, row in golden().items()}

BRISTLE = {"sigma0": 1e5, "sigma1": 1e5**0.5, "sigma2": 0.5}
BELT = {"sigma0": 1e4, "sigma1": 100.0, "mu_s": 2.0, "v_s": 0.5, "exponent": 1.0}

RIG = Body(lambda t, x, v, w: 2.0 * (0.1 * t - x))
ON_BELT = Body(lambda t, x, v, w: -t - x - 0.1 * (1.0 + v), v0=-1.0)  # as seen from the belt

PERIODS = {
    "A.LuGre_s2_0.5": (laws.LuGre(**BRISTLE), RIG),
    "A.simplifiedLuGre_s2_0.5": (laws.SimplifiedLuGre(**BRISTLE), RIG),
    "A.improvedDahl_s2_0.5": (laws.ImprovedDahl(**BRISTLE), RIG),
    "A.Dahl": (laws.Dahl(sigma0=1e5), RIG),
    "B.BearingFriction": (laws.Switch(mu_v=0.4), RIG),
    "F.hybrid_ideal.stickslip": (laws.Stribeck(mu_v=0.4), RIG),
    "E.belt.LuGre": (laws.LuGre(**BELT), ON_BELT),
    "E.belt.EP_kappa0.8": (laws.ModifiedElastoPlastic(**BELT, kappa=0.8), ON_BELT),
    "E.belt.EP_Dupont2002_zba0.9Fc": (laws.ElastoPlastic(**BELT, z_ba=0.9e-4), ON_BELT),
    "E.belt.exact_stick_slip": (laws.Stribeck(mu_s=2.0, v_s=0.5, exponent=1.0), ON_BELT),
}


@pytest.mark.parametrize("name", PERIODS)
def test_periods_of_others(name: str) -> None:
    contact, body = PERIODS[name]
    level = 0.1 if body is RIG else -1.0
    motion = solve(contact, body, np.array([0.0, 17.0]), watch=lambda t, y: y[1] - level)
    assert np.diff(motion.crossings)[-1] == pytest.approx(GOLDEN[f"{name}.period"], rel=0, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("bench", BENCHES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_second_integrator_agrees(case: Case, bench: str) -> None:
    """Its steps are short, for it interpolates less well than it steps where a bristle is stiff."""
    machine = BENCHES[bench]
    one = machine.reference(case)
    two = machine.reference(case, method="DOP853", rtol=1e-13, atol=1e-14, max_step=5e-3)
    assert [mode for _, mode in one.changes] == [mode for _, mode in two.changes]
    changes = np.array([time for time, _ in one.changes])
    assert changes == pytest.approx(np.array([time for time, _ in two.changes]), rel=0, abs=1e-7)
    clear = np.array([not np.any(np.abs(changes - t) < 1e-6) for t in machine.times])
    for first, second in zip((one.x, one.v, one.f, *one.z), (two.x, two.v, two.f, *two.z), strict=True):
        assert np.abs(first - second)[clear].max() <= 4e-7 * np.abs(first).max()
