import math

import numpy as np
import pytest

from stribeck.errors import SpecError, UnitError
from stribeck.signals import Constant, Ramp, Sine, Step, Table, all_signals

EXAMPLES = [
    Constant(3),
    Constant("3 N.m"),
    Step(height=2, start=1, offset=-1),
    Step(2),
    Ramp(height=2, duration=0.5, start=1, offset=-1),
    Ramp(2, duration=3, start=-1),
    Sine(amplitude=2, f=1.5, phase=0.3, offset=1, start=0.5),
    Sine(2, 1.5),
    Table([0, 1, 3], [1, -1, 2]),
    Table([-1, 0.5, 1], [0, 2, 1]),
    Table([1], [5]),
]


def bound(signal):
    return signal.bind("N.m", "torque 'motor', tau")


def values(signal, times):
    signal = bound(signal)
    return np.array([signal.at(t) for t in times])


def test_every_signal_has_an_example():
    assert {type(signal) for signal in EXAMPLES} == set(all_signals().values())


@pytest.mark.parametrize("kind", all_signals().values())
def test_op_is_the_name_in_capitals(kind):
    assert kind.op == kind.__name__.upper()


def test_values():
    t = [0, 0.999, 1, 1.25, 2]
    assert values(Constant(3), t).tolist() == [3, 3, 3, 3, 3]
    assert values(Step(height=2, start=1, offset=-1), t).tolist() == [-1, -1, 1, 1, 1]
    assert values(Ramp(height=2, duration=0.5, start=1, offset=-1), t).tolist() == [-1, -1, -1, 0, 1]
    assert values(Table([0, 1, 3], [1, -1, 2]), [-1, 0, 0.5, 1, 2, 3, 9]).tolist() == [1, 1, 0, -1, 0.5, 2, 2]
    sine = Sine(amplitude=2, f=0.5, phase=math.pi / 2, offset=1, start=1)
    assert values(sine, t) == pytest.approx([1, 1, 3, 1 + 2 * math.cos(math.pi / 4), -1])


@pytest.mark.parametrize("signal", EXAMPLES, ids=repr)
def test_rate_is_the_derivative(signal):
    s = bound(signal)
    step = 1e-6
    for t in np.arange(0.013, 4, 0.1):  # away from jumps and kinks
        difference = (s.at(t + step) - s.at(t - step)) / (2 * step)
        assert s.rate(t) == pytest.approx(difference, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("signal", EXAMPLES, ids=repr)
def test_span_bounds_the_values(signal):
    s = bound(signal)
    low, high = s.span()
    seen = values(signal, np.linspace(0, 8, 16001))
    assert low - 1e-12 <= seen.min() and seen.max() <= high + 1e-12
    assert (seen.min(), seen.max()) == pytest.approx((low, high), abs=1e-5)  # and no wider than needed


@pytest.mark.parametrize("signal", EXAMPLES, ids=repr)
def test_jumps_and_kinks_are_known(signal):
    s = bound(signal)
    times = np.linspace(0, 5, 50001)
    assert s.jumps() == bool(np.abs(np.diff(values(signal, times))).max() > 0.1)
    if not s.jumps():
        rates = np.array([s.rate(t) for t in times])
        assert s.kinks() == bool(np.abs(np.diff(rates)).max() > 0.1)


def test_data_are_what_the_kernel_reads():
    def data(signal):
        s = bound(signal)
        return s.data()

    assert data(Constant(3)) == [3]
    assert data(Step(height=2, start=1, offset=-1)) == [2, 1, -1]
    assert data(Ramp(height=2, duration=0.5, start=1, offset=-1)) == [2, 0.5, 1, -1]
    assert data(Sine(amplitude=2, f=1.5, phase=0.3, offset=1, start=0.5)) == [2, 3 * math.pi, 0.3, 1, 0.5]
    assert data(Table([0, 1, 3], [1, -1, 2])) == [3, 0, 1, 3, 1, -1, 2]


def test_units_are_those_of_the_place():
    s = Sine(amplitude="500 rpm", f="60 1/min", phase="90 deg", start="1 min").bind("rad/s", "speed 'pull', w")
    assert s.data() == pytest.approx([500 * math.pi / 30, 2 * math.pi, math.pi / 2, 0, 60])
    t = Table(time=["0 s", "100 ms"], value=[0, "1 rev/s"]).bind("rad/s", "speed 'pull', w")
    assert t.data() == pytest.approx([2, 0, 0.1, 0, 2 * math.pi])
    with pytest.raises(UnitError, match=r"speed 'pull', w: value\[1\] = '4 m/s' is not in units of rad/s"):
        Table([0, 1], [0, "4 m/s"]).bind("rad/s", "speed 'pull', w")


def test_arrays_become_plain_lists():
    table = Table(np.array([0.0, 1.0]), np.array([0, 2]))
    assert table.given == {"time": [0.0, 1.0], "value": [0, 2]}
    assert type(table.time[0]) is float and type(table.value[0]) is int


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table([0, 1, 1], [1, 2, 3]), r"time\[2\] = 1 s comes after 1 s; times must increase"),
        (lambda: Table([0, 1], [1, 2, 3]), "time has 2 points and value 3; give one value for each time"),
        (lambda: Table([], []), "no points; give at least one"),
        (lambda: Table(5, [1]), "time = 5 must be a list of numbers"),
        (lambda: Table([0, math.nan], [1, 2]), r"time\[1\] = nan is not finite"),
        (lambda: Ramp(1, duration=0), "duration = 0 s must be above 0; .* use Step"),
        (lambda: Sine(1, f=-1), "f = -1 Hz must be at least 0"),
        (lambda: Sine(1), "f is missing"),
        (lambda: Sine(1, 2, amplitude=3), "amplitude is given twice"),
        (lambda: Constant(1, 2), "at most 1 values: value"),
        (lambda: Sine(amplitud=1, f=1), "did you mean 'amplitude'?"),
    ],
)
def test_wrong_signals(make, message):
    with pytest.raises(SpecError, match=message):
        make()
