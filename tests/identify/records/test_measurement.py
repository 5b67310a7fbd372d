"""Channels on one grid in SI units; what cannot be used is refused with the channel, the value and the way out."""

import numpy as np
import pytest
from scipy.io import savemat

import stribeck as sb
from stribeck.errors import FileError, SpecError, UnitError, UnknownName
from stribeck.identify import Measurement
from stribeck.identify.records.alignment import shift
from stribeck.identify.records.filters import smoothed

T = 1e-3 * np.arange(2000)
Q = np.sin(2 * np.pi * T)


def record(values=Q, **options):
    return Measurement({"q": values}, sample_time="1 ms", **options)


# --- units and labels -------------------------------------------------------------------------------------------------


def test_channels_are_converted_to_si():
    run = Measurement(
        {"q": np.degrees(Q), "f": Q, "T": 20 + Q, "u": Q},
        sample_time="1 ms",
        units={"q": "deg", "f": "kN", "T": "degC"},
        resolution={"q": "0.1 deg", "u": 0.5},
    )
    assert run.units == {"q": "rad", "f": "N", "T": "K", "u": ""}
    assert run["q"] == pytest.approx(Q, abs=1e-15)
    assert run["f"] == pytest.approx(1000 * Q)
    assert run["T"] == pytest.approx(293.15 + Q)
    assert run.resolution == pytest.approx({"q": np.radians(0.1), "u": 0.5})
    assert run.sample_time == pytest.approx(1e-3)
    assert len(run) == 2000
    assert repr(run) == "<Measurement measurement: q [rad], f [N], T [K], u; 2000 samples every 0.001 s>"


def test_parts_keep_what_is_known_about_the_sensors():
    run = record(np.degrees(Q), units={"q": "deg"}, resolution={"q": "0.1 deg"}, name="rig")
    for part in (run.between(0.5, 1), run.resampled("2 ms"), run.masked(T > 1), run.with_channel("f", Q, "kN")):
        assert (part.units["q"], part.name) == ("rad", "rig")
        assert part.resolution["q"] == pytest.approx(np.radians(0.1))
        assert part["q"].max() == pytest.approx(1 if len(part) > 600 else Q[500:1001].max(), abs=1e-3)
    assert run.with_channel("f", Q, "kN")["f"].max() == pytest.approx(1000)


def test_nobody_writes_into_a_record():
    mask = np.ones(2000, bool)
    run = record(Q.copy(), valid=mask)
    for array in (run["q"], run.time, run.valid):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    mask[0] = False  # nor does the record keep the array of its user
    assert run.valid.all()


def test_a_trace_is_straight_between_samples():
    assert record()["q"].at(0.0105) == pytest.approx((Q[10] + Q[11]) / 2)


# --- bad data ---------------------------------------------------------------------------------------------------------

GAP = np.where((T > 0.5) & (T < 0.52), np.nan, Q)
SWAPPED = np.where(np.arange(2000) == 7, T[5], T)
BAD = {
    "no channels": (lambda: Measurement({}, sample_time=1e-3), SpecError, "there are no channels; give at least one"),
    "no time": (lambda: Measurement({"q": Q}), SpecError, "give time (s) or sample_time"),
    "step of zero": (lambda: Measurement({"q": Q}, sample_time=0), SpecError, "sample_time = 0 s must be above 0"),
    "unit of the step": (lambda: Measurement({"q": Q}, sample_time="1 mm"), UnitError, "is not in units of s"),
    "too short": (lambda: Measurement({"q": Q[:9]}, T[:9]), SpecError, "has 9 samples; at least 16 are needed"),
    "unsorted": (lambda: Measurement({"q": Q}, SWAPPED), SpecError, "time[7] = 0.005 s comes after 0.006 s"),
    "twice the same time": (lambda: Measurement({"q": Q}, T.round(2)), SpecError, "remove duplicates"),
    "time that is no number": (lambda: Measurement({"q": Q}, T * GAP), SpecError, "time[501] is not finite"),
    "two lengths": (lambda: Measurement({"q": Q, "f": Q[:99]}, T), SpecError, "'f' has 99 samples and time 2000"),
    "matrix": (lambda: Measurement({"q": Q.reshape(2, 1000)}, T), SpecError, "'q' has 2 dimensions; give one column"),
    "times in a matrix": (lambda: Measurement({"q": Q}, T.reshape(2, 1000)), SpecError, "'time' has 2 dimensions"),
    "text": (lambda: Measurement({"q": ["a"] * 20}, sample_time=1), SpecError, "'q' must be an array of numbers"),
    "complex": (lambda: record(Q + 1j), SpecError, "'q' must be an array of numbers"),
    "gaps": (lambda: record(GAP), SpecError, "'q' is not finite at 19 samples, first at t = 0.501 s; gaps='mask'"),
    "nothing but gaps": (lambda: record(Q * np.nan, gaps="fill"), SpecError, "'q' has no numbers; omit the channel"),
    "what of gaps": (lambda: record(gaps="drop"), SpecError, "gaps = 'drop' must be one of refuse, mask, fill"),
    "unknown unit": (lambda: record(units={"q": "counts"}), SpecError, "unit 'counts' of 'q': the unit 'counts' is"),
    "unit of nothing": (lambda: record(units={"Q": "m"}), UnknownName, "has no channel 'Q'; did you mean 'q'?"),
    "resolution of nothing": (lambda: record(resolution={"w": 1}), UnknownName, "has no channel 'w'"),
    "wrong unit": (lambda: record(units={"q": "m"}, resolution={"q": "1 deg"}), UnitError, "is not in units of m"),
    "resolution below zero": (lambda: record(resolution={"q": -1}), SpecError, "resolution of 'q' is -1; it must be"),
    "no such channel": (lambda: record()["tau"], UnknownName, "has no channel 'tau' (known: q)"),
    "mask of another length": (lambda: record().masked([True]), SpecError, "has the shape (1,); give a bool for each"),
    "empty part": (lambda: record().between(5, 6), SpecError, "there are 0 samples from 5 to 6 s"),
    "long step": (lambda: record().resampled(3), SpecError, "sample_time = 3 s must be above 0 and below the length"),
    "high cutoff": (lambda: record().derivative("q", 600), SpecError, "cutoff = 600 Hz must be above 0 and below 500"),
    "uneven derivative": (
        lambda: Measurement({"q": Q}, T**1.1).derivative("q", 20),
        SpecError,
        "derivative needs a constant sample time; use resampled('1.1 ms') (--resample '1.1 ms')",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_data_get_a_clear_message(case):
    make, kind, message = BAD[case]
    with pytest.raises(kind) as caught:
        make()
    assert message in str(caught.value)


def test_gaps_are_masked_or_bridged():
    masked, filled = record(GAP, gaps="mask"), record(GAP, gaps="fill")
    assert masked.valid.sum() == 2000 - 19
    assert not masked.valid[501:520].any()
    assert filled.valid.all()
    for run in (masked, filled):
        assert run["q"][501:520] == pytest.approx(np.interp(T[501:520], T[[500, 520]], Q[[500, 520]]))


# --- files ------------------------------------------------------------------------------------------------------------


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def rows(*columns):
    return "\n".join(",".join("" if np.isnan(v) else repr(float(v)) for v in row) for row in zip(*columns, strict=True))


def test_units_and_times_come_from_the_file(tmp_path):
    path = written(tmp_path / "run.csv", "t [ms],q [deg],i [A],note\n" + rows(1e3 * T, np.degrees(Q), Q, Q))
    run = Measurement.read(path, {"angle": "q", "current": "i"}, resolution={"angle": "0.1 deg"})
    assert run.name == "run"
    assert run.names == ["angle", "current"]
    assert run.units == {"angle": "rad", "current": "A"}
    assert run.time == pytest.approx(T, abs=1e-12)
    assert run["angle"] == pytest.approx(Q, abs=1e-12)
    assert Measurement.read(path).names == ["q", "i", "note"]
    assert Measurement.read(path, "q").names == ["q"]
    assert Measurement.read(path, ["q"], units={"q": "rad"})["q"].max() == pytest.approx(180 / np.pi)


def test_a_file_without_names(tmp_path):
    path = written(tmp_path / "run.txt", rows(T, Q).replace(",", " "))
    run = Measurement.read(path, {"q": 1}, time=0)
    assert run["q"] == pytest.approx(Q)
    assert Measurement.read(path, {"q": 1}, sample_time="2 ms").time[-1] == pytest.approx(2 * T[-1])
    assert Measurement.read(path, time=0).names == ["1"]


def test_empty_cells_are_gaps(tmp_path):
    path = written(tmp_path / "run.csv", "t,q\n" + rows(T, GAP))
    with pytest.raises(SpecError, match="'q' is not finite at 19 samples"):
        Measurement.read(path)
    assert Measurement.read(path, gaps="mask").valid.sum() == 2000 - 19


def test_constants_of_the_file(tmp_path):
    savemat(tmp_path / "rig.mat", {"t": T, "q": Q, "kt": 35.15})
    assert Measurement.read(tmp_path / "rig.mat").constants == {"kt": 35.15}


def test_channels_with_clocks_of_their_own(tmp_path):
    from asammdf import MDF, Signal

    with MDF(version="4.10") as file:
        file.append([Signal(samples=Q, timestamps=T, name="q", unit="rad")])
        slow = T[500:1500:10]
        file.append([Signal(samples=3 * slow, timestamps=slow, name="T", unit="K")])
        file.save(tmp_path / "run.mf4")
    run = Measurement.read(tmp_path / "run.mf4", ["q", "T"], gaps="mask")
    assert run["T"][500:1490] == pytest.approx(3 * T[500:1490])
    # before its first sample and after its last one, by more than a step, it was not measured
    assert (run.valid == ((T >= 0.4895) & (T <= 1.5005))).all()


def test_times_within_a_structure(tmp_path):
    savemat(tmp_path / "run.mat", {"log": {"t": T, "q": Q}})
    run = Measurement.read(tmp_path / "run.mat")
    assert run.names == ["log.q"] and run.sample_time == pytest.approx(1e-3)


def test_columns_of_texts_are_left_out(tmp_path):
    lines = "".join(f"{t:g},{q:g},run\n" for t, q in zip(T, Q, strict=True))
    assert Measurement.read(written(tmp_path / "run.csv", "t,q,state\n" + lines)).names == ["q"]


BAD_FILES = {
    "no times": ("q,i\n", [Q, Q], {}, FileError, "no column is called t or time; name it with time=..."),
    "text": ("t,q\n0,on\n", [T, Q], {"channels": ["q"]}, FileError, "line 2: 'on' is not a number"),
    "a text among numbers": ("t,q\n0,off\n", [T, Q], {}, FileError, "line 2: 'off' is not a number"),
    "only times": ("t\n", [T], {}, FileError, "has no numeric column other than the times"),
    "no such column": ("t,q\n", [T, Q], {"channels": ["tau"]}, UnknownName, "has no column 'tau'"),
    "unit of nothing": ("t,q\n", [T, Q], {"units": {"w": "rpm"}}, UnknownName, "of a channel that is not read: 'w'"),
    "unit of time": ("t [mm],q\n", [T, Q], {}, UnitError, "unit of 't' = '1 mm' is not in units of s"),
    "unit": ("t,q [inc]\n", [T, Q], {}, SpecError, "unit 'inc' of 'q': the unit 'inc' is not known"),
    "comma": ("t;q\n0,5;1\n", [T], {"channels": ["q"]}, UnknownName, "has no column 'q'"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files_get_a_clear_message(case, tmp_path):
    head, columns, options, kind, message = BAD_FILES[case]
    with pytest.raises(kind) as caught:
        Measurement.read(written(tmp_path / "run.csv", head + rows(*columns)), **options)
    assert message in str(caught.value)
    assert "run" in str(caught.value)


def test_a_real_drive(shared):
    run = Measurement.read(
        shared / "data/emps/DATA_EMPS.mat", ["qg", "qm", "vir"], units={"qg": "m", "qm": "m", "vir": "V"}
    )
    assert len(run) == 24841
    assert run.sample_time == pytest.approx(1e-3)
    assert run.constants["gtau"] == pytest.approx(35.15, abs=0.01)


# --- grids, filters, clocks -------------------------------------------------------------------------------------------


def test_a_coarser_grid_does_not_fold_back():
    run = record(Q + np.sin(2 * np.pi * 97 * T))  # 97 Hz would be seen as 3 Hz at 100 Hz
    slow = run.resampled("10 ms")
    assert len(slow) == 200
    assert np.abs(slow["q"] - Q[::10])[20:-20].max() < 1e-3
    assert np.abs(np.asarray(run["q"])[::10] - Q[::10]).max() > 0.9


def test_a_finer_grid_is_straight_in_between():
    fine = record().resampled("0.5 ms")
    assert fine["q"][1:-1:2] == pytest.approx((Q[1:] + Q[:-1]) / 2)
    assert fine.resampled("1 ms").sample_time == pytest.approx(1e-3)


def test_masks_survive_a_new_grid():
    keep = ~((T >= 0.5) & (T < 0.52))
    slow = record().masked(keep).resampled("10 ms")
    assert np.flatnonzero(~slow.valid).tolist() == [50, 51]


def test_uneven_times_become_even():
    uneven = T + 3e-4 * np.sin(50 * T)
    run = Measurement({"q": np.sin(2 * np.pi * uneven)}, uneven)
    assert run.sample_time is None
    assert "at uneven times" in repr(run)
    even = run.resampled("1 ms")
    assert np.abs(even["q"] - np.sin(2 * np.pi * even.time)).max() < 1e-5  # h^2/8 (2 pi)^2 = 5e-6


@pytest.mark.parametrize("frequency", [2, 10, 20])
@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_have_no_delay_and_the_gain_of_the_filter(frequency, order):
    """Twice |H|^2 of Butterworth's order 4, 1/(1 + (f/fc)^8): once per direction; the bilinear map warps f a little."""
    run = record(np.sin(2 * np.pi * frequency * T))
    found = run.derivative("q", 20, order)
    w = 2 * np.pi * frequency
    exact = w * np.cos(w * T) if order == 1 else -(w**2) * np.sin(w * T)
    inner = slice(400, 1600)
    gain = found[inner] @ exact[inner] / (exact[inner] @ exact[inner])
    warped = np.tan(np.pi * frequency * 1e-3) / np.tan(np.pi * 20e-3)
    differences = (np.sin(w * 1e-3) / (w * 1e-3)) ** order
    assert gain == pytest.approx(differences / (1 + warped**8), rel=2e-4)
    assert np.abs(found - gain * exact)[inner].max() < 2e-3 * np.abs(exact).max()  # nothing out of phase


def test_smoothing_leaves_straight_lines_alone():
    assert smoothed(3 + 2 * T, 1e-3, 30) == pytest.approx(3 + 2 * T, abs=1e-6)


def sine(t):
    return np.sin(2 * np.pi * t / 3)


def move(t):
    """One motion from 0 to 2 m, with rest before and after it."""
    return np.clip(t - 4, 0, 2)


def chirp(t):
    return np.sin(0.4 * (t + 5) ** 2)


@pytest.mark.parametrize("motion", [sine, move, chirp])
@pytest.mark.parametrize("delay", [1.2345, -0.5, 0.0])
def test_the_delay_between_two_clocks(motion, delay):
    """The other sensor has another rate, offset and scale, and noise; a common part of some seconds is enough."""
    here, there = np.arange(0, 10, 1e-3), np.arange(0, 8, 1.3e-3)
    noise = 0.01 * np.random.default_rng(8).normal(size=there.size)
    a = Measurement({"q": motion(here)}, here)
    b = Measurement({"encoder": 7 - 0.2 + 5 * (motion(there + delay) + noise)}, there)
    assert a.delay(b, on=("q", "encoder")) == pytest.approx(delay, abs=5e-4)
    both = a.joined(b, on=("q", "encoder"))
    assert both.names == ["q", "encoder"]
    assert (np.asarray(both["encoder"])[both.valid] - 6.8) / 5 == pytest.approx(motion(here)[both.valid], abs=0.06)
    first, last = here[both.valid][[0, -1]]
    assert first == pytest.approx(max(delay, 0), abs=2e-3)
    assert last == pytest.approx(min(10, 8 + delay), abs=3e-3)


def test_samples_of_a_shift():
    x = np.cumsum(np.random.default_rng(1).normal(size=2000))
    assert shift(x[:1500], x[300:]) == pytest.approx(300, abs=0.01)
    assert shift(x[300:], x[:1500]) == pytest.approx(-300, abs=0.01)


@pytest.mark.parametrize(
    ("values", "message"),
    [(np.zeros(2000), "one of them is constant at 0"), (T, "they match equally well at every shift")],
)
def test_a_delay_that_is_not_identifiable(values, message):
    run = Measurement({"q": T, "f": values}, T)
    with pytest.raises(SpecError, match=f"the delay of 'f' against 'q' is not identifiable: {message}"):
        run.delay(run, on=("q", "f"))


def test_joined_records_keep_names_apart():
    with pytest.raises(SpecError, match="both records have a channel 'q'; rename one"):
        record().joined(record(), on=("q", "q"))


# --- into a model -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hold", [False, True])
def test_a_channel_drives_a_model(hold):
    """A free mass under a measured force: its speed is the integral of the course between the samples."""
    run = Measurement({"f": Q[:101]}, 5 + T[:101], units={"f": "N"})
    model = sb.Model("pushed", t_end=0.1, intervals=100)
    mass = model.add("mass", sb.Mass(m=2))
    model.add("push", sb.Force(mass, f=run.signal("f", hold=hold)))
    mean = Q[:100] if hold else (Q[:100] + Q[1:101]) / 2
    speed = np.concatenate([[0], np.cumsum(mean)]) * 1e-3 / 2
    assert sb.simulate(model)["mass.v"] == pytest.approx(speed, abs=1e-9)
