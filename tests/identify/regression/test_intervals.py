"""Intervals of the linear methods hold what they promise, on records of a servo in its closed loop."""

from functools import lru_cache, partial

import pytest
from support.closed_loop import STEP, TRUTH, Servo
from support.coverage import BATCH, coverage

from stribeck.identify import Measurement, inverse_model, power_balance

SERVOS = {
    "fine encoder": Servo(20_000, heard=0.02, grain=0.01),
    "unseen torque": Servo(20_000, unseen=0.05),
    "slow unseen torque": Servo(20_000, unseen=0.03, colour=0.97),
    "coarse encoder": Servo(4_000, heard=0.02),
}
METHODS = {
    "inverse": (inverse_model, {}),
    "instrument": (inverse_model, {"instrument": "reference"}),
    "filter": (inverse_model, {"cutoff": "20 Hz", "sample_time": "40 ms"}),
    "power": (power_balance, {}),
}


@lru_cache(maxsize=1)
def some(case, first):
    return SERVOS[case].records(first, BATCH)


def record(case, seed):
    servo, (positions, torques) = SERVOS[case], some(case, seed // BATCH)
    channels = {"q": positions[:, seed % BATCH], "u": torques[:, seed % BATCH], "reference": servo.reference}
    units = {"q": "rad", "u": "N.m", "reference": "rad"}
    return Measurement(channels, sample_time=STEP, units=units, resolution={"q": servo.resolution})


def trial(case, seed, methods):
    """Whether each interval of each of these methods holds the truth."""
    run, found = record(case, seed), {}
    for name in methods:
        method, options = METHODS[name]
        ends = method(run, "u", "q", delay=0.5 * STEP, **options).interval()
        found |= {f"{name} {p}": bool(low < TRUTH[p] < high) for p, (low, high) in ends.items()}
    return found


@pytest.mark.parametrize("case", SERVOS)
def test_a_closed_loop_gives_back_the_machine(case):
    """One seeded record, intervals of 99.99 %; errors of a few percent at most."""
    for method, options in METHODS.values():
        found = method(record(case, 3), "u", "q", delay=0.5 * STEP, **options)
        for name, (low, high) in found.interval(0.9999).items():
            assert low < TRUTH[name] < high, name
        assert found.errors["inertia"] < 0.02 * TRUTH["inertia"] and found.errors["coulomb"] < 0.03 * TRUTH["coulomb"]


@pytest.mark.slow
@pytest.mark.parametrize("methods", [("inverse", "instrument", "filter"), ("power",)])
def test_intervals_hold_what_they_promise(methods):
    found = coverage(partial(trial, methods=methods), SERVOS)
    print(found)
    assert found.holds, found
