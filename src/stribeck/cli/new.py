"""stribeck new: a commented model file to start from."""

from __future__ import annotations

import json
from pathlib import Path

from rich.markup import escape

from ..declare import unknown
from ..errors import FileError, UnknownName
from ..results.screen import screen
from ..spec.yaml_file import parse_yaml
from ..writing import writable_file, write_text

FOLDER = Path(__file__).parent / "templates"


def templates() -> list[str]:
    """The names of the templates.

    >>> templates()
    ['controlled', 'driveline', 'stick-slip']
    """
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def new_model(file: Path, template: str, force: bool) -> None:
    """Writes a template into a file that is not there yet.

    >>> new_model(Path("new.yaml"), "stick-slip", force=False)
    """
    if template not in templates():
        raise UnknownName(unknown("there is no template", template, templates()))
    path = file if file.suffix in (".yaml", ".yml") else file.with_name(f"{file.name}.yaml")
    if path.exists() and not force:
        raise FileError(f"{path} is there already; choose another name, or write over it with --force")
    text = (FOLDER / f"{template}.yaml").read_text(encoding="utf-8")
    name = path.stem if parse_yaml(path.stem) == path.stem else json.dumps(path.stem, ensure_ascii=False)
    text = text.replace("name: NAME", f"name: {name}").replace("FILE", str(path))
    write_text(writable_file(path), text)
    console = screen()
    console.wrote(path.parent, [path])
    console.print(f"run it with: stribeck run {escape(str(path))} --out out", soft_wrap=True)
