"""The page about all elements: python -m stribeck.studies.elements_page > docs/elements.md."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from ..elements import DOMAINS, Element, all_elements
from .laws_page import _table

INTRODUCTION = """\
# Elements

Written by `python -m stribeck.studies.elements_page > docs/elements.md` from the declarations of the elements;
`stribeck elements NAME` shows the same about one of them.

Flanges are given in this order, or by name: `Spring(motor, wheel, c=20)`, `Spring(a=motor, b=wheel, c=20)`; those in
brackets are on the ground if they are left out. Units are those of numbers without a unit, for rotation and along a
line; texts such as "20 N.m/rad" are converted. Signals are numbers or expressions of time and sensors
([signals.md](signals.md)), laws are friction laws ([laws.md](laws.md)).
"""

HEAD = ["parameter", "default", "unit", "must be", "also", "meaning"]


def page() -> Iterator[str]:
    """The page, piece by piece.

    >>> print(*page(), sep="\\n")
    """
    yield INTRODUCTION
    for kind in all_elements().values():
        yield section(kind)


def section(kind: type[Element]) -> str:
    """Text, example, flanges and parameters of an element.

    >>> print(section(Spring))
    """
    text, example = about(kind)
    parts = [f"## {kind.__name__}\n", f"{text}\n", f"```\n{example}\n```\n"]
    parts += [f"{connections(kind)}\n"]
    if kind.params:
        rows = ([f"`{row[0]}`", *row[1:]] for row in parameters(kind))
        parts += [_table(HEAD, rows)]
    return "\n".join(parts)


def about(kind: type[Element]) -> tuple[str, str]:
    """What an element is, and its examples as code.

    >>> about(Spring)[0]
    'A linear spring: tau = c (phi_rel - phi_rel0)'
    """
    lines = (inspect.getdoc(kind) or "").splitlines()
    prompts = (">>> ", "... ")
    text = [line for line in lines if not line.startswith(prompts)]
    return "\n".join(text).strip(), "\n".join(line[4:] for line in lines if line.startswith(prompts))


def connections(kind: type[Element]) -> str:
    """Flanges and ports in words.

    >>> connections(Spring)
    'Flanges: a, [b].'
    """
    flanges = ", ".join(f"[{name}]" if name in kind.to_ground else name for name in kind.flanges)
    ports = ", ".join(kind.ports)
    return f"Flanges: {flanges}." + (f" Port: {ports}, to a ThermalMass." if ports else "")


def parameters(kind: type[Element]) -> list[list[str]]:
    """Name, default, unit, bounds, other names and meaning of every parameter.

    >>> parameters(Spring)[0]
    ['c', 'must be given', 'N.m/rad, N/m', 'at least 0', '', 'stiffness']
    """
    return [
        [name, default(param), unit(kind, param.unit), param.rule, ", ".join(param.aliases), meaning(param)]
        for name, param in kind.params.items()
    ]


def default(param: Any) -> str:
    """The default of a parameter in words.

    >>> default(Spring.c)
    'must be given'
    """
    if param.default is None:
        return "none" if param.optional else "must be given"
    return f"{param.default:g}" if isinstance(param.default, int | float) else str(param.default)


def unit(kind: type[Element], template: str) -> str:
    """The units of a template: that of the domain of the element, or those for rotation and along a line.

    >>> unit(Spring, "{force}/{disp}")
    'N.m/rad, N/m'
    """
    own = [DOMAINS[kind.domain]] if kind.domain in DOMAINS else list(DOMAINS.values())
    found = [template.format_map(domain.units) for domain in own] if "{" in template else [template]
    return ", ".join("-" if one == "1" else one for one in dict.fromkeys(found))


def meaning(param: Any) -> str:
    """The text of a parameter, with the words that it may be.

    >>> meaning(Clutch.engage)
    'how the bristles ...: steady, frozen or zero'
    """
    words = [str(word) for word in getattr(param, "options", ())]
    return f"{param.text}: {', '.join(words)}" if words else param.text


def main() -> None:
    """Prints the page."""
    print("\n".join(page()), end="")


if __name__ == "__main__":
    main()
