"""What inputs and parameters of a program reach: for descriptions of exported models."""

from __future__ import annotations

import numpy as np

from .program import Program


def prescribing(program: Program) -> set[int]:
    """The operations of signals that prescribed motions follow, directly or through others.

    >>> prescribing(program)
    {0}
    """
    arrays = program.structure.arrays
    ends, operands = arrays["signal_in_ptr"].tolist(), arrays["signal_in"].tolist()
    found, waiting = set[int](), arrays["motion_signal"].tolist()
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += operands[ends[node] : ends[node + 1]]
    return found


def only_start(program: Program) -> set[int]:
    """The inputs of the record that reach the states at the start and nothing else.

    >>> {program.record.places[path][0] for path in ("mass.w0", "mass.phi0")} <= only_start(program)
    True
    """
    arrays, n_input = program.record.arrays, len(program.point)
    reached = [0] * (n_input + len(arrays["op"]))
    for node, place in zip(arrays["out_node"].tolist(), arrays["out_place"].tolist(), strict=True):
        reached[node] |= 1 if place < len(program.state_names) else 2
    ends, operands = arrays["in_ptr"].tolist(), arrays["in"].tolist()
    for node in range(len(arrays["op"]) - 1, -1, -1):
        for operand in operands[ends[node] : ends[node + 1]]:
            reached[operand] |= reached[n_input + node]
    return {place for place in range(n_input) if reached[place] == 1}


def position_rates(program: Program) -> list[tuple[int, list[int], bool]]:
    """For every state that is a position: its number, the states that its rate follows, and whether motions add to it.

    >>> position_rates(program)
    [(1, [], True), (2, [0], True)]
    """
    rows, n_v = program.mechanics.position_rates, program.sizes["n_v"]
    return [
        (n_v + i, np.flatnonzero(speeds).tolist(), bool(np.any(motions)))
        for i, (speeds, motions) in enumerate(zip(rows.states, rows.motions, strict=True))
    ]
