"""What a sensor shows: a quantity of the machine as a row over the unknowns and over signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..declare import unknown
from ..errors import SpecError, UnknownName
from .coordinates import between
from .network import FrictionBranch, SourceBranch
from .outputs import SHOWN, Output
from .rows import Row, combine

if TYPE_CHECKING:
    from .layout import Layout

NOT_SENSED = {
    "body_a": "an acceleration follows from all torques at once; differentiate the speed instead: Derivative(...)",
    "reaction": "sense a spring that it acts on",
    "coupling": "sense a spring or a source beside it, or put one there",
    "tau": "sense a spring beside it, or the relative speed",
    "loss_a": "sense a spring or a source beside it, or put one there",
    "loss_support": "sense a spring or a source beside it, or put one there",
    "heat": "the heat of an element follows from all torques at once; sense the temperature that it warms instead",
    "mode_shown": "a mode is not a quantity; compare the relative speed instead",
}
"""Board arrays that no sensor shows, with the way out."""


class Sensed(NamedTuple):
    """A quantity: coefficients over the unknowns, over nodes of signals, and a constant."""

    row: Mapping[int, float]
    nodes: Mapping[int, float]
    constant: float = 0.0


class Sensors:
    """The quantities of a machine by their names in the results.

    >>> sensors("mass.w")
    Sensed(row={0: 1.0}, nodes={}, constant=0.0)
    """

    def __init__(self, layout: Layout, outputs: Mapping[str, Output]) -> None:
        self._layout = layout
        self._outputs = outputs

    def __call__(self, quantity: str) -> Sensed:
        """The row of a quantity."""
        if (warm := self._layout.heat.sense(quantity)) is not None:
            return warm
        output = self._outputs.get(quantity)
        if output is None and (hidden := self._between(quantity) or self._at_flange(quantity)) is not None:
            return hidden
        if output is None:
            raise UnknownName(unknown(f"{self._owner}: there is no quantity", quantity, self._near(quantity)))
        if output.array == "speed" and output.node is not None:
            return self.over_speeds(self._layout.coordinates.speed[output.node])
        if output.node is not None:
            return self._over_positions(self._layout.coordinates.position(output.node))
        if output.ends is not None:
            return self._over_positions(between(self._layout.coordinates.places, *output.ends))
        if output.array == "body_w":
            return self.over_speeds(self._layout.bodies[output.place])
        if output.array == "motion_w":
            return self.over_speeds({self._layout.n_v + output.place: 1.0})
        if output.array == "disp":
            return self._over_positions(self._layout.displacements[output.place])
        if output.array == "slip":
            return self.over_speeds(self._layout.slips[output.place])
        if output.array == SHOWN:
            signal = self._layout.network.quantities[output.place].signal
            return Sensed({}, {self._layout.graph.lower(signal): output.scale})
        if output.array == "state":
            return Sensed({output.place: 1.0}, {})
        return self._torque(quantity, output)

    def _between(self, quantity: str) -> Sensed | None:
        """Relative position or speed of a source or of a part of an element, which results do not show."""
        element, _, word = quantity.partition(".")
        layout, network = self._layout, self._layout.network
        parts: list[SourceBranch | FrictionBranch] = [*network.sources, *network.frictions]
        for k, branch in enumerate(parts):
            domain = network.nodes.domains[branch.element.name]
            part = f"_rel_{branch.part}" if branch.part else "_rel"
            if branch.element.name == element and word == domain.speed + part:
                return self.over_speeds(layout.slips[len(network.springs) + k])
            if branch.element.name == element and word == domain.position + part:
                return self._over_positions(layout.coordinates.displacement(branch))
        return None

    def _at_flange(self, quantity: str) -> Sensed | None:
        """Position or speed of any flange, such as clutch.w_a, whether results show it or not."""
        name, _, word = quantity.partition(".")
        nodes, coordinates = self._layout.network.nodes, self._layout.coordinates
        element = nodes.elements.get(name)
        if element is None:
            return None
        for flange in element.flanges:
            if (node := nodes.of.get(element.flange(flange))) is None:
                continue  # a thermal one
            domain = nodes.domain_of(element, flange)
            if word == f"{domain.speed}_{flange}":
                return self.over_speeds(coordinates.speed[node])
            if word == f"{domain.position}_{flange}":
                return self._over_positions(coordinates.position(node))
        return None

    @property
    def _owner(self) -> str:
        return self._layout.graph.owner

    def _near(self, quantity: str) -> list[str]:
        """Names to propose: those of the element if it exists."""
        element = quantity.partition(".")[0]
        shown = [(output.owner, name) for name, output in self._outputs.items()]
        shown += [(heat.element, heat.name) for heat in self._layout.heat.shown()]
        return [name for owner, name in shown if owner == element] or [name for _, name in shown]

    def over_speeds(self, row: Row) -> Sensed:
        """A row over vx; prescribed speeds are signals or their rates."""
        layout, n = self._layout, self._layout.n_v
        nodes = {layout.motion_node(c - n, order=1): value for c, value in row.items() if c >= n}
        return Sensed({c: value for c, value in row.items() if c < n}, nodes)

    def _over_positions(self, row: Row) -> Sensed:
        """A row over qx; prescribed positions are signals."""
        layout, n = self._layout, self._layout.n_q
        nodes = {layout.motion_node(c - n, order=0): value for c, value in row.items() if c >= n}
        return Sensed({layout.n_v + c: value for c, value in row.items() if c < n}, nodes)

    def _torque(self, quantity: str, output: Output) -> Sensed:
        """A torque that positions, speeds and signals alone determine; others depend on all of the machine."""
        torques: dict[int, float] = {}
        reason = NOT_SENSED.get(output.array, "")
        if output.array == "tau":
            torques = {output.place: output.scale}
        elif output.array == "coupling":
            row = self._layout.reactions.row(self._layout.reactions.order[output.place])
            torques = {column: output.scale * value for column, value in row.items()}
        elif output.array == "reaction":
            torques = self._layout.reaction_row(output.place)
        else:
            raise SpecError(f"{self._owner}: {quantity} cannot be sensed; {reason}")
        found = Sensed({}, {})
        for column, factor in torques.items():
            part = self._of_branch(column)
            if part is None:
                raise SpecError(f"{self._owner}: {quantity} cannot be sensed; {self._obstacle(column)}{reason}")
            found = Sensed(
                combine((1.0, found.row), (factor, part.row)),
                combine((1.0, found.nodes), (factor, part.nodes)),
                found.constant + factor * part.constant,
            )
        return found

    def _obstacle(self, column: int) -> str:
        """Why the torque of a branch, or what a body takes, is not known from the states."""
        network = self._layout.network
        n_branch = len(network.branches)
        if column < n_branch:
            label = network.branches[column].element.label
            return f"the torque of {label} is found after the signals, from its law or from all of the machine; "
        label = network.bodies[column - n_branch].element.label
        return f"it accelerates {label}, which follows from all torques at once; "

    def _of_branch(self, column: int) -> Sensed | None:
        """The torque of a spring-damper or of a source; None for others, and for what accelerates bodies."""
        layout, network = self._layout, self._layout.network
        n_spring = len(network.springs)
        if column < n_spring:
            spring = network.springs[column]
            stretch = self._over_positions(layout.displacements[column])
            slip = self.over_speeds(layout.slips[column])
            return Sensed(
                combine((spring.c, stretch.row), (spring.d, slip.row)),
                combine((spring.c, stretch.nodes), (spring.d, slip.nodes)),
                -spring.c * spring.rel0,
            )
        if column < n_spring + len(network.sources):
            return Sensed({}, {layout.graph.lower(network.sources[column - n_spring].signal): -1.0})
        return None
