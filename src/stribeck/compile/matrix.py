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

    `after[i]` lists unknowns of which at least one must be eliminated before i: a holding torque has no
    diagonal of its own, it gets one from a speed that it acts on.

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
    """Always the unknown with the fewest neighbours left; ties by number, so that the order is repeatable."""
    n = len(near)
    waiting = {i for i, needs in after.items() if needs}
    freed_by: dict[int, list[int]] = {}
    for i in waiting:
        for need in after[i]:
            freed_by.setdefault(need, []).append(i)
    heap = [(len(near[i]), i) for i in range(n) if i not in waiting]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(near[i]):
            continue
        done[i] = True
        order.append(i)
        for j in near[i]:
            near[j] |= near[i]
            near[j] -= {i, j}
            if j not in waiting:
                heapq.heappush(heap, (len(near[j]), j))
        for j in freed_by.get(i, ()):
            if j in waiting:
                waiting.discard(j)
                heapq.heappush(heap, (len(near[j]), j))
    return order
