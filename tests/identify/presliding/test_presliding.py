"""Presliding: simulated contacts come back from loops, from fine sensors and from encoders with a few counts."""

from functools import cache

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.identify import Measurement, fit_presliding
from stribeck.identify.presliding.contact import bristle_displacement, lagged
from stribeck.identify.presliding.from_force import carried
from stribeck.identify.presliding.strokes import noise_of, strokes

STEP = 5e-4
TRUE = {"sigma0": 1e5, "sigma1": 300.0, "f": 1.5}
LAW = sb.LuGre(sigma0=1e5, sigma1=300, mu_c=1.5, mu_s=1.5)
LOOPS = ((0.8, 2.0), (1.2, 10.0))  # amplitude (N) and rate (Hz), 1 s each


@cache
def pushed(loops=LOOPS):
    return simulated(loops, LAW)


def simulated(loops, law, mass=1e-3):
    """Force and position of a small mass under an alternating force, without gross sliding."""
    t = np.arange(0, 1, STEP)
    force = np.concatenate([amplitude * np.sin(2 * np.pi * rate * t) for amplitude, rate in loops])
    time = STEP * np.arange(force.size)
    model = sb.Model("pushed", t_end=float(time[-1]), intervals=force.size - 1)
    body = model.add("mass", sb.Mass(m=mass))
    model.add("push", sb.Force(body, f=sb.Table(time=time.tolist(), value=force.tolist())))
    model.add("guide", sb.Guide(body, law=law))
    return force, np.asarray(sb.simulate(model)["mass.s"])


def record(force, position, resolution=0.0, noise=0.0, seed=4):
    x = resolution * np.round(position / resolution) if resolution else position
    f = force + noise * np.random.default_rng(seed).normal(size=force.size)
    known = {"x": resolution} if resolution else {}
    units = {"x": "m", "f": "N"}
    return Measurement({"x": x, "f": f}, sample_time=STEP, units=units, resolution=known, name="loops")


def test_a_contact_without_noise_comes_back():
    """The fit uses closed forms, the simulation the equations of the law: sampling at 0.5 ms is all that is between."""
    run = record(*pushed())
    for explain, tolerance in (("position", 1e-3), ("force", 5e-3)):
        found = fit_presliding(run, "x", "f", explain=explain, mass=1e-3)
        for name, value in TRUE.items():
            assert found[name] == pytest.approx(value, rel=tolerance), (explain, name)
    assert found.estimate.units["sigma1"] == "N.s/m"
    assert found["offset"] == pytest.approx(0, abs=2e-3)


def test_an_encoder_with_ten_counts_in_a_loop():
    run = record(*pushed(), resolution=3e-6, noise=0.01)
    assert np.ptp(run["x"]) < 12 * 3e-6
    found = fit_presliding(run, "x", "f", mass=1e-3)
    assert found.explained == "x"
    ends = found.estimate.interval(0.99)
    for name, value in TRUE.items():
        assert ends[name][0] < value < ends[name][1], name
        assert found[name] == pytest.approx(value, rel=0.1), name
    assert (
        np.abs(found.predicted - pushed()[1]).max() < 1.5e-6
    )  # half a count, where no sample of the sensor is as good
    # all samples as they are, instead of the changes of the count, are much worse
    naive = fit_presliding(run, "x", "f", explain="force", mass=1e-3)
    assert abs(naive["sigma1"] - 300) > 3 * abs(found["sigma1"] - 300)


def test_the_picture_has_both_loops(tmp_path):
    """The plot shows force over displacement, whichever channel is explained."""
    run = record(*pushed())
    for explain in ("position", "force"):
        figure = fit_presliding(run, "x", "f", explain=explain, mass=1e-3).plot(tmp_path / "loops.png")
        for line in figure.axes[0].get_lines():
            assert np.ptp(line.get_xdata()) == pytest.approx(np.ptp(run["x"]), rel=0.05)
            assert np.ptp(line.get_ydata()) == pytest.approx(np.ptp(run["f"]), rel=0.05)


@pytest.mark.slow
def test_errors_are_the_scatter_of_repeated_records():
    """12 records: the ratio of the two is within a factor of 2 with a probability of 0.998."""
    names = ["sigma0", "f", "sigma1"]
    fits = [fit_presliding(record(*pushed(), 1e-6, 0.01, seed), "x", "f") for seed in range(12)]
    for name in names:
        said = np.mean([found.estimate.errors[name] for found in fits])
        seen = np.std([found[name] for found in fits], ddof=1)
        assert 0.5 < said / seen < 2, name


def test_loops_that_slide_and_an_offset_of_the_sensor():
    """Position prescribed through the limit and back, as by a piezo drive; the first load is found too."""
    law = sb.LuGre(sigma0=1e5, sigma1=0, mu_c=1.5, mu_s=1.5)
    t = np.arange(0, 1, STEP)
    x = 6e-5 * np.sin(2 * np.pi * 3 * t + 0.7)
    model = sb.Model("piezo", t_end=float(t[-1]), intervals=t.size - 1)
    drive = model.add("drive", sb.Position(s=sb.Sine(amplitude=6e-5, f=3, phase=0.7)))
    model.add("guide", sb.Guide(drive, law=law))
    force = np.asarray(sb.simulate(model)["guide.f"]) + 0.2
    found = fit_presliding(record(force, x, noise=0.01), "x", "f", damping=False)
    assert found.explained == "f"
    assert found["sigma0"] == pytest.approx(1e5, rel=0.02)
    assert found["f"] == pytest.approx(1.5, rel=0.01)
    assert found["offset"] == pytest.approx(0.2, abs=5e-3)
    assert isinstance(found.law(), sb.Dahl)


def test_the_law_makes_the_same_loops():
    found = fit_presliding(record(*pushed(), resolution=1e-6), "x", "f", mass=1e-3)
    assert isinstance(found.law(), sb.LuGre)
    again = simulated(LOOPS, found.law())[1]
    assert np.abs(again - pushed()[1]).max() < 0.02 * np.ptp(again)


# --- identifiability -------------------------------------------------------------------------------------------------


def test_small_loops_are_elastic():
    run = record(*pushed(loops=((0.008, 5.0), (0.01, 5.0))), resolution=1e-8, noise=1e-3)
    found = fit_presliding(run, "x", "f", explain="position")
    assert found.estimate.unidentifiable == ("f",)
    assert found["sigma0"] == pytest.approx(1e5, rel=0.03)
    assert "the loops are nearly elastic; make them larger" in str(found)
    with pytest.raises(SpecError, match="f is not identifiable, so there is no law"):
        found.law()


def test_slow_loops_show_no_damping():
    found = fit_presliding(record(*pushed(loops=((1.2, 1.0), (0.9, 1.0))), resolution=1e-6, noise=0.03), "x", "f")
    assert "sigma1" in found.estimate.unidentifiable
    assert "record faster ones too" in str(found)
    assert found["f"] == pytest.approx(1.5, rel=0.05)
    assert isinstance(found.law(), sb.Dahl)


def test_what_slides_is_no_presliding():
    """A mass that the force pushes through: a logarithm of the force does not reach so far."""
    law = sb.LuGre(sigma0=1e5, sigma1=300, mu_c=1.5, mu_s=1.5)
    run = record(*simulated(((1.7, 2.0), (1.7, 2.0)), law, mass=0.1), resolution=1e-6)
    for explain in ("position", "force"):
        with pytest.raises(SpecError, match=r"this is not presliding: .* it slides; keep the force below break"):
            fit_presliding(run, "x", "f", explain=explain, mass=0.1)


T = STEP * np.arange(2000)
SWING = np.sin(2 * np.pi * T)


@pytest.mark.parametrize(
    ("channels", "options", "message"),
    [
        ({"x": SWING * 0 + 1e-6, "f": SWING}, {}, "'x' is constant at 1e-06 m"),
        ({"x": 1e-5 * T, "f": T}, {"explain": "position"}, "'f' has 0 reversals; loops need two or more"),
        ({"x": 1e-5 * T, "f": T}, {"explain": "force"}, "'x' has 0 reversals; loops need two or more"),
        (
            {"x": 1e-5 * np.round(SWING), "f": SWING},
            {},
            "'x' has 4 count transitions; at least 12 are needed",
        ),
        ({"x": -1e-5 * SWING, "f": SWING}, {"explain": "position"}, "'x' moves against 'f'"),
        ({"x": -1e-5 * SWING, "f": SWING}, {"explain": "force"}, "'x' moves against 'f'"),
        ({"x": SWING, "f": SWING}, {"explain": "both"}, "explain = 'both' must be one of None, 'position', 'force'"),
    ],
)
def test_bad_loops_get_a_clear_message(channels, options, message):
    run = Measurement(channels, sample_time=STEP, units={"x": "m", "f": "N"}, name="loops")
    with pytest.raises(SpecError) as caught:
        fit_presliding(run, "x", "f", **options)
    assert message in str(caught.value)


# --- the parts --------------------------------------------------------------------------------------------------------


def test_the_lag_is_exact_for_straight_lines():
    t = 0.01 * np.arange(500)
    assert lagged(t, 0.01, 0.3) == pytest.approx(t - 0.3 * (1 - np.exp(-t / 0.3)), abs=1e-12)
    assert lagged(np.full(9, 2.0), 0.01, 0.3) == pytest.approx(np.full(9, 2.0))


def test_force_and_displacement_are_inverse_to_each_other():
    x = np.sin(7 * T) * (1 + T)
    parts = strokes(x)
    y = carried(x, parts, 0.8)[0]
    assert bristle_displacement(y, parts, 1.0) * 0.8 == pytest.approx(x - x[0], abs=1e-9)


def test_strokes_are_seen_through_noise():
    noise = np.random.default_rng(1).normal(size=T.size)
    for size in (0.0, 0.01, 0.05):
        parts = strokes(SWING + size * noise)
        assert [part.sign for part in parts] == [1, -1, 1]
        assert [part.stop for part in parts[:-1]] == pytest.approx([500, 1500], abs=1 + 2000 * size**0.5 / 2)
    assert noise_of(SWING + 0.05 * noise) == pytest.approx(0.05, rel=0.1)


def test_f_far_beyond_the_applied_force_is_not_identifiable():
    """An elastic contact with a little damping that is not viscous: the loops have an area, but no shape."""
    x = 1e-6 * np.sin(7 * T)
    force = 1e5 * x + 2e-4 * np.sign(np.gradient(x))
    found = fit_presliding(Measurement({"x": x, "f": force}, sample_time=STEP, units={"x": "m", "f": "N"}), "x", "f")
    assert "f" in found.estimate.unidentifiable or "f" in found.estimate.hidden
    assert any("nearly elastic" in note for note in found.notes)
