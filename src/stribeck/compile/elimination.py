"""Exact elimination: sparse rows of fractions, solved for some of their columns."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

C = TypeVar("C", bound=Hashable)

ExactRow = dict[int, Fraction]
"""Coefficients over numbered columns: nodes, for one."""


class Elimination(Generic[C]):
    """Equations `row = 0`, taken one by one; each new one is solved for one of its columns.

    `expr[p]` is what column p equals, a row over columns that nothing has been solved for.

    >>> gears = Elimination(lambda column: 0)
    >>> gears.add({"a": Fraction(1), "b": Fraction(-3)})
    'a'
    >>> gears.expr["a"]
    {'b': Fraction(3, 1)}
    """

    def __init__(self, rank: Callable[[C], Any]) -> None:
        self._rank = rank
        self.expr: dict[C, dict[C, Fraction]] = {}
        self._users: dict[C, set[C]] = {}

    def is_new(self, column: C) -> bool:
        """Whether no equation has met a column yet."""
        return column not in self.expr and not self._users.get(column)

    def reduce(self, row: Mapping[C, Fraction]) -> dict[C, Fraction]:
        """The row over columns that nothing has been solved for."""
        total: dict[C, Fraction] = {}
        for column, value in row.items():
            add_row(total, value, self.expr.get(column, {column: Fraction(1)}))
        return total

    def add(self, row: Mapping[C, Fraction], last: Container[C] = ()) -> C | None:
        """The column that `row = 0` was solved for: the one of lowest rank, which is None for "never".

        The result is None if no column can be: `reduce` shows what is left, nothing if the equation was known before.
        Columns in `last` are taken if there is no other.
        """
        left = self.reduce(row)
        ranked = [
            (c in last, self._weight(c), rank, i, c) for i, c in enumerate(left) if (rank := self._rank(c)) is not None
        ]
        if not ranked:
            return None
        pivot = min(ranked)[-1]
        own = left.pop(pivot)
        solved = {column: -value / own for column, value in left.items()}
        for user in self._users.pop(pivot, set()):
            expr = self.expr[user]
            add_row(expr, expr.pop(pivot), solved)
            self._note(user, solved)
        self.expr[pivot] = solved
        self._note(pivot, solved)
        return pivot

    def _note(self, user: C, columns: Mapping[C, Fraction]) -> None:
        for column in columns:
            used = self._users.setdefault(column, set())
            if column in self.expr[user]:
                used.add(user)
            else:
                used.discard(user)

    def _weight(self, column: C) -> int:
        """How much work it is to put something else in its place; small numbers are all the same."""
        users = len(self._users.get(column, ()))
        return users.bit_length() if users > 8 else 0


def add_row(total: dict[C, Fraction], factor: Fraction, row: Mapping[C, Fraction]) -> None:
    """total += factor * row; entries that cancel are dropped."""
    for column, value in row.items():
        total[column] = total.get(column, Fraction(0)) + factor * value
        if not total[column]:
            del total[column]
