"""The mode changes of a run: time, friction element, mode before and after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from ..optional import require
from ..reading import reading
from ..writing import write_chunks
from .data_table import DataTable, in_notebook
from .errors import ResultError
from .meta import element_of
from .modes import CODES, MODES, mode_code
from .seal import opened, sealed

if TYPE_CHECKING:
    import pandas as pd

Row = tuple[float, str, int, int]
HEAD = ("time", "element", "from", "to")


class Event(NamedTuple):
    """One mode change; if an element has several contacts, its name includes the part, as in "end.low".

    >>> result.events[0].to
    'Forward'
    """

    time: float
    element: str
    from_: str
    to: str


class Phase(NamedTuple):
    """An interval (s) in which a friction element keeps its mode.

    >>> result.phases("friction", "Stuck")[0].duration
    7.5
    """

    start: float
    end: float
    mode: int

    @property
    def duration(self) -> float:
        """Its duration (s).

        >>> Phase(5.0, 7.5, mode=0).duration
        2.5
        """
        return self.end - self.start


class Events(Sequence[Event]):
    """Mode changes ordered by time, from rows (time in s, element, mode before, mode after).

    >>> events = Events([(5.0, "friction", 0, 1), (7.5, "friction", 1, 0)])
    >>> events[0].to
    'Forward'
    >>> print(events)
    time  element   from     to
       5  friction  Stuck    Forward
     7.5  friction  Forward  Stuck
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: tuple[Row, ...] = tuple(rows)

    @property
    def time(self) -> np.ndarray:
        """Times of the mode changes (s).

        >>> events.time
        array([5. , 7.5])
        """
        return np.array([row[0] for row in self._rows], float)

    @property
    def element(self) -> list[str]:
        """The contacts that changed, as `Event.element`.

        >>> events.element
        ['friction', 'friction']
        """
        return [row[1] for row in self._rows]

    @property
    def from_(self) -> list[str]:
        """The modes before.

        >>> events.from_
        ['Stuck', 'Forward']
        """
        return [event.from_ for event in self]

    @property
    def to(self) -> list[str]:
        """The modes after.

        >>> events.to
        ['Forward', 'Stuck']
        """
        return [event.to for event in self]

    def of(self, element: str, to: str | None = None) -> Events:
        """The mode changes of an element, or of one of its contacts ("end.low"), all or those to one mode.

        >>> events.of("friction", to="Stuck").time
        array([7.5])
        """
        modes = MODES if to is None else [mode_code(to)]
        return Events(row for row in self._rows if element in (row[1], element_of(row[1])) and row[3] in modes)

    def phases(self, element: str, start: float, end: float, mode: int) -> list[Phase]:
        """The modes of a contact from `start` to `end` (s), beginning with `mode`.

        >>> events.phases("friction", 0, 25, 0)[0]
        Phase(start=0, end=5.0, mode=0)
        """
        changes = self.of(element)._rows
        times, modes = [start, *(c[0] for c in changes), end], [mode, *(c[3] for c in changes)]
        return [Phase(a, b, m) for a, b, m in zip(times[:-1], times[1:], modes, strict=True) if b > a]

    def to_pandas(self) -> pd.DataFrame:
        """The table as a data frame with the columns time, element, from, to."""
        frame: pd.DataFrame = require("pandas", "to_pandas", ResultError).DataFrame(
            [tuple(event) for event in self], columns=list(HEAD)
        )
        return frame

    def save(self, path: str | Path) -> None:
        """Writes a CSV file with the header time,element,from,to.

        >>> result.events.save("events.csv")
        """
        write_chunks(path, sealed(f"{','.join(map(str, row))}\n".encode() for row in [HEAD, *self]))

    @classmethod
    def load(cls, path: str | Path) -> Events:
        """Reads a file written by `save`.

        >>> result.events.save("events.csv")
        >>> Events.load("events.csv") == result.events
        True
        """
        path = Path(path)
        with reading(str(path), ResultError, "it must be a file that Events.save has written"):
            lines = opened(path, path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
            return cls.from_words((float(t), e, a, b) for t, e, a, b in (line.split(",") for line in lines[1:]))

    @classmethod
    def from_words(cls, rows: Iterable[tuple[float, str, str, str]]) -> Events:
        """From rows with modes as words.

        >>> Events.from_words([(5.0, "friction", "Stuck", "Forward")]) == Events([(5.0, "friction", 0, 1)])
        True
        """
        return cls((time, element, CODES[before], CODES[after]) for time, element, before, after in rows)

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: slice) -> Events: ...
    def __getitem__(self, key: Any) -> Event | Events:
        return Events(self._rows[key]) if isinstance(key, slice) else _event(self._rows[key])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Events) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._rows)

    def table(self) -> DataTable:
        """The mode changes as a table.

        >>> events.table().rows[0].to
        'Forward'
        """
        return DataTable(HEAD, list(self), digits=10)

    def _repr_html_(self) -> str:
        return in_notebook(self.table() if self._rows else str(self))

    def __str__(self) -> str:
        return self.table().text() if self._rows else "no mode changes"

    __repr__ = __str__


def _event(row: Row) -> Event:
    """A row with modes as words."""
    time, element, before, after = row
    return Event(float(time), element, MODES[int(before)], MODES[int(after)])
