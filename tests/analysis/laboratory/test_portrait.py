"""Portraits of laws: what they show."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis import Portrait
from stribeck.laws import all_laws


@pytest.mark.parametrize("law", all_laws().values(), ids=lambda law: law.__name__)
def test_every_law_has_a_portrait(law):
    seen = Portrait.of(law())
    assert np.isfinite(seen.friction).all()
    np.testing.assert_allclose(seen.friction, -seen.friction[::-1], rtol=1e-6)
    assert np.abs(seen.loop["guide.f"]).max() < seen.break_away
    left, right, *_ = seen.plot().axes
    assert left.get_xlabel() == "slip velocity / (m/s)"
    assert right.get_xlabel() == "displacement / m"


def test_a_picture_in_a_file(tmp_path):
    Portrait.of(sb.LuGre(mu_s=2)).plot(tmp_path / "law.png")
    assert (tmp_path / "law.png").read_bytes().startswith(b"\x89PNG")


def test_what_locks_does_not_move_below_break_away():
    assert Portrait.of(sb.Switch()).stuck
    assert not Portrait.of(sb.LuGre()).stuck


def test_the_window_shows_the_fall_of_friction():
    assert 2e-3 < Portrait.of(sb.LuGre()).speed.max() < 5e-3
    assert Portrait.of(sb.Switch()).speed.max() == 1.0


@pytest.mark.parametrize(("law", "says"), [(sb.Karnopp(), "slip is held"), (sb.Hybrid(), "decays at 1000/s")])
def test_a_window_is_drawn_with_capture_and_decay(law, says):
    _, _, capture, decay = Portrait.of(law).plot().axes
    assert [text.get_text() for text in capture.get_legend().get_texts()][:3] == [
        "slows down",
        "captured",
        "breaks away",
    ]
    assert says in decay.get_legend().get_texts()[-1].get_text()
    assert Portrait.of(sb.Switch()).held == ()
