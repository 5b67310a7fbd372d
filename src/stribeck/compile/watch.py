"""A program that also shows what its friction elements meet."""

from __future__ import annotations

from ..kinds import Kind
from .program import Program, ShownOutput

WATCHED = ("slip", "tau", "load", "back")
"""What is shown of every friction element: slip, friction, and its loads while friction is positive and negative."""


def watched(program: Program) -> Program:
    """The program with outputs behind its own: the quantities of WATCHED, each of all friction elements in their order.

    >>> watched(program).output_names[-1]
    'friction.back'
    """
    first = len(program.branches) - len(program.frictions)
    loads = (program.structure.arrays[name] for name in ("fr_load", "fr_back"))
    places = {word: (word, list(range(first, len(program.branches)))) for word in ("slip", "tau")}
    places |= {word: ("signal", nodes.tolist()) for word, nodes in zip(("load", "back"), loads, strict=True)}
    more = [
        ShownOutput(f"{name}.{word}", name, "1", Kind.SIGNAL, "", array, place)
        for word, (array, numbers) in places.items()
        for name, place in zip(program.frictions, numbers, strict=True)
    ]
    return program.showing(watched, {}, [*program.outputs, *more])
