"""Runs that end before their time: by a limit, by Ctrl-C, or before they start."""

import gc
import os
import signal
import threading
import time

import numpy as np
import pytest

import stribeck as sb
from stribeck.kernel import status_codes, status_text
from stribeck.run.adaptive import adaptive
from stribeck.run.options import Options
from stribeck.run.outcome import failure_of

ENDLESS = {"t_end": 1.0, "max_step": 1e-9, "intervals": 1000}
LATEST = 0.2  # s of processor after Ctrl-C
LOADED = 3.0  # s on the clock, where other processes share the processor


def chain(n: int, law: str = "LuGre") -> sb.Model:
    elements = {f"m{i}": {"type": "Inertia", "J": 1} for i in range(n)}
    for i in range(n - 1):
        elements[f"s{i}"] = {"type": "SpringDamper", "a": f"m{i}", "b": f"m{i + 1}", "c": 1000, "d": 0.01}
    for i in range(0, n, 2):
        elements[f"b{i}"] = {"type": "Bearing", "a": f"m{i}", "law": {"type": law}}
    elements["t"] = {"type": "Torque", "a": "m0", "tau": {"type": "Sine", "amplitude": 1e4, "f": 5}}
    return sb.Model.from_dict({"elements": elements})


@pytest.mark.parametrize("solver", ["auto", "scipy-rk45"])
def test_max_steps(solver):
    with pytest.raises(sb.SimulationError, match="it has taken max_steps; raise them") as caught:
        sb.simulate(sb.load_model("stick-slip"), max_steps=50, solver=solver)
    result = caught.value.result
    assert result.statistics.steps == 50
    assert result.time[-1] <= caught.value.time < 25
    assert result.meta.stopped and result.summary()["partial"]


@pytest.mark.parametrize("solver", ["auto", "scipy-rk45"])
def test_max_seconds(solver):
    before = time.perf_counter()
    with pytest.raises(sb.SimulationError, match="it has taken max_seconds"):
        sb.simulate(sb.load_model("stick-slip"), **ENDLESS, solver=solver, max_seconds="0.1 s")
    assert 0.1 <= time.perf_counter() - before < 0.1 + LOADED


def test_limits_that_are_not_met_change_nothing():
    model = sb.load_model("stick-slip-switch")
    free, bound = sb.simulate(model), sb.simulate(model, max_steps=10**15, max_seconds=1e9)
    np.testing.assert_array_equal(free.data, bound.data)
    assert not bound.meta.stopped


@pytest.mark.parametrize(
    ("limit", "message"),
    [({"max_steps": 0}, "max_steps = 0 must be at least 1"), ({"max_steps": 1.5}, "whole number"),
     ({"max_seconds": 0}, "max_seconds = 0 must be above 0"), ({"max_seconds": "1 m"}, "units of s")],
)  # fmt: skip
def test_limits_that_are_none(limit, message):
    with pytest.raises(sb.SpecError, match=message):
        sb.simulate(sb.load_model("stick-slip"), **limit)


@pytest.mark.parametrize(("n", "law"), [(1, "LuGre"), (40, "Switch"), (300, "LuGre")])
def test_ctrl_c_comes_through_with_what_was_computed(n, law, request):
    gc.collect()
    gc.disable()  # what other tests have left in this process is not part of the delay
    request.addfinalizer(gc.enable)
    program = sb.compile_model(chain(n, law))
    sent = []

    def press() -> None:
        time.sleep(0.15)
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        sb.simulate(program, 1e6, intervals=10**5)
    assert time.process_time() - sent[0] < LATEST
    result = caught.value.result
    assert "interrupted" in result.meta.stopped
    if n == 1:  # until its last step, which ends elsewhere, a run to that time takes the same ones
        again = sb.simulate(program, times=result.time)
        np.testing.assert_array_equal(again.data[:, :-1], result.data[:, :-1])


def test_what_progress_raises_ends_the_run_with_a_result():
    def stop(fraction: float) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough") as caught:
        sb.simulate(sb.load_model("stick-slip"), **ENDLESS, progress=stop)
    assert caught.value.result.meta.stopped


def sampled(**signal) -> sb.Model:
    return sb.Model.from_dict(
        {"elements": {"m": {"type": "Inertia", "J": 1}, "t": {"type": "Torque", "a": "m", "tau": signal}}}
    )


@pytest.mark.parametrize(
    ("signal", "message"),
    [
        ({"type": "SampleHold", "u": "m.w", "period": 1e-12}, "'t': period = 1e-12 s asks for 1e.12 instants"),
        ({"type": "Delay", "u": "m.w", "delay": 1e-9}, "delay = 1e-09 s asks for 1e.09 instants in a run of 1 s"),
        ({"type": "Pulse", "height": 1, "period": 1e-9, "width": 1e-10}, "period"),
        ({"type": "Pulse", "height": 1, "period": 1, "width": 1e-10}, "width"),
        ({"type": "Sine", "amplitude": 1, "f": 1e12}, "1/f"),
        ({"type": "Square", "amplitude": 1, "f": 1e12}, "make it longer or the run shorter"),
    ],
)
def test_too_many_instants_are_refused_before_the_run(signal, message):
    with pytest.raises(sb.SpecError, match=message):
        sb.simulate(sampled(**signal), 1.0)


@pytest.mark.parametrize(
    "signal",
    [
        {"type": "SampleHold", "u": "m.w", "period": 1e-18, "start": 0.5},
        {"type": "SampleHold", "u": "m.w", "period": 1e-20},
        {"type": "Pulse", "height": 1, "period": 1e-18, "width": 1e-19, "start": 0.5},
    ],
)
def test_time_events_that_stand_still_end_the_run(signal):
    """Behind the check before the run: the kernel ends it by itself, and names the signal."""
    options = Options(np.array([0.0, 1.0]), t_end=1.0, tolerance=1e-7, max_seconds=5.0)
    failure = adaptive(sb.compile_model(sampled(**signal)), options, "auto").failure
    assert failure.element == "t" and "events repeat without progress in time" in failure.text


@pytest.mark.parametrize("run", [{"t_end": 1e15}, {"n": 10**30}, {"n": 10**14}])
def test_tasks_that_no_computer_can_do(run):
    stepper = sb.realtime(sb.load_model("stick-slip"), 1e-3)
    with pytest.raises(sb.SpecError, match=r"asks for .* tasks|need .* GB|is too large"):
        stepper.run(**run)
    with pytest.raises(sb.SpecError, match=r"asks for 1e\+20 tasks"):
        stepper.step(10**20)


def test_what_no_computer_can_hold_or_resolve_is_refused():
    model = sb.load_model("stick-slip")
    with pytest.raises(sb.SpecError, match=r"outputs at 1000000000 times need .* GB, .* ask for fewer intervals"):
        sb.simulate(chain(30), intervals=10**9 - 1)
    with pytest.raises(sb.SpecError, match="tolerance = 1e-15 must be at least 1e-14"):
        sb.simulate(model, tolerance=1e-15)
    with pytest.raises(sb.SpecError, match=r"max_step = 1e-12 asks for 2.5e\+13 steps in a run of 25 s"):
        sb.simulate(model, max_step=1e-12)


def test_samples_between_grid_points_cost_no_memory():
    model = sampled(type="SampleHold", u="m.w", period=1e-4)
    result = sb.simulate(model, 1.0, intervals=5)
    assert result.statistics.time_events >= 9998
    assert result.breaks.size <= 4 * 6


def test_reporting_a_failure_never_fails():
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    for kind in ("event", "signal", "state", ""):
        for number in (-1, 0, 5, 10**6):
            for status in status_codes().values():
                failure = failure_of(program, status, (kind, number, []), 1.0, program.y0, [2] * 99)
                assert status_text(status) in failure.text
