"""What nouailletas2010 leaves open or names only: the law of Figure 16, relays, the balance of power, blocks, draws."""

from math import pi

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import stribeck as sb
from stribeck_papers.nouailletas2010 import (
    PAPER,
    arccos_friction,
    arccos_law,
    cycles_of_blocks,
    limit_cycle,
    lugre,
    lugre_of_blocks,
    power_test,
    relayed_rotor,
    swing_mean,
    two_relays,
)
from stribeck_papers.nouailletas2010._drift_items import forces
from stribeck_papers.nouailletas2010._measurement_items import DELTA_J, J, measured_inertia
from stribeck_papers.nouailletas2010._ramp_items import put_in, ramp_test
from stribeck_papers.nouailletas2010.actuator import COUNT, F_V, LimitCycle, position_test
from stribeck_papers.nouailletas2010.friction import controlled, ideal, soft_elements
from stribeck_papers.nouailletas2010.methods import friction_of, last_swing
from stribeck_papers.nouailletas2010.swings import C_R, CORNER
from stribeck_papers.settings import setting

pytestmark = pytest.mark.xdist_group("papers")  # experiments are shared with the items

MASS = sb.Switch(mu_c=1.0, mu_s=1.0, mu_v=0.4)


class TestFigure16:
    @pytest.mark.parametrize("w", [50.0, 239.0, 241.0, 300.0, 600.0])
    def test_the_law_has_the_two_printed_lines(self, w):
        """Its mean over a sine by quadrature, in two parts, since it has a corner: nothing is simulated."""
        corner = np.arcsin(min(CORNER / w, 1.0))
        parts = [
            quad(lambda p: float(arccos_friction(w * np.sin(p))), *ends)[0] for ends in ((0, corner), (corner, pi / 2))
        ]
        assert 2 / pi * sum(parts) == pytest.approx(max(C_R, 2 / pi * F_V * w), rel=1e-7)

    def test_the_simulated_mean_is_on_the_line(self):
        """8000 samples of a period, of which the corner takes a few: 1e-5."""
        assert swing_mean(arccos_law(), 400.0) == pytest.approx(2 / pi * F_V * 400.0, rel=2e-5)

    def test_another_law_is_not(self):
        jump = sb.StribeckThreshold(mu_c=C_R, mu_s=C_R, mu_v=F_V, v_v=CORNER)
        assert swing_mean(jump, 400.0) == pytest.approx(
            C_R + 2 / pi * F_V * np.sqrt(400.0**2 - CORNER**2), rel=1e-3
        )  # a jump: within a sample

    def test_it_tends_to_viscous_friction(self):
        fast = 1e4
        assert float(arccos_friction(fast)) == pytest.approx(F_V * fast, rel=0.01)


class TestBlocks:
    def test_they_are_the_law(self):
        """Signals and the law LuGre move alike, to 1e-5 of the way: only one of them locates the turns of the speed."""
        blocks = sb.simulate(lugre_of_blocks(1e-5), t_end=30.0, intervals=300, tolerance=1e-9)
        law = limit_cycle(lugre(), t_end=30.0, intervals=300)
        assert np.asarray(blocks["mass.s"]) == pytest.approx(np.asarray(law["mass.s"]), abs=1e-5)

    def test_a_tolerance_that_does_not_see_the_bristles_spoils_the_period(self):
        true, loose = 24.4368, cycles_of_blocks(1e-3)[3:]
        assert max(abs(cycle - true) for cycle in loose) > 0.1
        assert cycles_of_blocks(1e-3, 1e-5, 125.0)[3:] == pytest.approx([true] * 2, abs=2e-3)

    def test_the_limit_of_the_force_does_not_change_the_cycle(self):
        periods = [
            np.diff(limit_cycle(ideal(), t_end=150.0, u_max=u).crossings("mass.s", 1.0, +1))[-1] for u in (2.0, 10.0)
        ]
        assert periods[0] == pytest.approx(periods[1], abs=1e-4)
        assert limit_cycle(ideal(), t_end=20.0).extremes["motor.f"]["max"] == pytest.approx(2.0)


class TestRelays:
    def test_the_swing_by_another_integrator(self):
        """One half swing by SciPy, piece by piece; the end of a swing is its start mirrored."""
        found = last_swing(two_relays(MASS, 1.4))

        def under(force):
            """A motion with v < 0: the second relay drives, friction brakes."""
            return lambda t, y: [y[1], force - 1.4 + 1.0 - 0.4 * y[1]]

        def crosses(t, y):
            return y[0]

        def stops(t, y):
            return y[1]

        crosses.terminal = stops.terminal = True
        there = solve_ivp(under(-4.0), (0, 5), [found.amplitude, -1e-12], events=crosses, rtol=1e-10)
        rest = solve_ivp(under(+4.0), (0, 5), there.y[:, -1], events=stops, rtol=1e-10)
        assert rest.y[0, -1] == pytest.approx(-found.amplitude, rel=1e-3)
        assert 2 * (there.t[-1] + rest.t[-1]) == pytest.approx(2 * pi / found.frequency, rel=1e-3)

    def test_friction_by_energy(self):
        """The second relay feeds 4 A d in a period, friction takes 4 A f_c + f_v int v^2 dt: no first harmonic."""
        drives = (1.2, 1.4)
        swings = [last_swing(two_relays(MASS, d)) for d in drives]
        rows = [[1.0, swing.viscous_work / (4 * swing.amplitude)] for swing in swings]
        assert np.linalg.solve(rows, drives) == pytest.approx([1.0, 0.4], rel=1e-3)
        assert friction_of(drives, swings) == pytest.approx((1.0, 0.4), rel=0.1)

    def test_the_encoder_spoils_it(self):
        """On the actuator: the Coulomb torque within 5 % by perfect sensors, not even near with 56 counts and 1 ms."""
        fine, coarse = (
            friction_of((0.2, 0.3), [relayed_rotor(0.5, d, coarse=coarse) for d in (0.2, 0.3)])[0]
            for coarse in (False, True)
        )
        assert fine == pytest.approx(C_R, rel=0.05)
        assert abs(coarse / C_R - 1) > 0.5

    def test_a_rotor_that_does_not_swing(self):
        assert np.isnan(relayed_rotor(0.2, 0.15, coarse=False).speed)  # the first relay cannot turn it round


@pytest.mark.parametrize("resolution", [COUNT, COUNT / 100])
def test_balance_of_power(resolution):
    found = power_test((6.0, 9.0), resolution=resolution)
    assert [found[name] for name in ("inertia", "viscous", "coulomb")] == pytest.approx([J, F_V, C_R], rel=0.1)


def test_an_inertia_is_found_with_play_and_noise_and_not_with_more_noise():
    quiet, noisy = (measured_inertia(1.5, 20.0, play=3.0, noise=noise, seed=1) for noise in (0.1, 20.0))
    assert quiet == pytest.approx(J, rel=0.1)
    assert abs(noisy / J - 1) > DELTA_J / J


def test_ramps_find_what_was_put_in():
    """Both directions within 5 %; a friction twice as large would be seen."""
    for way in (1, -1):
        side = ramp_test().kept.towards(way)
        assert np.mean(side.drive) == pytest.approx(np.mean(put_in(side.position, way)), rel=0.05)


def test_elements_remember_where_they_turned_and_a_spring_does_not():
    found = sb.analysis.friction_properties(soft_elements(), "nonlocal memory")["nonlocal memory"]
    assert found.has
    assert not sb.analysis.friction_properties(soft_elements(1), "nonlocal memory")["nonlocal memory"].has


def test_drawn_forces_stay_below_friction():
    drawn = forces(50)
    assert all(force["mean"] > force["swing"] and force["mean"] + force["swing"] < 0.95 for force in drawn)
    assert np.ptp([force["f"] for force in drawn]) > 0.5


def test_a_cycle_that_is_seen_once_does_not_hunt():
    run = position_test(t_end=8.0, step=1e-3)
    assert LimitCycle.of(run, 3.0).hunts
    assert not LimitCycle.of(run, 7.5).hunts


# --- the page ---------------------------------------------------------------------------------------------------------


def test_every_equation_of_an_item_is_there_and_all_are_numbered():
    assert list(PAPER.equations) == [f"({k})" for k in range(1, 50)]
    for item in PAPER.items:
        assert set(item.equations) <= set(PAPER.equations), item.label
    assert len(PAPER.highlights) == 5 and set(PAPER.highlights) <= set(PAPER.labels)


def test_misprints_say_what_is_meant():
    for outcome in PAPER.run(["Section 2.7", "Table 1", "Table 2", "Equation 49"], quick=True):
        for claim in outcome.claims:
            if claim.verdict.value == "misprint":
                assert claim.corrected, claim.claim


def test_other_values_reach_the_models():
    with setting({"friction.law.mu_s": "1.8 N"}):
        run = sb.simulate(controlled(ideal()), t_end=5.0)
    assert run.events and float(sb.simulate(controlled(ideal()), t_end=5.0)["mass.s"][-1]) != float(run["mass.s"][-1])
    with pytest.raises(sb.UnknownName), setting({"friction.law.sigma7": "1"}):
        controlled(ideal())
