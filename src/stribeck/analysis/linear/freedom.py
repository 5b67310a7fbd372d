"""In which directions a machine can depart from a point while its stuck contacts stay rigid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...compile import Program, SpeedRows


class Freedom:
    """Directions over the states y, and over positions and speeds of the prescribed motions that are inputs.

    `basis` has a column for each state of the linear system, which is 1 in that state; `kept` are their numbers among
    [y | positions of prescribed positions | speeds of all these motions].

    >>> Freedom(program, machine.locked(), [], changing).kept
    [0, 2, 3]
    """

    def __init__(self, program: Program, locked: Sequence[int], motions: Sequence[int], changing: np.ndarray) -> None:
        self.program, self.motions = program, list(motions)
        self.placed = [i for i, k in enumerate(self.motions) if program.mechanics.is_position(k)]
        """Which of the motions are positions; the position of a speed is a state anyway."""
        self.n_y = len(program.state_names)
        self.size = self.n_y + len(self.placed) + len(self.motions)
        self.basis, self.kept = self._span(locked, changing)

    def over_inputs(self, rows: SpeedRows) -> np.ndarray:
        """Rows over v and the speeds of those motions that are inputs."""
        return np.hstack([rows.states, rows.motions[:, self.motions]])

    def _span(self, locked: Sequence[int], changing: np.ndarray) -> tuple[np.ndarray, list[int]]:
        """Speeds are in the null space of the slips of stuck contacts, positions in what these speeds can reach; states
        of laws that are constant (such as discrete modes) are omitted."""
        sizes, mechanics = self.program.sizes, self.program.mechanics
        n_v, n_q, n_y, n_m = sizes["n_v"], sizes["n_q"], self.n_y, len(self.motions)
        speeds, free = null_space(self.over_inputs(mechanics.slips)[mechanics.rigid_branches(locked)])
        placed = np.eye(n_v + n_m)[[n_v + i for i in self.placed]]
        rates = np.vstack([self.over_inputs(mechanics.position_rates), placed])
        positions, reached = echelon((rates @ speeds).T)
        law_states = range(n_v + n_q, n_y - sizes["n_u"])
        others = [i for i in range(n_v + n_q, n_y) if i not in law_states or changing[i]]

        speed_at = [*range(n_v), *range(n_y + len(self.placed), self.size)]
        position_at = [*range(n_v, n_v + n_q), *range(n_y, n_y + len(self.placed))]
        kept = [*(speed_at[i] for i in free), *(position_at[i] for i in reached), *others]
        basis = np.zeros((self.size, len(kept)))
        basis[speed_at, : len(free)] = speeds
        basis[position_at, len(free) : len(free) + len(reached)] = positions.T
        basis[others, range(len(free) + len(reached), len(kept))] = 1.0
        return basis, kept


def echelon(rows: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Reduced rows that span the same space, each 1 in its pivot column and 0 in the other pivot columns.

    >>> echelon(np.array([[2.0, 2.0], [1.0, 1.0]]))[1]
    [0]
    """
    rows = rows.copy()
    pivots: list[int] = []
    scale = np.abs(rows).max(initial=0.0)
    for column in range(rows.shape[1]):
        n = len(pivots)
        if n == rows.shape[0]:
            break
        best = n + int(np.argmax(np.abs(rows[n:, column])))
        if abs(rows[best, column]) <= 1e-10 * scale:
            continue
        rows[[n, best]] = rows[[best, n]]
        rows[n] /= rows[n, column]
        others = np.arange(rows.shape[0]) != n
        rows[others] -= np.outer(rows[others, column], rows[n])
        pivots.append(column)
    return rows[: len(pivots)], pivots


def null_space(rows: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """A basis of what the rows do not see, 1 in the columns that stay free.

    >>> null_space(np.array([[1.0, -1.0]]))[1]
    [1]
    """
    reduced, pivots = echelon(rows)
    free = [i for i in range(rows.shape[1]) if i not in pivots]
    basis = np.zeros((rows.shape[1], len(free)))
    basis[free, range(len(free))] = 1.0
    basis[pivots] = -reduced[:, free]
    return basis, free
