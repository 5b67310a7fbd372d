"""stribeck draw: a picture of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..analysis import draw
from ..results.screen import screen
from .settings import model_with
from .targets import check_picture


def draw_model(name: str, out: Path | None, at: str | None, settings: Sequence[str]) -> None:
    """Draws a model into a file, by default NAME.png in the present folder.

    >>> draw_model("stick-slip", Path("machine.svg"), "2 s", [])
    """
    model = model_with(name, settings)
    path = Path(f"{model.name}.png") if out is None else out
    check_picture(path)
    draw(model, at=at, path=path)
    screen().wrote(path.parent, [path])
