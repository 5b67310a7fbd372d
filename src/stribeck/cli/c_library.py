"""stribeck c: a model as a small C library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from ..deploy import c
from ..results.screen import screen
from .settings import model_with


def write_library(
    name: str,
    settings: Sequence[str],
    folder: Path,
    *,
    step: str = "1 ms",
    inputs: str | None = None,
    outputs: str | None = None,
) -> None:
    """Writes the C files of a model and says how to build them.

    >>> write_library("stick-slip", [], Path("plant"), step="1 ms", outputs="mass.w,friction.*")
    """
    model = model_with(name, settings)
    files = c(model, folder, step=step, inputs=names_of(inputs), outputs=names_of(outputs))
    console = screen()
    console.wrote(folder, files)
    console.print(
        f"build it with: make -C {escape(str(folder))}; run the example: {escape(str(folder / files[0].stem))}",
        soft_wrap=True,
    )


def names_of(text: str | None) -> list[str] | None:
    """Names with commas between them; None for "all".

    >>> names_of("mass.w, friction.tau"), names_of("all")
    (['mass.w', 'friction.tau'], None)
    """
    if text is None or text.strip() == "all":
        return None
    return [name.strip() for name in text.split(",") if name.strip()]
