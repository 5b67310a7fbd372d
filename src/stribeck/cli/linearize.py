"""stribeck linearize: the modes of a machine about one of its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from ..analysis import linearize
from ..analysis.linear.model import Modes
from ..writing import make_folder, write_rows
from .report import print_files, print_tables
from .settings import model_with


def linearize_model(name: str, at: str, settings: Sequence[str], out: Path | None) -> None:
    """Prints the modes at a time; with a folder also writes modes.png, modes.csv and linear.json.

    >>> linearize_model("stick-slip", "2 s", [], Path("out"))
    """
    linear = linearize(model_with(name, settings), at)
    modes = linear.modes()
    console = Console()
    contacts = "".join(f", {contact} {mode}" for contact, mode in linear.contacts.items())
    console.print(f"\n[bold]{escape(linear.name)}[/] at {linear.time:g} s{escape(contacts)}\n", highlight=False)
    print_tables(console, replace(modes.table(), right=range(4)))
    if not modes:
        console.print("nothing can move: every body is held\n")
    if out is None:
        return
    make_folder(out)
    files = [out / "modes.png", out / "modes.csv", out / "linear.json"]
    linear.plot(path=files[0])
    write_rows(files[1], [Modes.HEAD, *modes.rows()])
    linear.save(files[2])
    print_files(console, out, files)
