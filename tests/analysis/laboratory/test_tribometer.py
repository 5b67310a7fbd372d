"""The tribometer: its curves are the experiments, and its pages show every verdict beside its picture."""

import re
from math import exp

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis.laboratory.properties import EXPERIMENTS, PROPERTIES
from stribeck.errors import SimulationError, UnknownName
from stribeck.laws import all_laws, from_text

COMMON = [kind.name for kind in EXPERIMENTS if kind.name not in ("capture", "decay")]


@pytest.fixture(scope="module")
def lugre():
    return sb.analysis.tribometer(sb.LuGre())


@pytest.mark.parametrize("law", ["lugre", sb.LuGre, sb.LuGre()], ids=["name", "class", "law"])
def test_a_law_its_class_or_its_name(law, lugre):
    report = sb.analysis.tribometer(law)
    assert isinstance(report.law, sb.LuGre)
    assert report.verdicts == lugre.verdicts


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_every_law_undergoes_every_experiment(law):
    report = sb.analysis.tribometer(law)
    window = ["capture", "decay"] if law in (sb.Karnopp, sb.Hybrid) else []
    assert list(report.experiments) == COMMON + window
    assert list(report.verdicts) == list(PROPERTIES)
    assert not report.failures
    for experiment in report.experiments.values():
        for curve in experiment.curves:
            assert curve.x.size == curve.y.size > 1
            assert np.isfinite(curve.x).all() and np.isfinite(curve.y).all()
        for name, verdict in experiment.verdicts.items():
            assert report.verdicts[name] == verdict


def test_verdicts_are_those_of_the_probes(lugre):
    assert lugre.verdicts == sb.analysis.friction_properties(sb.LuGre())


def test_an_unknown_experiment_is_refused(lugre):
    with pytest.raises(UnknownName, match="did you mean 'velocity sines'"):
        lugre["velocity sine"]


def test_points_of_an_experiment_with_units(lugre):
    table = lugre["time at rest"].table()
    assert table.heads == ["curve", "time at rest until break-away / s", "break-away friction / N"]
    assert len(table.rows) == 7


RISING = {"mu_c": 1.0, "mu_s": 1.6, "fresh": 0.25, "t_rise": 2.0, "v_s": 0.01}


@pytest.mark.parametrize(
    ("law", "form"),
    [
        (sb.RisingStribeck(**RISING), lambda t: 1.15 + 0.45 * t / (t + 2)),
        (sb.KatoStribeck(**RISING, m=0.6), lambda t: 1.6 - 0.45 * exp(-((t / 2) ** 0.6))),
    ],
    ids=["Armstrong", "Kato"],
)
def test_break_away_over_the_time_at_rest_is_the_published_form(law, form):
    """To 1e-3 N here: the bench takes the instant of rest from displacements, to about 3 ms; break-away rises by at
    most 0.3 N/s. `tests/laws/test_laws_that_remember.py` has it to 1e-6, with located instants."""
    curve = sb.analysis.tribometer(law)["time at rest"].curves[0]
    np.testing.assert_allclose(curve.y, [form(t) for t in curve.x], atol=1e-3)


def test_break_away_of_lugre_does_not_rise(lugre):
    """Equal to 1e-6 of it after any rest; the solver's tolerance is 1e-9."""
    friction = lugre["time at rest"].curves[0].y
    assert np.ptp(friction) < 1e-6 * friction.max()
    rate = lugre["rate of loading"].curves[0].y
    assert (np.diff(rate) < 0).all(), "but it falls with the rate of loading"


def test_the_last_way_is_that_of_a_first_motion(lugre):
    """LuGre has local memory: friction and direction determine what follows, exactly but for sigma1 at the turns."""
    share = re.search(r"last way is ([\d.]+)", lugre.verdicts["nonlocal memory"].reason)
    assert float(share[1]) == pytest.approx(1, abs=2e-3)


def test_masing_halves_the_last_way():
    """Two elements of equal stiffness, limits 1 and 3: from 0.3 * 0.9 to 0.9 the first motion has the stiffness 1 up to
    0.5 and 0.5 beyond, the last way 1 up to 0.6 * 0.9 where the inner loop closes, and on as elements slip again after
    twice their limit."""
    report = sb.analysis.tribometer(sb.MaxwellSlip(n=2, sigma0=1e5, mu_c=1.0, sigma1=0))
    share = float(re.search(r"last way is ([\d.]+)", report.verdicts["nonlocal memory"].reason)[1])
    first = (0.5 - 0.27) + 2 * (0.9 - 0.5)
    last = 0.9 - 0.27  # unloaded by 0.81 in all, less than twice 0.5: no element has slipped backwards
    assert share == pytest.approx(last / first, rel=2e-3)  # three digits are printed


def test_slip_in_a_window_is_held_or_decays():
    held = sb.analysis.tribometer(sb.Karnopp(dv=1e-3))["decay"]
    inside = (held.run.time > held.run.captured) & (held.run.time < held.run.released)
    np.testing.assert_allclose(held.run.slip[inside], 1e-3, rtol=1e-6)
    decay = sb.analysis.tribometer(sb.Hybrid(Sigma=2e-3, p0=500))["decay"].run
    early = (decay.time > decay.captured) & (decay.time < decay.captured + 4 / 500)
    expected = 2e-3 * np.exp(-500 * (decay.time[early] - decay.captured))
    np.testing.assert_allclose(decay.slip[early], expected, rtol=1e-5)


def test_a_law_as_text(tmp_path):
    law = from_text(
        "Window",
        family="locking",
        parameters={"mu": {"default": 1.0, "unit": "{load}"}, "dv": {"default": 0.01, "unit": "{vel}"}},
        sliding="mu",
        breakaway="1.2*mu",
        lock="karnopp",
        stick={"window": "dv"},
    )
    report = sb.analysis.tribometer(law)
    assert report.verdicts["stiction"].has and "capture" in report.experiments
    page = report.page(tmp_path / "own.html").read_text(encoding="utf-8")
    assert "breakaway = 1.2*mu" in page


def test_an_experiment_that_stops_is_reported(monkeypatch, tmp_path):
    def stop(cls, bench):
        raise SimulationError("the step became too small", time=1.0, elements=(), result=None)

    vibration = next(kind for kind in EXPERIMENTS if kind.name == "vibration")
    monkeypatch.setattr(vibration, "measure", classmethod(stop))
    report = sb.analysis.tribometer("switch")
    assert report.failures == {"vibration": "the step became too small"}
    assert report.verdicts["stiction"].has is None
    assert "the step became too small" in report.page(tmp_path / "page.html").read_text(encoding="utf-8")


def test_one_picture_of_everything(lugre, tmp_path):
    figure = lugre.plot(tmp_path / "lugre.png")
    titles = [axes.get_title("left") for axes in figure.axes]
    assert "vibration → stiction: no" in titles
    assert (tmp_path / "lugre.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_has_each_verdict_beside_its_picture(lugre, tmp_path):
    page = lugre.page(tmp_path / "lugre.html").read_text(encoding="utf-8")
    assert 'src="http' not in page and "<script" not in page, "self-contained"
    assert page.count("data:image/png;base64") == len(lugre.experiments)
    for alt in re.findall(r'alt="([^"]*)"', page):
        assert " over " in alt
    for name in lugre.experiments:
        assert f'id="LuGre-{name.replace(" ", "-")}"' in page
    assert 'href="#LuGre-nested-loops"' in page
    for word in (
        "sigma0*z + sigma1*zdot + sigma2*v",
        "Canudas de Wit",
        "mean bristle deflection",
        "width=device-width",
    ):
        assert word in page
