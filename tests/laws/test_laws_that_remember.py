"""Reset integrator, Bliman-Sorine, Bouc-Wen, rising static friction, frictional memory and the seven-parameter model:
closed forms, and independent solutions of the same machine with SciPy. Solvers run at 1e-9, so 1e-6 leaves room for
the growth of errors in stick-slip, and none for a wrong equation."""

from dataclasses import replace
from math import atan2, exp, log, pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck.laws._rising import Rising
from stribeck.laws.bliman_sorine import peak
from stribeck.laws.rising_stribeck import T_RISE

CLOSE = 1e-6
TOLERANCE = 1e-9
PULL, STIFFNESS, T_END = 0.1, 2.0, 12.0
"""Speed of the far end of the spring, its stiffness, and the time of a run on the rig; the mass is 1."""


def at_speed(law, speed, times):
    """Friction at a prescribed speed, and the displacement."""
    result = sb.analysis.LawBench(law).at_speed(speed, times)
    return np.asarray(result["guide.f"]), np.asarray(result["guide.s_rel"])


def towed(law, times):
    """A mass towed by a spring from rest: its position."""
    model = sb.Model("towed")
    model.add("drive", sb.Speed(v=PULL))
    model.add("body", sb.Mass(m=1))
    model.add("spring", sb.Spring("drive", "body", c=STIFFNESS))
    model.add("guide", sb.Guide("body", law=law))
    return sb.simulate(model, times=times, tolerance=TOLERANCE)


def solve(modes, mode, y, times):
    """An automaton: modes[mode] gives the rates, and the pairs of an event and what follows, (mode, y)."""
    t, found = times[0], np.full((times.size, len(y)), np.nan)
    found[0] = y
    while t < times[-1]:
        rates, events = modes[mode]
        conditions = [event for event, _ in events]
        for condition in conditions:
            condition.terminal, condition.direction = True, -1
        span = (t, times[-1])
        run = solve_ivp(rates, span, y, "Radau", rtol=1e-10, atol=1e-13, events=conditions or None, dense_output=True)
        inside = (times > t) & (times <= run.t[-1])
        found[inside] = run.sol(times[inside]).T
        t, y = run.t[-1], run.y[:, -1]
        for hits, (_, follow) in zip(run.t_events or [], events, strict=True):
            if hits.size:
                mode, y = follow(t, y)
                break
    return found


# --- reset integrator -----------------------------------------------------------------------------------------------


def test_reset_integrator_peaks_and_falls():
    """sigma0 = 1e5, z0 = 1e-5, a = 0.5, slowly from rest: 1.5 to the speed at which sigma1 acts, then 1.0. (Sampled at
    0.9999 z0 the peak is 1.49985.)"""
    law = sb.ResetIntegrator(sigma0=1e5, mu_c=1, mu_s=1.5, sigma1=0)
    result = sb.analysis.LawBench(law).at_speed(sb.Ramp(height=1e-6, duration=1), np.linspace(0, 30, 3001))
    assert result.extremes["guide.f"]["max"] == pytest.approx(1.5, abs=1e-8)
    friction, way = np.asarray(result["guide.f"]), np.asarray(result["guide.s_rel"])
    bent = way < 0.9999e-5
    np.testing.assert_allclose(friction[bent], 1.5e5 * way[bent], atol=CLOSE)
    np.testing.assert_allclose(friction[way > 1.0001e-5], 1.0, atol=1e-12)
    assert np.interp(0.9999e-5, way, friction) == pytest.approx(1.49985, abs=CLOSE)


def test_reset_integrator_under_a_sine_of_speed():
    """The stop operator over the path, written out: bent back from +-z0 after every reversal."""
    amplitude, omega, z0, sigma1 = 1e-4, 2 * pi, 1e-5, 20.0
    times = np.linspace(0.0, 2.0, 801)
    way = amplitude / omega * (1 - np.cos(omega * times))
    z, slides = np.zeros_like(times), np.zeros(times.size)
    for i in range(1, times.size):
        free = z[i - 1] + way[i] - way[i - 1]
        z[i], slides[i] = np.clip(free, -z0, z0), np.sign(free) * (abs(free) > z0)
    speed = amplitude * np.sin(omega * times)
    exact = np.where(slides != 0, slides * 1.0, 1.5e5 * z + sigma1 * speed)
    law = sb.ResetIntegrator(sigma1=sigma1)
    friction, _ = at_speed(law, sb.Sine(amplitude=amplitude, f=1), times)
    turning = np.isclose(np.mod(2 * times, 1.0), 0.0, atol=1e-9) | np.isclose(np.mod(2 * times, 1.0), 1.0, atol=1e-9)
    np.testing.assert_allclose(friction[~turning], exact[~turning], atol=CLOSE)


def test_reset_integrator_does_not_drift():
    law = sb.ResetIntegrator()
    forces = [sb.Ramp(height=0.6, duration=2.0), sb.Sine(amplitude=0.3, f=2, start=2.0)]
    place = np.asarray(sb.analysis.LawBench(law).under_force(forces, 10 + 0.5 * np.arange(100))["body.s"])
    assert np.ptp(place) < 1e-11


def test_reset_integrator_on_the_rig():
    z0, sigma1, ratio = 1e-3, 50.0, 1.5
    law = sb.ResetIntegrator(sigma0=1e3, sigma1=sigma1, mu_c=1, mu_s=1.5)

    def bent(t, y):
        x, v, z = y
        return [v, STIFFNESS * (PULL * t - x) - ratio * 1e3 * z - sigma1 * v, v]

    def sliding(way):
        return lambda t, y: [y[1], STIFFNESS * (PULL * t - y[0]) - way, 0.0]

    modes = {
        0: (
            bent,
            [
                (lambda t, y: z0 - y[2], lambda t, y: (1, [y[0], y[1], z0])),
                (lambda t, y: z0 + y[2], lambda t, y: (-1, [y[0], y[1], -z0])),
            ],
        ),
        1: (sliding(1.0), [(lambda t, y: y[1], lambda t, y: (0, [y[0], 0.0, z0 * (1 - 1e-12)]))]),
        -1: (sliding(-1.0), [(lambda t, y: -y[1], lambda t, y: (0, [y[0], 0.0, -z0 * (1 - 1e-12)]))]),
    }
    times = np.linspace(0, T_END, 241)
    exact = solve(modes, 0, [0.0, 0.0, 0.0], times)
    np.testing.assert_allclose(towed(law, times)["body.s"], exact[:, 0], atol=CLOSE)


# --- Bliman-Sorine --------------------------------------------------------------------------------------------------

BLIMAN = {"mu_c": 1.0, "f2": 1.5, "eta": 0.4, "epsilon": 1e-3}


@pytest.mark.parametrize("speed", [1e-4, 1e-2, 1.0])
def test_bliman_sorine_on_the_way_from_rest(speed):
    """f1 = 2.5, f2 = 1.5, eta = 0.4, epsilon = 1e-3: 1.3475762 at 9.5141e-4, at any speed."""
    times = np.linspace(0, 0.01 / speed, 2001)
    friction, way = at_speed(sb.BlimanSorine(**BLIMAN), sb.Ramp(height=speed, duration=0.001 / speed), times)
    np.testing.assert_allclose(friction, 1 - 2.5 * np.exp(-way / 4e-4) + 1.5 * np.exp(-way / 1e-3), atol=CLOSE)
    assert peak(1.0, 1.5, 0.4) == pytest.approx(1.3475762, abs=5e-8)
    at = 1e-3 * 0.4 / 0.6 * log(2.5 / (0.4 * 1.5))
    assert at == pytest.approx(9.5141e-4, abs=5e-9)
    assert friction.max() == pytest.approx(1.3475762, abs=2e-5)
    assert way[np.argmax(friction)] == pytest.approx(at, abs=2e-5)


def test_bliman_sorine_does_not_depend_on_the_rate():
    """A sine of speed and the same path a hundred times as fast, against the linear system over the distance."""
    law, phases = sb.BlimanSorine(**BLIMAN), np.linspace(0, 2.5, 501)
    stroke = 3e-3
    runs = [at_speed(law, sb.Sine(amplitude=pi * stroke * f, f=f), phases / f)[0] for f in (0.1, 10.0)]
    np.testing.assert_allclose(runs[0], runs[1], atol=CLOSE)
    x = y = 0.0
    exact, way, length = [0.0], 1.0, stroke * (1 - np.cos(2 * pi * phases)) / 2
    for step in np.diff(length):
        way = np.sign(step)
        x = way + (x - way) * exp(-abs(step) / 4e-4)
        y = way + (y - way) * exp(-abs(step) / 1e-3)
        exact.append(2.5 * x - 1.5 * y)
    np.testing.assert_allclose(runs[0], exact, atol=CLOSE)


def test_bliman_sorine_of_first_order_is_dahl():
    times = np.linspace(0, 10, 201)
    dahl = towed(sb.Dahl(sigma0=2500), times)["body.s"]
    first = towed(sb.BlimanSorine(mu_c=1, f2=0, eta=0.4, epsilon=1e-3), times)["body.s"]
    np.testing.assert_allclose(first, dahl, atol=CLOSE)


def test_bliman_sorine_on_the_rig():
    def rates(t, y):
        place, v, x, slow = y
        friction = 2.5 * x - 1.5 * slow
        return [v, STIFFNESS * (PULL * t - place) - friction, (v - abs(v) * x) / 0.004, (v - abs(v) * slow) / 0.01]

    times = np.linspace(0, T_END, 121)
    exact = solve({0: (rates, [])}, 0, [0.0] * 4, times)
    place = towed(sb.BlimanSorine(**(BLIMAN | {"epsilon": 0.01})), times)["body.s"]
    np.testing.assert_allclose(place, exact[:, 0], atol=CLOSE)


def test_bliman_sorine_takes_over_peak_and_stiffness():
    law = sb.BlimanSorine().adopt(sb.LuGre(mu_c=2, mu_s=3, sigma0=1e4))
    assert peak(law.mu_c, law.f2, law.eta) == pytest.approx(3)
    assert ((law.mu_c + law.f2) / law.eta - law.f2) / law.epsilon == pytest.approx(1e4)
    back = sb.LuGre().adopt(law)
    assert (back.mu_c, back.mu_s, back.sigma0) == pytest.approx((2, 3, 1e4))


# --- Bouc-Wen -------------------------------------------------------------------------------------------------------


def test_bouc_wen_loop():
    """n = 2, beta = gamma: tanh on the way from rest, straight back to 0, tanh again."""
    z0, amplitude = 1e-3, 4e-3
    times = np.linspace(0, 1.5, 601)
    friction, way = at_speed(sb.BoucWen(sigma0=1e3), sb.Sine(amplitude=amplitude, f=1), times)
    far = amplitude / pi
    top = z0 * np.tanh(far / z0)
    loading = times <= 0.5
    np.testing.assert_allclose(friction[loading], 1e3 * z0 * np.tanh(way[loading] / z0), atol=CLOSE)
    back = (times > 0.5) & (times <= 1.0)
    straight = top - (far - way[back])
    exact = np.where(straight > 0, straight, z0 * np.tanh(straight / z0))
    np.testing.assert_allclose(friction[back], 1e3 * exact, atol=CLOSE)


def test_bouc_wen_with_exponent_1_is_dahl():
    times = np.linspace(0, 10, 201)
    dahl = towed(sb.Dahl(sigma0=2500), times)["body.s"]
    ours = towed(sb.BoucWen(sigma0=2500, sharpness=1, beta_share=1), times)["body.s"]
    np.testing.assert_allclose(ours, dahl, atol=CLOSE)


@pytest.mark.parametrize(("sharpness", "beta"), [(2.0, 0.5), (3.5, 0.8), (1.5, 1.4)])
def test_bouc_wen_on_the_rig(sharpness, beta):
    sigma0 = 1e3

    def rates(t, y):
        x, v, z = y
        r = abs(sigma0 * z) ** sharpness
        dz = v - beta * abs(v) * r * np.sign(z) - (1 - beta) * v * r
        return [v, STIFFNESS * (PULL * t - x) - sigma0 * z, dz]

    times = np.linspace(0, 6, 121)
    exact = solve({0: (rates, [])}, 0, [0.0, 0.0, 0.0], times)
    place = towed(sb.BoucWen(sigma0=sigma0, sharpness=sharpness, beta_share=beta), times)["body.s"]
    np.testing.assert_allclose(place, exact[:, 0], atol=CLOSE)


def test_bouc_wen_warns_where_it_returns_energy():
    assert "beta_share = 0.3" in sb.BoucWen.checks(sb.BoucWen(beta_share=0.3).resolve({}, ""))[0]


# --- rising static friction -----------------------------------------------------------------------------------------

RISING = {"mu_c": 1.0, "mu_s": 1.6, "fresh": 0.25, "t_rise": 2.0, "v_s": 0.01}


def broken_away(law, dwell, ramp):
    """A mass that is pushed, stops, rests for about this time, and is pushed again at this rate: the time at rest until
    it breaks away, and the force at that instant."""
    start = 1.0 + dwell
    push = sb.Table(time=[0.5, 0.501, start, start + 4 / ramp], value=[3.0, 0.0, 0.0, 4.0])
    model = sb.Model("dwell")
    model.add("body", sb.Mass(m=1))
    model.add("guide", sb.Guide("body", law=law))
    model.add("force", sb.Force("body", f=push))
    events = sb.simulate(model, t_end=start + 4 / ramp, tolerance=TOLERANCE).events
    stops = next(e.time for e in events if e.to == "Stuck" and e.time > 0.5)
    leaves = next(e.time for e in events if e.to == "Forward" and e.time > stops)
    return leaves - stops, ramp * (leaves - start)


@pytest.mark.parametrize("ramp", [0.1, 10.0, 1e4])
@pytest.mark.parametrize("dwell", [2.0, 10.0, 100.0])
def test_break_away_over_the_time_at_rest(dwell, ramp):
    """F_s(t) = F_a + (F_inf - F_a) t/(t + gamma), and with e^-(t/T)^m; a fast load leaves less time."""
    rest, force = broken_away(sb.RisingStribeck(**RISING), dwell, ramp)
    assert force == pytest.approx(1.15 + 0.45 * rest / (rest + 2), abs=CLOSE)
    rest, force = broken_away(sb.KatoStribeck(**RISING, m=0.6), dwell, ramp)
    assert force == pytest.approx(1.6 - 0.45 * exp(-((rest / 2) ** 0.6)), abs=CLOSE)


def test_faster_loads_break_away_earlier():
    forces = [broken_away(sb.RisingStribeck(**RISING), 2.0, ramp)[1] for ramp in (0.05, 0.5, 50.0)]
    assert forces[0] > forces[1] + 0.02 > forces[2] + 0.04


def test_lugre_does_not_rise():
    """At the same rate of load, after 1 s and after 1000 s; rising static friction does."""
    verdicts = {
        law.__name__: sb.analysis.friction_properties(law(), "rising static friction")["rising static friction"].has
        for law in (sb.LuGre, sb.Stribeck, sb.RisingStribeck, sb.KatoStribeck, sb.SevenParameter)
    }
    assert [name for name, has in verdicts.items() if has] == ["RisingStribeck", "KatoStribeck", "SevenParameter"]


def test_rising_on_the_rig():
    """Stick-slip whose first and later slips differ by the times at rest; stuck, the position is constant."""
    law = sb.RisingStribeck(**RISING)

    def curve(v):
        return 1 + 0.15 * exp(-((v / 0.01) ** 2))

    def held(t, y):
        return [0.0, 0.0, 1.0]

    def breaks(t, y):
        return 1.15 + 0.45 * y[2] / (y[2] + 2) - STIFFNESS * (PULL * t - y[0])

    def sliding(t, y):
        return [y[1], STIFFNESS * (PULL * t - y[0]) - curve(y[1]), 0.0]

    def stops(t, y):
        return y[1] if y[1] > 1e-9 or PULL * t * STIFFNESS - STIFFNESS * y[0] < 1 else 1.0

    modes = {
        0: (held, [(breaks, lambda t, y: (1, [y[0], 1e-13, 0.0]))]),
        1: (sliding, [(stops, lambda t, y: (0, [y[0], 0.0, 0.0]))]),
    }
    times = np.linspace(0, 25, 251)
    exact = solve(modes, 0, [0.0, 0.0, 0.0], times)
    np.testing.assert_allclose(towed(law, times)["body.s"], exact[:, 0], atol=CLOSE)


def test_the_time_at_rest_is_zero_in_sliding():
    """Also at the instant of break-away, and in steps that look beyond the end of sliding; two reversals pass through
    rest without any."""
    model = sb.Model("swing")
    model.add("body", sb.Mass(m=1))
    model.add("guide", sb.Guide("body", law=sb.KatoStribeck(**RISING)))
    model.add("force", sb.Force("body", f=sb.Sine(amplitude=9, f=0.5)))
    result = sb.simulate(model, t_end=3, intervals=3000, tolerance=1e-4)
    sliding = result["guide.mode"] != 0
    assert [event.to for event in result.events] == ["Forward", "Backward", "Forward"]
    assert not np.any(result["guide.dwell"][sliding])
    assert result["guide.dwell"][~sliding].max() > 0.03


def test_rising_composes_with_another_law():
    """Two lines make a law of a user of it, which runs without a compiler."""

    class RisingKarnopp(Rising, sb.Karnopp, registered=False):
        """Karnopp's window with rising static friction."""

        t_rise = replace(T_RISE)
        rise = sb.RisingStribeck.rise

    rest, force = broken_away(RisingKarnopp(mu_c=1, mu_s=1.6, fresh=0.25, t_rise=2, dv=1e-6), 10.0, 10.0)
    assert force == pytest.approx(1.15 + 0.45 * rest / (rest + 2), abs=CLOSE)


# --- frictional memory ----------------------------------------------------------------------------------------------


def lagging(omega, tau):
    """Phase of the lag, and its gain."""
    x = omega * tau
    return atan2(x, 1 - x * x / 3), 1 / np.hypot(1 - x * x / 3, x)


@pytest.mark.parametrize("frequency", [1.0, 10.0, 60.0])
def test_friction_lags_behind_a_sine_of_speed(frequency):
    """The curve of the lagging speed; its delay is tau_L to (omega tau_L)^4/45."""
    law = sb.LaggedStribeck(v_s=0.01, mu_v=2.0, tau_L=0.005)
    omega, v0, v1 = 2 * pi * frequency, 0.01, 0.004
    times = 40 * 0.005 + np.linspace(0, 2 / frequency, 201)
    course = sb.Sine(amplitude=v1, f=frequency, offset=v0)
    friction, _ = at_speed(law, course, np.concatenate([[0.0], times]))
    phase, gain = lagging(omega, 0.005)
    w = v0 + gain * v1 * np.sin(omega * times - phase)
    exact = 1 + 0.5 * np.exp(-((w / 0.01) ** 2)) + 2.0 * (v0 + v1 * np.sin(omega * times))
    np.testing.assert_allclose(friction[1:], exact, atol=CLOSE)
    x = omega * 0.005
    assert phase / omega == pytest.approx(0.005, rel=1.1 * x**4 / 45 + 1e-12)


def test_lagged_stribeck_on_the_rig():
    tau, v_s = 0.05, 0.05
    law = sb.LaggedStribeck(v_s=v_s, tau_L=tau)

    def curve(w):
        return 1 + 0.5 * exp(-((w / v_s) ** 2))

    def held(t, y):
        return [0.0, 0.0, y[3] / tau, 3 * (0 - y[2] - y[3]) / tau]

    def breaks(t, y):
        return curve(y[2]) - STIFFNESS * (PULL * t - y[0])

    def sliding(t, y):
        x, v, w, u = y
        return [v, STIFFNESS * (PULL * t - x) - curve(w), u / tau, 3 * (v - w - u) / tau]

    def stops(t, y):
        return y[1] if STIFFNESS * (PULL * t - y[0]) < curve(y[2]) else 1.0

    modes = {
        0: (held, [(breaks, lambda t, y: (1, [y[0], 1e-13, y[2], y[3]]))]),
        1: (sliding, [(stops, lambda t, y: (0, [y[0], 0.0, y[2], y[3]]))]),
    }
    times = np.linspace(0, T_END, 121)
    exact = solve(modes, 0, [0.0] * 4, times)
    np.testing.assert_allclose(towed(law, times)["body.s"], exact[:, 0], atol=CLOSE)


def test_the_lag_turns_with_the_direction():
    """A sine of speed through 0: forward and backward halves mirror each other, and the lagging speed passes 0."""
    law = sb.LaggedStribeck(v_s=0.01, tau_L=0.005)
    times = 1.0 + np.linspace(0, 1, 401)
    friction, _ = at_speed(law, sb.Sine(amplitude=0.03, f=2), np.concatenate([[0.0], times]))
    phase, gain = lagging(4 * pi, 0.005)
    w, v = gain * 0.03 * np.sin(4 * pi * times - phase), np.sin(4 * pi * times)
    moving = np.abs(v) > 1e-6
    exact = np.sign(v) * (1 + 0.5 * np.exp(-((w / 0.01) ** 2)))
    np.testing.assert_allclose(friction[1:][moving], exact[moving], atol=CLOSE)


# --- the seven-parameter model --------------------------------------------------------------------------------------


def test_seven_parameters_on_the_rig():
    """All seven at work: presliding, break-away after different times at rest, the lag, and capture where it stops."""
    sigma0, sigma1, mu_v, v_s, tau, rise = 1e3, 40.0, 0.1, 0.05, 0.02, 1.5
    law = sb.SevenParameter(sigma0=sigma0, sigma1=sigma1, mu_c=1, mu_s=1.5, v_s=v_s, mu_v=mu_v, tau_L=tau, t_rise=rise)

    def part(y):
        return y[5] + (0.5 - y[5]) * y[4] / (y[4] + rise)

    def pull(t, y):
        return STIFFNESS * (PULL * t - y[0])

    def lag(y):
        return [y[3] / tau, 3 * (y[1] - y[2] - y[3]) / tau]

    def stuck(t, y):
        return [y[1], pull(t, y) - sigma0 * y[6] - sigma1 * y[1], *lag(y), 1.0, 0.0, y[1]]

    def sliding(way):
        def rates(t, y):
            friction = way * (1 + part(y) / (1 + (y[2] / v_s) ** 2)) + mu_v * y[1]
            return [y[1], pull(t, y) - friction, *lag(y), 0.0, 0.0, 0.0]

        return rates

    def caught(way):
        def follow(t, y):
            arrival = part(y) / (1 + (y[2] / v_s) ** 2)
            return 0, [y[0], 0.0, y[2], y[3], 0.0, arrival, way * (1 + arrival) / sigma0 * (1 - 1e-12)]

        return follow

    modes = {
        0: (
            stuck,
            [
                (lambda t, y: 1 + part(y) - sigma0 * y[6], lambda t, y: (1, y)),
                (lambda t, y: 1 + part(y) + sigma0 * y[6], lambda t, y: (-1, y)),
            ],
        ),
        1: (sliding(1), [(lambda t, y: y[1], caught(1))]),
        -1: (sliding(-1), [(lambda t, y: -y[1], caught(-1))]),
    }
    times = np.linspace(0, 20, 201)
    exact = solve(modes, 0, [0.0] * 7, times)
    result = towed(law, times)
    np.testing.assert_allclose(result["body.s"], exact[:, 0], atol=CLOSE)
    assert len(set(np.round(exact[:, 5], 6))) > 1  # it has stopped more than once


def test_seven_parameters_in_presliding_and_sliding():
    """Below break-away a spring; under a sine of speed the curve of the lagging speed."""
    law = sb.SevenParameter(sigma1=0)
    friction, way = at_speed(law, sb.Sine(amplitude=2e-5, f=1), np.linspace(0, 1, 101))
    np.testing.assert_allclose(friction, 1e5 * way, atol=CLOSE)
    times = 0.2 + np.linspace(0, 0.2, 201)
    course = sb.Sine(amplitude=4e-4, f=10, offset=1e-3)
    friction, _ = at_speed(law, course, np.concatenate([[0.0], times]))
    phase, gain = lagging(20 * pi, 0.005)
    w = 1e-3 + gain * 4e-4 * np.sin(20 * pi * times - phase)
    np.testing.assert_allclose(friction[1:], 1 + 0.5 / (1 + (w / 1e-3) ** 2), atol=CLOSE)


# --- fixed steps, linearisation, comparison -------------------------------------------------------------------------

EVERY = [
    sb.ResetIntegrator,
    sb.BlimanSorine,
    sb.BoucWen,
    sb.RisingStribeck,
    sb.KatoStribeck,
    sb.LaggedStribeck,
    sb.SevenParameter,
]


@pytest.mark.parametrize("law", EVERY, ids=lambda law: law.__name__)
def test_at_a_fixed_step_of_1_ms(law):
    """Stable at the default stiffness of 1e5 N/m, and near the adaptive run: 1 % of the travel of a slip."""
    model = sb.load_model("stick-slip")
    friction = model.elements["friction"]
    model.elements["friction"] = friction.replace(law=law().adopt(friction.law))
    exact = sb.simulate(model, times=[0.0, 6.0])
    plant = sb.realtime(model, 1e-3)
    for _ in range(6000):
        plant.step()
    assert float(plant["mass.phi"]) == pytest.approx(float(exact["mass.phi"][-1]), abs=0.01)


@pytest.mark.parametrize("law", EVERY, ids=lambda law: law.__name__)
def test_linearised_in_sliding(law):
    """Above the Stribeck speed friction is constant, so the spring mode is that of the machine, sqrt(c/m)."""
    model = sb.Model("slide", t_end=1)
    model.add("drive", sb.Speed(v=PULL))
    model.add("body", sb.Mass(m=1, v0=PULL))
    model.add("spring", sb.Spring("drive", "body", c=STIFFNESS))
    model.add("guide", sb.Guide("body", law=law()))
    values = np.linalg.eigvals(sb.analysis.linearize(model, at=0.0).A)
    slow = values[np.abs(values.imag) > 0.1]
    nearest = slow[np.argmin(np.abs(slow - 1j * STIFFNESS**0.5))]
    assert nearest == pytest.approx(1j * STIFFNESS**0.5, abs=2e-3)
