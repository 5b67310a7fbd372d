"""Experiments of nouailletas2010 on friction: closed forms, second opinions, and verdicts that can fail."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest

import stribeck as sb
from stribeck_papers.nouailletas2010._cycles import cycle, fits, force_at_peak, per_cycle, slip_period
from stribeck_papers.nouailletas2010._drift_items import slow_drift
from stribeck_papers.nouailletas2010._measurement_items import TICK, J, fourier, motor
from stribeck_papers.nouailletas2010._sinusoidal_items import solve
from stribeck_papers.nouailletas2010.friction import (
    coasting,
    controlled,
    drift,
    hybrid,
    hybrid_presliding,
    ideal,
    limit_cycle,
    loaded,
    lugre,
    presliding,
    pulled,
    sinusoidal,
    soft_elasto_plastic,
    soft_hybrid,
    soft_leuven,
    soft_lugre,
    stick_slip,
)
from stribeck_papers.nouailletas2010.two_modes import TwoModes, alternating, pid, spring
from stribeck_papers.scorecard import Verdict

SIGMA, F_S = 2e-3, 1.5


class TestTwoModes:
    """The model word by word shares nothing with the kernel."""

    @pytest.mark.parametrize("machine, force, output, name, level, t_end", [
        (pulled, lambda h: spring(), "mass.v", "v", 0.1, 22.0),
        (controlled, pid, "mass.s", "x", 1.0, 60.0),
    ], ids=["stick-slip", "limit cycle"])  # fmt: skip
    def test_agrees_with_euler_steps_of_the_kernel(self, machine, force, output, name, level, t_end):
        kernel = machine(hybrid()).realtime(h=1e-3, method="ode1").run(t_end=t_end)
        own = TwoModes(literal_sign=False).run(force(1e-3), t_end)
        assert own.rises(name, level) == pytest.approx(kernel.crossings(output, level, +1), abs=1e-3)

    def test_comes_to_the_ideal_model_with_small_steps(self):
        own = TwoModes(step=5e-5, Sigma=2e-4, p0=1e4, literal_sign=False).run(spring(), 9.0)
        assert own.rises("v", 0.1) == pytest.approx(
            stick_slip(ideal(), t_end=9.0).crossings("mass.v", 0.1, +1), abs=2e-3
        )

    @pytest.mark.parametrize("force", [2.0, 5.0])
    def test_the_rule_with_friction_is_safe_and_the_printed_one_is_not(self, force):
        safe, printed = (TwoModes(step=0.99 * SIGMA / f).run(alternating(force), 20.0) for f in (force + F_S, force))
        assert safe.reversals(SIGMA)[1] == 0
        assert printed.reversals(SIGMA)[1] > 0

    @pytest.mark.parametrize("step, misses", [(0.565e-3, False), (0.7e-3, True)])
    def test_euler_steps_of_the_kernel_miss_reversals_too(self, step, misses):
        """Under 2 N, with m Sigma = 2e-3: the printed rule allows steps of 1 ms, that with friction 0.571 ms."""
        turns = np.cumsum([0.5 + 0.01 * k for k in range(69)])
        m = sb.Model("alternating")
        body = m.add("mass", sb.Mass(m=1.0))
        m.add("friction", sb.Guide(body, law=hybrid()))
        edges = np.column_stack([turns - 1e-9, turns]).ravel()
        values = [side * 2.0 for k in range(69) for side in ((-1) ** k, -((-1) ** k))]
        m.add("push", sb.Force(body, f=sb.Table(time=list(edges), value=values)))
        changes = [{event.from_, event.to} for event in m.realtime(h=step, method="ode1").run(t_end=60.0).events]
        assert ({"Forward", "Backward"} in changes) == misses

    def test_static_friction_that_rises(self):
        motion = TwoModes(rise=lambda rest: 0.01 * rest).run(spring(), 10.0)
        (start,) = np.nonzero(np.diff(motion.mode) > 0)[0]
        assert motion.u[start + 1] == pytest.approx(1.5 + 0.01 * motion.time[start + 1], abs=1e-3)


class TestCycles:
    """Figures 4 and 5, where we contradict the paper."""

    @pytest.mark.parametrize("solver", ["scipy-lsoda", "scipy-radau"])
    def test_other_solvers_find_the_hybrid_cycle_shorter(self, solver):
        own, other = (
            sb.simulate(controlled(law), t_end=58.0, intervals=5800, tolerance=1e-6, solver=solver)
            for law in (ideal(), lugre())
        )
        periods = [np.diff(result.crossings("mass.s", 1.0, +1)) for result in (own, other)]
        assert np.all(periods[0] < periods[1])
        assert periods[0][-1] == pytest.approx(
            np.diff(limit_cycle(ideal(), t_end=58.0).crossings("mass.s", 1.0, +1))[-1], abs=1e-2
        )

    @pytest.mark.parametrize("run, period, force", [
        (stick_slip, slip_period, "spring.f"),
        (limit_cycle, lambda result: cycle(result).period, "motor.f"),
    ], ids=["stick-slip", "limit cycle"])  # fmt: skip
    def test_the_force_of_break_away_explains_the_difference_and_presliding_does_not(self, run, period, force):
        other = run(lugre())
        own, bristle = period(run(ideal())), period(other)
        gap = own - bristle
        assert period(run(ideal(force_at_peak(other, force)))) == pytest.approx(bristle, abs=0.1 * abs(gap))
        assert period(run(hybrid_presliding(1.5e-5))) == pytest.approx(own, abs=0.01 * abs(gap))

    def test_stiffer_bristles_come_nearer(self):
        own = slip_period(stick_slip(ideal()))
        gaps = [abs(slip_period(stick_slip(lugre(sigma0))) - own) for sigma0 in (1e5, 1e6, 1e7, 1e8)]
        assert gaps == sorted(gaps, reverse=True)

    def test_the_limit_cycle_does_not_depend_on_the_target(self):
        near = limit_cycle(ideal(), x_d=0.4, t_end=150.0)
        assert np.diff(near.crossings("mass.s", 0.4, +1))[-1] == pytest.approx(
            cycle(limit_cycle(ideal())).period, abs=1e-4
        )

    def test_a_fit_can_fail(self):
        own = stick_slip(ideal())
        assert fits("", own, stick_slip(lugre(1e8))).verdict is Verdict.REPRODUCED
        assert fits("", own, stick_slip(lugre())).verdict is not Verdict.REPRODUCED


class TestPresliding:
    def test_mode_0_decays_in_closed_form(self):
        result = coasting(hybrid(), speed=2e-3)
        place = [0.999 * 2e-6 * (1 - exp(-1e3 * t)) for t in result.time]
        assert np.asarray(result["mass.s"]) == pytest.approx(place, abs=1e-12)

    def test_a_captured_mass_moves_as_a_critical_oscillator(self):
        law = hybrid_presliding()
        result, omega = coasting(law), sqrt(law.k1)
        place = 0.999 * 2e-3 * result.time * np.exp(-omega * result.time)
        assert np.asarray(result["mass.s"]) == pytest.approx(place, abs=1e-11)

    def test_dahl_bends_exponentially(self):
        result = presliding(sb.Dahl(sigma0=1e5, mu_c=1.0), distance=1e-4)
        x, z = np.asarray(result["mass.s"]), np.asarray(result["friction.z"])
        assert z == pytest.approx(1e-5 * (1 - np.exp(-x / 1e-5)), abs=1e-10)

    def test_lugre_overshoots_to_the_peak_of_friction(self):
        result = presliding(lugre())
        assert result["friction.z"].max() == pytest.approx(1.4766e-5, rel=1e-3)
        assert result["friction.z"][-1] == pytest.approx(1e-5, rel=1e-6)

    def test_breaks_at_z_max(self):
        result = loaded(hybrid_presliding(2e-5), rate=0.05, t_end=31.0)
        start = result.events.time[0]
        assert result.at(start, "mass.s") == pytest.approx(2e-5, rel=1e-3)
        assert result.at(start, "push.f") == pytest.approx(1.5, abs=1e-3)


class TestDrift:
    def test_lugre_drifts_as_in_closed_form(self):
        """A slow force: inertia and the fall of the Stribeck curve are small, within 1 %."""
        assert slow_drift() == pytest.approx(0.01 * (log(3) - log(1.81818 / 1.454545)), rel=1e-5)
        assert per_cycle(drift(soft_lugre(), t_end=42.0)) == pytest.approx(slow_drift(), rel=0.01)

    @pytest.mark.parametrize("law", [soft_hybrid(), soft_elasto_plastic()], ids=["hybrid", "elasto-plastic"])
    def test_others_come_back(self, law):
        assert abs(per_cycle(drift(law, t_end=42.0))) < 1e-12

    def test_elasto_plastic_drifts_if_it_yields_early(self):
        assert per_cycle(drift(soft_elasto_plastic(z_ba=0.005), t_end=42.0)) > 1e-4

    def test_the_leuven_model_of_one_element_is_lugre(self):
        """With n = 1 and an element that never slips."""
        own = per_cycle(drift(soft_leuven(elements=1, strength=10.0), t_end=22.0))
        assert own == pytest.approx(per_cycle(drift(soft_lugre(), t_end=22.0)), rel=1e-6)

    @pytest.mark.parametrize(("exponent", "far"), [(1.0, 8.7892e-3), (2.0, 3.8241e-3), (4.0, 1.38512e-3)])
    def test_the_leuven_model_drifts(self, exponent, far):
        """As found with Runge-Kutta steps of 10 ms, without the library."""
        assert per_cycle(drift(soft_leuven(exponent), t_end=42.0)) == pytest.approx(far, rel=2e-4)


class TestMeasurement:
    def test_the_mean_of_a_sinusoidal_test(self):
        """(35): f_v 2V/pi + f_c; the mass does not enter."""
        for mass in (1.0, 5.0):
            result = sinusoidal(sb.Switch(mu_c=0.7, mu_s=0.7, mu_v=0.3), amplitude=1.5, mass=mass)
            u, v = (np.asarray(result[name])[1:] for name in ("drive.f", "mass.v"))
            assert np.mean(u * np.sign(v)) == pytest.approx(0.3 * 2 * 1.5 / pi + 0.7, rel=1e-5)

    def test_friction_from_means(self):
        amplitudes = np.array([0.3, 0.9, 2.0])
        assert solve(amplitudes, 0.25 * 2 * amplitudes / pi + 0.8) == pytest.approx([0.25, 0.8])

    @pytest.mark.parametrize("torque, f", [(2.0, 20.0), (1.0, 10.0)])
    def test_an_inertia_can_be_found_with_a_coarse_encoder(self, torque, f):
        result = motor(torque, f)
        read = TICK * np.floor(np.asarray(result["rotor.phi"]) / TICK)
        u, angle = fourier(np.asarray(result["drive.tau"])[500:1500], f), fourier(read[500:1500], f)
        assert -(u / angle).real / (2 * pi * f) ** 2 == pytest.approx(J, rel=0.02)
