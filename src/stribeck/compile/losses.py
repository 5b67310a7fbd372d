"""Gears with losses: the torque that each transmits as a row, and what its loss adds to Mass and the Jacobian."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..traced import rounded
from .rows import Arrays, Row, combine, compress, entries, indices

if TYPE_CHECKING:
    from .layout import Layout
    from .matrix import Pattern


class Losses:
    """The losses of a network, in the order of its friction elements.

    >>> Losses(layout).frictions
    []
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        network = layout.network
        self.frictions = [k for k, friction in enumerate(network.frictions) if friction.loss is not None]
        self.rows = [
            {c: -value for c, value in layout.reactions.row(self._coupling(k)).items()} for k in self.frictions
        ]
        """The torque at flange a without the loss, over branches and behind them the inertia torques of bodies."""

    def _coupling(self, k: int) -> int:
        loss = self._layout.network.frictions[k].loss
        assert loss is not None
        return loss.coupling

    def branch_row(self, loss: int) -> Row:
        """Its part over the torques of branches."""
        n = len(self._layout.network.branches)
        return {column: value for column, value in self.rows[loss].items() if column < n}

    def speed_row(self, loss: int) -> dict[int, float]:
        """Its part over the accelerations of vx = [free | prescribed]."""
        layout = self._layout
        n = len(layout.network.branches)
        inertia = [(c - n, value) for c, value in self.rows[loss].items() if c >= n]
        return combine(*((value * layout.network.bodies[b].inertia, layout.bodies[b]) for b, value in inertia))

    def mass(self) -> Iterator[tuple[int, int, int, int, float]]:
        """Entries of Mass while a loss slides: row, column, loss, whether it is of the torque transmitted, value."""
        layout = self._layout
        first = len(layout.network.springs) + len(layout.network.sources)
        for loss, k in enumerate(self.frictions):
            multiplier = layout.multiplier(k)
            for column, value in layout.free(layout.friction_slip(k)):
                yield column, multiplier, loss, 0, value
            for column, value in layout.free(self.speed_row(loss)):
                yield multiplier, column, loss, 1, value
            for branch, value in self.branch_row(loss).items():
                if branch - first in layout.locks:
                    yield multiplier, layout.multiplier(branch - first), loss, 1, value

    def jacobian(self) -> Iterator[tuple[int, int, int, int, float]]:
        """How the torques of branches that a loss depends on follow the unknowns: row, column, loss, local, value."""
        layout = self._layout
        for loss, k in enumerate(self.frictions):
            for branch, value in self.branch_row(loss).items():
                for column, local, partial in layout.torque_partials(branch):
                    yield layout.multiplier(k), column, loss, local, value * partial

    def arrays(self, pattern: Pattern) -> Arrays:
        """The arrays of the kernel."""
        layout = self._layout
        losses = [friction.loss for friction in layout.network.frictions if friction.loss is not None]
        tables = [loss.table for loss in losses]
        couplings = [layout.network.couplings[self._coupling(k)] for k in self.frictions]
        places = {k: loss for loss, k in enumerate(self.frictions)}
        mass, jacobian = list(self.mass()), list(self.jacobian())
        speeds = [self.speed_row(loss) for loss in range(len(tables))]
        given = [{c - layout.n_v: value for c, value in row.items() if c >= layout.n_v} for row in speeds]
        return (
            {
                "lock_loss": indices(places.get(k) for k in layout.locks),
                "loss_lock": _ints([layout.locks.index(k) for k in self.frictions]),
                "loss_local": _ints([layout.loss_local + loss for loss in range(len(tables))]),
                "loss_varies": _ints(
                    [loss.lines or any(row[1:3] != loss.table[0][1:3] for row in loss.table) for loss in losses]
                ),
                "loss_lines": _ints([loss.lines for loss in losses]),
                "loss_ratio": [rounded(c.flanges[c.support]) for c in couplings],
                "loss_ptr": _ints(np.cumsum([0, *map(len, tables)])),
                "loss_table": [x for table in tables for row in table for x in row],
                "lm_slot": _ints([pattern.slots[row, column] for row, column, *_ in mass]),
                "lm_loss": _ints([loss for _, _, loss, _, _ in mass]),
                "lm_reaction": _ints([reaction for _, _, _, reaction, _ in mass]),
                "lm_val": [value for *_, value in mass],
                "lj_slot": _ints([pattern.slots[row, column] for row, column, *_ in jacobian]),
                "lj_loss": _ints([loss for _, _, loss, _, _ in jacobian]),
                "lj_local": _ints([local for _, _, _, local, _ in jacobian]),
                "lj_val": [value for *_, value in jacobian],
            }
            | compress([self.branch_row(loss) for loss in range(len(tables))], "lb")
            | compress([dict(layout.free(row)) for row in speeds], "lv")
            | entries(given, "lp", "motion")
        )


def _ints(values: object) -> np.ndarray:
    return np.array(values, np.int32)
