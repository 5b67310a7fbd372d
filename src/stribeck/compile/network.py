"""The network that the elements put themselves into: bodies, motions, and branches between nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..elements import Element, Flange, Friction
from ..kinds import Kind
from ..signals import Signal
from ..signals.constant import Constant
from ..traced import TracedFraction, exact
from .elimination import add_row
from .thermal import HeatNetwork
from .topology import GROUND, Nodes


@dataclass(frozen=True)
class NodeInertia:
    """Inertia on a node."""

    element: Element
    node: int
    inertia: float


@dataclass(frozen=True)
class PrescribedMotion:
    """A node that moves as a signal says; order 0: the signal is the position, 1: the speed."""

    element: Element
    node: int
    order: int
    signal: Signal
    position0: float


@dataclass(frozen=True)
class Branch:
    """Something with a torque between node a and node b; slip and displacement are those of b against a."""

    element: Element
    a: int
    b: int


@dataclass(frozen=True)
class SpringBranch(Branch):
    """Linear spring and damper in parallel."""

    c: float
    d: float
    rel0: float
    part: str = ""
    """What its torque and stretch are called in the results if the element has others: tau_b for "b"."""


@dataclass(frozen=True)
class SourceBranch(Branch):
    """A torque from a signal that drives b: a drive, or something passive that takes power, with what it stores."""

    signal: Signal
    passive: bool = False
    energy: Signal | None = None
    heat: Signal | None = None
    """The power that becomes heat, where that is not what it takes less what it stores."""
    part: str = ""
    """As that of a spring: tau_drag for "drag"."""


@dataclass(frozen=True)
class GearLoss:
    """What makes the friction of a gear: its coupling, and rows of speed, eta1, eta2, tbf1, tbf2; or one row of 0, two
    slopes over the transmitted torque and two offsets, which are times the law."""

    coupling: int
    table: tuple[tuple[float, ...], ...]
    lines: bool = False


@dataclass(frozen=True)
class FrictionBranch(Branch):
    """A friction law under a load."""

    law: Any
    load: Signal
    load_backward: Signal | None = None
    """The load while friction is negative, if it differs."""
    engage: str | None = None
    """How bristles are bent when the load begins (one of ENGAGE); None: the load never ends."""
    part: str = ""
    """As that of a spring."""
    unlimited: str | None = None
    """"forward" or "backward": it holds any torque against slip in that direction."""
    gap: Signal | None = None
    """The way that is left before it closes, for a stop."""
    restitution: float = 0.0
    """Speed after an impact by speed before it; for a stop."""
    v_small: float = 0.0
    """Speed of approach below which it does not bounce."""
    loss: GearLoss | None = None
    """The loss of a gear: its friction follows from what the gear transmits, not from the law."""

    @property
    def opens(self) -> bool:
        """Whether there are bristles that may lose their load."""
        lasts = self.load.time_only and self.load.span()[0] > 0
        return self.engage is not None and self.law.family == "bristle" and not lasts


@dataclass(frozen=True)
class Quantity:
    """A signal of an element that the results show under a name, times a factor."""

    element: Element
    name: str
    unit: str
    signal: Signal
    scale: float = 1.0
    kind: Kind = Kind.SIGNAL


@dataclass(frozen=True)
class Coupling:
    """A rigid coupling: the sum of ratio * speed is 0."""

    element: Element
    flanges: dict[str, Fraction]
    """Ratio of every flange."""
    row: dict[int, Fraction]
    """Ratio of every node that can move; those of the same node are added up."""
    offset: Fraction = Fraction(0)
    """The sum of ratio * position, with this added, is 0 at the start."""
    support: str = ""
    """The flange against which a gear with losses rubs; flange `a` of it has the ratio 1."""
    a: str = ""

    @property
    def is_pair(self) -> bool:
        """Whether it is a ratio of two speeds by its nature, not because something holds its other members."""
        return len(self.row) == 2 and len(self.flanges.keys() - {"support"}) == 2


@dataclass
class PrimitiveNetwork:
    """Receives the primitives of the elements; `Element.stamp` calls the methods in lower case.

    >>> network = PrimitiveNetwork.of(nodes)
    >>> network.springs[0].c
    2.0
    """

    nodes: Nodes
    bodies: list[NodeInertia] = field(default_factory=list)
    motions: list[PrescribedMotion] = field(default_factory=list)
    springs: list[SpringBranch] = field(default_factory=list)
    sources: list[SourceBranch] = field(default_factory=list)
    frictions: list[FrictionBranch] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    quantities: list[Quantity] = field(default_factory=list)
    thermal: HeatNetwork = field(init=False)

    GROUND = GROUND

    def __post_init__(self) -> None:
        self.thermal = HeatNetwork(self.nodes.heat)

    @classmethod
    def of(cls, nodes: Nodes) -> PrimitiveNetwork:
        """The network of all elements."""
        network = cls(nodes)
        for element in nodes.elements.values():
            element.stamp(network)
        return network

    @property
    def branches(self) -> list[Branch]:
        """Springs, sources and frictions, in the order of the kernel."""
        return [*self.springs, *self.sources, *self.frictions]

    def _node(self, place: Flange | int) -> int:
        return place if isinstance(place, int) else self.nodes.of[place]

    def ground(self, element: Element, node: Flange) -> None:
        """A node that does not move: the nodes know that already."""

    def body(self, element: Element, node: Flange, inertia: float, position0: float, speed0: float) -> None:
        """Inertia on a node; its start is that of the node."""
        self.bodies.append(NodeInertia(element, self._node(node), inertia))

    def motion(self, element: Element, node: Flange, kind: str, signal: Signal, position0: float) -> None:
        """A prescribed position or speed."""
        order = {"position": 0, "speed": 1}[kind]
        self.motions.append(PrescribedMotion(element, self._node(node), order, signal, position0))

    @property
    def turned(self) -> bool:
        """Whether some coupling has an offset."""
        return any(coupling.offset for coupling in self.couplings)

    def coupling(self, element: Element, ratios: Mapping[str, float | Fraction], offset: float = 0.0) -> None:
        """The sum of ratio * speed over these flanges is 0, and so is that of the positions, up to a constant: the
        offset, unless the starts say otherwise."""
        flanges = {name: r if isinstance(r, Fraction | TracedFraction) else exact(r) for name, r in ratios.items()}
        row: dict[int, Fraction] = {}
        for name, ratio in flanges.items():
            add_row(row, ratio, {self._node(element.flange(name)): Fraction(1)})
        row.pop(GROUND, None)
        self.couplings.append(Coupling(element, flanges, row, exact(offset)))

    def loss(
        self,
        element: Element,
        a: str,
        support: str,
        table: Sequence[Sequence[float]],
        law: Any,
        lines: bool = False,
        part: str = "loss",
    ) -> None:
        """Losses of the coupling that was put in last: friction of flange a, whose ratio is 1, against the support.

        The table has rows of speed, eta1, eta2, tbf1, tbf2, and the law only says that it can stick. With `lines` it
        is one row of 0, the slopes over the transmitted torque where a drives and where b does, and their offsets; the
        loss is that times the law.
        """
        self.couplings[-1] = replace(self.couplings[-1], support=support, a=a)
        loss = GearLoss(len(self.couplings) - 1, tuple(map(tuple, table)), lines)
        nodes = self._node(element.flange(support)), self._node(element.flange(a))
        load = Constant.ready(f"{element.name}.loss", value=1.0)
        self.frictions.append(FrictionBranch(element, *nodes, law, load, part=part, loss=loss))

    def state_name(self, node: int, word: str) -> str:
        """The name of a quantity of a node: that of a body on it, or of a flange."""
        owner, flange = self._namesake[node]
        return f"{owner}.{word}_{flange}" if flange else f"{owner}.{word}"

    def owner(self, node: int) -> str:
        """The element that the quantities of a node are named after."""
        return self._namesake[node][0]

    @cached_property
    def _namesake(self) -> dict[int, tuple[str, str]]:
        """Element and flange that each node is named after, a body without a flange; those that come first win."""
        flanges = {number: (flange.element, flange.name) for flange, number in reversed(self.nodes.of.items())}
        return flanges | {body.node: (body.element.name, "") for body in reversed(self.bodies)}

    def spring_damper(
        self, element: Element, a: Flange, b: Flange, c: float, d: float, rel0: float, part: str = ""
    ) -> None:
        """Spring and damper in parallel."""
        self.springs.append(SpringBranch(element, self._node(a), self._node(b), c, d, rel0, part))

    def source(
        self,
        element: Element,
        a: Flange | int,
        b: Flange | int,
        signal: Signal,
        passive: bool = False,
        energy: Signal | None = None,
        part: str = "",
        heat: Signal | None = None,
    ) -> None:
        """A torque on b, with its reaction on a. What is passive takes power, into its stored energy or as heat, which
        is needed apart where it does both."""
        self.sources.append(SourceBranch(element, self._node(a), self._node(b), signal, passive, energy, heat, part))

    def show(self, element: Element, name: str, unit: str, signal: Signal, scale: float = 1.0) -> None:
        """A signal of the element among its results, times a factor."""
        self.quantities.append(Quantity(element, name, unit, signal, scale))

    def show_torque(self, element: Element, signal: Signal) -> None:
        """A signal as the torque of an element, in place of that of one of its branches."""
        domain = self.nodes.domains[element.name]
        self.quantities.append(Quantity(element, domain.force, domain.units["force"], signal, kind=Kind.FORCE))

    def friction(
        self,
        element: Element,
        a: Flange | int,
        b: Flange,
        law: Any,
        load: Signal,
        load_backward: Signal | None = None,
        engage: str | None = None,
        part: str = "",
        unlimited: str | None = None,
        gap: Signal | None = None,
        restitution: float = 0.0,
        v_small: float = 0.0,
    ) -> None:
        """A friction law between two nodes; `engage` is for loads that may end. Linings that fade carry less.

        `unlimited` makes a free-wheel of a law that locks: "backward" holds any torque against negative slip. With a
        `gap` it is a stop, open while that signal is positive.
        """
        if isinstance(element, Friction):
            load, load_backward = element.faded(load), load_backward and element.faded(load_backward)
        more = (load, load_backward, engage, part, unlimited, gap, restitution, v_small)
        self.frictions.append(FrictionBranch(element, self._node(a), self._node(b), law, *more))
