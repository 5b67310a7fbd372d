"""Pictures: what they show, and that they need no display."""

import matplotlib
import numpy as np
import pytest

import stribeck
from stribeck.results import Events, Result, ResultError, ResultMeta


def lines(axes):
    return [line.get_label() for line in axes.get_lines() if not line.get_label().startswith("_")]


def test_time_histories_by_default_show_motion_friction_and_modes(tmp_path, result):
    figure = result.plot(path=tmp_path / "time.png")
    *panels, strip = figure.axes
    assert [lines(axes) for axes in panels] == [["mass.phi"], ["mass.w"], ["friction.tau"]]
    assert panels[0].get_ylabel() == "angle / rad"
    assert [tick.get_text() for tick in strip.get_yticklabels()] == ["friction"]
    assert len(strip.patches) == len(result.events) + 1
    assert (tmp_path / "time.png").read_bytes().startswith(b"\x89PNG")


def test_one_panel_per_unit_and_size():
    t = np.linspace(0, 1, 11)
    meta = ResultMeta("m", ("a.phi", "b.phi", "friction.z", "a.w"), ("rad", "rad", "rad", "rad/s"))
    result = Result(meta, time=t, data=np.array([t, 2 * t, 1e-5 * t, t]))
    panels = result.plot(*result.names).axes
    assert [lines(axes) for axes in panels] == [["a.phi", "b.phi"], ["friction.z"], ["a.w"]]


@pytest.mark.parametrize(
    ("kind", "xlabel"), [("plot_velocity", "slip velocity / (rad/s)"), ("plot_displacement", "displacement / rad")]
)
def test_friction_loops(tmp_path, result, kind, xlabel):
    figure = getattr(result, kind)("friction", path=tmp_path / "loop.png")
    axes, bar = figure.axes
    assert axes.get_xlabel() == xlabel
    assert axes.get_ylabel() == "friction / N·m"
    assert bar.get_ylabel() == "time / s"
    drawn = np.concatenate([path.vertices for path in axes.collections[0].get_paths()])
    assert drawn[:, 1].max() == result["friction.tau"].max()


def test_a_single_point_can_be_drawn(result):
    start = Result(result.meta, time=result.time[:1], data=result.data[:, :1], events=Events())
    start.plot().canvas.draw()
    start.plot_velocity("friction").canvas.draw()


def test_unknown_elements_are_refused(result):
    with pytest.raises(ResultError, match="no element 'clutch'; elements with friction: friction"):
        result.plot_velocity("clutch")
    with pytest.raises(ResultError, match=r"spring shows no slip; it has spring.tau"):
        result.plot_velocity("spring")


def test_the_style_of_the_user_is_left_alone(result):
    before = dict(matplotlib.rcParams)
    result.plot("mass.w")
    assert dict(matplotlib.rcParams) == before
    assert result.plot("mass.w")._repr_png_().startswith(b"\x89PNG")


def test_several_runs_in_one_picture(tmp_path, result):
    later = Result(result.meta, time=result.time + 1, data=result.data, events=Events())
    figure = stribeck.overlay({"now": result, "later": later}, "mass.w", "friction.tau", path=tmp_path / "both.png")
    speed, torque = figure.axes
    assert lines(speed) == lines(torque) == ["now", "later"]
    assert speed.get_ylabel() == "mass.w\nspeed / (rad/s)"
    assert torque.get_xlim() == (result.time[0], result.time[-1] + 1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["now", "later"]
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")


def test_runs_without_names_show_what_tells_most(result):
    assert len(stribeck.overlay({"alone": result}).axes) == 3


def test_plain_numbers_have_no_unit(result):
    meta = ResultMeta("m", ("clutch.f_normalized",), ("1",))
    run = Result(meta, time=result.time, data=np.zeros((1, result.time.size)))
    (axes,) = stribeck.overlay({"open": run}, "clutch.f_normalized").axes
    assert axes.get_ylabel() == "clutch.f_normalized"
    assert run.plot("clutch.f_normalized").axes[0].get_ylabel() == ""


def test_no_runs_are_refused():
    with pytest.raises(ResultError, match="there are no results"):
        stribeck.overlay({})


def test_a_picture_of_ones_own(tmp_path, result):
    before = dict(matplotlib.rcParams)
    with stribeck.picture("phase plane", tmp_path / "own.png", width=4, height=3) as figure:
        axes = figure.subplots()
        axes.plot(result["mass.phi"], result["mass.w"])
    assert dict(matplotlib.rcParams) == before
    assert not axes.spines["top"].get_visible()
    assert figure.get_suptitle() == "phase plane"
    assert (tmp_path / "own.png").read_bytes().startswith(b"\x89PNG")
