"""The section `laws` of a model file: friction laws as text, known to this model only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..elements import Element
from ..errors import FileError, SpecError
from ..laws import Law, from_text
from .plain import at_line, mapping
from .yaml_file import parse_yaml, read_text

EXAMPLE = '{Viscous: {family: smooth, parameters: {d: {default: 2, unit: "{load}.s/{disp}"}}, friction: d*v}}'


def load_laws(source: str | Path) -> dict[str, type[Law]]:
    '''The laws of a file with a section `laws`, a model or laws alone, by name; a text of several lines is YAML.

    >>> text = """laws:
    ...   Viscous: {family: smooth, parameters: {d: {default: 2, unit: "{load}.s/{disp}"}}, friction: d*v}"""
    >>> load_laws(text)["Viscous"](d=3)
    Viscous(d=3)
    '''
    inline = isinstance(source, str) and "\n" in source
    place = "" if inline else f"{source}: "
    try:
        data = parse_yaml(str(source) if inline else read_text(Path(source)))
        top = mapping(data, "a file of laws", f"laws: {EXAMPLE}")
        if not top.get("laws"):
            raise FileError(f"it has no section `laws`; write for instance laws: {EXAMPLE}")
        return laws_from_plain(top["laws"])
    except SpecError as error:
        raise type(error)(f"{place}{error}") from None


def laws_from_plain(data: Any) -> dict[str, type[Law]]:
    """The classes of the laws in the data of a model file."""
    found = {}
    for name, entry in mapping(data, "laws", EXAMPLE).items():
        try:
            description = mapping(entry, f"law '{name}'", '{family: smooth, friction: "d*v", ...}')
            for key in description:
                if not isinstance(key, str):
                    raise SpecError(f"law '{name}': the entry {key!r} must be text; put it between quotes")
            found[name] = from_text(name, **description)
        except SpecError as error:
            raise at_line(entry, error) from None
    return found


def laws_to_plain(laws: Mapping[str, type[Law]]) -> dict[str, Any]:
    """The section `laws` of a model file.

    >>> laws_to_plain(model.laws)
    """
    return {name: dict(law.definition.data) for name, law in laws.items() if law.definition and is_text(law)}


def is_text(law: type[Law]) -> bool:
    """Whether a law is one of text, and not a class of a script.

    >>> is_text(LuGre)
    False
    """
    return "definition" in vars(law)


def laws_in_use(declared: Mapping[str, type[Law]], elements: Iterable[Element]) -> dict[str, type[Law]]:
    """The declared laws, and those outside of the package that elements use; two different ones of one name are
    refused.

    >>> laws_in_use({}, model.elements.values())
    """
    found = dict(declared)
    for element in elements:
        for value in element.given.values():
            if isinstance(value, Law) and not value.compiled:
                name, law = type(value).__name__, type(value)
                if found.setdefault(name, law) is not law:
                    raise SpecError(
                        f"{element.label}: its law {name} is another one than the law {name} of this model; give one "
                        "of them another name"
                    )
    return found


def check_written_laws(elements: Iterable[Element]) -> None:
    """Refuses to write a model with a law that is a class of a script: other readers of the file do not have it."""
    for element in elements:
        for value in element.given.values():
            if isinstance(value, Law) and not value.compiled and not is_text(type(value)):
                name = type(value).__name__
                raise SpecError(
                    f"{element.label}: its law {name} is a class of a script, which a model file cannot hold; make it "
                    f'from text, sb.laws.from_text("{name}", ...), and it is written with the model'
                )
