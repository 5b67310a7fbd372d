"""What tests of exported models share."""

import ctypes

import pytest
from support.plant import load_runtime


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The runtime, compiled from its one file."""
    return load_runtime(tmp_path_factory.mktemp("runtime"))
