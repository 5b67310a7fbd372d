"""Shipped drivelines against separate solutions: closed forms, golden values, equations written here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb

# --- gearbox ---------------------------------------------------------------------------------------------------------

# Computed for these tests from the equations of the Simpson set over (engine, sun, load), by integration between events
# with two methods (DOP853 and Radau at 1e-12), which agree to 12 digits; the speed at the end was confirmed to 9 digits
# by time stepping with Richardson extrapolation.
GEARBOX_EVENTS = [
    (0.03542042005283, "C1", "Stuck"),
    (0.06779713504473, "B1", "Stuck"),
    (1.55672797529564, "C1", "Backward"),
    (1.59214400401484, "B2", "Stuck"),
    (1.64633508127194, "C1", "Stuck"),
    (2.81623066061407, "C1", "Backward"),
    (2.83350848583640, "C2", "Stuck"),
    (2.83893527523905, "C1", "Stuck"),
]
GEARBOX_END = 9.566819596839
GEARBOX_PEAKS = {"C1": 5.0, "C2": 4.17542429182, "B1": 3.38985675224, "B2": 4.60720020074}


@pytest.mark.parametrize(("tolerance", "limit"), [(1e-7, 1e-7), (1e-12, 1e-11)], ids=["default", "tight"])
def test_gearbox_meets_its_golden_values(tolerance: float, limit: float) -> None:
    result = sb.simulate(sb.load_model("gearbox"), tolerance=tolerance)
    found = [(e.time, e.element, e.to) for e in result.events if e.to != "Free" and 0.01 < e.time not in (1.5, 2.75)]
    assert [event[1:] for event in found] == [event[1:] for event in GEARBOX_EVENTS]
    assert [event[0] for event in found] == pytest.approx([event[0] for event in GEARBOX_EVENTS], abs=limit)
    assert result["load.w"][-1] == pytest.approx(GEARBOX_END, abs=10 * limit)
    for name, peak in GEARBOX_PEAKS.items():
        extremes = result.extremes[f"{name}.tau"]
        assert max(-extremes["min"], extremes["max"]) == pytest.approx(peak, abs=10 * limit)
    assert result.extremes["load.a"]["max"] == pytest.approx(7.73621279215, abs=100 * limit)
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput


def test_gears_have_their_ratios() -> None:
    result = sb.simulate(sb.load_model("gearbox"))
    for time, ratio in ((1.0, 5.4 / 2.2), (2.5, 3.2 / 2.2), (3.9, 1.0)):
        assert result.at(time, "engine.w") == pytest.approx(ratio * result.at(time, "load.w"), rel=1e-12)


GEARS_OF_SET = [  # time, then speeds of engine with ring1, sun and carrier2 for a load that turns with 1 rad/s
    (1.0, 5.4 / 2.2, -2.2, 0.0),
    (2.5, 3.2 / 2.2, 0.0, 2.2 / 3.2),
    (3.9, 1.0, 1.0, 1.0),
]


@pytest.mark.parametrize(("time", "engine", "sun", "carrier2"), GEARS_OF_SET, ids=["first", "second", "third"])
def test_a_gear_is_one_inertia(time: float, engine: float, sun: float, carrier2: float) -> None:
    """With two elements stuck one speed is left: J w' = i T - d w, J the sum of all inertias times speed squared."""
    linear = sb.load_model("gearbox").linearize(at=time, inputs=["motor"], outputs=["load.w", "engine.w", "load.a"])
    J = 1.0 + 0.105 * engine**2 + 0.005 * (sun**2 + carrier2**2)
    s = 2j * np.pi * 0.1
    load = engine / (J * s + 0.05)
    assert linear.frequency_response(0.1)[0, :, 0] == pytest.approx([load, engine * load, s * load], rel=1e-7)
    assert sum(mode == "Stuck" for mode in linear.contacts.values()) == 2
    assert [mode.eigenvalue for mode in linear.modes()][-1] == pytest.approx(-0.05 / J, rel=1e-9)


# --- clutch-judder ---------------------------------------------------------------------------------------------------


def test_judder_grows_as_the_linear_model_says() -> None:
    """While the clutch slips on the straight part of its curve the machine is linear, x' = A x + b. Its rates then
    fulfil (x')' = A x' exactly, so that the part of x' along an eigenvalue grows as exp(eigenvalue t)."""
    m = sb.load_model("clutch-judder")
    linear = m.linearize(at=0.5)
    slope, J, c, d, vehicle = 0.001 * 600 * 0.24, 0.01, 30.0, 0.05, 0.643
    A = np.array([[(slope - d) / J, d / J, c / J], [d / vehicle, -d / vehicle, -c / vehicle], [-1.0, 1.0, 0.0]])
    expected = max(np.linalg.eigvals(A), key=lambda value: value.imag)
    assert linear.modes()[-1].eigenvalue == pytest.approx(expected, rel=1e-8)

    times = np.linspace(0.35, 0.8, 46)
    result = sb.simulate(m, times=np.array([0.0, *times]), tolerance=1e-11)
    assert not len(result.events)
    rates = np.stack([np.asarray(result[name])[1:] for name in ("disc.a", "vehicle.a", "shaft.w_rel")])
    values, left = np.linalg.eig(A.T)
    swing = left[:, np.argmax(values.imag)] @ rates
    growth = np.diff(np.log(swing)) / np.diff(times)
    assert growth.real == pytest.approx(np.full(45, expected.real), rel=1e-6)
    assert np.diff(np.unwrap(np.angle(swing))) / np.diff(times) == pytest.approx(np.full(45, expected.imag), rel=1e-7)
    assert expected.real > 3
    assert expected.imag / (2 * np.pi) == pytest.approx(8.8, abs=0.1)


# --- dual-clutch-launch ----------------------------------------------------------------------------------------------

PEDAL = ([0, 0.3, 3.2, 3.3, 3.6, 3.8], [0.2, 0.5, 0.5, 0.3, 0.3, 0.5])
K1 = ([0, 0.3, 1.2, 2.0, 2.5, 2.9, 3.0, 3.3], [0, 0.25, 0.4, 0.4, 1, 1, 0.35, 0])
K2 = ([0, 3.0, 3.3, 4.2, 4.6], [0, 0, 0.38, 0.38, 1])
BREAKS = sorted({*PEDAL[0], *K1[0], *K2[0], 6.0})
SPEEDS, DRAG, FULL = [0, 150, 300, 450, 600], [0, -15, -20, -25, -30], [60, 160, 190, 200, 170]
GEARS = {"K1": 13.5, "K2": 8.0}
CRANK, OUTPUT, MASS, RADIUS, ROLL = 0.15, 1.2, 1500.0, 0.31, 0.011 * 1500 * 9.80665
IDLE = 800 * np.pi / 30


def engine(t: float, w: float) -> float:
    throttle = np.clip(max(np.interp(t, *PEDAL), (IDLE - w) / 10), 0, 1)
    return float((1 - throttle) * np.interp(w, SPEEDS, DRAG) + throttle * np.interp(w, SPEEDS, FULL))


def capacity(t: float, table: tuple, slip: float) -> float:
    return float(12e3 * 0.15 * np.interp(t, *table) * np.interp(abs(slip), [0, 50, 500], [0.11, 0.12, 0.13]))


class Launch:
    """Crank, output, twist of the halfshaft and car; modes: sign of the torque of a sliding clutch, "stuck" or 0."""

    def __init__(self, k1: float | str, k2: float | str, car: str = "rolls") -> None:
        self.modes, self.car = {"K1": k1, "K2": k2}, car

    def solve(self, t: float, x: np.ndarray) -> tuple[np.ndarray, float]:
        """Rates, and the torque of the stuck clutch from the crank to its gear."""
        crank, output, twist, v = x
        shaft = 8000 * twist + 120 * (output - v / RADIUS)
        pull, back, held = engine(t, crank), -shaft, 0.0
        for name, table in (("K1", K1), ("K2", K2)):
            mode, ratio = self.modes[name], GEARS[name]
            if mode != "stuck":
                torque = float(mode) * capacity(t, table, crank - ratio * output)
                pull, back = pull - torque, back + ratio * torque
        for name, ratio in GEARS.items():
            if self.modes[name] == "stuck":  # crank and gear have one acceleration
                held = (pull / CRANK - ratio * back / OUTPUT) / (1 / CRANK + ratio**2 / OUTPUT)
                pull, back = pull - held, back + ratio * held
        push = shaft / RADIUS - ROLL - 0.5 * 1.2 * 0.3 * 2.2 * v * v
        accel = push / MASS if self.car == "rolls" else 0.0
        return np.array([pull / CRANK, back / OUTPUT, output - v / RADIUS, accel]), held

    def run(self, t: float, x: np.ndarray, end: float | Callable) -> tuple[float, np.ndarray]:
        """Up to a time, or until a function of the solver is 0; from one kink of the commands to the next."""
        event = None if isinstance(end, float) else lambda now, y: end(self, now, y)
        if event is not None:
            event.terminal = True
        for stop in (b for b in BREAKS if b > t and (event is not None or b <= end)):
            done = solve_ivp(
                lambda now, y: self.solve(now, y)[0], (t, stop), x, "DOP853", rtol=1e-11, atol=1e-12, events=event
            )
            t, x = float(done.t[-1]), done.y[:, -1]
            if done.status == 1:
                break
        return t, x


def test_dual_clutch_launch_against_its_equations() -> None:
    """Phase by phase with SciPy: where each one ends, and the speeds at the end."""
    phases = [
        ((1, 0, "at rest"), lambda p, t, x: 8000 * x[2] + 120 * x[1] - ROLL * RADIUS, ("car", "Forward")),
        ((1, 0), lambda p, t, x: x[0] - GEARS["K1"] * x[1], ("K1", "Stuck")),
        (("stuck", 0), 3.0, ("K2", "Backward")),
        (("stuck", 1), lambda p, t, x: p.solve(t, x)[1] + 1.05 * capacity(t, K1, 0.0), ("K1", "Forward")),
        ((-1, 1), 3.3, ("K1", "Free")),
        ((0, 1), lambda p, t, x: x[0] - GEARS["K2"] * x[1], ("K2", "Stuck")),
        ((0, "stuck"), 6.0, None),
    ]
    t, x = 0.0, np.array([IDLE, 0.0, 0.0, 0.0])
    expected = []
    for modes, end, event in phases:
        t, x = Launch(*modes).run(t, x, end)
        expected += [(t, *event)] if event else []

    result = sb.simulate(sb.load_model("dual-clutch-launch"), tolerance=1e-10)
    found = [(e.time, e.element, e.to) for e in result.events]
    assert [event[1:] for event in found] == [event[1:] for event in expected]
    # kinks of the engine's map are stepped over by SciPy: 1e-7 where its tolerance is 1e-11
    assert [event[0] for event in found] == pytest.approx([event[0] for event in expected], abs=1e-7)
    last = [result[name][-1] for name in ("crank.w", "output.w", "car.v")]
    assert last == pytest.approx([x[0], x[1], x[3]], rel=1e-7)
    assert result["car.v"][-1] > 7
    assert abs(result.energy.residual) < 1e-13 * result.energy.throughput


# --- gear-shift ------------------------------------------------------------------------------------------------------


def test_gear_shift_in_first_gear() -> None:
    """The brake holds the ring, engine and load turn as 2.5 to 1: w' = (2.5 T - k w^2)/(10 + 2.5^2), from 0.5 s on; its
    solution is a tanh."""
    result = sb.simulate(sb.load_model("gear-shift"), tolerance=1e-10)
    T, k, J = 2.5 * 20.0, 20.0 / (100 * np.pi / 30) ** 2, 10 + 2.5**2
    w = np.sqrt(T / k)
    for time in (1.0, 1.9):
        assert result.at(time, "load.w") == pytest.approx(w * np.tanh(np.sqrt(T * k) * (time - 0.5) / J), rel=1e-7)
        assert result.at(time, "engine.w") == pytest.approx(2.5 * result.at(time, "load.w"), rel=1e-12)
    assert [event.to for event in result.events if event.element == "clutch"][-1] == "Stuck"
    assert result["engine.w"][-1] == pytest.approx(result["load.w"][-1], rel=1e-12)
