"""stribeck check: is this model well, and what does it consist of."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from ..compile import compile_model
from .report import new_table, print_tables, print_warnings
from .settings import model_with


def check_model(name: str, settings: Sequence[str], step: str | None = None) -> None:
    """Prints the elements and states of a model and its warnings; an error ends the command.

    >>> check_model("stick-slip", [])
    """
    console = Console()
    model = model_with(name, settings)
    warnings = model.check(step)
    program = compile_model(model)

    elements = new_table("element", "type", "values")
    for element_name, element in model.elements.items():
        kind, _, values = repr(element).removesuffix(")").partition("(")
        elements.add_row(escape(element_name), kind, escape(values))
    states = new_table("state", "unit")
    for state, unit in zip(program.state_names, program.state_units, strict=True):
        states.add_row(escape(state), escape(unit))

    console.print()
    print_tables(console, elements, states)
    print_warnings(console, warnings)
    console.print(
        f"[green]{escape(model.name)} is fine[/]: {len(model.elements)} elements, {len(program.state_names)} states"
    )
