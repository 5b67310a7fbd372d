"""Rigid couplings: which speeds they leave free, and the starts that fulfil them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ..declare import exact
from ..errors import SpecError
from ..spec import GROUND
from .elimination import Elimination
from .network import Network

ExactRow = dict[int, Fraction]

NEARLY = 1e-9
"""Share of its terms below which an equation was meant to be fulfilled."""

CONSTANT = -1
"""The column of the number 1."""


@dataclass(frozen=True)
class Reduction:
    """What couplings leave: eliminated nodes as rows over the nodes that stay, each found from one coupling."""

    rows: dict[int, ExactRow]
    pivots: dict[int, int]
    """Eliminated node by coupling; couplings that follow from others have none."""
    circles: tuple[dict[int, Fraction], ...]
    """For each coupling that follows from others: factors of couplings whose rows then add up to 0."""
    warnings: tuple[str, ...]

    @cached_property
    def stay(self) -> frozenset[int]:
        """Nodes that stay and that others depend on."""
        return frozenset(node for row in self.rows.values() for node in row)

    def row(self, node: int) -> Mapping[int, Fraction]:
        """The speed of a node over the speeds of the nodes that stay."""
        return {} if node == GROUND else self.rows.get(node, {node: Fraction(1)})


def reduce_couplings(network: Network) -> Reduction:
    """Solves the couplings for speeds, exactly; a SpecError names those that contradict each other or a motion.

    >>> reduce_couplings(network).rows
    {2: {1: Fraction(1, 3)}}
    """
    motions = {motion.node: motion.element for motion in network.motions}
    bodies = {body.node for body in network.bodies}
    count: dict[int, int] = {}
    for coupling in network.couplings:
        for node in coupling.row:
            count[node] = count.get(node, 0) + 1
    solver: Elimination[int] = Elimination(lambda n: None if n in motions else (n in bodies, count[n]))
    pivots: dict[int, int] = {}
    warnings: list[str] = []
    circles: list[dict[int, Fraction]] = []
    for k, coupling in enumerate(network.couplings):
        if not coupling.row:
            raise SpecError(f"{coupling.element.label}: nothing that it is connected to can move; remove it")
        left = solver.reduce(coupling.row)
        scale = max(
            abs(v * w) for n, v in coupling.row.items() for w in [Fraction(1), *solver.expr.get(n, {}).values()]
        )
        if left and max(map(abs, left.values())) < NEARLY * scale:
            raise SpecError(
                f"{_labels(network, _circle(network, k))} close a circle in which the ratios nearly agree, which would "
                "lock it; write the ratios with all digits so that they agree exactly, or remove one of them"
            )
        pivot = solver.add(coupling.row)
        if pivot is not None:
            pivots[k] = pivot
            continue
        circles.append(_circle(network, k))
        names = _labels(network, circles[-1])
        if left:
            moved = " and ".join(motions[node].label for node in sorted(left))
            raise SpecError(
                f"{moved} cannot move as prescribed because of {names}; "
                "remove a motion or a coupling, or put a spring between"
            )
        warnings.append(
            f"{names}: one of them follows from the others, so that their torques are not unique; "
            "shown are those with the smallest sum of squares"
        )
    locked = [node for node, row in solver.expr.items() if not row]
    for node in locked[:1]:
        on = " and ".join(f"'{name}'" for name in network.nodes.nodes[node].elements)
        more = f" and {len(locked) - 1} more" if len(locked) > 1 else ""
        warnings.append(f"the couplings leave no motion to the node of {on}{more}; its speed stays 0")
    return Reduction(dict(solver.expr), pivots, tuple(circles), tuple(warnings))


def _labels(network: Network, couplings: Iterable[int]) -> str:
    return " and ".join(dict.fromkeys(network.couplings[k].element.label for k in sorted(couplings)))


def _circle(network: Network, last: int) -> dict[int, Fraction]:
    """The couplings that coupling `last` depends on, with itself, by the factors that make their rows add up to 0.

    The same elimination with a mark on every row. Prescribed nodes may be left over.
    """
    motions = {motion.node for motion in network.motions}
    solver: Elimination[int] = Elimination(lambda n: None if n < 0 or n in motions else 0)
    for k, coupling in enumerate(network.couplings[:last]):
        solver.add({**coupling.row, -1 - k: Fraction(1)})
    left = solver.reduce(network.couplings[last].row)
    return {-1 - n: value for n, value in left.items() if n < 0} | {last: Fraction(1)}


def starts(network: Network, reduction: Reduction, index: int) -> dict[int, float]:
    """Positions (index 0) or speeds (1) of the coupled nodes at the start.

    What is stated holds; the rest follows from the couplings, and what they leave open is 0 in the order of the model.
    Stated speeds must fulfil the couplings; stated positions need not: then the coupled parts are mounted like that.

    >>> starts(network, reduction, 1)
    {1: 30.0, 2: 10.0}
    """
    nodes = network.nodes.nodes
    coupled = list(dict.fromkeys(node for coupling in network.couplings for node in coupling.row))
    bodies = {body.node for body in network.bodies}
    order = sorted(coupled, key=lambda n: (not nodes[n].stated[index], n not in bodies, n))
    turned = _offsets(network, reduction) if index == 0 else {}
    solver: Elimination[int] = Elimination(lambda n: None if n == CONSTANT else 0)
    kept: dict[int, float] = {}
    for node in order:
        value = (nodes[node].position0, nodes[node].speed0)[index] if nodes[node].stated[index] else 0.0
        row = {**reduction.row(node), CONSTANT: turned.get(node, 0) - exact(value)}
        if solver.add(row) is None and nodes[node].stated[index]:
            found = _value(solver, reduction, node, turned)
            if abs(found - value) > 1e-9 * max(abs(found), abs(value)) + 1e-12:
                if index == 1:
                    on = " and ".join(f"'{name}'" for name in nodes[node].elements)
                    raise SpecError(
                        f"the node of {on} starts with speed {value:g}, but the couplings and the other starts make it "
                        f"{found:g}; leave one of the starts out, or change it"
                    )
                kept[node] = value
    return {node: _value(solver, reduction, node, turned) for node in coupled} | kept


def _value(solver: Elimination[int], reduction: Reduction, node: int, turned: Mapping[int, Fraction]) -> float:
    return float(solver.reduce(reduction.row(node)).get(CONSTANT, Fraction(0)) + turned.get(node, 0))


def _offsets(network: Network, reduction: Reduction) -> dict[int, Fraction]:
    """What the offsets of couplings add to the positions of the eliminated nodes."""
    couplings = network.couplings
    solver: Elimination[int] = Elimination(lambda n: None if n == CONSTANT else 0)
    for k in sorted(range(len(couplings)), key=lambda k: k not in reduction.pivots) if network.turned else ():
        row = {node: ratio for node, ratio in couplings[k].row.items() if node in reduction.rows}
        row[CONSTANT] = couplings[k].offset
        if solver.add(row) is None and solver.reduce(row):
            raise SpecError(
                f"{couplings[k].element.label}: other couplings hold its flanges already, at another angle or place; "
                "make the offsets in the circle add up, or remove one of them"
            )
    return {node: row[CONSTANT] for node, row in solver.expr.items() if CONSTANT in row}


def check_inertia(network: Network, reduction: Reduction, free: Iterable[int]) -> None:
    """Every free speed must move some body; exact, whatever the sizes of the inertias are."""
    bodies = {body.node for body in network.bodies}
    free = set(free)
    if free <= bodies:
        return
    solver: Elimination[int] = Elimination(lambda n: n not in bodies if n in free else None)
    for body in network.bodies:
        solver.add({n: v for n, v in reduction.row(body.node).items() if n in free})
    for node in sorted(free - set(solver.expr)):
        names = " and ".join(f"'{name}'" for name in network.nodes.nodes[node].elements)
        raise SpecError(
            f"the node of {names} moves without moving any inertia, so its motion is not defined; "
            "connect an Inertia or a Mass there, or fix it"
        )


def check_motions(network: Network, reduction: Reduction) -> None:
    """A speed that jumps must not move a body through couplings."""
    sudden = {motion.node: motion.element for motion in network.motions if motion.element.sudden()}
    for body in network.bodies:
        for node in reduction.row(body.node):
            if node in sudden and node != body.node:
                raise SpecError(
                    f"{sudden[node].label}: its speed jumps, and {body.element.label}, which couplings tie to it, "
                    "would need an infinite torque; use a Ramp for the speed, or put a spring between the two"
                )
