"""What tests of exported models share."""

import ctypes
from pathlib import Path

import pytest
from support.plant import compile_runtime, load_runtime


@pytest.fixture(scope="session")
def runtime_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime, compiled once for all tests."""
    return compile_runtime(tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def runtime(runtime_object: Path) -> ctypes.CDLL:
    """The same, for ctypes."""
    return load_runtime(runtime_object)
