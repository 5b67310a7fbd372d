"""stribeck check: is this model well, what does it consist of, and what does it need to run at a fixed step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.markup import escape
from rich.status import Status

from ..analysis import check_realtime
from ..compile import compile_model
from ..results.data_table import DataTable
from ..results.screen import screen
from .settings import model_with
from .targets import check_picture


def check_model(name: str, settings: Sequence[str], step: str | None = None) -> None:
    """Prints the elements and states of a model and its warnings; an error ends the command.

    >>> check_model("stick-slip", [])
    """
    console = screen()
    model = model_with(name, settings)
    warnings = model.check(step)
    program = compile_model(model)

    shown = {name: repr(element).removesuffix(")").partition("(") for name, element in model.elements.items()}
    rows = [(name, kind, values) for name, (kind, _, values) in shown.items()]
    elements = DataTable(["element", "type", "values"], rows)
    states = DataTable(["state", "unit"], list(zip(program.state_names, program.state_units, strict=True)))

    console.print()
    console.show(elements, states)
    console.warn(warnings)
    console.print(
        f"[green]{escape(model.name)} is fine[/]: {len(model.elements)} elements, {len(program.state_names)} states"
    )


COLOURS = {"adequate": "green", "noisy": "yellow", "inaccurate": "yellow", "divergent": "red"}


def check_step(
    name: str, settings: Sequence[str], step: str, t_end: str | None = None, out: Path | None = None
) -> None:
    """Prints what a model needs to run at a fixed step; with a file also draws how each method fares.

    >>> check_step("stick-slip", [], "1 ms", out=Path("verdicts.png"))
    """
    check_picture(out)
    console = screen()
    with console.progress().status("the adaptive run") as status:
        shown = partial(_show, status)
        report = check_realtime(model_with(name, settings), step, t_end=t_end, progress=shown)
    console.print()
    for line in report.lines():
        console.print(escape(line), highlight=False, soft_wrap=True)
    console.print()
    console.show(*report.tables(), colour=_colour)
    console.warn(report.warnings)
    if out is not None:
        report.plot(out)
        console.wrote(out.parent, [out])


def _show(status: Status, method: str) -> None:
    status.update(f"the run with {method}")


def _colour(cell: str) -> str:
    """Verdicts in their colours, and red what is marked."""
    return COLOURS.get(cell, "red" if cell.endswith("!") else "")
