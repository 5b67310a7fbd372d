"""From a model to a program: topology, coordinates, layout, outputs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernel import OPERATIONS, board, value_lengths
from ..kinds import contact_name
from ..laws import Mode
from ..nesting import nested
from ..spec import Model
from .coordinates import choose
from .law_tape import law_tape
from .layout import Layout, row_sizes
from .network import FrictionBranch, PrimitiveNetwork
from .outputs import Output, Positions, contacts, outputs
from .own_law import OwnContact
from .parameters import Slots, place_model
from .program import Family, Program, Structure, VaryingParameter
from .record import Record
from .rows import Arrays, indices
from .topology import resolve_nodes


@nested
def compile_model(model: Model) -> Program:
    """The program of a model; a SpecError names what is wrong with it.

    >>> compile_model(load_model("stick-slip"))
    <Program stick-slip: 4 states, 0 locks, ...>
    """
    slots = Slots()
    nodes = resolve_nodes(place_model(model, slots))
    network = PrimitiveNetwork.of(nodes)
    layout = Layout(network, choose(network))
    arrays = layout.arrays()
    sizes = layout.sizes(arrays)
    shown = outputs(layout)
    arrays |= _output_arrays(layout, shown, sizes)
    structure = _structure(layout, shown, sizes, {name: a for name, a in arrays.items() if isinstance(a, np.ndarray)})
    values = [*layout.start(), *(number for name in value_lengths(sizes) for number in arrays[name])]
    record = Record.of(slots, values)
    family = Family(model.snapshot(), [record])
    notes = layout.coordinates.reduction.warnings
    return Program(structure, record, family, model.name, model.simulation, notes=notes)


def _structure(layout: Layout, shown: list[Output], sizes: dict[str, int], arrays: dict[str, np.ndarray]) -> Structure:
    """What does not depend on values."""
    network, graph, states = layout.network, layout.graph, _states(layout)
    names = [contact_name(*contact) for contact in contacts(layout)]
    laws = [type(friction.law) for friction in network.frictions]
    tapes = [law_tape(law) for law in laws]
    return Structure(
        sizes=sizes,
        arrays=arrays,
        laws=tuple(law.name if tape is None else tape.key for law, tape in zip(laws, tapes, strict=True)),
        law_tapes={tape.key: tape for tape in tapes if tape is not None},
        own_laws=tuple(
            OwnContact(k, friction.element.label, friction.law)
            for k, friction in enumerate(network.frictions)
            if not friction.law.compiled
        ),
        state_names=tuple(state.name for state in states),
        state_owners=tuple(state.owner for state in states),
        state_units=tuple(state.unit for state in states),
        state_discrete=tuple(state.discrete for state in states),
        output_names=tuple(output.name for output in shown),
        output_owners=tuple(output.owner for output in shown),
        output_units=tuple(output.unit for output in shown),
        output_kinds=tuple(output.kind for output in shown),
        output_parts=tuple(output.part for output in shown),
        elements={name: type(element).__name__ for name, element in network.nodes.elements.items()},
        branches=tuple(branch.element.name for branch in network.branches),
        bodies=tuple(body.element.name for body in network.bodies),
        motions=tuple(motion.element.name for motion in network.motions),
        frictions=tuple(friction.element.name for friction in network.frictions),
        event_owners=_event_owners(layout),
        signal_owners=tuple(node.owner for node in graph.nodes),
        signal_ops=tuple(node.op for node in graph.nodes),
        locks=tuple(network.frictions[k].element.name for k in layout.locks),
        contacts=tuple(names[k] for k in [*layout.locks, *layout.shown]),
        external={name: (known.node, known.unit) for name, known in graph.inputs.items()},
        varying=tuple(_varying(friction, name) for friction in network.frictions for name in friction.law.varying),
        orders=tuple((network.frictions[k].element.name, order.lower, order.upper) for k, order in layout.orders),
    )


def _varying(friction: FrictionBranch, name: str) -> VaryingParameter:
    """What messages say about a parameter that follows a signal."""
    param, units = friction.law.params[name], friction.law.units
    return VaryingParameter(friction.element.name, name, param.unit.format_map(units), param.rule)


def _output_arrays(layout: Layout, shown: list[Output], sizes: dict[str, int]) -> Arrays:
    """out_index, out_scale and the rows of reported positions and speeds; adds their sizes."""
    positions = Positions(layout.coordinates.places)
    speeds = list(dict.fromkeys(output.node for output in shown if output.array == "speed" and output.node))
    speed_of = {node: place for place, node in enumerate(speeds)}
    places = [
        positions.place(output)
        if output.array == "position"
        else speed_of[output.node]
        if output.array == "speed" and output.node
        else output.place
        for output in shown
    ]
    arrays = layout.split(positions.rows, "p", layout.n_q, shift=layout.n_v)
    arrays |= layout.split([layout.coordinates.speed[node] for node in speeds], "s", layout.n_v)
    sizes |= {"n_output": len(shown), "n_position": len(positions.rows), "n_speed": len(speeds)}
    sizes |= {"n_power": 0, "n_lossy": 0, "n_jerk": 0}  # on request
    sizes |= row_sizes(arrays, "ps")
    start = board(sizes)
    index = [start[output.array] + place for output, place in zip(shown, places, strict=True)]
    return arrays | {
        "p_base": indices(positions.bases),
        "power_branch": indices([]),
        "power_slot": indices([]),
        "out_index": np.array(index, np.int32),
        "out_scale": [output.scale for output in shown],
    }


class _State(NamedTuple):
    name: str
    owner: str
    unit: str
    discrete: bool = False


def _states(layout: Layout) -> list[_State]:
    """Every state with the element or the named signal that it belongs to."""
    network = layout.network
    states = []
    for node in layout.coordinates.free:
        domain = network.nodes.nodes[node].domain
        assert domain is not None
        states.append(_State(network.state_name(node, domain.speed), network.owner(node), domain.units["vel"]))
    states += [_State(state.name, state.owner, state.unit) for state in layout.coordinates.states]
    for friction in network.frictions:
        owner = friction.element.name
        domain = network.nodes.domains[owner]
        for name, law_state in friction.law.states.items():
            unit = law_state.unit.format_map(domain.units)
            states.append(_State(f"{owner}.{name}", owner, unit, isinstance(law_state, Mode)))
    return [*states, *(_State(state.name, state.owner, state.unit) for state in layout.graph.states)]


def _event_owners(layout: Layout) -> tuple[str, ...]:
    """The element or signal behind each event function, in the order of the kernel."""
    frictions = layout.network.frictions
    locks = [frictions[k].element.name for k in layout.locks for _ in range(2)]
    signals = [node.owner for node in layout.graph.nodes for _ in range(OPERATIONS[node.op].guards)]
    laws = [f.element.name for f, guards in zip(frictions, layout.guards, strict=True) for _ in range(guards)]
    others = [frictions[k].element.name for k in [*layout.sided, *layout.opening]]
    return (*locks, *signals, *laws, *others)
