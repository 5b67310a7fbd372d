"""The resolvent step against the same method written by hand for one machine: the drivelines of benchmarks/realtime.py.

Both are C, but nothing is shared: the code by hand has its own free motion (an inverse of two by two), boxes, lines,
roots and quadratics. The tolerance is rounding over 4000 steps with some twenty changes of stick and slip.
"""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
realtime = pytest.importorskip("realtime")


@pytest.fixture(scope="module")
def hand(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    return realtime.build_hand(tmp_path_factory.mktemp("hand"))


@pytest.mark.parametrize("case", realtime.CASES, ids=lambda case: case.name)
def test_the_step_is_the_one_written_by_hand(case, hand):
    by_hand = realtime.hand_written(hand, case).results()
    ours = realtime.ours(case)[0].results()
    scale = np.ptp(by_hand, axis=(0, 1))
    assert (np.abs(ours - by_hand) / scale).max() < 1e-9
