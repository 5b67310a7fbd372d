"""Lines of pictures: all of a panel different, and none with more points than show."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.results.overlay_plot import line_style
from stribeck.results.plot import MOST_LINES
from stribeck.results.thin import COLUMNS, thinned
from stribeck.spec import shipped_models


@pytest.mark.parametrize("name", shipped_models())
def test_no_two_lines_of_a_panel_look_alike(name):
    figure = sb.simulate(name, intervals=50).plot()
    for axes in figure.axes:
        lines = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
        assert len(lines) <= MOST_LINES
        assert len({line.get_color() for line in lines}) == len(lines)
        assert len({str(line._unscaled_dash_pattern) for line in lines}) == len(lines)  # in grey, too


def test_no_two_of_a_few_runs_look_alike():
    styles = [line_style(number) for number in range(MOST_LINES)]
    assert len({str(style["linestyle"]) for style in styles}) == len({style["color"] for style in styles}) == MOST_LINES


def test_all_outputs_of_a_panel_are_drawn():
    result = sb.simulate("car", intervals=50)
    names = [name for name in result if name.endswith(".w")]
    drawn = {line.get_label() for axes in result.plot(*names).axes for line in axes.get_lines()}
    assert set(names) <= drawn


def test_a_thinned_line_has_the_same_extremes_in_every_column():
    random = np.random.default_rng(1)
    time = np.sort(random.uniform(0, 10, 300_000))
    values = random.normal(size=time.size).cumsum()
    x, y = thinned(time, values)
    assert x.size <= 4 * COLUMNS + 2
    assert (x[0], x[-1]) == (time[0], time[-1])
    assert (np.diff(x) > 0).all()
    pixels = np.linspace(time[0], time[-1], 1001)  # each of them is four pieces wide
    edges, thin = np.searchsorted(time, pixels[:-1]), np.searchsorted(x, pixels[:-1])
    assert (np.maximum.reduceat(values, edges) == np.maximum.reduceat(y, thin)).all()
    assert (np.minimum.reduceat(values, edges) == np.minimum.reduceat(y, thin)).all()


def test_a_short_line_stays_as_it_is():
    time = np.linspace(0, 1, 500)
    assert thinned(time, time**2)[1].tolist() == (time**2).tolist()


def test_a_loop_of_many_points_keeps_its_shape(tmp_path):
    result = sb.simulate("stick-slip", outputs=["friction.*"], intervals=100_000)
    (lines,) = result.plot_velocity("friction").axes[0].collections
    points = np.vstack([path.vertices for path in lines.get_paths()])
    assert points.shape[0] < 40_000
    for column, name in enumerate(("friction.w_rel", "friction.tau")):
        trace = np.asarray(result[name])
        assert [points[:, column].min(), points[:, column].max()] == pytest.approx(
            [trace.min(), trace.max()], abs=2e-3 * np.ptp(trace)
        )
