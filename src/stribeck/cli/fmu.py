"""stribeck fmu: a model for other simulation programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from ..deploy import fmu
from ..results.screen import screen
from .settings import model_with


def export_fmu(name: str, out: Path | None, settings: Sequence[str], **options: Any) -> None:
    """Writes a model as an FMU, by default NAME.fmu in the present folder.

    >>> export_fmu("stick-slip", Path("stick-slip.fmu"), [], fmi=2)
    """
    model = model_with(name, settings)
    path = Path(f"{model.name}.fmu") if out is None else out
    console = screen()
    with console.progress().status("exporting") as status:
        fmu(model, path, progress=lambda text: status.update(escape(text)), **options)
    console.wrote(path.parent, [path])


def words(text: str | None) -> list[str] | None:
    """The words of an option, which are separated by commas.

    >>> words("throttle, brake")
    ['throttle', 'brake']
    """
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]
