"""Tables of declarations within pages that people write: `python -m tools.pages.tables` brings them up to date.

A page marks the place of a table, and everything between the two marks is written here:

    <!-- table: laws -->
    <!-- end -->
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from stribeck.elements import Element, all_elements
from stribeck.laws import all_laws
from stribeck.signals import Signal, all_signals

from .markdown import table
from .step_needs import needs_table

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [*sorted(DOCS.glob("*.md")), DOCS / "decisions" / "README.md"]
FAMILIES = {
    "locking": "stick: no motion at all below the static limit",
    "bristle": "have bristles: elastic below break-away, with a state",
    "smooth": "are smooth at rest: they creep",
}
"""Families of laws in the order of the table, and what they do."""
PLACE = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def elements_table() -> str:
    """Elements by group and by the motion that they are for.

    >>> print(elements_table())
    """
    groups: dict[str, list[type[Element]]] = {}
    for kind in all_elements().values():
        groups.setdefault(kind.group, []).append(kind)
    columns = ["rotational", "translational", None]
    rows = [
        [group, *(_names(k for k in kinds if _motion(k) == motion) for motion in columns)]
        for group, kinds in groups.items()
    ]
    return table(["", "rotation", "translation", "both"], rows)


def laws_table() -> str:
    """Laws by family.

    >>> print(laws_table())
    """
    laws = all_laws().values()
    rows = [[text, _names(law for law in laws if law.family == family)] for family, text in FAMILIES.items()]
    return table(["laws that", ""], rows)


def signals_table() -> str:
    """Signals by group: parameters, and what each one is.

    >>> print(signals_table())
    """
    rows = [[f"`{name}`", ", ".join(kind.params), summary(kind)] for name, kind in all_signals().items()]
    return table(["signal", "parameters", "value"], rows)


def summary(kind: type[Signal]) -> str:
    """The first paragraph of what a class says about itself.

    >>> summary(Time)
    'The time in seconds.'
    """
    paragraph = (inspect.getdoc(kind) or "").split(">>>")[0].strip().split("\n\n")[0]
    return " ".join(paragraph.split())


def decisions_table() -> str:
    """The records of decisions with their status, from their first lines.

    >>> print(decisions_table())
    """
    rows = []
    for record in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        title, _, status, *_ = record.read_text(encoding="utf-8").splitlines()
        if not (title.startswith("# ") and status.startswith("Status: ")):
            raise SystemExit(f"{record.name}: begin with '# NUMBER. Title', an empty line and 'Status: accepted'")
        number, text = title.removeprefix("# ").split(". ", 1)
        rows.append([number, f"[{text}]({record.name})", status.removeprefix("Status: ")])
    return table(["", "decision", "status"], rows)


def _motion(kind: type[Element]) -> str | None:
    return kind.domain if kind.domain in ("rotational", "translational") else None


def _names(kinds: Iterable[type]) -> str:
    return ", ".join(f"`{kind.__name__}`" for kind in kinds)


TABLES: dict[str, Callable[[], str]] = {
    "decisions": decisions_table,
    "elements": elements_table,
    "laws": laws_table,
    "signals": signals_table,
    "step-needs": needs_table,
}
"""What a page may ask for."""


def up_to_date(text: str) -> str:
    """The text of a page with its tables as they are declared now.

    >>> up_to_date("<!-- table: laws --><!-- end -->")
    """
    return PLACE.sub(lambda place: f"{place[1]}{TABLES[place[2]]()}{place[3]}", text)


def main() -> None:
    """Writes the pages whose tables have changed."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (current := up_to_date(text)) != text:
            page.write_text(current, encoding="utf-8")
            print(page.relative_to(DOCS))


if __name__ == "__main__":
    main()
