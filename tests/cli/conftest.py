"""What tests of the command line share."""

import pytest
from typer.testing import CliRunner

from stribeck.cli import app


@pytest.fixture
def cli():
    """Runs a command line; its answer has exit_code, stdout and stderr."""
    return lambda *words: CliRunner(env={"COLUMNS": "120"}).invoke(app, [str(word) for word in words])
