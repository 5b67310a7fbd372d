"""The streams of the process: letters that a terminal does not have are spelled out, a closed pipe ends nothing."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import Any

from ..results.page import GREEK

SPELLED = {letter: name for name, letter in GREEK.items()} | {
    "·": ".",
    "×": "x",
    "±": "+-",
    "−": "-",
    "–": "-",
    "—": "-",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "°": "deg",
    "…": "...",
    "µ": "u",
    "’": "'",
    "“": '"',
    "”": '"',
    "√": "sqrt",
    "∞": "inf",
    "\u00a0": " ",
}
"""Letters of texts and units for terminals that do not have them."""


def spell(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that an encoding does not have: their names, their plain forms, or a question mark.

    >>> codecs.register_error("spell", spell)
    >>> "2 kg·m² at σ₀".encode("ascii", "spell")
    b'2 kg.m2 at sigma0'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(letter: str) -> str:
    if letter in SPELLED:
        return SPELLED[letter]
    if "\u2500" <= letter <= "\u257f":  # lines of tables
        return "-"
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or "?"


codecs.register_error("stribeck", spell)


class Patient(io.FileIO):
    """A file descriptor that accepts everything: output to a closed pipe is dropped."""

    def write(self, data: Any) -> int:
        """As much as it takes; all of it if the pipe is closed."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            return len(data)


def prepare() -> None:
    """Makes stdout and stderr of this process so. Streams that others have put in place are left alone, but for letters
    they do not have."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream is getattr(sys, f"__{name}__"):
            stream.flush()
            raw = io.BufferedWriter(Patient(stream.fileno(), "w", closefd=False))
            lines = stream.line_buffering
            fresh = io.TextIOWrapper(
                raw, stream.encoding, "stribeck", line_buffering=lines, write_through=name == "stderr"
            )
            setattr(sys, name, fresh)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="stribeck")
