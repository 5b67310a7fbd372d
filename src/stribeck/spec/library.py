"""Models by name: those of the package, and files."""

from __future__ import annotations

from pathlib import Path

from ..declare import unknown
from ..errors import UnknownName

FOLDER = Path(__file__).parent.parent / "models"


def shipped_models() -> list[str]:
    """The names of the models of the package.

    >>> shipped_models()
    ['car', 'clutch-judder', 'coupled-clutches', ...]
    """
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def find_model(source: str | Path) -> Path:
    """The file of a model by its name in the package, or by its path.

    >>> find_model("stick-slip").name
    'stick-slip.yaml'
    """
    path = Path(source)
    if path.suffix in (".yaml", ".yml") or len(path.parts) > 1 or _is_there(path):
        return path
    if str(source) not in shipped_models():
        message = unknown("there is no file and no model of the package called", str(source), shipped_models())
        raise UnknownName(f"{message}; the name of a file ends in .yaml")
    return FOLDER / f"{source}.yaml"


def _is_there(path: Path) -> bool:
    """Whether there is such a file; False for an invalid file name."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
