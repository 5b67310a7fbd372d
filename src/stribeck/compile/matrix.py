"""The pattern of the one matrix of the solvers: order of elimination, slots with fill, list of updates."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pattern:
    """Rows in the order of elimination; `slots` tells the place of an entry (row, column) of the unknowns."""

    order: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    slots: Mapping[tuple[int, int], int]

    def arrays(self) -> dict[str, np.ndarray]:
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


def analyse(n: int, entries: Iterable[tuple[int, int]], after: Mapping[int, Sequence[int]]) -> Pattern:
    """Pattern of a matrix with these entries (symmetric closure, full diagonal), fill included.

    `after[i]` lists unknowns of which one of its own must be eliminated before i: a holding torque has no diagonal of
    its own, it gets one from a speed that it acts on, and no other torque may use up the same speed.

    >>> analyse(3, [(0, 1), (1, 2)], {}).order
    (0, 1, 2)
    """
    near: list[set[int]] = [set() for _ in range(n)]
    for row, column in entries:
        if row != column:
            near[row].add(column)
            near[column].add(row)
    order = _minimum_degree([set(s) for s in near], after)
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


def _minimum_degree(near: list[set[int]], after: Mapping[int, Sequence[int]]) -> list[int]:
    """Always the unknown with the fewest neighbours left; ties by number, so that the order is repeatable.

    An unknown with needs becomes ready when it finds a partner among those of its needs that are done. Those that never
    find one, because others have used up all speeds that they act on, come last.
    """
    n = len(near)
    waiting = {i for i, needs in after.items() if needs}
    wanted_by: dict[int, list[int]] = {}
    for i in waiting:
        for need in after[i]:
            wanted_by.setdefault(need, []).append(i)
    partners = _Partners(after)
    heap = [(len(near[i]), i) for i in range(n) if i not in waiting]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(near[i]):
            continue
        if i in waiting and not partners.find(i, done):
            continue  # until another of its needs is done
        waiting.discard(i)
        done[i] = True
        order.append(i)
        for j in near[i]:
            near[j] |= near[i]
            near[j] -= {i, j}
            if j not in waiting or any(done[need] for need in after[j]):
                heapq.heappush(heap, (len(near[j]), j))
        for j in wanted_by.get(i, ()):
            if j in waiting:
                heapq.heappush(heap, (len(near[j]), j))
    return [*order, *sorted(waiting)]


class _Partners:
    """A matching that grows: every unknown with needs gets one of them for itself."""

    def __init__(self, after: Mapping[int, Sequence[int]]) -> None:
        self.after = after
        self.taken: dict[int, int] = {}
        """Who has taken a need."""

    def find(self, i: int, done: Sequence[bool]) -> bool:
        """A partner for i among its needs that are done; others move to another one of theirs if they can."""
        came_from: dict[int, tuple[int, int | None]] = {}
        reach: list[tuple[int, int | None]] = [(i, None)]
        for taker, before in reach:
            for need in self.after[taker]:
                if not done[need] or need in came_from:
                    continue
                came_from[need] = (taker, before)
                if need not in self.taken:
                    self._move_along(need, came_from)
                    return True
                reach.append((self.taken[need], need))
        return False

    def _move_along(self, need: int, came_from: Mapping[int, tuple[int, int | None]]) -> None:
        place: int | None = need
        while place is not None:
            taker, before = came_from[place]
            self.taken[place] = taker
            place = before
