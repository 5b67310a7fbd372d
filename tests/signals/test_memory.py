"""Signals with a memory through the kernel, against closed forms and SciPy."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.signal
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.signals import (
    PID,
    Delay,
    Derivative,
    Integral,
    LowPass,
    Named,
    Quantiser,
    Relay,
    SampleHold,
    Saturation,
    Sensor,
    Sine,
    StateSpace,
    Step,
    TransferFunction,
    linear_system,
)

TIMES = np.linspace(0, 3, 301)
OMEGA = 2 * math.pi * 0.7
WAVE = Sine(amplitude=2, f=0.7, phase=0.4, offset=0.3)


def wave(t):
    return 0.3 + 2 * np.sin(OMEGA * t + 0.4)


def sensed(amplitude=1.0):
    """A body whose angle is amplitude * cos(t), from a spring: a signal that is not a function of time."""
    model = sb.Model("oscillator", tolerance=1e-11)
    model.add("mass", sb.Inertia(J=1, phi0=amplitude))
    model.add("spring", sb.Spring("mass", c=1))
    return model


def shown(signal, times=TIMES):
    """The signal over time, beside an oscillator."""
    model = sensed()
    model.signal("y", signal)
    return np.asarray(sb.simulate(model, times=times)["y"])


def test_integral():
    expected = 0.5 + 0.3 * TIMES + 2 / OMEGA * (math.cos(0.4) - np.cos(OMEGA * TIMES + 0.4))
    assert shown(Integral(WAVE, start=0.5)) == pytest.approx(expected, abs=1e-9)
    assert shown(Integral("mass.phi")) == pytest.approx(np.sin(TIMES), abs=1e-9)


def test_exact_derivative():
    expected = 2 * OMEGA * np.cos(OMEGA * TIMES + 0.4)
    assert shown(Derivative(WAVE)) == pytest.approx(expected, abs=1e-12)
    assert shown(Derivative(WAVE * WAVE)) == pytest.approx(2 * wave(TIMES) * expected, abs=1e-11)


def lagged(T, u, y0):
    return solve_ivp(lambda t, y: (u(t) - y) / T, (0, 3), [y0], "DOP853", TIMES, rtol=1e-12, atol=1e-13).y[0]


@pytest.mark.parametrize(("signal", "u"), [(WAVE, wave), (Sensor("mass.phi"), np.cos)], ids=["time", "sensor"])
def test_filters_start_in_their_steady_state(signal, u):
    low = lagged(0.2, u, u(0.0))
    assert shown(LowPass(signal, T=0.2)) == pytest.approx(low, abs=1e-9)
    assert shown(LowPass(signal, T=0.2, start=-1)) == pytest.approx(lagged(0.2, u, -1), abs=1e-9)
    assert shown(Derivative(signal, T=0.2)) == pytest.approx((u(TIMES) - low) / 0.2, abs=1e-8)
    steady = TransferFunction(signal, num=[3], den=[0.2, 1], start="steady")
    assert shown(steady) == pytest.approx(3 * low, abs=1e-8)
    lead = TransferFunction(signal, num=[0.4, 1], den=[0.2, 1], start="steady")  # 2 - 1 / (0.2 s + 1)
    assert shown(lead) == pytest.approx(2 * u(TIMES) - low, abs=1e-8)


SYSTEMS = {
    "order 1": ([1], [0.1, 1]),
    "order 2 with a zero": ([1, 2], [0.1, 0.3, 1]),
    "direct": ([2, 0, 1], [1, 0.5, 4]),
    "integrator": ([1], [0.5, 1, 0]),
    "double integrator": ([3], [1, 0, 0]),
    "fast": ([1e6], [1, 200, 1e6]),
    "gain": ([3], [2]),
    "leading zeros": ([0, 0, 1], [0, 0.1, 1]),
    "zero": ([0], [1, 1]),
}


def response(A, B, C, D, u, x0=None):
    """The output of a linear system by SciPy's integrator."""
    A, B, C = np.atleast_2d(A), np.ravel(B), np.ravel(C)
    x0 = np.zeros(len(B)) if x0 is None else x0
    rhs = lambda t, x: A @ x + B * u(t)  # noqa: E731
    x = solve_ivp(rhs, (0, 3), x0, "Radau", TIMES, rtol=1e-11, atol=1e-13, jac=lambda t, x: A).y
    return C @ x + float(np.squeeze(D)) * u(TIMES)


@pytest.mark.parametrize(("num", "den"), SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize(("signal", "u"), [(WAVE, wave), (Sensor("mass.phi"), np.cos)], ids=["time", "sensor"])
def test_transfer_functions(num, den, signal, u):
    got = shown(TransferFunction(signal, num, den))
    if not any(num):
        assert not got.any()
    elif len(den) == 1:
        assert got == pytest.approx(num[0] / den[0] * u(TIMES), abs=1e-9)
    else:
        system = scipy.signal.tf2ss(np.trim_zeros(num, "f"), np.trim_zeros(den, "f"))
        assert got == pytest.approx(response(*system, u), abs=2e-7 * max(1, np.abs(got).max()))


def test_state_space_with_a_start():
    A, B, C, D, x0 = [[0, 1], [-4, -1]], [0, 4], [1, 0], 0.5, [1, -2]
    got = shown(StateSpace(WAVE, A, B, C, D, x0))
    assert got == pytest.approx(response(A, B, C, D, wave, x0), abs=1e-8)


def test_discrete_systems_are_sampled_and_held():
    dt, n = 0.1, 30
    times = (np.arange(n) + 0.5) * dt
    num, den = [0.3, 0.1], [1, -1.2, 0.4]
    got = shown(TransferFunction("mass.phi", num, den, dt=dt), times)
    expected = scipy.signal.dlsim((num, den, dt), np.cos(np.arange(n) * dt))[1].ravel()
    assert got == pytest.approx(expected, abs=1e-9)
    A, B, C, D = [[0.9, 0.1], [0, 0.8]], [[0], [1]], [[1, 0]], [[0.5]]
    got = shown(StateSpace("mass.phi", A, B, C, 0.5, x0=[1, 2], dt=dt), times)
    expected = scipy.signal.dlsim((A, B, C, D, dt), np.cos(np.arange(n) * dt), x0=[1, 2])[1].ravel()
    assert got == pytest.approx(expected, abs=1e-9)
    steady = shown(TransferFunction("mass.phi", [0.2], [1, -0.8], start="steady", dt=dt), times)
    assert steady[0] == pytest.approx(1.0, abs=1e-12)


def pid_response(Kp, Ki, Kd, T_f, low, high, T_t):
    """PID of a step against the wave, by SciPy on the equations of its docstring, event by event."""

    def parts(x, t):
        error = 1.0 - wave(t)
        v = Kp * error + x[0] + Kd * (error - x[1]) / T_f
        return error, v, np.clip(v, low, high)

    def rhs(t, x):
        error, v, u = parts(x, t)
        return [Ki * error + (u - v) / T_t, (error - x[1]) / T_f]

    x = solve_ivp(rhs, (0, 3), [0.0, 1.0 - wave(0.0)], "Radau", TIMES, rtol=1e-10, atol=1e-12, max_step=2e-3).y
    return parts(x, TIMES)[2]


@pytest.mark.parametrize("T_t", [None, 0.05])
def test_pid_with_limits(T_t):
    Kp, Ki, Kd, T_f = 2.0, 3.0, 0.12, 0.05
    got = shown(PID(1, WAVE, Kp=Kp, Ki=Ki, Kd=Kd, T_f=T_f, low=-2, high=1.5, T_t=T_t))
    expected = pid_response(Kp, Ki, Kd, T_f, -2.0, 1.5, T_t or math.sqrt(Kd / Ki))
    assert (got.min(), got.max()) == (-2.0, 1.5)
    assert got == pytest.approx(expected, abs=1e-5)  # the reference steps over the corners


def test_pid_without_limits_is_the_sum_of_its_parts():
    error, c_error = Step(1, start=1) - Sensor("mass.phi"), 0.3 * Step(1, start=1) - Sensor("mass.phi")
    b_error = 0.7 * Step(1, start=1) - Sensor("mass.phi")
    pid = PID(Step(1, start=1), "mass.phi", Kp=2, Ki=3, Kd=0.5, T_f=0.02, b=0.7, c=0.3, start=0.4)
    sum_ = 2 * b_error + 3 * Integral(error) + 0.5 * Derivative(c_error, T=0.02) + 0.4
    times = np.setdiff1d(TIMES, [1.0])
    assert shown(pid, times) == pytest.approx(shown(sum_, times), abs=1e-8)


def test_pid_with_one_limit_or_no_integral():
    proportional = PID(0, WAVE, Kp=-1, high=2)
    assert shown(proportional) == pytest.approx(np.minimum(wave(TIMES), 2), abs=1e-12)
    assert shown(PID(0, WAVE, Kp=-1, low=0)) == pytest.approx(np.maximum(wave(TIMES), 0), abs=1e-12)
    assert shown(PID(0, WAVE, Kp=-1, start=5)) == pytest.approx(wave(TIMES) + 5, abs=1e-12)


def test_anti_windup_returns_from_the_limit_at_once():
    """With the setpoint out of reach for 2 s, the output leaves the limit within T_t of the setpoint coming back."""
    model = sb.Model("windup", t_end=4, intervals=4000)
    mass = model.add("mass", sb.Inertia(J=1))
    model.add("drag", sb.Damper(mass, d=1))
    setpoint = sb.Step(-4.5, start=2, offset=5)
    model.add("motor", sb.Torque(mass, tau=PID(setpoint, "mass.w", Kp=2, Ki=10, low=-1, high=1)))
    result = sb.simulate(model)
    time, tau = np.asarray(result.time), np.asarray(result["motor.tau"])
    assert tau[(time > 0.1) & (time < 2)] == pytest.approx(1.0)
    assert tau[time > 2.05].min() < 0.5  # without anti-windup the integral would be 10 * 5 * 2 = 100
    assert result["mass.w"][-1] == pytest.approx(0.5, abs=0.05)


def test_relay():
    times = np.linspace(0, 3, 3001) + 1e-4
    on, expected = True, []
    for u in wave(times):
        on = u > 1 or (on and u >= -0.5)
        expected.append(2.0 if on else -1.0)
    assert shown(Relay(WAVE, low=-0.5, high=1, off=-1, on=2, start=1), times) == pytest.approx(expected)
    sensed = shown(Relay("mass.phi", low=-0.5, high=0.5), [0.0, 1.0, 2.0, 2.2, 3.0])
    assert sensed.tolist() == [1, 1, 1, 0, 0]  # on at once, off when cos(t) < -0.5


def test_sample_and_hold():
    times = np.arange(0.05, 3, 0.1)
    held = 0.2 + 0.3 * np.floor((times - 0.2) / 0.3 + 1e-9)
    expected = np.where(times < 0.2, 5, np.cos(held))
    assert shown(SampleHold("mass.phi", period=0.3, start=0.2, initial=5), times) == pytest.approx(expected, abs=1e-9)
    chain = SampleHold(2 * SampleHold("mass.phi", period=0.3), period=0.3)  # no hidden delay from one to the other
    assert shown(chain, times) == pytest.approx(2 * np.cos(0.3 * np.floor(times / 0.3 + 1e-9)), abs=1e-9)


def test_delay():
    expected = np.where(TIMES < 0.31, 1, np.cos(TIMES - 0.31))
    assert shown(Delay("mass.phi", delay=0.31)) == pytest.approx(expected, abs=1e-6)
    step = Delay(Step(2, start=1, offset=-1), delay=0.5)
    assert shown(step, [0.0, 1.2, 1.49, 1.51, 3.0]).tolist() == [-1, -1, -1, 1, 1]


def test_an_encoder_counts():
    times = np.linspace(0.001, 3, 997)
    for mode, shift in (("round", 0.5), ("floor", 0.0)):
        got = shown(Quantiser("mass.phi", step=0.05, mode=mode), times)
        expected = 0.05 * np.floor(np.cos(times) / 0.05 + shift)
        assert np.mean(np.abs(got - expected) < 1e-9) > 0.995  # but where an edge is within rounding of a time


def test_a_sampled_controller_in_a_loop():
    """A body under sampled state feedback: the exact discrete solution."""
    h, n, K = 0.05, 60, np.array([4.0, 3.0])
    model = sb.Model("loop", tolerance=1e-10)
    mass = model.add("mass", sb.Inertia(J=1, phi0=1))
    model.add("motor", sb.Torque(mass, tau=SampleHold(-4 * mass.sensor("phi") - 3 * mass.sensor("w"), period=h)))
    times = np.arange(1, n + 1) * h
    x, expected = np.array([1.0, 0.0]), []
    for _ in range(n):
        u = -K @ x
        x = np.array([x[0] + h * x[1] + h * h / 2 * u, x[1] + h * u])
        expected.append(x[0])
    assert np.asarray(sb.simulate(model, times=times)["mass.phi"]) == pytest.approx(expected, abs=1e-9)


def test_loops_of_named_signals_through_states():
    """x' = v, v' = -x: two signals that refer to each other."""
    model = sensed()
    model.signal("x", Integral("v", start=1))
    model.signal("v", Integral(-1 * Named("x")))
    result = sb.simulate(model, times=TIMES)
    assert np.asarray(result["x"]) == pytest.approx(np.cos(TIMES), abs=1e-9)
    assert np.asarray(result["v"]) == pytest.approx(-np.sin(TIMES), abs=1e-9)


def test_states_are_called_by_their_place():
    model = sensed()
    model.signal("e", LowPass("mass.phi", T=0.1))
    model.add("motor", sb.Torque("mass", tau=PID("e", "mass.phi", Kp=1, Ki=1, Kd=1, T_f=1) + Integral("mass.w")))
    names = sb.compile_model(model).state_names
    assert {"e", "motor.tau.terms.0.integral", "motor.tau.terms.0.filter", "motor.tau.terms.1"} <= set(names)


def tf(num, den, **more):
    """As python-control packs a transfer function: a list of lists of arrays."""
    return SimpleNamespace(num=[[np.array(num)]], den=[[np.array(den)]], ninputs=1, noutputs=1, **more)


def test_systems_of_other_packages():
    u = Sensor("mass.w")
    assert linear_system(tf([1], [0.1, 1], dt=0), u) == TransferFunction(u, [1.0], [0.1, 1.0])
    assert linear_system(tf([1], [1, -0.5], dt=0.1), u) == TransferFunction(u, [1.0], [1.0, -0.5], dt=0.1)
    packed = {"A": np.eye(2), "B": np.ones((2, 1)), "C": np.ones((1, 2)), "D": np.zeros((1, 1))}
    expected = StateSpace(u, A=[[1.0, 0.0], [0.0, 1.0]], B=[1.0, 1.0], C=[1.0, 1.0], D=0.0)
    assert linear_system(SimpleNamespace(**packed, dt=None, ninputs=1, noutputs=1), u) == expected
    assert linear_system(scipy.signal.StateSpace(*packed.values()), u) == expected
    assert linear_system(scipy.signal.TransferFunction([2], [1, 2]), u) == TransferFunction(u, [2.0], [1.0, 2.0])
    assert linear_system(scipy.signal.TransferFunction([2], [1, 2], dt=0.1), u).dt == 0.1
    assert linear_system(scipy.signal.ZerosPolesGain([], [-2], 3), u) == TransferFunction(u, [3.0], [1.0, 2.0])
    assert linear_system(scipy.signal.ZerosPolesGain([], [-2], 3, dt=0.1), u).dt == 0.1


def test_a_gain_without_states():
    empty = SimpleNamespace(A=np.empty((0, 0)), B=np.empty((0, 1)), C=np.empty((1, 0)), D=np.array([[2.0]]), dt=None)
    assert linear_system(empty, WAVE) == TransferFunction(WAVE, [2.0], [1.0])
    assert shown(linear_system(empty, WAVE)) == pytest.approx(shown(2 * WAVE))


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (tf([1], [1, 1], dt=True), "discrete time without a sample time; give dt"),
        (SimpleNamespace(num=[], den=[], ninputs=2, noutputs=1), "has 2 inputs; a signal needs one"),
        (3, "3 is not a linear system; it needs A, B, C, D or num, den"),
        (tf([1, 0, 0], [1, 1]), "so it would differentiate"),
        (SimpleNamespace(A=[[1]], B=[1], C=[1], D=np.ones((1, 2))), "D has 2 numbers; a signal needs one input"),
        (SimpleNamespace(A=[[1]], B=[1], C=[1], D=np.ones((2, 2))), "D has 4 numbers; a signal needs one input"),
    ],
)
def test_systems_that_cannot_be(system, message):
    with pytest.raises(SpecError, match=message) as caught:
        linear_system(system, 1)
    assert "\n" not in str(caught.value)


def test_a_python_control_object():
    control = pytest.importorskip("control")
    system = control.tf([1, 2], [0.1, 0.3, 1])
    expected = shown(TransferFunction(WAVE, [1, 2], [0.1, 0.3, 1]))
    assert shown(linear_system(system, WAVE)) == pytest.approx(expected)
    assert shown(linear_system(control.ss(system), WAVE)) == pytest.approx(expected, abs=1e-8)


def test_saturation_of_a_sensor_is_an_event():
    assert shown(Saturation("mass.phi", low=-0.5, high=0.5)) == pytest.approx(
        np.clip(np.cos(TIMES), -0.5, 0.5), abs=1e-9
    )
