"""Modes of a friction element: numbers in arrays, words in tables and files (as in Modelica)."""

from __future__ import annotations

from collections.abc import Iterable

from ..kernel import modes
from .errors import ResultError

CODES = modes()
MODES = {code: word for word, code in CODES.items()}
STUCK = CODES["Stuck"]


def mode_code(word: str) -> int:
    """The number of a mode.

    >>> mode_code("Stuck")
    0
    """
    if word not in CODES:
        raise ResultError(f"there is no mode {word!r}; modes are {', '.join(CODES)}")
    return CODES[word]


def mode_words(codes: Iterable[float]) -> list[str]:
    """Modes as words.

    >>> mode_words([0, 1])
    ['Stuck', 'Forward']
    """
    return [MODES[int(code)] for code in codes]
