"""stribeck models: what comes with the package."""

from __future__ import annotations

from rich.console import Console

from ..spec import load_model, shipped_models
from .report import new_table, print_tables


def list_models() -> None:
    """Prints the names of the shipped models and what they consist of."""
    table = new_table("model", "elements", "time", right=[2])
    for name in shipped_models():
        model = load_model(name)
        elements = ", ".join(f"{name} ({type(element).__name__})" for name, element in model.elements.items())
        table.add_row(name, elements, f"{model.simulation.t_end:g} s")
    print_tables(Console(), table)
