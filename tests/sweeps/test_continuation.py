"""Attractors along a parameter: stick-slip and steady sliding side by side."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError


@pytest.fixture(scope="module")
def belt():
    """A mass on a belt, held by a spring with a damper."""
    model = sb.Model("belt", t_end="200 s")
    moving = model.add("belt", sb.Speed(v=0.05))
    mass = model.add("mass", sb.Mass(m="1 kg"))
    model.add("spring", sb.SpringDamper(mass, c="1 N/m", d="0.2 N.s/m"))
    law = sb.Stribeck(mu_c=0.4, mu_s=1.0, v_s="0.4 m/s", exponent=1)
    model.add("contact", sb.Clutch(moving, mass, law=law, fn_max="1 N"))
    return sb.compile_model(model)


def test_steady_sliding_is_stable_above_the_linear_limit(belt):
    """Linearised, sliding is stable where the slope of the curve is above -d: from 0.4 log(0.6/0.4/0.2) = 0.806 m/s."""
    speeds = np.array([0.3, 0.6, 0.9, 1.2, 1.5])
    branch = sb.continuation(belt, "belt.v", speeds, "mass.s", settle="150 s")
    swing_up, swing_down = (np.ptp(extremes, axis=1) for extremes in (branch.up, branch.down))
    # at 0.9 m/s a swing decays by exp(-0.02 t): to 5 % within 150 s
    assert (swing_down[speeds > 0.81] < 0.01).all() and (swing_down[speeds < 0.8] > 0.1).all()
    assert swing_up[2] > 0.1  # stick-slip persists on the way up
    assert 0.9 in branch.hysteresis and 0.3 not in branch.hysteresis
    # steady sliding: the spring balances friction at the speed of the belt
    friction = 0.4 + 0.6 * np.exp(-1.5 / 0.4)
    assert branch.up[-1].mean() == pytest.approx(friction, abs=1e-3)


def test_each_run_goes_on_from_the_one_before(belt):
    branch = sb.continuation(belt, "belt.v", [0.3, 0.5], "mass.s", t_end=20, settle=5)
    first = sb.simulate(belt.with_values({"belt.v": 0.3}), 5.0)
    first = sb.simulate(belt.with_values({"belt.v": 0.3}), 20.0, start=first)
    assert tuple(branch.up[0]) == (first.extremes["mass.s"]["min"], first.extremes["mass.s"]["max"])


def test_values_may_have_units(belt):
    branch = sb.continuation(belt, "belt.v", ["30 cm/s", 0.5], "mass.s", t_end=2)
    np.testing.assert_array_equal(branch.values, [0.3, 0.5])


def test_the_picture(belt, tmp_path):
    sb.continuation(belt, "belt.v", [0.3, 0.5], "mass.s", t_end=20).plot(tmp_path / "branches.png")
    assert (tmp_path / "branches.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output": "mass.*"}, "outputs; name one"),
        ({"output": "mass.s", "settle": 300}, "within each run"),
        ({"output": "mass.s", "values": []}, "is empty"),
    ],
)
def test_what_cannot_be_followed_is_refused(belt, options, message):
    with pytest.raises(SpecError, match=message):
        sb.continuation(belt, "belt.v", **{"values": [0.3, 0.5], **options})
