"""A program that also shows what its friction elements meet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..kernel import board
from ..kinds import Kind
from .program import Program

WATCHED = ("slip", "tau", "load", "back")
"""What is shown of every friction element: slip, friction, and its loads while friction is positive and negative."""


def watched(program: Program) -> Program:
    """The program with outputs behind its own: the quantities of WATCHED, each of all friction elements in their order.

    >>> watched(program).output_names[-1]
    'friction.back'
    """
    place, count = board(dict(program.sizes)), len(program.frictions)
    first = len(program.branches) - count
    index = np.concatenate(
        [
            program.arrays["out_index"],
            *(place[array] + first + np.arange(count) for array in ("slip", "tau")),
            *(place["signal"] + program.arrays[array] for array in ("fr_load", "fr_back")),
        ]
    ).astype(np.int32)
    scale = np.concatenate([program.arrays["out_scale"], np.ones(len(WATCHED) * count)])
    names = [f"{name}.{word}" for word in WATCHED for name in program.frictions]
    return replace(
        program,
        sizes=dict(program.sizes) | {"n_output": index.size},
        arrays=dict(program.arrays) | {"out_index": index, "out_scale": scale},
        output_names=(*program.output_names, *names),
        output_owners=(*program.output_owners, *(name for _ in WATCHED for name in program.frictions)),
        output_units=(*program.output_units, *("1" for _ in names)),
        output_kinds=(*program.output_kinds, *(Kind.SIGNAL for _ in names)),
        output_parts=(*program.output_parts, *("" for _ in names)),
    )
