"""Coordinates: generalised speeds, and positions that do not grow without bound where they matter."""

from __future__ import annotations

from dataclasses import dataclass

from ..spec import GROUND
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
class Coordinates:
    """Rows of every node over the speeds vx = [free | prescribed] and the positions qx = [states | prescribed].

    A node that hangs on the rest by a spring or a contact has the relative position as its coordinate, so that
    stretch and slip keep their digits when the machine has turned a million times.
    """

    free: tuple[int, ...]
    """Nodes with a generalised speed of their own."""
    speed: dict[int, Row]
    position: dict[int, Row]
    states: tuple[PositionState, ...]

    def slip(self, branch: Branch) -> dict[int, float]:
        """Row of w_b - w_a over vx."""
        return combine((1.0, self.speed[branch.b]), (-1.0, self.speed[branch.a]))

    def displacement(self, branch: Branch) -> dict[int, float]:
        """Row of phi_b - phi_a over qx."""
        return combine((1.0, self.position[branch.b]), (-1.0, self.position[branch.a]))


def choose(network: Network) -> Coordinates:
    """Speeds of the free nodes, and a spanning forest of relative positions with absolute ones at its roots.

    >>> choose(network).states[0].name
    'mass.phi'
    """
    prescribed = {motion.node: k for k, motion in enumerate(network.motions)}
    free = tuple(n for n in range(len(network.nodes.nodes)) if n != GROUND and n not in prescribed)
    speed: dict[int, Row] = {GROUND: {}}
    speed |= {node: {i: 1.0} for i, node in enumerate(free)}
    speed |= {node: {len(free) + k: 1.0} for node, k in prescribed.items()}

    # position states: one per free node, one per prescribed speed; prescribed positions come behind them
    position: dict[int, Row] = {GROUND: {}}
    states: list[PositionState] = []
    for motion in network.motions:
        if motion.order == 1:
            position[motion.node] = {len(states): 1.0}
            states.append(_absolute(network, motion.node, motion.element.name, speed))
    for node, branch, origin in _forest(network, free):
        if branch is None:
            position[node] = {len(states): 1.0}
            states.append(_absolute(network, node, _body_name(network, node), speed))
        else:
            sign = 1.0 if branch.b == node else -1.0
            position[node] = combine((1.0, position[origin]), (sign, {len(states): 1.0}))
            states.append(_relative(network, branch, speed))
    for motion in network.motions:
        if motion.order == 0:
            position[motion.node] = {len(states) + prescribed[motion.node]: 1.0}
    return Coordinates(free, speed, position, tuple(states))


def _forest(network: Network, free: tuple[int, ...]) -> list[tuple[int, Branch | None, int]]:
    """Free nodes in an order in which each has its origin before it, with the branch from there.

    A node that a spring ties to the ground or to a prescribed position is a root: its position is absolute. The others
    hang on those, or on a prescribed speed; what hangs on nothing is a root too.
    """
    links: dict[int, list[Branch]] = {node: [] for node in range(len(network.nodes.nodes))}
    for branch in [*network.springs, *network.frictions]:
        links[branch.a].append(branch)
        links[branch.b].append(branch)
    held = {GROUND, *(motion.node for motion in network.motions if motion.order == 0)}
    tied = [node for node in free if any({s.a, s.b} & held for s in links[node] if isinstance(s, Spring))]
    order: list[tuple[int, Branch | None, int]] = [(node, None, GROUND) for node in tied]
    seen = {*held, *tied}
    speeds = [motion.node for motion in network.motions if motion.order == 1]
    for root in [*tied, *speeds, *free]:
        if root not in seen and root in free:
            order.append((root, None, GROUND))
        seen.add(root)
        queue = [root]
        for node in queue:
            for branch in links[node]:
                other = branch.b if branch.a == node else branch.a
                if other not in seen:
                    seen.add(other)
                    if other in free:
                        order.append((other, branch, node))
                    queue.append(other)
    return order


def _absolute(network: Network, node: int, name: str, speed: dict[int, Row]) -> PositionState:
    domain = network.nodes.nodes[node].domain
    assert domain is not None
    return PositionState(
        f"{name}.{domain.position}", domain.units["disp"], speed[node], network.nodes.nodes[node].position0
    )


def _relative(network: Network, branch: Branch, speed: dict[int, Row]) -> PositionState:
    domain = network.nodes.domains[branch.element.name]
    nodes = network.nodes.nodes
    return PositionState(
        f"{branch.element.name}.{domain.position}_rel",
        domain.units["disp"],
        combine((1.0, speed[branch.b]), (-1.0, speed[branch.a])),
        nodes[branch.b].position0 - nodes[branch.a].position0,
    )


def _body_name(network: Network, node: int) -> str:
    return next(body.element.name for body in network.bodies if body.node == node)
