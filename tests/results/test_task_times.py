"""Task times: percentiles, overruns, pictures."""

import numpy as np
import pytest

from stribeck.results import TaskTimes
from stribeck.results.task_times import in_words

TIMES = np.arange(1, 1001) * 1e-6


def test_percentiles_of_a_ladder():
    """1 to 1000 us in equal steps: percentiles of 999 equal gaps."""
    figures = TaskTimes("ladder", 1e-3, TIMES).to_dict()
    assert figures["tasks"] == 1000
    assert figures["mean"] == pytest.approx(500.5e-6)
    assert figures["p50"] == pytest.approx((1 + 0.5 * 999) * 1e-6)
    assert figures["p99.9"] == pytest.approx((1 + 0.999 * 999) * 1e-6)
    assert figures["max"] == 1e-3
    assert figures["load"] == pytest.approx(0.5005)
    assert "latest" not in figures


def test_overruns_are_too_long_or_too_late():
    alone = TaskTimes("ladder", 0.9e-3, TIMES)
    assert (alone.overruns, alone.too_long) == (100, 100)
    late = TaskTimes("ladder", 0.9e-3, TIMES, np.full(1000, 1e-4))
    assert (late.overruns, late.too_long) == (200, 100)
    assert late.to_dict()["latest"] == 1e-4
    assert "900.1 us" not in str(late)
    assert "latest     100 us" in str(late)


@pytest.mark.parametrize("late", [np.empty(0), np.full(1000, 1e-4)], ids=["free", "paced"])
def test_picture(tmp_path, late):
    TaskTimes("ladder", 1e-3, TIMES, late).plot(tmp_path / "tasks.png")
    assert (tmp_path / "tasks.png").stat().st_size > 1000


@pytest.mark.parametrize(("seconds", "text"), [(2.0, "2 s"), (1e-3, "1 ms"), (2.5e-4, "250 us"), (1e-6, "1 us")])
def test_the_time_of_a_task_in_words(seconds, text):
    assert in_words(seconds) == text
