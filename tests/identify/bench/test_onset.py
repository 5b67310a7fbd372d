"""The onset of sliding on a ramp: closed forms, exact derivatives, levels that come back."""

import numpy as np
import pytest

from stribeck.identify.bench.drive_ramps import smooth_rise
from stribeck.identify.bench.onset import Window, onset
from stribeck.kernel import ONSET_TABLE
from stribeck.kernel import onset as kernel_onset

RATE, LEVEL, INERTIA = 0.1, 0.15, 2e-3
TIME = np.linspace(0.0, 1.8, ONSET_TABLE)
PARAMETERS = ("inertia", "fall", "speed", "viscous", "length", "bend", "exponent", "level", "stiffer")


def moved(at, **parameters):
    """Travel, its derivatives, and the largest friction with its derivatives; from 0 at 0.1 N.m/s."""
    usual = {
        "inertia": INERTIA,
        "fall": 0.3,
        "speed": 0.3,
        "viscous": 4e-3,
        "length": 4e-4,
        "bend": 4.0,
        "exponent": 2.0,
    }
    values = np.array([{**usual, "level": LEVEL, "stiffer": 1.0, **parameters}[name] for name in PARAMETERS])
    most = RATE * TIME[-1]
    tables = RATE * TIME, 0.5 * RATE * TIME**2, np.linspace(0, most, ONSET_TABLE) / RATE
    spans = np.array([[TIME[0], TIME[-1], most]])
    found = kernel_onset(*(table[None] for table in tables), spans, np.atleast_2d(at), values[None, None])
    return [array[0, 0] for array in found]


AFTER = np.linspace(0.02, 0.3, 15)


@pytest.mark.parametrize("fall", [0.0, 0.3])
def test_rigid_contacts_slide_as_in_closed_form(fall):
    """J x'' = D F + r t after break-away; friction has fallen at the speed of 1e-4 rad/s, 2 ms later."""
    travel = moved(LEVEL / RATE + AFTER, fall=fall, speed=1e-4, viscous=0.0, length=1e-9)[0]
    early, late = ((0.5 * fall * LEVEL * t**2 + RATE * t**3 / 6) / INERTIA for t in (AFTER + 1e-3, AFTER - 3e-3))
    assert np.all(travel < early) and np.all(late < travel)


@pytest.mark.parametrize("bend", [1e-9, 1.0, 30.0])
def test_creep_follows_its_curve(bend):
    """Well below break-away the drive is carried: u = F h(x), whatever the step; between steps it is
    interpolated, to 1 % of its length."""
    share = np.linspace(0.05, 0.7, 14)
    travel = moved(share * LEVEL / RATE, bend=bend, fall=0.0)[0]
    exact = (1 + bend) * 4e-4 * (1 - (1 - share) ** (1 / (1 + bend)))
    assert travel == pytest.approx(exact, rel=0.01, abs=4e-6)


@pytest.mark.parametrize("name", PARAMETERS)
def test_derivatives_are_exact(name):
    """Central differences; that by F moves the steps, too, which takes 2 % where they are coarse."""
    at = LEVEL / RATE + np.linspace(-0.2, 0.2, 21)
    _, slopes, force = moved(at)
    base = {
        "inertia": INERTIA,
        "fall": 0.3,
        "speed": 0.3,
        "viscous": 4e-3,
        "length": 4e-4,
        "bend": 4.0,
        "exponent": 2.0,
    }
    value = {**base, "level": LEVEL, "stiffer": 1.0}[name]
    unit = 1.0 if name in ("viscous", "level") else value
    change = 1e-5 * value
    up, down = (moved(at, **{name: value + sign * change}) for sign in (1, -1))
    k = PARAMETERS.index(name)
    difference = (up[0] - down[0]) / (2 * change) * unit
    close = 0.1 if name == "level" else 1e-4
    assert slopes[:, k] == pytest.approx(difference, abs=close * np.abs(difference).max())
    if name != "level":
        assert force[1 + k] == pytest.approx((up[2][0] - down[2][0]) / (2 * change) * unit, abs=1e-4 * LEVEL)


@pytest.mark.parametrize("bend", [1.0, 30.0])
def test_levels_come_back(bend):
    """Ramps of three rates on a contact of the model itself, seen without errors."""
    windows = []
    for level in (0.147, 0.15, 0.153):
        at = level / RATE + np.linspace(-0.3, 0.12, 60)
        place = moved(at, level=level, bend=bend)[0]
        spread = np.full(at.size, 1e-5)
        windows.append(Window(TIME, RATE * TIME, at, place, spread, 0.0, level / RATE - 0.02, RATE, 0.16, 0.05))
    assert onset(windows).level == pytest.approx([0.147, 0.15, 0.153], rel=0.01)


def test_a_noisy_drive_is_smooth_to_its_end():
    """The error of a line at its end is twice that of a mean of 75 samples: 7e-4; the last sample alone has 3e-3."""
    line = np.linspace(0.0, 0.15, 1500)
    ends = [
        smooth_rise(line + 0.003 * np.random.default_rng(seed).standard_normal(1500), 0.003)[-1] for seed in range(50)
    ]
    assert np.std(ends) < 1e-3 and abs(np.mean(ends) - 0.15) < 3e-4
