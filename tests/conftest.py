"""What tests of all stages share."""

import os
import signal
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the tests are small and run in many processes, each a thread
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # shells start background jobs so, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout: a test that asks for it is skipped only where there is none."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no reference data beside the checkout")
    return folder
