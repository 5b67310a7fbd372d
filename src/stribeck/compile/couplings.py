"""Rigid couplings: which speeds they leave free, and the starts that fulfil them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..errors import SpecError
from ..traced import Number, exact, pinned, rounded
from .elimination import Elimination, ExactRow
from .massless import Condensed, condense, settle, undetermined
from .network import Coupling, PrimitiveNetwork
from .topology import GROUND

NEARLY = 1e-9
"""Share of its terms below which an equation was meant to be fulfilled."""


@dataclass(frozen=True)
class Reduction:
    """What couplings leave: eliminated nodes as rows over the nodes that stay, each found from one coupling.

    Nodes without inertia between springs are eliminated behind them, by the balance of the springs.
    """

    rows: dict[int, ExactRow]
    pivots: dict[int, int]
    """Eliminated node by coupling; couplings that follow from others have none."""
    circles: tuple[dict[int, Fraction], ...] = ()
    """For each coupling that follows from others: factors of couplings whose rows then add up to 0."""
    warnings: tuple[str, ...] = ()
    rigid: Reduction | None = None
    """What the couplings alone leave, if nodes without inertia were eliminated too."""
    condensed: tuple[Condensed, ...] = ()
    floating: frozenset[int] = frozenset()
    """The nodes that were eliminated by the balance of springs."""

    @cached_property
    def stay(self) -> frozenset[int]:
        """Nodes that stay and that couplings make others depend on."""
        return frozenset(node for n, row in self.rows.items() if n not in self.floating for node in row)

    def row(self, node: int) -> Mapping[int, Fraction]:
        """The speed of a node over the speeds of the nodes that stay."""
        return {} if node == GROUND else self.rows.get(node, {node: Fraction(1)})


def reduce_couplings(network: PrimitiveNetwork) -> Reduction:
    """Solves the couplings for speeds, exactly; a SpecError names those that contradict each other or a motion.

    >>> reduce_couplings(network).rows
    {1: {2: Fraction(3, 1)}}
    """
    given = {motion.node for motion in network.motions}
    bodies = {body.node for body in network.bodies}
    count = Counter(node for coupling in network.couplings for node in coupling.row)
    solver: Elimination[int] = Elimination(lambda n: None if n in given else (n in bodies, count[n]))
    pivots: dict[int, int] = {}
    circles: list[ExactRow] = []
    circle = _Circles(network)
    for k, coupling in enumerate(network.couplings):
        _check_coupling(network, k, solver, circle)
        pivot = solver.add(coupling.row)
        if pivot is None:
            circles.append(circle(k))
        else:
            pivots[k] = pivot
    rigid = Reduction(
        {node: dict(row) for node, row in solver.expr.items()},
        pivots,
        tuple(circles),
        tuple(_warnings(network, circles, solver)),
    )
    condensed = condense(network, rigid.rows)
    if not condensed:
        return rigid
    floating = [solver.add(item.row, last=bodies) for item in condensed]
    return replace(
        rigid,
        rows=solver.expr,
        rigid=rigid,
        condensed=tuple(condensed),
        floating=frozenset(node for node in floating if node is not None),
    )


def _check_coupling(network: PrimitiveNetwork, k: int, solver: Elimination[int], circle: _Circles) -> None:
    """Refuses a coupling that contradicts those before it, or a motion."""
    coupling = network.couplings[k]
    if not coupling.row:
        raise SpecError(f"{coupling.element.label}: nothing that it is connected to can move; remove it")
    left = solver.reduce(coupling.row)
    if left and not any(map(solver.is_new, coupling.row)) and _nearly_closes(coupling, left, solver):
        raise SpecError(
            f"{_labels(network, _Circles(network, coupling.row)(k))} close a circle in which the ratios nearly agree, "
            "which would lock it; write the ratios with all digits so that they agree exactly, or remove one of them"
        )
    turning = [node for node in coupling.row if solver.expr.get(node, True)]
    motions = {motion.node: motion.element for motion in network.motions if motion.node in left}
    if len(left) == 1 and not motions and len(turning) > 1:
        ring = _Circles(network, coupling.row)(k)
        if all(network.couplings[j].is_pair for j in ring):
            raise SpecError(
                f"{_labels(network, ring)} contradict each other: together they let nothing move; make the ratios in "
                "the circle agree, remove one of them, or connect a Fixed to what shall not move"
            )
    if left and left.keys() <= motions.keys():
        moved = " and ".join(motions[node].label for node in sorted(left))
        raise SpecError(
            f"{moved} cannot move as prescribed because of {_labels(network, circle(k))}; "
            "remove a motion or a coupling, or put a spring between"
        )


def _nearly_closes(coupling: Coupling, left: Mapping[int, Fraction], solver: Elimination[int]) -> bool:
    """Whether what is left of a coupling is nothing but the error of ratios that were meant to agree."""
    terms = (v * w for n, v in coupling.row.items() for w in [Fraction(1), *solver.expr.get(n, {}).values()])
    return max(map(abs, left.values())) < NEARLY * max(map(abs, terms))


def _warnings(network: PrimitiveNetwork, circles: Iterable[ExactRow], solver: Elimination[int]) -> Iterator[str]:
    """Warnings about couplings that may act unexpectedly."""
    for circle in circles:
        yield (
            f"{_labels(network, circle)}: one of them follows from the others, so that their torques are not unique; "
            "shown are those with the smallest sum of squares"
        )
    locked = [node for node, row in solver.expr.items() if not row]
    for node in locked[:1]:
        on = " and ".join(f"'{name}'" for name in network.nodes.nodes[node].elements)
        more = f" and {len(locked) - 1} more" if len(locked) > 1 else ""
        yield f"the couplings leave no motion to the node of {on}{more}; its speed stays 0"


def _labels(network: PrimitiveNetwork, couplings: Iterable[int]) -> str:
    return " and ".join(dict.fromkeys(network.couplings[k].element.label for k in sorted(couplings)))


class _Circles:
    """The same elimination with a column for every coupling behind those of the nodes, which shows what one that
    follows from others depends on."""

    def __init__(self, network: PrimitiveNetwork, ends: Iterable[int] = ()) -> None:
        """`ends`: nodes to be left over, if some must."""
        self._network = network
        self._first = first = len(network.nodes.nodes)
        motions, last = {motion.node for motion in network.motions}, set(ends)
        self._solver: Elimination[int] = Elimination(lambda n: None if n >= first or n in motions else n in last)
        self._done = 0

    def __call__(self, last: int) -> dict[int, Fraction]:
        """The couplings that coupling `last` depends on, with itself, by the factors that make their rows add up to 0.

        Prescribed nodes may be left over, or one of the ends.
        """
        couplings = self._network.couplings
        for k in range(self._done, last):
            self._solver.add({**couplings[k].row, self._first + k: Fraction(1)})
        self._done = max(self._done, last)
        left = self._solver.reduce(couplings[last].row)
        return {n - self._first: value for n, value in left.items() if n >= self._first} | {last: Fraction(1)}


def starts(
    network: PrimitiveNetwork, reduction: Reduction, index: int, chosen: set[int] | None = None
) -> dict[int, Number]:
    """Positions (index 0) or speeds (1) of the coupled nodes at the start.

    What is stated holds; the rest follows from the couplings, and what they leave open is 0 in the order of the model.
    Stated speeds must fulfil the couplings; stated positions need not: then the coupled parts are mounted like that.
    Nodes without inertia start where their springs are in balance. `chosen` gets the nodes that start at 0 by choice.

    >>> starts(network, reduction, 1)
    {1: 30.0, 2: 10.0}
    """
    if index == 0 and reduction.rigid is not None:
        coupled0 = starts(network, reduction.rigid, 0)
        everywhere = {n: node.position0 for n, node in enumerate(network.nodes.nodes)} | coupled0
        return coupled0 | settle(reduction.condensed, everywhere)
    nodes = network.nodes.nodes
    equations = [*(coupling.row for coupling in network.couplings), *(item.row for item in reduction.condensed)]
    coupled = list(dict.fromkeys(node for row in equations for node in row))
    bodies = {body.node for body in network.bodies}
    order = sorted(coupled, key=lambda n: (not nodes[n].stated[index], n not in bodies, n))
    turned = _offsets(network, reduction) if index == 0 else {}
    first = len(nodes)  # behind the columns of the nodes that of the start of each of them
    solver: Elimination[int] = Elimination(lambda n: None if n >= first else 0)
    taken: dict[int, Fraction] = {}
    kept: dict[int, Number] = {}

    def solved_value(node: int) -> Any:
        parts = solver.reduce(reduction.row(node)).items()
        return rounded(sum((factor * taken[n - first] for n, factor in parts), Fraction(0)) + turned.get(node, 0))

    for node in order:
        value = (nodes[node].position0, nodes[node].speed0)[index]
        taken[node] = exact(value) - turned.get(node, 0)
        solved = solver.add({**reduction.row(node), first + node: Fraction(-1)}) is not None
        if not solved and not nodes[node].stated[index]:
            pinned(value)  # once it is given, others follow from it
        if solved and not nodes[node].stated[index] and chosen is not None:
            chosen.add(node)
        if not solved and nodes[node].stated[index]:
            found = solved_value(node)
            if abs(found - value) > 1e-9 * max(abs(found), abs(value)) + 1e-12:
                if index == 1:
                    on = " and ".join(f"'{name}'" for name in nodes[node].elements)
                    raise SpecError(
                        f"the node of {on} starts with speed {value:g}, but the couplings and the other starts make it "
                        f"{found:g}; leave one of the starts out, or change it"
                    )
                kept[node] = value
    return {node: solved_value(node) for node in coupled} | kept


def chosen_starts(network: PrimitiveNetwork, speed0: Mapping[int, float], chosen: Set[int]) -> Iterator[str]:
    """Warnings about couplings in which an assumed initial speed of 0 makes another part move.

    >>> list(chosen_starts(network, {1: 30.0, 2: 10.0}, {2}))
    """
    nodes = network.nodes
    for coupling in network.couplings:
        follows = [n for n in coupling.row if not nodes.nodes[n].stated[1] and n not in chosen and speed0[n] != 0]
        if follows and chosen & coupling.row.keys():
            at = {name: nodes.of[coupling.element.flange(name)] for name in coupling.flanges}
            taken = ", ".join(f"{name} {speed0[n]:g}" for name, n in at.items() if n in coupling.row)
            yield (
                f"{coupling.element.label}: the starts leave its speeds open; taken are {taken}; give the speed of one "
                "more at the start"
            )


def _column_of_one(network: PrimitiveNetwork) -> int:
    """The column of the number 1, behind those of the nodes."""
    return len(network.nodes.nodes)


def _offsets(network: PrimitiveNetwork, reduction: Reduction) -> dict[int, Fraction]:
    """What the offsets of couplings add to the positions of the eliminated nodes."""
    couplings, one = network.couplings, _column_of_one(network)
    solver: Elimination[int] = Elimination(lambda n: None if n == one else 0)
    for k in sorted(range(len(couplings)), key=lambda k: k not in reduction.pivots) if network.turned else ():
        row = {node: ratio for node, ratio in couplings[k].row.items() if node in reduction.rows}
        row[one] = couplings[k].offset
        if solver.add(row) is None and solver.reduce(row):
            raise SpecError(
                f"{couplings[k].element.label}: other couplings hold its flanges already, at another angle or place; "
                "make the offsets in the circle add up, or remove one of them"
            )
    return {node: row[one] for node, row in solver.expr.items() if one in row}


def check_inertia(network: PrimitiveNetwork, reduction: Reduction, free: Iterable[int]) -> None:
    """Every free speed must move some body; exact, whatever the sizes of the inertias are."""
    bodies = {body.node for body in network.bodies}
    free = set(free)
    if free <= bodies:
        return
    solver: Elimination[int] = Elimination(lambda n: n not in bodies if n in free else None)
    for body in network.bodies:
        solver.add({n: v for n, v in reduction.row(body.node).items() if n in free})
    for node in sorted(free - set(solver.expr)):
        raise undetermined(network, node)


def check_motions(network: PrimitiveNetwork, reduction: Reduction) -> None:
    """A speed that jumps must not move a body through couplings."""
    sudden = {motion.node: motion.element for motion in network.motions if motion.element.sudden()}
    for body in network.bodies:
        for node in reduction.row(body.node):
            if node in sudden and node != body.node:
                raise SpecError(
                    f"{sudden[node].label}: its speed jumps, and {body.element.label}, which couplings tie to it, "
                    "would need an infinite torque; use a Ramp for the speed, or put a spring between the two"
                )
