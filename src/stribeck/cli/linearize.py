"""stribeck linearize: the modes of a machine about one of its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.markup import escape

from ..analysis import linearize
from ..analysis.linear.model import Modes
from ..results.folder import write_files
from ..results.screen import screen
from ..writing import write_rows
from .settings import model_with
from .targets import check_folder


def linearize_model(name: str, at: str, settings: Sequence[str], out: Path | None) -> None:
    """Prints the modes at a time; with a folder also writes modes.png, modes.csv, linear.json and summary.json.

    >>> linearize_model("stick-slip", "2 s", [], Path("out"))
    """
    check_folder(out)
    linear = linearize(model_with(name, settings), at)
    modes = linear.modes()
    console = screen()
    contacts = "".join(f", {contact} {mode}" for contact, mode in linear.contacts.items())
    console.print(f"\n[bold]{escape(linear.name)}[/] at {linear.time:g} s{escape(contacts)}\n", highlight=False)
    console.show(replace(modes.table(), right=range(4)))
    if not modes:
        console.print("nothing can move: every body is held\n")
    if out is None:
        return
    files: dict[str, Callable[[Path], Any]] = {
        "modes.png": lambda path: linear.plot(path=path),
        "modes.csv": lambda path: write_rows(path, [Modes.HEAD, *modes.rows()]),
        "linear.json": linear.save,
    }
    console.wrote(out, write_files(out, files, {"model": linear.name, "time": linear.time}))
