"""The study across the papers: every law runs on the rig, and each way to go wrong is a fact."""

import pytest

import stribeck as sb
from stribeck_papers.across import law_row, plain
from stribeck_papers.across._step_items import error
from stribeck_papers.across.plain import ONE_SLIP, converged, rates, rig, right, swing
from stribeck_papers.converged import golden


def test_the_rig_is_that_of_the_papers():
    """The break-away torque of aberger2002 by two other methods; the tolerance is that of the run at 1e-10."""
    assert right() == pytest.approx(golden()["B.LuGre_canonical_s1_sqrt1e5.F_breakaway_peak"].values[0], rel=1e-7)


def test_three_lines_are_the_law_of_the_package():
    """Rates of the plain code and of the kernel at a point of a slip, by differences of a fine grid."""
    result = sb.simulate(rig(), times=[7.6, 7.6001, 7.6002], t_end=7.6002, tolerance=1e-11)
    place, speed, bristle = (result[name] for name in ("mass.s", "mass.v", "friction.z"))
    slopes = [(values[2] - values[0]) / 2e-4 for values in (place, speed, bristle)]
    assert rates(7.6001, [place[1], speed[1], bristle[1]]) == pytest.approx(slopes, rel=1e-5, abs=1e-8)


def test_a_tight_run_is_right_and_a_loose_one_is_not():
    assert plain("LSODA", 1e-8).largest == pytest.approx(right(), abs=1e-4)
    loose = plain("BDF", 1e-3)
    assert not loose.slid and loose.largest > 1.7
    assert plain("BDF", 1e-3, events=True).slid


def test_scaling_takes_the_jumps_away():
    direct, scaled = (plain("LSODA", 1e-4, scaled=choice, first_step=1e-6) for choice in (False, True))
    assert swing(direct) > 5 * swing(scaled)


def test_explicit_steps_end_at_their_limit():
    limit = sb.analysis.stability_limit("ode4") * 1.01 / (1e5 * converged(ONE_SLIP).extremes["mass.v"]["max"])
    assert error("ode4", 0.8 * limit) < 1e-3 < 0.01 < error("ode4", 1.5 * limit)
    assert error("resolvent", 1e-3) < 1e-3


def test_laws_on_the_rig():
    """Break-away of true stick is the static friction; its period is that of aberger2002 by two other methods."""
    switch, dahl, lugre = map(law_row, ("Switch", "Dahl", "LuGre"))
    assert switch.break_away == pytest.approx(1.5, abs=1e-6)
    assert switch.period == pytest.approx(golden()["B.BearingFriction.period"].values[0], abs=1e-5)
    assert abs(switch.presliding) < 1e-12 and abs(switch.drift) < 1e-12  # rounding
    assert dahl.period != dahl.period  # it never sticks for long
    assert dahl.drift > 1e-6 and lugre.drift > 1e-6
    assert lugre.slow > lugre.break_away > lugre.fast
    assert lugre.memory is False and law_row("GMS").memory is True


def test_every_law_can_be_put_on_the_rig():
    """The full run has a row for each law of the registry; a few steps show that each compiles and runs."""
    for law in sb.laws.all_laws().values():
        assert sb.simulate(rig(law()), t_end=0.01).time[-1] == pytest.approx(0.01)
