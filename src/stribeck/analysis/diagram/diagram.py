"""The machine as a diagram: the layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from ...compile import GROUND, Nodes, resolve_nodes
from ...compile.network import PrimitiveNetwork
from ...declare import Param
from ...elements import Flange
from ...errors import SpecError
from ...results import Result
from ...results.meta import element_of
from ...results.modes import STUCK
from ...run.simulate import simulate
from ...signals import Signal
from ...signals.named import Named
from ...signals.sensor import Sensor
from ...spec import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINK = 2.5
"""Distance between two boxes, room for a symbol and its name."""
ROW, STANDING, HANGING = 1.9, 0.9, 1.2
"""Distance of two rows of boxes, and extra height for elements above and below boxes."""
LETTER = 0.135
"""Width of a letter."""
BODIES = ("body", "store", "temperature")
"""What gives its name to a box."""
PAGE = 15.0
"""Width at which the next part of the machine begins a new line."""

TURNING = {"torque", "engine"}
"""Drives from which power flows through a driveline, which is drawn from the left to the right."""

Point = tuple[float, float]


def draw(
    model: Model,
    result: Result | str | Path | None = None,
    at: float | str | None = None,
    path: str | Path | None = None,
) -> Figure:
    """Draws a machine: bodies as boxes, between them springs, dampers, friction and sources, signals lightly.

    With a result, or a time `at` (s, or text such as "500 ms"), friction elements have the colour of their mode then:
    at the end of the result if no time is given. Without a result the model is simulated up to the time.

    >>> draw(load_model("stick-slip"), path="machine.png")
    >>> draw(model, result=result, at="2 s")
    """
    from .plot import plot_diagram

    if isinstance(result, str | Path) and path is None:  # draw(model, "machine.png")
        result, path = None, result
    if isinstance(result, str | Path):
        raise SpecError(f"draw: result = {str(result)!r} is not a result; write draw(model, path={str(path)!r})")
    time = None if at is None else Param(None, "s", "time", min=0).to_si(at, {}, "draw", "at")
    if result is None and time is not None:
        result = simulate(model, t_end=time or None, intervals=1)
    if result is not None and time is None:
        time = float(result.time[-1])
    modes = {} if result is None or time is None else _modes(result, time)
    return plot_diagram(Diagram.of(model), modes, time, path)


def _modes(result: Result, time: float) -> dict[str, int]:
    """Modes of the friction elements by name."""
    last = float(result.time[-1])
    if not float(result.time[0]) <= time <= last:
        raise SpecError(f"draw: at = {time:g} s is not within the result, which ends at {last:g} s")
    modes: dict[str, int] = {}
    for contact, name in result.meta.contacts.items():
        mode, element = int(result.at(time, name)), element_of(contact)
        modes[element] = mode if modes.get(element) != STUCK else STUCK  # a stop with two ends is met if one is
    return modes


@dataclass
class Box:
    """Something with a place: a node with its bodies, a wall, or an element with more than two nodes."""

    names: tuple[str, ...]
    """Bodies on it, the wall, or the element; nothing for a node without inertia."""
    kind: str
    """node, wall or element"""
    above: list[str] = field(default_factory=list)
    """Drives and prescribed motions above it."""
    below: list[str] = field(default_factory=list)
    """Elements between it and the ground."""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0


@dataclass(frozen=True)
class Link:
    """An element between two boxes; a line without symbol leads to an element that is a box itself."""

    element: str
    a: int
    b: int
    plain: bool = False
    flange: str = ""
    """At which flange a plain one begins."""


@dataclass
class Diagram:
    """Boxes with their places, what is between them, and which signals go where.

    >>> Diagram.of(load_model("stick-slip")).boxes[0].above
    ['pull']
    """

    name: str
    boxes: list[Box]
    links: list[Link]
    symbols: dict[str, str]
    """How each element is drawn: spring, damper, spring-damper, friction, one-way, stop, drive, motion, or its kind in
    words."""
    kinds: dict[str, str]
    signals: dict[str, Point]
    """Places of the named signals."""
    wires: list[tuple[str, str]]
    """Signals: from a sensed element or a named signal to the element or named signal that uses it."""
    heat: list[tuple[str, str]]
    """From an element to what it warms."""

    @classmethod
    def of(cls, model: Model) -> Diagram:
        """The diagram of a model."""
        nodes = resolve_nodes(model)
        symbols = _symbols(nodes)
        boxes, links = _boxes(model, nodes, symbols)
        kinds = {name: element.kind for name, element in nodes.elements.items()}
        diagram = cls(model.name, boxes, links, symbols, kinds, {}, _wires(nodes), _heat(nodes))
        _place(diagram)
        diagram.signals = _signal_places(diagram, nodes.signals)
        return diagram


def _symbols(nodes: Nodes) -> dict[str, str]:
    """The symbol of every element, by what it puts into the network."""
    network = PrimitiveNetwork.of(nodes)
    symbols = {name: element.kind for name, element in nodes.elements.items()}
    symbols |= {source.element.name: "drive" for source in network.sources if not source.passive}
    for spring in network.springs:
        symbols[spring.element.name] = "spring-damper" if spring.c and spring.d else "spring" if spring.c else "damper"
    for friction in network.frictions:
        element = friction.element
        one_way = friction.unlimited or element.kind == "one-way-clutch"
        if friction.gap is not None:
            symbols[element.name] = "stop"
        elif not friction.part and not friction.loss:
            symbols[element.name] = "one-way" if one_way else "friction"
    # what rubs or springs beside something else keeps its kind in words
    symbols |= {spring.element.name: spring.element.kind for spring in network.springs if spring.part}
    symbols |= {flow.element.name: "drive" for flow in network.thermal.flows if flow.a is None}
    return symbols | {motion.element.name: "motion" for motion in network.motions}


def _boxes(model: Model, nodes: Nodes, symbols: Mapping[str, str]) -> tuple[list[Box], list[Link]]:
    """A box for every node, wall and element with many nodes; the other elements between or at them."""
    of = _numbers(nodes)
    bodies: dict[int, list[str]] = {}
    for flange, number in of.items():
        if nodes.elements[flange.element].role in BODIES and flange.element not in bodies.setdefault(number, []):
            bodies[number].append(flange.element)
    numbers = [n for n in sorted(set(of.values())) if n != GROUND]
    boxes = [Box(tuple(bodies.get(n, ())), "node") for n in numbers]
    place = {n: i for i, n in enumerate(numbers)}
    walls = {}
    for name, element in nodes.elements.items():
        if element.role == "ground":
            walls[name] = len(boxes)
            boxes.append(Box((name,), "wall"))
    links: list[Link] = []
    for name, element in nodes.elements.items():
        if element.role in (*BODIES, "ground"):
            continue
        ends: dict[int | None, list[str]] = {}
        for port in element.flanges:
            number = of[Flange(name, port)]
            wall = walls.get(_wall(model, name, port, walls)) if number == GROUND else None
            end = wall if number == GROUND else place[number]
            if end is not None or port != "support":  # a housing on the ground is what one expects
                ends.setdefault(end, []).append(port)
        fixed = [end for end in ends if end is not None]
        if len(ends) > 2 or not fixed:
            links += [Link(name, len(boxes), end, plain=True, flange=", ".join(ends[end])) for end in fixed]
            boxes.append(Box((name,), "element"))
        elif len(fixed) == 2:
            links.append(Link(name, fixed[0], fixed[1]))
        else:
            box = boxes[fixed[0]]
            (box.above if symbols[name] in ("drive", "motion") else box.below).append(name)
    return boxes, links


def _numbers(nodes: Nodes) -> dict[Flange, int]:
    """The nodes of all flanges: those of the mechanics, then those of the heat; what is open there is the ground."""
    thermal = [e.flange(port) for e in nodes.elements.values() if e.domain == "thermal" for port in e.flanges]
    warm = {flange: len(nodes.nodes) + nodes.heat[flange] for flange in thermal if flange in nodes.heat}
    return nodes.of | {flange: warm.get(flange, GROUND) for flange in thermal}


def _wall(model: Model, name: str, flange: str, walls: Mapping[str, int]) -> str:
    """The Fixed that a flange is connected to, if it is connected to one directly."""
    own = {name, f"{name}.{flange}"} if model.elements[name].one_node else {f"{name}.{flange}"}
    near = [model.elements[name].refs.get(flange, "")]
    near += [y for x, y in model.connections if x in own] + [x for x, y in model.connections if y in own]
    return next((other.partition(".")[0] for other in near if other.partition(".")[0] in walls), "")


def _wires(nodes: Nodes) -> list[tuple[str, str]]:
    """Which signals read which elements and named signals."""
    wires: dict[tuple[str, str], None] = {}
    users: dict[str, list[Signal]] = {name: [signal] for name, signal in nodes.signals.items()}
    for name, element in nodes.elements.items():
        users[name] = [value for value in vars(element.p).values() if isinstance(value, Signal)]
    for user, signals in users.items():
        for signal in signals:
            for part in signal.walk():
                source = part.element if isinstance(part, Sensor) else part.name if isinstance(part, Named) else user
                if source != user and source in users:
                    wires[str(source), user] = None
    return list(wires)


def _heat(nodes: Nodes) -> list[tuple[str, str]]:
    """Which elements warm which thermal mass, or a given temperature."""
    places: dict[int, str] = {}
    for flange, number in nodes.heat.items():
        if nodes.elements[flange.element].role in BODIES:
            places.setdefault(number, flange.element)
    ports = [flange for flange in nodes.heat if flange.name in nodes.elements[flange.element].ports]
    return [(flange.element, places[nodes.heat[flange]]) for flange in ports]


# --- places ----------------------------------------------------------------------------------------------------------


def room(name: str) -> float:
    """The width of an element above or below a box.

    >>> room("friction")
    1.38
    """
    return max(1.1, LETTER * len(name) + 0.3)


def _signal_places(diagram: Diagram, names: Iterable[str]) -> dict[str, Point]:
    """Named signals in a row above the machine, each one above those that use it as far as there is room."""
    centre = {name: box.x for box in diagram.boxes for name in (*box.names, *box.above, *box.below)}
    for link in diagram.links:
        centre.setdefault(link.element, (diagram.boxes[link.a].x + diagram.boxes[link.b].x) / 2)
    users = {
        name: [centre[user] for source, user in diagram.wires if source == name and user in centre] for name in names
    }
    wanted = {name: sum(at) / len(at) if at else 0.0 for name, at in users.items()}
    top = max(box.y for box in diagram.boxes) + 2.3
    places: dict[str, Point] = {}
    free = -inf
    for name in sorted(wanted, key=lambda name: wanted[name]):
        half = (LETTER * len(name) + 0.4) / 2
        places[name] = (max(wanted[name], free + half), top)
        free = places[name][0] + half + 0.5
    return places


def _place(diagram: Diagram) -> None:
    """Every connected part as a tree from the left to the right; the parts beside each other, line by line."""
    boxes = diagram.boxes
    for box in boxes:
        words = max((len(name) for name in box.names), default=0)
        own = {"node": 1.3 if box.names else 0.3, "wall": 0.3, "element": 1.5}[box.kind]
        text = LETTER * words + 0.4 if box.kind != "wall" else 0.3
        box.width = max(own, text, *(sum(map(room, names)) for names in (box.above, box.below)))
    neighbours: dict[int, list[int]] = {i: [] for i in range(len(boxes))}
    for link in diagram.links:
        neighbours[link.a].append(link.b)
        neighbours[link.b].append(link.a)

    left, top = 0.0, 0.0
    lowest = 0.0
    seen: set[int] = set()
    for root in _roots(diagram, neighbours):
        if root in seen:
            continue
        depth, rows = _tree(root, neighbours)
        seen |= set(depth)
        columns = [max(boxes[i].width for i in depth if depth[i] == d) for d in range(max(depth.values()) + 1)]
        width = sum(columns) + LINK * (len(columns) - 1)
        heights = _heights(boxes, rows)
        if left > 0 and left + width > PAGE:
            left, top, lowest = 0.0, lowest, lowest
        for i, d in depth.items():
            boxes[i].x = left + sum(columns[:d]) + LINK * d + columns[d] / 2
            boxes[i].y = top - heights[int(rows[i])]
        left += width + 1.2
        lowest = min(lowest, top - heights[-1])


def _heights(boxes: Sequence[Box], rows: Mapping[int, float]) -> list[float]:
    """How far each row is below the first one, and at the end where the next part of the machine may begin."""
    last = int(max(rows.values()))
    of: list[list[Box]] = [[boxes[i] for i in rows if int(rows[i]) == row] for row in range(last + 1)]
    heights = [0.0]
    for row in range(last + 1):
        hang = HANGING if any(box.below for box in of[row]) else 0.0
        stand = STANDING if row == last or any(box.above for box in of[row + 1]) else 0.0
        heights.append(heights[-1] + ROW + hang + stand)
    return heights


def _roots(diagram: Diagram, neighbours: Mapping[int, list[int]]) -> list[int]:
    """Where parts of the machine begin, at the left: prescribed motions, motors, walls, what is driven, other ends."""
    boxes, symbols = diagram.boxes, diagram.symbols
    standing = {i: {symbols[name] for name in boxes[i].above} for i in neighbours}

    def rank(i: int) -> tuple[int, int]:
        if "motion" in standing[i]:
            return (0, i)
        if TURNING & {diagram.kinds[name] for name in boxes[i].above} and _is_end(i, neighbours):
            return (1, i)
        if boxes[i].kind == "wall":
            return (2, i)
        if "drive" in standing[i] and _is_end(i, neighbours):
            return (3, i)
        return (4 if len(set(neighbours[i])) < 2 else 5, i)

    return sorted(neighbours, key=rank)


def _is_end(box: int, neighbours: Mapping[int, list[int]]) -> bool:
    """Whether its neighbours hang together without it, so that all of the machine can be at one side of it."""
    around = set(neighbours[box])
    seen = {box}
    queue = list(around)[:1]
    for i in queue:
        fresh = [j for j in dict.fromkeys(neighbours[i]) if j not in seen and j not in queue]
        queue += fresh
    return around <= set(queue)


def _tree(root: int, neighbours: Mapping[int, list[int]]) -> tuple[dict[int, int], dict[int, float]]:
    """Distance from the root, and rows such that every branch has its own; the deepest branch goes straight on."""
    depth, children, queue = {root: 0}, dict[int, list[int]](), [root]
    for i in queue:
        children[i] = [j for j in dict.fromkeys(neighbours[i]) if j not in depth]
        depth |= dict.fromkeys(children[i], depth[i] + 1)
        queue += children[i]
    reach = dict.fromkeys(queue, 0)
    for i in reversed(queue):
        reach[i] = max((reach[j] + 1 for j in children[i]), default=0)
    rows: dict[int, float] = {}
    free = 0
    stack = [(root, 0.0)]
    while stack:
        i, row = stack.pop()
        rows[i] = float(free) if row < 0 else row
        free = max(free, int(rows[i]) + 1) if not children[i] else free
        ordered = sorted(children[i], key=lambda j: -reach[j])
        stack += [(j, rows[i] if n == 0 else -1.0) for n, j in reversed(list(enumerate(ordered)))]
    return depth, rows
