"""stribeck run: simulate, print a summary, write a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import SimulationError
from ..results import Result
from ..results.screen import screen
from ..run import simulate
from .folder import write_folder
from .progress import ProgressBar
from .report import print_result
from .settings import model_with
from .targets import check_folder


def run_model(name: str, settings: Sequence[str], out: Path | None, ending: str = "csv", **limits: Any) -> None:
    """Simulates a model; what a run that failed, or was interrupted, has reached is shown and written too.

    >>> run_model("stick-slip", ["friction.law.sigma0=1e4"], Path("out"))
    """
    model = model_with(name, settings)
    check_folder(out, ending)
    try:
        with ProgressBar(model.name, model.simulation.t_end) as progress:
            result = simulate(model, progress=progress, **limits)
    except (SimulationError, KeyboardInterrupt) as error:
        partial = getattr(error, "result", None)
        if partial is not None and partial.time.size:
            _hand_over(partial, out, ending)
        raise
    _hand_over(result, out, ending)


def _hand_over(result: Result, out: Path | None, ending: str) -> None:
    """The summary on the terminal, the files in the folder."""
    console = screen()
    print_result(console, result)
    if out is not None:
        console.wrote(out, write_folder(result, out, ending))
