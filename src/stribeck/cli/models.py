"""stribeck models: what comes with the package."""

from __future__ import annotations

from ..model import load_model
from ..results.data_table import DataTable
from ..results.screen import screen
from ..spec import shipped_models


def list_models() -> None:
    """Prints the names of the shipped models and what they consist of."""
    rows = []
    for name in shipped_models():
        model = load_model(name)
        elements = ", ".join(f"{name} ({type(element).__name__})" for name, element in model.elements.items())
        rows.append((name, f"{model.simulation.t_end:g} s", elements))
    screen().show(DataTable(["model", "time", "elements"], rows, right=[1]))
