"""The border at which files of others come in: whatever their readers stumble over becomes one error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import StribeckError, shortened


@contextmanager
def reading(place: str, error: type[StribeckError], must: str) -> Iterator[None]:
    """Turns whatever a reader raises over a broken file into `error`, with the place, the reason, and what it must be.

    Readers of others raise anything: struct.error, OverflowError, RecursionError. A file that is not there stays one.

    >>> with reading("file 'run.mf4'", FileError, "it must be an MF4 file"):
    ...     asammdf.MDF("run.mf4")
    """
    try:
        yield
    except (StribeckError, FileNotFoundError):
        raise
    except Exception as reason:
        lines = str(getattr(reason, "strerror", None) or reason).strip().splitlines()
        words = shortened(lines[0], 200) if lines else type(reason).__name__
        raise error(f"{place} cannot be read: {words}; {must}") from reason
