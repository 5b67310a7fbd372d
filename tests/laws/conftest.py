"""What tests of laws share."""

import pytest
from support import native

from stribeck import laws


@pytest.fixture(scope="session")
def natives(tmp_path_factory):
    """Every law in C, by its name."""
    return native.build(laws.all_laws().values(), tmp_path_factory.mktemp("laws"))
