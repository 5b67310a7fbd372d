"""Signals that read the machine: controllers in closed loop against closed forms, discrete loops and SciPy.

Loops with jumps (relay, quantiser, sample-and-hold, saturation) move on arcs that are known exactly, so that times and
states are compared to what the tolerance gives; where SciPy is the other side it integrates at 1e-12.
"""

from __future__ import annotations

from math import acos, exp, factorial, log, pi, sin, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.signal
from scipy.linalg import expm
from support.reference.automaton import in_pieces

import stribeck as sb

TOLERANCE = 1e-10
CLOSE = 1e-8


def driven(force: Any, m: float = 1.0, c: float = 0.0, d: float = 0.0, s0: float = 0.0, v0: float = 0.0) -> sb.Model:
    """A mass on spring and damper that a force drives; `force` may be a function of the mass."""
    model = sb.Model("driven")
    mass = model.add("mass", sb.Mass(m=m, s0=s0, v0=v0))
    if c:
        model.add("spring", sb.Spring(mass, c=c))
    if d:
        model.add("damper", sb.Damper(mass, d=d))
    model.add("motor", sb.Force(mass, f=force(mass) if callable(force) else force))
    return model


def traces(model: sb.Model, times: np.ndarray, *names: str) -> list[np.ndarray]:
    result = sb.simulate(model, times=times, tolerance=TOLERANCE)
    return [np.asarray(result[name]) for name in names]


# --- smooth controllers -----------------------------------------------------------------------------------------------


def test_chirp_response() -> None:
    """Mass, spring and damper under a force that sweeps through their resonance at 0.5 Hz."""
    times, (f0, f1, duration) = np.linspace(0, 12, 601), (0.1, 1.5, 10.0)

    def force(t: float) -> float:
        swept = min(t, duration)
        phase = f0 * swept + (f1 - f0) * swept**2 / (2 * duration) + f1 * (t - swept)
        return 2.0 * sin(2 * pi * phase)

    expected = in_pieces(
        lambda t, y, signs: [y[1], force(t) - pi**2 * y[0] - 0.3 * y[1]],
        lambda t, y: [duration - t],
        [0.0, 0.0],
        times,
    )
    model = driven(sb.Chirp(amplitude=2.0, f0=f0, f1=f1, duration=duration), c=pi**2, d=0.3)
    s, v = traces(model, times, "mass.s", "mass.v")
    assert s == pytest.approx(expected[0], rel=0, abs=CLOSE)
    assert v == pytest.approx(expected[1], rel=0, abs=CLOSE)


A = [[0.0, 1.0, 0.0], [-4.0, -0.8, 1.0], [0.0, -2.0, -3.0]]
B, C, D = [0.0, 1.0, 2.0], [1.0, 0.5, -1.0], 0.2


def test_state_space_against_lsim() -> None:
    """Open loop: what a linear system makes of a ramp, which lsim interpolates exactly."""
    times = np.linspace(0, 8, 401)
    _, expected, _ = scipy.signal.lsim((A, np.array([B]).T, np.array([C]), D), 0.5 * times, times)
    ramp = sb.Ramp(height=4.0, duration=8.0)
    (found,) = traces(driven(sb.StateSpace(ramp, A, B, C, D)), times, "motor.f")
    assert found == pytest.approx(expected, rel=0, abs=CLOSE)


def test_transfer_function_in_feedback() -> None:
    """A lead compensator holds a mass: the closed loop is linear, so its motion is a matrix exponential."""
    times = np.linspace(0, 6, 301)
    # f = -20 (s + 1)/(s + 8) x = -20 x + 140 w with w' = -8 w + x
    closed = np.array([[0.0, 1.0, 0.0], [-20.0, 0.0, 140.0], [1.0, 0.0, -8.0]])
    expected = np.array([expm(closed * t) @ [0.1, 0.0, 0.0] for t in times]).T
    force = lambda mass: -sb.TransferFunction(mass.sensor("s"), [20.0, 20.0], [1.0, 8.0])  # noqa: E731
    s, v = traces(driven(force, s0=0.1), times, "mass.s", "mass.v")
    assert s == pytest.approx(expected[0], rel=0, abs=CLOSE)
    assert v == pytest.approx(expected[1], rel=0, abs=CLOSE)


def test_delayed_feedback_by_the_method_of_steps() -> None:
    """v' = -k v(t - T) from v = 1: the sum over n of (-k (t - (n - 1) T))^n / n! for the n with t > (n - 1) T."""
    k, delay, times = 1.2, 0.5, np.linspace(0, 4, 401)
    expected = [
        sum((-k * (t - (n - 1) * delay)) ** n / factorial(n) if n else 1.0 for n in range(int(t / delay + 1e-9) + 2))
        for t in times
    ]
    model = driven(lambda mass: -k * sb.Delay(mass.sensor("v"), delay), v0=1.0)
    (v,) = traces(model, times, "mass.v")
    assert v == pytest.approx(np.array(expected), rel=0, abs=1e-7)


LIMITED = {"Kp": 8.0, "Ki": 6.0, "Kd": 2.0, "T_f": 0.05, "low": -1.0, "high": 1.5, "T_t": 0.4}


def test_limited_pid_with_anti_windup() -> None:
    """A step that drives the controller into its limits: u = clip(Kp e + I + D), I' = Ki e + (u - v)/T_t."""
    p, target, times = SimpleNamespace(**LIMITED), 1.0, np.linspace(0, 8, 401)

    def output(y: Any) -> float:
        """Before the limits; y: position, speed, integral part, filtered measurement."""
        return p.Kp * (target - y[0]) + y[2] + p.Kd * (y[3] - y[0]) / p.T_f

    def rates(t: float, y: Any, signs: Any) -> list[float]:
        wanted = output(y)
        u = p.high if signs[0] < 0 else p.low if signs[1] < 0 else wanted
        return [y[1], u - 0.2 * y[1], p.Ki * (target - y[0]) + (u - wanted) / p.T_t, (y[0] - y[3]) / p.T_f]

    expected = in_pieces(rates, lambda t, y: [p.high - output(y), output(y) - p.low], [0.0] * 4, times)
    model = driven(lambda mass: sb.PID(target, mass.sensor("s"), **LIMITED), d=0.2)
    s, v, f = traces(model, times, "mass.s", "mass.v", "motor.f")
    assert f.max() == p.high
    assert f.min() == p.low
    assert s == pytest.approx(expected[0], rel=0, abs=CLOSE)
    assert v == pytest.approx(expected[1], rel=0, abs=CLOSE)


def test_pid_by_its_parts() -> None:
    """Without limits the controller is the sum of what it is made of."""
    gains = {"Kp": 8.0, "Ki": 6.0, "Kd": 2.0, "T_f": 0.05}

    def parts(mass: Any) -> Any:
        error = 1.0 - mass.sensor("s")
        return 8.0 * error + 6.0 * sb.Integral(error) + 2.0 * sb.Derivative(error, T=0.05)

    times = np.linspace(0, 5, 101)
    (one,) = traces(driven(lambda mass: sb.PID(1.0, mass.sensor("s"), **gains)), times, "mass.s")
    (two,) = traces(driven(parts), times, "mass.s")
    assert one == pytest.approx(two, rel=0, abs=CLOSE)


# --- loops with jumps and corners -------------------------------------------------------------------------------------


def test_relay_limit_cycle() -> None:
    """A relay with hysteresis h drives m v' = u - d v with u = +-U: v swings between the two in
    2 (m/d) ln((U/d + h)/(U/d - h))."""
    m, d, drive, h = 2.0, 0.5, 1.5, 0.4
    period = 2 * m / d * log((drive / d + h) / (drive / d - h))
    force = lambda mass: sb.Relay(mass.sensor("v"), low=-h, high=h, off=drive, on=-drive)  # noqa: E731
    result = sb.simulate(driven(force, m=m, d=d), t_end=20.0, intervals=8000, tolerance=TOLERANCE)
    rising = result.crossings("mass.v", 0.0, direction=+1)
    assert np.diff(rising[1:]) == pytest.approx(period, rel=0, abs=CLOSE)
    assert result.extremes["mass.v"]["max"] == pytest.approx(h, rel=0, abs=CLOSE)
    assert result.extremes["mass.v"]["min"] == pytest.approx(-h, rel=0, abs=CLOSE)


def test_saturated_feedback() -> None:
    """f = -k x, but not beyond +-F: parabolas where it is saturated, arcs of a circle with sqrt(k/m) where not."""
    k, limit, m, s0 = 9.0, 1.0, 1.0, 1.0
    w, edge, a = sqrt(k / m), limit / k, limit / m
    t_edge = sqrt(2 * (s0 - edge) / a)
    v_edge = -a * t_edge
    reach = sqrt(edge**2 + (v_edge / w) ** 2)
    across = 2 * (pi / 2 - acos(edge / reach))
    quarter = t_edge + across / w / 2
    force = lambda mass: sb.Saturation(-k * mass.sensor("s"), low=-limit, high=limit)  # noqa: E731
    result = sb.simulate(driven(force, m=m, s0=s0), t_end=6 * quarter, intervals=3000, tolerance=TOLERANCE)
    zeros = result.crossings("mass.s", 0.0)
    assert zeros == pytest.approx(quarter * np.array([1, 3, 5]), rel=0, abs=CLOSE)
    assert result.extremes["mass.v"]["min"] == pytest.approx(-w * reach, rel=0, abs=CLOSE)


def test_quantised_position_feedback() -> None:
    """f = -k times the position as an encoder sees it: between its marks the force is constant."""
    k, mark, s0 = 4.0, 0.25, 1.1
    x, v, t, events = s0, 0.0, 0.0, []
    cell = int(np.floor(x / mark))
    while t < 6.0:
        a = -k * mark * cell
        times = []
        for border in (cell * mark, (cell + 1) * mark):
            root = v * v - 2 * a * (x - border)
            if a == 0:
                times += [(border - x) / v] if v else []
            elif root >= 0:
                times += [(-v + sign * sqrt(root)) / a for sign in (1, -1)]
        step = min(step for step in times if step > 1e-9)
        x, v, t = x + v * step + a * step**2 / 2, v + a * step, t + step
        cell += 1 if v > 0 else -1
        events.append((t, x, v))
    until = np.array(events[:-1])
    model = driven(lambda mass: -k * sb.Quantiser(mass.sensor("s"), step=mark, mode="floor"), s0=s0)
    s, v_found = traces(model, np.array([0.0, *until[:, 0]]), "mass.s", "mass.v")
    assert s[1:] == pytest.approx(until[:, 1], rel=0, abs=CLOSE)
    assert v_found[1:] == pytest.approx(until[:, 2], rel=0, abs=CLOSE)


def test_sampled_controller_against_a_discrete_loop() -> None:
    """A PD controller that reads and writes every 50 ms: between samples the mass moves on a parabola."""
    kp, kd, period, n = 6.0, 2.0, 0.05, 120
    x, v, expected = 1.0, 0.0, []
    for _ in range(n):
        expected.append((x, v))
        a = -kp * x - kd * v
        x, v = x + v * period + a * period**2 / 2, v + a * period
    model = driven(lambda mass: sb.SampleHold(-kp * mass.sensor("s") - kd * mass.sensor("v"), period=period), s0=1.0)
    times = period * np.arange(n)
    s, v_found = traces(model, times, "mass.s", "mass.v")
    assert s == pytest.approx(np.array(expected)[:, 0], rel=0, abs=CLOSE)
    assert v_found == pytest.approx(np.array(expected)[:, 1], rel=0, abs=CLOSE)


def test_discrete_state_space_against_a_discrete_loop() -> None:
    """A discrete integral controller x[k+1] = x[k] + 0.05 e[k], u[k] = 3 x[k] + 4 e[k] on a mass with a damper."""
    period, n, d = 0.05, 160, 1.5
    decay = exp(-d * period)
    s = v = x = 0.0
    expected = []
    for _ in range(n):
        expected.append((s, v))
        error = 1.0 - s
        u = 3.0 * x + 4.0 * error
        x += 0.05 * error
        s, v = s + u / d * period + (v - u / d) * (1 - decay) / d, u / d + (v - u / d) * decay
    control = {"A": [[1.0]], "B": [0.05], "C": [3.0], "D": 4.0, "dt": period}
    model = driven(lambda mass: sb.StateSpace(1.0 - mass.sensor("s"), **control), d=d)
    found = traces(model, period * np.arange(n), "mass.s", "mass.v")
    assert np.abs(np.array(found).T - expected).max() < CLOSE


def test_dead_zone_in_feedback() -> None:
    """A mass between two springs with play: it flies freely over 2 s_0 and turns in half a period of the springs."""
    c, play, v0 = 25.0, 0.3, 0.8
    half = 2 * play / v0 + pi / sqrt(c)
    force = lambda mass: -c * sb.DeadZone(mass.sensor("s"), low=-play, high=play)  # noqa: E731
    result = sb.simulate(driven(force, v0=v0), t_end=3.9 * half, intervals=4000, tolerance=TOLERANCE)
    assert result.crossings("mass.s", 0.0)[-3:] == pytest.approx(half * np.array([1, 2, 3]), rel=0, abs=CLOSE)
    assert result.extremes["mass.s"]["max"] == pytest.approx(play + v0 / sqrt(c), rel=0, abs=CLOSE)


def test_two_point_control_by_comparison() -> None:
    """Where(v < 1, 2, -1) chatters at its threshold unless something gives it a hysteresis: a delay does.

    v rises with 2 until T after it has passed 1, and falls with 1 until T after that: a period of T (1 + 2 + 1 + 1/2).
    """
    delay = 0.1
    force = lambda mass: sb.Where(sb.Delay(mass.sensor("v"), delay) < 1.0, 2.0, -1.0)  # noqa: E731
    result = sb.simulate(driven(force), t_end=4.0, intervals=4000, tolerance=TOLERANCE)
    passes = result.crossings("mass.v", 1.0, direction=+1)
    assert passes[0] == pytest.approx(0.5, rel=0, abs=CLOSE)
    assert np.diff(passes) == pytest.approx(4.5 * delay, rel=0, abs=1e-7)


@pytest.mark.parametrize("kind", ["array", "file"])
def test_recorded_samples_are_held(kind: str, tmp_path: Path) -> None:
    """A force of measured samples, each held until the next: the speed is the sum of what they did."""
    times, values = np.arange(8) * 0.25, np.array([1.0, -2.0, 0.5, 0.0, 3.0, -1.0, -1.0, 2.0])
    np.savetxt(tmp_path / "force.csv", np.column_stack([times, values]), delimiter=",", header="t,f", comments="")
    recorded = {
        "array": lambda: sb.Table(time=times.tolist(), value=values.tolist(), between="hold"),
        "file": lambda: sb.Recording(str(tmp_path / "force.csv"), between="hold"),
    }
    (v,) = traces(driven(recorded[kind]()), times, "mass.v")
    assert v == pytest.approx(np.concatenate([[0.0], np.cumsum(0.25 * values)[:-1]]), rel=0, abs=CLOSE)


# --- energy -----------------------------------------------------------------------------------------------------------


CONTROLLED = {
    "limited PID": lambda mass: sb.PID(1.0, mass.sensor("s"), **LIMITED),
    "sampled PD": lambda mass: sb.SampleHold(-6.0 * mass.sensor("s") - 2.0 * mass.sensor("v"), period=0.05),
    "quantised": lambda mass: -4.0 * sb.Quantiser(mass.sensor("s"), step=0.25),
    "relay": lambda mass: sb.Relay(mass.sensor("v"), low=-0.4, high=0.4, off=1.5, on=-1.5),
    "delayed": lambda mass: -1.2 * sb.Delay(mass.sensor("v"), 0.3) + sb.Sine(amplitude=2.0, f=0.7),
    "transfer function": lambda mass: -sb.TransferFunction(mass.sensor("s"), [20.0, 20.0], [1.0, 8.0]),
}


@pytest.mark.parametrize("law", ["LuGre", "Switch"])
@pytest.mark.parametrize("control", CONTROLLED)
def test_energy_is_accounted_for(control: str, law: str) -> None:
    """What the controller delivers is stored or lost: the ledger closes to rounding, its numerical part is small."""
    model = driven(CONTROLLED[control], s0=0.5, v0=1.0)
    laws = {
        "LuGre": sb.LuGre(sigma0=1e3, sigma1=30.0, sigma2=0.2, mu_c=0.3, mu_s=0.4, v_s=0.01),
        "Switch": sb.Switch(mu_c=0.3, mu_s=0.4),
    }
    model.add("friction", sb.Guide("mass", law=laws[law]))
    energy = sb.simulate(model, t_end=6.0, tolerance=1e-8).energy
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-6 * energy.throughput
