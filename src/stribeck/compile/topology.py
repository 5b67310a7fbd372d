"""From connections to nodes: which flanges are one, in which domain, with which start; and whether that can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ..declare import Param
from ..elements import DOMAINS, THERMAL, Domain, Element, Flange
from ..errors import SpecError
from ..nesting import nested
from ..signals import Signal
from ..spec import Model
from ..traced import Number, is_close, pinned
from .conditions import law_remarks, law_warnings
from .heat_nodes import bonds, check_heat, cold_warnings, join_heat, mechanical
from .joints import partition
from .named_signals import bind_signals

GROUND = 0
"""The number of the node that never moves."""

T = TypeVar("T")


@dataclass(frozen=True)
class Node:
    """Flanges that move as one, at rest at position 0 if it is the ground.

    >>> nodes.nodes[1].elements
    ('pull', 'spring')
    """

    elements: tuple[str, ...]
    domain: Domain | None
    """None for the ground, which belongs to both."""
    motion: str | None = None
    """The element that prescribes how it moves."""
    position0: Number = 0.0
    speed0: Number = 0.0
    stated: tuple[bool, bool] = (True, True)
    """Whether some element states the position and the speed at the start."""


@dataclass(frozen=True)
class Nodes:
    """A model that holds together: what compile reads.

    >>> nodes = resolve_nodes(model)
    >>> nodes.nodes[nodes.of[Flange("mass", "a")]].domain.speed
    'w'
    """

    nodes: tuple[Node, ...]
    """nodes[GROUND] comes first."""
    of: dict[Flange, int]
    """The node of every flange, open flanges to the ground included."""
    elements: dict[str, Element]
    """Copies of the elements with parameters, laws and signals in SI (`.p`), ready to be stamped."""
    domains: dict[str, Domain]
    """The domain of every element."""
    signals: Mapping[str, Signal]
    """The signals that the model calls by a name, bound."""
    heat: Mapping[Flange, int] = field(default_factory=dict)
    """The thermal nodes, which are counted apart, of thermal flanges and connected heat ports."""

    def domain_of(self, element: Element, flange: str) -> Domain:
        """The domain of one flange of an element."""
        return _flange_domain(element.flange(flange), self.elements, self.domains)


def resolve_nodes(model: Model) -> Nodes:
    """The nodes of a model, or a SpecError that names the element, the value and the way out.

    >>> resolve_nodes(load_model("stick-slip")).of[Flange("mass", "a")]
    2
    """
    if not model.elements:
        raise SpecError(f"model '{model.name}' has no elements; add some, for instance Inertia(J=1)")
    elements = mechanical(model.elements)

    # which flanges are one, and which are left open
    group = _join(model)
    opened = _open_flanges(elements, group)

    # rotational or translational: that gives the units, and so the parameters in SI
    domains = _domains(elements, group, opened)
    scope = bind_signals(model)
    domains |= {name: THERMAL for name in model.elements if name not in elements}
    bound = {name: element.bind(domains[name], scope) for name, element in model.elements.items()}

    # the ground, the moving nodes with their starts, and what lies between them
    of = _number(bound, group, opened)
    members = _invert(of)
    last = max(of.values(), default=GROUND)
    nodes = tuple(_node(number, members.get(number, []), bound, domains) for number in range(last + 1))
    _check_links(mechanical(bound), of)
    heat = join_heat(model)
    check_heat(bound, heat)

    return Nodes(nodes, of, bound, domains, scope.signals, heat)


@nested
def check_model(model: Model, step: float | str | None = None) -> list[str]:
    """Raises a SpecError if a model cannot be simulated; returns warnings and what laws remark about their parameters.
    With a fixed step (s) the warnings are those of laws that need a smaller one.

    >>> check_model(model, step="1 ms")
    """
    nodes = resolve_nodes(model)
    if step is None:
        return [*_warnings(nodes), *law_remarks(nodes)]
    seconds = Param(None, "s", "step", above=0).to_si(step, {}, "check", "step")
    return [*law_warnings(nodes, seconds), *law_remarks(nodes)]


@nested
def find_warnings(model: Model) -> list[str]:
    """What to know about the values of a model before a run.

    >>> find_warnings(load_model("stick-slip"))
    []
    """
    return _warnings(resolve_nodes(model))


def _warnings(nodes: Nodes) -> list[str]:
    return [*law_warnings(nodes), *cold_warnings(nodes.elements)]


def _join(model: Model) -> dict[Flange, int]:
    """Flanges into groups: by the references of the elements, by connect(), and within rigid elements."""
    elements = mechanical(model.elements).values()
    rigid = [_flanges(element) for element in elements if element.rigid]
    joined = [*rigid, *bonds(model, thermal=False)]
    return partition((flange for element in elements for flange in _flanges(element)), joined)


def _open_flanges(elements: Mapping[str, Element], group: Mapping[Flange, int]) -> set[Flange]:
    """The flanges that nothing is connected to; only those that may belong to the ground are allowed."""
    opened: set[Flange] = set()
    for flanges in _invert(group).values():
        flange = flanges[0]
        element = elements[flange.element]
        if any(other.element != element.name for other in flanges) or _may_be_alone(element, elements):
            continue
        if len(flanges) > 1 or flange.name not in element.to_ground:
            what = "it" if element.one_node else f"flange {flange.name}"
            raise SpecError(
                f"{element.label}: {what} is not connected to any other element; "
                f"connect it, for instance connect('{flange}', 'mass'), or remove '{element.name}'"
            )
        opened.add(flange)
    return opened


def _may_be_alone(element: Element, elements: Mapping[str, Element]) -> bool:
    """A vehicle has internal loads; a body that is the whole machine is intended, an unconnected one is not."""
    return element.alone or (element.role == "body" and len(elements) == 1)


def _domains(elements: Mapping[str, Element], group: Mapping[Flange, int], opened: set[Flange]) -> dict[str, Domain]:
    """The domain of every element: its own, or that of what it is connected to, directly or through others."""
    groups = {name: [group[f] for f in _flanges(e) if f not in opened] for name, e in elements.items()}
    across = [e for e in elements.values() if e.flange_domains]
    region = partition(
        sorted(set(group.values())), [numbers for name, numbers in groups.items() if not elements[name].flange_domains]
    )
    at = {name: region[numbers[0]] for name, numbers in groups.items()}

    # elements of one domain decide first, then parameters called w rather than v
    decided: dict[int, tuple[str, Element]] = {}
    for name, element in elements.items():
        if element.domain:
            domain, other = decided.setdefault(at[name], (element.domain, element))
            if domain != element.domain:
                raise SpecError(
                    f"{element.label} is {element.domain}, but it is connected with {other.label}, which is {domain}; "
                    "take Inertia, Bearing and Torque for what turns, Mass, Guide and Force for what moves along a line"
                )
    for element in across:
        for flange in _flanges(element):
            wanted = element.flange_domains[flange.name]
            domain, other = decided.setdefault(region[group[flange]], (wanted, element))
            if domain != wanted and flange not in opened:
                raise SpecError(
                    f"{element.label}: flange {flange.name} is {wanted}, but it is connected with {other.label}, "
                    f"which is {domain} there; connect it to something {wanted}"
                )
    for name, element in elements.items():
        for word, wanted in element.domain_words().items():
            domain, other = decided.setdefault(at[name], (wanted, element))
            if domain != wanted:
                raise SpecError(
                    f"{element.label}: {word} is the {wanted} name, but {other.label} makes this part {domain}; "
                    f"write {element.other_word(word)} instead of {word}"
                )
    for name, element in elements.items():
        if element.flange_domains:
            continue
        if at[name] not in decided:
            raise SpecError(
                f"{element.label}: nothing determines whether it rotates or translates; connect an Inertia or a Mass"
            )
    rotational = DOMAINS["rotational"]
    return {name: rotational if e.flange_domains else DOMAINS[decided[at[name]][0]] for name, e in elements.items()}


def _number(bound: Mapping[str, Element], group: Mapping[Flange, int], opened: set[Flange]) -> dict[Flange, int]:
    """Groups into nodes: everything fixed or open is the ground, the rest counts from 1 in order of appearance."""
    fixed = {group[f] for f in group if f in opened or bound[f.element].role == "ground"}
    numbers = dict.fromkeys(fixed, GROUND)
    for number in group.values():
        numbers.setdefault(number, len(numbers) - len(fixed) + 1)
    return {flange: numbers[number] for flange, number in group.items()}


def _node(number: int, flanges: Sequence[Flange], bound: Mapping[str, Element], domains: Mapping[str, Domain]) -> Node:
    """One node from the flanges on it, whose elements get its start."""
    on = [bound[name] for name in dict.fromkeys(flange.element for flange in flanges)]
    motion = _check_motion(number, on)
    starts = [_start(on, domains, index) for index in (0, 1)]
    (position, has_position), (speed, has_speed) = starts
    for element in on:
        element.begin(position, speed)
    domain = None if number == GROUND else _flange_domain(flanges[0], bound, domains)
    motion_name = motion.name if motion else None
    return Node(tuple(e.name for e in on), domain, motion_name, position, speed, (has_position, has_speed))


def _flange_domain(flange: Flange, elements: Mapping[str, Element], domains: Mapping[str, Domain]) -> Domain:
    own = elements[flange.element].flange_domains.get(flange.name)
    return DOMAINS[own] if own else domains[flange.element]


def _check_motion(number: int, on: Sequence[Element]) -> Element | None:
    """The element that prescribes the motion of a node: at most one, not on the ground, and one a body can follow."""
    motions = [element for element in on if element.role == "motion"]
    if not motions:
        return None
    motion = motions[0]
    if number == GROUND:
        raise SpecError(f"{motion.label} moves a flange that is fixed; remove '{motion.name}', or put a spring between")
    if motions[1:]:
        raise SpecError(
            f"{motion.label} and {motions[1].label} prescribe the motion of the same node; "
            "remove one of them, or put a spring between the two"
        )
    bodies = [element for element in on if element.role == "body"]
    if bodies and motion.sudden():
        raise SpecError(
            f"{motion.label}: its speed jumps, and {bodies[0].label} on the same node would need an infinite torque; "
            "use a Ramp for the speed, or put a spring between the two"
        )
    return motion


def _start(on: Sequence[Element], domains: Mapping[str, Domain], index: int) -> tuple[Number, bool]:
    """Position (index 0) or speed (1) of a node at the start, on which all elements that state it must agree, and
    whether some does. If none does, it is the parameter of the only one that could."""
    bodies_last = sorted(on, key=lambda element: element.role == "body")
    stated = [(element, value) for element in bodies_last if (value := element.start()[index]) is not None]
    for element, value in stated[1:]:
        first, start = stated[0]
        if not is_close(value, start, rel_tol=1e-9, abs_tol=1e-12):
            what, unit = (("position", "disp"), ("speed", "vel"))[index]
            unit = domains[element.name].units[unit]
            raise SpecError(
                f"{element.label} starts with {what} {value:g} {unit}, but {first.label} on the same node "
                f"with {start:g} {unit}; make them equal, or leave one out"
            )
    unstated = [value for element in on if (value := element.unstated()[index]) is not None]
    if not stated and len(unstated) == 1:
        return unstated[0], False
    for value in unstated:
        pinned(value)  # once it is given, it has to agree with the others
    return (stated[0][1], True) if stated else (0.0, False)


def _check_links(bound: Mapping[str, Element], of: Mapping[Flange, int]) -> None:
    """Springs, frictions and sources must lie between two nodes (of which one may be the ground)."""
    for element in bound.values():
        ends = {of[flange] for flange in _flanges(element)} | ({GROUND} if element.one_node else set())
        if element.role == "link" and len(ends) == 1:
            where = "the ground" if GROUND in ends else "one and the same node"
            raise SpecError(
                f"{element.label}: both ends are on {where}, so it does nothing; connect it to something that moves"
            )


def _flanges(element: Element) -> list[Flange]:
    return [element.flange(name) for name in element.flanges]


def _invert(numbers: Mapping[T, int]) -> dict[int, list[T]]:
    """The members of every group."""
    members: dict[int, list[T]] = {}
    for item, number in numbers.items():
        members.setdefault(number, []).append(item)
    return members
