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
    for element in nodes.elements.values():
        if isinstance(element, Friction):
            conditions = replace(_conditions(element, nodes, sensors), step=step)
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


def _conditions(element: Friction, nodes: Nodes, sensors: Sensors) -> Conditions:
    """Load and inertia of a friction element, what drives it, and how its position is measured."""
    ends = [nodes.nodes[number] for number in sorted({nodes.of[element.flange(name)] for name in element.flanges})]
    beside: list[Any] = [nodes.elements[name] for name in dict.fromkeys(name for end in ends for name in end.elements)]
    positions = [f"{other.name}.{word}" for other in beside for word in ("phi", "s", "phi_rel", "s_rel")]
    steps = [sensors.resolution[name] for name in positions if name in sensors.resolution]
    bodies = [body for end in ends if (body := _inertia(end, nodes)) is not None]
    load = element.normal_load()
    return Conditions(
        sample_time=sensors.sample_time,
        resolution=min(steps, default=None),
        inertia=1 / sum(1 / body for body in bodies) if bodies else None,
        force=_largest_force(beside),
        load=(load.at(0.0) if load.time_only else 0.0) or 1.0,
    )


def _inertia(node: Node, nodes: Nodes) -> float | None:
    """The inertia of a node that is free to move; None: nothing there yields."""
    on: list[Any] = [nodes.elements[name] for name in node.elements]
    bodies = [getattr(other.p, other.quantities[0]) for other in on if other.role == "body"]
    return sum(bodies) if bodies and not node.motion and node.domain else None


def _largest_force(beside: list[Any]) -> float | None:
    """The most that the sources of a node can push, if their signals tell; None where nothing pushes."""
    signals = [signal for other in beside if isinstance(other, Force | Torque) for signal in vars(other.p).values()]
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
