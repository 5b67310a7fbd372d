"""Temperatures as states among the signals, and the heat ports that the kernel serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..elements import Element, Flange
from ..errors import SpecError
from ..kinds import Kind
from ..signals import Signal
from ..signals._graph import weighted
from .outputs import Output
from .rows import combine
from .sensors import NOT_SENSED, Sensed
from .thermal import HeatPath

if TYPE_CHECKING:
    from .graph import OperationGraph
    from .layout import Layout
    from .network import Branch


class HeatPort(NamedTuple):
    """What one element dissipates, and the thermal node that it goes to."""

    element: Element
    node: int
    signal: int | None
    """The heat of its springs and sources."""
    frictions: tuple[int, ...]


class HeatQuantity(NamedTuple):
    """What a thermal element shows."""

    element: str
    word: str
    kind: Kind

    @property
    def name(self) -> str:
        """As in the results."""
        return f"{self.element}.{self.word}"


class Pooled(NamedTuple):
    """A quantity beside a thermal node without capacity: base + ratio * (heat into that node)."""

    quantity: HeatQuantity
    pool: int
    base: int
    ratio: int


class Heat:
    """Temperatures as states, counted from their starts, and heat ports.

    The graph of signals holds conduction and given flows: all that is linear in the temperatures or comes from signals.
    The kernel adds what friction dissipates.

    >>> layout.heat.sense("plate.T")
    Sensed(row=..., nodes={}, constant=293.15)
    """

    def __init__(self, layout: Layout, graph: OperationGraph) -> None:
        self._layout, self._graph, self._net = layout, graph, layout.network.thermal
        self.state: dict[int, int] = {}
        """The unknown of every node with a heat capacity."""
        self._state_nodes: dict[int, int] = {}
        for node in self._net.capacity:
            name = next(element.name for element, number in self._net.shown if number == node)
            graph.owner = name
            self.state[node] = graph.first_state + len(graph.states)
            self._state_nodes[node] = graph.state(f"{name}.T_rise", 0.0, unit="K")
        self.ports: list[HeatPort] = []
        self.pools = {node: k for k, node in enumerate(self._net.thin)}
        """Nodes without capacity, by number."""
        self.pooled: list[Pooled] = []

    def sense(self, quantity: str) -> Sensed | None:
        """A temperature, a difference of temperatures or a given flow; None if it is something else."""
        name, _, word = quantity.partition(".")
        for flow in self._net.flows:
            pool = self._pool_of(flow) if flow.element.name == name and flow.conductance is not None else None
            if pool is not None and word in ("dT", "Q_flow"):
                self._temperature(pool)  # refuses
            if flow.element.name == name and word == "Q_flow":
                return Sensed({}, {self._graph.lower(flow.signal): 1.0})
            if flow.element.name == name and word == "dT" and flow.a is not None:
                return self._difference(flow)
        for element, node in self._net.shown:
            if element.name == name and word == "T":
                return self._temperature(node)
        if word == "heat" and Flange(name, word) in self._net.of:
            raise SpecError(f"{self._graph.owner}: {quantity} cannot be sensed; {NOT_SENSED['heat']}")
        return self._at_port(name) if word == "T" else None

    def _at_port(self, name: str) -> Sensed | None:
        """The temperature at the heat port of an element, or that which it states itself."""
        if (node := self._net.of.get(Flange(name, "heat"))) is not None:
            return self._temperature(node)
        element = self._layout.network.nodes.elements.get(name)
        stated = getattr(element.p, "T", None) if element is not None else None
        return Sensed({}, {self._graph.lower(stated): 1.0}) if isinstance(stated, Signal) else None

    def _temperature(self, node: int) -> Sensed:
        if node in self.state:
            return Sensed({self.state[node]: 1.0}, {}, self._net.start[node])
        if node in self.pools:
            raise SpecError(
                f"{self._graph.owner}: that temperature follows at once from the heat, so nothing can depend on it; "
                "connect a ThermalMass there"
            )
        element, signal = self._net.fixed[node]
        owner, self._graph.owner = self._graph.owner, element.name
        given = self._graph.lower(signal)
        self._graph.owner = owner
        return Sensed({}, {given: 1.0})

    def _difference(self, flow: HeatPath) -> Sensed:
        """T_a - T_b."""
        assert flow.a is not None
        a = self._temperature(flow.a)
        if flow.b is None:
            assert flow.ambient is not None
            b = Sensed({}, {self._graph.lower(flow.ambient): 1.0})
        else:
            b = self._temperature(flow.b)
        return Sensed(
            combine((1.0, a.row), (-1.0, b.row)), combine((1.0, a.nodes), (-1.0, b.nodes)), a.constant - b.constant
        )

    def lower(self) -> None:
        """The rates of the temperatures, and the heat of springs and sources behind the ports."""
        graph = self._graph
        terms: dict[int, list[tuple[float, int]]] = {node: [] for node in self.state}
        for flow in self._net.flows:
            graph.owner = flow.element.name
            if self._pool_of(flow) is not None:
                continue
            node = graph.lower(flow.signal)
            for end, sign in ((flow.a, -1.0), (flow.b, 1.0)):
                if end in terms:
                    terms[end].append((sign / self._net.capacity[end], node))
        for end, flows in terms.items():
            graph.rate(self._state_nodes[end], weighted(graph, flows))
        self._find_ports()
        for node in self.pools:
            self._pool(node)
        pooled = {shown.quantity for shown in self.pooled}
        self._seen = {shown: graph.sensor(shown.name) for shown in self.shown() if shown not in pooled}

    def _pool_of(self, flow: HeatPath) -> int | None:
        """The node without capacity at one end of a flow."""
        return next((node for node in (flow.a, flow.b) if node in self.pools), None)

    def _pool(self, node: int) -> None:
        """A node without capacity: T sum(G) = sum(G T_k) + heat, where all T_k are given."""
        graph, pool = self._graph, self.pools[node]
        near = [flow for flow in self._net.flows if self._pool_of(flow) == node]
        ends = [(flow, *self._far_end(flow, node)) for flow in near if flow.conductance is not None]
        given = [graph.lower(flow.signal) for flow in near if flow.conductance is None]
        total = weighted(graph, [(1.0, G) for _, G, _ in ends])
        ratio = graph.node("QUOTIENT", [graph.constant(1.0), total])
        carried = [graph.node("PRODUCT", [G, T]) for _, G, T in ends]
        base = graph.node("PRODUCT", [weighted(graph, [(1.0, term) for term in [*carried, *given]]), ratio])
        for flow, G, T in ends:
            sign = 1.0 if flow.a == node else -1.0
            rise, slope = weighted(graph, [(sign, base), (-sign, T)]), weighted(graph, [(sign, ratio)])
            self.pooled.append(Pooled(_difference_of(flow), pool, rise, slope))
            flows = (graph.node("PRODUCT", [G, factor]) for factor in (rise, slope))
            self.pooled.append(Pooled(_flow_of(flow), pool, *flows))

    def _far_end(self, flow: HeatPath, node: int) -> tuple[int, int]:
        """Conductance of a flow, and the temperature at its other end."""
        graph = self._graph
        graph.owner = flow.element.name
        assert flow.conductance is not None
        other = flow.b if flow.a == node else flow.a
        if other is None:
            assert flow.ambient is not None
            return graph.lower(flow.conductance), graph.lower(flow.ambient)
        return graph.lower(flow.conductance), graph.linear(*self._temperature(other))

    def _find_ports(self) -> None:
        """Ports that are connected, with the branches of their elements."""
        graph, network = self._graph, self._layout.network
        springs, sources = _by_element(network.springs), _by_element(network.sources)
        frictions = _by_element(network.frictions)
        for name, element in network.nodes.elements.items():
            for place in (Flange(name, port) for port in element.ports):
                if place in self._net.of:
                    graph.owner = name
                    losses = [self._spring(k) for k in springs.get(name, ())]
                    losses += [self._source(k) for k in sources.get(name, ())]
                    losses = [(factor, node) for factor, node in losses if factor != 0.0]
                    signal = weighted(graph, losses) if losses else None
                    self.ports.append(HeatPort(element, self._net.of[place], signal, tuple(frictions.get(name, ()))))
        self._port_of = {k: i for i, port in enumerate(self.ports) for k in port.frictions}

    def _spring(self, k: int) -> tuple[float, int]:
        """Heat d slip^2 of a spring-damper: factor and node."""
        slip = self._slip(k)
        return self._layout.network.springs[k].d, self._graph.node("PRODUCT", [slip, slip])

    def _source(self, k: int) -> tuple[float, int]:
        """Heat of a source: none of a drive, what it says itself, or all that it takes if it stores nothing."""
        source = self._layout.network.sources[k]
        if source.heat is not None:
            return 1.0, self._graph.lower(source.heat)
        if not source.passive or source.energy is not None:
            return 0.0, 0
        slip = self._slip(len(self._layout.network.springs) + k)
        return -1.0, self._graph.node("PRODUCT", [self._graph.lower(source.signal), slip])

    def _slip(self, branch: int) -> int:
        return self._graph.linear(*self._layout.sensors.over_speeds(self._layout.slips[branch]))

    def gain(self, port: HeatPort) -> float:
        """Rise of the temperature by heat; 0 where it is given."""
        return 1.0 / self._net.capacity[port.node] if port.node in self.state else 0.0

    def port_of(self, friction: int) -> int | None:
        """The number of the heat port of a friction element, if it has one that is connected."""
        return self._port_of.get(friction)

    def outputs(self) -> list[Output]:
        """Temperatures and flows of thermal elements, as signals, and the heat of ports."""
        heats = [HeatQuantity(port.element.name, "heat", Kind.HEAT_FLOW) for port in self.ports]
        return [
            *(_output(quantity, "signal", node) for quantity, node in self._seen.items()),
            *(_output(quantity, "heat", k) for k, quantity in enumerate(heats)),
            *(_output(shown.quantity, "pooled", k) for k, shown in enumerate(self.pooled)),
        ]

    def shown(self) -> list[HeatQuantity]:
        """What the thermal elements show."""
        temperatures = [HeatQuantity(element.name, "T", Kind.TEMPERATURE) for element, _ in self._net.shown]
        differences = [_difference_of(flow) for flow in self._net.flows if flow.a is not None]
        return [*temperatures, *differences, *map(_flow_of, self._net.flows)]


def _difference_of(flow: HeatPath) -> HeatQuantity:
    return HeatQuantity(flow.element.name, "dT", Kind.TEMPERATURE_DIFFERENCE)


def _flow_of(flow: HeatPath) -> HeatQuantity:
    return HeatQuantity(flow.element.name, "Q_flow", Kind.HEAT_FLOW)


def _output(shown: HeatQuantity, array: str, place: int) -> Output:
    return Output(shown.name, shown.element, "W" if shown.kind is Kind.HEAT_FLOW else "K", shown.kind, array, place)


def _by_element(branches: Sequence[Branch]) -> dict[str, list[int]]:
    """The places of branches by the names of their elements."""
    places: dict[str, list[int]] = {}
    for k, branch in enumerate(branches):
        places.setdefault(branch.element.name, []).append(k)
    return places
