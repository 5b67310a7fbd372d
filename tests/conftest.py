"""What tests of all stages share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout: a test that asks for it is skipped only where there is none."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no reference data beside the checkout")
    return folder
