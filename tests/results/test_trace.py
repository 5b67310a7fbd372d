"""Looking outputs up: labels, parts, unknown names."""

import numpy as np
import pytest

from stribeck.errors import StribeckError
from stribeck.results import Trace, UnknownOutput


def test_a_trace_is_an_array_with_name_unit_and_time(result):
    w = result["mass.w"]
    assert isinstance(w, Trace)
    assert (w.name, w.unit) == ("mass.w", "rad/s")
    assert w.time is result.time
    assert repr(w).startswith("mass.w [rad/s] [")


def test_a_part_keeps_its_labels_and_its_times(result):
    part = result["mass.w"][800:900:2]
    assert (part.name, part.unit) == ("mass.w", "rad/s")
    np.testing.assert_array_equal(part.time, result.time[800:900:2])
    fast = result["mass.w"][result["mass.w"] > 0.3]
    assert fast.size == fast.time.size > 0
    assert isinstance(result["mass.w"][800], float)


def test_arithmetic_gives_plain_arrays_and_numbers(result):
    w = result["mass.w"]
    assert type(w * w) is type(np.diff(w)) is np.ndarray
    assert isinstance(w.max(), float)
    assert isinstance(np.trapezoid(w, w.time), float)


def test_results_cannot_be_overwritten_by_accident(result):
    with pytest.raises(ValueError, match="read-only"):
        result["mass.w"][0] = 1.0


def test_names_elements_and_iteration(result):
    assert list(result) == list(result.names)
    assert len(result) == 8
    assert "mass" in result
    assert "mass.w" in result
    assert "mass.x" not in result
    assert result.name == "stick-slip-switch"
    assert "2501 times (0 to 25 s), 6 mode changes" in repr(result)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fricton.tau", "no output 'fricton.tau'; did you mean 'friction.tau'?"),
        ("mass.omega", "no output 'mass.omega'; mass has mass.phi, mass.w, mass.a"),
        ("mass", "no output 'mass'; mass has mass.phi, mass.w, mass.a"),
        ("pull", "element 'pull' has no outputs"),
        ("gear.w", "no output 'gear.w'; there are mass.phi, mass.w,"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(result, name, message):
    with pytest.raises(UnknownOutput) as caught:
        result[name]
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, KeyError)
    assert isinstance(caught.value, StribeckError)
