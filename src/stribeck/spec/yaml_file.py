"""YAML text to plain data and back, with the line in every complaint. PyYAML is loaded when it is needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ..errors import FileError
from .plain import Entry


def read_text(path: Path) -> str:
    """The text of a model file.

    >>> read_text(Path("rig.yaml"))
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        near = sorted(p.name for p in path.parent.glob("*.y*ml")) if path.parent.is_dir() else []
        hint = f"there are {', '.join(near[:5])}" if near else "check the path"
        raise FileError(f"there is no file '{path}'; {hint}") from None
    except IsADirectoryError:
        raise FileError(f"'{path}' is a folder; name a model file in it, such as '{path / 'model.yaml'}'") from None
    except UnicodeDecodeError as error:
        raise FileError(f"'{path}' is not a text file (byte {error.start}); a model is YAML in UTF-8") from None
    except OSError as error:
        raise FileError(f"'{path}' cannot be read: {error.strerror}; check the path and the permissions") from None
    return text


def parse_yaml(text: str) -> Any:
    """YAML text as plain data whose mappings know their lines; duplicate keys are refused.

    >>> parse_yaml("mass: {type: Inertia, J: 1}")
    {'mass': {'type': 'Inertia', 'J': 1}}
    """
    import yaml

    try:
        data = yaml.load(text, Loader=_loader())  # a SafeLoader
    except yaml.MarkedYAMLError as error:
        raise _syntax(error) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise FileError(f"this is not YAML: {str(error).splitlines()[0]}; a model is plain YAML text") from None
    if data is None:
        raise FileError("the model is empty; it needs at least elements: {mass: {type: Inertia, J: 1}, ...}")
    return data


def format_yaml(data: Any) -> str:
    """Plain data as YAML text, one element per line.

    >>> format_yaml({"mass": {"type": "Inertia", "J": 1}})
    'mass: {type: Inertia, J: 1}\\n'
    """
    import yaml

    return str(yaml.safe_dump(data, sort_keys=False, default_flow_style=None, allow_unicode=True, width=120))


def _syntax(error: Any) -> FileError:
    """What the parser complains about, and where."""
    problem = " ".join(part for part in (error.problem, error.context) if part)
    return _at(
        error.problem_mark or error.context_mark, f"{problem}; mind colons, quotes and brackets, and use no tabs"
    )


def _at(mark: Any, text: str) -> FileError:
    return FileError(f"line {mark.line + 1}, column {mark.column + 1}: {text}" if mark else text)


@cache
def _loader() -> Any:
    """The safe loader of PyYAML with lines and without duplicate keys."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def construct(loader: Loader, node: yaml.MappingNode) -> Entry:
        loader.flatten_mapping(node)
        entry = Entry(line=node.start_mark.line + 1)
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            if not isinstance(key, str | int | float | bool | None):
                raise _at(key_node.start_mark, f"{key!r} cannot be a name; write a word and a colon")
            if key in entry:
                raise _at(key_node.start_mark, f"'{key}' stands here for the second time; remove or rename one of them")
            entry[key] = loader.construct_object(value_node, deep=True)
        return entry

    Loader.add_constructor("tag:yaml.org,2002:map", construct)
    return Loader
