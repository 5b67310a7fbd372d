"""Every signal, for being registered: its declaration, its formula in Python and the same through the kernel."""

import inspect
import math

import numpy as np
import pytest
from support.signal_examples import EXAMPLES, LEAVES, TIME_ONLY

import stribeck as sb
from stribeck.errors import SpecError, UnitError
from stribeck.signals import (
    PID,
    Chirp,
    Compare,
    Constant,
    DeadZone,
    Derivative,
    Function,
    Integral,
    Lookup,
    Map,
    Polynomial,
    Power,
    Pulse,
    Quantiser,
    Quotient,
    Ramp,
    Relay,
    SampleHold,
    Saturation,
    Sensor,
    Sine,
    Square,
    StateSpace,
    Step,
    Sum,
    Table,
    Time,
    TransferFunction,
    Where,
    all_signals,
)

T_END = 3.0


def bound(signal):
    return signal.bind("N.m", "torque 'motor', tau")


def values(signal, times):
    signal = bound(signal)
    return np.array([signal.at(t) for t in times])


def shown(signal, times, **options):
    """The signal as the kernel sees it."""
    model = sb.Model("driven")
    mass = model.add("mass", sb.Inertia(J=1))
    model.add("motor", sb.Torque(mass, tau=signal))
    return np.asarray(sb.simulate(model, times=times, **options)["motor.tau"])


def test_every_signal_has_an_example():
    assert {type(signal) for signal in EXAMPLES} == set(all_signals().values())


@pytest.mark.parametrize("kind", all_signals().values())
def test_every_signal_is_documented_where_it_is_declared(kind):
    assert ">>>" in kind.__doc__
    assert all(param.text for param in kind.params.values())
    assert list(inspect.signature(kind).parameters) == list(kind.params)


def test_values():
    t = [0, 0.999, 1, 1.25, 2]
    assert values(Constant(3), t).tolist() == [3, 3, 3, 3, 3]
    assert values(Step(height=2, start=1, offset=-1), t).tolist() == [-1, -1, 1, 1, 1]
    assert values(Ramp(height=2, duration=0.5, start=1, offset=-1), t).tolist() == [-1, -1, -1, 0, 1]
    assert values(Table([0, 1, 3], [1, -1, 2]), [-1, 0, 0.5, 1, 2, 3, 9]).tolist() == [1, 1, 0, -1, 0.5, 2, 2]
    assert values(Table([0, 1, 3], [1, -1, 2], "hold"), [-1, 0, 0.5, 1, 2, 3, 9]).tolist() == [1, 1, 1, -1, -1, 2, 2]
    sine = Sine(amplitude=2, f=0.5, phase=math.pi / 2, offset=1, start=1)
    assert values(sine, t) == pytest.approx([1, 1, 3, 1 + 2 * math.cos(math.pi / 4), -1])
    assert values(Pulse(2, period=1, width=0.25, start=1, offset=-1), t).tolist() == [-1, -1, 1, -1, 1]
    assert values(Pulse(2, period=1, width=0.25, count=1), [0, 0.2, 0.25, 1]).tolist() == [2, 2, 0, 0]
    assert values(Square(2, f=1, duty=0.25, offset=1, start=1), t).tolist() == [1, 1, 3, -1, 3]
    assert values(Time(), t).tolist() == t


def test_a_chirp_sweeps():
    linear = bound(Chirp(1, f0=1, f1=5, duration=2))
    assert [linear.frequency(t) for t in (0, 1, 2, 3)] == [1, 3, 5, 5]
    geometric = bound(Chirp(1, f0=1, f1=16, duration=2, sweep="logarithmic"))
    assert [geometric.frequency(t) for t in (0, 0.5, 1, 2, 9)] == pytest.approx([1, 2, 4, 16, 16])
    for chirp in (linear, geometric):  # the angle is 2 pi times the integral of the frequency
        t = np.linspace(0, 3, 30001)
        turns = np.trapezoid([chirp.frequency(x) for x in t], t)
        assert chirp.angle(3.0) == pytest.approx(2 * math.pi * turns, rel=1e-7)


@pytest.mark.parametrize("signal", TIME_ONLY, ids=repr)
def test_rate_is_the_derivative(signal):
    s = bound(signal)
    step, broken = 1e-6, 0
    for t in np.arange(0.013, 4, 0.1):
        before, here, after = s.at(t - step), s.at(t), s.at(t + step)
        if abs((after - here) - (here - before)) > 1e-9 * max(1, abs(s.rate(t))):  # a jump or kink just here
            broken += 1
            continue
        assert s.rate(t) == pytest.approx((after - before) / (2 * step), rel=1e-6, abs=1e-7)
    assert broken <= 2


@pytest.mark.parametrize("signal", TIME_ONLY, ids=repr)
def test_span_bounds_the_values(signal):
    s = bound(signal)
    low, high = s.span()
    seen = values(signal, np.linspace(0, 20, 8001))
    assert low - 1e-12 <= seen.min() and seen.max() <= high + 1e-12
    if s.tight and not isinstance(signal, Time):
        assert (seen.min(), seen.max()) == pytest.approx((low, high), abs=3e-3)  # and no wider than needed


@pytest.mark.parametrize("signal", TIME_ONLY, ids=repr)
def test_jumps_and_kinks_are_known(signal):
    s = bound(signal)
    times = np.linspace(0, 5, 20001)
    jumps = bool(np.abs(np.diff(values(signal, times))).max() > 0.1)
    assert s.jumps() == jumps if signal in LEAVES else s.jumps() >= jumps
    if not s.jumps():
        kinks = bool(np.abs(np.diff([s.rate(t) for t in times])).max() > 0.5)
        assert s.kinks() == kinks if signal in LEAVES else s.kinks() >= kinks


@pytest.mark.parametrize("signal", TIME_ONLY, ids=repr)
def test_the_kernel_shows_the_same(signal):
    """To rounding, but within 1e-6 s of a jump, which the kernel locates as an event."""
    times = np.linspace(0.0123, T_END, 211)
    expected, got = values(signal, times), shown(signal, times)
    jump = np.abs(values(signal, times + 1e-6) - values(signal, times - 1e-6)) > 1e-2
    assert jump.sum() <= 2
    assert got[~jump] == pytest.approx(expected[~jump], rel=1e-12, abs=1e-12)


def test_data_are_what_the_kernel_reads():
    def data(signal):
        return bound(signal).data()

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
    grid = Map("mass.w", 1, x=np.arange(2), y=[0, 1], z=np.eye(2))
    assert grid.given["z"] == [[1.0, 0.0], [0.0, 1.0]]


WAVE = Sine(2, f=1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table([0, 1, 1], [1, 2, 3]), r"time\[2\] = 1 s comes after 1 s; times must increase"),
        (lambda: Table([0, 1], [1, 2, 3]), "time has 2 points and value 3; give one value for each time"),
        (lambda: Table([], []), "no points; give at least one"),
        (lambda: Table(5, [1]), "time = 5 must be a list of numbers"),
        (lambda: Table("oil.T", [300, 310]), r"over a signal write Lookup\('oil.T'"),
        (lambda: Table([0, math.nan], [1, 2]), r"time\[1\] = nan is not finite"),
        (lambda: Table([0, 1], [1, 2], between="smooth"), "between cannot be 'smooth'.*known: linear, hold"),
        (lambda: Ramp(1, duration=0), "duration = 0 s must be above 0; .* use Step"),
        (lambda: Sine(1, f=-1), "f = -1 Hz must be at least 0"),
        (lambda: Sine(1), "f is missing"),
        (lambda: Sine(1, 2, amplitude=3), "amplitude is given twice"),
        (lambda: Constant(1, 2), "at most 1 values: value"),
        (lambda: Sine(amplitud=1, f=1), "did you mean 'amplitude'?"),
        (lambda: bound(Chirp(1, f0=0, f1=2, duration=1, sweep="logarithmic")), "f0 = 0 Hz .* use sweep='linear'"),
        (lambda: Pulse(1, period=1, width=1), "width = 1 s must be below period = 1 s"),
        (lambda: Pulse(1, period=1, width=0.1, count=1.5), "count = 1.5 must be a whole number"),
        (lambda: Square(1, f=1, duty=1), "duty = 1 must be below 1"),
        (lambda: Sum([]), r"terms = \[\] must be a list of signals"),
        (lambda: Sum(3), "terms = 3 must be a list of signals"),
        (lambda: Sum([1, 2], [1]), "there are 2 terms and 1 gains"),
        (lambda: bound(Quotient(1, WAVE)), r"the divisor Sine.* becomes 0; keep it away from 0"),
        (lambda: bound(Power(WAVE, 0.5)), "reaches -2, where the power 0.5 is not defined"),
        (lambda: Polynomial(WAVE, []), r"coefficients = \[\] is empty"),
        (lambda: Function("sinus", WAVE), "f cannot be 'sinus'; did you mean 'sin'"),
        (lambda: bound(Function("log", WAVE)), "reaches -2, where log is not defined; limit it by Maximum"),
        (lambda: Lookup(WAVE, x=[0, 1], y=[1]), "x has 2 points and y 1; give one y for each x"),
        (lambda: Lookup(WAVE, x=[0], y=[1]), "at least two points"),
        (lambda: Lookup(WAVE, x=[0, 2, 1], y=[1, 2, 3]), r"x\[2\] = 1 comes after 2; x must increase"),
        (lambda: Map(WAVE, 1, x=[0, 1], y=[1, 0], z=[[1, 2], [3, 4]]), r"y\[1\] = 0 comes after 1"),
        (lambda: Map(WAVE, 1, x=[0, 1], y=[0, 1], z=[[1, 2]]), "z has 1 x 2 values for a grid of 2 x 2"),
        (lambda: Map(WAVE, 1, x=[0, 1], y=[0, 1], z=[[1, 2], [3]]), "z = .* must be rows of one length"),
        (lambda: Map(WAVE, 1, x=[0, 1], y=[0, 1], z=[[1, 2], [3, math.nan]]), r"z\[1\]\[1\] = nan is not finite"),
        (lambda: bound(Compare(WAVE, "=", 1)), "relation cannot be '='"),
        (lambda: Saturation(WAVE, low=1, high=1), "low = 1 must be below high = 1; they are equal: lower low or"),
        (lambda: Saturation(WAVE, low=2, high=1), "low = 2 must be below high = 1; exchange them"),
        (lambda: bound(DeadZone(WAVE, low="2 N.m", high=1)), "low = 2 must be below high = 1"),
        (lambda: Quantiser(WAVE, step=0), "step = 0 must be above 0"),
        (lambda: Relay(WAVE, low=1, high=1), "low = 1 must be below high = 1; without hysteresis use a comparison"),
        (lambda: Relay(WAVE, low=1, high=2, start=2), "start = 2 must be at least 0 and at most 1"),
        (lambda: SampleHold(WAVE, period=0), "period = 0 s must be above 0"),
        (lambda: bound(Derivative("mass.w")), "T = 0 s gives the exact derivative, and Sensor.* T='1 ms'"),
        (lambda: bound(Derivative(Integral(WAVE))), "T = 0 s gives the exact derivative"),
        (lambda: PID(1, "mass.w"), "Kp, Ki and Kd are all 0"),
        (lambda: PID(1, "mass.w", Kp=1, Kd=1), "Kd = 1 needs the time constant of its filter; give T_f"),
        (lambda: PID(1, "mass.w", Kp=1, low=1, high=0), "low = 1 must be below high = 0"),
        (lambda: PID(1, "mass.w", Ki=1, high=1), "determine no tracking time; give T_t"),
        (lambda: TransferFunction(WAVE, num=[1, 0, 0], den=[1, 1]), "degree 2 and den 1, so it would differentiate"),
        (lambda: TransferFunction(WAVE, num=[1], den=[0, 0]), "needs a denominator"),
        (lambda: bound(TransferFunction(WAVE, [1], [1, 0], start="steady")), "integrates, so there is no steady start"),
        (lambda: StateSpace(WAVE, A=[[1, 2]], B=[1], C=[1]), "A has 1 x 2 numbers and must be square"),
        (lambda: StateSpace(WAVE, A=[[1]], B=[1, 2], C=[1]), "B has 2 numbers and A 1 rows"),
        (lambda: StateSpace(WAVE, A=[[1]], B=[1], C=[1], x0=[1, 2]), "x0 has 2 numbers"),
        (lambda: StateSpace(WAVE, A=1, B=[1], C=[1]), "A = 1 must be rows of one length"),
        (lambda: Where(Sine, 1), "condition = Sine is the kind of signal; write Sine"),
        (lambda: bound(Sensor("mass")), "sensor 'mass' must name an element and a quantity"),
        (lambda: bound(WAVE + "3 N"), "tau.terms.1: value = '3 N' is not in units of N.m"),
        (lambda: bound(WAVE * "3 Nmm/rd"), "tau: k = '3 Nmm/rd': the unit 'Nmm'"),
        (lambda: bound(WAVE + "error"), "tau.terms.1: there is no signal 'error'"),
        (lambda: WAVE * [1, 2], "must be a signal, a number or a text"),
        (lambda: WAVE**WAVE, "the exponent must be a number"),
    ],
)
def test_wrong_signals(make, message):
    with pytest.raises(SpecError, match=message):
        make()
