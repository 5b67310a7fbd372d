"""The page about all elements: python -m tools.pages.elements > docs/elements.md."""

from __future__ import annotations

from collections.abc import Iterator

from stribeck.elements import Element, all_elements
from stribeck.elements.description import HEAD, about, connections, parameters

from .markdown import table

INTRODUCTION = """\
# Elements

Written by `python -m tools.pages.elements > docs/elements.md` from the declarations of the elements;
`stribeck elements NAME` shows the same about one of them.

Give flanges in this order, or by name: `Spring(motor, wheel, c=20)`, `Spring(a=motor, b=wheel, c=20)`; those in
brackets are on the ground if you omit them. Units apply to plain numbers, for rotation and translation;
texts such as "20 N.m/rad" are converted. Signals are numbers or expressions of time and sensors
([signals.md](signals.md)), laws are friction laws ([laws.md](laws.md)).
"""


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
        parts += [table(HEAD, rows)]
    return "\n".join(parts)


def main() -> None:
    """Prints the page."""
    print("\n".join(page()), end="")


if __name__ == "__main__":
    main()
