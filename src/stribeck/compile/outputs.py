"""What a run shows: names, units, and the place of each output on the board of the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..elements import Domain, Element
from ..spec import GROUND
from .coordinates import Place
from .rows import Row

if TYPE_CHECKING:
    from .layout import Layout


SHOWN = "quantity"
"""The array of signals that elements show, until the signals have their places."""


class Output(NamedTuple):
    """One output: scale * board[array][place]; a position is that of a node or a row over qx of its own, a speed that
    of a node."""

    name: str
    unit: str
    array: str
    place: int = 0
    scale: float = 1.0
    position: Row | None = None
    node: int | None = None


class Positions:
    """The reported positions: rows over qx, each on top of a reported position before it, or of none (-1).

    >>> positions = Positions(layout.coordinates.places)
    >>> [positions.place(output) for output in outputs(layout) if output.array == "position"]
    [0, 1, 2]
    """

    def __init__(self, places: Mapping[int, Place]) -> None:
        self._places = places
        self._of: dict[int, int] = {}
        self.rows: list[Row] = []
        self.bases: list[int] = []

    def place(self, output: Output) -> int:
        """Where the position of an output is reported."""
        if output.node is not None:
            return self._of_node(output.node)
        assert output.position is not None
        return self._add(output.position, -1)

    def _of_node(self, node: int) -> int:
        """The position of a node, after those that carry it."""
        path = [node]
        while path[-1] not in self._of and self._places[path[-1]].depth > 1:
            path.append(self._places[path[-1]].origin)
        for n in reversed(path):
            if n not in self._of:
                self._of[n] = self._add(self._places[n].own, self._of.get(self._places[n].origin, -1))
        return self._of[node]

    def _add(self, row: Row, base: int) -> int:
        self.rows.append(row)
        self.bases.append(base)
        return len(self.rows) - 1


def outputs(layout: Layout) -> list[Output]:
    """All outputs: element by element in the order of the model, then the signals that have a name.

    >>> [output.name for output in outputs(layout)][:3]
    ['pull.phi', 'pull.w', 'pull.tau']
    """
    found = [
        output._replace(array="signal", place=layout.quantity_nodes[output.place]) if output.array == SHOWN else output
        for output in element_outputs(layout)
    ]
    shown = _ordered(layout, [*found, *layout.heat.outputs()])
    return [*shown, *(Output(name, "1", "signal", node) for name, node in layout.named.items())]


def element_outputs(layout: Layout) -> list[Output]:
    """What the elements show."""
    found = [*_bodies(layout), *_motions(layout), *_springs(layout), *_sources(layout), *_frictions(layout)]
    found += [*_couplings(layout), *_bare_flanges(layout), *_quantities(layout)]
    return _ordered(layout, found)


def _ordered(layout: Layout, found: list[Output]) -> list[Output]:
    """Outputs in the order of the elements of the model."""
    rank = {name: i for i, name in enumerate(layout.network.nodes.elements)}
    return sorted(found, key=lambda output: rank[output.name.partition(".")[0]])


class _Namer:
    """Names and units of the quantities of one element."""

    def __init__(self, layout: Layout, element: Element) -> None:
        self.element = element.name
        self.domain: Domain = layout.network.nodes.domains[element.name]
        self.names: Mapping[str, str] = {
            "disp": self.domain.position,
            "vel": self.domain.speed,
            "acc": self.domain.acceleration,
            "force": self.domain.force,
        }

    def __call__(self, quantity: str, relative: bool = False, part: str = "") -> tuple[str, str]:
        name = self.names[quantity] + ("_rel" if relative else "") + (f"_{part}" if part else "")
        return f"{self.element}.{name}", self.domain.units[quantity]


def _bodies(layout: Layout) -> Iterator[Output]:
    for k, body in enumerate(layout.network.bodies):
        of = _Namer(layout, body.element)
        yield Output(*of("disp"), "position", node=body.node)
        yield Output(*of("vel"), "body_w", k)
        yield Output(*of("acc"), "body_a", k)


def _motions(layout: Layout) -> Iterator[Output]:
    for k, motion in enumerate(layout.network.motions):
        of = _Namer(layout, motion.element)
        yield Output(*of("disp"), "position", node=motion.node)
        yield Output(*of("vel"), "motion_w", k)
        yield Output(*of("force"), "reaction", k)


def _springs(layout: Layout) -> Iterator[Output]:
    for k, spring in enumerate(layout.network.springs):
        of = _Namer(layout, spring.element)
        yield Output(*of("disp", True), "disp", k)
        yield Output(*of("vel", True), "slip", k)
        yield Output(*of("force"), "tau", k)


def _sources(layout: Layout) -> Iterator[Output]:
    """A drive shows what it does to b; something passive resists, as springs do, and shows the motion it resists."""
    first = len(layout.network.springs)
    for k, source in enumerate(layout.network.sources):
        of = _Namer(layout, source.element)
        if source.passive and not source.part:
            yield Output(*of("disp", True), "position", position=layout.coordinates.displacement(source))
            yield Output(*of("vel", True), "slip", first + k)
        yield Output(*of("force", part=source.part), "tau", first + k, scale=1.0 if source.passive else -1.0)


def _couplings(layout: Layout) -> Iterator[Output]:
    """Torques that flow into the coupling at its flanges, losses included."""
    losses = [friction.loss.coupling for friction in layout.network.frictions if friction.loss]
    for place, k in enumerate(layout.reactions.order):
        coupling = layout.network.couplings[k]
        lossy = {coupling.a: "loss_a", coupling.support: "loss_support"} if k in losses else {}
        for flange, ratio in coupling.flanges.items():
            domain = layout.network.nodes.domain_of(coupling.element, flange)
            name, unit = f"{coupling.element.name}.{domain.force}_{flange}", domain.units["force"]
            if flange in lossy:
                yield Output(name, unit, lossy[flange], losses.index(k))
            else:
                yield Output(name, unit, "coupling", place, scale=-float(ratio))


def _quantities(layout: Layout) -> Iterator[Output]:
    for k, quantity in enumerate(layout.network.quantities):
        yield Output(f"{quantity.element.name}.{quantity.name}", quantity.unit, SHOWN, k, quantity.scale)


def _bare_flanges(layout: Layout) -> Iterator[Output]:
    """Position and speed of flanges on nodes that no body and no motion shows: all those of couplings, and one of the
    springs where they meet alone."""
    network = layout.network
    shown = {GROUND, *(body.node for body in network.bodies), *(motion.node for motion in network.motions)}
    flanges = [c.element.flange(name) for c in network.couplings for name in c.flanges]
    flanges = [flange for flange in dict.fromkeys(flanges) if network.nodes.of[flange] not in shown]
    shown |= {network.nodes.of[flange] for flange in flanges}
    if len(shown) < len(network.nodes.nodes):
        first = {node: flange for flange, node in reversed(network.nodes.of.items()) if node not in shown}
        flanges += first.values()
    for flange in flanges:
        node, element = network.nodes.of[flange], network.nodes.elements[flange.element]
        domain = network.nodes.domain_of(element, flange.name)
        for quantity, word, array in (("disp", domain.position, "position"), ("vel", domain.speed, "speed")):
            yield Output(f"{flange.element}.{word}_{flange.name}", domain.units[quantity], array, node=node)


def _frictions(layout: Layout) -> Iterator[Output]:
    first = len(layout.network.springs) + len(layout.network.sources)
    count = Counter(friction.element.name for friction in layout.network.frictions)
    shown: set[str] = set()
    for k, friction in enumerate(layout.network.frictions):
        name = friction.element.name
        of = _Namer(layout, friction.element)
        if (not friction.part or friction.gap is not None) and name not in shown:
            shown.add(name)
            yield Output(*of("disp", True), "position", position=layout.coordinates.displacement(friction))
            yield Output(*of("vel", True), "slip", first + k)
        yield Output(*of("force", part=friction.part), "tau", first + k)
        for i, (word, state) in enumerate(friction.law.states.items()):
            unit = state.unit.format_map(friction.law.units)
            yield Output(f"{name}.{word}", unit, "state", layout.state_of[k] + i)
        if k in layout.lock_of:
            part = f"_{friction.part}" if count[name] > 1 else ""
            yield Output(f"{name}.mode{part}", "1", "mode_shown", layout.lock_of[k])
