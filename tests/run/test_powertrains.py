"""The powertrains of bataus2011 with 2, 3 and 4 degrees of freedom against equations written here.

Golden values of powertrain-3 are in test_golden.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from support.powertrains import CLUTCHES, powertrain

import stribeck as sb

T, J1, W1 = 60.0, 0.2, 100.0
"""Torque, inertia and first speed of the engine."""
KINETIC, STATIC = 250.0, 300.0
"""What the clutch slides with and what it holds, when closed."""
LAUNCH = (0.2, 1.5)
"""Start and duration of the ramp."""


def pressed(t: float) -> float:
    return min(max((t - LAUNCH[0]) / LAUNCH[1], 0.0), 1.0)


# --- 2 degrees of freedom: closed form -------------------------------------------------------------------------------


def driven(J: float, b: float, w: float, torque: float, slope: float, t: float) -> float:
    """J w' = torque + slope t - b w: a straight line and a decay."""
    if b == 0:
        return w + (torque * t + slope * t * t / 2) / J
    line = (torque - slope * J / b) / b
    return float(line + slope * t / b + (w - line) * np.exp(-b * t / J))


@pytest.mark.parametrize(("b1", "b2"), [(0.0, 0.0), (0.07, 0.04)], ids=["undamped", "damped"])
def test_launch_with_a_rigid_shaft(b1: float, b2: float) -> None:
    """Table 1 of the paper, with the powers that its misprints hide: (b1 + b2) times w while it sticks."""
    J2, start = 0.7, driven(J1, b1, W1, T, 0.0, LAUNCH[0])
    slope = KINETIC / LAUNCH[1]

    def speeds(t: float) -> tuple[float, float]:
        since = t - LAUNCH[0]
        return driven(J1, b1, start, T, -slope, since), driven(J2, b2, 0.0, 0.0, slope, since)

    lock = brentq(lambda t: speeds(t)[0] - speeds(t)[1], 0.5, 1.7, xtol=1e-14)
    end = driven(J1 + J2, b1 + b2, speeds(lock)[0], T, 0.0, 4.0 - lock)
    result = sb.simulate(powertrain(2, b1=b1, b2=b2), tolerance=1e-11)
    found = [(event.time, event.to) for event in result.events]
    assert [to for _, to in found] == ["Backward", "Stuck"]
    assert [time for time, _ in found] == pytest.approx([LAUNCH[0], lock], abs=1e-11)
    assert [result[name][-1] for name in ("engine.w", "car.w")] == pytest.approx([end, end], rel=1e-11)
    # what it holds: Tc = (I2 T1 + I1 T2 - (I2 b1 - I1 b2) w)/(I1 + I2), here with T2 = 0
    w = np.asarray(result["engine.w"])[3000:]
    held = (J2 * T - (J2 * b1 - J1 * b2) * w) / (J1 + J2)
    assert -np.asarray(result["clutch.tau"])[3000:] == pytest.approx(held, rel=1e-11)


def test_breaks_away_where_the_static_torque_ends() -> None:
    """The lock-up command opens within 2.5 to 2.55 s: the torque that it holds is 7/9 of 60 N.m."""
    result = sb.simulate(powertrain(2, "lockup"))
    away = next(event for event in result.events if event.from_ == "Stuck")
    assert away.time == pytest.approx(2.5 + 0.05 * (1 - 7 / 9 * T / STATIC), abs=1e-12)


# --- 3 and 4 degrees of freedom: SciPy -------------------------------------------------------------------------------

CHAINS = {
    3: ([0.05, 0.65], [(60.0, 0.0)], "gearbox", ["gearbox.w", "car.w"]),
    4: ([0.01, 0.04, 0.65], [(1300.0, 0.3), (60.0, 0.0)], "disc", ["disc.w", "gearbox.w", "car.w"]),
}
"""Inertias behind the clutch, springs and dampers between them, what is behind the clutch, and all speeds."""


class Chain:
    """Speeds of the engine and of all behind the clutch, then twists of the shafts; slipping or stuck."""

    def __init__(self, n: int, b1: float, b2: float) -> None:
        self.J, self.shafts, _, _ = CHAINS[n]
        self.b1, self.b2, self.damped = b1, b2, n - 3
        self.n = len(self.J)

    def rates(self, t: float, x: np.ndarray, stuck: bool) -> np.ndarray:
        w, twists = x[1 : self.n + 1], x[self.n + 1 :]
        torque = np.zeros(self.n)
        torque[self.damped] -= self.b2 * w[self.damped]
        for i, (c, d) in enumerate(self.shafts):
            pull = c * twists[i] + d * (w[i + 1] - w[i])
            torque[i] += pull
            torque[i + 1] -= pull
        engine, J = T - self.b1 * x[0], np.array(self.J)
        clutch = (engine * J[0] - torque[0] * J1) / (J1 + J[0]) if stuck else KINETIC * pressed(t)
        torque[0] += clutch
        return np.array([(engine - clutch) / J1, *(torque / J), *np.diff(w)])

    def run(self) -> tuple[float, np.ndarray]:
        """When the clutch sticks, and all at 4 s; the command stops growing after it has stuck."""
        x, t = np.array([W1] + [0.0] * (2 * self.n - 1)), 0.0
        meet = lambda t, x, stuck: x[0] - x[1]  # noqa: E731
        meet.terminal = True
        for end, stuck in ((LAUNCH[0], False), (1.7, False), (4.0, True)):
            done = solve_ivp(
                self.rates, (t, end), x, "DOP853", rtol=1e-12, atol=1e-12, args=(stuck,), events=None if stuck else meet
            )
            if done.status == 1:
                lock = float(done.t[-1])
            t, x = float(done.t[-1]), done.y[:, -1]
        return lock, x


@pytest.mark.parametrize(("b1", "b2"), [(0.0, 0.0), (0.07, 0.04)], ids=["undamped", "damped"])
@pytest.mark.parametrize("n", CHAINS)
def test_launch_with_elastic_shafts(n: int, b1: float, b2: float) -> None:
    lock, x = Chain(n, b1, b2).run()
    result = sb.simulate(powertrain(n, b1=b1, b2=b2), tolerance=1e-11)
    assert [event.to for event in result.events] == ["Backward", "Stuck"]
    assert result.events[-1].time == pytest.approx(lock, abs=1e-10)
    speeds = ["engine.w", *CHAINS[n][3]]
    assert [result[name][-1] for name in speeds] == pytest.approx(list(x[: len(speeds)]), rel=1e-9)
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput


# --- every clutch model ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["launch", "lockup"])
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("name", CLUTCHES)
def test_every_clutch_model_keeps_momentum(name: str, n: int, command: str) -> None:
    """Without damping nothing but the engine pushes from outside: J1 w1 + ... = J1 100 + 60 t, whatever the clutch
    does; and it does its work: after 1.3 s the sides differ by no more than a smooth law creeps under 300 N.m."""
    result = sb.simulate(powertrain(n, command, clutch=name), intervals=400)
    J, speeds = (CHAINS[n][0], CHAINS[n][3]) if n > 2 else ([0.7], ["car.w"])
    momentum = sum(j * np.asarray(result[w]) for j, w in zip([J1, *J], ["engine.w", *speeds], strict=True))
    assert momentum == pytest.approx(J1 * W1 + T * result.time, abs=1e-9)
    slip = np.abs(np.asarray(result["clutch.w_rel"]))[(result.time > 1.3) & (result.time < 2.4)]
    assert slip.max() < 4
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput
