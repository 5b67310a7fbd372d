"""Models by name: those that come with the package, and files."""

from __future__ import annotations

from pathlib import Path

from ..declare import unknown
from ..errors import UnknownName
from .model import Model

FOLDER = Path(__file__).parent.parent / "models"


def shipped_models() -> list[str]:
    """The names of the models that come with the package.

    >>> shipped_models()
    ['coupled-clutches', 'stick-slip', 'stick-slip-switch']
    """
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load_model(source: str | Path, *, outside: bool = False) -> Model:
    """A model by its name in the package, or from a file; `outside` as in `Model.from_yaml`.

    >>> load_model("stick-slip")
    >>> load_model("rigs/rig.yaml")
    """
    path = Path(source)
    if path.suffix in (".yaml", ".yml") or len(path.parts) > 1 or _is_there(path):
        return Model.from_yaml(path, outside=outside)
    if str(source) not in shipped_models():
        message = unknown("there is no file and no model of the package called", str(source), shipped_models())
        raise UnknownName(f"{message}; the name of a file ends in .yaml")
    return Model.from_yaml(FOLDER / f"{source}.yaml")


def _is_there(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
