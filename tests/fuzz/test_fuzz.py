"""Broken inputs end with an answer or with one error of ours; here for seconds, behind the marker for hours."""

import os
import sys

import pytest
from fuzz.campaign import MOST_MEMORY, Count, campaign

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="timers and memory are measured as on Linux")
MORE = int(os.environ.get("STRIBECK_FUZZ", "1"))
"""Times by which the campaigns behind the marker are longer, with other seeds."""
WHOLE = {"models": 90_000, "settings": 10_000, "api": 5_000, "snapshots": 10_000, "laws": 100_000} | dict.fromkeys(
    ("csv", "parquet", "mat", "mf4", "tdms", "result-csv", "result-parquet", "result-nc", "summaries"), 10_000
)


def expect_no_findings(count: Count, runs: int) -> None:
    assert not count.findings, count.findings[:3]
    assert count.runs == runs
    assert count.answers["refused"]
    assert count.memory < MOST_MEMORY


@pytest.mark.parametrize(("target", "runs"), [("texts", 150), ("tables", 200), ("results", 300)])
def test_broken_inputs(target, runs):
    expect_no_findings(campaign(target, runs), runs)


FOUND = [("mat", 771000512), ("mat", 771009977), ("mf4", 993005068), ("mf4", 993005482), ("result-nc", 771000083)]
"""Inputs that once crashed a reader (MAT), or took it more than ten seconds (MF4) or never returned (netCDF)."""


@pytest.mark.parametrize(("target", "seed"), FOUND)
def test_what_was_found_is_refused(target, seed):
    assert campaign(target, 1, first=seed).answers == {"refused": 1}


@pytest.mark.slow
@pytest.mark.parametrize("target", WHOLE)
def test_many_broken_inputs(target):
    runs = MORE * WHOLE[target]
    count = campaign(target, runs, first=1_000_000)
    print(f"{target}: {count}")
    expect_no_findings(count, runs)
