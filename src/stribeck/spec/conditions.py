"""What the friction laws of a model will meet, and what they warn of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..elements import Force, Friction, Torque
from ..laws import Conditions
from ..signals import PID, Quantiser, SampleHold, Saturation, Sensor, Signal

if TYPE_CHECKING:
    from .topology import Node, Nodes


def law_warnings(nodes: Nodes, step: float | None = None) -> Iterator[str]:
    """The warnings of all friction elements; `step` is a fixed step (s) with which the model is to run.

    >>> list(law_warnings(resolve_nodes(model)))
    ["bearing 'friction': LuGre is passive only for ..."]
    """
    sensors = Sensors.of(nodes)
    around = [Around.of(node, nodes, sensors) for node in nodes.nodes]
    for element in nodes.elements.values():
        if isinstance(element, Friction):
            conditions = replace(_conditions(element, nodes, sensors, around), step=step)
            yield from (f"{element.label}: {text}" for text in element.checks(conditions))


@dataclass(frozen=True)
class Sensors:
    """How finely positions are measured, and how often signals are sampled."""

    resolution: dict[str, float]
    """The steps of quantisers by what they sense, such as "mass.phi"."""
    sample_time: float | None

    @classmethod
    def of(cls, nodes: Nodes) -> Sensors:
        """Those of all signals of a model."""
        inputs = [value for element in nodes.elements.values() for value in vars(element.p).values()]
        signals = [signal for signal in (*nodes.signals.values(), *inputs) if isinstance(signal, Signal)]
        parts: list[Any] = [part for signal in signals for part in signal.walk()]
        steps = {sensed(part): part.p.step for part in parts if isinstance(part, Quantiser)}
        periods = [part.p.period for part in parts if isinstance(part, SampleHold)]
        periods += [part.p.dt for part in parts if getattr(part.p, "dt", 0.0)]
        return cls(steps, min(periods, default=None))


def sensed(signal: Any) -> str:
    """What a signal senses, through quantisers and samples; "" if it is something else.

    >>> sensed(Quantiser("mass.phi", step=0.01).bind("", "u"))
    'mass.phi'
    """
    while isinstance(signal, Quantiser | SampleHold):
        signal = signal.p.u
    return str(signal.quantity) if isinstance(signal, Sensor) else ""


@dataclass(frozen=True)
class Around:
    """What stands on a node, found once for all friction elements there."""

    inertia: float | None
    """None: nothing there yields."""
    sources: dict[str, Any]
    """Forces and torques by name."""
    steps: list[float]
    """Of the quantisers that sense positions of its elements."""

    @classmethod
    def of(cls, node: Node, nodes: Nodes, sensors: Sensors) -> Around:
        """That of one node."""
        on: list[Any] = [nodes.elements[name] for name in node.elements]
        sources = {other.name: other for other in on if isinstance(other, Force | Torque)}
        words = ("phi", "s", "phi_rel", "s_rel") if sensors.resolution else ()
        positions = [f"{other.name}.{word}" for other in on for word in words]
        steps = [sensors.resolution[name] for name in positions if name in sensors.resolution]
        return cls(_inertia(node, on), sources, steps)


def _conditions(element: Friction, nodes: Nodes, sensors: Sensors, around: list[Around]) -> Conditions:
    """Load and inertia of a friction element, what drives it, and how its position is measured."""
    ends = [around[number] for number in sorted({nodes.of[element.flange(name)] for name in element.flanges})]
    bodies = [end.inertia for end in ends if end.inertia is not None]
    sources = {name: source for end in ends for name, source in end.sources.items()}
    steps = [step for end in ends for step in end.steps]
    load = element.normal_load()
    return Conditions(
        sample_time=sensors.sample_time,
        resolution=min(steps, default=None),
        inertia=1 / sum(1 / body for body in bodies) if bodies else None,
        force=_largest_force(list(sources.values())),
        load=(load.at(0.0) if load.time_only else 0.0) or 1.0,
    )


def _inertia(node: Node, on: list[Any]) -> float | None:
    """The inertia of a node that is free to move; None: nothing there yields."""
    bodies = [getattr(other.p, other.quantities[0]) for other in on if other.role == "body"]
    return sum(bodies) if bodies and not node.motion and node.domain else None


def _largest_force(sources: list[Any]) -> float | None:
    """The most that the sources of a node can push, if their signals tell; None where nothing pushes."""
    signals = [signal for source in sources for signal in vars(source.p).values()]
    spans = [_span(signal) for signal in signals]
    if not spans or None in spans:
        return None
    return sum(max(abs(low), abs(high)) for low, high in (span for span in spans if span))


def _span(signal: Any) -> tuple[float, float] | None:
    """Bounds of a signal: its own, or the limits of a controller behind sample-and-holds."""
    while isinstance(signal, SampleHold):
        signal = signal.p.u
    if isinstance(signal, PID | Saturation) and None not in (signal.p.low, signal.p.high):
        return signal.p.low, signal.p.high
    return signal.span() if signal.time_only else None
