"""The rule (30)-(31) of Nouailletas 2010, by its printed numbers and by rounding random positions."""

from math import pi

import numpy as np
import pytest

from stribeck import SpecError
from stribeck.identify import signal_to_noise

ACTUATOR = {"encoder": 56, "sample_time": "1 ms", "drive": "2 N.m", "design": 1.32e-5, "design_error": 2.1e-6}


def test_the_numbers_of_the_paper():
    rule = signal_to_noise(**ACTUATOR)
    assert round(rule.ratio, 2) == 0.68
    assert rule.inertia_error == pytest.approx(1.95e-5, rel=3e-3)  # printed to three digits
    assert not rule.identifiable
    assert "do not identify" in str(rule)


def test_what_is_needed_is_just_enough():
    rule = signal_to_noise(**ACTUATOR)
    longer = signal_to_noise(**{**ACTUATOR, "sample_time": rule.sample_time_needed})
    finer = signal_to_noise(**{**ACTUATOR, "encoder": None, "resolution": rule.resolution_needed})
    for enough in (longer, finer):
        assert enough.inertia_error == pytest.approx(2.1e-6, rel=1e-12)
    assert signal_to_noise(**{**ACTUATOR, "encoder": 2000}).identifiable


def test_errors_bound_those_of_rounded_positions():
    rule = signal_to_noise(**ACTUATOR)
    true = np.random.default_rng(1).uniform(0, 100, 100_000)
    off = rule.resolution * np.round(true / rule.resolution) - true
    speed, acceleration = np.diff(off) / 1e-3, np.diff(off, 2) / 1e-6
    assert np.abs(speed).max() <= rule.speed_error
    assert np.abs(acceleration).max() <= rule.acceleration_error
    # of 1e5 samples the standard deviation is known to 0.5 % or so
    assert rule.typical_errors == pytest.approx((speed.std(), acceleration.std()), rel=0.02)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"encoder": None}, "give resolution"),
        ({"resolution": 0.1}, "give resolution"),
        ({"encoder": 0}, "encoder = 0"),
        ({"drive": "-2 N.m"}, "drive = -2 must be above 0"),
        ({"design": 0}, "design = 0 must be above 0"),
    ],
)
def test_what_cannot_be_is_refused(change, text):
    with pytest.raises(SpecError, match=text):
        signal_to_noise(**{**ACTUATOR, **change})


def test_an_encoder_is_counts_per_turn():
    assert signal_to_noise(**ACTUATOR).resolution == 2 * pi / 56
