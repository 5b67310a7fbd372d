"""Between the grid points: accuracy of the interpolant, crossings, corners."""

import numpy as np
import pytest
from scipy.optimize import brentq

from stribeck.results import PiecewiseCubic, ResultError

SINE = np.linspace(0, 10, 101)


def test_a_cubic_is_met_exactly():
    t = np.array([0.0, 0.3, 1.1, 2.0])
    curve = PiecewiseCubic.hermite(t, t**3 - 2 * t, 3 * t**2 - 2, np.empty(0))
    x = np.linspace(0, 2, 37)
    np.testing.assert_allclose(curve(x), x**3 - 2 * x, atol=1e-15)
    np.testing.assert_allclose(curve.crossings(0.0, +1), [np.sqrt(2)], rtol=1e-15)


def test_the_error_falls_with_the_fourth_power_of_the_step():
    x = np.linspace(0, 10, 5003)
    steps = 10 / np.array([50, 100, 200, 400])
    grids = [np.linspace(0, 10, round(10 / h) + 1) for h in steps]
    errors = [np.abs(PiecewiseCubic.hermite(t, np.sin(t), np.cos(t), np.empty(0))(x) - np.sin(x)).max() for t in grids]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert abs(order - 4) < 0.05


@pytest.mark.parametrize(("direction", "expected"), [(0, [1, 2, 3]), (+1, [2]), (-1, [1, 3])])
def test_crossings_by_direction(direction, expected):
    curve = PiecewiseCubic.hermite(SINE, np.sin(SINE), np.cos(SINE), np.empty(0))
    np.testing.assert_allclose(curve.crossings(0.0, direction), np.pi * np.array(expected), atol=3e-7)


def test_two_crossings_inside_one_interval_are_found():
    t = np.array([0.0, 1.0])
    curve = PiecewiseCubic.hermite(t, np.array([-1.0, -1.0]), np.array([5.0, -5.0]), np.empty(0))  # -1 + 5 x (1 - x)
    np.testing.assert_allclose(curve.crossings(0.0), 0.5 + np.array([-1, 1]) * np.sqrt(0.05), rtol=1e-14)
    assert curve.crossings(1.0).size == 0


def test_touching_and_resting_on_the_level_is_not_crossing():
    t = np.arange(7.0)
    touch = PiecewiseCubic.linear(t, np.array([1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]))
    assert touch.crossings(0.0).size == 0
    through = PiecewiseCubic.linear(t, np.array([-1.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]))
    np.testing.assert_array_equal(through.crossings(0.0), [1.0, 5.0])


def test_linear_without_a_slope(result):
    middle = 0.5 * (result["spring.tau"][10] + result["spring.tau"][11])
    assert result.at(0.105, "spring.tau") == pytest.approx(middle, rel=1e-15)


def test_crossing_times_on_a_10_ms_grid(result, exact):
    """h^4 / 384 of the fourth derivative over the slope: about 3e-11 s."""
    rise = brentq(lambda tau: exact.slide(tau)[1] - 0.1, 0.0, 1.0, xtol=1e-15)
    starts = [start for start, _ in exact.held]
    np.testing.assert_allclose(result.crossings("mass.w", 0.1, +1), np.add(starts, rise), rtol=0, atol=1e-10)


def test_corners_at_mode_changes(result, exact):
    t = np.linspace(0, 25, 100_001)
    error = np.abs(result.at(t, "mass.w") - exact.outputs(t)[1])
    assert error.max() < 2e-5  # a cubic over the corner would miss by 1e-3
    assert [result.at(event.time, "mass.w") for event in result.events] == pytest.approx([0.0] * 6, abs=1e-15)


def test_all_outputs_at_once(result, exact):
    values = result.at(8.123456)
    expected = exact.outputs(np.array([8.123456]))[:, 0]
    np.testing.assert_allclose([values[name] for name in result.names], expected, atol=2e-5)
    assert all(type(value) is float for value in values.values())
    assert result["mass.w"].at(8.123456) == values["mass.w"]
    assert result.at([1.0, 8.0], "friction.mode").tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r.at(25.1, "mass.w"), r"t = 25.1 s is outside the run \(0 to 25 s\)"),
        (lambda r: r.at([1.0, np.nan], "mass.w"), "t = nan s is outside the run"),
        (lambda r: r.at(-1.0, "friction.mode"), "t = -1 s is outside the run"),
        (lambda r: r.crossings("mass.w", 0.1, "up"), "direction = up must be"),
        (lambda r: r.crossings("friction.mode", 0.5), "friction.mode is discrete"),
    ],
)
def test_questions_without_an_answer(result, ask, message):
    with pytest.raises(ResultError, match=message):
        ask(result)


def test_a_single_point():
    curve = PiecewiseCubic.linear(np.array([1.0]), np.array([3.0]))
    assert curve(1.0) == 3.0
    assert curve.crossings(3.0).size == 0
