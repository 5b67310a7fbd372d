"""Coordinates: generalised speeds, and positions that do not grow without bound where they matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction

from ..elements import Domain
from ..traced import rounded
from .couplings import Reduction, check_inertia, check_motions, chosen_starts, reduce_couplings, starts
from .elimination import add_row
from .network import Branch, PrimitiveNetwork, SpringBranch
from .rows import Row, combine
from .topology import GROUND


@dataclass(frozen=True)
class PositionState:
    """A position that is integrated: of a node, or of one end of a branch against the other."""

    name: str
    owner: str
    """The element that it is named after."""
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
    """Nodes with an independent generalised speed."""
    column: dict[int, int]
    """The column in vx of every node that is free or prescribed."""
    speed: dict[int, Row]
    places: dict[int, Place]
    states: tuple[PositionState, ...]
    start: tuple[float, ...]
    """Speeds of the free nodes at the start."""
    reduction: Reduction
    """What the rigid couplings leave."""

    def slip(self, branch: Branch) -> dict[int, float]:
        """Row of w_b - w_a over vx; eliminated speeds are subtracted exactly, so that a common motion is no slip."""
        gone = self.reduction.rows
        if branch.a not in gone and branch.b not in gone:
            return combine((1.0, self.speed[branch.b]), (-1.0, self.speed[branch.a]))
        row = dict(self.reduction.row(branch.b))
        add_row(row, Fraction(-1), self.reduction.row(branch.a))
        return {self.column[node]: rounded(value) for node, value in row.items()}

    def position(self, node: int) -> dict[int, float]:
        """Row of the position of a node over qx."""
        return between(self.places, GROUND, node)

    def displacement(self, branch: Branch) -> dict[int, float]:
        """Row of phi_b - phi_a over qx."""
        return between(self.places, branch.a, branch.b)


def between(places: Mapping[int, Place], a: int, b: int) -> dict[int, float]:
    """Row of the position of b against a: from both ends down to the node that carries them both.

    >>> between(coordinates.places, GROUND, 2)
    """
    terms: list[tuple[float, Row]] = []
    while a != b:
        row, a, b = step_down(places, a, b)
        terms.append((1.0, row))
    return combine(*reversed(terms))


def step_down(places: Mapping[int, Place], a: int, b: int) -> tuple[Row, int, int]:
    """The position of b against a as a short row, on top of that of two nodes of which one is further down.

    >>> step_down(coordinates.places, GROUND, 2)
    """
    if places[a].depth < places[b].depth:
        return places[b].own, a, places[b].origin
    return {column: -value for column, value in places[a].own.items()}, places[a].origin, b


def choose(network: PrimitiveNetwork) -> Coordinates:
    """Speeds of the free nodes, and a spanning forest of relative positions with absolute ones at its roots.

    >>> choose(network).states[0].name
    'pull.phi'
    """
    prescribed = {motion.node: k for k, motion in enumerate(network.motions)}
    reduction = reduce_couplings(network)
    gone = reduction.rows
    numbers = range(len(network.nodes.nodes))
    free = tuple(n for n in numbers if n != GROUND and n not in prescribed and n not in gone)
    check_inertia(network, reduction, free)
    check_motions(network, reduction)
    column = {node: i for i, node in enumerate(free)} | {node: len(free) + k for node, k in prescribed.items()}
    speed: dict[int, Row] = {n: {column[c]: rounded(v) for c, v in reduction.row(n).items()} for n in numbers}
    nodes = network.nodes.nodes
    position0 = {n: nodes[n].position0 for n in numbers} | starts(network, reduction, 0)
    chosen: set[int] = set()
    speed0 = {n: nodes[n].speed0 for n in numbers} | starts(network, reduction, 1, chosen)
    reduction = replace(reduction, warnings=(*reduction.warnings, *chosen_starts(network, speed0, chosen)))

    places = _place(network, reduction, free, _Positions(network, speed, position0))
    start = tuple(speed0[node] for node in free)
    return Coordinates(free, column, speed, places.places, tuple(places.states), start, reduction)


def _place(network: PrimitiveNetwork, reduction: Reduction, free: tuple[int, ...], places: _Positions) -> _Positions:
    """Positions of all nodes: one state per free node and per prescribed speed, and per node that is mounted with a
    twist; prescribed positions come behind the states."""
    floating = reduction.floating
    gone = [n for n in reduction.rows if n not in floating]
    coupled = [n for n in free if n in reduction.stay]
    mounted = {n for n in reduction.rows if places.fulfils(reduction, n)}
    order = _forest(network, free, [*coupled, *gone], floating)
    n_states = len([m for m in network.motions if m.order == 1]) + len(free) + len(reduction.rows) - len(mounted)
    for k, motion in enumerate(network.motions):
        if motion.order == 1:
            places.absolute(motion.node, motion.element.name, f"{motion.element.name}.{places.word(motion.node)}")
        else:
            places.places[motion.node] = Place({n_states + k: 1.0})
    for node in [*coupled, *(n for n in gone if n not in mounted)]:
        places.absolute(node, network.owner(node), network.state_name(node, places.word(node)))
    for node in gone:
        if node in mounted:
            terms = reduction.row(node).items()
            places.places[node] = Place(combine(*((rounded(v), places.places[n].own) for n, v in terms)))
    for node, branch, origin in order:
        if branch is not None:
            places.relative(node, branch, origin)
        elif origin != GROUND:
            places.hanging(node, origin)
        else:
            places.absolute(node, network.owner(node), network.state_name(node, places.word(node)))
    for node in reduction.rows:
        if node in floating:
            places.between(node, reduction, node in mounted)
    return places


class _Positions:
    """Rows of positions over the states, which are added one by one."""

    def __init__(self, network: PrimitiveNetwork, speed: dict[int, Row], start: dict[int, float]) -> None:
        self._network = network
        self._speed = speed
        self._start = start
        self.places: dict[int, Place] = {GROUND: Place({}, depth=0)}
        self.states: list[PositionState] = []

    def word(self, node: int) -> str:
        """What the position of a node is called: phi or s."""
        return self._domain(node).position

    def _domain(self, node: int) -> Domain:
        domain = self._network.nodes.nodes[node].domain
        assert domain is not None
        return domain

    def fulfils(self, reduction: Reduction, node: int) -> bool:
        """Whether the position of an eliminated node fulfils its row at the start, and so at all times."""
        terms = [rounded(value) * self._start[n] for n, value in reduction.row(node).items()]
        size: float = max(map(abs, [*terms, self._start[node]]))
        return bool(abs(sum(terms) - self._start[node]) <= 1e-12 * size)

    def absolute(self, node: int, owner: str, name: str) -> None:
        """The position of a node against the ground."""
        self.places[node] = Place({len(self.states): 1.0})
        self._state(node, owner, name, self._speed[node], self._start[node])

    def _state(self, node: int, owner: str, name: str, rate: Row, start: float) -> None:
        self.states.append(PositionState(name, owner, self._domain(node).units["disp"], rate, start))

    def relative(self, node: int, branch: Branch, origin: int) -> None:
        """The position of a node by that of one end of a branch against the other, where `origin` is known."""
        sign = 1.0 if branch.b == node else -1.0
        self.places[node] = Place({len(self.states): sign}, origin, self.places[origin].depth + 1)
        owner = branch.element.name
        part = f"_{branch.part}" if isinstance(branch, SpringBranch) and branch.part else ""
        name = f"{owner}.{self._network.nodes.domains[owner].position}_rel{part}"
        self._state(node, owner, name, *self._against(branch.a, branch.b))

    def hanging(self, node: int, origin: int) -> None:
        """The position of a node against another one, from which springs lead to it through nodes without inertia."""
        self.places[node] = Place({len(self.states): 1.0}, origin, self.places[origin].depth + 1)
        name = self._network.state_name(node, f"{self.word(node)}_rel")
        self._state(node, self._network.owner(node), name, *self._against(origin, node))

    def _against(self, a: int, b: int) -> tuple[Row, float]:
        """Rate and start of the position of b against a."""
        rate = combine((1.0, self._speed[b]), (-1.0, self._speed[a]))
        return rate, self._start[b] - self._start[a]

    def between(self, node: int, reduction: Reduction, mounted: bool) -> None:
        """The position of a node without inertia: the mean of others, weighted with the springs, from one of them on.

        What relaxed springs of some length add to the mean is a state that never changes.
        """
        row = reduction.row(node)
        whole = sum(row.values()) == 1  # else there are springs to the ground, or gears between
        origin = min(row, key=lambda n: (self.places[n].depth, n)) if whole else GROUND
        own = combine(*((rounded(v), between(self.places, origin, n)) for n, v in row.items()))
        if not mounted:
            own[len(self.states)] = 1.0
            offset = self._start[node] - sum(rounded(v) * self._start[n] for n, v in row.items())
            name = self._network.state_name(node, f"{self.word(node)}_offset")
            self._state(node, self._network.owner(node), name, {}, offset)
        self.places[node] = Place(own, origin, self.places[origin].depth + 1)


def _forest(
    network: PrimitiveNetwork, free: tuple[int, ...], placed: Sequence[int], floating: Set[int]
) -> list[tuple[int, Branch | None, int]]:
    """Free nodes in an order in which each has its origin before it, with the branch from there.

    A node that a spring ties to the ground or to a prescribed position is a root: its position is absolute. The others
    hang on those, on nodes that have their place already or on a prescribed speed; what hangs on nothing is a root.
    The way may lead through floating nodes, which get their places later; then there is no branch to name.
    """
    links: dict[int, list[Branch]] = {node: [] for node in range(len(network.nodes.nodes))}
    for branch in [*network.springs, *network.frictions]:
        links[branch.a].append(branch)
        links[branch.b].append(branch)
    held = {GROUND, *(motion.node for motion in network.motions if motion.order == 0)}
    moving = set(free).difference(placed)
    tied = [n for n in free if n in moving and any({s.a, s.b} & held for s in links[n] if isinstance(s, SpringBranch))]
    order: list[tuple[int, Branch | None, int]] = [(node, None, GROUND) for node in tied]
    roots = [*tied, *placed, *(motion.node for motion in network.motions if motion.order == 1), *free]
    seen = {*held, *tied, *placed}
    chosen = _tree(links, roots, seen)
    for root in roots:
        if root not in seen and root in moving:
            order.append((root, None, GROUND))
        seen.add(root)
        queue = [(root, root)]
        for node, origin in queue:
            for branch in links[node]:
                other = branch.b if branch.a == node else branch.a
                if other not in seen and chosen.get(other) is branch:
                    seen.add(other)
                    if other in moving:
                        order.append((other, branch if origin == node else None, origin))
                    queue.append((other, origin if other in floating else other))
    return order


def _tree(links: Mapping[int, Sequence[Branch]], roots: Sequence[int], fixed: Set[int]) -> dict[int, Branch]:
    """The branch by which each node hangs on a root: a spring wherever springs lead there from it, so that a stretch is
    a single state however many contacts bridge it, else friction."""
    chosen: dict[int, Branch] = {}
    seen = set(fixed)

    def spread(nodes: Iterable[int], kind: type[Branch]) -> list[int]:
        reached = list(nodes)
        for node in reached:
            for branch in links[node]:
                other = branch.b if branch.a == node else branch.a
                if isinstance(branch, kind) and other not in seen:
                    seen.add(other)
                    chosen[other] = branch
                    reached.append(other)
                    if kind is not SpringBranch:
                        reached += spread([other], SpringBranch)[1:]
        return reached

    for root in roots:
        if root in fixed or root not in seen:
            seen.add(root)
            spread(spread([root], SpringBranch), Branch)
    return chosen
