"""Torques of the rigid couplings: rows over the torques of branches and what accelerates bodies."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..traced import rounded
from .couplings import Reduction
from .elimination import Elimination, ExactRow, add_row
from .network import PrimitiveNetwork


@dataclass(frozen=True)
class Reactions:
    """The torque of every coupling, such that its flange of ratio r gets r times the torque (and gives -r times it).

    Columns are those of the kernel: branches, behind them bodies (inertia * acceleration), behind them the couplings
    at earlier places of `order`.
    """

    order: tuple[int, ...]
    """Couplings in an order in which each row refers to earlier ones only."""
    rows: tuple[ExactRow, ...]
    """Their rows in this order: in a tree of gears each of them is short."""
    first: int
    """The column of the first coupling."""

    def row(self, coupling: int) -> dict[int, float]:
        """The torque of a coupling over branches and bodies alone.

        >>> reactions.row(0)  # gear 'pair': the torque that accelerates the motor
        {0: 1.0}
        """
        return {column: rounded(value) for column, value in self.exact(self.order.index(coupling)).items()}

    def numbers(self) -> list[dict[int, float]]:
        """The rows as the kernel reads them."""
        return [{column: rounded(value) for column, value in row.items()} for row in self.rows]

    def exact(self, place: int) -> ExactRow:
        """The row at one place of the order over branches and bodies, exactly."""
        return _flat(self.rows, self.first, self.rows[place])


def _flat(rows: Sequence[ExactRow], first: int, row: ExactRow) -> ExactRow:
    """A row with couplings replaced by what they are, the latest first."""
    flat = dict(row)
    while flat and (last := max(flat)) >= first:
        add_row(flat, flat.pop(last), rows[last - first])
    return flat


def find_reactions(network: PrimitiveNetwork, reduction: Reduction) -> Reactions:
    """The torque balance of the eliminated nodes, solved for the torques of the couplings.

    Where couplings follow from others the balance leaves their torques open: then of all the torques that balance
    those with the smallest sum of squares over the flanges are taken.

    >>> find_reactions(network, reduction).order
    (0,)
    """
    order, rows = _Balance(network, reduction).solve()
    place = {k: i for i, k in enumerate(order)}
    for k in range(len(network.couplings)):
        if k not in place:
            place[k] = len(order)
            order.append(k)
            rows.append({})
    first = len(network.branches) + len(network.bodies)
    if len(reduction.pivots) < len(network.couplings):
        rows = _least(network, reduction, place, rows, first)
    return Reactions(tuple(order), tuple(rows), first)


class _Balance:
    """Equations of the eliminated nodes: sum of ratio * torque over the couplings = what branches and bodies take."""

    def __init__(self, network: PrimitiveNetwork, reduction: Reduction) -> None:
        self.first = len(network.branches) + len(network.bodies)
        self.equations: dict[int, ExactRow] = {node: {} for node in reduction.rows}
        self.where: dict[int, set[int]] = {k: set() for k in reduction.pivots}
        for k in reduction.pivots:
            for node, ratio in network.couplings[k].row.items():
                if node in self.equations:
                    self.equations[node][k] = ratio
                    self.where[k].add(node)
        self.taken: dict[int, ExactRow] = {node: {} for node in self.equations}
        for b, branch in enumerate(network.branches):
            for node, sign in ((branch.b, 1), (branch.a, -1)):
                if node in self.taken:
                    self.taken[node][b] = Fraction(sign)
        for b, body in enumerate(network.bodies, len(network.branches)):
            if body.node in self.taken:
                self.taken[body.node][b] = Fraction(1)
        self.single = deque(node for node, row in self.equations.items() if len(row) == 1)

    def solve(self) -> tuple[list[int], list[ExactRow]]:
        """Couplings and their rows; those of a tree one by one, those of circles after them."""
        order: list[int] = []
        rows: list[ExactRow] = []
        later: list[tuple[int, ExactRow, ExactRow]] = []
        while self.where:
            if self.single:  # one unknown: the others refer to its value
                node = self.single.popleft()
                if len(self.equations[node]) != 1:
                    continue
                ((k, own),) = self.equations.pop(node).items()
                rows.append({c: v / own for c, v in self.taken[node].items()})
                known, rest = {self.first + len(order): Fraction(1)}, {}
                order.append(k)
            else:  # a circle: put one unknown in terms of the others
                node = min((n for n in self.equations if self.equations[n]), key=lambda n: (len(self.equations[n]), n))
                k = min(self.equations[node], key=lambda j: (len(self.where[j]), j))
                rest = self.equations.pop(node)
                own = rest.pop(k)
                known = {c: v / own for c, v in self.taken[node].items()}
                rest = {j: -v / own for j, v in rest.items()}
                later.append((k, known, rest))
            self._replace(node, k, known, rest)
        place = {k: i for i, k in enumerate(order)}
        for k, known, rest in reversed(later):
            rows.append({**known, **{self.first + place[j]: v for j, v in rest.items()}})
            place[k] = len(order)
            order.append(k)
        return order, rows

    def _replace(self, node: int, k: int, known: ExactRow, rest: ExactRow) -> None:
        """Puts `known`, and `rest` over unknown torques, for the torque of coupling k; `node` is used up."""
        for j in (k, *rest):
            self.where[j].discard(node)
        for other in self.where.pop(k):
            equation = self.equations[other]
            factor = equation.pop(k)
            add_row(equation, factor, rest)
            add_row(self.taken[other], -factor, known)
            for j in rest:
                (self.where[j].add if j in equation else self.where[j].discard)(other)
            if len(equation) == 1:
                self.single.append(other)


def _least(
    network: PrimitiveNetwork, reduction: Reduction, place: Mapping[int, int], rows: list[ExactRow], first: int
) -> list[ExactRow]:
    """Rows with the torques that circles leave open chosen for the smallest sum of squares.

    With torques p that balance and the circles N (N' G = 0 for the rows G of the couplings) all of p + N m do, and
    the smallest sum of squares, weighted with D for the flanges of a coupling, has N' D N m = -N' D p.
    """
    weight = [sum(r * r for r in coupling.flanges.values()) for coupling in network.couplings]
    circles = reduction.circles
    flat = {k: _flat(rows, first, rows[place[k]]) for circle in circles for k in circle}
    through: dict[int, dict[int, Fraction]] = {k: {} for k in flat}
    for j, circle in enumerate(circles):
        for k, factor in circle.items():
            through[k][j] = factor
    solver: Elimination[tuple[str, int]] = Elimination(lambda column: 0 if column[0] == "share" else None)
    for circle in circles:
        equation: dict[tuple[str, int], Fraction] = {}
        for k, factor in circle.items():
            add_row(equation, factor * weight[k], {("torque", c): v for c, v in flat[k].items()})
            add_row(equation, factor * weight[k], {("share", j): v for j, v in through[k].items()})
        solver.add(equation)
    least = [dict(row) for row in rows]
    circled = {first + place[k]: k for k in flat}
    for row in least:  # others refer to the torques before the choice
        for column in [c for c in row if c in circled]:
            add_row(row, row.pop(column), flat[circled[column]])
    for k, torque in flat.items():
        chosen = dict(torque)
        for j, factor in through[k].items():
            add_row(chosen, factor, {c: v for (_, c), v in solver.expr["share", j].items()})
        least[place[k]] = chosen
    return least
