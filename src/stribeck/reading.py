"""Errors of third-party file readers: all become one error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import StribeckError, shortened


@contextmanager
def reading(place: str, error: type[StribeckError], must: str) -> Iterator[None]:
    """Turns any exception of a reader on a broken file into `error`, with the place, the reason, and the rule.

    Third-party readers raise anything: struct.error, OverflowError, RecursionError. A missing file stays a
    FileNotFoundError.

    >>> with reading("file 'run.bin'", sb.FileError, "it must hold one number"):
    ...     int("broken")
    FileError: file 'run.bin' cannot be read: ...; it must hold one number
    """
    try:
        yield
    except (StribeckError, FileNotFoundError):
        raise
    except Exception as reason:
        lines = str(getattr(reason, "strerror", None) or reason).strip().splitlines()
        words = shortened(lines[0], 200) if lines else type(reason).__name__
        raise error(f"{place} cannot be read: {words}; {must}") from reason
