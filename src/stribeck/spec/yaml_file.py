"""YAML text to plain data and back; errors name the line. PyYAML is loaded on first use.

Words are read by the core schema of YAML 1.2, so that `on`, `off`, `yes`, 12:30 and 2024-01-01 are texts. The data are
built from the events of the parser, one after the other: nesting costs no recursion, and what anchors multiply is
counted before it exists.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import FileError, shortened
from .plain import Entry

MOST_BYTES = 64_000_000
MOST_VALUES = 5_000_000
"""Limit on names and values in a model file; anchored ones count at every use."""
DEEPEST = 5_000
"""Limit on nesting levels."""


def read_text(path: Path) -> str:
    """The text of a model file.

    >>> read_text(Path("rig.yaml"))
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise FileError(f"'{path}' has {size / 1e6:.3g} MB; a model file may have {MOST_BYTES / 1e6:g} MB")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        near = sorted(p.name for p in path.parent.glob("*.y*ml")) if path.parent.is_dir() else []
        hint = f"there are {', '.join(near[:5])}" if near else "check the path"
        raise FileError(f"there is no file '{path}'; {hint}") from None
    except IsADirectoryError:
        raise FileError(f"'{path}' is a folder; name a model file in it, such as '{path / 'model.yaml'}'") from None
    except UnicodeDecodeError as error:
        raise FileError(f"'{path}' is not a text file (byte {error.start}); a model is YAML in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"'{path}' cannot be read: {reason}; check the path and the permissions") from None
    return text


def parse_yaml(text: str) -> Any:
    """YAML text as plain data; mappings know their lines, duplicate keys are refused.

    >>> parse_yaml("mass: {type: Inertia, J: 1}")
    {'mass': {'type': 'Inertia', 'J': 1}}
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C: 80 times faster, and linear in the nesting depth
    try:
        data = _build(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        raise _syntax(error, text) from None
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

    style: dict[str, Any] = {"sort_keys": False, "default_flow_style": None, "allow_unicode": True, "width": 120}
    return str(yaml.dump(data, Dumper=_dumper(), **style))


# --- the core schema --------------------------------------------------------------------------------------------------


def _integer(text: str) -> int | float:
    if len(text) > 300:  # beyond the range of a float
        return float(text) if text[:2] not in ("0o", "0x") else math.inf
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def _special(text: str) -> float:
    return math.nan if "n" in text[-2:].lower() and "a" in text.lower() else float(text.replace(".", ""))


CORE: dict[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    "null": (re.compile(r"~|null|Null|NULL|"), lambda _: None),
    "bool": (re.compile(r"true|True|TRUE|false|False|FALSE"), lambda text: text.lower() == "true"),
    "int": (re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), _integer),
    "float": (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"), float),
    "special": (re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"), _special),
}
"""The type of an unquoted word: the first pattern that it matches, else text."""
TAG = "tag:yaml.org,2002:"


def _scalar(event: Any) -> Any:
    """The value of a word, by its tag if it has one."""
    text, tag = event.value, event.tag
    if tag in ("!", TAG + "str") or (tag is None and event.style):
        return text
    kinds = CORE if tag is None else {name: CORE[name] for name in CORE if tag == TAG + name}
    if tag == TAG + "float":
        kinds = {name: CORE[name] for name in ("float", "special")}
    for pattern, convert in kinds.values():
        if pattern.fullmatch(text):
            return convert(text)
    if tag is None:
        return text
    raise _at(
        event.start_mark, f"the tag {tag} of '{shortened(text, 60)}' cannot be read; mind that a model has plain values"
    )


# --- events to data ---------------------------------------------------------------------------------------------------


@dataclass
class _Open:
    """A mapping or list that is being read; `size` counts its contents recursively."""

    value: Any
    event: Any
    size: int = 1
    key: Any = None
    has_key: bool = False
    merged: set[Any] = field(default_factory=set)
    """Keys from `<<`, which explicit keys may override."""

    def take(self, value: Any, size: int, event: Any) -> None:
        """The next key or value."""
        self.size += size
        if self.size > MOST_VALUES:
            raise _at(event.start_mark, f"more than {MOST_VALUES} values, counting those behind anchors; write less")
        if isinstance(self.value, list):
            self.value.append(value)
        elif not self.has_key:
            self._take_key(value, event)
        elif self.key == "<<" and _merges(value):
            for other in value if isinstance(value, list) else [value]:
                news = {key: item for key, item in other.items() if key not in self.value}
                self.value.update(news)
                self.merged |= set(news)
            self.has_key = False
        else:
            self.value[self.key], self.has_key = value, False

    def _take_key(self, key: Any, event: Any) -> None:
        if not isinstance(key, str | int | float | bool | None):
            shown = shortened(repr(key), 200)
            raise _at(event.start_mark, f"{shown} cannot be a name; write a word and a colon")
        if key in self.value and key not in self.merged and key != "<<":
            word = shortened(str(key), 200)
            raise _at(event.start_mark, f"'{word}' is defined twice; remove or rename one of them")
        self.key, self.has_key = key, True
        self.merged.discard(key)


def _merges(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(entry, dict) for entry in value))


def _build(events: Iterable[Any]) -> Any:
    """The data that the events of the parser describe."""
    import yaml

    opened: list[_Open] = []
    anchors: dict[str, tuple[Any, int]] = {}
    root, documents = None, 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _at(event.start_mark, "a second document begins here; a model file holds one")
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            opened.append(_opened(event, isinstance(event, yaml.MappingStartEvent), len(opened)))
            continue
        if isinstance(event, yaml.ScalarEvent):
            value, size, anchor = _scalar(event), 1, event.anchor
        elif isinstance(event, yaml.AliasEvent):
            value, size = _aliased(event, anchors)
            anchor = None
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = opened.pop()
            value, size, anchor = done.value, done.size, done.event.anchor
        else:
            continue
        if anchor:
            anchors[anchor] = value, size
        if opened:
            opened[-1].take(value, size, event)
        else:
            root = value
    return root


def _opened(event: Any, is_mapping: bool, depth: int) -> _Open:
    if depth >= DEEPEST:
        raise _at(event.start_mark, f"nested deeper than {DEEPEST} levels; write it with fewer")
    if event.tag not in (None, "!", TAG + ("map" if is_mapping else "seq")):
        raise _at(
            event.start_mark, f"the tag {event.tag} cannot be read; mind that a model has plain mappings and lists"
        )
    return _Open(Entry(line=event.start_mark.line + 1) if is_mapping else [], event)


def _aliased(event: Any, anchors: dict[str, tuple[Any, int]]) -> tuple[Any, int]:
    if event.anchor not in anchors:
        raise _at(event.start_mark, f"*{event.anchor} refers to no earlier anchor, or to one that contains it")
    return anchors[event.anchor]


def _syntax(error: Any, text: str) -> FileError:
    """A parser error with its position and the character there; the C parser counts the end as one more line."""
    at = (error.problem_mark or error.context_mark).index
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    problem = " ".join(part for part in (error.problem, error.context) if part)
    found = repr(text[at]) if at < len(text) else "the end"
    rule = "mind colons, quotes and brackets, and use no tabs"
    return FileError(f"line {line}, column {column}: {problem}, at {found}; {rule}")


def _at(mark: Any, text: str) -> FileError:
    return FileError(f"line {mark.line + 1}, column {mark.column + 1}: {text}" if mark else text)


@cache
def _dumper() -> Any:
    """The safe dumper of PyYAML, with quotes where YAML 1.1 or 1.2 would read another type."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    for kind in (str, float, int):  # subclasses too
        Dumper.add_multi_representer(kind, Dumper.yaml_representers[kind])
    for name, (pattern, _) in CORE.items():
        tag = TAG + ("float" if name == "special" else name)
        Dumper.add_implicit_resolver(tag, re.compile(f"(?:{pattern.pattern})$"), None)
    return Dumper
