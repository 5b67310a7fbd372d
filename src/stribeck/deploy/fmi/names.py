"""Names of variables in an FMU: structured, as Modelica has them, or flat identifiers for tools that take no others."""

from __future__ import annotations

import re
from collections.abc import Iterable

CONVENTIONS = ("structured", "flat")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def structured(path: str) -> str:
    """The structured name of a path: what counts becomes an index, what is no identifier is quoted.

    >>> structured("press.u.terms.0"), structured("gear-1.w")
    ('press.u.terms[1]', "'gear-1'.w")
    """
    parts: list[str] = []
    for part in path.split("."):
        if part.isdigit() and parts:
            parts[-1] += f"[{int(part) + 1}]"
        else:
            parts.append(part if IDENTIFIER.fullmatch(part) else f"'{_ascii(part)}'")
    return ".".join(parts)


def flat(name: str) -> str:
    """The flat name of a structured one: an identifier of C.

    >>> flat("der(mass.w)"), flat("otto.tau_map[2,1]")
    ('der_mass_w', 'otto_tau_map_2_1')
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", _ascii(name)).strip("_") if name else name


def distinct(names: Iterable[str], suffix: str = "_{}") -> list[str]:
    """The names, with a number behind those that are there already.

    >>> distinct(["a_w", "a_w", "b"])
    ['a_w', 'a_w_2', 'b']
    """
    found: dict[str, None] = {}
    for name in names:
        new, count = name, 2
        while new in found:
            new, count = name + suffix.format(count), count + 1
        found[new] = None
    return list(found)


def _ascii(text: str) -> str:
    """A text with other characters by their numbers: the names of FMI are ASCII."""
    return "".join(c if c.isascii() else f"u{ord(c):x}" for c in text)
