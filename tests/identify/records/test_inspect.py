"""What is wrong with a record is found and said; a good record gets no findings."""

import numpy as np
import pytest

from stribeck.errors import SpecError, UnknownName
from stribeck.identify import (
    Measurement,
    break_aways,
    fit_curve,
    fit_presliding,
    inspect,
    inverse_model,
    power_balance,
    sinusoidal,
    steady_points,
)
from stribeck.identify.records.inspect import grain, require_motion

T = 1e-3 * np.arange(5000)
Q = np.sin(2 * np.pi * T)
W = 2 * np.pi * np.cos(2 * np.pi * T)
NOISE = np.random.default_rng(5).normal(size=T.size)
TAU = np.sign(W) + 0.1 * W + 0.01 * NOISE
UNITS = {"q": "rad", "w": "rad/s", "tau": "N.m"}


def record(time=T, resolution=None, **channels):
    channels = {"q": Q, "w": W, "tau": TAU} | channels
    units = {name: UNITS.get(name, "") for name in channels}
    return Measurement(channels, time, units=units, resolution=resolution or {}, name="run7")


def text(run, **options):
    return str(inspect(run, **options))


def test_a_good_record_has_no_findings():
    found = inspect(record(), rates={"w": "q"})
    assert found.good, str(found)
    assert str(found) == "run7: no findings"


def test_rests_steps_and_reversals_are_no_faults():
    """A motion that comes to rest, a command in steps, stick-slip, a fine encoder: all are as they should be."""
    stop = np.clip(T, 0, 2) ** 2 / 4 * (3 - np.clip(T, 0, 2))  # smooth from 0 to 1, then at rest
    slip = np.where(T % 0.5 < 0.4, T % 0.5, 0.4 * np.exp(-(T % 0.5 - 0.4) / 0.01))
    encoder = 1e-4 * np.round(Q / 1e-4)
    run = record(q=stop, tau=slip, command=np.sign(W), encoder=encoder)
    assert inspect(run).good, text(run)


def test_constant():
    run = record(tau=np.full(T.size, 0.3))
    assert inspect(run)["tau"] == ["constant"]
    assert "'tau' is constant at 0.3 N.m; check the sensor and the choice of channel" in text(run)
    for method in (lambda: steady_points(run, "tau", speed="w"), lambda: require_motion(run, "q", "tau")):
        with pytest.raises(SpecError, match=r"run7: 'tau' is constant at 0.3 N.m"):
            method()


def test_constant_where_it_counts():
    run = record(tau=np.where(T < 1, TAU, 0.5)).masked(T > 2)
    with pytest.raises(SpecError, match=r"'tau' is constant at 0.5 N.m"):
        require_motion(run, "tau")


@pytest.mark.parametrize(
    "method",
    [
        break_aways,
        sinusoidal,
        lambda run, drive, position: steady_points(run, drive, position=position),
        lambda run, drive, position: fit_presliding(run, position, drive),
        inverse_model,
        power_balance,
    ],
)
def test_channels_with_the_units_of_something_else(method):
    with pytest.raises(SpecError, match=r"run7: 'tau' is in N.m, which is no unit of a position"):
        method(record(), "q", "tau")
    with pytest.raises(SpecError, match=r"run7: 'w' is in rad/s, which is no unit of a force or another drive"):
        method(record(), "w", "q")


@pytest.mark.parametrize("method", [inverse_model, power_balance])
def test_a_spike_that_hides_the_motion(method):
    with pytest.raises(SpecError, match=r"run7: no sample of 'q' is faster than its noise; find spi"):
        method(record(q=Q + 50 * (np.arange(T.size) == 1500)), "tau", "q")


def test_nothing_is_left():
    run = record().masked(np.zeros(T.size, bool))
    assert inspect(run)[""] == ["gaps"]
    with pytest.raises(SpecError, match="all samples are masked; there is nothing to fit"):
        require_motion(run, "q")
    with pytest.raises(UnknownName, match="has no channel 'x'"):
        require_motion(record(), "x")


@pytest.mark.parametrize("limits", [(-2, 1.2), (-1.2, 2), (-1.1, 1.1)])
def test_limited(limits):
    tau = np.clip(1.5 * np.sin(2 * np.pi * T) + 0.01 * NOISE, *limits)
    run = record(tau=tau)
    hit = [abs(x) < 1.5 for x in limits]
    assert inspect(run)["tau"] == ["limited"] * sum(hit)
    assert "omit these with masked(...) (--keep), or reduce the amplitude" in text(run)
    share = np.mean(tau == limits[1]) if hit[1] else np.mean(tau == limits[0])
    assert f"for {100 * share:.2g} % of the samples" in text(run)


def test_limits_that_are_reached_slowly():
    """Just below the top of a sine; the same in steps only rests on its highest one."""
    tau = 1.5 * np.sin(2 * np.pi * T)
    assert inspect(record(tau=np.clip(tau, -1.495, 1.495)))["tau"] == ["limited", "limited"]
    assert "limited" not in inspect(record(tau=0.01 * np.round(tau / 0.01)))["tau"]


def test_coarse():
    run = record(q=0.2 * np.round(Q / 0.2), resolution={"q": 0.2})
    assert inspect(run)["q"] == ["coarse"]
    assert "'q' is coarse: 10 steps of 0.2 rad in all" in text(run)


def test_a_resolution_that_is_not_stated_or_stated_wrongly():
    q = 0.01 * np.round(Q / 0.01)
    assert "'q' is quantised in steps of 0.01 rad; state it: resolution={'q': 0.01}" in text(record(q=q))
    assert inspect(record(q=q, resolution={"q": 0.01})).good
    wrong = record(q=q, resolution={"q": 0.001})
    assert "'q' has steps of 0.01 rad, but its resolution is stated as 0.001 rad" in text(wrong)


@pytest.mark.parametrize("step", [2 * np.pi / 56, 1e-6, 3.7e4])
def test_the_grid_of_a_sensor(step):
    rng = np.random.default_rng(2)
    assert grain(step * rng.integers(-50, 50, 4000)) == pytest.approx(step, rel=1e-9)
    assert grain(step * (rng.integers(-50, 50, 4000) // 7 * 7)) == pytest.approx(7 * step, rel=1e-9)
    assert grain(step * rng.normal(size=4000)) == 0


def test_a_counter_that_runs_over():
    run = record(q=(5.0001 * T) % 2.0)
    assert inspect(run)["q"] == ["jumping"]
    assert "'q' jumps by -1.995 rad at t = 0.4 s and 11 times more" in text(run)
    assert "a counter overflows; make it continuous with unwrapped('q', 2) (--unwrap)" in text(run)
    assert inspect(run.unwrapped("q", 2)).good


def test_spikes():
    tau = TAU.copy()
    tau[[700, 2000]] = 9.0
    assert "'tau' has 2 samples far from their neighbours, first at t = 0.7 s (9 N.m)" in text(record(tau=tau))


def test_times():
    assert inspect(record(time=1e3 * T))[""] == ["slow"]
    assert "samples are 1 s apart; if the times are in ms, give units={'t': 'ms'}" in text(record(time=1e3 * T))
    late = T + np.where(T > 2, 0.037, 0)
    assert "37 samples are missing, most after t = 2 s (38 steps)" in text(record(time=late))
    jitter = T + 2e-4 * np.sin(70 * T)
    assert inspect(record(time=jitter))[""] == ["uneven"]
    assert "use resampled('1 ms')" in text(record(time=jitter))
    noisy = T + 1.2e-4 * NOISE  # single steps are longer than 1.5 ms, and no sample is missing
    assert inspect(record(time=np.sort(noisy)))[""] == ["uneven"]
    assert "if the times are in ns, give units={'t': 'ns'} (--unit t=ns)" in text(record(time=1e9 * T))


def test_a_position_behind_a_gap_did_not_jump():
    keep = (T < 2) | (T > 2.05)
    run = record(time=T[keep], **{name: values[keep] for name, values in {"q": Q, "w": W, "tau": TAU}.items()})
    assert inspect(run)["q"] == []


def test_names_that_end_with_a_unit():
    run = Measurement({"q_deg": Q, "v_mm": W}, T, units={"v_mm": "mm"})
    assert inspect(run)["q_deg"] == ["unit"]
    assert "'q_deg' has no unit and is read in SI; if it is in deg, give units={'q_deg': 'deg'}" in text(run)
    assert inspect(run)["v_mm"] == []


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (180 / np.pi, "by a factor of 0.01745: deg for rad?"),
        (30 / np.pi, "by a factor of 0.1047: rpm for rad/s?"),
        (1e-3, "by a factor of 1000: mm for m?"),
        (-1, "have opposite signs; change one with scaled({'w': -1}) (--scale)"),
        (1.3, "by a factor of 0.7692; check units"),
    ],
)
def test_units_of_a_rate(factor, words):
    assert words in text(record(w=factor * W), rates={"w": "q"})


def test_a_rate_of_something_else():
    assert inspect(record(w=W + 0 * T, q=np.cos(40 * T)), rates={"w": "q"})["w"] == ["unrelated"]


def test_a_coarse_encoder_and_a_noisy_speed_still_fit_together():
    run = record(q=0.05 * np.round(Q / 0.05), w=W + 0.5 * NOISE, resolution={"q": 0.05})
    assert not inspect(run, rates={"w": "q"})["w"]


def test_a_curve_of_nothing():
    with pytest.raises(SpecError, match="needs at least 5 points"):
        fit_curve([1.0], [1.0])


def test_a_real_drive(shared):
    run = Measurement.read(
        shared / "data/emps/DATA_EMPS.mat", ["qg", "qm", "vir"], units={"qg": "m", "qm": "m", "vir": "V"}
    )
    assert {finding.kind for finding in inspect(run)} <= {"resolution"}, text(run)


@pytest.mark.parametrize("limit", [1.0, 0.7])
def test_a_slow_current_with_few_steps_is_limited_only_if_it_is(limit):
    t = 1e-3 * np.arange(6000)
    current = np.clip(0.01 * np.round(np.cos(5 * t) / 0.01), -limit, limit)
    run = Measurement({"i": current, "q": np.sin(5 * t)}, sample_time="1 ms", units={"i": "A", "q": "rad"})
    assert ("limited" in inspect(run)["i"]) == (limit < 1)
