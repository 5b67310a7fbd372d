"""Random machines of every generator at fixed steps: runs end, stuck is stuck, energies add up, and speeds are right.

The suite runs a seeded part; whole campaigns are marked slow, STRIBECK_RUNS=200 shortens them.
"""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from support.builder import Machine
from support.campaign import FIXED, GENERATORS, campaign, fixed_shortfalls, state_file, table
from support.drivelines import driveline
from support.fixed_checks import STEPS, check_fixed, creep, within_fixed
from support.kinds import FIRST

import stribeck as sb

RUNS = int(os.environ.get("STRIBECK_RUNS", "1700"))


@pytest.mark.parametrize("first", (0, 8))
@pytest.mark.parametrize("name", GENERATORS)
def test_a_part_of_the_campaign(name: str, first: int) -> None:
    """Half of the machines are this close to their adaptive solutions at 1 ms and at 0.1 ms.

    Most of the others are machines in which a contact breaks away or is caught a little earlier in one run, with
    another history behind it; they get closer with smaller steps.
    """
    verdicts = [check_fixed(GENERATORS[name](seed)) for seed in range(first, first + 8)]
    assert not [fault for verdict in verdicts for fault in verdict.faults]
    errors = np.array([verdict.errors for verdict in verdicts if verdict.errors])
    assert (np.quantile(errors, 0.5, axis=0) < (2e-3, 2e-4)).all()


@pytest.mark.parametrize("seed", [267, 275])
def test_a_stuck_hybrid_contact_lets_go_where_its_partner_jumps(seed: int) -> None:
    """Beyond its window no slip decays; held all the same it would take 40 and 180 N.m, and all speeds with it."""
    verdict = check_fixed(Machine(driveline(seed, FIRST)))
    assert not verdict.faults
    assert (np.array(verdict.errors) < (1e-3, 1e-4)).all()


@pytest.mark.parametrize(
    ("name", "seed", "limits"),
    [
        ("drivelines", 142, (0.01, 1e-3)),  # hybrid contacts in a circle decayed apart, and a clutch among them crept
        ("drivelines", 82, (5e-3, 2e-4)),  # a prescribed speed that jumped left presliding with 100 times its limit
        ("drivelines", 49, (0.1, 1e-3)),  # a hybrid contact was caught at rest by more than its capture
        ("assorted", 53, (0.02, 1e-3)),  # a gear that a free-wheel kept at rest lost impulses by the sign of rounding
    ],
)
def test_what_was_wrong_at_every_step_size(name: str, seed: int, limits: tuple[float, float]) -> None:
    """Machines that came no closer to their adaptive runs with smaller steps, or crept. The limits are three times what
    they have today, at least."""
    verdict = check_fixed(GENERATORS[name](seed, FIRST))
    assert not verdict.faults
    assert (np.array(verdict.errors) < limits).all()


def test_faults_are_found() -> None:
    """A contact that creeps while it is said to be stuck, and numbers that are none."""
    m = sb.Model("creeps")
    m.add("mass", sb.Mass(m=1.0))
    m.add("guide", sb.Guide("mass", law=sb.Coulomb(mu_c=1.0)))
    plain, result = m.to_dict(), m.realtime(STEPS[0]).run(t_end=1.0)
    assert creep(plain, result) == ("", 0.0)
    data = result.data.copy()
    data[result.names.index("guide.v_rel")] = 1e-9
    assert creep(plain, replace(result, data=data)) == ("guide", pytest.approx(1e-9))
    data = data.copy()
    data[result.names.index("mass.v"), -1] = np.nan
    assert [fault.kind for fault in within_fixed(plain, replace(result, data=data))] == ["not finite"]


def test_shortfalls() -> None:
    fine = {seed: {"seed": seed, "compare": True, "faults": [], "errors": [1e-3, 1e-4]} for seed in range(1000)}
    assert not fixed_shortfalls(fine)
    assert fixed_shortfalls(fine | {seed: fine[seed] | {"faults": [["creep", "text"]]} for seed in range(4)})
    assert len(fixed_shortfalls(fine | {seed: fine[seed] | {"errors": [0.5, 0.5]} for seed in range(20)})) == 2
    assert "99 % 0.001" in table("fixed-assorted", {s: record | {"seconds": 0.1} for s, record in fine.items()})


RATTLES = {"assorted": (155, 529, 606, 1041, 1338, 1362, 1456, 1590), "symmetric": (870, 1256)}
"""Machines more than 5 % off at 1 ms that meet their stops more often than every 20 steps: the plant says so."""

OTHERS = {
    "assorted": (866, 933, 1201, 1264, 1294, 1336),
    "symmetric": (381, 543, 633, 990, 1383, 1426, 1597),
    "drivelines": (44, 49, 1068),
}
"""The others, see docs/notes/campaigns.md for their reasons: `check_realtime` does not call them adequate. Two more are
off by less than four steps of time (assorted 561, symmetric 1535), which it allows."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name, seeds in RATTLES.items() for seed in seeds])
def test_what_rattles_says_so(name: str, seed: int) -> None:
    plant = sb.Model.from_dict(GENERATORS[name](seed, FIRST).plain).realtime(STEPS[0])
    plant.run(t_end=1.0, outputs=[])
    assert any("impacts in 1000 steps" in text for text in plant.warnings)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name, seeds in OTHERS.items() for seed in seeds])
def test_what_is_far_off_is_not_called_adequate(name: str, seed: int) -> None:
    model = sb.Model.from_dict(GENERATORS[name](seed, FIRST).plain)
    (verdict,) = model.check_realtime(STEPS[0], t_end=1.0, methods=["resolvent"]).verdicts
    assert verdict.word != "adequate"


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_the_whole_campaign(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Goes on where it was stopped, as long as the commit is the same."""
    name = f"{FIXED}{name}"
    with capsys.disabled():
        found = campaign(name, state_file(name), RUNS, 0)
        print(table(name, found))
    assert not fixed_shortfalls(found)
