"""What the friction laws of a model will meet, and what they warn of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..elements import Element, Friction
from ..elements._body import Body
from ..laws import Conditions
from ..signals import Signal

if TYPE_CHECKING:
    from .topology import Node, Nodes


def law_warnings(nodes: Nodes, step: float | None = None) -> Iterator[str]:
    """The warnings of all friction elements; `step` is a fixed step (s) with which the model is to run.

    >>> list(law_warnings(nodes))
    []
    """
    sensors = Sampling.of(nodes)
    around = [Around.of(node, nodes, sensors) for node in nodes.nodes]
    for element in nodes.elements.values():
        if isinstance(element, Friction):
            conditions = replace(_conditions(element, nodes, sensors, around), step=step)
            yield from (f"{element.label}: {text}" for text in element.checks(conditions))


def law_remarks(nodes: Nodes) -> list[str]:
    """What the laws of all friction elements have to say that is no fault.

    >>> law_remarks(nodes)
    ["bearing 'friction': LuGre is passive only for ..."]
    """
    frictions = (element for element in nodes.elements.values() if isinstance(element, Friction))
    return [f"{element.label}: {text}" for element in frictions for text in element.remarks()]


@dataclass(frozen=True)
class Sampling:
    """How finely positions are measured, and how often signals are sampled."""

    resolution: dict[str, float]
    """The steps of quantisers by what they sense, such as "mass.phi"."""
    sample_time: float | None

    @classmethod
    def of(cls, nodes: Nodes) -> Sampling:
        """Those of all signals of a model."""
        inputs = [value for element in nodes.elements.values() for value in vars(element.p).values()]
        signals = [signal for signal in (*nodes.signals.values(), *inputs) if isinstance(signal, Signal)]
        parts = [part for signal in signals for part in signal.walk()]
        steps = {part.sensed: part.resolution for part in parts if part.resolution is not None}
        periods = [part.sample_time for part in parts if part.sample_time is not None]
        return cls(steps, min(periods, default=None))


@dataclass(frozen=True)
class Around:
    """What acts on a node, found once for all friction elements there."""

    inertia: float | None
    """None: nothing there yields."""
    drives: dict[str, Signal]
    """The signals of sources by their elements."""
    steps: list[float]
    """Of the quantisers that sense positions of its elements."""

    @classmethod
    def of(cls, node: Node, nodes: Nodes, sensors: Sampling) -> Around:
        """That of one node."""
        on = [nodes.elements[name] for name in node.elements]
        drives = {other.name: drive for other in on if (drive := other.drive()) is not None}
        words = {other.name: nodes.domains[other.name].position for other in on} if sensors.resolution else {}
        positions = [f"{name}.{word}{end}" for name, word in words.items() for end in ("", "_rel")]
        steps = [sensors.resolution[name] for name in positions if name in sensors.resolution]
        return cls(_inertia(node, on), drives, steps)


def _conditions(element: Friction, nodes: Nodes, sensors: Sampling, around: Sequence[Around]) -> Conditions:
    """Load and inertia of a friction element, what drives it, and how its position is measured."""
    ends = [around[number] for number in sorted({nodes.of[element.flange(name)] for name in element.flanges})]
    bodies = [end.inertia for end in ends if end.inertia is not None]
    drives = {name: drive for end in ends for name, drive in end.drives.items()}
    steps = [step for end in ends for step in end.steps]
    load = element.normal_load()
    return Conditions(
        sample_time=sensors.sample_time,
        resolution=min(steps, default=None),
        inertia=1 / sum(1 / body for body in bodies) if bodies else None,
        force=_largest_force(list(drives.values())),
        load=(load.at(0.0) if load.time_only else 0.0) or 1.0,
    )


def _inertia(node: Node, on: Sequence[Element]) -> float | None:
    """The inertia of a node that is free to move; None: nothing there yields."""
    bodies = [other.inertia for other in on if isinstance(other, Body)]
    return sum(bodies) if bodies and not node.motion and node.domain else None


def _largest_force(drives: Sequence[Signal]) -> float | None:
    """The most that these signals can push, if their bounds are known; None where nothing pushes."""
    bounds = [drive.bounds() for drive in drives]
    known = [pair for pair in bounds if pair is not None]
    if not known or len(known) < len(bounds):
        return None
    return sum(max(abs(low), abs(high)) for low, high in known)
