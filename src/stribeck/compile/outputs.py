"""What a run shows: names, units, and the place of each output on the board of the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..elements import Domain, Element
from ..kinds import Kind
from ..traced import rounded
from .coordinates import Place, between, step_down
from .rows import Row
from .topology import GROUND

if TYPE_CHECKING:
    from .layout import Layout


SHOWN = "quantity"
"""The array of signals that elements show, until the signals have their places."""

MODE_STATE = "mode"
"""The state of a law that is its mode."""


class Output(NamedTuple):
    """One output: scale * board[array][place]; a position is that of one node against another, a speed that of a
    node."""

    name: str
    owner: str
    """Its element; a named signal is its own owner."""
    unit: str
    kind: Kind
    array: str
    place: int = 0
    scale: float = 1.0
    ends: tuple[int, int] | None = None
    node: int | None = None
    part: str = ""
    """What it belongs to within its element, where that has several: a flange, or an end of a stop."""


SHORT = 8
"""Rows to add up from which on a position is put on top of others instead of being written out."""


class Positions:
    """The reported positions: rows over qx, each on top of a reported position before it, or of none.

    Positions of nodes share what carries them, and so do long distances between nodes: those between the ends of every
    rung of a ladder, written out, would have a square of its length as entries.

    >>> positions = Positions(layout.coordinates.places)
    >>> [positions.place(output) for output in outputs(layout) if output.array == "position"]
    [0, 1, 2]
    """

    def __init__(self, places: Mapping[int, Place]) -> None:
        self._places = places
        self._of: dict[tuple[int, int], int] = {}
        self.rows: list[Row] = []
        self.bases: list[int | None] = []

    def place(self, output: Output) -> int:
        """Where the position of an output is reported."""
        if output.node is not None:
            return self._on_others(GROUND, output.node)
        assert output.ends is not None
        if self._is_short(*output.ends):
            return self._add(between(self._places, *output.ends), None)
        return self._on_others(*output.ends)

    def _is_short(self, a: int, b: int) -> bool:
        for _ in range(SHORT):
            if a == b:
                return True
            _, a, b = step_down(self._places, a, b)
        return False

    def _on_others(self, a: int, b: int) -> int:
        """The position of b against a, after those that it is put on."""
        path: list[tuple[tuple[int, int], Row]] = []
        while a != b and (a, b) not in self._of:
            row, *below = step_down(self._places, a, b)
            path.append(((a, b), row))
            a, b = below
        last = self._of.get((a, b))
        if last is None and not path:  # the position of something that is fixed to the ground
            path.append(((a, b), {}))
        for pair, row in reversed(path):
            last = self._of[pair] = self._add(row, last)
        assert last is not None
        return last

    def _add(self, row: Row, base: int | None) -> int:
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
    return [*shown, *(Output(name, name, "1", Kind.SIGNAL, "signal", node) for name, node in layout.named.items())]


def element_outputs(layout: Layout) -> list[Output]:
    """What the elements show."""
    found = [*_bodies(layout), *_motions(layout), *_springs(layout), *_sources(layout), *_frictions(layout)]
    found += [*_couplings(layout), *_bare_flanges(layout), *_quantities(layout)]
    return _ordered(layout, list({output.name: output for output in found}.values()))  # the last of a name counts


def _ordered(layout: Layout, found: list[Output]) -> list[Output]:
    """Outputs in the order of the elements of the model."""
    rank = {name: i for i, name in enumerate(layout.network.nodes.elements)}
    return sorted(found, key=lambda output: rank[output.owner])


QUANTITIES = {
    Kind.POSITION: "disp",
    Kind.SPEED: "vel",
    Kind.ACCELERATION: "acc",
    Kind.DISPLACEMENT: "disp",
    Kind.SLIP: "vel",
    Kind.FORCE: "force",
}
"""What a domain calls the unit of a mechanical quantity."""


class _Maker:
    """Makes the mechanical outputs of one element."""

    def __init__(self, layout: Layout, element: Element, flange: str = "") -> None:
        nodes = layout.network.nodes
        self._element = element.name
        self._domain: Domain = nodes.domain_of(element, flange) if flange else nodes.domains[element.name]

    def __call__(self, kind: Kind, array: str, place: int = 0, *, part: str = "", **more: Any) -> Output:
        domain = self._domain
        words = {
            Kind.POSITION: domain.position,
            Kind.SPEED: domain.speed,
            Kind.ACCELERATION: domain.acceleration,
            Kind.DISPLACEMENT: f"{domain.position}_rel",
            Kind.SLIP: f"{domain.speed}_rel",
            Kind.FORCE: domain.force,
        }
        name = f"{self._element}.{words[kind]}" + (f"_{part}" if part else "")
        return Output(name, self._element, domain.units[QUANTITIES[kind]], kind, array, place, part=part, **more)


def _bodies(layout: Layout) -> Iterator[Output]:
    for k, body in enumerate(layout.network.bodies):
        make = _Maker(layout, body.element)
        yield make(Kind.POSITION, "position", node=body.node)
        yield make(Kind.SPEED, "body_w", k)
        yield make(Kind.ACCELERATION, "body_a", k)


def _motions(layout: Layout) -> Iterator[Output]:
    for k, motion in enumerate(layout.network.motions):
        make = _Maker(layout, motion.element)
        yield make(Kind.POSITION, "position", node=motion.node)
        yield make(Kind.SPEED, "motion_w", k)
        yield make(Kind.FORCE, "reaction", k)


def _springs(layout: Layout) -> Iterator[Output]:
    for k, spring in enumerate(layout.network.springs):
        make = _Maker(layout, spring.element)
        yield make(Kind.DISPLACEMENT, "disp", k, part=spring.part)
        yield make(Kind.SLIP, "slip", k, part=spring.part)
        yield make(Kind.FORCE, "tau", k, part=spring.part)


def _sources(layout: Layout) -> Iterator[Output]:
    """A drive shows what it does to b; something passive resists, as springs do, and shows the motion it resists."""
    first = len(layout.network.springs)
    for k, source in enumerate(layout.network.sources):
        make = _Maker(layout, source.element)
        if source.passive and not source.part:
            yield make(Kind.DISPLACEMENT, "position", ends=(source.a, source.b))
            yield make(Kind.SLIP, "slip", first + k)
        yield make(Kind.FORCE, "tau", first + k, part=source.part, scale=1.0 if source.passive else -1.0)


def _couplings(layout: Layout) -> Iterator[Output]:
    """Torques that flow into the coupling at its flanges, losses included."""
    losses = [friction.loss.coupling for friction in layout.network.frictions if friction.loss]
    for place, k in enumerate(layout.reactions.order):
        coupling = layout.network.couplings[k]
        lossy = {coupling.a: "loss_a", coupling.support: "loss_support"} if k in losses else {}
        for flange, ratio in coupling.flanges.items():
            make = _Maker(layout, coupling.element, flange)
            if flange in lossy:
                yield make(Kind.FORCE, lossy[flange], losses.index(k), part=flange)
            else:
                yield make(Kind.FORCE, "coupling", place, part=flange, scale=-rounded(ratio))


def _quantities(layout: Layout) -> Iterator[Output]:
    for k, quantity in enumerate(layout.network.quantities):
        owner = quantity.element.name
        yield Output(f"{owner}.{quantity.name}", owner, quantity.unit, quantity.kind, SHOWN, k, quantity.scale)


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
        make = _Maker(layout, network.nodes.elements[flange.element], flange.name)
        for kind in (Kind.POSITION, Kind.SPEED):
            yield make(kind, kind.value, part=flange.name, node=network.nodes.of[flange])


def contacts(layout: Layout) -> list[tuple[str, str]]:
    """Element and part of every friction; the part is empty where the element has but one.

    >>> contacts(layout)
    [('friction', '')]
    """
    frictions = layout.network.frictions
    count = Counter(friction.element.name for friction in frictions)
    return [(f.element.name, f.part if count[f.element.name] > 1 else "") for f in frictions]


def _frictions(layout: Layout) -> Iterator[Output]:
    first = len(layout.network.springs) + len(layout.network.sources)
    shown: set[str] = set()
    for k, (friction, (name, part)) in enumerate(zip(layout.network.frictions, contacts(layout), strict=True)):
        make = _Maker(layout, friction.element)
        if (not friction.part or friction.gap is not None) and name not in shown:
            shown.add(name)
            yield make(Kind.DISPLACEMENT, "position", ends=(friction.a, friction.b))
            yield make(Kind.SLIP, "slip", first + k)
        yield make(Kind.FORCE, "tau", first + k, part=friction.part)
        for i, (word, state) in enumerate(friction.law.states.items()):
            kind = Kind.MODE if k in layout.shown and word == MODE_STATE else Kind.STATE
            unit = state.unit.format_map(friction.law.units)
            yield Output(f"{name}.{word}", name, unit, kind, "state", layout.state_of[k] + i, part=part)
        if k in layout.lock_of:
            mode = f"{name}.mode" + (f"_{part}" if part else "")
            yield Output(mode, name, "1", Kind.MODE, "mode_shown", layout.lock_of[k], part=part)
