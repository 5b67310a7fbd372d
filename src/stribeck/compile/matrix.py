"""The pattern of the one matrix of the solvers: order of elimination, slots with fill, list of updates."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .rows import Arrays

Row = Mapping[int, float]
"""Coefficients by column."""


@dataclass(frozen=True)
class Pattern:
    """Rows in the order of elimination; `slots` gives the position of an entry (row, column) of the unknowns."""

    order: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    slots: Mapping[tuple[int, int], int]

    def arrays(self) -> Arrays:
        """lu_perm, lu_place, lu_ptr, lu_col, lu_diag, elim_dst as the kernel reads them."""
        rows = self.columns
        start = np.cumsum([0, *(len(row) for row in rows)])
        place = [{column: int(start[i]) + k for k, column in enumerate(row)} for i, row in enumerate(rows)]
        updates = [place[i][j] for i, row in enumerate(rows) for k in row if k < i for j in rows[k] if j > k]
        return {
            "lu_perm": np.array(self.order, np.int32),
            "lu_place": np.argsort(self.order).astype(np.int32),
            "lu_ptr": start.astype(np.int32),
            "lu_col": np.array([column for row in rows for column in row], np.int32),
            "lu_diag": np.array([place[i][i] for i in range(len(rows))], np.int32),
            "elim_dst": np.array(updates, np.int32),
        }


def analyse(n: int, entries: Iterable[tuple[int, int]], acts_on: Mapping[int, Row]) -> Pattern:
    """Pattern of a matrix with these entries (symmetric closure, full diagonal), fill included.

    `acts_on[i]` is the row of a holding torque over the speeds. It has no diagonal entry, but gets one from speeds
    that are eliminated before it: its pivot is 0 where, seen from these speeds alone, it does the same as torques that
    are eliminated already. With a positive definite mass matrix no other pivot vanishes, in any order.

    >>> analyse(3, [(0, 1), (1, 2)], {}).order
    (0, 1, 2)
    """
    near: list[set[int]] = [set() for _ in range(n)]
    for row, column in entries:
        if row != column:
            near[row].add(column)
            near[column].add(row)
    order = _minimum_degree([set(s) for s in near], acts_on)
    at = {unknown: position for position, unknown in enumerate(order)}

    # fill: eliminating an unknown joins those of its neighbours that are still there
    rows: list[set[int]] = [{i} | {at[j] for j in near[unknown]} for i, unknown in enumerate(order)]
    for i in range(n):
        later = [j for j in rows[i] if j > i]
        for j in later:
            rows[j].update(later)
    columns = tuple(tuple(sorted(row)) for row in rows)
    slots: dict[tuple[int, int], int] = {}
    for i, row_columns in enumerate(columns):
        for j in row_columns:
            slots[order[i], order[j]] = len(slots)
    return Pattern(tuple(order), columns, slots)


def _minimum_degree(near: list[set[int]], acts_on: Mapping[int, Row]) -> list[int]:
    """Always the unknown with the fewest neighbours left; ties by number, so that the order is repeatable.

    A holding torque becomes ready when it has a pivot. Those that never get one, because others hold their motion, come
    last.
    """
    n = len(near)
    waiting = {i for i, row in acts_on.items() if row}
    wanted_by: dict[int, list[int]] = {}
    for i in waiting:
        for speed in acts_on[i]:
            wanted_by.setdefault(speed, []).append(i)
    pivots = _Pivots()
    heap = [(len(near[i]), i) for i in range(n) if i not in waiting]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(near[i]):
            continue
        if i in waiting and not pivots.take(acts_on[i], done):
            continue  # until another speed is done
        waiting.discard(i)
        done[i] = True
        order.append(i)
        for j in near[i]:
            near[j] |= near[i]
            near[j] -= {i, j}
            if j not in waiting or any(done[speed] for speed in acts_on[j]):
                heapq.heappush(heap, (len(near[j]), j))
        for j in wanted_by.get(i, ()):
            if j in waiting:
                heapq.heappush(heap, (len(near[j]), j))
    return [*order, *sorted(waiting)]


INDEPENDENT = 1e-9
"""Share of its largest coefficient that an independent row keeps: ratios of gears are exact to rounding, 1e-16."""


class _Pivots:
    """Rows in echelon form that grow: each has a speed that no other row uses any more."""

    def __init__(self) -> None:
        self.row_of: dict[int, dict[int, float]] = {}
        """By its pivot speed, the row, with 1 there."""

    def take(self, row: Row, done: Sequence[bool]) -> bool:
        """Adds a row if it has a speed that no earlier row uses, among those that are done."""
        rest, size = dict(row), max(map(abs, row.values()))
        while used := [speed for speed in rest if speed in self.row_of]:
            factor = rest[used[0]]
            for speed, value in self.row_of[used[0]].items():
                rest[speed] = rest.get(speed, 0.0) - factor * value
            rest = {speed: value for speed, value in rest.items() if abs(value) > INDEPENDENT * size}
        own = max((speed for speed in rest if done[speed]), key=lambda speed: abs(rest[speed]), default=None)
        if own is None:
            return False
        self.row_of[own] = {speed: value / rest[own] for speed, value in rest.items()}
        return True
