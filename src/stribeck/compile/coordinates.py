"""Coordinates: generalised speeds, and positions that do not grow without bound where they matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..spec import GROUND
from .couplings import Reduction, check_inertia, check_motions, reduce_couplings, starts
from .network import Branch, Network, Spring
from .rows import Row, combine


@dataclass(frozen=True)
class PositionState:
    """A position that is integrated: of a node, or of one end of a branch against the other."""

    name: str
    unit: str
    rate: Row
    start: float


@dataclass(frozen=True)
class Place:
    """The position of a node: a short row over qx on top of the position of another node.

    Written out, the rows of a long chain would have a square of its length as entries.
    """

    own: Row
    origin: int = GROUND
    depth: int = 1
    """Number of rows to add up."""


@dataclass(frozen=True)
class Coordinates:
    """Rows of every node over the speeds vx = [free | prescribed] and the positions qx = [states | prescribed].

    A node that hangs on the rest by a spring or a contact has the relative position as its coordinate, so that
    stretch and slip keep their digits when the machine has turned a million times.
    """

    free: tuple[int, ...]
    """Nodes with a generalised speed of their own."""
    speed: dict[int, Row]
    places: dict[int, Place]
    states: tuple[PositionState, ...]
    start: tuple[float, ...]
    """Speeds of the free nodes at the start."""
    reduction: Reduction
    """What the rigid couplings leave."""

    def slip(self, branch: Branch) -> dict[int, float]:
        """Row of w_b - w_a over vx."""
        return combine((1.0, self.speed[branch.b]), (-1.0, self.speed[branch.a]))

    def position(self, node: int) -> dict[int, float]:
        """Row of the position of a node over qx."""
        return self._between(GROUND, node)

    def displacement(self, branch: Branch) -> dict[int, float]:
        """Row of phi_b - phi_a over qx."""
        return self._between(branch.a, branch.b)

    def _between(self, a: int, b: int) -> dict[int, float]:
        """From both ends down to the node that carries them both."""
        terms: list[tuple[float, Row]] = []
        while a != b:
            lower = self.places[a].depth < self.places[b].depth
            sign, place = (1.0, self.places[b]) if lower else (-1.0, self.places[a])
            terms.append((sign, place.own))
            a, b = (a, place.origin) if lower else (place.origin, b)
        return combine(*reversed(terms))


def choose(network: Network) -> Coordinates:
    """Speeds of the free nodes, and a spanning forest of relative positions with absolute ones at its roots.

    >>> choose(network).states[0].name
    'mass.phi'
    """
    prescribed = {motion.node: k for k, motion in enumerate(network.motions)}
    reduction = reduce_couplings(network)
    gone = reduction.rows
    numbers = range(len(network.nodes.nodes))
    free = tuple(n for n in numbers if n != GROUND and n not in prescribed and n not in gone)
    check_inertia(network, reduction, free)
    check_motions(network, reduction)
    column = {node: i for i, node in enumerate(free)} | {node: len(free) + k for node, k in prescribed.items()}
    speed: dict[int, Row] = {n: {column[c]: float(v) for c, v in reduction.row(n).items()} for n in numbers}
    nodes = network.nodes.nodes
    position0 = {n: nodes[n].position0 for n in numbers} | starts(network, reduction, 0)
    speed0 = {n: nodes[n].speed0 for n in numbers} | starts(network, reduction, 1)

    # position states: one per free node, one per prescribed speed; prescribed positions come behind them
    places = _Positions(network, speed, position0)
    coupled = [n for n in free if n in reduction.stay]
    mounted = {n for n in gone if _fulfils(reduction, n, position0)}
    order = _forest(network, free, [*coupled, *gone])
    n_states = len([m for m in network.motions if m.order == 1]) + len(free) + len(gone) - len(mounted)
    for motion in network.motions:
        if motion.order == 1:
            places.absolute(motion.node, f"{motion.element.name}.{_word(network, motion.node)}")
        else:
            places.places[motion.node] = Place({n_states + prescribed[motion.node]: 1.0})
    for node in [*coupled, *(n for n in gone if n not in mounted)]:
        places.absolute(node, network.state_name(node, _word(network, node)))
    for node in mounted:
        terms = reduction.row(node).items()
        places.places[node] = Place(combine(*((float(v), places.places[n].own) for n, v in terms)))
    for node, branch, origin in order:
        if branch is None:
            places.absolute(node, network.state_name(node, _word(network, node)))
        else:
            places.relative(node, branch, origin)
    return Coordinates(
        free, speed, places.places, tuple(places.states), tuple(speed0[node] for node in free), reduction
    )


def _fulfils(reduction: Reduction, node: int, position0: dict[int, float]) -> bool:
    """Whether the position of an eliminated node fulfils its row at the start, and so for ever."""
    terms = [float(value) * position0[n] for n, value in reduction.row(node).items()]
    return abs(sum(terms) - position0[node]) <= 1e-12 * max(map(abs, [*terms, position0[node]]))


def _word(network: Network, node: int) -> str:
    domain = network.nodes.nodes[node].domain
    assert domain is not None
    return domain.position


class _Positions:
    """Rows of positions over the states, which are added one by one."""

    def __init__(self, network: Network, speed: dict[int, Row], start: dict[int, float]) -> None:
        self._network = network
        self._speed = speed
        self._start = start
        self.places: dict[int, Place] = {GROUND: Place({}, depth=0)}
        self.states: list[PositionState] = []

    def absolute(self, node: int, name: str) -> None:
        """The position of a node against the ground."""
        domain = self._network.nodes.nodes[node].domain
        assert domain is not None
        self.places[node] = Place({len(self.states): 1.0})
        self.states.append(PositionState(name, domain.units["disp"], self._speed[node], self._start[node]))

    def relative(self, node: int, branch: Branch, origin: int) -> None:
        """The position of a node by that of one end of a branch against the other, where `origin` is known."""
        sign = 1.0 if branch.b == node else -1.0
        domain = self._network.nodes.domains[branch.element.name]
        self.places[node] = Place({len(self.states): sign}, origin, self.places[origin].depth + 1)
        self.states.append(
            PositionState(
                f"{branch.element.name}.{domain.position}_rel",
                domain.units["disp"],
                combine((1.0, self._speed[branch.b]), (-1.0, self._speed[branch.a])),
                self._start[branch.b] - self._start[branch.a],
            )
        )


def _forest(network: Network, free: tuple[int, ...], placed: Sequence[int]) -> list[tuple[int, Branch | None, int]]:
    """Free nodes in an order in which each has its origin before it, with the branch from there.

    A node that a spring ties to the ground or to a prescribed position is a root: its position is absolute. The others
    hang on those, on nodes that have their place already or on a prescribed speed; what hangs on nothing is a root.
    """
    links: dict[int, list[Branch]] = {node: [] for node in range(len(network.nodes.nodes))}
    for branch in [*network.springs, *network.frictions]:
        links[branch.a].append(branch)
        links[branch.b].append(branch)
    held = {GROUND, *(motion.node for motion in network.motions if motion.order == 0)}
    moving = set(free).difference(placed)
    tied = [n for n in free if n in moving and any({s.a, s.b} & held for s in links[n] if isinstance(s, Spring))]
    order: list[tuple[int, Branch | None, int]] = [(node, None, GROUND) for node in tied]
    seen = {*held, *tied, *placed}
    speeds = [motion.node for motion in network.motions if motion.order == 1]
    for root in [*tied, *placed, *speeds, *free]:
        if root not in seen and root in moving:
            order.append((root, None, GROUND))
        seen.add(root)
        queue = [root]
        for node in queue:
            for branch in links[node]:
                other = branch.b if branch.a == node else branch.a
                if other not in seen:
                    seen.add(other)
                    if other in moving:
                        order.append((other, branch, node))
                    queue.append(other)
    return order
