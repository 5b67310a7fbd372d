"""Where a mistake is: the law, the entry, and the characters of the formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from ...errors import SpecError
from .tree import Span

E = TypeVar("E", bound=SpecError)

WIDTH = 100
"""Characters of a formula that a message shows."""


@dataclass(frozen=True)
class TextPlace:
    """An entry of a law, for messages; `text` is its formula, if it is one."""

    where: str
    text: str = ""

    def at(self, entry: str, text: str = "") -> TextPlace:
        """An entry below this one.

        >>> TextPlace("law 'Makkar'").at("friction").where
        "law 'Makkar', friction"
        """
        return TextPlace(f"{self.where}, {entry}", text)

    def error(self, kind: type[E], message: str, span: Span | None = None) -> E:
        """An error with this place, and a line that points at the characters."""
        if span is None:
            return kind(f"{self.where}: {message}")
        start, end = span
        first = max(0, min(start - WIDTH // 2, len(self.text) - WIDTH))
        shown = "".join(c if c.isprintable() else " " for c in self.text[first : first + WIDTH])
        marks = " " * (start - first) + "^" * max(1, min(end - start, WIDTH - (start - first)))
        return kind(f"{self.where}, column {start + 1}: {message}\n    {shown}\n    {marks}")
