"""stribeck draw: a picture of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from ..analysis import draw
from ..writing import make_folder
from .report import check_picture
from .settings import model_with


def draw_model(name: str, out: Path | None, at: str | None, settings: Sequence[str]) -> None:
    """Draws a model into a file, by default NAME.png in the present folder.

    >>> draw_model("stick-slip", Path("machine.svg"), "2 s", [])
    """
    model = model_with(name, settings)
    path = Path(f"{model.name}.png") if out is None else out
    check_picture(path)
    make_folder(path.parent)
    draw(model, at=at, path=path)
    Console().print(f"[green]written to[/] {escape(str(path))}", highlight=False, soft_wrap=True)
